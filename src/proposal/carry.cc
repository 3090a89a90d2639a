#include "proposal/carry.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::proposal {
namespace {

struct TextField {
  std::string_view name;
  std::string Carry::*field;
};
// table: carry fields
constexpr std::array<TextField, 7> kTextFields{{
    {"patch_id", &Carry::patch_id},
    {"proposal_digest", &Carry::proposal_digest},
    {"from_patch_id", &Carry::from_patch_id},
    {"from_proposal_digest", &Carry::from_proposal_digest},
    {"reviewer", &Carry::reviewer},
    {"review_sha256", &Carry::review_sha256},
    {"created_utc", &Carry::created_utc},
}};

using Meta = ProposalMeta;
template <auto Member>
bool is_same(const Meta& a, const Meta& b) {
  return a.*Member == b.*Member;
}

struct JudgedField {
  std::string_view name;
  bool (*is_same)(const Meta&, const Meta&);
};
// What a reviewer read besides the diff. Whatever a rebase must change is not here: id, base, time,
// digest of the diff, supersedes, statuses.
// table: judged fields
constexpr std::array<JudgedField, 13> kJudged{{
    {"author_agent", is_same<&Meta::author_agent>},
    {"source_gap", is_same<&Meta::source_gap>},
    {"affected_files", is_same<&Meta::affected_files>},
    {"tests_added", is_same<&Meta::tests_added>},
    {"commands_run", is_same<&Meta::commands_run>},
    {"risk_notes", is_same<&Meta::risk_notes>},
    {"rollback_notes", is_same<&Meta::rollback_notes>},
    {"title", is_same<&Meta::title>},
    {"depends_on", is_same<&Meta::depends_on>},
    {"target_ref", is_same<&Meta::target_ref>},
    {"intent_id", is_same<&Meta::intent_id>},
    {"command_results", is_same<&Meta::command_results>},
    {"sandbox", is_same<&Meta::sandbox>},
}};

std::string lines_of(const diff::Hunk& hunk) {
  std::string out;
  diff::for_each_line(hunk, [&](char kind, std::string_view text, std::int64_t, bool newline) {
    ((out += kind) += text) += newline ? '\n' : '\0';
  });
  return out;
}

bool is_identical_section(const diff::Section& a, const diff::Section& b) {
  return a.op == b.op && a.old_path == b.old_path && a.new_path == b.new_path &&
         a.old_mode == b.old_mode && a.new_mode == b.new_mode &&
         std::ranges::equal(a.hunks, b.hunks, [](const diff::Hunk& x, const diff::Hunk& y) {
           return x.old_count == y.old_count && x.new_count == y.new_count &&
                  lines_of(x) == lines_of(y);
         });
}

}  // namespace

Map to_document(const Carry& carry) {
  Map out{{"schema", kCarrySchema}};
  for (const TextField& row : kTextFields)
    out.set(std::string(row.name), carry.*row.field);
  return out;
}

Result<Carry> carry_from_document(const Value& document) {
  const Map* map = document.as_map();
  const Value* schema = map == nullptr ? nullptr : map->find("schema");
  if (schema == nullptr || !(*schema == Value(kCarrySchema)))
    return fail(Code::json_invalid, "not a carried review");
  Carry carry;
  for (const TextField& row : kTextFields) {
    const Value* value = map->find(row.name);
    if (value == nullptr || value->as_string() == nullptr)
      return fail(Code::json_invalid,
                  fmt::format("carried review: {}: expected a string", row.name));
    carry.*row.field = *value->as_string();
  }
  return carry;
}

bool is_identical_patch(const diff::Patch& a, const diff::Patch& b) {
  return std::ranges::equal(a.sections, b.sections, is_identical_section);
}

std::optional<std::string> carry_defect(const Carry& carry, const Review& review,
                                        std::string_view review_sha256, const CarrySide& from,
                                        const CarrySide& to) {
  if (carry.patch_id != to.meta.patch_id || carry.proposal_digest != to.digest)
    return "it is carried to another proposal";
  if (carry.from_patch_id != from.meta.patch_id || carry.from_proposal_digest != from.digest)
    return "it is carried from another proposal";
  if (review.patch_id != from.meta.patch_id || review.proposal_digest != from.digest ||
      review.base_commit != from.base_commit || review.candidate_tree != from.candidate_tree)
    return "the review is of another digest, base or tree";
  if (review.reviewer != carry.reviewer || review_sha256 != carry.review_sha256)
    return "it names another review";
  for (const JudgedField& field : kJudged)
    if (!field.is_same(from.meta, to.meta)) return fmt::format("{} is not the same", field.name);
  if (from.report_sha256 != to.report_sha256) return "the report is not the same";
  if (!is_identical_patch(from.patch, to.patch)) return "the patches are not identical";
  return {};
}

Review carried_review(Review review, const CarrySide& to) {
  review.origin = ReviewOrigin{review.patch_id, review.proposal_digest, review.base_commit,
                               review.candidate_tree};
  review.patch_id = to.meta.patch_id;
  review.proposal_digest = to.digest;
  review.base_commit = to.base_commit;
  review.candidate_tree = to.candidate_tree;
  return review;
}

}  // namespace gh::proposal
