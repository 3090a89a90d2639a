#include "powers/boundary.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/sorted.h"
#include "base/text.h"
#include "policy/glob.h"
#include "powers/facts.h"
#include "powers/words.h"
#include "wire/toml.h"

namespace gh::powers {
namespace {

using Texts = std::vector<std::string>;

enum class Family : std::uint8_t { host, workflow, codex, skill };
struct FamilyRow {
  std::string_view pattern;  // small letters
  Family family;
};
// clang-format off
// table: files of the boundary
constexpr FamilyRow kFamilies[] = {
    {"**/.mcp.json", Family::host}, {"**/.cursor/mcp.json", Family::host}, {"**/.vscode/mcp.json", Family::host},
    {"**/.claude/settings.json", Family::host}, {"**/.claude/settings.local.json", Family::host},
    {".github/workflows/*.yml", Family::workflow}, {".github/workflows/*.yaml", Family::workflow},
    {"**/.codex/config.toml", Family::codex}, {"**/.codex/hooks.json", Family::codex},
    {"**/.codex/skills/**/skill.md", Family::skill}, {"**/.agents/skills/**/skill.md", Family::skill},
};
// table: members of an MCP server that make it another server
constexpr std::array<std::string_view, 18> kServerMembers{
    "command", "args", "url", "httpUrl", "serverUrl", "type", "transport", "cwd", "env", "env_vars", "envFile",
    "headers", "http_headers", "env_http_headers", "headersHelper", "http_headers_helper", "bearer_token_env_var", "environment_id"};
// table: members of an MCP server of which only the names of the keys are told
constexpr std::array<std::string_view, 4> kNamesOnly{"env", "headers", "http_headers", "env_http_headers"};
// table: lists of an MCP server that name the only tools that it may offer
constexpr std::array<std::string_view, 2> kOnlyTools{"enabled_tools", "includeTools"};
// table: kinds of facts, in the order in which they are told
constexpr std::array<std::string_view, 17> kKinds{
    "host_boundary_mcp_server_added", "host_boundary_mcp_server_changed", "host_boundary_permission_wildcard_allow",
    "host_boundary_permission_allow_expanded", "host_boundary_permission_deny_removed", "host_boundary_hook_changed",
    "host_boundary_workflow_write_all", "host_boundary_workflow_permissions_expanded",
    "host_boundary_pull_request_target_added", "host_boundary_config_parse_failed", "codex_boundary_network_wildcard",
    "codex_boundary_danger_full_access", "codex_boundary_auto_approve", "codex_boundary_hook_command_changed",
    "codex_boundary_skill_command_changed", "codex_boundary_parse_failed", "mcp_permission_expanded"};
// table: names of code blocks whose lines a shell runs
constexpr std::string_view kShellBlocks = "bash sh zsh shell console shell-session terminal powershell pwsh";
// clang-format on

constexpr std::size_t kMaxNamed = 4;  // in the subject; the evidence has them all

const FamilyRow* family_of(std::string_view path) {
  const std::string folded = small_letters(path);
  const auto* row = std::ranges::find_if(kFamilies, [&](const FamilyRow& one) {
    return policy::matches_pathglob(folded, one.pattern);
  });
  return row == std::end(kFamilies) ? nullptr : row;
}

/// What a configuration of Codex lets happen without a question: names of keys, with their lines.
struct CodexFacts {
  std::map<std::string, std::int64_t> network{}, danger{};
  std::map<std::pair<std::string, std::string>, std::int64_t> approved{};  // server, tool or *
};

/// One side of all files: what is known of it.
struct Side {
  Facts hosts{}, codex{}, rights{};
  std::map<std::string, CodexFacts> configs{};
  std::map<std::string, Texts> commands{};  // of skills
};

// ------------------------------------------------------------------------------------- one side

/// `*` takes every host; a text of stars alone is no less.
bool is_everything(std::string_view text) {
  return !text.empty() && text.find_first_not_of('*') == text.npos;
}

void read_network(const Node& permissions, std::string_view prefix, CodexFacts& out) {
  const Map* profiles = permissions.map();
  for (std::size_t i = 0; profiles != nullptr && i < profiles->entries().size(); ++i) {
    const std::string& name = profiles->entries()[i].first;
    const Node network = permissions.child(i).member("network");
    for (const std::string_view list : {"domains", "allowed_domains"}) {
      const Node domains = network.member(list);
      const std::string key = fmt::format("{}permissions.{}.network.{}", prefix, name, list);
      if (const Map* map = domains.map())
        for (std::size_t d = 0; d < map->entries().size(); ++d)
          if (is_everything(map->entries()[d].first) && domains.child(d).text() == "allow")
            out.network.emplace(key, domains.child(d).line);
      if (const List* items = domains.list())
        for (std::size_t d = 0; d < items->size(); ++d)
          if (is_everything(domains.child(d).text()))
            out.network.emplace(key, domains.child(d).line);
    }
  }
}

void read_codex_part(const Node& root, const std::string& prefix, CodexFacts& out) {
  if (const Node mode = root.member("sandbox_mode"); mode.text() == "danger-full-access")
    out.danger.emplace(prefix + "sandbox_mode", mode.line);
  const Node network = root.member("sandbox_workspace_write").member("network_access");
  if (network.value != nullptr && network.value->as_bool() != nullptr && *network.value->as_bool())
    out.network.emplace(prefix + "sandbox_workspace_write.network_access", network.line);
  read_network(root.member("permissions"), prefix, out);
  const Node servers = root.member("mcp_servers");
  const Map* map = servers.map();
  for (std::size_t i = 0; map != nullptr && i < map->entries().size(); ++i) {
    const std::string& server = map->entries()[i].first;
    const Node entry = servers.child(i);
    if (const Node mode = entry.member("default_tools_approval_mode"); mode.text() == "approve")
      out.approved.emplace(std::pair(server, "*"), mode.line);
    const Node tools = entry.member("tools");
    for (std::size_t t = 0; tools.map() != nullptr && t < tools.map()->entries().size(); ++t)
      if (const Node mode = tools.child(t).member("approval_mode"); mode.text() == "approve")
        out.approved.emplace(std::pair(server, tools.map()->entries()[t].first), mode.line);
  }
}

/// Of the file itself, and of each of its profiles.
Defect read_codex(const std::string& path, std::string_view text, CodexFacts& out) {
  const auto read = wire::read_toml(text, path, {.max_bytes = kMaxFileBytes, .levels = 32});
  if (!read) return defect_of(read.error(), path);
  const Node root{&read->root, &read->marks, 1};
  read_codex_part(root, "", out);
  const Node profiles = root.member("profiles");
  for (std::size_t i = 0; profiles.map() != nullptr && i < profiles.map()->entries().size(); ++i)
    read_codex_part(profiles.child(i),
                    fmt::format("profiles.{}.", profiles.map()->entries()[i].first), out);
  return {};
}

/// Lines that a skill has a shell run: those of its blocks of shell code.
Texts commands_of(std::string_view text) {
  Texts out;
  bool is_code = false, is_shell = false;
  for (const std::string_view given : split(text, '\n')) {
    const std::string_view line = without_margin(given);
    if (line.starts_with("```") || line.starts_with("~~~")) {
      const std::string name = small_letters(without_margin(line.substr(3)));
      is_code = !is_code;
      is_shell =
          is_code && (name.empty() || is_among(kShellBlocks, name.substr(0, name.find(' '))));
    } else if (is_shell && !line.empty() && !line.starts_with('#')) {
      out.emplace_back(line);
    } else if (!is_code) {
      // !`command` is run when the skill is read.
      for (std::size_t at = line.find("!`"); at != line.npos; at = line.find("!`", at + 2))
        out.emplace_back(line.substr(at, line.find('`', at + 2) - at));
    }
  }
  sort_unique(out);
  return out;
}

Defect read_text(Family family, const std::string& path, std::string_view text, Side& out) {
  if (family == Family::skill) {
    out.commands[path] = commands_of(text);
    return {};
  }
  if (family == Family::workflow) return collect_rights(path, text, out.rights);
  const auto known = known_file(path);
  if (!known) return {};
  Facts facts;
  Defect defect = collect(*known, path, text, facts);
  if (!defect.is_set() && family == Family::codex && path.ends_with(".toml"))
    defect = read_codex(path, text, out.configs[path]);
  if (defect.is_set()) return defect;
  Facts& all = family == Family::codex ? out.codex : out.hosts;
  std::ranges::move(facts.grants, std::back_inserter(all.grants));
  std::ranges::move(facts.restrictions, std::back_inserter(all.restrictions));
  std::ranges::move(facts.scales, std::back_inserter(all.scales));
  std::ranges::move(facts.hooks, std::back_inserter(all.hooks));
  std::ranges::move(facts.servers, std::back_inserter(all.servers));
  std::ranges::move(facts.parts, std::back_inserter(all.parts));
  return {};
}

Defect read_entry(Family family, const std::string& path, const std::optional<Entry>& entry,
                  Side& out) {
  if (!entry) return {};
  if (entry->kind != EntryKind::text) return {.what = std::string(word_of(entry->kind))};
  if (entry->text.size() > kMaxEntryBytes) return {.what = "too large"};
  return read_text(family, path, entry->text, out);
}

// ---------------------------------------------------------------------------------- comparison

/// `*`, a tool without brackets, all that a tool can do, all tools of a server.
bool is_wildcard(std::string_view rule) {
  rule = without_margin(rule);
  constexpr std::string_view kServer = "mcp__";
  if (rule.starts_with(kServer)) {
    const std::string_view rest = rule.substr(kServer.size());
    return rest.find("__") == rest.npos || contains(rest, "*");
  }
  const std::size_t open = rule.find('(');
  if (open == rule.npos || !rule.ends_with(')')) return true;
  const std::string_view inner = without_margin(rule.substr(open + 1, rule.size() - open - 2));
  return inner.empty() || inner.find_first_not_of("*:") == inner.npos || inner == "domain:*";
}

bool is_given(const std::vector<Grant>& by, const Grant& grant) {
  return std::ranges::any_of(by, [&](const Grant& one) {
    return one.level == grant.level && one.owner.space == grant.owner.space &&
           one.language == grant.language && covers(one.language, one.rule, grant.rule);
  });
}

/// Those of a kind alone, with what is needed to compare them.
template <class Keep>
Facts only(const Facts& all, Keep keep) {
  Facts out{.parts = all.parts};
  const auto kept = [&](const auto& one) { return keep(one.owner); };
  std::ranges::copy_if(all.grants, std::back_inserter(out.grants), kept);
  std::ranges::copy_if(all.restrictions, std::back_inserter(out.restrictions), kept);
  std::ranges::copy_if(all.scales, std::back_inserter(out.scales), kept);
  std::ranges::copy_if(all.hooks, std::back_inserter(out.hooks), kept);
  return out;
}

std::string shown(const Row& row) {
  if (row.before.empty() || row.after.empty()) return row.before + row.after;
  return fmt::format("{} -> {}", row.before, row.after);
}

class Boundary {
 public:
  Boundary(const Side& before, const Side& after) : before_(before), after_(after) {}

