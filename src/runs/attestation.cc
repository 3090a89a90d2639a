#include "runs/attestation.h"

#include <map>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "model/peek.h"
#include "runs/receipt.h"
#include "wire/json.h"

namespace gh::runs {
namespace {

const Value* member(const Map& map, std::string_view outer, std::string_view inner) {
  const Value* value = map.find(outer);
  const Map* nested = value == nullptr ? nullptr : value->as_map();
  return nested == nullptr ? nullptr : nested->find(inner);
}

std::string text_of(const Value* value) {
  return value != nullptr && value->as_string() != nullptr ? *value->as_string() : std::string();
}

/// Commit and tree by git's ids; the canonical patch by its SHA-256.
List subjects(const Map& receipt, std::string_view commit) {
  List out;
  if (!commit.empty())
    out.emplace_back(Map{{"name", "commit"}, {"digest", Map{{"gitCommit", commit}}}});
  if (const std::string tree = text_of(member(receipt, "subject", "tree")); !tree.empty())
    out.emplace_back(Map{{"name", "tree"}, {"digest", Map{{"gitTree", tree}}}});
  if (const std::string patch = text_of(member(receipt, "inputs", "canonical_sha256"));
      !patch.empty())
    out.emplace_back(Map{{"name", "canonical.patch"}, {"digest", Map{{"sha256", patch}}}});
  const Value* artifacts = member(receipt, "body", "artifacts");
  std::map<std::string, std::string> sorted;
  if (artifacts != nullptr && artifacts->as_map() != nullptr)
    for (const auto& [name, sha256] : artifacts->as_map()->entries())
      sorted.emplace(name, text_of(&sha256));
  for (const auto& [name, sha256] : sorted)
    out.emplace_back(Map{{"name", name}, {"digest", Map{{"sha256", sha256}}}});
  return out;
}

constexpr std::string_view kStatementType = "https://in-toto.io/Statement/v1",
                           kReceiptType = "urn:gatehouse:receipt:1";

tl::unexpected<Error> bad_envelope(std::string_view why) {
  return fail(Code::signature_invalid, fmt::format("the envelope {}", why));
}

/// The commit among the subjects of a statement.
std::string commit_in(const List& subjects) {
  for (const Value& subject : subjects)
    if (const Peek s(subject); s["name"].text() == "commit")
      return std::string(s["digest"]["gitCommit"].text());
  return {};
}

std::string bare(const std::string& digest) { return digest.substr(digest.find(':') + 1); }

Map statement(const Map& receipt, std::string_view commit, std::string_view type, Map predicate) {
  return Map{{"_type", kStatementType},
             {"subject", subjects(receipt, commit)},
             {"predicateType", type},
             {"predicate", std::move(predicate)}};
}

}  // namespace

Map in_toto_statement(const Map& receipt, std::string_view commit) {
  return statement(receipt, commit, kReceiptType, receipt);
}

Map verification_summary(const Map& receipt, std::string_view commit) {
  const bool passed = text_of(receipt.find("decision")) == "allow";
  const std::string digest = bare(receipt_digest(receipt));
  return statement(
      receipt, commit, "https://slsa.dev/verification_summary/v1",
      Map{{"verifier", Map{{"id", fmt::format("urn:{}:{}", kProduct, kVersion)}}},
          {"timeVerified", text_of(member(receipt, "meta", "created_utc"))},
          {"resourceUri", fmt::format("git+repository:{}", text_of(receipt.find("repo_id")))},
          {"policy",
           Map{{"uri", "urn:gatehouse:policy"},
               {"digest", Map{{"sha256", bare(text_of(member(receipt, "digests", "policy")))}}}}},
          {"inputAttestations",
           List{Map{{"uri", kReceiptType}, {"digest", Map{{"sha256", digest}}}}}},
          {"verificationResult", passed ? "PASSED" : "FAILED"},
          {"verifiedLevels", List{Value("GATEHOUSE_REVIEWED")}},
          {"slsaVersion", "1.0"}});
}

std::string pre_authentication_encoding(std::string_view type, std::string_view payload) {
  return fmt::format("DSSEv1 {} {} {} {}", type.size(), type, payload.size(), payload);
}

Result<Map> dsse_envelope(const Map& statement, const SigningKey& key) {
  const std::string payload = wire::canonical_json(statement);
  GH_TRY(signature, key.sign_bytes(pre_authentication_encoding(kInTotoType, payload)));
  return Map{{"payloadType", kInTotoType},
             {"payload", base64(payload)},
             {"signatures", List{Map{{"keyid", key.public_line()}, {"sig", base64(signature)}}}}};
}

bool is_envelope(const Value& document) {
  const Peek d(document);
  return d["payloadType"].exists() || d["payload"].exists() || d["signatures"].exists();
}

Result<Attested> open_envelope(const Value& document) {
  const Peek envelope(document);
  if (envelope["payloadType"].text() != kInTotoType)
    return bad_envelope(fmt::format("is of another type than {}", kInTotoType));
  const auto payload = from_base64(envelope["payload"].text());
  if (!payload || payload->empty()) return bad_envelope("has no payload in base64");
  const List& signatures = envelope["signatures"].list();
  if (signatures.empty()) return bad_envelope("carries no signature");
  if (signatures.size() > kMaxSignatures)
    return bad_envelope(fmt::format("carries more than {} signatures", kMaxSignatures));
  const std::string message = pre_authentication_encoding(kInTotoType, *payload);
  Attested out;
  for (const Value& value : signatures) {
    const Peek one(value);
    const auto bytes = from_base64(one["sig"].text());
    if (!bytes || !is_signed_by(one["keyid"].text(), message, *bytes))
      return bad_envelope("has a signature that does not hold for its payload");
    out.signers.emplace_back(one["keyid"].text());
  }
  GH_TRY(payload_value, wire::read_own_json(*payload, "statement"));
  const Peek said(payload_value);
  if (said["_type"].text() != kStatementType) return bad_envelope("holds no in-toto Statement v1");
  if (said["predicateType"].text() != kReceiptType ||
      said["predicate"]["schema"].text() != "gatehouse.receipt/1")
    return bad_envelope(
        fmt::format("holds no receipt; what it states is {}",
                    said["predicateType"].exists() ? said["predicateType"].text() : "of no type"));
  out.receipt = said["predicate"].map();
  out.commit = commit_in(said["subject"].list());
  if (said["subject"].list() != subjects(out.receipt, out.commit))
    return bad_envelope("speaks of other things than its receipt");
  return out;
}

}  // namespace gh::runs
