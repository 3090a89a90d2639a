#include "control/scope_paths.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace gh::control {
namespace {

using Strings = std::vector<std::string>;

Result<Scope> scope_with(const char* entry) {
  return normalise_scope(Value(Map{{"allowed_files", List{Value("keep.py"), Value(entry)}}}));
}

// change-control 3.1
TEST(ScopePaths, AnEntryIsFoldedOrRefused) {
  struct Case {
    const char *given, *normal;  // normal: nullptr refused, "" left out
    Code code = Code::scope_invalid;
  };
  const Case kCases[] = {
      {"src/a.py", "src/a.py"},
      {"  src/a.py\n", "src/a.py"},
      {"src\\a.py", "src/a.py"},
      {"./src//./a.py", "src/a.py"},
      {"docs/", "docs"},
      {"docs///", "docs"},
      {"a..b/..c", "a..b/..c"},
      {"a b", "a b"},
      {"docs/**", "docs/**"},
      {"caf\xC3\xA9.py", "caf\xC3\xA9.py"},
      {"a\\xff.py", "a\\xff.py"},  // how a byte that is no UTF-8 is shown
      {"a\xFF.py", "a\\xff.py"},
      {"a\\x41.py", "a/x41.py"},
      {"a\\x5cxff.py", "a\\x5cxff.py"},  // the backslash of a name that reads like such a byte
      {"", ""},
      {" \t", ""},
      {".", nullptr, Code::scope_entry_not_a_file},
      {"./", nullptr, Code::scope_entry_not_a_file},
      {"././/.", nullptr, Code::scope_entry_not_a_file},
      {"/etc/passwd", nullptr, Code::intent_path_absolute},
      {"\\etc", nullptr, Code::intent_path_absolute},
      {"C:\\x", nullptr, Code::intent_path_absolute},
      {".git/config", nullptr, Code::scope_invalid},
      {"sub/.GIT/hooks/pre-commit", nullptr, Code::scope_invalid},
      {".gitignore", ".gitignore"},
      {"./C:/x", nullptr, Code::intent_path_absolute},
      {"./ a ", " a"},
      {"/", nullptr, Code::intent_path_absolute},
      {"..", nullptr, Code::path_traversal},
      {"a/../b", nullptr, Code::path_traversal},
      {"a/..", nullptr, Code::path_traversal},
      {"a\\..\\b", nullptr, Code::path_traversal},
      {" ../x ", nullptr, Code::path_traversal},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.given);
    const auto scope = scope_with(c.given);
    ASSERT_EQ(scope.has_value(), c.normal != nullptr);
    if (!scope) {
      EXPECT_EQ(gh::to_string(scope.error().code), gh::to_string(c.code));
    } else if (*c.normal == '\0') {
      EXPECT_EQ(scope->allowed_files, Strings{"keep.py"});
    } else {
      EXPECT_EQ(std::ranges::count(scope->allowed_files, c.normal), 1) << scope->allowed_files[0];
    }
  }
  const auto with_nul =
      normalise_scope(Value(Map{{"allowed_files", List{Value(std::string("a\0b", 3))}}}));
  ASSERT_FALSE(with_nul.has_value());
  EXPECT_EQ(with_nul.error().code, Code::scope_invalid);
}

TEST(ScopePaths, AScopeOfAnotherShapeIsRefused) {
  const Value kInvalid[] = {
      Value(),
      Value("src/a.py"),
      Value(List{Value("src/a.py")}),
      Value(Map{{"allowed_files", "src/a.py"}}),
      Value(Map{{"allowed_files", List{Value(1)}}}),
      Value(Map{{"allowed_files", List{Value("a"), Value()}}}),
      Value(Map{{"allowed_files", List{Value("a")}}, {"allowed_related", "b"}}),
      Value(Map{{"allowed_files", List{Value("a")}}, {"forbidden", List{Value(true)}}}),
      Value(Map{{"allowed_files", List{Value("a")}}, {"allowed", List{}}}),
  };
  for (const Value& value : kInvalid) {
    const auto scope = normalise_scope(value);
    ASSERT_FALSE(scope.has_value());
    EXPECT_EQ(gh::to_string(scope.error().code), "scope_invalid") << scope.error().message;
  }
  for (const Value& value :
       {Value(Map{}), Value(Map{{"allowed_files", List{}}}),
        Value(Map{{"allowed_files", List{Value(" ")}}, {"allowed_related", List{Value("a")}}})}) {
    const auto scope = normalise_scope(value);
    ASSERT_FALSE(scope.has_value());
    EXPECT_EQ(gh::to_string(scope.error().code), "scope_empty");
  }
}

