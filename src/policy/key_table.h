#pragma once
// A settings block as a table of keys: one row says how a key is read, shown and narrowed. The rows
// drive the loader, the did-you-mean of unknown keys and the document of effective values, so a key
// cannot exist in one and be missing in another. Private to policy.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace gh::policy {

/// Text in front of a message for a JSON pointer of the document, e.g. "gatehouse.yaml:3:5".
using PlaceOf = std::function<std::string(std::string_view pointer)>;

/// One value of the document: where it stands and what messages call it.
struct At {
  const PlaceOf* place_of;
  std::string pointer;  // RFC 6901
  std::string name;     // dotted, e.g. "patch.full_rewrite.mode"

  std::string shown_name() const;  // the document itself has no name
  At key(std::string_view key) const;
  At item(std::size_t index) const;
  tl::unexpected<Error> fail(Code, std::string_view what) const;  // "PLACE: NAME: what"
  tl::unexpected<Error> expected(std::string_view what, const Value& found) const;
  tl::unexpected<Error> unknown(std::string_view key, const std::vector<std::string>& known) const;
};

template <class Settings>
struct Key {
  std::string_view path;  // dotted: "git.path" is the key `path` inside the mapping `git`
  Status (*load)(Settings&, const Value&, const At&);
  Value (*show)(const Settings&);
  /// Moves `into` towards `asked` as far as that is stricter; false: some of it was wider.
  bool (*narrow)(Settings& into, const Settings& asked);
};

/// Not deduced, so that a plain array of rows can be passed.
template <class Settings>
using Rows = std::type_identity_t<std::span<const Key<Settings>>>;

Status load_limit(std::int64_t&, const Value&, const At&, std::int64_t max);  // 1 to max
Status load_flag(bool&, const Value&, const At&);
Result<std::string> load_text(const Value&, const At&);  // a string without control characters
Result<std::size_t> load_choice(const Value&, const At&, std::span<const std::string_view> words);

/// Names that may stand directly below `prefix` ("" or "git.").
template <class Settings>
std::vector<std::string> known_below(const Rows<Settings>& rows, std::string_view prefix) {
  std::vector<std::string> names;
  for (const auto& row : rows)
    if (row.path.starts_with(prefix)) {
      const std::string_view rest = row.path.substr(prefix.size());
      names.emplace_back(rest.substr(0, rest.find('.')));
    }
  return names;
}

/// Reads `block` into `settings`; returns the rows whose keys were given. Nesting ends with the
/// table's own, whatever the document holds.
template <class Settings>
Result<std::vector<const Key<Settings>*>> load_keys(Settings& settings, const Value& block,
                                                    const At& at, const Rows<Settings>& rows,
                                                    std::string_view prefix = "") {
  const Map* map = block.as_map();
  if (map == nullptr) return at.fail(Code::policy_not_object, "expected a mapping of keys");
  std::vector<const Key<Settings>*> given;
  for (const auto& [name, value] : map->entries()) {
    const std::string path = std::string(prefix) + name;
    const bool is_plain = name.find('.') == std::string::npos;  // groups nest, keys have no dots
    const auto row = std::ranges::find(rows, path, &Key<Settings>::path);
    if (is_plain && row != rows.end()) {
      GH_DO(row->load(settings, value, at.key(name)));
      given.push_back(&*row);
      continue;
    }
    const bool is_group = is_plain && std::ranges::any_of(rows, [&](const Key<Settings>& r) {
                            return r.path.starts_with(path + ".");
                          });
    if (!is_group) return at.unknown(name, known_below<Settings>(rows, prefix));
    GH_TRY(nested, load_keys(settings, value, at.key(name), rows, path + "."));
    given.insert(given.end(), nested.begin(), nested.end());
  }
  return given;
}

/// Puts `value` at a dotted path; groups on the way are made.
void set_at(Map&, std::string_view path, Value value);

/// Every key with its value, groups as nested mappings.
template <class Settings>
Value show_keys(const Settings& settings, const Rows<Settings>& rows) {
  Map out;
  for (const auto& row : rows)
    if (row.show != nullptr) set_at(out, row.path, row.show(settings));
  return out;
}

}  // namespace gh::policy
