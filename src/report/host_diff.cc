#include "report/host_diff.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "model/peek.h"
#include "policy/redact.h"
#include "report/columns.h"

namespace gh::report {
namespace {

using powers::Effect;

struct Heading {
  std::string_view effect, title, counted;
  Ink ink;
};
// table: effects in the order in which people read them
constexpr std::array<Heading, 4> kHeadings{
    {{"widens", "WIDENS", "widen", Ink::bad},
     {"unread", "COULD NOT BE READ", "could not be read", Ink::warning},
     {"tells", "TO KNOW", "to know", Ink::accent},
     {"narrows", "NARROWS", "narrow", Ink::good}}};

std::int64_t count(const std::vector<powers::Row>& rows, Effect effect) {
  return std::ranges::count(rows, effect, &powers::Row::effect);
}

/// What a reader does now.
std::string_view next_of(Decision decision) {
  switch (decision) {
    case Decision::allow:
      return "nothing";
    case Decision::review:
      return "a person looks at each row that widens, and lets the change in or not";
    case Decision::unverified:
      return "make what could not be read readable, or have a person read it";
    case Decision::deny:
      return "take the critical rows out of the change; only a person may grant them";
  }
  return "";
}

std::string headline_of(Decision decision, const std::vector<powers::Row>& rows) {
  if (rows.empty()) return "nothing changes in what coding agents may do";
  std::vector<std::string> parts;
  for (const Heading& heading : kHeadings)
    if (const auto n = std::ranges::count_if(
            rows, [&](const powers::Row& row) { return to_string(row.effect) == heading.effect; });
        n > 0)
      parts.push_back(fmt::format("{} {}", n, heading.counted));
  return fmt::format("{}: {}", powers::status_of(decision), join(parts, ", "));
}

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

Map document_of(const powers::Row& row) {
  return {{"effect", to_string(row.effect)},
          {"change", to_string(row.change)},
          {"severity", powers::to_string(row.weight)},
          {"host", to_string(row.host)},
          {"kind", to_string(row.kind)},
          {"before", text_or_null(utf8_or_escaped(row.before))},
          {"after", text_or_null(utf8_or_escaped(row.after))},
          {"path", utf8_or_escaped(row.place.path)},
          {"line", row.place.line},
          {"side", row.is_before ? "base" : "head"},
          {"why", row.why}};
}

}  // namespace

Map host_diff_document(const std::vector<powers::Row>& rows, const HostDiffSides& sides) {
  const Decision decision = powers::decision_of(rows);
  List list;
  for (const powers::Row& row : rows)
    list.emplace_back(document_of(row));
  Map out{{"schema", "gatehouse.release_diff/1"},
          {"decision", to_string(decision)},
          {"status", powers::status_of(decision)},
          {"headline", headline_of(decision, rows)},
          {"next", next_of(decision)},
          {"base", Map{{"ref", sides.base_ref}, {"commit", sides.base_commit}}},
          {"head", Map{{"ref", sides.head_ref}, {"commit", text_or_null(sides.head_commit)}}},
          {"files_changed", sides.files},
          {"counts", Map{{"widens", count(rows, Effect::widens)},
                         {"unread", count(rows, Effect::unread)},
                         {"tells", count(rows, Effect::tells)},
                         {"narrows", count(rows, Effect::narrows)}}},
          {"rows", std::move(list)},
          {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  Value masked = policy::redact_document(Value(std::move(out))).value;
  return std::move(*masked.as_map());
}

namespace {

struct ReasonRow {
  Effect effect;
  std::string_view id;
  Severity severity;
};
// table: reasons of the host diff
constexpr std::array<ReasonRow, 4> kReasons{{{Effect::widens, "GH-POWER-001", Severity::warning},
                                             {Effect::unread, "GH-POWER-002", Severity::error},
                                             {Effect::tells, "GH-POWER-003", Severity::note},
                                             {Effect::narrows, "GH-POWER-003", Severity::note}}};
constexpr std::size_t kMaxReasons = 200, kMaxShownRule = 120;

std::string change_words(const powers::Row& row) {
  const auto shown = [](const std::string& rule) {
    return clipped(policy::redact(utf8_or_escaped(rule)).text, kMaxShownRule);
  };
  const std::string before = shown(row.before), after = shown(row.after);
  if (before.empty()) return after;
  if (after.empty()) return fmt::format("{} is gone", before);
  return before == after ? after : fmt::format("{} -> {}", before, after);
}

Reason reason_of(const powers::Row& row, bool is_let_in) {
  const ReasonRow& kind = *std::ranges::find(kReasons, row.effect, &ReasonRow::effect);
  const bool is_critical = row.effect == Effect::widens && row.weight == powers::Weight::critical;
  Reason out{
      .id = std::string(kind.id),
      .gate = "surface",
      .severity = is_let_in     ? Severity::note
                  : is_critical ? Severity::error
                                : kind.severity,
      .message = clipped(fmt::format("{} {} {}: {}", to_string(row.host), to_string(row.kind),
                                     to_string(row.change), change_words(row)),
                         240),
      .path = row.place.path,
      .line = row.is_before ? 0 : row.place.line,
      .evidence = Map{{"effect", to_string(row.effect)},
                      {"severity", powers::to_string(row.weight)},
                      {"host", to_string(row.host)},
                      {"kind", to_string(row.kind)},
                      {"why", row.why}},
      .context = fmt::format("{}\n{}\n{}\n{}", to_string(row.host), to_string(row.kind),
                             utf8_or_escaped(row.before), utf8_or_escaped(row.after))};
  if (is_let_in) {
    out.evidence.set("let_in", true);
    out.next.why = "a person has let this file in, as it is";
    return out;
  }
  const Decision decision = powers::decision_of({row});
  if (decision == Decision::allow) {
    out.next.why = row.why;
    return out;
  }
  out.next.kind = "human";
  out.next.why = next_of(decision);
  return out;
}

}  // namespace

GateAnswer host_answer(const std::vector<powers::Row>& rows,
                       const std::function<bool(std::string_view path)>& is_let_in) {
  std::vector<powers::Row> counted;
  GateAnswer out{.part = {.gate = "surface", .ran = true}};
  for (const powers::Row& row : rows) {
    const bool let_in = is_let_in && is_let_in(row.place.path);
    if (!let_in) counted.push_back(row);
    if (out.reasons.size() < kMaxReasons) out.reasons.push_back(reason_of(row, let_in));
  }
  out.part.decision = powers::decision_of(counted);
  out.part.status = powers::status_of(out.part.decision);
  return out;
}

std::string host_diff_text(const Value& document, const Look& look) {
  const Peek root(document);
  std::string out = fmt::format(
      "{}  ({}..{})\n", paint(look, Ink::bold, root["headline"].text()),
      printable(root["base"]["ref"].text(), 100),
      root["head"]["commit"].exists() ? printable(root["head"]["ref"].text(), 100) : "work tree");
  for (const Heading& heading : kHeadings) {
    bool is_first = true;
    for (const Value& value : root["rows"].list()) {
      const Peek row(value);
      if (row["effect"].text() != heading.effect) continue;
      if (is_first) out += fmt::format("\n{}\n", paint(look, heading.ink, heading.title));
      is_first = false;
      const std::string before = printable(row["before"].text(), 400),
                        after = printable(row["after"].text(), 400);
      const std::string_view arrow = look.ascii ? "->" : "→";
      std::string change = before.empty()  ? fmt::format("+ {}", after)
                           : after.empty() ? fmt::format("- {}", before)
                                           : fmt::format("{} {} {}", before, arrow, after);
      if (before == after) change = after;
      out += fmt::format("  {}  {} {} {}: {}\n", padded(row["severity"].text(), 8),
                         row["host"].text(), row["kind"].text(), row["change"].text(), change);
      out += fmt::format("            {}:{}{}\n", printable(row["path"].text(), 400),
                         row["line"].number(), row["side"].text() == "base" ? " (before)" : "");
      if (heading.effect != "narrows")
        out += fmt::format(
            "            {}\n",
            paint(look, Ink::dim, folded(row["why"].text(), std::max(look.width - 12, 40), 12)));
    }
  }
  if (root["decision"].text() != "allow") out += fmt::format("\nnext: {}\n", root["next"].text());
  return out;
}

}  // namespace gh::report
