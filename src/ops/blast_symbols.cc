#include "ops/blast_symbols.h"

#include <map>

#include "analysis/relations.h"
#include "ops/analysis_scope.h"

namespace gh::ops {
namespace {

using analysis::Relation;
using analysis::SourceEntry;

/// Some files of a source, with their texts.
class Chosen final : public analysis::FileSource {
 public:
  Chosen(analysis::FileSource& inner, const std::set<std::string>& wanted)
      : inner_(inner), wanted_(wanted) {}

  Result<std::vector<SourceEntry>> list() override {
    GH_TRY(all, inner_.list());
    std::erase_if(all, [&](const SourceEntry& entry) {
      return !wanted_.contains(entry.path) && !entry.path.ends_with("go.mod");
    });
    return std::move(all);
  }
  Result<std::string> read(const SourceEntry& entry) override {
    GH_TRY(text, inner_.read(entry));
    return texts_[entry.path] = std::move(text);
  }
  const std::string& text(const std::string& path) { return texts_[path]; }

 private:
  analysis::FileSource& inner_;
  const std::set<std::string>& wanted_;
  std::map<std::string, std::string> texts_{};
};

Map document_of(const analysis::Project& project, const Relation& relation) {
  return Map{{"path", project.files[relation.file].path},
             {"line", static_cast<std::int64_t>(relation.line)},
             {"qualname", relation.source_qualname},
             {"relation_kind", to_string(relation.kind)},
             {"origin_lane", to_string(relation.lane)},
             {"target_path", project.files[relation.target_file].path},
             {"target_qualname", relation.target_qualname},
             {"resolution_rule", to_string(relation.rule)},
             {"expression", relation.expression}};
}

Map answer(std::string_view status, List items) {
  return Map{{"status", status}, {"items", std::move(items)}};
}

}  // namespace

Result<Map> symbol_users(const KnownRun& run, const std::set<std::string>& files,
                         const std::set<std::string>& concerned, Context& context) {
  std::set<std::string> wanted = files;
  wanted.insert(concerned.begin(), concerned.end());
  const ScopeWish wish{.path = run.root, .revision = run.revision, .staged = run.source == "index"};
  auto scope = open_scope(wish, context);
  if (!scope) return answer("stale", {});  // its folder or its revision is gone
  Chosen chosen(*scope->files, wanted);
  GH_TRY(project, analysis::analyse(chosen, {}));
  GH_TRY(inputs, scope->files->inputs());
  if (analysis::inputs_digest(inputs) != run.inputs_sha256) return answer("stale", {});
  std::vector<analysis::RelationFacts> facts;
  analysis::RelationReader reader;
  for (const analysis::AnalysedFile& file : project.files)
    facts.push_back(reader.facts_of(file.language, chosen.text(file.path)));
  List items;
  for (const Relation& relation : analysis::relations_of(project, facts))
    if (is_resolved(relation.rule) && files.contains(project.files[relation.target_file].path) &&
        !files.contains(project.files[relation.file].path))
      items.emplace_back(document_of(project, relation));
  return answer("current", std::move(items));
}

}  // namespace gh::ops
