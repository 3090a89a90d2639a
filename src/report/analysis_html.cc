#include "report/analysis_html.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "base/data.h"
#include "base/text.h"
#include "report/analysis_charts.h"
#include "report/analysis_findings.h"
#include "report/analysis_markdown.h"
#include "report/page.h"

namespace gh::report {
namespace {

constexpr std::size_t kShownGroups = 50, kShownSuggestions = 100, kDigestShown = 16;

std::string count_of(const Peek& value) { return grouped(value.number()); }

// ------------------------------------------------------------------------------------- cells

std::string risk_cell(const Peek& row) { return pill(row["risk"].text()); }
std::string confidence_cell(const Peek& row) { return pill(row["confidence"].text()); }
std::string score_cell(const Peek& row) { return shown(row["score"].decimal()); }
std::string path_cell(const Peek& row) {
  return fmt::format("<code>{}</code>", html(row["path"].text()));
}
std::string names_cell(const Peek& row) {
  std::string out;
  for (const Value& name : row["coupled_classes"].list())
    out += fmt::format("{}<code>{}</code>", out.empty() ? "" : " ", html(Peek(name).text()));
  return out;
}
std::string module_cell(const Peek& row) {
  return fmt::format("<code>{}</code><span class='at'>{}</span>", html(row["module"].text()),
                     html(row["relative_path"].text()));
}
std::string reasons_cell(const Peek& row) {
  std::string out;
  for (const Value& reason : row["candidate_reasons"].list())
    out += pill(Peek(reason).text()) + " ";
  return out;
}
std::string covered_cell(const Peek& row) {
  const Peek permille = row["coverage_permille"];
  if (!permille.exists()) return html(row["status"].text());
  return fmt::format("<span class='meter'><i class='{}' style='width:{}%'></i></span>{}",
                     band_of(permille.number() / 10), permille.number() / 10,
                     percent(permille.number()));
}
std::string lines_cell(const Peek& row) {
  return fmt::format("{} of {}", row["covered_lines"].number(), row["executable_lines"].number());
}
std::string gap_cell(const Peek& row) {
  return row["coverage_hotspot"].is_true()    ? pill("critical") + " hardly tested"
         : row["scope_gap_hotspot"].is_true() ? pill("warning") + " not in the report"
                                              : std::string();
}
std::string evidence_cell(const Peek& row) {
  return fmt::format("<code>{}</code><span class='at'>{}:{}</span>",
                     html(row["evidence_symbol"].text()), html(row["relative_path"].text()),
                     row["start_line"].number());
}

/// "name(a, b=…, *rest)".
std::string signature_cell(const Peek& row) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kStars{
      {{"vararg", "*"}, {"kwarg", "**"}}};
  std::string params;
  for (const Value& value : row["params"].list()) {
    const Peek param(value);
    const auto star = std::ranges::find(kStars, param["kind"].text(),
                                        &std::pair<std::string_view, std::string_view>::first);
    params += fmt::format("{}{}{}{}", params.empty() ? "" : ", ",
                          star == kStars.end() ? "" : star->second, html(param["name"].text()),
                          param["has_default"].is_true() ? "=…" : "");
  }
  const bool is_called = row["kind"].text() == "function" || row["kind"].text() == "method";
  return fmt::format("<code>{}{}</code><span class='at'>{}:{}</span>", html(row["qualname"].text()),
                     is_called ? "(" + params + ")" : "", html(row["relative_path"].text()),
                     row["start_line"].number());
}
std::string exported_cell(const Peek& row) {
  return row["exported_via"].text() == "all" ? "listed" : "by its name";
}

// ------------------------------------------------------------------------------------- groups

enum class Code : bool { hidden, shown };

std::string group_block(const Peek& group, const SourceText& sources, Code code, bool is_open) {
  std::string out = fmt::format("<details{}><summary>{} {}", is_open ? " open" : "",
                                pill(group["severity"].text()), html(headline(group)));
  if (group["novelty"].text() == "known") out += " " + pill("known");
  if (group["grown"].is_true()) out += " " + pill("grown");
  out += fmt::format("<br><span class='dim mono'>{}</span></summary><div>",
                     html(group["id"].text(), 160));
  if (code == Code::shown) out += side_by_side(group, sources);
  out += table_of(group["items"].list(),
                  {{"where", "", place_cell}, {"to line", "end_line", nullptr, true}});
  return out + "</div></details>";
}

std::string groups_of(const List& groups, const SourceText& sources, Code code,
                      std::string_view when_empty = "None.") {
  if (groups.empty()) return none(when_empty);
  std::string out;
  for (std::size_t i = 0; i < std::min(groups.size(), kShownGroups); ++i)
    out += group_block(Peek(groups[i]), sources, code, code == Code::shown && i == 0);
  if (groups.size() > kShownGroups)
    out += none(fmt::format("{} more stand in the JSON report.", groups.size() - kShownGroups));
  return out;
}

/// Groups of a family that one category or kind has.
List with(const List& groups, std::string_view key, std::string_view word) {
  List out;
  for (const Value& group : groups)
    if (Peek(group)[key].text() == word) out.push_back(group);
  return out;
}

std::string suppressed_rows(const List& rows) {
  return table_of(rows,
                  {{"what", "", place_cell}, {"kind", "kind"}, {"rule", "rule"}, {"by", "source"}},
                  "Nothing is silenced.");
}

// ------------------------------------------------------------------------------------- sections

struct Page {
  Peek report, groups, families;
  const SourceText& sources;
  std::vector<Peek> findings;  // all of them

