#include "diff/hunk_reader.h"

#include <fmt/format.h>

#include "base/error.h"

namespace gh::diff {
namespace {

constexpr std::size_t kMaxDigits = 9;
constexpr std::size_t kMaxNotes = 50;
constexpr std::string_view kMarker = "\\ No newline at end of file";

bool take_text(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

bool take_number(std::string_view& text, std::int64_t& number) {
  std::size_t digits = 0;
  number = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
    if (digits == kMaxDigits) return false;
    number = number * 10 + (text[digits++] - '0');
  }
  if (digits == 0 || (digits > 1 && text[0] == '0')) return false;
  text.remove_prefix(digits);
  return true;
}

bool take_range(std::string_view& text, std::int64_t& start, std::int64_t& count) {
  count = 1;
  if (!take_number(text, start)) return false;
  return !take_text(text, ",") || take_number(text, count);
}

Checked<Hunk> read_header(Line line) {
  if (line.text.ends_with('\r'))
    return defect(Rule::crlf_header, line, "the hunk line ends in CR; it must end in LF alone");
  Hunk hunk;
  hunk.line = line.number;
  std::string_view rest = line.text;
  const bool matches = take_text(rest, "@@ -") &&
                       take_range(rest, hunk.old_start, hunk.old_count) && take_text(rest, " +") &&
                       take_range(rest, hunk.new_start, hunk.new_count) && take_text(rest, " @@") &&
                       (rest.empty() || rest.starts_with(' '));
  if (!matches)
    return defect(Rule::hunk_header_malformed, line,
                  "the hunk line must read \"@@ -START,COUNT +START,COUNT @@\" with numbers of at "
                  "most 9 digits");
  return hunk;
}

/// Ranges that no file can have, and the only ones that a created or deleted file has.
Checked<void> check_ranges(const Hunk& h, const Section& section, Line line) {
  if ((h.old_count > 0 && h.old_start == 0) || (h.new_count > 0 && h.new_start == 0))
    return defect(Rule::hunk_range_invalid, line,
                  "a range with lines in it starts at line 1 or later");
  const bool is_first = section.hunks.empty();
  if (section.op == Operation::create &&
      !(is_first && h.old_start == 0 && h.old_count == 0 && h.new_start == 1))
    return defect(Rule::hunk_range_invalid, line,
                  "a created file has exactly one hunk, with old range 0,0 and new start 1");
  if (section.op == Operation::remove &&
      !(is_first && h.new_start == 0 && h.new_count == 0 && h.old_start == 1))
    return defect(Rule::hunk_range_invalid, line,
                  "a deleted file has exactly one hunk, with old start 1 and new range 0,0");
  return {};
}

/// An empty range names the line before it, so it ends where it starts.
std::int64_t old_end(const Hunk& h) {
  return h.old_start + (h.old_count > 0 ? h.old_count - 1 : 0);
}

std::int64_t expected_new_start(const Hunk& h, std::int64_t delta) {
  const std::int64_t insertion = h.old_count == 0 && h.new_count > 0 ? 1 : 0;
  const std::int64_t removal = h.new_count == 0 && h.old_count > 0 ? 1 : 0;
  return h.old_start + delta + insertion - removal;
}

/// Order comes before the new start: the expected new start of a hunk out of order means nothing.
Checked<void> check_place(const Hunk& h, const Section& section, Position position, Line line) {
  if (!section.hunks.empty()) {
    const Hunk& before = section.hunks.back();
    if (h.old_start <= before.old_start)
      return defect(
          Rule::hunk_order, line,
          fmt::format("old start {} must be greater than {}, the old start of the hunk before",
                      h.old_start, before.old_start));
    if (h.old_start <= old_end(before))
      return defect(Rule::hunk_overlap, line,
                    fmt::format("old start {} lies inside the hunk before, which ends at line {}",
                                h.old_start, old_end(before)));
  }
  const std::int64_t delta = section.added - section.deleted;
  if (position == Position::exact && h.new_start != expected_new_start(h, delta))
    return defect(Rule::hunk_position_inconsistent, line,
                  fmt::format("new start is {} but old start {} and the hunks before make it {}",
                              h.new_start, h.old_start, expected_new_start(h, delta)));
  return {};
}

/// Consumes body lines until both counts are used up, with the markers that belong to them.
class BodyReader {
 public:
  BodyReader(Lines& lines, Hunk& hunk, const Section& section, std::vector<Note>& notes)
      : lines_(lines),
        hunk_(hunk),
        section_(section),
        notes_(notes),
        old_left_(hunk.old_count),
        new_left_(hunk.new_count) {}

