#include "release/overrides.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "checks/catalogue.h"

namespace gh::release {
namespace {

using surface::FindingSeverity;
using surface::Manifest;

enum class Tier : std::uint8_t { normal, high, critical };
constexpr std::string_view kTiers[] = {"normal (medium, low, info)", "high", "critical"};

Tier tier_of(FindingSeverity s) {
  if (s == FindingSeverity::critical) return Tier::critical;
  return s == FindingSeverity::high ? Tier::high : Tier::normal;
}
std::string_view to_string(Tier t) { return kTiers[static_cast<std::size_t>(t)]; }

tl::unexpected<Error> refuse(const Manifest& m, std::string_view pointer, std::string what) {
  const surface::Place place = m.place(pointer);
  return fail(Code::policy_bad_value, place.start_line == 0
                                          ? fmt::format("{}: {}", m.file, what)
                                          : fmt::format("{}:{}:{}: {}", m.file, place.start_line,
                                                        place.start_column, what));
}

Status check_expiry(const Manifest& m, std::string_view today) {
  std::vector<std::string> old;
  for (const auto& ack : m.acknowledgements)
    if (!ack.expires.empty() && ack.expires <= today)
      old.push_back(fmt::format("{} ({})", ack.check_id, ack.expires));
  if (!old.empty())
    return refuse(m, "/checks/acknowledge_overrides",
                  fmt::format("acknowledgements have expired: {}", join(old, ", ")));
  for (const auto& given : m.severity_overrides)
    if (!given.expires.empty() && given.expires <= today)
      return refuse(m, "/checks/severity_overrides/" + given.check_id,
                    fmt::format("the override of {} expired on {}", given.check_id, given.expires));
  return {};
}

/// The strongest of the rows that an id stands for; an action policy is as severe as it says.
struct Standard {
  FindingSeverity severity = FindingSeverity::info;
  FindingSeverity floor = FindingSeverity::info;  // the lowest there is: none
};
std::optional<Standard> standard_of(const Manifest& m, const PolicyPacks& packs,
                                    std::string_view id) {
  if (const PackRule* rule = find_rule(packs, id)) return Standard{.severity = rule->severity};
  std::optional<Standard> out;
  for (const std::string_view one : checks::expanded(id)) {
    if (const auto* covered = checks::find_covered_check(one))
      return Standard{covered->severity, covered->floor};
    const checks::Check* check = checks::find_check(one);
    if (check == nullptr) return std::nullopt;
    if (!out) out.emplace();
    out->severity = std::max(out->severity, check->severity);
    if (check->floor) out->floor = std::max(out->floor, *check->floor);
    if (check->dynamic_default)
      for (const auto& policy : m.action_policies)
        out->severity = std::max(out->severity, policy.severity);
  }
  return out;
}

Result<OverrideRow> resolve(const Manifest& m, const PolicyPacks& packs,
                            const surface::SeverityOverride& given) {
  const std::string pointer = "/checks/severity_overrides/" + given.check_id;
  const auto standard = standard_of(m, packs, given.check_id);
  if (!standard) return refuse(m, pointer, fmt::format("unknown check_id '{}'", given.check_id));
  if (given.severity < standard->floor)
    return refuse(m, pointer,
                  fmt::format("{} cannot be lowered to {}: its floor is {}", given.check_id,
                              to_string(given.severity), to_string(standard->floor)));
  const Tier from = tier_of(standard->severity), to = tier_of(given.severity);
  const auto ack =
      std::ranges::find(m.acknowledgements, given.check_id, &surface::Acknowledgement::check_id);
  const bool crosses_down = to < from;
  if (crosses_down && ack == m.acknowledgements.end())
    return refuse(m, pointer,
                  fmt::format("lowering {} from {} to {} leaves the tier {} for {} and needs an "
                              "entry in checks.acknowledge_overrides",
                              given.check_id, to_string(standard->severity),
                              to_string(given.severity), to_string(from), to_string(to)));
  return OverrideRow{given.check_id,
                     standard->severity,
                     given.severity,
                     fmt::format("{}#{}", m.file, m.pointer(pointer)),
                     crosses_down ? ack->reason : given.reason,
                     crosses_down ? ack->expires : given.expires,
                     from != to};
}

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

}  // namespace

Map document_of(const OverrideRow& r) {
  return {{"check_id", r.check_id},
          {"default_severity", to_string(r.standard)},
          {"applied_severity", to_string(r.applied)},
          {"manifest_path", r.manifest_path},
          {"reason", text_or_null(r.reason)},
          {"tier_crossed", r.tier_crossed},
          {"direction", r.applied < r.standard   ? "downgrade"
                        : r.applied > r.standard ? "upgrade"
                                                 : "same"},
          {"expires", text_or_null(r.expires)}};
}

Result<std::vector<OverrideRow>> resolve_overrides(const Manifest& m, const PolicyPacks& packs,
                                                   std::string_view today) {
  GH_DO(check_expiry(m, today));
  std::vector<OverrideRow> out;
  for (const auto& given : m.severity_overrides) {
    GH_TRY(row, resolve(m, packs, given));
    out.push_back(std::move(row));
  }
  return out;
}

void apply_overrides(std::vector<checks::Finding>& findings, const std::vector<OverrideRow>& rows) {
  for (checks::Finding& f : findings) {
    if (f.category == "baseline") continue;
    for (const OverrideRow& row : rows) {
      const auto ids = checks::expanded(row.check_id);
      if (std::ranges::find(ids, f.check_id) == ids.end()) continue;
      if (f.evidence.find("default_severity") == nullptr)
        f.evidence.set("default_severity", to_string(f.severity));
      f.severity = row.applied;
    }
  }
}

}  // namespace gh::release
