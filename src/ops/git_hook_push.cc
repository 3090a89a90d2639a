// The hooks of a push: every ref is judged from objects, and all of them pass or none.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/known_remotes.h"
#include "ops/members.h"
#include "ops/patch_session.h"
#include "ops/push.h"
#include "ops/receipt_notes.h"
#include "ops/ref_guard.h"
#include "ops/repo_config.h"
#include "patch/gates.h"

namespace gh::ops {

using hooks::PushBase;
using hooks::RefMove;

namespace {

constexpr std::size_t kMostCommits = 2'000, kMostPushOptions = 32;
constexpr std::string_view kBranches = "refs/heads/";

struct Branch {
  std::string ref{};
  std::optional<git::Commit> head{};
};

/// The first of these that is there.
Branch first_of(git::Repo& repo, const std::vector<std::string>& refs) {
  for (const std::string& ref : refs)
    if (auto found = ref.empty() ? std::nullopt : commit_at(repo, ref)) return {ref, found};
  return {};
}

/// The branch that new ones leave from: that of the remote, as it was fetched last, else our own.
Branch default_branch(git::Repo& repo, const std::string& remote) {
  if (!remote.empty() && !git::revision_defect(remote)) {
    std::vector<std::string> names;
    for (const char* name : {"HEAD", "main", "master"})
      names.push_back(fmt::format("refs/remotes/{}/{}", remote, name));
    if (Branch found = first_of(repo, names); found.head) return found;
  }
  if (!repo.is_bare()) {
    const std::string usual = usual_branch(repo);
    return {usual, commit_at(repo, usual)};
  }
  Branch found = first_of(repo, {repo.head_ref().value_or(""), usual_branch(repo)});
  if (found.head) return found;
  // A repository with any branch is not empty, whatever its HEAD names.
  std::vector<std::string> rest;
  for (const std::string& name : repo.ref_names().value_or(std::vector<std::string>{}))
    rest.push_back(fmt::format("{}{}", kBranches, name));
  return first_of(repo, rest);
}

bool is_guarded(const Push& push, const std::string& ref) {
  if (!push.is_server()) return is_protected(push.config.proposals, ref);
  return std::ranges::find(push.guarded, ref, &GuardedBranch::ref) != push.guarded.end();
}

/// The ref that really moves: a server may have one branch as another name of a second. Whatever
/// cannot be followed is an error, and nothing is taken.
Result<std::string> moved_ref(const git::Repo& repo, const std::string& ref) {
  std::string target = real_name(repo, ref);
  if (target.empty()) return ref;
  if (real_name(repo, target).empty()) return target;
  return fail(Code::ref_unresolved,
              fmt::format("{} is another name of too many others", printable(ref, 200)));
}

Result<std::vector<GuardedBranch>> guarded_here(Push& push) {
  std::vector<std::string> names = policy::guarded_branches(push.config.proposals);
  names.push_back(push.config.proposals.default_target);
  names.push_back(push.default_ref);
  std::vector<GuardedBranch> out;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    GH_TRY(real, moved_ref(push.repo, name));
    if (std::ranges::find(out, real, &GuardedBranch::ref) != out.end()) continue;
    GuardedBranch branch{.ref = std::move(real)};
    if (const auto head = commit_at(push.repo, branch.ref)) {
      branch.head = head->id;
      if (auto config = config_at(push.repo, *head)) branch.config = std::move(*config);
    }
    out.push_back(std::move(branch));
  }
  return out;
}

struct Judged {
  PushBase how = PushBase::nothing;
  std::optional<ObjectId> base{};
};

/// What came from the default branch since is no work of whoever merges it or rebases on it. Told
/// from there, a branch is judged as a new one would be; from where it stood, if that is less.
Result<std::optional<ObjectId>> later_base(Push& push, const ObjectId& before,
                                           const ObjectId& parted, const ObjectId& after) {
  if (!push.def) return std::nullopt;
  GH_TRY(left, push.repo.merge_base(push.def->id, after));
  if (!left || *left == parted) return std::nullopt;
  GH_TRY(known, push.repo.merge_base(*left, before));
  if (known == left) return std::nullopt;
  GH_TRY(since_then, push.repo.changed_paths(parted, after));
  GH_TRY(of_branch, push.repo.changed_paths(*left, after));
  return of_branch.size() <= since_then.size() ? left : std::nullopt;
}

Result<Judged> base_of(Push& push, const RefMove& move) {
  hooks::PushFacts facts{.holds_code = hooks::holds_code(move.ref),
                         .replaces = hooks::replaces_objects(move.ref),
                         .is_protected = is_guarded(push, move.ref),
                         .is_deleted = !move.after,
                         .is_new = !move.before,
                         .has_default = push.def.has_value()};
  if (facts.is_deleted || facts.replaces || !facts.holds_code)
    return Judged{hooks::decide_base(facts)};
  const auto against =
      facts.is_new ? (push.def ? std::optional(push.def->id) : std::nullopt) : move.before;
  Judged out;
  if (against) {
    // What the other side has, and we have not fetched, cannot be compared with.
    if (!commit_at(push.repo, against->hex()))
      return fail(Code::ref_unresolved, fmt::format("commit {} of {} is not here: fetch first",
                                                    against->hex().substr(0, 12), move.ref));
    GH_TRY(base, push.repo.merge_base(*against, *move.after));
    facts.shares_history = base.has_value();
    facts.is_forward = base == against;
    out.base = base;
  }
  if (!facts.is_new && !facts.is_protected && out.base) {
    GH_TRY(later, later_base(push, *move.before, *out.base, *move.after));
    facts.takes_in_default = later.has_value();
    if (later) out.base = later;
  }
  out.how = hooks::decide_base(facts);
  return out;
}

/// A protected branch is judged by its own head; all others, which anybody may make anywhere in the
/// history, by that of the default branch.
std::string policy_of(const Push& push, const RefMove& move) {
  if (move.before && is_guarded(push, move.ref)) return move.before->hex();
  return push.def ? push.def->id.hex() : std::string();
}

bool judges_alike(const policy::Config& a, const policy::Config& b) {
  return a.hooks.require_receipts == b.hooks.require_receipts && a.patch == b.patch;
}

/// A protected branch takes nobody's word that judges otherwise. While there is such a one, other
/// branches may hold what it let in, so only those that judge alike are believed.
git::KnownRefs known_for(const Push& push, const PushedRef& ref, std::vector<ObjectId>& known) {
  if (!is_guarded(push, ref.move.ref) || !push.is_server()) return push.known;
  bool all_alike = true;
  for (const GuardedBranch& branch : push.guarded) {
    if (!branch.head) continue;
    if (branch.config && judges_alike(*branch.config, ref.config))
      known.push_back(*branch.head);
    else
      all_alike = false;
  }
  return all_alike ? push.known : git::KnownRefs{};
}

Result<PushedRef> gather(Push& push, const RefMove& move, std::optional<ObjectId> base) {
  PushedRef out{.move = move, .base = base, .policy_at = policy_of(push, move)};
  GH_TRY(config, config_of(push.repo, out.policy_at.empty() ? base->hex() : out.policy_at));
  out.config = std::move(config);
  std::vector<ObjectId> known{*base};
  if (move.before) known.push_back(*move.before);
  const git::KnownRefs refs = known_for(push, out, known);
  GH_TRY(commits, push.repo.commits_without(*move.after, known, refs, kMostCommits));
  out.commits = std::move(commits);
  const Approvals kept = read_approvals(push.repo);
  out.approved = kept.fresh;
  out.approved.insert(out.approved.end(), kept.spent.begin(), kept.spent.end());
  for (const ObjectId& id : out.commits) {
    if (!is_approved(push.repo, id)) continue;
    GH_TRY(commit, push.repo.objects().commit(id.hex()));
    GH_TRY(files, files_of_commit(push.repo, commit));
    out.approved.insert(out.approved.end(), files.begin(), files.end());
  }
  return out;
}

/// What whoever receives the push has already. A ref that nobody judges makes nothing known.
Result<git::KnownRefs> known_to_receiver(const Push& push) {
  if (push.is_server()) {
    git::KnownRefs out{.refs = {"refs/*"}};
    for (const std::string_view below : hooks::refs_without_code())
      out.except.emplace_back(below);
    return out;
  }
  const std::string url = push.call.words.size() > 1 ? push.call.words[1] : std::string();
  return refs_of_remotes(push.repo, [&](const Remote& remote) { return remote.url == url; });
}

bool names_rule(const Reply& reply, std::string_view rule) {
  return contains(reply.text(report::Look{}), rule);
}

Status judge_range(Push& push, const PushedRef& ref, Map& fact) {
  const std::string range = fmt::format("{}..{}", ref.base->hex(), ref.move.after->hex());
  GH_TRY(reply, check_for_hook(push.call, {{"gates", {"patch,structure,surface"}}}, {range},
                               {.policy_at = ref.policy_at, .approved = ref.approved}));
  fact.set("base", ref.base->hex());
  if (!ref.policy_at.empty()) fact.set("policy_at", ref.policy_at);
  if (reply.exit == ExitCode::done) return {};
  push.answer.refused = true;
  if (push.answer.why.empty()) push.answer.why = fmt::format("{}: {}", ref.move.ref, reply.why);
  push.answer.say(fmt::format("refused: {}\n", printable(ref.move.ref, 200)));
  push.answer.parts.push_back(reply.text);
  const bool is_for_people =
      names_rule(reply, "[control_file]") || contains(reply.why, "gate 'surface'");
  if (push.is_server() && is_for_people)
    push.answer.say(
        fmt::format("  = next: whoever administers this server may let that commit in: {} hook "
                    "approve {} --reason TEXT\n",
                    kProduct, ref.move.after->hex()));
  return {};
}

/// A new protected branch would be judged by its own head from then on.
Result<bool> has_same_policy(Push& push, const RefMove& move) {
  if (!push.def) return true;
  GH_TRY(tip, push.repo.objects().commit(move.after->hex()));
  GH_TRY(now, patch::find_entry(push.repo.objects(), push.def->tree, kConfigFile));
  GH_TRY(then, patch::find_entry(push.repo.objects(), tip.tree, kConfigFile));
  return now.has_value() == then.has_value() && (!now || now->id == then->id);
}

struct RefusalRow {
  PushBase how;
  std::string_view rule, why, next;
};
// clang-format off
// table: refused_pushes
constexpr std::array<RefusalRow, 4> kRefusals{{
    {PushBase::no_common_base, "GH-GATE-001",   "it shares no history with the default branch",                       "rebase it onto the default branch"},
    {PushBase::deletion,       "GH-BYPASS-001", "a protected branch cannot be deleted: it holds the policy",          "push what is to be there instead; on the server an administrator may delete it"},
    {PushBase::rewrite,        "GH-BYPASS-001", "a protected branch would lose commits: it is no fast-forward",       "fetch it, and put your commits on top ('git revert' takes something back)"},
    {PushBase::replacement,    "GH-BYPASS-001", "git would show other objects than those that were judged",           "push a commit that changes what you want to have changed"},
}};
// clang-format on

Status judge_code(Push& push, const RefMove& move, Map& fact) {
  GH_TRY(judged, base_of(push, move));
  fact.set("against", to_string(judged.how));
  const auto row = std::ranges::find(kRefusals, judged.how, &RefusalRow::how);
  if (row != kRefusals.end()) {
    refuse(push, move, row->rule, std::string(row->why), row->next);
    return {};
  }
  if (judged.how == PushBase::first_history)
    push.answer.say(
        fmt::format("{}: {} is the first history here: there is nothing to compare "
                    "with\n",
                    kProduct, printable(move.ref, 200)));
  if (!judged.base) return {};
  if (judged.how == PushBase::from_default && is_guarded(push, move.ref)) {
    GH_TRY(is_same, has_same_policy(push, move));
    if (!is_same)
      refuse(
          push, move, "GH-BYPASS-001",
          fmt::format("a new protected branch must have the {} of the default branch", kConfigFile),
          "begin it at the head of the default branch");
  }
  GH_TRY(ref, gather(push, move, judged.base));
  GH_DO(judge_range(push, ref, fact));
  GH_DO(judge_commits(push, ref));
  if (!push.answer.refused)
    push.answer.say(fmt::format("{}: allowed: {}\n", kProduct, printable(move.ref, 200)));
  return {};
}

Status judge_ref(Push& push, const RefMove& move) {
  const bool refused_before = push.answer.refused;
  push.answer.refused = false;
  Map fact{{"ref", utf8_or_escaped(move.ref)}, {"against", to_string(PushBase::nothing)}};
  RefMove peeled = move;
  const auto commit = move.after ? commit_at(push.repo, move.after->hex()) : std::nullopt;
  if (commit) peeled.after = commit->id;
  if (!hooks::holds_code(move.ref)) {
    if (push.is_server()) GH_DO(judge_own_ref(push, peeled));
  } else if (move.after && !commit) {
    // A tag may name anything; only commits can be judged, and nothing else is code.
    refuse(push, move, "GH-GATE-001", "it names no commit, so nothing can be judged",
           "push a commit or an annotated tag of one");
  } else {
    GH_DO(judge_code(push, peeled, fact));
  }
  fact.set("passed", !push.answer.refused);
  if (push.answer.refused && push.is_server())
    audit_hook(push.call, push.repo, "hook.denied", "warn",
               Map{{"ref", utf8_or_escaped(move.ref)}, {"why", printable(push.answer.why, 400)}});
  push.answer.refused = push.answer.refused || refused_before;
  push.refs.emplace_back(std::move(fact));
  return {};
}

/// `gatehouse.reason=…` and whatever else was pushed with it, for the record; it opens nothing.
List push_options(sys::Env& env) {
  const std::string text = env.variable("GIT_PUSH_OPTION_COUNT");
  std::size_t count = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), count);
  List out;
  for (std::size_t i = 0; i < std::min(count, kMostPushOptions); ++i)
    out.emplace_back(printable(env.variable(fmt::format("GIT_PUSH_OPTION_{}", i)), 400));
  return out;
}

