// reference-transaction: the hook that --no-verify does not switch off. Commits that reach a
// protected branch must have passed the pre-commit hook, or carry a receipt. git tells no hook of a
// branch that is copied or renamed over another (branch -C, -M), so the guard remembers how far it
// has let each branch come, and goes on from there.
#include "ops/ref_guard.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "base/trailers.h"
#include "ops/commit_stamps.h"
#include "ops/git_hook.h"
#include "ops/known_remotes.h"
#include "ops/members.h"
#include "ops/own_changes.h"
#include "ops/patch_session.h"
#include "ops/push.h"
#include "ops/receipt_find.h"
#include "ops/repo_config.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMostCommits = 1'000, kMaxTip = 100, kMaxName = 4'096;
constexpr std::string_view kRule = "GH-BYPASS-001";

std::string tip_file(const git::Repo& repo, std::string_view ref) {
  return fmt::format("{}/guard/{}", repo.state_dir(), digest_of(ref).hex().substr(0, 32));
}

std::optional<ObjectId> noted_tip(const git::Repo& repo, std::string_view ref) {
  const auto text = sys::read_file(tip_file(repo, ref), kMaxTip);
  const auto id = text ? ObjectId::parse(*text) : std::nullopt;
  return id ? std::optional(*id) : std::nullopt;
}

Status note_tip(const git::Repo& repo, std::string_view ref, const ObjectId& tip) {
  GH_DO(sys::make_folders(repo.state_dir() + "/guard"));
  return sys::write_scratch_file(tip_file(repo, ref), tip.hex());
}

/// A branch that is put where it stands.
bool stays(git::Repo& repo, const hooks::RefMove& move) {
  const auto now = move.after ? commit_at(repo, move.ref) : std::nullopt;
  return now && now->id == *move.after;
}

/// The moves of protected branches, also by another name.
std::vector<hooks::RefMove> of_protected(git::Repo& repo, const policy::ProposalPolicy& policy,
                                         const std::vector<hooks::RefMove>& moves) {
  std::vector<hooks::RefMove> out;
  for (const hooks::RefMove& move : moves)
    if (is_protected(policy, move.ref)) out.push_back(move);
  for (const std::string& ref : policy::guarded_branches(policy)) {
    const std::string real = real_name(repo, ref);
    for (const hooks::RefMove& move : moves)
      if (!real.empty() && move.ref == real) {
        out.push_back(move);
        out.back().ref = ref;
      }
  }
  std::erase_if(out, [&](const hooks::RefMove& move) { return stays(repo, move); });
  return out;
}

/// The settings of the branch that is guarded, as it was let in: whoever checks out another one, or
/// puts another one in its place, does not choose them.
Result<policy::Config> guard_config(git::Repo& repo) {
  const std::string main = policy::default_proposal_policy().default_target;
  const auto noted = noted_tip(repo, main);
  const auto tip = noted ? commit_at(repo, noted->hex()) : commit_at(repo, main);
  if (tip) {
    GH_TRY(config, config_at(repo, *tip));
    if (config.source != "defaults") return config;
  }
  return hook_config(repo);
}

/// What its message says of receipts holds; a message that says nothing does.
Result<bool> says_the_truth(git::Repo& repo, const git::Commit& commit) {
  if (!speaks_of_gatehouse(commit.message)) return true;
  GH_TRY(ledger, open_ledger_to_look(repo));
  GH_TRY(said, check_trailers(repo, ledger.get(), commit));
  return said.defect.empty() && said.is_known;
}

bool amends(const git::Commit& commit, const std::optional<git::Commit>& before) {
  return before && commit.parents == before->parents;
}

