#pragma once
// Which changes the gate has to look at (release-gate 19): a catalogue of rules over changed paths
// and the text of a diff, and who wins when several of them fit.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace gh::release {

inline constexpr std::string_view kTriggerSchema = "0.1";

/// What the rules are held against.
struct TriggerFacts {
  std::vector<std::string> changed_files{};
  std::string diff{};             // unified; its added lines count
  bool manifest_present = false;  // shipgate.yaml, or gatehouse.yaml with its block
  bool user_requested = false;
  bool forced = false;           // the change takes the manifest away
  std::string gatehouse_yaml{};  // its path from the top when it holds the manifest; else empty
  std::string program = "gatehouse release";  // how commands of matched rules are spelled
};

struct TriggerMatch {
  std::string id, action, rationale;
  Value command{};
};

enum class SkipReason : std::uint8_t { none, stop_conditions, skip_rule, dry_run_only, no_match };
std::string_view to_string(SkipReason);

struct TriggerResult {
  bool should_run = false, force_run = false, dry_run_recommended = false,
       stop_conditions_fired = false;
  SkipReason skip = SkipReason::none;
  std::string rationale{};
  std::vector<TriggerMatch> matched{};  // in the order of the catalogue
  std::vector<std::string> changed_files{};
  std::vector<std::string> diff_tokens{};  // of the catalogue, in the diff; sorted

  /// force_run, run_shipgate, dry_run, skip_shipgate or none.
  std::string_view action() const;
};
Map document_of(const TriggerResult&);

/// Rules from their document. json_invalid for a predicate that nobody knows.
class TriggerCatalogue {
 public:
  static Result<TriggerCatalogue> read(std::string_view json, std::string_view name);
  /// The one in this program.
  static const TriggerCatalogue& built_in();

  TriggerResult evaluate(const TriggerFacts&) const;
  const Value& document() const { return document_; }

 private:
  Value document_{};
};

}  // namespace gh::release
