#include "surface/actions.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/in_parts.h"
#include "base/sorted.h"
#include "base/text.h"
#include "model/peek.h"
#include "policy/redact.h"
#include "surface/parameter_identity.h"
#include "wire/report_row.h"
#include "wire/spaced_json.h"

namespace gh::surface {
namespace {

struct TagRow {
  std::string_view tag, canonical;
};
// table: canonical risk tags
constexpr std::array<TagRow, 9> kCanonical{{
    {"write", "writes_data"},
    {"external_write", "external_communication"},
    {"customer_communication", "external_communication"},
    {"external_side_effect", "external_communication"},
    {"financial_action", "financial_write"},
    {"infrastructure_change", "production_ops"},
    {"production_operation", "production_ops"},
    {"sensitive_data_access", "privileged_data"},
    {"privileged_data_access", "privileged_data"},
}};

struct EffectRow {
  std::string_view tag, effect;
};
// table: effects by tag, the first that is there
constexpr std::array<EffectRow, 9> kEffects{{
    {"destructive", "destructive"},
    {"financial_write", "financial_write"},
    {"external_communication", "external_communication"},
    {"production_ops", "production_operation"},
    {"code_execution", "code_execution"},
    {"identity_access", "identity_access"},
    {"privileged_data", "privileged_data_access"},
    {"unknown_side_effect", "write"},
    {"writes_data", "write"},
}};

struct RankRow {
  std::string_view effect;
  int rank;
};
// table: strength of effects
constexpr std::array<RankRow, 9> kRanks{{
    {"read", 0},
    {"privileged_data_access", 1},
    {"write", 2},
    {"external_communication", 3},
    {"financial_write", 4},
    {"production_operation", 4},
    {"identity_access", 4},
    {"code_execution", 4},
    {"destructive", 5},
}};

using Texts = std::vector<std::string>;

std::string effect_of(const Texts& tags, std::string_view method) {
  for (const EffectRow& row : kEffects)
    if (std::ranges::find(tags, row.tag) != tags.end()) return std::string(row.effect);
  if (is_one_of(method, "POST PUT PATCH")) return "write";
  return method == "DELETE" ? "destructive" : "read";
}

/// Weak hints count in the compat profile only (tool-surface 7.4, D1).
Texts inferred_tags(const Tool& tool, Profile profile) {
  Texts out;
  for (const std::string& tag :
       risk_tags(tool, profile == Profile::compat ? Confidence::low : Confidence::medium))
    out.push_back(canonical_tag(tag));
  if (is_read_only(tool)) out.emplace_back("read_only");
  return sorted_unique(std::move(out));
}

std::string words_joined(std::string_view text, char by) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != by)
      out += by;
  }
  while (!out.empty() && out.back() == by && by == ' ')
    out.pop_back();
  return out;
}

std::string masked(std::string_view text) {
  return policy::holds_no_secret(text) ? std::string(text) : policy::redact(text).text;
}

/// Masked first: what an underline joins to a word is no word of its own any more.
std::string provider_of(std::string_view text) { return words_joined(masked(text), '_'); }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char low = static_cast<char>(c | 0x20);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool encoded = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                         hex_digit(text[i + 2]) >= 0;
    out +=
        encoded ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i];
    if (encoded) i += 2;
  }
  return is_utf8(out) ? out : std::string(text);
}

/// One leading slash, none doubled, none at the end; `:x` is `{x}`.
std::string normal_route(std::string_view path) {
  std::string out;
  const std::string decoded = percent_decoded(path);
  for (std::string_view part : split(decoded, '/')) {
    if (part.empty()) continue;
    out += '/';
    out += part.starts_with(':') ? fmt::format("{{{}}}", part.substr(1)) : std::string(part);
  }
  return out.empty() ? "/" : out;
}

std::string operation_of(const Tool& tool) {
  // Masked first: a secret is not known again in capitals or without a slash.
  const std::string given = masked(Peek(tool.annotations.find("httpMethod")).text());
  const std::string method = contains(given, "[REDACTED:") ? given : http_method(tool);
  const std::string path = masked(Peek(tool.annotations.find("path")).text());
  if (!method.empty() && !path.empty()) return fmt::format("{} {}", method, normal_route(path));
  return tool.name;
}

std::optional<bool> annotated(const Tool& tool, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys)
    if (const Value* v = tool.annotations.find(key); v != nullptr && v->as_bool() != nullptr)
      return *v->as_bool();
  return std::nullopt;
}

bool names(const Controls& controls, std::string_view tool) {
  return std::ranges::any_of(controls, [&](const ControlEntry& c) { return c.tool == tool; });
}

