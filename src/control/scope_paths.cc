#include "control/scope_paths.h"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "analysis/blast_radius.h"
#include "base/text.h"
#include "control/rows.h"
#include "control/trim.h"
#include "policy/glob.h"

namespace gh::control {
namespace {

using Strings = std::vector<std::string>;

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

constexpr std::size_t kEscape = 4;  // \xNN
constexpr char kBackslash = '\\';

/// `\xNN` for a byte that is no UTF-8, for the backslash of a name that reads like one, and for
/// white space, which would be cut off at the ends of what somebody types.
bool is_escaped_byte(std::string_view rest) {
  constexpr std::array<std::string_view, 7> kPlain{"5c", "20", "09", "0a", "0b", "0c", "0d"};
  if (rest.size() < kEscape || rest[0] != kBackslash || rest[1] != 'x') return false;
  return (is_hex(rest[2]) && rest[2] >= '8' && is_hex(rest[3])) ||
         std::ranges::find(kPlain, rest.substr(2, 2)) != kPlain.end();
}

/// The form in which a name is kept; `bytes_of_path` is the way back.
std::string shown(std::string_view bytes) {
  std::string plain;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (is_escaped_byte(bytes.substr(i)))
      plain += "\\x5c";
    else
      plain += bytes[i];
  return utf8_or_escaped(plain);
}

/// A path that somebody typed, with '/' between its components.
std::string with_slashes(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out[i] == '\\' && !is_escaped_byte(std::string_view(out).substr(i))) out[i] = '/';
  return out;
}

/// Without "." and empty components; one '/' in front stays.
std::string folded(std::string_view path) {
  std::string out;
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (!out.empty()) out += '/';
    out += part;
  }
  return path.starts_with('/') ? '/' + out : out;
}

bool climbs(std::string_view path) {
  return std::ranges::any_of(split(path, '/'), [](std::string_view part) { return part == ".."; });
}

bool is_absolute(std::string_view path) {
  const bool drive = path.size() > 1 && path[1] == ':' &&
                     ((path[0] >= 'a' && path[0] <= 'z') || (path[0] >= 'A' && path[0] <= 'Z'));
  return path.starts_with('/') || drive;
}

/// Git's own folder, or below one, in whatever case some file system may take for it.
bool is_of_git(std::string_view path) {
  const auto is_git = [](std::string_view part) {
    return part.size() == 4 && part[0] == '.' && (part[1] | 0x20) == 'g' &&
           (part[2] | 0x20) == 'i' && (part[3] | 0x20) == 't';
  };
  return std::ranges::any_of(split(path, '/'), is_git);
}

/// Not asked of the text as it was given: the name of a file may begin or end with a space.
bool is_normal(const std::string& entry) {
  if (!is_utf8(entry) || entry.find('\0') != entry.npos || is_absolute(entry)) return false;
  for (std::string_view left = entry;;) {
    const std::size_t end = std::min(left.find('/'), left.size());
    const std::string_view part = left.substr(0, end);
    if (part.empty() || part == "." || part == "..") return false;
    if (end == left.size()) return true;
    left.remove_prefix(end + 1);
  }
}

std::string quoted(std::string_view text) { return fmt::format("'{}'", printable(text, 80)); }

/// The normal form of an entry; empty: nothing was given.
Result<std::string> scope_entry(std::string_view given) {
  const std::string_view text = trimmed(given);
  if (text.empty()) return std::string();
  const std::string path = with_slashes(text);
  if (path.find('\0') != path.npos)
    return fail(Code::scope_invalid, fmt::format("{} has a NUL byte", quoted(given)));
  const std::string normal = folded(path);
  if (is_absolute(normal))
    return fail(Code::intent_path_absolute, fmt::format("{} is an absolute path", quoted(given)));
  if (climbs(path))
    return fail(Code::path_traversal, fmt::format("{} has a '..' component", quoted(given)));
  if (normal.empty())
    return fail(Code::scope_entry_not_a_file, fmt::format("{} is the whole root", quoted(given)));
  return shown(bytes_of_path(normal));
}

