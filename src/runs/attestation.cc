#include "runs/attestation.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
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
  return out;
}

std::string bare(const std::string& digest) { return digest.substr(digest.find(':') + 1); }

Map statement(const Map& receipt, std::string_view commit, std::string_view type, Map predicate) {
  return Map{{"_type", "https://in-toto.io/Statement/v1"},
             {"subject", subjects(receipt, commit)},
             {"predicateType", type},
             {"predicate", std::move(predicate)}};
}

}  // namespace

Map in_toto_statement(const Map& receipt, std::string_view commit) {
  return statement(receipt, commit, "urn:gatehouse:receipt:1", receipt);
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
           List{Map{{"uri", "urn:gatehouse:receipt:1"}, {"digest", Map{{"sha256", digest}}}}}},
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

}  // namespace gh::runs
