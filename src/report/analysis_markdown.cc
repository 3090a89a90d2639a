#include "report/analysis_markdown.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "report/analysis_findings.h"

namespace gh::report {
namespace {

constexpr std::size_t kTopRisks = 6, kMaxItems = 20;

/// Text from outside inside a table or a line of Markdown.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : printable(text, 300)) {
    if (c == '|' || c == '`' || c == '*' || c == '_' || c == '<' || c == '[' || c == '\\')
      out += '\\';
    out += c;
  }
  return out;
}

std::string place_of(const Peek& item) {
  return fmt::format("{}:{}", item["relative_path"].text(), item["start_line"].number());
}

/// A number, a text, yes or no; nothing for what has parts.
std::optional<std::string> scalar(const Value& value) {
  if (const auto* n = value.as_int()) return std::to_string(*n);
  if (const auto* d = std::get_if<Decimal>(&value.data())) return shown(*d);
  if (const auto* s = value.as_string()) return printable(*s, 300);
  if (const auto* b = value.as_bool()) return *b ? "true" : "false";
  return std::nullopt;
}

void add_numbers(std::string& out, const Peek& map) {
  for (const auto& [name, value] : map.map().entries())
    if (const auto text = scalar(value))
      out += fmt::format("| {} | {} |\n", quoted(name), quoted(*text));
}

void add_table(std::string& out, const Peek& map) {
  out += "| | |\n|---|---|\n";
  add_numbers(out, map);
  out += '\n';
}

void add_group(std::string& out, const Peek& group) {
  const List& items = group["items"].list();
  out += fmt::format("- **{}** {}: {}\n", group["severity"].text(),
                     analysis_rules()[rule_of(group)].id, headline(group));
  for (std::size_t i = 0; i < std::min(items.size(), kMaxItems); ++i)
    out += fmt::format("  - {} ({})\n", quoted(Peek(items[i])["qualname"].text()),
                       quoted(place_of(Peek(items[i]))));
  if (items.size() > kMaxItems) out += fmt::format("  - and {} more\n", items.size() - kMaxItems);
}

void add_health(std::string& out, const Peek& report) {
  const Peek health = report["metrics"]["families"]["health"]["summary"];
  if (!health.exists()) return;
  out += fmt::format("Health **{}** ({})\n\n", health["score"].number(), health["grade"].text());
}

// ------------------------------------------------------------------------------------ plain text

/// Two levels of names and values.
void add_lines(std::string& out, const Peek& map, std::string_view indent) {
  for (const auto& [name, value] : map.map().entries()) {
    if (const auto text = scalar(value))
      out += fmt::format("{}{}: {}\n", indent, printable(name, 200), *text);
    if (value.as_map() == nullptr || value.as_map()->entries().empty()) continue;
    out += fmt::format("{}{}:\n", indent, printable(name, 200));
    for (const auto& [inner, part] : value.as_map()->entries())
      if (const auto text = scalar(part))
        out += fmt::format("{}  {}: {}\n", indent, printable(inner, 200), *text);
  }
}

void add_overview(std::string& out, const Peek& overview) {
  add_lines(out, overview["health_snapshot"], "  ");
  out += "  top_risks:\n";
  for (const Value& risk : overview["top_risks"].list())
    out += fmt::format("    [{}] {}  {}\n", Peek(risk)["severity"].text(),
                       printable(Peek(risk)["id"].text(), 300),
                       printable(Peek(risk)["location"].text(), 300));
  out += "  directory_hotspots:\n";
  for (const Value& folder : overview["directory_hotspots"].list())
    out += fmt::format("    {}  {} findings in {} files\n",
                       printable(Peek(folder)["path"].text(), 300),
                       Peek(folder)["findings"].number(), Peek(folder)["files"].number());
}

void add_text_group(std::string& out, const Peek& group) {
  out += fmt::format("  [{}] {}\n    {}\n", group["severity"].text(),
                     printable(group["id"].text(), 400), headline(group));
  for (const Value& item : group["items"].list())
    out += fmt::format("      {}  {}-{}\n", printable(Peek(item)["qualname"].text(), 300),
                       printable(place_of(Peek(item)), 400), Peek(item)["end_line"].number());
}

void add_text_section(std::string& out, std::string_view title, const Peek& groups,
                      std::string_view novelty = {}) {
  out += fmt::format("{}\n", title);
  std::size_t shown_groups = 0;
  for (const Value& group : groups.list()) {
    if (!novelty.empty() && Peek(group)["novelty"].text() != novelty) continue;
    add_text_group(out, Peek(group));
    ++shown_groups;
  }
  if (shown_groups == 0) out += "  (none)\n";
  out += '\n';
}

}  // namespace

