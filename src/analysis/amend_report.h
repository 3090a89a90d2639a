// The report of a kept run, in which long lists stand as digests, while it becomes that of the
// files as they are now. Private to analysis/amend.h.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "analysis/amend.h"

namespace gh::analysis {

namespace report_path {
inline constexpr std::string_view kUnits = "metrics/families/complexity/items",
                                  kAdoption = "metrics/families/coverage_adoption/items",
                                  kLoads = "metrics/families/overloaded_modules/items",
                                  kDead = "metrics/families/dead_code/items",
                                  kDeadGroups = "findings/groups/dead_code/groups",
                                  kRegistrations = "metrics/families/dead_code/registrations",
                                  kCoupling = "metrics/families/coupling/items",
                                  kCohesion = "metrics/families/cohesion/items",
                                  kClones = "findings/groups/clones/",
                                  kStructural = "findings/groups/structural/groups",
                                  kDesign = "findings/groups/design/groups",
                                  kSurfaces = "metrics/families/security_surfaces/items",
                                  kEdges = "metrics/families/dependencies/items",
                                  kFiles = "inventory/file_registry/items";
}  // namespace report_path

/// Members are as a run wrote them: what is not there is made, and then the text has another digest
/// than any run would give it.
class AmendedReport {
 public:
  AmendedReport(const KeptRun& kept, AmendedRun& out) : kept_(kept), out_(out) {}

  Map& at(std::initializer_list<std::string_view> path);
  Map& family(std::string_view name) { return at({"metrics", "families", name}); }
  /// All summaries stand in one place too.
  void set_summary(std::string_view family, Map summary);
  void set_digest(std::string_view path, std::string hex);
  /// One of the kept lists, with all that counts its items.
  void set_list(std::string_view path, const TextList& after);
  /// Any other list that is digested by its items: how it was, and how it is.
  void set_list(std::string_view path, const TextList& before, const TextList& after);
  void count(Map& counts, std::string_view key, std::int64_t change);
  /// How many findings are left out on request, all together.
  void count_suppressed();

 private:
  void count_findings(std::string_view path, std::string_view family, const ItemsChanged&,
                      std::int64_t grown);

  const KeptRun& kept_;
  AmendedRun& out_;
};

/// Canonical JSON of a number of the report, in ten thousandths.
std::int64_t ten_thousandths_in(const Value& document, std::string_view key);

}  // namespace gh::analysis
