// `runs list`, `runs show`, `runs compare` and `runs trend`.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "analysis/derived.h"
#include "analysis/report_view.h"
#include "analysis/short_ids.h"
#include "base/text.h"
#include "ops/analysis_ops.h"
#include "ops/kept_runs.h"
#include "ops/run_text.h"
#include "report/analysis_findings.h"
#include "report/columns.h"

namespace gh::ops {
namespace {

using analysis::list_in;
using analysis::map_in;
using analysis::member;
using analysis::text_in;
using report::Ink;
using report::Look;

constexpr std::size_t kShownFindings = 10;

std::string short_id(std::string_view run_id) {
  return std::string(run_id.substr(0, analysis::kShortRunId));
}

Map row_document(const store::AnalysisRunRow& row) {
  Map summary = *row.summary.as_map();
  const Value* changed = summary.find("changed_paths");
  Value changed_paths = changed == nullptr ? Value() : *changed;
  summary.erase("changed_paths");
  summary.erase("measured_by");
  return Map{{"run_id", row.run_id},
             {"short_id", short_id(row.run_id)},
             {"source", row.source},
             {"revision", row.revision.empty() ? Value() : Value(row.revision)},
             {"tree", row.tree.empty() ? Value() : Value(row.tree)},
             {"report_digest", row.report_digest},
             {"inputs_sha256", row.inputs_sha256},
             {"created_utc", row.created_utc},
             {"seen_utc", row.seen_utc},
             {"changed_paths", std::move(changed_paths)},
             {"summary", std::move(summary)}};
}

std::string source_words(std::string_view source, std::string_view revision) {
  return source == "revision" ? std::string(revision) : source == "index" ? "index" : "work tree";
}

std::string list_text(const Value& document, const Look& look) {
  std::vector<std::vector<std::string>> rows{
      {"RUN", "LAST SEEN", "OF", "FILES", "LINES", "FINDINGS", "HEALTH", "COMPLEXITY"}};
  for (const Value& run : list_in(document, {"runs"})) {
    const Map& s = map_in(run, {"summary"});
    rows.push_back(
        {std::string(text_in(run, "short_id")), std::string(text_in(run, "seen_utc")),
         source_words(text_in(run, "source"), text_in(run, "revision")), cell_in(s, "files"),
         cell_in(s, "lines"), cell_in(s, "findings"), cell_in(s, "health"),
         fmt::format("{} / {}", cell_in(s, "complexity_average"), cell_in(s, "complexity_max"))});
  }
  if (rows.size() == 1) return "there is no run yet; 'gatehouse analyze' makes one\n";
  return table_text(rows, "<<<>>>><", look);
}

// --- show ---

/// Groups of a report by id, with the ids that people type.
struct Findings {
  std::map<std::string_view, const Value*> groups{};
  analysis::ShortIds ids{};

