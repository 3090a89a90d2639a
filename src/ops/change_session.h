#pragma once
// What every operation of change control stands on: the repository, its configuration at HEAD, the
// ledger, and who asks.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/ownership.h"
#include "git/repo.h"
#include "model/intent.h"
#include "ops/operation.h"
#include "policy/config.h"
#include "store/ledger.h"

namespace gh::ops {

/// On the command line a session: commands come and go, the session stays.
struct ChangeCaller {
  control::Caller who{};
  Owner owner{};
  std::string label{};
};

struct ChangeSession {
  git::Repo repo;
  policy::Config config;
  std::unique_ptr<store::Ledger> ledger;  // null: nothing was ever recorded, and nobody may write
  std::string root{};                     // as runs name it
  std::string repo_id{};
  std::string worktree{};  // of a linked work tree: as records name it; empty: the main one
  ChangeCaller caller{};
  control::Here here{};
  std::int64_t git_timeout_ms = 30'000;

  const policy::ControlPolicy& policy() const { return config.control; }
};

enum class LedgerUse : std::uint8_t { write, read };
/// root_not_a_repository outside of a work tree. `read` makes no ledger and no lock.
Result<ChangeSession> open_change_session(const Request&, Context&, LedgerUse = LedgerUse::write);

/// `--session`, $GATEHOUSE_SESSION, or a name for the terminal session around this process.
std::string session_name(const Request&, Context&);

/// Facts that all audit rows of change control share (change control reference, "Audit events").
struct ChangeEvent {
  std::string_view event{}, severity{"info"};
  const Intent* intent = nullptr;
  std::string run_id{};  // when there is no intent
  std::string status{}, summary{};
  Map facts{};
};
store::AuditEvent audit_event(const ChangeSession&, Context&, ChangeEvent);

/// Where an intent that asked for it has a work tree of its own.
std::string isolated_name(std::string_view intent_id);  // as records name it
std::string isolated_folder(const ChangeSession&, std::string_view intent_id);
std::string isolated_branch(std::string_view intent_id);
bool is_isolated(const Intent&);

/// Records that may stand in the way of one in this tree: all but those in trees of their own.
std::vector<control::Held> rivals_in(const std::vector<control::Held>&, std::string_view worktree);
/// Records whose edits show up in this tree.
std::vector<control::Held> of_tree(const std::vector<control::Held>&, std::string_view worktree);

/// What is dirty in the work tree now, as hygiene wants it.
Result<DirtySnapshot> look_at_tree(ChangeSession&, Context&);
/// The same where a scope is what matters: of a tree that takes git too long, the scope alone, and
/// then it says that it is partial.
Result<DirtySnapshot> look_at_scope(ChangeSession&, Context&, const gh::Scope&);
/// What is dirty of these paths alone.
Result<DirtySnapshot> look_at_paths(ChangeSession&, Context&, const std::vector<std::string>&);

/// Text of an environment variable, or of its older name when the former is unset.
std::string either_variable(Context&, std::string_view name, std::string_view older);

}  // namespace gh::ops
