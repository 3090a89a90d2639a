#include "analysis/class_records.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "analysis/import_targets.h"

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

std::string_view last_part(std::string_view name) { return name.substr(name.rfind('.') + 1); }

/// Files whose classes another file sees by their bare names.
class Seen {
 public:
  explicit Seen(const Project& project) : project_(project) {
    for (const AnalysedFile& file : project.files)
      if (file.language == Language::cpp) by_path_.emplace(file.path, &file);
  }

  bool sees(const AnalysedFile& from, const AnalysedFile& to) {
    if (from.language != to.language || &from == &to) return false;
    if (from.language == Language::go) return folder_of(from.path) == folder_of(to.path);
    return from.language == Language::cpp && included_by(from).contains(to.path);
  }

 private:
  using Paths = std::set<std::string>;

  /// What the file includes, and what a header of its name does.
  const Paths& included_by(const AnalysedFile& file) {
    const auto [at, is_new] = included_.try_emplace(&file);
    if (!is_new) return at->second;
    Paths paths = includes_of(file);
    for (const std::string& path : includes_of(file))
      if (stem_of(path) == stem_of(file.path)) paths.merge(includes_of(*by_path_.at(path)));
    return included_[&file] = std::move(paths);
  }

  Paths includes_of(const AnalysedFile& file) {
    if (modules_.paths.empty()) modules_ = index_of(project_);
    Paths out;
    for (const ImportFact& fact : file.facts.imports)
      for (const std::string& path : include_targets(modules_, file, fact))
        if (by_path_.contains(path)) out.insert(path);
    return out;
  }

  const Project& project_;
  ModuleIndex modules_{};
  std::map<std::string_view, const AnalysedFile*> by_path_{};
  std::map<const AnalysedFile*, Paths> included_{};
};

class Records {
 public:
  explicit Records(const Project& project) : seen_(project) {
    for (const AnalysedFile& file : project.files)
      for (const ClassFact& fact : file.facts.classes)
        if (!fact.incomplete && !fact.extension) {
          if (reach_of(file.language) != Reach::nowhere)
            by_name_[{file.language, fact.local_name}].push_back(all_.size());
          by_last_part_[std::string(last_part(fact.local_name))].push_back(all_.size());
          all_.push_back({&file, {std::shared_ptr<void>(), &fact}});  // owned by the project
        }
    for (const AnalysedFile& file : project.files)
      for (const ClassFact& fact : file.facts.classes)
        if (!fact.incomplete && fact.extension && !fact.members.is_protocol) add(file, fact);
    for (std::size_t i = 0; i < all_.size(); ++i)
      add_seen(*all_[i].file, all_[i].fact->elsewhere, i);
    for (const std::size_t i : grown_)
      own(i).cohesion = cohesion_of(own(i).members);
  }

  std::vector<ClassRecord> take() && { return std::move(all_); }

 private:
  using Found = std::vector<std::size_t>;

  void add(const AnalysedFile& file, const ClassFact& part) {
    const auto named = by_name_.find({file.language, part.local_name});
    const std::size_t* to = named == by_name_.end() ? nullptr : chosen(file, named->second);
    if (to == nullptr) return;
    ClassFact& fact = own(*to);
    for (MethodFact method : part.members.methods) {
      method.of_instance = method.of_instance && !is_declared_static(fact.members, method.name);
      fact.members.methods.push_back(std::move(method));
    }
    couple(fact, part.coupled);
    add_seen(file, part.elsewhere, *to);
    grown_.insert(*to);
  }

  /// A definition elsewhere does not repeat `static`; of overloads, all must say so.
  static bool is_declared_static(const Members& members, std::string_view name) {
    bool is_declared = false;
    for (const MethodFact& method : members.methods) {
      if (method.has_body || method.name != name) continue;
      if (method.of_instance) return false;
      is_declared = true;
    }
    return is_declared;
  }

  /// What grows is a copy; the facts of a file stay what they are.
  ClassFact& own(std::size_t i) {
    std::shared_ptr<ClassFact>& mine = copies_[i];
    if (mine == nullptr) all_[i].fact = mine = std::make_shared<ClassFact>(*all_[i].fact);
    return *mine;
  }

  static void couple(ClassFact& fact, const std::vector<std::string>& names) {
    std::set<std::string> coupled(fact.coupled.begin(), fact.coupled.end());
    coupled.insert(names.begin(), names.end());
    fact.coupled.assign(coupled.begin(), coupled.end());
  }

  /// Names that stand in `file` for classes of other files; its own and those inside it are none.
  void add_seen(const AnalysedFile& file, const std::vector<std::string>& names, std::size_t to) {
    const std::string self = all_[to].fact->local_name;
    std::vector<std::string> found;
    for (const std::string& name : names) {
      const auto bearers = by_last_part_.find(name);
      if (bearers == by_last_part_.end()) continue;
      const bool is_class = std::ranges::any_of(bearers->second, [&](std::size_t i) {
        const std::string& local = all_[i].fact->local_name;
        const bool is_inside = local == self || local.starts_with(self + ".");
        return !is_inside && local.find('<') == std::string::npos &&
               seen_.sees(file, *all_[i].file);
      });
      if (is_class) found.push_back(name);
    }
    if (!found.empty()) couple(own(to), found);
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

  Seen seen_;
  std::vector<ClassRecord> all_{};
  std::map<std::pair<Language, std::string>, Found> by_name_{};
  std::map<std::string, Found, std::less<>> by_last_part_{};
  std::map<std::size_t, std::shared_ptr<ClassFact>> copies_{};
  std::set<std::size_t> grown_{};  // by methods
};

}  // namespace

std::vector<ClassRecord> class_records(const Project& project) { return Records(project).take(); }

}  // namespace gh::analysis
