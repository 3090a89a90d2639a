#pragma once
// Masks secrets in text that leaves the process: logs, audit payloads, documents (release-gate 10).
// Linear time, any bytes, idempotent. False positives are acceptable, a leaked secret is not.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::policy {

struct Redaction {
  std::string text;                  // each secret is now [REDACTED:<kind>]
  std::map<std::string, int> kinds;  // kind -> how many were masked now
};

/// Labelled secrets keep their label; only the value is masked.
Redaction redact(std::string_view text);

/// Kinds of secrets that the text holds, each looked for on its own, in the order of their table.
std::vector<std::string_view> secret_kinds(std::string_view text);

struct RedactedValue {
  Value value;
  std::map<std::string, int> kinds;
  /// Where it was: keys with dots between them, [] for any item, <key> for one that is no
  /// identifier, <redacted> for one that was masked itself.
  std::map<std::string, std::map<std::string, int>> paths{};
};

/// Every string and key of a document. A string below a sensitive key (`password`, `token`, ...) is
/// masked as a whole when no pattern knows it.
RedactedValue redact_document(const Value&);

}  // namespace gh::policy
