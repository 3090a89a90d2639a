#pragma once
// A Verdict in the forms that other programs read (interfaces 4.2 to 4.5). All are made of its one
// document, gatehouse.verdict/1, so none can say anything else. Text of the change is data in each
// of them: it ends no line, no element and no command.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/product.h"
#include "model/peek.h"
#include "model/value.h"

namespace gh::report {

/// What is known about the run and not about the change.
struct FormatFrame {
  std::string job = "check";
  std::string repository_uri{}, revision{}, branch{};
  std::string end_time_utc{};
  std::string link{};  // of a file at the head, a slash behind it; empty: places are no links
  int exit_code = 0;
  std::size_t most_annotations = 50;
  std::string release_part{};        // pr-comment.md of the release gate; empty: it was not asked
  const Value* host_diff = nullptr;  // gatehouse.release_diff/1
  std::string receipt_digest{};      // of the head; empty: it has none
};

struct FormatRow {
  std::string_view name;
  std::string_view file;  // under which it is written beside others
  std::string (*render)(const Value& verdict, const FormatFrame&);
};
/// Every form but text.
std::span<const FormatRow> verdict_formats();
const FormatRow* verdict_format(std::string_view name);

/// One reason, as all forms tell it.
struct Told {
  std::string id, gate, message, path;  // one printable line each; no path: the change as a whole
  std::string_view severity;            // error, warning, note
  std::int64_t line = 0, end_line = 0, column = 0;
  std::string next;  // a command to paste, or what to do
  bool next_is_command = false;
  std::string_view fingerprint;
  bool blocks_release = false;
  bool is_in_the_way = false;  // an error, or what a gate says no for that has no error
  Peek evidence{nullptr};

  /// Where forms put it that know nothing without a place.
  std::string_view place() const;
  std::int64_t first_line() const { return line > 0 ? line : 1; }
};
/// Worst first.
std::vector<Told> told_in(const Value& verdict);

/// The most results of a form with a limit; a service drops what is more without a word.
inline constexpr std::size_t kMostResults = 5'000;
/// Bytes of a comment, and of a step's summary.
inline constexpr std::size_t kMostComment = 20'000, kMostSummary = 900u << 10;
/// Annotations of one step that GitHub shows.
inline constexpr std::size_t kMostAnnotations = 10;

Value verdict_sarif(const Value& verdict, const FormatFrame&);

/// One printable line without secrets.
std::string shown_text(std::string_view text, std::size_t max);

/// The text of a workflow command, and of a property in one.
std::string command_data(std::string_view);
std::string command_property(std::string_view);

// --- the comment below a change ---

/// The first line, by which the comment is found again.
std::string comment_marker(std::string_view repo_id, std::string_view job);
/// The hidden second line: what was decided.
std::string comment_state(const Value& verdict);
/// With marker and state, at most kMostComment bytes.
std::string verdict_comment(const Value& verdict, const FormatFrame&);
/// Without them, for a step's summary: every reason, at most kMostSummary bytes.
std::string verdict_summary(const Value& verdict, const FormatFrame&);

/// The answer of the release gate, from report.json or verifier.json, as a Verdict. Nothing where
/// it holds no decision. `manifest`: from the top of the repository, as verifier.json says itself.
std::optional<Value> verdict_of_release(const Value& document,
                                        std::string_view manifest = kConfigFile);

}  // namespace gh::report