/// The words of pre-push are a name, or the address again, and the address that is pushed to: a
/// remote may be fetched from elsewhere.
Result<std::string> remote_of(const git::Repo& repo, const HookCall& call) {
  if (call.row.side == hooks::HookSide::server || call.words.empty()) return std::string();
  GH_TRY(named, remote_at(repo, call.words.back()));
  return named.empty() ? call.words.front() : named;
}

Result<Push> open_push(HookCall& call) {
  call.context.progress("reading the settings");
  GH_TRY(repo, open_to_read(call.context));
  Push out{call, std::move(repo)};
  GH_TRY(remote, remote_of(out.repo, call));
  Branch found = default_branch(out.repo, remote);
  out.default_ref = std::move(found.ref);
  out.def = std::move(found.head);
  if (call.row.side == hooks::HookSide::work) {
    GH_TRY(config, hook_config(out.repo));
    out.config = std::move(config);
  } else if (out.def) {
    GH_TRY(config, config_at(out.repo, *out.def));
    out.config = std::move(config);
  }
  if (out.is_server()) {
    GH_TRY(guarded, guarded_here(out));
    out.guarded = std::move(guarded);
  }
  GH_TRY(known, known_to_receiver(out));
  out.known = std::move(known);
  GH_TRY(ledger, open_ledger_to_look(out.repo));
  out.ledger = std::move(ledger);
  return out;
}

