#include "control/patch_trail.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "base/digest.h"
#include "base/text.h"
#include "control/cut.h"
#include "wire/json.h"

namespace gh::control {
namespace {

using Paths = std::vector<std::string>;

// table: limits of a patch trail
struct LimitRow {
  std::string_view list;
  std::size_t limit;
};
constexpr std::array<LimitRow, 15> kLimits{{
    {"declared_files", 500},
    {"declared_related", 200},
    {"changed_files", 500},
    {"untouched_in_declared", 500},
    {"unexpected_files", 200},
    {"forbidden_touched", 50},
    {"expanded_related_files", 200},
    {"do_not_touch_declared", 200},
    {"do_not_touch_held", 200},
    {"review_context_declared", 200},
    {"review_context_untouched", 200},
    {"verification_skipped", 32},
    {"verification_failed", 32},
    {"unacknowledged_dirty_in_scope", 50},
    {"dirty_paths_outside_scope", 50},
}};

// table: counts of a patch trail
struct CountRow {
  std::string_view name, list;
};
constexpr std::array<CountRow, 9> kCounts{{
    {"declared", "declared_files"},
    {"changed", "changed_files"},
    {"untouched_in_declared", "untouched_in_declared"},
    {"unexpected", "unexpected_files"},
    {"forbidden_touched", "forbidden_touched"},
    {"do_not_touch_declared", "do_not_touch_declared"},
    {"do_not_touch_held", "do_not_touch_held"},
    {"review_context_declared", "review_context_declared"},
    {"review_context_untouched", "review_context_untouched"},
}};

constexpr std::size_t kShownDescription = 500;
constexpr std::string_view kDigest = "patch_trail_digest";

/// Sorted, each once, cut at its limit; what was cut is noted.
class Lists {
 public:
  Value bounded(std::string_view name, const Paths& paths) {
    std::set<std::string> sorted;
    for (const std::string& path : paths)
      sorted.insert(utf8_or_escaped(path));
    const std::size_t limit = std::ranges::find(kLimits, name, &LimitRow::list)->limit;
    cut_.set(std::string(name), sorted.size() > limit);
    List out;
    for (const std::string& path : sorted) {
      if (out.size() == limit) break;
      out.emplace_back(path);
    }
    return out;
  }
  Map take_truncation() { return std::move(cut_); }

 private:
  Map cut_{};
};

/// As texts; patterns are not matched here.
Paths without(const Paths& declared, const Paths& changed) {
  const std::set<std::string> gone(changed.begin(), changed.end());
  Paths out;
  std::ranges::copy_if(declared, std::back_inserter(out),
                       [&](const std::string& path) { return !gone.contains(path); });
  return out;
}

Value or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }
Value or_null(const std::optional<std::int64_t>& number) {
  return number ? Value(*number) : Value();
}

Map evidence_document(const TrailEvidence& e) {
  return Map{{"repo_root_digest", e.repo_root_digest},
             {"report_digest", e.report_digest},
             {"intent_declared_audit_sequence", or_null(e.intent_declared)},
             {"scope_check_audit_sequence", or_null(e.scope_check)},
             {"patch_verify_audit_sequence", or_null(e.patch_verify)},
             {"receipt_audit_sequence", or_null(e.receipt)},
             {"patch_trail_audit_sequence", or_null(e.patch_trail)}};
}

/// Commands are not run here: said openly, so that nobody reads silence as success.
Map external_execution() {
  return Map{{"schema_version", "0"},
             {"status", "not_collected"},
             {"failed_commands", List{}},
             {"test_deltas", List{}}};
}

Map retrieval_policy() {
  return Map{{"patch_trail_does_not_authorize_edits", true},
             {"patch_trail_does_not_override_findings", true}};
}

Value member_of(const Map& map, std::string_view key) {
  const Value* found = map.find(key);
  return found == nullptr ? Value() : *found;
}

}  // namespace

