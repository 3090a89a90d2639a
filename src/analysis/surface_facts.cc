#include "analysis/surface_facts.h"

#include <algorithm>
#include <array>
#include <string>

#include "analysis/imports.h"
#include "analysis/imports_managed.h"
#include "analysis/references.h"
#include "analysis/surface_names.h"
#include "analysis/surface_rows.h"
#include "base/sorted.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Language;
using syntax::Tree;
namespace flag = syntax::flag;

struct GlobalRow {
  Language language;
  std::string_view prefix;
};
// Roots that hold what has a bare name as well.
// table: homes of bare names
constexpr std::array<GlobalRow, 6> kGlobals{{{Language::python, "builtins."},
                                             {Language::python, "__builtins__."},
                                             {Language::javascript, "globalThis."},
                                             {Language::javascript, "window."},
                                             {Language::javascript, "global."},
                                             {Language::java, "java.lang."}}};

// table: flags of writing
constexpr std::array<std::string_view, 5> kWriteFlags{"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC",
                                                      "O_APPEND"};
// table: calls that only look at types
constexpr std::array<std::string_view, 2> kTypeTests{"isinstance", "issubclass"};
constexpr std::string_view kWriteModes = "wax+";
constexpr std::size_t kLongestMode = 8;

Language family_of(Language language) {
  return language == Language::typescript || language == Language::tsx ? Language::javascript
                                                                       : language;
}

/// Elsewhere a dotted name may be outside of the file without an import.
bool must_import(Language language) {
  return language == Language::python || language == Language::javascript ||
         language == Language::go;
}

class Walk {
 public:
  Walk(const Tree& tree, const Bindings& bindings, NameWriter& names)
      : tree_(tree),
        names_(names),
        language_(family_of(tree.language)),
        rules_(SurfaceRules::of(tree.language)),
        called_(tree, bindings, rules_) {}

