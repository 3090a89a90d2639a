#include "analysis/contents.h"

#include "analysis/statements.h"

namespace gh::analysis {
namespace {

using syntax::Kind;
using syntax::Tree;

bool has_finally(const Tree& tree, std::uint32_t statement) {
  for (const std::uint32_t child : syntax::Children(tree, statement))
    if (tree[child].kind == Kind::Finally ||
        (tree[child].kind == Kind::Block &&
         tree[child].flags == static_cast<std::uint16_t>(syntax::Arm::finally)))
      return true;
  return false;
}

std::uint8_t own(const Tree& tree, std::uint32_t node) {
  switch (tree[node].kind) {
    case Kind::Call:
    case Kind::New:
      return content::call;
    case Kind::Raise:
      return content::raise;
    case Kind::If:
      return content::branch;
    case Kind::For:
    case Kind::While:
    case Kind::DoWhile:
      return content::loop;
    case Kind::Try:
      return has_finally(tree, node) ? content::attempt | content::finally : content::attempt;
    case Kind::Await:
    case Kind::Yield:
    case Kind::YieldFrom:
      return content::pause;
    default:
      return 0;
  }
}

std::uint8_t together(std::uint8_t a, std::uint8_t b) {
  const bool two = (a & b & content::call) != 0;
  return static_cast<std::uint8_t>(a | b | (two ? content::calls : 0));
}

}  // namespace

Contents::Contents(const Tree& tree) : bits_(tree.nodes.size(), 0) {
  for (std::size_t k = tree.nodes.size(); k-- > 0;) {
    const auto i = static_cast<std::uint32_t>(k);
    std::uint8_t bits = own(tree, i);
    for (const std::uint32_t child : syntax::Children(tree, i))
      if (tree[child].kind != Kind::Function && tree[child].kind != Kind::Class)
        bits = together(bits, bits_[child]);
    bits_[i] = bits;
  }
}

}  // namespace gh::analysis
