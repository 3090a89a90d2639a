// Workflows of n8n: tools that agents and MCP triggers are given, what is decided at run time, and
// secrets that an export carries along (tool-surface 5.10).
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "policy/redact.h"
#include "surface/hints.h"
#include "surface/loaders.h"
#include "surface/n8n_workflow.h"

namespace gh::surface {
namespace {

/// Credentials whose type holds one of the words tell what a tool may reach.
struct CredentialHint {
  std::string_view words, tag;
};
// table: n8n credential hints
constexpr std::array<CredentialHint, 4> kCredentialHints{{
    {"stripe paypal billing", "financial_action"},
    {"gmail mail slack twilio sms discord", "customer_communication"},
    {"aws azure gcp kubernetes github", "infrastructure_change"},
    {"postgres mysql database sheets notion", "sensitive_data_access"},
}};

/// Parameters that name the workflow a tool runs, the code it is, the tools of a server it takes.
constexpr std::string_view kWorkflowKeys =
    "workflowId workflow_id workflowName workflow targetWorkflow";
constexpr std::string_view kCodeKeys = "jsCode pythonCode functionCode code";
constexpr std::string_view kDescriptionKeys =
    "description toolDescription tool_description textDescription";
constexpr std::string_view kSelectionKeys =
    "toolSelection toolsToInclude toolSelectionMode include";
constexpr std::string_view kMethodKeys = "method requestMethod";
constexpr std::string_view kSelectedKeys = "tools toolNames selectedTools includeTools toolName";

std::string redacted(std::string_view text) { return policy::redact(text).text; }

/// The text, or the `value` of a resource locator.
std::string reference_at(const Value& parameters, std::string_view key) {
  const Peek given = Peek(parameters)[key];
  return std::string(given.text().empty() ? given["value"].text() : given.text());
}

std::string first_reference(const Value& parameters, std::string_view keys) {
  for (const std::string_view key : split(keys, ' '))
    if (std::string found = reference_at(parameters, key); !found.empty()) return found;
  return {};
}

bool is_expression(std::string_view text) {
  return contains(text, "{{") || contains(text, "$json") || contains(text, "$node");
}

std::string_view tool_type(const N8nNode& node, const Value& parameters) {
  switch (node.kind) {
    case N8nKind::mcp_client_tool:
      return "n8n_mcp_client_tool";
    case N8nKind::workflow_tool:
      return "n8n_workflow_tool";
    case N8nKind::code_tool:
      return "n8n_code_tool";
    case N8nKind::http_tool:
      return "n8n_http_tool";
    default:
      break;
  }
  if (!first_reference(parameters, kWorkflowKeys).empty()) return "n8n_workflow_tool";
  if (!first_reference(parameters, kCodeKeys).empty()) return "n8n_code_tool";
  const bool is_http = Peek(parameters)["method"].exists() && Peek(parameters)["url"].exists();
  return is_http ? "n8n_http_tool" : "n8n_ai_tool";
}

// ------------------------------------------------------------------------------ tools of a server

struct Selection {
  std::string mode;
  std::vector<std::string> names;  // sorted, unique
  bool is_wildcard() const { return is_one_of(mode, "all all_except") && names.empty(); }
};

std::vector<std::string> selected_names(const Value& parameters) {
  std::set<std::string> out;
  for (const std::string_view key : split(kSelectedKeys, ' ')) {
    const Peek given = Peek(parameters)[key];
    if (!given.text().empty()) out.emplace(given.text());
    for (const Value& item : given.list()) {
      const std::string name =
          item.as_string() != nullptr ? *item.as_string() : text_at(item, "name");
      if (!name.empty()) out.insert(name);
    }
  }
  return {out.begin(), out.end()};
}

/// `all_unsaid`: who says nothing takes all of them.
Selection selection_of(const Value& parameters, bool all_unsaid) {
  Selection out{"unknown", selected_names(parameters)};
  std::string given;
  for (const std::string_view key : split(kSelectionKeys, ' '))
    if (given.empty()) given = lower_case(Peek(parameters)[key].text());
  if (is_one_of(given, "all all_tools alltools"))
    out.mode = "all";
  else if (is_one_of(given, "all_except allexcept except"))
    out.mode = "all_except";
  else if (is_one_of(given, "selected selected_tools specific") || !out.names.empty())
    out.mode = "selected";
  else if (given.empty() && all_unsaid)
    out.mode = "all";
  // What `include` says holds, whatever lists an earlier choice has left.
  if (Peek(parameters)["include"].exists() && out.mode != "selected") out.names.clear();
  return out;
}

/// The client that comes with n8n writes no `include` where it takes all tools.
bool takes_all(const N8nNode& node) {
  return lower_case(node.type).ends_with("langchain.mcpclienttool");
}

// ----------------------------------------------------------------------------------- one workflow

class WorkflowReader {
 public:
  WorkflowReader(const N8nWorkflow& workflow, const InputDocument& input, bool has_inventory,
                 LoadedN8n& out)
      : workflow_(workflow), input_(input), has_inventory_(has_inventory), out_(out) {}

