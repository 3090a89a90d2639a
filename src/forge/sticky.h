#pragma once
// One comment of ours below a change: found again by its first line, edited in place, never a
// second one (interfaces 4.3). Pure: what is there goes in, what to do comes out.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gh::forge {

/// A comment as it is about to be posted, or as it stands there.
struct Comment {
  std::string id{};  // empty: not posted yet
  std::string body{};
};

/// The hidden first line, without the end of a line; empty: it is none of ours.
std::string_view marker_of(std::string_view body);
/// A word of the hidden second line: "decision", "verdict".
std::string_view state_of(std::string_view body, std::string_view key);
bool is_collapsed(std::string_view body);

/// The comment in one line, for a change that passes after it did not.
std::string collapsed(std::string_view body);

enum class When : std::uint8_t { always, on_change };

struct Plan {
  enum class Act { create, update, leave } act = Act::create;
  std::string body{};
};
/// `there`: the comment that is ours, when there is one.
Plan plan(std::string_view body, const std::optional<Comment>& there, When);

/// Comments of ours among these, in their order.
std::vector<Comment> ours(std::string_view body, const std::vector<Comment>& all);

}  // namespace gh::forge
