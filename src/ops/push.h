#pragma once
// One push as its hooks judge it: refs, the commits that they bring, and the refs that we keep
// ourselves. Whatever was pushed chooses none of the rules that it is judged by.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hooks/git_hook.h"
#include "ops/approvals.h"
#include "ops/git_hook.h"
#include "store/ledger.h"

namespace gh::ops {

/// A branch of a server that nothing is taken from, under the name that moves: an administrator may
/// have made one branch another name of a second.
struct GuardedBranch {
  std::string ref{};
  std::optional<ObjectId> head{};          // none: it is not there
  std::optional<policy::Config> config{};  // of its head; none: it cannot be read
};

/// Everything that is asked about one push.
struct Push {
  HookCall& call;
  git::Repo repo;
  policy::Config config{};                  // of whoever receives
  std::string default_ref{};                // the branch that new ones leave from
  std::optional<git::Commit> def{};         // its head
  std::vector<GuardedBranch> guarded{};     // of a server
  git::KnownRefs known{};                   // what whoever receives has already
  std::unique_ptr<store::Ledger> ledger{};  // null: nothing was ever recorded
  std::string notes{};  // the receipts that come along; empty: those that are here
  HookAnswer answer{};
  List refs{};

  bool is_server() const { return call.row.side == hooks::HookSide::server; }
};

/// One ref of it, with what it is judged by.
struct PushedRef {
  hooks::RefMove move;              // its commits, also where it names a tag of one
  std::optional<ObjectId> base{};   // what it is compared with
  std::string policy_at{};          // the commit whose configuration judges; empty: the base's
  policy::Config config{};          // that configuration
  std::vector<ObjectId> commits{};  // that nobody here has yet, newest first
  std::vector<ApprovedFile> approved{};
};

std::optional<git::Commit> commit_at(git::Repo&, const std::string& name);

/// One reason against a ref, in the form of all others.
void refuse(Push&, const hooks::RefMove&, std::string_view rule, std::string why,
            std::string_view next);

/// Every commit by itself: what one brings and the next takes away is in the history for good.
Status judge_commits(Push&, const PushedRef&);

/// refs/notes/ and refs/gatehouse/: nothing is taken back, and a receipt stands beside the commit
/// that it was given for.
Status judge_own_ref(Push&, const hooks::RefMove&);

}  // namespace gh::ops
