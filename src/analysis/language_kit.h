// For tests of languages: what one snippet comes to.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <tree_sitter/api.h>

#include "analysis/class_records.h"
#include "analysis/dependencies.h"
#include "analysis/extract.h"
#include "base/sorted.h"
#include "syntax/language.h"

namespace gh::analysis::kit {

struct Measured {
  std::string_view body;
  std::uint32_t cyclomatic, nesting;
};

inline FileFacts facts(syntax::Language language, const std::string& source) {
  FileFacts out = Extractor().facts_of(language, source);
  EXPECT_EQ(out.status, FileStatus::ok) << source;
  return out;
}

inline UnitFact unit(const FileFacts& facts, std::string_view name) {
  const auto found = std::ranges::find(facts.units, name, &UnitFact::local_name);
  if (found != facts.units.end()) return *found;
  ADD_FAILURE() << "no unit " << name;
  return {};
}

/// `wrap` puts a body into a function named f.
template <class Wrap>
void expect_measures(syntax::Language language, std::span<const Measured> rows, Wrap&& wrap) {
  for (const Measured& row : rows) {
    SCOPED_TRACE(row.body);
    const Complexity got = unit(facts(language, wrap(row.body)), "f").complexity;
    EXPECT_EQ(got.cyclomatic, row.cyclomatic);
    EXPECT_EQ(got.nesting, row.nesting);
  }
}

struct Pair {
  std::string_view one, other;
  bool equal;
};

template <class Wrap>
void expect_clones(syntax::Language language, std::span<const Pair> rows, Wrap&& wrap) {
  for (const Pair& row : rows) {
    SCOPED_TRACE(std::string(row.one) + "  |  " + std::string(row.other));
    const UnitFact a = unit(facts(language, wrap(row.one)), "f");
    const UnitFact b = unit(facts(language, wrap(row.other)), "f");
    EXPECT_EQ(a.fingerprint == b.fingerprint, row.equal);
  }
}

using Files = std::vector<std::pair<std::string, std::string>>;

inline Project project(syntax::Language language, Files files) {
  std::ranges::sort(files);
  Project out;
  for (const auto& [path, source] : files)
    out.files.push_back({path, language, Extractor().facts_of(language, source)});
  return out;
}

inline std::vector<std::string> edges(const Project& project) {
  std::vector<std::string> out;
  const Dependencies all = dependencies_of(project);
  for (const DependencyEdge& edge : all.edges)
    out.push_back(all.modules[edge.from] + " -> " + all.modules[edge.to]);
  return out;
}

inline Cohesion cohesion(const Project& project, std::string_view name) {
  for (const ClassRecord& record : class_records(project))
    if (record.fact->local_name == name) return record.fact->cohesion;
  ADD_FAILURE() << "no class " << name;
  return {};
}

inline std::vector<std::string> unit_names(const FileFacts& facts) {
  std::vector<std::string> out;
  for (const UnitFact& unit : facts.units)
    out.push_back(unit.local_name);
  return out;
}

/// Named nodes of the grammar for which the language has no row, without comments and groups of
/// nodes, sorted.
inline std::vector<std::string> without_row(syntax::Language language) {
  const syntax::LanguageSpec& spec = *syntax::spec_of(language);
  const TSLanguage* grammar = spec.grammar();
  std::vector<std::string> out;
  for (std::uint32_t s = 0; s < ts_language_symbol_count(grammar); ++s) {
    const auto symbol = static_cast<TSSymbol>(s);
    if (ts_language_symbol_type(grammar, symbol) != TSSymbolTypeRegular) continue;
    const std::string_view name = ts_language_symbol_name(grammar, symbol);
    const bool has_row =
        std::ranges::any_of(spec.rows, [&](const syntax::Row& row) { return row.type == name; });
    if (!has_row && !name.ends_with("comment") && name != "ERROR") out.emplace_back(name);
  }
  sort_unique(out);
  return out;
}

}  // namespace gh::analysis::kit
