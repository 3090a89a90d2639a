#include "policy/analysis_keys.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/field_keys.h"
#include "policy/path_entry.h"

namespace gh::policy {
namespace {

using Strings = std::vector<std::string>;
using keys::flag;
using keys::number;
using keys::show_field;
using P = AnalysisPolicy;
using AnalysisKey = Key<P>;

constexpr std::int64_t kMany = 1'000'000, kMaxMb = 1 << 20, kMaxJobs = 1024;

// table: analysed languages
constexpr std::array<std::string_view, 9> kLanguages{
    "python", "c", "cpp", "javascript", "typescript", "tsx", "go", "rust", "java"};
// table: security categories
constexpr std::array<std::string_view, 10> kCategories{
    "process_boundary",   "dynamic_execution",  "dynamic_loading",  "deserialization",
    "network_boundary",   "database_boundary",  "crypto_transport", "identity_token",
    "archive_extraction", "filesystem_mutation"};
// table: dead public code
constexpr std::array<std::string_view, 2> kPublicApi{"keep", "report"};

template <auto Field>
Value show_text(const P& p) {
  return (p.*Field).empty() ? Value() : Value(p.*Field);
}

using Load = Result<std::string> (*)(const Value&, const At&);

/// A text, or null for none.
template <auto Field, Load One>
constexpr AnalysisKey text(std::string_view path) {
  return {path,
          [](P& p, const Value& v, const At& at) -> Status {
            (p.*Field).clear();
            if (v.is_null()) return {};
            GH_TRY(given, One(v, at));
            p.*Field = given;
            return {};
          },
          show_text<Field>, nullptr};
}

Status load_list(Strings& field, const Value& value, const At& at, Load one) {
  const List* list = value.as_list();
  if (list == nullptr) return at.expected("a list of strings", value);
  Strings entries;
  for (std::size_t i = 0; i < list->size(); ++i) {
    Result<std::string> entry = one((*list)[i], at.item(i));
    if (!entry) return tl::make_unexpected(std::move(entry).error());
    entries.push_back(std::move(*entry));
  }
  field = std::move(entries);
  return {};
}

template <auto Field, Load One>
constexpr AnalysisKey list(std::string_view path) {
  return {path, [](P& p, const Value& v, const At& at) { return load_list(p.*Field, v, at, One); },
          [](const P& p) { return string_list(p.*Field); }, nullptr};
}

template <const auto& Words>
Result<std::string> word(const Value& value, const At& at) {
  GH_TRY(index, load_choice(value, at, Words));
  return std::string(Words[index]);
}

template <EntryKind Kind>
Result<std::string> entry(const Value& value, const At& at) {
  const std::string* given = value.as_string();
  if (given == nullptr) return at.expected("a string", value);
  const std::string normal = normal_entry(Kind, *given);
  if (const auto why = entry_defect(Kind, normal); !why.empty())
    return at.fail(Code::policy_bad_path, fmt::format("'{}' {}", printable(*given, 60), why));
  return normal;
}

/// Only tests can be golden: a pattern that reaches further would hide real copies.
Result<std::string> golden(const Value& value, const At& at) {
  GH_TRY(pattern, entry<EntryKind::pattern>(value, at));
  const auto parts = split(pattern, '/');
  if (parts.size() > 1 && std::ranges::find(parts, "tests") == parts.end())
    return at.fail(Code::policy_bad_path,
                   fmt::format("'{}' lies outside tests", printable(pattern, 60)));
  return pattern;
}

// table: report extensions
constexpr std::array<std::string_view, 5> kExtensions{".html", ".json", ".md", ".sarif", ".txt"};

template <std::size_t Extension>
Result<std::string> report_file(const Value& value, const At& at) {
  GH_TRY(path, entry<EntryKind::path>(value, at));
  if (!path.ends_with(kExtensions[Extension]))
    return at.expected(fmt::format("a file that ends in {}", kExtensions[Extension]), value);
  return path;
}

Status load_registrations(P& p, const Value& value, const At& at) {
  const Map* map = value.as_map();
  if (map == nullptr) return at.expected("a mapping of constructors to methods", value);
  p.dead_code_registrations.clear();
  for (const auto& [name, methods] : map->entries()) {
    Strings names;
    GH_DO(load_list(names, methods, at.key(name), load_text));
    p.dead_code_registrations.emplace_back(name, std::move(names));
  }
  return {};
}

Value show_registrations(const P& p) {
  Map out;
  for (const auto& [name, methods] : p.dead_code_registrations)
    out.set(name, string_list(methods));
  return out;
}

// table: analysis keys
// clang-format off
constexpr AnalysisKey kAnalysisKeys[] = {
    number<&P::min_loc, 1, kMany>("min_loc"),
    number<&P::min_stmt, 1, kMany>("min_stmt"),
    number<&P::block_min_loc, 1, kMany>("block_min_loc"),
    number<&P::block_min_stmt, 1, kMany>("block_min_stmt"),
    number<&P::block_min_run, 2, kMany>("block_min_run"),
    number<&P::segment_min_loc, 1, kMany>("segment_min_loc"),
    number<&P::segment_min_stmt, 1, kMany>("segment_min_stmt"),
    number<&P::near_miss_similarity, 1, 100>("near_miss_similarity"),
    number<&P::jobs, 0, kMaxJobs>("jobs"),
    text<&P::cache_path, entry<EntryKind::path>>("cache_path"),
    number<&P::max_cache_size_mb, 1, kMaxMb>("max_cache_size_mb"),
    flag<&P::skip_metrics>("skip_metrics"),
    flag<&P::skip_dead_code>("skip_dead_code"),
    flag<&P::skip_dependencies>("skip_dependencies"),
    list<&P::exclude, entry<EntryKind::pattern>>("exclude"),
    list<&P::include, entry<EntryKind::pattern>>("include"),
    list<&P::languages, word<kLanguages>>("languages"),
    flag<&P::api_strict_types>("api_strict_types"),
    number<&P::max_files, 1, kMany>("max_files"),
    text<&P::project_name, load_text>("project_name"),
    text<&P::html_out, report_file<0>>("html_out"),
    text<&P::json_out, report_file<1>>("json_out"),
    text<&P::md_out, report_file<2>>("md_out"),
    text<&P::sarif_out, report_file<3>>("sarif_out"),
    text<&P::text_out, report_file<4>>("text_out"),
    text<&P::baseline, entry<EntryKind::path>>("baseline"),
    number<&P::max_baseline_size_mb, 1, 1024>("max_baseline_size_mb"),
    text<&P::metrics_baseline, entry<EntryKind::path>>("metrics_baseline"),
    flag<&P::api_surface>("api_surface"),
    text<&P::coverage_xml, load_text>("coverage_xml"),
    number<&P::coverage_min, 0, 100>("coverage_min"),
    number<&P::min_typing_coverage, -1, 100>("min_typing_coverage"),
    number<&P::min_docstring_coverage, -1, 100>("min_docstring_coverage"),
    flag<&P::fail_on_new>("fail_on_new"),
    flag<&P::fail_on_new_metrics>("fail_on_new_metrics"),
    flag<&P::fail_cycles>("fail_cycles"),
    flag<&P::fail_dead_code>("fail_dead_code"),
    flag<&P::fail_on_typing_regression>("fail_on_typing_regression"),
    flag<&P::fail_on_docstring_regression>("fail_on_docstring_regression"),
    flag<&P::fail_on_api_break>("fail_on_api_break"),
    flag<&P::fail_on_untested_hotspots>("fail_on_untested_hotspots"),
    flag<&P::fail_on_new_near_miss>("fail_on_new_near_miss"),
    list<&P::fail_on_new_security_surface, word<kCategories>>("fail_on_new_security_surface"),
    number<&P::fail_threshold, -1, kMany>("fail_threshold"),
    number<&P::fail_complexity, -1, kMany>("fail_complexity"),
    number<&P::fail_coupling, -1, kMany>("fail_coupling"),
    number<&P::fail_cohesion, -1, kMany>("fail_cohesion"),
    number<&P::fail_health, -1, 100>("fail_health"),
    number<&P::design_complexity, 1, kMany>("design_complexity"),
    number<&P::design_coupling, 1, kMany>("design_coupling"),
    number<&P::design_cohesion, 1, kMany>("design_cohesion"),
    list<&P::golden_fixture_paths, golden>("golden_fixture_paths"),
    text<&P::dead_code_public_api, word<kPublicApi>>("dead_code_public_api"),
    flag<&P::structural_shape_groups>("structural_shape_groups"),
    flag<&P::instance_independent_methods>("instance_independent_methods"),
    {"dead_code_registrations", load_registrations, show_registrations, nullptr},
    flag<&P::ci>("ci"),
    flag<&P::quiet>("quiet"),
    flag<&P::verbose>("verbose"),
    flag<&P::debug>("debug"),
    flag<&P::no_color>("no_color"),
    flag<&P::no_progress>("no_progress"),
};
// clang-format on

}  // namespace

Result<AnalysisPolicy> load_analysis_block(const Value& block, const At& at) {
  AnalysisPolicy policy;
  GH_DO(load_keys(policy, block, at, kAnalysisKeys));
  if (policy.baseline.empty()) policy.baseline = AnalysisPolicy{}.baseline;
  return policy;
}

std::span<const std::string_view> security_categories() { return kCategories; }

Value to_value(const AnalysisPolicy& policy) { return show_keys(policy, kAnalysisKeys); }

}  // namespace gh::policy
