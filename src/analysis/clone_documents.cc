#include "analysis/clone_documents.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "analysis/finding.h"
#include "analysis/ratio.h"
#include "analysis/unit_ids.h"
#include "base/digest.h"
#include "base/text.h"

namespace gh::analysis {
namespace {

// table: clone types
constexpr std::array<std::string_view, 4> kTypes{"", "Type-1", "Type-2", "Type-3"};
std::string_view name_of(CloneType type) { return kTypes[static_cast<std::size_t>(type)]; }

struct Bucket {
  std::uint32_t up_to;
  std::string_view name;
};
// table: sizes of functions
constexpr std::array kBuckets = std::to_array<Bucket>(
    {{19, "0-19"}, {49, "20-49"}, {99, "50-99"}, {~std::uint32_t{0}, "100+"}});

std::string_view bucket_of(std::uint32_t loc) {
  return std::ranges::find_if(kBuckets, [loc](const Bucket& b) { return loc <= b.up_to; })->name;
}

/// How the labels of older tools read: runs inside functions had one of their own.
// table: reference clone types
constexpr std::string_view kRunType = "Type-4", kNearType = "none";

Group clone_group(std::string_view family, const std::string& key, CloneType type,
                  std::size_t count) {
  const bool is_exact = type != CloneType::type3;
  return {.id = "clone:" + std::string(family) + ":" + key,
          .family = "clone",
          .category = family,
          .kind = "clone_group",
          .severity = count >= kCriticalCount ? Severity::critical
                      : is_exact              ? Severity::warning
                                              : Severity::info,
          .effort = is_exact ? Effort::easy : Effort::moderate};
}

Map clone_document(const Group& group, CloneType type) {
  Map out = group_document(group);
  out.set("clone_kind", group.category);
  out.set("clone_type", name_of(type));
  out.set("novelty", "new");
  return out;
}

void add_places(const Project& project, const std::vector<BlockItem>& items, Group& group) {
  for (const BlockItem& item : items)
    group.places.push_back({qualname_of(project, item.ref), project.files[item.ref.file].path,
                            item.start_line, item.end_line});
}

Map document(const Project& project, const UnitIds&, const CloneGroup& clones) {
  Group group = clone_group("function", clones.key.hex(), clones.type, clones.items.size());
  const UnitFact& first = unit_of(project, clones.items.front());
  group.facts =
      Map{{"loc_bucket", bucket_of(first.loc())}, {"reference_clone_type", name_of(clones.type)}};
  for (const UnitRef ref : clones.items)
    group.places.push_back(place_of(project, ref));
  return clone_document(group, clones.type);
}

Map document(const Project& project, const UnitIds&, const BlockGroup& block) {
  Group group = clone_group("block", block.key.hex(), block.type, block.items.size());
  group.facts = Map{{"block_size", number(block.statements)},
                    {"match_rule", "maximal_statement_run"},
                    {"assert_ratio", ratio(block.asserts.asserts, block.asserts.statements, 4)},
                    {"consecutive_asserts", number(block.asserts.longest)},
                    {"instance_peer_count", number(block.items.size() - 1)},
                    {"reference_clone_type", kRunType}};
  if (block.repeats_one) group.facts.set("pattern", "repeated_stmt_hash");
  if (block.asserts.asserts == block.asserts.statements) {
    group.facts.set("hint", "assert_only");
    group.facts.set("hint_confidence", "deterministic");
  }
  add_places(project, block.items, group);
  return clone_document(group, block.type);
}

Map document(const Project& project, const UnitIds& ids, const SegmentGroup& segment) {
  Group group = clone_group("segment", segment.key.hex() + "|" + ids(segment.unit), segment.type,
                            segment.items.size());
  const BlockItem& first = segment.items.front();
  group.facts = Map{{"segment_size", number(segment.statements)},
                    {"segment_lines", number(first.end_line - first.start_line + 1)},
                    {"match_rule", "repeated_statement_run"},
                    {"reference_clone_type", kRunType}};
  add_places(project, segment.items, group);
  return clone_document(group, segment.type);
}

Map document(const Project& project, const UnitIds&, const NearMissGroup& near) {
  Group group = clone_group("near_miss", near.key.hex(), CloneType::type3, near.items.size());
  group.facts = Map{{"min_similarity", number(near.min_permille)},
                    {"max_similarity", number(near.max_permille)},
                    {"distinct_statements", number(near.distinct_statements)},
                    {"reference_clone_type", kNearType}};
  for (const UnitRef ref : near.items)
    group.places.push_back(place_of(project, ref));
  return clone_document(group, CloneType::type3);
}

/// By count, then id, as everywhere; what is no map or has neither does not occur.
void sort_documents(List& documents) {
  const auto rank = [](const Value& v) {
    return std::tuple(-*v.as_map()->find("count")->as_int(),
                      std::string_view(*v.as_map()->find("id")->as_string()));
  };
  std::ranges::sort(documents, {}, rank);
}

template <class G>
List documents(const Project& project, const std::vector<G>& groups) {
  const UnitIds ids(project);
  List out;
  for (const G& group : groups) {
    Map one = document(project, ids, group);
    List left_out;
    for (const UnitRef ref : group.suppressed)
      left_out.emplace_back(place_of(project, ref).document());
    if (!left_out.empty()) one.set("suppressed_items", std::move(left_out));
    out.emplace_back(std::move(one));
  }
  sort_documents(out);
  return out;
}

template <class G>
List golden(const Project& project, const std::vector<SetAside<G>>& groups) {
  const UnitIds ids(project);
  List out;
  for (const SetAside<G>& aside : groups) {
    Map one = document(project, ids, aside.group);
    one.set("suppression_rule", "golden_fixture");
    one.set("suppression_source", "project_config");
    one.set("matched_patterns", string_list(aside.patterns));
    out.emplace_back(std::move(one));
  }
  sort_documents(out);
  return out;
}

std::string structural_id(std::string_view kind, const std::string& subject) {
  const std::string key = raw_hash(HashKind::sha1, std::string(kind) + "|" + subject);
  return "structural:" + std::string(kind) + ":" + to_hex(key);
}

Map structural_document(const Group& group, Map stable) {
  Map out = group_document(group);
  out.set("signature", Map{{"version", "1"}, {"stable", std::move(stable)}, {"debug", Map{}}});
  return out;
}

Map document(const Project& project, const UnitIds& ids, const UnitBranches& found) {
  constexpr std::string_view kKind = "duplicated_branches";
  Map stable{{"family", kKind}};
  std::vector<std::string> words;
  for (const auto& [key, value] : found.group.shape.words()) {
    words.push_back(key + "=" + value);
    stable.set(key, value);
  }
  const std::size_t count = found.group.items.size();
  Group group{
      .id = structural_id(kKind, "qualname=" + ids(found.unit) + "|sig=" + join(words, "|")),
      .family = "structural",
      .category = kKind,
      .kind = kKind,
      .severity = count >= kCriticalCount ? Severity::warning : Severity::info,
      .confidence = "medium",
      .facts = Map{{"body_equal", found.group.body_equal}}};
  for (const BranchFact& arm : found.group.items)
    group.places.push_back({qualname_of(project, found.unit), project.files[found.unit.file].path,
                            arm.start_line, arm.end_line});
  return structural_document(group, std::move(stable));
}

Map document(const Project& project, const UnitIds&, const CohortFinding& found) {
  constexpr std::size_t kCriticalItems = 3;
  const std::string_view kind = to_string(found.kind);
  std::vector<std::string> fields;
  Map majority;
  for (const auto& [field, value] : found.majority) {
    fields.push_back(field);
    majority.set(field, value);
  }
  Group group{.id = structural_id(kind, "cohort=" + found.cohort),
              .family = "structural",
              .category = kind,
              .kind = kind,
              .facts = Map{{"cohort_id", found.cohort},
                           {"cohort_arity", number(found.members)},
                           {"divergent_members", number(found.items.size())},
                           {"drift_fields", join(fields, ",")},
                           {"majority", majority}}};
  std::vector<std::string_view> names;
  for (const UnitRef ref : found.items)
    group.places.push_back(place_of(project, ref));
  for (const Place& place : group.places)
    names.push_back(place.qualname);
  std::ranges::sort(names);
  const bool several = !names.empty() && names.front() != names.back();
  if (found.items.size() >= kCriticalItems || several) group.severity = Severity::critical;
  return structural_document(group, Map{{"family", kind},
                                        {"cohort_id", found.cohort},
                                        {"drift_fields", join(fields, ",")},
                                        {"majority", std::move(majority)}});
}

Map independence_document(const Project& project, const UnitIds& ids, UnitRef ref) {
  constexpr std::string_view kKind = "instance_independent_method";
  const UnitFact& unit = unit_of(project, ref);
  Group group{.id = structural_id(kKind, "qualname=" + ids(ref)),
              .family = "structural",
              .category = kKind,
              .kind = kKind,
              .severity = Severity::info,
              .places = {place_of(project, ref)},
              .facts = Map{{"classification", to_string(unit.independence)}}};
  return structural_document(group, Map{{"family", kKind}});
}

}  // namespace

List function_documents(const Project& p, const std::vector<CloneGroup>& groups) {
  return documents(p, groups);
}
List block_documents(const Project& p, const std::vector<BlockGroup>& groups) {
  return documents(p, groups);
}
List segment_documents(const Project& p, const std::vector<SegmentGroup>& groups) {
  return documents(p, groups);
}
List near_miss_documents(const Project& p, const std::vector<NearMissGroup>& groups) {
  return documents(p, groups);
}

Map golden_documents(const Project& project, const GoldenClones& clones) {
  return Map{{"functions", golden(project, clones.functions)},
             {"blocks", golden(project, clones.blocks)},
             {"segments", golden(project, clones.segments)},
             {"near_miss", golden(project, clones.near_misses)}};
}

List structural_documents(const Project& project, const Structural& structural) {
  const UnitIds ids(project);
  List out;
  for (const UnitBranches& found : structural.branches)
    out.emplace_back(document(project, ids, found));
  for (const CohortFinding& found : structural.cohorts)
    out.emplace_back(document(project, ids, found));
  for (const UnitRef ref : structural.independent)
    out.emplace_back(independence_document(project, ids, ref));
  sort_documents(out);
  return out;
}

}  // namespace gh::analysis
