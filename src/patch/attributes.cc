#include "patch/attributes.h"

#include <algorithm>

#include "diff/patch.h"
#include "patch/paths.h"

namespace gh::patch {
namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::string_view kMacroPrefix = "[attr]";
using State = AttributeValue::State;

std::string_view skip_blank(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlank), text.size()));
}
std::string_view word(std::string_view text) { return text.substr(0, text.find_first_of(kBlank)); }

bool is_attribute_name(std::string_view name) {
  if (name.empty() || name.starts_with('-')) return false;
  return std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-' ||
           c == '_' || c == '.';
  });
}

std::optional<Assignment> parse_assignment(std::string_view text) {
  const std::size_t equals = text.find('=');
  std::string_view name = text.substr(0, equals);
  AttributeValue to;
  if (name.starts_with('-') || name.starts_with('!')) {
    to.state = name.starts_with('-') ? State::unset : State::unspecified;
    name.remove_prefix(1);
  } else if (equals == std::string_view::npos) {
    to.state = State::set;
  } else {
    to = {State::value, std::string(text.substr(equals + 1))};
  }
  if (!is_attribute_name(name)) return std::nullopt;
  return Assignment{std::string(name), std::move(to)};
}

/// nullopt when one of them is malformed: git then drops the whole line.
std::optional<std::vector<Assignment>> parse_assignments(std::string_view text) {
  std::vector<Assignment> out;
  for (text = skip_blank(text); !text.empty();) {
    const std::string_view one = word(text);
    auto parsed = parse_assignment(one);
    if (!parsed) return std::nullopt;
    out.push_back(*std::move(parsed));
    text = skip_blank(text.substr(one.size()));
  }
  return out;
}

struct Head {
  std::string name;
  std::string_view rest;
};

Head parse_head(std::string_view line) {
  if (line.starts_with('"'))
    if (auto unquoted = diff::unquote(line))
      return {std::move(unquoted->bytes), line.substr(unquoted->used)};
  const std::string_view name = word(line);
  return {std::string(name), line.substr(name.size())};
}

std::optional<AttributeFile::Line> parse_line(std::string_view line, bool is_root) {
  line = line.substr(0, line.find('\0'));
  const std::string_view text = skip_blank(line);
  if (text.empty() || text.starts_with('#') || line.size() > kMaxAttributeLine) return std::nullopt;
  Head head = parse_head(text);
  AttributeFile::Line out;
  if (head.name.size() > kMacroPrefix.size() && head.name.starts_with(kMacroPrefix)) {
    out.macro = word(skip_blank(std::string_view(head.name).substr(kMacroPrefix.size())));
    if (!is_root || !is_attribute_name(out.macro)) return std::nullopt;
  } else {
    out.pattern = std::move(head.name);
    if (out.pattern.starts_with('!')) return std::nullopt;
    if (out.pattern.ends_with('/')) return std::nullopt;  // folders only; we ask about files
  }
  auto assignments = parse_assignments(head.rest);
  if (!assignments) return std::nullopt;
  out.assignments = *std::move(assignments);
  return out;
}

bool line_matches(std::string_view path_in_folder, std::string_view pattern) {
  if (pattern.find('/') == std::string_view::npos)
    return matches_git_pattern(basename(path_in_folder), pattern);
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  // git compares the plain beginning first; what follows is then read as a pattern of its own.
  const std::size_t plain = std::min(pattern.find_first_of("*?[\\"), pattern.size());
  if (!path_in_folder.starts_with(pattern.substr(0, plain))) return false;
  return matches_git_pattern(path_in_folder.substr(plain), pattern.substr(plain));
}

using Macros = std::map<std::string_view, const std::vector<Assignment>*>;

const std::vector<Assignment>& binary_macro() {
  static const std::vector<Assignment> binary{
      {"diff", {State::unset}}, {"merge", {State::unset}}, {"text", {State::unset}}};
  return binary;
}

Macros macros_of(const std::vector<PlacedAttributes>& files) {
  Macros macros{{"binary", &binary_macro()}};
  for (const PlacedAttributes& f : files)
    for (const AttributeFile::Line& line : f.file->lines)
      if (!line.macro.empty()) macros[line.macro] = &line.assignments;
  return macros;
}

/// Takes over what is not decided yet, the last assignment first; a macro is opened where it
/// stands.
void fill(std::map<std::string, AttributeValue>& states, const Macros& macros,
          const std::vector<Assignment>& assignments) {
  struct Open {
    const std::vector<Assignment>* list;
    std::size_t left;
  };
  std::vector<Open> open{{&assignments, assignments.size()}};
  while (!open.empty()) {
    if (open.back().left == 0) {
      open.pop_back();
      continue;
    }
    const Assignment& a = (*open.back().list)[--open.back().left];
    if (!states.try_emplace(a.name, a.to).second || a.to.state != State::set) continue;
    if (const auto macro = macros.find(a.name); macro != macros.end())
      open.push_back({macro->second, macro->second->size()});
  }
}

}  // namespace

AttributeFile parse_attributes(std::string_view bytes, bool is_root) {
  AttributeFile file;
  if (bytes.size() > kMaxAttributeBytes) return file;
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  while (!bytes.empty()) {
    const std::size_t lf = std::min(bytes.find('\n'), bytes.size());
    if (auto line = parse_line(bytes.substr(0, lf), is_root))
      file.lines.push_back(*std::move(line));
    bytes.remove_prefix(std::min(lf + 1, bytes.size()));
  }
  return file;
}

std::map<std::string, AttributeValue> attributes_of(std::string_view path,
                                                    const std::vector<PlacedAttributes>& files) {
  const Macros macros = macros_of(files);
  std::map<std::string, AttributeValue> states;
  for (auto f = files.rbegin(); f != files.rend(); ++f) {
    const std::string_view inside = path.substr(f->folder.size());
    for (auto line = f->file->lines.rbegin(); line != f->file->lines.rend(); ++line)
      if (line->macro.empty() && line_matches(inside, line->pattern))
        fill(states, macros, line->assignments);
  }
  return states;
}

}  // namespace gh::patch
