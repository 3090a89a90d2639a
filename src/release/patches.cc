#include "release/patches.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "checks/catalogue.h"
#include "model/peek.h"
#include "wire/document.h"

namespace gh::release {
namespace {

using surface::Manifest;

constexpr std::string_view kNeverEdit =
    " Implement the gate at run time; do not edit the recording.";

class Patches {
 public:
  Patches(const Manifest& manifest, const PatchTarget& target)
      : manifest_(manifest), target_(target) {}

  List of(const Finding& f) const {
    for (const Generator& row : kGenerators)
      if (row.check_id == f.check_id) {
        List found = (this->*row.make)(f.evidence);
        if (!found.empty()) return found;
      }
    return {Value(manual(f))};
  }

 private:
  struct Generator {
    std::string_view check_id;
    List (Patches::*make)(const Map& evidence) const;
  };

  static Map manual(const Finding& f) {
    const checks::Check* check = checks::find_check(f.check_id);
    std::string text = check != nullptr && !contains(check->recommendation, "{")
                           ? std::string(check->recommendation)
                           : f.recommendation;
    if (f.check_id.starts_with("SHIP-API-TRACE-")) text += kNeverEdit;
    return {{"kind", "manual"}, {"instructions", std::move(text)}};
  }

  Map edit(std::string_view kind, std::string_view pointer, std::string_view confidence,
           std::string_view rationale) const {
    return {{"kind", kind},
            {"target_file", target_.file},
            {"pointer", manifest_.pointer(pointer)},
            {"target_format", "yaml"},
            {"confidence", confidence},
            {"rationale", rationale},
            {"target_sha256", target_.sha256}};
  }

  List removal(const std::string& pointer) const {
    return {Value(edit("remove_pointer", pointer, "high", "The entry applies to nothing."))};
  }

  /// The place of the only entry that fits; nothing when there are none or several.
  template <class Entries, class Fits>
  List only(const Entries& entries, std::string_view list, Fits fits) const {
    if (std::ranges::count_if(entries, fits) != 1) return {};
    const auto at = std::ranges::find_if(entries, fits) - entries.begin();
    return removal(fmt::format("{}/{}", list, at));
  }

  List stale_suppression(const Map& evidence) const {
    const std::string_view id = Peek(evidence.find("check_id")).text();
    const std::string_view tool = Peek(evidence.find("tool")).text();
    return only(manifest_.ignore, "/checks/ignore",
                [&](const auto& e) { return e.check_id == id && e.tool == tool; });
  }

  List stale_policy(const Map& evidence) const {
    const std::string policy{Peek(evidence.find("policy")).text()};
    const std::string_view tool = Peek(evidence.find("tool")).text();
    const surface::Controls& entries = policy == "require_approval_for_tools" ? manifest_.approval
                                       : policy == "require_confirmation_for_tools"
                                           ? manifest_.confirmation
                                           : manifest_.idempotency;
    return only(entries, "/policies/" + policy, [&](const auto& e) { return e.tool == tool; });
  }

  List stale_override(const Map& evidence) const {
    const std::string_view tool = Peek(evidence.find("tool")).text();
    if (manifest_.risk_override_of(tool) == nullptr) return {};
    return removal("/risk_overrides/tools" + wire::pointer_part(tool));
  }

  List missing_scopes(const Map& evidence) const {
    List out;
    for (const Value& scope : Peek(evidence.find("missing_scopes")).list()) {
      Map patch = edit("append_pointer", "/permissions/scopes", "medium",
                       "The tool needs the scope; review that it may have it.");
      patch.set("value", scope);
      out.emplace_back(std::move(patch));
    }
    return out;
  }

  // table: patches by check
  static constexpr std::array<Generator, 4> kGenerators{{
      {"SHIP-MANIFEST-STALE-SUPPRESSION", &Patches::stale_suppression},
      {"SHIP-MANIFEST-STALE-POLICY", &Patches::stale_policy},
      {"SHIP-MANIFEST-STALE-RISK-OVERRIDE", &Patches::stale_override},
      {"SHIP-AUTH-SCOPE-COVERAGE-MISSING", &Patches::missing_scopes},
  }};

  const Manifest& manifest_;
  const PatchTarget& target_;
};

}  // namespace

void attach_patches(Findings& findings, const Manifest& manifest, const PatchTarget& target) {
  const Patches patches(manifest, target);
  for (GatedFinding& g : findings)
    g.patches = g.suppressed ? List{} : patches.of(g.finding);
}

}  // namespace gh::release
