#include "syntax/language.h"

namespace gh::syntax {

extern const LanguageSpec kPython;
extern const LanguageSpec kJavascript;
extern const LanguageSpec kTypescript;
extern const LanguageSpec kTsx;
extern const LanguageSpec kJava;
extern const LanguageSpec kC;
extern const LanguageSpec kGo;
extern const LanguageSpec kRust;
const LanguageSpec& cpp_spec();

namespace {

// table: languages
constexpr std::array<std::string_view, kLanguageCount> kNames{
    "python", "c", "cpp", "javascript", "typescript", "tsx", "go", "rust", "java"};

// table: grammar fields
constexpr std::array<std::string_view, kFieldCount> kFields{"",
                                                            "alias",
                                                            "alternative",
                                                            "argument",
                                                            "arguments",
                                                            "attribute",
                                                            "base",
                                                            "body",
                                                            "capacity",
                                                            "captures",
                                                            "cause",
                                                            "communication",
                                                            "condition",
                                                            "consequence",
                                                            "constructor",
                                                            "declaration",
                                                            "declarator",
                                                            "default_value",
                                                            "definition",
                                                            "designator",
                                                            "directive",
                                                            "end",
                                                            "expression",
                                                            "field",
                                                            "format_specifier",
                                                            "function",
                                                            "guard",
                                                            "increment",
                                                            "indices",
                                                            "init",
                                                            "initializer",
                                                            "key",
                                                            "label",
                                                            "left",
                                                            "list",
                                                            "macro",
                                                            "module_name",
                                                            "name",
                                                            "object",
                                                            "open_tag",
                                                            "operand",
                                                            "operator",
                                                            "operators",
                                                            "parameter",
                                                            "parameters",
                                                            "path",
                                                            "pattern",
                                                            "placement",
                                                            "property",
                                                            "receiver",
                                                            "resources",
                                                            "result",
                                                            "return_type",
                                                            "right",
                                                            "scope",
                                                            "size",
                                                            "source",
                                                            "start",
                                                            "subject",
                                                            "subscript",
                                                            "superclasses",
                                                            "tag",
                                                            "trait",
                                                            "type",
                                                            "type_arguments",
                                                            "type_conversion",
                                                            "type_parameters",
                                                            "update",
                                                            "value"};

struct Extension {
  std::string_view suffix;
  Language language;
};
// table: file extensions
constexpr std::array kExtensions = std::to_array<Extension>({
    {".py", Language::python},
    {".pyi", Language::python},
    {".js", Language::javascript},
    {".mjs", Language::javascript},
    {".cjs", Language::javascript},
    {".jsx", Language::javascript},
    {".ts", Language::typescript},
    {".mts", Language::typescript},
    {".cts", Language::typescript},
    {".tsx", Language::tsx},
    {".java", Language::java},
    {".go", Language::go},
    {".c", Language::c},
    {".h", Language::c},
    {".cc", Language::cpp},
    {".cpp", Language::cpp},
    {".cxx", Language::cpp},
    {".hh", Language::cpp},
    {".hpp", Language::cpp},
    {".hxx", Language::cpp},
    {".rs", Language::rust},
});

}  // namespace

std::string_view to_string(Language language) { return kNames[static_cast<std::size_t>(language)]; }
std::string_view to_string(Field field) { return kFields[static_cast<std::size_t>(field)]; }

std::optional<Language> language_of_path(std::string_view path) {
  for (const Extension& e : kExtensions)
    if (path.ends_with(e.suffix)) return e.language;
  return std::nullopt;
}

const LanguageSpec* spec_of(Language language) {
  // table: front ends
  static const std::array<const LanguageSpec*, kLanguageCount> kSpecs{
      &kPython,      // python
      &kC,           // c
      &cpp_spec(),   // cpp
      &kJavascript,  // javascript
      &kTypescript,  // typescript
      &kTsx,         // tsx
      &kGo,          // go
      &kRust,        // rust
      &kJava,        // java
  };
  return kSpecs[static_cast<std::size_t>(language)];
}

}  // namespace gh::syntax
