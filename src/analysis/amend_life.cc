#include "analysis/amend_life.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "analysis/liveness.h"

namespace gh::analysis {
namespace {

constexpr std::size_t kMaxFilesRead = 256;  // that hold what is dead now and was not

std::string_view last_part(std::string_view name) {
  return name.substr(name.find_last_of(".:") + 1);
}

std::string_view local_in(const AnalysedFile& file, std::uint32_t declaration) {
  return file.facts.names[file.facts.declarations.all[declaration].local_name];
}

/// The kept graph with the declarations and uses of the changed files as they are now.
class LifeAgain {
 public:
  LifeAgain(const KeptRun& kept, const std::vector<LifeOfFile>& files,
            const std::vector<std::uint32_t>& added, const AmendSource& source,
            const UseGraph& graph)
      : kept_(kept),
        graph_(graph),
        files_(files),
        added_(added),
        source_(source),
        names_(graph_.names.size()),
        ways_(graph_.ways),
        doubts_(graph_.doubts),
        is_changed_(graph_.parents.size(), 0),
        now_(files.size()) {
    all_.parents = graph_.parents;
    all_.name_of = graph_.name_of;
  }

  std::optional<std::vector<KeptDead>> run() {
    for (std::size_t i = 0; i < files_.size(); ++i)
      if (!declare(i)) return std::nullopt;
    if (is_shared()) return std::nullopt;
    add_uses();
    for (std::size_t e = 0; e < graph_.edges_from.size(); ++e)
      add_edge(graph_.edges_from[e], graph_.edges_to[e]);
    all_.names = names_;
    const std::vector<std::uint32_t> name_of = all_.name_of;
    const JudgedLife judged = judge_life(Liveness(std::move(all_)), ways_, [&](std::uint32_t s) {
      return static_cast<DeadReason>(doubts_[s]);
    });
    if (!is_certain(judged, name_of)) return std::nullopt;
    return items(judged);
  }

 private:
  /// Symbols of the file as it is now.
  bool declare(std::size_t i) {
    const auto& [change, life] = files_[i];
    const auto then = change->kept_file == kNone ? std::span<const std::uint32_t>()
                                                 : graph_.symbols[change->kept_file];
    if (then.size() != change->before.facts.declarations.all.size()) return false;
    std::map<std::string_view, std::uint32_t> known, gone;
    for (std::uint32_t d = 0; d < then.size(); ++d) {
      is_changed_[then[d]] = 1;
      known.emplace(local_in(change->before, d), then[d]);
    }
    for (const std::uint32_t d : life.gone) {
      known.erase(local_in(change->before, d));
      gone.emplace(local_in(change->before, d), then[d]);
      all_.name_of[then[d]] = kNone;  // nobody can mean it, and it uses nobody
      ways_[then[d]] = Way::judged;
    }
    if (!life.come.empty() && !add_symbols(*change, life, known, gone)) return false;
    const auto& all = change->after.facts.declarations.all;
    for (std::uint32_t d = 0; d < all.size(); ++d) {
      const auto at = known.find(local_in(change->after, d));
      if (at == known.end()) return false;
      now_[i].push_back(at->second);
      all_.parents[at->second] = all[d].parent == kNone ? kNone : now_[i][all[d].parent];
    }
    return true;
  }

  bool add_symbols(const ChangedFile& change, const LifeChange& life,
                   std::map<std::string_view, std::uint32_t>& known,
                   const std::map<std::string_view, std::uint32_t>& gone) {
    // What a file that is started offers lives by that; another file of the module may have it too.
    if (std::ranges::find(kept_.entry_files, change.after.path) != kept_.entry_files.end() ||
        (life.come.size() != life.fresh.size() && shares_module(change.after)))
      return false;
    UseGraph own;
    (void)dead_code_of(alone(kept_, change.after, source_.profile), own);
    const FileFacts& facts = change.after.facts;
    for (const std::uint32_t d : life.come) {
      const auto symbol = static_cast<std::uint32_t>(all_.parents.size());
      const std::uint32_t there = own.symbols[0][d];
      known[local_in(change.after, d)] = symbol;
      if (const auto at = gone.find(local_in(change.after, d)); at != gone.end())
        instead_of_.emplace(at->second, symbol);
      all_.parents.push_back(kNone);
      all_.name_of.push_back(own.name_of[there] == kNone
                                 ? kNone
                                 : new_name(facts.names[facts.declarations.all[d].name]));
      ways_.push_back(own.ways[there]);
      doubts_.push_back(own.doubts[there]);
      is_changed_.push_back(1);
      if (std::ranges::find(life.fresh, d) == life.fresh.end()) claimed_.push_back(symbol);
    }
    return true;
  }

  bool shares_module(const AnalysedFile& file) const {
    const std::string module = module_of(file);
    const std::size_t at = kept_.module_place(module);
    return at == kept_.loads.size() || kept_.module(at) != module || kept_.loads[at].files > 1;
  }