  std::vector<SurfaceFact> run(const std::vector<std::uint32_t>& declarations) {
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i)
      visit(i);
    for (const syntax::Unchecked& block : tree_.unchecked)
      add(block.start, block.end, rules_.called("unsafe"), "unsafe");
    std::ranges::stable_sort(hits_, {}, &Hit::start);
    return facts(declarations);
  }

 private:
  struct Hit {
    std::uint32_t start, end;  // bytes
    SurfaceFact fact;
  };

  void visit(std::uint32_t i) {
    switch (tree_[i].kind) {
      case Kind::If:
        if (asks_for_typing(tree_, i)) skip_typing(i);
        break;
      case Kind::Type:
        types_end_ = std::max(types_end_, tree_[i].end);
        break;
      case Kind::Import:
      case Kind::ImportFrom:
        if (i >= typing_end_) read_import(i);
        break;
      case Kind::Call:
      case Kind::New:
        if (i >= typing_end_ && tree_[i].end > i + 1) read_call(i);
        if (i >= typing_end_ && language_ == Language::python) read_arguments(i);
        break;
      case Kind::Assign:
        if (language_ == Language::cpp) read_variable(i);
        if (i >= typing_end_ && language_ == Language::python) read_assigned(i);
        break;
      default:
        break;
    }
  }

  void skip_typing(std::uint32_t i) {
    for (const std::uint32_t arm : Children(tree_, i))
      if (tree_[arm].kind == Kind::Block &&
          tree_[arm].flags == static_cast<std::uint16_t>(syntax::Arm::then))
        typing_end_ = std::max(typing_end_, tree_[arm].end);
  }

  /// A part of this project, or a file beside this one.
  bool leads_inside(std::uint32_t i) const {
    const std::uint16_t flags = tree_[i].flags;
    if (tree_[i].kind == Kind::ImportFrom) return flags != 0;
    return (flags & flag::submodule) != 0 ||
           ((flags & flag::textual) != 0 && (flags & flag::external) == 0);
  }

  void read_import(std::uint32_t i) {
    if (leads_inside(i)) return;
    const bool is_from = tree_[i].kind == Kind::ImportFrom;
    const std::string module = is_from ? called_.module_name(tree_.name(i)) : std::string();
    const std::string_view joint = language_ == Language::rust ? "::" : ".";
    bool names_some = false;
    for (const std::uint32_t name : Children(tree_, i)) {
      if (tree_[name].kind == Kind::Type) return;  // nothing of it is there at run time
      names_some = names_some || tree_[name].kind == Kind::Name;
    }
    if (is_from && !names_some) add_import(i, module, module);
    for (const std::uint32_t name : Children(tree_, i)) {
      if (tree_[name].kind != Kind::Name) continue;
      const std::string_view word = tree_.name(name);
      const bool is_module = word == "*" || word == "self" || language_ == Language::javascript;
      if (!is_from)
        add_import(i, std::string(word), word);
      else if (is_module)
        add_import(i, module, module);
      else
        add_import(i, module.empty() ? std::string(word) : module + std::string(joint).append(word),
                   module);
    }
  }

  /// `module`: what the statement names, when the row is not about a part of it.
  void add_import(std::uint32_t i, const std::string& path, std::string_view module) {
    const std::uint32_t row = rules_.imported(path);
    if (row == SurfaceRules::kNoRow) return;
    add(tree_[i].start, tree_.ends[i], row,
        module.size() >= rules_.row(row).name.size() ? module : std::string_view(path));
  }

  void read_call(std::uint32_t i) {
    const std::uint32_t callee = i + 1;
    const Kind kind = tree_[callee].kind;
    if ((kind != Kind::Name && kind != Kind::Attribute) || !called_.may_matter(callee)) return;
    if (is_importing_call(tree_, i)) {
      const std::string module = called_.module_name(import_of_call(tree_, i).module);
      if (i >= types_end_) add_import(i, module, module);
      return;
    }
    match(i, callee);
  }

  /// `map(os.system, names)`: whoever gets a callable may call it.
  void read_arguments(std::uint32_t call) {
    const bool has_callee = tree_[call].end > call + 1;
    if (has_callee && std::ranges::find(kTypeTests, tree_.name(call + 1)) != kTypeTests.end())
      return;
    for (const std::uint32_t child : Children(tree_, call)) {
      const bool is_named = tree_[child].kind == Kind::KwArg && tree_[child].end > child + 1;
      if (child != call + 1) read_value(is_named ? child + 1 : child);
    }
  }

  /// `run = os.system`.
  void read_assigned(std::uint32_t assign) {
    std::uint32_t last = 0;
    for (const std::uint32_t child : Children(tree_, assign))
      if (tree_[child].kind != Kind::Type) last = child;
    if (last != 0) read_value(last);
  }

  void read_value(std::uint32_t i) {
    const Kind kind = tree_[i].kind;
    const bool is_read = (tree_[i].flags & flag::store) == 0;
    if ((kind == Kind::Name || kind == Kind::Attribute) && is_read && i >= types_end_ &&
        called_.may_matter(i))
      match(i, i);
  }

  /// `std::ofstream out("x")` calls nothing by name but makes one.
  void read_variable(std::uint32_t i) {
    const std::uint32_t type = tree_[i].end > i + 1 ? tree_[i + 1].end : tree_[i].end;
    if (type + 1 >= tree_[i].end || tree_[type].kind != Kind::Type) return;
    const Kind kind = tree_[type + 1].kind;
    if ((kind == Kind::Name || kind == Kind::Attribute) && called_.may_matter(type + 1))
      match(i, type + 1);
  }

  struct Match {
    std::uint32_t row = SurfaceRules::kNoRow;
    bool is_imported = false, is_global = false;
  };

  Match row_of(const CalledName& name) const {
    Match out{rules_.called(name.text), name.is_imported, false};
    for (const GlobalRow& global : kGlobals) {
      if (out.row != SurfaceRules::kNoRow) return out;
      if (global.language != language_ || !name.text.starts_with(global.prefix)) continue;
      out.row = rules_.called(std::string_view(name.text).substr(global.prefix.size()));
      out.is_global = out.row != SurfaceRules::kNoRow;
    }
    if (out.row != SurfaceRules::kNoRow || name.is_imported) return out;
    for (std::size_t star = 0; star < called_.stars(); ++star)
      if (const std::uint32_t row = rules_.called(called_.in_star(star, name.text));
          row != SurfaceRules::kNoRow)
        return {row, true, false};
    return out;
  }

  void match(std::uint32_t i, std::uint32_t callee) {
    const CalledName name = called_.resolve(callee);
    if (name.text.empty()) return;
    const Match found = row_of(name);
    if (found.row == SurfaceRules::kNoRow) return;
    const SurfaceRow& row = rules_.row(found.row);
    const bool is_builtin = row.evidence == Evidence::builtin;
    if (is_builtin && found.is_imported && !found.is_global) return;
    if (!is_builtin && !found.is_imported && must_import(language_)) return;
    const bool means_other = name.is_imported
                                 ? must_import(language_) && called_.is_shadowed(name.root, i)
                                 : called_.is_own(name.root, i);
    if (means_other) return;
    std::string evidence(row.name);
    if (holds(row.when, i, evidence)) add(tree_[i].start, tree_.ends[i], found.row, evidence);
  }

  /// What the call must say besides; how it says so becomes part of the evidence.
  bool holds(When when, std::uint32_t call, std::string& evidence) const {
    if (when == When::always) return true;
    const std::uint32_t at =
        argument(call, when == When::mode_first || when == When::not_literal ? 0 : 1,
                 when == When::mode_first || when == When::mode_second);
    if (at == 0) return false;
    if (when == When::not_literal) return tree_[at].kind != Kind::Str;
    const bool is_mode = when != When::flags_second;
    const std::string_view text = is_mode ? literal_text(tree_, at) : tree_.text(at);
    if (is_mode && (tree_[at].kind != Kind::Str || text.size() > kLongestMode ||
                    text.find_first_of(kWriteModes) == std::string_view::npos))
      return false;
    if (!is_mode && std::ranges::none_of(kWriteFlags, [&](std::string_view word) {
          return text.find(word) != std::string_view::npos;
        }))
      return false;
    evidence += is_mode ? "[mode=" + std::string(text) + "]" : "[write]";
    return true;
  }

  /// By its place or, where modes have one, by its name; 0: there is none.
  std::uint32_t argument(std::uint32_t call, std::uint32_t place, bool may_be_named) const {
    std::uint32_t found = 0;
    for (const std::uint32_t child : Children(tree_, call)) {
      const Kind kind = tree_[child].kind;
      if (child == call + 1 || kind == Kind::Type) continue;
      if (kind == Kind::KwArg) {
        const bool is_it = may_be_named && tree_.name(child) == "mode";
        if (is_it && tree_[child].end > child + 1) return child + 1;
        continue;
      }
      if (kind == Kind::Star) break;
      if (place-- == 0) found = child;
    }
    return found;
  }

  void add(std::uint32_t start, std::uint32_t end, std::uint32_t row, std::string_view evidence) {
    hits_.push_back({start,
                     end,
                     {.start_line = tree_.line_at(start),
                      .end_line = tree_.line_at(end > start ? end - 1 : end),
                      .row = row,
                      .evidence = names_.id_of(evidence)}});
  }

  /// Decorators stand before what they decorate, so bytes tell where a hit is.
  std::vector<SurfaceFact> facts(const std::vector<std::uint32_t>& declarations) {
    std::vector<SurfaceFact> out;
    std::vector<std::uint32_t> open;
    std::uint32_t next = 0;
    for (Hit& hit : hits_) {
      for (; next < declarations.size() && tree_[declarations[next]].start <= hit.start; ++next)
        open.push_back(next);
      while (!open.empty() && tree_.ends[declarations[open.back()]] <= hit.start)
        open.pop_back();
      hit.fact.owner = open.empty() ? kNone : open.back();
      out.push_back(hit.fact);
    }
    sort_unique(out);
    return out;
  }

  const Tree& tree_;
  NameWriter& names_;
  Language language_;
  const SurfaceRules& rules_;
  CalledNames called_;
  std::vector<Hit> hits_{};
  std::uint32_t typing_end_ = 0, types_end_ = 0;
};

}  // namespace

std::vector<SurfaceFact> surface_facts_of(const Tree& tree, const Bindings& bindings,
                                          const std::vector<std::uint32_t>& nodes,
                                          NameWriter& names) {
  return Walk(tree, bindings, names).run(nodes);
}

}  // namespace gh::analysis
