#include "release/policy_packs.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "model/peek.h"
#include "surface/loaders.h"
#include "surface/manifest_keys.h"

namespace gh::release {
namespace {

using surface::Action;
using surface::is_one_of;
using surface::KeyRow;
using surface::Manifest;
using surface::Parameter;
using surface::Tool;
using enum surface::KeyType;
using enum surface::Need;

constexpr std::size_t kMaxPackDepth = 40;  // of the document: alternatives inside of alternatives
constexpr std::string_view kSeverities = "info low medium high critical";
constexpr std::string_view kConfidences = "low medium high";

// clang-format off
// table: policy pack keys
constexpr KeyRow kPackKeys[] = {
    {"file", "id", text, "", nullable},
    {"file", "name", text, "", nullable},
    {"file", "version", text, "", nullable},
    {"file", "owner", text, "", nullable},
    {"file", "rules", records, "rule", required},
    {"rule", "id", filled, "rule id must not be blank", required},
    {"rule", "title", text, "", nullable},
    {"rule", "description", text, "", nullable},
    {"rule", "category", text, "", optional},
    {"rule", "severity", choice, kSeverities, required},
    {"rule", "block", flag, "", optional},
    {"rule", "confidence", choice, kConfidences, optional},
    {"rule", "recommendation", filled, "recommendation must not be blank", required},
    {"rule", "match", record, "match", required},
    {"match", "risk_tags", texts, "", optional},
    {"match", "source_types", texts, "", optional},
    {"match", "environment_targets", texts, "", optional},
    {"match", "missing_owner", flag, "", nullable},
    {"match", "missing_auth_scopes", flag, "", nullable},
    {"match", "missing_approval_policy", flag, "", nullable},
    {"match", "missing_confirmation_policy", flag, "", nullable},
    {"match", "missing_idempotency_policy", flag, "", nullable},
    {"match", "parameters", records, "parameter", optional},
    {"match", "capability", record, "capability", nullable},
    {"match", "all_of", records, "match", optional},
    {"match", "any_of", records, "match", optional},
    {"match", "none_of", records, "match", optional},
    {"parameter", "name", text, "", nullable},
    {"parameter", "names", texts, "", optional},
    {"parameter", "types", texts, "", optional},
    {"parameter", "missing_maximum", flag, "", nullable},
    {"parameter", "required", flag, "", nullable},
    {"parameter", "maximum_above", number, "", nullable},
    {"parameter", "minimum_below", number, "", nullable},
    {"capability", "tool_names", texts, "", optional},
    {"capability", "providers", texts, "", optional},
    {"capability", "operations", texts, "", optional},
    {"capability", "source_types", texts, "", optional},
    {"capability", "effects", texts, "", optional},
    {"capability", "risk_tags", texts, "", optional},
    {"capability", "scopes", texts, "", optional},
    {"capability", "auth_types", texts, "", optional},
    {"capability", "credential_modes", texts, "", optional},
    {"capability", "broad_scope", flag, "", nullable},
    {"capability", "externally_visible", flag, "", nullable},
    {"capability", "handles_sensitive_data", flag, "", nullable},
    {"capability", "financial", flag, "", nullable},
    {"capability", "code_execution", flag, "", nullable},
    {"capability", "high_risk", flag, "", nullable},
};
// clang-format on

using Texts = std::vector<std::string>;

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

tl::unexpected<Error> refuse(std::string_view path, std::string_view what) {
  return fail(Code::policy_bad_value,
              fmt::format("policy pack {}: {}", printable(path, 400), what));
}

// ---------------------------------------------------------------------------------------- reading

std::string stem_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::string(name.substr(0, name.rfind('.')));
}

PackRule rule_of(const Value& v) {
  const Peek at(v);
  PackRule out{.id = std::string(at["id"].text()),
               .title = std::string(at["title"].text()),
               .description = std::string(at["description"].text()),
               .severity = *surface::severity_named(at["severity"].text()),
               .block = at["block"].is_true(),
               .recommendation = std::string(at["recommendation"].text()),
               .match = at["match"].map()};
  if (!at["category"].text().empty()) out.category = std::string(at["category"].text());
  if (at["confidence"].exists())
    out.confidence = surface::confidence_named(at["confidence"].text());
  return out;
}

/// Every violation, with its place.
std::string told(const surface::InputDocument& input, const std::vector<surface::Violation>& all) {
  std::string out;
  for (const auto& v : all) {
    const wire::Mark mark = input.document.mark_of(v.pointer);
    out +=
        fmt::format("\n- {}: {}:{}:{}: {}", v.name, input.path, mark.line, mark.column, v.message);
  }
  return out;
}

class PackReader {
 public:
  explicit PackReader(surface::Files& files) : files_(files) {}

