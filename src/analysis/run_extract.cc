#include "analysis/run_extract.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "analysis/blast_radius.h"
#include "analysis/extract_change.h"
#include "analysis/extract_lists.h"
#include "analysis/hash.h"
#include "analysis/report_view.h"
#include "base/digest.h"
#include "base/sorted.h"
#include "base/text.h"
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

std::string line_text(std::string_view key, std::string_view row, Value item) {
  return wire::canonical_json(List{key, row, std::move(item)});
}

using TakeLine = std::function<void(std::string_view key, std::string line)>;

/// What is kept of an item in lines, and of a finding who it is about.
void lines_of(const ExtractList& list, const Value& item, Value kept, const TakeLine& take) {
  const std::string_view key =
      item.as_string() != nullptr ? std::string_view(*item.as_string()) : text_in(item, list.key);
  take(key, line_text(key, list.name, std::move(kept)));
  if (!list.is_finding) return;
  for (const std::string& path : paths_of(item))
    take(path, line_text(path, kFindingRow, List{text_in(item, "id"), text_in(item, "novelty")}));
}

/// Findings by list, novelty and severity.
class Counts {
 public:
  void add(const ExtractList& list, const Value& group, std::int64_t sign) {
    counts_[{std::string(list.name), std::string(text_in(group, "novelty")),
             std::string(text_in(group, "severity"))}] += sign;
  }
  /// Those that a head has.
  void add_all(const Value& extract) {
    for (const Value& row : list_in(extract, {"report", "findings", kCountedMember}))
      counts_[{std::string(text_in(row, "list")), std::string(text_in(row, "novelty")),
               std::string(text_in(row, "severity"))}] += int_in(row, "count").value_or(0);
  }
  /// All of that list.
  std::int64_t of(const ExtractList& list) const {
    std::int64_t out = 0;
    for (const auto& [key, count] : counts_)
      out += list.is_finding && key[0] == list.name ? count : 0;
    return out;
  }
  void put_into(Value& head) const {
    List rows;
    for (const auto& [key, count] : counts_)
      if (count != 0)
        rows.emplace_back(
            Map{{"list", key[0]}, {"novelty", key[1]}, {"severity", key[2]}, {"count", count}});
    if (Value* findings = head.as_map()->find("findings"))
      findings->as_map()->set(std::string(kCountedMember), std::move(rows));
  }

 private:
  std::map<std::array<std::string, 3>, std::int64_t> counts_{};
};

std::string head_text(Value report, List digests) {
  return wire::canonical_json(Map{
      {"schema", kExtractSchema}, {"report", std::move(report)}, {"parts", std::move(digests)}});
}

Value part_digest(const std::string& text) { return text.empty() ? "" : digest_of(text).hex(); }

/// Collects the parts while the lists are walked.
class Extracting {
 public:
  Extracting(const RunReport& report, const std::vector<RunInput>& inputs)
      : files_(report.frame), head_(without_lists(map_in(report.frame, {}), "")) {
    for (const ExtractList& list : kLists)
      for_each_item(report, list.path, [&](const Value& item) { take(list, item); });
    for (const RunInput& input : inputs)
      line(input.path, line_text(input.path, kInputRow, List{input.mode, input.blob}));
  }

  ExtractBytes finish() {
    counts_.put_into(head_);
    ExtractBytes out;
    List digests;
    for (std::vector<std::string>& lines : lines_) {
      sort_unique(lines);
      std::string& text = out.parts.emplace_back();
      for (const std::string& one : lines)
        text.append(one) += '\n';
    }
    out.parts.push_back(std::move(ids_));
    for (const std::string& text : out.parts)
      digests.push_back(part_digest(text));
    out.head = head_text(std::move(head_), std::move(digests));
    return out;
  }

 private:
  void line(std::string_view key, std::string text) {
    lines_[part_of(key)].push_back(std::move(text));
  }

  void take(const ExtractList& list, const Value& item) {
    if (!is_kept(item, list.items)) return;
    if (list.is_finding) {
      ids_.append(text_in(item, "id")) += kIdEnd;
      counts_.add(list, item, 1);
    }
    Value kept = cut_item(item, list);
    // Who imports is asked for by the module alone: the files are named here.
    if (list.name == kImportRow && member(kept, {"paths"}) == nullptr)
      kept.as_map()->set("paths", string_list(files_.files_of(text_in(item, "source"))));
    if (list.place == head)
      list_at(head_, list.path)->push_back(std::move(kept));
    else if (list.place == lines)
      lines_of(list, item, std::move(kept),
               [&](std::string_view key, std::string text) { line(key, std::move(text)); });
  }

  ModuleFiles files_;
  Value head_;
  std::array<std::vector<std::string>, kLineParts> lines_{};
  std::string ids_{};
  Counts counts_{};
};

/// Takes lines out of the parts of an earlier extract and puts others in.
class ExtractChanging {
 public:
  ExtractChanging(const Value& before, const RunExtract::ReadPart& read)
      : before_(before), read_(read) {}

