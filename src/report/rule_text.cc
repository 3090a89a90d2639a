#include "report/rule_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/data.h"
#include "base/product.h"
#include "base/text.h"
#include "checks/catalogue.h"
#include "model/members.h"
#include "model/patch_rule.h"
#include "model/peek.h"
#include "report/analysis_findings.h"
#include "report/columns.h"
#include "report/patch_document.h"
#include "report/release_report.h"
#include "wire/yaml.h"

namespace gh::report {
namespace {

constexpr std::string_view kRuleFile = "rules/patch.yaml";
constexpr std::string_view kErrorFile = "rules/errors.yaml";
constexpr std::string_view kProposalFile = "rules/proposals.yaml";
constexpr std::string_view kAnalysisFile = "rules/analysis.yaml";
constexpr std::string_view kChangeFile = "rules/change.yaml";

std::optional<Code> code_from(std::string_view id) {
  for (std::size_t i = 0; i < kCodeCount; ++i)
    if (to_string(static_cast<Code>(i)) == id) return static_cast<Code>(i);
  return std::nullopt;
}

/// One id's entry of a text file. The files are compiled in and a test reads every entry, so a
/// missing one is our own mistake.
Result<Map> entry(std::string_view file, std::string_view id) {
  GH_TRY(document, wire::read_yaml(data::find(file), file, wire::YamlDialect::strict));
  const Map* root = document.root.as_map();
  const Value* found = root == nullptr ? nullptr : root->find(id);
  if (found == nullptr || found->as_map() == nullptr)
    return fail(Code::internal_error, fmt::format("{} has no text for '{}'", file, id));
  return *found->as_map();
}

void take_texts(RuleText& out, const Map& map) {
  out.why = text_in(map, "why");
  out.fires = text_in(map, "fires");
  out.bad = text_in(map, "bad");
  out.good = text_in(map, "good");
  out.suppress = text_in(map, "suppress");
  out.since = text_in(map, "since");
}

std::string_view name_of(CodeClass klass) {
  switch (klass) {
    case CodeClass::usage:
      return "usage";
    case CodeClass::input:
      return "input";
    case CodeClass::environment:
      return "environment";
    case CodeClass::internal:
      return "internal";
  }
  return "internal";
}

Result<RuleText> text_of_rule(Rule rule) {
  RuleText out;
  out.id = to_string(rule);
  out.kind = "rule";
  out.gate = to_string(step_of(rule));
  out.stage = to_string(stage_of(step_of(rule)));
  out.code = code_of(stage_of(step_of(rule)));
  out.exit_code = 1;
  out.fix = advice(rule);
  GH_TRY(map, entry(kRuleFile, out.id));
  take_texts(out, map);
  return out;
}

Result<RuleText> text_of_code(Code code) {
  RuleText out;
  out.id = to_string(code);
  out.kind = "error";
  out.gate = name_of(class_of(code));
  if (is_patch_fault(code)) {
    patch::Outcome outcome;
    outcome.error = Error{code, {}, {}};
    out.stage = patch_stage(outcome);
    out.code = patch_code(outcome);
  }
  out.exit_code = 2 + static_cast<int>(class_of(code));
  out.fix = help(code);
  GH_TRY(map, entry(kErrorFile, out.id));
  take_texts(out, map);
  return out;
}

Result<RuleText> text_of_proposal_code(proposal::PropCode code) {
  RuleText out;
  out.id = to_string(code);
  out.kind = "proposal";
  out.gate = gate_of(code);
  out.exit_code = 1;
  out.fix = help(code);
  GH_TRY(map, entry(kProposalFile, out.id));
  take_texts(out, map);
  return out;
}

const AnalysisRule* analysis_rule_from(std::string_view id) {
  const auto& rules = analysis_rules();
  const auto found = std::ranges::find(rules, id, &AnalysisRule::id);
  return found == rules.end() ? nullptr : &*found;
}

Result<RuleText> text_of_analysis_rule(const AnalysisRule& rule) {
  RuleText out;
  out.id = rule.id;
  out.kind = "analysis";
  out.gate = rule.family;
  out.exit_code = 0;  // by itself it refuses nothing
  out.fix = rule.help;
  GH_TRY(map, entry(kAnalysisFile, out.id));
  take_texts(out, map);
  return out;
}

/// The keys that refusals of an analysis begin with: those of its texts that are no rules.
std::vector<std::string> analysis_gates() {
  std::vector<std::string> out;
  const auto document =
      wire::read_yaml(data::find(kAnalysisFile), kAnalysisFile, wire::YamlDialect::strict);
  GH_ASSERT(document && document->root.as_map() != nullptr);  // compiled in
  for (const auto& [id, text] : document->root.as_map()->entries())
    if (analysis_rule_from(id) == nullptr) out.push_back(id);
  return out;
}

/// A reason may say more behind its key: "clone:threshold:12:10".
std::optional<std::string> gate_from(std::string_view id) {
  for (std::string& key : analysis_gates())
    if (id == key || (id.starts_with(key) && id.substr(key.size()).starts_with(':')))
      return std::move(key);
  return std::nullopt;
}

Result<RuleText> text_of_gate(std::string_view key) {
  RuleText out;
  out.id = key;
  out.kind = "analysis_gate";
  out.gate = "gate";
  GH_TRY(map, entry(kAnalysisFile, out.id));
  take_texts(out, map);
  out.fix = text_in(map, "fix");
  return out;
}

RuleText text_of_change(const std::string& id, const Map& map) {
  RuleText out;
  out.id = id;
  out.kind = "change";
  out.gate = text_in(map, "gate");
  const Value* exit = map.find("exit");
  out.exit_code =
      exit != nullptr && exit->as_int() != nullptr ? static_cast<int>(*exit->as_int()) : 1;
  take_texts(out, map);
  out.fix = text_in(map, "fix");
  return out;
}

/// Whoever may edit the manifest; a rule of the compat profile has the same words there.
std::string waiver_of(const checks::Check& check) {
  return fmt::format(
      "Whoever may edit the manifest: an entry of checks.ignore with a reason; "
      "checks.severity_overrides {}. Both are told to reviewers.",
      check.floor ? fmt::format("goes down to {}", to_string(*check.floor)) : "has no floor");
}

Result<RuleText> text_of_check(const checks::Check& check) {
  GH_TRY(document, check_document(check));
  const Value whole(std::move(document));
  const Peek text(whole);
  RuleText out;
  out.id = check.id;
  out.kind = "check";
  out.gate = "surface";
  out.why = text["rationale"].text();
  out.fires = text["fires_when"].text();
  out.fix = text["recommendation"].text();
  out.suppress = waiver_of(check);
  out.since = "0.1.0";
  return out;
}

/// The parenthesis behind the id: what kind of thing it is.
std::string kind_line(const RuleText& text) {
  if (text.kind == "rule") return fmt::format("patch rule, gate {}", text.gate);
  if (text.kind == "error") return fmt::format("error, {}", text.gate);
  if (text.kind == "analysis") return "finding of the analysis";
  if (text.kind == "analysis_gate") return "gate of the analysis";
  if (text.kind == "change") return fmt::format("change control, {}", text.gate);
  if (text.kind == "check") return "check of the release gate";
  if (text.gate == "review") return "answer to a review";
  if (text.gate == "after") return "proposal, after the admission";
  return fmt::format("proposal, check {}", text.gate);
}

/// Rules of a gate, a stage's code or a check of the admission: people meet those names too.
std::vector<std::string> members_of(std::string_view id) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < kRuleCount; ++i)
    if (const Rule rule = static_cast<Rule>(i);
        to_string(step_of(rule)) == id || code_of(stage_of(step_of(rule))) == id)
      out.emplace_back(to_string(rule));
  for (std::size_t i = 0; i < kCodeCount; ++i)
    if (const auto text = text_of_code(static_cast<Code>(i)); text && text->code == id)
      out.push_back(text->id);
  for (std::size_t i = 0; i < proposal::kPropCodeCount; ++i)
    if (const auto code = static_cast<proposal::PropCode>(i); gate_of(code) == id)
      out.emplace_back(to_string(code));
  for (const RuleText& text : change_texts())
    if (text.gate == id || text.id.starts_with(fmt::format("{}:", id))) out.push_back(text.id);
  return out;
}

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

