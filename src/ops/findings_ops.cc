// `findings`, `clones` and `hotspots`: parts of a run, by who asks for them.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "analysis/derived.h"
#include "analysis/report_view.h"
#include "analysis/short_ids.h"
#include "base/text.h"
#include "ops/analysis_ops.h"
#include "ops/kept_runs.h"
#include "ops/run_text.h"
#include "policy/glob.h"
#include "report/analysis_findings.h"
#include "report/columns.h"

namespace gh::ops {
namespace {

using analysis::int_in;
using analysis::list_in;
using analysis::text_in;
using report::Ink;
using report::Look;

constexpr std::size_t kShownPlaces = 5;

std::string or_latest(const Request& request) {
  return request.has("run") ? request.text("run") : "latest";
}

std::vector<std::string> ids_of(const Value& report) {
  std::vector<std::string> out;
  for (const Value* group : analysis::finding_groups(report))
    out.emplace_back(text_in(*group, "id"));
  return out;
}

Map card_of(const Value& group, const analysis::ShortIds& ids) {
  Map out{{"id", ids.at(std::string(text_in(group, "id")))}, {"finding_id", text_in(group, "id")}};
  for (const char* key : {"family", "category", "kind", "severity", "confidence", "priority",
                          "count", "clone_type", "novelty", "source_scope", "spread", "facts"})
    if (const Value* value = analysis::member(group, {key})) out.set(key, *value);
  out.set("items", list_in(group, {"items"}));
  return out;
}

/// What the options ask for; an option that was not given asks for nothing.
struct Filter {
  std::string family{}, severity{}, path{}, kind{};
  std::optional<std::set<std::string>> known{};  // ids of the run before

