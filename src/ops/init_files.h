#pragma once
// What init writes: which files, with which bytes, and how it all goes away again. Gathered and
// planned first, written later; what is shown is what is written.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/repo.h"
#include "ops/init.h"
#include "ops/operation.h"
#include "policy/hook_policy.h"
#include "setup/hosts.h"

namespace gh::ops {

struct PlannedFile {
  std::string path{};                            // from the root
  std::optional<std::string> before{}, after{};  // nothing: there is no such file
  std::string why{}, snippet{};                  // of a file that is left alone
  bool has_ours = false;                         // before: then it is no copy of somebody else's
  bool changes() const { return why.empty() && before != after; }
};

struct FoundHost {
  setup::Host host;
  std::vector<std::string> by{};  // the files and programs that show it
};
/// Those that are in use here, by their files and programs.
std::vector<FoundHost> detect_hosts(const git::Repo&, sys::Env&);

/// Names of the systems that build this repository, by their files.
std::vector<std::string> detect_ci(const git::Repo&);
/// Their files with a step of ours in them; where only a person can put one in, what it is.
std::vector<PlannedFile> plan_ci(const git::Repo&);
std::vector<PlannedFile> unplan_ci(const git::Repo&);

/// The files of these hosts with ours in them; `command` is the program as they shall call it.
std::vector<PlannedFile> plan_hosts(const git::Repo&, const std::vector<setup::Host>&,
                                    std::string_view command, bool with_policy);
/// The same files without it: as they were before, where that is known.
std::vector<PlannedFile> unplan_hosts(const git::Repo&, const std::vector<setup::Host>&);

struct ConfigPlan {
  PlannedFile file{};
  InitPlan copied{};                                  // settings of another tool
  policy::HookMode mode = policy::HookMode::enforce;  // that the file says afterwards
};
/// Whether a mode that the file says already is overruled.
enum class ModeWish : std::uint8_t { usual, asked_for };
/// gatehouse.yaml: a start where there is none, else what it lacks. conflict when the mode was
/// asked for and only a person can change it there.
Result<ConfigPlan> plan_config(git::Repo&, const Map* settings, policy::HookMode wanted, ModeWish);
PlannedFile unplan_config(git::Repo&, const Map* settings);

inline constexpr std::string_view kBackup = ".gatehouse.bak";
/// Has git overlook backups in this clone, or see them again.
Status hide_backups(const git::Repo&, bool hide);
/// One backup of a file that was there, the first time; the mode of the file is kept.
Status write_planned(const git::Repo&, const PlannedFile&);
/// The reverse: the backup goes too, and so do folders that are empty then.
Status undo_planned(const git::Repo&, const PlannedFile&);

}  // namespace gh::ops
