// Memory of one parse: taken in pieces of their own thread, given back all at once when the file is
// read.
#pragma once

#include <cstddef>
#include <string_view>

struct TSParser;
struct TSTree;

namespace gh::syntax {

/// What one parse may take: memory at one time, and in all, which is the measure of its work.
/// Of 2,400 sources that people wrote 99 % ask for 100 bytes in all per byte, none for 500; a
/// tree of the most nodes that are read (cst.h) fits.
struct ParseBudget {
  std::size_t memory = 0, work = 0;
};
constexpr ParseBudget parse_budget(std::size_t bytes) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  constexpr std::size_t kLeast = 256 * kMebibyte, kPerByte = 256, kMost = 1024 * kMebibyte;
  constexpr std::size_t kLeastWork = 512 * kMebibyte, kWorkPerByte = 512;
  return {.memory = bytes > (kMost - kLeast) / kPerByte ? kMost : kLeast + kPerByte * bytes,
          .work = kLeastWork + kWorkPerByte * bytes};
}

/// Makes tree-sitter take its memory here; once per process is enough.
void use_parse_memory();
/// Forgets every tree and parser that this thread made since the last time.
void drop_parse_memory();
/// Null beyond the budget: then the parser is lost with the memory of its parse.
TSTree* parse_within_budget(TSParser*, std::string_view text);
/// Sanitizers must see each piece on its own; then trees are deleted one by one.
bool parse_memory_is_dropped();

}  // namespace gh::syntax
