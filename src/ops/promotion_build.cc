#include "ops/promotion_build.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "landing/on_ref.h"
#include "ops/proposal_judge.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using proposal::Finding;
using proposal::PropCode;

std::string log_tail(const patch::VerifyReport& report) {
  for (const patch::VerifyResult& r : report.results)
    if (!r.error.empty() || r.rc.value_or(1) != 0)
      return fmt::format("{}: {}", r.name,
                         r.error.empty() ? fmt::format("exit {}", r.rc.value_or(-1)) : r.error);
  return "a verify command failed";
}

/// The patch with nothing but its tests (3.5, must_fail_before).
std::string tests_of(const std::string& canonical, const policy::ProposalPolicy& policy) {
  auto patch = diff::parse(canonical, diff::Profile::git, diff::Position::exact);
  if (!patch) return {};
  const std::vector<std::string> tests = proposal::test_paths(*patch, policy);
  std::erase_if(patch->sections, [&](const diff::Section& s) {
    return !std::ranges::binary_search(tests, s.new_path);
  });
  return patch->sections.empty() ? std::string() : diff::print_canonical(*patch);
}

}  // namespace

Result<std::optional<Built>> build_on(ProposalSession& session, std::string_view patch,
                                      const git::Commit& onto) {
  git::Repo& repo = session.repo;
  GH_TRY(wanted, applies_on(session, patch, onto));
  if (!wanted) return std::nullopt;
  GH_TRY(quarantine, repo.quarantine());
  GH_DO(repo.read_tree(quarantine, onto.tree));
  GH_TRY(applied, repo.apply_cached(quarantine, patch));
  if (!applied.ok()) return std::nullopt;
  GH_TRY(tree, repo.write_tree(quarantine));
  if (tree != *wanted) return std::nullopt;
  GH_DO(quarantine.migrate());
  patch::Outcome outcome;
  outcome.canonical = patch;
  outcome.candidate =
      patch::Candidate{.base_commit = onto.id, .base_tree = onto.tree, .tree = tree, .entries = {}};
  return Built{std::move(outcome), std::move(quarantine)};
}

Result<std::optional<Finding>> verify_built(ProposalSession& session, Context& context,
                                            Built& built, const std::string& run_id,
                                            const std::vector<policy::VerifyCommand>& commands) {
  policy::PatchPolicy policy = session.config.patch;
  policy.verify = commands;
  GH_TRY(self, sys::real_path("/proc/self/exe"));
  const landing::Place place{session.repo,
                             built.quarantine,
                             policy,
                             run_id,
                             session.repo.state_dir() + "/runs/" + run_id,
                             self,
                             context.interrupted};
  GH_DO(landing::prepare_for_ref(place, built.outcome, context.env));
  if (built.outcome.ok()) return std::nullopt;
  const auto& report = built.outcome.verify;
  const bool dirty = report && !report->changed_paths.empty();
  return Finding{
      dirty ? PropCode::PROP_VERIFY_DIRTY : PropCode::PROP_VERIFY_FAILED,
      report ? (dirty ? "a verify command changed " + printable(report->changed_paths.front(), 200)
                      : log_tail(*report))
             : built.outcome.violations.front().message};
}

Result<std::optional<Finding>> check_tests_discriminate(ProposalSession& session, Context& context,
                                                        const Stored& stored,
                                                        const git::Commit& base, Built& candidate) {
  const policy::ProposalPolicy& policy = session.policy();
  if (!policy.tests_must_fail_before || stored.row.docs_only) return std::nullopt;
  const auto bad = [](std::string message) {
    return Finding{PropCode::PROP_TESTS_DO_NOT_DISCRIMINATE, std::move(message)};
  };
  if (policy.test_command.empty()) return bad("the policy names no tests.command");
  const std::vector<policy::VerifyCommand> run{{.name = "tests", .argv = policy.test_command}};
  const std::string tests = tests_of(stored.canonical, policy);
  if (tests.empty()) return bad("the patch adds no test");
  GH_TRY(before, build_on(session, tests, base));
  if (!before) return bad("the tests do not apply by themselves");
  GH_TRY(without, verify_built(session, context, *before, stored.row.patch_id, run));
  if (!without) return bad("the tests pass on the base too");
  GH_TRY(with, verify_built(session, context, candidate, stored.row.patch_id, run));
  if (with) return bad("the tests fail with the change: " + with->message);
  return std::nullopt;
}

}  // namespace gh::ops
