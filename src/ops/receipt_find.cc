#include "ops/receipt_find.h"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "base/text.h"
#include "base/trailers.h"
#include "control/patch_trail.h"
#include "diff/places.h"
#include "model/peek.h"
#include "ops/members.h"
#include "ops/own_changes.h"
#include "ops/proposal_mirror.h"
#include "ops/receipt_notes.h"
#include "patch/gates.h"
#include "runs/receipt.h"
#include "runs/receipt_note.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxDiffBytes = 256u << 20;

struct LookupRow {
  std::string_view name;
  ExitCode exit;
  Code code;  // for whoever can do nothing without the receipt
  std::string_view next;
};
// clang-format off
// table: lookups of a receipt
constexpr std::array<LookupRow, kLookupCount> kLookups{{
    {"ok",                           ExitCode::done,  Code::unknown_id,       ""},
    {"not_found",                    ExitCode::usage, Code::unknown_id,       "Name the digest that finish printed. In a clone, fetch the notes first: git fetch origin refs/notes/gatehouse:refs/notes/gatehouse."},
    {"ambiguous",                    ExitCode::usage, Code::unknown_id,       "Name one of the candidates by its digest."},
    {"digest_mismatch",              ExitCode::input, Code::digest_mismatch,  "Do not rely on it: what is kept was changed, or belongs to another change. 'gatehouse audit verify' tells whether the ledger holds."},
    {"malformed_stored_receipt",     ExitCode::input, Code::input_unreadable, "What is kept under that digest is no receipt. 'gatehouse db check' and a backup are next."},
    {"malformed_stored_patch_trail", ExitCode::input, Code::input_unreadable, "What is kept is no patch trail. 'gatehouse db check' and a backup are next."},
    {"unsupported_format",           ExitCode::usage, Code::bad_argument,     "Markdown is there for receipts of changes alone: leave --format out."},
}};
// clang-format on

const LookupRow& row_of(Lookup status) { return kLookups[static_cast<std::size_t>(status)]; }

FoundReceipt found_none(Lookup status, std::string message) {
  return {.status = status, .message = std::move(message)};
}

bool is_digest(std::string_view text) {
  if (text.starts_with("sha256:")) text.remove_prefix(7);
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}
std::string tagged(const std::string& digest) {
  return digest.starts_with("sha256:") ? digest : "sha256:" + digest;
}

std::string trailer_of(std::string_view message) {
  const std::vector<std::string> named = trailers(message, TrailerKey::receipt);
  return named.size() == 1 && is_digest(named.front()) ? named.front() : std::string();
}

Result<std::optional<Value>> mirrored(git::Repo& repo, std::string_view digest) {
  const auto commit = repo.objects().commit(std::string(kReceiptsRef));
  if (!commit) return std::nullopt;
  const std::string_view hex = digest.substr(digest.find(':') + 1);
  GH_TRY(entry, patch::find_entry(repo.objects(), commit->tree,
                                  fmt::format("{}/{}.json", hex.substr(0, 2), hex)));
  if (!entry) return std::nullopt;
  GH_TRY(bytes, repo.objects().blob(entry->id));
  auto value = wire::read_own_json(bytes, "receipt");
  return std::optional(value ? std::move(*value) : Value());  // null: it is no document
}

/// A document that cannot be read is one that is malformed; a ledger that cannot be read is a
/// fault.
Result<std::optional<Value>> stored(store::Ledger* ledger, std::string_view digest) {
  if (ledger == nullptr) return std::nullopt;
  auto kept = ledger->document(digest);
  if (kept) return kept;
  if (const auto lives = ledger->last_seq(); !lives) return tl::make_unexpected(kept.error());
  return std::optional(Value());
}

/// What is kept under a digest, with its shape and its digest checked.
FoundReceipt checked(const Value& document, const std::string& digest) {
  const Map* receipt = document.as_map();
  const Peek r(document);
  const bool is_one = receipt != nullptr && r["schema"].text() == "gatehouse.receipt/1" &&
                      !r["kind"].text().empty() && !r["body"].map().empty();
  if (!is_one)
    return found_none(Lookup::malformed_stored_receipt,
                      fmt::format("what is kept as {} is no receipt", digest));
  if (runs::receipt_digest(*receipt) != digest)
    return found_none(Lookup::digest_mismatch,
                      fmt::format("what is kept as receipt {} has another digest", digest));
  return {.receipt = *receipt, .digest = digest};
}

Result<FoundReceipt> by_digest(git::Repo& repo, store::Ledger* ledger, const std::string& digest) {
  GH_TRY(document, stored(ledger, digest));
  const bool is_kept = document.has_value();
  if (!is_kept) {
    GH_TRY(copy, mirrored(repo, digest));
    document = std::move(copy);
  }
  if (!document)
    return found_none(Lookup::not_found, fmt::format("there is no receipt {}", digest));
  FoundReceipt found = checked(*document, digest);
  found.is_kept = is_kept;
  return found;
}

