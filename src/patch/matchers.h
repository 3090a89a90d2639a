#pragma once
// Lists of a policy, prepared once so that each path costs a few lookups instead of a walk over all
// entries.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gh::patch {

/// Whole names. `find` answers the entry, or nullptr.
class NameSet {
 public:
  NameSet() = default;
  explicit NameSet(std::vector<std::string> names);
  const std::string* find(std::string_view name) const;

 private:
  std::vector<std::string> names_;  // sorted
};

/// Endings, found through their last byte.
class SuffixSet {
 public:
  SuffixSet() = default;
  explicit SuffixSet(std::vector<std::string> suffixes);
  const std::string* find(std::string_view text) const;

 private:
  std::vector<std::string> suffixes_;        // sorted by their last byte
  std::array<std::uint32_t, 257> starts_{};  // of each last byte in suffixes_
};

/// The entries of a PATHGLOB list, read as policy::matches_policy_entry reads each of them.
class EntrySet {
 public:
  EntrySet() = default;
  explicit EntrySet(const std::vector<std::string>& entries);
  const std::string* find(std::string_view path) const;

 private:
  /// Everything that is no plain name or ending. `head` and `inside` are parts of the entry that a
  /// matching path must have, cheap to look for.
  struct Pattern {
    std::string entry, head, inside;
    bool may_match(std::string_view path, std::string_view name) const;
  };

  NameSet names_;      // no '/', no wildcard: the basename
  SuffixSet endings_;  // '*' and a plain rest: the end of the basename
  std::vector<Pattern> patterns_;
};

}  // namespace gh::patch
