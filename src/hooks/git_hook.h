#pragma once
// What git tells its hooks, and what each hook is for (interfaces 3). Pure: who reads standard
// input, refs and objects stands above.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/object_id.h"

namespace gh::hooks {

enum class GitHook : std::uint8_t {
  pre_commit,
  prepare_commit_msg,
  commit_msg,
  post_commit,
  pre_push,
  pre_receive,
  update,
  post_receive,
  reference_transaction
};

/// Where a hook is of use: beside a work tree, or where people push to.
enum class HookSide : std::uint8_t { work, server };

struct GitHookRow {
  GitHook hook;
  std::string_view name;
  HookSide side;
  std::int64_t budget_ms;  // 0: none is set
  bool blocks;             // false: whatever happens, git goes on
  bool installed;          // by `hook install`; of update and pre-receive one is enough
};
std::span<const GitHookRow> git_hooks();
const GitHookRow* find_git_hook(std::string_view name);

inline constexpr std::size_t kMaxRefLines = 10'000;
inline constexpr std::size_t kMaxRefInput = 8u << 20;
inline constexpr std::string_view kBranches = "refs/heads/";

/// One ref that moves. No id: it does not exist on that side.
struct RefMove {
  std::string ref;
  std::optional<ObjectId> before, after;
  std::string points_to{};  // a ref: from now on this one is only another name for it
  bool operator==(const RefMove&) const = default;
};
/// Lines "OLD NEW REF" of pre-receive, post-receive and reference-transaction. Newer gits also tell
/// of symbolic refs, as "ref:NAME" in the place of an id.
Result<std::vector<RefMove>> read_ref_moves(std::string_view input);
/// Lines "LOCAL-REF LOCAL-ID REMOTE-REF REMOTE-ID" of pre-push.
Result<std::vector<RefMove>> read_pushed_refs(std::string_view input);
/// The three words of update.
Result<RefMove> read_update(std::string_view ref, std::string_view before, std::string_view after);

/// What a pushed ref is compared with.
enum class PushBase : std::uint8_t {
  nothing,         // it is deleted, or holds no code: there is nothing to judge
  first_history,   // the repository is empty: there is nothing to compare with
  before,          // where the ref stood
  parted,          // where its old and its new history part
  from_default,    // a new branch, or one that took in the default one: where it leaves that
  no_common_base,  // histories that share nothing cannot be compared
  deletion,        // refused: a protected branch holds the policy that everything is judged by
  rewrite,         // refused: a protected branch would lose commits, and its policy with them
  replacement,     // refused: git would show other objects than those that were judged
};
std::string_view to_string(PushBase);

struct PushFacts {
  bool holds_code = true;  // by its name: notes and our own refs do not
  bool replaces = false;   // by its name: git reads another object in the place of one
  bool is_protected = false;
  bool is_deleted = false, is_new = false;
  bool is_forward = false;   // the old commit is on the new history
  bool has_default = false;  // the default branch exists
  bool shares_history = false;
  bool takes_in_default = false;  // its new history has more of the default branch than the old one
};
PushBase decide_base(const PushFacts&);

/// Does a ref of that name hold code that has to be judged?
bool holds_code(std::string_view ref);
/// Patterns of the names of all others.
std::span<const std::string_view> refs_without_code();
/// Is what an address names on another machine? A path is not, nor is a server of this machine.
bool leads_elsewhere(std::string_view url);
/// Does git show another object in the place of the one that such a ref names?
bool replaces_objects(std::string_view ref);

}  // namespace gh::hooks
