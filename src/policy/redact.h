#pragma once
// Masks secrets in text that leaves the process: logs, audit payloads, documents (release-gate 10).
// Linear time, any bytes, idempotent. A secret is found as it is, and behind up to eight levels of
// JSON escapes, HTML character references and percent-encoding, so that no renderer brings it back.
// False positives are acceptable, a leaked secret is not.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::policy {

inline constexpr std::string_view kRedactionRules = "0.2";
inline constexpr std::string_view kSensitiveFieldInventory = "0.1";

using KindCounts = std::map<std::string, int>;  // kind -> how many were masked now

struct Redaction {
  std::string text;  // each secret is now [REDACTED:<kind>]
  KindCounts kinds;
};

/// Labelled secrets keep their label; only the value is masked. What is not masked stays as it was
/// written, encoded or not.
Redaction redact(std::string_view text);

/// What redact would leave as it is.
bool holds_no_secret(std::string_view text);

std::string redaction_marker(std::string_view kind);
bool is_redaction_marker(std::string_view text);  // exactly one, and nothing else

struct RedactedValue {
  Value value;
  KindCounts kinds;
  /// By structural path: dots between keys, [] for any index, <key> for a key that is no
  /// identifier, <redacted> for one that held a secret, <root> for the document itself.
  std::map<std::string, KindCounts> paths;
};

/// Every string and key of a document. A string below a sensitive key (`password`, `token`, ...) is
/// masked as a whole when no pattern knows it.
RedactedValue redact_document(Value);

/// `privacy_audit` of a report (release-gate 10.3). `output_surfaces` in any order.
Map privacy_audit(const RedactedValue&, std::vector<std::string> output_surfaces,
                  bool matched_legacy_fingerprint);

/// The ten of the contract, or all of them.
enum class SecretKinds : std::uint8_t { contract, all };

struct SecretMatch {
  std::string_view kind;
  std::string pattern;  // as it is published; of labeled_secret_value, which has none, its name
};

/// Which kinds the text holds, in the order of the table: evidence of the checks that look for
/// them. The text is taken as it is, not decoded.
std::vector<SecretMatch> secrets_in(std::string_view text, SecretKinds);

}  // namespace gh::policy