  Result<ExtractBytes> run(const Value& frame, const ExtractChange& change) {
    Value head = without_lists(map_in(frame, {}), "");
    counts_.add_all(before_);
    for (const ExtractList& row : kLists)
      findings_then_.push_back(counts_.of(row));
    for (const ListChange& list : change.lists)
      for (const ExtractList& row : kLists)
        if (row.path == list.path) take(row, list);
    for (const auto& [old, now] : change.inputs) {
      if (!old.path.empty())
        edit(old.path, line_text(old.path, kInputRow, List{old.mode, old.blob}), false);
      if (!now.path.empty())
        edit(now.path, line_text(now.path, kInputRow, List{now.mode, now.blob}), true);
    }
    counts_.put_into(head);
    add_head_items(head, change.dead_code);
    ExtractBytes out;
    out.parts.resize(kExtractParts);
    digests_ = list_in(before_, {"parts"});
    if (digests_.size() != kExtractParts)
      return fail(Code::json_invalid, "run extract: it is of another version");
    for (const auto& [part, edits] : edits_) {
      GH_TRY(text, edited(part, edits));
      set_part(out, part, std::move(text));
    }
    GH_TRY(ids, part_text(kIdsPart));
    GH_TRY(ids_now, with_ids(ids, change.ids));
    if (ids_now != ids) set_part(out, kIdsPart, std::move(ids_now));
    out.head = head_text(std::move(head), std::move(digests_));
    return out;
  }

 private:
  struct Edits {
    std::set<std::string, std::less<>> gone{}, fresh{};
  };

  void edit(std::string_view key, std::string line, bool is_fresh) {
    Edits& edits = edits_[part_of(key)];
    (is_fresh ? edits.fresh : edits.gone).insert(std::move(line));
  }

  void take(const ExtractList& row, const ListChange& list) {
    for (const List* items : {&list.before, &list.after})
      for (const Value& item : *items) {
        if (!is_kept(item, row.items) || row.place != lines) continue;
        const bool is_fresh = items == &list.after;
        if (row.is_finding) counts_.add(row, item, is_fresh ? 1 : -1);
        lines_of(row, item, cut_item(item, row), [&](std::string_view key, std::string line) {
          edit(key, std::move(line), is_fresh);
        });
      }
  }

  static void add_head_items(Value& head, const List& dead_code) {
    const ExtractList& row = *extract_list_named("dead_code");
    List* list = list_at(head, row.path);
    for (const Value& item : dead_code)
      if (list != nullptr && is_kept(item, row.items)) list->push_back(cut_item(item, row));
  }

  Result<std::string> part_text(std::size_t part) {
    const std::string* digest = digests_[part].as_string();
    if (digest == nullptr || digest->empty()) return std::string();
    return read_(part, *digest);
  }

  void set_part(ExtractBytes& out, std::size_t part, std::string text) {
    digests_[part] = part_digest(text);
    out.parts[part] = std::move(text);
  }

  Result<std::string> edited(std::size_t part, const Edits& edits) {
    GH_TRY(text, part_text(part));
    std::set<std::string_view> now(edits.fresh.begin(), edits.fresh.end());
    std::size_t gone = 0;
    for (std::string_view left = text; !left.empty();) {
      const std::size_t end = std::min(left.find('\n'), left.size() - 1);
      const std::string_view line = left.substr(0, end);
      if (edits.gone.contains(line))
        ++gone;
      else
        now.insert(line);
      left.remove_prefix(end + 1);
    }
    if (gone != edits.gone.size())
      return fail(Code::json_invalid, "run extract: it is not that of the run before");
    std::string out;
    for (const std::string_view line : now)
      out.append(line) += '\n';
    return out;
  }

  /// Ids stand list by list, as many as there were findings in each.
  Result<std::string> with_ids(
      std::string_view ids,
      const std::map<std::string, std::vector<std::string>, std::less<>>& changed) const {
    std::string out;
    for (std::size_t i = 0; i < kLists.size(); ++i) {
      const std::string_view all = ids;
      for (std::int64_t n = findings_then_[i]; n > 0 && !ids.empty(); --n)
        ids.remove_prefix(std::min(ids.find(kIdEnd), ids.size() - 1) + 1);
      const auto now = changed.find(kLists[i].path);
      if (now == changed.end())
        out += all.substr(0, all.size() - ids.size());
      else
        for (const std::string& id : now->second)
          out.append(id) += kIdEnd;
    }
    if (!ids.empty()) return fail(Code::json_invalid, "run extract: it has other findings");
    return out;
  }

  const Value& before_;
  const RunExtract::ReadPart& read_;
  List digests_{};
  Counts counts_{};
  std::vector<std::int64_t> findings_then_{};  // by list
  std::map<std::size_t, Edits> edits_{};
};

}  // namespace

std::span<const ExtractList> extract_lists() { return kLists; }

const ExtractList* extract_list_named(std::string_view name) {
  const auto found = std::ranges::find(kLists, name, &ExtractList::name);
  return found == kLists.end() ? nullptr : &*found;
}

std::size_t part_of(std::string_view key) {
  // Lines are JSON, and whoever asks for one asks as it is written there.
  if (!is_utf8(key)) return part_of(utf8_or_escaped(key));
  return hash_of(key).low % kLineParts;
}

ExtractBytes extract_bytes(const RunReport& report, const std::vector<RunInput>& inputs) {
  return Extracting(report, inputs).finish();
}

Result<ExtractBytes> changed_extract(std::string_view before, const RunExtract::ReadPart& read,
                                     const Value& frame, const ExtractChange& change) {
  GH_TRY(head, wire::read_own_json(before, "run extract"));
  return ExtractChanging(head, read).run(frame, change);
}

}  // namespace gh::analysis