/// By the names that move. Where we push to somebody else, only they know of other names.
Result<std::vector<RefMove>> under_real_names(Push& push, std::vector<RefMove> moves) {
  if (!push.is_server()) return moves;
  for (RefMove& move : moves) {
    GH_TRY(real, moved_ref(push.repo, move.ref));
    if (real == move.ref) continue;
    push.answer.say(fmt::format("{}: {} is another name of {}, and judged as that\n", kProduct,
                                printable(move.ref, 200), printable(real, 200)));
    move.ref = std::move(real);
  }
  return moves;
}

Status judge_all(Push& push, const std::vector<RefMove>& named) {
  GH_TRY(moves, under_real_names(push, named));
  const auto notes = std::ranges::find(moves, kNotesRef, &RefMove::ref);
  if (notes != moves.end() && notes->after) push.notes = notes->after->hex();
  for (const RefMove& move : moves) {
    push.call.context.progress(fmt::format("judging {}", printable(move.ref, 60)));
    GH_DO(judge_ref(push, move));
  }
  push.answer.facts.set("refs", push.refs);
  if (push.answer.refused && moves.size() > 1)
    push.answer.say(fmt::format("{}: all refs or none: nothing was taken\n", kProduct));
  return {};
}

Result<HookAnswer> receive(HookCall& call, const std::vector<RefMove>& moves) {
  GH_TRY(push, open_push(call));
  GH_DO(judge_all(push, moves));
  if (List options = push_options(call.context.env); !options.empty()) {
    audit_hook(call, push.repo, "hook.push_options", "info", Map{{"options", options}});
    push.answer.facts.set("push_options", std::move(options));
  }
  return std::move(push.answer);
}

}  // namespace

