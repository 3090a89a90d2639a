#pragma once
// What a verification of structure found, as reasons of a Verdict: one for each finding, gate and
// sign of abuse, with its place and what to do about it.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare.h"
#include "analysis/patch_answers.h"
#include "control/profiles.h"
#include "control/verify.h"
#include "model/verdict.h"

namespace gh::ops {

/// A step that teaches the rule.
Next explained(std::string_view id, std::string_view why);

class StructureReasons {
 public:
  /// The paths of the change, sorted, and the report of what it gives, which must outlive this.
  StructureReasons(std::vector<std::string> changed, const Value& after);

  /// Regressions, gates, abuse and suppressions; `whose` is what the change is judged as: the
  /// change itself, or an intent.
  void add_verification(const control::Verification&, std::string_view whose);
  void add_regressions(const std::vector<analysis::ComparedFinding>&, std::string_view attribution,
                       Severity at_most);
  /// What no run reads passes unseen, and that is said.
  void add_left_out(const std::vector<control::NotAnalysed>&);
  void add_health(const control::Verification&);
  /// Copies that are findings of their own already are not told twice.
  void add_answers(const analysis::PatchAnswers&,
                   const std::vector<analysis::ComparedFinding>& regressions);
  void add(Reason);

  std::vector<Reason> take() && { return std::move(out_); }

 private:
  void add_gates(const control::Verification&, Severity);
  void add_abuse(const control::Verification&, Severity);
  void add_suppressions(const List& cards);
  void add_answer(std::string_view id, Severity, const analysis::Place&,
                  const std::string& sentence, std::string context);
  /// The group with the figure that it is about, which a report of differences has beside it.
  Value with_figure(const Value& group) const;
  /// The place inside of the change, when there is one.
  const Value* item_of(const Value& group) const;
  Reason regression(const analysis::ComparedFinding&, std::string_view attribution,
                    Severity at_most) const;

  std::vector<std::string> changed_;
  std::map<std::string, const Value*, std::less<>> groups_{};
  const Value& after_;
  std::map<std::string_view, std::size_t> told_answers_{};
  std::vector<Reason> out_{};
};

}  // namespace gh::ops