  Result<PolicyPack> read(const surface::PathEntry& entry) {
    auto file = surface::read_input(files_, entry.path);
    if (!file) return refuse(entry.path, file.error().message);
    if (!entry.sha256.empty() && surface::lower_case(entry.sha256) != digest_of(file->bytes).hex())
      return refuse(entry.path, "its bytes are not those of the sha256 in the manifest");
    wire::DocumentLimits limits;
    limits.max_depth = kMaxPackDepth;
    auto document = wire::read_document(file->bytes, file->path, limits);
    if (!document) return refuse(entry.path, document.error().message);
    const surface::InputDocument input{file->path, std::move(*document)};
    Value expanded;
    const auto violations = surface::check_record(kPackKeys, "file", input.document.root, expanded);
    if (!violations.empty()) return refuse(entry.path, told(input, violations));
    return pack_of(entry, entry.path.starts_with('/') ? input.path : entry.path, Peek(expanded));
  }

 private:
  static Result<PolicyPack> pack_of(const surface::PathEntry& entry, const std::string& path,
                                    const Peek& root) {
    PolicyPack out{.id = entry.name.empty() ? std::string(root["id"].text()) : entry.name,
                   .name = std::string(root["name"].text()),
                   .version = std::string(root["version"].text()),
                   .path = path};
    if (out.id.empty()) out.id = stem_of(entry.path);
    if (out.name.empty()) out.name = out.id;
    for (const Value& rule : root["rules"].list()) {
      out.rules.push_back(rule_of(rule));
      const std::string& id = out.rules.back().id;
      if (id.starts_with("SHIP-") || id.starts_with("GATE-"))
        return refuse(entry.path, fmt::format("rule id '{}' begins like a built-in check", id));
    }
    return out;
  }

  surface::Files& files_;
};

Status check_unique(const PolicyPacks& packs) {
  std::set<std::string> ids;
  for (const PolicyPack& pack : packs)
    for (const PackRule& rule : pack.rules)
      if (!ids.insert(rule.id).second)
        return refuse(pack.path, fmt::format("rule id '{}' is used twice", rule.id));
  return {};
}

// --------------------------------------------------------------------------------------- matching

double as_number(const Value& v) {
  if (const std::int64_t* i = v.as_int()) return static_cast<double>(*i);
  if (const auto* d = std::get_if<Decimal>(&v.data()))
    return static_cast<double>(d->ten_thousandths) / 10'000;
  const auto* n = std::get_if<Number>(&v.data());
  return n != nullptr ? n->value : 0;
}

Texts texts_at(const Peek& at, std::string_view key) {
  Texts out;
  for (const Value& v : at[key].list())
    out.emplace_back(Peek(v).text());
  return out;
}

Texts common(const Texts& wanted, const Texts& have) {
  std::set<std::string> out;
  for (const std::string& one : have)
    if (std::ranges::find(wanted, one) != wanted.end()) out.insert(one);
  return {out.begin(), out.end()};
}

/// One tool against one rule; evidence gets a key for each member that was tested.
class Matcher {
 public:
  Matcher(const PackScan& scan, const Tool& tool, const Action* action)
      : scan_(scan), tool_(tool), action_(action) {}

  /// Alternatives nest no deeper than kMaxPackDepth.
  bool matches(const Value& match, Map& evidence) const {
    const Peek at(match);
    return fits_lists(at, evidence) && fits_flags(at, evidence) &&
           fits_parameters(at["parameters"].list(), evidence) &&
           fits_capability(at["capability"], evidence) && fits_composition(at, evidence);
  }

