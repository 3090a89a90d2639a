#include "analysis/run_extract.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "analysis/blast_radius.h"
#include "analysis/extract_lists.h"
#include "analysis/hash.h"
#include "analysis/report_view.h"
#include "base/digest.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

using enum KeptIn;

constexpr ExtractList findings(std::string_view name, std::string_view path) {
  return {name,
          path,
          lines,
          "id",
          {"id", "family", "category", "kind", "severity", "novelty", "items"},
          KeptItems::all,
          true};
}

// clang-format off
// table: extract_lists
constexpr std::array kLists{
    findings("clones/functions",   "findings/groups/clones/functions"),
    findings("clones/blocks",      "findings/groups/clones/blocks"),
    findings("clones/segments",    "findings/groups/clones/segments"),
    findings("clones/near_miss",   "findings/groups/clones/near_miss"),
    findings("structural/groups",  "findings/groups/structural/groups"),
    findings("dead_code/groups",   "findings/groups/dead_code/groups"),
    findings("design/groups",      "findings/groups/design/groups"),
    ExtractList{kFileRow,            "inventory/file_registry/items",               lines},
    ExtractList{"complexity",        "metrics/families/complexity/items",          lines, "relative_path", {"relative_path", "qualname", "cyclomatic_complexity", "risk"}},
    ExtractList{"coupling",          "metrics/families/coupling/items",            lines, "relative_path", {"relative_path", "qualname", "cbo", "risk"}},
    ExtractList{"cohesion",          "metrics/families/cohesion/items",            lines, "relative_path", {"relative_path", "qualname", "lcom4", "risk"}},
    ExtractList{kImportRow,          "metrics/families/dependencies/items",        lines, "target",        {"source", "target", "paths"}},
    ExtractList{"surface",           "metrics/families/security_surfaces/items",   lines, "relative_path", {"relative_path"}},
    ExtractList{"overloaded",        "metrics/families/overloaded_modules/items",  lines, "relative_path", {"relative_path", "candidate_status"}, KeptItems::candidates},
    ExtractList{"registration",      "metrics/families/dead_code/registrations",    lines, "target_qualname", {"target_qualname"}},
    ExtractList{"dead_code",         "metrics/families/dead_code/items",           head, {}, {"qualname", "confidence"}, KeptItems::high_confidence},
    ExtractList{"coverage_join",     "metrics/families/coverage_join/items",       head, {}, {"relative_path", "qualname", "status", "risk", "coverage_permille", "coverage_hotspot", "scope_gap_hotspot"}, KeptItems::complex},
    ExtractList{"coverage_adoption", "metrics/families/coverage_adoption/items",   nowhere},
    ExtractList{"api_surface",       "metrics/families/api_surface/items",         nowhere},
};
// table: extract_places
constexpr std::array<std::string_view, 3> kPlaceFields{"relative_path", "qualname", "start_line"};
// clang-format on

bool is_kept(const Value& item, KeptItems kept) {
  switch (kept) {
    case KeptItems::all:
      return true;
    case KeptItems::high_confidence:
      return text_in(item, "confidence") == "high";
    case KeptItems::complex:
      return text_in(item, "risk") != "low";
    case KeptItems::candidates:
      return text_in(item, "candidate_status") == "candidate";
  }
  return true;
}

template <class Fields>
Map cut(const Value& item, const Fields& fields) {
  Map out;
  for (const std::string_view field : fields)
    if (const Value* value = field.empty() ? nullptr : member(item, {field}))
      out.set(std::string(field), *value);
  return out;
}

Value cut_item(const Value& item, const ExtractList& list) {
  if (item.as_map() == nullptr) return item;  // a path
  Map out = cut(item, list.fields);
  if (!list.is_finding) return out;
  List places;
  for (const Value& place : list_in(item, {"items"}))
    places.emplace_back(cut(place, kPlaceFields));
  out.set("items", std::move(places));
  return out;
}

