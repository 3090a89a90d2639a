// A small index of statement runs: does this code exist already? (analysis reference, "Copies".)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/project.h"

namespace gh::analysis {

inline constexpr std::size_t kGram = 4, kWindow = 8;  // statements, grams
/// Every shared run of this many statements is found; shorter ones by chance.
inline constexpr std::size_t kSureRun = kGram + kWindow - 1;

struct Mark {
  std::uint64_t gram = 0;
  std::uint32_t at = 0;  // its first statement
  bool operator==(const Mark&) const = default;
};

/// Hashes of every four neighbours, in order.
std::vector<std::uint64_t> grams_of(std::span<const Hash> statements);

/// The smallest gram of every window, the last one of several; about two of nine are kept.
std::vector<Mark> winnow(std::span<const Hash> statements);

/// Statements of a unit in the order of the source, without those that are not reached.
std::vector<Hash> reached_flow(const UnitFact&);

class WinnowIndex {
 public:
  struct Entry {
    std::uint64_t gram = 0;
    UnitRef ref{};
    std::uint32_t at = 0;  // in the reached flow
  };

  explicit WinnowIndex(const Project&);
  /// In the order of files and lines.
  std::span<const Entry> find(std::uint64_t gram) const;
  std::size_t size() const { return entries_.size(); }

 private:
  std::vector<Entry> entries_{};
};

}  // namespace gh::analysis
