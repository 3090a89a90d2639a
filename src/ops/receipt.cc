// `receipt show`, `receipt verify` and `receipt export`.
#include "runs/receipt.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "control/patch_trail.h"
#include "control/receipt_body.h"
#include "model/peek.h"
#include "ops/members.h"
#include "ops/patch_session.h"
#include "ops/proposal_ops.h"
#include "ops/receipt_find.h"
#include "ops/receipt_trust.h"
#include "ops/repo_config.h"
#include "ops/run_text.h"
#include "ops/signing.h"
#include "runs/attestation.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxReceiptBytes = 16u << 20, kMaxAllowedBytes = 1u << 20;

/// Where receipts are looked for.
struct Archive {
  git::Repo repo;
  std::unique_ptr<store::Ledger> ledger;  // null: nothing was ever recorded here
};
Result<Archive> open_archive(Context& context) {
  GH_TRY(repo, open_to_read(context));
  GH_TRY(ledger, open_ledger_to_read(repo, context.env));
  return Archive{std::move(repo), std::move(ledger)};
}

Result<FoundReceipt> needed(Context& context, const std::string& name) {
  GH_TRY(archive, open_archive(context));
  return needed_receipt(archive.repo, archive.ledger.get(), {.named = name});
}

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

/// The frame of an answer that is not the receipt itself.
Map lookup_document(const FoundReceipt& found, const Request& request) {
  return Map{{"status", to_string(found.status)},
             {"message", text_or_null(found.message)},
             {"next_step", text_or_null(std::string(next_step(found.status)))},
             {"receipt_digest", text_or_null(found.digest)},
             {"commit", text_or_null(found.commit)},
             {"part", request.flag("trail") ? "patch_trail" : "receipt"},
             {"format", request.text("format") == "markdown" ? "markdown" : "structured"},
             {"candidates", string_list(found.candidates)},
             {"content", nullptr}};
}

Reply not_shown(const FoundReceipt& found, const Request& request) {
  Reply reply;
  reply.document = framed("gatehouse.receipt_lookup/1", lookup_document(found, request));
  reply.exit = exit_code(found.status);
  reply.why = found.message;
  reply.text = [found](const report::Look&) {
    std::string out = fmt::format("{}: {}\n", to_string(found.status), found.message);
    for (const std::string& candidate : found.candidates)
      out += fmt::format("  {}\n", candidate);
    return out + fmt::format("Next: {}\n", next_step(found.status));
  };
  return reply;
}

Reply shown_as_markdown(const FoundReceipt& found, const Request& request) {
  const std::string content = control::receipt_markdown(*found.receipt.find("body")->as_map());
  Map document = lookup_document(found, request);
  document.set("content", content);
  Reply reply;
  reply.document = framed("gatehouse.receipt_lookup/1", std::move(document));
  reply.text = [content](const report::Look&) { return content; };
  return reply;
}

Reply shown(Map document) {
  Reply reply;
  reply.document = document;
  reply.text = [document = std::move(document)](const report::Look&) {
    return wire::pretty_json(document);
  };
  return reply;
}

Result<ReceiptQuestion> question_of(const Request& request) {
  ReceiptQuestion out{.named = request.text("RECEIPT"),
                      .run = request.text("run"),
                      .intent = request.text("intent")};
  const int keys =
      (out.named.empty() ? 0 : 1) + (out.run.empty() ? 0 : 1) + (out.intent.empty() ? 0 : 1);
  if (keys > 1)
    return fail(Code::bad_argument, "name a receipt, or --run, or --intent; one of them");
  return out;
}

}  // namespace

Result<Reply> receipt_show(const Request& request, Context& context) {
  GH_TRY(question, question_of(request));
  GH_TRY(archive, open_archive(context));
  if (question.run == "latest" && archive.ledger != nullptr) {
    GH_TRY(rows, archive.ledger->analysis_runs(
                     {.root = utf8_or_escaped(archive.repo.root()), .limit = 1}));
    if (!rows.empty()) question.run = rows.front().run_id;
  }
  GH_TRY(found, find_receipt(archive.repo, archive.ledger.get(), question));
  const bool is_markdown = request.text("format") == "markdown";
  if (found.status == Lookup::ok && request.flag("trail")) {
    GH_TRY(trail, trail_of(archive.ledger.get(), found));
    if (trail.status == Lookup::ok && !is_markdown)
      return shown(framed("gatehouse.patch_trail/1",
                          Map{{"status", "ok"},
                              {"receipt_digest", found.digest},
                              {"patch_trail", control::trail_full(trail.trail)}}));
    found.status = trail.status == Lookup::ok ? Lookup::unsupported_format : trail.status;
    found.message = trail.status == Lookup::ok ? "a patch trail has no Markdown" : trail.message;
  }
  if (found.status == Lookup::ok && is_markdown && text_in(found.receipt, "kind") != "change") {
    found.status = Lookup::unsupported_format;
    found.message =
        fmt::format("a receipt of kind {} has no Markdown", text_in(found.receipt, "kind"));
  }
  if (found.status != Lookup::ok) return not_shown(found, request);
  return is_markdown ? shown_as_markdown(found, request) : shown(found.receipt);
}