std::optional<git::Commit> commit_at(git::Repo& repo, const std::string& name) {
  auto found = repo.objects().commit(name);
  if (found) return std::move(*found);
  repo.objects().hang_up();  // what git says behind a miss is of no use
  return std::nullopt;
}

void refuse(Push& push, const RefMove& move, std::string_view rule, std::string why,
            std::string_view next) {
  push.answer.refused = true;
  if (push.answer.why.empty()) push.answer.why = fmt::format("{}: {}: {}", move.ref, rule, why);
  push.answer.say(
      fmt::format("error[{}]: {}: {}\n  = next: {}\n", rule, printable(move.ref, 200), why, next));
}

Result<HookAnswer> pre_push(HookCall& call) {
  GH_TRY(input, call.context.read_input(hooks::kMaxRefInput));
  GH_TRY(moves, hooks::read_pushed_refs(input));
  GH_TRY(push, open_push(call));
  if (push.config.hooks.mode == policy::HookMode::off) return HookAnswer{};
  GH_DO(judge_all(push, moves));
  soften(call, push.repo, push.config.hooks, push.answer);
  return std::move(push.answer);
}

Result<HookAnswer> pre_receive(HookCall& call) {
  GH_TRY(input, call.context.read_input(hooks::kMaxRefInput));
  GH_TRY(moves, hooks::read_ref_moves(input));
  return receive(call, moves);
}

Result<HookAnswer> update_hook(HookCall& call) {
  if (call.words.size() != 3)
    return fail(Code::missing_argument, "update takes a ref, its old and its new commit");
  GH_TRY(move, hooks::read_update(call.words[0], call.words[1], call.words[2]));
  return receive(call, {move});
}

Result<HookAnswer> post_receive(HookCall& call) {
  GH_TRY(input, call.context.read_input(hooks::kMaxRefInput));
  GH_TRY(moves, hooks::read_ref_moves(input));
  GH_TRY(repo, open_to_read(call.context));
  for (const RefMove& move : moves) {
    Map payload{{"ref", utf8_or_escaped(move.ref)}};
    payload.set("before", move.before ? Value(move.before->hex()) : Value());
    payload.set("after", move.after ? Value(move.after->hex()) : Value());
    audit_hook(call, repo, "hook.received", "info", std::move(payload));
  }
  return HookAnswer{};
}

}  // namespace gh::ops
