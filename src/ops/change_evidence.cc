#include "ops/change_evidence.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/sorted.h"
#include "base/text.h"
#include "control/scope_paths.h"
#include "ops/real_place.h"
#include "policy/glob.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxListBytes = 64u << 20;

/// One a line, or separated by NUL as git writes them with -z: those are names to the letter.
Result<std::vector<std::string>> listed(std::string_view bytes, std::string_view root) {
  const bool is_from_git = bytes.find('\0') != bytes.npos;
  std::vector<std::string> names;
  for (const std::string_view item : split(bytes, is_from_git ? '\0' : '\n'))
    names.emplace_back(item);
  return control::normalise_evidence(
      by_real_root(std::string(root), std::move(names)), root,
      is_from_git ? control::EvidenceForm::exact : control::EvidenceForm::typed);
}

bool is_declared(const gh::Scope& scope, std::string_view path) {
  const auto covers = [&](const std::string& entry) { return policy::matches_prefix(path, entry); };
  return std::ranges::any_of(scope.allowed_files, covers) ||
         std::ranges::any_of(scope.allowed_related, covers);
}

Result<std::vector<std::string>> differing(const std::string& ref, ChangeSession& session,
                                           Context& context, const gh::Scope* scope) {
  GH_TRY(changed, session.repo.changed_against(ref, {}, session.git_timeout_ms));
  std::vector<std::string> out;
  for (const std::string& name : changed.paths)
    out.push_back(control::path_from_git(name));
  if (!changed.includes_work_tree || scope == nullptr) return out;
  GH_TRY(dirt, look_at_scope(session, context, *scope));
  // Also what git does not compare: what is new, what is in the index alone, and what lies in a
  // repository below this one. All of it has to be named.
  for (const auto& [path, entry] : dirt.entries)
    if (is_declared(*scope, path)) out.push_back(path);
  return out;
}

}  // namespace

Result<ChangedPaths> changed_paths(const Request& request, ChangeSession& session, Context& context,
                                   const gh::Scope* scope) {
  const bool files = request.has("files") || request.has("files-from");
  const bool diff = request.has("diff");
  if (files && diff) return fail(Code::evidence_exclusive, "--files and --diff exclude each other");
  ChangedPaths out{.given = files || diff};
  if (!out.given) return out;
  if (request.has("files-from")) {
    const std::string from = request.text("files-from");
    auto bytes =
        from == "-" ? context.read_input(kMaxListBytes) : sys::read_named_file(from, kMaxListBytes);
    if (!bytes) return tl::make_unexpected(std::move(bytes).error());
    GH_TRY(names, listed(*bytes, session.repo.root()));
    out.paths = std::move(names);
  }
  if (diff) {
    GH_TRY(found, differing(request.text("diff"), session, context, scope));
    out.paths = std::move(found);
  } else {
    GH_TRY(typed,
           control::normalise_evidence(
               by_real_root(session.repo.root(), by_letter(session.repo, request.list("files"))),
               session.repo.root()));
    for (std::string& path : typed) {
      GH_TRY(place, real_place(session.repo.root(), path));
      path = std::move(place);
    }
    out.paths.insert(out.paths.end(), typed.begin(), typed.end());
  }
  sort_unique(out.paths);
  if (out.paths.empty())
    return fail(Code::evidence_required,
                diff ? "nothing differs from that revision" : "the list of changed files is empty");
  return out;
}

Result<std::vector<std::string>> needed_paths(const Request& request, ChangeSession& session,
                                              Context& context, const gh::Scope* scope) {
  GH_TRY(changed, changed_paths(request, session, context, scope));
  if (!changed.given)
    return fail(Code::evidence_required, "say what was changed: --files FILE..., or --diff REF");
  return std::move(changed.paths);
}

}  // namespace gh::ops