Status bind(git::Repo& repo, const git::Commit& commit, FoundReceipt& found) {
  GH_TRY(facts, facts_of(repo, commit, found.receipt));
  found.commit = commit.id.hex();
  found.binding = runs::binding_of(found.receipt, facts);
  if (found.binding != runs::Binding::other) return {};
  found.status = Lookup::digest_mismatch;
  found.message = fmt::format("commit {} names receipt {}, which was given for another change",
                              found.commit.substr(0, 12), found.digest);
  return {};
}

/// The receipts in the commit's note that were given for what it holds.
Result<FoundReceipt> by_note(git::Repo& repo, store::Ledger* ledger, const git::Commit& commit,
                             const std::string& wanted, const std::string& notes) {
  GH_TRY(text, note_of(repo, commit.id, notes));
  std::vector<FoundReceipt> fitting;
  std::optional<FoundReceipt> foreign;
  bool has_others = false;
  for (runs::NotedReceipt& noted : runs::read_note(text)) {
    if (!wanted.empty() && noted.digest != wanted) {
      has_others = true;
      continue;
    }
    FoundReceipt found{.receipt = std::move(noted.receipt), .digest = noted.digest};
    GH_TRY(kept, by_digest(repo, ledger, noted.digest));
    found.is_kept = kept.status == Lookup::ok && kept.is_kept;
    GH_DO(bind(repo, commit, found));
    if (found.status == Lookup::ok)
      fitting.push_back(std::move(found));
    else
      foreign = std::move(found);
  }
  if (fitting.size() == 1) return std::move(fitting.front());
  if (fitting.empty() && foreign) return *std::move(foreign);
  if (fitting.empty() && has_others)
    return found_none(Lookup::digest_mismatch,
                      fmt::format("the note of commit {} holds no receipt with the digest {} that "
                                  "the commit names: what it holds was changed, or was given for "
                                  "something else",
                                  commit.id.hex().substr(0, 12), wanted));
  if (fitting.empty())
    return found_none(
        Lookup::not_found,
        wanted.empty()
            ? fmt::format(
                  "commit {} names no receipt, and no note has one: nobody has attached one, "
                  "or refs/notes/gatehouse was not fetched",
                  commit.id.hex())
            : fmt::format("there is no receipt {}", wanted));
  FoundReceipt out =
      found_none(Lookup::ambiguous, fmt::format("{} receipts were given for what commit {} holds",
                                                fitting.size(), commit.id.hex().substr(0, 12)));
  for (const FoundReceipt& one : fitting)
    out.candidates.push_back(one.digest);
  return out;
}

Result<FoundReceipt> by_commit(git::Repo& repo, store::Ledger* ledger, const git::Commit& commit,
                               const std::string& notes) {
  const std::string named = trailer_of(commit.message);
  if (named.empty()) return by_note(repo, ledger, commit, {}, notes);
  const std::string digest = tagged(named);
  GH_TRY(found, by_digest(repo, ledger, digest));
  if (found.status == Lookup::not_found) return by_note(repo, ledger, commit, digest, notes);
  if (found.status == Lookup::ok) GH_DO(bind(repo, commit, found));
  return std::move(found);
}

constexpr std::string_view kCreated = "review_receipt.created";

/// Digests that rows of the chain name whose subject fits, the latest first.
std::vector<std::string> told(const std::vector<store::AuditRow>& rows,
                              const std::function<bool(const store::AuditRow&)>& fits) {
  std::vector<std::string> out;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (!fits(*row)) continue;
    const std::string digest = text_in(row->event.subject, "receipt_digest");
    if (!digest.empty() && std::ranges::find(out, digest) == out.end()) out.push_back(digest);
  }
  return out;
}

Result<std::vector<store::AuditRow>> rows_of_receipts(store::Ledger* ledger) {
  if (ledger == nullptr) return std::vector<store::AuditRow>();
  return ledger->audit_of_event(kCreated);
}

