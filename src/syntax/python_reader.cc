#include "syntax/python_reader.h"

#include "syntax/python_parser.h"

namespace gh::syntax {

struct PythonReader::Impl {
  python::PythonParser parser{};
};

PythonReader::PythonReader() : impl_(std::make_unique<Impl>()) {}
PythonReader::~PythonReader() = default;

bool PythonReader::read(std::string_view source, Tree& out) {
  if (impl_->parser.read(source, out)) return true;
  out.nodes.clear();
  out.ends.clear();
  out.comments.clear();
  out.symbols = Symbols();
  return false;
}

PythonRefusal PythonReader::refusal() const {
  const python::Refusal& r = impl_->parser.refusal();
  return {r.why, r.at};
}

}  // namespace gh::syntax
