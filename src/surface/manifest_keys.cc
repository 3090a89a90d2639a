#include "surface/manifest_keys.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "surface/words.h"
#include "wire/document.h"

namespace gh::surface {
namespace {

using enum KeyType;
using enum Need;

constexpr std::string_view kSeverityWords = "info low medium high critical";
constexpr std::string_view kEffects =
    "read write destructive external_communication financial_write production_operation "
    "privileged_data_access code_execution identity_access";
constexpr std::string_view kRiskTags =
    "read_only write writes_data destructive external_write external_communication "
    "customer_communication financial_action financial_write external_side_effect "
    "infrastructure_change production_operation production_ops sensitive_data_access "
    "privileged_data_access privileged_data code_execution identity_access network_access "
    "filesystem_write customer_data secret_access irreversible";

// clang-format off
// table: manifest keys
constexpr KeyRow kKeys[] = {
    {"root", "version", text, "", required},
    {"root", "project", record, "project", required},
    {"root", "agent", record, "agent", required},
    {"root", "environment", record, "environment", required},
    {"root", "tool_sources", records, "tool_source", optional},
    {"root", "openai_api", record, "openai_api", nullable},
    {"root", "anthropic", record, "anthropic", nullable},
    {"root", "google_adk", record, "google_adk", nullable},
    {"root", "langchain", record, "langchain", nullable},
    {"root", "crewai", record, "crewai", nullable},
    {"root", "n8n", record, "n8n", nullable},
    {"root", "codex_plugins", record, "codex_plugins", nullable},
    {"root", "validation", record, "validation", nullable},
    {"root", "policies", record, "policies", optional},
    {"root", "permissions", record, "permissions", optional},
    {"root", "risk_overrides", record, "risk_overrides", optional},
    {"root", "checks", record, "checks", optional},
    {"root", "action_surface", record, "action_surface", optional},
    {"root", "ci", record, "ci", optional},
    {"root", "baseline", record, "baseline", optional},
    {"root", "output", record, "output", optional},
    {"root", "profile", choice, "compat extended", optional},
    {"root", "human_ack", records, "human_ack", optional},

    {"project", "name", text, "", required},
    {"project", "owner", text, "", nullable},
    {"project", "repo", text, "", nullable},

    {"agent", "name", text, "", required},
    {"agent", "sdk", record, "sdk", nullable},
    {"agent", "declared_purpose", texts, "", optional},
    {"agent", "instructions_preview", text, "", nullable},
    {"agent", "prohibited_actions", texts, "", optional},

    {"sdk", "type", text, "", nullable},
    {"sdk", "language", text, "", nullable},
    {"sdk", "entrypoint", text, "", nullable},
    {"sdk", "object", text, "", nullable},
    {"sdk", "static_extract", flag, "", optional},
    {"sdk", "deep_import", flag, "", optional},

    {"environment", "target", choice, "local staging production_like production", required},
    {"environment", "promotion_from", text, "", nullable},
    {"environment", "promotion_to", text, "", nullable},

    {"tool_source", "id", text, "", required},
    {"tool_source", "type", text, "", required},
    {"tool_source", "path", text, "", nullable},
    {"tool_source", "trust", text, "", nullable},
    {"tool_source", "mode", text, "", nullable},
    {"tool_source", "optional", flag, "", optional},

    {"openai_api", "prompt_files", records, "prompt", optional},
    {"openai_api", "tools", records, "path", optional},
    {"openai_api", "function_schemas", records, "named_path", optional},
    {"openai_api", "response_formats", records, "named_path", optional},
    {"openai_api", "model_config", record, "path", nullable},
    {"openai_api", "test_cases", records, "path", optional},
    {"openai_api", "trace_samples", records, "path", optional},
    {"openai_api", "policy_rules", records, "path", optional},

    {"prompt", "path", text, "", required},
    {"path", "path", text, "", required},
    {"path", "optional", flag, "", optional},
    {"named_path", "path", text, "", required},
    {"named_path", "optional", flag, "", optional},
    {"named_path", "name", text, "", nullable},
    {"named_path", "downstream_critical_fields", texts, "", optional},

    {"anthropic", "prompt_files", records, "prompt", optional},
    {"anthropic", "tools", records, "path", optional},
    {"anthropic", "policy_rules", records, "path", optional},

    {"google_adk", "python_entrypoints", records, "path", optional},
    {"google_adk", "agent_configs", records, "path", optional},
    {"google_adk", "eval_sets", records, "path", optional},
    {"google_adk", "tool_inventories", records, "path", optional},
    {"google_adk", "trace_samples", records, "path", optional},
    {"langchain", "python_entrypoints", records, "path", optional},
    {"langchain", "tool_inventories", records, "path", optional},
    {"crewai", "python_entrypoints", records, "path", optional},
    {"crewai", "tool_inventories", records, "path", optional},
    {"n8n", "workflows", records, "path", optional},
    {"n8n", "credential_stubs", records, "path", optional},
    {"n8n", "variable_stubs", records, "path", optional},
    {"n8n", "data_table_schemas", records, "path", optional},
    {"n8n", "execution_samples", records, "path", optional},
    {"n8n", "eval_sets", records, "path", optional},
    {"n8n", "tool_inventories", records, "path", optional},

    {"codex_plugins", "mcp_tool_inventories", records, "codex_inventory", optional},
    {"codex_inventory", "plugin", text, "", required},
    {"codex_inventory", "server", text, "", required},
    {"codex_inventory", "path", text, "", required},
    {"codex_inventory", "optional", flag, "", optional},

    {"validation", "mode", choice, "human_in_the_loop", required},
    {"validation", "target_review_posture", choice, "recommendation_only limited_auto_approval", optional},
    {"validation", "required_evidence", record, "required_evidence", optional},
    {"validation", "evidence", record, "validation_evidence", optional},
    {"required_evidence", "approval_trace_required", flag, "", optional},
    {"required_evidence", "override_reason_required", flag, "", optional},
    {"required_evidence", "high_risk_auto_approval_exclusion_required", flag, "", optional},
    {"validation_evidence", "approval_traces", records, "path", optional},
    {"validation_evidence", "override_logs", records, "path", optional},
    {"validation_evidence", "high_risk_exclusions", records, "path", optional},
    {"validation_evidence", "promotion_criteria", records, "path", optional},

    {"policies", "require_approval_for_tools", records, "control", optional},
    {"policies", "require_confirmation_for_tools", records, "control", optional},
    {"policies", "require_idempotency_for_tools", records, "control", optional},
    {"control", "tool", text, "", required},
    {"control", "reason", text, "", nullable},

    {"permissions", "scopes", texts, "", optional},
    {"permissions", "credential_mode", text, "", nullable},
    {"permissions", "notes", text, "", nullable},

    {"risk_overrides", "tools", named, "risk_override", optional},
    {"risk_override", "tags", texts, "", optional},
    {"risk_override", "remove_tags", texts, "", optional},
    {"risk_override", "owner", text, "", nullable},
    {"risk_override", "confidence", text, "", optional},
    {"risk_override", "reason", text, "", required},

    {"checks", "ignore", records, "ignore", optional},
    {"checks", "policy_packs", records, "pack", optional},
    {"checks", "severity_overrides", named, "severity_override", optional},
    {"checks", "acknowledge_overrides", records, "acknowledgement", optional},
    {"ignore", "check_id", text, "", required},
    {"ignore", "tool", text, "", nullable},
    {"ignore", "reason", filled, "suppression reason is required", required},
    {"ignore", "owner", text, "", nullable},
    {"ignore", "expires", date, "", nullable},
    {"pack", "path", text, "", required},
    {"pack", "optional", flag, "", optional},
    {"pack", "id", text, "", nullable},
    {"pack", "sha256", text, "", nullable},
    {"severity_override", "severity", choice, kSeverityWords, required},
    {"severity_override", "reason", text, "", nullable},
    {"severity_override", "expires", date, "", nullable},
    {"acknowledgement", "check_id", text, "", required},
    {"acknowledgement", "reason", filled, "acknowledgement reason is required", required},
    {"acknowledgement", "expires", date, "", nullable},

    {"action_surface", "require_explicit_actions", flag, "", optional},
    {"action_surface", "actions", records, "action", optional},
    {"action_surface", "policies", records, "action_policy", optional},
    {"action", "tool", text, "", required},
    {"action", "id", text, "", nullable},
    {"action", "provider", text, "", nullable},
    {"action", "operation", text, "", nullable},
    {"action", "effect", choice, kEffects, nullable},
    {"action", "risk_tags", choices, kRiskTags, optional},
    {"action", "scopes", filleds, "scope must not be blank", optional},
    {"action", "approval", record, "approval", nullable},
    {"action", "safeguards", record, "safeguards", nullable},
    {"action", "evidence", record, "action_evidence", nullable},
    {"approval", "required", flag, "", nullable},
    {"approval", "threshold", text, "", nullable},
    {"safeguards", "idempotency", flag, "", nullable},
    {"safeguards", "audit_log", flag, "", nullable},
    {"safeguards", "rollback", flag, "", nullable},
    {"safeguards", "dry_run", flag, "", nullable},
    {"action_evidence", "owner", text, "", nullable},
    {"action_evidence", "runbook", text, "", nullable},
    {"action_evidence", "approval_ticket", text, "", nullable},
    {"action_policy", "id", text, "", required},
    {"action_policy", "match", record, "action_match", optional},
    {"action_policy", "require", values, "", optional},
    {"action_policy", "severity", choice, kSeverityWords, required},
    {"action_policy", "block", flag, "", optional},
    {"action_policy", "message", text, "", nullable},
    {"action_policy", "recommendation", text, "", nullable},
    {"action_match", "action_ids", texts, "", optional},
    {"action_match", "tools", texts, "", optional},
    {"action_match", "effects", choices, kEffects, optional},
    {"action_match", "risk_tags", choices, kRiskTags, optional},
    {"action_match", "scopes", texts, "", optional},

    {"ci", "mode", choice, "advisory strict", optional},
    {"ci", "fail_on", choices, kSeverityWords, nullable},
    {"ci", "pr_comment", flag, "", optional},
    {"ci", "annotations", flag, "", optional},
    {"ci", "upload_artifact", flag, "", optional},

    {"baseline", "integrity_mode", choice, "off warn strict", optional},
    {"baseline", "audit_log", text, "", nullable},

    {"output", "directory", text, "", optional},
    {"output", "formats", choices, "markdown json sarif", optional},
    {"output", "packet", record, "packet", optional},
    {"packet", "enabled", flag, "", optional},
    {"packet", "formats", choices, "md json html pdf", optional},

    {"human_ack", "affected_surface", filled, "affected_surface must not be blank", required},
    {"human_ack", "owner", filled, "owner must not be blank", required},
    {"human_ack", "reason", filled, "reason must not be blank", required},
    {"human_ack", "expires", text, "", nullable},
};

/// Records that a bare string can stand for, and the key that it then is.
struct ShortForm {
  std::string_view record, key;
};
// table: manifest short forms
constexpr std::array<ShortForm, 6> kShortForms{{
    {"prompt", "path"}, {"path", "path"}, {"named_path", "path"},
    {"control", "tool"}, {"pack", "path"}, {"severity_override", "severity"},
}};
// clang-format on

constexpr double kSimilar = 0.72;

using Rows = std::span<const KeyRow>;

const KeyRow* row_of(Rows rows, std::string_view record_name, std::string_view key) {
  const auto row = std::ranges::find_if(
      rows, [&](const KeyRow& r) { return r.record == record_name && r.key == key; });
  return row == rows.end() ? nullptr : &*row;
}

struct Block {
  std::size_t a, b, size;
};

/// The longest run that both have; the earliest one of equal length.
Block longest_block(std::string_view a, std::string_view b) {
  Block best_block{0, 0, 0};
  std::vector<std::size_t> row(b.size() + 1), last(b.size() + 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = a[i] == b[j] ? last[j] + 1 : 0;
      if (row[j + 1] > best_block.size)
        best_block = {i + 1 - row[j + 1], j + 1 - row[j + 1], row[j + 1]};
    }
    std::swap(row, last);
  }
  return best_block;
}

/// Twice the matching characters by all characters; matching ones are the longest common run and
/// those to its left and right.
double similarity(std::string_view a, std::string_view b) {
  constexpr std::size_t kMaxCompared = 80;
  if (a.size() > kMaxCompared || a.size() + b.size() == 0) return 0;
  std::vector<std::pair<std::string_view, std::string_view>> open{{a, b}};
  std::size_t matching = 0;
  while (!open.empty()) {
    const auto [x, y] = open.back();
    open.pop_back();
    const Block block = longest_block(x, y);
    if (block.size == 0) continue;
    matching += block.size;
    open.emplace_back(x.substr(0, block.a), y.substr(0, block.b));
    open.emplace_back(x.substr(block.a + block.size), y.substr(block.b + block.size));
  }
  return 2.0 * static_cast<double>(matching) / static_cast<double>(a.size() + b.size());
}

std::string unknown_key(Rows rows, std::string_view key) {
  std::string_view closest;
  double ratio = 0;
  for (const KeyRow& row : rows)
    if (const double r = similarity(key, row.key); row.key != key && r > ratio) {
      ratio = r;
      closest = row.key;
    }
  std::string out = "Extra inputs are not permitted";
  if (ratio >= kSimilar) out += fmt::format(". Did you mean {}?", closest);
  return out;
}

bool is_day(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00";
  if (text.size() != kForm.size()) return false;
  int parts[3] = {0, 0, 0};
  for (std::size_t i = 0, part = 0; i < text.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (is_digit != (kForm[i] == '0') || (!is_digit && text[i] != '-')) return false;
    if (is_digit)
      parts[part] = parts[part] * 10 + (text[i] - '0');
    else
      ++part;
  }
  return std::chrono::year_month_day(std::chrono::year(parts[0]),
                                     std::chrono::month(static_cast<unsigned>(parts[1])),
                                     std::chrono::day(static_cast<unsigned>(parts[2])))
      .ok();
}

struct At {
  std::string name, pointer;
  At key(std::string_view key) const {
    return {name.empty() ? std::string(key) : fmt::format("{}.{}", name, key),
            pointer + wire::pointer_part(key)};
  }
};

/// Nesting ends with the table's own, or with the depth that its reader lets a document have.
class Checker {
 public:
  explicit Checker(Rows rows) : rows_(rows) {}

