// syntax_compare [--dump] [--mutate SEED] [--time ROUNDS] <FILES: reads the Python files that
// standard input names, one path per line, by both front ends. Says where two trees differ and why
// a file was left to the grammar; 1 when any differs.
// --mutate: words of each file are taken away, doubled and swapped before. --time: processor time
// of both instead.
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "tests/python_mutations.h"
#include "tests/python_readers.h"

namespace {

using gh::readers::Outcome;
using gh::syntax::Tree;

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

double processor_ms() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void measure(const std::vector<std::string>& sources, int rounds) {
  gh::syntax::FrontEnd front_end;
  std::size_t bytes = 0;
  for (const std::string& source : sources)
    bytes += source.size();
  const auto speed = [&](double ms) { return static_cast<double>(bytes) / ms / 1000; };
  for (int round = 0; round < rounds; ++round) {
    std::size_t nodes = 0;
    double from = processor_ms();
    for (const std::string& source : sources) {
      Tree out;
      nodes += front_end.read_without_grammar(source, out) ? out.nodes.size() : 0;
    }
    const double reader = processor_ms() - from;
    from = processor_ms();
    for (const std::string& source : sources) {
      Tree out;
      front_end.read_by_grammar(gh::syntax::Language::python, source, out);
    }
    const double grammar = processor_ms() - from;
    std::printf("reader %.1f ms %.1f MB/s, grammar %.1f ms %.1f MB/s, ratio %.1f, %zu nodes\n",
                reader, speed(reader), grammar, speed(grammar), grammar / reader, nodes);
  }
}

struct Counts {
  std::size_t equal = 0, different = 0, left = 0, with_errors = 0;
  std::map<std::string_view, std::size_t> reasons{};

  void add(Outcome outcome, const gh::readers::Readers& readers, const std::string& path) {
    equal += outcome == Outcome::equal ? 1 : 0;
    with_errors += outcome == Outcome::with_errors ? 1 : 0;
    if (outcome == Outcome::left) {
      ++left;
      ++reasons[readers.why.why];
      std::cout << path << ':' << readers.by_grammar.line_at(readers.why.at)
                << ": left: " << readers.why.why << '\n';
    } else if (outcome == Outcome::different) {
      ++different;
      std::cout << path << ": differs\n" << readers.differs << '\n';
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  bool dump = false, mutate = false;
  std::uint64_t seed = 0;
  int rounds = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--dump") dump = true;
    if (word == "--mutate" && i + 1 < argc) {
      mutate = true;
      seed = std::stoull(argv[++i]);
    }
    if (word == "--time" && i + 1 < argc) rounds = std::stoi(argv[++i]);
  }
  gh::readers::Readers readers;
  Counts counts;
  std::vector<std::string> sources;
  for (std::string path; std::getline(std::cin, path);) {
    std::string source = contents(path);
    if (rounds > 0) {
      sources.push_back(std::move(source));
      continue;
    }
    if (mutate) {
      source = gh::readers::mutated(source, ++seed);
      const Outcome outcome = readers.compare(source);
      if (outcome == Outcome::different)
        std::ofstream("differs-" + std::to_string(seed) + ".py", std::ios::binary) << source;
      counts.add(outcome, readers, path + " " + std::to_string(seed));
      continue;
    }
    counts.add(readers.compare(source), readers, path);
    if (dump)
      for (std::size_t i = 0; i < readers.by_grammar.nodes.size(); ++i)
        std::cout << gh::readers::describe(readers.by_grammar, i) << '\n';
  }
  if (rounds > 0) {
    measure(sources, rounds);
    return 0;
  }
  std::cout << counts.equal << " equal, " << counts.different << " different, " << counts.left
            << " left though whole, " << counts.with_errors << " with errors left\n";
  for (const auto& [why, count] : counts.reasons)
    std::cout << "  " << count << ' ' << why << '\n';
  return counts.different == 0 ? 0 : 1;
}
