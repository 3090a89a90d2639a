// The hooks around a commit: judge what is staged, name the intent and the receipt in the message,
// bind the receipt to the commit.
#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "base/trailers.h"
#include "model/peek.h"
#include "ops/approvals.h"
#include "ops/change_ops.h"
#include "ops/change_receipt.h"
#include "ops/commit_stamps.h"
#include "ops/git_hook.h"
#include "ops/members.h"
#include "ops/own_changes.h"
#include "ops/patch_session.h"
#include "ops/receipt_attach.h"
#include "ops/receipt_find.h"
#include "ops/repo_config.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxMessage = 1u << 20, kMaxDiffBytes = 64u << 20, kReceiptsLookedAt = 20;

/// A repository beside a commit that is being made.
struct Committing {
  git::Repo repo;
  policy::Config config{};
  std::optional<git::Commit> head{};  // nothing: the first commit is made

  bool is_off() const { return config.hooks.mode == policy::HookMode::off; }
};

Result<Committing> open_committing(HookCall& call) {
  GH_TRY(repo, open_to_read(call.context));
  if (repo.is_bare()) return fail(Code::bad_argument, "a bare repository has nothing to commit");
  Committing out{std::move(repo)};
  if (auto head = out.repo.objects().commit("HEAD"))
    out.head = std::move(*head);
  else
    out.repo.objects().hang_up();
  GH_TRY(config, hook_config(out.repo, out.head));
  out.config = std::move(config);
  return out;
}

/// A hook that git could not hand its file to.
Result<std::string> message_file(const HookCall& call) {
  if (call.words.empty())
    return fail(Code::missing_argument, fmt::format("{} takes the message file", call.row.name));
  const std::string& named = call.words.front();
  return named.starts_with('/') ? named : fmt::format("{}/{}", call.context.cwd, named);
}

Status stamp(const Committing& at, Timestamp now) {
  GH_TRY(tree, at.repo.tree_of_index());
  return leave_stamp(at.repo, tree, at.head ? std::optional(at.head->id) : std::nullopt, now);
}

/// What is staged as one patch; nothing when there is none or it cannot be told.
std::optional<runs::PatchFacts> staged_patch(Committing& at) {
  if (!at.head) return std::nullopt;
  const auto staged = own_staged(at.repo, at.head->id, kMaxDiffBytes);
  if (!staged || staged->diff.empty()) return std::nullopt;
  auto facts = patch_facts(at.repo, staged->diff);
  return facts ? std::optional(std::move(*facts)) : std::nullopt;
}

/// The latest receipt that was given for what is staged.
std::optional<FoundReceipt> receipt_of_staged(Committing& at, store::Ledger& ledger) {
  auto fitting = receipts_for(at.repo, ledger, [&] { return staged_patch(at); });
  if (!fitting || fitting->empty()) return std::nullopt;
  return std::move(fitting->front());
}

/// Whoever works for a host declares what is changed. A person need not.
bool needs_intent(const HookCall& call, const Committing& at, bool has_intent) {
  return !call.agent.empty() && !has_intent && at.config.hooks.require_intent;
}

/// A finish has accepted just what is staged; on the base of its receipt every byte is the one that
/// was accepted. Then neither an intent that came later nor the next one of its author has a say.
bool is_accepted(HookCall& call, Committing& at) {
  const auto ledger = ledger_of(call, at.repo);
  if (!ledger || *ledger == nullptr) return false;
  std::optional<runs::PatchFacts> patch;
  const auto fitting = receipts_for(at.repo, **ledger, [&] { return patch = staged_patch(at); });
  if (!fitting || fitting->empty() || !patch) return false;
  const auto tree = at.repo.tree_of_index();
  if (!tree) return false;
  const runs::CommitFacts made{
      .tree = tree->hex(), .parents = {at.head->id.hex()}, .patches = {*patch}};
  return std::ranges::any_of(*fitting, [&](const FoundReceipt& found) {
    return runs::binding_of(found.receipt, made) != runs::Binding::other;
  });
}

