#pragma once
// What a call of our own program means to the gate when an agent makes it. Read off the rows
// of operations: a command or an option that is added there is judged from its first day.
#include <span>
#include <string>
#include <vector>

#include "ops/operation.h"

namespace gh::ops {

struct OwnMeaning {
  bool is_known = false;  // the words name an operation
  bool is_for_agents = true;
  bool changes_tree = false;          // by a judgement of its own; worth a look afterwards
  std::vector<std::string> writes{};  // the files and folders that its words name
};

/// `words` stand behind the name of the program. A call that it would refuse means nothing.
OwnMeaning meaning_of(std::span<const std::string> words);

/// What is for people refuses an agent by itself too: a command line can hide what it runs.
Status check_caller(const Request&, const Context&);

}  // namespace gh::ops
