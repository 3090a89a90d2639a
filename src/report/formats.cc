#include "report/formats.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "model/verdict.h"
#include "policy/redact.h"
#include "report/release_report.h"
#include "report/verdict_document.h"
#include "wire/json.h"

namespace gh::report {
namespace {

constexpr std::size_t kMostMessage = 1000, kMostPath = 4000;

std::string json_of(const Value& verdict, const FormatFrame&) { return wire::pretty_json(verdict); }

std::string sarif_of(const Value& verdict, const FormatFrame& frame) {
  return wire::pretty_json(verdict_sarif(verdict, frame));
}

/// One object a line, its type in front, as readers of streams want it.
std::string typed_line(std::string_view type, const Value& object) {
  const std::string json = wire::canonical_json(object);
  return fmt::format("{{\"type\":\"{}\"{}{}\n", type, json == "{}" ? "" : ",", json.substr(1));
}

std::string jsonl_of(const Value& verdict, const FormatFrame&) {
  Value head = verdict;
  head.as_map()->erase("parts");
  head.as_map()->erase("reasons");
  std::string out = typed_line("verdict", head);
  for (const Value& part : Peek(verdict)["parts"].list())
    out += typed_line("part", part);
  for (const Value& reason : Peek(verdict)["reasons"].list())
    out += typed_line("reason", reason);
  return out;
}

// ----------------------------------------------------------------------------------- annotations

struct Level {
  std::string_view severity, command;
};
// table: severities as workflow commands
constexpr std::array<Level, 3> kLevels{
    {{"error", "error"}, {"warning", "warning"}, {"note", "notice"}}};

std::string escaped_command(std::string_view text, bool is_property) {
  std::string out;
  for (const char c : text) {
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else if (is_property && c == ':')
      out += "%3A";
    else if (is_property && c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

std::string annotation(const Told& t, std::string_view command) {
  std::string place;
  if (!t.path.empty()) {
    place = "file=" + command_property(t.path);
    if (t.line > 0) place += fmt::format(",line={}", t.line);
    if (t.end_line > t.line) place += fmt::format(",endLine={}", t.end_line);
    if (t.column > 0) place += fmt::format(",col={}", t.column);
    place += ',';
  }
  const std::string text = t.next.empty() ? t.message : t.message + "\nNext: " + t.next;
  return fmt::format("::{} {}title={}::{}\n", command, place, command_property(t.id),
                     command_data(text));
}

std::string github_of(const Value& verdict, const FormatFrame& frame) {
  const std::vector<Told> all = told_in(verdict);
  std::string out;
  std::size_t left = frame.most_annotations;
  for (const Level& level : kLevels) {
    std::size_t count = 0, shown = 0;
    for (const Told& t : all) {
      if (t.severity != level.severity) continue;
      if (++count > kMostAnnotations || left == 0) continue;
      out += annotation(t, level.command);
      ++shown;
      --left;
    }
    if (count > shown && frame.most_annotations > 0)
      out += fmt::format("::{} title=gatehouse::{} more in the summary\n", level.command,
                         count - shown);
  }
  return out;
}

// -------------------------------------------------------------------------- Code Climate, rdjson

std::string_view climate_severity(const Told& t) {
  if (t.severity == "error") return t.blocks_release ? "blocker" : "critical";
  return t.severity == "warning" ? "major" : "minor";
}

std::string gitlab_of(const Value& verdict, const FormatFrame&) {
  List out;
  std::set<std::string> seen;
  for (const Told& t : told_in(verdict)) {
    std::string fingerprint(t.fingerprint);
    for (int i = 2; !seen.insert(fingerprint).second; ++i)
      fingerprint = fmt::format("{}-{}", t.fingerprint, i);
    const std::int64_t first = t.first_line();
    out.emplace_back(Map{
        {"description", t.next.empty() ? t.message : t.message + "; next: " + t.next},
        {"check_name", t.id},
        {"fingerprint", std::move(fingerprint)},
        {"severity", climate_severity(t)},
        {"location", Map{{"path", t.place()},
                         {"lines", Map{{"begin", first}, {"end", std::max(first, t.end_line)}}}}}});
  }
  return wire::pretty_json(Value(std::move(out)));
}

std::string_view rd_severity(std::string_view severity) {
  return severity == "error" ? "ERROR" : severity == "warning" ? "WARNING" : "INFO";
}

Map diagnostic_of(const Told& t) {
  Map start{{"line", t.first_line()}};
  // Without any column a range is of whole lines, its last one included.
  const bool is_of_lines = t.end_line > t.line;
  if (t.column > 0 && !is_of_lines) start.set("column", t.column);
  Map range{{"start", std::move(start)}};
  if (is_of_lines) range.set("end", Map{{"line", t.end_line}});
  return Map{{"message", t.next.empty() ? t.message : t.message + "\nNext: " + t.next},
             {"location", Map{{"path", t.place()}, {"range", std::move(range)}}},
             {"severity", rd_severity(t.severity)},
             {"code", Map{{"value", t.id}}}};
}

Map rd_source() { return Map{{"name", kProduct}}; }

std::string rdjson_of(const Value& verdict, const FormatFrame&) {
  List diagnostics;
  for (const Told& t : told_in(verdict))
    diagnostics.emplace_back(diagnostic_of(t));
  return wire::pretty_json(
      Value(Map{{"source", rd_source()}, {"diagnostics", std::move(diagnostics)}}));
}

std::string rdjsonl_of(const Value& verdict, const FormatFrame&) {
  std::string out;
  for (const Told& t : told_in(verdict)) {
    Map line = diagnostic_of(t);
    line.set("source", rd_source());
    out += wire::canonical_json(Value(std::move(line))) + "\n";
  }
  return out;
}

// ------------------------------------------------------------------------------------------- XML

/// Attribute or text: markup escaped. What XML 1.0 cannot hold is not there any more (printable).
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\t') out += c;
    }
  }
  return out;
}

constexpr std::string_view kXmlHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// Milliseconds as seconds; no binary fraction on the way.
std::string seconds_of(std::int64_t ms) { return fmt::format("{}.{:03}", ms / 1000, ms % 1000); }

struct Suite {
  std::string cases{};
  int tests = 0, failures = 0, errors = 0, skipped = 0;
};

void add_case(Suite& suite, const Told& t) {
  ++suite.tests;
  const bool fails = t.is_in_the_way;
  suite.cases +=
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\"",
                  xml(t.path.empty() ? t.gate : t.path),
                  xml(fmt::format("{}: {}", t.id, t.message)), xml(t.place()), t.first_line());
  const std::string more = xml(t.next.empty() ? t.message : t.message + "\nNext: " + t.next);
  if (fails) {
    ++suite.failures;
    suite.cases +=
        fmt::format(">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                    xml(t.id), xml(t.message), more);
  } else {
    suite.cases += fmt::format(">\n      <system-out>{}: {}</system-out>\n    </testcase>\n",
                               t.severity, more);
  }
}

/// A gate that passes has a case of its own, so that none is empty; one that says no without an
/// error fails in it.
Suite suite_of(const Peek& part, const std::vector<Told>& all) {
  const std::string gate(part["gate"].text());
  const std::string head =
      fmt::format("    <testcase classname=\"{}\" name=\"gate {}\"", xml(gate), xml(gate));
  Suite out;
  out.tests = 1;
  if (part["state"].text() != "ran") {
    out.skipped = 1;
    out.cases = fmt::format("{}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", head,
                            xml(printable(part["why"].text(), kMostMessage)));
    return out;
  }
  for (const Told& t : all)
    if (t.gate == gate) add_case(out, t);
  const std::string_view decision = part["decision"].text();
  const bool is_no = decision == "deny" || decision == "unverified";
  std::string own = fmt::format("{}/>\n", head);
  if (is_no && out.failures > 0) {  // its reasons say it
    --out.tests;
    own.clear();
  } else if (is_no) {
    ++(decision == "deny" ? out.failures : out.errors);
    const std::string_view element = decision == "deny" ? "failure" : "error";
    own = fmt::format("{0}>\n      <{1} type=\"{2}\" message=\"{2}\"/>\n    </testcase>\n", head,
                      element, xml(printable(part["status"].text(), kMostMessage)));
  }
  out.cases = own + out.cases;
  return out;
}

std::string junit_of(const Value& verdict, const FormatFrame&) {
  const Peek v(verdict);
  const std::vector<Told> all = told_in(verdict);
  const std::string time = seconds_of(std::max<std::int64_t>(0, v["meta"]["duration_ms"].number()));
  std::string suites;
  Suite sum;
  const auto add = [&](std::string_view gate, const Suite& suite) {
    sum.tests += suite.tests;
    sum.failures += suite.failures;
    sum.errors += suite.errors;
    suites += fmt::format(
        "  <testsuite name=\"gatehouse.{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
        "skipped=\"{}\" time=\"0.000\">\n{}  </testsuite>\n",
        xml(gate), suite.tests, suite.failures, suite.errors, suite.skipped, suite.cases);
  };
  std::set<std::string, std::less<>> known;
  for (const Value& part : v["parts"].list()) {
    known.emplace(Peek(part)["gate"].text());
    add(Peek(part)["gate"].text(), suite_of(Peek(part), all));
  }
  Suite others;  // reasons of no part: why there was no check at all
  for (const Told& t : all)
    if (!known.contains(t.gate)) add_case(others, t);
  if (others.tests > 0) add(v["gate"].text(), others);
  return fmt::format(
      "{}<testsuites name=\"gatehouse\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "time=\"{}\">\n{}</testsuites>\n",
      kXmlHead, sum.tests, sum.failures, sum.errors, time, suites);
}

std::string checkstyle_of(const Value& verdict, const FormatFrame&) {
  std::vector<Told> all = told_in(verdict);
  std::ranges::stable_sort(all, {}, [](const Told& t) { return std::string(t.place()); });
  std::string out = std::string(kXmlHead) + "<checkstyle version=\"4.3\">\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Told& t = all[i];
    if (i == 0 || all[i - 1].place() != t.place())
      out += fmt::format("  <file name=\"{}\">\n", xml(t.place()));
    const std::string column = t.column > 0 ? fmt::format(" column=\"{}\"", t.column) : "";
    out += fmt::format(
        "    <error line=\"{}\"{} severity=\"{}\" message=\"{}\" source=\"gatehouse.{}\"/>\n",
        t.first_line(), column, t.severity == "note" ? "info" : t.severity, xml(t.message),
        xml(t.id));
    if (i + 1 == all.size() || all[i + 1].place() != t.place()) out += "  </file>\n";
  }
  return out + "</checkstyle>\n";
}

// table: forms of a Verdict
constexpr std::array<FormatRow, 10> kFormats{{{"json", "verdict.json", json_of},
                                              {"jsonl", "verdict.jsonl", jsonl_of},
                                              {"github", "annotations.txt", github_of},
                                              {"sarif", "gatehouse.sarif", sarif_of},
                                              {"junit", "junit.xml", junit_of},
                                              {"gitlab", "gl-code-quality.json", gitlab_of},
                                              {"rdjson", "rdjson.json", rdjson_of},
                                              {"rdjsonl", "rdjson.jsonl", rdjsonl_of},
                                              {"markdown", "summary.md", verdict_summary},
                                              {"checkstyle", "checkstyle.xml", checkstyle_of}}};

std::string_view severity_of_release(std::string_view severity) {
  if (severity == "critical" || severity == "high") return "error";
  return severity == "medium" ? "warning" : "note";
}

Decision decision_of_release(std::string_view word) {
  if (word == "passed") return Decision::allow;
  if (word == "blocked") return Decision::deny;
  return word == "insufficient_evidence" ? Decision::unverified : Decision::review;
}

Reason reason_of_release(const Peek& reference, std::string_view manifest) {
  const std::string_view severity = severity_of_release(reference["severity"].text());
  const Peek source = reference["source"];
  return {.id = std::string(reference["check_id"].text()),
          .gate = "surface",
          .severity = severity == "error"     ? Severity::error
                      : severity == "warning" ? Severity::warning
                                              : Severity::note,
          .message = printable(reference["title"].text(), 240),
          .path = place_from_top(source, manifest),
          .line = source["start_line"].number(),
          .end_line = source["end_line"].number(),
          .column = source["start_column"].number(),
          .evidence = Map{{"release_fingerprint", reference["fingerprint"].text()},
                          {"release_severity", reference["severity"].text()},
                          {"blocks_release", reference["blocks_release"].is_true()}},
          .next = {.kind = "command",
                   .command = fmt::format("{} release explain-finding {}", kProduct,
                                          reference["fingerprint"].text())},
          .identity = std::string(reference["fingerprint"].text())};
}

}  // namespace

