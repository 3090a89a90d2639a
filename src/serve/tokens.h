#pragma once
// The token file of `serve`: who may come, and as whom. A line is `TOKEN ACTOR ROLE[,ROLE…]`; the
// file is readable by its owner alone. Secrets are kept as digests and compared in constant time.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "http/message.h"
#include "sys/env.h"

namespace gh::serve {

inline constexpr std::size_t kMaxTokenFileBytes = 65'536, kMaxTokens = 256;

/// gh8_<8 characters>_<43 characters of base64url>: an id that may be shown, and a secret.
struct TokenText {
  std::string_view id, secret;
};
std::optional<TokenText> read_token(std::string_view);
std::string new_token(sys::Env&);

class Tokens {
 public:
  /// `name` is what messages show. No message repeats a token.
  static Result<Tokens> read(std::string_view text, std::string_view name);
  std::optional<http::Caller> find(std::string_view token) const;
  std::size_t size() const { return rows_.size(); }

 private:
  struct Row {
    std::string id;
    Digest secret;
    http::Caller caller;
  };
  std::vector<Row> rows_;
};

/// Reads the file; makes it, with one new token for an agent, when it does not exist. `made` says
/// so.
Result<Tokens> load_tokens(const std::string& path, sys::Env&, bool& made);

}  // namespace gh::serve
