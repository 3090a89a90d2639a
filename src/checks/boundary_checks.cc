// What a change does to the boundary of coding agents and to the bounds of toolkits (tool-surface
// 13.11, 13.13). Each of them is silent without a verification.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "checks/check_groups.h"
#include "checks/verification.h"
#include "model/peek.h"
#include "surface/verbs.h"

namespace gh::checks {
namespace {

using surface::Tool;
using surface::Toolkit;
using Texts = std::vector<std::string>;
using Toolkits = std::vector<Toolkit>;

constexpr std::string_view kApproved = "codex_boundary_auto_approve",
                           kServerAdded = "host_boundary_mcp_server_added";

/// SHIP-HOST-BOUNDARY-HOOK-CHANGED tells host_boundary_hook_changed.
std::string kind_of(const Check& check) {
  constexpr std::string_view kPrefix = "SHIP-";
  std::string out = surface::lower_case(check.id.substr(kPrefix.size()));
  std::ranges::replace(out, '-', '_');
  return out;
}

std::vector<const BoundaryFact*> facts_of(const Scan& scan, std::string_view kind) {
  std::vector<const BoundaryFact*> out;
  if (scan.verification == nullptr) return out;
  for (const BoundaryFact& fact : scan.verification->boundary)
    if (fact.kind == kind) out.push_back(&fact);
  return out;
}

Peek member_of(const BoundaryFact& fact, std::string_view key) {
  return Peek(fact.evidence.find(key));
}

FindingSource at(const surface::Place& place) {
  return {.type = "changed_file", .ref = place.path, .place = place};
}

void tell(const Check& check, const BoundaryFact& fact, Map evidence, Found& found) {
  found.about_agent(check,
                    {.what = fact.what, .evidence = std::move(evidence), .source = at(fact.place)});
}

// ------------------------------------------------------------------------------ tools of servers

enum class Effect : std::uint8_t { reads, writes, unknown };

Effect effect_of(const Tool& tool) {
  if (is_write(tool) || is_high_risk(tool)) return Effect::writes;
  const auto verb = surface::verb_of(tool);
  if (is_read_only(tool)) return Effect::reads;
  if (verb && is_mutating(*verb)) return Effect::writes;
  return surface::is_evidence(verb) && verb->what == "read" ? Effect::reads : Effect::unknown;
}

/// What a source says about it, else what its name says.
Effect effect_of(const Scan& scan, std::string_view name) {
  const auto& tools = scan.surface.tools;
  const auto known = std::ranges::find_if(
      tools, [&](const Tool& tool) { return as_granted(tool.name) == as_granted(name); });
  return effect_of(known != tools.end() ? *known : surface::make_tool("mcp", std::string(name)));
}

/// The strongest of them; nobody knows what none of them does.
Effect effect_of(const std::set<Effect>& all) {
  if (all.contains(Effect::writes)) return Effect::writes;
  return all.empty() || all.contains(Effect::unknown) ? Effect::unknown : Effect::reads;
}

/// Of all tools of a server: those of the source of its name.
Effect effect_of_server(const Scan& scan, std::string_view server) {
  std::set<Effect> all;
  for (const Tool& tool : scan.surface.tools)
    if (as_granted(tool.source_id) == as_granted(server)) all.insert(effect_of(tool));
  return effect_of(all);
}

void codex_approves(const Check& check, const Scan& scan, Found& found, Effect wanted) {
  for (const BoundaryFact* fact : facts_of(scan, kApproved)) {
    const std::string_view tool = member_of(*fact, "tool").text();
    const Effect effect = tool == "*" ? effect_of_server(scan, member_of(*fact, "server").text())
                                      : effect_of(scan, tool);
    if (effect != wanted) continue;
    Map told = fact->evidence;
    told.set("kind", kind_of(check));
    tell(check, *fact, std::move(told), found);
  }
}

// -------------------------------------------------------------------------------------- toolkits

struct ToolkitPair {
  const Toolkit *base, *head;
};

/// Toolkits of head with what they were: under the same name in the same file, else one of the same
/// constructor that stands nowhere any more. A new one has no base.
std::vector<ToolkitPair> paired(const Toolkits& base, const Toolkits& head) {
  const auto is_same = [](const Toolkit& a, const Toolkit& b) {
    return a.provider == b.provider && a.constructor == b.constructor && a.binding == b.binding &&
           a.source_ref == b.source_ref;
  };
  std::set<const Toolkit*> taken, placed;
  std::vector<ToolkitPair> out;
  const auto pair_up = [&](auto fits) {
    for (const Toolkit& is : head) {
      if (placed.contains(&is)) continue;
      const auto was = std::ranges::find_if(
          base, [&](const Toolkit& one) { return !taken.contains(&one) && fits(one, is); });
      if (was == base.end()) continue;
      taken.insert(&*was);
      placed.insert(&is);
      out.push_back({&*was, &is});
    }
  };
  pair_up(is_same);
  pair_up([](const Toolkit& a, const Toolkit& b) { return a.provider == b.provider; });
  return out;
}

template <class Look>
void each_toolkit(const Scan& scan, Look look) {
  if (scan.verification == nullptr || !scan.verification->base_toolkits) return;
  for (const ToolkitPair& pair : paired(*scan.verification->base_toolkits, scan.surface.toolkits))
    look(*pair.base, *pair.head);
}

void tell(const Check& check, const Toolkit& toolkit, Map evidence, Found& found) {
  Map all{{"kind", ""},
          {"provider", toolkit.provider},
          {"constructor", toolkit.constructor},
          {"binding", toolkit.binding},
          {"source_ref", toolkit.source_ref}};
  for (auto& [key, value] : evidence.entries())
    all.set(key, value);
  found.about_agent(
      check, {.what = toolkit.constructor,
              .evidence = std::move(all),
              .source = FindingSource{"toolkit",
                                      toolkit.source_ref,
                                      fmt::format("{}:{}", toolkit.source_ref, toolkit.line),
                                      {.path = toolkit.source_ref, .start_line = toolkit.line}}});
}

std::string_view without_dots(std::string_view path) {
  while (path.starts_with("./") || path.starts_with("../"))
    path.remove_prefix(path.find('/') + 1);
  return path;
}

/// Code names a file from where it is started, which nobody knows: the end of the path decides.
bool is_that_file(std::string_view changed, std::string_view named) {
  named = without_dots(named);
  return !named.empty() && changed.ends_with(named) &&
         (changed.size() == named.size() || changed[changed.size() - named.size() - 1] == '/');
}

}  // namespace

void boundary_fact(const Check& check, const Scan& scan, Found& found) {
  for (const BoundaryFact* fact : facts_of(scan, kind_of(check)))
    tell(check, *fact, fact->evidence, found);
}

void codex_approves_write(const Check& check, const Scan& scan, Found& found) {
  codex_approves(check, scan, found, Effect::writes);
}

void codex_approves_unknown(const Check& check, const Scan& scan, Found& found) {
  codex_approves(check, scan, found, Effect::unknown);
}

void readonly_server_added(const Check& check, const Scan& scan, Found& found) {
  for (const BoundaryFact* fact : facts_of(scan, kServerAdded)) {
    std::set<Effect> named;
    for (const Value& tool : member_of(*fact, "tools").list())
      named.insert(effect_of(scan, Peek(tool).text()));
    const Effect effect = named.empty() ? effect_of_server(scan, member_of(*fact, "server").text())
                                        : effect_of(named);
    if (effect == Effect::reads)
      tell(check, *fact,
           {{"kind", kind_of(check)},
            {"path", fact->place.path},
            {"server", member_of(*fact, "server").text()}},
           found);
  }
}

void capability_broadened(const Check& check, const Scan& scan, Found& found) {
  each_toolkit(scan, [&](const Toolkit& base, const Toolkit& head) {
    Texts added;
    std::ranges::set_difference(head.scopes, base.scopes, std::back_inserter(added));
    if (!base.bounded || (head.bounded && added.empty())) return;
    tell(check, head,
         {{"kind", head.bounded ? "toolkit_widened" : "toolkit_unbounded"},
          {"base_scopes", string_list(base.scopes)},
          {"head_scopes", string_list(head.scopes)},
          {"added_scopes", string_list(added)},
          {"source_line", head.line}},
         found);
  });
}

void binding_removed(const Check& check, const Scan& scan, Found& found) {
  each_toolkit(scan, [&](const Toolkit& base, const Toolkit& head) {
    if (base.config_binding != "config" || head.config_binding == "config") return;
    tell(check, head, {{"kind", "config_binding_removed"}, {"base_config_path", base.config_path}},
         found);
  });
}

void binding_changed(const Check& check, const Scan& scan, Found& found) {
  each_toolkit(scan, [&](const Toolkit& base, const Toolkit& head) {
    if (base.config_binding != "config" || head.config_binding != "config") return;
    const auto told = [&](const std::string& changed) {
      tell(check, head,
           {{"kind", "config_binding_changed"},
            {"config_path", head.config_path},
            {"changed_file", changed}},
           found);
    };
    if (base.config_path != head.config_path) return told(head.source_ref);
    for (const std::string& file : scan.verification->changed_files)
      if (is_that_file(file, head.config_path)) told(file);
  });
}

}  // namespace gh::checks
