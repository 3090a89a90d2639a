#pragma once
// What the gate itself rests on (release-gate 17.2): files whose change a person has to see.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gh::checks {

struct TrustRoot {
  std::string_view kind, glob;  // kind: the class of the contract
};

/// The first row that the path matches, letters of both cases alike; nullptr: it is none.
const TrustRoot* trust_root_of(std::string_view path);

/// A changed file of such a class.
struct TouchedRoot {
  std::string file, kind, glob;
  std::string name{};  // by which it is one, where that is not its own
  auto operator<=>(const TouchedRoot&) const = default;
};

/// Is it a file that a system of continuous integration reads?
bool is_ci_file(std::string_view path);

/// Files whose change leaves a policy that nobody can compare without a base.
bool is_policy_file(std::string_view path);
/// What agents are told.
bool is_instruction_file(std::string_view path);
/// A catalogue of what starts the gate.
bool is_trigger_catalogue(std::string_view path);

/// A symbolic link of a tree with the path that it leads to, from the top; both sides of a change.
struct Link {
  std::string path, target;
  auto operator<=>(const Link&) const = default;
};

/// Other names under which the tree has these files: each path with every way to it through links.
/// Bounded; a way that only a longer chain has is not found.
struct OtherName {
  std::string path, name;
  auto operator<=>(const OtherName&) const = default;
};
std::vector<OtherName> other_names(const std::vector<std::string>& paths, const std::vector<Link>&);

/// One row for each changed file that is a trust root, by its own name or another, in the order of
/// the files. `links` are those of both trees, `gates` CI files that call the gate, `packs` rules
/// that the manifest names. A folder that becomes a link or a submodule matches as itself.
struct RootFacts {
  const std::vector<std::string>& changed;
  std::vector<Link> links{};
  std::vector<std::string> gates{}, packs{};
};
std::vector<TouchedRoot> touched_roots(const RootFacts&);

}  // namespace gh::checks
