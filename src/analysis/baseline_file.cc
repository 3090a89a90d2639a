#include "analysis/baseline_file.h"

#include <array>

#include <fmt/format.h>

#include "analysis/baseline_checks.h"
#include "base/product.h"
#include "syntax/languages.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

constexpr std::string_view kFrontEnd = "ir/1.0";

// table: trust states
constexpr std::array<std::string_view, kTrusts> kTrustNames{"ok",
                                                            "missing",
                                                            "too_large",
                                                            "invalid_json",
                                                            "invalid_type",
                                                            "missing_fields",
                                                            "mismatch_schema_version",
                                                            "mismatch_fingerprint_version",
                                                            "mismatch_language_frontend",
                                                            "generator_mismatch",
                                                            "integrity_missing",
                                                            "integrity_failed"};

const Map* map_at(const Map& map, std::string_view key) {
  const Value* value = map.find(key);
  return value == nullptr ? nullptr : value->as_map();
}
std::string text_at(const Map& map, std::string_view key) {
  const Value* value = map.find(key);
  return value == nullptr || value->as_string() == nullptr ? std::string() : *value->as_string();
}

Names names_at(const Map& map, std::string_view key) {
  Names out;
  for (const Value& item : *map.find(key)->as_list())
    out.push_back(*item.as_string());
  return out;
}

BaselineMetrics metrics_in(const Map& map) {
  const auto number = [&](std::string_view key) { return *map.find(key)->as_int(); };
  BaselineMetrics out;
  out.max_complexity = number("max_complexity");
  out.high_risk_functions = names_at(map, "high_risk_functions");
  out.max_coupling = number("max_coupling");
  out.high_coupling_classes = names_at(map, "high_coupling_classes");
  out.max_cohesion = number("max_cohesion");
  out.low_cohesion_classes = names_at(map, "low_cohesion_classes");
  for (const Value& cycle : *map.find("dependency_cycles")->as_list()) {
    Names& names = out.dependency_cycles.emplace_back();
    for (const Value& name : *cycle.as_list())
      names.push_back(*name.as_string());
  }
  out.dependency_max_depth = number("dependency_max_depth");
  out.dead_code_items = names_at(map, "dead_code_items");
  out.health_score = number("health_score");
  out.health_grade = text_at(map, "health_grade");
  for (std::size_t i = 0; i < kDimensions; ++i)
    if (const Value* score = map_at(map, "health_dimensions")->find(dimensions()[i].name))
      out.health_dimensions[i] = *score->as_int();
  out.typing_param_permille = number("typing_param_permille");
  out.typing_return_permille = number("typing_return_permille");
  out.docstring_permille = number("docstring_permille");
  out.typing_any_count = number("typing_any_count");
  return out;
}

Baseline content_of(const Map& file) {
  Baseline out;
  const Map& clones = *map_at(file, "clones");
  out.clones = CloneKeys{names_at(clones, "functions"), names_at(clones, "blocks")};
  if (const Map* metrics = map_at(file, "metrics")) out.metrics = metrics_in(*metrics);
  if (const Value* api = file.find("api_surface")) out.api_surface = *api;
  return out;
}

/// Names are spelled alike there, fingerprints are not.
void migrate(const Map& file, BaselineRead& out) {
  out.migrates = true;
  out.trust = Trust::mismatch_fingerprint_version;
  out.detail = "clone keys of that tool are made otherwise; metrics and API can be used";
  if (const Map* metrics = map_at(file, "metrics");
      metrics != nullptr && has_metrics_shape(*metrics))
    out.content.metrics = metrics_in(*metrics);
  const Map* api = map_at(file, "api_surface");
  if (const Value* modules = api == nullptr ? nullptr : api->find("modules");
      modules != nullptr && modules->as_list() != nullptr && is_ours(*modules))
    out.content.api_surface = *file.find("api_surface");
}

}  // namespace

std::string_view to_string(Trust trust) { return kTrustNames[static_cast<std::size_t>(trust)]; }

std::string_view front_end_of(std::string_view language) {
  for (std::size_t i = 0; i < syntax::kLanguageCount; ++i)
    if (to_string(static_cast<syntax::Language>(i)) == language) return kFrontEnd;
  return {};
}

BaselineRead no_baseline(Absence absence) {
  switch (absence) {
    case Absence::too_large:
      return {.trust = Trust::too_large, .detail = "the file is larger than allowed"};
    case Absence::unreadable:
      return {.trust = Trust::invalid_json, .detail = "the file cannot be read"};
    case Absence::none:
    case Absence::missing:
      break;
  }
  return {.trust = Trust::missing, .detail = "there is no such file"};
}

BaselineRead read_baseline(std::string_view bytes, std::int64_t max_mb) {
  if (bytes.size() > static_cast<std::uint64_t>(max_mb) << 20)
    return no_baseline(Absence::too_large);
  BaselineRead out;
  const auto document = wire::read_json(bytes, "baseline");
  if (!document) {
    out.trust = Trust::invalid_json;
    out.detail = document.error().message;
    return out;
  }
  const Map* file = document->as_map();
  if (file == nullptr) {
    out.trust = Trust::invalid_type;
    out.detail = "the document is no mapping";
    return out;
  }
  if (const Map* meta = map_at(*file, "meta"); meta != nullptr && is_ours(*meta)) out.meta = *meta;
  if (is_migrating(*file)) {
    migrate(*file, out);
    return out;
  }
  if (auto defect = first_defect(*file)) {
    out.trust = defect->trust;
    out.detail = std::move(defect->detail);
    return out;
  }
  out.trust = Trust::ok;
  out.content = content_of(*file);
  return out;
}

std::string print_baseline(const Baseline& baseline, const Names& languages, Timestamp created) {
  Map fronts;
  for (const std::string& language : languages)
    fronts.set(language, front_end_of(language));
  const CloneKeys keys = baseline.clones.value_or(CloneKeys{});
  Map meta{{"generator", Map{{"name", kProduct}, {"version", kVersion}}},
           {"schema_version", kBaselineSchema},
           {"fingerprint_version", kFingerprints},
           {"languages", std::move(fronts)},
           {"created_at", to_string(created)}};
  Map file{{"clones",
            Map{{"functions", string_list(keys.functions)}, {"blocks", string_list(keys.blocks)}}}};
  if (baseline.metrics) file.set("metrics", metrics_document(*baseline.metrics));
  if (baseline.api_surface) file.set("api_surface", *baseline.api_surface);
  file.set("meta", meta);
  for (const Seal& seal : seals())
    if (file.find(seal.section) != nullptr)
      meta.set(std::string(seal.hash), sealed_digest(file, seal.section));
  file.set("meta", std::move(meta));
  return wire::pretty_json(file);
}

Map baseline_summary(const BaselineRead& read, std::string_view path, BaselineUse use) {
  const auto said = [&](std::string_view key) {
    const std::string text = text_at(read.meta, key);
    return text.empty() ? Value() : Value(text);
  };
  const bool of_metrics = use == BaselineUse::metrics;
  Map out{{"path", path},
          {"loaded", read.trust == Trust::ok},
          {"status", to_string(read.trust)},
          {"schema_version", said("schema_version")},
          {"fingerprint_version", said("fingerprint_version")},
          {"payload_sha256", said(of_metrics ? "metrics_payload_sha256" : "payload_sha256")},
          {"payload_sha256_verified", read.trust == Trust::ok}};
  if (const Value api = said("api_surface_payload_sha256"); of_metrics && !api.is_null())
    out.set("api_surface_payload_sha256", api);
  return out;
}

}  // namespace gh::analysis
