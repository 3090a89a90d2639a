#include <algorithm>
#include <array>
#include <compare>
#include <functional>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "diff/section_reader.h"

namespace gh::diff {
namespace {

constexpr std::size_t kMaxExcerpt = 1024;  // bytes kept; rendering cuts to 160 characters
constexpr std::size_t kMaxMessage = 240;

Violation violation_of(Defect d, std::int64_t section, std::string_view file) {
  std::string message =
      file.empty() ? std::move(d.message) : fmt::format("{}: {}", shown(file), d.message);
  Violation v{d.rule, printable(message, kMaxMessage - 1)};
  v.file = file;
  v.line = d.line.number;
  v.section = section;
  v.excerpt = d.line.text.substr(0, kMaxExcerpt);
  return v;
}

// ---------------------------------------------------------------------------- whole input (4.1)

Line line_at(std::string_view bytes, std::size_t offset) {
  const std::size_t begin = offset == 0 ? 0 : bytes.rfind('\n', offset - 1) + 1;
  const std::string_view rest = bytes.substr(begin);
  return {rest.substr(0, rest.find('\n')),
          1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(begin), '\n')};
}

Line numbered_line(std::string_view bytes, std::int64_t number) {
  Lines lines(bytes);
  while (lines.number() < number)
    lines.take();
  return lines.current();
}

struct Census {
  std::int64_t lines = 0;    // gives up one past the limit
  std::size_t sections = 0;  // lines that open one
  std::size_t nul = std::string_view::npos;
};

/// One way through memory, which is what the time of a large patch goes into: a stretch is searched
/// for NUL while its lines are still at hand.
Census take_census(std::string_view bytes) {
  constexpr std::size_t kStretch = 64u << 10;
  Census census;
  for (std::size_t at = 0, searched = 0; at < bytes.size() && census.nul == bytes.npos;) {
    const std::size_t stop = std::min(at + kStretch, bytes.size());
    while (at < stop && census.lines <= kMaxLines) {
      const std::string_view rest = bytes.substr(at);
      if (rest.starts_with(kGitLine)) ++census.sections;
      at += std::min(rest.find('\n'), rest.size() - 1) + 1;
      ++census.lines;
    }
    at = std::max(at, stop);
    const std::size_t nul = bytes.substr(searched, at - searched).find('\0');
    if (nul != bytes.npos) census.nul = searched + nul;
    searched = at;
  }
  return census;
}

Checked<Census> check_whole(std::string_view bytes) {
  if (bytes.size() > kMaxPatchBytes)
    return defect(
        Rule::input_too_large, {},
        fmt::format("the patch has {} bytes; the limit is {}", bytes.size(), kMaxPatchBytes));
  if (bytes.find_first_not_of("\n\r \t") == bytes.npos)
    return defect(Rule::empty_input, {}, "the patch is empty");
  const Census census = take_census(bytes);
  if (census.nul != bytes.npos)
    return defect(Rule::nul_byte, line_at(bytes, census.nul), "the patch contains a NUL byte");
  const std::size_t first = bytes.find_first_not_of('\n');
  if (!bytes.substr(first).starts_with(kGitLine))
    return defect(Rule::not_a_diff, line_at(bytes, first),
                  "the first non-empty line must start with \"diff --git \"");
  if (!bytes.ends_with('\n'))
    return defect(Rule::missing_final_newline, line_at(bytes, bytes.size() - 1),
                  "the last line must end in LF");
  if (census.lines > kMaxLines)
    return defect(Rule::too_many_lines, {},
                  fmt::format("the patch has more than {} lines", kMaxLines));
  return census;
}

// ---------------------------------------------------------------------- duplicate_path (4.3)

/// A path named by a section. Texts are compared only where hashes are equal, so paths made to
/// collide cost no more than comparing them.
struct NamedPath {
  std::size_t hash = 0;
  std::uint32_t section = 0;
  bool is_new_path = false;
};

std::string_view text_of(const NamedPath& named, const std::vector<Section>& sections) {
  const Section& section = sections[named.section];
  return named.is_new_path ? section.new_path : section.old_path;
}

std::vector<NamedPath> named_paths(const std::vector<Section>& sections) {
  std::vector<NamedPath> named;
  named.reserve(sections.size());
  const std::hash<std::string_view> hash;
  for (std::uint32_t i = 0; i < sections.size(); ++i) {
    const Section& s = sections[i];
    if (s.line == 0) continue;  // its git line was refused
    named.push_back({hash(s.old_path), i, false});
    if (s.new_path != s.old_path) named.push_back({hash(s.new_path), i, true});
  }
  return named;
}

/// The first section that names a path of an earlier one, and that path.
std::optional<std::pair<std::size_t, std::string_view>> find_duplicate(
    const std::vector<Section>& sections) {
  std::vector<NamedPath> named = named_paths(sections);
  const auto text = [&](const NamedPath& n) { return text_of(n, sections); };
  std::ranges::sort(named, [&](const NamedPath& a, const NamedPath& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    const int order = text(a).compare(text(b));
    return order != 0 ? order < 0 : a.section < b.section;
  });
  std::optional<std::pair<std::size_t, std::string_view>> first;
  for (std::size_t i = 1; i < named.size(); ++i) {
    if (named[i].hash != named[i - 1].hash || text(named[i]) != text(named[i - 1])) continue;
    if (!first || named[i].section < first->first) first = {named[i].section, text(named[i])};
  }
  return first;
}

Checked<void> read_sections(Lines& lines, Patch& patch, const Grammar& grammar) {
  while (lines.starts_with("\n"))
    lines.take();
  while (!lines.done()) {
    Section& section = patch.sections.emplace_back();
    GH_DO(read_section(lines, section, grammar, patch.notes));
    patch.added += section.added;
    patch.deleted += section.deleted;
    patch.hunks += static_cast<std::int64_t>(section.hunks.size());
  }
  return {};
}

}  // namespace

std::string_view to_string(Operation op) {
  static constexpr std::array<std::string_view, 5> kNames{"create", "delete", "modify", "rename",
                                                          "copy"};
  return kNames[static_cast<std::size_t>(op)];
}

Judged<Patch> parse(std::string_view bytes, Profile profile, Position position) {
  const auto refuse = [](Defect d, std::size_t section, std::string_view file) {
    return tl::make_unexpected(
        violation_of(std::move(d), static_cast<std::int64_t>(section), file));
  };
  auto census = check_whole(bytes);
  if (!census) return refuse(std::move(census.error()), 0, {});
  Patch patch;
  patch.sections.reserve(census->sections);
  Lines lines(bytes);
  auto read = read_sections(lines, patch, {profile, position});
  // A duplicate stands on a git line that was read before any later refusal.
  if (const auto twice = find_duplicate(patch.sections)) {
    const auto& [number, path] = *twice;
    const Section& section = patch.sections[number];
    return refuse({Rule::duplicate_path, numbered_line(bytes, section.line),
                   "an earlier section of the patch names this path too"},
                  number + 1, path);
  }
  if (!read)
    return refuse(std::move(read.error()), patch.sections.size(), patch.sections.back().new_path);
  return patch;
}

}  // namespace gh::diff