Result<Strings> scope_list(std::string_view name, const Value* value) {
  Strings out;
  if (value == nullptr || value->is_null()) return out;
  const List* list = value->as_list();
  if (list == nullptr)
    return fail(Code::scope_invalid,
                fmt::format("{}: expected a list of strings, found a {}", name, type_name(*value)));
  for (const Value& item : *list) {
    const std::string* text = item.as_string();
    if (text == nullptr)
      return fail(Code::scope_invalid,
                  fmt::format("{}: expected strings, found a {}", name, type_name(item)));
    auto entry = scope_entry(*text);
    if (!entry) return tl::make_unexpected(std::move(entry).error().at(std::string(name)));
    if (!entry->empty()) out.push_back(std::move(*entry));
  }
  sort_unique(out);
  return out;
}

struct ScopeKey {
  std::string_view name;
  Strings Scope::*list;
};
// table: scope_keys
constexpr std::array kScopeKeys{
    ScopeKey{"allowed_files", &Scope::allowed_files},
    ScopeKey{"allowed_related", &Scope::allowed_related},
    ScopeKey{"forbidden", &Scope::forbidden},
};

Status keeps_off_git(const Scope& scope) {
  for (const Strings* list : {&scope.allowed_files, &scope.allowed_related})
    for (const std::string& entry : *list)
      if (is_of_git(entry))
        return fail(
            Code::scope_invalid,
            fmt::format("{} lies in git's own folder, which no change declares", quoted(entry)));
  return {};
}

Result<std::string> evidence_entry(std::string_view given, std::string_view root,
                                   EvidenceForm form) {
  std::string path =
      form == EvidenceForm::exact ? std::string(given) : with_slashes(trimmed(given));
  if (path.empty()) return path;
  if (climbs(path))
    return fail(Code::path_traversal, fmt::format("{} has a '..' component", quoted(given)));
  path = folded(path);
  const std::string below = root == "/" ? std::string(root) : std::string(root) + '/';
  if (path.starts_with(below) || path == root)
    path.erase(0, std::min(path.size(), below.size()));
  else if (is_absolute(path) || path.find('\0') != path.npos)
    return fail(Code::path_outside_root,
                fmt::format("{} lies outside {}", quoted(given), quoted(root)));
  if (path.empty())
    return fail(Code::scope_entry_not_a_file, fmt::format("{} is the whole root", quoted(given)));
  return shown(form == EvidenceForm::exact ? path : bytes_of_path(path));
}

Result<Strings> strings_of(const Value& value, Code code, std::string_view name) {
  Strings out;
  if (value.is_null()) return out;
  const List* list = value.as_list();
  if (list == nullptr)
    return fail(code,
                fmt::format("{}: expected a list of strings, found a {}", name, type_name(value)));
  for (const Value& item : *list) {
    const std::string* text = item.as_string();
    if (text == nullptr)
      return fail(code, fmt::format("{}: expected strings, found a {}", name, type_name(item)));
    out.push_back(*text);
  }
  return out;
}

bool looks_like_glob(std::string_view entry) { return entry.find_first_of("*?[") != entry.npos; }

}  // namespace

std::string typed_to_the_letter(std::string_view bytes) {
  const std::string_view inner = trimmed(bytes);
  const std::size_t first =
      inner.empty() ? bytes.size() : static_cast<std::size_t>(inner.data() - bytes.data());
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool is_outer = i < first || i >= first + inner.size();
    if (is_outer || bytes[i] == kBackslash)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[i]));
    else
      out += bytes[i];
  }
  return out;
}

bool is_typed_otherwise(std::string_view bytes) {
  return trimmed(bytes).size() != bytes.size() || bytes.find(kBackslash) != bytes.npos;
}

std::string typed_path(std::string_view given) { return with_slashes(trimmed(given)); }

const std::vector<std::string>& state_patterns() {
  static const Strings patterns = [] {
    const auto views = analysis::state_artifacts();
    Strings out(views.begin(), views.end());
    sort_unique(out);
    return out;
  }();
  return patterns;
}

Result<Scope> normalise_scope(const Value& value, EmptyScope empty) {
  const Map* map = value.as_map();
  if (map == nullptr)
    return fail(Code::scope_invalid,
                fmt::format("scope: expected a mapping, found a {}", type_name(value)));
  for (const auto& entry : map->entries())
    if (std::ranges::find(kScopeKeys, entry.first, &ScopeKey::name) == kScopeKeys.end())
      return fail(Code::scope_invalid,
                  fmt::format("scope: unknown member {}", quoted(entry.first)));
  Scope scope;
  for (const ScopeKey& key : kScopeKeys) {
    GH_TRY(list, scope_list(key.name, map->find(key.name)));
    scope.*key.list = std::move(list);
  }
  if (scope.allowed_files.empty() && empty == EmptyScope::refused)
    return fail(Code::scope_empty, "allowed_files names no file");
  GH_DO(keeps_off_git(scope));
  scope.forbidden.insert(scope.forbidden.end(), state_patterns().begin(), state_patterns().end());
  sort_unique(scope.forbidden);
  return scope;
}

