#include "report/diagnostics.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "report/columns.h"

namespace gh::report {
namespace {

constexpr std::int64_t kManyOfOneRule = 50;
constexpr std::int64_t kShownOfMany = 10;

Ink ink_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return Ink::bad;
    case Severity::warning:
      return Ink::warning;
    case Severity::note:
      return Ink::accent;
  }
  return Ink::plain;
}

std::string spaces(int count) {
  return std::string(static_cast<std::size_t>(std::max(0, count)), ' ');
}

int gutter_of(const Diagnostic& d) {
  std::int64_t largest = d.line;
  for (const SourceLine& line : d.source)
    largest = std::max(largest, line.number);
  return d.source.empty() ? 1 : static_cast<int>(fmt::formatted_size("{}", largest));
}

/// The stretch of cells that is shown: all of them, or a window around the first span.
struct Window {
  std::size_t begin = 0, end = 0;
  bool cut_left = false, cut_right = false;
};

std::size_t cell_at(const std::vector<Cell>& cells, std::size_t byte) {
  const auto it = std::ranges::find_if(cells, [&](const Cell& c) { return c.byte > byte; });
  return it == cells.begin() ? 0 : static_cast<std::size_t>(it - cells.begin()) - 1;
}

int width_of(const std::vector<Cell>& cells, std::size_t begin, std::size_t end) {
  int out = 0;
  for (std::size_t i = begin; i < end; ++i)
    out += cells[i].width;
  return out;
}

Window window_for(const std::vector<Cell>& cells, std::size_t focus, int room) {
  constexpr int kCutMark = 3;  // "..." in ASCII, the wider of the two marks
  if (width_of(cells, 0, cells.size()) <= room) return {0, cells.size(), false, false};
  const int inner = std::max(8, room - 2 * kCutMark);
  Window out{std::min(focus, cells.size()), std::min(focus, cells.size()), false, false};
  int used = 0;
  while (out.begin > 0 && used + cells[out.begin - 1].width <= inner / 3)
    used += cells[--out.begin].width;
  while (out.end < cells.size() && used + cells[out.end].width <= inner)
    used += cells[out.end++].width;
  while (out.begin > 0 && used + cells[out.begin - 1].width <= inner)
    used += cells[--out.begin].width;
  out.cut_left = out.begin > 0;
  out.cut_right = out.end < cells.size();
  return out;
}

class Block {
 public:
  Block(const Diagnostic& d, const Look& look) : d_(d), look_(look), gutter_(gutter_of(d)) {
    marked_ = std::ranges::any_of(d.source, [](const SourceLine& l) { return l.mark != 0; });
  }

  std::string render() {
    head();
    if (look_.verbosity < 0) return std::move(out_);
    place();
    if (!d_.source.empty()) source();
    for (const std::string& related : d_.related)
      out_ += fmt::format("{}{} {}\n", spaces(gutter_ - 1), paint(look_, Ink::accent, ":::"),
                          clipped(related, 4096));
    for (const auto& [key, text] : d_.facts)
      fact(key, text);
    out_ += '\n';
    return std::move(out_);
  }

 private:
  void head() {
    const std::string tag = d_.id.empty() ? std::string(to_string(d_.severity))
                                          : fmt::format("{}[{}]", to_string(d_.severity), d_.id);
    out_ += fmt::format("{}: {}\n", paint(look_, ink_of(d_.severity), tag),
                        paint(look_, Ink::bold, clipped(d_.message, 4096)));
  }

  void place() {
    if (d_.path.empty()) return;
    std::string at = clipped(d_.path, 4096);
    if (d_.line > 0) at += fmt::format(":{}", d_.line);
    if (d_.line > 0 && d_.column > 0) at += fmt::format(":{}", d_.column);
    out_ += fmt::format("{}{} {}\n", spaces(gutter_ - 1), paint(look_, Ink::accent, "-->"), at);
  }

  void bar() { out_ += fmt::format("{} {}\n", spaces(gutter_), paint(look_, Ink::accent, "|")); }

  void source() {
    bar();
    for (const SourceLine& line : d_.source)
      source_line(line);
    bar();
  }

  void source_line(const SourceLine& line) {
    const std::vector<Cell> cells = cells_of(line.text);
    std::size_t focus = 0;
    for (const Span& span : d_.spans)
      if (span.line == line.number) focus = cell_at(cells, span.byte);
    const int room = look_.width - gutter_ - 3 - (marked_ ? 2 : 0);
    const Window window = window_for(cells, focus, room);
    std::string text;
    for (std::size_t i = window.begin; i < window.end; ++i)
      text += cells[i].text;
    if (window.cut_left) text = cut_mark() + text;
    if (window.cut_right) text += cut_mark();
    if (marked_) text = std::string(1, line.mark == 0 ? ' ' : line.mark) + " " + text;
    std::string shown =
        fmt::format("{:>{}} {} {}", line.number, gutter_, paint(look_, Ink::accent, "|"), text);
    shown.erase(shown.find_last_not_of(' ') + 1);
    out_ += shown + '\n';
    for (const Span& span : d_.spans)
      if (span.line == line.number) underline(span, cells, window);
  }

