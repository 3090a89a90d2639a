// `patch impact`: what a patch would do to the shape of the code, before anybody applies it. The
// gate judges first; the files as they would be are read from its private objects.
#include <algorithm>

#include <fmt/format.h>

#include "analysis/extract.h"
#include "base/product.h"
#include "base/text.h"
#include "ops/analysis_coverage.h"
#include "ops/analysis_run.h"
#include "ops/candidate_tree.h"
#include "ops/change_told.h"
#include "ops/patch_ops.h"
#include "ops/patch_session.h"
#include "ops/patch_submit.h"
#include "syntax/languages.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::size_t kTold = 50;

struct After {
  analysis::Change change{};
  std::map<std::string, std::string, std::less<>> texts{};
};

/// The changed sources as they would be.
Result<After> after_of(PatchSession& session, const git::Quarantine& quarantine,
                       const patch::Candidate& candidate) {
  After out;
  analysis::Extractor extractor;
  for (const patch::TouchedEntry& entry : candidate.entries) {
    const auto language = syntax::language_of_path(entry.path);
    if (!language || analysis::is_excluded(entry.path)) continue;
    if (!entry.new_id) {
      out.change.deleted.push_back(entry.path);
      continue;
    }
    GH_TRY(bytes, session.repo.quarantined_blob(quarantine, *entry.new_id));
    out.change.files.push_back({entry.path, *language, extractor.facts_of(*language, bytes)});
    out.texts.emplace(entry.path, std::move(bytes));
  }
  return out;
}

std::optional<std::string> text_in(const std::map<std::string, std::string, std::less<>>& texts,
                                   const std::string& path) {
  const auto found = texts.find(path);
  return found == texts.end() ? std::nullopt : std::optional(found->second);
}

std::string refusal_of(const patch::Outcome& outcome) {
  if (outcome.violations.empty()) return "the gate refuses the patch";
  const Violation& first = outcome.violations.front();
  return fmt::format("the gate refuses the patch: {}: {}", to_string(first.rule),
                     printable(first.message, 300));
}

Reply reply_of(const PatchSession& session, ChangeTold told) {
  Map document{{"schema", "gatehouse.patch_impact/1"},
               {"base", session.base.id.hex()},
               {"answers", told.document},
               {"messages", string_list(told.sentences)},
               {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  Reply reply;
  reply.document = std::move(document);
  reply.text = [told = std::move(told)](const report::Look& look) {
    return change_text(told, kTold).drawn(look);
  };
  return reply;
}

}  // namespace

Result<Reply> patch_impact(const Request& request, Context& context) {
  GH_TRY(bytes, read_submission(request.text("FILE"), context));
  GH_TRY(session, open_patch_session(request, context));
  GH_TRY(quarantine, session.repo.quarantine());
  const patch::Outcome outcome = patch::judge(
      bytes, {session.repo, quarantine, session.base.id, session.base.tree, session.policy},
      {.profile = session.profile});
  if (outcome.error) return tl::make_unexpected(*outcome.error);
  if (!outcome.ok()) {
    Reply reply = reply_of(session, {});
    reply.document.as_map()->set("refused", refusal_of(outcome));
    reply.text = [](const report::Look&) { return std::string(); };
    reply.exit = ExitCode::denied;
    reply.why = refusal_of(outcome) + "; 'gatehouse patch check' says more";
    return reply;
  }
  GH_TRY(objects, session.repo.quarantine());
  GH_DO(write_candidate(session, objects, outcome));
  GH_TRY(after, after_of(session, objects, *outcome.candidate));
  GH_TRY(scope, open_scope({.path = {}, .revision = session.base.id.hex()}, context));
  GH_TRY(run, run_analysis(scope, nullptr, context));
  std::optional<analysis::EnteredUnits> entered;
  if (request.has("coverage")) {
    const analysis::CoverageJoin join =
        coverage_of(run.project, {.file = request.text("coverage"),
                                  .from = sys::real_path(".").value_or("."),
                                  .root = session.repo.root(),
                                  .min_percent = run.policy.coverage_min});
    if (join.invalid) return tl::make_unexpected(*join.invalid);
    entered = analysis::entered_units(run.project, join);
  }
  const analysis::ChangeSides sides{
      .before = [&](const std::string& path) -> std::optional<std::string> {
        auto text = scope.files->read({.path = path});
        return text ? std::optional(*std::move(text)) : std::nullopt;
      },
      .after = [&](const std::string& path) { return text_in(after.texts, path); },
      .entered = entered ? &*entered : nullptr};
  Reply reply = reply_of(session, tell_change(run.project, after.change, sides));
  reply.document.as_map()->set("refused", nullptr);
  return reply;
}

}  // namespace gh::ops
