#include "git/executable.h"

#include <charconv>

#include <fmt/format.h>
#include <unistd.h>

#include "base/text.h"
#include "git/surroundings.h"
#include "sys/files.h"

namespace gh::git {
namespace {

constexpr std::string_view kAnswerPrefix = "git version ";

bool is_executable_file(const std::string& path) {
  return sys::info_follow(path).kind == sys::FileKind::file && ::access(path.c_str(), X_OK) == 0;
}

/// Takes a decimal number from the front of `text`.
std::optional<int> take_number(std::string_view& text) {
  int value = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (bad != std::errc{} || value < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

std::string to_string(Version v) { return fmt::format("{}.{}.{}", v.major, v.minor, v.patch); }

std::optional<Version> parse_version(std::string_view answer) {
  if (!answer.starts_with(kAnswerPrefix)) return std::nullopt;
  answer.remove_prefix(kAnswerPrefix.size());
  const auto major = take_number(answer);
  if (!major || !answer.starts_with('.')) return std::nullopt;
  answer.remove_prefix(1);
  const auto minor = take_number(answer);
  if (!minor) return std::nullopt;
  int patch = 0;
  if (answer.starts_with('.')) {
    answer.remove_prefix(1);
    patch = take_number(answer).value_or(0);  // "2.40.GIT" and "2.40.rc1" count as 2.40.0
  }
  return Version{*major, *minor, patch};
}

Result<Executable> find_git(const std::string& git_folder, sys::Env& env) {
  const std::string folder = git_folder.empty() ? env.variable("GATEHOUSE_GIT_PATH") : git_folder;
  if (!folder.empty()) {
    const std::string file = folder + "/git";
    if (!folder.starts_with('/') || !is_executable_file(file))
      return fail(
          Code::git_not_found,
          fmt::format("'{}' is not an executable file at an absolute path", printable(file, 400)));
    return Executable{file, folder + ':' + std::string(kSystemPath)};
  }
  for (const std::string_view place : split(kSystemPath, ':')) {
    const std::string file = std::string(place) + "/git";
    if (is_executable_file(file)) return Executable{file, std::string(kSystemPath)};
  }
  return fail(Code::git_not_found, fmt::format("no git in {}", kSystemPath));
}

}  // namespace gh::git
