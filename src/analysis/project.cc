#include "analysis/project.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gh::analysis {
namespace {

// table: source kinds
constexpr std::array<std::string_view, 4> kSourceKinds{"production", "tests", "fixtures", "other"};
// table: risk bands
constexpr std::array<std::string_view, 3> kRisks{"low", "medium", "high"};

bool is_word(std::string_view part, std::string_view word) {  // whatever its ASCII case
  return std::ranges::equal(part, word, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

struct TestName {
  std::string_view folder;              // on the way, with '/' on both sides
  std::string_view start, inside, end;  // of the file name
};
// clang-format off
// table: names of test files
constexpr std::array kTestNames = std::to_array<TestName>({
    {"",            "test_", "",       ""},
    {"",            "conftest.py", "", ""},
    {"",            "",      ".test.", ""},            // JavaScript, TypeScript
    {"",            "",      ".spec.", ""},
    {"/__tests__/", "",      "",       ""},
    {"",            "",      "",       "Test.java"},
    {"/src/test/",  "",      "",       ".java"},
    {"",            "",      "",       "_test.c"},
    {"",            "",      "",       "_test.cc"},
    {"",            "",      "",       "_test.cpp"},
    {"",            "",      "",       "_test.cxx"},
    {"",            "",      "",       "Test.cc"},
    {"",            "",      "",       "Test.cpp"},
    {"",            "",      "",       "Test.cxx"},
    {"",            "",      "",       "_test.go"},
});
// clang-format on

bool fits(const TestName& row, std::string_view folders, std::string_view name) {
  return folders.find(row.folder) != std::string_view::npos && name.starts_with(row.start) &&
         name.find(row.inside) != std::string_view::npos && name.ends_with(row.end);
}

std::string dotted(std::string_view path) {
  std::string out(path);
  std::ranges::replace(out, '/', '.');
  return out;
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

/// The root package is `.`, as Go itself writes it.
std::string go_package(std::string_view path) {
  const std::string_view folder = folder_of(path);
  return folder.empty() ? "." : dotted(folder);
}

/// `a/src/b/mod.rs` is `a.b`; what lies above the sources of the only crate is `crate`.
std::string rust_module(std::string_view path) {
  std::string out = "/" + std::string(path.substr(0, path.rfind('.')));
  for (const std::string_view root : {"/mod", "/lib"})
    if (out.ends_with(root)) out.erase(out.size() - root.size());
  if (const std::size_t at = (out + "/").rfind("/src/"); at != std::string::npos)
    out =
        (at == 0 ? "/crate" : out.substr(0, at)) + (at + 4 < out.size() ? out.substr(at + 4) : "");
  return dotted(std::string_view(out).substr(out.empty() ? 0 : 1));
}

/// Packages begin below the folder of sources: `src`, and `src/main/java` where it is parted.
std::string java_module(std::string_view path) {
  const std::string whole = "/" + std::string(path);
  std::size_t from = whole.rfind("/src/");
  if (from == std::string::npos) return module_of(path);
  from += std::string_view("/src/").size();
  const std::size_t set = whole.find('/', from);  // main, test
  constexpr std::string_view kJava = "/java/";
  if (set != std::string::npos && whole.substr(set).starts_with(kJava)) from = set + kJava.size();
  return module_of(std::string_view(whole).substr(from));
}

/// What stands before the colon of a qualname: a header and its source have one name, a file of
/// Java that of its package, wherever its folder begins.
std::string named_scope(const AnalysedFile& file) {
  if (file.language == syntax::Language::java && !file.facts.package.empty()) {
    const std::string module = module_of(file);
    return file.facts.package + "." + module.substr(module.rfind('.') + 1);
  }
  const bool is_c = file.language == syntax::Language::c || file.language == syntax::Language::cpp;
  return is_c ? module_of(file.path) : module_of(file);
}

struct Band {
  std::string_view metric;
  std::uint64_t medium, high;  // from these on
};
// table: risk bounds
constexpr Band kComplexity{"complexity", 11, 21}, kCohesion{"cohesion", 2, 4},
    kCoupling{"coupling", 6, 11};

Risk risk_in(const Band& band, std::uint64_t value) {
  if (value >= band.high) return Risk::high;
  return value >= band.medium ? Risk::medium : Risk::low;
}

}  // namespace

std::string_view to_string(SourceKind kind) { return kSourceKinds[static_cast<std::size_t>(kind)]; }
std::string_view to_string(Risk risk) { return kRisks[static_cast<std::size_t>(risk)]; }

Risk complexity_risk(std::uint32_t cyclomatic) { return risk_in(kComplexity, cyclomatic); }
Risk cohesion_risk(std::uint32_t lcom4) { return risk_in(kCohesion, lcom4); }
Risk coupling_risk(std::size_t names) { return risk_in(kCoupling, names); }

std::string module_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  if (dot != std::string_view::npos && (slash == std::string_view::npos || dot > slash))
    path = path.substr(0, dot);
  std::string out(path);
  std::ranges::replace(out, '/', '.');
  if (out == "__init__") return "";
  if (out.ends_with(".__init__")) out.resize(out.size() - std::string_view(".__init__").size());
  return out;
}

std::string module_of(const AnalysedFile& file) {
  switch (file.language) {
    case syntax::Language::go:
      return go_package(file.path);
    case syntax::Language::rust:
      return rust_module(file.path);
    case syntax::Language::java:
      return java_module(file.path);
    case syntax::Language::c:
    case syntax::Language::cpp:
      return file.path;
    default:
      return module_of(file.path);
  }
}

std::string qualname_of(const Project& project, UnitRef ref) {
  return named_scope(project.files[ref.file]) + ":" + unit_of(project, ref).local_name;
}

std::string qualname_of(const AnalysedFile& file, const ClassFact& fact) {
  return qualname_of(file, fact.local_name);
}

std::string qualname_of(const AnalysedFile& file, std::string_view local) {
  return local.empty() ? named_scope(file) : named_scope(file) + ":" + std::string(local);
}

SourceKind source_kind_of(std::string_view path) {
  if (path.empty()) return SourceKind::other;
  const std::vector<std::string_view> parts = split(path, '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!is_word(parts[i], "tests")) continue;
    return i + 1 < parts.size() && is_word(parts[i + 1], "fixtures") ? SourceKind::fixtures
                                                                     : SourceKind::tests;
  }
  return SourceKind::production;
}

bool is_test_file(std::string_view path) {
  const SourceKind kind = source_kind_of(path);
  if (kind == SourceKind::tests || kind == SourceKind::fixtures) return true;
  const std::string from_root = "/" + std::string(path);
  const std::size_t slash = from_root.rfind('/');
  const auto folders = std::string_view(from_root).substr(0, slash + 1);
  const auto name = std::string_view(from_root).substr(slash + 1);
  return std::ranges::any_of(kTestNames,
                             [&](const TestName& row) { return fits(row, folders, name); });
}

bool is_test_file(const AnalysedFile& file) {
  return file.is_test_module || is_test_file(std::string_view(file.path));
}

}  // namespace gh::analysis
