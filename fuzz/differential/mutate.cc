#include "fuzz/differential/mutate.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace gh::fuzz {
namespace {

// ---------------------------------------------------------------- a patch of git, taken apart

struct LooseHunk {
  long old_start = 0, old_count = 0, new_start = 0, new_count = 0;
  std::string heading;
  std::vector<std::string> body;  // lines without LF
};
struct LooseSection {
  std::vector<std::string> head;  // git line, extended headers, --- and +++
  std::vector<LooseHunk> hunks;
};
using Loose = std::vector<LooseSection>;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t lf = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, lf - at));
    at = lf + 1;
  }
  return lines;
}

/// "-3,2" after its sign; an omitted count is 1.
void read_range(const std::string& line, char sign, long& start, long& count) {
  const std::size_t at = line.find(std::string(" ") + sign);
  count = 1;
  if (at != line.npos) std::sscanf(line.c_str() + at + 2, "%ld,%ld", &start, &count);
}

LooseHunk read_header(const std::string& line) {
  LooseHunk hunk;
  read_range(line, '-', hunk.old_start, hunk.old_count);
  read_range(line, '+', hunk.new_start, hunk.new_count);
  if (const std::size_t at = line.find(" @@ "); at != line.npos) hunk.heading = line.substr(at + 4);
  return hunk;
}

Loose take_apart(const std::string& patch) {
  Loose sections;
  long old_left = 0, new_left = 0;
  for (const std::string& line : lines_of(patch)) {
    const bool in_body = old_left > 0 || new_left > 0 || line.starts_with('\\');
    if (!in_body && line.starts_with("diff --git ")) sections.emplace_back();
    if (sections.empty()) continue;
    LooseSection& section = sections.back();
    if (in_body && !section.hunks.empty()) {
      section.hunks.back().body.push_back(line);
      old_left -= line.starts_with(' ') || line.starts_with('-') || line.empty();
      new_left -= line.starts_with(' ') || line.starts_with('+') || line.empty();
    } else if (line.starts_with("@@ ")) {
      section.hunks.push_back(read_header(line));
      old_left = section.hunks.back().old_count;
      new_left = section.hunks.back().new_count;
    } else {
      section.head.push_back(line);
    }
  }
  return sections;
}

std::string range_text(long start, long count, bool brief) {
  return brief && count == 1 ? std::to_string(start)
                             : std::to_string(start) + "," + std::to_string(count);
}

std::string put_together(const Loose& sections, bool brief = true) {
  std::string out;
  for (const LooseSection& s : sections) {
    for (const std::string& line : s.head)
      out += line + "\n";
    for (const LooseHunk& h : s.hunks) {
      out += "@@ -" + range_text(h.old_start, h.old_count, brief) + " +" +
             range_text(h.new_start, h.new_count, brief) + " @@" +
             (h.heading.empty() ? "" : " " + h.heading) + "\n";
      for (const std::string& line : h.body)
        out += line + "\n";
    }
  }
  return out;
}

/// Makes counts follow the bodies and new starts follow old starts.
void repair(Loose& sections) {
  for (LooseSection& s : sections) {
    long delta = 0;
    for (LooseHunk& h : s.hunks) {
      h.old_count = h.new_count = 0;
      for (const std::string& line : h.body) {
        h.old_count += !line.starts_with('+') && !line.starts_with('\\');
        h.new_count += !line.starts_with('-') && !line.starts_with('\\');
      }
      h.new_start = h.old_start + delta + (h.old_count == 0 && h.new_count > 0 ? 1 : 0) -
                    (h.new_count == 0 && h.old_count > 0 ? 1 : 0);
      delta += h.new_count - h.old_count;
    }
  }
}

// ------------------------------------------------------------------------- grammar-aware changes

constexpr std::array<std::string_view, 12> kAddedLines{
    "+a",  "+",        "+added",    "+b",           "+\r", "+tail ",
    "+++", "+++ b/aa", "+@@ -1 +1", "+caf\xc3\xa9", "+ x", "+- x"};
constexpr std::array<std::string_view, 22> kHeaders{"index 1234567..89abcde 100644",
                                                    "index 1234567..89abcde",
                                                    "old mode 100644",
                                                    "new mode 100755",
                                                    "new mode 100644",
                                                    "old mode 100755",
                                                    "new file mode 100644",
                                                    "deleted file mode 100644",
                                                    "similarity index 100%",
                                                    "similarity index 50%",
                                                    "dissimilarity index 90%",
                                                    "rename from aa",
                                                    "rename to b.txt",
                                                    "rename old aa",
                                                    "rename new b.txt",
                                                    "copy from aa",
                                                    "copy to b.txt",
                                                    "--- a/aa",
                                                    "+++ b/aa",
                                                    "",
                                                    "Index: aa",
                                                    "GIT binary patch"};