  Value record_value(std::string_view record_name, const Value& value, const At& at) {
    const auto form = std::ranges::find(kShortForms, record_name, &ShortForm::record);
    if (value.as_string() != nullptr && form != kShortForms.end())
      return record_value(record_name, Map{{std::string(form->key), value}}, at);
    if (value.as_map() == nullptr) {
      refuse(at, form == kShortForms.end() ? "Input should be a mapping"
                                           : "Input should be a string or a mapping");
      return value;
    }
    Map out;
    for (const auto& [key, member] : value.as_map()->entries()) {
      const KeyRow* row = row_of(rows_, record_name, key);
      if (row == nullptr)
        refuse(at.key(key), unknown_key(rows_, key));
      else
        out.set(key, checked(*row, member, at.key(key)));
    }
    for (const KeyRow& row : rows_)
      if (row.record == record_name && row.need == required &&
          value.as_map()->find(row.key) == nullptr)
        refuse(at.key(row.key), "Field required");
    return out;
  }

  std::vector<Violation> violations;

 private:
  void refuse(const At& at, std::string message) {
    violations.push_back({at.name, at.pointer, std::move(message)});
  }

  Value checked(const KeyRow& row, const Value& value, const At& at) {
    if (value.is_null() && row.need == nullable) return value;
    switch (row.type) {
      case choice:
        // YAML 1.1 reads an unquoted off as false.
        if (value == Value(false) && is_one_of("off", row.of)) return Value("off");
        [[fallthrough]];
      case text:
      case filled:
      case date:
      case flag:
      case number:
        check_scalar(row.type, row.of, value, at);
        return value;
      case texts:
        return list(text, "", value, at);
      case filleds:
        return list(filled, row.of, value, at);
      case choices:
        return list(choice, row.of, value, at);
      case record:
        return record_value(row.of, value, at);
      case records:
        return record_list(row.of, value, at);
      case named:
        return named_records(row.of, value, at);
      case values:
        if (value.as_map() == nullptr) refuse(at, "Input should be a mapping");
        return value;
    }
    return value;
  }

