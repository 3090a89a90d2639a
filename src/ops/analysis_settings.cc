#include "ops/analysis_settings.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/report_meta.h"
#include "analysis/report_view.h"
#include "base/digest.h"
#include "base/text.h"
#include "policy/analysis_policy.h"
#include "policy/glob.h"
#include "syntax/languages.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using P = policy::AnalysisPolicy;

struct Override {
  std::string_view option;
  void (*apply)(P&, const Request&, std::string_view option);
};

template <auto Field>
constexpr Override number(std::string_view option) {
  return {option, [](P& p, const Request& r, std::string_view o) { p.*Field = *r.integer(o); }};
}
template <auto Field>
constexpr Override flag(std::string_view option) {
  return {option, [](P& p, const Request& r, std::string_view o) { p.*Field = r.flag(o); }};
}
template <auto Field>
constexpr Override text(std::string_view option) {
  return {option, [](P& p, const Request& r, std::string_view o) { p.*Field = r.text(o); }};
}

void set_categories(P& p, const Request& request, std::string_view option) {
  p.fail_on_new_security_surface.clear();
  for (const std::string& given : request.list(option))
    for (const std::string_view category : split(given, ','))
      p.fail_on_new_security_surface.emplace_back(category);
}

// table: analysis options
constexpr std::array kOverrides{
    number<&P::min_loc>("min-loc"),
    number<&P::min_stmt>("min-stmt"),
    number<&P::block_min_loc>("block-min-loc"),
    number<&P::block_min_stmt>("block-min-stmt"),
    number<&P::segment_min_loc>("segment-min-loc"),
    number<&P::segment_min_stmt>("segment-min-stmt"),
    number<&P::design_complexity>("complexity-threshold"),
    number<&P::design_coupling>("coupling-threshold"),
    number<&P::design_cohesion>("cohesion-threshold"),
    number<&P::jobs>("jobs"),
    number<&P::fail_complexity>("fail-complexity"),
    number<&P::fail_coupling>("fail-coupling"),
    number<&P::fail_cohesion>("fail-cohesion"),
    number<&P::fail_health>("fail-health"),
    number<&P::min_typing_coverage>("min-typing-coverage"),
    number<&P::min_docstring_coverage>("min-docstring-coverage"),
    number<&P::fail_threshold>("fail-threshold"),
    number<&P::coverage_min>("coverage-min"),
    flag<&P::fail_cycles>("fail-cycles"),
    flag<&P::fail_dead_code>("fail-dead-code"),
    flag<&P::fail_on_new_metrics>("fail-on-new-metrics"),
    flag<&P::fail_on_typing_regression>("fail-on-typing-regression"),
    flag<&P::fail_on_docstring_regression>("fail-on-docstring-regression"),
    flag<&P::fail_on_api_break>("fail-on-api-break"),
    flag<&P::fail_on_untested_hotspots>("fail-on-untested-hotspots"),
    flag<&P::fail_on_new>("fail-on-new"),
    flag<&P::fail_on_new_near_miss>("fail-on-new-near-miss"),
    flag<&P::skip_metrics>("skip-metrics"),
    flag<&P::skip_dead_code>("skip-dead-code"),
    flag<&P::skip_dependencies>("skip-dependencies"),
    flag<&P::api_surface>("api-surface"),
    flag<&P::ci>("ci"),
    text<&P::baseline>("baseline"),
    text<&P::metrics_baseline>("metrics-baseline"),
    text<&P::coverage_xml>("coverage"),
    text<&P::html_out>("html"),
    text<&P::json_out>("json-file"),
    text<&P::md_out>("md"),
    text<&P::sarif_out>("sarif"),
    text<&P::text_out>("text"),
    Override{"fail-on-new-security-surface", set_categories},
};

}  // namespace

namespace {

struct ReportFile {
  std::string_view option;
  std::string P::*path;
};
// table: options of report files
constexpr std::array<ReportFile, 5> kReportFiles{{{"html", &P::html_out},
                                                  {"json-file", &P::json_out},
                                                  {"md", &P::md_out},
                                                  {"sarif", &P::sarif_out},
                                                  {"text", &P::text_out}}};

/// Files that were asked for without a name go where --out says.
Status move_unnamed(P& policy, const Request& request) {
  if (!request.has("out")) return {};
  bool any = false;
  for (const ReportFile& file : kReportFiles) {
    const Option* option = find_option(request.operation(), file.option);
    std::string& path = policy.*file.path;
    if (!request.has(file.option) || path != option->bare) continue;
    path = request.text("out") + path.substr(path.rfind('/'));
    any = true;
  }
  if (any) return {};
  return fail(Code::bad_argument,
              "--out says where reports go; add --html, --json-file, --md, --sarif or --text "
              "without a name");
}

}  // namespace

Result<P> with_request(P policy, const Request& request) {
  for (const Override& row : kOverrides)
    if (request.has(row.option)) row.apply(policy, request, row.option);
  GH_DO(move_unnamed(policy, request));
  const auto known = policy::security_categories();
  for (const std::string& category : policy.fail_on_new_security_surface)
    if (std::ranges::find(known, category) == known.end())
      return fail(Code::bad_argument,
                  fmt::format("--fail-on-new-security-surface takes {}, not '{}'",
                              fmt::join(known, ", "), printable(category, 60)));
  return policy;
}

