#include "base/data.h"

#include <algorithm>

namespace gh::data {

std::string_view find(std::string_view name) {
  const auto all = files();
  const auto it = std::ranges::lower_bound(all, name, {}, &File::name);
  return it != all.end() && it->name == name ? it->bytes : std::string_view{};
}

}  // namespace gh::data
