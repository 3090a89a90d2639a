#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/product.h"
#include "checks/catalogue.h"
#include "model/patch_rule.h"
#include "ops/support_ops.h"
#include "proposal/finding.h"
#include "report/analysis_findings.h"
#include "report/columns.h"
#include "report/release_report.h"
#include "report/rule_text.h"

namespace gh::ops {
namespace {

struct Row {
  std::string id, kind, gate, advice;
};

std::vector<Row> catalogue(std::string_view gate) {
  std::vector<Row> out;
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    const Rule rule = static_cast<Rule>(i);
    const std::string_view step = to_string(step_of(rule));
    if (gate.empty() || gate == step)
      out.push_back(
          {std::string(to_string(rule)), "rule", std::string(step), std::string(advice(rule))});
  }
  for (std::size_t i = 0; gate.empty() && i < kCodeCount; ++i) {
    const Code code = static_cast<Code>(i);
    out.push_back({std::string(to_string(code)), "error", "error", std::string(gh::help(code))});
  }
  for (std::size_t i = 0; i < proposal::kPropCodeCount; ++i) {
    const auto code = static_cast<proposal::PropCode>(i);
    const std::string_view check = report::gate_of(code);
    if (gate.empty() || gate == check)
      out.push_back({std::string(to_string(code)), "proposal", std::string(check),
                     std::string(proposal::help(code))});
  }
  for (const report::AnalysisRule& rule : report::analysis_rules())
    if (gate.empty() || gate == rule.family)
      out.push_back(
          {std::string(rule.id), "analysis", std::string(rule.family), std::string(rule.help)});
  for (const std::string& id : report::rule_ids()) {
    if (checks::find_check(id) != nullptr) continue;
    if (const auto text = report::rule_text(id);
        text && text->kind == "analysis_gate" && (gate.empty() || gate == text->gate))
      out.push_back({text->id, text->kind, text->gate, text->fix});
  }
  for (const checks::Check& check : checks::catalogue())
    if (gate.empty() || gate == "surface")
      out.push_back({std::string(check.id), "check", "surface", report::check_advice(check)});
  for (const report::RuleText& text : report::change_texts())
    if (gate.empty() || gate == text.gate) out.push_back({text.id, text.kind, text.gate, text.fix});
  return out;
}

/// Findings are asked for where they are kept.
struct FindingRow {
  std::string_view prefix, words;
  std::string_view option;  // that takes the id; empty: it is the operand
};
// table: explained_findings
constexpr std::array kFindings{
    FindingRow{"fp_", "release explain-finding", ""}, FindingRow{"clone:", "findings", "id"},
    FindingRow{"structural:", "findings", "id"}, FindingRow{"dead_code:", "findings", "id"},
    FindingRow{"design:", "findings", "id"}};

const FindingRow* finding_row(std::string_view id) {
  const auto row = std::ranges::find_if(
      kFindings, [&](const FindingRow& one) { return id.starts_with(one.prefix); });
  return row == kFindings.end() ? nullptr : &*row;
}

Result<Reply> explain_finding(const FindingRow& row, const std::string& id, Context& context) {
  RawRequest raw;
  if (row.option.empty())
    raw.operands = {id};
  else
    raw.options[std::string(row.option)] = {id};
  const Operation& operation = *find_operation(row.words);
  GH_TRY(request, Request::make(operation, std::move(raw)));
  return operation.run(request, context);
}

}  // namespace

Result<Reply> explain(const Request& request, Context& context) {
  const std::string id = request.text("ID");
  auto known = report::rule_text(id);
  const FindingRow* finding = known ? nullptr : finding_row(id);
  if (finding != nullptr) return explain_finding(*finding, id, context);
  GH_TRY(text, std::move(known));
  Reply reply;
  reply.document = report::rule_document(text);
  reply.text = [text = std::move(text)](const report::Look& look) {
    return report::render_rule(text, look);
  };
  return reply;
}

Result<Reply> rule_show(const Request& request, Context& context) {
  return explain(request, context);
}

Result<Reply> rule_list(const Request& request, Context&) {
  const std::vector<Row> rows = catalogue(request.text("gate"));
  List rules;
  for (const Row& row : rows)
    rules.push_back(
        Map{{"id", row.id}, {"kind", row.kind}, {"gate", row.gate}, {"advice", row.advice}});
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.rule_list/1"},
                       {"rules", std::move(rules)},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [rows](const report::Look& look) {
    std::string out;
    for (const Row& row : rows)
      out += fmt::format("{} {:<6} {}\n", report::padded(row.id, 30), row.gate,
                         report::clipped(row.advice, static_cast<std::size_t>(look.width - 38)));
    return out;
  };
  return reply;
}

}  // namespace gh::ops
