#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "patch/gates.h"
#include "patch/line_search.h"

namespace gh::patch {
namespace {

using diff::Hunk;
using diff::Operation;
using diff::Position;
using diff::Section;

/// Lines of a blob, walked forwards once: hunks come in ascending order.
class Cursor {
 public:
  explicit Cursor(std::string_view blob) : blob_(blob) {}
  std::int64_t line() const { return line_; }  // lines before the cursor
  std::size_t offset() const { return offset_; }
  bool at_end() const { return offset_ == blob_.size(); }

  struct Line {
    std::string_view text;  // without LF
    bool has_newline;
  };
  Line next() {
    const std::size_t lf = blob_.find('\n', offset_);
    const bool has_newline = lf != std::string_view::npos;
    const std::size_t end = has_newline ? lf : blob_.size();
    const Line line{blob_.substr(offset_, end - offset_), has_newline};
    offset_ = has_newline ? lf + 1 : end;
    ++line_;
    return line;
  }
  /// False when the blob has fewer lines.
  bool skip_to(std::int64_t line) {
    while (line_ < line && !at_end())
      next();
    return line_ == line;
  }

 private:
  std::string_view blob_;
  std::size_t offset_ = 0;
  std::int64_t line_ = 0;
};

/// Lines of the base before the hunk: a hunk without old lines stands after line old_start.
std::int64_t lines_before(const Hunk& h) {
  return h.old_count == 0 ? h.old_start : h.old_start - 1;
}

Violation refusal(const Section& s, const Hunk& h, Rule rule, std::string_view what) {
  const std::string& path = s.op == Operation::create ? s.new_path : s.old_path;
  return {
      .rule = rule,
      .message = fmt::format("hunk at line {} of the patch {} in {}", h.line, what, shown(path)),
      .file = path,
      .line = h.line};
}

/// One hunk at one place of the base.
class HunkApplication {
 public:
  HunkApplication(const Section& s, const Hunk& h) : section_(s), hunk_(h) {}

  /// Appends the hunk's new lines to `out` and moves `at` behind its old lines.
  std::optional<Violation> run(Cursor& at, std::string& out) {
    const bool at_first_line = at.line() == 0;
    match(at, out);
    if (!texts_match_) return mismatch(at);
    if (lacks_context(at_first_line, at.at_end()))
      return refuse(Rule::hunk_no_context,
                    "has no context on a side where it does not touch the edge of the file");
    if (!newlines_match_ || joins_lines(at))
      return refuse(Rule::no_newline_conflict,
                    "and the base disagree about the line feed at the end of the file");
    return std::nullopt;
  }

 private:
  std::optional<Violation> refuse(Rule rule, std::string_view what) const {
    return refusal(section_, hunk_, rule, what);
  }

  /// Names the first line that differs, so that the patch can be repaired from the message alone.
  Violation mismatch(const Cursor& at) const {
    Violation v = refusal(section_, hunk_, Rule::hunk_position_mismatch, "");
    const std::string path = shown(v.file, 60), expected = shown(expected_, 40);
    v.message = found_ ? fmt::format("hunk at line {}: line {} of {} is {}, the patch expects {}",
                                     hunk_.line, at.line(), path, shown(*found_, 40), expected)
                       : fmt::format("hunk at line {}: {} ends after line {}, the patch expects {}",
                                     hunk_.line, path, at.line(), expected);
    v.excerpt = expected_;
    return v;
  }

  void match(Cursor& at, std::string& out) {
    diff::for_each_line(hunk_,
                        [&](char kind, std::string_view text, std::int64_t, bool has_newline) {
                          if (!texts_match_) return;
                          if (kind != '+') compare(at, text, has_newline);
                          if (kind == '-') return;
                          out += text;
                          if (has_newline) out += '\n';
                        });
  }

  void compare(Cursor& at, std::string_view text, bool has_newline) {
    expected_ = text;
    found_.reset();
    if (!at.at_end()) {
      const Cursor::Line line = at.next();
      found_ = line.text;
      newlines_match_ = newlines_match_ && line.has_newline == has_newline;
    }
    texts_match_ = found_ == text;
  }

