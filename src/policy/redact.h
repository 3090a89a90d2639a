#pragma once
// Masks secrets in text that leaves the process: logs, audit payloads, documents (release-gate 10).
// Linear time, any bytes, idempotent. False positives are acceptable, a leaked secret is not.
#include <map>
#include <string>
#include <string_view>

#include "model/value.h"

namespace gh::policy {

struct Redaction {
  std::string text;                  // each secret is now [REDACTED:<kind>]
  std::map<std::string, int> kinds;  // kind -> how many were masked now
};

/// Labelled secrets keep their label; only the value is masked.
Redaction redact(std::string_view text);

struct RedactedValue {
  Value value;
  std::map<std::string, int> kinds;
};

/// Every string and key of a document. A string below a sensitive key (`password`, `token`, ...) is
/// masked as a whole when no pattern knows it.
RedactedValue redact_document(const Value&);

}  // namespace gh::policy