  bool takes(const Value& group) const {
    if (!family.empty() && text_in(group, "family") != family) return false;
    if (!severity.empty() && text_in(group, "severity") != severity) return false;
    if (!kind.empty() && text_in(group, "kind") != kind) return false;
    if (known && known->contains(std::string(text_in(group, "id")))) return false;
    if (path.empty()) return true;
    return std::ranges::any_of(analysis::paths_of(group), [&](const std::string& at) {
      return at == path || at.starts_with(path + "/") || policy::matches_pathglob(at, path);
    });
  }
};

Value cards(const Value& report, const Filter& filter) {
  const analysis::ShortIds ids = analysis::short_ids(ids_of(report));
  List out;
  for (const Value* group : analysis::finding_groups(report))
    if (filter.takes(*group)) out.emplace_back(card_of(*group, ids));
  return out;
}

std::string place_text(const Value& item) {
  return printable(
      fmt::format("{}:{}", text_in(item, "relative_path"), int_in(item, "start_line").value_or(0)),
      200);
}

std::string card_text(const Value& card, std::size_t most, const Look& look) {
  const List& items = list_in(card, {"items"});
  std::string out =
      fmt::format("{}  {}  {}\n", severity_text(text_in(card, "severity"), look),
                  report::paint(look, Ink::accent, printable(text_in(card, "id"), 120)),
                  report::headline(Peek(card)));
  for (std::size_t i = 0; i < std::min(most, items.size()); ++i)
    out += fmt::format("          {}  {}\n", printable(text_in(items[i], "qualname"), 160),
                       report::paint(look, Ink::dim, place_text(items[i])));
  if (items.size() > most) out += fmt::format("          and {} more\n", items.size() - most);
  return out;
}

std::string cards_text(const Value& document, const Look& look) {
  const List& found = list_in(document, {"findings"});
  std::string out;
  // One group alone is told in full.
  const std::size_t most =
      found.size() == 1 ? list_in(found.front(), {"items"}).size() : kShownPlaces;
  for (const Value& card : found)
    out += card_text(card, most, look);
  return out + counted_text(found.size(), "finding") + "\n";
}

Reply cards_reply(const KnownRun& run, Value found) {
  Reply reply;
  const auto total = static_cast<std::int64_t>(found.as_list()->size());
  reply.document =
      framed("gatehouse.finding_list/1",
             Map{{"run_id", run.run_id}, {"total", total}, {"findings", std::move(found)}});
  reply.text = [document = reply.document](const Look& look) { return cards_text(document, look); };
  return reply;
}

// --- hotspots ---

struct HotMetric {
  std::string_view family, field, title;
};
constexpr std::array<HotMetric, 3> kHotMetrics{{
    {"complexity", "cyclomatic_complexity", "Most complex functions"},
    {"coupling", "cbo", "Classes that need most others"},
    {"cohesion", "lcom4", "Classes that fall apart"},
}};

Value worst(const Value& report, const HotMetric& metric, std::size_t limit) {
  List out;
  for (const Value& item : analysis::metric_items(report, metric.family)) {
    if (out.size() == limit) break;
    out.emplace_back(Map{{"symbol", text_in(item, "qualname")},
                         {"path", text_in(item, "relative_path")},
                         {"line", int_in(item, "start_line").value_or(0)},
                         {"value", int_in(item, metric.field).value_or(0)},
                         {"risk", text_in(item, "risk")}});
  }
  return out;
}

std::string hotspots_text(const Value& document, const Look& look) {
  std::string out;
  for (const HotMetric& metric : kHotMetrics) {
    const List& items = list_in(document, {metric.family});
    if (items.empty()) continue;
    out += report::paint(look, Ink::bold, metric.title) + "\n";
    for (const Value& item : items)
      out += fmt::format("  {:>5}  {}  {}\n", int_in(item, "value").value_or(0),
                         printable(text_in(item, "symbol"), 160),
                         report::paint(look, Ink::dim,
                                       printable(fmt::format("{}:{}", text_in(item, "path"),
                                                             int_in(item, "line").value_or(0)),
                                                 200)));
  }
  if (const List& folders = list_in(document, {"directories"}); !folders.empty()) {
    out += report::paint(look, Ink::bold, "Folders with most findings") + "\n";
    for (const Value& folder : folders)
      out += fmt::format("  {:>5}  {}\n", int_in(folder, "findings").value_or(0),
                         printable(text_in(folder, "path"), 200));
  }
  return out.empty() ? "nothing was measured\n" : out;
}

/// A kind that no finding has may be spelled in another way.
void tell_unknown_kind(const Value& report, const std::string& kind, Context& context) {
  if (kind.empty()) return;
  std::set<std::string> kinds;
  for (const Value* group : analysis::finding_groups(report))
    kinds.emplace(text_in(*group, "kind"));
  if (kinds.contains(kind)) return;
  context.notice(fmt::format("no finding of this run is of the kind '{}'; there are: {}",
                             printable(kind, 60),
                             kinds.empty() ? "none" : join({kinds.begin(), kinds.end()}, ", ")));
}

}  // namespace

Result<Reply> findings(const Request& request, Context& context) {
  GH_TRY(shelf, RunShelf::open(context));
  GH_TRY(run, shelf.find(or_latest(request), context));
  tell_if_old(run, context);
  Filter filter{.family = request.text("family"),
                .severity = request.text("severity"),
                .path = request.text("path"),
                .kind = request.text("kind"),
                .known = {}};
  while (filter.path.ends_with('/'))
    filter.path.pop_back();
  tell_unknown_kind(run.report, filter.kind, context);
  if (request.flag("new") || request.has("since")) {
    GH_TRY(before, shelf.find(request.has("since") ? request.text("since") : "previous", context));
    const std::vector<std::string> ids = ids_of(before.report);
    filter.known.emplace(ids.begin(), ids.end());
  }
  Value found = cards(run.report, filter);
  if (const std::string id = request.text("id"); !id.empty()) {
    std::erase_if(*found.as_list(), [&](const Value& card) {
      return text_in(card, "id") != id && text_in(card, "finding_id") != id;
    });
    if (found.as_list()->empty())
      return fail(Code::finding_not_found,
                  fmt::format("run {} has no finding '{}' that passes the filters",
                              run.run_id.substr(0, analysis::kShortRunId), printable(id, 120)));
  }
  return cards_reply(run, std::move(found));
}

Result<Reply> clones(const Request& request, Context& context) {
  GH_TRY(shelf, RunShelf::open(context));
  GH_TRY(run, shelf.find(or_latest(request), context));
  tell_if_old(run, context);
  Value found = cards(run.report, {.family = "clone"});
  const std::string id = request.text("ID");
  if (!id.empty()) {
    std::erase_if(*found.as_list(), [&](const Value& card) {
      return text_in(card, "id") != id && text_in(card, "finding_id") != id;
    });
    if (found.as_list()->empty())
      return fail(Code::unknown_id,
                  fmt::format("run {} has no clone group '{}'; 'gatehouse clones' lists them",
                              run.run_id.substr(0, analysis::kShortRunId), printable(id, 120)));
  }
  return cards_reply(run, std::move(found));
}

Result<Reply> hotspots(const Request& request, Context& context) {
  GH_TRY(shelf, RunShelf::open(context));
  GH_TRY(run, shelf.find(or_latest(request), context));
  tell_if_old(run, context);
  const auto limit = static_cast<std::size_t>(std::max<std::int64_t>(0, *request.integer("limit")));
  Map document{{"run_id", run.run_id}};
  for (const HotMetric& metric : kHotMetrics)
    document.set(std::string(metric.family), worst(run.report, metric, limit));
  const Value derived(analysis::derived_section(run.report));
  document.set("directories", list_in(derived, {"overview", "directory_hotspots"}));
  document.set("modules", list_in(derived, {"module_map"}));
  Reply reply;
  reply.document = framed("gatehouse.hotspots/1", std::move(document));
  reply.text = [copy = reply.document](const Look& look) { return hotspots_text(copy, look); };
  return reply;
}

}  // namespace gh::ops
