#include "analysis/report_digest.h"

#include <algorithm>
#include <array>
#include <map>

#include "analysis/report_view.h"
#include "base/digest.h"
#include "base/digesting.h"
#include "base/parallel.h"
#include "wire/json.h"
#include "wire/json_stream.h"

namespace gh::analysis {
namespace {

// table: digested sections
const std::vector<std::string> kDigested{"report_schema_version", "meta", "inventory", "findings",
                                         "metrics"};

struct FamilyRow {
  std::string_view family;
  bool by_file, by_row;
};
// table: families with a digest of another form
constexpr std::array<FamilyRow, 5> kFamilies{{{"cohesion", true, false},
                                              {"complexity", true, false},
                                              {"coupling", true, false},
                                              {"coverage_adoption", true, false},
                                              {"overloaded_modules", false, true}}};
// table: lists with a digest of their own
constexpr std::array<std::string_view, 8> kLists{
    "inventory/file_registry/items",    "findings/groups/clones/functions",
    "findings/groups/clones/blocks",    "findings/groups/clones/segments",
    "findings/groups/clones/near_miss", "findings/groups/structural/groups",
    "findings/groups/dead_code/groups", "findings/groups/design/groups"};

/// The values of its members in the order of their keys.
Value row_of(const Value& item) {
  std::map<std::string_view, const Value*> members;
  if (const Map* map = item.as_map())
    for (const auto& [key, value] : map->entries())
      members.emplace(key, &value);
  List out;
  for (const auto& [key, value] : members)
    out.push_back(*value);
  return out;
}

std::string list_digest(const List& list, bool by_row) {
  Digesting digest;
  digest.add("[");
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) digest.add(",");
    digest.add(wire::canonical_json(by_row ? row_of(list[i]) : list[i]));
  }
  digest.add("]");
  return digest.hex();
}

std::string list_digest_by_file(const List& list) {
  std::map<std::string_view, ItemsDigest> files;
  for (const Value& item : list) {
    ItemsDigest& file = files[text_in(item, "relative_path")];
    file.text() += wire::canonical_json(item);
    file.end_item();
  }
  std::string all;
  for (auto& [path, items] : files)
    all += items.finish();
  return digest_over_files(all);
}

/// The report without what is not digested; a copy only where there is such a thing.
Value digested_sections(const Value& report) {
  Map out;
  for (const auto& [key, value] : map_in(report, {}).entries()) {
    if (key == "integrity" || key == "derived") continue;
    Value kept = value;
    if (Map* map = kept.as_map(); key == "meta" && map != nullptr) map->erase("runtime");
    out.set(key, std::move(kept));
  }
  return out;
}

}  // namespace

void ItemsDigest::end_item() {
  text_ += '\n';
  ends_.push_back(text_.size());
}

std::string ItemsDigest::finish() {
  lines_.clear();
  for (std::size_t i = 0, from = 0; i < ends_.size(); from = ends_[i++])
    lines_.push_back(std::string_view(text_).substr(from, ends_[i] - from));
  std::ranges::sort(lines_);
  Digesting digest;
  for (const std::string_view line : lines_)
    digest.add(line);
  text_.clear();
  ends_.clear();
  return digest.raw();
}

std::string digest_over_files(std::string_view digests) {
  static constexpr std::array<char, kDigestBytes> kNothing{};
  Digesting digest;
  for (; digests.size() >= kDigestBytes; digests.remove_prefix(kDigestBytes))
    if (const std::string_view one = digests.substr(0, kDigestBytes);
        one != std::string_view(kNothing.data(), kNothing.size()))
      digest.add(one);
  return digest.hex();
}

std::vector<DigestPart> digest_parts(const Value& report) {
  std::vector<DigestPart> out;
  for (const std::string_view path : kLists)
    if (list_at(report, path) != nullptr) out.push_back({std::string(path)});
  for (const auto& [name, family] : map_in(report, {"metrics", "families"}).entries()) {
    DigestPart part{"metrics/families/" + name + "/items"};
    if (list_at(report, part.path) == nullptr) continue;
    const auto row = std::ranges::find(kFamilies, name, &FamilyRow::family);
    if (row != kFamilies.end()) {
      part.by_file = row->by_file;
      part.by_row = row->by_row;
    }
    out.push_back(std::move(part));
  }
  return out;
}

DigestedReport digested_report(const Value& report, const PartDigest& digest_of_part,
                               unsigned jobs) {
  const std::vector<DigestPart> parts = digest_parts(report);
  std::vector<wire::LateItems> late(parts.size());
  std::vector<std::function<void()>> tasks;
  for (std::size_t i = 0; i < parts.size(); ++i)
    tasks.emplace_back([&, i] {
      const DigestPart& part = parts[i];
      const List* list = list_at(report, part.path);
      std::string hex = digest_of_part(part);
      if (hex.empty())
        hex = part.by_file ? list_digest_by_file(*list) : list_digest(*list, part.by_row);
      late[i] = {list, 1, [hex](std::size_t, std::string& to) { to += '"' + hex + '"'; }};
    });
  run_all(jobs, tasks);
  DigestedReport out;
  wire::write_canonical_json(report, late, [&](std::string_view piece) { out.text += piece; });
  out.hex = digest_of(out.text).hex();
  return out;
}

Map integrity_document(std::string digest) {
  return Map{{"canonicalization", Map{{"version", kCanonicalization},
                                      {"scope", "canonical_only"},
                                      {"sections", string_list(kDigested)}}},
             {"digest", Map{{"algorithm", "sha256"}, {"value", std::move(digest)}}}};
}

std::string report_digest(const Value& report) {  // of report_view.h
  return digested_report(digested_sections(report), [](const DigestPart&) { return ""; }).hex;
}

}  // namespace gh::analysis
