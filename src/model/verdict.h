#pragma once
// The one answer of every gate and door: gatehouse.verdict/1 (interfaces 0.1).
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh {

enum class Decision : std::uint8_t { allow, review, unverified, deny };  // worst last
enum class Severity : std::uint8_t { error, warning, note };
std::string_view to_string(Decision);
std::string_view to_string(Severity);

struct Next {
  std::string kind = "none";  // command, tool, human, none
  std::string command{}, tool{}, why{};
  Value arguments{};
};

struct Reason {
  std::string id{}, gate{};
  Severity severity = Severity::error;
  std::string stage{};  // patch gate only; empty: null
  std::string message{};
  std::string path{};                               // raw bytes; empty: null
  std::int64_t line = 0, end_line = 0, column = 0;  // 0: null
  Map evidence{};
  Next next{};
  std::string context{};   // takes part in the fingerprint, is not printed
  std::string identity{};  // of the finding that it stems from; then it alone is the fingerprint
};

struct Part {
  std::string gate;
  bool ran = false;
  Decision decision = Decision::allow;
  std::string status{};  // the gate's own word
  std::string why{};     // when skipped
};

/// One gate's share of a Verdict.
struct GateAnswer {
  Part part;
  std::vector<Reason> reasons{};
};

struct Verdict {
  Decision decision = Decision::allow;
  std::string gate, headline;
  std::vector<Part> parts;
  std::vector<Reason> reasons;
  std::string repo, base, head, intent_id;  // subject
  std::string policy_digest, input_digest;  // bare hex; empty: null
  std::string started;                      // meta
  std::int64_t duration_ms = 0;             // meta
};

/// Worst of the parts that ran; allow when none did.
Decision worst(const std::vector<Part>&);

}  // namespace gh
