#include "report/verdict_document.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "report/columns.h"
#include "report/leading_reason.h"
#include "wire/json.h"

namespace gh::report {
namespace {

constexpr std::size_t kHeadlineMax = 120;
struct SkippedGate {
  std::string_view gate, why;
};
// Order of the design page: a change meets the gates in this order.
constexpr std::array<SkippedGate, 4> kSkippedGates{{
    {"scope", "not asked: 'gatehouse check' asks it"},
    {"structure", "not asked: 'gatehouse check' asks it"},
    {"surface", "not asked: 'gatehouse check' asks it"},
    {"admission", "no proposal: 'gatehouse check --proposal ID' asks it"},
}};

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }
Value number_or_null(std::int64_t number) { return number == 0 ? Value() : Value(number); }
Value digest_or_null(std::string_view hex) {
  return hex.empty() ? Value() : Value(fmt::format("sha256:{}", hex));
}

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

Decision decision_of(const patch::Outcome& outcome) {
  if (outcome.error) return Decision::unverified;
  return outcome.violations.empty() ? Decision::allow : Decision::deny;
}

/// The first command between backquotes in an advice text, if it has one.
std::string_view command_in(std::string_view text) {
  for (std::string_view start : {"`git ", "`gatehouse "}) {
    const std::size_t open = text.find(start);
    if (open == std::string_view::npos) continue;
    const std::size_t close = text.find('`', open + 1);
    if (close != std::string_view::npos) return text.substr(open + 1, close - open - 1);
  }
  return {};
}

Next next_step(std::string_view id, std::string_view advice_text, bool needs_person) {
  Next out;
  const std::string_view command = command_in(advice_text);
  out.kind = needs_person ? "human" : "command";
  out.command = command.empty() ? fmt::format("{} explain {}", kProduct, id) : std::string(command);
  out.why = advice_text;
  return out;
}

Map evidence_of(const Violation& v) {
  return Map{{"patch_line", number_or_null(v.line)},
             {"section", number_or_null(v.section)},
             {"excerpt", text_or_null(clipped(v.excerpt, 160))},
             {"limit", v.limit ? Value(*v.limit) : Value()},
             {"actual", v.actual ? Value(*v.actual) : Value()}};
}

Reason reason_of(const Violation& v) {
  Reason out;
  out.id = to_string(v.rule);
  out.gate = "patch";
  out.stage = to_string(stage_of(step_of(v.rule)));
  out.message = clipped(v.message, 240);
  out.path = v.file;
  out.evidence = evidence_of(v);
  out.next = next_step(out.id, advice(v.rule), is_alarm(v.rule));
  out.context = trimmed(v.excerpt);
  return out;
}

Reason reason_of(const Error& error) {
  Reason out;
  out.id = to_string(error.code);
  out.gate = "patch";
  out.message = clipped(error.message, 240);
  out.next = next_step(out.id, help(error.code), false);
  return out;
}

std::vector<Part> parts_of(const patch::Outcome& outcome) {
  std::vector<Part> out{
      {"patch", true, decision_of(outcome), std::string(patch_code(outcome)), {}}};
  for (const SkippedGate& s : kSkippedGates)
    out.push_back({std::string(s.gate), false, Decision::allow, {}, std::string(s.why)});
  if (outcome.landed) {
    out.push_back({"landing", true, Decision::allow, outcome.landed->mode, {}});
  } else {
    out.push_back({"landing",
                   false,
                   Decision::allow,
                   {},
                   outcome.ok() ? "nothing was to be landed" : "the patch gate did not allow it"});
  }
  return out;
}

Value next_value(const Next& next) {
  return Map{{"kind", next.kind},
             {"command", text_or_null(next.command)},
             {"tool", text_or_null(next.tool)},
             {"arguments", next.arguments},
             {"why", text_or_null(next.why)}};
}

Value part_value(const Part& part) {
  return Map{{"gate", part.gate},
             {"state", part.ran ? "ran" : "skipped"},
             {"decision", part.ran ? Value(to_string(part.decision)) : Value()},
             {"status", part.ran ? text_or_null(part.status) : Value()},
             {"why", text_or_null(part.why)}};
}

Value reason_value(const Reason& r, std::int64_t ordinal) {
  return Map{{"id", r.id},
             {"gate", r.gate},
             {"severity", to_string(r.severity)},
             {"stage", text_or_null(r.stage)},
             {"message", r.message},
             {"path", r.path.empty() ? Value() : Value(path_text(r.path))},
             {"line", number_or_null(r.line)},
             {"end_line", number_or_null(r.end_line)},
             {"column", number_or_null(r.column)},
             {"evidence", r.evidence},
             {"next", next_value(r.next)},
             {"fingerprint", reason_fingerprint(r, ordinal)}};
}

Value reasons_value(std::vector<Reason> reasons) {
  std::ranges::stable_sort(reasons, {}, [](const Reason& r) {
    return std::tuple(r.severity, std::string_view(r.path), r.line, std::string_view(r.id));
  });
  std::map<std::tuple<std::string, std::string, std::string>, std::int64_t> seen;
  List out;
  for (const Reason& r : reasons)
    out.push_back(reason_value(r, ++seen[{r.id, r.path, r.context}]));
  return out;
}

}  // namespace

