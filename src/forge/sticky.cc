#include "forge/sticky.h"

#include <fmt/format.h>

#include "base/text.h"

namespace gh::forge {
namespace {

constexpr std::string_view kState = "<!-- gatehouse:state ", kCollapsed = " collapsed -->";

/// Forges end lines as they like.
std::string_view line_at(std::string_view body, std::size_t number) {
  std::size_t from = 0;
  for (std::size_t i = 0; i < number; ++i) {
    from = body.find('\n', from);
    if (from == body.npos) return {};
    ++from;
  }
  std::string_view out = body.substr(from, body.find('\n', from) - from);
  if (out.ends_with('\r')) out.remove_suffix(1);
  return out;
}

std::string unix_lines(std::string_view body) {
  std::string out;
  for (const char c : body)
    if (c != '\r') out += c;
  while (out.ends_with('\n'))
    out.pop_back();
  return out;
}

/// The first line of text that is no heading.
std::string_view headline_of(std::string_view body) {
  for (std::size_t i = 2; i < 12; ++i)
    if (const std::string_view line = line_at(body, i); !line.empty() && !line.starts_with('#'))
      return line;
  return {};
}

}  // namespace

std::string_view marker_of(std::string_view body) {
  const std::string_view line = line_at(body, 0);
  const bool is_ours = line.starts_with("<!-- gatehouse:comment:v1 ") ||
                       line == "<!-- agents-shipgate-pr-comment -->";
  return is_ours && line.ends_with("-->") ? line : std::string_view();
}

std::string_view state_of(std::string_view body, std::string_view key) {
  const std::string_view line = line_at(body, 1);
  if (!line.starts_with(kState)) return {};
  const std::string wanted = fmt::format(" {}=", key);
  const std::size_t at = line.find(wanted);
  if (at == line.npos) return {};
  const std::string_view rest = line.substr(at + wanted.size());
  return rest.substr(0, rest.find(' '));
}

bool is_collapsed(std::string_view body) {
  const std::string_view line = line_at(body, 1);
  return line.starts_with(kState) && line.ends_with(kCollapsed);
}

std::string collapsed(std::string_view body) {
  std::string state(line_at(body, 1));
  state.replace(state.rfind(" -->"), state.npos, kCollapsed);
  return fmt::format("{}\n{}\nGatehouse: {}\n", line_at(body, 0), state, headline_of(body));
}

Plan plan(std::string_view body, const std::optional<Comment>& there, When when) {
  if (!there) return {Plan::Act::create, std::string(body)};
  const std::string_view verdict = state_of(body, "verdict");
  const bool same = !verdict.empty() && state_of(there->body, "verdict") == verdict;
  if (when == When::on_change && same) return {Plan::Act::leave, {}};
  const bool passes = state_of(body, "decision") == "allow";
  const std::string_view before = state_of(there->body, "decision");
  const bool did_not = !before.empty() && before != "allow";
  std::string wanted =
      passes && (did_not || is_collapsed(there->body)) ? collapsed(body) : std::string(body);
  if (unix_lines(wanted) == unix_lines(there->body)) return {Plan::Act::leave, {}};
  return {Plan::Act::update, std::move(wanted)};
}

std::vector<Comment> ours(std::string_view body, const std::vector<Comment>& all) {
  std::vector<Comment> out;
  for (const Comment& comment : all)
    if (const std::string_view marker = marker_of(comment.body);
        !marker.empty() && marker == marker_of(body))
      out.push_back(comment);
  return out;
}

}  // namespace gh::forge