Result<FoundReceipt> by_subject(git::Repo& repo, store::Ledger* ledger,
                                const ReceiptQuestion& question) {
  const auto fits = [&](const store::AuditRow& row) {
    const std::string run = text_in(row.event.subject, "run_id");
    const std::string intent = text_in(row.event.subject, "intent_id");
    return (question.run.empty() || run.starts_with(question.run)) &&
           (question.intent.empty() || intent == question.intent);
  };
  GH_TRY(rows, rows_of_receipts(ledger));
  std::vector<std::string> digests = told(rows, fits);
  const std::string of = question.run.empty() ? "intent " + printable(question.intent, 140)
                                              : "run " + printable(question.run, 64);
  if (digests.empty())
    return found_none(Lookup::not_found, fmt::format("no receipt was made of {}", of));
  if (digests.size() == 1) return by_digest(repo, ledger, digests.front());
  FoundReceipt out =
      found_none(Lookup::ambiguous, fmt::format("{} receipts were made of {}", digests.size(), of));
  out.candidates = std::move(digests);
  return out;
}

}  // namespace

Result<bool> is_spent_before(git::Repo& repo, const git::Commit& commit,
                             const FoundReceipt& found) {
  if (found.binding != runs::Binding::rebound || commit.parents.empty()) return false;
  const Value whole(found.receipt);
  const auto base = ObjectId::parse(Peek(whole)["subject"]["base"].text());
  if (!base || !repo.objects().commit(base->hex())) {
    repo.objects().hang_up();
    return false;
  }
  return repo.is_said_between(*base, commit.parents.front(),
                              fmt::format("{}: {}", to_string(TrailerKey::receipt), found.digest));
}

std::string_view to_string(Lookup status) { return row_of(status).name; }
ExitCode exit_code(Lookup status) { return row_of(status).exit; }
std::string_view next_step(Lookup status) { return row_of(status).next; }

namespace {

std::vector<std::string> places_in(git::Repo& repo, const diff::FileHunks& changed) {
  const auto id = ObjectId::parse(changed.file.before);
  if (changed.hunks.empty() || !id) return {};  // without lines, or all of it is new
  std::vector<diff::Place> places(changed.hunks.size());
  if (const auto content = repo.objects().blob(*id))
    places = diff::places_of(changed.hunks, *content);
  if (std::ranges::all_of(places, [](const diff::Place& place) { return place.fits == 1; }))
    return {};
  std::vector<std::string> out;
  for (const diff::Place& place : places)
    out.push_back(place.fits == 0 ? std::string(runs::kNoPlace)
                                  : fmt::format("{} of {}", place.before + 1, place.fits));
  return out;
}

}  // namespace

std::vector<runs::BlobChange> blobs_of(git::Repo& repo, std::string_view diff) {
  std::vector<runs::BlobChange> out;
  for (diff::FileHunks& changed : diff::hunks_of(diff)) {
    std::vector<std::string> places = places_in(repo, changed);
    out.push_back({utf8_or_escaped(changed.file.path), std::move(changed.file.before),
                   std::move(changed.file.after), std::move(places)});
  }
  return out;
}

Result<runs::PatchFacts> patch_facts(git::Repo& repo, std::string_view diff) {
  GH_TRY(id, repo.stable_patch_id(diff));
  return runs::PatchFacts{std::move(id), runs::changed_lines_sha256(diff), blobs_of(repo, diff)};
}

Result<runs::CommitFacts> facts_of(git::Repo& repo, const git::Commit& commit, const Map& receipt) {
  runs::CommitFacts out{.tree = commit.tree.hex()};
  for (const ObjectId& parent : commit.parents)
    out.parents.push_back(parent.hex());
  if (runs::binding_of(receipt, out) == runs::Binding::exact) return out;
  const auto add = [&](const std::string& from) -> Status {
    ObjectId tree = ObjectId::of(repo.hash_kind(), "tree", "");  // of a first commit: everything
    if (!from.empty()) {
      GH_TRY(before, repo.objects().commit(from));
      tree = before.tree;
    }
    GH_TRY(diff, repo.diff_trees(tree, commit.tree, kMaxDiffBytes));
    GH_TRY(patch, patch_facts(repo, diff));
    out.patches.push_back(std::move(patch));
    return {};
  };
  const std::string parent = out.parents.empty() ? std::string() : out.parents.front();
  GH_DO(add(parent));
  if (commit.parents.size() > 1) {  // whoever mends a conflict answers for that alone
    GH_TRY(own, own_diff(repo, commit, kMaxDiffBytes));
    GH_TRY(patch, patch_facts(repo, own));
    if (!own.empty()) out.patches.push_back(std::move(patch));
  }
  // A change that was committed in several steps is whole in the last of them.
  const Value whole(receipt);
  const std::string base{Peek(whole)["subject"]["base"].text()};
  if (base.empty() || base == parent || !repo.objects().commit(base)) return out;
  GH_TRY(is_below, repo.contains(commit.id.hex(), base));
  if (is_below) GH_DO(add(base));
  return out;
}