std::string shown(Decimal d) {
  std::string out =
      fmt::format("{}{}.{:04}", d.ten_thousandths < 0 ? "-" : "",
                  std::abs(d.ten_thousandths) / 10'000, std::abs(d.ten_thousandths) % 10'000);
  while (out.ends_with('0'))
    out.pop_back();
  if (out.ends_with('.')) out.pop_back();
  return out;
}

std::string analysis_markdown(const Value& document) {
  const Peek report(document);
  const std::vector<Peek> findings = findings_worst_first(document);
  std::string out = "# Gatehouse analysis\n\n## Overview\n\n";
  add_health(out, report);
  out += fmt::format("{} findings in {} files.\n\n", findings.size(),
                     report["inventory"]["files"]["analyzed_or_cached"].number());
  out += "## Inventory\n\n";
  add_table(out, report["inventory"]["code"]);
  out += "## Findings Summary\n\n";
  add_table(out, report["findings"]["summary"]["families"]);
  out += "## Top Risks\n\n";
  for (std::size_t i = 0; i < std::min(kTopRisks, findings.size()); ++i)
    add_group(out, findings[i]);
  out += findings.empty() ? "None.\n\n## Suggestions\n\n" : "\n## Suggestions\n\n";
  for (const Value& suggestion : report["derived"]["suggestions"].list())
    out += fmt::format("- {}: {}\n", quoted(Peek(suggestion)["title"].text()),
                       quoted(Peek(suggestion)["location"].text()));
  out += "\n## Findings\n\n";
  for (const Peek& group : findings)
    add_group(out, group);
  out += "\n## Metrics\n\n";
  for (const auto& [name, family] : report["metrics"]["families"].map().entries()) {
    out += fmt::format("### {}\n\n", quoted(name));
    add_table(out, Peek(family)["summary"]);
  }
  out +=
      fmt::format("## Integrity\n\n`sha256:{}`\n", report["integrity"]["digest"]["value"].text());
  return out;
}

std::string analysis_text(const Value& document) {
  const Peek report(document), groups = report["findings"]["groups"];
  std::string out = "REPORT METADATA\n";
  add_lines(out, report["meta"], "  ");
  out += "\nINVENTORY\n";
  add_lines(out, report["inventory"]["files"], "  ");
  add_lines(out, report["inventory"]["code"], "  ");
  out += "\nFINDINGS SUMMARY\n";
  add_lines(out, report["findings"]["summary"], "  ");
  out += "\nMETRICS SUMMARY\n";
  for (const auto& [name, family] : report["metrics"]["families"].map().entries()) {
    out += fmt::format("  {}:\n", printable(name, 100));
    add_lines(out, Peek(family)["summary"], "    ");
  }
  out += "\nDERIVED OVERVIEW\n";
  add_overview(out, report["derived"]["overview"]);
  out += "\nSUGGESTIONS\n";
  for (const Value& suggestion : report["derived"]["suggestions"].list())
    out += fmt::format("  [{}] {}  {}\n", Peek(suggestion)["severity"].text(),
                       printable(Peek(suggestion)["title"].text(), 200),
                       printable(Peek(suggestion)["location"].text(), 300));
  out += '\n';
  add_text_section(out, "FUNCTION CLONES (NEW)", groups["clones"]["functions"], "new");
  add_text_section(out, "FUNCTION CLONES (KNOWN)", groups["clones"]["functions"], "known");
  add_text_section(out, "BLOCK CLONES (NEW)", groups["clones"]["blocks"], "new");
  add_text_section(out, "BLOCK CLONES (KNOWN)", groups["clones"]["blocks"], "known");
  add_text_section(out, "SEGMENT CLONES (NEW)", groups["clones"]["segments"], "new");
  add_text_section(out, "SEGMENT CLONES (KNOWN)", groups["clones"]["segments"], "known");
  add_text_section(out, "NEAR-MISS CLONES", groups["clones"]["near_miss"]);
  add_text_section(out, "STRUCTURAL FINDINGS", groups["structural"]["groups"]);
  add_text_section(out, "DEAD CODE FINDINGS", groups["dead_code"]["groups"]);
  add_text_section(out, "DESIGN FINDINGS", groups["design"]["groups"]);
  out += fmt::format("INTEGRITY\n  sha256:{}\n", report["integrity"]["digest"]["value"].text());
  return out;
}

}  // namespace gh::report
