// The two front ends of Python side by side: what one makes of a file, the other has to make too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "syntax/front_end.h"
#include "syntax/python_reader.h"

namespace gh::readers {

inline std::string describe(const syntax::Tree& tree, std::size_t i) {
  if (i >= tree.nodes.size()) return "nothing";
  const syntax::Node& n = tree.nodes[i];
  std::string out(to_string(n.kind));
  out += " flags=" + std::to_string(n.flags) + " end=" + std::to_string(n.end);
  out += " bytes=" + std::to_string(n.start) + "-" + std::to_string(tree.ends[i]);
  out += " line=" + std::to_string(tree.line_at(n.start));
  out += " '" + std::string(tree.symbols.text(n.symbol)) + "' ";
  out += tree.text(static_cast<std::uint32_t>(i)).substr(0, 60);
  std::ranges::replace(out, '\n', '~');
  return out;
}

/// Where they differ first; empty when they are equal.
inline std::string difference(const syntax::Tree& a, const syntax::Tree& b) {
  const auto at = [&](std::size_t i) {
    return "  grammar: " + describe(a, i) + "\n  reader:  " + describe(b, i);
  };
  const std::size_t both = std::min(a.nodes.size(), b.nodes.size());
  for (std::size_t i = 0; i < both; ++i) {
    const syntax::Node &x = a.nodes[i], &y = b.nodes[i];
    if (x.kind != y.kind || x.flags != y.flags || x.start != y.start || a.ends[i] != b.ends[i] ||
        a.symbols.text(x.symbol) != b.symbols.text(y.symbol))
      return at(i);
  }
  if (a.nodes.size() != b.nodes.size()) return at(both);
  for (std::size_t i = 0; i < both; ++i)
    if (a.nodes[i].end != b.nodes[i].end) return at(i);
  const auto same = [](const syntax::Comment& x, const syntax::Comment& y) {
    return x.start == y.start && x.end == y.end;
  };
  if (!std::ranges::equal(a.comments, b.comments, same)) return "  comments";
  if (a.line_starts != b.line_starts || a.package != b.package) return "  lines or package";
  if (!b.unread.empty() || !b.unchecked.empty()) return "  something unread";
  return "";
}

enum class Outcome { equal, different, left, with_errors };

class Readers {
 public:
  /// `left`: the grammar reads it whole, the reader does not. What the grammar has errors in is
  /// different when the reader takes it.
  Outcome compare(std::string_view source) {
    const bool is_read = front_end_.read_by_grammar(syntax::Language::python, source, by_grammar);
    const bool is_whole = is_read && by_grammar.unread.empty();
    const bool is_taken = front_end_.read_without_grammar(source, by_reader);
    why = is_taken ? syntax::PythonRefusal{} : front_end_.refusal();
    differs.clear();
    if (!is_taken) return is_whole ? Outcome::left : Outcome::with_errors;
    if (!is_whole) {
      const std::uint32_t line =
          by_grammar.unread.empty() ? 0 : by_grammar.line_at(by_grammar.unread[0].start);
      differs = "  taken, although the grammar has errors, first in line " + std::to_string(line);
    } else {
      differs = difference(by_grammar, by_reader);
    }
    return differs.empty() ? Outcome::equal : Outcome::different;
  }

  syntax::Tree by_grammar{}, by_reader{};
  syntax::PythonRefusal why{};
  std::string differs{};

 private:
  syntax::FrontEnd front_end_{};
};

}  // namespace gh::readers
