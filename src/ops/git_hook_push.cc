// The hooks of a push: every ref is judged from objects, and all of them pass or none.
#include <charconv>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "hooks/agent_identity.h"
#include "ops/git_hook.h"
#include "ops/members.h"
#include "ops/patch_session.h"
#include "ops/receipt_find.h"
#include "ops/repo_config.h"

namespace gh::ops {
namespace {

using hooks::PushBase;
using hooks::RefMove;

constexpr std::size_t kMostCommits = 5'000, kMostPushOptions = 32, kShownCommits = 10;

/// Everything that is asked about one push.
struct Push {
  HookCall& call;
  git::Repo repo;
  policy::Config config{};                  // of whoever receives
  std::optional<git::Commit> def{};         // head of the default branch
  std::unique_ptr<store::Ledger> ledger{};  // null: nothing was ever recorded
  HookAnswer answer{};
  List refs{};
};

std::optional<git::Commit> commit_at(git::Repo& repo, const std::string& name) {
  auto found = repo.objects().commit(name);
  if (found) return std::move(*found);
  repo.objects().hang_up();  // what git says behind a miss is of no use
  return std::nullopt;
}

/// The branch that new ones leave from: that of the remote, as it was fetched last, else our own.
std::optional<git::Commit> default_branch(git::Repo& repo, const std::string& remote) {
  if (!remote.empty() && !git::revision_defect(remote))
    for (const char* name : {"HEAD", "main", "master"})
      if (auto found = commit_at(repo, fmt::format("refs/remotes/{}/{}", remote, name)))
        return found;
  return commit_at(repo, usual_branch(repo));
}

struct Judged {
  PushBase how = PushBase::nothing;
  std::optional<ObjectId> base{};
};

Result<Judged> base_of(Push& push, const RefMove& move) {
  hooks::PushFacts facts{.holds_code = hooks::holds_code(move.ref),
                         .is_deleted = !move.after,
                         .is_new = !move.before,
                         .has_default = push.def.has_value()};
  if (facts.is_deleted || !facts.holds_code) return Judged{hooks::decide_base(facts)};
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
  out.how = hooks::decide_base(facts);
  return out;
}

/// One reason against a ref, in the form of all others.
void refuse(Push& push, const RefMove& move, std::string_view rule, std::string why,
            std::string_view next) {
  push.answer.refused = true;
  if (push.answer.why.empty()) push.answer.why = fmt::format("{}: {}: {}", move.ref, rule, why);
  push.answer.say(
      fmt::format("error[{}]: {}: {}\n  = next: {}\n", rule, printable(move.ref, 200), why, next));
}

/// Does the commit have a receipt that holds for it?
Result<std::string> receipt_defect(Push& push, const git::Commit& commit) {
  GH_TRY(found, find_receipt(push.repo, push.ledger.get(), {.named = commit.id.hex()}));
  if (found.status != Lookup::ok) return found.message;
  if (found.binding == runs::Binding::other)
    return fmt::format("{} was given for another change", found.digest);
  if (text_in(found.receipt, "decision") != "allow")
    return fmt::format("{} lets nothing in", found.digest);
  return std::string();
}

/// Commits of agents, where the repository wants to see what let them in.
Status check_receipts(Push& push, const RefMove& move, const ObjectId& base) {
  if (!push.config.hooks.require_receipts) return {};
  GH_TRY(commits, push.repo.commits_without(*move.after, {base}, false, kMostCommits));
  std::size_t told = 0;
  for (const ObjectId& id : commits) {
    GH_TRY(commit, push.repo.objects().commit(id.hex()));
    const std::string mark =
        hooks::agent_mark({.author = commit.author, .message = commit.message});
    if (mark.empty()) continue;
    GH_TRY(defect, receipt_defect(push, commit));
    if (defect.empty()) continue;
    if (++told > kShownCommits) break;
    refuse(push, move, "GH-GATE-001",
           fmt::format("commit {} was written by an agent ({}) and has no receipt that holds: {}",
                       id.hex().substr(0, 12), printable(mark, 120), printable(defect, 200)),
           "finish the change with 'gatehouse change finish', then 'gatehouse receipt attach' and "
           "push refs/notes/gatehouse with it");
  }
  return {};
}

Status judge_range(Push& push, const RefMove& move, const ObjectId& base, Map& fact) {
  GH_TRY(reply, check_for_hook(push.call, {{"gates", {"patch,structure"}}},
                               {fmt::format("{}..{}", base.hex(), move.after->hex())}));
  fact.set("base", base.hex());
  if (reply.exit != ExitCode::done) {
    push.answer.refused = true;
    if (push.answer.why.empty()) push.answer.why = fmt::format("{}: {}", move.ref, reply.why);
    push.answer.say(fmt::format("refused: {}\n", printable(move.ref, 200)));
    push.answer.parts.push_back(reply.text);
  }
  return check_receipts(push, move, base);
}

Status judge_ref(Push& push, const RefMove& move) {
  if (move.after && hooks::holds_code(move.ref)) {
    // A tag may name anything; only commits can be judged, and nothing else is code.
    if (!commit_at(push.repo, move.after->hex())) {
      refuse(push, move, "GH-GATE-001", "it names no commit, so nothing can be judged",
             "push a commit or an annotated tag of one");
      return {};
    }
  }
  RefMove peeled = move;
  if (peeled.after)
    if (auto commit = commit_at(push.repo, move.after->hex())) peeled.after = commit->id;
  GH_TRY(judged, base_of(push, peeled));
  const bool refused_before = push.answer.refused;
  push.answer.refused = false;
  Map fact{{"ref", utf8_or_escaped(move.ref)}, {"against", to_string(judged.how)}};
  if (judged.how == PushBase::no_common_base)
    refuse(push, move, "GH-GATE-001", "it shares no history with the default branch",
           "rebase it onto the default branch");
  else if (judged.how == PushBase::first_history)
    push.answer.say(
        fmt::format("{}: {} is the first history here: there is nothing to compare "
                    "with\n",
                    kProduct, printable(move.ref, 200)));
  else if (judged.base)
    GH_DO(judge_range(push, peeled, *judged.base, fact));
  fact.set("passed", !push.answer.refused);
  if (push.answer.refused && push.call.row.side == hooks::HookSide::server)
    audit_hook(push.call, push.repo, "hook.denied", "warn",
               Map{{"ref", utf8_or_escaped(move.ref)}, {"why", printable(push.answer.why, 400)}});
  else if (judged.base)
    push.answer.say(fmt::format("{}: allowed: {}\n", kProduct, printable(move.ref, 200)));
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

Result<Push> open_push(HookCall& call, const std::string& remote) {
  call.context.progress("reading the settings");
  GH_TRY(repo, open_to_read(call.context));
  Push out{call, std::move(repo)};
  out.def = default_branch(out.repo, remote);
  if (call.row.side == hooks::HookSide::work) {
    GH_TRY(config, hook_config(out.repo));
    out.config = std::move(config);
  } else if (out.def) {
    GH_TRY(config, config_at(out.repo, *out.def));
    out.config = std::move(config);
  }
  if (out.config.hooks.require_receipts) {
    GH_TRY(ledger, open_ledger_to_look(out.repo));
    out.ledger = std::move(ledger);
  }
  return out;
}

Status judge_all(Push& push, const std::vector<RefMove>& moves) {
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
  GH_TRY(push, open_push(call, {}));
  GH_DO(judge_all(push, moves));
  if (List options = push_options(call.context.env); !options.empty()) {
    audit_hook(call, push.repo, "hook.push_options", "info", Map{{"options", options}});
    push.answer.facts.set("push_options", std::move(options));
  }
  return std::move(push.answer);
}

}  // namespace

Result<HookAnswer> pre_push(HookCall& call) {
  GH_TRY(input, call.context.read_input(hooks::kMaxRefInput));
  GH_TRY(moves, hooks::read_pushed_refs(input));
  GH_TRY(push, open_push(call, call.words.empty() ? std::string() : call.words.front()));
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
