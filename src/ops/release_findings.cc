// `release findings` and `release explain-finding`: an earlier report, read again.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/product.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "checks/catalogue.h"
#include "model/peek.h"
#include "ops/release_ops.h"
#include "ops/release_outputs.h"
#include "ops/release_session.h"
#include "policy/redact.h"
#include "release/schema_version.h"
#include "report/columns.h"
#include "report/release_report.h"
#include "sys/files.h"
#include "wire/json.h"
#include "wire/spaced_json.h"

namespace gh::ops {
namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t kMaxReport = 64u << 20;
// table: kinds that findings are filtered by
constexpr std::array<std::string_view, 5> kKinds{
    "ast_extraction", "keyword_heuristic", "policy_pack", "regex_heuristic", "static_declaration"};

struct OldReport {
  std::string path;  // absolute
  Value document;    // redacted again
};

Result<std::string> report_path(const Request& request, Context& context) {
  if (request.has("from")) return joined_path(context.cwd, request.text("from"));
  GH_TRY(folder, usual_report_folder(request, context));
  return folder + "/report.json";
}

/// A failure tells agents how a report is made.
Result<OldReport> read_report(const Request& request, Context& context, int minor) {
  GH_TRY(path, report_path(request, context));
  context.fault =
      report::AgentFault{.facts = {{"source_report", path}},
                         .next_actions = {report::next_action(
                             "command", fmt::format("{} scan --format json", context.program),
                             "Writes a report that this version reads.", "report.json")}};
  GH_TRY(bytes, read_report_file(path, kMaxReport, context));
  GH_TRY(root, wire::read_json(bytes, path));
  if (!release::is_schema_at_least(Peek(root)["report_schema_version"].text(), minor))
    return fail(Code::json_invalid,
                fmt::format("{}: no release report of schema 0.{} or later; write one with "
                            "{} scan --format json",
                            printable(path, 400), minor, context.program));
  return OldReport{std::move(path), policy::redact_document(root).value};
}

Result<Texts> wanted_kinds(const Request& request) {
  Texts out;
  const std::string given = request.text("provenance-kind");
  for (const std::string_view part : split(given, ',')) {
    const std::string_view word = surface::trimmed(part);
    if (word.empty()) continue;
    if (std::ranges::find(kKinds, word) == kKinds.end())
      return fail(Code::json_invalid,
                  fmt::format("'{}' is no kind of provenance", printable(word, 60)));
    out.emplace_back(word);
  }
  return out;
}

Map zero_counts() {
  Map out;
  for (const std::string_view kind : kKinds)
    out.set(std::string(kind), 0);
  return out;
}

void count(Map& counts, std::string_view kind) {
  Value* held = counts.find(kind);
  *held = *held->as_int() + 1;
}

Map row_of(const Value& finding) {
  Map out;
  for (const char* key :
       {"id", "fingerprint", "check_id", "severity", "title", "tool_name", "confidence",
        "provenance_kind", "agent_action", "suppressed", "source"}) {
    const Value* held = finding.as_map()->find(key);
    out.set(key, held != nullptr ? *held : Value());
  }
  return out;
}

/// What a report's findings are, by kind and by the filters.
struct Chosen {
  List findings{};
  std::int64_t total = 0, included = 0, omitted = 0;
  Map by_kind = zero_counts(), matched_by_kind = zero_counts();
};

Result<Chosen> choose(const OldReport& report, const Texts& kinds, bool with_suppressed) {
  Chosen out;
  for (const Value& finding : Peek(report.document)["findings"].list()) {
    const std::string_view kind = Peek(finding)["provenance_kind"].text();
    if (std::ranges::find(kKinds, kind) == kKinds.end())
      return fail(Code::json_invalid, fmt::format("{}: a finding without a known provenance_kind",
                                                  printable(report.path, 400)));
    ++out.total;
    if (Peek(finding)["suppressed"].is_true() && !with_suppressed) {
      ++out.omitted;
      continue;
    }
    ++out.included;
    count(out.by_kind, kind);
    if (!kinds.empty() && std::ranges::find(kinds, kind) == kinds.end()) continue;
    count(out.matched_by_kind, kind);
    out.findings.emplace_back(row_of(finding));
  }
  return out;
}

Map tool_document() { return {{"name", kProduct}, {"version", kVersion}}; }

// table: closing sentences by agent_action
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kClosings{{
    {"auto_apply", "An agent may apply the suggested patch by itself."},
    {"propose_patch_for_review", "An agent may propose the suggested patch; a person decides."},
    {"escalate_to_human", "A person has to look at it; an agent must not settle it alone."},
    {"informational", "Nothing has to be done."},
}};

std::string explanation_of(const Value& f, const Map* metadata) {
  const Peek at(f);
  const std::string on =
      at["tool_name"].exists() ? fmt::format(" on {}", at["tool_name"].text()) : " on the agent";
  Texts sentences{fmt::format("{} fired{} at severity {}: {}.", at["check_id"].text(), on,
                              at["severity"].text(), at["title"].text())};
  if (metadata != nullptr) sentences.emplace_back(Peek(metadata->find("rationale")).text());
  const Value evidence(at["evidence"].map());
  sentences.push_back(fmt::format("Evidence: {}.", printable(wire::spaced_json(evidence), 200)));
  sentences.emplace_back(at["recommendation"].text());
  const auto closing = std::ranges::find(kClosings, at["agent_action"].text(),
                                         &decltype(kClosings)::value_type::first);
  if (at["suppressed"].is_true())
    sentences.push_back(fmt::format("It is suppressed: {}.", at["suppression_reason"].text()));
  else if (closing != kClosings.end())
    sentences.emplace_back(closing->second);
  return join(sentences, " ");
}

const Value* find_finding(const Value& report, std::string_view wanted, Texts& known) {
  for (const Value& f : Peek(report)["findings"].list()) {
    known.emplace_back(Peek(f)["fingerprint"].text());
    if (Peek(f)["fingerprint"].text() == wanted || Peek(f)["id"].text() == wanted) return &f;
  }
  return nullptr;
}

}  // namespace

