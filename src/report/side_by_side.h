#pragma once
// Two places of one group next to each other, with what differs marked: lines first, then words.
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/peek.h"

namespace gh::report {

/// The text of a source file of the run; nothing when it is not at hand.
using SourceText = std::function<std::optional<std::string>(std::string_view path)>;

/// A longest common subsequence, as pairs of positions. Both sides are small: lines of a snippet,
/// words of a line.
std::vector<std::pair<std::size_t, std::size_t>> in_common(
    const std::vector<std::string_view>& left, const std::vector<std::string_view>& right);

/// Numbers, words and single other characters, in order; together they are the line.
std::vector<std::string_view> words_of(std::string_view line);

/// Empty when the group has fewer than two items or a source is not at hand.
std::string side_by_side(const Peek& group, const SourceText&);

}  // namespace gh::report
