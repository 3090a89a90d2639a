// Concrete notes (proposals 3.7).
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/path_rules.h"
#include "proposal/rules.h"
#include "proposal/words.h"

namespace gh::proposal {
namespace {

constexpr std::int64_t kMinRisk = 40, kMinRollback = 10, kMaxNote = 4000;

using Strings = std::vector<std::string>;

struct Topic {
  std::string_view label;
  Strings policy::ProposalPolicy::*words;
};
// table: risk topics
constexpr std::array<Topic, 4> kTopics{{
    {"failure:", &policy::ProposalPolicy::failure_words},
    {"blast_radius:", &policy::ProposalPolicy::blast_radius_words},
    {"data:", &policy::ProposalPolicy::data_words},
    {"idempotent:", &policy::ProposalPolicy::idempotent_words},
}};

// table: placeholders
constexpr std::array<std::string_view, 7> kPlaceholders{"none", "n/a",  "low risk", "no risk",
                                                        "tbd",  "todo", "lgtm"};

bool is_repeated(std::string_view text) {
  return text.find_first_not_of(text.front()) == text.npos;
}

bool is_placeholder(std::string_view part) {
  return std::ranges::find(kPlaceholders, part) != kPlaceholders.end() || is_repeated(part);
}

std::string without_labels(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto topic = std::ranges::find_if(
        kTopics, [&](const Topic& t) { return text.substr(at).starts_with(t.label); });
    out += topic == kTopics.end() ? text[at] : '\n';
    at += topic == kTopics.end() ? 1 : topic->label.size();
  }
  return out;
}

/// What `proposal new` asks for was left standing.
bool is_unanswered(std::string_view note) { return contains(note, "<fill in>"); }

/// Nothing but placeholders, one behind the other.
bool says_nothing(std::string text) {
  for (char& c : text)
    if (contains(".,;!\n", std::string_view(&c, 1))) c = '\n';
  for (const std::string_view line : split(text, '\n'))
    if (const std::string_view part = trimmed(line); !part.empty() && !is_placeholder(part))
      return false;
  return true;
}

Strings missing_topics(std::string_view note, const policy::ProposalPolicy& policy) {
  Strings missing;
  for (const Topic& topic : kTopics) {
    const bool spoken = contains(note, topic.label) || has_any_word(note, policy.*topic.words);
    if (!spoken) missing.emplace_back(topic.label.substr(0, topic.label.size() - 1));
  }
  return missing;
}

/// The path, its name with or without suffix, or one of its folders.
bool names_path(std::string_view note, const std::string& path) {
  const std::string_view name = policy::basename(path);
  const std::string_view stem = name.substr(0, name.find('.', 1));
  if (has_word(note, path) || has_word(note, name)) return true;
  if (stem.size() > 1 && has_word(note, stem)) return true;
  return policy::any_component(path, [&](std::string_view component) {
    return component.size() > 1 && component != name && has_word(note, component);
  });
}

Finding vague(PropCode code, std::string message) { return {code, std::move(message)}; }

std::optional<std::string> length_defect(std::string_view field, std::string_view note,
                                         std::int64_t least) {
  const std::int64_t length = characters(note);
  if (length >= least && length <= kMaxNote) return {};
  return fmt::format("{} has {} characters; it needs {} to {}", field, length, least, kMaxNote);
}

/// Text in back quotes, a line that begins with "$ ", or a git command.
bool has_command(std::string_view note) {
  const std::size_t open = note.find('`');
  if (open != note.npos && note.find('`', open + 1) > open + 1 &&
      note.find('`', open + 1) != note.npos)
    return true;
  return note.starts_with("$ ") || contains(note, "\n$ ") || has_word(note, "git");
}

bool is_reasoned_na(std::string_view note) {
  if (!note.starts_with("n/a")) return false;
  const std::string_view reason = trimmed(note.substr(3));
  std::int64_t letters = std::ranges::count_if(reason, is_word_byte);
  return letters >= 5 && !says_nothing(std::string(reason));
}

// table: rollback words
constexpr std::array<std::string_view, 3> kRollbackWords{"revert", "inverse", "restore"};

}  // namespace

std::optional<Finding> risk_finding(const ProposalMeta& meta,
                                    const policy::ProposalPolicy& policy) {
  constexpr PropCode kCode = PropCode::PROP_RISK_VAGUE;
  const std::string_view raw = trimmed(meta.risk_notes);
  const std::string note = lower(raw);
  if (!note.empty() && says_nothing(without_labels(note)))
    return vague(kCode, "risk_notes holds placeholders only");
  if (is_unanswered(note)) return vague(kCode, "risk_notes still holds the question to its author");
  if (const auto why = length_defect("risk_notes", raw, kMinRisk)) return vague(kCode, *why);
  if (const Strings missing = missing_topics(note, policy); !missing.empty())
    return Finding{kCode, fmt::format("risk_notes does not speak of {}", join(missing, ", ")),
                   Map{{"missing", string_list(missing)}}};
  const bool names_something = std::ranges::any_of(
      meta.affected_files, [&](const std::string& path) { return names_path(note, lower(path)); });
  if (!names_something)
    return vague(kCode, "risk_notes names no affected file, folder or component");
  return {};
}

std::optional<Finding> rollback_finding(const ProposalMeta& meta, bool is_docs_only) {
  constexpr PropCode kCode = PropCode::PROP_ROLLBACK_VAGUE;
  const std::string_view raw = trimmed(meta.rollback_notes);
  const std::string note = lower(raw);
  if (note == "n/a" && is_docs_only) return {};
  if (is_unanswered(note))
    return vague(kCode, "rollback_notes still holds the question to its author");
  if (const auto why = length_defect("rollback_notes", raw, kMinRollback))
    return vague(kCode, *why);
  const bool concrete = std::ranges::any_of(
      kRollbackWords, [&](std::string_view word) { return contains(note, word); });
  if (concrete || has_command(note) || is_reasoned_na(note)) return {};
  return vague(kCode,
               "rollback_notes names no revert, inverse diff, restore or command, and is no N/A "
               "with a reason");
}

}  // namespace gh::proposal