  Peek summary(std::string_view family) const { return families[family]["summary"]; }
  const List& items(std::string_view family) const { return families[family]["items"].list(); }
};

struct Told {
  std::string_view family, kind, section;  // no kind: all others of the family
};
// table: page sections of findings
constexpr std::array<Told, 7> kTold{{{"clone", "", "clones"},
                                     {"structural", "", "structural"},
                                     {"dead_code", "", "dead"},
                                     {"design", "function_hotspot", "complexity"},
                                     {"design", "class_hotspot", "classes"},
                                     {"design", "cycle", "dependencies"},
                                     {"design", "", "coverage"}}};

/// Where a finding is told in full.
std::string_view section_of(const Peek& finding) {
  for (const Told& row : kTold)
    if (row.family == finding["family"].text() &&
        (row.kind.empty() || row.kind == finding["kind"].text()))
      return row.section;
  return "overview";
}

/// What weighs most, each with a link to where it is told in full.
std::string first_risks(const Page& page, const Peek& risks) {
  if (risks.list().empty()) return none("No findings.");
  std::map<std::string_view, const Peek*> by_id;
  for (const Peek& group : page.findings)
    by_id.emplace(group["id"].text(), &group);
  std::string out = "<ul class='todo' data-key='risks'>";
  for (const Value& risk : risks.list()) {
    const Peek one(risk);
    const auto group = by_id.find(one["id"].text());
    out += fmt::format("<li>{} <a href='#{}'>{}</a><br><span class='dim'>{}</span></li>",
                       pill(one["severity"].text()), section_of(one),
                       html(group == by_id.end() ? one["id"].text() : headline(*group->second)),
                       html(one["location"].text()));
  }
  return out + "</ul>";
}

/// What the change since an earlier revision does; empty when nobody asked.
std::string change_list(const Peek& change) {
  if (!change.exists()) return {};
  std::string out;
  for (const std::string_view kind : {"clone_partial_edit", "copies", "grown_groups",
                                      "security_surfaces", "complexity", "test_gaps"})
    for (const Value& one : change[kind].list())
      out += fmt::format("<li>{}</li>", html(Peek(one)["message"].text()));
  return "<h3>This change</h3>" +
         (out.empty()
              ? none("No copies, no rise in complexity, no new reach, no peers left behind.")
              : "<ul class='todo'>" + out + "</ul>");
}

std::string overview(const Page& page) {
  const Peek health = page.summary("health"), findings = page.report["findings"]["summary"];
  const Peek inventory = page.report["inventory"], derived = page.report["derived"]["overview"];
  std::string out;
  if (health.exists())
    out += fmt::format("<div class='hero'>{}{}</div>",
                       health_ring(health["score"].number(), health["grade"].text()),
                       health_chart(health["dimensions"]));
  std::vector<Card> all{{"Files", count_of(inventory["files"]["total_found"]), "files"},
                        {"Lines", count_of(inventory["code"]["parsed_lines"]), "lines"},
                        {"Findings", count_of(findings["total"]), "findings"},
                        {"Critical", count_of(findings["severity"]["critical"]), "critical"},
                        {"Groups of clones", count_of(findings["families"]["clone"]), "clones"}};
  if (health.exists()) {
    all.push_back({"Most complex", count_of(page.summary("complexity")["max"]), "complexity"});
    all.push_back({"Circles", count_of(page.summary("dependencies")["cycles"]), "cycles"});
    all.push_back({"Dead symbols", count_of(page.summary("dead_code")["total"]), "dead"});
  }
  out += cards(all);
  out += change_list(page.report["derived"]["change"]);
  out += "<h3>Look at these first</h3>" + first_risks(page, derived["top_risks"]);
  out += "<h3>Folders with most findings</h3>" +
         table_of(derived["directory_hotspots"].list(), {{"folder", "", path_cell},
                                                         {"findings", "findings", nullptr, true},
                                                         {"files", "files", nullptr, true}});
  return out + "<h3>Languages</h3>" +
         count_chart(inventory["code"]["by_language"], "Files by language");
}

std::string clones(const Page& page) {
  struct Kind {
    std::string_view key, title;
  };
  // table: clone families of the page
  static constexpr std::array<Kind, 4> kKinds{{{"functions", "Equal functions"},
                                               {"blocks", "Equal runs of statements"},
                                               {"segments", "Repeated inside one function"},
                                               {"near_miss", "Nearly equal functions"}}};
  std::string out;
  List silenced;
  for (const Kind& kind : kKinds) {
    const List& groups = page.groups["clones"][kind.key].list();
    out += fmt::format("<h3>{} <span class='pill' data-key='{}'>{}</span></h3>{}", kind.title,
                       kind.key, groups.size(), groups_of(groups, page.sources, Code::shown));
    for (const Value& group : page.groups["clones"]["suppressed"][kind.key].list())
      silenced.push_back(group);
  }
  return out + "<h3>Silenced</h3>" +
         groups_of(silenced, page.sources, Code::hidden, "Nothing is silenced.");
}

std::string structural(const Page& page) {
  return groups_of(page.groups["structural"]["groups"].list(), page.sources, Code::shown,
                   "No branches that do the same, no copies that drifted apart.");
}

std::string complexity(const Page& page) {
  const Peek summary = page.summary("complexity");
  return cards({{"Functions", count_of(summary["total"]), "units"},
                {"Average", shown(summary["average"].decimal()), "average"},
                {"Highest", count_of(summary["max"]), "max"},
                {"High risk", count_of(summary["high_risk"]), "high"}}) +
         complexity_chart(page.families["complexity"]) +
         table_of(page.items("complexity"), {{"function", "", place_cell},
                                             {"cyclomatic", "cyclomatic_complexity", nullptr, true},
                                             {"cognitive", "cognitive_complexity", nullptr, true},
                                             {"nesting", "nesting_depth", nullptr, true},
                                             {"risk", "", risk_cell}});
}

std::string classes(const Page& page) {
  const Peek coupling = page.summary("coupling"), cohesion = page.summary("cohesion");
  return cards({{"Classes", count_of(coupling["total"]), "total"},
                {"Most needed by one", count_of(coupling["max"]), "coupling"},
                {"Most parts of one", count_of(cohesion["max"]), "cohesion"},
                {"Fall apart", count_of(cohesion["low_cohesion"]), "low"}}) +
         "<h3>Coupling: which classes a class needs</h3>" +
         table_of(page.items("coupling"), {{"class", "", place_cell},
                                           {"needs", "cbo", nullptr, true},
                                           {"which", "", names_cell},
                                           {"risk", "", risk_cell}}) +
         "<h3>Cohesion: parts that have nothing in common</h3>" +
         table_of(page.items("cohesion"), {{"class", "", place_cell},
                                           {"parts", "lcom4", nullptr, true},
                                           {"methods", "method_count", nullptr, true},
                                           {"fields", "instance_var_count", nullptr, true},
                                           {"risk", "", risk_cell}});
}

std::string chain_list(const List& chains) {
  std::string out;
  for (const Value& chain : chains) {
    std::string names;
    for (const Value& name : Peek(chain).list())
      names +=
          fmt::format("{}<code>{}</code>", names.empty() ? "" : " → ", html(Peek(name).text()));
    out += "<li>" + names + "</li>";
  }
  return out.empty() ? none() : "<ul class='todo'>" + out + "</ul>";
}

std::string dependencies(const Page& page) {
  const Peek summary = page.summary("dependencies");
  List overloaded;
  for (const Value& item : page.items("overloaded_modules"))
    if (Peek(item)["candidate_status"].text() == "candidate") overloaded.push_back(item);
  return cards({{"Modules", count_of(summary["modules"]), "modules"},
                {"Imports", count_of(summary["edges"]), "edges"},
                {"Circles", count_of(summary["cycles"]), "cycles"},
                {"Longest chain", count_of(summary["max_depth"]), "depth"}}) +
         dependency_chart(page.families["dependencies"]) + "<h3>Circles</h3>" +
         groups_of(with(page.groups["design"]["groups"].list(), "kind", "cycle"), page.sources,
                   Code::hidden, "No modules import each other in a circle.") +
         "<h3>Longest chains</h3>" +
         chain_list(page.families["dependencies"]["longest_chains"].list()) +
         "<h3>Modules that most others meet</h3>" +
         table_of(page.report["derived"]["module_map"].list(),
                  {{"module", "module"},
                   {"imported by", "fan_in", nullptr, true},
                   {"imports", "fan_out", nullptr, true}}) +
         "<h3>Modules that carry too much</h3>" +
         table_of(overloaded, {{"module", "", module_cell},
                               {"lines", "loc", nullptr, true},
                               {"score", "", score_cell, true},
                               {"why", "", reasons_cell}});
}

std::string dead_code(const Page& page) {
  const Peek summary = page.summary("dead_code");
  return cards({{"Unused", count_of(summary["total"]), "total"},
                {"Surely", count_of(summary["high_confidence"]), "high"},
                {"Perhaps", count_of(summary["medium_confidence"]), "medium"},
                {"Silenced", count_of(summary["suppressed"]), "suppressed"}}) +
         "<h3>Active</h3>" +
         table_of(page.items("dead_code"),
                  {{"symbol", "", place_cell},
                   {"kind", "kind"},
                   {"confidence", "", confidence_cell},
                   {"why", "reason"}},
                  "Everything is used.") +
         "<h3>Suppressed</h3>" + suppressed_rows(page.families["dead_code"]["suppressed"].list());
}

std::string api(const Page& page) {
  const Peek summary = page.summary("api_surface");
  if (!summary.exists())
    return none("Not measured in this run. <code>--api-surface</code> measures it.");
  return cards({{"Modules", count_of(summary["modules"]), "modules"},
                {"Symbols", count_of(summary["symbols"]), "symbols"},
                {"Functions", count_of(summary["functions"]), "functions"},
                {"Classes", count_of(summary["classes"]), "classes"},
                {"Methods", count_of(summary["methods"]), "methods"},
                {"Constants", count_of(summary["constants"]), "constants"}}) +
         table_of(
             page.items("api_surface"),
             {{"symbol", "", signature_cell}, {"kind", "kind"}, {"public", "", exported_cell}});
}

std::string adoption(const Page& page) {
  const Peek summary = page.summary("coverage_adoption");
  if (!summary.exists()) return "";
  return "<h3>Types and documentation</h3>" +
         cards({{"Parameters with types", percent(summary["param_permille"].number()), "params"},
                {"Returns with types", percent(summary["return_permille"].number()), "returns"},
                {"Documented", percent(summary["docstring_permille"].number()), "documented"},
                {"Any", count_of(summary["any_annotation_count"]), "any"}});
}

std::string coverage(const Page& page) {
  const Peek summary = page.summary("coverage_join");
  if (!summary.exists())
    return none(
               "No coverage was joined. <code>--coverage coverage.xml</code> joins a Cobertura "
               "report.") +
           adoption(page);
  if (summary["status"].text() == "invalid")
    return none("The coverage report could not be used: " +
                html(summary["invalid_reason"].text())) +
           adoption(page);
  return cards({{"Lines covered", percent(summary["overall_permille"].number()), "overall"},
                {"Functions measured", count_of(summary["measured_units"]), "measured"},
                {"Complex, hardly tested", count_of(summary["coverage_hotspots"]), "hotspots"},
                {"Complex, not in the report", count_of(summary["scope_gap_hotspots"]), "gaps"}}) +
         table_of(page.items("coverage_join"),
                  {{"function", "", place_cell},
                   {"covered", "", covered_cell},
                   {"lines", "", lines_cell, true},
                   {"complexity", "cyclomatic_complexity", nullptr, true},
                   {"risk", "", risk_cell},
                   {"", "", gap_cell}}) +
         adoption(page);
}

std::string security(const Page& page) {
  const Peek summary = page.summary("security_surfaces");
  return cards({{"Places", count_of(summary["items"]), "items"},
                {"Modules", count_of(summary["modules"]), "modules"},
                {"Categories", count_of(summary["category_count"]), "categories"}}) +
         count_chart(summary["categories"], "Places by category") +
         table_of(page.items("security_surfaces"),
                  {{"category", "category"},
                   {"capability", "capability"},
                   {"evidence", "", evidence_cell},
                   {"code", "source_kind"}},
                  "The code reaches nothing outside itself.");
}

std::string suggestions(const Page& page) {
  const List& all = page.report["derived"]["suggestions"].list();
  if (all.empty()) return none("Nothing to suggest.");
  std::string out = "<ul class='todo'>";
  for (std::size_t i = 0; i < std::min(all.size(), kShownSuggestions); ++i) {
    const Peek one(all[i]);
    std::string steps;
    for (const Value& step : one["steps"].list())
      steps += fmt::format("<li>{}</li>", html(Peek(step).text()));
    out += fmt::format(
        "<li>{} <b>{}</b> <span class='dim'>{}, {}</span><br><code>{}</code><ol>{}</ol></li>",
        pill(one["severity"].text()), html(one["title"].text()), html(one["effort"].text()),
        html(one["fact_summary"].text()), html(one["location"].text()), steps);
  }
  out += "</ul>";
  if (all.size() > kShownSuggestions)
    out += none(fmt::format("{} more stand in the JSON report.", all.size() - kShownSuggestions));
  return out;
}

std::string gates(const Peek& document) {
  if (!document["gating"].is_true() && document["reasons"].list().empty())
    return "none was asked for";
  if (document["passed"].is_true()) return pill("ok") + " all hold";
  std::string out;
  for (const Value& reason : document["reasons"].list())
    out += fmt::format("{} {}<br>", pill("no"), html(Peek(reason)["message"].text()));
  return out;
}

std::string baseline(const Peek& document) {
  return fmt::format("{} <code>{}</code>", pill(document["status"].text()),
                     html(document["path"].text()));
}

std::string meta(const Page& page) {
  const Peek meta = page.report["meta"], runtime = meta["runtime"];
  std::string thresholds;
  for (const auto& [name, value] : meta["analysis_thresholds"]["design_findings"].map().entries())
    thresholds += fmt::format("{}{} {} {}", thresholds.empty() ? "" : ", ", html(name),
                              html(Peek(value)["operator"].text()), Peek(value)["value"].number());
  const Peek files = page.report["inventory"]["files"];
  return facts({{"Report", html(page.report["report_schema_version"].text())},
                {"Made by", fmt::format("{} {}", html(meta["generator"]["name"].text()),
                                        html(meta["generator"]["version"].text()))},
                {"Digest", fmt::format("<code data-key='digest'>{}</code>",
                                       html(page.report["integrity"]["digest"]["value"].text()))},
                {"Run", fmt::format("<code>{}</code>", html(runtime["run_id"].text()))},
                {"Made at", html(runtime["created_utc"].text())},
                {"Read from", fmt::format("{} {}", html(runtime["source"].text()),
                                          html(runtime["revision"].text()))},
                {"Mode", html(meta["analysis_mode"].text())},
                {"Findings begin", thresholds},
                {"Baseline", baseline(meta["baseline"])},
                {"Gates", gates(page.report["derived"]["gates"])}}) +
         "<h3>Files that could not be read whole</h3>" +
         table_of(files["partial"].list(),
                  {{"file", "", path_cell},
                   {"first error in line", "line", nullptr, true},
                   {"functions lost", "units_incomplete", nullptr, true}}) +
         "<h3>Files that were not read</h3>" +
         table_of(files["unread"].list(), {{"file", "", path_cell}, {"why", "status"}}) +
         "<h3>Suppressions that do nothing</h3>" +
         table_of(meta["unused_suppressions"].list(), {{"file", "relative_path"},
                                                       {"line", "line", nullptr, true},
                                                       {"rule", "rule"},
                                                       {"why", "reason"}});
}

struct Section {
  std::string_view id, title, lead;
  std::string (*content)(const Page&);
  std::string_view tally{};  // the number beside its name in the list of sections
  bool needs_metrics = true;
};

// clang-format off
// table: sections of the page
constexpr std::array<Section, 12> kSections{{
    {"overview", "Overview", "How healthy the code is, and where to begin.", overview, "", false},
    {"clones", "Clones", "Code that stands in several places, the first two side by side. What differs is marked.", clones, "findings.summary.families.clone", false},
    {"structural", "Structural", "Branches that do the same, and copies that no longer agree.", structural, "findings.summary.families.structural"},
    {"complexity", "Complexity", "How many ways lead through a function. Above 20 it is hard to test, above 40 hard to read.", complexity, "metrics.families.complexity.summary.high_risk"},
    {"classes", "Coupling and cohesion", "What classes need, and whether they hold together.", classes},
    {"dependencies", "Dependencies", "Which module imports which.", dependencies, "metrics.families.dependencies.summary.cycles"},
    {"dead", "Dead code", "Symbols that nothing names.", dead_code, "metrics.families.dead_code.summary.total"},
    {"api", "API", "What other code may rely on.", api},
    {"coverage", "Coverage", "Which functions tests reach, and how far types and documentation go.", coverage},
    {"security", "Security", "Where the code reaches beyond itself. An inventory, no claim that anything is wrong.", security, "metrics.families.security_surfaces.summary.items"},
    {"suggestions", "Suggestions", "What would help most for the least effort, in this order.", suggestions, "derived.suggestions"},
    {"meta", "Meta", "How this report was made.", meta, "", false},
}};
// clang-format on

/// A number, or how many a list has, by its dotted path; empty when there is none.
std::string tally(Peek at, std::string_view path) {
  if (path.empty()) return {};
  for (const std::string_view key : split(path, '.'))
    at = at[key];
  if (!at.exists()) return {};
  return grouped(at.list().empty() ? at.number() : static_cast<std::int64_t>(at.list().size()));
}

/// "2026-01-02 03:04 UTC"; anything else as it is.
std::string shown_time(std::string_view utc) {
  constexpr std::size_t kDay = 10, kMinute = 16;
  if (utc.size() <= kMinute || utc[kDay] != 'T') return std::string(utc);
  return fmt::format("{} {} UTC", utc.substr(0, kDay), utc.substr(kDay + 1, kMinute - kDay - 1));
}

std::string head_of(const Page& page) {
  const Peek meta = page.report["meta"], runtime = meta["runtime"],
             gating = page.report["derived"]["gates"];
  const std::string_view name = meta["project_name"].text();
  std::string out = fmt::format(
      "<header><h1>{}</h1><p class='dim'>{} files, {} lines. Made {}, digest <code>{}</code></p>",
      name.empty() ? "The shape of the code" : html(name),
      count_of(page.report["inventory"]["files"]["total_found"]),
      count_of(page.report["inventory"]["code"]["parsed_lines"]),
      html(shown_time(runtime["created_utc"].text())),
      html(page.report["integrity"]["digest"]["value"].text().substr(0, kDigestShown)));
  if (gating["gating"].is_true())
    out += fmt::format("<p class='verdict {}'>{}</p>", gating["passed"].is_true() ? "ok" : "no",
                       gating["passed"].is_true()
                           ? std::string("All gates hold")
                           : fmt::format("Refused: {} reasons", gating["reasons"].list().size()));
  return out + "</header>";
}

}  // namespace

