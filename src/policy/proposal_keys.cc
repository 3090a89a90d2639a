#include "policy/proposal_keys.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/path_entry.h"
#include "policy/verify_commands.h"

namespace gh::policy {
namespace {

using Strings = std::vector<std::string>;
using P = ProposalPolicy;
using ProposalKey = Key<P>;

constexpr std::int64_t kMaxCommits = 1'000'000, kMaxDays = 36'500, kMaxBatch = 100;

template <auto Field>
Value show_field(const P& p) {
  return Value(p.*Field);
}

template <auto Field, std::int64_t Max>
constexpr ProposalKey limit(std::string_view path) {
  return {path, [](P& p, const Value& v, const At& at) { return load_limit(p.*Field, v, at, Max); },
          show_field<Field>, nullptr};
}

template <auto Field>
constexpr ProposalKey flag(std::string_view path) {
  return {path, [](P& p, const Value& v, const At& at) { return load_flag(p.*Field, v, at); },
          show_field<Field>, nullptr};
}

/// A truth value that the document spells as two words, the false one first.
template <auto Field, const std::array<std::string_view, 2>& Words>
constexpr ProposalKey pair(std::string_view path) {
  return {path,
          [](P& p, const Value& v, const At& at) -> Status {
            GH_TRY(index, load_choice(v, at, Words));
            p.*Field = index == 1;
            return {};
          },
          [](const P& p) { return Value(Words[p.*Field ? 1 : 0]); }, nullptr};
}

/// Loads each item with `load(text, at)`, which says what is wrong or gives the entry back.
template <class Load>
Status load_list(Strings& field, const Value& value, const At& at, Load load) {
  const List* list = value.as_list();
  if (list == nullptr) return at.expected("a list of strings", value);
  Strings entries;
  for (std::size_t i = 0; i < list->size(); ++i) {
    Result<std::string> entry = load((*list)[i], at.item(i));
    if (!entry) return tl::make_unexpected(std::move(entry).error());
    entries.push_back(std::move(*entry));
  }
  field = std::move(entries);
  return {};
}

template <auto Field, Result<std::string> (*Load)(const Value&, const At&)>
constexpr ProposalKey list_of(std::string_view path) {
  return {path, [](P& p, const Value& v, const At& at) { return load_list(p.*Field, v, at, Load); },
          [](const P& p) { return string_list(p.*Field); }, nullptr};
}

Result<std::string> path_like(EntryKind kind, const Value& value, const At& at) {
  const std::string* text = value.as_string();
  if (text == nullptr) return at.expected("a string", value);
  const std::string entry = normal_entry(kind, *text);
  if (const auto why = entry_defect(kind, entry); !why.empty())
    return at.fail(Code::policy_bad_path, fmt::format("'{}' {}", printable(*text, 60), why));
  return entry;
}

Result<std::string> pattern(const Value& value, const At& at) {
  return path_like(EntryKind::pattern, value, at);
}
Result<std::string> suffix(const Value& value, const At& at) {
  return path_like(EntryKind::suffix, value, at);
}

/// A prefix of the repository, or an absolute one of the host; both by whole components.
Result<std::string> deny_prefix(const Value& value, const At& at) {
  const std::string* text = value.as_string();
  if (text == nullptr || !text->starts_with('/')) return path_like(EntryKind::prefix, value, at);
  GH_TRY(below_root, path_like(EntryKind::prefix, Value(text->substr(1)), at));
  return "/" + below_root;
}

Result<std::string> full_ref(const Value& value, const At& at) {
  const std::string* text = value.as_string();
  const auto is_bad = [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F ||
           contains("~^:?*[\\", std::string_view(&c, 1));
  };
  if (text == nullptr || !text->starts_with("refs/") || text->size() < 6 ||
      std::ranges::any_of(*text, is_bad) || contains(*text, "..") || contains(*text, "//") ||
      text->ends_with('/'))
    return at.expected("a full ref such as refs/heads/main", value);
  return *text;
}

Result<std::string> reviewer_name(const Value& value, const At& at) {
  const std::string* text = value.as_string();
  if (text == nullptr || !is_reviewer_name(*text))
    return at.expected("a name of 2 to 32 of a-z 0-9 that starts with a letter, not 'pending'",
                       value);
  return *text;
}

template <auto Field, Result<std::string> (*Load)(const Value&, const At&)>
constexpr ProposalKey text_of(std::string_view path) {
  return {path,
          [](P& p, const Value& v, const At& at) -> Status {
            GH_TRY(text, Load(v, at));
            p.*Field = text;
            return {};
          },
          show_field<Field>, nullptr};
}

Status load_required(P& p, const Value& value, const At& at) {
  Strings names;
  GH_DO(load_list(names, value, at, reviewer_name));
  if (names.empty()) return at.fail(Code::policy_bad_value, "expected at least one reviewer");
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::ranges::count(names, names[i]) > 1)
      return at.fail(Code::policy_bad_value, fmt::format("'{}' is named twice", names[i]));
  p.required_reviewers = std::move(names);
  return {};
}

Status load_quorum(P& p, const Value& value, const At& at) {
  const std::int64_t* number = value.as_int();
  const bool all = value.as_string() != nullptr && *value.as_string() == "all";
  if (!all && (number == nullptr || *number < 1))
    return at.expected("'all' or an integer of 1 or more", value);
  p.quorum = all ? 0 : *number;
  return {};
}

Value show_quorum(const P& p) { return p.quorum == 0 ? Value("all") : Value(p.quorum); }

constexpr std::array<std::string_view, 2> kReport{"optional", "required"};
constexpr std::array<std::string_view, 2> kRequires{"gate", "human"};
constexpr std::array<std::string_view, 2> kMirror{"off", "on"};
constexpr std::array<std::string_view, 2> kCarry{"never", "identical_patch"};

Status load_carry(P& p, const Value& value, const At& at) {
  GH_TRY(index, load_choice(value, at, kCarry));
  p.carry_reviews = kCarry[index];
  return {};
}

/// The words of an enum, read through its own to_string.
template <class Enum, std::size_t N>
Result<Enum> load_enum(const Value& value, const At& at) {
  std::array<std::string_view, N> words;
  for (std::size_t i = 0; i < N; ++i)
    words[i] = to_string(static_cast<Enum>(i));
  GH_TRY(index, load_choice(value, at, words));
  return static_cast<Enum>(index);
}

Status load_integrate(P& p, const Value& value, const At& at) {
  GH_TRY(chosen, (load_enum<Integration, 4>(value, at)));
  p.integrate = chosen;
  return {};
}

Status load_signatures(P& p, const Value& value, const At& at) {
  GH_TRY(chosen, (load_enum<SignatureMode, 3>(value, at)));
  p.signatures = chosen;
  return {};
}

Status load_test_command(P& p, const Value& value, const At& at) {
  Strings argv;
  GH_DO(load_list(argv, value, at, load_text));
  p.test_command = std::move(argv);
  return {};
}

Status load_verify_commands(P& p, const Value& value, const At& at) {
  return load_commands(p.verify_commands, value, at);
}

// table: proposal keys
// clang-format off
constexpr ProposalKey kProposalKeys[] = {
    pair<&P::report_required, kReport>("report"),
    {"reviewers.required", load_required, [](const P& p) { return string_list(p.required_reviewers); }, nullptr},
    text_of<&P::promotion_gate, reviewer_name>("reviewers.promotion_gate"),
    text_of<&P::trust_reviewer, reviewer_name>("reviewers.trust_reviewer"),
    flag<&P::distinct_actor>("reviewers.independence.distinct_actor"),
    flag<&P::distinct_provider>("reviewers.independence.distinct_provider"),
    flag<&P::not_author>("reviewers.independence.not_author"),
    flag<&P::not_promoter>("reviewers.independence.not_promoter"),
    {"reviewers.quorum", load_quorum, show_quorum, nullptr},
    flag<&P::blind>("reviewers.blind"),
    {"reviewers.carry_reviews", load_carry, show_field<&P::carry_reviews>, nullptr},
    pair<&P::requires_human, kRequires>("promotion.requires"),
    {"promotion.integrate", load_integrate, [](const P& p) { return Value(to_string(p.integrate)); }, nullptr},
    limit<&P::batch, kMaxBatch>("promotion.batch"),
    {"verify_commands", load_verify_commands, [](const P& p) { return show_commands(p.verify_commands); }, nullptr},
    flag<&P::allow_disjoint>("allow_disjoint"),
    limit<&P::max_base_age_commits, kMaxCommits>("max_base_age_commits"),
    limit<&P::max_base_age_days, kMaxDays>("max_base_age_days"),
    limit<&P::max_age_days, kMaxDays>("max_age_days"),
    text_of<&P::default_target, full_ref>("default_target"),
    list_of<&P::base_refs, full_ref>("base_refs"),
    list_of<&P::deny_paths, deny_prefix>("deny_paths"),
    list_of<&P::docs_patterns, pattern>("docs_patterns"),
    list_of<&P::docs_exclude, pattern>("docs_exclude"),
    list_of<&P::docs_exclude_suffixes, suffix>("docs_exclude_suffixes"),
    list_of<&P::test_patterns, pattern>("test_patterns"),
    flag<&P::tests_must_fail_before>("tests.must_fail_before"),
    {"tests.command", load_test_command, [](const P& p) { return string_list(p.test_command); }, nullptr},
    list_of<&P::test_runners, load_text>("test_runners"),
    list_of<&P::production_markers, load_text>("production_markers"),
    list_of<&P::sandbox_hosts, load_text>("sandbox_hosts"),
    list_of<&P::gap_registry, load_text>("gap_registry"),
    list_of<&P::failure_words, load_text>("risk_words.failure"),
    list_of<&P::blast_radius_words, load_text>("risk_words.blast_radius"),
    list_of<&P::data_words, load_text>("risk_words.data"),
    list_of<&P::idempotent_words, load_text>("risk_words.idempotent"),
    {"signatures", load_signatures, [](const P& p) { return Value(to_string(p.signatures)); }, nullptr},
    pair<&P::mirror, kMirror>("mirror"),
    {"actors", load_actors, show_actors, nullptr},
};
// clang-format on

/// What one key alone cannot tell.
Status check_together(const P& p, const At& at) {
  const auto required = static_cast<std::int64_t>(p.required_reviewers.size());
  if (p.quorum > required)
    return at.key("reviewers")
        .key("quorum")
        .fail(Code::policy_bad_value,
              fmt::format("{} is more than the {} required reviewers", p.quorum, required));
  const bool gate_reviews =
      std::ranges::find(p.required_reviewers, p.promotion_gate) != p.required_reviewers.end();
  if (p.not_promoter && gate_reviews)
    return at.key("reviewers")
        .key("promotion_gate")
        .fail(Code::policy_bad_value,
              fmt::format("'{}' is a required reviewer; with independence.not_promoter the gate "
                          "is another",
                          p.promotion_gate));
  if (p.tests_must_fail_before && p.test_command.empty())
    return at.key("tests").fail(Code::policy_bad_value,
                                "'must_fail_before' needs the 'command' that runs the tests");
  return {};
}

}  // namespace

Result<ProposalPolicy> load_proposal_block(const Value& block, const At& at) {
  ProposalPolicy policy = default_proposal_policy();
  GH_DO(load_keys(policy, block, at, kProposalKeys));
  GH_DO(check_together(policy, at));
  return policy;
}

Value to_value(const ProposalPolicy& policy) { return show_keys(policy, kProposalKeys); }

}  // namespace gh::policy
