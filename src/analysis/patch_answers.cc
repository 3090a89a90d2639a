#include "analysis/patch_answers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_set>

#include "analysis/clones.h"
#include "analysis/unit_ids.h"

namespace gh::analysis {
namespace {

constexpr std::size_t kMaxSources = 64;  // that are looked at for one gram

/// A unit across the change: the same path, name and number among equal names.
using Identity = std::tuple<std::string_view, std::string_view, std::uint32_t>;

using Units = std::map<Identity, const UnitFact*>;

void add_units(const AnalysedFile& file, Units& out) {
  const std::vector<std::uint32_t> numbers = numbers_of_names(file.facts);
  for (std::size_t u = 0; u < numbers.size(); ++u) {
    const UnitFact& unit = file.facts.units[u];
    out.emplace(Identity{file.path, unit.local_name, numbers[u]}, &unit);
  }
}

Place place_in(const AnalysedFile& file, const UnitFact& unit) {
  return {qualname_of(file, unit.local_name), file.path, unit.start_line, unit.end_line};
}

/// A run of statements that two units share.
struct Shared {
  UnitRef source{};
  std::uint32_t from = 0, into = 0, length = 0;
};

class Answers {
 public:
  Answers(const PatchIndex& index, const Change& change) : index_(index), change_(change) {
    for (const AnalysedFile& file : change.files) {
      touched_.insert(file.path);
      add_units(file, after_);
      if (const std::int64_t f = index.file_at(file.path); f >= 0)
        add_units(before().files[static_cast<std::size_t>(f)], before_);
    }
    for (const std::string& path : change.deleted) {
      touched_.insert(path);
      if (const std::int64_t f = index.file_at(path); f >= 0)
        add_units(before().files[static_cast<std::size_t>(f)], before_);
    }
    for (const auto& [identity, unit] : before_)
      identity_of_.emplace(unit, identity);
  }

  PatchAnswers run() {
    for (const AnalysedFile& file : change_.files) {
      const std::vector<std::uint32_t> numbers = numbers_of_names(file.facts);
      for (std::size_t u = 0; u < numbers.size(); ++u) {
        const UnitFact& unit = file.facts.units[u];
        if (unit.incomplete) continue;
        const auto old = before_.find(Identity{file.path, unit.local_name, numbers[u]});
        const UnitFact* was = old == before_.end() ? nullptr : old->second;
        if (was != nullptr && was->fingerprint == unit.fingerprint) continue;
        if (!add_whole_copy(file, unit)) add_copied_runs(file, unit, was);
      }
    }
    add_group_changes();
    return std::move(out_);
  }

 private:
  const Project& before() const { return index_.before(); }
  bool is_admitted(const UnitFact& unit) const {
    return takes_part_in_function_clones(unit, before().profile);
  }

  /// The unit as it will be: itself in a file that is not touched; null when it is gone.
  const UnitFact* later(UnitRef ref) const {
    const UnitFact& unit = unit_of(before(), ref);
    if (!touched_.contains(before().files[ref.file].path)) return &unit;
    const auto found = after_.find(identity_of_.at(&unit));
    return found == after_.end() || found->second->incomplete ? nullptr : found->second;
  }

  bool add_whole_copy(const AnalysedFile& file, const UnitFact& unit) {
    if (!is_admitted(unit)) return false;
    for (const UnitRef source : index_.units_with(unit.fingerprint, file.language)) {
      const UnitFact* kept = later(source);
      if (kept == nullptr || kept->fingerprint != unit.fingerprint) continue;  // moved
      out_.copies.push_back(
          {place_of(before(), source), place_in(file, unit), reached_flow(unit).size(), true});
      return true;
    }
    return false;
  }

  using Grams = std::unordered_set<std::uint64_t>;
  static Grams gram_set(const UnitFact* unit) {
    if (unit == nullptr) return {};
    const std::vector<std::uint64_t> grams = grams_of(reached_flow(*unit));
    return {grams.begin(), grams.end()};
  }

  /// As far as both sides agree.
  static Shared extended(std::span<const Hash> flow, std::span<const Hash> source, Shared s) {
    while (s.from > 0 && s.into > 0 && flow[s.into - 1] == source[s.from - 1]) {
      --s.from;
      --s.into;
      ++s.length;
    }
    while (s.into + s.length < flow.size() && s.from + s.length < source.size() &&
           flow[s.into + s.length] == source[s.from + s.length])
      ++s.length;
    return s;
  }

  /// Enough of the run is new in its unit, and it stays where it comes from.
  bool is_copy(std::span<const Hash> run, const Grams& old, const Grams& kept) const {
    std::size_t fresh = 0;
    for (const std::uint64_t gram : grams_of(run)) {
      if (!kept.contains(gram)) return false;
      fresh += old.contains(gram) ? 0 : 1;
    }
    return fresh >= kWindow;
  }