  std::uint32_t name(std::string_view text) const {
    if (const std::uint32_t known = graph_.name(text); known != kNone) return known;
    const auto at = new_names_.find(text);
    return at == new_names_.end() ? kNone : at->second;
  }
  std::uint32_t new_name(std::string_view text) {
    const std::uint32_t known = name(text);
    if (known != kNone) return known;
    new_names_.emplace(text, names_);
    return static_cast<std::uint32_t>(names_++);
  }

  /// Is a symbol of a changed file declared in another file too?
  bool is_shared() const {
    std::vector<std::uint32_t> home(graph_.parents.size(), kNone);
    for (std::uint32_t f = 0; f < graph_.symbols.ends.size(); ++f)
      for (const std::uint32_t symbol : graph_.symbols[f]) {
        if (is_changed_[symbol] == 0) continue;
        if (home[symbol] != kNone && home[symbol] != f) return true;
        home[symbol] = f;
      }
    return false;
  }

  void add_uses() {
    const auto root = static_cast<std::uint32_t>(all_.parents.size());
    std::vector<std::uint8_t> is_changed_file(graph_.symbols.ends.size(), 0);
    for (const LifeOfFile& file : files_)
      if (file.change->kept_file != kNone) is_changed_file[file.change->kept_file] = 1;
    all_.uses.reserve(graph_.users.values.size());
    for (std::uint32_t n = 0; n < graph_.names.size(); ++n)
      for (const std::uint32_t user : graph_.users[n]) {
        const bool is_module = (user & UseGraph::kModuleCode) != 0;
        const std::uint32_t file = user & ~UseGraph::kModuleCode;
        if (is_module ? file < is_changed_file.size() && is_changed_file[file] != 0
                      : is_changed_[user] != 0)
          continue;
        all_.uses.emplace_back(n, is_module ? root : user);
      }
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const FileFacts& facts = files_[i].change->after.facts;
      for (const Use& use : facts.references.uses)
        if (const std::uint32_t n = name(facts.names[use.name]); n != kNone)
          all_.uses.emplace_back(n, use.owner == kNone ? root : now_[i][use.owner]);
    }
  }

  /// One that is another one now stands where it stood.
  void add_edge(std::uint32_t from, std::uint32_t to) {
    const auto now = [&](std::uint32_t symbol) {
      const auto at = instead_of_.find(symbol);
      return at == instead_of_.end() ? symbol : at->second;
    };
    all_.edges.emplace_back(
        from == kNone ? static_cast<std::uint32_t>(all_.parents.size()) : now(from), now(to));
  }

  /// Does everything hold that was taken for granted of the symbols?
  bool is_certain(const JudgedLife& judged, const std::vector<std::uint32_t>& name_of) const {
    // Of what came and is no plain function it is not known here what would speak for it.
    for (const std::uint32_t symbol : claimed_)
      if (ways_[symbol] == Way::judged && judged.is_used[symbol] == 0) return false;
    std::vector<std::uint8_t> is_used(names_, 0), is_written(names_, 0);
    const auto mark = [&](std::vector<std::uint8_t>& marks, std::string_view text) {
      if (const std::uint32_t n = name(text); n != kNone) marks[n] = 1;
    };
    for (const LifeOfFile& file : files_) {
      for (const std::string_view text : file.life.used)
        mark(is_used, text);
      for (const std::string_view text : file.life.texts) {
        mark(is_written, text);
        mark(is_written, last_part(text));
      }
    }
    for (std::uint32_t s = 0; s < name_of.size(); ++s) {
      const std::uint32_t n = name_of[s];
      if (n == kNone) continue;
      // The report has a list of those that would be told if nobody had asked for silence.
      if ((is_used[n] != 0 || is_written[n] != 0) && ways_[s] == Way::silenced) return false;
      // What speaks for it was found by the texts that there were.
      if (is_written[n] != 0 && judged.is_used[s] == 0) return false;
    }
    return true;
  }

  std::optional<std::vector<KeptDead>> items(const JudgedLife& judged) const {
    std::unordered_map<std::uint32_t, const KeptDead*> before;
    for (const KeptDead& item : kept_.dead)
      before.emplace(item.symbol, &item);
    std::vector<KeptDead> out;
    std::vector<DeadSymbol> unplaced;
    for (const DeadSymbol& dead : judged.dead) {
      const auto at = before.find(dead.symbol);
      if (is_changed_[dead.symbol] != 0) {
        if (!add_changed(dead, out)) return std::nullopt;
      } else if (at != before.end()) {
        out.push_back(*at->second);
        out.back().reason = dead.reason;
      } else {
        unplaced.push_back(dead);
      }
    }
    if (!unplaced.empty() && !add_unchanged(unplaced, out)) return std::nullopt;
    return out;
  }

  std::uint32_t number_now(std::uint32_t file) const {
    for (const std::uint32_t added : added_)
      file += added <= file ? 1 : 0;
    return file;
  }