  std::vector<BoundaryChange> run() {
    servers();
    allowed();
    denied();
    hooks(before_.hosts, after_.hosts, "host_boundary_hook_changed");
    hooks(before_.codex, after_.codex, "codex_boundary_hook_command_changed");
    rights();
    codex();
    skills();
    server_permissions();
    return std::move(out_);
  }

 private:
  void put(std::string_view kind, std::string what, Map evidence, const Place& place) {
    Map all{{"kind", kind}, {"path", place.path}};
    for (auto& [key, value] : evidence.entries())
      all.set(key, value);
    out_.push_back({kind, std::move(what), std::move(all), place});
  }

  /// One fact for each file, with everything of its kind in it.
  struct Listed {
    Place place{};
    Texts items{};
  };
  using ByPath = std::map<std::string, Listed>;
  static void list(ByPath& into, const Place& place, std::string item) {
    Listed& one = into[place.path];
    if (one.items.empty() || place.line < one.place.line) one.place = place;
    one.items.push_back(std::move(item));
  }
  void put_listed(std::string_view kind, const char* key, ByPath& found) {
    for (auto& [path, one] : found) {
      sort_unique(one.items);
      Value items = string_list(one.items);
      const std::size_t more = one.items.size() - std::min(one.items.size(), kMaxNamed);
      one.items.resize(one.items.size() - more);
      std::string what = join(one.items, ", ");
      if (more > 0) what += fmt::format(" and {} more", more);
      put(kind, fmt::format("{} in {}", what, path), {{key, std::move(items)}}, one.place);
    }
  }