namespace {

/// A receipt that is to be verified, wherever it comes from.
struct Claimed {
  std::string json{};
  bool is_kept = false;  // by this repository
  std::string commit{};
  std::optional<runs::Binding> binding{};
  std::optional<std::vector<std::string>> envelope{};  // keys that signed the one it came in
};

Result<Claimed> claimed_by(const Request& request, Context& context) {
  if (!request.has("file")) {
    if (!request.has("RECEIPT"))
      return fail(Code::missing_argument, "name a receipt, or --file FILE");
    GH_TRY(found, needed(context, request.text("RECEIPT")));
    return Claimed{wire::canonical_json(found.receipt), found.is_kept, found.commit, found.binding};
  }
  GH_TRY(bytes, sys::read_named_file(request.text("file"), kMaxReceiptBytes));
  Claimed out{.json = std::move(bytes)};
  GH_TRY(value, wire::read_own_json(out.json, "receipt"));
  if (value.as_map() == nullptr) return out;
  if (runs::is_envelope(value)) {
    GH_TRY(attested, runs::open_envelope(value));
    out.json = wire::canonical_json(attested.receipt);
    out.envelope = std::move(attested.signers);
    out.commit = std::move(attested.commit);
    value = std::move(attested.receipt);
  }
  // A file says what anybody may have written, unless our ledger keeps the same.
  const auto found = needed(context, runs::receipt_digest(*value.as_map()));
  out.is_kept = found && found->is_kept;
  return out;
}

std::string gate_at(git::Repo& repo, const std::string& revision, std::string_view signer,
                    Context& context) {
  const auto commit = repo.objects().commit(revision);
  const auto config = commit ? config_at(repo, *commit) : tl::make_unexpected(commit.error());
  return config ? gate_with_key(config->proposals, signer, context.env.now()) : std::string();
}

/// The gate that the usual target's policy knows by this key; empty also where there is no policy,
/// and where the very commit brings the key along.
std::string known_gate(const Claimed& claimed, std::string_view signer, Context& context) {
  auto repo = open_to_read(context);
  if (!repo || signer.empty()) return {};
  const auto target = usual_target(*repo);
  if (!target) return {};
  const std::string& commit = claimed.commit;
  const bool brings_it = !commit.empty() && !gate_at(*repo, commit, signer, context).empty() &&
                         gate_at(*repo, commit + "^", signer, context).empty();
  return brings_it ? std::string()
                   : gate_with_key(target->config.proposals, signer, context.env.now());
}

struct Trust {
  Voucher voucher = Voucher::nobody;
  std::string signer{}, gate{};
};

/// signature_invalid when the signature does not hold, or is by none of the keys that were named.
Result<Trust> trust_in(const Claimed& claimed, const Map& receipt, const Request& request,
                       Context& context) {
  GH_TRY(own_signer, runs::receipt_signer(receipt));
  // Who signed the envelope signed the whole of it.
  const std::vector<std::string> signers = claimed.envelope.value_or(std::vector{own_signer});
  std::vector<std::string> allowed;
  if (request.has("allowed")) {
    GH_TRY(lines, sys::read_named_file(request.text("allowed"), kMaxAllowedBytes));
    for (const std::string_view line : split(lines, '\n'))
      allowed.emplace_back(line);
  }
  // Of several, one that somebody knows is told.
  const auto known = std::ranges::find_if(signers, [&](const std::string& signer) {
    return request.has("allowed") ? runs::is_allowed_key(allowed, signer)
                                  : !known_gate(claimed, signer, context).empty();
  });
  const std::string signer = known != signers.end() ? *known : signers.front();
  Trust out{.signer = signer, .gate = known_gate(claimed, signer, context)};
  if (request.has("allowed")) {
    if (!claimed.envelope) GH_DO(runs::verify_receipt(claimed.json, allowed));
    if (!runs::is_allowed_key(allowed, out.signer))
      return fail(Code::signature_invalid, "the envelope is signed by a key that is not allowed");
    out.voucher = Voucher::allowed;
  } else if (!out.gate.empty()) {
    out.voucher = Voucher::policy;
  } else if (claimed.is_kept) {
    out.voucher = Voucher::ledger;
  }
  return out;
}

/// none, valid, or by a key that nobody named.
std::string_view signature_word(const Trust& trust) {
  if (trust.signer.empty()) return "none";
  const bool is_known = trust.voucher == Voucher::allowed || trust.voucher == Voucher::policy;
  return is_known ? "valid" : "signer_not_known";
}

std::string voucher_words(const Trust& trust) {
  switch (trust.voucher) {
    case Voucher::allowed:
      return "is signed by an allowed key";
    case Voucher::policy:
      return fmt::format("is signed by the gate {}", trust.gate);
    case Voucher::ledger:
      return fmt::format("is kept by this repository and holds together; {}",
                         trust.signer.empty()
                             ? "it is unsigned"
                             : "signature valid, signer not known: " + trust.signer);
    case Voucher::nobody:
      break;
  }
  return trust.signer.empty()
             ? "is unsigned and not kept by this repository: nothing vouches for it"
             : fmt::format("holds together; signature valid, signer not known: {}", trust.signer);
}

/// What a decision of the release gate says.
std::string decision_words(const Value& receipt) {
  if (text_in(receipt, "kind") != "release") return {};
  return fmt::format("; the release gate said {} ({})", printable(text_in(receipt, "status"), 60),
                     printable(text_in(receipt, "decision"), 60));
}

/// How the commit that was named stands to it.
std::string binding_words(const Claimed& claimed) {
  if (!claimed.binding) return {};
  const bool rebound = *claimed.binding == runs::Binding::rebound;
  return fmt::format("; commit {} holds the change it was given for{}",
                     claimed.commit.substr(0, 12), rebound ? ", on another base" : "");
}

}  // namespace

