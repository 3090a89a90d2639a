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

// table: language traits
constexpr std::array<LanguageTraits, syntax::kLanguageCount> kTraits{kPython};

}  // namespace

const LanguageTraits& traits_of(syntax::Language language) {
  return kTraits[static_cast<std::size_t>(language)];
}

}  // namespace gh::analysis