  void underline(const Span& span, const std::vector<Cell>& cells, const Window& window) {
    const std::size_t first =
        std::clamp(cell_at(cells, span.byte), window.begin, std::max(window.begin, window.end));
    std::size_t last = first;
    while (last < window.end && cells[last].byte < span.byte + span.length)
      ++last;
    const int indent = (marked_ ? 2 : 0) + (window.cut_left ? columns(cut_mark()) : 0) +
                       width_of(cells, window.begin, first);
    const int length = std::max(1, width_of(cells, first, last));
    const std::string mark(static_cast<std::size_t>(length), span.primary ? '^' : '-');
    const std::string label = span.label.empty() ? std::string() : " " + clipped(span.label, 200);
    out_ += fmt::format("{} {} {}{}\n", spaces(gutter_), paint(look_, Ink::accent, "|"),
                        spaces(indent), paint(look_, ink_of(d_.severity), mark + label));
  }

  void fact(std::string_view key, std::string_view text) {
    const std::string lead = fmt::format("{} = {}: ", spaces(gutter_), key);
    const int indent = static_cast<int>(lead.size());
    // A command is copied as it stands: it stays on its line.
    const bool is_command = text.starts_with("gatehouse ") || text.starts_with("git ");
    const std::string shown = clipped(text, 4096);
    out_ +=
        fmt::format("{} {} {}: {}\n", spaces(gutter_), paint(look_, Ink::accent, "="), key,
                    is_command ? shown : folded(shown, std::max(20, look_.width - indent), indent));
  }

  std::string cut_mark() const { return look_.ascii ? "..." : "…"; }

  const Diagnostic& d_;
  const Look& look_;
  int gutter_;
  bool marked_ = false;
  std::string out_{};
};

std::vector<const Diagnostic*> ordered(std::span<const Diagnostic> all, GroupBy group) {
  std::vector<const Diagnostic*> out;
  for (const Diagnostic& d : all)
    out.push_back(&d);
  std::ranges::stable_sort(out, {}, [&](const Diagnostic* d) {
    const std::string_view group_key = group == GroupBy::rule ? d->id : d->path;
    return std::tuple(group_key, std::string_view(d->path), d->line);
  });
  return out;
}

std::string counted(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

std::string render_diagnostics(std::span<const Diagnostic> all, const Look& look, GroupBy group) {
  std::map<std::string_view, std::int64_t> totals, shown;
  for (const Diagnostic& d : all)
    ++totals[d.id];
  std::string out;
  for (const Diagnostic* d : ordered(all, group)) {
    const bool many = totals[d->id] > kManyOfOneRule;
    if (many && shown[d->id]++ >= kShownOfMany) continue;
    out += Block(*d, look).render();
  }
  for (const auto& [id, total] : totals)
    if (total > kManyOfOneRule)
      out += fmt::format("... {} more of {} are not shown (--json lists them)\n\n",
                         total - kShownOfMany, id);
  return out;
}

std::string render_summary(const Summary& s, const Look& look) {
  static constexpr std::array<std::string_view, 4> kWords{"allowed", "review", "unverified",
                                                          "denied"};
  const Ink ink = s.decision == Decision::allow  ? Ink::good
                  : s.decision == Decision::deny ? Ink::bad
                                                 : Ink::warning;
  std::vector<std::string> counts;
  if (s.errors > 0) counts.push_back(counted(s.errors, "error"));
  if (s.warnings > 0) counts.push_back(counted(s.warnings, "warning"));
  if (s.notes > 0) counts.push_back(counted(s.notes, "note"));
  std::string text = counts.empty() ? std::string("no findings") : join(counts, ", ");
  if (s.files > 0) text += fmt::format(" in {}", counted(s.files, "file"));
  std::vector<std::string> meta;
  if (!s.policy_digest.empty())
    meta.push_back(fmt::format("policy {}", s.policy_digest.substr(0, 4)));
  meta.push_back(fmt::format("{} ms", s.duration_ms));
  return fmt::format("{}: {} ({})\n",
                     paint(look, ink, kWords[static_cast<std::size_t>(s.decision)]), text,
                     join(meta, ", "));
}

std::vector<SourceLine> source_around(std::string_view text, std::int64_t number,
                                      std::int64_t context) {
  std::vector<SourceLine> out;
  if (number < 1) return out;
  std::int64_t at_line = 1;
  for (std::size_t at = 0; at < text.size() && at_line <= number + context; ++at_line) {
    const std::size_t lf = std::min(text.find('\n', at), text.size());
    if (at_line >= number - context)
      out.push_back(
          {at_line, std::string(text.substr(at, std::min<std::size_t>(lf - at, 4096))), 0});
    at = lf + 1;
  }
  return out;
}

}  // namespace gh::report
