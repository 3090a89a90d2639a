#include "syntax/front_end.h"

#include "syntax/lowering.h"

namespace gh::syntax {
namespace {

void begin(Language language, std::string_view source, Tree& out) {
  out = Tree{.source = source, .language = language};
  for (std::size_t at = source.find('\n'); at != std::string_view::npos;
       at = source.find('\n', at + 1))
    out.line_starts.push_back(static_cast<std::uint32_t>(at + 1));
}

}  // namespace

bool FrontEnd::read(Language language, std::string_view source, Tree& out) {
  begin(language, source, out);
  if (language == Language::python && python_.read(source, out)) return true;
  return lower(language, source, out);
}

bool FrontEnd::read_by_grammar(Language language, std::string_view source, Tree& out) {
  begin(language, source, out);
  return lower(language, source, out);
}

bool FrontEnd::read_without_grammar(std::string_view python, Tree& out) {
  begin(Language::python, python, out);
  return python_.read(python, out);
}

bool FrontEnd::lower(Language language, std::string_view source, Tree& out) {
  if (!parser_.parse(language, source, cst_)) return false;
  Lowering(cst_, out).run();
  return true;
}

}  // namespace gh::syntax