std::string_view Told::place() const { return path.empty() ? kConfigFile : std::string_view(path); }

std::span<const FormatRow> verdict_formats() { return kFormats; }

const FormatRow* verdict_format(std::string_view name) {
  const auto row = std::ranges::find(kFormats, name, &FormatRow::name);
  return row == kFormats.end() ? nullptr : &*row;
}

std::vector<Told> told_in(const Value& verdict) {
  std::vector<Told> out;
  for (const Value& value : Peek(verdict)["reasons"].list()) {
    const Peek r(value);
    const Peek next = r["next"];
    std::string_view severity = r["severity"].text();
    if (std::ranges::find(kLevels, severity, &Level::severity) == kLevels.end()) severity = "note";
    out.push_back(
        {.id = printable(r["id"].text(), 200),
         .gate = printable(r["gate"].text(), 60),
         .message = shown_text(r["message"].text(), kMostMessage),
         .path = printable(r["path"].text(), kMostPath),
         .severity = severity,
         .line = std::max<std::int64_t>(0, r["line"].number()),
         .end_line = std::max<std::int64_t>(0, r["end_line"].number()),
         .column = std::max<std::int64_t>(0, r["column"].number()),
         .next = shown_text(next["command"].exists() ? next["command"].text() : next["why"].text(),
                            kMostMessage),
         .next_is_command = next["command"].exists(),
         .fingerprint = r["fingerprint"].text(),
         .blocks_release = r["evidence"]["blocks_release"].is_true(),
         .evidence = r["evidence"]});
  }
  const auto has_error = [&](std::string_view gate) {
    return std::ranges::any_of(
        out, [&](const Told& t) { return t.gate == gate && t.severity == "error"; });
  };
  for (const Value& value : Peek(verdict)["parts"].list()) {
    const Peek part(value);
    const std::string_view decision = part["decision"].text(), gate = part["gate"].text();
    if ((decision != "deny" && decision != "unverified") || has_error(gate)) continue;
    for (Told& t : out)
      t.is_in_the_way = t.is_in_the_way || (t.gate == gate && t.severity != "note");
  }
  for (Told& t : out)
    t.is_in_the_way = t.is_in_the_way || t.severity == "error";
  const auto rank = [](const Told& t) {
    return std::ranges::find(kLevels, t.severity, &Level::severity) - kLevels.begin();
  };
  std::ranges::stable_sort(out, {}, rank);
  return out;
}

