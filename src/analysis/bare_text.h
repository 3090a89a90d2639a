// Source without its white space: what two pieces of code have in common whatever their layout.
#pragma once

#include <string>
#include <string_view>

namespace gh::analysis {

/// Written without a branch: where white space stands is nothing that a processor could foresee.
inline void append_bare(std::string& out, std::string_view text) {
  const std::size_t before = out.size();
  out.resize(before + text.size());
  char* at = out.data() + before;
  for (const char c : text) {
    *at = c;
    at += c != ' ' && !(c >= '\t' && c <= '\r') ? 1 : 0;
  }
  out.resize(static_cast<std::size_t>(at - out.data()));
}

}  // namespace gh::analysis