// change-control 1 and 3.1
TEST(ScopePaths, ListsAreSortedAndTheStateArtifactsAreAlwaysForbidden) {
  const Strings kState{".agents-shipgate/**",
                       ".cache/codeclone/**",
                       ".codeclone/**",
                       ".gatehouse/**",
                       "codeclone.baseline.json",
                       "gatehouse.baseline.json",
                       "gatehouse.release-baseline*"};
  EXPECT_EQ(state_patterns(), kState);
  const auto scope = normalise_scope(
      Value(Map{{"allowed_files", List{Value("b"), Value("./a"), Value("b/"), Value("B")}},
                {"allowed_related", Value()},
                {"forbidden", List{Value("z/**"), Value(".gatehouse/**"), Value("a*")}}}));
  ASSERT_TRUE(scope.has_value());
  EXPECT_EQ(scope->allowed_files, (Strings{"B", "a", "b"}));
  EXPECT_EQ(scope->allowed_related, Strings{});
  Strings forbidden = kState;
  forbidden.insert(forbidden.begin() + 4, "a*");
  forbidden.emplace_back("z/**");
  EXPECT_EQ(scope->forbidden, forbidden);
  EXPECT_TRUE(normalise_scope(*scope).has_value());
}

TEST(ScopePaths, AStoredScopeIsWhatNormalisingMakes) {
  const Scope good =
      normalise_scope(Value(Map{{"allowed_files", List{Value("./ a"), Value("b")}}})).value();
  EXPECT_EQ(good.allowed_files, (Strings{" a", "b"}));
  EXPECT_TRUE(normalise_scope(good).has_value());
  const Strings kBad[] = {{},
                          {"b", "a"},
                          {"a", "a"},
                          {""},
                          {"/x"},
                          {"./a"},
                          {"a/"},
                          {"a//b"},
                          {"a/../b"},
                          {"."},
                          {"C:/x"},
                          {"a\xFF"},
                          {std::string("a\0", 2)}};
  for (const Strings& bad : kBad) {
    Scope scope = good;
    scope.allowed_files = bad;
    EXPECT_FALSE(normalise_scope(scope).has_value()) << (bad.empty() ? "nothing" : bad[0]);
  }
  Scope without = good;
  without.forbidden.pop_back();
  EXPECT_FALSE(normalise_scope(without).has_value());
  Scope bad_pattern = good;
  bad_pattern.forbidden.insert(bad_pattern.forbidden.begin(), "../x");
  EXPECT_FALSE(normalise_scope(bad_pattern).has_value());
}