  void read() {
    find_secrets();
    ++out_.n8n.workflows;
    if (!workflow_.active) {
      warn(fmt::format("n8n workflow '{}' is inactive; its tools were not read.",
                       workflow_.display));
      return;
    }
    for (const N8nNode& node : workflow_.nodes)
      if (!node.disabled && workflow_.counts(node)) take_node(node);
  }

  std::int64_t tools = 0, triggers = 0, reviews = 0;

 private:
  void warn(std::string text) { out_.n8n.facts.warnings.push_back(std::move(text)); }

  void take_node(const N8nNode& node) {
    out_.n8n.agents += node.kind == N8nKind::ai_agent ? 1 : 0;
    triggers += node.kind == N8nKind::mcp_server_trigger ? 1 : 0;
    reviews += contains(lower_case(node.type), "sendandwait") ? 1 : 0;
    out_.n8n.credential_refs +=
        static_cast<std::int64_t>(Peek(*node.value)["credentials"].map().size());
    const auto targets = workflow_.tool_targets(node);
    if (targets.empty()) return;
    const auto is_trigger = [](const N8nNode* n) { return n->kind == N8nKind::mcp_server_trigger; };
    const bool by_trigger = std::ranges::any_of(targets, is_trigger);
    const bool by_agent = !std::ranges::all_of(targets, is_trigger);
    const Value parameters(object_at(*node.value, "parameters"));
    const std::string_view type = tool_type(node, parameters);
    if (by_agent) expose(node, parameters, type, false);
    if (by_trigger) expose(node, parameters, type, true);
    find_dynamic(node, parameters, type, by_trigger);
  }

  static std::string name_of(const N8nNode& node, const Value& parameters) {
    const std::string given = first_reference(parameters, "toolName name");
    return given.empty() ? node.name : given;
  }

  void expose(const N8nNode& node, const Value& parameters, std::string_view type,
              bool by_trigger) {
    if (type != "n8n_mcp_client_tool")
      return add(node, parameters, type, name_of(node, parameters), by_trigger);
    const Selection chosen = selection_of(parameters, takes_all(node));
    if (chosen.is_wildcard())
      return add(node, parameters, type, node.name + ".*", by_trigger, &chosen);
    if (chosen.names.empty())
      return add(node, parameters, type, name_of(node, parameters), by_trigger, &chosen);
    for (const std::string& name : chosen.names)
      add(node, parameters, type, name, by_trigger, &chosen);
  }

  void add(const N8nNode& node, const Value& parameters, std::string_view type,
           const std::string& name, bool by_trigger, const Selection* chosen = nullptr) {
    const N8nPlace place = workflow_.place_of(node);
    Tool tool = make_tool(by_trigger ? "mcp" : type, redacted(name));
    tool.id = fmt::format("tool:{}:{}:{}", workflow_.workflow_id, tool.source_type, tool.name);
    tool.confidence = Confidence::medium;
    tool.method = "n8n_workflow_json";
    tool.description = redacted(first_reference(parameters, kDescriptionKeys));
    if (tool.description.empty()) tool.description = fmt::format("n8n tool node {}.", tool.name);
    tool.source_id = workflow_.source_id;
    tool.source_ref = place.source_ref;
    tool.place = place_in(input_, place.pointer);
    set_schemas(tool, n8n_schema(parameters), {});
    set_credentials(tool, node);
    annotate(tool, node, parameters, type, by_trigger, chosen);
    add_hints(tool, parameters, type, node);
    if (auto warning = name_warning(tool.name)) out_.loaded.warnings.push_back(std::move(*warning));
    ++tools;
    out_.loaded.tools.push_back(std::move(tool));
  }

  static void set_credentials(Tool& tool, const N8nNode& node) {
    tool.auth.source = "n8n";
    for (const auto& entry : Peek(*node.value)["credentials"].map().entries())
      tool.auth.scopes.push_back(fmt::format("n8n:{}", entry.first));
    if (!tool.auth.scopes.empty()) tool.auth.credential_mode = "n8n_credential";
  }