Result<Reply> receipt_verify(const Request& request, Context& context) {
  GH_TRY(claimed, claimed_by(request, context));
  GH_TRY(value, wire::read_own_json(claimed.json, "receipt"));
  if (value.as_map() == nullptr || text_in(value, "schema") != "gatehouse.receipt/1")
    return fail(Code::signature_invalid, "the document is no receipt of version 1");
  const std::string digest = runs::receipt_digest(*value.as_map());
  GH_TRY(trust, trust_in(claimed, *value.as_map(), request, context));
  const bool is_ok = trust.voucher != Voucher::nobody;
  const std::string next{next_step(trust.voucher, !trust.signer.empty())};
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.receipt_verification/1"},
                       {"ok", is_ok},
                       {"receipt", digest},
                       {"kind", text_in(value, "kind")},
                       {"envelope", claimed.envelope.has_value()},
                       {"decision", text_or_null(text_in(value, "decision"))},
                       {"kept", claimed.is_kept},
                       {"commit", text_or_null(claimed.commit)},
                       {"binding", claimed.binding ? Value(to_string(*claimed.binding)) : Value()},
                       {"rebound", claimed.binding == runs::Binding::rebound},
                       {"signature", signature_word(trust)},
                       {"signer", text_or_null(trust.signer)},
                       {"vouched_by", to_string(trust.voucher)},
                       {"next_step", text_or_null(next)}};
  const std::string says = fmt::format("{} {}{}{}", digest, voucher_words(trust),
                                       decision_words(value), binding_words(claimed));
  reply.text = [says, next](const report::Look&) {
    return next.empty() ? says + "\n" : fmt::format("{}\nNext: {}\n", says, next);
  };
  reply.exit = exit_code(is_ok ? Decision::allow : Decision::unverified, {},
                         {.exit_review = request.flag("exit-review")});
  if (!is_ok) reply.why = says;
  return reply;
}

Result<Reply> receipt_export(const Request& request, Context& context) {
  GH_TRY(found, needed(context, request.text("RECEIPT")));
  const std::string format = request.text("format");
  Map document = format == "json"       ? found.receipt
                 : format == "slsa-vsa" ? runs::verification_summary(found.receipt, found.commit)
                                        : runs::in_toto_statement(found.receipt, found.commit);
  if (format == "dsse" || request.flag("sign")) {
    GH_TRY(repo, open_to_read(context));
    GH_TRY(config, config_in_work_tree(repo));
    GH_TRY(key, read_signing_key(repo, config.store));
    if (!key)
      return fail(Code::signing_key_invalid,
                  "an envelope needs store.signing_key in gatehouse.yaml");
    GH_TRY(envelope, runs::dsse_envelope(document, *key));
    document = std::move(envelope);
  }
  return shown(std::move(document));
}

}  // namespace gh::ops
