#include "surface/manifest.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/manifest_keys.h"
#include "wire/document.h"

namespace gh::surface {
namespace {

using Violations = std::vector<Violation>;

// table: tool source types
constexpr std::string_view kSourceTypes =
    "mcp openapi openai_agents_sdk google_adk langchain crewai codex_plugin codex_config conductor "
    "mcp_server_source";
// table: sections that are no tool sources
constexpr std::string_view kSections = "n8n openai_api anthropic_api validation";
constexpr std::string_view kPlaceholder = "<REVIEW_REQUIRED>";

// ---------------------------------------------------------------------------------------- reading

std::string text_at(const Value& record, std::string_view key) {
  return std::string(Peek(record)[key].text());
}

bool flag_at(const Value& record, std::string_view key, bool fallback = false) {
  const Value* found = record.as_map()->find(key);
  return found != nullptr && found->as_bool() != nullptr ? *found->as_bool() : fallback;
}

std::optional<bool> maybe_flag(const Peek& record, std::string_view key) {
  const Value* found = record.map().find(key);
  if (found == nullptr || found->as_bool() == nullptr) return std::nullopt;
  return *found->as_bool();
}

std::vector<std::string> texts_of(const Peek& list) {
  std::vector<std::string> out;
  for (const Value& item : list.list())
    out.emplace_back(Peek(item).text());
  return out;
}

template <class Record>
std::vector<Record> all_of(const Peek& list, Record (*read)(const Value&)) {
  std::vector<Record> out;
  for (const Value& item : list.list())
    out.push_back(read(item));
  return out;
}

PathEntry path_entry(const Value& v) {
  return {.path = text_at(v, "path"),
          .optional = flag_at(v, "optional"),
          .name = text_at(v, Peek(v)["id"].exists() ? "id" : "name"),
          .critical_fields = texts_of(Peek(v)["downstream_critical_fields"]),
          .plugin = text_at(v, "plugin"),
          .server = text_at(v, "server"),
          .sha256 = text_at(v, "sha256")};
}

PathEntries paths_at(const Peek& block, std::string_view key) {
  return all_of(block[key], path_entry);
}

ToolSource tool_source(const Value& v) {
  return {text_at(v, "id"),    text_at(v, "type"), text_at(v, "path"),
          text_at(v, "trust"), text_at(v, "mode"), flag_at(v, "optional")};
}

ControlEntry control_entry(const Value& v) { return {text_at(v, "tool"), text_at(v, "reason")}; }

IgnoreEntry ignore_entry(const Value& v) {
  return {text_at(v, "check_id"), text_at(v, "tool"), text_at(v, "reason"), text_at(v, "owner"),
          text_at(v, "expires")};
}

Acknowledgement acknowledgement(const Value& v) {
  return {text_at(v, "check_id"), text_at(v, "reason"), text_at(v, "expires")};
}

HumanAck human_ack(const Value& v) {
  return {text_at(v, "affected_surface"), text_at(v, "owner"), text_at(v, "reason"),
          text_at(v, "expires")};
}

DeclaredAction declared_action(const Value& v) {
  const Peek approval = Peek(v)["approval"], safe = Peek(v)["safeguards"];
  const Peek evidence = Peek(v)["evidence"];
  DeclaredAction out{.tool = text_at(v, "tool"),
                     .id = text_at(v, "id"),
                     .provider = text_at(v, "provider"),
                     .operation = text_at(v, "operation"),
                     .effect = text_at(v, "effect"),
                     .threshold = std::string(approval["threshold"].text()),
                     .risk_tags = texts_of(Peek(v)["risk_tags"]),
                     .approval_required = maybe_flag(approval, "required"),
                     .idempotency = maybe_flag(safe, "idempotency"),
                     .audit_log = maybe_flag(safe, "audit_log"),
                     .rollback = maybe_flag(safe, "rollback"),
                     .dry_run = maybe_flag(safe, "dry_run"),
                     .owner = std::string(evidence["owner"].text()),
                     .runbook = std::string(evidence["runbook"].text()),
                     .approval_ticket = std::string(evidence["approval_ticket"].text())};
  for (const std::string& scope : texts_of(Peek(v)["scopes"]))
    out.scopes.emplace_back(trimmed(scope));
  return out;
}

ActionPolicy action_policy(const Value& v) {
  const Peek match = Peek(v)["match"];
  return {.id = text_at(v, "id"),
          .action_ids = texts_of(match["action_ids"]),
          .tools = texts_of(match["tools"]),
          .effects = texts_of(match["effects"]),
          .risk_tags = texts_of(match["risk_tags"]),
          .scopes = texts_of(match["scopes"]),
          .require = Peek(v)["require"].map(),
          .severity = severity_named(text_at(v, "severity")).value_or(FindingSeverity::high),
          .block = flag_at(v, "block", true),
          .message = text_at(v, "message"),
          .recommendation = text_at(v, "recommendation")};
}

std::vector<RiskOverride> risk_overrides(const Peek& tools) {
  std::vector<RiskOverride> out;
  for (const auto& [tool, v] : tools.map().entries())
    out.push_back({tool, texts_of(Peek(v)["tags"]), texts_of(Peek(v)["remove_tags"]),
                   text_at(v, "owner"),
                   Peek(v)["confidence"].exists() ? text_at(v, "confidence") : "manual",
                   text_at(v, "reason")});
  return out;
}

std::vector<SeverityOverride> severity_overrides(const Peek& overrides) {
  std::vector<SeverityOverride> out;
  for (const auto& [id, v] : overrides.map().entries())
    out.push_back({id, severity_named(text_at(v, "severity")).value_or(FindingSeverity::info),
                   text_at(v, "reason"), text_at(v, "expires")});
  return out;
}

OpenAiBlock openai_block(const Peek& b) {
  OpenAiBlock out{paths_at(b, "prompt_files"),     paths_at(b, "tools"),
                  paths_at(b, "function_schemas"), paths_at(b, "response_formats"),
                  paths_at(b, "test_cases"),       paths_at(b, "trace_samples"),
                  paths_at(b, "policy_rules"),     std::nullopt};
  if (b["model_config"].exists()) out.model_config = path_entry(*b.map().find("model_config"));
  return out;
}

std::optional<FrameworkBlock> framework_block(const Peek& b) {
  if (!b.exists()) return std::nullopt;
  return FrameworkBlock{paths_at(b, "python_entrypoints"), paths_at(b, "agent_configs"),
                        paths_at(b, "eval_sets"),          paths_at(b, "tool_inventories"),
                        paths_at(b, "trace_samples"),      paths_at(b, "workflows"),
                        paths_at(b, "credential_stubs"),   paths_at(b, "variable_stubs"),
                        paths_at(b, "data_table_schemas"), paths_at(b, "execution_samples")};
}

ValidationBlock validation_block(const Peek& b) {
  const Peek need = b["required_evidence"], have = b["evidence"];
  ValidationBlock out{
      .mode = std::string(b["mode"].text()),
      .approval_trace_required = need["approval_trace_required"].is_true(),
      .override_reason_required = need["override_reason_required"].is_true(),
      .exclusion_required = need["high_risk_auto_approval_exclusion_required"].is_true(),
      .approval_traces = paths_at(have, "approval_traces"),
      .override_logs = paths_at(have, "override_logs"),
      .high_risk_exclusions = paths_at(have, "high_risk_exclusions"),
      .promotion_criteria = paths_at(have, "promotion_criteria")};
  if (b["target_review_posture"].exists())
    out.posture = std::string(b["target_review_posture"].text());
  return out;
}

void read_inputs(Manifest& m, const Peek& root) {
  m.tool_sources = all_of(root["tool_sources"], tool_source);
  if (root["openai_api"].exists()) m.openai = openai_block(root["openai_api"]);
  if (const Peek b = root["anthropic"]; b.exists())
    m.anthropic = AnthropicBlock{paths_at(b, "prompt_files"), paths_at(b, "tools"),
                                 paths_at(b, "policy_rules")};
  m.google_adk = framework_block(root["google_adk"]);
  m.langchain = framework_block(root["langchain"]);
  m.crewai = framework_block(root["crewai"]);
  m.n8n = framework_block(root["n8n"]);
  m.codex_inventories = paths_at(root["codex_plugins"], "mcp_tool_inventories");
  if (root["validation"].exists()) m.validation = validation_block(root["validation"]);
}

void read_rules(Manifest& m, const Peek& root) {
  const Peek policies = root["policies"], checks = root["checks"];
  m.approval = all_of(policies["require_approval_for_tools"], control_entry);
  m.confirmation = all_of(policies["require_confirmation_for_tools"], control_entry);
  m.idempotency = all_of(policies["require_idempotency_for_tools"], control_entry);
  m.scopes = texts_of(root["permissions"]["scopes"]);
  m.risk_overrides = risk_overrides(root["risk_overrides"]["tools"]);
  m.ignore = all_of(checks["ignore"], ignore_entry);
  m.policy_packs = paths_at(checks, "policy_packs");
  m.severity_overrides = severity_overrides(checks["severity_overrides"]);
  m.acknowledgements = all_of(checks["acknowledge_overrides"], acknowledgement);
  m.require_explicit_actions = root["action_surface"]["require_explicit_actions"].is_true();
  m.actions = all_of(root["action_surface"]["actions"], declared_action);
  m.action_policies = all_of(root["action_surface"]["policies"], action_policy);
  m.human_acks = all_of(root["human_ack"], human_ack);
}

void read_outputs(Manifest& m, const Peek& root) {
  const Peek ci = root["ci"], output = root["output"], packet = output["packet"];
  if (ci["mode"].exists()) m.ci_mode = std::string(ci["mode"].text());
  if (ci["fail_on"].exists()) {
    m.fail_on.emplace();
    for (const std::string& word : texts_of(ci["fail_on"]))
      m.fail_on->push_back(severity_named(word).value_or(FindingSeverity::critical));
  }
  if (root["baseline"]["integrity_mode"].exists())
    m.integrity_mode = std::string(root["baseline"]["integrity_mode"].text());
  m.audit_log = std::string(root["baseline"]["audit_log"].text());
  m.output_directory = output["directory"].exists() ? std::string(output["directory"].text())
                       : m.embedded || m.file != kStandAloneName ? "gatehouse-reports"
                                                                 : "agents-shipgate-reports";
  if (output["formats"].exists()) m.formats = texts_of(output["formats"]);
  m.packet_enabled = maybe_flag(packet, "enabled").value_or(true);
  if (packet["formats"].exists()) m.packet_formats = texts_of(packet["formats"]);
}

void read_root(Manifest& m) {
  const Peek root(m.document), agent = root["agent"];
  m.profile =
      m.embedded && root["profile"].text() != "compat" ? Profile::extended : Profile::compat;
  m.project_name = std::string(root["project"]["name"].text());
  m.project_owner = std::string(root["project"]["owner"].text());
  m.project_repo = std::string(root["project"]["repo"].text());
  m.agent_name = std::string(agent["name"].text());
  m.instructions_preview = std::string(agent["instructions_preview"].text());
  if (agent["sdk"].exists()) m.sdk = agent["sdk"].map();
  m.declared_purpose = texts_of(agent["declared_purpose"]);
  m.prohibited_actions = texts_of(agent["prohibited_actions"]);
  m.target = std::string(root["environment"]["target"].text());
  m.promotion_from = std::string(root["environment"]["promotion_from"].text());
  m.promotion_to = std::string(root["environment"]["promotion_to"].text());
  read_inputs(m, root);
  read_rules(m, root);
  read_outputs(m, root);
}

// ------------------------------------------------------------------------------- rules (R1 to R4)

bool has_entries(const std::optional<FrameworkBlock>& b) {
  return b && !(b->python_entrypoints.empty() && b->agent_configs.empty() && b->eval_sets.empty() &&
                b->tool_inventories.empty() && b->trace_samples.empty() && b->workflows.empty() &&
                b->credential_stubs.empty() && b->variable_stubs.empty() &&
                b->data_table_schemas.empty() && b->execution_samples.empty());
}

bool has_entries(const std::optional<AnthropicBlock>& b) {
  return b && !(b->prompt_files.empty() && b->tools.empty() && b->policy_rules.empty());
}

bool has_framework(const Manifest& m, const std::optional<FrameworkBlock>& block,
                   std::string_view type) {
  return has_entries(block) ||
         std::ranges::any_of(m.tool_sources, [&](const ToolSource& s) { return s.type == type; });
}

void check_inputs(const Manifest& m, Violations& out) {
  const bool any = !m.tool_sources.empty() || m.openai || has_entries(m.anthropic) ||
                   has_entries(m.google_adk) || has_entries(m.langchain) || has_entries(m.crewai) ||
                   has_entries(m.n8n);
  if (!any)
    out.push_back({"<root>", "",
                   "At least one of tool_sources, openai_api, anthropic, google_adk, langchain, "
                   "crewai, n8n, or codex_plugin is required"});
}

void check_scope_text(const Manifest& m, Violations& out) {
  const bool any = !m.declared_purpose.empty() || !m.instructions_preview.empty() ||
                   (m.openai && !m.openai->prompt_files.empty()) ||
                   (m.anthropic && !m.anthropic->prompt_files.empty()) ||
                   has_framework(m, m.google_adk, "google_adk") ||
                   has_framework(m, m.langchain, "langchain") ||
                   has_framework(m, m.crewai, "crewai") || has_entries(m.n8n) ||
                   has_framework(m, std::nullopt, "codex_plugin");
  if (!any)
    out.push_back({"<root>", "",
                   "The agent's scope is not described: give agent.declared_purpose, "
                   "agent.instructions_preview or prompt files"});
}

Violation about(std::string_view list, std::size_t index, std::string_view key, std::string what) {
  std::string pointer;
  for (const std::string_view part : split(list, '.'))
    pointer += wire::pointer_part(part);
  return {fmt::format("{}.{}.{}", list, index, key), fmt::format("{}/{}/{}", pointer, index, key),
          std::move(what)};
}

void check_source(const ToolSource& s, std::size_t index, Violations& out) {
  const auto add = [&](std::string_view key, std::string what) {
    out.push_back(about("tool_sources", index, key, std::move(what)));
  };
  if (is_one_of(s.type, kSections))
    return add("type", fmt::format("'{}' is no tool source; use the top-level section '{}'", s.type,
                                   s.type == "anthropic_api" ? "anthropic" : s.type));
  if (!is_one_of(s.type, kSourceTypes))
    return add("type", fmt::format("unknown type '{}'; known types: {}", s.type, kSourceTypes));
  if (s.path.empty() && s.type != "openai_agents_sdk")
    add("path", fmt::format("tool source '{}' requires path", s.id));
  if (s.type == "codex_plugin" && !s.mode.empty() && !is_one_of(s.mode, "package marketplace"))
    add("mode", "mode must be package or marketplace");
}

void check_sources(const Manifest& m, Violations& out) {
  std::set<std::string> ids;
  for (std::size_t i = 0; i < m.tool_sources.size(); ++i) {
    const ToolSource& s = m.tool_sources[i];
    check_source(s, i, out);
    if (!ids.insert(std::string(trimmed(s.id))).second)
      out.push_back(about("tool_sources", i, "id", fmt::format("duplicate id '{}'", s.id)));
  }
}

void check_unique(const Value& root, std::string_view list, std::string_view name,
                  Violations& out) {
  const std::size_t dot = list.find('.');
  const List& records = Peek(root)[list.substr(0, dot)][list.substr(dot + 1)].list();
  std::set<std::string> seen;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (const std::string value(Peek(records[i])[name].text());
        !value.empty() && !seen.insert(value).second)
      out.push_back(about(list, i, name, fmt::format("duplicate {} '{}'", name, value)));
}

enum class Wants : std::uint8_t { flag, text, texts, effect };
/// Dotted paths that a policy may require, and what their value is.
struct Requirement {
  std::string_view path;
  Wants wants;
};
// table: action policy paths
constexpr std::array<Requirement, 23> kRequirements{{
    {"approval.required", Wants::flag},
    {"approval_policy.required", Wants::flag},
    {"approval.threshold", Wants::text},
    {"approval_policy.threshold", Wants::text},
    {"safeguards.idempotency", Wants::flag},
    {"safeguards.audit_log", Wants::flag},
    {"safeguards.rollback", Wants::flag},
    {"safeguards.dry_run", Wants::flag},
    {"action_id", Wants::text},
    {"agent_id", Wants::text},
    {"tool_name", Wants::text},
    {"provider", Wants::text},
    {"operation", Wants::text},
    {"evidence.owner", Wants::text},
    {"evidence.runbook", Wants::text},
    {"evidence.approval_ticket", Wants::text},
    {"input_schema_hash", Wants::text},
    {"risk_tags", Wants::texts},
    {"scopes", Wants::texts},
    {"required_scopes", Wants::texts},
    {"input_fields", Wants::texts},
    {"required_input_fields", Wants::texts},
    {"effect", Wants::effect},
}};

bool fits(Wants wants, const Value& value) {
  const List* list = value.as_list();
  switch (wants) {
    case Wants::flag:
      return value.as_bool() != nullptr;
    case Wants::text:
      return value.as_string() != nullptr;
    case Wants::texts:
      return list != nullptr &&
             std::ranges::all_of(*list, [](const Value& v) { return v.as_string() != nullptr; });
    case Wants::effect:
      return value.as_string() != nullptr &&
             is_one_of(
                 *value.as_string(),
                 "read write destructive external_communication financial_write "
                 "production_operation privileged_data_access code_execution identity_access");
  }
  return false;
}

void check_requirements(const Value& root, Violations& out) {
  const List& policies = Peek(root)["action_surface"]["policies"].list();
  for (std::size_t i = 0; i < policies.size(); ++i)
    for (const auto& [path, value] : Peek(policies[i])["require"].map().entries()) {
      const auto row = std::ranges::find(kRequirements, path, &Requirement::path);
      if (value.is_null() || row == kRequirements.end() || fits(row->wants, value)) continue;
      out.push_back(about("action_surface.policies", i, "require." + path,
                          fmt::format("a {} cannot be required there", type_name(value))));
      out.back().pointer =
          fmt::format("/action_surface/policies/{}/require{}", i, wire::pointer_part(path));
    }
}

/// Dotted paths of texts that a scaffold left open, at most five.
void check_placeholders(const Value& root, Violations& out) {
  constexpr std::size_t kShown = 5;
  struct Open {
    const Value* value;
    std::string name;
  };
  std::vector<Open> open{{&root, ""}};
  std::vector<std::string> found;
  while (!open.empty() && found.size() < kShown) {
    const Open at = std::move(open.back());
    open.pop_back();
    const auto below = [&](const auto& key) {
      return at.name.empty() ? fmt::format("{}", key) : fmt::format("{}.{}", at.name, key);
    };
    if (const std::string* s = at.value->as_string(); s && trimmed(*s) == kPlaceholder)
      found.push_back(at.name);
    if (const List* list = at.value->as_list())
      for (std::size_t i = list->size(); i-- > 0;)
        open.push_back({&(*list)[i], below(i)});
    if (const Map* map = at.value->as_map())
      for (auto e = map->entries().rbegin(); e != map->entries().rend(); ++e)
        open.push_back({&e->second, below(e->first)});
  }
  if (!found.empty())
    out.push_back(
        {"<root>", "",
         fmt::format("{} is still to be filled in: {}", kPlaceholder, join(found, ", "))});
}

/// Rules about values that can be told whatever else is wrong.
void check_values(const Value& root, Violations& out) {
  check_unique(root, "checks.acknowledge_overrides", "check_id", out);
  check_unique(root, "action_surface.actions", "tool", out);
  check_unique(root, "action_surface.actions", "id", out);
  check_requirements(root, out);
}

Violations check_rules(const Manifest& m) {
  Violations out;
  check_sources(m, out);
  check_inputs(m, out);
  check_scope_text(m, out);
  check_placeholders(m.document, out);
  return out;
}

// ---------------------------------------------------------------------------------------- places

/// Of every key and item, by pointer from the mapping.
std::vector<std::pair<std::string, Place>> places_of(const wire::Document& document,
                                                     std::string_view prefix,
                                                     std::string_view file) {
  constexpr std::size_t kMaxPlaces = 100'000;
  struct Open {
    const Value* value;
    const wire::MarkTree* marks;
    std::string pointer;
  };
  std::vector<Open> open{{&document.root, &document.marks, ""}};
  std::vector<std::pair<std::string, Place>> out;
  while (!open.empty() && out.size() < kMaxPlaces) {
    const Open at = std::move(open.back());
    open.pop_back();
    if (at.pointer.starts_with(prefix))
      out.emplace_back(at.pointer.substr(prefix.size()),
                       Place{std::string(file), at.marks->mark.line, at.marks->mark.end_line,
                             at.marks->mark.column, at.pointer});
    for (std::size_t i = 0; i < at.marks->children.size(); ++i) {
      const Map* map = at.value->as_map();
      const std::string part =
          map != nullptr ? wire::pointer_part(map->entries()[i].first) : fmt::format("/{}", i);
      open.push_back({map != nullptr ? &map->entries()[i].second : &(*at.value->as_list())[i],
                      &at.marks->children[i], at.pointer + part});
    }
  }
  std::ranges::sort(out, {}, &std::pair<std::string, Place>::first);
  return out;
}

const Place* exact_place(const std::vector<std::pair<std::string, Place>>& places,
                         std::string_view pointer) {
  const auto found = std::ranges::lower_bound(
      places, pointer, {}, [](const auto& p) { return std::string_view(p.first); });
  return found != places.end() && found->first == pointer ? &found->second : nullptr;
}

/// Of the key or item, or of what it is missing in.
std::string at_place(const Manifest& m, std::string_view pointer) {
  const Place* place = exact_place(m.places, pointer);
  while (place == nullptr && !pointer.empty()) {
    pointer = pointer.substr(0, pointer.rfind('/'));
    place = exact_place(m.places, pointer);
  }
  return place == nullptr ? fmt::format("{}:1:1", m.file)
                          : fmt::format("{}:{}:{}", m.file, place->start_line, place->start_column);
}

tl::unexpected<Error> refuse_all(const Manifest& m, const Violations& violations) {
  constexpr std::size_t kMaxShown = 600;  // of one name or message
  std::string message = fmt::format("{} is not valid:", m.file);
  for (const Violation& v : violations)
    message += fmt::format("\n- {}: {}: {}", printable(v.name, kMaxShown), at_place(m, v.pointer),
                           printable(v.message, kMaxShown));
  return fail(Code::policy_bad_value, std::move(message));
}

Status check_head(const Manifest& m, const Map& mapping) {
  const Value* version = mapping.find("version");
  const auto refuse = [&](std::string_view key, std::string_view what) {
    return fail(Code::policy_bad_value,
                fmt::format("{}: {}", at_place(m, fmt::format("/{}", key)), what));
  };
  if (version == nullptr || version->as_string() == nullptr || *version->as_string() != "0.1")
    return refuse("version", version != nullptr && version->as_string() == nullptr
                                 ? "version must be the text \"0.1\"; write it with quotes"
                                 : "version must be \"0.1\"");
  if (mapping.find("check_severity_overrides") != nullptr)
    return refuse("check_severity_overrides",
                  "check_severity_overrides was moved to checks.severity_overrides");
  return {};
}

Result<wire::Document> read_text(std::string_view yaml, std::string_view file, bool embedded) {
  auto document = wire::read_yaml(
      yaml, file, embedded ? wire::YamlDialect::strict : wire::YamlDialect::compatible,
      {.max_bytes = kMaxManifest});
  if (!document) return fail(Code::policy_unreadable, std::move(document.error().message));
  return document;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

const RiskOverride* Manifest::risk_override_of(std::string_view tool) const {
  const auto found = std::ranges::find(risk_overrides, tool, &RiskOverride::tool);
  return found == risk_overrides.end() ? nullptr : &*found;
}

bool Manifest::has_source(std::string_view type) const {
  if (std::ranges::any_of(tool_sources, [&](const ToolSource& s) { return s.type == type; }))
    return true;
  if (type == "google_adk") return google_adk.has_value();
  if (type == "langchain") return langchain.has_value();
  if (type == "crewai") return crewai.has_value();
  return type == "n8n" && n8n.has_value();
}

std::string Manifest::pointer(std::string_view inside) const {
  return embedded ? fmt::format("/{}{}", kEmbeddedBlock, inside) : std::string(inside);
}

Place Manifest::place(std::string_view inside) const {
  const Place* found = exact_place(places, inside);
  Place out = found != nullptr ? *found : Place{.path = file};
  out.pointer = pointer(inside);
  return out;
}

Result<Manifest> read_manifest(std::string_view yaml, std::string_view file) {
  Manifest m;
  m.file = file_name(file);
  m.embedded = m.file == kEmbeddedName;
  GH_TRY(document, read_text(yaml, m.file, m.embedded));
  const Value* mapping = &document.root;
  if (m.embedded && mapping->as_map() != nullptr) mapping = mapping->as_map()->find(kEmbeddedBlock);
  m.places = places_of(document, m.pointer(""), m.file);
  if (mapping == nullptr || mapping->as_map() == nullptr)
    return fail(Code::policy_not_object,
                fmt::format("{}: expected a mapping of keys", at_place(m, "")));
  GH_DO(check_head(m, *mapping->as_map()));
  auto violations = check_keys(*mapping, m.document);
  if (!m.embedded && mapping->as_map()->find("profile") != nullptr)
    violations.push_back({"profile", "/profile", "Extra inputs are not permitted"});
  check_values(m.document, violations);
  if (!violations.empty()) return refuse_all(m, violations);
  read_root(m);
  violations = check_rules(m);
  if (!violations.empty()) return refuse_all(m, violations);
  return m;
}

bool has_embedded_manifest(std::string_view yaml) {
  const auto document = wire::read_yaml(yaml, kEmbeddedName, wire::YamlDialect::strict);
  return document && document->root.as_map() != nullptr &&
         document->root.as_map()->find(kEmbeddedBlock) != nullptr;
}

}  // namespace gh::surface
