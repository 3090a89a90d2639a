#include "ops/ci_outputs.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "report/formats.h"

namespace gh::ops {
namespace {

/// Out of which document a value comes: the Verdict, verifier.json, report.json, the status of a
/// gate in the Verdict, a file, an exit code.
enum class From : std::uint8_t { verdict, verifier, report, part, file, own };
enum class As : std::uint8_t { text, flag, number, count, ids };

struct OutputRow {
  std::string_view name;
  From from;
  std::string_view path;
  As as = As::text;
};
// clang-format off
// table: ci_outputs
constexpr std::array<OutputRow, 43> kOutputs{{
    {"verdict", From::verdict, "decision"},
    {"headline", From::verdict, "headline"},
    {"verdict_json", From::file, "verdict_json"},
    {"receipt_digest", From::own, "receipt_digest"},
    {"scope_status", From::part, "scope"},
    {"health_delta", From::own, ""},
    {"decision", From::verifier, "release_decision.decision"},
    {"blocker_count", From::verifier, "release_decision.blockers", As::count},
    {"review_item_count", From::verifier, "release_decision.review_items", As::count},
    {"ci_would_fail", From::verifier, "release_decision.fail_policy.would_fail_ci", As::flag},
    {"exit_code", From::own, "exit_code"},
    {"should_run", From::verifier, "trigger.should_run", As::flag},
    {"trigger_action", From::verifier, "trigger.trigger_action"},
    {"trigger_rule_ids", From::verifier, "trigger.matched_rules", As::ids},
    {"verifier_verdict", From::report, "verifier_summary.verdict"},
    {"merge_verdict", From::verifier, "merge_verdict"},
    {"can_merge_without_human", From::verifier, "can_merge_without_human", As::flag},
    {"trust_root_touched", From::verifier, "trust_root_touched", As::flag},
    {"policy_weakened", From::verifier, "capability_review.policy_weakened", As::flag},
    {"capability_changes_added", From::verifier, "capability_review.capability_changes_added", As::number},
    {"capability_changes_modified", From::verifier, "capability_review.capability_changes_modified", As::number},
    {"capability_changes_removed", From::verifier, "capability_review.capability_changes_removed", As::number},
    {"critical_count", From::report, "summary.critical_count", As::number},
    {"high_count", From::report, "summary.high_count", As::number},
    {"medium_count", From::report, "summary.medium_count", As::number},
    {"baseline_new_count", From::report, "release_decision.baseline_delta.new_count", As::number},
    {"baseline_matched_count", From::report, "release_decision.baseline_delta.matched_count", As::number},
    {"baseline_resolved_count", From::report, "release_decision.baseline_delta.resolved_count", As::number},
    {"actions_added", From::report, "action_surface_diff.summary.actions_added", As::number},
    {"actions_modified", From::report, "action_surface_diff.summary.actions_modified", As::number},
    {"actions_removed", From::report, "action_surface_diff.summary.actions_removed", As::number},
    {"diff_enabled", From::report, "tool_surface_diff.enabled", As::flag},
    {"action_diff_enabled", From::report, "action_surface_diff.enabled", As::flag},
    {"adk_agent_count", From::report, "google_adk.agent_count", As::number},
    {"adk_dynamic_toolset_count", From::report, "google_adk.dynamic_toolset_count", As::number},
    {"report_json", From::file, "report_json"},
    {"report_markdown", From::file, "report_markdown"},
    {"report_sarif", From::file, "report_sarif"},
    {"verifier_json", From::file, "verifier_json"},
    {"pr_comment_markdown", From::file, "pr_comment"},
    {"comment_markdown", From::file, "comment"},
    {"sarif", From::file, "sarif"},
    {"status", From::report, "summary.status"},
}};
// clang-format on

Peek at_path(const Value& document, std::string_view path) {
  Peek at(document);
  for (const std::string_view step : split(path, '.'))
    at = at[step];
  return at;
}

std::string value_of(const Peek& at, As as) {
  if (!at.exists()) return {};
  switch (as) {
    case As::text:
      return printable(at.text(), 400);
    case As::flag:
      return at.is_true() ? "true" : "false";
    case As::number:
      return fmt::format("{}", at.number());
    case As::count:
      return fmt::format("{}", at.list().size());
    case As::ids: {
      std::vector<std::string> ids;
      for (const Value& row : at.list())
        ids.push_back(printable(Peek(row)["id"].text(), 100));
      return join(ids, ",");
    }
  }
  return {};
}

std::string value_of(const OutputRow& row, const CiDocuments& d) {
  switch (row.from) {
    case From::verdict:
      return value_of(at_path(d.verdict, row.path), row.as);
    case From::verifier:  // a scan alone has the decision, too
      return value_of(at_path(d.verifier.is_null() ? d.report : d.verifier, row.path), row.as);
    case From::report:
      return value_of(at_path(d.report, row.path), row.as);
    case From::part:
      for (const Value& part : Peek(d.verdict)["parts"].list())
        if (Peek(part)["gate"].text() == row.path) return std::string(Peek(part)["status"].text());
      return {};
    case From::file: {
      const auto found = std::ranges::find(d.files, row.path, &CiOutput::name);
      return found == d.files.end() ? std::string() : found->value;
    }
    case From::own:
      if (row.path == "receipt_digest") return d.receipt_digest;
      return row.path == "exit_code" ? fmt::format("{}", d.exit_code) : std::string();
  }
  return {};
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

/// Azure's own escapes; in a property a semicolon and a bracket would end it.
std::string azure(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%':
        out += "%AZP25";
        break;
      case ';':
        out += "%3B";
        break;
      case ']':
        out += "%5D";
        break;
      case '\r':
        out += "%0D";
        break;
      case '\n':
        out += "%0A";
        break;
      default:
        out += c;
    }
  }
  return without_azure_commands(std::move(out));
}

}  // namespace

