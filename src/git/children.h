#pragma once
// How git children of one repository folder are started. Private to the module.
#include <array>
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "git/discovery.h"
#include "git/executable.h"
#include "git/surroundings.h"
#include "sys/process.h"

namespace gh::git {

/// No index and no own objects: for commands that ask about objects and settings alone. They write
/// nothing into their private folders, so that one empty folder is enough for all of them, in this
/// run and in later ones.
Surroundings private_place_of(const Found&, const Executable&, const std::string& empty_folder);

/// The repository's own index and object folder.
Surroundings real_place_of(const Found&, const Executable&, const std::string& empty_folder);

sys::Command command_of(const Executable&, std::vector<std::string> argv, const Surroundings&,
                        const std::string& cwd, std::chrono::milliseconds timeout);

/// A program that cannot be started is no git.
template <class T>
Result<T> or_git_not_found(Result<T> started) {
  if (started) return started;
  return fail(Code::git_not_found, started.error().message);
}

/// Could a setting of this repository have one of these words in its name? Told from the letters of
/// its files, without git; its children read no others. Words in lower case.
bool may_be_set(const Found&, std::span<const std::string_view> words);

inline constexpr std::array<std::string_view, 1> kFilterWords{"filter"};

/// Lists the settings of all filters, for with_filters_overruled; exit 1: there are none.
std::vector<std::string> filter_question();

/// A tracked file that looks changed is read through its filter, which is a program of the
/// repository's choice. Every filter of the listing is overruled by an empty one; by variables,
/// because a filter's name may hold what would end the name in an argument.
Surroundings with_filters_overruled(Surroundings, std::string_view listing);

/// GIT_<ROLE>_NAME and so on.
std::vector<std::string> identity_variables(std::string_view role, std::string_view name,
                                            std::string_view email, std::int64_t seconds);

}  // namespace gh::git
