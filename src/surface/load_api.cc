// Artifacts of model APIs: tools, prompts, formats, policies (tool-surface 5.3, 5.4).
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/hints.h"
#include "surface/loaders.h"
#include "wire/spaced_json.h"

namespace gh::surface {
namespace {

/// What differs between the two APIs in the words of warnings.
struct Api {
  std::string_view type, id, name;
};
constexpr Api kOpenAi{"openai_api", "openai_api", "OpenAI API"};
constexpr Api kAnthropic{"anthropic_api", "anthropic", "Anthropic"};

class ApiLoader {
 public:
  ApiLoader(const Api& api, Files& files) : api_(api), files_(files) {}

  Status prompts(const PathEntries& entries) {
    std::vector<std::string> texts;
    for (const PathEntry& entry : entries) {
      GH_TRY(file, read_input(files_, entry.path));
      if (!is_utf8(file.bytes))
        return fail(Code::input_unreadable, fmt::format("{}: not UTF-8", file.path));
      const std::string suffix =
          lower_case(file.path.substr(std::min(file.path.rfind('.'), file.path.size())));
      if (!is_one_of(suffix, ".md .markdown .txt"))
        warn(fmt::format("{} prompt file '{}' has an unexpected suffix.", api_.name, entry.path));
      texts.push_back(std::move(file.bytes));
    }
    out.artifacts.prompt_file_count = static_cast<std::int64_t>(entries.size());
    out.artifacts.prompt_text = join(texts, "\n\n");
    return {};
  }

  /// Reads each entry's document; an optional one that fails is a warning of that kind.
  template <class Take>
  Status each(const PathEntries& entries, std::string_view kind, Take take) {
    for (const PathEntry& entry : entries)
      GH_DO(unless_optional(
          entry.optional,
          fmt::format("Optional {} {} artifact '{}' failed to load.", api_.name, kind, entry.path),
          out.loaded.warnings, [&]() -> Status {
            GH_TRY(input, read_input_document(files_, entry.path, "", out.loaded.warnings));
            return take(entry, input);
          }));
    return {};
  }

  Status policy_rules(const PathEntries& entries) {
    return each(entries, "policy rules",
                [&](const PathEntry& entry, const InputDocument& input) -> Status {
                  const Map* rules = input.document.root.as_map();
                  if (rules == nullptr)
                    return refuse_input(input, "", "policy rules must be an object");
                  ++out.artifacts.policy_rule_count;
                  for (const auto& [key, value] : rules->entries())
                    merge_rule(entry, key, value);
                  return {};
                });
  }

  void warn(std::string text) { out.loaded.warnings.push_back(std::move(text)); }

  Tool make(const InputDocument& input, const PathEntry& entry, std::string_view name,
            std::string_view pointer) {
    Tool tool = make_tool(api_.type, name);
    tool.source_id = api_.id;
    tool.source_ref = entry.path;
    tool.place = place_in(input, pointer);
    tool.auth.source = api_.id;
    return tool;
  }

  LoadedApi out;

 private:
  /// Lists are united by the text of their items, mappings joined, anything else replaced.
  void merge_rule(const PathEntry& entry, const std::string& key, const Value& value) {
    Value* known = out.artifacts.policy_rules.find(key);
    if (known == nullptr) {
      out.artifacts.policy_rules.set(key, value);
      return;
    }
    warn(fmt::format("{} policy rule '{}' is declared in several files; '{}' was merged.",
                     api_.name, key, entry.path));
    if (known->as_list() != nullptr && value.as_list() != nullptr) {
      std::set<std::string> texts;
      for (const Value& item : *known->as_list())
        texts.insert(wire::spaced_json(item));
      for (const Value& item : *value.as_list())
        if (texts.insert(wire::spaced_json(item)).second) known->as_list()->push_back(item);
    } else if (known->as_map() != nullptr && value.as_map() != nullptr) {
      for (const auto& [name, member] : value.as_map()->entries())
        known->as_map()->set(name, member);
    } else {
      *known = value;
    }
  }