std::string analysis_html(const Value& document, const SourceText& sources) {
  const Peek report(document);
  const Page page{report, report["findings"]["groups"], report["metrics"]["families"], sources,
                  findings_worst_first(document)};
  const bool has_metrics = !page.families.map().empty();
  std::string nav, body;
  for (const Section& section : kSections) {
    nav += fmt::format("<a href='#{}'>{}<span>{}</span></a>", section.id, section.title,
                       tally(report, section.tally));
    body += fmt::format(
        "<section id='{0}' aria-labelledby='{0}-title'><h2 id='{0}-title'>{1}</h2><p class='lead'>"
        "{2}</p>{3}</section>",
        section.id, section.title, section.lead,
        section.needs_metrics && !has_metrics
            ? none("Not measured in this run: clones alone were asked for.")
            : section.content(page));
  }
  const std::string_view name = report["meta"]["project_name"].text();
  return fmt::format(
      "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
      "<meta name='viewport' content='width=device-width,initial-scale=1'>"
      "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src "
      "'unsafe-inline'\"><title>{}Gatehouse analysis</title><style>{}</style></head><body>"
      "<a class='skip' href='#overview'>To the content</a><div class='page'>"
      "<nav aria-label='Sections'><b>Gatehouse</b>{}</nav><main>{}{}</main></div></body></html>\n",
      name.empty() ? "" : html(name) + " – ", data::find("pages/analysis.css"), nav, head_of(page),
      body);
}

}  // namespace gh::report
