#pragma once
// The schema and the parameters of a tool as hashes of facts and actions see them.
#include <memory>

#include "surface/tool.h"

namespace gh::surface {

/// Those that the tool has, else made now. A loader of thousands of tools makes them right away,
/// while their values are at hand.
ToolHashes hashes_of(const Tool&);

/// Makes them for one tool after the other, in the same memory.
class ToolHasher {
 public:
  ToolHasher();
  ToolHasher(ToolHasher&&) noexcept;
  ~ToolHasher();
  ToolHashes of(const Tool&);

 private:
  class Writing;
  std::unique_ptr<Writing> writing_;
};

}  // namespace gh::surface
