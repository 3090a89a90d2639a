#pragma once
// Does a commit hold the change that a receipt was given for? (docs/formats/receipt.md, "Binding").
// A message or a note can be copied to any commit; tree, base and patch cannot.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::runs {

/// A difference, as git patch-id --stable and the lines themselves tell it apart from others.
struct PatchFacts {
  std::string stable_id;     // empty: git knows none
  std::string lines_sha256;  // of changed_lines_sha256
  bool operator==(const PatchFacts&) const = default;
};

/// SHA-256 of every line that a diff of git takes away or brings in, with the names and modes of
/// the files. Places and context are left out, so that it survives a rebase; white space is not,
/// which git patch-id overlooks.
std::string changed_lines_sha256(std::string_view diff);

struct CommitFacts {
  std::string tree{};
  std::vector<std::string> parents{};
  std::vector<PatchFacts> patches{};  // against its first parent, and against the receipt's base
};

enum class Binding : std::uint8_t {
  exact,    // the tree and the base of the receipt
  rebound,  // the same change on another base
  other     // another change
};
std::string_view to_string(Binding);
Binding binding_of(const Map& receipt, const CommitFacts&);

}  // namespace gh::runs