Result<Reply> release_findings(const Request& request, Context& context) {
  constexpr int kWithProvenance = 15;
  GH_TRY(kinds, wanted_kinds(request));
  GH_TRY(report, read_report(request, context, kWithProvenance));
  const bool with_suppressed = request.flag("include-suppressed");
  GH_TRY(chosen, choose(report, kinds, with_suppressed));
  Reply reply;
  reply.document =
      Map{{"schema", "gatehouse.release_findings/1"},
          {"filters", Map{{"source_report", report.path},
                          {"provenance_kind", string_list(kinds)},
                          {"include_suppressed", with_suppressed}}},
          {"summary", Map{{"total_findings", chosen.total},
                          {"included_findings", chosen.included},
                          {"matched_findings", static_cast<std::int64_t>(chosen.findings.size())},
                          {"suppressed_omitted", chosen.omitted},
                          {"by_provenance_kind", chosen.by_kind},
                          {"matched_by_provenance_kind", chosen.matched_by_kind}}},
          {"findings", std::move(chosen.findings)},
          {"tool", tool_document()}};
  reply.text = [document = reply.document](const report::Look&) {
    std::string out;
    for (const Value& f : Peek(document)["findings"].list())
      out += fmt::format("{}  {}  {}\n          {}\n",
                         report::padded(Peek(f)["severity"].text(), 8), Peek(f)["check_id"].text(),
                         Peek(f)["fingerprint"].text(), printable(Peek(f)["title"].text(), 200));
    const Peek summary = Peek(document)["summary"];
    return out + fmt::format("{} of {} findings, {} suppressed left out\n",
                             summary["matched_findings"].number(),
                             summary["total_findings"].number(),
                             summary["suppressed_omitted"].number());
  };
  return reply;
}

Result<Reply> release_explain_finding(const Request& request, Context& context) {
  constexpr int kWithFingerprints = 12;
  GH_TRY(report, read_report(request, context, kWithFingerprints));
  const std::string wanted = request.text("FINGERPRINT");
  Texts known;
  const Value* finding = find_finding(report.document, wanted, known);
  if (finding == nullptr) {
    const auto near = did_you_mean(wanted, known);
    context.fault = report::AgentFault{
        .kind = "unknown_fingerprint",
        .facts = {{"fingerprint", printable(wanted, 80)},
                  {"suggestion", near ? Value(*near) : Value()},
                  {"source_report", report.path}},
        .next_actions = {report::next_action(
            "command",
            fmt::format("{} findings --from {} --json", context.program, shell_word(report.path)),
            "Lists the fingerprints of the report.")}};
    return fail(
        Code::unknown_id,
        fmt::format("{} has no finding '{}'{}", printable(report.path, 400), printable(wanted, 80),
                    near ? fmt::format("; did you mean '{}'?", *near) : ""));
  }
  std::optional<Map> metadata;
  if (const checks::Check* check = checks::find_check(Peek(*finding)["check_id"].text())) {
    GH_TRY(document, report::check_document(*check));
    metadata = std::move(document);
  }
  Reply reply;
  Map document = *finding->as_map();  // the whole finding, and what is derived from it
  document.set("schema", "gatehouse.release_finding/1");
  document.set("metadata", metadata ? Value(*metadata) : Value());
  document.set("explanation", explanation_of(*finding, metadata ? &*metadata : nullptr));
  document.set("source_report", report.path);
  document.set("tool", tool_document());
  reply.document = std::move(document);
  reply.text = [document = reply.document](const report::Look& look) {
    return report::folded(Peek(document)["explanation"].text(), look.width, 0) + "\n";
  };
  return reply;
}

}  // namespace gh::ops