  void check_scalar(KeyType type, std::string_view of, const Value& value, const At& at) {
    const std::string* word = value.as_string();
    if (type == flag) {
      if (value.as_bool() == nullptr) refuse(at, "Input should be true or false");
    } else if (type == number) {
      if (value.as_int() == nullptr && !std::holds_alternative<Decimal>(value.data()) &&
          !std::holds_alternative<Number>(value.data()))
        refuse(at, "Input should be a number");
    } else if (type == choice) {
      if (word == nullptr || !is_one_of(*word, of))
        refuse(at, fmt::format("Input should be one of: {}", of));
    } else if (word == nullptr) {
      refuse(at, fmt::format("Input should be a string, found {}", type_name(value)));
    } else if (type == filled && trimmed(*word).empty()) {
      refuse(at, std::string(of));
    } else if (type == date && !is_day(*word)) {
      refuse(at, "Input should be a date, YYYY-MM-DD");
    }
  }

  Value list(KeyType item, std::string_view of, const Value& value, const At& at) {
    if (value.as_list() == nullptr) {
      refuse(at, "Input should be a list");
      return value;
    }
    for (std::size_t i = 0; i < value.as_list()->size(); ++i)
      check_scalar(item, of, (*value.as_list())[i], at.key(std::to_string(i)));
    return value;
  }

  Value record_list(std::string_view of, const Value& value, const At& at) {
    if (value.as_list() == nullptr) {
      refuse(at, "Input should be a list");
      return value;
    }
    List out;
    for (std::size_t i = 0; i < value.as_list()->size(); ++i)
      out.push_back(record_value(of, (*value.as_list())[i], at.key(std::to_string(i))));
    return out;
  }

  Value named_records(std::string_view of, const Value& value, const At& at) {
    if (value.as_map() == nullptr) {
      refuse(at, "Input should be a mapping");
      return value;
    }
    Map out;
    for (const auto& [name, member] : value.as_map()->entries())
      out.set(name, record_value(of, member, at.key(name)));
    return out;
  }

  Rows rows_;
};

}  // namespace

std::span<const KeyRow> manifest_keys() { return kKeys; }

std::vector<Violation> check_record(std::span<const KeyRow> rows, std::string_view record_name,
                                    const Value& mapping, Value& expanded) {
  Checker checker(rows);
  expanded = checker.record_value(record_name, mapping, {});
  return std::move(checker.violations);
}

std::vector<Violation> check_keys(const Value& mapping, Value& expanded) {
  return check_record(kKeys, "root", mapping, expanded);
}

}  // namespace gh::surface
