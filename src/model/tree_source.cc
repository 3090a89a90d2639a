#include "model/tree_source.h"

#include <algorithm>

namespace gh {

bool comes_before(std::string_view a, bool a_is_folder, std::string_view b, bool b_is_folder) {
  const std::size_t common = std::min(a.size(), b.size());
  if (const int order = a.compare(0, common, b, 0, common); order != 0) return order < 0;
  const auto next = [common](std::string_view name, bool is_folder) {
    return name.size() > common ? static_cast<unsigned char>(name[common]) : is_folder ? '/' : 0;
  };
  return next(a, a_is_folder) < next(b, b_is_folder);
}

const TreeEntry* Tree::find(std::string_view name, bool as_folder) const {
  const auto at = std::partition_point(begin(), end(), [&](const TreeEntry& e) {
    return comes_before(e.name, e.mode == FileMode::tree, name, as_folder);
  });
  const bool found = at != end() && at->name == name && (at->mode == FileMode::tree) == as_folder;
  return found ? &*at : nullptr;
}

const TreeEntry* Tree::find(std::string_view name) const {
  if (const TreeEntry* file = find(name, false)) return file;
  return find(name, true);
}

}  // namespace gh