  void annotate(Tool& tool, const N8nNode& node, const Value& parameters, std::string_view type,
                bool by_trigger, const Selection* chosen) const {
    tool.annotations.set("n8n_workflow_id", workflow_.workflow_id);
    tool.annotations.set("n8n_node_id", node.id);
    tool.annotations.set("n8n_node_type", node.type);
    tool.annotations.set("n8n_tool_type", type);
    // A method that changes something is told to the rules of hints; one that does not, proves
    // nothing about the address.
    const std::string method = lower_case(first_reference(parameters, kMethodKeys));
    if (is_one_of(method, "post put patch delete")) tool.annotations.set("httpMethod", method);
    if (by_trigger) tool.annotations.set("exposed_by", "n8n_mcp_server_trigger");
    if (Peek(*node.value)["continueOnFail"].is_true()) tool.annotations.set("continueOnFail", true);
    if (Peek(*node.value)["retryOnFail"].is_true()) {
      Map retry{{"source", "n8n"}, {"retryOnFail", true}};
      if (const Value* tries = node.value->as_map()->find("maxTries"))
        retry.set("maxTries", *tries);
      tool.annotations.set("retryPolicy", std::move(retry));
    }
    if (chosen == nullptr) return;
    tool.annotations.set("tool_selection_mode", chosen->mode);
    if (chosen->is_wildcard()) tool.annotations.set("wildcard_tools", true);
    if (std::ranges::find(chosen->names, tool.name) != chosen->names.end())
      tool.annotations.set("mcp_tool_name", tool.name);
  }

  static void add_hints(Tool& tool, const Value& parameters, std::string_view type,
                        const N8nNode& node) {
    constexpr std::string_view kSource = "n8n_static";
    if (type == "n8n_code_tool") add_hint(tool, "code_execution", kSource, Confidence::high);
    const std::string method = lower_case(first_reference(parameters, kMethodKeys));
    if (!method.empty() && !is_one_of(method, "get head options"))
      add_hint(tool, "external_write", kSource, Confidence::medium);
    for (const auto& entry : Peek(*node.value)["credentials"].map().entries()) {
      const std::string credential = lower_case(entry.first);
      for (const CredentialHint& row : kCredentialHints)
        if (std::ranges::any_of(split(row.words, ' '),
                                [&](std::string_view w) { return contains(credential, w); }))
          add_hint(tool, row.tag, kSource, Confidence::medium);
    }
  }

  // -------------------------------------------------------------------------------- at run time

  void say_dynamic(const N8nNode& node, std::string_view kind, std::string reason) {
    N8nPlace place = workflow_.place_of(node);
    warn(fmt::format("n8n {} at {}: {}.", kind, place.source_ref, reason));
    out_.n8n.dynamic.push_back({std::string(kind), std::move(reason), std::move(place)});
  }

  void find_dynamic(const N8nNode& node, const Value& parameters, std::string_view type,
                    bool by_trigger) {
    if (is_expression(name_of(node, parameters)))
      say_dynamic(node, "runtime_tool_name", "the name of the tool is an expression");
    if (!is_built_in_n8n(node.type) && contains(lower_case(node.type), "tool") && !has_inventory_)
      say_dynamic(node, "community_tool", "a community node decides what the tool does");
    if (is_expression(first_reference(parameters, kMethodKeys)))
      warn(fmt::format("The HTTP method of n8n tool '{}' at {} is an expression and is not read.",
                       redacted(node.name), workflow_.place_of(node).source_ref));
    if (type == "n8n_mcp_client_tool")
      find_wildcard(node, selection_of(parameters, takes_all(node)), by_trigger);
    if (type == "n8n_workflow_tool") find_workflow(node, parameters);
  }

  void find_wildcard(const N8nNode& node, const Selection& chosen, bool by_trigger) {
    if (is_one_of(chosen.mode, "all all_except"))
      out_.n8n.clients.push_back({chosen.mode, workflow_.place_of(node)});
    if (!chosen.is_wildcard() || has_inventory_) return;
    say_dynamic(node, "mcp_client_wildcard", "the client takes every tool of its server");
    if (by_trigger)
      say_dynamic(node, "mcp_server_wildcard", "the trigger exposes every tool of another server");
  }

  void find_workflow(const N8nNode& node, const Value& parameters) {
    const std::string target = first_reference(parameters, kWorkflowKeys);
    if (target.starts_with('=') || is_expression(target))
      return say_dynamic(node, "unresolved_workflow", "the workflow is chosen by an expression");
    const bool is_here = std::ranges::any_of(
        workflow_.nodes, [&](const N8nNode& n) { return n.id == target || n.name == target; });
    if (!is_here)
      say_dynamic(node, "unresolved_workflow", "the workflow is not part of this export");
  }

