// Real tests (proposals 3.5): named in the metadata, added by the diff, more than comments.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/glob.h"
#include "proposal/rules.h"
#include "proposal/words.h"

namespace gh::proposal {
namespace {

struct CommentStyle {
  std::string_view marker;    // begins a line comment
  std::string_view suffixes;  // of the files that have it, each between blanks
};
// table: comment styles
constexpr std::array<CommentStyle, 5> kCommentStyles{{
    {"//",
     " .c .cc .cpp .cxx .h .hpp .js .jsx .mjs .ts .tsx .java .kt .go .rs .cs .swift .scala "
     ".php .dart .zig "},
    {"#", " .py .sh .bash .rb .pl .yaml .yml .toml .cmake .mk .r .ex .exs .ps1 .nim .txt .conf "},
    {"--", " .sql .lua .hs .elm .adb .vhd "},
    {";", " .lisp .clj .el .scm .ini .asm "},
    {"%", " .tex .erl .m "},
}};

std::string_view comment_marker(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == path.npos) return "#";  // scripts and make files without a suffix
  const std::string suffix = fmt::format(" {} ", lower(path.substr(dot)));
  for (const CommentStyle& style : kCommentStyles)
    if (contains(style.suffixes, suffix)) return style.marker;
  return {};
}

std::string_view without_comment(std::string_view line, std::string_view marker) {
  return marker.empty() ? line : line.substr(0, line.find(marker));
}

bool says_something(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return is_word_byte(c) && c != '_'; });
}

/// Whether some added line of the section, its comment left out, satisfies `wanted`.
template <class Fn>
bool any_added(const diff::Section& section, Fn wanted) {
  const std::string_view marker = comment_marker(section.new_path);
  bool found = false;
  for (const diff::Hunk& hunk : section.hunks)
    diff::for_each_line(hunk, [&](char kind, std::string_view text, std::int64_t, bool) {
      const std::string_view code = without_comment(text, marker);
      found = found || (kind == '+' && says_something(code) && wanted(code));
    });
  return found;
}

const diff::Section* section_of(const diff::Patch& patch, std::string_view path) {
  const auto it = std::ranges::find(patch.sections, path, &diff::Section::new_path);
  return it == patch.sections.end() ? nullptr : &*it;
}

std::optional<std::string> path_defect(std::string_view path, const diff::Patch& patch,
                                       const policy::ProposalPolicy& policy) {
  const diff::Section* section = section_of(patch, path);
  if (section == nullptr) return "the diff does not name this path";
  if (section->op == diff::Operation::remove) return "the diff deletes this file";
  if (!is_test_path(path, policy)) return "no test pattern matches this path";
  if (!any_added(*section, [](std::string_view) { return true; }))
    return "the diff adds no line to it that is more than a comment";
  return {};
}

bool adds_name(const diff::Section& section, std::string_view name) {
  return any_added(section, [&](std::string_view line) { return has_word(line, name); });
}

std::optional<std::string> name_defect(std::string_view name, const diff::Patch& patch,
                                       const policy::ProposalPolicy& policy) {
  const bool found = std::ranges::any_of(patch.sections, [&](const diff::Section& s) {
    return s.op != diff::Operation::remove && is_test_path(s.new_path, policy) &&
           adds_name(s, name);
  });
  if (found) return {};
  return "the name stands on no added line of a test file";
}

/// A slash, or a path of the diff, makes an entry a path; names of tests have none.
bool is_path_entry(std::string_view entry, const diff::Patch& patch) {
  return contains(entry, "/") || section_of(patch, entry) != nullptr;
}

}  // namespace

bool is_test_path(std::string_view path, const policy::ProposalPolicy& policy) {
  return std::ranges::any_of(policy.test_patterns, [&](const std::string& pattern) {
    return policy::matches_policy_entry(path, pattern);
  });
}

std::optional<std::string> test_defect(std::string_view entry, const diff::Patch& patch,
                                       const policy::ProposalPolicy& policy) {
  if (trimmed(entry).empty()) return "the entry is empty";
  const std::size_t colons = entry.find("::");
  if (colons == entry.npos)
    return is_path_entry(entry, patch) ? path_defect(entry, patch, policy)
                                       : name_defect(entry, patch, policy);
  const std::string_view path = entry.substr(0, colons), name = entry.substr(colons + 2);
  if (auto defect = path_defect(path, patch, policy)) return defect;
  if (!adds_name(*section_of(patch, path), name))
    return "the name stands on no added line of that file";
  return {};
}

std::vector<std::string> test_paths(const diff::Patch& patch,
                                    const policy::ProposalPolicy& policy) {
  std::vector<std::string> out;
  for (const diff::Section& s : patch.sections)
    if (!path_defect(s.new_path, patch, policy)) out.push_back(s.new_path);
  std::ranges::sort(out);
  return out;
}

Findings check_tests(const AdmissionFacts& facts) {
  if (facts.patch == nullptr) return {};
  std::vector<Finding> out;
  const auto& entries = facts.meta->tests_added;
  if (entries.empty() && !is_docs_only(facts))
    out.push_back({PropCode::PROP_TESTS_EMPTY,
                   "tests_added is empty, and the diff touches more than documentation"});
  List unreal;
  for (const std::string& entry : entries)
    if (const auto why = test_defect(entry, *facts.patch, facts.policy))
      unreal.emplace_back(Map{{"entry", entry}, {"why", *why}});
  if (!unreal.empty()) {
    const Map& first = *unreal.front().as_map();
    out.push_back({PropCode::PROP_TESTS_NOT_REAL,
                   fmt::format("{} of {} entries of tests_added are not real; the first, {}: {}",
                               unreal.size(), entries.size(),
                               printable(*first.find("entry")->as_string(), 60),
                               *first.find("why")->as_string()),
                   Map{{"entries", unreal}}});
  }
  if (facts.tests_discriminate && !*facts.tests_discriminate)
    out.push_back({PropCode::PROP_TESTS_DO_NOT_DISCRIMINATE,
                   "the tests do not fail on the base and pass on the candidate"});
  return out;
}

}  // namespace gh::proposal
