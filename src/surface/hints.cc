#include "surface/hints.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "base/text.h"

namespace gh::surface {
namespace {

using enum Confidence;

/// A text is seen as the families that its words belong to.
enum Family : unsigned {
  kRead = 1U << 0,
  kWrite = 1U << 1,
  kDestructive = 1U << 2,
  kFinancial = 1U << 3,
  kComms = 1U << 4,
  kExternal = 1U << 5,
  kSensitive = 1U << 6,
  kCode = 1U << 7,
  kInfra = 1U << 8,
  kPreviewWord = 1U << 9,
  kWriteWord = 1U << 10,
};
using Families = unsigned;

struct FamilyRow {
  Family family;
  std::string_view words;
};
// clang-format off
// table: risk keywords
constexpr std::array<FamilyRow, 11> kKeywords{{
    {kRead, "get list lookup preview search status view"},
    {kWrite, "cancel charge create delete issue refund remove send update write"},
    {kDestructive, "cancel delete destroy remove"},
    {kFinancial, "billing charge charges invoice invoices payment payments refund refunds"},
    {kComms, "email emails message messages sms"},
    {kExternal, "customer external send"},
    {kSensitive, "credential credentials personal pii secret secrets ssn"},
    {kCode, "bash command execute python shell"},
    {kInfra, "aws azure cluster clusters deploy droplet droplets gcp kubernetes terraform"},
    {kPreviewWord, "preview"},
    {kWriteWord, "write"},
}};
// clang-format on

std::unordered_map<std::string_view, Families> families_by_word() {
  std::unordered_map<std::string_view, Families> out;
  for (const FamilyRow& row : kKeywords)
    for (const std::string_view word : split(row.words, ' '))
      out[word] |= row.family;
  return out;
}

/// Of the tokens of a text (words.h), none of which is kept.
Families families_of(std::string_view text) {
  static const auto kKnown = families_by_word();
  Families out = 0;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? static_cast<char>(text[i] | 0x20) : ' ';
    if (c >= 'a' && c <= 'z') {
      word += c;
      continue;
    }
    if (const auto known = kKnown.find(word); known != kKnown.end()) out |= known->second;
    word.clear();
  }
  return out;
}

bool hits(Families seen, Family family) { return (seen & family) != 0; }

/// What the rules look at.
struct Seen {
  Families text, scopes;
  std::string method;
};

Map without_nulls(const Map& map) {
  Map out;
  for (const auto& [key, value] : map.entries())
    if (!value.is_null()) out.set(key, value);
  return out;
}

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

void add_keyword_hints(Tool& tool, const Seen& seen) {
  const bool is_preview =
      tool.source_type == "sdk_function" && hits(seen.text, kPreviewWord) && seen.method.empty();
  if (is_preview) return add_hint(tool, "read_only", "keyword", high, {{"preview_only", true}});
  const SourceType* type = source_type_named(tool.source_type);
  if (type == nullptr || type->keyword.empty()) return;
  if (hits(seen.text, kRead)) add_hint(tool, "read_only", type->keyword, medium);
  if (hits(seen.text, kWrite)) add_hint(tool, "write", type->keyword, medium);
}

void add_annotation_hints(Tool& tool) {
  if (annotation_is_true(tool, "readOnlyHint")) add_hint(tool, "read_only", "mcp_annotation", high);
  if (!annotation_is_true(tool, "destructiveHint")) return;
  add_hint(tool, "destructive", "mcp_annotation", high);
  add_hint(tool, "write", "mcp_annotation", high);
}

void add_method_hints(Tool& tool, const Seen& seen) {
  const bool deletes = seen.method == "DELETE";
  if (deletes || hits(seen.text, kDestructive))
    add_hint(tool, "destructive", seen.method.empty() ? "keyword" : "openapi_method",
             deletes ? high : medium, {{"method", text_or_null(seen.method)}});
  if (is_one_of(seen.method, "POST PUT PATCH DELETE"))
    add_hint(tool, "write", "openapi_method", high);
}

Confidence financial_confidence(const Tool& tool, const Seen& seen) {
  if (is_read_only(tool)) return low;
  return is_write(tool) || hits(seen.scopes, kWriteWord) ? high : low;
}

void add_financial_hints(Tool& tool, const Seen& seen) {
  const bool by_scope = hits(seen.scopes, kFinancial);
  if (!by_scope && !hits(seen.text, kFinancial)) return;
  add_hint(tool, "financial_action", by_scope ? "auth_scope" : "keyword",
           financial_confidence(tool, seen),
           {{"scopes", string_list(tool.auth.scopes)}, {"method", text_or_null(seen.method)}});
}

void add_communication_hints(Tool& tool, const Seen& seen) {
  if (!hits(seen.text, kComms) && !hits(seen.scopes, kComms)) return;
  const bool reads = is_read_only(tool);
  const Confidence c = is_write(tool) ? high : reads ? low : medium;
  add_hint(tool, "customer_communication", "keyword", c);
  if (!reads && hits(seen.text, kExternal)) add_hint(tool, "external_write", "keyword", c);
}

void add_domain_hints(Tool& tool, const Seen& seen) {
  if (hits(seen.text, kSensitive) || hits(seen.scopes, kSensitive))
    add_hint(tool, "sensitive_data_access", "keyword", medium);
  if (hits(seen.text, kCode)) add_hint(tool, "code_execution", "keyword", medium);
  if (hits(seen.text, kInfra)) add_hint(tool, "infrastructure_change", "keyword", medium);
}

void override_hints(Tool& tool, const RiskOverride& given) {
  if (!given.owner.empty()) tool.owner = given.owner;
  std::erase_if(tool.hints, [&](const Hint& hint) {
    return std::ranges::find(given.remove_tags, hint.tag) != given.remove_tags.end();
  });
  for (const std::string& tag : given.tags)
    add_hint(tool, tag, "manual", high,
             {{"reason", given.reason}, {"confidence", given.confidence}});
}

}  // namespace

void add_hint(Tool& tool, std::string_view tag, std::string_view source, Confidence confidence,
              Map evidence) {
  evidence = without_nulls(evidence);
  const auto same = std::ranges::find_if(
      tool.hints, [&](const Hint& h) { return h.tag == tag && h.source == source; });
  if (same == tool.hints.end()) {
    tool.hints.push_back({std::string(tag), std::string(source), confidence, std::move(evidence)});
    return;
  }
  if (confidence <= same->confidence) return;
  same->confidence = confidence;
  for (const auto& [key, value] : evidence.entries())
    same->evidence.set(key, value);
}

void classify(Tool& tool, const Manifest& manifest) {
  const Seen seen{families_of(tool.name) | families_of(tool.description),
                  families_of(join(tool.auth.scopes, " ")), http_method(tool)};
  add_keyword_hints(tool, seen);
  add_annotation_hints(tool);
  add_method_hints(tool, seen);
  add_financial_hints(tool, seen);
  add_communication_hints(tool, seen);
  add_domain_hints(tool, seen);
  if (seen.method == "GET" && best(tool, {"write", "destructive", "external_write"}) == unknown)
    add_hint(tool, "read_only", "openapi_method", high);
  if (const RiskOverride* given = manifest.risk_override_of(tool.name))
    override_hints(tool, *given);
}

}  // namespace gh::surface
