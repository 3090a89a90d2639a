#include "analysis/report_view.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/digest.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

struct GroupList {
  std::string_view family, name;
};
// table: lists of findings
constexpr std::array<GroupList, 7> kGroupLists{{
    {"clones", "functions"},
    {"clones", "blocks"},
    {"clones", "segments"},
    {"clones", "near_miss"},
    {"structural", "groups"},
    {"dead_code", "groups"},
    {"design", "groups"},
}};

}  // namespace

const Value* member(const Value& document, std::initializer_list<std::string_view> path) {
  const Value* at = &document;
  for (const std::string_view key : path) {
    const Map* map = at->as_map();
    at = map == nullptr ? nullptr : map->find(key);
    if (at == nullptr) return nullptr;
  }
  return at;
}

const Map& map_in(const Value& document, std::initializer_list<std::string_view> path) {
  static const Map none;
  const Value* found = member(document, path);
  return found == nullptr || found->as_map() == nullptr ? none : *found->as_map();
}

const List& list_in(const Value& document, std::initializer_list<std::string_view> path) {
  static const List none;
  const Value* found = member(document, path);
  return found == nullptr || found->as_list() == nullptr ? none : *found->as_list();
}

const List* list_at(const Value& report, std::string_view path) {
  const Value* at = &report;
  while (at != nullptr && !path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    at = member(*at, {path.substr(0, end)});
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return at == nullptr ? nullptr : at->as_list();
}

List* list_at(Value& report, std::string_view path) {
  return const_cast<List*>(list_at(std::as_const(report), path));
}

std::string_view text_in(const Value& document, std::string_view key) {
  const Value* found = member(document, {key});
  return found == nullptr || found->as_string() == nullptr ? std::string_view()
                                                           : std::string_view(*found->as_string());
}

std::optional<std::int64_t> int_in(const Value& document, std::string_view key) {
  const Value* found = member(document, {key});
  if (found == nullptr || found->as_int() == nullptr) return std::nullopt;
  return *found->as_int();
}

std::vector<const Value*> finding_groups(const Value& report) {
  std::vector<const Value*> out;
  for (const GroupList& row : kGroupLists)
    for (const Value& group : list_in(report, {"findings", "groups", row.family, row.name}))
      out.push_back(&group);
  return out;
}

std::vector<const Value*> suppressed_groups(const Value& report) {
  std::vector<const Value*> out;
  const auto add = [&](const List& groups) {
    for (const Value& group : groups)
      if (text_in(group, "source") == "inline") out.push_back(&group);
  };
  for (const GroupList& row : kGroupLists) {
    const bool has_one_list = row.name == "groups";
    add(has_one_list ? list_in(report, {"findings", "groups", row.family, "suppressed"})
                     : list_in(report, {"findings", "groups", row.family, "suppressed", row.name}));
  }
  return out;
}

const List& suppressed_items(const Value& report, std::string_view family) {
  return list_in(report, {"metrics", "families", family, "suppressed"});
}

const List& metric_items(const Value& report, std::string_view family) {
  return list_in(report, {"metrics", "families", family, "items"});
}

ShortIds short_ids_of(const Value& report, const std::vector<const Value*>& groups) {
  std::vector<std::string> ids;
  for (const Value* group : groups)
    ids.emplace_back(text_in(*group, "id"));
  const Value* all = member(report, {"findings", kIdsMember});
  if (all == nullptr || all->as_string() == nullptr) return short_ids(ids);
  return short_ids_among(ids, *all->as_string());
}

std::vector<std::string> paths_of(const Value& group) {
  std::set<std::string, std::less<>> out;
  for (const Value& item : list_in(group, {"items"}))
    if (const std::string_view path = text_in(item, "relative_path"); !path.empty())
      out.emplace(path);
  return {out.begin(), out.end()};
}

std::string stated_digest(const Value& report) {
  const Value* digest = member(report, {"integrity", "digest", "value"});
  return digest == nullptr || digest->as_string() == nullptr ? "" : *digest->as_string();
}

}  // namespace gh::analysis
