#pragma once
// The texts behind `explain`: one for every patch rule and every error code, compiled in.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"
#include "report/look.h"

namespace gh::report {

struct RuleText {
  std::string id;
  std::string kind;         // "rule": a patch is refused; "error": Gatehouse could not do its work
  std::string gate;         // shape, path, policy, tree, git, apply; errors: usage, input, ...
  std::string stage, code;  // as in the rejection document; empty for errors outside it
  int exit_code = 1;
  std::string why;        // why it exists
  std::string fires;      // what fires it
  std::string bad, good;  // minimal examples
  std::string fix;        // the advice that agents get
  std::string suppress;   // who may switch it off, and how
  std::string since;      // first version
};

/// All ids: rules in the order of their table, then error codes in theirs.
std::vector<std::string> rule_ids();

/// unknown_id with did-you-mean when there is no such rule or code.
Result<RuleText> rule_text(std::string_view id);

Map rule_document(const RuleText&);
std::string render_rule(const RuleText&, const Look&);

}  // namespace gh::report
