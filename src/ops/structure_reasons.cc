#include "ops/structure_reasons.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "analysis/report_view.h"
#include "base/product.h"
#include "base/text.h"
#include "model/peek.h"
#include "report/analysis_findings.h"

namespace gh::ops {
namespace {

using analysis::ComparedFinding;

constexpr std::size_t kMostReasons = 50;  // of one kind; the rest is counted
constexpr std::size_t kShownPlaces = 10;

Severity severity_of(std::string_view word) {
  return word == "critical"  ? Severity::error
         : word == "warning" ? Severity::warning
                             : Severity::note;
}

bool blocks(const control::Verification& v, std::string_view violation) {
  return std::ranges::any_of(v.blocking_violations, [&](const std::string& blocking) {
    return blocking == violation || (violation.ends_with(':') && blocking.starts_with(violation));
  });
}

Value places_of(const Value& group) {
  List out;
  for (const Value& item : analysis::list_in(group, {"items"})) {
    if (out.size() == kShownPlaces) break;
    out.emplace_back(Map{{"path", analysis::text_in(item, "relative_path")},
                         {"line", analysis::int_in(item, "start_line").value_or(0)},
                         {"symbol", analysis::text_in(item, "qualname")}});
  }
  return out;
}

/// A file that cannot be read, or less of it than before, is no group of the report.
void add_unread(const ComparedFinding& finding, Reason& out) {
  const bool is_syntax = finding.kind == "syntax_error";
  out.id = is_syntax ? "GH-STRUCT-SYNTAX" : "GH-STRUCT-UNREAD";
  out.path = finding.paths.empty() ? std::string() : finding.paths.front();
  const std::size_t colon = finding.place.rfind(':');
  if (colon != finding.place.npos)
    std::from_chars(finding.place.data() + colon + 1, finding.place.data() + finding.place.size(),
                    out.line);
  out.end_line = out.line;
  out.message = is_syntax ? std::string("the change leaves a file that cannot be parsed as a whole")
                          : fmt::format("the change leaves a file that cannot be analysed: {}",
                                        finding.unread);
  if (!finding.unread.empty()) out.evidence.set("status", finding.unread);
  out.next = explained(out.id, is_syntax ? "Mend the syntax." : "Make it a readable source file.");
}

}  // namespace

Next explained(std::string_view id, std::string_view why) {
  return {.kind = "command",
          .command = fmt::format("{} explain {}", kProduct, id),
          .tool = "explain",
          .why = std::string(why),
          .arguments = Map{{"id", id}}};
}

StructureReasons::StructureReasons(std::vector<std::string> changed, const Value& after)
    : changed_(std::move(changed)), after_(after) {
  for (const Value* group : analysis::finding_groups(after))
    groups_.emplace(analysis::text_in(*group, "id"), group);
  for (const Value* group : analysis::suppressed_groups(after))
    groups_.emplace(analysis::text_in(*group, "id"), group);
}

void StructureReasons::add_verification(const control::Verification& v, std::string_view whose) {
  const auto severity = [&](std::string_view violation) {
    return blocks(v, violation) ? Severity::error : Severity::warning;
  };
  add_regressions(v.intent_regressions, whose, severity("structural_regressions"));
  add_regressions(v.external_regressions, "external", Severity::note);
  add_regressions(v.advisory_regressions, "advisory", Severity::note);
  if (v.gate_violated || v.gate_external)
    add_gates(v, v.gate_external ? Severity::note : severity("gate_failures"));
  add_abuse(v, severity("baseline_abuse:"));
  add_suppressions(v.suppressions_added);
}

void StructureReasons::add_regressions(const std::vector<ComparedFinding>& findings,
                                       std::string_view attribution, Severity at_most) {
  for (std::size_t i = 0; i < std::min(kMostReasons, findings.size()); ++i)
    out_.push_back(regression(findings[i], attribution, at_most));
  if (findings.size() > kMostReasons)
    add({.id = "structural_regressions",
         .severity = Severity::note,
         .message = fmt::format("{} more findings that the base does not have",
                                findings.size() - kMostReasons),
         .context = std::string(attribution)});
}

void StructureReasons::add_gates(const control::Verification& v, Severity severity) {
  for (const std::string& told : v.after_gate.reasons) {
    const std::string key(control::gate_key(told));
    const bool was_there = std::ranges::any_of(
        v.before_gate.reasons,
        [&](const std::string& before) { return control::gate_key(before) == key; });
    add({.id = "gate_failures",
         .severity = was_there ? Severity::note : severity,
         .message = printable(
             was_there ? fmt::format("{} (the base fails this gate too)", told) : told, 240),
         .evidence = Map{{"gate", key}, {"fails_at_base", was_there}},
         .next = explained(key, "Fix what the gate names."),
         .context = key});
  }
}

void StructureReasons::add_abuse(const control::Verification& v, Severity severity) {
  for (const std::string& trigger : v.abuse_triggers) {
    const std::string id = "baseline_abuse:" + trigger;
    add({.id = id,
         .severity = severity,
         .message = "the change moves the baseline that it is compared with",
         .evidence = Map{{"trigger", trigger}},
         .next = explained(id, control::next_step_for(id)),
         .context = trigger});
  }
}

void StructureReasons::add_suppressions(const List& cards) {
  for (const Value& card : cards)
    add({.id = "suppression_added",
         .severity = Severity::warning,
         .message = fmt::format("the change silences {} for {}; it is judged as if it did not",
                                analysis::text_in(card, "rule"),
                                printable(analysis::text_in(card, "qualname"), 120)),
         .path = std::string(analysis::text_in(card, "relative_path")),
         .line = analysis::int_in(card, "line").value_or(0),
         .evidence = Map{{"rule", analysis::text_in(card, "rule")},
                         {"symbol", analysis::text_in(card, "qualname")}},
         .next = explained("suppression_added",
                           "Fix the finding, or silence it in a change of "
                           "its own that a person agrees to."),
         .identity = std::string(analysis::text_in(card, "id"))});
}

void StructureReasons::add_left_out(const std::vector<control::NotAnalysed>& files) {
  for (const control::NotAnalysed& file : files)
    add({.id = "source_not_analysed",
         .severity = Severity::warning,
         .message = file.reason == "partial"
                        ? std::string("only a part of this file can be read, before and now")
                        : fmt::format("no analysis reads this file: {}", file.reason),
         .path = file.path,
         .evidence = Map{{"reason", file.reason}},
         .next = {.kind = "human", .why = "Have a person read it."}});
}

void StructureReasons::add_health(const control::Verification& v) {
  if (v.health_delta.value_or(0) >= 0) return;
  add({.id = "health_regression_advisory",
       .severity = Severity::note,
       .message = fmt::format("the health of the code falls by {}", -*v.health_delta),
       .evidence = Map{{"health_delta", *v.health_delta}},
       .next = {.kind = "human", .why = "Say so in the review."}});
}

void StructureReasons::add_answers(const analysis::PatchAnswers& answers,
                                   const std::vector<ComparedFinding>& regressions) {
  std::set<std::string, std::less<>> told;
  for (const ComparedFinding& finding : regressions)
    if (finding.family == "clone") told.insert(finding.paths.begin(), finding.paths.end());
  for (const analysis::Copy& copy : answers.copies)
    if (!told.contains(copy.into.path))
      add_answer("clone_copied", Severity::warning, copy.into, analysis::sentence(copy),
                 copy.from.qualname + " " + copy.into.qualname);
  for (const analysis::PartialEdit& edit : answers.partial_edits)
    if (!edit.edited.empty())
      add_answer("clone_partial_edit", Severity::warning, edit.edited.front(),
                 analysis::sentence(edit), edit.edited.front().qualname);
  for (const analysis::GrownByChange& grown : answers.grown)
    if (!grown.new_members.empty())
      add_answer("clone_grown", Severity::warning, grown.new_members.front(),
                 analysis::sentence(grown), grown.new_members.front().qualname);
}

void StructureReasons::add(Reason reason) {
  reason.gate = "structure";
  out_.push_back(std::move(reason));
}

void StructureReasons::add_answer(std::string_view id, Severity severity,
                                  const analysis::Place& place, const std::string& sentence,
                                  std::string context) {
  if (told_answers_[id]++ >= kMostReasons) return;
  add({.id = std::string(id),
       .severity = severity,
       .message = printable(sentence, 240),
       .path = utf8_or_escaped(place.path),
       .line = place.start_line,
       .end_line = place.end_line,
       .evidence = Map{{"symbol", place.qualname}},
       .next = explained(id, "Look whether the copies should stay apart."),
       .context = std::move(context)});
}

Value StructureReasons::with_figure(const Value& group) const {
  const std::string_view category = analysis::text_in(group, "category");
  const std::string_view figure = report::figure_of(category);
  const List& items = analysis::list_in(group, {"items"});
  if (figure.empty() || items.empty() || Peek(group)["facts"][figure].exists()) return group;
  for (const Value& measured :
       analysis::list_in(after_, {"metrics", "families", category, "items"}))
    if (std::ranges::all_of(std::array{"relative_path", "qualname"}, [&](const char* member) {
          return analysis::text_in(measured, member) == analysis::text_in(items.front(), member);
        })) {
      Map out = *group.as_map();
      out.set("facts", Map{{std::string(figure), analysis::int_in(measured, figure).value_or(0)}});
      return Value(std::move(out));
    }
  return group;
}

const Value* StructureReasons::item_of(const Value& group) const {
  const List& items = analysis::list_in(group, {"items"});
  for (const Value& item : items)
    if (std::ranges::binary_search(changed_, analysis::text_in(item, "relative_path")))
      return &item;
  return items.empty() ? nullptr : &items.front();
}

Reason StructureReasons::regression(const ComparedFinding& finding, std::string_view attribution,
                                    Severity at_most) const {
  Reason out{.gate = "structure",
             .severity = std::max(severity_of(finding.severity), at_most),
             .evidence = Map{{"finding", finding.id},
                             {"kind", finding.kind},
                             {"severity", finding.severity},
                             {"attribution", attribution}},
             .identity = finding.id};
  const auto found = groups_.find(finding.id);
  if (found == groups_.end()) {
    add_unread(finding, out);
    return out;
  }
  const Value group = with_figure(*found->second);
  const report::AnalysisRule& rule = report::analysis_rules()[report::rule_of(Peek(group))];
  out.id = rule.id;
  out.message = printable(report::headline(Peek(group)), 200);
  out.next = explained(rule.id, rule.help);
  out.evidence.set("places", places_of(group));
  if (const Value* item = item_of(group)) {
    out.path = analysis::text_in(*item, "relative_path");
    out.line = analysis::int_in(*item, "start_line").value_or(0);
    out.end_line = analysis::int_in(*item, "end_line").value_or(0);
    if (const auto name = analysis::text_in(*item, "qualname"); !name.empty())
      out.message += ": " + printable(name, 120);
  }
  return out;
}

}  // namespace gh::ops
