// commands_run (proposals 3.6): the author's claims of what was run, and with what result.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/path_rules.h"
#include "proposal/rules.h"
#include "proposal/words.h"

namespace gh::proposal {
namespace {

constexpr std::size_t kMaxEntries = 200;
constexpr std::int64_t kMaxCharacters = 2000;

using Outcome = CommandRun::Outcome;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

/// "", "; text" or "(text)" with or without a blank before it.
bool is_remark(std::string_view text) {
  if (text.empty()) return true;
  if (text.starts_with("; ")) return !trimmed(text.substr(2)).empty();
  if (text.starts_with(' ')) text.remove_prefix(1);
  return text.size() > 2 && text.starts_with('(') && text.ends_with(')');
}

std::optional<Outcome> read_exit(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, end);
  const bool in_range = digits.size() == 1 || (digits.size() == 2 && digits[0] != '0') ||
                        (digits.size() == 3 && digits >= "100" && digits <= "255");
  if (!in_range || !is_remark(text.substr(end))) return {};
  return digits == "0" ? Outcome::passed : Outcome::failed;
}

struct ResultWord {
  std::string_view word;
  Outcome outcome;
};
// table: command results
constexpr std::array<ResultWord, 3> kResultWords{{
    {"ok", Outcome::passed},
    {"failed", Outcome::failed},
    {"timeout", Outcome::timeout},
}};

std::optional<Outcome> read_result(std::string_view text) {
  if (text.starts_with("exit ")) return read_exit(text.substr(5));
  if (text.starts_with("skipped: ") && !trimmed(text.substr(9)).empty()) return Outcome::skipped;
  const auto row = std::ranges::find(kResultWords, text, &ResultWord::word);
  if (row == kResultWords.end()) return {};
  return row->outcome;
}

std::optional<std::string> entry_defect(const std::string& entry) {
  if (characters(entry) > kMaxCharacters)
    return fmt::format("has more than {} characters", kMaxCharacters);
  if (std::ranges::any_of(entry, is_control)) return "holds a control character";
  if (!read_command(entry)) return "is not '<command> => <result>'";
  return {};
}

/// command_results repeats the entries in structured form: same number, same commands.
std::optional<std::string> results_defect(const ProposalMeta& meta) {
  const List* results = meta.command_results.as_list();
  if (results == nullptr) return {};
  if (results->size() != meta.commands_run.size())
    return fmt::format("command_results has {} entries, commands_run {}", results->size(),
                       meta.commands_run.size());
  for (std::size_t i = 0; i < results->size(); ++i) {
    const Map* map = (*results)[i].as_map();
    const Value* command = map == nullptr ? nullptr : map->find("command");
    const auto run = read_command(meta.commands_run[i]);
    const bool differs = command != nullptr && run &&
                         (command->as_string() == nullptr || *command->as_string() != run->command);
    if (differs)
      return fmt::format("command_results[{}] names another command than commands_run", i);
  }
  return {};
}

std::optional<Finding> form_finding(const ProposalMeta& meta) {
  List faults;
  if (meta.commands_run.size() > kMaxEntries)
    faults.emplace_back(fmt::format("commands_run has {} entries, at most {}",
                                    meta.commands_run.size(), kMaxEntries));
  for (std::size_t i = 0; i < meta.commands_run.size() && faults.size() < kMaxEntries; ++i)
    if (const auto why = entry_defect(meta.commands_run[i]))
      faults.emplace_back(fmt::format("commands_run[{}] {}", i, *why));
  if (const auto why = results_defect(meta)) faults.emplace_back(*why);
  if (faults.empty()) return {};
  return Finding{PropCode::PROP_COMMANDS_INVALID, *faults.front().as_string(),
                 Map{{"entries", faults}}};
}

std::vector<std::string_view> words_of(std::string_view command) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < command.size();) {
    constexpr std::string_view kBreaks = " \t;|&()'\"`";
    const std::size_t begin = command.find_first_not_of(kBreaks, at);
    if (begin == command.npos) break;
    const std::size_t end = std::min(command.find_first_of(kBreaks, begin), command.size());
    words.push_back(command.substr(begin, end - begin));
    at = end;
  }
  return words;
}

/// The words of `runner` one after the other, the first also by its name behind a folder.
bool runs(std::string_view command, std::string_view runner) {
  const auto have = words_of(command), want = words_of(runner);
  if (want.empty()) return false;
  for (std::size_t at = 0; at + want.size() <= have.size(); ++at) {
    const bool first = have[at] == want[0] || policy::basename(have[at]) == want[0];
    if (first && std::equal(want.begin() + 1, want.end(),
                            have.begin() + static_cast<std::ptrdiff_t>(at) + 1))
      return true;
  }
  return false;
}