/// The files of a change that a finish accepted, where they are staged byte for byte and others
/// with them. The latest one first; none: there is no such change.
std::vector<std::string> accepted_among_staged(HookCall& call, Committing& at) {
  const auto ledger = ledger_of(call, at.repo);
  if (!ledger || *ledger == nullptr) return {};
  const auto created = (*ledger)->audit_of_event("review_receipt.created");
  if (!created || created->empty()) return {};
  const auto patch = staged_patch(at);
  if (!patch) return {};
  const auto is_staged = [&](const Value& file) {
    return std::ranges::any_of(patch->blobs, [&](const runs::BlobChange& blob) {
      return Peek(file)["path"].text() == blob.path &&
             Peek(file)["old_blob"].text() == blob.before &&
             Peek(file)["new_blob"].text() == blob.after;
    });
  };
  std::size_t left = kReceiptsLookedAt;
  for (auto row = created->rbegin(); row != created->rend() && left > 0; ++row, --left) {
    const auto found =
        find_receipt(at.repo, *ledger, {.named = text_in(row->event.subject, "receipt_digest")});
    if (!found || found->status != Lookup::ok || text_in(found->receipt, "decision") != "allow")
      continue;
    const Value whole(found->receipt);
    const List& files = Peek(whole)["inputs"][runs::kChangedBlobs].list();
    if (files.empty() || !std::ranges::all_of(files, is_staged)) continue;
    std::vector<std::string> out;
    for (const Value& file : files)
      out.emplace_back(Peek(file)["path"].text());
    return out;
  }
  return {};
}

/// What is said in the place of a judgement that would have others' files declared: only what was
/// accepted can go in, alone.
std::string accepted_alone(const std::vector<std::string>& files) {
  std::string words;
  for (const std::string& path : files)
    words += " " + path_word(path);
  return fmt::format(
      "{}: GH-INTENT-001: more is to be committed than was accepted: your receipt covers{}, and "
      "this session has declared nothing else\n  = next: commit that alone: git commit{}\n",
      kProduct, words, words);
}

/// The trailers of an accepted change that is being committed; else those of the intent that is
/// still at work.
std::vector<std::string> lines_for(HookCall& call, Committing& at) {
  std::vector<std::string> out;
  const auto add = [&](const std::vector<TrailerLine>& lines) {
    for (const TrailerLine& line : lines)
      out.push_back(fmt::format("{}: {}", line.key, line.value));
  };
  const auto ledger = ledger_of(call, at.repo);
  if (ledger && *ledger != nullptr) {
    if (const auto found = receipt_of_staged(at, **ledger)) {
      const Value whole(found->receipt);
      const std::string id{Peek(whole)["subject"]["intent_id"].text()};
      const auto intent = kept_intent(**ledger, id);
      add(change_trailers(found->receipt, found->digest, intent ? *intent : std::nullopt));
      return out;
    }
  }
  const std::vector<Intent>& own = intents_of_caller(call);
  if (own.size() == 1) {
    out.push_back(fmt::format("{}: {}", to_string(TrailerKey::intent), own.front().id));
    if (!own.front().agent_label.empty())
      out.push_back(fmt::format("{}: {}", to_string(TrailerKey::agent), own.front().agent_label));
  }
  return out;
}

/// Lines that git will cut away do not count.
std::string without_comments(std::string_view message) {
  std::string out;
  for (const std::string_view line : split(message, '\n')) {
    if (line.starts_with("# ------------------------ >8 ------------------------")) break;
    if (!line.starts_with('#')) out.append(line).append("\n");
  }
  return out;
}