/// What a commit is let in by, the cheapest first.
Result<bool> is_let_in(git::Repo& repo, const git::Commit& commit,
                       const std::optional<git::Commit>& before, bool by_agent) {
  const auto parent = commit.parents.empty() ? std::nullopt : std::optional(commit.parents.front());
  if (has_stamp(repo, commit.tree, parent) ||
      (amends(commit, before) && has_stamp(repo, commit.tree, before->id)))
    return says_the_truth(repo, commit);
  GH_TRY(is_gits, is_made_by_git(repo, commit));
  if (is_gits) return says_the_truth(repo, commit);  // nobody had a hand in it
  if (trailers(commit.message, TrailerKey::receipt).empty()) return false;
  GH_TRY(ledger, open_ledger_to_look(repo));
  GH_TRY(found, find_receipt(repo, ledger.get(), {.named = commit.id.hex()}));
  const bool holds = found.status == Lookup::ok && found.is_kept && found.binding &&
                     *found.binding != runs::Binding::other;
  if (!holds || !by_agent) return holds;
  GH_TRY(is_spent, is_spent_before(repo, commit, found));
  return !is_spent;
}

/// Where the branch has come to with the guard's leave; and where it stands, if it was left alone.
struct Start {
  std::optional<git::Commit> now{}, from{};
};

Start start_of(git::Repo& repo, const std::string& ref) {
  Start out{.now = commit_at(repo, ref)};
  const auto noted = noted_tip(repo, ref);
  out.from = noted && (!out.now || out.now->id != *noted) ? commit_at(repo, noted->hex()) : out.now;
  if (!out.from) out.from = out.now;
  return out;
}

/// The first new commit that nothing lets in.
Result<std::optional<git::Commit>> first_unstamped(git::Repo& repo, const hooks::RefMove& move,
                                                   bool by_agent) {
  const Start start = start_of(repo, move.ref);
  const auto tip = commit_at(repo, move.after->hex());
  if (!tip || (start.from && start.from->id == tip->id)) return std::nullopt;
  const bool is_next =
      start.from && tip->parents.size() == 1 && tip->parents.front() == start.from->id;
  if (is_next) {  // as a commit is made: no list is needed
    GH_TRY(fine, is_let_in(repo, *tip, start.now, by_agent));
    if (fine) return std::nullopt;
  }
  std::vector<ObjectId> known;
  if (start.from) known.push_back(start.from->id);
  GH_TRY(remotes, refs_of_upstream(repo, move.ref));
  GH_TRY(fresh, repo.commits_without(tip->id, known, remotes, kMostCommits));
  for (const ObjectId& id : fresh) {
    GH_TRY(commit, repo.objects().commit(id.hex()));
    GH_TRY(fine, is_let_in(repo, commit, start.now, by_agent));
    if (!fine) return std::optional(std::move(commit));
  }
  return std::nullopt;
}

void refuse(HookAnswer& answer, const hooks::RefMove& move, const std::string& why,
            std::string_view headline, std::string_view next) {
  answer.refused = true;
  answer.why = fmt::format("{}: {}", kRule, why);
  answer.facts.set("ref", utf8_or_escaped(move.ref));
  answer.say(fmt::format("error[{}]: {}\n  --> {}\n  = next: {}\n  = more: {} explain {}\n", kRule,
                         headline, printable(move.ref, 200), next, kProduct, kRule));
}

void refuse_commit(HookAnswer& answer, const hooks::RefMove& move, const git::Commit& commit) {
  const std::string name = commit.id.hex().substr(0, 12);
  const std::string_view next =
      trailers(commit.message, TrailerKey::receipt).empty()
          ? "commit without --no-verify; a person may set GATEHOUSE_BYPASS_REASON"
          : "its receipt does not let it in here: it was given for another change, or for one that "
            "was taken back since. Declare it, 'git cherry-pick --no-commit', finish, then commit";
  refuse(answer, move,
         fmt::format("commit {} reached {} without the pre-commit hook", name,
                     printable(move.ref, 200)),
         fmt::format("commit {} has neither passed the pre-commit hook nor a receipt", name), next);
  answer.facts.set("commit", commit.id.hex());
}

/// What a protected branch must not do: become another name, or go. A mere name may go: that is the
/// way back.
bool refuse_shape(const git::Repo& repo, HookAnswer& answer, const hooks::RefMove& move) {
  if (move.points_to.empty() && (move.after || !real_name(repo, move.ref).empty())) return false;
  const std::string_view what =
      move.points_to.empty() ? "is deleted or renamed over" : "becomes another name for a branch";
  refuse(answer, move, fmt::format("{} {}", printable(move.ref, 200), what),
         fmt::format("a protected branch {}", what),
         "merge into it instead; a person may set GATEHOUSE_BYPASS_REASON");
  return true;
}