std::string shown_text(std::string_view text, std::size_t max) {
  return printable(policy::redact(text).text, max);
}

std::string command_data(std::string_view text) { return escaped_command(text, false); }
std::string command_property(std::string_view text) { return escaped_command(text, true); }

std::optional<Value> verdict_of_release(const Value& document, std::string_view manifest) {
  const Peek decision = Peek(document)["release_decision"];
  if (!decision["decision"].exists()) return std::nullopt;
  if (const std::string_view own = Peek(document)["config"].text(); !own.empty()) manifest = own;
  Verdict out;
  out.gate = "surface";
  out.decision = decision_of_release(decision["decision"].text());
  out.headline = printable(decision["reason"].text(), 120);
  for (const std::string_view gate :
       {"patch", "scope", "structure", "surface", "admission", "landing"})
    out.parts.push_back({.gate = std::string(gate), .why = "only the release gate was asked"});
  out.parts[3] = {.gate = "surface",
                  .ran = true,
                  .decision = out.decision,
                  .status = std::string(decision["decision"].text())};
  for (const char* list : {"blockers", "review_items"})
    for (const Value& reference : decision[list].list())
      out.reasons.push_back(reason_of_release(Peek(reference), manifest));
  return Value(verdict_document(out));
}

}  // namespace gh::report
