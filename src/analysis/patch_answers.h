// What a change does to copies, before it is applied: from the project as it is and the facts of
// the changed files alone (analysis reference, "Answers about a change").
#pragma once

#include <string>
#include <vector>

#include "analysis/finding.h"
#include "analysis/project.h"
#include "analysis/winnow.h"
#include "model/value.h"

namespace gh::analysis {

struct Change {
  std::vector<AnalysedFile> files{};  // as they will be, sorted by path
  std::vector<std::string> deleted{};
};

/// What is kept of the project before; every answer takes time by the size of the change.
class PatchIndex {
 public:
  explicit PatchIndex(const Project& before);
  const Project& before() const { return before_; }
  const WinnowIndex& runs() const { return runs_; }
  /// Units that take part in function clones and have this fingerprint, by path and line.
  std::vector<UnitRef> units_with(const Hash& fingerprint, syntax::Language) const;
  /// Index of a file by its path; -1: there is none.
  std::int64_t file_at(std::string_view path) const;

 private:
  const Project& before_;
  WinnowIndex runs_;
  std::vector<UnitRef> by_fingerprint_{};
};

/// Code that stands in the project and will stand there once more.
struct Copy {
  Place from{}, into{};
  std::size_t statements = 0;
  bool whole = false;  // the function as such
};

/// Members of a clone group are edited and others are not.
struct PartialEdit {
  Hash group{};
  bool structure = false;  // not only names, literals or comments
  std::vector<Place> edited{}, left_behind{};
};

struct GrownByChange {
  Hash group{};
  std::size_t before = 0, after = 0;
  std::vector<Place> new_members{};
};

struct PatchAnswers {
  std::vector<Copy> copies{};
  std::vector<PartialEdit> partial_edits{};
  std::vector<GrownByChange> grown{};
};
PatchAnswers patch_answers(const PatchIndex&, const Change&);

/// "this change copies pkg.a:load (12 statements) into pkg.b:load2"
std::string sentence(const Copy&);
std::string sentence(const PartialEdit&);
std::string sentence(const GrownByChange&);
Value document(const PatchAnswers&);

/// Groups of two runs that have the same key and more members in the second.
struct GroupMembers {
  std::string key;
  std::vector<std::string> names{};  // of one run, any order
};
struct GrownGroup {
  std::string key;
  std::vector<std::string> new_members{};  // sorted
};
std::vector<GrownGroup> grown_groups(const std::vector<GroupMembers>& before,
                                     const std::vector<GroupMembers>& after);

}  // namespace gh::analysis
