#include "analysis/report_meta.h"

#include "analysis/finding.h"
#include "syntax/language.h"

namespace gh::analysis {
namespace {

constexpr std::string_view kFrontEndVersion = "1.0";

Map threshold(std::string_view metric, std::string_view op, std::uint32_t value) {
  return Map{{"metric", metric}, {"operator", op}, {"value", number(value)}};
}

}  // namespace

Map profile_document(const Profile& p) {
  return Map{{"min_loc", number(p.min_loc)},
             {"min_stmt", number(p.min_stmt)},
             {"block_min_loc", number(p.block_min_loc)},
             {"block_min_stmt", number(p.block_min_stmt)},
             {"block_min_run", number(p.block_min_run)},
             {"segment_min_loc", number(p.segment_min_loc)},
             {"segment_min_stmt", number(p.segment_min_stmt)},
             {"near_miss_similarity", number(p.near_miss_similarity)}};
}

Map thresholds_document(const Profile& p) {
  return Map{{"design_findings",
              Map{{"complexity", threshold("cyclomatic_complexity", ">", p.design_complexity)},
                  {"coupling", threshold("cbo", ">", p.design_coupling)},
                  {"cohesion", threshold("lcom4", ">=", p.design_cohesion)}}}};
}

Map languages_document() {
  Map out;
  for (std::size_t i = 0; i < syntax::kLanguageCount; ++i)
    if (const auto language = static_cast<syntax::Language>(i);
        syntax::spec_of(language) != nullptr)
      out.set(std::string(to_string(language)), kFrontEndVersion);
  return out;
}

}  // namespace gh::analysis
