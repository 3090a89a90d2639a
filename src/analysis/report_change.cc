#include "analysis/report_change.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "analysis/annotations.h"
#include "analysis/overloaded_modules.h"
#include "analysis/report_digest.h"
#include "analysis/report_view.h"
#include "analysis/text_list.h"

namespace gh::analysis {
namespace {

constexpr std::string_view kSchema = "gatehouse.report_change/2";
constexpr std::string_view kLoads = "metrics/families/overloaded_modules/items",
                           kHealth = "metrics/families/health/items";

struct OrderKey {
  std::string_view member{};
  bool is_falling = false;
};
/// How items of different files stand in a list; those of one file stay as they are.
struct ListOrder {
  std::string_view path;
  std::array<OrderKey, 3> keys{};  // then by the path of the file
};
// table: orders of changed lists
constexpr std::array<ListOrder, 4> kOrders{{
    {"metrics/families/cohesion/items", {{{"lcom4", true}, {"qualname"}}}},
    {"metrics/families/coupling/items", {{{"cbo", true}, {"qualname"}}}},
    {"metrics/families/complexity/items",
     {{{"cyclomatic_complexity", true}, {"nesting_depth", true}, {"qualname"}}}},
    {"metrics/families/coverage_adoption/items"},
}};

using Files = std::set<std::string, std::less<>>;

std::string_view path_in(const Value& item) { return text_in(item, "relative_path"); }

int compare(const Value& a, const Value& b, const OrderKey& key) {
  const auto x = int_in(a, key.member), y = int_in(b, key.member);
  const int less = x && y ? (*x < *y   ? -1
                             : *x > *y ? 1
                                       : 0)
                          : text_in(a, key.member).compare(text_in(b, key.member));
  return key.is_falling ? -less : less;
}

bool stands_before(const Value& a, const Value& b, const ListOrder& order) {
  for (const OrderKey& key : order.keys) {
    const int less = key.member.empty() ? 0 : compare(a, b, key);
    if (less != 0) return less < 0;
  }
  return path_in(a) < path_in(b);
}

const ListOrder* order_of(std::string_view path) {
  const auto found = std::ranges::find(kOrders, path, &ListOrder::path);
  return found == kOrders.end() ? nullptr : &*found;
}

Files texts_in(const Value& document, std::string_view key) {
  Files out;
  for (const Value& text : list_in(document, {key}))
    if (text.as_string() != nullptr) out.insert(*text.as_string());
  return out;
}

/// What other files had, with what these have now.
List merged(List base, const Files& files, List after, const ListOrder& order) {
  std::erase_if(base, [&](const Value& item) { return files.contains(path_in(item)); });
  const auto before = [&](const Value& a, const Value& b) { return stands_before(a, b, order); };
  std::ranges::stable_sort(after, before);
  List out;
  out.reserve(base.size() + after.size());
  std::merge(std::make_move_iterator(base.begin()), std::make_move_iterator(base.end()),
             std::make_move_iterator(after.begin()), std::make_move_iterator(after.end()),
             std::back_inserter(out), before);
  return out;
}

std::uint64_t count_in(const Value& item, std::string_view key) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(int_in(item, key).value_or(0), 0));
}

ModuleLoad load_in(const Value& item) {
  return {.module = std::string(text_in(item, "module")),
          .path = text_in(item, "relative_path"),
          .loc = count_in(item, "loc"),
          .functions = count_in(item, "functions"),
          .methods = count_in(item, "methods"),
          .classes = count_in(item, "classes"),
          .callables = count_in(item, "callable_count"),
          .complexity_total = count_in(item, "complexity_total"),
          .complexity_max = count_in(item, "complexity_max"),
          .fan_in = count_in(item, "fan_in"),
          .fan_out = count_in(item, "fan_out"),
          .import_edges = count_in(item, "import_edges")};
}

List ranked_again(const List& base, const List& changed, const List& gone) {
  std::map<std::string_view, const Value*> modules;  // by name, as module_loads has them
  for (const List* list : {&base, &changed})
    for (const Value& item : *list)
      modules.insert_or_assign(text_in(item, "module"), &item);
  for (const Value& name : gone)
    if (name.as_string() != nullptr) modules.erase(*name.as_string());
  std::vector<ModuleLoad> loads;
  for (const auto& [name, item] : modules)
    loads.push_back(load_in(*item));
  List out;
  const OverloadedModules all = overloaded_modules(std::move(loads));
  for (const ScoredModule& module : all.modules)
    out.emplace_back(item_of(overloaded_columns(), module));
  return out;
}

List taken_from(Value& report, std::string_view path) {
  List* list = list_at(report, path);
  return list == nullptr ? List() : std::move(*list);
}

}  // namespace

ListChange& ReportChange::list(std::string_view path) {
  const auto found = std::ranges::find(lists, path, &ListChange::path);
  return found == lists.end() ? lists.emplace_back(ListChange{std::string(path)}) : *found;
}

Value frame_of(Value report, const ReportChange& change) {
  for (const DigestPart& part : digest_parts(report))
    *list_at(report, part.path) = part.path == kHealth ? change.health : List();
  derive(*report.as_map(), {});
  return report;
}

Value change_document(Value frame, const ReportChange& change, std::string_view base_run_id) {
  Map lists;
  for (const ListChange& list : change.lists)
    lists.set(list.path, Map{{"files", string_list(list.files)}, {"items", list.after}});
  Map edits;
  for (const ListEdit& list : change.edits)
    edits.set(list.path, list.edits);
  return Map{{"schema", kSchema},          {"base", base_run_id},
             {"report", std::move(frame)}, {"files", string_list(change.files)},
             {"lists", std::move(lists)},  {"edits", std::move(edits)},
             {"loads", change.loads},      {"gone_modules", string_list(change.gone_modules)}};
}

std::string_view base_of(const Value& document) {
  return text_in(document, "schema") == kSchema ? text_in(document, "base") : std::string_view();
}

Result<Value> changed_report(Value base, Value change) {
  Value* report = change.as_map() == nullptr ? nullptr : change.as_map()->find("report");
  if (report == nullptr || report->as_map() == nullptr)
    return fail(Code::json_invalid, "a change of a report has another form");
  const Map &lists = map_in(change, {"lists"}), &edits = map_in(change, {"edits"});
  for (const DigestPart& part : digest_parts(*report)) {
    List& to = *list_at(*report, part.path);
    const Value* after = lists.find(part.path);
    const ListOrder* order = order_of(part.path);
    if (part.path == kHealth) continue;
    List items = taken_from(base, part.path);
    if (const Value* edit = edits.find(part.path); edit != nullptr && edit->as_list() != nullptr) {
      GH_TRY(edited, edited_list(items, *edit->as_list()));
      to = std::move(edited);
    } else if (part.path == kLoads)
      to = ranked_again(items, list_in(change, {"loads"}), list_in(change, {"gone_modules"}));
    else if (after != nullptr && order != nullptr)
      to = merged(std::move(items), texts_in(*after, "files"), list_in(*after, {"items"}), *order);
    else
      to = std::move(items);
  }
  return std::move(*report);
}

}  // namespace gh::analysis
