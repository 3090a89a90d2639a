#include "surface/front_matter.h"

#include "wire/yaml.h"

namespace gh::surface {

Result<Map> read_front_matter(std::string_view markdown, std::string_view name) {
  constexpr std::string_view kDashes = "---";
  if (markdown.starts_with("\xEF\xBB\xBF")) markdown.remove_prefix(3);
  if (!markdown.starts_with(kDashes)) return Map{};
  const std::size_t first = markdown.find('\n');
  if (first == std::string_view::npos) return Map{};
  const std::size_t end = markdown.find("\n---", first);
  if (end == std::string_view::npos) return Map{};
  GH_TRY(head, wire::read_yaml(markdown.substr(first + 1, end - first), name,
                               wire::YamlDialect::compatible));
  return head.root.as_map() != nullptr ? *head.root.as_map() : Map{};
}

}  // namespace gh::surface