std::string paragraph(std::string_view heading, std::string_view text, const Look& look) {
  if (text.empty()) return {};
  return fmt::format("\n{}\n  {}\n", paint(look, Ink::bold, heading),
                     folded(text, look.width - 2, 2));
}

std::string example(std::string_view heading, std::string_view text, const Look& look, Ink ink) {
  std::string out = fmt::format("\n{}\n", paint(look, ink, heading));
  for (std::string_view line : split(text, '\n'))
    if (!line.empty()) out += fmt::format("    {}\n", line);
  return text.empty() ? std::string() : out;
}

}  // namespace

std::string_view gate_of(proposal::PropCode code) {
  const std::string_view check = check_of(code);
  if (!check.empty()) return check;
  return weight_of(code) == proposal::Weight::review ? "review" : "after";
}

std::vector<RuleText> change_texts() {
  const auto document =
      wire::read_yaml(data::find(kChangeFile), kChangeFile, wire::YamlDialect::strict);
  GH_ASSERT(document && document->root.as_map() != nullptr);  // compiled in
  std::vector<RuleText> out;
  for (const auto& [id, text] : document->root.as_map()->entries()) {
    GH_ASSERT(text.as_map() != nullptr);
    out.push_back(text_of_change(id, *text.as_map()));
  }
  return out;
}

