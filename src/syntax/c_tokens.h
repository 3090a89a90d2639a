// Files of C and C++ as words and marks, and what the preprocessor leaves of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gh::syntax::c_tokens {

enum class TokenKind : std::uint8_t { word, other, literal };
struct Token {
  TokenKind kind;
  std::uint32_t start, end;
  std::uint32_t closes_at = 0;  // of an opening bracket: the token that closes it
};

/// A line for the preprocessor.
struct Directive {
  std::string_view word;
  std::uint32_t start, end;  // bytes
  std::uint32_t token;       // the first after it
};

struct Scanned {
  std::vector<Token> tokens{};
  std::vector<Directive> directives{};
};

bool is_word_char(char);

/// The tokens that stay when every branch of the preprocessor is read in its place. Lines for it,
/// other than includes, and branches that cannot be read are blanks in `out`, a copy of the source.
std::vector<Token> read(std::string_view source, std::string& out);

/// `<:`, `:>`, `<%`, `%>`, `%:` as the marks that they stand for; as long as the source.
std::string without_digraphs(std::string_view source);

}  // namespace gh::syntax::c_tokens
