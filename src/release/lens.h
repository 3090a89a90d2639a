#pragma once
// The reviewer's view: what tools can do, what the agent is meant to do, and where the two part
// (release-gate 15). Explains; never decides.
#include <string>
#include <vector>

#include "release/decision.h"
#include "release/gated.h"
#include "surface/surface.h"

namespace gh::release {

struct Lens {
  List capability_facts{}, declared_intentions{}, misalignments{}, suggested_scenarios{};
  Map release_consequence{};
};
Lens look_through(const surface::Manifest&, const surface::Surface&, const Findings&,
                  const ReleaseDecision&);

/// prefix + first 16 hex digits of SHA-256 over the parts joined by '|'.
class HashId {
 public:
  explicit HashId(std::string_view prefix) : prefix_(prefix) {}
  HashId& add(std::string_view part);
  HashId& add(std::vector<std::string> parts);  // sorted, joined by ','
  std::string id() const;

 private:
  std::string prefix_, text_;
  bool is_first_ = true;
};

}  // namespace gh::release