  const Api& api_;
  Files& files_;
};

// ----------------------------------------------------------------------------------------- OpenAI

/// `parameters`, or the function itself when it is written like a schema. nullopt: not an object.
std::optional<Map> function_parameters(const Value& function) {
  const Value* given = function.as_map()->find("parameters");
  if (given != nullptr) {
    if (given->as_map() == nullptr) return std::nullopt;
    return *given->as_map();
  }
  for (const char* key : {"type", "properties", "required", "additionalProperties"})
    if (function.as_map()->find(key) != nullptr) return *function.as_map();
  return Map{};
}

void take_function(ApiLoader& loader, const InputDocument& input, const PathEntry& entry,
                   const ToolItem& item, std::string source_ref, std::string_view fallback) {
  const Value* inner = item.value->as_map()->find("function");
  const Value& function = inner != nullptr && inner->as_map() != nullptr ? *inner : *item.value;
  std::string name = std::string(Peek(function)["name"].text());
  if (trimmed(name).empty()) name = fallback;
  if (trimmed(name).empty())
    return loader.warn(fmt::format("Skipping OpenAI API tool without name in '{}'.", source_ref));
  auto parameters = function_parameters(function);
  if (!parameters)
    return loader.warn(fmt::format(
        "Skipping OpenAI API tool '{}' in '{}': parameters must be an object.", name, source_ref));
  Tool tool = loader.make(input, entry, name, item.pointer);
  tool.source_ref = std::move(source_ref);
  tool.description = text_at(function, "description");
  tool.annotations.set("openaiApiFunction", true);
  const Value* strict = function.as_map()->find("strict");
  if (strict == nullptr) strict = item.value->as_map()->find("strict");
  if (strict != nullptr && !strict->is_null()) tool.annotations.set("openaiStrict", *strict);
  set_schemas(tool, std::move(*parameters), {});
  if (auto warning = name_warning(name)) loader.warn(std::move(*warning));
  loader.out.loaded.tools.push_back(std::move(tool));
}

Status take_tools(ApiLoader& loader, const PathEntry& entry, const InputDocument& input) {
  ++loader.out.artifacts.tool_file_count;
  for (const ToolItem& item : tool_items(input.document.root))
    take_function(loader, input, entry, item, fmt::format("{}#{}", entry.path, item.index), "");
  return {};
}

Status take_function_schema(ApiLoader& loader, const PathEntry& entry, const InputDocument& input) {
  if (input.document.root.as_map() == nullptr)
    return refuse_input(input, "", "a function schema must be an object");
  ++loader.out.artifacts.tool_file_count;
  take_function(loader, input, entry, {&input.document.root, "", 0}, entry.path, entry.name);
  return {};
}

ResponseFormat response_format(const PathEntry& entry, const Value& root) {
  ResponseFormat out{entry.path, entry.name, {}, {}, entry.critical_fields};
  const Value wrapper = object_at(root, "json_schema");
  const Value& holder = wrapper.as_map()->empty() ? root : wrapper;
  if (const Value* strict = holder.as_map()->find("strict")) out.strict = *strict;
  if (out.name.empty()) out.name = text_at(holder, "name");
  out.schema = object_at(holder, "schema");
  if (out.schema.empty() && wrapper.as_map()->empty() && !Peek(root)["schema"].exists())
    out.schema = *root.as_map();
  return out;
}

const List& list_of(const Value& root, std::initializer_list<std::string_view> keys) {
  if (root.as_list() != nullptr) return *root.as_list();
  for (const std::string_view key : keys)
    if (const List& found = Peek(root)[key].list(); !found.empty()) return found;
  return Peek(nullptr).list();
}

Status take_test_cases(ApiLoader& loader, const InputDocument& input) {
  for (const Value& item : list_of(input.document.root, {"test_cases"}))
    if (item.as_map() != nullptr) loader.out.artifacts.test_cases.push_back(item);
  return {};
}

/// One object per line, or a document.
Result<List> raw_events(Files& files, const std::string& path) {
  if (!path.ends_with(".jsonl")) {
    GH_TRY(input, read_input_document(files, path));
    return list_of(input.document.root, {"trace_samples", "events", "tool_calls"});
  }
  GH_TRY(file, read_input(files, path));
  List out;
  std::int64_t line = 0;
  for (const std::string_view text : split(file.bytes, '\n')) {
    ++line;
    if (trimmed(text).empty()) continue;
    GH_TRY(event, wire::read_json_line(text, file.path, line));
    out.push_back(std::move(event));
  }
  return out;
}

Status take_traces(ApiLoader& loader, Files& files, const PathEntry& entry) {
  GH_TRY(events, raw_events(files, entry.path));
  std::size_t nameless = 0;
  for (const Value& event : events) {
    if (Peek(event)["tool_name"].text().empty()) ++nameless;
    if (event.as_map() != nullptr) loader.out.artifacts.trace_samples.push_back(event);
  }
  if (nameless > 0)
    loader.warn(fmt::format("OpenAI API trace samples '{}': {} entr{} without tool_name.",
                            entry.path, nameless, nameless == 1 ? "y" : "ies"));
  return {};
}

// -------------------------------------------------------------------------------------- Anthropic

enum class Side : std::uint8_t { server, client, connector };
struct BuiltIn {
  std::string_view prefix;
  Side side;
  std::string_view tags;
};
// table: Anthropic tool types
constexpr std::array<BuiltIn, 10> kBuiltIns{{
    {"web_search_", Side::server, ""},
    {"code_execution_", Side::server, ""},
    {"web_fetch_", Side::server, ""},
    {"tool_search_", Side::server, ""},
    {"bash_", Side::client, "code_execution destructive write"},
    {"text_editor_", Side::client, "destructive write"},
    {"computer_", Side::client, "code_execution destructive write"},
    {"memory_", Side::client, "write"},
    {"mcp_toolset", Side::connector, ""},
    {"mcp_servers", Side::connector, ""},
}};

bool is_anthropic_name(std::string_view name) {
  constexpr std::size_t kMaxName = 64;
  return !name.empty() && name.size() <= kMaxName && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

class AnthropicTools {
 public:
  AnthropicTools(ApiLoader& loader, const PathEntry& entry, const InputDocument& input)
      : loader_(loader), entry_(entry), input_(input) {}

  void take(const ToolItem& item) {
    const Value& v = *item.value;
    const std::string ref = fmt::format("{}#{}", entry_.path, item.index);
    const std::string name = text_at(v, "name"), type = text_at(v, "type");
    const auto skip = [&](std::string_view why) {
      loader_.warn(fmt::format("Skipping Anthropic tool '{}' in '{}': {}.", name, ref, why));
    };
    if (const Value* function = v.as_map()->find("function");
        function != nullptr && function->as_map() != nullptr)
      return skip("it has the form of an OpenAI function");
    const BuiltIn* built_in = built_in_of(type);
    const bool is_custom = type.empty() || type == "custom";
    if (built_in != nullptr && built_in->side == Side::connector)
      return add_connector(item, ref, name);
    if (trimmed(name).empty()) return skip("it has no name");
    if (!is_custom && (built_in == nullptr || built_in->side == Side::server)) {
      loader_.out.artifacts.skipped_server_tools.push_back(name);
      return skip(built_in == nullptr ? "its type is unknown" : "it runs on the server");
    }
    if (is_custom && Peek(v)["parameters"].exists() && !Peek(v)["input_schema"].exists())
      return skip("it has parameters and no input_schema");
    const Value* schema = v.as_map()->find("input_schema");
    if (schema != nullptr && !schema->is_null() && schema->as_map() == nullptr)
      return skip("input_schema must be an object");
    add(item, ref, name, type, built_in);
  }

 private:
  static const BuiltIn* built_in_of(std::string_view type) {
    const auto row = std::ranges::find_if(
        kBuiltIns, [&](const BuiltIn& b) { return type.starts_with(b.prefix); });
    return row == kBuiltIns.end() ? nullptr : &*row;
  }

  Tool base(const ToolItem& item, const std::string& ref, const std::string& name) {
    Tool tool = loader_.make(input_, entry_, name, item.pointer);
    tool.source_ref = ref;
    tool.description = text_at(*item.value, "description");
    tool.annotations.set("anthropicTool", true);
    if (const Value* control = item.value->as_map()->find("cache_control"))
      tool.annotations.set("anthropicCacheControl", *control);
    return tool;
  }

  void add(const ToolItem& item, const std::string& ref, const std::string& name,
           const std::string& type, const BuiltIn* built_in) {
    Tool tool = base(item, ref, name);
    if (!type.empty()) tool.annotations.set("anthropicToolType", type);
    if (built_in != nullptr) {
      tool.annotations.set("anthropicClientTool", true);
      for (const std::string_view tag : split(built_in->tags, ' '))
        add_hint(tool, tag, "anthropic_client_tool_type", Confidence::high);
    }
    if (!is_anthropic_name(name))
      loader_.warn(
          fmt::format("Anthropic tool name '{}' does not match ^[a-zA-Z0-9_-]{{1,64}}$.", name));
    set_schemas(tool, object_at(*item.value, "input_schema"), {});
    loader_.out.loaded.tools.push_back(std::move(tool));
  }

  /// Every tool of a server that the API itself connects to.
  void add_connector(const ToolItem& item, const std::string& ref, const std::string& name) {
    const std::string server = text_at(*item.value, "mcp_server_name");
    Tool tool = base(item, ref,
                     fmt::format("{}.*", !server.empty() ? server
                                         : name.empty()  ? "mcp"
                                                         : name));
    tool.description = "Wildcard MCP tool exposure.";
    tool.annotations.set("wildcard_tools", true);
    loader_.out.loaded.tools.push_back(std::move(tool));
  }

  ApiLoader& loader_;
  const PathEntry& entry_;
  const InputDocument& input_;
};

}  // namespace

Result<LoadedApi> load_openai(const OpenAiBlock& block, Files& files) {
  ApiLoader loader(kOpenAi, files);
  GH_DO(loader.prompts(block.prompt_files));
  GH_DO(loader.each(block.tools, "tools", [&](const PathEntry& entry, const InputDocument& input) {
    return take_tools(loader, entry, input);
  }));
  GH_DO(loader.each(block.function_schemas, "function schema",
                    [&](const PathEntry& entry, const InputDocument& input) {
                      return take_function_schema(loader, entry, input);
                    }));
  GH_DO(loader.each(block.response_formats, "response format",
                    [&](const PathEntry& entry, const InputDocument& input) -> Status {
                      if (input.document.root.as_map() == nullptr)
                        return refuse_input(input, "", "a response format must be an object");
                      loader.out.artifacts.response_formats.push_back(
                          response_format(entry, input.document.root));
                      return {};
                    }));
  if (block.model_config)
    GH_DO(loader.each({*block.model_config}, "model config",
                      [&](const PathEntry&, const InputDocument& input) -> Status {
                        const Map* config = input.document.root.as_map();
                        if (config == nullptr)
                          return refuse_input(input, "", "the model config must be an object");
                        loader.out.artifacts.model_config = *config;
                        loader.out.artifacts.has_model_config = true;
                        return {};
                      }));
  GH_DO(loader.each(block.test_cases, "test cases",
                    [&](const PathEntry&, const InputDocument& input) {
                      return take_test_cases(loader, input);
                    }));
  for (const PathEntry& entry : block.trace_samples)
    GH_DO(unless_optional(
        entry.optional,
        fmt::format("Optional OpenAI API trace samples artifact '{}' failed to load.", entry.path),
        loader.out.loaded.warnings, [&] { return take_traces(loader, files, entry); }));
  GH_DO(loader.policy_rules(block.policy_rules));
  return std::move(loader.out);
}

Result<LoadedApi> load_anthropic(const AnthropicBlock& block, Files& files) {
  ApiLoader loader(kAnthropic, files);
  GH_DO(loader.prompts(block.prompt_files));
  GH_DO(loader.each(block.tools, "tools", [&](const PathEntry& entry, const InputDocument& input) {
    ++loader.out.artifacts.tool_file_count;
    for (const ToolItem& item : tool_items(input.document.root))
      AnthropicTools(loader, entry, input).take(item);
    return Status();
  }));
  GH_DO(loader.policy_rules(block.policy_rules));
  return std::move(loader.out);
}

}  // namespace gh::surface