  explicit Findings(const Value& report) {
    std::vector<std::string> all;
    for (const Value* group : analysis::finding_groups(report)) {
      groups.emplace(text_in(*group, "id"), group);
      all.emplace_back(text_in(*group, "id"));
    }
    ids = analysis::short_ids(all);
  }
  /// Severity, short id, what it is and where; empty for an id that nothing has.
  std::string line(std::string_view id, const Look& look) const {
    const auto group = groups.find(id);
    const auto known = ids.find(std::string(id));
    if (group == groups.end() || known == ids.end()) return {};
    const List& items = list_in(*group->second, {"items"});
    const std::string place =
        items.empty() ? std::string()
                      : fmt::format("{}:{}", text_in(items.front(), "relative_path"),
                                    analysis::int_in(items.front(), "start_line").value_or(0));
    return fmt::format("  {}  {}  {}  {}\n",
                       severity_text(text_in(*group->second, "severity"), look),
                       printable(known->second, 60), report::headline(Peek(*group->second)),
                       report::paint(look, Ink::dim, printable(place, 200)));
  }
};

void add_risks(std::string& out, const Value& report, const Findings& findings, const Look& look) {
  const List& risks = list_in(report, {"derived", "overview", "top_risks"});
  if (risks.empty()) return;
  out += report::paint(look, Ink::bold, "Top risks") + "\n";
  for (const Value& risk : risks)
    out += findings.line(text_in(risk, "id"), look);
}

struct Hotlist {
  std::string_view key, title;
};
constexpr std::array<Hotlist, 4> kHotlists{{{"most_actionable", "Easiest to mend"},
                                            {"highest_spread", "Widest spread"},
                                            {"production_hotspot", "In production"},
                                            {"test_fixture_hotspot", "In tests"}}};

void add_hotlists(std::string& out, const Value& report, const Findings& findings,
                  const Look& look) {
  for (const Hotlist& hot : kHotlists) {
    const List& list = list_in(report, {"derived", "hotlists", hot.key});
    if (list.empty()) continue;
    out += report::paint(look, Ink::bold, hot.title) + "\n";
    for (const Value& id : list)
      if (id.as_string() != nullptr) out += findings.line(*id.as_string(), look);
  }
}

void add_families(std::string& out, const Value& report, const Look& look) {
  std::vector<std::vector<std::string>> rows{{"METRIC", "OF", "AVERAGE", "HIGHEST"}};
  for (const std::string_view family : {"complexity", "coupling", "cohesion"}) {
    const Map& s = map_in(report, {"metrics", "families", family, "summary"});
    rows.push_back(
        {std::string(family), cell_in(s, "total"), cell_in(s, "average"), cell_in(s, "max")});
  }
  out += table_text(rows, "<>>>", look);
  const Map& d = map_in(report, {"metrics", "families", "dependencies", "summary"});
  out += fmt::format("{} modules, {} edges, {} cycles, longest chain {}\n", cell_in(d, "modules"),
                     cell_in(d, "edges"), cell_in(d, "cycles"), cell_in(d, "max_depth"));
}

std::string show_text(const Value& report, const Look& look) {
  const Findings findings(report);
  const Value* runtime = member(report, {"meta", "runtime"});
  std::string out = fmt::format(
      "{} of {}, {}\n",
      report::paint(look, Ink::accent, "run " + short_id(text_in(*runtime, "run_id"))),
      printable(source_words(text_in(*runtime, "source"), text_in(*runtime, "revision")), 100),
      text_in(*runtime, "created_utc"));
  const Map& files = map_in(report, {"inventory", "files"});
  const Map& code = map_in(report, {"inventory", "code"});
  out +=
      fmt::format("{} files, {} lines, {}\n", cell_in(files, "total_found"),
                  cell_in(code, "parsed_lines"), counted_text(findings.groups.size(), "finding"));
  add_families(out, report, look);
  add_risks(out, report, findings, look);
  add_hotlists(out, report, findings, look);
  return out;
}

// --- compare ---

void add_cards(std::string& out, const std::vector<analysis::ComparedFinding>& findings,
               std::string_view title, char sign, const Look& look) {
  if (findings.empty()) return;
  out += report::paint(look, Ink::bold, title) + "\n";
  for (std::size_t i = 0; i < std::min(kShownFindings, findings.size()); ++i)
    out += fmt::format("  {} {}  {}  {}\n", sign, severity_text(findings[i].severity, look),
                       printable(findings[i].short_id, 120),
                       report::paint(look, Ink::dim, printable(findings[i].place, 200)));
  if (findings.size() > kShownFindings)
    out += fmt::format("    and {} more (--json shows all)\n", findings.size() - kShownFindings);
}

void add_symbols(std::string& out, const std::vector<analysis::SymbolChange>& changes,
                 std::string_view title, const Look& look) {
  if (changes.empty()) return;
  out += report::paint(look, Ink::bold, title) + "\n";
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(kShownFindings, changes.size()); ++i)
    rows.push_back({"  " + std::string(changes[i].family),
                    fmt::format("{} -> {}", changes[i].before, changes[i].after),
                    fmt::format("{:+}", changes[i].delta()), changes[i].symbol, changes[i].path});
  out += table_text(rows, "<>><<", {.width = look.width, .colour = false});
  if (changes.size() > kShownFindings)
    out += fmt::format("    and {} more\n", changes.size() - kShownFindings);
}

std::string compare_text(const analysis::RunComparison& c, const Look& look) {
  using analysis::RunVerdict;
  const Ink ink = c.verdict == RunVerdict::regressed || c.verdict == RunVerdict::mixed ? Ink::bad
                  : c.verdict == RunVerdict::improved                                  ? Ink::good
                                                                                       : Ink::bold;
  std::string out = fmt::format("{} -> {}\n", short_id(c.before_id), short_id(c.after_id));
  out += report::paint(look, ink, printable(analysis::summary_of(c), 200)) + "\n";
  add_cards(out, c.regressions, "New", '+', look);
  add_cards(out, c.improvements, "Gone", '-', look);
  for (const analysis::GrownClones& group : c.grown)
    out += fmt::format("  {} was copied once more: {}\n", printable(group.short_id, 120),
                       printable(join(group.new_members, ", "), 200));
  for (const Value& added : c.suppressions_added)
    out += fmt::format("  {}  suppression added, without effect here: {} for {}\n",
                       severity_text("warning", look), text_in(added, "rule"),
                       printable(text_in(added, "qualname"), 200));
  add_symbols(out, c.worsened, "Worse", look);
  add_symbols(out, c.eased, "Better", look);
  for (const analysis::InventoryChange& change : c.inventories)
    for (const auto& [category, counts] : change.by_category)
      out += fmt::format("Reach    {}: +{} -{}\n", category, counts.added, counts.removed);
  if (!c.partial_paths.empty())
    out += fmt::format("Not known, because it could not be read whole: {}\n",
                       printable(join(c.partial_paths, ", "), 400));
  return out;
}

// --- trend ---

/// A bar of at most 20 cells against the greatest value.
std::string bar(const Value* value, std::int64_t greatest, const Look& look) {
  if (value == nullptr || value->as_int() == nullptr || greatest <= 0) return "";
  const auto cells = static_cast<std::size_t>(*value->as_int() * 20 / greatest);
  std::string out;
  for (std::size_t i = 0; i < cells; ++i)
    out += look.ascii ? "#" : "▪";
  return out;
}

std::string trend_text(const Value& document, const Look& look) {
  const List& points = list_in(document, {"points"});
  if (points.empty()) return "there is no run yet; 'gatehouse analyze' makes one\n";
  std::int64_t greatest = 0;
  for (const Value& point : points)
    greatest = std::max(greatest, analysis::int_in(point, "findings").value_or(0));
  std::vector<std::vector<std::string>> rows{
      {"RUN", "LAST SEEN", "HEALTH", "COMPLEXITY", "HIGH", "CYCLES", "FINDINGS", ""}};
  for (const Value& point : points) {
    const Map& p = *point.as_map();
    rows.push_back(
        {cell_in(p, "run_id"), cell_in(p, "seen_utc"), cell_in(p, "health"),
         fmt::format("{} / {}", cell_in(p, "complexity_average"), cell_in(p, "complexity_max")),
         cell_in(p, "complexity_high"), cell_in(p, "cycles"), cell_in(p, "findings"),
         bar(p.find("findings"), greatest, look)});
  }
  return table_text(rows, "<<><>>><", look);
}

}  // namespace

