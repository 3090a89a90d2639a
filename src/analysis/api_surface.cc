#include "analysis/api_surface.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "analysis/finding.h"
#include "analysis/language_traits.h"
#include "analysis/metric_families.h"
#include "analysis/offered_here.h"
#include "base/sorted.h"
#include "base/text.h"

namespace gh::analysis {
namespace {

using syntax::ParamKind;

// table: kinds of the public API
constexpr std::array<std::string_view, 4> kKinds{"function", "class", "method", "constant"};
// table: parameter kinds
constexpr std::array<std::string_view, 5> kParamKinds{"pos_only", "pos_or_kw", "vararg", "kw_only",
                                                      "kwarg"};

std::string hash_text(std::uint64_t hash) {
  return hash == 0 ? std::string() : fmt::format("{:016x}", hash);
}

bool is_public_module(const std::string& module) {
  return std::ranges::none_of(split(module, '.'),
                              [](std::string_view part) { return part.starts_with('_'); });
}

class Visible {
 public:
  explicit Visible(const AnalysedFile& file)
      : facts_(file.facts),
        traits_(traits_of(file.language)),
        is_public_(is_public_module(module_of(file))) {
    for (const NameId name : facts_.exports.all)
      all_.insert(facts_.names[name]);
  }

  Export of_top_level(NameId name) const {
    const std::string_view text = facts_.names[name];
    if (facts_.exports.has_all) return all_.contains(text) ? Export::by_all : Export::none;
    return is_public_ && !text.starts_with('_') ? Export::by_name : Export::none;
  }

  bool is_public_method(NameId name) const {
    const std::string_view text = facts_.names[name];
    return !text.starts_with('_') ||
           std::ranges::find(traits_.public_methods, text) != traits_.public_methods.end();
  }

 private:
  const FileFacts& facts_;
  const LanguageTraits& traits_;
  bool is_public_;
  std::set<std::string_view> all_{};
};

ApiKind kind_of(DeclarationKind kind) {
  return kind == DeclarationKind::class_   ? ApiKind::class_
         : kind == DeclarationKind::method ? ApiKind::method
                                           : ApiKind::function;
}

ApiSymbol symbol_of(const FileFacts& facts, const DeclarationFact& fact, Export how) {
  ApiSymbol out{.local_name = std::string(facts.names[fact.local_name]),
                .kind = kind_of(fact.kind),
                .start_line = fact.start_line,
                .end_line = fact.end_line,
                .is_in_all = how == Export::by_all,
                .returns = hash_text(fact.returns)};
  for (std::uint32_t p = fact.params_from; p < fact.params_to; ++p) {
    const ParamFact& param = facts.declarations.params[p];
    if (!param.is_receiver)
      out.params.push_back({std::string(facts.names[param.name]), param.kind, param.has_default,
                            hash_text(param.annotation)});
  }
  return out;
}

/// By what names others ask for something of the file: as `export {…}` says, and as it is declared
/// when that says so too.
std::vector<std::string> offered_names(const FileFacts& facts, std::string_view local,
                                       bool is_offered) {
  const std::string_view top = local.substr(0, local.find('.')), rest = local.substr(top.size());
  std::vector<std::string> out;
  for (const NamedExport& named : facts.exports.named)
    if (facts.names[named.local] == top)
      out.push_back(std::string(facts.names[named.name]).append(rest));
  if (is_offered || out.empty()) out.emplace_back(local);
  sort_unique(out);
  return out;
}

Export export_of(const AnalysedFile& file, const Visible& visible, const ConstantFact& fact) {
  if (traits_of(file.language).visibility == Visibility::underscore)
    return visible.of_top_level(fact.name);
  return is_offered_here(file, fact) ? Export::by_name : Export::none;
}

void add_declarations(const AnalysedFile& file, ApiModule& out) {
  const std::vector<Export> exported = exported_declarations(file);
  for (const std::uint32_t i : public_declarations(file, exported)) {
    const DeclarationFact& fact = file.facts.declarations.all[i];
    ApiSymbol symbol = symbol_of(file.facts, fact, exported[i]);
    std::uint32_t top = i;
    while (file.facts.declarations.all[top].parent != kNone)
      top = file.facts.declarations.all[top].parent;
    for (std::string& name : offered_names(file.facts, symbol.local_name,
                                           file.facts.declarations.all[top].is_offered)) {
      symbol.local_name = std::move(name);
      out.symbols.push_back(symbol);
    }
  }
}

void add_constants(const AnalysedFile& file, ApiModule& out) {
  const Visible visible(file);
  std::set<std::string_view> taken;
  for (const ApiSymbol& symbol : out.symbols)
    taken.insert(symbol.local_name);
  std::vector<ApiSymbol> constants;
  for (const ConstantFact& fact : file.facts.declarations.constants) {
    const Export how = export_of(file, visible, fact);
    const std::string_view name = file.facts.names[fact.name];
    if (how == Export::none || taken.contains(name)) continue;
    for (std::string& offered : offered_names(file.facts, name, fact.is_offered))
      constants.push_back({.local_name = std::move(offered),
                           .kind = ApiKind::constant,
                           .start_line = fact.start_line,
                           .end_line = fact.end_line,
                           .is_in_all = how == Export::by_all});
  }
  std::ranges::move(constants, std::back_inserter(out.symbols));
}

Value symbol_document(const ApiSymbol& symbol) {
  List params;
  for (const ApiParam& param : symbol.params)
    params.emplace_back(Map{{"name", param.name},
                            {"kind", to_word(param.kind)},
                            {"has_default", param.has_default},
                            {"annotation_hash", param.annotation}});
  return Map{{"local_name", symbol.local_name},
             {"kind", to_string(symbol.kind)},
             {"start_line", number(symbol.start_line)},
             {"end_line", number(symbol.end_line)},
             {"params", std::move(params)},
             {"returns_hash", symbol.returns},
             {"exported_via", symbol.is_in_all ? "all" : "name"}};
}

/// Reads what symbol_document wrote; the first thing that is not as expected is an error.
class Reading {
 public:
  Status surface(const Value& value, ApiSurface& out) {
    for (const Value& item : list(value, "modules")) {
      ApiModule module{.module = text(item, "module"), .path = text(item, "filepath")};
      for (const Value& name : list(item, "all_declared"))
        module.all_declared.push_back(name.as_string() == nullptr ? bad() : *name.as_string());
      for (const Value& symbol : list(item, "symbols"))
        module.symbols.push_back(symbol_in(symbol));
      out.modules.push_back(std::move(module));
    }
    if (is_bad_) return fail(Code::json_invalid, "the api_surface is not as it was written");
    return {};
  }

