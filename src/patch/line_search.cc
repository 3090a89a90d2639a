#include "patch/line_search.h"

#include <algorithm>
#include <span>

namespace gh::patch {
namespace {

using LineId = std::uint32_t;

/// Equal lines get equal numbers. Sorting instead of hashing: no input can make it quadratic.
std::vector<LineId> numbered(const std::vector<std::string_view>& lines) {
  std::vector<std::uint32_t> order(lines.size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return lines[a].size() != lines[b].size() ? lines[a].size() < lines[b].size()
                                              : lines[a] < lines[b];
  };
  std::ranges::sort(order, before);
  std::vector<LineId> ids(lines.size());
  LineId next = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && lines[order[i]] != lines[order[i - 1]]) ++next;
    ids[order[i]] = next;
  }
  return ids;
}

void append_lines(std::vector<std::string_view>& out, std::string_view blob) {
  while (!blob.empty()) {
    const std::size_t lf = std::min(blob.find('\n'), blob.size());
    out.push_back(blob.substr(0, lf));
    blob.remove_prefix(std::min(lf + 1, blob.size()));
  }
}

void append_old_lines(std::vector<std::string_view>& out, const diff::Hunk& hunk) {
  diff::for_each_line(hunk, [&](char kind, std::string_view text, std::int64_t, bool) {
    if (kind != '+') out.push_back(text);
  });
}

using Word = std::span<const LineId>;

/// The automaton of Aho and Corasick over line numbers. Nodes are laid out breadth first, so the
/// children of a node are neighbours in ascending order of their line and parents precede them.
class Automaton {
 public:
  explicit Automaton(const std::vector<Word>& words) {
    build(words);
    link();
  }

  /// Node reached from `node` by `line`.
  std::uint32_t step(std::uint32_t node, LineId line, std::int64_t& steps) const {
    for (;; node = nodes_[node].fallback) {
      ++steps;
      if (const std::uint32_t child = child_of(node, line)) return child;
      if (node == 0) return 0;
    }
  }
  std::uint32_t end_of(std::size_t word) const { return ends_[word]; }
  std::uint32_t fallback(std::uint32_t node) const { return nodes_[node].fallback; }
  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    LineId line = 0;
    std::uint32_t parent = 0, first_child = 0, children = 0, fallback = 0;
  };
  /// Words that pass through a node: a range of the sorted words, all equal up to `depth`.
  struct Pass {
    std::uint32_t begin, end;
  };

  std::uint32_t child_of(std::uint32_t node, LineId line) const {
    const Node* const begin = nodes_.data() + nodes_[node].first_child;
    const Node* const end = begin + nodes_[node].children;
    const Node* const at = std::ranges::lower_bound(begin, end, line, {}, &Node::line);
    return at != end && at->line == line ? static_cast<std::uint32_t>(at - nodes_.data()) : 0;
  }

  void build(const std::vector<Word>& words) {
    std::vector<std::uint32_t> sorted(words.size());
    for (std::uint32_t i = 0; i < sorted.size(); ++i)
      sorted[i] = i;
    std::ranges::sort(sorted, [&](std::uint32_t a, std::uint32_t b) {
      return std::ranges::lexicographical_compare(words[a], words[b]);
    });
    ends_.resize(words.size());
    nodes_.push_back({});
    std::vector<Pass> level{{0, static_cast<std::uint32_t>(words.size())}}, below;
    std::uint32_t node = 0;
    for (std::size_t depth = 0; !level.empty(); ++depth, level.swap(below), below.clear())
      for (Pass pass : level) {
        while (pass.begin < pass.end && words[sorted[pass.begin]].size() == depth)
          ends_[sorted[pass.begin++]] = node;
        nodes_[node].first_child = static_cast<std::uint32_t>(nodes_.size());
        while (pass.begin < pass.end) {
          const LineId line = words[sorted[pass.begin]][depth];
          std::uint32_t end = pass.begin;
          while (end < pass.end && words[sorted[end]][depth] == line)
            ++end;
          nodes_.push_back({.line = line, .parent = node});
          ++nodes_[node].children;
          below.push_back({pass.begin, end});
          pass.begin = end;
        }
        ++node;
      }
  }

  void link() {
    std::int64_t ignored = 0;
    for (std::uint32_t node = 1; node < nodes_.size(); ++node) {
      Node& n = nodes_[node];
      n.fallback = n.parent == 0 ? 0 : step(nodes_[n.parent].fallback, n.line, ignored);
    }
  }

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> ends_;  // per word: the node that spells it
};

}  // namespace

std::vector<Occurrence> find_preimages(const std::vector<diff::Hunk>& hunks, std::string_view blob,
                                       std::int64_t* steps) {
  std::vector<std::string_view> lines;
  append_lines(lines, blob);
  const std::size_t base_lines = lines.size();
  std::vector<std::size_t> word_ends;
  for (const diff::Hunk& h : hunks) {
    append_old_lines(lines, h);
    word_ends.push_back(lines.size());
  }
  const std::vector<LineId> ids = numbered(lines);
  std::vector<Word> words;
  for (std::size_t i = 0, begin = base_lines; i < hunks.size(); begin = word_ends[i++])
    words.push_back(Word(ids).subspan(begin, word_ends[i] - begin));

  const Automaton automaton(words);
  std::vector<Occurrence> visits(automaton.size());  // first_line: line behind the match, for now
  std::int64_t moves = 0;
  std::uint32_t node = 0;
  for (std::size_t i = 0; i < base_lines; ++i) {
    node = automaton.step(node, ids[i], moves);
    if (visits[node].count++ == 0) visits[node].first_line = static_cast<std::int64_t>(i) + 1;
  }
  for (auto n = static_cast<std::uint32_t>(automaton.size() - 1); n > 0; --n) {
    Occurrence& shorter = visits[automaton.fallback(n)];
    if (visits[n].count == 0) continue;
    shorter.first_line = shorter.count == 0 ? visits[n].first_line
                                            : std::min(shorter.first_line, visits[n].first_line);
    shorter.count += visits[n].count;
  }
  std::vector<Occurrence> found(hunks.size());
  for (std::size_t i = 0; i < hunks.size(); ++i) {
    if (words[i].empty()) continue;
    found[i] = visits[automaton.end_of(i)];
    found[i].first_line -= static_cast<std::int64_t>(words[i].size());
  }
  if (steps != nullptr) *steps = moves;
  return found;
}

}  // namespace gh::patch