std::vector<std::string> rule_ids() {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < kRuleCount; ++i)
    out.emplace_back(to_string(static_cast<Rule>(i)));
  // A path that climbs is refused by the patch gate as by change control, under one name.
  for (std::size_t i = 0; i < kCodeCount; ++i)
    if (const std::string_view code = to_string(static_cast<Code>(i)); !rule_from(code))
      out.emplace_back(code);
  for (std::size_t i = 0; i < proposal::kPropCodeCount; ++i)
    out.emplace_back(to_string(static_cast<proposal::PropCode>(i)));
  for (const AnalysisRule& rule : analysis_rules())
    out.emplace_back(rule.id);
  for (std::string& key : analysis_gates())
    out.push_back(std::move(key));
  for (RuleText& text : change_texts())
    out.push_back(std::move(text.id));
  for (const checks::Check& check : checks::catalogue())
    out.emplace_back(check.id);
  return out;
}

bool is_explained(std::string_view id) { return rule_text(id).has_value(); }

Result<RuleText> rule_text(std::string_view id) {
  if (const auto rule = rule_from(id)) return text_of_rule(*rule);
  if (const auto code = code_from(id)) return text_of_code(*code);
  if (const auto code = proposal::prop_code_from(id)) return text_of_proposal_code(*code);
  if (const AnalysisRule* rule = analysis_rule_from(id)) return text_of_analysis_rule(*rule);
  if (const auto key = gate_from(id)) return text_of_gate(*key);
  if (const checks::Check* check = checks::find_check(id)) return text_of_check(*check);
  for (RuleText& text : change_texts())
    if (text.id == id) return std::move(text);
  if (const auto members = members_of(id); !members.empty())
    return fail(Code::unknown_id, fmt::format("'{}' stands for {} rules; explain one of {}", id,
                                              members.size(), join(members, ", ")));
  const auto close = did_you_mean(id, rule_ids());
  return fail(Code::unknown_id,
              fmt::format("there is no rule or error code '{}'{}", printable(id, 60),
                          close ? fmt::format("; did you mean '{}'?", *close) : ""));
}

Map rule_document(const RuleText& text) {
  return Map{{"schema", "gatehouse.rule/1"},
             {"id", text.id},
             {"kind", text.kind},
             {"gate", text.gate},
             {"stage", text_or_null(text.stage)},
             {"code", text_or_null(text.code)},
             {"exit_code", text.exit_code},
             {"why", text.why},
             {"fires", text.fires},
             {"bad", text.bad},
             {"good", text.good},
             {"fix", text.fix},
             {"suppress", text.suppress},
             {"since", text.since},
             {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
}

std::string render_rule(const RuleText& text, const Look& look) {
  std::string out =
      fmt::format("{}  ({}, {}exit {})\n", paint(look, Ink::bold, text.id), kind_line(text),
                  text.code.empty() ? "" : text.code + ", ", text.exit_code);
  out += paragraph("Why it exists", text.why, look);
  out += paragraph("What fires it", text.fires, look);
  out += example("Bad", text.bad, look, Ink::bad);
  out += example("Good", text.good, look, Ink::good);
  out += paragraph("How to fix it", text.fix, look);
  out += paragraph("Who may switch it off", text.suppress, look);
  return out + fmt::format("\nSince {}\n", text.since);
}

}  // namespace gh::report
