#pragma once
// The one renderer of diagnostics (interfaces 5.4): what is wrong, where, with the source line and
// a caret, and what to do next. A pure function of its input; source bytes can never drive a
// terminal.
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/verdict.h"
#include "report/look.h"

namespace gh::report {

struct SourceLine {
  std::int64_t number = 0;
  std::string text{};  // raw bytes, without LF
  char mark = 0;       // '+', '-', ' ' of a change; 0: the line is shown as it is
};

struct Span {
  std::int64_t line = 0;
  std::size_t byte = 0, length = 1;  // in that line's bytes
  std::string label{};
  bool primary = true;  // ^ or -
};

struct Diagnostic {
  Severity severity = Severity::error;
  std::string id, message;
  std::string path{};                 // raw bytes; empty: no place
  std::int64_t line = 0, column = 0;  // 0: not shown
  std::vector<SourceLine> source{};   // ascending
  std::vector<Span> spans{};
  std::vector<std::string> related{};                        // "path:line", shown after :::
  std::vector<std::pair<std::string, std::string>> facts{};  // "= key: text"
};

enum class GroupBy : std::uint8_t { file, rule };

/// Grouped by file and line, or by rule. More than 50 of one rule: the first 10 and a count.
std::string render_diagnostics(std::span<const Diagnostic>, const Look&, GroupBy = GroupBy::file);

struct Summary {
  Decision decision = Decision::allow;
  std::int64_t errors = 0, warnings = 0, notes = 0, files = 0;
  std::string policy_digest{};  // hex; four digits are shown
  std::int64_t duration_ms = 0;
};
std::string render_summary(const Summary&, const Look&);  // one line with LF

/// Up to `context` lines before and after line `number` of `text` (only LF ends a line).
std::vector<SourceLine> source_around(std::string_view text, std::int64_t number,
                                      std::int64_t context);

}  // namespace gh::report
