#include "analysis/statements.h"

namespace gh::analysis {

using syntax::Kind;

bool is_bare_string(const syntax::Tree& tree, std::uint32_t statement) {
  return tree[statement].kind == Kind::Expr && tree[statement].end == statement + 2 &&
         tree[statement + 1].kind == Kind::Str;
}

std::uint32_t body_of(const syntax::Tree& tree, std::uint32_t declaration) {
  std::uint32_t body = 0;
  for (const std::uint32_t child : syntax::Children(tree, declaration))
    if (tree[child].kind == Kind::Block) body = child;
  return body;
}

}  // namespace gh::analysis
