#pragma once
// The structure gate of `check`: the shape of the code before a change and after it, both read by
// this process and no other (docs/adr/0016), with the rules of the commit that the change is
// counted from.
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "control/profiles.h"
#include "model/intent.h"
#include "model/verdict.h"
#include "ops/analysis_run.h"
#include "policy/config.h"
#include "report/diagnostics.h"

namespace gh::ops {

struct StructureQuestion {
  git::Repo& repo;
  const git::Commit& base;
  const policy::Config& config;                 // at the base
  RunSource& after;                             // what the change gives
  std::vector<control::ChangedFile> changed{};  // as reports name paths
  const Intent* intent = nullptr;               // the one that is answered for
  std::string strictness = "ci";
  std::string baseline{};           // a file: the tree is compared with it and not with the base
  bool is_protection_told = false;  // the scope gate names state artifacts already
};

/// Lines of a file around the place of a reason, by path and line.
using ShownSource = std::map<std::pair<std::string, std::int64_t>, std::vector<report::SourceLine>>;

struct StructureAnswer {
  GateAnswer answer;
  ShownSource source{};
};

/// Fails where the caller asked for what cannot be had (baseline_untrusted, bad_argument) and where
/// the sources cannot be read; the caller says which of them ends the whole command.
Result<StructureAnswer> judge_structure(const StructureQuestion&, Context&);

}  // namespace gh::ops