std::string reason_fingerprint(const Reason& r, std::int64_t ordinal) {
  std::string key = r.id;
  const auto add = [&key](std::string_view part) { key.append(1, '\0').append(part); };
  if (!r.identity.empty()) {
    add(r.identity);
  } else {
    add(r.path);
    add(r.context);
    add(fmt::format("{}", ordinal));
  }
  return digest_of(key).hex().substr(0, 32);
}

Verdict patch_verdict(const patch::Outcome& outcome, const DocumentContext& document,
                      const VerdictContext& context) {
  Verdict out;
  out.gate = context.gate;
  out.parts = parts_of(outcome);
  out.decision = worst(out.parts);
  out.headline = clipped(patch_message(outcome), kHeadlineMax);
  if (outcome.error) out.reasons.push_back(reason_of(*outcome.error));
  for (const Violation& v : outcome.violations)
    out.reasons.push_back(reason_of(v));
  out.repo = context.repo_id;
  out.base = outcome.repo.base_commit;
  out.head = context.head;
  out.policy_digest = document.policy_sha256;
  out.input_digest = outcome.sha256;
  out.started = context.started;
  out.duration_ms = context.duration_ms;
  return out;
}

Map verdict_document(const Verdict& v) {
  List parts;
  for (const Part& part : v.parts)
    parts.push_back(part_value(part));
  Map digests{{"policy", digest_or_null(v.policy_digest)},
              {"input", digest_or_null(v.input_digest)}};
  Map out{{"schema", "gatehouse.verdict/1"},
          {"decision", to_string(v.decision)},
          {"gate", v.gate},
          {"headline", clipped(v.headline, kHeadlineMax)},
          {"parts", std::move(parts)},
          {"reasons", reasons_value(v.reasons)},
          {"subject", Map{{"repo", text_or_null(v.repo)},
                          {"base", text_or_null(v.base)},
                          {"head", text_or_null(v.head)},
                          {"intent_id", text_or_null(v.intent_id)},
                          {"proposal_id", nullptr}}},
          {"digests", digests}};
  // interfaces 0.1: without meta and without itself
  digests.set("verdict", digest_of(wire::canonical_json(out)).tagged());
  out.set("digests", std::move(digests));
  out.set("meta", Map{{"tool", Map{{"name", kProduct}, {"version", kVersion}}},
                      {"started", text_or_null(v.started)},
                      {"duration_ms", v.duration_ms}});
  return out;
}

std::string why_not_allowed(const Verdict& v) {
  const auto part = std::ranges::find_if(
      v.parts, [&](const Part& p) { return p.ran && p.decision == v.decision; });
  const std::string gate = part == v.parts.end() ? v.gate : part->gate;
  const std::string did = v.decision == Decision::deny
                              ? "denied"
                              : std::string("says ") + std::string(to_string(v.decision));
  const Reason* found = leading_reason(v, gate);
  if (found == nullptr) return fmt::format("gate '{}' {}", gate, did);
  const Reason& first = *found;
  std::string place = first.path.empty()
                          ? std::string()
                          : fmt::format(" at {}", clipped(path_text(first.path), 200));
  if (first.line > 0) place += fmt::format(":{}", first.line);
  const Value* line = first.evidence.find("patch_line");
  if (line != nullptr && line->as_int() != nullptr)
    place += fmt::format(" (patch line {})", *line->as_int());
  return fmt::format("gate '{}' {}, first {}{}", gate, did, first.id, place);
}

}  // namespace gh::report
