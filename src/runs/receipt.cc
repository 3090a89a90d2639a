#include "runs/receipt.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "wire/json.h"

namespace gh::runs {
namespace {

Value mode_or_null(const std::optional<FileMode>& mode) {
  return mode ? Value(to_string(*mode)) : Value();
}

Value id_or_null(const std::optional<ObjectId>& id) { return id ? Value(id->hex()) : Value(); }

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

Value tagged_or_null(const std::string& hex) {
  return hex.empty() ? Value() : Value("sha256:" + hex);
}

/// The line that is signed, with its line end.
std::string digest_line(const Map& receipt) { return receipt_digest(receipt) + "\n"; }

bool names_key(std::string_view allowed_line, const std::string& key) {
  const std::string padded = fmt::format(" {} ", allowed_line);
  return contains(padded, fmt::format(" {} ", key));
}

}  // namespace

Map candidate_document(const patch::Candidate& candidate) {
  List paths;
  for (const patch::TouchedEntry& entry : candidate.entries)
    paths.emplace_back(Map{{"path", utf8_or_escaped(entry.path)},
                           {"old_mode", mode_or_null(entry.old_mode)},
                           {"old_blob", id_or_null(entry.old_id)},
                           {"new_mode", mode_or_null(entry.new_mode)},
                           {"new_blob", id_or_null(entry.new_id)}});
  return Map{{"schema", "gatehouse.candidate/1"},
             {"base_commit", candidate.base_commit.hex()},
             {"base_tree", candidate.base_tree.hex()},
             {"candidate_tree", candidate.tree.hex()},
             {"paths", std::move(paths)}};
}

Map patch_receipt(const ReceiptFacts& facts) {
  const std::string tree = facts.candidate.tree.hex();
  return Map{
      {"schema", "gatehouse.receipt/1"},
      {"kind", "patch"},
      {"decision", "allow"},
      {"status", "PATCH_OK"},
      {"repo_id", text_or_null(facts.repo_id)},
      {"subject", Map{{"base", facts.candidate.base_commit.hex()},
                      {"tree", tree},
                      {"intent_id", nullptr},
                      {"proposal_id", nullptr}}},
      {"inputs", Map{{"before_run_id", nullptr},
                     {"after_run_id", nullptr},
                     {"report_digest", nullptr},
                     {"canonical_sha256", facts.canonical_sha256},
                     {"candidate_tree", tree},
                     {"stable_patch_id", text_or_null(facts.stable_patch_id)}}},
      {"digests", Map{{"verdict", tagged_or_null(facts.verdict_digest)},
                      {"policy", tagged_or_null(facts.policy_digest)}}},
      {"actor", to_value(facts.actor)},
      {"body", candidate_document(facts.candidate)},
      {"meta",
       Map{{"created_utc", facts.created_utc}, {"audit_seq", nullptr}, {"tool_version", kVersion}}},
      {"signature", nullptr}};
}

std::string receipt_digest(const Map& receipt) {
  Map copy = receipt;
  copy.erase("meta");
  copy.erase("signature");
  return digest_of(wire::canonical_json(copy)).tagged();
}

Status sign_receipt(Map& receipt, const SigningKey& key) {
  GH_TRY(signature, key.sign(digest_line(receipt), kReceiptNamespace));
  receipt.set("signature", signature);
  return {};
}

store::Document receipt_record(Map receipt) {
  std::string digest = receipt_digest(receipt);
  return {std::move(digest), "receipt", std::move(receipt)};
}

bool is_allowed_key(const std::vector<std::string>& allowed, const std::string& key) {
  return std::ranges::any_of(allowed,
                             [&](const std::string& line) { return names_key(line, key); });
}

Result<std::string> receipt_signer(const Map& receipt) {
  const Value* signature = receipt.find("signature");
  if (signature == nullptr || signature->as_string() == nullptr) return std::string();
  return signer_of(*signature->as_string(), digest_line(receipt), kReceiptNamespace);
}

Result<std::string> verify_receipt(std::string_view json, const std::vector<std::string>& allowed) {
  GH_TRY(document, wire::read_own_json(json, "receipt"));
  const Map none;
  const Map& receipt = document.as_map() != nullptr ? *document.as_map() : none;
  const Value* schema = receipt.find("schema");
  if (schema == nullptr || *schema != Value("gatehouse.receipt/1"))
    return fail(Code::signature_invalid, "the document is no receipt of version 1");
  GH_TRY(signer, receipt_signer(receipt));
  if (signer.empty()) return fail(Code::signature_invalid, "the receipt carries no signature");
  if (!is_allowed_key(allowed, signer))
    return fail(Code::signature_invalid, "the receipt is signed by a key that is not allowed");
  return receipt_digest(receipt);
}

}  // namespace gh::runs
