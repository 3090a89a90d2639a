#pragma once
// A small canonical report for tests, changed by whoever asks for something else.
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "model/value.h"
#include "wire/json.h"

namespace gh::control::testing {

inline Value json(std::string_view text) {
  auto value = wire::read_json(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value ? std::move(*value) : Value();
}

/// The member at `path`, which is made where it is missing.
inline Value& at(Value& document, const std::vector<std::string>& path) {
  Value* here = &document;
  for (const std::string& key : path) {
    if (here->as_map() == nullptr) *here = Map{};
    if (here->as_map()->find(key) == nullptr) here->as_map()->set(key, Value());
    here = here->as_map()->find(key);
  }
  return *here;
}

/// Health 90, complexity 8, coupling 3, cohesion 2, nothing to complain about.
inline Value quiet_report() {
  return json(R"({
    "report_schema_version": "gh-1.0",
    "meta": {
      "analysis_mode": "full",
      "analysis_thresholds": {"design_findings": {
        "complexity": {"metric": "cyclomatic_complexity", "operator": ">", "value": 20},
        "coupling": {"metric": "cbo", "operator": ">", "value": 10},
        "cohesion": {"metric": "lcom4", "operator": ">=", "value": 4}}},
      "baseline": {"loaded": true, "path": "gatehouse.baseline.json", "payload_sha256": "aa",
                   "status": "ok"},
      "metrics_baseline": {"loaded": true, "path": "gatehouse.baseline.json",
                           "payload_sha256": "aa", "status": "ok"},
      "suppressions": []},
    "inventory": {"file_registry": {"items": ["pkg/a.py", "pkg/b.py"]},
                  "files": {"partial": [], "unread": []}},
    "findings": {"groups": {
      "clones": {"functions": [], "blocks": [], "segments": [], "near_miss": [],
                 "suppressed": {"functions": [], "blocks": [], "segments": [], "near_miss": []}},
      "dead_code": {"groups": []}, "design": {"groups": []}, "structural": {"groups": []}}},
    "metrics": {"families": {
      "complexity": {"summary": {"max": 8}, "items": [
        {"qualname": "pkg.a:run", "relative_path": "pkg/a.py", "cyclomatic_complexity": 8}],
        "suppressed": []},
      "coupling": {"summary": {"max": 3}, "items": [], "suppressed": []},
      "cohesion": {"summary": {"max": 2}, "items": [], "suppressed": []},
      "dependencies": {"summary": {"cycles": 0}, "items": [], "cycles": []},
      "dead_code": {"summary": {"high_confidence": 0}, "items": [], "suppressed": []},
      "coverage_adoption": {"summary": {"param_permille": 600, "return_permille": 500,
                                        "docstring_permille": 400}, "items": []},
      "health": {"summary": {"score": 90, "score_tenths": 900, "grade": "A", "dimensions": {}}}
    }}})");
}

}  // namespace gh::control::testing
