#include "serve/tokens.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "sys/files.h"

namespace gh::serve {
namespace {

constexpr std::string_view kPrefix = "gh8_";
constexpr std::size_t kIdLength = 8, kSecretLength = 43, kMaxActor = 100;
constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
// table: token_roles
constexpr std::array<std::string_view, 5> kRoles{"agent", "reviewer", "promoter", "admin",
                                                 "mcp_elevated"};

bool is_of_alphabet(std::string_view text) {
  return text.find_first_not_of(kAlphabet) == std::string_view::npos;
}

std::string random_text(sys::Env& env, std::size_t length) {
  const std::string digits = env.random_hex(length * 2);
  std::string out;
  for (std::size_t i = 0; i < length; ++i) {
    const auto value = [&](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    out +=
        kAlphabet[static_cast<std::size_t>(value(digits[2 * i]) * 16 + value(digits[2 * i + 1])) %
                  64];
  }
  return out;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (const std::string_view word : split(line, ' '))
    if (!word.empty()) out.push_back(word);
  return out;
}

bool is_equal(const Digest& a, const Digest& b) {  // as long for the first difference as for none
  const std::string x = a.hex(), y = b.hex();
  unsigned difference = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    difference |= static_cast<unsigned char>(x[i]) ^ static_cast<unsigned char>(y[i]);
  return difference == 0;
}

}  // namespace

std::optional<TokenText> read_token(std::string_view token) {
  if (!token.starts_with(kPrefix)) return std::nullopt;
  token.remove_prefix(kPrefix.size());
  if (token.size() != kIdLength + 1 + kSecretLength || token[kIdLength] != '_') return std::nullopt;
  const TokenText out{token.substr(0, kIdLength), token.substr(kIdLength + 1)};
  if (!is_of_alphabet(out.id) || !is_of_alphabet(out.secret)) return std::nullopt;
  return out;
}

std::string new_token(sys::Env& env) {
  return fmt::format("{}{}_{}", kPrefix, random_text(env, kIdLength),
                     random_text(env, kSecretLength));
}

Result<Tokens> Tokens::read(std::string_view text, std::string_view name) {
  Tokens out;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const auto bad = [&](std::string_view why) {
      return fail(Code::bad_argument, fmt::format("{}:{}: {}", name, number, why));
    };
    const auto words = words_of(line);
    if (words.empty() || words[0].starts_with('#')) continue;
    const auto token = read_token(words[0]);
    if (!token) return bad("this is no token of the form gh8_<8 characters>_<43 characters>");
    if (words.size() != 3 || words[1].size() > kMaxActor || printable(words[1]) != words[1])
      return bad("expected TOKEN ACTOR ROLE[,ROLE…]");
    Row row{std::string(token->id),
            digest_of(token->secret),
            {std::string(token->id), std::string(words[1]), {}}};
    for (const std::string_view role : split(words[2], ',')) {
      if (std::ranges::find(kRoles, role) == kRoles.end())
        return bad("a role is agent, reviewer, promoter or admin, or the word mcp_elevated");
      row.caller.roles.emplace_back(role);
    }
    const auto& roles = row.caller.roles;
    if (std::ranges::find(roles, "agent") != roles.end() && roles.size() > 1)
      return bad("a token of an agent has no other role");
    if (std::ranges::find(out.rows_, row.id, &Row::id) != out.rows_.end())
      return bad("two tokens have this id");
    if (out.rows_.size() == kMaxTokens) return bad(fmt::format("more than {} tokens", kMaxTokens));
    out.rows_.push_back(std::move(row));
  }
  if (out.rows_.empty())
    return fail(Code::bad_argument, fmt::format("{}: there is no token in it", name));
  return out;
}

std::optional<http::Caller> Tokens::find(std::string_view token) const {
  const auto text = read_token(token);
  if (!text) return std::nullopt;
  const auto row = std::ranges::find(rows_, text->id, &Row::id);
  if (row == rows_.end() || !is_equal(row->secret, digest_of(text->secret))) return std::nullopt;
  return row->caller;
}

Result<Tokens> load_tokens(const std::string& path, sys::Env& env, bool& made) {
  const sys::FileInfo info = sys::info_follow(path);
  made = info.kind == sys::FileKind::missing;
  if (made) GH_DO(sys::write_file_atomic(path, new_token(env) + " agent agent\n", 0600));
  if (!made && (info.mode & 077) != 0)
    return fail(Code::bad_argument,
                fmt::format("{}: others may read it; a token file has mode 0600", path));
  GH_TRY(text, sys::read_file(path, kMaxTokenFileBytes));
  return Tokens::read(text, path);
}

}  // namespace gh::serve
