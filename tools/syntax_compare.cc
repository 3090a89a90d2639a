// syntax_compare [--quiet] [--dump] [--time ROUNDS] <FILES: reads the Python files that standard input names, one path per line, by
// both front ends. Says where two trees differ and why a file was left to the grammar; 1 when any differs.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "syntax/front_end.h"
#include "syntax/python_reader.h"

namespace {

using gh::syntax::Tree;

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

std::string describe(const Tree& tree, std::size_t i) {
  if (i >= tree.nodes.size()) return "nothing";
  const gh::syntax::Node& n = tree.nodes[i];
  std::ostringstream out;
  out << to_string(n.kind) << " flags=" << n.flags << " end=" << n.end << " bytes=" << n.start << '-'
      << tree.ends[i] << " line=" << tree.line_at(n.start) << " '" << tree.symbols.text(n.symbol) << "' "
      << tree.text(static_cast<std::uint32_t>(i)).substr(0, 60);
  std::string line = std::move(out).str();
  std::ranges::replace(line, '\n', '~');
  return line;
}

/// Empty when they are equal.
std::string difference(const Tree& a, const Tree& b) {
  const std::size_t both = std::min(a.nodes.size(), b.nodes.size());
  for (std::size_t i = 0; i < both; ++i) {
    const auto &x = a.nodes[i], &y = b.nodes[i];
    if (x.kind != y.kind || x.flags != y.flags || x.start != y.start || a.ends[i] != b.ends[i] ||
        a.symbols.text(x.symbol) != b.symbols.text(y.symbol))
      return "  grammar: " + describe(a, i) + "\n  reader:  " + describe(b, i);
  }
  if (a.nodes.size() != b.nodes.size())
    return "  grammar: " + describe(a, both) + "\n  reader:  " + describe(b, both);
  for (std::size_t i = 0; i < both; ++i)
    if (a.nodes[i].end != b.nodes[i].end)
      return "  grammar: " + describe(a, i) + "\n  reader:  " + describe(b, i);
  const auto comments = [](const Tree& t) {
    std::ostringstream out;
    for (const auto& c : t.comments)
      out << c.start << '-' << c.end << ' ';
    return std::move(out).str();
  };
  if (comments(a) != comments(b)) return "  comments: " + comments(a).substr(0, 60) + " | " + comments(b).substr(0, 60);
  if (a.line_starts != b.line_starts || a.package != b.package) return "  lines or package";
  return "";
}

double processor_ms() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int main(int argc, char** argv) {
  bool quiet = false, dump = false;
  int rounds = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quiet") quiet = true;
    if (word == "--dump") dump = true;
    if (word == "--time" && i + 1 < argc) rounds = std::stoi(argv[++i]);
  }
  gh::syntax::FrontEnd front_end;
  gh::syntax::PythonReader reader;
  std::size_t equal = 0, different = 0, with_errors = 0, left = 0, bytes = 0;
  std::map<std::string, std::size_t> reasons;
  std::vector<std::string> sources;
  std::string path;
  while (std::getline(std::cin, path)) {
    const std::string source = contents(path);
    bytes += source.size();
    if (rounds > 0) {
      sources.push_back(source);
      continue;
    }
    Tree by_grammar, by_reader;
    const bool is_read = front_end.read_by_grammar(gh::syntax::Language::python, source, by_grammar);
    const bool is_whole = is_read && by_grammar.unread.empty();
    if (dump)
      for (std::size_t i = 0; i < by_grammar.nodes.size(); ++i)
        std::cout << describe(by_grammar, i) << '\n';
    by_reader.source = source;
    by_reader.line_starts = by_grammar.line_starts;
    if (!reader.read(source, by_reader)) {
      const auto why = reader.refusal();
      if (!is_whole) {
        ++with_errors;
        continue;
      }
      ++left;
      ++reasons[std::string(why.why)];
      if (!quiet) std::cout << path << ':' << by_grammar.line_at(why.at) << ": left: " << why.why << '\n';
      continue;
    }
    const std::string differs = is_whole ? difference(by_grammar, by_reader) : "  accepted, the grammar has errors in line " +
        (by_grammar.unread.empty() ? std::string("?") : std::to_string(by_grammar.line_at(by_grammar.unread[0].start)));
    if (differs.empty()) {
      ++equal;
    } else {
      ++different;
      std::cout << path << ": differs\n" << differs << '\n';
    }
  }
  if (rounds > 0) {
    double ours = 0, grammars = 0;
    std::size_t nodes = 0;
    for (int r = 0; r < rounds; ++r) {
      for (const bool by_grammar : {false, true}) {
        if (by_grammar && r > 0) continue;  // it is slow, and steady
        const double from = processor_ms();
        for (const std::string& source : sources) {
          Tree out;
          out.source = source;
          if (by_grammar) {
            front_end.read_by_grammar(gh::syntax::Language::python, source, out);
          } else if (reader.read(source, out)) {
            nodes += out.nodes.size();
          }
        }
        const double took = processor_ms() - from;
        (by_grammar ? grammars : ours) += took;
        if (!by_grammar) std::printf("reader %.1f ms %.1f MB/s\n", took, static_cast<double>(bytes) / took / 1000);
      }
    }
    std::printf("grammar and lowering %.1f ms %.1f MB/s, %zu nodes\n", grammars, static_cast<double>(bytes) / grammars / 1000,
                nodes / static_cast<std::size_t>(rounds));
    return 0;
  }
  std::cout << equal << " equal, " << different << " different, " << left << " left though whole, " << with_errors
            << " with errors left\n";
  for (const auto& [why, count] : reasons)
    std::cout << "  " << count << ' ' << why << '\n';
  return different == 0 ? 0 : 1;
}
