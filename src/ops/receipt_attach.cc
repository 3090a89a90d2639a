// `receipt attach` and `receipt trailers`: the receipt of a change goes with its commit.
#include "ops/receipt_attach.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/trailers.h"
#include "model/peek.h"
#include "ops/change_ops.h"
#include "ops/change_receipt.h"
#include "ops/members.h"
#include "ops/own_changes.h"
#include "ops/receipt_find.h"
#include "ops/receipt_notes.h"
#include "ops/run_text.h"
#include "runs/receipt_note.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxDiffBytes = 256u << 20;

tl::unexpected<Error> given_for_none(std::string_view what) {
  return fail(
      Code::unknown_id,
      fmt::format("no receipt was given for {}: commit what was finished, all of it and "
                  "nothing else, or name the receipt",
                  what),
      "If it was finished by nobody: git reset --soft HEAD~1, declare it ('gatehouse change "
      "start --analyze --continue-own-wip'), finish it, and commit that.");
}

/// The latest of those that were given for the patch. They say the same about it, each in its time.
Result<FoundReceipt> given_for(ChangeSession& session, const runs::PatchFacts& patch,
                               std::string_view what) {
  GH_TRY(fitting,
         receipts_for(session.repo, *session.ledger, [&] { return std::optional(patch); }));
  if (!fitting.empty()) return std::move(fitting.front());
  return given_for_none(what);
}

bool names_a_receipt(const git::Commit& commit) {
  return !trailers(commit.message, TrailerKey::receipt).empty();
}

Result<FoundReceipt> receipt_of(ChangeSession& session, const git::Commit& commit,
                                const std::string& named) {
  if (!named.empty()) return needed_receipt(session.repo, session.ledger.get(), {.named = named});
  if (names_a_receipt(commit))
    return needed_receipt(session.repo, session.ledger.get(), {.named = commit.id.hex()});
  GH_TRY(given, receipt_given_for(session.repo, *session.ledger, commit));
  if (given) return *std::move(given);
  return given_for_none("what commit " + commit.id.hex().substr(0, 12) + " changes");
}

/// What is staged; with nothing left to commit, what the last commit changes. While changed files
/// are not staged, nobody knows what the commit will hold: another receipt's lines would be wrong.
Result<FoundReceipt> receipt_at_hand(ChangeSession& session, Context& context) {
  GH_TRY(head, session.repo.objects().commit("HEAD"));
  GH_TRY(staged, own_staged(session.repo, head.id, kMaxDiffBytes));
  if (staged.diff.empty()) {
    GH_TRY(dirt, look_at_tree(session, context));
    if (!dirt.entries.empty())
      return fail(Code::bad_argument,
                  "nothing is staged, and files are changed: stage what the commit will hold "
                  "('git add'), or name a receipt or HEAD");
    return receipt_of(session, head, {});
  }
  GH_TRY(patch, patch_facts(session.repo, staged.diff));
  return given_for(session, patch, "what is staged");
}

Result<std::optional<Intent>> intent_of(ChangeSession& session, const Map& receipt) {
  const Value whole(receipt);
  const std::string id{Peek(whole)["subject"]["intent_id"].text()};
  if (id.empty()) return std::nullopt;
  return kept_intent(*session.ledger, id);
}

}  // namespace

Status attach_to_commit(ChangeSession& session, Context& context, const ObjectId& commit,
                        const std::string& digest, const Map& receipt) {
  GH_TRY(found, session.repo.objects().commit(commit.hex()));
  GH_TRY(facts, facts_of(session.repo, found, receipt));
  const runs::Binding binding = runs::binding_of(receipt, facts);
  if (binding == runs::Binding::other)
    return fail(Code::digest_mismatch,
                fmt::format("receipt {} was given for another change than commit {}", digest,
                            commit.hex().substr(0, 12)));
  GH_TRY(known, note_of(session.repo, commit));
  std::vector<std::string> strangers;  // a rebase copies notes also where a conflict was mended
  for (const runs::NotedReceipt& noted : runs::read_note(known)) {
    GH_TRY(others, facts_of(session.repo, found, noted.receipt));
    if (runs::binding_of(noted.receipt, others) == runs::Binding::other)
      strangers.push_back(noted.digest);
  }
  GH_DO(attach_receipt(session.repo, commit, receipt, binding == runs::Binding::rebound,
                       context.env.now(), strangers));
  store::AuditEvent event =
      audit_event(session, context,
                  {.event = "review_receipt.attached",
                   .receipt_digest = digest,
                   .status = std::string(to_string(binding)),
                   .facts = Map{{"commit", commit.hex()}, {"ref", kNotesRef}}});
  event.subject.set("commit", commit.hex());
  return session.ledger->append(event, store::Durability::durable);
}

Result<Reply> receipt_attach(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  const std::string named = request.has("COMMIT") ? request.text("COMMIT") : "HEAD";
  GH_TRY(commit, session.repo.objects().commit(named));
  GH_TRY(found, receipt_of(session, commit, request.text("receipt")));
  if (text_in(found.receipt, "decision") != "allow")
    return fail(Code::bad_argument,
                fmt::format("receipt {} lets nothing in; it goes with no commit", found.digest));
  GH_DO(attach_to_commit(session, context, commit.id, found.digest, found.receipt));
  GH_TRY(text, note_of(session.repo, commit.id));
  GH_TRY(facts, facts_of(session.repo, commit, found.receipt));
  const std::string binding(to_string(runs::binding_of(found.receipt, facts)));
  Reply reply;
  reply.document = framed("gatehouse.receipt_attached/1", Map{{"commit", commit.id.hex()},
                                                              {"receipt", found.digest},
                                                              {"ref", kNotesRef},
                                                              {"binding", binding},
                                                              {"note", text}});
  reply.text = [line = fmt::format("{} is attached to {} ({}) in {}\n", found.digest,
                                   commit.id.hex().substr(0, 12), binding,
                                   kNotesRef)](const report::Look&) { return line; };
  return reply;
}

Result<Reply> receipt_trailers(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  GH_TRY(found, request.has("RECEIPT") ? needed_receipt(session.repo, session.ledger.get(),
                                                        {.named = request.text("RECEIPT")})
                                       : receipt_at_hand(session, context));
  if (text_in(found.receipt, "kind") != "change" || text_in(found.receipt, "decision") != "allow")
    return fail(Code::bad_argument,
                fmt::format("receipt {} is not that of an accepted change", found.digest));
  GH_TRY(intent, intent_of(session, found.receipt));
  const std::vector<TrailerLine> lines = change_trailers(found.receipt, found.digest, intent);
  List list;
  for (const TrailerLine& line : lines)
    list.emplace_back(Map{{"key", line.key}, {"value", line.value}});
  Reply reply;
  reply.document = framed("gatehouse.receipt_trailers/1",
                          Map{{"receipt", found.digest}, {"trailers", std::move(list)}});
  reply.text = [text = printed(lines)](const report::Look&) { return text; };
  return reply;
}

}  // namespace gh::ops