  // --- servers ---
  static Texts names_in(const Map& members, std::string_view key) {
    Texts out;
    const Value* value = members.find(key);
    if (value != nullptr && value->as_map() != nullptr)
      for (const auto& entry : value->as_map()->entries())
        out.push_back(entry.first);
    std::ranges::sort(out);
    return out;
  }
  static List missing_in(const Texts& these, const Texts& those) {
    List out;
    for (const std::string& one : these)
      if (!std::ranges::binary_search(those, one)) out.emplace_back(one);
    return out;
  }
  void servers() {
    const auto compare = [&](const Facts& before, const Facts& after) {
      for (const Server& is : after.servers) {
        const auto was = std::ranges::find_if(before.servers, [&](const Server& one) {
          return one.owner.space == is.owner.space && one.name == is.name;
        });
        if (was == before.servers.end())
          added(is);
        else
          changed(*was, is);
      }
    };
    compare(before_.hosts, after_.hosts);
    compare(before_.codex, after_.codex);
  }
  void added(const Server& server) {
    Map evidence{{"server", server.name},
                 {"env_keys", string_list(names_in(server.members, "env"))}};
    for (const std::string_view key : kOnlyTools)
      if (const Value* tools = server.members.find(key); tools != nullptr && tools->as_list())
        evidence.set("tools", *tools);
    put("host_boundary_mcp_server_added", server.name, std::move(evidence), server.owner.place);
  }
  void changed(const Server& was, const Server& is) {
    Texts fields;
    for (const std::string_view key : kServerMembers) {
      const Value *before = was.members.find(key), *after = is.members.find(key);
      const bool is_same = (before == nullptr) == (after == nullptr) &&
                           (before == nullptr || text_of(*before) == text_of(*after));
      if (!is_same) fields.emplace_back(key);
    }
    if (fields.empty()) return;
    Texts old_names, new_names;
    for (const std::string_view key : kNamesOnly) {
      std::ranges::move(names_in(was.members, key), std::back_inserter(old_names));
      std::ranges::move(names_in(is.members, key), std::back_inserter(new_names));
    }
    std::ranges::sort(old_names);
    std::ranges::sort(new_names);
    put("host_boundary_mcp_server_changed", fmt::format("{}: {}", is.name, join(fields, ", ")),
        {{"server", is.name},
         {"changed_fields", string_list(fields)},
         {"env_keys_added", missing_in(new_names, old_names)},
         {"env_keys_removed", missing_in(old_names, new_names)}},
        is.owner.place);
  }