  void add_copied_runs(const AnalysedFile& file, const UnitFact& unit, const UnitFact* was) {
    const std::vector<Hash> flow = reached_flow(unit);
    if (flow.size() < kSureRun) return;
    const Grams old = gram_set(was);
    std::vector<Shared> found;
    for (const Mark& mark : winnow(flow)) {
      if (old.contains(mark.gram)) continue;
      const auto sources = index_.runs().find(mark.gram);
      for (const WinnowIndex::Entry& entry : sources.first(std::min(sources.size(), kMaxSources)))
        add_shared(file, flow, was, old, mark, entry, found);
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &Shared::length);
    std::vector<Shared> told;
    for (const Shared& s : found) {
      const bool overlaps = std::ranges::any_of(told, [&](const Shared& t) {
        return s.into < t.into + t.length && t.into < s.into + s.length;
      });
      if (overlaps) continue;
      told.push_back(s);
      out_.copies.push_back({place_of(before(), s.source), place_in(file, unit), s.length, false});
    }
  }

  void add_shared(const AnalysedFile& file, std::span<const Hash> flow, const UnitFact* was,
                  const Grams& old, const Mark& mark, const WinnowIndex::Entry& entry,
                  std::vector<Shared>& found) {
    const AnalysedFile& home = before().files[entry.ref.file];
    if (clone_family(home.language) != clone_family(file.language)) return;
    const UnitFact& source = unit_of(before(), entry.ref);
    const UnitFact* kept = later(entry.ref);
    if (&source == was || kept == nullptr) return;
    for (const Shared& s : found)  // known, by an earlier mark of the same run
      if (s.source == entry.ref && mark.at >= s.into && mark.at < s.into + s.length &&
          mark.at - s.into == entry.at - s.from)
        return;
    const std::vector<Hash> theirs = reached_flow(source);
    const Shared shared =
        extended(flow, theirs, {entry.ref, entry.at, mark.at, static_cast<std::uint32_t>(kGram)});
    if (shared.length >= kSureRun &&
        is_copy(flow.subspan(shared.into, shared.length), old, gram_set(kept)))
      found.push_back(shared);
  }

  /// Clone groups that have a member in a touched file, before or after.
  void add_group_changes() {
    std::map<std::pair<int, Hash>, syntax::Language> groups;
    const auto add = [&](const AnalysedFile& file, const UnitFact& unit) {
      if (is_admitted(unit))
        groups.emplace(std::pair(clone_family(file.language), unit.fingerprint), file.language);
    };
    for (const std::string_view path : touched_)
      if (const std::int64_t f = index_.file_at(path); f >= 0)
        for (const UnitFact& unit : before().files[static_cast<std::size_t>(f)].facts.units)
          add(before().files[static_cast<std::size_t>(f)], unit);
    for (const AnalysedFile& file : change_.files)
      for (const UnitFact& unit : file.facts.units)
        add(file, unit);
    for (const auto& [key, language] : groups) {
      const std::vector<UnitRef> members = index_.units_with(key.second, language);
      if (members.size() < 2) continue;
      add_partial_edit(key.second, members);
      add_grown(key.second, key.first, members);
    }
  }

  void add_partial_edit(const Hash& group, const std::vector<UnitRef>& members) {
    PartialEdit edit{.group = group};
    for (const UnitRef ref : members) {
      const UnitFact& unit = unit_of(before(), ref);
      const UnitFact* now = later(ref);
      if (now == nullptr) continue;
      const bool is_edited = now->raw != unit.raw;
      edit.structure = edit.structure || now->fingerprint != unit.fingerprint;
      (is_edited ? edit.edited : edit.left_behind).push_back(place_of(before(), ref));
    }
    if (!edit.edited.empty() && !edit.left_behind.empty())
      out_.partial_edits.push_back(std::move(edit));
  }

  void add_grown(const Hash& group, int family, const std::vector<UnitRef>& members) {
    GrownByChange grown{.group = group, .before = members.size()};
    std::set<const UnitFact*> kept;
    for (const UnitRef ref : members) {
      const UnitFact* now = later(ref);
      if (now != nullptr && now->fingerprint == group && is_admitted(*now)) kept.insert(now);
    }
    for (const AnalysedFile& file : change_.files)
      for (const UnitFact& unit : file.facts.units)
        if (clone_family(file.language) == family && unit.fingerprint == group &&
            is_admitted(unit) && !kept.contains(&unit))
          grown.new_members.push_back(place_in(file, unit));
    grown.after = kept.size() + grown.new_members.size();
    if (grown.after > grown.before) out_.grown.push_back(std::move(grown));
  }

