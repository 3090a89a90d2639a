#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "diff/names.h"
#include "diff/patch.h"

namespace gh::diff {
namespace {

void append(std::string& out, std::string_view keyword, std::string_view value) {
  out += keyword;
  out += value;
  out += '\n';
}

void append_mode(std::string& out, std::string_view keyword, FileMode mode) {
  append(out, keyword, to_string(mode));
}

/// git would write a name such as "x b/y" plainly and leave two readings of the line; quotes around
/// the first name fix the split.
void append_git_line(std::string& out, const Section& s) {
  const std::string left = "a/" + s.old_path;
  const std::string right = quote("b/" + s.new_path);
  std::string names = quote(left) + " " + right;
  if (!names.starts_with('"') && is_ambiguous(names)) names = in_quotes(left) + " " + right;
  append(out, "diff --git ", names);
}

void append_modes(std::string& out, const Section& s) {
  if (s.op == Operation::create) {
    append_mode(out, "new file mode ", *s.new_mode);
  } else if (s.op == Operation::remove) {
    append_mode(out, "deleted file mode ", *s.old_mode);
  } else if (s.old_mode && s.new_mode) {
    append_mode(out, "old mode ", *s.old_mode);
    append_mode(out, "new mode ", *s.new_mode);
  }
}

void append_move(std::string& out, const Section& s) {
  if (s.op != Operation::rename && s.op != Operation::copy) return;
  const std::string verb(to_string(s.op));
  append(out, verb + " from ", quote(s.old_path));
  append(out, verb + " to ", quote(s.new_path));
}

void append_side(std::string& out, std::string_view keyword, const std::string& name,
                 bool is_void) {
  if (is_void) return append(out, keyword, "/dev/null");
  std::string written = quote(name);
  if (!written.starts_with('"') && written.find(' ') != written.npos) written += '\t';
  append(out, keyword, written);
}

/// Every body line as it came, but an empty context line gets its space.
void append_body(std::string& out, const Hunk& hunk) {
  if (!hunk.has_blank_context) {
    out += hunk.body;
    return;
  }
  for (std::string_view rest = hunk.body; !rest.empty();) {
    const std::size_t length = rest.find('\n') + 1;
    if (length == 1) out += ' ';
    out += rest.substr(0, length);
    rest.remove_prefix(length);
  }
}

void append_section(std::string& out, const Section& s) {
  append_git_line(out, s);
  append_modes(out, s);
  append_move(out, s);
  if (s.hunks.empty()) return;
  append_side(out, "--- ", "a/" + s.old_path, s.op == Operation::create);
  append_side(out, "+++ ", "b/" + s.new_path, s.op == Operation::remove);
  for (const Hunk& h : s.hunks) {
    fmt::format_to(std::back_inserter(out), "@@ -{},{} +{},{} @@\n", h.old_start, h.old_count,
                   h.new_start, h.new_count);
    append_body(out, h);
  }
}

}  // namespace

std::string print_canonical(const Patch& patch) {
  std::vector<const Section*> sorted;
  std::size_t size = 0;
  for (const Section& s : patch.sections) {
    sorted.push_back(&s);
    size += 256 + 4 * (s.old_path.size() + s.new_path.size());
    for (const Hunk& h : s.hunks)
      size += 48 + h.body.size();
  }
  std::ranges::sort(sorted, {}, &Section::new_path);
  std::string out;
  out.reserve(size);
  for (const Section* s : sorted)
    append_section(out, *s);
  return out;
}

}  // namespace gh::diff