 private:
  bool fits_lists(const Peek& at, Map& evidence) const {
    if (const Texts wanted = texts_at(at, "risk_tags"); !wanted.empty()) {
      const Texts hit = common(wanted, risk_tags(tool_));
      if (hit.empty()) return false;
      evidence.set("risk_tags", string_list(hit));
    }
    if (const Texts wanted = texts_at(at, "source_types"); !wanted.empty()) {
      if (common(wanted, {tool_.source_type}).empty()) return false;
      evidence.set("source_type", tool_.source_type);
    }
    if (const Texts wanted = texts_at(at, "environment_targets"); !wanted.empty()) {
      if (common(wanted, {scan_.manifest.target}).empty()) return false;
      evidence.set("environment_target", scan_.manifest.target);
    }
    return true;
  }

  static bool fits_flag(const Peek& at, std::string_view key, bool is_so, Map& evidence) {
    if (!at[key].exists()) return true;
    if (at[key].is_true() != is_so) return false;
    evidence.set(std::string(key), is_so);
    return true;
  }

  bool fits_flags(const Peek& at, Map& evidence) const {
    const auto& s = scan_.surface;
    return fits_flag(at, "missing_owner", tool_.owner.empty(), evidence) &&
           fits_flag(at, "missing_auth_scopes", tool_.auth.scopes.empty(), evidence) &&
           fits_flag(at, "missing_approval_policy", !s.approval_tools.contains(tool_.name),
                     evidence) &&
           fits_flag(at, "missing_confirmation_policy", !s.confirmation_tools.contains(tool_.name),
                     evidence) &&
           fits_flag(at, "missing_idempotency_policy",
                     !has_idempotency_evidence(tool_, s.idempotency_tools), evidence);
  }

  static bool fits_parameter(const Peek& wanted, const Parameter& p) {
    Texts names = texts_at(wanted, "names");
    if (!wanted["name"].text().empty()) names.emplace_back(wanted["name"].text());
    const Texts types = texts_at(wanted, "types");
    Map unused;
    return (names.empty() || !common(names, {p.name}).empty()) &&
           (types.empty() || !common(types, {p.type, surface::json_type_of(p.type)}).empty()) &&
           fits_flag(wanted, "missing_maximum", p.maximum.is_null(), unused) &&
           fits_flag(wanted, "required", p.required, unused) &&
           fits_bound(wanted, "maximum_above", p.maximum, std::greater()) &&
           fits_bound(wanted, "minimum_below", p.minimum, std::less());
  }

  template <class Beyond>
  static bool fits_bound(const Peek& wanted, std::string_view key, const Value& declared,
                         Beyond beyond) {
    const Value* bound = wanted.map().find(key);
    if (bound == nullptr || bound->is_null()) return true;
    return !declared.is_null() && beyond(as_number(declared), as_number(*bound));
  }

  bool fits_parameters(const List& wanted, Map& evidence) const {
    List hit;
    for (const Value& one : wanted) {
      const auto found = std::ranges::find_if(
          tool_.parameters, [&](const Parameter& p) { return fits_parameter(Peek(one), p); });
      if (found == tool_.parameters.end()) return false;
      hit.emplace_back(Map{{"name", found->name},
                           {"type", text_or_null(found->type)},
                           {"required", found->required},
                           {"maximum", found->maximum}});
    }
    if (!wanted.empty()) evidence.set("parameters", std::move(hit));
    return true;
  }

  bool fits_capability(const Peek& wanted, Map& evidence) const {
    if (!wanted.exists()) return true;
    Map seen;
    const auto fits_any = [&](std::string_view key, const Texts& have) {
      const Texts names = texts_at(wanted, key);
      if (names.empty()) return true;
      const Texts hit = common(names, have);
      seen.set(std::string(key), string_list(hit));
      return !hit.empty();
    };
    const auto of_action = [&](std::string Action::*member) {
      return action_ != nullptr ? Texts{action_->*member} : Texts{};
    };
    const bool fits =
        fits_any("tool_names", {tool_.name}) &&
        fits_any("providers", of_action(&Action::provider)) &&
        fits_any("operations", of_action(&Action::operation)) &&
        fits_any("source_types", {tool_.source_type}) &&
        fits_any("effects", of_action(&Action::effect)) &&
        fits_any("risk_tags", risk_tags(tool_)) && fits_any("scopes", tool_.auth.scopes) &&
        fits_any("auth_types", {tool_.auth.type}) &&
        fits_any("credential_modes", {tool_.auth.credential_mode}) &&
        fits_flag(wanted, "broad_scope",
                  std::ranges::any_of(tool_.auth.scopes, surface::is_broad_scope), seen) &&
        fits_flag(wanted, "externally_visible",
                  has(tool_, {"external_write", "customer_communication"}), seen) &&
        fits_flag(wanted, "handles_sensitive_data", has(tool_, {"sensitive_data_access"}), seen) &&
        fits_flag(wanted, "financial", has(tool_, {"financial_action"}), seen) &&
        fits_flag(wanted, "code_execution", has(tool_, {"code_execution"}), seen) &&
        fits_flag(wanted, "high_risk", is_high_risk(tool_), seen);
    if (fits) evidence.set("capability", std::move(seen));
    return fits;
  }

