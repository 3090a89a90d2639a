#include "report/release_summary.h"

#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "report/comment_text.h"

namespace gh::report {
namespace {

constexpr std::array<std::string_view, 4> kShownCounts{"critical", "high", "medium", "low"};

std::string severities_of(const Peek& policy) {
  std::vector<std::string> words;
  for (const Value& word : policy["fail_on"].list())
    words.emplace_back(Peek(word).text());
  return words.empty() ? std::string() : ", fails on " + join(words, ", ");
}

}  // namespace

std::string release_step_summary(const Value& report, const List& highlights) {
  const Peek r(report), d = r["release_decision"], policy = d["fail_policy"];
  std::string out =
      fmt::format("## Gatehouse release gate: {}\n\n{}\n\n", comment_text(d["decision"].text(), 40),
                  comment_text(d["reason"].text()));
  out += fmt::format("- {} blocker(s), {} review item(s)\n- Fail policy: {}{}; exit code {}\n",
                     d["blockers"].list().size(), d["review_items"].list().size(),
                     comment_text(policy["ci_mode"].text(), 40),
                     comment_text(severities_of(policy)), policy["exit_code"].number());
  std::vector<std::string> counts;
  for (const std::string_view severity : kShownCounts)
    counts.push_back(
        fmt::format("{} {}", r["summary"][fmt::format("{}_count", severity)].number(), severity));
  out += fmt::format("- Findings: {}\n", join(counts, ", "));
  const Peek tools = r["tool_surface_diff"], s = tools["summary"];
  if (!tools["enabled"].is_true()) {
    const List& notes = tools["notes"].list();
    out += fmt::format("- Tools: {}\n", notes.empty() ? std::string("nothing to compare with")
                                                      : comment_text(Peek(notes.front()).text()));
  } else {
    out += fmt::format(
        "- Tools: +{}, {} changed, -{}; new high-risk effects: {}; controls removed: {}\n",
        s["tools_added"].number(), s["tools_changed"].number(), s["tools_removed"].number(),
        s["new_high_risk_effects"].number(), s["controls_removed"].number());
    for (const Value& highlight : highlights)
      out += fmt::format("  - {}\n", comment_text(Peek(highlight).text()));
  }
  if (!r["generated_reports"].map().empty()) out += "\nReports:\n\n";
  for (const auto& [kind, path] : r["generated_reports"].map().entries())
    out += fmt::format("- {} {}\n", comment_text(kind, 60), comment_code(Peek(path).text()));
  return out;
}

}  // namespace gh::report
