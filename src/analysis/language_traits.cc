#include "analysis/language_traits.h"

#include <array>

#include "analysis/project.h"

namespace gh::analysis {
namespace {

using Words = std::string_view;

// table: python hook functions
constexpr std::array<Words, 2> kPythonHookFunctions{"__getattr__", "__dir__"};
// table: python hook methods
constexpr std::array<Words, 10> kPythonHookMethods{
    "setup",         "teardown",    "setUp",          "tearDown",     "setUpClass",
    "tearDownClass", "setup_class", "teardown_class", "setup_method", "teardown_method"};
// table: python hook method prefixes
constexpr std::array<Words, 1> kPythonHookMethodPrefixes{"visit_"};
// table: python hook prefixes
constexpr std::array<Words, 2> kPythonHookPrefixes{"test_", "pytest_"};
// table: python public methods
constexpr std::array<Words, 5> kPythonPublicMethods{"__call__", "__enter__", "__exit__", "__init__",
                                                    "__iter__"};

constexpr LanguageTraits kPython{.finds_dead_code = true,
                                 .has_optional_types = true,
                                 .visibility = Visibility::underscore,
                                 .documented = Documented::by_docstring,
                                 .doc_openings = {},
                                 .hook_functions = kPythonHookFunctions,
                                 .hook_methods = kPythonHookMethods,
                                 .hook_method_prefixes = kPythonHookMethodPrefixes,
                                 .hook_prefixes = kPythonHookPrefixes,
                                 .public_methods = kPythonPublicMethods,
                                 .dunders_are_hooks = true,
                                 .header_end = ':'};

// table: entry functions
constexpr std::array<Words, 1> kMain{"main"};
// table: go hook functions
constexpr std::array<Words, 2> kGoHooks{"main", "init"};
// table: c++ hook methods
constexpr std::array<Words, 1> kCppHookPrefixes{"~"};
// table: c++ operators
constexpr std::array<Words, 18> kCppOperators{
    "operator ", "operator(", "operator[", "operator=", "operator<", "operator>",
    "operator+", "operator-", "operator*", "operator/", "operator%", "operator&",
    "operator|", "operator^", "operator!", "operator~", "operator,", "operator\""};
// table: javascript hook methods
constexpr std::array<Words, 4> kScriptHooks{"constructor", "toJSON", "toString", "valueOf"};
// table: javascript hook method prefixes
constexpr std::array<Words, 1> kScriptHookPrefixes{"["};  // `[Symbol.iterator]`
// Found by name when objects are written and read.
// table: java hook methods
constexpr std::array<Words, 5> kJavaHooks{"readObject", "readObjectNoData", "readResolve",
                                          "writeObject", "writeReplace"};

// table: documentation comments of c
constexpr std::array<Words, 4> kCDocs{"/**", "/*!", "///", "//!"};
// table: documentation comments of javascript and java
constexpr std::array<Words, 1> kBlockDocs{"/**"};
// table: documentation comments of go
constexpr std::array<Words, 2> kGoDocs{"//", "/*"};
// table: documentation comments of rust
constexpr std::array<Words, 2> kRustDocs{"///", "/**"};

constexpr LanguageTraits kC{.finds_dead_code = true,
                            .offered = Offered::in_header,
                            .doc_openings = kCDocs,
                            .hook_functions = kMain};
constexpr LanguageTraits kCpp{.finds_dead_code = true,
                              .offered = Offered::in_header,
                              .doc_openings = kCDocs,
                              .hook_functions = kMain,
                              .hook_method_prefixes = kCppHookPrefixes,
                              .hook_prefixes = kCppOperators,
                              .constructors_bear_class_name = true,
                              .has_overloads = true};
constexpr LanguageTraits kScript{.finds_dead_code = true,
                                 .has_optional_types = true,
                                 .offered = Offered::with_its_class,
                                 .doc_openings = kBlockDocs,
                                 .hook_methods = kScriptHooks,
                                 .hook_method_prefixes = kScriptHookPrefixes};
constexpr LanguageTraits kGo{.finds_dead_code = true,
                             .offered = Offered::by_capital,
                             .doc_openings = kGoDocs,
                             .hook_functions = kGoHooks};
constexpr LanguageTraits kRust{.finds_dead_code = true,
                               .offered = Offered::by_word,
                               .doc_openings = kRustDocs,
                               .hook_functions = kMain};
constexpr LanguageTraits kJava{.finds_dead_code = true,
                               .offered = Offered::by_word,
                               .doc_openings = kBlockDocs,
                               .hook_methods = kJavaHooks,
                               .constructors_bear_class_name = true,
                               .has_overloads = true,
                               .entry_methods = kMain};

}  // namespace

const LanguageTraits& traits_of(syntax::Language language) {
  switch (language) {
    case syntax::Language::python:
      return kPython;
    case syntax::Language::c:
      return kC;
    case syntax::Language::cpp:
      return kCpp;
    case syntax::Language::javascript:
    case syntax::Language::typescript:
    case syntax::Language::tsx:
      return kScript;
    case syntax::Language::go:
      return kGo;
    case syntax::Language::rust:
      return kRust;
    case syntax::Language::java:
      return kJava;
  }
  return kPython;
}

}  // namespace gh::analysis