constexpr std::array<std::string_view, 7> kModes{"100644", "100755", "120000", "160000",
                                                 "100664", "104755", "040000"};
constexpr std::string_view kMarker = "\\ No newline at end of file";

LooseSection& some_section(Loose& sections, Chance& chance) { return chance.pick(sections); }

LooseHunk* some_hunk(Loose& sections, Chance& chance) {
  LooseSection& s = some_section(sections, chance);
  return s.hunks.empty() ? nullptr : &chance.pick(s.hunks);
}

template <class T>
typename std::vector<T>::iterator some_place(std::vector<T>& in, Chance& chance) {
  return in.begin() + static_cast<std::ptrdiff_t>(chance.below(in.size() + 1));
}

void add_line(Loose& p, Chance& chance) {
  if (LooseHunk* h = some_hunk(p, chance))
    h->body.insert(some_place(h->body, chance), std::string(chance.pick(kAddedLines)));
}
void change_added_line(Loose& p, Chance& chance) {
  LooseHunk* h = some_hunk(p, chance);
  if (h == nullptr || h->body.empty()) return;
  std::string& line = chance.pick(h->body);
  if (line.starts_with('+')) line = chance.pick(kAddedLines);
}
void flip_kind(Loose& p, Chance& chance) {
  LooseHunk* h = some_hunk(p, chance);
  if (h == nullptr || h->body.empty()) return;
  std::string& line = chance.pick(h->body);
  if (!line.empty()) line[0] = " +-"[chance.below(3)];
}
void drop_line(Loose& p, Chance& chance) {
  LooseHunk* h = some_hunk(p, chance);
  if (h == nullptr || h->body.empty()) return;
  const bool at_end = chance.one_in(2);
  if (chance.one_in(2)) {
    h->body.erase(h->body.begin() + static_cast<std::ptrdiff_t>(chance.below(h->body.size())));
  } else if (at_end) {
    h->body.pop_back();
  } else {
    h->body.erase(h->body.begin());
    ++h->old_start;
    ++h->new_start;
  }
}
void blank_context(Loose& p, Chance& chance) {
  if (LooseHunk* h = some_hunk(p, chance))
    for (std::string& line : h->body)
      if (line == " ") line.clear();
}
void toggle_marker(Loose& p, Chance& chance) {
  LooseHunk* h = some_hunk(p, chance);
  if (h == nullptr) return;
  const auto found = std::ranges::find(h->body, kMarker);
  if (found != h->body.end() && chance.one_in(2)) {
    h->body.erase(found);
  } else {
    const auto where = chance.one_in(2) ? h->body.end() : some_place(h->body, chance);
    h->body.insert(where, std::string(kMarker));
  }
}
void change_number(Loose& p, Chance& chance) {
  LooseHunk* h = some_hunk(p, chance);
  if (h == nullptr) return;
  long* const numbers[] = {&h->old_start, &h->old_count, &h->new_start, &h->new_count};
  long& n = *numbers[chance.below(4)];
  n = chance.one_in(8) ? 999'999'999 : std::max(0L, n + static_cast<long>(chance.below(5)) - 2);
}
void shift_hunk(Loose& p, Chance& chance) {
  if (LooseHunk* h = some_hunk(p, chance)) {
    const long by = static_cast<long>(chance.below(7)) - 3;
    h->old_start = std::max(0L, h->old_start + by);
    h->new_start = std::max(0L, h->new_start + by);
  }
}
void move_hunk(Loose& p, Chance& chance) {
  LooseSection& from = some_section(p, chance);
  LooseSection& to = some_section(p, chance);
  if (from.hunks.empty()) return;
  const std::size_t at = chance.below(from.hunks.size());
  const LooseHunk hunk = from.hunks[at];
  if (chance.one_in(2)) from.hunks.erase(from.hunks.begin() + static_cast<std::ptrdiff_t>(at));
  to.hunks.insert(some_place(to.hunks, chance), hunk);
}
void split_hunk(Loose& p, Chance& chance) {
  LooseSection& s = some_section(p, chance);
  if (s.hunks.empty()) return;
  const std::size_t at = chance.below(s.hunks.size());
  LooseHunk& first = s.hunks[at];
  if (first.body.size() < 2) return;
  const std::size_t cut = 1 + chance.below(first.body.size() - 1);
  LooseHunk second = first;
  second.body.erase(second.body.begin(), second.body.begin() + static_cast<std::ptrdiff_t>(cut));
  first.body.resize(cut);
  for (const std::string& line : first.body)
    second.old_start += !line.starts_with('+') && !line.starts_with('\\');
  s.hunks.insert(s.hunks.begin() + static_cast<std::ptrdiff_t>(at + 1), second);
}

