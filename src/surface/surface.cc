#include "surface/surface.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "base/in_parts.h"
#include "base/unicode.h"
#include "surface/hints.h"
#include "surface/loaders.h"

namespace gh::surface {
namespace {

constexpr std::size_t kPreviewLength = 500;

std::string first_code_points(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count-- > 0)
    next_code_point(text, at);
  return std::string(text.substr(0, at));
}

void merge_hints(Tool& kept, const Tool& dropped) {
  for (const Hint& hint : dropped.hints) {
    const bool known = std::ranges::any_of(kept.hints, [&](const Hint& h) {
      return h.tag == hint.tag && h.source == hint.source && h.confidence == hint.confidence &&
             h.evidence == hint.evidence;
    });
    if (!known) kept.hints.push_back(hint);
  }
}

void fill(std::string& kept, const std::string& other) {
  if (kept.empty()) kept = other;
}

void merge_into(Tool& kept, const Tool& dropped) {
  Map annotations = dropped.annotations;
  for (const auto& [key, value] : kept.annotations.entries())
    annotations.set(key, value);
  kept.annotations = std::move(annotations);
  merge_hints(kept, dropped);
  for (const std::string& scope : dropped.auth.scopes)
    if (std::ranges::find(kept.auth.scopes, scope) == kept.auth.scopes.end())
      kept.auth.scopes.push_back(scope);
  fill(kept.auth.type, dropped.auth.type);
  fill(kept.auth.credential_mode, dropped.auth.credential_mode);
  fill(kept.auth.source, dropped.auth.source);
  fill(kept.owner, dropped.owner);
}

/// One name, two servers: harmless only when both say the same of it.
void note_shadow(const Tool& kept, const Tool& other, std::vector<Shadow>& shadows) {
  Shadow out{kept.name, kept.source_id, other.source_id};
  if (kept.description != other.description) out.differing.emplace_back("description");
  if (kept.input_schema != other.input_schema) out.differing.emplace_back("input_schema");
  if (!out.differing.empty()) shadows.push_back(std::move(out));
}

int priority_of(const Tool& tool) {
  const SourceType* type = source_type_named(tool.source_type);
  return type != nullptr ? type->priority : 0;
}

class Collector {
 public:
  Collector(const Manifest& manifest, Files& files) : manifest_(manifest), files_(files) {}

  Result<Surface> load() {
    GH_DO(load_sources("mcp openapi openai_agents_sdk"));
    GH_DO(load_frameworks());
    GH_DO(load_apis());
    GH_DO(load_packages());
    finish_tools();
    append_framework_warnings();
    GH_DO(load_evidence());
    GH_DO(load_surroundings());
    if (manifest_.ci_mode == "strict") out_.owners = load_owners(manifest_, files_);
    collect_controls();
    drop_repeated(out_.warnings);
    describe_instructions();
    return std::move(out_);
  }

 private:
  /// Only rules of our own look at these, and only their profile asks them.
  Status load_surroundings() {
    if (manifest_.profile == Profile::compat) return {};
    out_.host = load_host(files_, out_.warnings);
    GH_TRY(lock, load_tool_lock(files_));
    out_.lock = std::move(lock);
    return {};
  }

  static void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
  }

  void take(Loaded loaded) {
    if (tools_.empty())
      tools_ = std::move(loaded.tools);
    else
      std::ranges::move(loaded.tools, std::back_inserter(tools_));
    std::ranges::move(loaded.toolkits, std::back_inserter(out_.toolkits));
    std::ranges::move(loaded.offers, std::back_inserter(out_.offers));
    std::ranges::move(loaded.servers, std::back_inserter(out_.source_servers));
    append(out_.warnings, loaded.warnings);
  }

  Result<Loaded> load_source(const ToolSource& source) {
    const SourceRef ref{source.id, source.path};
    if (source.type == "mcp") return load_mcp(ref, files_);
    if (source.type == "openapi") return load_openapi(ref, files_);
    if (source.type == "mcp_server_source") return load_server_source(source, files_);
    return load_agents_sdk(source, manifest_, files_);
  }