/// What is no long list and is not derived. As deep as the table's paths are.
Map without_lists(const Map& map, const std::string& at) {
  Map out;
  for (const auto& [key, value] : map.entries()) {
    const std::string path = at + key;
    if (path == "derived") continue;
    const bool is_list = std::ranges::find(kLists, path, &ExtractList::path) != kLists.end();
    const bool holds_lists = std::ranges::any_of(
        kLists, [&](const ExtractList& list) { return list.path.starts_with(path + "/"); });
    out.set(key, is_list && value.as_list() != nullptr ? Value(List{})
                 : holds_lists && value.as_map() != nullptr
                     ? Value(without_lists(*value.as_map(), path + "/"))
                     : value);
  }
  return out;
}

/// Collects the parts while the lists are walked.
class Extracting {
 public:
  Extracting(const RunReport& report, const std::vector<RunInput>& inputs)
      : files_(report.frame), head_(without_lists(map_in(report.frame, {}), "")) {
    for (const ExtractList& list : kLists)
      for_each_item(report, list.path, [&](const Value& item) { take(list, item); });
    for (const RunInput& input : inputs)
      line(input.path, kInputRow, List{input.mode, input.blob});
  }

  ExtractBytes finish() {
    add_counts();
    ExtractBytes out;
    List digests;
    for (std::vector<std::string>& lines : lines_) {
      std::ranges::sort(lines);
      lines.erase(std::ranges::unique(lines).begin(), lines.end());
      std::string& text = out.parts.emplace_back();
      for (const std::string& one : lines)
        text.append(one) += '\n';
    }
    out.parts.push_back(std::move(ids_));
    for (const std::string& text : out.parts)
      digests.emplace_back(text.empty() ? "" : digest_of(text).hex());
    out.head = wire::canonical_json(Map{
        {"schema", kExtractSchema}, {"report", std::move(head_)}, {"parts", std::move(digests)}});
    return out;
  }

 private:
  void line(std::string_view key, std::string_view row, Value item) {
    lines_[part_of(key)].push_back(wire::canonical_json(List{key, row, std::move(item)}));
  }

  void take(const ExtractList& list, const Value& item) {
    if (!is_kept(item, list.items)) return;
    if (list.is_finding) take_finding(list, item);
    Value kept = cut_item(item, list);
    // Who imports is asked for by the module alone: the files are named here.
    if (list.name == kImportRow && member(kept, {"paths"}) == nullptr)
      kept.as_map()->set("paths", string_list(files_.files_of(text_in(item, "source"))));
    if (list.place == head)
      list_at(head_, list.path)->push_back(std::move(kept));
    else if (list.place == lines)
      line(item.as_string() != nullptr ? *item.as_string() : text_in(item, list.key), list.name,
           std::move(kept));
  }

  void take_finding(const ExtractList& list, const Value& group) {
    const std::string_view novelty = text_in(group, "novelty");
    ids_.append(text_in(group, "id")) += kIdEnd;
    ++counts_[{std::string(list.name), std::string(novelty),
               std::string(text_in(group, "severity"))}];
    for (const std::string& path : paths_of(group))
      line(path, kFindingRow, List{text_in(group, "id"), novelty});
  }

  void add_counts() {
    List rows;
    for (const auto& [key, count] : counts_)
      rows.emplace_back(Map{{"list", key[0]},
                            {"novelty", key[1]},
                            {"severity", key[2]},
                            {"count", static_cast<std::int64_t>(count)}});
    if (Value* findings = head_.as_map()->find("findings"))
      findings->as_map()->set(std::string(kCountedMember), std::move(rows));
  }

  ModuleFiles files_;
  Value head_;
  std::array<std::vector<std::string>, kLineParts> lines_{};
  std::string ids_{};
  std::map<std::array<std::string, 3>, std::size_t> counts_{};
};

}  // namespace

std::span<const ExtractList> extract_lists() { return kLists; }

const ExtractList* extract_list_named(std::string_view name) {
  const auto found = std::ranges::find(kLists, name, &ExtractList::name);
  return found == kLists.end() ? nullptr : &*found;
}

std::size_t part_of(std::string_view key) { return hash_of(key).low % kLineParts; }

ExtractBytes extract_bytes(const RunReport& report, const std::vector<RunInput>& inputs) {
  return Extracting(report, inputs).finish();
}

}  // namespace gh::analysis
