#pragma once
// The texts behind `explain`: one for every patch rule, error code, proposal code, rule and gate of
// the analysis, answer of change control, and check of the release gate, compiled in.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"
#include "proposal/finding.h"
#include "report/look.h"

namespace gh::report {

struct RuleText {
  std::string id;
  std::string kind;         // "rule": a patch is refused; "error": Gatehouse could not do its work;
                            // "proposal": a proposal or a review of one is; "analysis": what a
                            // finding is about; "analysis_gate": why an analysis is refused;
                            // "change": what change control answers with; "check": what a
                            // finding of the release gate is about
  std::string gate;         // shape, path, policy, tree, git, apply; errors: usage, input, ...;
                            // proposals: gate_of; analysis: the family of the finding, "gate";
                            // change: start, verify, finish, hygiene, scope, write, ...;
                            // checks: surface, as in the answers of check
  std::string stage, code;  // as in the rejection document; empty for errors outside it
  int exit_code = 1;
  std::string why;        // why it exists
  std::string fires;      // what fires it
  std::string bad, good;  // minimal examples
  std::string fix;        // the advice that agents get
  std::string suppress;   // who may switch it off, and how
  std::string since;      // first version
};

/// The admission check, "A1" to "A20"; "review" for answers to a review, "after" for what is found
/// when the admission is over.
std::string_view gate_of(proposal::PropCode);

/// Of change control, in the order of their file.
std::vector<RuleText> change_texts();

/// All ids: rules in the order of their table, then error codes, proposal codes, rules of the
/// analysis and its gates, answers of change control, and checks of the release gate in theirs.
std::vector<std::string> rule_ids();

/// unknown_id with did-you-mean when there is no such rule or code.
Result<RuleText> rule_text(std::string_view id);

/// Is there a text? What a policy pack brings along has none.
bool is_explained(std::string_view id);

Map rule_document(const RuleText&);
std::string render_rule(const RuleText&, const Look&);

}  // namespace gh::report
