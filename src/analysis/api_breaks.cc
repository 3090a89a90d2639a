#include "analysis/api_breaks.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "analysis/clones.h"
#include "analysis/finding.h"
#include "syntax/languages.h"

namespace gh::analysis {
namespace {

using syntax::ParamKind;

// table: api change kinds
constexpr std::array<std::string_view, 2> kChangeKinds{"removed", "signature_break"};

/// Parameters as a call can reach them: by place, by name, or collected.
struct Signature {
  std::vector<const ApiParam*> placed{}, named{};
  const ApiParam *rest = nullptr, *rest_by_name = nullptr;

  explicit Signature(const std::vector<ApiParam>& params) {
    for (const ApiParam& param : params) {
      if (param.kind <= ParamKind::pos_or_kw) placed.push_back(&param);
      if (param.kind == ParamKind::kw_only) named.push_back(&param);
      if (param.kind == ParamKind::vararg) rest = &param;
      if (param.kind == ParamKind::kwarg) rest_by_name = &param;
    }
  }

  const ApiParam* called(std::string_view name) const {
    for (const auto* list : {&placed, &named})
      for (const ApiParam* param : *list)
        if (param->name == name) return param;
    return nullptr;
  }

  /// Is a call that gave this parameter still accepted without it?
  bool absorbs(ParamKind kind) const {
    if (kind == ParamKind::pos_only) return rest != nullptr;
    if (kind == ParamKind::kw_only) return rest_by_name != nullptr;
    return kind == ParamKind::pos_or_kw && rest != nullptr && rest_by_name != nullptr;
  }
};

/// What it is called; by its place, from 1, where it has no name.
std::string label(const ApiParam& param, std::size_t place) {
  return param.name.empty() ? fmt::format("parameter {}", place) : param.name;
}

/// One parameter that is in both.
std::string param_break(const ApiParam& before, const ApiParam& after, std::size_t place = 0) {
  const bool is_wider = before.kind == ParamKind::pos_only && after.kind == ParamKind::pos_or_kw;
  if (before.kind != after.kind && !is_wider)
    return fmt::format("{} changed from {} to {}", label(before, place), to_word(before.kind),
                       to_word(after.kind));
  if (before.name != after.name && before.kind != ParamKind::pos_only)
    return fmt::format("{} was renamed to {}", before.name, after.name);
  if (before.has_default && !after.has_default)
    return fmt::format("{} became required", label(before, place));
  return {};
}

std::string gone(const ApiParam& param, std::size_t place = 0) {
  const bool is_rest = param.name.empty() && param.kind == ParamKind::vararg;
  return fmt::format("{} was removed", is_rest ? "..." : label(param, place));
}

std::string placed_break(const Signature& before, const Signature& after) {
  for (std::size_t i = 0; i < before.placed.size(); ++i) {
    const ApiParam& old = *before.placed[i];
    std::string found;
    if (i < after.placed.size()) {
      found = param_break(old, *after.placed[i], i + 1);
    } else if (const ApiParam* moved = after.called(old.name);
               moved != nullptr && moved->kind == ParamKind::kw_only) {
      found = param_break(old, *moved);
    } else if (!after.absorbs(old.kind)) {
      found = gone(old, i + 1);
    }
    if (!found.empty()) return found;
  }
  for (std::size_t i = before.placed.size(); i < after.placed.size(); ++i)
    if (const ApiParam& added = *after.placed[i];
        !added.has_default && (added.name.empty() || before.called(added.name) == nullptr))
      return fmt::format("{} was added and is required", label(added, i + 1));
  return {};
}

std::string named_break(const Signature& before, const Signature& after) {
  std::vector<const ApiParam*> added;
  for (const ApiParam* param : after.named)
    if (before.called(param->name) == nullptr) added.push_back(param);
  for (const ApiParam* old : before.named) {
    if (const ApiParam* same = after.called(old->name)) {
      if (std::string found = param_break(*old, *same); !found.empty()) return found;
      continue;
    }
    if (after.absorbs(old->kind)) continue;
    const bool is_renamed = added.size() == 1 && before.named.size() == after.named.size();
    return is_renamed ? fmt::format("{} was renamed to {}", old->name, added[0]->name) : gone(*old);
  }
  for (const ApiParam* param : added)
    if (!param->has_default) return fmt::format("{} was added and is required", param->name);
  return {};
}

std::string rest_break(const ApiParam* before, const ApiParam* after) {
  if (before == nullptr) return {};
  return after == nullptr ? gone(*before) : param_break(*before, *after);
}

std::string annotation_break(const ApiSymbol& before, const ApiSymbol& after) {
  for (const ApiParam& param : before.params)
    for (const ApiParam& other : after.params)
      if (param.name == other.name && param.annotation != other.annotation)
        return fmt::format("the annotation of {} changed", param.name);
  return before.returns == after.returns ? std::string() : "the annotation of the result changed";
}

struct Located {
  const ApiModule* module;
  const ApiSymbol* symbol;
};
/// Files of one name in two languages are two modules to their callers, whatever the qualname.
struct Named {
  std::string qualname;
  int family;
  auto operator<=>(const Named&) const = default;
};
using ByQualname = std::map<Named, std::vector<Located>>;  // several: overloads

ByQualname by_qualname(const ApiSurface& surface) {
  ByQualname out;
  for (const ApiModule& module : surface.modules) {
    const auto language = syntax::language_of_path(module.path);
    const int family = language ? clone_family(*language) : -1;
    for (const ApiSymbol& symbol : module.symbols)
      out[{module.module + ":" + symbol.local_name, family}].push_back({&module, &symbol});
  }
  return out;
}

/// A symbol that its module now has from elsewhere has only moved, with its members.
bool has_moved(const std::string& qualname, const ApiSurface& now) {
  const std::size_t member = qualname.find('.', qualname.find(':'));
  return std::ranges::binary_search(now.reexports, qualname.substr(0, member));
}

ApiChange change_of(const std::string& qualname, const Located& at, ApiChangeKind kind,
                    std::string detail) {
  return {.path = at.module->path,
          .qualname = qualname,
          .detail = std::move(detail),
          .start_line = at.symbol->start_line,
          .end_line = at.symbol->end_line,
          .kind = kind};
}

}  // namespace

std::string_view to_string(ApiChangeKind kind) {
  return kChangeKinds[static_cast<std::size_t>(kind)];
}

Map ApiChange::document() const {
  return Map{{"qualname", qualname},
             {"relative_path", path},
             {"start_line", number(start_line)},
             {"end_line", number(end_line)},
             {"change_kind", to_string(kind)},
             {"detail", detail}};
}

std::string signature_break(const ApiSymbol& before, const ApiSymbol& after, bool strict_types) {
  if (before.kind != after.kind)
    return fmt::format("changed from {} to {}", to_string(before.kind), to_string(after.kind));
  const Signature old(before.params), now(after.params);
  for (std::string found :
       {placed_break(old, now), named_break(old, now), rest_break(old.rest, now.rest),
        rest_break(old.rest_by_name, now.rest_by_name)})
    if (!found.empty()) return found;
  return strict_types ? annotation_break(before, after) : std::string();
}

namespace {

/// A call of one of several functions of a name may go to any of them now.
std::pair<std::string, const Located*> least_break(const Located& was,
                                                   const std::vector<Located>& candidates,
                                                   bool strict_types) {
  std::pair<std::string, const Located*> out{{}, nullptr};
  for (const Located& candidate : candidates) {
    std::string detail = signature_break(*was.symbol, *candidate.symbol, strict_types);
    if (detail.empty()) return {std::string(), &candidate};
    if (out.second == nullptr) out = {std::move(detail), &candidate};
  }
  return out;
}

}  // namespace

ApiDifference compare_api(const ApiSurface& before, const ApiSurface& after, bool strict_types,
                          const std::vector<std::string>& unclear) {
  ApiDifference out;
  const ByQualname old = by_qualname(before), now = by_qualname(after);
  for (const auto& [name, before_all] : old)
    for (const Located& was : before_all) {
      if (std::ranges::binary_search(unclear, was.module->path)) continue;
      const std::string& qualname = name.qualname;
      const auto at = now.find(name);
      if (at == now.end()) {
        if (!has_moved(qualname, after))
          out.breaking.push_back(change_of(qualname, was, ApiChangeKind::removed, "was removed"));
        continue;
      }
      auto [detail, nearest] = least_break(was, at->second, strict_types);
      if (!detail.empty())
        out.breaking.push_back(
            change_of(qualname, *nearest, ApiChangeKind::signature_break, std::move(detail)));
    }
  for (const auto& [name, at] : now)
    if (!old.contains(name)) out.added.push_back(name.qualname);
  std::ranges::sort(out.breaking, [](const ApiChange& a, const ApiChange& b) {
    return std::tie(a.path, a.start_line, a.end_line, a.qualname, a.kind) <
           std::tie(b.path, b.start_line, b.end_line, b.qualname, b.kind);
  });
  return out;
}

}  // namespace gh::analysis
