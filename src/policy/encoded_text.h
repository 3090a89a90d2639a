#pragma once
// Text as whoever decodes JSON, HTML or a URL would read it, with where each byte came from.
// Linear, any bytes.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gh::policy {

/// One level of what EncodedText::decode takes away; nothing when there is none.
std::optional<std::string> decoded(std::string_view text);

class EncodedText {
 public:
  explicit EncodedText(std::string_view source);

  const std::string& text() const { return text_; }
  /// Takes one level of \uXXXX, \", &quot;, &#x41;, %41 and ~1 away; false when there was none.
  bool decode();
  /// Puts `marker` in the place of [start, end) of the text.
  struct Range {
    std::size_t start, end;
  };
  void replace(const std::vector<Range>& ascending, std::string_view marker);
  /// What was not replaced is written as it was.
  std::string encoded(std::string_view source) const;

 private:
  /// The piece of the source behind one byte; none behind a byte of a marker.
  struct Origin {
    std::uint32_t from, length;
  };
  std::string text_;
  std::vector<Origin> origins_;  // empty: nothing was decoded or replaced yet, each byte is its own
  void know_origins();
};

}  // namespace gh::policy
