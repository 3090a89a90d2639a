#include "patch/gate.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "git/tail.h"

namespace gh::patch {
namespace {

void refuse_all(Outcome& out, Violations violations) {
  out.violations = std::move(violations.first);
  out.violations_total = violations.total;
  out.stage = stage_of(step_of(out.violations.front().rule));
}

void describe_patch(Outcome& out, const diff::Patch& patch) {
  std::set<std::string> paths;
  for (const diff::Section& s : patch.sections) {
    paths.insert(s.old_path);
    paths.insert(s.new_path);
  }
  out.touched_files.assign(paths.begin(), paths.end());
  out.added_lines = patch.added;
  out.deleted_lines = patch.deleted;
  out.notes = patch.notes;
}

bool is_budget(Rule r) { return r >= Rule::max_patch_bytes && r <= Rule::max_line_bytes; }

/// Steps 1 to 3; nullopt when one of them refused.
std::optional<diff::Patch> read_and_judge(std::string_view bytes, const CompiledPolicy& policy,
                                          diff::Profile profile, Outcome& out) {
  out.sha256 = digest_of(bytes).hex();
  out.bytes = static_cast<std::int64_t>(bytes.size());
  const diff::Position position =
      policy.values.position == "unique" ? diff::Position::unique : diff::Position::exact;
  auto patch = diff::parse(bytes, profile, position);
  if (!patch) {
    refuse(out, std::move(patch).error());
    return std::nullopt;
  }
  describe_patch(out, *patch);
  if (Violations paths = check_paths(*patch, policy.values.windows_rules); !paths.empty()) {
    refuse_all(out, std::move(paths));
    return std::nullopt;
  }
  if (Violations denied = check_policy(*patch, policy, bytes.size()); !denied.empty()) {
    const bool only_budgets = denied.total <= static_cast<std::int64_t>(denied.first.size()) &&
                              std::ranges::all_of(denied.first, is_budget, &Violation::rule);
    if (only_budgets) out.split = split_advice(*patch, policy.values);
    refuse_all(out, std::move(denied));
    return std::nullopt;
  }
  return std::move(*patch);
}

std::vector<git::IndexEntry> index_entries(const Prediction& prediction) {
  std::vector<git::IndexEntry> out;
  for (const auto& [path, entry] : prediction.base_entries)
    out.push_back({path, entry.mode, entry.id});
  return out;
}

/// What git must list: one row per section, renames under the new name, in canonical order.
std::vector<git::NumstatRow> expected_rows(const diff::Patch& patch) {
  std::vector<git::NumstatRow> rows;
  for (const diff::Section& s : patch.sections)
    rows.push_back({s.op == diff::Operation::remove ? s.old_path : s.new_path, s.added, s.deleted});
  std::ranges::sort(rows);
  return rows;
}

Status check_with_git(const GateBase& base, const Prediction& prediction, Outcome& out) {
  out.stage = Stage::git_check;
  GH_DO(base.quarantine.write_index(index_entries(prediction), base.repo.hash_kind()));
  GH_TRY(check, base.repo.apply_check(base.quarantine, out.canonical));
  const auto say = [&](Rule rule, std::string message) {
    out.command = record_of(check.run, base.repo.root());
    refuse(out, {.rule = rule, .message = std::move(message)});
  };
  if (check.run.timed_out) {
    say(Rule::git_timeout, fmt::format("git apply --check did not answer within {} ms",
                                       base.policy.values.git_timeout_ms));
  } else if (!check.run.ok()) {
    const std::string first = printable(check.run.err.substr(0, check.run.err.find('\n')), 120);
    say(Rule::git_apply_check_failed, "git apply --check refuses the patch: " + first);
  } else {
    std::vector<git::NumstatRow> rows = check.rows.value_or(std::vector<git::NumstatRow>());
    std::ranges::sort(rows);
    if (!check.rows || rows != expected_rows(prediction.placed))
      say(Rule::oracle_disagrees,
          "git reads the canonical patch differently from this gate; the run "
          "is frozen until a person has looked at it");
  }
  return {};
}

}  // namespace

void refuse(Outcome& out, Violation violation) {
  out.stage = stage_of(step_of(violation.rule));
  out.violations.clear();
  out.violations.push_back(std::move(violation));
  out.violations_total = 1;
}

CommandRecord record_of(const git::GitRun& run, const std::string& repo_root) {
  return {.argv = run.argv,
          .rc = run.timed_out ? std::nullopt : std::optional(run.exit_code),
          .stdout_tail = git::output_tail(run.out, repo_root),
          .stderr_tail = git::output_tail(run.err, repo_root),
          .duration_ms = run.duration_ms};
}

diff::Profile profile_of(const policy::PatchPolicy& policy) {
  return policy.profile == "git" ? diff::Profile::git : diff::Profile::strict;
}

Outcome judge_bytes(std::string_view bytes, const CompiledPolicy& policy, diff::Profile profile) {
  Outcome out;
  if (const auto patch = read_and_judge(bytes, policy, profile, out)) {
    out.stage = Stage::policy;
    out.canonical = diff::print_canonical(*patch);
    out.canonical_sha256 = digest_of(out.canonical).hex();
  }
  return out;
}

Outcome judge(std::string_view bytes, const GateBase& base, const JudgeOptions& options) {
  Outcome out;
  const auto patch = read_and_judge(bytes, base.policy, options.profile, out);
  if (!patch) return out;
  auto prediction = predict(*patch, base.policy.values, base.tree, base.repo.objects(),
                            {.is_retry = options.is_retry});
  if (!prediction) {
    out.error = std::move(prediction).error();
    return out;
  }
  out.notes.insert(out.notes.end(), prediction->notes.begin(), prediction->notes.end());
  out.canonical =
      diff::print_canonical(prediction->violations.empty() ? prediction->placed : *patch);
  out.canonical_sha256 = digest_of(out.canonical).hex();
  if (!prediction->violations.empty()) {
    refuse_all(out, std::move(prediction->violations));
    return out;
  }
  if (const Status asked = check_with_git(base, *prediction, out); !asked)
    out.error = asked.error();
  out.candidate =
      Candidate{base.commit, base.tree, *prediction->tree, std::move(prediction->entries)};
  return out;
}

}  // namespace gh::patch