  // ------------------------------------------------------------------------------------ secrets

  void find_secrets() {
    for (const N8nNode& node : workflow_.nodes)
      for (const char* key : {"parameters", "notes"})
        if (const Value* value = node.value->as_map()->find(key))
          look_into(*value, workflow_.place_of(node), fmt::format("/{}", key));
    for (const char* key : {"pinData", "staticData"})
      if (const Value* value = workflow_.value->as_map()->find(key))
        look_into(*value,
                  {workflow_.display, workflow_.source_path, workflow_.workflow_id, "",
                   workflow_.pointer, ""},
                  fmt::format("/{}", key));
  }

  void look_into(const Value& value, const N8nPlace& at, const std::string& key) {
    for (const TextAt& t : texts_below(value, key))
      for (const auto& match : policy::secrets_in(*t.text, policy::SecretKinds::contract)) {
        N8nPlace place = at;
        place.pointer += t.pointer;
        place.compat_pointer += t.pointer;
        out_.n8n.secrets.push_back({std::string(match.kind), std::move(place)});
      }
  }

  const N8nWorkflow& workflow_;
  const InputDocument& input_;
  bool has_inventory_;
  LoadedN8n& out_;
};

// ------------------------------------------------------------------------------------- the section

class N8nLoader {
 public:
  explicit N8nLoader(Files& files) : files_(files) {}

  Result<LoadedN8n> load(const FrameworkBlock& block) {
    Loaded inventories;
    for (const PathEntry& entry : block.tool_inventories)
      GH_DO(optional_entry(entry, "tool inventory",
                           [&] { return read_inventory(entry, inventories); }));
    for (const PathEntry& entry : block.workflows)
      GH_DO(optional_entry(entry, "workflow", [&] { return read_workflows(entry.path); }));
    std::ranges::move(inventories.tools, std::back_inserter(out_.loaded.tools));
    std::ranges::move(inventories.warnings, std::back_inserter(out_.loaded.warnings));
    GH_DO(read_documents(block.credential_stubs, "credential stub", out_.n8n.stub_files, &stubs_));
    GH_DO(read_documents(block.variable_stubs, "variable stub", variable_files_));
    GH_DO(read_documents(block.data_table_schemas, "data table schema", table_files_));
    GH_DO(read_documents(block.execution_samples, "execution sample", sample_files_));
    GH_DO(read_documents(block.eval_sets, "eval set", out_.n8n.eval_files));
    finish();
    return std::move(out_);
  }

 private:
  template <class Read>
  Status optional_entry(const PathEntry& entry, std::string_view kind, Read read) {
    return unless_optional(
        entry.optional,
        fmt::format("Optional n8n {} artifact '{}' failed to load.", kind, entry.path),
        out_.loaded.warnings, read);
  }

  Status read_inventory(const PathEntry& entry, Loaded& into) {
    GH_TRY(inventory, load_mcp({.id = fmt::format("n8n_inventory:{}", entry.path),
                                .path = entry.path,
                                .type = "n8n_inventory"},
                               files_));
    out_.n8n.facts.has_inventory = true;
    ++inventory_files_;
    for (Tool& tool : inventory.tools) {
      tool.annotations.set("n8n_inventory", true);
      into.tools.push_back(std::move(tool));
    }
    std::ranges::move(inventory.warnings, std::back_inserter(into.warnings));
    return {};
  }

  Status read_workflows(const std::string& path) {
    GH_TRY(found, files_.find(path));
    if (found.kind != EntryKind::folder) return read_workflow_file(path, true);
    GH_TRY(below, list_folder(found, ".json"));
    for (const std::string& one : below)
      GH_DO(read_workflow_file(one, false));
    return {};
  }

  Result<std::vector<std::string>> list_folder(const Found& folder, std::string_view suffixes) {
    GH_TRY(below, files_below(files_, folder, suffixes));
    for (const std::string& path : below.refused)
      warn(fmt::format("n8n folder entry '{}' leads outside and was not read.", path));
    if (below.was_cut)
      warn(fmt::format("n8n folder '{}' has more than {} files; the rest was not read.",
                       folder.path, kMaxFolderFiles));
    return std::move(below.paths);
  }