Map patch_trail(const TrailFacts& f) {
  Lists lists;
  const Paths held = without(f.do_not_touch_declared, f.changed_files);
  const Paths unread = without(f.review_context_declared, f.changed_files);
  const Paths untouched = without(f.scope.allowed_files, f.changed_files);
  Map out{
      {"schema_version", "1"},
      {"intent_id", f.intent_id},
      {"intent_description", utf8_or_escaped(f.intent_description)},
      {"declared_files", lists.bounded("declared_files", f.scope.allowed_files)},
      {"declared_related", lists.bounded("declared_related", f.scope.allowed_related)},
      {"changed_files", lists.bounded("changed_files", f.changed_files)},
      {"untouched_in_declared", lists.bounded("untouched_in_declared", untouched)},
      {"unexpected_files", lists.bounded("unexpected_files", f.unexpected_files)},
      {"forbidden_touched", lists.bounded("forbidden_touched", f.forbidden_touched)},
      {"expanded_related_files", lists.bounded("expanded_related_files", f.expanded_related_files)},
      {"do_not_touch_declared", lists.bounded("do_not_touch_declared", f.do_not_touch_declared)},
      {"do_not_touch_held", lists.bounded("do_not_touch_held", held)},
      {"review_context_declared",
       lists.bounded("review_context_declared", f.review_context_declared)},
      {"review_context_untouched", lists.bounded("review_context_untouched", unread)},
      {"scope_check_status", or_null(f.scope_check_status)},
      {"verification_profile", or_null(f.verification_profile)},
      {"verification_status", f.verification_status},
      {"verification_skipped", lists.bounded("verification_skipped", f.verification_skipped)},
      {"verification_failed", lists.bounded("verification_failed", f.verification_failed)},
      {"workspace_hygiene",
       Map{{"blocks_finish", f.hygiene.blocks_finish},
           {"finish_block_reason", or_null(f.hygiene.finish_block_reason)},
           {"unacknowledged_dirty_in_scope",
            lists.bounded("unacknowledged_dirty_in_scope",
                          f.hygiene.unacknowledged_dirty_in_scope)},
           {"dirty_paths_outside_scope",
            lists.bounded("dirty_paths_outside_scope", f.hygiene.dirty_paths_outside_scope)},
           {"attribution_counts", f.hygiene.attribution_counts}}},
      {"external_execution", external_execution()},
      {"evidence", evidence_document(f.evidence)}};
  out.set("truncation", lists.take_truncation());
  out.set(std::string(kDigest), patch_trail_digest(out));
  return out;
}

std::string patch_trail_digest(const Map& trail) {
  Map digested = trail;
  digested.erase(kDigest);
  return digest_of(wire::canonical_json(digested)).hex();
}

Map trail_summary(const Map& trail) {
  Map counts;
  for (const CountRow& row : kCounts) {
    const Value* list = trail.find(row.list);
    const bool is_list = list != nullptr && list->as_list() != nullptr;
    counts.set(std::string(row.name),
               static_cast<std::int64_t>(is_list ? list->as_list()->size() : 0));
  }
  const Value* description = trail.find("intent_description");
  const std::string text = description != nullptr && description->as_string() != nullptr
                               ? *description->as_string()
                               : "";
  return Map{{"schema_version", member_of(trail, "schema_version")},
             {"intent_id", member_of(trail, "intent_id")},
             {"intent_description", first_characters(text, kShownDescription)},
             {"scope_check_status", member_of(trail, "scope_check_status")},
             {"verification_status", member_of(trail, "verification_status")},
             {"counts", std::move(counts)},
             {"truncation", member_of(trail, "truncation")},
             {std::string(kDigest), member_of(trail, kDigest)},
             {"evidence", member_of(trail, "evidence")},
             {"retrieval_policy", retrieval_policy()}};
}

Map trail_full(const Map& trail) {
  Map out = trail;
  out.set("retrieval_policy", retrieval_policy());
  return out;
}

}  // namespace gh::control
