// The output of `diff -u` as a git diff (proposals 1.1). Such a diff does not say which files are
// new or gone, so each file pair must leave no choice.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"
#include "base/time.h"
#include "diff/patch.h"
#include "proposal/intake_forms.h"
#include "proposal/words.h"

namespace gh::proposal {
namespace {

tl::unexpected<Finding> ambiguous(std::string what) {
  return tl::make_unexpected(Finding{PropCode::PROP_TRADITIONAL_AMBIGUOUS, std::move(what)});
}

/// One side of a file pair: its name, and whether the file does not exist there.
struct Side {
  std::string name;
  bool is_void = false;
};

/// "1970-01-01 00:00:00.000000000 +0000" in any zone: the time that diff gives to a missing file.
bool is_epoch(std::string_view stamp) {
  stamp = trimmed(stamp);
  std::string text(stamp.substr(0, 19));
  const std::string_view zone = stamp.substr(std::min(stamp.find_last_of(' '), stamp.size()));
  if (text.size() != 19 || text[10] != ' ') return false;
  text[10] = 'T';
  const std::string_view digits = trimmed(zone);
  text += digits.size() == 5 ? fmt::format("{}:{}", digits.substr(0, 3), digits.substr(3)) : "Z";
  const auto time = parse_timestamp(text);
  return time && time->seconds == 0;
}

tl::expected<Side, Finding> read_side(std::string_view line) {
  std::string_view text = line.substr(4);
  Side side;
  std::string_view stamp;
  if (text.starts_with('"')) {
    const auto name = diff::unquote(text);
    if (!name) return ambiguous("a quoted name cannot be read");
    side.name = name->bytes;
    stamp = text.substr(name->used);
  } else {
    const std::size_t tab = std::min(text.find('\t'), text.size());
    side.name = text.substr(0, tab);
    stamp = text.substr(tab);
  }
  if (side.name.empty()) return ambiguous("a file name is empty");
  if (side.name.ends_with('\r')) return ambiguous("the header lines end in CR LF");
  side.is_void = side.name == "/dev/null" || is_epoch(stamp);
  return side;
}

/// The one path of a pair: both names without a/ and b/, or both the same.
tl::expected<std::string, Finding> path_of(const Side& before, const Side& after) {
  const bool old_null = before.name == "/dev/null", new_null = after.name == "/dev/null";
  if (old_null && new_null) return ambiguous("both sides are /dev/null");
  const auto bare = [](const std::string& name, std::string_view prefix) {
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  };
  if (old_null) return bare(after.name, "b/");
  if (new_null) return bare(before.name, "a/");
  const bool prefixed = before.name.starts_with("a/") && after.name.starts_with("b/");
  const std::string old_path = prefixed ? before.name.substr(2) : before.name;
  const std::string new_path = prefixed ? after.name.substr(2) : after.name;
  if (old_path != new_path)
    return ambiguous(fmt::format("the names '{}' and '{}' differ", printable(before.name, 60),
                                 printable(after.name, 60)));
  return old_path;
}

std::string side_line(std::string_view keyword, std::string_view prefix, const std::string& path) {
  return fmt::format("{} {}\n", keyword, diff::quote(std::string(prefix) + path));
}

std::string section_header(const std::string& path, bool creates, bool deletes) {
  std::string out =
      fmt::format("diff --git {} {}\n", diff::quote("a/" + path), diff::quote("b/" + path));
  if (creates) out += "new file mode 100644\n";
  if (deletes) out += "deleted file mode 100644\n";
  out += creates ? "--- /dev/null\n" : side_line("---", "a/", path);
  out += deletes ? "+++ /dev/null\n" : side_line("+++", "b/", path);
  return out;
}

/// "-12,3" or "+12": the count, 1 when it is not written.
std::optional<std::int64_t> count_of(std::string_view range) {
  const std::size_t comma = range.find(',');
  if (comma == range.npos) return 1;
  std::int64_t count = 0;
  const std::string_view digits = range.substr(comma + 1);
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (read.ec != std::errc{} || read.ptr != digits.data() + digits.size() || count < 0) return {};
  return count;
}

struct Counts {
  std::int64_t before = 0, after = 0;
};

std::optional<Counts> hunk_counts(std::string_view line) {
  const auto words = split(line, ' ');
  if (words.size() < 4 || words[0] != "@@" || words[3] != "@@") return {};
  const auto before = count_of(words[1]), after = count_of(words[2]);
  if (!before || !after) return {};
  return Counts{*before, *after};
}

/// Copies one hunk by its own counts, so that a deleted line "-- x" is never taken for a header.
tl::expected<Counts, Finding> copy_hunk(Lines& lines, std::string& out) {
  const std::string_view header = lines.take();
  const auto announced = hunk_counts(header);
  if (!announced) return ambiguous(fmt::format("'{}' is no hunk header", printable(header, 60)));
  out += fmt::format("{}\n", header);
  Counts left = *announced;
  while (left.before > 0 || left.after > 0) {
    if (lines.done()) return ambiguous("a hunk ends before its announced lines");
    const std::string_view line = lines.take();
    const char kind = line.empty() ? ' ' : line[0];
    if (kind != ' ' && kind != '-' && kind != '+' && kind != '\\')
      return ambiguous(fmt::format("'{}' is no line of a hunk", printable(line, 60)));
    left.before -= kind == ' ' || kind == '-' ? 1 : 0;
    left.after -= kind == ' ' || kind == '+' ? 1 : 0;
    if (left.before < 0 || left.after < 0) return ambiguous("a hunk has more lines than announced");
    out += fmt::format("{}\n", line);
  }
  while (!lines.done() && lines.current().starts_with('\\'))
    out += fmt::format("{}\n", lines.take());
  return *announced;
}

/// A side that is void by its time stamp must hold nothing, or the stamp means nothing.
bool is_contradicted(const Side& side, std::int64_t lines) { return side.is_void && lines != 0; }

tl::expected<void, Finding> convert_pair(Lines& lines, std::string& out) {
  const auto before = read_side(lines.take());
  if (!before) return tl::make_unexpected(before.error());
  if (lines.done() || !lines.current().starts_with("+++ "))
    return ambiguous("a '--- ' line without its '+++ ' line");
  const auto after = read_side(lines.take());
  if (!after) return tl::make_unexpected(after.error());
  const auto path = path_of(*before, *after);
  if (!path) return tl::make_unexpected(path.error());
  if (before->is_void && after->is_void) return ambiguous("neither side of the pair exists");
  std::string hunks;
  Counts total;
  while (!lines.done() && lines.current().starts_with("@@ ")) {
    const auto counts = copy_hunk(lines, hunks);
    if (!counts) return tl::make_unexpected(counts.error());
    total.before += counts->before;
    total.after += counts->after;
  }
  if (hunks.empty()) return ambiguous("a file pair without hunks");
  if (is_contradicted(*before, total.before) || is_contradicted(*after, total.after))
    return ambiguous("a file that does not exist has lines");
  out += section_header(*path, before->is_void, after->is_void) + hunks;
  return {};
}

}  // namespace

tl::expected<Intake, Finding> from_traditional(std::string_view text) {
  if (!text.ends_with('\n')) return ambiguous("the last line does not end in LF");
  Intake intake{.form = "traditional", .diff = {}};
  Lines lines(text);
  while (!lines.done()) {
    const std::string_view line = lines.current();
    const bool is_remark =
        line.empty() || line.starts_with("diff -") || line.starts_with("Only in ");
    if (line.starts_with("Only in "))
      return ambiguous(fmt::format("'{}' names a file without its content", printable(line, 80)));
    if (line.starts_with("Binary files ")) return ambiguous("a binary file has no lines to change");
    if (is_remark) {
      lines.take();
      continue;
    }
    if (!line.starts_with("--- "))
      return ambiguous(fmt::format("'{}' is no line of diff -u", printable(line, 60)));
    if (auto converted = convert_pair(lines, intake.diff); !converted)
      return tl::make_unexpected(converted.error());
  }
  return intake;
}

}  // namespace gh::proposal