Result<Reply> runs_list(const Request& request, Context& context) {
  GH_TRY(shelf, RunShelf::open(context));
  GH_TRY(rows, shelf.rows(*request.integer("limit")));
  List runs;
  for (const store::AnalysisRunRow& row : rows)
    runs.emplace_back(row_document(row));
  Reply reply;
  reply.document = framed("gatehouse.run_list/1",
                          Map{{"root", utf8_or_escaped(shelf.root())}, {"runs", std::move(runs)}});
  reply.text = [document = reply.document](const Look& look) { return list_text(document, look); };
  return reply;
}

Result<Reply> runs_show(const Request& request, Context& context) {
  GH_TRY(shelf, RunShelf::open(context));
  const std::string word = request.text("RUN");
  GH_TRY(run, shelf.find(word.empty() ? "latest" : word, context));
  Reply reply;
  reply.document = run.report;
  analysis::add_derived(reply.document);
  reply.document.as_map()->find("meta")->as_map()->set(
      "runtime", Map{{"run_id", run.run_id},
                     {"created_utc", run.created_utc},
                     {"root", run.root},
                     {"source", run.source},
                     {"revision", run.revision.empty() ? Value() : Value(run.revision)}});
  reply.text = [document = reply.document](const Look& look) { return show_text(document, look); };
  return reply;
}

Result<Reply> runs_compare(const Request& request, Context& context) {
  GH_TRY(shelf, RunShelf::open(context));
  const std::string before = request.text("BEFORE"), after = request.text("AFTER");
  GH_TRY(old, shelf.find(before.empty() ? "previous" : before, context));
  GH_TRY(now, shelf.find(after.empty() ? "latest" : after, context));
  if (after.empty()) tell_if_old(now, context);
  analysis::RunComparison c = analysis::compare_runs(
      old.compared(), now.compared(), analysis::focus_named(request.text("focus")).value());
  Reply reply;
  reply.document = framed("gatehouse.run_comparison/1", analysis::comparison_document(c));
  const bool is_worse =
      c.verdict != analysis::RunVerdict::stable && c.verdict != analysis::RunVerdict::improved;
  if (request.flag("check") && is_worse) {
    reply.exit = ExitCode::denied;
    reply.why = analysis::summary_of(c);
  }
  reply.text = [c = std::move(c)](const Look& look) { return compare_text(c, look); };
  return reply;
}

Result<Reply> runs_trend(const Request& request, Context& context) {
  GH_TRY(shelf, RunShelf::open(context));
  GH_TRY(rows, shelf.rows(*request.integer("limit")));
  List points;
  std::ranges::reverse(rows);
  for (const store::AnalysisRunRow& row : rows) {
    Map point{{"run_id", short_id(row.run_id)}, {"seen_utc", row.seen_utc}};
    for (const char* key : {"health", "complexity_average", "complexity_max", "complexity_high",
                            "cycles", "findings", "files", "lines"}) {
      const Value* value = member(row.summary, {key});
      point.set(key, value == nullptr ? Value() : *value);
    }
    points.emplace_back(std::move(point));
  }
  Reply reply;
  reply.document = framed("gatehouse.run_trend/1", Map{{"root", utf8_or_escaped(shelf.root())},
                                                       {"points", std::move(points)}});
  reply.text = [document = reply.document](const Look& look) { return trend_text(document, look); };
  return reply;
}

}  // namespace gh::ops
