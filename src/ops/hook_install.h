#pragma once
// The hooks of git in one repository: where they are, what stands there, and ours among them.
#include <string>
#include <string_view>
#include <vector>

#include "git/repo.h"
#include "ops/operation.h"
#include "setup/hook_managers.h"

namespace gh::ops {

/// Where git of this user looks for hooks of this repository.
struct HooksPlace {
  std::string folder{};          // absolute
  std::string set_by{};          // the file whose core.hooksPath says so; empty: nobody does
  bool is_ours_to_write = true;  // it belongs to this repository alone
  const setup::ManagerRow* manager = nullptr;
};
Result<HooksPlace> find_hooks_place(const git::Repo&, sys::Env&);

/// Configuration files of the user that git reads besides the repository's own, the last word
/// first.
std::vector<std::string> settings_of_user(sys::Env&);

/// Do hooks of ours lie in the repository, whether git is led to them or not?
bool has_own_hooks(const git::Repo&);

/// The command after which git looks for hooks in the repository's own folder.
std::string own_path(const git::Repo&);

struct InstallWish {
  std::string command = "gatehouse";
  std::string known_at{};  // looked for before `command`, in files that stay on this machine
  bool shared = false;     // in .githooks, to be committed
  bool is_trial = false;
};

/// How the hooks of git call the program: by its bare name, where it is not at the path that it has
/// now (whoever starts git chooses PATH); or by that path alone.
Result<InstallWish> program_of_hooks(bool absolute, sys::Env&);

/// One file of an installation, or of its end.
struct HookFile {
  std::string hook{}, file{};  // the file as people name it
  // written, kept, chained, entry, idle, disabled, edited, removed, restored, refused, absent;
  // would_write in a trial
  std::string did{};
  std::string why{};  // of a refusal, or what is left to do
};
Result<std::vector<HookFile>> install_hooks(git::Repo&, Context&, const InstallWish&);
Result<std::vector<HookFile>> uninstall_hooks(git::Repo&, Context&);
/// What stands there now: ours, chained, foreign, missing, entry.
Result<std::vector<HookFile>> hooks_now(git::Repo&, Context&);

/// bad_argument when there is no remote to share them with.
Status can_share_receipts(const git::Repo&);
/// Has git fetch and push receipts with the remote `origin`, or no longer.
Status share_receipts(git::Repo&, bool share);

inline constexpr std::string_view kRewriteRef = "notes.rewriteRef";

}  // namespace gh::ops