namespace {

std::vector<analysis::RegistrationRule> registrations_of(const P& p) {
  std::vector<analysis::RegistrationRule> out;
  for (const auto& [constructor, methods] : p.dead_code_registrations)
    out.push_back({constructor, methods});
  return out;
}

}  // namespace

analysis::Profile profile_of(const P& p) {
  const auto small = [](std::int64_t n) { return static_cast<std::uint32_t>(n); };
  return {.min_loc = small(p.min_loc),
          .min_stmt = small(p.min_stmt),
          .block_min_loc = small(p.block_min_loc),
          .block_min_stmt = small(p.block_min_stmt),
          .block_min_run = small(p.block_min_run),
          .segment_min_loc = small(p.segment_min_loc),
          .segment_min_stmt = small(p.segment_min_stmt),
          .near_miss_similarity = small(p.near_miss_similarity),
          .structural_shape_groups = p.structural_shape_groups,
          .instance_independent_methods = p.instance_independent_methods,
          .design_complexity = small(p.design_complexity),
          .design_coupling = small(p.design_coupling),
          .design_cohesion = small(p.design_cohesion),
          .dead_code_public_api = p.dead_code_public_api == "keep" ? analysis::PublicApi::keep
                                  : p.dead_code_public_api == "report"
                                      ? analysis::PublicApi::report
                                      : analysis::PublicApi::by_manifest,
          .dead_code_registrations = registrations_of(p),
          .api_surface = p.api_surface || p.fail_on_api_break,
          .api_strict_types = p.api_strict_types};
}

analysis::GateSettings gates_of(const P& p) {
  return {.fail_complexity = p.fail_complexity,
          .fail_coupling = p.fail_coupling,
          .fail_cohesion = p.fail_cohesion,
          .fail_health = p.fail_health,
          .min_typing_coverage = p.min_typing_coverage,
          .min_docstring_coverage = p.min_docstring_coverage,
          .fail_threshold = p.fail_threshold,
          .fail_cycles = p.fail_cycles,
          .fail_dead_code = p.fail_dead_code,
          .fail_on_new_metrics = p.fail_on_new_metrics,
          .fail_on_typing_regression = p.fail_on_typing_regression,
          .fail_on_docstring_regression = p.fail_on_docstring_regression,
          .fail_on_api_break = p.fail_on_api_break,
          .fail_on_untested_hotspots = p.fail_on_untested_hotspots,
          .fail_on_new = p.fail_on_new,
          .fail_on_new_near_miss = p.fail_on_new_near_miss,
          .fail_on_new_security_surface = p.fail_on_new_security_surface};
}

bool is_chosen_by(const P& policy, std::string_view path) {
  const auto matches = [&](const std::string& pattern) {
    return policy::matches_policy_entry(path, pattern);
  };
  if (std::ranges::any_of(policy.exclude, matches)) return false;
  if (!policy.include.empty() && std::ranges::none_of(policy.include, matches)) return false;
  const auto language = syntax::language_of_path(path);
  return policy.languages.empty() || !language ||
         std::ranges::find(policy.languages, to_string(*language)) != policy.languages.end();
}

analysis::GoldenFixtures golden_of(const P& policy) {
  return {.patterns = policy.golden_fixture_paths, .matches = policy::matches_pathglob};
}

bool measures_like(const P& policy, const Value& report) {
  const P p = settled(policy);
  const analysis::Profile profile = profile_of(p);
  const auto says = [&](std::string_view key, const Value& wanted) {
    const Value* told = analysis::member(report, {"meta", key});
    return told != nullptr && *told == wanted;
  };
  return says("analysis_profile", analysis::profile_document(profile)) &&
         says("analysis_thresholds", analysis::thresholds_document(profile)) &&
         says("analysis_mode", p.skip_metrics ? "clones_only" : "full");
}

namespace {

/// Keys of the policy that decide what a run reads, finds and compares with. The others say how it
/// is done, told or refused.
// table: measuring keys
constexpr std::array<std::string_view, 26> kMeasuringKeys{
    "min_loc",
    "min_stmt",
    "block_min_loc",
    "block_min_stmt",
    "block_min_run",
    "segment_min_loc",
    "segment_min_stmt",
    "near_miss_similarity",
    "skip_metrics",
    "skip_dead_code",
    "skip_dependencies",
    "exclude",
    "include",
    "languages",
    "api_strict_types",
    "max_files",
    "baseline",
    "metrics_baseline",
    "api_surface",
    "design_complexity",
    "design_coupling",
    "design_cohesion",
    "golden_fixture_paths",
    "dead_code_public_api",
    "structural_shape_groups",
    "dead_code_registrations",
};

}  // namespace

std::string measuring_digest(const P& policy) {
  const Value all = to_value(settled(policy));
  Map out;
  for (const std::string_view key : kMeasuringKeys)
    if (const Value* value = analysis::member(all, {key})) out.set(std::string(key), *value);
  return digest_of(wire::canonical_json(out)).hex();
}

P settled(P policy) {
  if (policy.skip_metrics) policy.skip_dead_code = policy.skip_dependencies = true;
  if (policy.fail_dead_code) policy.skip_dead_code = false;
  if (policy.fail_cycles) policy.skip_dependencies = false;
  if (policy.fail_on_api_break) policy.api_surface = true;
  return policy;
}

}  // namespace gh::ops