void swap_sections(Loose& p, Chance& chance) { std::swap(chance.pick(p), chance.pick(p)); }
void repeat_section(Loose& p, Chance& chance) { p.push_back(LooseSection(chance.pick(p))); }
void drop_section(Loose& p, Chance& chance) {
  if (p.size() > 1) p.erase(p.begin() + static_cast<std::ptrdiff_t>(chance.below(p.size())));
}
void swap_names(Loose& p, Chance& chance) {
  LooseSection& a = some_section(p, chance);
  LooseSection& b = some_section(p, chance);
  if (chance.one_in(2)) {
    std::swap(a.head, b.head);
  } else {
    std::swap(chance.pick(a.head), chance.pick(b.head));
  }
}
void add_header(Loose& p, Chance& chance) {
  LooseSection& s = some_section(p, chance);
  s.head.insert(s.head.begin() + 1 + static_cast<std::ptrdiff_t>(chance.below(s.head.size())),
                std::string(chance.pick(kHeaders)));
}
void drop_header(Loose& p, Chance& chance) {
  LooseSection& s = some_section(p, chance);
  if (s.head.size() > 1)
    s.head.erase(s.head.begin() + static_cast<std::ptrdiff_t>(chance.below(s.head.size())));
}
void swap_headers(Loose& p, Chance& chance) {
  LooseSection& s = some_section(p, chance);
  std::swap(chance.pick(s.head), chance.pick(s.head));
}
void change_mode(Loose& p, Chance& chance) {
  for (std::string& line : some_section(p, chance).head) {
    for (const std::string_view mode : {"100644", "100755", "120000", "160000"}) {
      const std::size_t at = line.find(mode);
      if (at != line.npos && chance.one_in(2)) {
        line.replace(at, 6, chance.pick(kModes));
        break;
      }
    }
  }
}
void add_carriage_return(Loose& p, Chance& chance) {
  chance.pick(some_section(p, chance).head) += '\r';
}

/// The C-quoted form of `name`, with some letters as needless octal escapes.
std::string in_quotes(const std::string& name, Chance& chance) {
  std::string out = "\"";
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    const bool must = byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\';
    if (must || (i > 1 && chance.one_in(4))) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\%03o", byte);
      out += escape;
    } else {
      out += name[i];
    }
  }
  return out + "\"";
}

/// Quotes the raw names of a head, all of them or one line's.
void quote_names(LooseSection& s, bool all, Chance& chance) {
  static constexpr std::array<std::string_view, 6> kNamed{
      "--- ", "+++ ", "rename from ", "rename to ", "copy from ", "copy to "};
  const std::size_t only = chance.below(s.head.size());
  for (std::size_t i = 0; i < s.head.size(); ++i) {
    std::string& line = s.head[i];
    if (!all && i != only) continue;
    if (line.ends_with('\t')) line.pop_back();
    for (const std::string_view keyword : kNamed) {
      if (!line.starts_with(keyword) || line.ends_with('"') || line.ends_with("/dev/null"))
        continue;
      line = std::string(keyword) + in_quotes(line.substr(keyword.size()), chance);
      break;
    }
    const std::string rest = line.starts_with("diff --git a/") ? line.substr(11) : "";
    const std::size_t split = rest.find(" b/");
    if (split != rest.npos && rest.find('"') == rest.npos &&
        rest.find(" b/", split + 1) == rest.npos)
      line = "diff --git " + in_quotes(rest.substr(0, split), chance) + " " +
             in_quotes(rest.substr(split + 1), chance);
  }
}
void quote_some(Loose& p, Chance& chance) {
  quote_names(some_section(p, chance), chance.one_in(2), chance);
}

