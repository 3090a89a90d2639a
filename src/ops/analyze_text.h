// What `analyze` tells a person of a run.
#pragma once

#include <string>

#include "ops/analyze_judgement.h"
#include "report/styled.h"

namespace gh::ops {

struct ToldRun {
  const AnalysisRun& run;
  const RunJudgement& judgement;
  const analysis::Findings& shown;
  std::string digest, run_id;
};
/// Health, the worst of each kind, what is new.
report::Styled analysis_text(const ToldRun&);
/// A few lines of key=value and what the gates say, for pipelines.
report::Styled short_analysis_text(const ToldRun&);

/// What a change of few files can change of a text; the other half is text already.
struct ChangingText {
  std::uint64_t files = 0, lines = 0, functions = 0;
  std::uint64_t files_analysed = 0;
  analysis::Health health{}, compatible{};
  struct Complex {
    std::uint32_t complexity = 0;
    std::string qualname, where;
  };
  analysis::Spread complexity{};
  std::uint64_t classes = 0, loose = 0, coupled = 0;
  std::uint64_t above = 0, threshold = 0;
  std::vector<Complex> worst{};
  std::uint64_t dead_surely = 0, dead_perhaps = 0;
  struct Dead {
    std::string_view kind;
    std::string qualname, where;
  };
  std::vector<Dead> dead{};  // the first of those that surely are
  std::string digest, run_id;
};
struct LastingText {
  report::Styled unclear{}, modules{}, reach{}, clones{}, rest{};
};
LastingText lasting_text(const ToldRun&);
/// Of a run of which everything was measured.
report::Styled analysis_text(const ChangingText&, const LastingText&);

/// Parts of the lasting text, each from what it says.
report::Styled modules_text(const analysis::Dependencies&);
report::Styled clones_text(const analysis::Project&, const analysis::Findings&);
/// From the summary of surfaces.
report::Styled reach_text(const Map& surfaces);

/// How many of the worst are named.
inline constexpr std::size_t kShownInText = 5;
void tell_classes(ChangingText&, const analysis::Measures&);
/// The first of the dead that are surely so.
void tell_dead(ChangingText&, const std::vector<analysis::DeadItem>&);
std::string place_text(std::string_view path, std::uint32_t line);

}  // namespace gh::ops