Result<FoundReceipt> find_receipt(git::Repo& repo, store::Ledger* ledger,
                                  const ReceiptQuestion& question) {
  if (!question.run.empty() || !question.intent.empty()) return by_subject(repo, ledger, question);
  if (question.named.empty())
    return fail(Code::artifact_key_required, "name a receipt by its digest, a commit or --run");
  // A commit of a SHA-256 repository has as many digits as a digest.
  if (const auto commit = repo.objects().commit(question.named); commit) {
    const bool may_be_digest = is_digest(question.named) && trailer_of(commit->message).empty();
    if (!may_be_digest) return by_commit(repo, ledger, *commit, question.notes);
  }
  if (is_digest(question.named)) return by_digest(repo, ledger, tagged(question.named));
  return found_none(Lookup::not_found,
                    fmt::format("'{}' is neither a receipt digest nor a commit that names one",
                                printable(question.named, 120)));
}

Result<FoundReceipt> needed_receipt(git::Repo& repo, store::Ledger* ledger,
                                    const ReceiptQuestion& question) {
  GH_TRY(found, find_receipt(repo, ledger, question));
  if (found.status == Lookup::ok) return std::move(found);
  std::string message = found.message;
  if (!found.candidates.empty()) message += ": " + join(found.candidates, ", ");
  return fail(row_of(found.status).code, std::move(message), std::string(next_step(found.status)));
}

Result<FoundTrail> trail_of(store::Ledger* ledger, const FoundReceipt& found) {
  const FoundTrail none{.status = Lookup::not_found,
                        .message = fmt::format("no patch trail is kept for {}", found.digest)};
  if (ledger == nullptr) return none;
  GH_TRY(rows, ledger->audit_of_event("patch_trail.computed"));
  std::string digest;
  for (const store::AuditRow& row : rows)
    if (text_in(row.event.subject, "receipt_digest") == found.digest)
      digest = text_in(row.event.subject, "patch_trail_digest");
  if (digest.empty()) return none;
  GH_TRY(document, stored(ledger, digest));
  const Map* trail = document ? document->as_map() : nullptr;
  if (trail == nullptr || text_in(*trail, "schema_version").empty())
    return FoundTrail{.status = Lookup::malformed_stored_patch_trail,
                      .message = fmt::format("what is kept as {} is no patch trail", digest)};
  if (control::patch_trail_digest(*trail) != digest)
    return FoundTrail{.status = Lookup::digest_mismatch,
                      .message = fmt::format("the patch trail {} has another digest", digest)};
  return FoundTrail{.trail = *trail};
}

Result<std::vector<FoundReceipt>> receipts_for(git::Repo& repo, store::Ledger& ledger,
                                               const PatchQuestion& ask) {
  std::vector<FoundReceipt> out;
  GH_TRY(rows, rows_of_receipts(&ledger));
  if (rows.empty()) return out;
  const std::optional<runs::PatchFacts> patch = ask();
  if (!patch) return out;
  const auto may_fit = [&](const store::AuditRow& row) {
    // A payload may be gone by age; then the receipt itself is asked.
    const std::string said = text_in(row.event.payload, "stable_patch_id");
    return said.empty() || said == patch->stable_id;
  };
  for (const std::string& digest : told(rows, may_fit)) {
    GH_TRY(found, by_digest(repo, &ledger, digest));
    if (found.status != Lookup::ok) continue;
    const bool is_it =
        runs::binding_of(found.receipt, {.patches = {*patch}}) != runs::Binding::other;
    if (is_it && text_in(found.receipt, "decision") == "allow") out.push_back(std::move(found));
  }
  return out;
}

Result<std::optional<FoundReceipt>> receipt_given_for(git::Repo& repo, store::Ledger& ledger,
                                                      const git::Commit& commit) {
  GH_TRY(facts, facts_of(repo, commit, {}));
  for (const runs::PatchFacts& patch : facts.patches) {
    GH_TRY(fitting, receipts_for(repo, ledger, [&] { return std::optional(patch); }));
    if (!fitting.empty()) return std::optional(std::move(fitting.front()));
  }
  const std::vector<std::string> intents = trailers(commit.message, TrailerKey::intent);
  if (intents.size() != 1) return std::nullopt;
  GH_TRY(rows, rows_of_receipts(&ledger));
  for (const std::string& digest : told(rows, [&](const store::AuditRow& row) {
         return text_in(row.event.subject, "intent_id") == intents.front();
       })) {
    GH_TRY(found, by_digest(repo, &ledger, digest));
    if (found.status != Lookup::ok || text_in(found.receipt, "decision") != "allow") continue;
    GH_TRY(whole, facts_of(repo, commit, found.receipt));
    if (runs::binding_of(found.receipt, whole) != runs::Binding::other)
      return std::optional(std::move(found));
  }
  return std::nullopt;
}

}  // namespace gh::ops