  // --- permissions ---
  static bool is_rule(const Grant& grant, Level level) {
    return grant.level == level && grant.owner.kind == Kind::permission &&
           grant.language == Language::claude;
  }
  void allowed() {
    ByPath wild, more;
    std::vector<Grant> fresh;
    for (const Grant& grant : after_.hosts.grants)
      // What a new one gives already, or gave in front of it, is told once.
      if (is_rule(grant, Level::allow) && !is_given(before_.hosts.grants, grant) &&
          !is_given(fresh, grant)) {
        std::erase_if(fresh, [&](const Grant& one) { return is_given({grant}, one); });
        fresh.push_back(grant);
      }
    for (const Grant& grant : fresh)
      list(is_wildcard(grant.rule) ? wild : more, grant.owner.place, grant.rule);
    std::vector<Row> rows;
    const auto is_mode = [](const Owner& owner) { return owner.kind == Kind::mode; };
    compare_facts(only(before_.hosts, is_mode), only(after_.hosts, is_mode), rows);
    for (const Row& row : rows)
      if (row.effect == Effect::widens) list(more, row.place, shown(row));
    put_listed("host_boundary_permission_wildcard_allow", "rules", wild);
    put_listed("host_boundary_permission_allow_expanded", "rules", more);
  }
  void denied() {
    ByPath gone;
    for (const Grant& grant : before_.hosts.grants)
      if (is_rule(grant, Level::deny) && !is_given(after_.hosts.grants, grant))
        list(gone, grant.owner.place, grant.rule);
    put_listed("host_boundary_permission_deny_removed", "rules", gone);
  }
  void hooks(const Facts& before, const Facts& after, std::string_view kind) {
    std::vector<Row> rows;
    const auto is_hook = [](const Owner& owner) { return owner.kind == Kind::hook; };
    compare_facts(only(before, is_hook), only(after, is_hook), rows);
    ByPath found;
    for (const Row& row : rows)
      if (row.effect != Effect::narrows) list(found, row.place, shown(row));
    put_listed(kind, "changes", found);
  }
  void server_permissions() {
    const auto is_permission = [](const Owner& owner) {
      // What makes another server, and what Codex approves, are facts of their own.
      return owner.kind == Kind::server && !owner.space.ends_with("|env_vars") &&
             !owner.space.ends_with("approval_mode");
    };
    const auto compare = [&](const Facts& before, const Facts& after) {
      std::vector<Row> rows;
      compare_facts(only(before, is_permission), only(after, is_permission), rows);
      ByPath found;
      for (const Row& row : rows)
        if (row.effect == Effect::widens) list(found, row.place, shown(row));
      put_listed("mcp_permission_expanded", "changes", found);
    };
    compare(before_.hosts, after_.hosts);
    compare(before_.codex, after_.codex);
  }

