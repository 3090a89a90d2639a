#pragma once
// What every operation of change control stands on: the repository, its configuration at HEAD, the
// ledger, and who asks.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "control/ownership.h"
#include "git/repo.h"
#include "model/intent.h"
#include "ops/operation.h"
#include "policy/config.h"
#include "store/ledger.h"

namespace gh::ops {

/// What the names of sessions begin with that nobody has named.
inline constexpr std::string_view kTerminal = "terminal-";

/// On the command line a session: commands come and go, the session stays.
struct ChangeCaller {
  control::Caller who{};
  Owner owner{};
  std::string label{};
};

/// A record as it was read last: while its text is the same, it need not be read again.
struct SeenRecord {
  std::string text{};
  std::int64_t fence = 0;
  std::shared_ptr<const Intent> intent{};  // null: corrupted
  std::string scope_digest{};              // once it was asked for
};

struct ChangeSession {
  git::Repo repo;
  policy::Config config;
  std::unique_ptr<store::Ledger> ledger;  // null: nothing was ever recorded, and nobody may write
  std::string root{};                     // as runs name it
  std::string repo_id{};
  std::string worktree{};  // of a linked work tree: as records name it; empty: the main one
  std::string clone{};     // where several clones share the ledger: this one
  ChangeCaller caller{};
  control::Here here{};
  std::int64_t git_timeout_ms = 30'000;
  std::unordered_map<std::string, SeenRecord> seen{};  // by id

  const policy::ControlPolicy& policy() const { return config.control; }
};

/// `read` makes no ledger and no lock. `look` besides moves none on to a newer version, waits for
/// no lock longer than Ledger::kReaderWaitMs and keeps nothing for the next time.
enum class LedgerUse : std::uint8_t { write, read, look };
/// root_not_a_repository outside of a work tree.
Result<ChangeSession> open_change_session(const Request&, Context&, LedgerUse = LedgerUse::write);

/// `--session`, $GATEHOUSE_SESSION, or a name for the terminal session around this process.
std::string session_name(const Request&, Context&);

/// May other clones write to this ledger? Every clone has its own, but for that on a server.
bool is_shared(const store::Ledger*);

/// Who a session of that name is to the registry; in another clone it is somebody else.
control::Caller caller_named(const std::string& session, const std::string& clone);

/// Facts that all audit rows of change control share (change control reference, "Audit events").
struct ChangeEvent {
  std::string_view event{}, severity{"info"};
  const Intent* intent = nullptr;
  std::string run_id{};  // when it is not that of the intent
  std::string receipt_digest{}, patch_trail_digest{};
  std::string status{}, summary{};
  Map facts{};
};
store::AuditEvent audit_event(const ChangeSession&, Context&, ChangeEvent);

/// Member of a row about a budget: it is that of a start, which looks ahead and judges nothing.
inline constexpr std::string_view kGatePreview = "preview";

/// The commit that HEAD is at; empty: there is none yet.
std::string head_commit(ChangeSession&);
/// Member of a record: the commit that its change began from.
inline constexpr std::string_view kBaseCommit = "base_commit";
std::string base_commit_of(const Intent&);  // empty: the record does not say

/// Member of a closed record: nobody accepted what was changed under it.
inline constexpr std::string_view kGivenUp = "given_up";

/// Where an intent that asked for it has a work tree of its own.
std::string isolated_name(std::string_view intent_id);  // as records name it
std::string isolated_folder(const ChangeSession&, std::string_view intent_id);
std::string isolated_branch(std::string_view intent_id);
bool is_isolated(const Intent&);

/// Records that may stand in the way of one in this tree. Nobody meets those in trees of their own
/// before they land.
std::vector<control::Held> rivals_in(const std::vector<control::Held>&, std::string_view worktree);
/// The same for a record where it is now: one that lands is in the main tree.
std::vector<control::Held> rivals_of(const std::vector<control::Held>&, const Intent&);
/// Records whose edits show up in this tree of this clone.
std::vector<control::Held> of_tree(const std::vector<control::Held>&, std::string_view worktree,
                                   const std::string& clone);
/// The record is about files of this clone.
void set_clone(Intent&, const ChangeSession&);

/// What is dirty in the work tree now, as hygiene wants it.
Result<DirtySnapshot> look_at_tree(ChangeSession&, Context&);
/// The same where a scope is what matters: of a tree that takes git too long, the scope alone, and
/// then it says that it is partial.
Result<DirtySnapshot> look_at_scope(ChangeSession&, Context&, const gh::Scope&);
/// A look at a scope that can be taken again without asking git for what stayed as it was.
struct TreeLook {
  DirtySnapshot dirt{};
  std::vector<git::DirtyPath> paths{};  // as git told them
  std::string head{};                   // the commit of that time
  sys::FileInfo index{};                // the file of that time
};
Result<TreeLook> look_to_return(ChangeSession&, Context&, const gh::Scope&);
/// What is dirty of these paths, which are sorted. While HEAD and index stay, git would say the
/// same of a dirty path as before, and its content alone is read.
Result<DirtySnapshot> look_again(ChangeSession&, Context&, const TreeLook& before,
                                 const std::vector<std::string>& paths);
/// Of these paths, those that are there and that git ignores: it tells nobody when they change.
Result<std::vector<std::string>> ignored_of(ChangeSession&, const std::vector<std::string>& paths);
/// What is dirty of these paths alone.
Result<DirtySnapshot> look_at_paths(ChangeSession&, Context&, const std::vector<std::string>&);

/// Text of an environment variable, or of its older name when the former is unset.
std::string either_variable(Context&, std::string_view name, std::string_view older);

}  // namespace gh::ops
