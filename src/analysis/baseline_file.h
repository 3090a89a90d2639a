// gatehouse.baseline.json: bytes in, trust and content out; content in, bytes out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/baseline.h"
#include "base/time.h"

namespace gh::analysis {

inline constexpr std::string_view kBaselineFile = "gatehouse.baseline.json";
inline constexpr std::string_view kFingerprints = "gh1";
inline constexpr std::string_view kBaselineSchema = "1.0";
inline constexpr std::int64_t kMaxBaselineMb = 5;

enum class Trust : std::uint8_t {
  ok,
  missing,
  too_large,
  invalid_json,
  invalid_type,
  missing_fields,
  mismatch_schema_version,
  mismatch_fingerprint_version,
  mismatch_language_frontend,
  generator_mismatch,
  integrity_missing,
  integrity_failed,
};
inline constexpr std::size_t kTrusts = static_cast<std::size_t>(Trust::integrity_failed) + 1;
std::string_view to_string(Trust);

struct BaselineRead {
  Trust trust = Trust::missing;
  std::string detail{};   // what was seen, in one line
  Map meta{};             // what the file says of itself
  Baseline content{};     // what may be relied on; empty unless `trust` is ok or the file migrates
  bool migrates = false;  // another tool's file, of which metrics and API can be used
};

/// What reading a file from disk can end with before there are bytes.
enum class Absence : std::uint8_t { none, missing, too_large, unreadable };

BaselineRead read_baseline(std::string_view bytes, std::int64_t max_mb = kMaxBaselineMb);
BaselineRead no_baseline(Absence);

/// With hashes, indented, a newline at the end.
std::string print_baseline(const Baseline&, const Names& languages, Timestamp created);

/// The front end that read a language, e.g. "ir/1.0"; another major reads code otherwise.
std::string_view front_end_of(std::string_view language);

/// What a baseline is read for: each part of the file has a digest of its own.
enum class BaselineUse : std::uint8_t { clones, metrics };

/// How the report tells the state of a baseline.
Map baseline_summary(const BaselineRead&, std::string_view path, BaselineUse);

}  // namespace gh::analysis
