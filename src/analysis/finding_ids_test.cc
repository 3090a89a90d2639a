// docs/reference/analysis.md, "Findings": two findings never have one id.
#include <gtest/gtest.h>

#include "analysis/coverage.h"
#include "analysis/extract.h"
#include "analysis/metric_families.h"

namespace gh::analysis {
namespace {

using Texts = std::vector<std::string>;

constexpr Profile kStrict{.design_complexity = 1, .design_coupling = 1, .design_cohesion = 2};

Project one_file(const std::string& path, const std::string& source) {
  const syntax::Language language = syntax::language_of_path(path).value();
  Project out{.files = {}, .profile = kStrict};
  out.files.push_back({path, language, Extractor().facts_of(language, source)});
  return out;
}

Texts ids(const Project& project) {
  Texts out;
  for (const Group& group :
       design_groups(project, scored_units(project), scored_classes(project), {}))
    out.push_back(group.id);
  return out;
}

TEST(FindingIds, LaterFunctionsOfOneNameAreNumbered) {
  const Project project = one_file("a.py",
                                   "def f(x):\n    if x: return 1\n"
                                   "def f(x):\n    if x: return 2\n"
                                   "class P:\n"
                                   "    @property\n"
                                   "    def v(self):\n        if self.x: return 1\n"
                                   "    @v.setter\n"
                                   "    def v(self, y):\n        if self.x: self.x = y\n");
  EXPECT_EQ(ids(project), (Texts{"design:complexity:a:P.v", "design:complexity:a:P.v#2",
                                 "design:complexity:a:f", "design:complexity:a:f#2"}));
}

TEST(FindingIds, LaterClassesOfOneNameAreNumbered) {
  const std::string body = "    x = A, B\n    def a(self): pass\n    def b(self): pass\n";
  EXPECT_EQ(ids(one_file("a.py", "from z import A, B\nclass K:\n" + body + "class K:\n" + body)),
            (Texts{"design:cohesion:a:K", "design:cohesion:a:K#2", "design:coupling:a:K",
                   "design:coupling:a:K#2"}));
}

TEST(FindingIds, OverloadsWithAsManyParametersAreNumbered) {
  EXPECT_EQ(ids(one_file("B.java",
                         "class B { void f(int a) { if (a > 1) { } } void f(long a) { if (a > 1) { "
                         "} } }")),
            (Texts{"design:complexity:B:B.f/1", "design:complexity:B:B.f/1#2"}));
}

TEST(FindingIds, UncoveredFunctionsOfOneNameAreNumbered) {
  std::string f = "def f(x):\n";
  for (int i = 0; i < 12; ++i)
    f += "    if x: return 1\n";
  const Project project = one_file("a.py", f + f);
  Texts out;
  for (const Group& group : coverage_groups(project, join_coverage(project, {}, 50)))
    out.push_back(group.id);
  EXPECT_EQ(out, (Texts{"design:coverage:a:f", "design:coverage:a:f#2"}));
}

}  // namespace
}  // namespace gh::analysis