/// What is wrong with the trailers of a message; empty: nothing.
Result<std::string> trailer_mismatch(HookCall& call, Committing& at, const std::string& message) {
  const auto intents = trailers(message, TrailerKey::intent),
             receipts = trailers(message, TrailerKey::receipt);
  if (receipts.empty() && claims_acceptance(message))
    return fmt::format("the message says {} and names no receipt", to_string(TrailerKey::decision));
  if (intents.empty() && receipts.empty()) return std::string();
  for (const auto& [key, values] :
       {std::pair{TrailerKey::intent, intents}, {TrailerKey::receipt, receipts}})
    if (values.size() > 1)
      return fmt::format("{} stands there {} times", to_string(key), values.size());
  GH_TRY(ledger, ledger_of(call, at.repo));
  if (ledger == nullptr) return std::string("nothing was ever declared in this repository");
  if (!intents.empty()) {
    const std::vector<Intent>& own = intents_of_caller(call);
    const bool is_own = std::ranges::find(own, intents.front(), &Intent::id) != own.end();
    GH_TRY(kept, kept_intent(*ledger, intents.front()));
    if (!is_own && !kept)
      return fmt::format("{} names {}, which nobody has declared", to_string(TrailerKey::intent),
                         printable(intents.front(), 140));
  }
  if (receipts.empty()) return std::string();
  GH_TRY(found, find_receipt(at.repo, ledger, {.named = receipts.front()}));
  if (found.status != Lookup::ok)
    return fmt::format("{} {}: {}", to_string(TrailerKey::receipt),
                       printable(receipts.front(), 100), found.message);
  const Value whole(found.receipt);
  const std::string of{Peek(whole)["subject"]["intent_id"].text()};
  if (!intents.empty() && !of.empty() && of != intents.front())
    return fmt::format("the receipt was given for {}, the message names {}", of,
                       printable(intents.front(), 140));
  const auto patch = staged_patch(at);
  const bool is_it =
      !patch || runs::binding_of(found.receipt, {.patches = {*patch}}) != runs::Binding::other;
  return is_it ? std::string()
               : fmt::format("{} was given for another change than the one that is staged",
                             printable(receipts.front(), 100));
}

/// Claims that the last run does not bear out, as warnings: most messages make none.
void warn_of_claims(HookCall& call, const std::string& message, HookAnswer& answer) {
  Context quiet = call.context;
  quiet.read_input = [&](std::size_t) { return Result<std::string>(message); };
  RawRequest raw{.options = {{"require-citations", {"false"}}}, .operands = {"-"}};
  const auto request = Request::make(*find_operation("claim check"), std::move(raw));
  if (!request) return;
  const auto reply = check_claims(*request, quiet);
  if (!reply || reply->exit == ExitCode::done) return;  // no run, no claim, or a true one
  answer.say(fmt::format("{}: the message claims more than the last run shows: {}\n", kProduct,
                         printable(reply->why, 300)));
}

/// Whoever commits without the hook leaves no stamp.
void mark_unverified(HookCall& call, Committing& at, HookAnswer& answer) {
  const git::Commit& commit = *at.head;
  if (commit.parents.size() > 1) return;  // a merge that git made by itself
  const auto parent = commit.parents.empty() ? std::nullopt : std::optional(commit.parents.front());
  if (has_stamp(at.repo, commit.tree, parent)) return;
  const auto amended = at.repo.objects().commit("HEAD@{1}");
  if (!amended) at.repo.objects().hang_up();
  if (amended && has_stamp(at.repo, commit.tree, amended->id)) return;
  audit_hook(call, at.repo, "hook.bypass", "warn",
             Map{{"commit", commit.id.hex()}, {"status", "unverified"}});
  answer.facts.set("unverified", commit.id.hex());
  answer.say(
      fmt::format("{}: commit {} did not pass the pre-commit hook: it is unverified until it "
                  "is pushed\n",
                  kProduct, commit.id.hex().substr(0, 12)));
}

Status bind_receipt(HookCall& call, const git::Commit& commit, HookAnswer& answer) {
  const auto named = trailers(commit.message, TrailerKey::receipt);
  if (named.empty()) return {};
  GH_TRY(session, open_change_session(call.request, call.context));
  GH_TRY(found, needed_receipt(session.repo, session.ledger.get(), {.named = named.front()}));
  GH_DO(attach_to_commit(session, call.context, commit.id, found.digest, found.receipt));
  answer.facts.set("receipt", found.digest);
  return {};
}

}  // namespace

