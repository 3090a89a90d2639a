#pragma once
// Does a commit hold the change that a receipt was given for? (docs/formats/receipt.md, "Binding").
// A message or a note can be copied to any commit; tree, base and patch cannot.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::runs {

/// The objects of one file. Empty ids: it is not there on that side.
struct BlobChange {
  std::string path;  // as receipts write it
  std::string before, after;
  /// "N of M", hunk by hunk: which of the places with its lines each of them stands at. None where
  /// every one has a single place.
  std::vector<std::string> places{};
  bool operator==(const BlobChange&) const = default;
};

/// A difference, as git patch-id --stable and the lines themselves tell it apart from others.
struct PatchFacts {
  std::string stable_id;            // empty: git knows none
  std::string lines_sha256;         // of changed_lines_sha256
  std::vector<BlobChange> blobs{};  // where the lines are, file by file
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

/// Member of `inputs` that holds the blobs of a change.
inline constexpr std::string_view kChangedBlobs = "changed_blobs";
List changed_blobs(const std::vector<BlobChange>&);

/// The place of a hunk that nobody has counted: it is no other's.
inline constexpr std::string_view kNoPlace = "0 of 0";

/// The same lines may have been changed at another place of a file. Where it was the same before,
/// is it the same afterwards? Where it was another one, does each hunk stand at the same of its
/// places?
bool has_same_places(const std::vector<BlobChange>& judged, const std::vector<BlobChange>& now);

enum class Binding : std::uint8_t {
  exact,    // the tree and the base of the receipt
  rebound,  // the same change on another base
  other     // another change
};
std::string_view to_string(Binding);
Binding binding_of(const Map& receipt, const CommitFacts&);

}  // namespace gh::runs