TEST(ScopePaths, EvidenceIsMadeRelativeOrRefused) {
  struct Case {
    const char *given, *normal;
    Code code = Code::path_outside_root;
  };
  const Case kCases[] = {
      {"src/a.py", "src/a.py"},
      {" ./src\\a.py ", "src/a.py"},
      {"/repo/src/a.py", "src/a.py"},
      {"/repo//./src/a.py/", "src/a.py"},
      {"/repo-b/a.py", nullptr},
      {"/a.py", nullptr},
      {"C:/repo/a.py", nullptr},
      {"../a.py", nullptr, Code::path_traversal},
      {"/repo/../a.py", nullptr, Code::path_traversal},
      {"/repo", nullptr, Code::scope_entry_not_a_file},
      {".", nullptr, Code::scope_entry_not_a_file},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.given);
    const auto paths = normalise_evidence({c.given}, "/repo/");
    ASSERT_EQ(paths.has_value(), c.normal != nullptr);
    if (paths)
      EXPECT_EQ(*paths, Strings{c.normal});
    else
      EXPECT_EQ(gh::to_string(paths.error().code), gh::to_string(c.code));
  }
  EXPECT_EQ(normalise_evidence({"b", "", "a", "./b", "  "}, "/repo").value(), (Strings{"a", "b"}));
  EXPECT_EQ(normalise_evidence({"/a"}, "/").value(), Strings{"a"});
  EXPECT_EQ(
      normalise_evidence({" a\\b ", "./c", "", "/repo/d "}, "/repo", EvidenceForm::exact).value(),
      (Strings{" a\\b ", "c", "d "}))
      << "names to the letter";
  EXPECT_EQ(normalise_evidence({"../a"}, "/repo", EvidenceForm::exact).error().code,
            Code::path_traversal);
  EXPECT_EQ(evidence_list(Value()).value(), Strings{});
  EXPECT_EQ(evidence_list(Value(List{Value("x")})).value(), Strings{"x"});
  EXPECT_EQ(evidence_list(Value("x")).error().code, Code::scope_invalid);
  EXPECT_EQ(evidence_list(Value(List{Value(1)})).error().code, Code::scope_invalid);
}

TEST(ScopePaths, EffectsAreTrimmedSortedTexts) {
  EXPECT_EQ(
      normalise_effects(Value(List{Value(" b "), Value("a"), Value("b"), Value(" ")})).value(),
      (Strings{"a", "b"}));
  EXPECT_EQ(normalise_effects(Value()).value(), Strings{});
  EXPECT_EQ(normalise_effects(Value("a")).error().code, Code::expected_effects_invalid);
  EXPECT_EQ(normalise_effects(Value(List{Value(1)})).error().code, Code::expected_effects_invalid);
}

TEST(ScopePaths, GitPathsStayBytesAndAreMovedToTheRoot) {
  EXPECT_EQ(path_from_git("a\\b c"), "a\\b c");
  EXPECT_EQ(path_from_git("a\xFF"
                          "b"),
            "a\\xffb");
  EXPECT_EQ(path_from_git(" a "), " a ");
  EXPECT_EQ(path_from_git("vendor/inner/"), "vendor/inner");
  EXPECT_EQ(path_from_git("sub/a", "sub"), "a");
  EXPECT_EQ(path_from_git("subway/a", "sub"), ":top:/subway/a");
  EXPECT_EQ(path_from_git("other", "sub"), ":top:/other");
}

// change-control 3.2
TEST(ScopePaths, FoldersAndPatternsInAScopeAreWarnedAbout) {
  Scope scope;
  scope.allowed_files = {"a.py", "docs", "docs/*"};
  scope.allowed_related = {"b[1].py", "lib", "what?"};
  scope.forbidden = {"x/**"};
  const auto warnings =
      scope_warnings(scope, [](std::string_view path) { return path == "docs" || path == "lib"; });
  std::vector<std::pair<std::string, std::string>> got;
  for (const Warning& warning : warnings) {
    const Value value = to_value(warning);
    EXPECT_EQ(value.as_map()->size(), 3u);
    EXPECT_FALSE(value.as_map()->find("message")->as_string()->empty());
    got.emplace_back(*value.as_map()->find("code")->as_string(),
                     *value.as_map()->find("path")->as_string());
  }
  const std::vector<std::pair<std::string, std::string>> want{
      {"scope_entry_is_directory", "docs"},
      {"scope_entry_looks_like_glob", "docs/*"},
      {"scope_entry_looks_like_glob", "b[1].py"},
      {"scope_entry_is_directory", "lib"},
      {"scope_entry_looks_like_glob", "what?"}};
  EXPECT_EQ(got, want);
}