Status judge(git::Repo& repo, const std::vector<hooks::RefMove>& moves, bool by_agent,
             HookAnswer& answer) {
  for (const hooks::RefMove& move : moves) {
    if (refuse_shape(repo, answer, move)) return {};
    if (!move.after) continue;
    GH_TRY(found, first_unstamped(repo, move, by_agent));
    if (!found) continue;
    refuse_commit(answer, move, *found);
    return {};
  }
  return {};
}

}  // namespace

namespace {

/// What one ref points to by its file, or by the link that old gits made of it.
std::string pointed_to(const git::Repo& repo, const std::string& ref) {
  constexpr std::string_view kSymbolic = "ref:", kRefs = "refs/";
  const std::string file = fmt::format("{}/{}", repo.common_dir(), ref);
  if (sys::info(file).kind == sys::FileKind::symlink) {
    const auto link = sys::read_link(file);
    if (link && link->starts_with(kRefs)) return *link;
  }
  const auto text = sys::read_file(file, kMaxName);
  if (!text || !text->starts_with(kSymbolic)) return {};
  std::string_view name = std::string_view(*text).substr(kSymbolic.size());
  name.remove_prefix(std::min(name.find_first_not_of(" \t"), name.size()));
  return std::string(name.substr(0, name.find_first_of("\r\n\t ")));
}

}  // namespace

std::string real_name(const git::Repo& repo, const std::string& ref) {
  constexpr int kMostLinks = 5;  // git follows no more
  std::string out = pointed_to(repo, ref);
  for (int i = 1; i < kMostLinks && !out.empty(); ++i) {
    std::string next = pointed_to(repo, out);
    if (next.empty()) break;
    out = std::move(next);
  }
  return out;
}

bool is_protected(const policy::ProposalPolicy& policy, std::string_view ref) {
  if (ref == policy.default_target) return true;
  const std::vector<std::string> guarded = policy::guarded_branches(policy);
  return std::ranges::find(guarded, ref) != guarded.end();
}

Status note_protected_branches(git::Repo& repo) {
  GH_TRY(config, guard_config(repo));
  for (const std::string& ref : policy::guarded_branches(config.proposals)) {
    if (noted_tip(repo, ref)) continue;
    if (const auto tip = commit_at(repo, ref)) GH_DO(note_tip(repo, ref, tip->id));
  }
  return {};
}

Result<HookAnswer> reference_transaction(HookCall& call) {
  HookAnswer answer;
  if (call.words.empty() || call.words.front() != "prepared") return answer;
  GH_TRY(input, call.context.read_input(hooks::kMaxRefInput));
  GH_TRY(moves, hooks::read_ref_moves(input));
  std::erase_if(moves,
                [](const hooks::RefMove& move) { return !move.ref.starts_with(hooks::kBranches); });
  if (moves.empty()) return answer;  // most transactions move none: no repository is opened
  GH_TRY(repo, open_to_read(call.context));
  GH_TRY(config, guard_config(repo));
  const policy::HookPolicy& policy = config.hooks;
  moves = of_protected(repo, config.proposals, moves);
  const bool is_on = policy.local_ref_guard || !call.agent.empty();
  if (policy.mode != policy::HookMode::off && is_on) {
    GH_DO(judge(repo, moves, !call.agent.empty(), answer));
    // Whoever switched the guard on wants to be stopped, whatever the mode of the other hooks is.
    policy::HookPolicy strict = policy;
    if (policy.local_ref_guard) strict.mode = policy::HookMode::enforce;
    soften(call, repo, strict, answer);
  }
  if (!answer.refused)
    for (const hooks::RefMove& move : moves)
      if (move.after) GH_DO(note_tip(repo, move.ref, *move.after));
  return answer;
}

}  // namespace gh::ops