  // --- workflows ---
  static bool may_the_same(const Permissions& a, const Permissions& b) {
    return a.is_default == b.is_default && a.is_all == b.is_all && a.scopes == b.scopes;
  }
  /// A job that is new is compared with one that went and may do the same, else with none that may
  /// do anything.
  static Facts with_new_jobs(const Facts& before, const Facts& after) {
    Facts out{.permissions = before.permissions};
    std::set<std::string> taken;
    const auto has = [](const Facts& facts, const std::string& space) {
      return std::ranges::any_of(facts.permissions,
                                 [&](const Permissions& p) { return p.owner.space == space; });
    };
    for (const Permissions& is : after.permissions) {
      if (is.is_all || has(before, is.owner.space)) continue;
      const auto old = std::ranges::find_if(before.permissions, [&](const Permissions& was) {
        return was.owner.place.path == is.owner.place.path && may_the_same(was, is) &&
               !has(after, was.owner.space) && taken.insert(was.owner.space).second;
      });
      Permissions one = old != before.permissions.end() ? *old : Permissions{.job = is.job};
      if (old == before.permissions.end()) one.is_default = is.is_default;
      one.owner = is.owner;
      out.permissions.push_back(std::move(one));
    }
    return out;
  }
  void rights() {
    std::vector<Row> rows;
    const Facts was = with_new_jobs(before_.rights, after_.rights);
    compare_facts(was, Facts{.permissions = after_.rights.permissions}, rows);
    const auto is_new = [&](const Row& row) {
      return std::ranges::none_of(before_.rights.permissions, [&](const Permissions& p) {
        return p.owner.place.path == row.place.path;
      });
    };
    ByPath all, more;
    for (const Row& row : rows) {
      if (row.effect != Effect::widens) continue;
      // Of a workflow that is new only what it may write is more than was there.
      if (is_new(row) && row.weight < Weight::high) continue;
      list(row.weight == Weight::critical ? all : more, row.place, shown(row));
    }
    put_listed("host_boundary_workflow_write_all", "permissions", all);
    put_listed("host_boundary_workflow_permissions_expanded", "permissions", more);
    for (const Grant& grant : after_.rights.grants)
      if (grant.rule == "pull_request_target" && !is_given(before_.rights.grants, grant))
        put("host_boundary_pull_request_target_added", grant.owner.place.path, {},
            grant.owner.place);
  }