  const PatchIndex& index_;
  const Change& change_;
  std::set<std::string_view> touched_{};
  Units before_{}, after_{};  // of the touched files
  std::map<const UnitFact*, Identity> identity_of_{};
  PatchAnswers out_{};
};

std::string names_of(const std::vector<Place>& places) {
  std::string out;
  for (const Place& place : places)
    out.append(out.empty() ? "" : ", ").append(place.qualname);
  return out;
}

List documents_of(const std::vector<Place>& places) {
  List out;
  for (const Place& place : places)
    out.emplace_back(place.document());
  return out;
}

std::string id_of(const Hash& group) { return "clone:function:" + group.hex(); }

}  // namespace

PatchIndex::PatchIndex(const Project& before) : before_(before), runs_(before) {
  for (std::uint32_t f = 0; f < before.files.size(); ++f)
    for (std::uint32_t u = 0; u < before.files[f].facts.units.size(); ++u)
      if (takes_part_in_function_clones(before.files[f].facts.units[u], before.profile))
        by_fingerprint_.push_back({f, u});
  std::ranges::stable_sort(by_fingerprint_, {},
                           [&](UnitRef r) { return unit_of(before, r).fingerprint; });
}

std::vector<UnitRef> PatchIndex::units_with(const Hash& fingerprint,
                                            syntax::Language language) const {
  const auto fingerprint_of = [&](UnitRef r) { return unit_of(before_, r).fingerprint; };
  std::vector<UnitRef> out;
  for (auto at = std::ranges::lower_bound(by_fingerprint_, fingerprint, {}, fingerprint_of);
       at != by_fingerprint_.end() && fingerprint_of(*at) == fingerprint; ++at)
    if (clone_family(before_.files[at->file].language) == clone_family(language))
      out.push_back(*at);
  return out;
}

std::int64_t PatchIndex::file_at(std::string_view path) const {
  const auto found = std::ranges::lower_bound(
      before_.files, path, {}, [](const AnalysedFile& f) { return std::string_view(f.path); });
  return found != before_.files.end() && found->path == path ? found - before_.files.begin() : -1;
}

PatchAnswers patch_answers(const PatchIndex& index, const Change& change) {
  return Answers(index, change).run();
}

std::string sentence(const Copy& copy) {
  return "this change copies " + copy.from.qualname + " (" + std::to_string(copy.statements) +
         " statements) into " + copy.into.qualname;
}

std::string sentence(const PartialEdit& edit) {
  return "this change edits " + names_of(edit.edited) + " and leaves " +
         names_of(edit.left_behind) + " as before; they were clones";
}

std::string sentence(const GrownByChange& grown) {
  return "this change adds " + names_of(grown.new_members) + " to a clone group of " +
         std::to_string(grown.before);
}

Value document(const PatchAnswers& answers) {
  List copies, edits, grown;
  for (const Copy& copy : answers.copies)
    copies.emplace_back(Map{{"from", copy.from.document()},
                            {"into", copy.into.document()},
                            {"statements", number(copy.statements)},
                            {"whole_function", copy.whole},
                            {"message", sentence(copy)}});
  for (const PartialEdit& edit : answers.partial_edits)
    edits.emplace_back(Map{{"group_id", id_of(edit.group)},
                           {"edit", edit.structure ? "structure" : "text"},
                           {"edited", documents_of(edit.edited)},
                           {"left_behind", documents_of(edit.left_behind)},
                           {"message", sentence(edit)}});
  for (const GrownByChange& one : answers.grown)
    grown.emplace_back(Map{{"group_id", id_of(one.group)},
                           {"grown", true},
                           {"before", number(one.before)},
                           {"after", number(one.after)},
                           {"new_members", documents_of(one.new_members)},
                           {"message", sentence(one)}});
  return Map{{"copies", std::move(copies)},
             {"clone_partial_edit", std::move(edits)},
             {"grown_groups", std::move(grown)}};
}

std::vector<GrownGroup> grown_groups(const std::vector<GroupMembers>& before,
                                     const std::vector<GroupMembers>& after) {
  std::map<std::string_view, const GroupMembers*> known;
  for (const GroupMembers& group : before)
    known.emplace(group.key, &group);
  std::vector<GrownGroup> out;
  for (const GroupMembers& group : after) {
    const auto was = known.find(group.key);
    if (was == known.end() || group.names.size() <= was->second->names.size()) continue;
    std::multiset<std::string> added(group.names.begin(), group.names.end());
    for (const std::string& name : was->second->names)
      if (const auto at = added.find(name); at != added.end()) added.erase(at);
    out.push_back({group.key, {added.begin(), added.end()}});
  }
  return out;
}

}  // namespace gh::analysis
