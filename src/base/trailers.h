#pragma once
// The trailers of a commit message: lines `Key: value` at its end. The one reader that there is.
//
// `git_trailers` is what git 2.39 reads with its own settings. What is judged is more: git can be
// set up to read otherwise (another comment character, a divider), a later git may, and whoever
// looks at a message may take a line for a trailer that git does not. `trailers` has the values of
// all of those readings, so nothing that anybody could read is overlooked. Which line is content
// and which a claim is told by place alone; no value is understood here.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gh {

/// Keys that mean something to us. git tells keys apart without regard to case.
enum class TrailerKey : std::uint8_t {
  intent,
  receipt,
  decision,
  agent,
  proposal,
  rollback,
  reviewed_by,
  promoted_by,
  co_authored_by
};
std::string_view to_string(TrailerKey);

struct MessageTrailer {
  std::string key, value;  // without blanks around them; a folded value is one line
  bool operator==(const MessageTrailer&) const = default;
};

/// As `%(trailers:only,unfold)`; with the divider as `git interpret-trailers --parse`.
std::vector<MessageTrailer> git_trailers(std::string_view message, bool has_divider = false);

/// Values of a key, in order, by every reading; a line that readings agree on counts once.
std::vector<std::string> trailers(std::string_view message, TrailerKey);

/// The same of every line of the message, wherever it stands.
std::vector<std::string> values_anywhere(std::string_view message, TrailerKey);

/// The message with these lines as its trailers, as `git interpret-trailers` writes it. Nothing: it
/// has trailers, comments or the like, and git itself has to be asked.
std::optional<std::string> with_first_trailers(std::string_view message,
                                               const std::vector<std::string>& lines);

/// Does some line say anything that is for us alone?
bool speaks_of_gatehouse(std::string_view message);

}  // namespace gh
