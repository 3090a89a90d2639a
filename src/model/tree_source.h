#pragma once
// The seam between the own applier and where base objects come from: git in production, memory in
// tests and fuzzing.
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/object_id.h"

namespace gh {

struct TreeEntry {
  std::string name;  // one component, bytes
  FileMode mode;     // git's historical 100664 is read as regular
  ObjectId id;
};

class TreeSource {
 public:
  virtual ~TreeSource() = default;
  virtual HashKind hash_kind() const = 0;
  virtual Result<std::vector<TreeEntry>> tree(const ObjectId&) = 0;  // in git's order
  virtual Result<std::string> blob(const ObjectId&) = 0;
};

}  // namespace gh
