#pragma once
// What a verification tells people (release-gate 21.3): the comment below a change, and the answer
// of the command. From verifier.json and the head's report alone.
#include <string>
#include <string_view>

#include "model/value.h"
#include "report/look.h"

namespace gh::report {

inline constexpr std::size_t kMaxComment = 6000;

enum class CommentStyle : std::uint8_t { capability_review, findings };

struct CommentFacts {
  const Value& verifier;
  const Value* report = nullptr;  // of the head scan
  CommentStyle style = CommentStyle::capability_review;
  std::string marker;  // the hidden first line, by which the comment is found again
};
/// GitHub Markdown, at most kMaxComment bytes. Nothing in it mentions, links or breaks a table that
/// the change wrote.
std::string release_comment(const CommentFacts&);

/// The answer on a terminal.
std::string verify_text(const Value& verifier, const Look&);

}  // namespace gh::report