struct Operator {
  void (*apply)(Loose&, Chance&);
  unsigned weight;
};
constexpr std::array kOperators{
    Operator{add_line, 8},      Operator{change_added_line, 8},   Operator{flip_kind, 3},
    Operator{drop_line, 4},     Operator{blank_context, 2},       Operator{toggle_marker, 3},
    Operator{change_number, 2}, Operator{shift_hunk, 2},          Operator{move_hunk, 2},
    Operator{split_hunk, 2},    Operator{swap_sections, 2},       Operator{repeat_section, 1},
    Operator{drop_section, 2},  Operator{swap_names, 2},          Operator{add_header, 3},
    Operator{drop_header, 2},   Operator{swap_headers, 1},        Operator{change_mode, 2},
    Operator{quote_some, 3},    Operator{add_carriage_return, 1},
};

void apply_one(Loose& p, Chance& chance) {
  unsigned total = 0;
  for (const Operator& o : kOperators)
    total += o.weight;
  std::size_t ticket = chance.below(total);
  for (const Operator& o : kOperators) {
    if (ticket < o.weight) return o.apply(p, chance);
    ticket -= o.weight;
  }
}

/// Text that git reads as part of the patch although no section header announces it.
std::string hidden_text(const Loose& other, Chance& chance) {
  static constexpr std::array<std::string_view, 6> kLeads{"",   "-- \n2.39.5\n", "```\n", "prose\n",
                                                          "\n", "diff --cc aa\n"};
  LooseSection section = other[chance.below(other.size())];
  std::erase_if(section.head, [](const std::string& l) {
    return !l.starts_with("--- ") && !l.starts_with("+++ ");
  });
  return std::string(chance.pick(kLeads)) + put_together({section});
}

}  // namespace

std::string mutate_bytes(std::string patch, Chance& chance) {
  static constexpr std::string_view kBytes = "\n\r\t \"\\/+-@0129ab\x01\x7f\xc3\xff";
  for (std::size_t changes = 1 + chance.below(3); changes > 0 && !patch.empty(); --changes) {
    const std::size_t at = chance.below(patch.size());
    const std::size_t begin = patch.rfind('\n', at) == patch.npos ? 0 : patch.rfind('\n', at) + 1;
    const std::size_t end = std::min(patch.find('\n', begin), patch.size() - 1) + 1;
    const std::string line = begin < end ? patch.substr(begin, end - begin) : "";
    switch (chance.below(8)) {
      case 0:
        patch[at] = kBytes[chance.below(kBytes.size())];
        break;
      case 1:
        patch[at] = static_cast<char>(patch[at] ^ (1 << chance.below(8)));
        break;
      case 2:
        patch.insert(at, 1, kBytes[chance.below(kBytes.size())]);
        break;
      case 3:
        patch.erase(at, 1 + chance.below(3));
        break;
      case 4:
        patch.insert(begin, line);
        break;
      case 5:
        patch.erase(begin, line.size());
        break;
      case 6:
        patch.insert(begin, std::string(chance.pick(kHeaders)) + "\n");
        break;
      default:
        patch.resize(chance.one_in(4) ? at : patch.size());
    }
  }
  return patch;
}

std::string mutate_grammar(const std::string& patch, const std::vector<std::string>& others,
                           Chance& chance) {
  Loose parts = take_apart(patch);
  if (parts.empty()) return patch;
  const Loose other = take_apart(others[chance.below(others.size())]);
  if (chance.one_in(6) && !other.empty())
    parts.insert(some_place(parts, chance), other[chance.below(other.size())]);
  for (std::size_t changes = 1 + chance.below(3); changes > 0; --changes)
    apply_one(parts, chance);
  if (!chance.one_in(4)) repair(parts);
  std::string out = put_together(parts, chance.one_in(2));
  if (chance.one_in(12) && !other.empty()) out += hidden_text(other, chance);
  return out;
}

std::string respell(const std::string& patch, Chance& chance) {
  Loose parts = take_apart(patch);
  if (parts.empty()) return patch;
  for (LooseSection& s : parts) {
    std::erase_if(s.head, [](const std::string& line) { return line.starts_with("index "); });
    if (chance.one_in(2)) quote_names(s, chance.one_in(2), chance);
    for (LooseHunk& h : s.hunks)
      h.heading = chance.one_in(2) ? "another heading" : "";
  }
  for (std::size_t i = parts.size(); i > 1; --i)
    std::swap(parts[i - 1], parts[chance.below(i)]);
  return "\n" + put_together(parts, chance.one_in(2)) + "\n\n";
}

}  // namespace gh::fuzz