Status check_normal(const Scope& scope) {
  for (const ScopeKey& key : kScopeKeys) {
    const Strings& list = scope.*key.list;
    if (std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) != list.end())
      return fail(Code::scope_invalid, fmt::format("{} is not sorted", key.name));
    for (const std::string& entry : list)
      if (!is_normal(entry))
        return fail(Code::scope_invalid,
                    fmt::format("{}: {} is not in normal form", key.name, quoted(entry)));
  }
  if (scope.allowed_files.empty()) return fail(Code::scope_empty, "allowed_files names no file");
  GH_DO(keeps_off_git(scope));
  if (!std::ranges::includes(scope.forbidden, state_patterns()))
    return fail(Code::scope_invalid, "forbidden lacks a state artifact");
  return {};
}

Result<Scope> normalise_scope(const Scope& scope) {
  GH_DO(check_normal(scope));
  return scope;
}

Result<std::vector<std::string>> normalise_evidence(const std::vector<std::string>& given,
                                                    std::string_view root, EvidenceForm form) {
  Strings out;
  const std::string normal_root = folded(root);
  for (const std::string& text : given) {
    GH_TRY(path, evidence_entry(text, normal_root, form));
    if (!path.empty()) out.push_back(std::move(path));
  }
  sort_unique(out);
  return out;
}

Result<std::vector<std::string>> evidence_list(const Value& value) {
  return strings_of(value, Code::scope_invalid, "changed_files");
}

Result<std::vector<std::string>> normalise_effects(const Value& value) {
  GH_TRY(given, strings_of(value, Code::expected_effects_invalid, "expected_effects"));
  Strings out;
  for (const std::string& text : given)
    if (!trimmed(text).empty()) out.emplace_back(trimmed(text));
  sort_unique(out);
  return out;
}

std::string path_from_git(std::string_view bytes, std::string_view root_below_top) {
  const std::string path = folded(bytes);  // a repository inside ends in '/'
  if (root_below_top.empty()) return shown(path);
  const std::string below = std::string(root_below_top) + '/';
  if (path.starts_with(below)) return shown(std::string_view(path).substr(below.size()));
  return ":top:/" + shown(path);
}

std::string bytes_of_path(std::string_view path) {
  std::string out;
  for (std::size_t i = 0; i < path.size();) {
    const std::string_view rest = path.substr(i);
    if (!is_escaped_byte(rest)) {
      out += path[i++];
      continue;
    }
    out += static_cast<char>(std::stoi(std::string(rest.substr(2, 2)), nullptr, 16));
    i += kEscape;
  }
  return out;
}

Value to_value(const Warning& warning) {
  Map out{{"code", warning.code}, {"message", warning.message}};
  for (const auto& [name, fact] : warning.facts.entries())
    out.set(name, fact);
  return out;
}

std::vector<Warning> scope_warnings(const Scope& scope,
                                    const std::function<bool(std::string_view)>& is_directory) {
  std::vector<Warning> out;
  const auto is_forbidden = [&](const std::string& entry) {
    return std::ranges::any_of(scope.forbidden, [&](const std::string& pattern) {
      return policy::matches_glob(entry, pattern);
    });
  };
  for (const Strings* list : {&scope.allowed_files, &scope.allowed_related})
    for (const std::string& entry : *list) {
      if (is_forbidden(entry))
        out.push_back({"scope_entry_is_forbidden",
                       fmt::format("{} is forbidden by this scope: it is listed, and no gate lets "
                                   "a change of it in.",
                                   quoted(entry)),
                       Map{{"path", entry}}});
      else if (is_directory(entry))
        out.push_back({"scope_entry_is_directory",
                       fmt::format("{} is a folder: the scope check accepts only files that are "
                                   "listed one by one.",
                                   quoted(entry)),
                       Map{{"path", entry}}});
      else if (looks_like_glob(entry))
        out.push_back({"scope_entry_looks_like_glob",
                       fmt::format("{} looks like a pattern: it stands for the file of exactly "
                                   "that name, and keeps nobody from those that it would match.",
                                   quoted(entry)),
                       Map{{"path", entry}}});
    }
  return out;
}

}  // namespace gh::control
