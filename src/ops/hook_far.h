#pragma once
// What a step of an agent needs only now and then, and what costs more than all the rest of it:
// simdjson, YAML, the table of our own commands. It is handed in, because the front of the program
// has none of it and gives such a step to the whole program instead (docs/adr/0031).
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "control/ownership.h"
#include "hooks/rules.h"
#include "model/intent.h"
#include "model/value.h"
#include "ops/operation.h"
#include "ops/own_command.h"

namespace gh::ops {

struct HookSite;

/// What records are asked for by. The processes above us cost as much to find as the rest, so they
/// are asked for only when the session has declared nothing under its name.
struct WantedRecords {
  std::string session{};
  std::vector<std::string> covers{};  // the paths, and the folders above them
  std::vector<control::Ancestor> hosts{};
  bool unknown = false;  // records that no key finds: nothing was extracted from them yet
};

using ReadRecords = std::function<Result<std::vector<Intent>>(const WantedRecords&)>;

struct HookFar {
  /// A document of our own that is not short, or damaged.
  Result<Value> (*read_own_json)(std::string_view text, std::string_view name);
  /// The rules of gatehouse.yaml as it lies in the work tree: nothing was compiled from HEAD.
  Result<hooks::Rules> (*work_tree_rules)(const HookSite&);
  /// Rules were compiled by another build of the program, or a ledger was made by an earlier one.
  void (*meet_other_build)();
  OwnMeaning (*meaning_of)(std::span<const std::string> words);
  /// Something that guards git was changed by an agent: what of it still is?
  std::vector<std::string> (*tampered)(const HookSite&, Context&);
};

/// All of it, as the whole program has it.
const HookFar& hook_far();

/// A document of our own, without simdjson where it can be had.
Result<Value> read_own_document(std::string_view text, std::string_view name, const HookFar&);

/// The ledger in SQLite, where no file tells what it tells.
Result<ReadRecords> open_hook_ledger(const std::string& state, const HookFar&);

/// Records that break a rule are as if they were not there, as everywhere.
void add_record(std::vector<Intent>& out, const Value& record, std::string_view text,
                std::int64_t fence);

}  // namespace gh::ops
