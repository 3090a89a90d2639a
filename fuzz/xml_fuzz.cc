// XML: limits hold, elements close in the order they opened, everything told is UTF-8, and nothing
// of a document with a DOCTYPE is read to its end.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "fuzz/require.h"
#include "wire/xml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::wire;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const XmlLimits limits{
      .max_bytes = 1u << 14, .max_depth = 8, .max_attributes = 4, .max_name = 16};
  std::vector<std::string> open;
  std::size_t elements = 0, told = 0;
  const XmlEvents events{
      .start =
          [&](std::string_view element, XmlAttributes attributes) {
            open.emplace_back(element);
            ++elements;
            REQUIRE(open.size() <= limits.max_depth && element.size() <= limits.max_name);
            REQUIRE(attributes.size() <= limits.max_attributes && gh::is_utf8(element));
            for (const XmlAttribute& a : attributes) {
              REQUIRE(a.name.size() <= limits.max_name && gh::is_utf8(a.value));
              REQUIRE(value_of(attributes, a.name) == a.value);
              told += a.value.size();
            }
          },
      .end =
          [&](std::string_view element) {
            REQUIRE(!open.empty() && open.back() == element);
            open.pop_back();
          },
      .text =
          [&](std::string_view piece) {
            REQUIRE(!open.empty() && gh::is_utf8(piece));
            told += piece.size();
          }};
  const gh::Status done = read_xml(text, "f", events, limits);
  REQUIRE(told <= size);  // nothing grows: there are no entities but those of the language
  if (done) {
    REQUIRE(size <= limits.max_bytes && open.empty() && elements > 0 && gh::is_utf8(text));
    REQUIRE(text.find('\0') == std::string_view::npos);
  } else {
    REQUIRE(done.error().message.starts_with("f:"));
  }
  return 0;
}