TEST(ScopePaths, AnEntryThatItsOwnScopeForbidsIsToldOnce) {
  const Scope scope =
      normalise_scope(
          Value(Map{{"allowed_files", List{"a.py", "db/x.sql", "gatehouse.baseline.json"}},
                    {"allowed_related", List{".gatehouse/y"}},
                    {"forbidden", List{"db/*"}}}))
          .value();
  std::vector<std::string> got;
  for (const Warning& warning : scope_warnings(scope, [](std::string_view) { return true; }))
    got.push_back(warning.code + " " + *warning.facts.find("path")->as_string());
  EXPECT_EQ(got, (std::vector<std::string>{"scope_entry_is_directory a.py",
                                           "scope_entry_is_forbidden db/x.sql",
                                           "scope_entry_is_forbidden gatehouse.baseline.json",
                                           "scope_entry_is_forbidden .gatehouse/y"}));
}

TEST(ScopePaths, ANameThatIsTypedToTheLetterComesBackAsItIs) {
  for (const std::string name :
       {" lead trail ", "\ttab", "back\\slash.txt", "\\x41", " \\ ", "plain.txt", "a b"}) {
    const Scope scope =
        normalise_scope(Value(Map{{"allowed_files", List{typed_to_the_letter(name)}}})).value();
    EXPECT_EQ(scope.allowed_files, std::vector<std::string>{path_from_git(name)}) << name;
    EXPECT_EQ(normalise_evidence({typed_to_the_letter(name)}, "/r").value(),
              std::vector<std::string>{path_from_git(name)})
        << name;
    EXPECT_EQ(bytes_of_path(path_from_git(name)), name);
  }
  EXPECT_EQ(typed_to_the_letter("plain.txt"), "plain.txt");
  EXPECT_EQ(typed_to_the_letter(" a\\b "), "\\x20a\\x5cb\\x20");
  EXPECT_FALSE(is_typed_otherwise("a b"));
  EXPECT_TRUE(is_typed_otherwise("a\\b"));
  EXPECT_TRUE(is_typed_otherwise("a "));
  // A name that reads like white space is another file than the one it reads like.
  EXPECT_EQ(path_from_git("\\x20a"), "\\x5cx20a");
  EXPECT_EQ(path_from_git(" a"), " a");
}

TEST(ScopePaths, WhatWidensAScopeMayNameNoAllowedFile) {
  const Value none(Map{{"allowed_related", List{"a.py"}}});
  EXPECT_EQ(normalise_scope(none).error().code, Code::scope_empty);
  EXPECT_EQ(normalise_scope(none, EmptyScope::allowed).value().allowed_related,
            std::vector<std::string>{"a.py"});
}

TEST(ScopePaths, TwoFilesNeverHaveOneName) {
  struct Row {
    std::string bytes, shown;
  };
  const std::vector<Row> rows{
      {"a\xff.py", "a\\xff.py"},            // the byte
      {"a\\xff.py", "a\\x5cxff.py"},        // a name that reads like it
      {"a\\x5cxff.py", "a\\x5cx5cxff.py"},  // and one that reads like that
      {"a\\\xff.py", "a\\\\xff.py"},        // a backslash before the byte
      {"a\\b\\x41.py", "a\\b\\x41.py"},     // an ordinary backslash stays
      {"\xc3\xa9.py", "\xc3\xa9.py"},
  };
  std::set<std::string> seen;
  for (const Row& row : rows) {
    EXPECT_EQ(path_from_git(row.bytes), row.shown);
    EXPECT_EQ(bytes_of_path(row.shown), row.bytes);
    EXPECT_TRUE(seen.insert(path_from_git(row.bytes)).second) << row.shown;
    const auto exact = normalise_evidence({row.bytes}, "/r", EvidenceForm::exact);
    ASSERT_TRUE(exact.has_value());
    EXPECT_EQ(exact->front(), row.shown);
  }
}

}  // namespace
}  // namespace gh::control
