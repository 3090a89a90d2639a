#include "syntax/front_end.h"

#include "syntax/lowering.h"

namespace gh::syntax {

bool FrontEnd::read(Language language, std::string_view source, Tree& out) {
  out = Tree{.source = source, .language = language};
  for (std::size_t at = source.find('\n'); at != std::string_view::npos;
       at = source.find('\n', at + 1))
    out.line_starts.push_back(static_cast<std::uint32_t>(at + 1));
  if (!parser_.parse(language, source, cst_)) return false;
  Lowering(cst_, out).run();
  return true;
}

}  // namespace gh::syntax
