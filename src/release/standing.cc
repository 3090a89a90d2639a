#include "release/standing.h"

#include <algorithm>
#include <map>

#include "model/peek.h"

namespace gh::release {
namespace {

using Counts = std::map<std::string, int, std::less<>>;

Counts active_in(const Peek& report) {
  Counts out;
  for (const Value& value : report["findings"].list())
    if (const Peek finding(value); !finding["suppressed"].is_true())
      ++out[std::string(finding["fingerprint"].text())];
  return out;
}

std::int64_t gaps_of(const Peek& report) {
  return report["release_decision"]["evidence_coverage"]["low_confidence_tool_count"].number();
}

/// Something that could not be read, and that base had not.
bool has_new_gap(const Peek& head, const Peek& base) {
  if (gaps_of(head) > gaps_of(base)) return true;
  const List& known = base["source_warnings"].list();
  return std::ranges::any_of(head["source_warnings"].list(), [&](const Value& warning) {
    return std::ranges::find(known, warning) == known.end();
  });
}

bool is_insufficient(const Peek& report) {
  const std::string_view decision = report["release_decision"]["decision"].text();
  return decision == "insufficient_evidence" || decision == "blocked";
}

}  // namespace

ChangeOutcome outcome_of_change(const Value& head_report, const Value* base_report) {
  static const Value kNothing;
  const Peek head(head_report), base(base_report != nullptr ? *base_report : kNothing);
  const std::string_view decision = head["release_decision"]["decision"].text();
  ChangeOutcome out;
  const Counts now = active_in(head), then = active_in(base);
  bool has_new_blocker = false;
  for (const char* kind : {"blockers", "review_items"})
    for (const Value& value : head["release_decision"][kind].list()) {
      const Peek item(value);
      const auto before = then.find(item["fingerprint"].text());
      const auto after = now.find(item["fingerprint"].text());
      // Of several that look alike nobody can tell which one came.
      const bool stood =
          before != then.end() && after != now.end() && after->second <= before->second;
      if (stood)
        out.standing.emplace(item["id"].text());
      else
        has_new_blocker = has_new_blocker || std::string_view(kind) == "blockers";
    }
  if (decision == "passed") {
    out.decision = Decision::allow;
  } else if (decision == "review_required") {
    out.decision = Decision::review;
  } else if (decision == "blocked" && has_new_blocker) {
    out.decision = Decision::deny;
  } else if (decision == "blocked") {
    out.decision = has_new_gap(head, base) ? Decision::unverified : Decision::review;
  } else if (decision == "insufficient_evidence") {
    const bool is_old = is_insufficient(base) && !has_new_gap(head, base);
    out.decision = is_old ? Decision::review : Decision::unverified;
  }
  return out;
}

}  // namespace gh::release
