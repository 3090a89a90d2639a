// Edits of YAML at a pointer: what is changed reads back as the edited value, and nothing else is
// ever returned. Input: the pointer, a byte 0x1E, the file.
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "setup/yaml_pointer.h"
#include "wire/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t separator = input.find('\x1e');
  if (separator == input.npos) return 0;
  const std::string pointer(input.substr(0, separator));
  const std::string_view text = input.substr(separator + 1);
  for (const setup::EditKind kind :
       {setup::EditKind::set, setup::EditKind::append, setup::EditKind::remove}) {
    const setup::PointerEdit edit{kind, pointer, Value("a: b")};
    const auto out = setup::edited_yaml(text, "m", edit);
    if (!out) continue;
    const auto before = wire::read_yaml(text, "m", wire::YamlDialect::compatible);
    const auto after = wire::read_yaml(*out, "m", wire::YamlDialect::compatible);
    REQUIRE(before && after);
    REQUIRE(after->root == *setup::edited(before->root, edit));
  }
  return 0;
}