  // --- Codex ---
  void codex() {
    static const CodexFacts kNone;
    for (const auto& [path, is] : after_.configs) {
      const auto old = before_.configs.find(path);
      const CodexFacts& was = old != before_.configs.end() ? old->second : kNone;
      ByPath network, danger;
      for (const auto& [key, line] : is.network)
        if (!was.network.contains(key)) list(network, {path, line}, key);
      for (const auto& [key, line] : is.danger)
        if (!was.danger.contains(key)) list(danger, {path, line}, key);
      put_listed("codex_boundary_network_wildcard", "keys", network);
      put_listed("codex_boundary_danger_full_access", "keys", danger);
      for (const auto& [what, line] : is.approved)
        if (!was.approved.contains(what) && !was.approved.contains({what.first, "*"}))
          put("codex_boundary_auto_approve", fmt::format("{} of {}", what.second, what.first),
              {{"server", what.first}, {"tool", what.second}}, {path, line});
    }
  }
  void skills() {
    for (const auto& [path, is] : after_.commands) {
      const auto old = before_.commands.find(path);
      const Texts was = old != before_.commands.end() ? old->second : Texts{};
      Texts added;
      std::ranges::set_difference(is, was, std::back_inserter(added));
      if (!added.empty())
        put("codex_boundary_skill_command_changed", path, {{"commands", string_list(added)}},
            {path, 1});
    }
  }

  const Side &before_, &after_;
  std::vector<BoundaryChange> out_{};
};

std::size_t order_of(std::string_view kind) {
  return static_cast<std::size_t>(std::ranges::find(kKinds, kind) - kKinds.begin());
}

}  // namespace

bool is_boundary_file(std::string_view path) { return family_of(path) != nullptr; }

std::vector<std::string> boundary_siblings(std::string_view path) {
  constexpr std::string_view kShared = "settings.json", kLocal = "settings.local.json";
  const std::size_t at = path.rfind('/') + 1;
  const std::string_view name = path.substr(at);
  if (name != kShared && name != kLocal) return {};
  return {std::string(path.substr(0, at)) + std::string(name == kShared ? kLocal : kShared)};
}

std::vector<BoundaryChange> boundary_changes(const std::vector<FilePair>& given) {
  std::vector<FilePair> files = given;
  std::ranges::sort(files, {}, &FilePair::path);
  Side before, after;
  std::vector<BoundaryChange> out;
  for (const FilePair& file : files) {
    const FamilyRow* row = family_of(file.path);
    if (row == nullptr) continue;
    const Defect defect = read_entry(row->family, file.path, file.after, after);
    if (!defect.is_set()) {
      // What the base's file said when nobody could read it gave nothing.
      (void)read_entry(row->family, file.path, file.before, before);
      continue;
    }
    if (file.before == file.after) continue;
    const bool is_codex = row->family == Family::codex || row->family == Family::skill;
    const std::string_view kind =
        is_codex ? "codex_boundary_parse_failed" : "host_boundary_config_parse_failed";
    out.push_back({kind,
                   file.path,
                   {{"kind", kind}, {"path", file.path}, {"reason", defect.what}},
                   {file.path, defect.line}});
  }
  std::ranges::move(Boundary(before, after).run(), std::back_inserter(out));
  std::ranges::stable_sort(out, {}, [](const BoundaryChange& one) {
    return std::tuple(std::string_view(one.place.path), order_of(one.kind), one.place.line);
  });
  return out;
}

}  // namespace gh::powers
