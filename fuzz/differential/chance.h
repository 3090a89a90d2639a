#pragma once
// Reproducible chance: the same seed gives the same run on every machine.
#include <cstdint>
#include <vector>

namespace gh::fuzz {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : next() % limit; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class Container>
  auto& pick(Container& from) {
    return from[below(std::size(from))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace gh::fuzz
