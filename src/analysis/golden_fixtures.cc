#include "analysis/golden_fixtures.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "analysis/project.h"
#include "base/text.h"

namespace gh::analysis {
namespace {

bool is_below_tests(std::string_view path) {
  const SourceKind kind = source_kind_of(path);
  return kind == SourceKind::tests || kind == SourceKind::fixtures;
}

/// The path or a folder on its way; without '/' a pattern is about one component.
bool is_covered(std::string_view path, std::string_view pattern, PathMatcher matches) {
  const bool is_name = pattern.find('/') == std::string_view::npos;
  for (std::size_t from = 0, end = 0; end != std::string_view::npos; from = end + 1) {
    end = path.find('/', from);
    const std::string_view part = path.substr(0, end);
    if (matches(is_name ? part.substr(from) : part, pattern)) return true;
  }
  return false;
}

}  // namespace

Status check_golden_patterns(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    const std::vector<std::string_view> parts = split(pattern, '/');
    const bool is_name = parts.size() == 1;
    const char* wrong = pattern.empty()                                 ? "is empty"
                        : pattern.starts_with('/')                      ? "is absolute"
                        : std::ranges::find(parts, "..") != parts.end() ? "leaves the project"
                        : !is_name && !is_below_tests(pattern) ? "is not below a folder 'tests'"
                                                               : nullptr;
    if (wrong != nullptr)
      return fail(Code::policy_bad_path,
                  fmt::format("golden_fixture_paths: '{}' {}", printable(pattern, 200), wrong));
  }
  return {};
}

std::vector<std::string> golden_patterns_of(const GoldenFixtures& golden,
                                            const std::vector<std::string_view>& paths) {
  std::set<std::string> used;
  for (const std::string_view path : paths) {
    bool covered = false;
    if (is_below_tests(path) && golden.matches != nullptr)
      for (const std::string& pattern : golden.patterns)
        if (is_covered(path, pattern, golden.matches)) {
          used.insert(pattern);
          covered = true;
        }
    if (!covered) return {};
  }
  return {used.begin(), used.end()};
}

}  // namespace gh::analysis
