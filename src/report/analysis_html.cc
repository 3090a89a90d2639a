#include "report/analysis_html.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "report/analysis_charts.h"
#include "report/analysis_findings.h"
#include "report/analysis_markdown.h"

namespace gh::report {
namespace {

constexpr std::size_t kShownGroups = 50, kShownRows = 200, kSnippetLines = 80;

constexpr std::string_view kStyle = R"css(
:root{--paper:#fff;--ink:#1b1f24;--dim:#5b6470;--line:#d8dee4;--card:#f6f8fa;--good:#2da44e;--fair:#bf8700;--bad:#cf222e;--accent:#0969da}
@media(prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--dim:#9198a1;--line:#30363d;--card:#161b22;--good:#3fb950;--fair:#d29922;--bad:#f85149;--accent:#4493f8}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
header,main{max-width:1100px;margin:0 auto;padding:0 20px}header{padding-top:28px}h1{margin:0;font-size:26px}h2{margin:36px 0 12px;font-size:20px;border-bottom:1px solid var(--line);padding-bottom:6px}
nav a{margin-right:14px;color:var(--accent);text-decoration:none}.dim{color:var(--dim)}
.cards{display:flex;flex-wrap:wrap;gap:12px;margin:18px 0}.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 16px;min-width:130px}.card b{display:block;font-size:24px}
table{border-collapse:collapse;width:100%;margin:8px 0}th,td{text-align:left;padding:5px 10px;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}th{color:var(--dim);font-weight:600}td.n,th.n{text-align:right;white-space:nowrap}
.critical{color:var(--bad);font-weight:600}.warning{color:var(--fair);font-weight:600}.info{color:var(--dim)}
details{border:1px solid var(--line);border-radius:8px;margin:10px 0;background:var(--card)}summary{cursor:pointer;padding:10px 14px}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:1px;background:var(--line)}.pair>div{background:var(--paper);overflow:auto;min-width:0}.pair h4{margin:0;padding:6px 10px;font-size:13px;color:var(--dim)}
pre{margin:0;padding:6px 10px;font:12px/1.45 ui-monospace,monospace}pre .differs{background:color-mix(in srgb,var(--fair) 25%,transparent)}
@media(max-width:700px){.pair{grid-template-columns:1fr}}
.chart{width:100%;max-width:640px;height:auto}.graph{max-width:none}.label,.value,.node{font:12px system-ui,sans-serif;fill:var(--ink)}.label{fill:var(--dim)}.middle{text-anchor:middle}.track{fill:var(--line)}.good{fill:var(--good)}.fair{fill:var(--fair)}.bad{fill:var(--bad)}.edge{fill:none;stroke:var(--dim);stroke-opacity:.35}.bad-line{stroke:var(--bad);stroke-opacity:.9}.node-box{fill:var(--card);stroke:var(--line)}.cyclic{stroke:var(--bad)}.node{font-size:11px}
)css";

struct Column {
  std::string_view key, title;
  bool is_number = false;
};

std::string cell_of(const Peek& row, const Column& column) {
  const Peek value = row[column.key];
  if (!value.text().empty()) return html(value.text());
  std::string joined;
  for (const Value& item : value.list())
    joined += (joined.empty() ? "" : ", ") + html(Peek(item).text());
  if (!joined.empty()) return joined;
  return value.exists() ? shown(value.decimal()) : std::string();
}

std::string table_of(const List& rows, const std::vector<Column>& columns) {
  if (rows.empty()) return "<p class='dim'>None.</p>";
  std::string out = "<table><thead><tr>";
  for (const Column& column : columns)
    out += fmt::format("<th{}>{}</th>", column.is_number ? " class='n'" : "", column.title);
  out += "</tr></thead><tbody>";
  for (std::size_t i = 0; i < std::min(rows.size(), kShownRows); ++i) {
    out += "<tr>";
    for (const Column& column : columns)
      out += fmt::format("<td{}>{}</td>", column.is_number ? " class='n'" : "",
                         cell_of(Peek(rows[i]), column));
    out += "</tr>";
  }
  out += "</tbody></table>";
  if (rows.size() > kShownRows)
    out +=
        fmt::format("<p class='dim'>and {} more in the JSON report</p>", rows.size() - kShownRows);
  return out;
}

// ------------------------------------------------------------------------------ clones, side by
// side

std::vector<std::string_view> lines_between(std::string_view text, std::int64_t first,
                                            std::int64_t last) {
  std::vector<std::string_view> out;
  std::int64_t line = 1;
  for (std::size_t at = 0; at < text.size() && line <= last; ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (line >= first && out.size() < kSnippetLines) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string snippet(const std::vector<std::string_view>& lines,
                    const std::vector<std::string_view>& other, std::int64_t first) {
  std::string out = "<pre>";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool differs = i >= other.size() || lines[i] != other[i];
    out += fmt::format("<span{}>{:5}  {}</span>\n", differs ? " class='differs'" : "",
                       first + static_cast<std::int64_t>(i), html(lines[i]));
  }
  return out + "</pre>";
}

std::string side_by_side(const Peek& group, const SourceText& sources) {
  const List& items = group["items"].list();
  if (items.size() < 2) return "";
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 2; ++i) {
    auto text = sources ? sources(Peek(items[i])["relative_path"].text()) : std::nullopt;
    if (!text) return "";
    texts.push_back(*std::move(text));
  }
  std::vector<std::vector<std::string_view>> lines;
  for (std::size_t i = 0; i < 2; ++i)
    lines.push_back(lines_between(texts[i], Peek(items[i])["start_line"].number(),
                                  Peek(items[i])["end_line"].number()));
  std::string out = "<div class='pair'>";
  for (std::size_t i = 0; i < 2; ++i)
    out += fmt::format("<div><h4>{}</h4>{}</div>", html(Peek(items[i])["qualname"].text()),
                       snippet(lines[i], lines[1 - i], Peek(items[i])["start_line"].number()));
  return out + "</div>";
}

std::string group_block(const Peek& group, const SourceText& sources, bool with_code) {
  std::string out = fmt::format(
      "<details><summary><span class='{0}'>{0}</span> {1} <span class='dim'>{2}</span></summary>",
      html(group["severity"].text()), html(headline(group)), html(group["id"].text()));
  out += table_of(group["items"].list(), {{"qualname", "name"},
                                          {"relative_path", "file"},
                                          {"start_line", "from", true},
                                          {"end_line", "to", true}});
  if (with_code) out += side_by_side(group, sources);
  return out + "</details>";
}

std::string groups_section(const List& groups, const SourceText& sources, bool with_code) {
  if (groups.empty()) return "<p class='dim'>None.</p>";
  std::string out;
  for (std::size_t i = 0; i < std::min(groups.size(), kShownGroups); ++i)
    out += group_block(Peek(groups[i]), sources, with_code);
  if (groups.size() > kShownGroups)
    out += fmt::format("<p class='dim'>and {} more in the JSON report</p>",
                       groups.size() - kShownGroups);
  return out;
}

std::string card(std::string_view title, const std::string& value) {
  return fmt::format("<div class='card'>{}<b>{}</b></div>", html(title), value);
}

std::string overview(const Peek& report) {
  const Peek families = report["metrics"]["families"];
  const Peek health = families["health"]["summary"];
  std::string out = "<div class='cards'>";
  if (health.exists())
    out += card("Health",
                fmt::format("{} {}", health["score"].number(), html(health["grade"].text())));
  out += card("Files", std::to_string(report["inventory"]["files"]["total_found"].number()));
  out += card("Lines", std::to_string(report["inventory"]["code"]["parsed_lines"].number()));
  out += card("Findings", std::to_string(report["findings"]["summary"]["total"].number()));
  out += card("Most complex", std::to_string(families["complexity"]["summary"]["max"].number()));
  out += card("Cycles", std::to_string(families["dependencies"]["summary"]["cycles"].number()));
  out += "</div>";
  if (health["dimensions"].exists()) out += health_chart(health["dimensions"]);
  return out;
}

struct Section {
  std::string_view id, title;
  std::string content;
};

std::vector<Section> sections_of(const Value& document, const SourceText& sources) {
  const Peek report(document), groups = report["findings"]["groups"],
                               families = report["metrics"]["families"];
  const Column kName{"qualname", "name"}, kFile{"relative_path", "file"},
      kLine{"start_line", "line", true};
  std::string clones;
  for (const auto& [key, title] : {std::pair{"functions", "Functions"},
                                   {"blocks", "Runs"},
                                   {"segments", "Inside one function"},
                                   {"near_miss", "Nearly"}})
    clones += fmt::format("<h3>{}</h3>{}", title,
                          groups_section(groups["clones"][key].list(), sources, true));
  return {
      {"overview", "Overview", overview(report)},
      {"clones", "Clones", std::move(clones)},
      {"structural", "Structural",
       groups_section(groups["structural"]["groups"].list(), sources, false)},
      {"complexity", "Complexity",
       complexity_chart(families["complexity"]) +
           table_of(families["complexity"]["items"].list(),
                    {kName,
                     kFile,
                     kLine,
                     {"cyclomatic_complexity", "cyclomatic", true},
                     {"cognitive_complexity", "cognitive", true},
                     {"nesting_depth", "nesting", true},
                     {"risk", "risk"}})},
      {"classes", "Coupling and cohesion",
       "<h3>Coupling</h3>" +
           table_of(families["coupling"]["items"].list(),
                    {kName, kFile, kLine, {"cbo", "needs", true}, {"coupled_classes", "which"}}) +
           "<h3>Cohesion</h3>" +
           table_of(families["cohesion"]["items"].list(), {kName,
                                                           kFile,
                                                           kLine,
                                                           {"lcom4", "parts", true},
                                                           {"method_count", "methods", true},
                                                           {"risk", "risk"}})},
      {"dependencies", "Dependencies",
       dependency_chart(families["dependencies"]) +
           groups_section(groups["design"]["groups"].list(), sources, false)},
      {"dead", "Dead code", groups_section(groups["dead_code"]["groups"].list(), sources, false)},
      {"api", "API",
       table_of(families["api_surface"]["items"].list(),
                {kName, {"kind", "kind"}, {"exported_via", "exported by"}})},
      {"coverage", "Coverage",
       table_of(families["coverage_join"]["items"].list(),
                {kName, kFile, {"coverage_permille", "permille", true}, {"status", "status"}})},
      {"security", "Security",
       table_of(families["security_surfaces"]["items"].list(),
                {{"category", "category"}, {"capability", "capability"}, kFile, kLine})},
      {"suggestions", "Suggestions",
       table_of(report["derived"]["suggestions"].list(), {{"severity", "severity"},
                                                          {"title", "what"},
                                                          {"location", "where"},
                                                          {"effort", "effort"}})},
      {"meta", "Meta",
       fmt::format("<p>Report {}, Gatehouse {}</p><p class='dim'>sha256:{}</p>",
                   html(report["report_schema_version"].text()),
                   html(report["meta"]["generator"]["version"].text()),
                   html(report["integrity"]["digest"]["value"].text()))},
  };
}

}  // namespace

std::string analysis_html(const Value& report, const SourceText& sources) {
  const std::vector<Section> sections = sections_of(report, sources);
  std::string nav, body;
  for (const Section& section : sections) {
    nav += fmt::format("<a href='#{}'>{}</a>", section.id, section.title);
    body += fmt::format("<section id='{}'><h2>{}</h2>{}</section>", section.id, section.title,
                        section.content);
  }
  return fmt::format(
      "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
      "<meta name='viewport' content='width=device-width,initial-scale=1'>"
      "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src "
      "'unsafe-inline'\"><title>Gatehouse analysis</title><style>{}</style></head><body>"
      "<header><h1>Gatehouse analysis</h1><nav>{}</nav></header><main>{}</main></body></html>\n",
      kStyle, nav, body);
}

}  // namespace gh::report
