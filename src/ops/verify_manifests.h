#pragma once
// The release gate's share of `check`: every manifest that a change has to do with is verified,
// base against head, and nothing is written. What it decides is docs/adr/0039.
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/verdict.h"
#include "ops/verify_side.h"

namespace gh::ops {

inline constexpr std::size_t kMaxManifests = 64;  // that one change has to do with

struct ManifestQuestion {
  VerifySide& before;
  VerifySide& after;
  const std::vector<std::string>& changed;  // from the top, both sides of a rename
  /// Paths of files that are there and could be manifests, by their names.
  std::vector<std::string> before_places{}, after_places{};
  std::string root{};  // of the repository
  /// Files of which rows of the host diff tell already what the change does to agents.
  std::set<std::string> told{};
  std::string target_branch{};  // empty: nobody knows it
  std::string today{};          // YYYY-MM-DD
  std::string program{"gatehouse release"};
};

/// Could a file of this path be a manifest?
bool is_manifest_place(std::string_view path);

/// Where one manifest stands on each side; empty: nowhere.
struct ManifestPair {
  std::string before{}, after{};
  bool operator==(const ManifestPair&) const = default;
};
/// Manifests of both sides, each once and sorted. The only one that went away is what those that
/// came are compared with, so that a move hides nothing.
std::vector<ManifestPair> pair_manifests(const std::vector<std::string>& before,
                                         const std::vector<std::string>& after);

/// nullopt: the change has to do with no manifest. Otherwise the worst of the answers; one that
/// cannot be verified is unverified, and `fault` is why.
std::optional<GateAnswer> verify_manifests(const ManifestQuestion&, std::optional<Code>& fault);

}  // namespace gh::ops
