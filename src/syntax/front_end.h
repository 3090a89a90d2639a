// Source text in, IR out: the one seam between a language and everything that is said about code.
#pragma once

#include <string_view>

#include "syntax/cst.h"

namespace gh::syntax {

/// One per thread: it keeps its parser and its memory from file to file.
class FrontEnd {
 public:
  /// False beyond the limits on nodes and depth. The source must outlive the tree.
  bool read(Language, std::string_view source, Tree& out);
  /// The same by the grammar alone; what a reader without one makes is compared with it.
  bool read_by_grammar(Language, std::string_view source, Tree& out);

 private:
  Parser parser_{};
  Cst cst_{};
};

}  // namespace gh::syntax
