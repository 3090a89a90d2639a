// For tests of languages: one source in, what is said about it out.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/dependencies.h"
#include "analysis/extract.h"

namespace gh::analysis {

using Texts = std::vector<std::string>;

struct MetricCase {
  std::string_view body;
  std::uint32_t cyclomatic, nesting;
};

enum class Clone { none, type1, type2 };

struct CloneCase {
  std::string_view change, one, two;
  Clone wanted;
};

struct LanguageCases {
  syntax::Language language;
  std::string_view before = "", after = "";  // around a body

  FileFacts facts(std::string_view source) const {
    FileFacts out = Extractor().facts_of(language, source);
    EXPECT_EQ(out.status, FileStatus::ok) << source << "\nline " << out.error_line;
    return out;
  }

  std::string around(std::string_view body) const {
    return std::string(before).append(body).append(after);
  }

  template <std::size_t n>
  void check(const MetricCase (&cases)[n]) const {
    for (const MetricCase& c : cases) {
      SCOPED_TRACE(c.body);
      const FileFacts all = facts(around(c.body));
      ASSERT_FALSE(all.units.empty());
      EXPECT_EQ(all.units[0].complexity.cyclomatic, c.cyclomatic);
      EXPECT_EQ(all.units[0].complexity.nesting, c.nesting);
    }
  }

  /// Of the first unit of each source that is not inside another.
  Clone compare(std::string_view one, std::string_view two) const {
    const FileFacts a = facts(one), b = facts(two);
    const auto outermost = [](const FileFacts& all) {
      const auto found = std::ranges::find_if(
          all.units, [](const UnitFact& u) { return u.kind != UnitKind::nested; });
      EXPECT_NE(found, all.units.end());
      return found == all.units.end() ? UnitFact{} : *found;
    };
    const UnitFact x = outermost(a), y = outermost(b);
    if (x.fingerprint != y.fingerprint) return Clone::none;
    return x.raw == y.raw ? Clone::type1 : Clone::type2;
  }

  template <std::size_t n>
  void check_bodies(const CloneCase (&cases)[n]) const {
    for (const CloneCase& c : cases)
      EXPECT_EQ(compare(around(c.one), around(c.two)), c.wanted) << c.change;
  }

  /// `name kind start-end` of each unit.
  Texts units(std::string_view source) const {
    Texts out;
    for (const UnitFact& u : facts(source).units)
      out.push_back(u.local_name + " " + std::string(to_string(u.kind)) + " " +
                    std::to_string(u.start_line) + "-" + std::to_string(u.end_line));
    return out;
  }

  Texts classes(std::string_view source) const {
    Texts out;
    for (const ClassFact& c : facts(source).classes)
      out.push_back(c.local_name + " " + std::to_string(c.start_line) + "-" +
                    std::to_string(c.end_line));
    return out;
  }

  /// `module name…`, then what is special about it.
  Texts imports(std::string_view source) const {
    Texts out;
    for (const ImportFact& fact : facts(source).imports) {
      std::string text = fact.module;
      for (const std::string& name : fact.names)
        text += " " + name;
      if (!fact.is_from) text += " !call";
      if (fact.typing_only) text += " !types";
      if (fact.deferred) text += " !deferred";
      out.push_back(std::move(text));
    }
    return out;
  }
};

/// `base` with one text for another, which must be there.
inline std::string with(std::string_view base, std::string_view from, std::string_view to) {
  std::string out(base);
  for (std::size_t at = out.find(from); at != std::string::npos;
       at = out.find(from, at + to.size()))
    out.replace(at, from.size(), to);
  EXPECT_NE(out, base) << from;
  return out;
}

/// `from -> to` for each edge of a project.
inline Texts edges_of(std::vector<std::pair<std::string, std::string>> files) {
  std::ranges::sort(files);
  Project project;
  Extractor extractor;
  for (const auto& [path, source] : files) {
    const auto language = syntax::language_of_path(path);
    EXPECT_TRUE(language) << path;
    if (language) project.files.push_back({path, *language, extractor.facts_of(*language, source)});
  }
  const Dependencies d = dependencies_of(project);
  Texts out;
  for (const DependencyEdge& edge : d.edges)
    out.push_back(d.modules[edge.from] + " -> " + d.modules[edge.to]);
  return out;
}

}  // namespace gh::analysis