 private:
  std::string bad() {
    is_bad_ = true;
    return {};
  }
  const Value* at(const Value& value, std::string_view key) {
    const Value* found = value.as_map() == nullptr ? nullptr : value.as_map()->find(key);
    if (found == nullptr) is_bad_ = true;
    return found;
  }
  List list(const Value& value, std::string_view key) {
    const Value* found = at(value, key);
    if (found == nullptr || found->as_list() == nullptr) is_bad_ = true;
    return is_bad_ ? List() : *found->as_list();
  }
  std::string text(const Value& value, std::string_view key) {
    const Value* found = at(value, key);
    return found == nullptr || found->as_string() == nullptr ? bad() : *found->as_string();
  }
  std::uint32_t line(const Value& value, std::string_view key) {
    const Value* found = at(value, key);
    if (found == nullptr || found->as_int() == nullptr || *found->as_int() < 0 ||
        *found->as_int() > 0xffffffff) {
      is_bad_ = true;
      return 0;
    }
    return static_cast<std::uint32_t>(*found->as_int());
  }
  bool truth(const Value& value, std::string_view key) {
    const Value* found = at(value, key);
    if (found == nullptr || found->as_bool() == nullptr) is_bad_ = true;
    return !is_bad_ && *found->as_bool();
  }
  template <class E, std::size_t N>
  E word(const Value& value, std::string_view key, const std::array<std::string_view, N>& words) {
    const auto found = std::ranges::find(words, text(value, key));
    if (found == words.end()) is_bad_ = true;
    return is_bad_ ? E{} : static_cast<E>(found - words.begin());
  }
  ApiSymbol symbol_in(const Value& value) {
    ApiSymbol out{.local_name = text(value, "local_name"),
                  .kind = word<ApiKind>(value, "kind", kKinds),
                  .start_line = line(value, "start_line"),
                  .end_line = line(value, "end_line"),
                  .is_in_all = text(value, "exported_via") == "all",
                  .returns = text(value, "returns_hash")};
    for (const Value& param : list(value, "params"))
      out.params.push_back({text(param, "name"), word<ParamKind>(param, "kind", kParamKinds),
                            truth(param, "has_default"), text(param, "annotation_hash")});
    return out;
  }

