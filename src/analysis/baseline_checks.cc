#include "analysis/baseline_checks.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

constexpr std::string_view kOtherTool = "codeclone";
constexpr std::size_t kKeyDigits = 32, kHashDigits = 64;

using Found = std::optional<Defect>;

bool is_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

const Map* map_at(const Map& map, std::string_view key) {
  const Value* value = map.find(key);
  return value == nullptr ? nullptr : value->as_map();
}
std::string text_at(const Map& map, std::string_view key) {
  const Value* value = map.find(key);
  return value == nullptr || value->as_string() == nullptr ? std::string() : *value->as_string();
}

// --- shapes ---------------------------------------------------------------------------------

enum class Shape : std::uint8_t { number, text, names, keys, cycles, map, texts, scores };

bool is_sorted_texts(const List& list, bool (*is_good)(std::string_view)) {
  const std::string* before = nullptr;
  for (const Value& item : list) {
    const std::string* text = item.as_string();
    if (text == nullptr || !is_good(*text) || (before != nullptr && *before >= *text)) return false;
    before = text;
  }
  return true;
}

bool is_cycles(const List& list) {
  const auto names = [](const Value& v) {
    Names out;
    for (const Value& name : *v.as_list())
      out.push_back(*name.as_string());
    return out;
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    const List* cycle = list[i].as_list();
    const auto any = [](std::string_view s) { return !s.empty(); };
    if (cycle == nullptr || cycle->empty() || !is_sorted_texts(*cycle, any)) return false;
    if (i > 0 && names(list[i - 1]) >= names(list[i])) return false;
  }
  return true;
}

bool holds_only(const Map& map, bool (*is_good)(const Value&)) {
  return std::ranges::all_of(map.entries(), [&](const auto& e) { return is_good(e.second); });
}

bool has_shape(const Value& value, Shape shape) {
  const List* list = value.as_list();
  const Map* map = value.as_map();
  switch (shape) {
    case Shape::number:
      return value.as_int() != nullptr;
    case Shape::text:
      return value.as_string() != nullptr;
    case Shape::names:
      return list != nullptr &&
             is_sorted_texts(*list, [](std::string_view s) { return !s.empty(); });
    case Shape::keys:
      return list != nullptr &&
             is_sorted_texts(*list, [](std::string_view s) { return is_hex(s, kKeyDigits); });
    case Shape::cycles:
      return list != nullptr && is_cycles(*list);
    case Shape::map:
      return map != nullptr;
    case Shape::texts:
      return map != nullptr &&
             holds_only(*map, [](const Value& v) { return v.as_string() != nullptr; });
    case Shape::scores:
      return map != nullptr &&
             holds_only(*map, [](const Value& v) { return v.as_int() != nullptr; });
  }
  return false;
}

struct Field {
  std::string_view key;
  Shape shape;
};
// table: baseline meta
constexpr std::array<Field, 5> kMeta{{{"generator", Shape::texts},
                                      {"schema_version", Shape::text},
                                      {"fingerprint_version", Shape::text},
                                      {"languages", Shape::texts},
                                      {"created_at", Shape::text}}};
// table: baseline generator
constexpr std::array<Field, 2> kGenerator{{{"name", Shape::text}, {"version", Shape::text}}};
// table: baseline clones
constexpr std::array<Field, 2> kClones{{{"functions", Shape::keys}, {"blocks", Shape::keys}}};
// table: baseline metrics
constexpr std::array<Field, 16> kMetrics{{{"max_complexity", Shape::number},
                                          {"high_risk_functions", Shape::names},
                                          {"max_coupling", Shape::number},
                                          {"high_coupling_classes", Shape::names},
                                          {"max_cohesion", Shape::number},
                                          {"low_cohesion_classes", Shape::names},
                                          {"dependency_cycles", Shape::cycles},
                                          {"dependency_max_depth", Shape::number},
                                          {"dead_code_items", Shape::names},
                                          {"health_score", Shape::number},
                                          {"health_grade", Shape::text},
                                          {"health_dimensions", Shape::scores},
                                          {"typing_param_permille", Shape::number},
                                          {"typing_return_permille", Shape::number},
                                          {"docstring_permille", Shape::number},
                                          {"typing_any_count", Shape::number}}};
// table: baseline sections
constexpr std::array<std::string_view, 4> kSections{"meta", "clones", "metrics", "api_surface"};

