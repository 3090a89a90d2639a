#include "analysis/short_ids.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"

namespace gh::analysis {
namespace {

struct ShortForm {
  std::string_view prefix, alias;
  bool is_key;  // the rest is a hash that is cut; else a name of which the leaf stays
};
// table: short ids
constexpr std::array<ShortForm, 7> kForms{{
    {"clone:function:", "fn:", true},
    {"clone:block:", "blk:", true},
    {"clone:segment:", "seg:", true},
    {"clone:near_miss:", "near:", true},
    {"structural:", "struct:", true},
    {"dead_code:", "dead:", false},
    {"design:", "design:", false},
}};
constexpr std::size_t kFirst = 6, kStep = 2;

std::string leaf(std::string_view qualname) {
  const std::size_t at = qualname.find_last_of(":.");
  return std::string(at == std::string_view::npos ? qualname : qualname.substr(at + 1));
}

/// A cycle keeps a leaf for each of its members.
std::string leaves(std::string_view subject) {
  constexpr std::string_view kArrow = " -> ";
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t end = subject.find(kArrow, at);
    out += leaf(subject.substr(at, end - at));
    if (end == std::string_view::npos) return out;
    out += kArrow;
    at = end + kArrow.size();
  }
}

/// The id in the parts that its short form is made of.
struct Parts {
  std::string front, rest;  // "fn:", the key; "design:complexity:", the subject
  bool is_key = false;
};

Parts parts_of(const std::string& id) {
  for (const ShortForm& form : kForms) {
    if (!id.starts_with(form.prefix)) continue;
    Parts out{std::string(form.alias), id.substr(form.prefix.size()), form.is_key};
    const bool has_kind = form.prefix == "structural:" || form.prefix == "design:";
    if (const std::size_t colon = out.rest.find(':'); has_kind && colon != std::string::npos) {
      out.front += out.rest.substr(0, colon + 1);
      out.rest.erase(0, colon + 1);
    }
    return out;
  }
  return {"", id, false};
}

/// `level` 0 is the shortest form; a key grows with each, a name is whole from 1 on.
std::string form_of(const Parts& parts, std::size_t level) {
  if (parts.is_key) return parts.front + parts.rest.substr(0, kFirst + kStep * level);
  return parts.front + (level == 0 ? leaves(parts.rest) : parts.rest);
}

}  // namespace

ShortIds short_ids(const std::vector<std::string>& canonical) {
  ShortIds out;
  std::vector<std::pair<std::string, Parts>> open;
  for (const std::string& id : canonical)
    if (out.emplace(id, "").second) open.emplace_back(id, parts_of(id));
  for (std::size_t level = 0; !open.empty(); ++level) {
    std::map<std::string, int> taken;
    for (const auto& [id, parts] : open)
      ++taken[form_of(parts, level)];
    std::erase_if(open, [&](const auto& entry) {
      const std::string form = form_of(entry.second, level);
      // The whole id is unique, however alike the shorter forms are.
      const bool whole = form.size() >= entry.second.front.size() + entry.second.rest.size();
      if (taken[form] > 1 && !whole) return false;
      out[entry.first] = form;
      return true;
    });
  }
  return out;
}

ShortIds short_ids_among(std::vector<std::string> wanted, std::string_view all) {
  // Forms that differ at the first level differ at each: only ids that look alike there matter.
  std::set<std::string> forms;
  for (const std::string& id : wanted)
    forms.insert(form_of(parts_of(id), 0));
  while (!wanted.empty() && !all.empty()) {
    const std::size_t end = all.find(kIdEnd);
    std::string id(all.substr(0, end));
    if (forms.contains(form_of(parts_of(id), 0))) wanted.push_back(std::move(id));
    all.remove_prefix(end == all.npos ? all.size() : end + 1);
  }
  return short_ids(wanted);
}

}  // namespace gh::analysis