Action inferred(const Manifest& manifest, const Tool& tool) {
  Action a;
  a.agent_id = manifest.agent_id();
  a.tool_id = tool.id;
  a.tool_name = tool.name;
  a.source_type = tool.source_type;
  a.source_id = tool.source_id;
  a.provider = provider_of(tool.source_id.empty() ? tool.source_type : tool.source_id);
  a.operation = operation_of(tool);
  a.risk_tags = inferred_tags(tool, manifest.profile);
  a.effect = effect_of(a.risk_tags, http_method(tool));
  a.required_scopes = tool.auth.scopes;
  a.approval_required = names(manifest.approval, tool.name);
  std::set<std::string> idempotent;
  for (const ControlEntry& entry : manifest.idempotency)
    idempotent.insert(entry.tool);
  a.safeguards = {has_idempotency_evidence(tool, idempotent),
                  annotated(tool, {"audit_log", "auditLog"}), annotated(tool, {"rollback"}),
                  annotated(tool, {"dry_run", "dryRun"})};
  a.owner = tool.owner;
  for (const Parameter& p : tool.parameters) {
    a.input_fields.push_back(p.name);
    if (p.required) a.required_input_fields.push_back(p.name);
  }
  a.input_fields = sorted_unique(std::move(a.input_fields));
  a.required_input_fields = sorted_unique(std::move(a.required_input_fields));
  a.schema_hash = hashes_of(tool).schema;
  a.input_schema_hash = tool.input_schema.hash();  // known since then
  a.place = tool.place;
  return a;
}

void take(std::string& into, const std::string& declared) {
  if (!declared.empty()) into = declared;
}

void take_flag(Action& a, std::optional<bool>& into, std::optional<bool> declared,
               std::string_view path) {
  if (!declared) return;
  if (into == true && !*declared) a.downgraded.emplace_back(path);
  into = declared;
}

std::string stronger(const std::string& one, const std::string& other) {
  return effect_rank(other) > effect_rank(one) ? other : one;
}

void declare(Action& a, const DeclaredAction& d, const Tool& tool) {
  a.is_declared = true;
  a.inferred_effect = a.effect;
  if (!d.provider.empty()) a.provider = provider_of(d.provider);
  if (!d.operation.empty()) a.operation = words_joined(d.operation, ' ');
  if (!d.risk_tags.empty()) {
    Texts tags;
    for (const std::string& tag : d.risk_tags)
      tags.push_back(canonical_tag(tag));
    a.risk_tags = sorted_unique(std::move(tags));
    a.inferred_effect = stronger(a.inferred_effect, effect_of(a.risk_tags, http_method(tool)));
    a.effect = effect_of(a.risk_tags, http_method(tool));
  }
  take(a.effect, d.effect);
  if (!d.scopes.empty()) a.required_scopes = d.scopes;
  std::optional<bool> approval = a.approval_required;
  take_flag(a, approval, d.approval_required, "approval.required");
  a.approval_required = approval.value_or(false);
  a.threshold = d.threshold;
  take_flag(a, a.safeguards.idempotency, d.idempotency, "safeguards.idempotency");
  take_flag(a, a.safeguards.audit_log, d.audit_log, "safeguards.audit_log");
  take_flag(a, a.safeguards.rollback, d.rollback, "safeguards.rollback");
  take_flag(a, a.safeguards.dry_run, d.dry_run, "safeguards.dry_run");
  take(a.owner, d.owner);
  a.runbook = d.runbook;
  a.approval_ticket = d.approval_ticket;
}

void finish(Action& a, const DeclaredAction* d) {
  Texts scopes;
  for (const std::string& scope : a.required_scopes)
    scopes.emplace_back(trimmed(scope));
  a.required_scopes = sorted_unique(std::move(scopes));
  a.id = d != nullptr && !d->id.empty()
             ? d->id
             : fmt::format("{}:{}:{}:{}", a.agent_id, a.source_type, a.provider, a.operation);
}

/// Each action moves once, however far.
std::vector<Action> sorted_by_id(std::vector<Action> actions) {
  std::vector<std::pair<std::string_view, Action*>> order;
  order.reserve(actions.size());
  for (Action& action : actions)
    order.emplace_back(action.id, &action);
  std::ranges::sort(order);
  std::vector<Action> out;
  out.reserve(actions.size());
  for (const auto& row : order)
    out.push_back(std::move(*row.second));
  return out;
}

/// One member after the other of a mapping of texts and flags, in the order of their keys.
class IdentityText {
 public:
  IdentityText& flag(std::string_view key, std::optional<bool> value) {
    out_ += key;
    out_ += std::string_view(!value ? "null" : *value ? "true" : "false");
    return *this;
  }
  IdentityText& text(std::string_view key, std::string_view value) {
    out_ += key;
    wire::append_spaced_json_or_null(out_, value);
    return *this;
  }
  IdentityText& texts(std::string_view key, const Texts& value) {
    out_ += key;
    wire::append_identity_json(out_, value);
    return *this;
  }
  std::string hash(std::string_view end) { return identity_hash(out_ += end); }

