#pragma once
// Text from outside inside of a comment that a forge renders: GitHub, GitLab and the like make
// links, mentions and references of what nobody wrote as such.
#include <cstddef>
#include <string>
#include <string_view>

namespace gh::report {

inline constexpr std::size_t kMostCommentText = 300;

/// One line: no markup, no HTML, no mention, no reference, no link; fit for the cell of a table.
std::string comment_text(std::string_view text, std::size_t max = kMostCommentText);

/// A code span: back-ticks stripped; with a bar in it the element `code`, fit for a table.
std::string comment_code(std::string_view text, std::size_t max = kMostCommentText);

}  // namespace gh::report