Found absent(const Map& map, std::span<const Field> fields, std::string_view where) {
  for (const Field& field : fields)
    if (map.find(field.key) == nullptr)
      return Defect{Trust::missing_fields, fmt::format("{} has no '{}'", where, field.key)};
  return {};
}

Found misshapen(const Map& map, std::span<const Field> fields, std::string_view where) {
  for (const Field& field : fields)
    if (const Value* value = map.find(field.key);
        value != nullptr && !has_shape(*value, field.shape))
      return Defect{Trust::invalid_type,
                    fmt::format("{}.{} is malformed, unsorted or repeated", where, field.key)};
  return {};
}

Found unknown_key(const Map& map, std::span<const std::string_view> known, std::string_view where) {
  for (const auto& entry : map.entries())
    if (std::ranges::find(known, entry.first) == known.end())
      return Defect{Trust::invalid_type,
                    fmt::format("unknown key '{}' {}", printable(entry.first, 60), where)};
  return {};
}

Found first_of(std::initializer_list<Found> defects) {
  for (const Found& defect : defects)
    if (defect) return defect;
  return {};
}

// --- checks, in their order --------------------------------------------------------------------

Found legacy_layout(const Map& file) {
  if (file.find("clones") != nullptr) return {};
  for (const std::string_view key : {"functions", "blocks"})
    if (file.find(key) != nullptr)
      return Defect{Trust::missing_fields, fmt::format("'{}' stands at the top level", key)};
  return {};
}

Found top_level(const Map& file) {
  if (auto defect = unknown_key(file, kSections, "at the top level")) return defect;
  for (const std::string_view key : kSections)
    if (const Value* value = file.find(key); value != nullptr && value->as_map() == nullptr)
      return Defect{Trust::invalid_type, fmt::format("'{}' is no mapping", key)};
  return {};
}

Found required_keys(const Map& file) {
  for (const std::string_view key : {"meta", "clones"})
    if (file.find(key) == nullptr)
      return Defect{Trust::missing_fields, fmt::format("there is no '{}'", key)};
  const Map& meta = *map_at(file, "meta");
  const Map* generator = map_at(meta, "generator");
  const Map* metrics = map_at(file, "metrics");
  const Map* api = map_at(file, "api_surface");
  return first_of(
      {absent(meta, kMeta, "meta"),
       generator == nullptr ? Found{} : absent(*generator, kGenerator, "meta.generator"),
       absent(*map_at(file, "clones"), kClones, "clones"),
       metrics == nullptr ? Found{} : absent(*metrics, kMetrics, "metrics"),
       api != nullptr && api->find("modules") == nullptr
           ? Found(Defect{Trust::missing_fields, "api_surface has no 'modules'"})
           : Found{}});
}

Found types(const Map& file) {
  const Map& clones = *map_at(file, "clones");
  const Map* metrics = map_at(file, "metrics");
  const Map* api = map_at(file, "api_surface");
  constexpr std::array<std::string_view, 2> kKnown{"functions", "blocks"};
  return first_of({misshapen(*map_at(file, "meta"), kMeta, "meta"),
                   unknown_key(clones, kKnown, "in clones"), misshapen(clones, kClones, "clones"),
                   metrics == nullptr ? Found{} : misshapen(*metrics, kMetrics, "metrics"),
                   api != nullptr && api->find("modules")->as_list() == nullptr
                       ? Found(Defect{Trust::invalid_type, "api_surface.modules is no list"})
                       : Found{}});
}

Found generator(const Map& file) {
  const std::string name = text_at(*map_at(*map_at(file, "meta"), "generator"), "name");
  if (name == kProduct) return {};
  return Defect{Trust::generator_mismatch, fmt::format("written by '{}'", printable(name, 60))};
}

struct Version {
  std::string_view major, minor;
};
Version version_of(std::string_view text) {
  const std::size_t dot = text.find('.');
  return {text.substr(0, dot), dot == std::string_view::npos ? "0" : text.substr(dot + 1)};
}
bool is_newer(std::string_view a, std::string_view b) {  // of two whole numbers
  return a.size() != b.size() ? a.size() > b.size() : a > b;
}

