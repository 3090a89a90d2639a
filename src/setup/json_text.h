#pragma once
// A JSON file that somebody else also writes: comments and a last comma are allowed in it, and
// every byte that is not ours stays as it is. The grammar is simdjson's: comments are blanked out
// and the rest is read by it; here only the places of things are kept.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace gh::setup {

inline constexpr std::size_t kMaxFileBytes = 1u << 20;
inline constexpr std::size_t kMaxJsonDepth = 64;

enum class JsonKind : std::uint8_t { object, array, scalar };

struct JsonNode {
  JsonKind kind = JsonKind::scalar;
  std::size_t begin = 0, end = 0;  // of the value
  std::size_t start = 0;           // of the member: its key's quote; else `begin`
  std::string key{};               // of a member
  std::size_t parent = 0;
  std::vector<std::size_t> children{};
};

class JsonText {
 public:
  /// json_invalid or document_too_large; `name` is what messages show.
  static Result<JsonText> read(std::string_view text, std::string_view name);

  static constexpr std::size_t kRoot = 0;
  const std::vector<JsonNode>& nodes() const { return nodes_; }
  const JsonNode& at(std::size_t node) const { return nodes_[node]; }
  /// Bytes as they are, and the same with comments and a last comma blanked out.
  const std::string& text() const { return text_; }
  std::string_view plain(std::size_t node) const {
    return std::string_view(plain_).substr(at(node).begin, at(node).end - at(node).begin);
  }
  Value value_of(std::size_t node) const;
  /// The member of an object; npos: it has none.
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  std::size_t member(std::size_t object, std::string_view key) const;
  /// Behind white space and comments.
  std::size_t skip_trivia(std::size_t at) const;
  /// Behind the comments that follow `at` on its line; `at` when there is none.
  std::size_t behind_remark(std::size_t at) const;

 private:
  JsonText() = default;
  std::string text_, plain_;
  std::vector<JsonNode> nodes_;
};

}  // namespace gh::setup