Result<HookAnswer> pre_commit(HookCall& call) {
  HookAnswer answer;
  call.context.progress("reading the settings");
  GH_TRY(at, open_committing(call));
  if (at.is_off()) return answer;
  if (!at.head) {
    GH_DO(stamp(at, call.context.env.now()));
    answer.say(fmt::format("{}: the first commit has nothing to be compared with\n", kProduct));
    return answer;
  }
  call.context.progress("asking whose change this is");
  std::map<std::string, std::vector<std::string>, std::less<>> options{{"staged", {"true"}},
                                                                       {"gates", {"patch,scope"}}};
  const std::vector<Intent>& own = intents_of_caller(call);
  if (own.size() == 1) options["intent"] = {own.front().id};
  const CheckOrders orders{.intent_required = needs_intent(call, at, !own.empty()),
                           .approved = read_approvals(at.repo).fresh,
                           .is_accepted = [&] { return is_accepted(call, at); }};
  call.context.progress("judging what is staged");
  GH_TRY(reply, check_for_hook(call, std::move(options), {}, orders));
  if (reply.exit != ExitCode::done) {
    answer.refused = true;
    answer.why = reply.why;
    const std::vector<std::string> accepted =
        orders.intent_required ? accepted_among_staged(call, at) : std::vector<std::string>();
    if (accepted.empty())
      answer.parts.push_back(reply.text);
    else
      answer.say(accepted_alone(accepted));
    soften(call, at.repo, at.config.hooks, answer);
  }
  call.context.progress("leaving the stamp");
  if (!answer.refused && answer.why.empty()) GH_DO(stamp(at, call.context.env.now()));
  if (answer.facts.find("bypassed") != nullptr) GH_DO(stamp(at, call.context.env.now()));
  return answer;
}

Result<HookAnswer> prepare_commit_msg(HookCall& call) {
  HookAnswer answer;
  GH_TRY(file, message_file(call));
  GH_TRY(at, open_committing(call));
  if (at.is_off()) return answer;
  std::vector<std::string> lines = lines_for(call, at);
  if (!call.reason.empty() && call.agent.empty())
    lines.push_back(fmt::format("{}: bypassed", to_string(TrailerKey::decision)));
  if (lines.empty()) return answer;
  GH_TRY(message, sys::read_file(file, kMaxMessage));
  GH_TRY(with, at.repo.with_trailers(message, lines));
  GH_DO(sys::write_file_atomic(file, with));
  answer.facts.set("trailers", string_list(lines));
  return answer;
}

Result<HookAnswer> commit_msg(HookCall& call) {
  HookAnswer answer;
  GH_TRY(file, message_file(call));
  GH_TRY(at, open_committing(call));
  if (at.is_off()) return answer;
  GH_TRY(raw, sys::read_file(file, kMaxMessage));
  const std::string message = without_comments(raw);
  GH_TRY(mismatch, trailer_mismatch(call, at, message));
  if (!mismatch.empty()) {
    answer.refused = true;
    answer.why = mismatch;
    answer.say(
        fmt::format("error: {}\n  = next: take the trailer out of the message; the hook "
                    "writes the right one\n",
                    mismatch));
    soften(call, at.repo, at.config.hooks, answer);
    return answer;
  }
  warn_of_claims(call, message, answer);
  return answer;
}

Result<HookAnswer> post_commit(HookCall& call) {
  HookAnswer answer;
  GH_TRY(at, open_committing(call));
  if (at.is_off() || !at.head) return answer;
  answer.facts.set("commit", at.head->id.hex());
  mark_unverified(call, at, answer);
  GH_DO(spend_approvals(at.repo, *at.head));
  drop_old_stamps(at.repo, call.context.env.now());
  GH_DO(bind_receipt(call, *at.head, answer));
  return answer;
}

}  // namespace gh::ops