  /// A file that was named must hold workflows; one that was found in a folder may be anything.
  Status read_workflow_file(const std::string& path, bool was_named) {
    GH_TRY(input, read_input_document(files_, path, "", out_.loaded.warnings));
    const Value& root = input.document.root;
    if (const List* list = root.as_list()) {
      for (std::size_t i = 0; i < list->size(); ++i)
        GH_DO(read_workflow((*list)[i], input, static_cast<int>(i), was_named));
      return list->empty() && was_named ? Status(refuse_input(input, "", "holds no n8n workflow"))
                                        : Status();
    }
    return read_workflow(root, input, -1, was_named);
  }

  Status read_workflow(const Value& value, const InputDocument& input, int index, bool was_named) {
    const N8nShape shape = n8n_shape(value);
    if (shape != N8nShape::workflow) {
      if (was_named)
        return refuse_input(input, index < 0 ? "" : fmt::format("/{}", index),
                            "is no n8n workflow: it needs nodes of n8n and connections");
      if (shape == N8nShape::community)
        warn(fmt::format("n8n folder file '{}' has community nodes only and was skipped.",
                         input.path));
      return {};
    }
    const N8nWorkflow workflow =
        read_n8n_workflow(value, input.path, index, out_.n8n.facts.warnings);
    WorkflowReader reader(workflow, input, out_.n8n.facts.has_inventory, out_);
    reader.read();
    active_ += workflow.active ? 1 : 0;
    tools_ += reader.tools;
    triggers_ += reader.triggers;
    reviews_ += reader.reviews;
    return {};
  }

  /// Stubs, schemas and samples: they must be readable, and are counted.
  Status read_documents(const PathEntries& entries, std::string_view kind, std::int64_t& files,
                        std::int64_t* items = nullptr) {
    for (const PathEntry& entry : entries)
      GH_DO(optional_entry(entry, kind, [&]() -> Status {
        GH_TRY(found, files_.find(entry.path));
        std::vector<std::string> paths{entry.path};
        if (found.kind == EntryKind::folder) {
          GH_TRY(below, list_folder(found, ".json .yaml .yml"));
          paths = below;
        }
        for (const std::string& path : paths) {
          GH_TRY(count, read_document_items(path));
          ++files;
          if (items != nullptr) *items += count;
        }
        return {};
      }));
    return {};
  }

  Result<std::int64_t> read_document_items(const std::string& path) {
    if (lower_case(path).ends_with(".jsonl")) {
      GH_TRY(file, read_input(files_, path));
      std::int64_t count = 0;
      for (const std::string_view line : split(file.bytes, '\n')) {
        if (trimmed(line).empty()) continue;
        GH_DO(wire::read_document(line, file.path + ".json"));
        ++count;
      }
      return count;
    }
    GH_TRY(input, read_input_document(files_, path));
    const List* list = input.document.root.as_list();
    return list != nullptr ? static_cast<std::int64_t>(list->size()) : 1;
  }

  void warn(std::string text) { out_.n8n.facts.warnings.push_back(std::move(text)); }

  void finish() {
    N8nFacts& n8n = out_.n8n;
    n8n.facts.counts = {
        {"workflow_count", n8n.workflows},
        {"active_workflow_count", active_},
        {"ai_agent_count", n8n.agents},
        {"tool_count", tools_},
        {"mcp_server_trigger_count", triggers_},
        {"unfiltered_mcp_client_count", static_cast<std::int64_t>(n8n.clients.size())},
        {"human_review_node_count", reviews_},
        {"dynamic_tool_surface_count", static_cast<std::int64_t>(n8n.dynamic.size())},
        {"secret_exposure_count", static_cast<std::int64_t>(n8n.secrets.size())},
        {"credential_ref_count", n8n.credential_refs},
        {"credential_stub_file_count", n8n.stub_files},
        {"credential_stub_count", stubs_},
        {"variable_stub_file_count", variable_files_},
        {"data_table_schema_file_count", table_files_},
        {"execution_sample_file_count", sample_files_},
        {"eval_file_count", n8n.eval_files},
        {"tool_inventory_file_count", inventory_files_},
        {"warnings", string_list(n8n.facts.warnings)}};
  }

  Files& files_;
  LoadedN8n out_;
  std::int64_t active_ = 0, tools_ = 0, triggers_ = 0, reviews_ = 0, stubs_ = 0,
               variable_files_ = 0, table_files_ = 0, sample_files_ = 0, inventory_files_ = 0;
};

}  // namespace

Result<LoadedN8n> load_n8n(const FrameworkBlock& block, Files& files) {
  return N8nLoader(files).load(block);
}

}  // namespace gh::surface