bool names_added_test(std::string_view command, const AdmissionFacts& facts) {
  const auto named = [&](std::string_view path) { return has_word(command, path); };
  const bool by_entry = std::ranges::any_of(facts.meta->tests_added, [&](const std::string& entry) {
    return named(std::string_view(entry).substr(0, entry.find("::")));
  });
  if (by_entry || facts.patch == nullptr) return by_entry;
  return std::ranges::any_of(facts.patch->sections, [&](const diff::Section& s) {
    return is_test_path(s.new_path, facts.policy) && named(s.new_path);
  });
}

bool exercises_tests(const CommandRun& run, const AdmissionFacts& facts) {
  if (run.outcome == Outcome::skipped) return false;
  return names_added_test(run.command, facts) ||
         std::ranges::any_of(facts.policy.test_runners,
                             [&](const std::string& runner) { return runs(run.command, runner); });
}

/// The last entry that exercises the added tests has the say: earlier failures were repaired.
std::optional<Finding> test_run_finding(const AdmissionFacts& facts) {
  std::optional<std::size_t> last;
  const auto& entries = facts.meta->commands_run;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (const auto run = read_command(entries[i]); run && exercises_tests(*run, facts)) last = i;
  if (!last)
    return Finding{PropCode::PROP_COMMANDS_NO_TEST,
                   "no command names an added test or a configured test runner"};
  const bool is_waived =
      std::ranges::find(facts.waivers, "PROP_COMMANDS_FAILED") != facts.waivers.end();
  if (read_command(entries[*last])->outcome == Outcome::passed || is_waived) return {};
  // Whoever could waive it may not have spoken yet.
  const bool is_early = facts.phase == Phase::promote &&
                        !summarise(facts.reviews, facts.policy, facts.digest).missing.empty();
  return Finding{PropCode::PROP_COMMANDS_FAILED,
                 fmt::format("the last test run did not pass: {}", printable(entries[*last], 120)),
                 Map{{"entry", static_cast<std::int64_t>(*last)}}, is_early};
}

bool claims_production_access(const Value& sandbox) {
  const Value* claim =
      sandbox.as_map() == nullptr ? nullptr : sandbox.as_map()->find("production_access");
  return claim != nullptr && claim->as_bool() != nullptr && *claim->as_bool();
}

std::optional<Finding> production_finding(const AdmissionFacts& facts) {
  const ProposalMeta& meta = *facts.meta;
  if (claims_production_access(meta.sandbox))
    return Finding{PropCode::PROP_PRODUCTION_CLAIM, "sandbox.production_access is true"};
  for (std::size_t i = 0; i < meta.commands_run.size(); ++i) {
    const std::string& entry = meta.commands_run[i];
    const auto run = read_command(entry);
    const auto marker = production_marker(run ? run->command : entry, facts.policy);
    if (marker)
      return Finding{PropCode::PROP_PRODUCTION_CLAIM,
                     fmt::format("commands_run[{}] claims production access ({}): {}", i, *marker,
                                 printable(entry, 120)),
                     Map{{"entry", static_cast<std::int64_t>(i)}, {"marker", *marker}}};
  }
  return {};
}

void add(std::vector<Finding>& out, std::optional<Finding> finding) {
  if (finding) out.push_back(*std::move(finding));
}

}  // namespace

std::optional<CommandRun> read_command(std::string_view entry) {
  constexpr std::string_view kArrow = " => ";
  const std::size_t arrow = entry.rfind(kArrow);
  if (arrow == entry.npos || trimmed(entry.substr(0, arrow)).empty()) return {};
  const auto outcome = read_result(entry.substr(arrow + kArrow.size()));
  if (!outcome) return {};
  return CommandRun{entry.substr(0, arrow), *outcome};
}

Findings check_commands(const AdmissionFacts& facts) {
  std::vector<Finding> out;
  const ProposalMeta& meta = *facts.meta;
  const bool knows_docs_only = facts.patch != nullptr;
  if (meta.commands_run.empty() && knows_docs_only && !is_docs_only(facts))
    out.push_back({PropCode::PROP_COMMANDS_EMPTY,
                   "commands_run is empty, and the diff touches more than documentation"});
  add(out, form_finding(meta));
  if (!meta.tests_added.empty() && !meta.commands_run.empty()) add(out, test_run_finding(facts));
  add(out, production_finding(facts));
  return out;
}

}  // namespace gh::proposal
