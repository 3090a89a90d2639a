#pragma once
// What of a folder could be a source of tools: told by names and contents, and proven by reading it
// as one. Nothing is run; a file that cannot be read as a source is no suggestion.
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "surface/files.h"

namespace gh::surface {

inline constexpr std::size_t kMaxLookedAt = 20'000;     // files whose contents are searched
inline constexpr std::size_t kMaxSignBytes = 1u << 20;  // of one such file
inline constexpr std::size_t kMaxSuggestions = 60;      // of one type
inline constexpr std::size_t kMaxUnnamed = 4'000;       // documents whose name says nothing

struct Suggestion {
  std::string type;  // of a tool source, or the block openai_api, anthropic, n8n
  std::string path;
  std::int64_t tool_count = 0, weak_count = 0;  // weak: read with less than high confidence
  std::string why;
};

struct Suggestions {
  std::vector<Suggestion> sources{};         // by type, then path
  std::vector<std::string> codex_plugins{};  // their folders
  std::vector<std::string> prompts{};        // files
  std::set<std::string> frameworks{};        // types of code that was seen
  std::set<std::string> high_risk_tools{};   // names, of all sources
  bool has_package = false;                  // something is built or published here
  bool has_code = false;
  bool was_cut = false;
};
/// `paths` from the root of the files, in byte order.
Suggestions suggest_sources(const std::vector<std::string>& paths, Files&);

}  // namespace gh::surface
