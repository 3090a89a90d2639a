// `receipt show`, `receipt verify` and `receipt export`.
#include "runs/receipt.h"

#include <fmt/format.h>

#include "base/text.h"
#include "ops/members.h"
#include "ops/patch_session.h"
#include "ops/proposal_mirror.h"
#include "ops/proposal_ops.h"
#include "ops/repo_config.h"
#include "ops/signing.h"
#include "patch/gates.h"
#include "runs/attestation.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxReceiptBytes = 16u << 20, kMaxAllowedBytes = 1u << 20;

struct Found {
  Map receipt;
  std::string digest{}, commit{}, tree{};  // of the commit that was named, if it was one
  std::vector<std::string> parents{};
};

std::string trailer_of(std::string_view message) {
  const std::vector<std::string> named = trailers(message, "Gatehouse-Receipt");
  return named.size() == 1 ? named.front() : std::string();
}

Result<std::optional<Value>> mirrored_receipt(git::Repo& repo, std::string_view digest) {
  const auto commit = repo.objects().commit(kReceiptsRef);
  if (!commit) return std::nullopt;
  const std::string_view hex = digest.substr(digest.find(':') + 1);
  GH_TRY(entry, patch::find_entry(repo.objects(), commit->tree,
                                  fmt::format("{}/{}.json", hex.substr(0, 2), hex)));
  if (!entry) return std::nullopt;
  GH_TRY(bytes, repo.objects().blob(entry->id));
  GH_TRY(value, wire::read_own_json(bytes, "receipt"));
  return std::optional(std::move(value));
}

bool is_digest(std::string_view text) {
  if (text.starts_with("sha256:")) text.remove_prefix(7);
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

/// A message can be copied; base and result cannot. The commit of a promotion stands on its base, a
/// merge brings it in as its second parent.
bool is_receipt_of(const Found& found) {
  const auto member = [&](std::string_view outer, std::string_view inner) {
    const Value* map = found.receipt.find(outer);
    return map == nullptr ? std::string() : text_in(*map, inner);
  };
  const std::string result = member("subject", "tree"), base = member("subject", "base");
  if (found.parents.size() == 2) return found.tree == result;
  const std::string candidate = member("inputs", "candidate_tree");
  const bool same_tree = found.tree == (candidate.empty() ? result : candidate);
  return same_tree && found.parents == std::vector{base};
}

/// By digest, or by a commit whose trailer names it.
Result<Found> find_receipt(Context& context, const std::string& name) {
  GH_TRY(repo, open_to_read(context));
  Found found;
  found.digest = is_digest(name) ? (name.starts_with("sha256:") ? name : "sha256:" + name) : "";
  if (const auto commit = repo.objects().commit(name); commit) {
    const std::string named = trailer_of(commit->message);
    if (found.digest.empty() && named.empty())
      return fail(Code::unknown_id, fmt::format("commit {} names no receipt", commit->id.hex()));
    if (!named.empty()) {
      found.digest = named;
      found.commit = commit->id.hex();
      found.tree = commit->tree.hex();
      for (const ObjectId& parent : commit->parents)
        found.parents.push_back(parent.hex());
    }
  }
  if (found.digest.empty() || !is_digest(found.digest))
    return fail(Code::unknown_id, fmt::format("'{}' is neither a receipt digest nor a commit that "
                                              "names one",
                                              printable(name, 120)));
  std::optional<Value> document;
  GH_TRY(ledger, open_ledger_to_read(repo, context.env));
  if (ledger != nullptr) {
    GH_TRY(kept, ledger->document(found.digest));
    document = std::move(kept);
  }
  if (!document) {
    GH_TRY(copy, mirrored_receipt(repo, found.digest));
    document = std::move(copy);
  }
  if (!document || document->as_map() == nullptr)
    return fail(Code::unknown_id, fmt::format("there is no receipt {}", found.digest));
  found.receipt = *document->as_map();
  if (runs::receipt_digest(found.receipt) != found.digest)
    return fail(Code::digest_mismatch,
                fmt::format("what is kept as receipt {} has another digest", found.digest));
  if (!found.commit.empty() && !is_receipt_of(found))
    return fail(Code::digest_mismatch,
                fmt::format("commit {} names receipt {}, which was given for another change",
                            found.commit.substr(0, 12), found.digest));
  return found;
}

}  // namespace

Result<Reply> receipt_show(const Request& request, Context& context) {
  GH_TRY(found, find_receipt(context, request.text("RECEIPT")));
  Reply reply;
  reply.document = found.receipt;
  reply.text = [receipt = found.receipt](const report::Look&) {
    return wire::pretty_json(receipt);
  };
  return reply;
}

Result<Reply> receipt_verify(const Request& request, Context& context) {
  std::string json;
  if (request.has("file")) {
    GH_TRY(bytes, sys::read_named_file(request.text("file"), kMaxReceiptBytes));
    json = std::move(bytes);
  } else {
    if (!request.has("RECEIPT"))
      return fail(Code::missing_argument, "name a receipt, or --file FILE");
    GH_TRY(found, find_receipt(context, request.text("RECEIPT")));
    json = wire::canonical_json(found.receipt);
  }
  GH_TRY(value, wire::read_own_json(json, "receipt"));
  if (value.as_map() == nullptr || text_in(value, "schema") != "gatehouse.receipt/1")
    return fail(Code::signature_invalid, "the document is no receipt of version 1");
  std::string digest = runs::receipt_digest(*value.as_map());
  GH_TRY(signer, runs::receipt_signer(*value.as_map()));
  bool is_signed = false;
  if (request.has("allowed")) {
    GH_TRY(lines, sys::read_named_file(request.text("allowed"), kMaxAllowedBytes));
    std::vector<std::string> allowed;
    for (const std::string_view line : split(lines, '\n'))
      allowed.emplace_back(line);
    GH_TRY(verified, runs::verify_receipt(json, allowed));
    digest = verified;
    is_signed = true;
  }
  // A file without a signature says what anybody may have written, unless we keep the same one.
  const bool is_kept = !request.has("file") || find_receipt(context, digest).has_value();
  const bool is_vouched_for = is_kept || !signer.empty();
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.receipt_verification/1"},
                       {"ok", is_vouched_for},
                       {"receipt", digest},
                       {"kept", is_kept},
                       {"signature", is_signed        ? "valid"
                                     : signer.empty() ? "none"
                                                      : "not checked"}};
  const std::string says =
      is_signed ? "is signed by an allowed key"
      : !signer.empty()
          ? fmt::format(
                "holds together and is signed by {}; --allowed FILE says whether that key may",
                signer)
      : is_kept ? "is kept by this repository and holds together; it is unsigned"
                : "is unsigned and not kept by this repository: nothing vouches for it";
  reply.text = [line = fmt::format("{} {}\n", digest, says)](const report::Look&) { return line; };
  if (!is_vouched_for) {
    reply.exit = ExitCode::denied;
    reply.why = digest + " " + says;
  }
  return reply;
}

Result<Reply> receipt_export(const Request& request, Context& context) {
  GH_TRY(found, find_receipt(context, request.text("RECEIPT")));
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
  Reply reply;
  reply.document = document;
  reply.text = [document](const report::Look&) { return wire::pretty_json(document); };
  return reply;
}

}  // namespace gh::ops
