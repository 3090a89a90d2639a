#include "analysis/class_records.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace gh::analysis {
namespace {

using syntax::Language;

/// How far from its declaration a method may stand.
enum class Reach : std::uint8_t { nowhere, file, folder, project };
struct ReachRow {
  Language language;
  Reach reach;
};
// table: where methods of a class may stand
constexpr std::array kReaches = std::to_array<ReachRow>({
    {Language::cpp, Reach::project},
    {Language::go, Reach::folder},
    {Language::rust, Reach::file},
});

Reach reach_of(Language language) {
  const auto row = std::ranges::find(kReaches, language, &ReachRow::language);
  return row == kReaches.end() ? Reach::nowhere : row->reach;
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view stem_of(std::string_view path) { return path.substr(0, path.rfind('.')); }

class Records {
 public:
  explicit Records(const Project& project) {
    for (const AnalysedFile& file : project.files)
      for (const ClassFact& fact : file.facts.classes)
        if (!fact.incomplete && !fact.extension) {
          if (reach_of(file.language) != Reach::nowhere)
            by_name_[{file.language, fact.local_name}].push_back(all_.size());
          all_.push_back({&file, {std::shared_ptr<void>(), &fact}});  // owned by the project
        }
    for (const AnalysedFile& file : project.files)
      for (const ClassFact& fact : file.facts.classes)
        if (!fact.incomplete && fact.extension && !fact.members.is_protocol) add(file, fact);
    for (const auto& [i, fact] : grown_)
      fact->cohesion = cohesion_of(fact->members);
  }

  std::vector<ClassRecord> take() && { return std::move(all_); }

 private:
  using Found = std::vector<std::size_t>;

  void add(const AnalysedFile& file, const ClassFact& part) {
    const auto named = by_name_.find({file.language, part.local_name});
    const std::size_t* to = named == by_name_.end() ? nullptr : chosen(file, named->second);
    if (to == nullptr) return;
    ClassFact& fact = own(*to);
    fact.members.methods.insert(fact.members.methods.end(), part.members.methods.begin(),
                                part.members.methods.end());
    std::set<std::string> coupled(fact.coupled.begin(), fact.coupled.end());
    coupled.insert(part.coupled.begin(), part.coupled.end());
    fact.coupled.assign(coupled.begin(), coupled.end());
  }

  /// What grows is a copy; the facts of a file stay what they are.
  ClassFact& own(std::size_t i) {
    std::shared_ptr<ClassFact>& mine = grown_[i];
    if (mine == nullptr) all_[i].fact = mine = std::make_shared<ClassFact>(*all_[i].fact);
    return *mine;
  }

  /// The nearest declaration; none where two are equally near.
  const std::size_t* chosen(const AnalysedFile& file, const Found& found) const {
    const Reach reach = reach_of(file.language);
    const auto only = [&](auto&& is_near) -> const std::size_t* {
      const std::size_t* one = nullptr;
      for (const std::size_t& i : found)
        if (is_near(std::string_view(all_[i].file->path))) {
          if (one != nullptr) return nullptr;
          one = &i;
        }
      return one;
    };
    if (reach == Reach::nowhere) return nullptr;
    if (reach == Reach::folder)
      return only([&](std::string_view path) { return folder_of(path) == folder_of(file.path); });
    if (const auto* here = only([&](std::string_view path) { return path == file.path; }))
      return here;
    if (reach == Reach::file) return nullptr;
    if (const auto* pair =
            only([&](std::string_view path) { return stem_of(path) == stem_of(file.path); }))
      return pair;
    return only([](std::string_view) { return true; });
  }

  std::vector<ClassRecord> all_{};
  std::map<std::pair<Language, std::string>, Found> by_name_{};
  std::map<std::size_t, std::shared_ptr<ClassFact>> grown_{};
};

}  // namespace

std::vector<ClassRecord> class_records(const Project& project) { return Records(project).take(); }

}  // namespace gh::analysis