  Status load_sources(std::string_view types) {
    for (const ToolSource& source : manifest_.tool_sources) {
      if (!is_one_of(source.type, types)) continue;
      GH_DO(unless_optional(source.optional,
                            fmt::format("Optional source {} failed to load", source.id),
                            out_.warnings, [&]() -> Status {
                              GH_TRY(loaded, load_source(source));
                              if (loaded.is_partial) out_.partial_sources.push_back(source.id);
                              take(std::move(loaded));
                              return {};
                            }));
    }
    return {};
  }

  /// Loads one kind of source into its place; `facts` is where its loader leaves them.
  template <class Loaded_, class Facts>
  Status take_from(Result<Loaded_> loaded, Facts Loaded_::*facts, std::optional<Facts>& into) {
    if (!loaded) return tl::make_unexpected(std::move(loaded).error());
    take(std::move(loaded->loaded));
    into = std::move((*loaded).*facts);
    return {};
  }

  Status load_frameworks() {
    if (manifest_.has_source("google_adk"))
      GH_DO(take_from(load_adk(manifest_, files_), &LoadedAdk::adk, out_.adk));
    if (manifest_.has_source("langchain"))
      GH_DO(take_from(load_langchain(manifest_, files_), &LoadedFramework::facts, out_.langchain));
    if (manifest_.has_source("crewai"))
      GH_DO(take_from(load_crewai(manifest_, files_), &LoadedFramework::facts, out_.crewai));
    if (manifest_.n8n)
      GH_DO(take_from(load_n8n(*manifest_.n8n, files_), &LoadedN8n::n8n, out_.n8n));
    return {};
  }

  Status load_packages() {
    if (manifest_.has_source("codex_plugin") || !manifest_.codex_inventories.empty())
      GH_DO(take_from(load_codex_plugins(manifest_, files_), &LoadedCodex::codex, out_.codex));
    if (manifest_.has_source("codex_config")) {
      GH_TRY(config, load_codex_config(manifest_, files_, out_.warnings));
      out_.codex_config = std::move(config.facts);
      out_.codex_config_servers = std::move(config.servers);
    }
    if (manifest_.has_source("conductor"))
      GH_DO(take_from(load_conductor(manifest_, files_), &LoadedConductor::conductor,
                      out_.conductor));
    return load_sources("mcp_server_source");
  }

  void append_framework_warnings() {
    if (out_.adk) append(out_.warnings, out_.adk->facts.warnings);
    if (out_.langchain) append(out_.warnings, out_.langchain->warnings);
    if (out_.crewai) append(out_.warnings, out_.crewai->warnings);
    if (out_.codex) append(out_.warnings, out_.codex->warnings);
    if (out_.n8n) append(out_.warnings, out_.n8n->facts.warnings);
    if (out_.conductor) append(out_.warnings, out_.conductor->facts.warnings);
  }

  Status take_api(Result<LoadedApi> loaded, std::optional<ApiArtifacts>& artifacts) {
    if (!loaded) return tl::make_unexpected(std::move(loaded).error());
    take(std::move(loaded->loaded));
    artifacts = std::move(loaded->artifacts);
    return {};
  }

  Status load_apis() {
    if (manifest_.openai) GH_DO(take_api(load_openai(*manifest_.openai, files_), out_.openai));
    if (manifest_.anthropic)
      GH_DO(take_api(load_anthropic(*manifest_.anthropic, files_), out_.anthropic));
    return {};
  }

  Status load_evidence() {
    if (!manifest_.validation) return {};
    GH_TRY(evidence, load_validation(*manifest_.validation, files_));
    append(out_.warnings, evidence.warnings);
    out_.validation = std::move(evidence);
    return {};
  }

