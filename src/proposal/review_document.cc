// gatehouse.review/1 (proposals 5): what one reviewer said about one digest, base and tree.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "proposal/meta.h"
#include "proposal/yaml_print.h"

namespace gh::proposal {
namespace {

struct TextField {
  std::string_view name;
  std::string Review::*field;
};
// table: review fields
constexpr std::array<TextField, 8> kTextFields{{
    {"patch_id", &Review::patch_id},
    {"proposal_digest", &Review::proposal_digest},
    {"base_commit", &Review::base_commit},
    {"candidate_tree", &Review::candidate_tree},
    {"reviewer", &Review::reviewer},
    {"actor", &Review::actor},
    {"tool", &Review::tool},
    {"created_utc", &Review::created_utc},
}};

tl::unexpected<Error> bad(std::string_view field, std::string_view expected) {
  return fail(Code::json_invalid, fmt::format("review: {}: expected {}", field, expected));
}

Result<std::string> text_of(const Map& map, std::string_view name) {
  const Value* value = map.find(name);
  if (value == nullptr || value->as_string() == nullptr) return bad(name, "a string");
  return *value->as_string();
}

/// A member that says nothing is null in the document and empty in the value.
Result<std::string> optional_text(const Map& map, std::string_view name) {
  const Value* value = map.find(name);
  if (value == nullptr || value->is_null()) return std::string();
  return text_of(map, name);
}

Value null_if_empty(const std::string& text) { return text.empty() ? Value() : Value(text); }

Map to_map(const ReviewReason& reason) {
  return Map{{"code", reason.code},
             {"file", null_if_empty(reason.file)},
             {"line", reason.line == 0 ? Value() : Value(reason.line)},
             {"text", reason.text}};
}

Result<ReviewReason> reason_from(const Value& value) {
  const Map* map = value.as_map();
  if (map == nullptr) return bad("reasons", "a list of mappings");
  ReviewReason reason;
  GH_TRY(code, text_of(*map, "code"));
  GH_TRY(file, optional_text(*map, "file"));
  GH_TRY(text, text_of(*map, "text"));
  const Value* line = map->find("line");
  const bool has_line = line != nullptr && !line->is_null();
  if (has_line && (line->as_int() == nullptr || *line->as_int() < 1))
    return bad("line", "an integer of 1 or more");
  return ReviewReason{code, file, has_line ? *line->as_int() : 0, text};
}

Result<std::vector<ReviewReason>> reasons_of(const Map& map) {
  const Value* value = map.find("reasons");
  if (value == nullptr || value->as_list() == nullptr) return bad("reasons", "a list of mappings");
  std::vector<ReviewReason> out;
  for (const Value& item : *value->as_list()) {
    GH_TRY(reason, reason_from(item));
    out.push_back(std::move(reason));
  }
  return out;
}

Result<std::vector<std::string>> checked_of(const Map& map) {
  const Value* value = map.find("checked");
  if (value == nullptr || value->as_list() == nullptr) return bad("checked", "a list of strings");
  std::vector<std::string> out;
  for (const Value& item : *value->as_list()) {
    if (item.as_string() == nullptr || !is_review_subject(*item.as_string()))
      return bad("checked", "some of diff, tests, risk, rollback, scope");
    out.push_back(*item.as_string());
  }
  return out;
}

// table: review subjects
constexpr std::array<std::string_view, 5> kSubjects{"diff", "tests", "risk", "rollback", "scope"};

}  // namespace

bool is_review_subject(std::string_view word) {
  return std::ranges::find(kSubjects, word) != kSubjects.end();
}

Map to_document(const Review& review) {
  Map out{{"schema", kReviewSchema}};
  for (const TextField& row : kTextFields)
    out.set(std::string(row.name), review.*row.field);
  if (review.origin) {  // what was said, not what it counts for
    out.set("patch_id", review.origin->patch_id);
    out.set("proposal_digest", review.origin->proposal_digest);
    out.set("base_commit", review.origin->base_commit);
    out.set("candidate_tree", review.origin->candidate_tree);
  }
  List reasons;
  for (const ReviewReason& reason : review.reasons)
    reasons.emplace_back(to_map(reason));
  out.set("verdict", to_string(review.verdict));
  out.set("reasons", std::move(reasons));
  out.set("checked", string_list(review.checked));
  out.set("signature", null_if_empty(review.signature));
  return out;
}

Result<Review> review_from_document(const Value& document) {
  const Map* map = document.as_map();
  if (map == nullptr) return bad("the document", "a mapping");
  GH_TRY(schema, text_of(*map, "schema"));
  if (schema != kReviewSchema) return bad("schema", kReviewSchema);
  Review review;
  for (const TextField& row : kTextFields) {
    GH_TRY(text, text_of(*map, row.name));
    review.*row.field = text;
  }
  GH_TRY(word, text_of(*map, "verdict"));
  const auto verdict = review_verdict_of(word);
  if (!verdict) return bad("verdict", "ok or changes");
  GH_TRY(reasons, reasons_of(*map));
  if (*verdict == ReviewVerdict::changes && reasons.empty())
    return bad("reasons", "at least one: the verdict asks for changes");
  GH_TRY(checked, checked_of(*map));
  GH_TRY(signature, optional_text(*map, "signature"));
  review.verdict = *verdict;
  review.reasons = std::move(reasons);
  review.checked = std::move(checked);
  review.signature = signature;
  return review;
}

std::string print_review(const Review& review) { return print_yaml(to_document(review)); }

}  // namespace gh::proposal
