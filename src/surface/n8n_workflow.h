#pragma once
// One workflow of n8n as its export shows it: nodes, kinds and edges (tool-surface 5.10). Private
// to surface.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "surface/evidence.h"

namespace gh::surface {

enum class N8nKind : std::uint8_t {
  mcp_server_trigger,
  mcp_client_tool,
  workflow_tool,
  code_tool,
  http_tool,
  ai_agent,
  ingress,
  ai_tool,
  unknown,
};
N8nKind n8n_kind(std::string_view node_type);
bool is_built_in_n8n(std::string_view node_type);

struct N8nNode {
  std::string name, id, type;
  N8nKind kind = N8nKind::unknown;
  std::size_t index = 0;
  bool disabled = false;
  const Value* value = nullptr;
};

struct N8nWorkflow {
  std::string source_id, source_path, display;  // display: path, with the index of a list
  std::string workflow_id, pointer;             // pointer: of the workflow in its document
  const Value* value = nullptr;
  std::vector<N8nNode> nodes{};
  std::map<std::string, std::size_t> by_name{};  // the last of equal names
  bool active = true;

  N8nPlace place_of(const N8nNode&) const;
  /// False for one of equal names that is not the last.
  bool counts(const N8nNode& node) const { return by_name.at(node.name) == node.index; }
  /// Nodes that the node is a tool of, those that are switched off left out.
  std::vector<const N8nNode*> tool_targets(const N8nNode&) const;
};

enum class N8nShape : std::uint8_t { workflow, community, other };
N8nShape n8n_shape(const Value&);

/// A value of that shape. Warnings are about names.
N8nWorkflow read_n8n_workflow(const Value&, std::string_view path, int index,
                              std::vector<std::string>& warnings);

/// `$fromAI('name', 'description', 'type')` in every text of a node's parameters.
struct N8nArgument {
  std::string name, description, type;
  bool operator==(const N8nArgument&) const = default;
};
std::vector<N8nArgument> from_ai_arguments(std::string_view text);

/// The schema that a tool node declares.
Map n8n_schema(const Value& parameters);

/// Every text below a value with its pointer, in the order of the document.
struct TextAt {
  std::string pointer;
  const std::string* text;
};
std::vector<TextAt> texts_below(const Value&, const std::string& pointer);

}  // namespace gh::surface