  static KeptDead item_of(const AnalysedFile& file, std::uint32_t number, std::uint32_t declaration,
                          const DeadSymbol& dead) {
    const DeclarationFact& fact = file.facts.declarations.all[declaration];
    return {number,
            fact.start_line,
            fact.end_line,
            dead.symbol,
            fact.kind,
            dead.reason,
            qualname_of(file, file.facts.names[fact.local_name])};
  }

  bool add_changed(const DeadSymbol& dead, std::vector<KeptDead>& out) const {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const auto at = std::ranges::find(now_[i], dead.symbol);
      if (at == now_[i].end()) continue;
      out.push_back(item_of(files_[i].change->after, files_[i].change->file,
                            static_cast<std::uint32_t>(at - now_[i].begin()), dead));
      return true;
    }
    return false;
  }

  /// Dead now, and not before, in files that did not change.
  bool add_unchanged(const std::vector<DeadSymbol>& dead, std::vector<KeptDead>& out) const {
    std::map<std::uint32_t, DeadSymbol> wanted;
    for (const DeadSymbol& one : dead)
      wanted.emplace(one.symbol, one);
    std::size_t read = 0;
    for (std::uint32_t f = 0; f < graph_.symbols.ends.size() && !wanted.empty(); ++f) {
      std::optional<AnalysedFile> file;
      const auto symbols = graph_.symbols[f];
      for (std::uint32_t d = 0; d < symbols.size(); ++d) {
        const auto at = wanted.find(symbols[d]);
        if (at == wanted.end()) continue;
        const std::uint32_t number = number_now(f);
        if (!file && ++read > kMaxFilesRead) return false;
        if (!file) file = source_.facts(kept_.path(number));
        if (!file || file->facts.declarations.all.size() != symbols.size()) return false;
        out.push_back(item_of(*file, number, d, at->second));
        wanted.erase(at);
      }
    }
    return wanted.empty();
  }

  const KeptRun& kept_;
  const UseGraph& graph_;
  const std::vector<LifeOfFile>& files_;
  const std::vector<std::uint32_t>& added_;
  const AmendSource& source_;
  UsesOf all_{};
  std::size_t names_;
  std::map<std::string_view, std::uint32_t> new_names_{};
  std::vector<Way> ways_;
  std::vector<std::uint8_t> doubts_;
  std::vector<std::uint8_t> is_changed_;         // by symbol: is it one of a changed file?
  std::vector<std::vector<std::uint32_t>> now_;  // by changed file: symbols of its declarations
  std::vector<std::uint32_t> claimed_{};
  std::unordered_map<std::uint32_t, std::uint32_t> instead_of_{};
};

/// The usual case, for which the graph need not be walked: functions came that nobody uses, and
/// what they use is nobody's name.
std::optional<std::vector<KeptDead>> with_unused(const KeptRun& kept,
                                                 const std::vector<LifeOfFile>& files,
                                                 const AmendSource& source, const UseGraph& graph) {
  if (files.empty()) return std::nullopt;
  std::set<std::string_view> fresh;
  for (const auto& [change, life] : files) {
    const FileFacts& facts = change->after.facts;
    if (!life.gone.empty() || !life.texts.empty() || life.come.size() != life.fresh.size() ||
        std::ranges::find(kept.entry_files, change->after.path) != kept.entry_files.end())
      return std::nullopt;
    for (const std::uint32_t d : life.fresh)
      fresh.insert(facts.names[facts.declarations.all[d].name]);
  }
  std::vector<KeptDead> out = kept.dead;
  for (const auto& [change, life] : files) {
    for (const std::string_view name : life.used)
      if (fresh.contains(name) || graph.name(name) != kNone) return std::nullopt;
    if (life.fresh.empty()) continue;
    std::set<std::string> come;
    for (const std::uint32_t d : life.fresh)
      come.insert(qualname_of(change->after, local_in(change->after, d)));
    for (const DeadItem& item : dead_code_of(alone(kept, change->after, source.profile)).items)
      if (come.contains(item.place.qualname))
        out.push_back({change->file, item.place.start_line, item.place.end_line, kNone, item.kind,
                       item.reason, item.place.qualname});
  }
  return out;
}

}  // namespace

std::optional<std::vector<KeptDead>> life_again(const KeptRun& kept,
                                                const std::vector<LifeOfFile>& files,
                                                const std::vector<std::uint32_t>& added,
                                                const AmendSource& source) {
  const UseGraph* graph = kept.graph(kept.path_ends.size() - added.size());
  if (graph == nullptr) return std::nullopt;
  if (auto dead = with_unused(kept, files, source, *graph)) return dead;
  return LifeAgain(kept, files, added, source, *graph).run();
}

Project alone(const KeptRun& kept, const AnalysedFile& file, const Profile& profile) {
  Project out{.files = {file}, .profile = profile};
  if (kept.keeps_public_api) out.profile.dead_code_public_api = PublicApi::keep;
  return out;
}

}  // namespace gh::analysis
