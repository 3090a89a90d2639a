// Source text in, IR out: the one seam between a language and everything that is said about code.
#pragma once

#include <string_view>

#include "syntax/cst.h"
#include "syntax/python_reader.h"

namespace gh::syntax {

/// One per thread: it keeps its parsers and their memory from file to file.
class FrontEnd {
 public:
  /// False beyond the limits on nodes and depth. The source must outlive the tree.
  bool read(Language, std::string_view source, Tree& out);

  /// The two ways of it apart, for those who compare them: the grammar reads anything; the reader
  /// of Python takes what it makes the same tree of, and says why it leaves a file alone.
  bool read_by_grammar(Language, std::string_view source, Tree& out);
  bool read_without_grammar(std::string_view python, Tree& out);
  PythonRefusal refusal() const { return python_.refusal(); }

 private:
  bool lower(Language, std::string_view source, Tree& out);

  Parser parser_{};
  Cst cst_{};
  PythonReader python_{};
};

}  // namespace gh::syntax