  Checked<void> read() {
    const char* const begin = lines_.at();
    while (!lines_.at_end()) {
      const char kind = *lines_.at();
      if (kind != '\\' && old_left_ == 0 && new_left_ == 0) break;
      GH_DO(kind == '\\' ? close_side() : count(kind));
      lines_.take();
    }
    hunk_.body = {begin, static_cast<std::size_t>(lines_.at() - begin)};
    hunk_.trailing_context = context_run_;
    if (old_left_ > 0 || new_left_ > 0) return truncated(Line{{}, lines_.number() - 1});
    return {};
  }

 private:
  Checked<void> count(char kind) {
    switch (kind) {
      case ' ':
        return context();
      case '\n':
        hunk_.has_blank_context = true;
        if (notes_.size() < kMaxNotes)
          notes_.push_back({"blank_context_normalised", section_.new_path, lines_.number(),
                            "an empty line inside a hunk was read as an empty context line"});
        return context();
      case '-':
        if (old_left_ == 0) return too_many("removed");
        --old_left_;
        ++hunk_.deleted;
        break;
      case '+':
        if (new_left_ == 0) return too_many("added");
        --new_left_;
        ++hunk_.added;
        break;
      default:
        return foreign();
    }
    end_context();
    previous_ = kind;
    return {};
  }

  Checked<void> context() {
    if (old_left_ == 0 || new_left_ == 0) return too_many("context");
    --old_left_;
    --new_left_;
    ++context_run_;
    previous_ = ' ';
    return {};
  }

  void end_context() {
    if (hunk_.added + hunk_.deleted == 1) hunk_.leading_context = context_run_;
    context_run_ = 0;
  }

  /// The marker says that the line before it is the last of its side and has no newline.
  Checked<void> close_side() {
    const Line line = lines_.current();
    if (line.text != kMarker)
      return defect(
          Rule::no_newline_marker_malformed, line,
          "a line that begins with a backslash must read \"\\ No newline at end of file\"");
    const bool closes_old = previous_ == ' ' || previous_ == '-';
    const bool closes_new = previous_ == ' ' || previous_ == '+';
    const bool fits = (closes_old || closes_new) && (!closes_old || old_left_ == 0) &&
                      (!closes_new || new_left_ == 0);
    if (!fits)
      return defect(Rule::no_newline_marker_misplaced, line,
                    "the no-newline marker may stand only directly after the last line of a side");
    hunk_.old_no_newline |= closes_old;
    hunk_.new_no_newline |= closes_new;
    previous_ = '\\';
    return {};
  }

  tl::unexpected<Defect> too_many(std::string_view what) {
    return defect(Rule::hunk_count_mismatch, lines_.current(),
                  fmt::format("this {} line exceeds the counts that the hunk line declares "
                              "({} old, {} new)",
                              what, hunk_.old_count, hunk_.new_count));
  }
  tl::unexpected<Defect> truncated(Line line) {
    return defect(
        Rule::hunk_truncated, line,
        fmt::format("the hunk ends early: {} old and {} new lines of its counts are missing",
                    old_left_, new_left_));
  }
  /// The next hunk or section in the middle of a body shows that the body is too short.
  tl::unexpected<Defect> foreign() {
    if (lines_.starts_with("diff --git ") || lines_.starts_with("@@ -"))
      return truncated(lines_.current());
    return defect(Rule::hunk_body_invalid_line, lines_.current(),
                  "a line of a hunk must begin with a space, + or -");
  }

  Lines& lines_;
  Hunk& hunk_;
  const Section& section_;
  std::vector<Note>& notes_;
  std::int64_t old_left_, new_left_;
  std::int64_t context_run_ = 0;
  char previous_ = '@';
};

}  // namespace

Checked<void> read_hunk(Lines& lines, Section& section, Position position,
                        std::vector<Note>& notes) {
  const Line header = lines.take();
  GH_TRY(hunk, read_header(header));
  GH_DO(check_ranges(hunk, section, header));
  GH_DO(check_place(hunk, section, position, header));
  GH_DO(BodyReader(lines, hunk, section, notes).read());
  if (hunk.added + hunk.deleted == 0)
    return defect(Rule::hunk_no_change, header, "the hunk has neither + nor - lines");
  section.added += hunk.added;
  section.deleted += hunk.deleted;
  section.hunks.push_back(hunk);
  return {};
}

}  // namespace gh::diff
