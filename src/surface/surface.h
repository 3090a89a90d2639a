#pragma once
// Everything that a scan knows before any check looks at it.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "surface/evidence.h"
#include "surface/files.h"
#include "surface/manifest.h"
#include "surface/tool.h"

namespace gh::surface {

struct Instructions {
  std::string preview{}, source = "dynamic_unknown";
  Confidence confidence = Confidence::medium;
};

struct Surface {
  std::vector<Tool> tools{};  // in the order of sources, one per id, classified
  std::vector<std::string> warnings{};
  Instructions instructions{};
  std::optional<ApiArtifacts> openai{}, anthropic{};
  std::optional<AdkFacts> adk{};
  std::optional<FrameworkFacts> langchain{}, crewai{};
  std::optional<N8nFacts> n8n{};
  std::optional<CodexFacts> codex{};
  std::optional<Map> codex_config{};
  std::vector<ServerCommand> codex_config_servers{}, source_servers{};
  std::optional<ConductorFacts> conductor{};
  std::vector<Toolkit> toolkits{};
  std::vector<McpOffer> offers{};
  std::vector<Shadow> shadows{};
  std::vector<std::string> partial_sources{}, empty_sources{};  // ids of tool sources
  std::optional<ValidationEvidence> validation{};
  HostFacts host{};
  std::optional<ToolLock> lock{};
  std::optional<OwnersFacts> owners{};  // looked at in strict mode only

  const Tool* tool_named(std::string_view name) const;
  /// Tools that the manifest or an API's policy names for a control.
  std::set<std::string> approval_tools{}, confirmation_tools{}, idempotency_tools{};
  std::map<std::string, std::size_t, std::less<>> by_name{};  // indexes of tools
};

/// Reads every source that the manifest names.
Result<Surface> load_surface(const Manifest&, Files&);

/// One tool per id: the one of higher priority stays and takes over what the other one adds.
std::vector<Tool> without_duplicates(std::vector<Tool>, std::vector<std::string>& warnings,
                                     std::vector<Shadow>* shadows = nullptr);

}  // namespace gh::surface