  void finish_tools() {
    find_empty_sources();
    out_.tools = without_duplicates(std::move(tools_), out_.warnings, &out_.shadows);
    in_parts(out_.tools.size(), kToolsOfAThread, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i)
        classify(out_.tools[i], manifest_);
    });
    for (std::size_t i = 0; i < out_.tools.size(); ++i)
      out_.by_name.emplace(out_.tools[i].name, i);
  }

  /// Those that are there for their tools, and gave none.
  void find_empty_sources() {
    for (const ToolSource& source : manifest_.tool_sources) {
      if (is_one_of(source.type, "codex_plugin codex_config")) continue;
      const bool gave = std::ranges::any_of(tools_, [&](const Tool& tool) {
        return tool.source_id == source.id || tool.source_id.starts_with(source.id + ":");
      });
      if (!gave) out_.empty_sources.push_back(source.id);
    }
  }

  static void drop_repeated(std::vector<std::string>& texts) {
    std::set<std::string> seen;
    std::erase_if(texts, [&](const std::string& text) { return !seen.insert(text).second; });
  }

  void collect_controls() {
    struct Row {
      const Controls& declared;
      std::string_view rule;
      std::set<std::string>& into;
    };
    const Row rows[] = {{manifest_.approval, "approval_required", out_.approval_tools},
                        {manifest_.confirmation, "confirmation_required", out_.confirmation_tools},
                        {manifest_.idempotency, "idempotency_required", out_.idempotency_tools}};
    for (const Row& row : rows) {
      for (const ControlEntry& entry : row.declared)
        row.into.insert(entry.tool);
      for (const auto* api : {&out_.openai, &out_.anthropic})
        if (*api)
          for (const std::string& tool : (*api)->rule_list(row.rule))
            row.into.insert(tool);
    }
  }

  void describe_instructions() {
    const auto use = [&](const std::string& text, std::string_view source) {
      if (!out_.instructions.preview.empty() || text.empty()) return;
      out_.instructions = {text, std::string(source), Confidence::high};
    };
    use(manifest_.instructions_preview, "config");
    if (out_.openai)
      use(first_code_points(out_.openai->prompt_text, kPreviewLength), "openai_api_prompt_files");
    if (out_.anthropic)
      use(first_code_points(out_.anthropic->prompt_text, kPreviewLength), "anthropic_prompt_files");
    if (out_.adk && out_.instructions.preview.empty() && !out_.adk->instruction.empty())
      out_.instructions = {first_code_points(out_.adk->instruction, kPreviewLength),
                           "google_adk_static", Confidence::medium};
  }

  const Manifest& manifest_;
  Files& files_;
  Surface out_;
  std::vector<Tool> tools_;
};

}  // namespace

const Tool* Surface::tool_named(std::string_view name) const {
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : &tools[found->second];
}

std::vector<Tool> without_duplicates(std::vector<Tool> tools, std::vector<std::string>& warnings,
                                     std::vector<Shadow>* shadows) {
  std::size_t count = 0;  // of those that are kept, in front of the others
  std::unordered_map<std::string, std::size_t> places;
  places.reserve(tools.size());
  for (Tool& tool : tools) {
    const auto [place, is_new] = places.emplace(tool.id, count);
    if (is_new) {
      if (&tool != &tools[count]) tools[count] = std::move(tool);
      ++count;
      continue;
    }
    Tool& kept = tools[place->second];
    if (priority_of(tool) > priority_of(kept)) std::swap(kept, tool);
    if (shadows != nullptr && kept.source_id != tool.source_id) note_shadow(kept, tool, *shadows);
    merge_into(kept, tool);
    warnings.push_back(
        fmt::format("Duplicate tool name '{}'; kept {} source '{}' and merged metadata from {} "
                    "source '{}'.",
                    kept.name, kept.source_type, kept.source_id, tool.source_type, tool.source_id));
  }
  tools.resize(count);
  return tools;
}

Result<Surface> load_surface(const Manifest& manifest, Files& files) {
  return Collector(manifest, files).load();
}

}  // namespace gh::surface