Found schema(const Map& file) {
  const std::string text = text_at(*map_at(file, "meta"), "schema_version");
  const Version theirs = version_of(text), ours = version_of(kBaselineSchema);
  const bool is_number = !theirs.minor.empty() &&
                         theirs.minor.find_first_not_of("0123456789") == std::string_view::npos;
  if (theirs.major == ours.major && is_number && !is_newer(theirs.minor, ours.minor)) return {};
  return Defect{Trust::mismatch_schema_version,
                fmt::format("schema {} where {} is read", printable(text, 60), kBaselineSchema)};
}

Found fingerprint(const Map& file) {
  const std::string text = text_at(*map_at(file, "meta"), "fingerprint_version");
  if (text == kFingerprints) return {};
  return Defect{
      Trust::mismatch_fingerprint_version,
      fmt::format("fingerprints {} where {} are made", printable(text, 60), kFingerprints)};
}

std::string_view front_end_major(std::string_view id) {
  const std::size_t slash = id.find('/');
  return slash == std::string_view::npos ? "" : version_of(id.substr(slash + 1)).major;
}

Found front_ends(const Map& file) {
  for (const auto& [language, id] : map_at(*map_at(file, "meta"), "languages")->entries()) {
    const std::string_view ours = front_end_of(language);
    if (!ours.empty() && front_end_major(*id.as_string()) == front_end_major(ours)) continue;
    return Defect{
        Trust::mismatch_language_frontend,
        fmt::format("{} was read by {}", printable(language, 60), printable(*id.as_string(), 60))};
  }
  return {};
}

Value clone_payload(const Map& file) {
  const Map& clones = *map_at(file, "clones");
  return Map{{"blocks", *clones.find("blocks")},
             {"fingerprint_version", *map_at(file, "meta")->find("fingerprint_version")},
             {"functions", *clones.find("functions")}};
}

/// Takes the same time wherever the two differ.
bool are_equal(std::string_view a, std::string_view b) {
  unsigned differ = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    differ |=
        static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  return differ == 0;
}

// table: baseline hashes
constexpr std::array<Seal, 3> kHashes{{{"payload_sha256", "clones"},
                                       {"metrics_payload_sha256", "metrics"},
                                       {"api_surface_payload_sha256", "api_surface"}}};

Found integrity(const Map& file) {
  const Map& meta = *map_at(file, "meta");
  for (const Seal& sealed : kHashes)
    if (file.find(sealed.section) != nullptr && !is_hex(text_at(meta, sealed.hash), kHashDigits))
      return Defect{Trust::integrity_missing, fmt::format("meta has no {}", sealed.hash)};
  for (const Seal& sealed : kHashes) {
    if (file.find(sealed.section) == nullptr) continue;
    if (!is_ours(*file.find(sealed.section)) ||
        !are_equal(sealed_digest(file, sealed.section), text_at(meta, sealed.hash)))
      return Defect{Trust::integrity_failed,
                    fmt::format("'{}' is not what {} was made of", sealed.section, sealed.hash)};
  }
  return {};
}

// table: baseline checks, in their order
constexpr std::array<Found (*)(const Map&), 9> kChecks{legacy_layout, top_level,  required_keys,
                                                       types,         generator,  schema,
                                                       fingerprint,   front_ends, integrity};

}  // namespace

bool is_migrating(const Map& file) {
  const Map* meta = map_at(file, "meta");
  if (meta == nullptr) return false;
  const Map* generator = map_at(*meta, "generator");
  const std::string name =
      generator != nullptr ? text_at(*generator, "name") : text_at(*meta, "generator");
  return name == kOtherTool && text_at(*meta, "schema_version").starts_with("2.");
}

bool is_ours(const Value& value) {
  if (std::holds_alternative<Number>(value.data())) return false;
  if (const List* list = value.as_list()) return std::ranges::all_of(*list, is_ours);
  if (const Map* map = value.as_map())
    return std::ranges::all_of(map->entries(), [](const auto& e) { return is_ours(e.second); });
  return true;
}

bool has_metrics_shape(const Map& metrics) {
  return !absent(metrics, kMetrics, "") && !misshapen(metrics, kMetrics, "");
}

std::span<const Seal> seals() { return kHashes; }

std::string sealed_digest(const Map& file, std::string_view section) {
  const Value payload = section == "clones" ? clone_payload(file) : *file.find(section);
  return digest_of(wire::canonical_json(payload)).hex();
}

std::optional<Defect> first_defect(const Map& file) {
  for (const auto check : kChecks)
    if (Found defect = check(file)) return defect;
  return {};
}

}  // namespace gh::analysis