 private:
  std::string out_;
};

/// Of {"approval": …, "evidence": …, "safeguards": …}.
std::string policy_hash(const Action& a) {
  return IdentityText()
      .flag(R"({"approval": {"required": )", a.approval_required)
      .text(R"(, "threshold": )", a.threshold)
      .text(R"(}, "evidence": {"approval_ticket": )", a.approval_ticket)
      .text(R"(, "owner": )", a.owner)
      .text(R"(, "runbook": )", a.runbook)
      .flag(R"(}, "safeguards": {"audit_log": )", a.safeguards.audit_log)
      .flag(R"(, "dry_run": )", a.safeguards.dry_run)
      .flag(R"(, "idempotency": )", a.safeguards.idempotency)
      .flag(R"(, "rollback": )", a.safeguards.rollback)
      .hash("}}");
}

/// Of {"effect": …, "required_scopes": […], "risk_tags": […]}.
std::string risk_hash(const Action& a) {
  return IdentityText()
      .text(R"({"effect": )", a.effect)
      .texts(R"(, "required_scopes": )", a.required_scopes)
      .texts(R"(, "risk_tags": )", a.risk_tags)
      .hash("}");
}

template <class Row>
void tell(Row& row, const Action& a) {
  using wire::optional_text;
  row.text("action_id", a.id);
  row.text("agent_id", a.agent_id);
  row.text("tool_id", a.tool_id);
  row.text("tool_name", a.tool_name);
  row.text("provider", a.provider);
  row.text("source_type", a.source_type);
  optional_text(row, "source_id", a.source_id);
  row.text("operation", a.operation);
  row.text("effect", a.effect);
  row.texts("risk_tags", a.risk_tags);
  row.texts("required_scopes", a.required_scopes);
  row.open("approval_policy");
  row.flag("required", a.approval_required);
  optional_text(row, "threshold", a.threshold);
  row.close();
  row.open("safeguards");
  row.flag("idempotency", a.safeguards.idempotency);
  row.flag("audit_log", a.safeguards.audit_log);
  row.flag("rollback", a.safeguards.rollback);
  row.flag("dry_run", a.safeguards.dry_run);
  row.close();
  row.open("evidence");
  optional_text(row, "owner", a.owner);
  optional_text(row, "runbook", a.runbook);
  optional_text(row, "approval_ticket", a.approval_ticket);
  row.close();
  row.texts("input_fields", a.input_fields);
  row.texts("required_input_fields", a.required_input_fields);
  row.text("input_schema_hash", a.input_schema_hash);
  row.open("hashes");
  row.text("identity_hash", text_hash(a.id));
  row.text("schema_hash", a.schema_hash);
  row.text("policy_hash", policy_hash(a));
  row.text("risk_hash", risk_hash(a));
  row.close();
  if (!a.place.path.empty()) row.text("source_path", a.place.path);
  if (a.place.start_line > 0) row.number("source_start_line", a.place.start_line);
}

}  // namespace

std::string canonical_tag(std::string_view tag) {
  const auto row = std::ranges::find(kCanonical, tag, &TagRow::tag);
  return std::string(row == kCanonical.end() ? tag : row->canonical);
}

int effect_rank(std::string_view effect) {
  const auto row = std::ranges::find(kRanks, effect, &RankRow::effect);
  return row == kRanks.end() ? 0 : row->rank;
}

Map document_of(const Action& a) {
  wire::ValueRow row;
  tell(row, a);
  return row.done();
}

void append_row(std::string& out, std::size_t depth, const Action& a) {
  wire::TextRow row(out, depth);
  tell(row, a);
  row.close();
}

Result<std::vector<Action>> actions_of(const Manifest& manifest, const Surface& surface) {
  std::map<std::string_view, const DeclaredAction*> declared;
  for (const DeclaredAction& d : manifest.actions)
    declared.emplace(d.tool, &d);
  std::vector<Action> out(surface.tools.size());
  in_parts(out.size(), kToolsOfAThread, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const Tool& tool = surface.tools[i];
      const auto found = declared.find(tool.name);
      const DeclaredAction* d = found != declared.end() ? found->second : nullptr;
      out[i] = inferred(manifest, tool);
      if (d != nullptr) declare(out[i], *d, tool);
      finish(out[i], d);
    }
  });
  out = sorted_by_id(std::move(out));
  const auto twice = std::ranges::adjacent_find(out, {}, &Action::id);
  if (twice != out.end())
    return fail(Code::policy_bad_value,
                fmt::format("{}: tools '{}' and '{}' have one action id, {}", manifest.file,
                            twice->tool_name, (twice + 1)->tool_name, twice->id));
  return out;
}

}  // namespace gh::surface