  /// Delete hunks have no context by their grammar; what they leave is reported by its own rule.
  bool lacks_context(bool at_first_line, bool at_end) const {
    if (section_.op == Operation::remove) return false;
    return (hunk_.leading_context == 0 && !at_first_line) ||
           (hunk_.trailing_context == 0 && !at_end);
  }

  /// The new side ends without line feed while the base goes on.
  bool joins_lines(const Cursor& at) const { return hunk_.new_no_newline && !at.at_end(); }

  const Section& section_;
  const Hunk& hunk_;
  bool texts_match_ = true, newlines_match_ = true;
  std::string_view expected_;              // old line of the hunk that was compared last
  std::optional<std::string_view> found_;  // line of the base it met; none at the end of the file
};

Note relocation_note(const Section& s, const Hunk& h, std::int64_t lines_before_now) {
  const std::int64_t offset = lines_before_now - lines_before(h);
  return {.id = "hunk_relocated",
          .file = s.new_path,
          .line = h.line,
          .message = fmt::format("hunk placed {} line{} {}", std::abs(offset),
                                 std::abs(offset) == 1 ? "" : "s", offset > 0 ? "down" : "up")};
}

/// Where each hunk begins, as lines of the base before it.
Judged<std::vector<std::int64_t>> places(const Section& s, std::string_view base,
                                         Position position) {
  std::vector<std::int64_t> begins;
  begins.reserve(s.hunks.size());
  if (position == Position::exact) {
    for (const Hunk& h : s.hunks)
      begins.push_back(lines_before(h));
    return begins;
  }
  const std::vector<Occurrence> found = find_preimages(s.hunks, base);
  std::int64_t free_from = 0;
  for (std::size_t i = 0; i < s.hunks.size(); ++i) {
    const Hunk& h = s.hunks[i];
    const bool anywhere = h.old_count == 0;  // nothing to look for: the place is the stated one
    if (!anywhere && found[i].count > 1)
      return tl::unexpected(
          refusal(s, h, Rule::hunk_position_ambiguous, "matches at more than one place"));
    const std::int64_t begin = anywhere ? lines_before(h) : found[i].first_line;
    if ((!anywhere && found[i].count == 0) || begin < free_from)
      return tl::unexpected(
          refusal(s, h, Rule::hunk_not_found, "matches nowhere behind the hunk before it"));
    begins.push_back(begin);
    free_from = begin + h.old_count;
  }
  return begins;
}

}  // namespace

Judged<Applied> apply_section(const Section& s, std::string_view base, Position position) {
  auto begins = places(s, base, position);
  if (!begins) return tl::unexpected(std::move(begins).error());
  Applied applied;
  applied.bytes.reserve(base.size());
  Cursor at(base);
  for (std::size_t i = 0; i < s.hunks.size(); ++i) {
    const Hunk& h = s.hunks[i];
    const std::size_t kept_from = at.offset();
    if (!at.skip_to((*begins)[i]))
      return tl::unexpected(refusal(
          s, h, position == Position::exact ? Rule::hunk_position_mismatch : Rule::hunk_not_found,
          fmt::format("begins behind line {}, the last one,", at.line())));
    applied.bytes += base.substr(kept_from, at.offset() - kept_from);
    if ((*begins)[i] != lines_before(h))
      applied.notes.push_back(relocation_note(s, h, (*begins)[i]));
    if (auto refused = HunkApplication(s, h).run(at, applied.bytes))
      return tl::unexpected(*std::move(refused));
  }
  applied.bytes += base.substr(at.offset());
  applied.begins = *std::move(begins);
  if (s.op == Operation::remove && !applied.bytes.empty())
    return tl::unexpected(Violation{
        .rule = Rule::delete_leaves_content,
        .message = fmt::format("{} is deleted but the patch does not remove all its lines",
                               shown(s.old_path)),
        .file = s.old_path,
        .line = s.hunks.empty() ? s.line : s.hunks.back().line});
  return applied;
}

}  // namespace gh::patch