  bool fits_composition(const Peek& at, Map& evidence) const {
    const auto fits = [&](const Value& one) {
      Map inner;
      return matches(one, inner);
    };
    const List &all = at["all_of"].list(), &any = at["any_of"].list(), &none = at["none_of"].list();
    if (!std::ranges::all_of(all, fits) || (!any.empty() && std::ranges::none_of(any, fits)) ||
        std::ranges::any_of(none, fits))
      return false;
    for (const auto& [key, list] :
         {std::pair{"all_of", &all}, std::pair{"any_of", &any}, std::pair{"none_of", &none}})
      if (!list->empty()) evidence.set(key, true);
    return true;
  }

  const PackScan& scan_;
  const Tool& tool_;
  const Action* action_;
};

checks::Finding finding_of(const PolicyPack& pack, const PackRule& rule, const Tool& tool,
                           std::string agent_id, Map evidence) {
  checks::Finding f;
  f.check_id = rule.id;
  f.title = !rule.title.empty()         ? rule.title
            : !rule.description.empty() ? rule.description
                                        : fmt::format("Policy pack rule {} matched", rule.id);
  f.severity = rule.severity;
  f.category = rule.category;
  f.tool_id = tool.id;
  f.tool_name = tool.name;
  f.agent_id = std::move(agent_id);
  f.evidence = std::move(evidence);
  f.confidence = rule.confidence;
  f.provenance = checks::Provenance::policy_pack;
  f.source = checks::FindingSource{"policy_pack", pack.path};
  f.recommendation = rule.recommendation;
  f.blocks_release = rule.block;
  return f;
}

}  // namespace

Map document_of(const PolicyPack& p) {
  return {{"id", p.id},
          {"name", p.name},
          {"version", text_or_null(p.version)},
          {"path", p.path},
          {"rule_count", static_cast<std::int64_t>(p.rules.size())}};
}

Result<PolicyPacks> load_policy_packs(const Manifest& manifest, const Texts& command_line,
                                      surface::Files& files, Texts& warnings) {
  surface::PathEntries entries = manifest.policy_packs;
  for (const std::string& path : command_line)
    entries.push_back({.path = path});
  PolicyPacks out;
  PackReader reader(files);
  for (const surface::PathEntry& entry : entries)
    GH_DO(surface::unless_optional(
        entry.optional, fmt::format("Optional policy pack '{}' failed to load.", entry.path),
        warnings, [&]() -> Status {
          GH_TRY(pack, reader.read(entry));
          out.push_back(std::move(pack));
          return {};
        }));
  GH_DO(check_unique(out));
  return out;
}

const PackRule* find_rule(const PolicyPacks& packs, std::string_view id) {
  for (const PolicyPack& pack : packs)
    for (const PackRule& rule : pack.rules)
      if (rule.id == id) return &rule;
  return nullptr;
}

std::vector<checks::Finding> run_policy_packs(const PolicyPacks& packs, const PackScan& scan) {
  std::map<std::string_view, const Action*> by_tool;
  for (const Action& action : scan.actions)
    by_tool.emplace(action.tool_id, &action);
  std::vector<checks::Finding> out;
  for (const PolicyPack& pack : packs)
    for (const PackRule& rule : pack.rules)
      for (const Tool& tool : scan.surface.tools) {
        const auto action = by_tool.find(tool.id);
        const Matcher matcher(scan, tool, action != by_tool.end() ? action->second : nullptr);
        Map evidence{{"policy_pack", pack.id}, {"policy_pack_path", pack.path}};
        if (matcher.matches(rule.match, evidence))
          out.push_back(
              finding_of(pack, rule, tool, scan.manifest.agent_id(), std::move(evidence)));
      }
  return out;
}

}  // namespace gh::release
