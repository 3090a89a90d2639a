// docs/reference/analysis.md, "Security surfaces": every row of every language by a snippet.
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "analysis/surface_cases_managed.h"
#include "analysis/surface_cases_native.h"
#include "base/text.h"

namespace gh::analysis {
namespace {

using syntax::Language;

bool is_type(std::string_view name) {
  const char first = last_word_of(name)[0];
  return first >= 'A' && first <= 'Z';
}

/// `a().b` with something between the brackets.
std::string with_arguments(std::string_view name) {
  std::string out(name);
  for (std::size_t at = out.find("()"); at != std::string::npos; at = out.find("()", at + 3))
    out.insert(at + 1, "x");
  return out;
}

/// What the call has to say besides its name.
std::string arguments(std::string_view name) {
  static const std::map<std::string_view, std::string> kSpecial{
      {"open", R"((x, "w" , O_RDWR))"},
      {"pathlib.Path().open", R"(("w"))"},
      {"fopen", R"((x, "w"))"},
      {"freopen", R"((x, "w"))"},
      {"std::fopen", R"((x, "w"))"},
      {"std::freopen", R"((x, "w"))"},
      {"os.OpenFile", "(x, m.O_RDWR, 0)"},
  };
  const auto at = kSpecial.find(name);
  return at == kSpecial.end() ? "(x)" : at->second;
}

std::string python_snippet(const SurfaceCase& c) {
  if (c.kind == "import") return "import " + std::string(c.name) + "\n";
  const std::string call = with_arguments(c.name) + arguments(c.name) + "\n";
  if (c.kind == "builtin") return call;
  const std::string_view to_class = c.name.substr(0, c.name.find("()"));
  return "import " + std::string(to_class.substr(0, to_class.rfind('.'))) + "\n" + call;
}

std::string c_snippet(const SurfaceCase& c) {
  const bool is_folder = c.name.find(".h") == std::string_view::npos;
  if (c.kind == "import")
    return "#include <" + std::string(c.name) + (is_folder ? "/x.h" : "") + ">\n";
  const std::string call =
      c.name == "open" ? "open(x, O_CREAT | O_EXCL)" : std::string(c.name) + arguments(c.name);
  return "void f(void) { " + call + "; }\n";
}

std::string javascript_snippet(const SurfaceCase& c) {
  const std::string name(c.name);
  if (c.kind == "import") return "import * as m from \"" + name + "\";\n";
  if (c.kind == "builtin") return name + "(x);\n";
  const std::size_t dot = name.find('.');
  return "import * as m from \"" + name.substr(0, dot) + "\";\nm" + name.substr(dot) + "(x);\n";
}

std::string go_snippet(const SurfaceCase& c) {
  const std::string name(c.name);
  if (c.kind == "import") return "package p\nimport \"" + name + "\"\n";
  const std::size_t dot = name.rfind('.');
  return "package p\nimport m \"" + name.substr(0, dot) + "\"\nfunc f() { m" + name.substr(dot) +
         arguments(c.name) + " }\n";
}

std::string rust_snippet(const SurfaceCase& c) {
  if (c.kind == "import") return "use " + std::string(c.name) + ";\n";
  if (c.kind == "builtin") return "fn f() { unsafe { g(); } }\n";
  return "fn f() { " + with_arguments(c.name) + "(x); }\n";
}

std::string java_snippet(const SurfaceCase& c) {
  const std::string name(c.name);
  if (c.kind == "import") return "import " + name + (is_type(c.name) ? "" : ".X") + ";\n";
  const std::string_view made = c.name.substr(0, c.name.find("()"));
  return "class A { void f() { " + std::string(is_type(made) ? "new " : "") +
         with_arguments(c.name) + "(x); } }\n";
}

struct LanguageCases {
  std::string_view page;  // its name there
  Language language;
  std::string path;
  std::string (*snippet)(const SurfaceCase&);
  std::vector<std::span<const SurfaceCase>> cases;
};

std::vector<LanguageCases> all_cases() {
  return {
      {"Python", Language::python, "m.py", python_snippet, {kPythonCases}},
      {"C", Language::c, "m.c", c_snippet, {kCFamilyCases, kCAloneCases}},
      {"C++", Language::cpp, "m.cc", c_snippet, {kCFamilyCases, kCppCases}},
      {"JavaScript", Language::javascript, "m.js", javascript_snippet, {kJavaScriptCases}},
      {"TypeScript", Language::typescript, "m.ts", javascript_snippet, {kJavaScriptCases}},
      {"TypeScript", Language::tsx, "m.tsx", javascript_snippet, {kJavaScriptCases}},
      {"Go", Language::go, "m.go", go_snippet, {kGoCases}},
      {"Rust", Language::rust, "m.rs", rust_snippet, {kRustCases}},
      {"Java", Language::java, "m.java", java_snippet, {kJavaCases}},
  };
}

TEST(SecuritySurfaces, EveryRowIsFoundByItsOwnSnippet) {
  for (const LanguageCases& language : all_cases())
    for (const std::span<const SurfaceCase> cases : language.cases)
      for (const SurfaceCase& c : cases) {
        const std::string source = language.snippet(c);
        SCOPED_TRACE(source);
        const Project project = one_file(language.language, language.path, source);
        bool found = false;
        std::string all;
        for (const Surface& s : surfaces_of(project)) {
          all += line_of(s) + "\n";
          found =
              found || (to_string(s.row->category) == c.category &&
                        to_string(s.row->evidence) == c.kind && s.row->name == c.name &&
                        s.row->capability == c.capability && s.evidence_symbol.starts_with(c.name));
        }
        EXPECT_TRUE(found) << all;
      }
}

TEST(SecuritySurfaces, NoRowIsWithoutACase) {
  for (const LanguageCases& language : all_cases()) {
    std::size_t cases = 0;
    for (const std::span<const SurfaceCase> list : language.cases)
      cases += list.size();
    EXPECT_EQ(SurfaceRules::of(language.language).size(), cases) << language.path;
  }
}

using Rows = std::map<std::string, std::set<std::string>>;  // language, category and kind to names

void add_cases(Rows& out, const std::string& language, std::span<const SurfaceCase> cases) {
  for (const SurfaceCase& c : cases)
    out[language + " " + std::string(c.category) + (c.kind == "import" ? " imports" : " calls")]
        .insert(std::string(c.name));
}

/// What stands between backticks.
std::set<std::string> names_in(std::string_view cell) {
  std::set<std::string> out;
  const std::vector<std::string_view> parts = split(cell, '`');
  for (std::size_t i = 1; i < parts.size(); i += 2)
    out.emplace(parts[i]);
  return out;
}

TEST(SecuritySurfacesPage, NamesEveryRowOfEveryLanguage) {
  Rows wanted, page;
  add_cases(wanted, "Python", kPythonCases);
  add_cases(wanted, "C, C++", kCFamilyCases);
  add_cases(wanted, "C", kCAloneCases);
  add_cases(wanted, "C++", kCppCases);
  add_cases(wanted, "JavaScript, TypeScript", kJavaScriptCases);
  add_cases(wanted, "Go", kGoCases);
  add_cases(wanted, "Rust", kRustCases);
  add_cases(wanted, "Java", kJavaCases);
  std::ifstream file("docs/reference/analysis.md");
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) inside = line == "### What reaches where";
    if (!inside || !line.starts_with("| ") || !contains(line, "| `")) continue;
    const std::vector<std::string_view> cells = split(line, '|');
    ASSERT_EQ(cells.size(), 6u) << line;
    const std::string language(cells[1].substr(1, cells[1].size() - 2));
    const std::string category = *names_in(cells[2]).begin();
    for (const std::size_t i : {3u, 4u})
      if (const auto names = names_in(cells[i]); !names.empty())
        page[language + " " + category + (i == 3 ? " imports" : " calls")] = names;
  }
  EXPECT_EQ(page, wanted);
}

}  // namespace
}  // namespace gh::analysis