std::vector<std::string> ci_output_names() {
  std::vector<std::string> out;
  for (const OutputRow& row : kOutputs)
    out.emplace_back(row.name);
  return out;
}

std::vector<CiOutput> ci_outputs(const CiDocuments& documents) {
  std::vector<CiOutput> out;
  for (const OutputRow& row : kOutputs)
    out.push_back({std::string(row.name), value_of(row, documents)});
  return out;
}

std::string github_outputs(std::span<const CiOutput> outputs, std::string_view random) {
  std::string out;
  for (const CiOutput& output : outputs)
    out +=
        fmt::format("{0}<<gatehouse_{2}\n{1}\ngatehouse_{2}\n", output.name, output.value, random);
  return out;
}

std::string dotenv_outputs(std::span<const CiOutput> outputs) {
  std::string out;
  for (const CiOutput& output : outputs)
    out += fmt::format("GATEHOUSE_{}={}\n", upper(output.name), output.value);
  return out;
}

std::string azure_outputs(std::span<const CiOutput> outputs) {
  std::string out;
  for (const CiOutput& output : outputs)
    out += fmt::format("##vso[task.setvariable variable=gatehouse_{};isOutput=true]{}\n",
                       output.name, azure(output.value));
  return out;
}

std::string azure_issues(const Value& verdict) {
  std::string out;
  std::size_t count = 0;
  for (const report::Told& t : report::told_in(verdict)) {
    if (t.severity == "note" || ++count > report::kMostAnnotations) continue;
    out += fmt::format("##vso[task.logissue type={};sourcepath={};linenumber={};code={}]{}\n",
                       t.severity, azure(t.place()), t.first_line(), azure(t.id), azure(t.message));
  }
  return out;
}

std::string without_azure_commands(std::string text) {
  for (const std::string_view mark : {"##vso[", "##["})
    for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + 3))
      text.insert(at + 2, " ");
  return text;
}

}  // namespace gh::ops
