#pragma once
// Systems that run a repository's checks: how each is known by its variables, and what they say of
// the change (interfaces 4.1). Rows and a pure function of them; nothing is looked up in git.
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::setup {

/// The value of a variable; empty: unset.
using CiVariables = std::function<std::string(std::string_view)>;

struct CiProvider {
  std::string_view name;
  std::string_view variable, value;  // it is there, and has this value; no value: any
  /// Where the two ends of the change stand, in the order in which they are asked: "commit:VAR",
  /// "branch:VAR", "event:a.b.c" of the file that describes the event. "named:VAR": a person says
  /// it, in any words that git takes.
  std::string_view bases, heads;
  std::string_view change;          // number of the pull request: a variable or an event
  std::string_view repository;      // OWNER/NAME
  std::string_view branch, target;  // of the change, and the one that it goes into
  std::string_view address;         // of the repository in a browser; {VAR} stands for a variable
  std::string_view files;           // what follows it before COMMIT/PATH
};
std::span<const CiProvider> ci_providers();
const CiProvider* ci_provider(std::string_view name);
/// The first whose variable is there; the last one is there always.
const CiProvider& detected_provider(const CiVariables&);

struct CiPlace {
  enum class Kind { commit, branch, named, usual } kind = Kind::usual;  // usual: the default branch
  std::string name{};
  std::string variable{};  // named: which one says so
};
struct CiFacts {
  CiPlace base{};
  std::vector<CiPlace> heads{};  // the first that is here counts
  std::string change{}, repository{}, branch{}, target{};
  std::string address{}, file_link{};  // file_link: COMMIT/PATH goes behind it
};
/// `event`: what the system wrote about the event, null when there is none.
CiFacts ci_facts(const CiProvider&, const CiVariables&, const Value& event);

}  // namespace gh::setup
