#pragma once
// A scan of bytes that somebody else chose, one target for each format: it ends with a report that
// holds together, or with one reason.
#include <cstddef>
#include <cstdint>

enum class ReleaseFormat : std::uint8_t {
  manifest,
  mcp,
  openapi,
  sdk,
  langchain,
  crewai,
  openai,
  anthropic,
  validation,
  adk_python,
  adk_config,
  n8n,
  codex_plugin,
  codex_marketplace,
  codex_config,
  conductor,
  server_source,
  policy_pack,
  inventories,
  baseline,
  reference,
  lock,
  settings,
  prompt,
  owners,
};

int scan_bytes(ReleaseFormat, const std::uint8_t* data, std::size_t size);
