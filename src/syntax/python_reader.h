// Python without a grammar: the IR of a file that holds nothing unusual, equal to what the front
// end by tree-sitter makes of it, many times faster. Any other file it leaves alone.
#pragma once

#include <memory>
#include <string_view>

#include "syntax/ir.h"

namespace gh::syntax {

/// Why a file was left alone, and where; static text.
struct PythonRefusal {
  std::string_view why;
  std::uint32_t at = 0;  // byte
};

/// One per thread: it keeps its memory from file to file.
class PythonReader {
 public:
  PythonReader();
  ~PythonReader();
  PythonReader(const PythonReader&) = delete;
  PythonReader& operator=(const PythonReader&) = delete;
  /// False, and a tree without nodes: the file is none of ours. `out` has its source and its lines.
  bool read(std::string_view source, Tree& out);
  PythonRefusal refusal() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gh::syntax