  bool is_bad_ = false;
};

}  // namespace

std::string_view to_word(syntax::ParamKind kind) {
  return kParamKinds[static_cast<std::size_t>(kind)];
}

std::string_view to_string(ApiKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::vector<Export> exported_declarations(const AnalysedFile& file) {
  const std::vector<DeclarationFact>& all = file.facts.declarations.all;
  const Visible visible(file);
  std::vector<Export> out(all.size(), Export::none);
  const bool by_underscore = traits_of(file.language).visibility == Visibility::underscore;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const DeclarationFact& fact = all[i];
    if (fact.inside_function) continue;
    if (!by_underscore) {
      if (is_offered_here(file, i)) out[i] = Export::by_name;
      continue;
    }
    if (fact.parent == kNone)
      out[i] = visible.of_top_level(fact.name);
    else if (fact.kind == DeclarationKind::method && all[fact.parent].parent == kNone &&
             visible.is_public_method(fact.name))
      out[i] = out[fact.parent];
  }
  return out;
}

std::vector<std::uint32_t> public_declarations(const AnalysedFile& file,
                                               const std::vector<Export>& exported) {
  const std::vector<DeclarationFact>& all = file.facts.declarations.all;
  const bool has_overloads = traits_of(file.language).has_overloads;
  std::vector<std::uint32_t> out;
  std::set<std::pair<NameId, std::vector<std::uint64_t>>> taken;
  const auto is_new = [&](const DeclarationFact& fact) {
    std::vector<std::uint64_t> types;
    for (std::uint32_t p = fact.params_from; has_overloads && p < fact.params_to; ++p)
      types.push_back(file.facts.declarations.params[p].annotation);
    return taken.emplace(fact.local_name, std::move(types)).second;
  };
  for (const bool overloads : {false, true})
    for (std::uint32_t i = 0; i < all.size(); ++i)
      if (exported[i] != Export::none && all[i].is_overload == overloads && is_new(all[i]))
        out.push_back(i);
  std::ranges::sort(out);
  return out;
}

ApiSurface api_surface_of(const Project& project) {
  ApiSurface out;
  for (const AnalysedFile& file : project.files) {
    if (file.facts.status != FileStatus::ok) continue;  // an unread line might export more
    ApiModule module{.module = qualname_of(file, std::string_view()), .path = file.path};
    for (const NameId name : file.facts.exports.all)
      module.all_declared.emplace_back(file.facts.names[name]);
    for (const BindingFact& binding : file.facts.references.bindings)
      if (binding.is_top)
        out.reexports.push_back(
            fmt::format("{}:{}", module.module, file.facts.names[binding.bound]));
    add_declarations(file, module);
    add_constants(file, module);
    std::ranges::sort(module.symbols, [](const ApiSymbol& a, const ApiSymbol& b) {
      return std::tie(a.start_line, a.end_line, a.local_name) <
             std::tie(b.start_line, b.end_line, b.local_name);
    });
    if (!module.symbols.empty()) out.modules.push_back(std::move(module));
  }
  sort_unique(out.reexports);
  return out;
}

Value api_surface_document(const ApiSurface& surface) {
  List modules;
  for (const ApiModule& module : surface.modules) {
    List symbols;
    for (const ApiSymbol& symbol : module.symbols)
      symbols.push_back(symbol_document(symbol));
    modules.emplace_back(Map{{"module", module.module},
                             {"filepath", module.path},
                             {"all_declared", string_list(module.all_declared)},
                             {"symbols", std::move(symbols)}});
  }
  return Map{{"modules", std::move(modules)}};
}

Result<ApiSurface> api_surface_from(const Value& value) {
  ApiSurface out;
  GH_DO(Reading().surface(value, out));
  return out;
}

Map api_surface_family(const ApiSurface& surface) {
  std::array<std::uint64_t, kKinds.size()> counts{};
  std::uint64_t total = 0;
  List items;
  for (const ApiModule& module : surface.modules) {
    for (const ApiSymbol& symbol : module.symbols) {
      ++total;
      ++counts[static_cast<std::size_t>(symbol.kind)];
      Value item = symbol_document(symbol);
      item.as_map()->set("qualname", module.module + ":" + symbol.local_name);
      item.as_map()->set("relative_path", module.path);
      item.as_map()->set("returns_annotated", !symbol.returns.empty());
      item.as_map()->erase("local_name");
      items.push_back(std::move(item));
    }
  }
  Map out = family(Map{{"modules", number(surface.modules.size())},
                       {"symbols", number(total)},
                       {"functions", number(counts[0])},
                       {"classes", number(counts[1])},
                       {"methods", number(counts[2])},
                       {"constants", number(counts[3])}},
                   std::move(items));
  out.set("reexports", string_list(surface.reexports));
  return out;
}

}  // namespace gh::analysis
