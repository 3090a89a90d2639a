// `release trigger`: does the gate have to look at a change at all?
#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "ops/release_ops.h"
#include "ops/release_session.h"
#include "ops/verify_change.h"
#include "policy/redact.h"
#include "release/triggers.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

bool has_manifest_in(const std::string& folder) {
  if (sys::info_follow(folder + "/" + std::string(surface::kStandAloneName)).kind ==
      sys::FileKind::file)
    return true;
  const auto yaml =
      sys::read_file(folder + "/" + std::string(surface::kEmbeddedName), surface::kMaxManifest);
  return yaml && surface::has_embedded_manifest(*yaml);
}

std::string rules_text(const Value& catalogue) {
  std::string out;
  for (const Value& rule : Peek(catalogue)["rules"].list())
    out += fmt::format("{}  {}\n    {}\n", Peek(rule)["action"].text(), Peek(rule)["id"].text(),
                       Peek(rule)["rationale"].text());
  return out;
}

std::string trigger_text(const Value& document) {
  const Peek d(document);
  std::string out =
      fmt::format("{}  {}\n", d["should_run"].is_true() ? "run" : "skip", d["rationale"].text());
  for (const Value& rule : d["matched_rules"].list())
    out += fmt::format("  {}  {}\n", Peek(rule)["action"].text(), Peek(rule)["id"].text());
  return out;
}

}  // namespace

Result<Reply> release_trigger(const Request& request, Context& context) {
  const auto& catalogue = release::TriggerCatalogue::built_in();
  Reply reply;
  if (request.flag("list-rules")) {
    reply.document = catalogue.document();
    reply.text = [document = reply.document](const report::Look&) { return rules_text(document); };
    return reply;
  }
  const std::string workspace = joined_path(context.cwd, request.text("workspace"));
  if (sys::info_follow(workspace).kind != sys::FileKind::folder)
    return fail(Code::bad_argument,
                fmt::format("there is no folder {}", printable(workspace, 400)));
  release::TriggerFacts facts{.manifest_present = request.has("manifest-present")
                                                      ? request.flag("manifest-present")
                                                      : has_manifest_in(workspace),
                              .user_requested = request.flag("user-requested"),
                              .program = context.program};
  if (request.has("base") || request.has("head")) {
    for (const char* option : {"base", "head"})
      if (request.has(option)) GH_DO(check_ref(option, request.text(option)));
    GH_TRY(place, open_verify_place(workspace, context));
    const ChangeRange range =
        read_range(*place.repo, {.base = request.has("base") ? request.text("base") : "HEAD",
                                 .head = request.has("head") ? request.text("head") : "HEAD"});
    if (!range.has_diff)
      return fail(Code::bad_argument, fmt::format("{}; to bring it: {}",
                                                  range.notes.empty() ? "the change cannot be read"
                                                                      : join(range.notes, "; "),
                                                  range.fetch_line));
    facts.changed_files = range.changed;
    facts.diff = range.diff;
  }
  if (request.has("changed-files")) {
    GH_TRY(paths, given_paths(request, context));
    facts.changed_files.insert(facts.changed_files.end(), paths.begin(), paths.end());
  }
  if (request.has("diff")) {
    GH_TRY(text, given_file(request, "diff", context));
    facts.diff += text;
  }
  reply.document = policy::redact_document(Value(document_of(catalogue.evaluate(facts)))).value;
  reply.text = [document = reply.document](const report::Look&) { return trigger_text(document); };
  return reply;
}

}  // namespace gh::ops
