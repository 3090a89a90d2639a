#include "ops/patch_caller.h"

#include <fmt/format.h>

#include "base/text.h"
#include "diff/patch.h"
#include "model/peek.h"
#include "ops/change_ops.h"
#include "ops/git_hook.h"
#include "ops/hook_host.h"
#include "ops/patch_session.h"
#include "ops/ref_guard.h"
#include "ops/repo_config.h"
#include "report/patch_document.h"

namespace gh::ops {
namespace {

bool asks_as_agent(const Context& context) {
  return context.surface == "mcp" || !agent_of(context).empty();  // tools are for agents
}

/// In the wider grammar; of a patch that cannot be read none: the patch gate says why.
std::vector<std::string> files_named_by(std::string_view bytes) {
  std::vector<std::string> out;
  const auto patch = diff::parse(bytes, diff::Profile::git, diff::Position::exact);
  if (!patch) return out;
  for (const diff::Section& section : patch->sections)
    for (const std::string_view path : {section.old_path, section.new_path})
      if (!path.empty()) out.push_back(utf8_or_escaped(path));
  return out;
}

/// The answer of the write gate, where it says no. Tools have asked it already.
Result<std::optional<Reply>> write_refusal(std::string_view bytes, bool needs_intent,
                                           Context& context) {
  std::vector<std::string> files = files_named_by(bytes);
  if (files.empty()) return std::nullopt;
  GH_TRY(request, Request::make(*find_operation("hook test"),
                                {.options = {{"path", std::move(files)}}, .operands = {}}));
  GH_TRY(gate, hook_test(request, context));
  if (gate.exit == ExitCode::done) return std::nullopt;
  if (!needs_intent && Peek(gate.document)["reason"].text() == "no_active_intent")
    return std::nullopt;
  return std::optional(std::move(gate));
}

/// Commits come to a guarded branch through the hooks of git.
Status check_branch(const Request& request, git::Repo& repo, const policy::ProposalPolicy& policy) {
  if (request.text("land") != "commit") return {};
  GH_TRY(head, repo.head_ref());
  const std::string named = request.has("ref") ? request.text("ref") : head;
  const std::string ref = named.starts_with("refs/") ? named : "refs/heads/" + named;
  if (!is_protected(policy, ref) && !is_protected(policy, real_name(repo, ref))) return {};
  return fail(Code::not_permitted,
              fmt::format("{} is guarded, and an agent lands no commit on it: name another branch "
                          "with --ref, or land in the work tree and commit there",
                          printable(ref, 200)));
}

}  // namespace

Result<std::optional<Reply>> agent_refusal(const Request& request, std::string_view bytes,
                                           Context& context) {
  if (!asks_as_agent(context)) return std::nullopt;
  auto repo = open_to_read(context);
  if (!repo) return std::nullopt;  // whoever lands says why
  GH_TRY(config, hook_config(*repo));
  const bool is_guarded =
      config.source != "defaults" && config.hooks.mode == policy::HookMode::enforce;
  if (!is_guarded) return std::nullopt;
  GH_DO(check_branch(request, *repo, config.proposals));
  if (repo->is_bare() || context.surface == "mcp") return std::nullopt;
  return write_refusal(bytes, config.hooks.require_intent, context);
}

}  // namespace gh::ops
