#include "model/value.h"

#include <algorithm>
#include <array>

namespace gh {

Map::Map(std::initializer_list<Given> entries) {
  entries_.reserve(entries.size());
  for (const Given& given : entries)
    entries_.emplace_back(std::move(given.key), std::move(given.value));
}

Map::Map(std::vector<std::pair<std::string, Value>> unique_entries)
    : entries_(std::move(unique_entries)) {}

Map& Map::set(std::string key, Value value) {
  if (Value* held = find(key)) {
    *held = std::move(value);
  } else {
    entries_.emplace_back(std::move(key), std::move(value));
  }
  return *this;
}

const Value* Map::find(std::string_view key) const {
  const auto it =
      std::ranges::find(entries_, key, [](const auto& e) { return std::string_view(e.first); });
  return it == entries_.end() ? nullptr : &it->second;
}

Value* Map::find(std::string_view key) {
  return const_cast<Value*>(std::as_const(*this).find(key));
}

bool Map::erase(std::string_view key) {
  return std::erase_if(entries_, [&](const auto& e) { return e.first == key; }) > 0;
}

std::size_t Map::size() const { return entries_.size(); }

bool Map::operator==(const Map& other) const {
  if (entries_.size() != other.entries_.size()) return false;
  return std::ranges::all_of(entries_, [&](const auto& e) {
    const Value* theirs = other.find(e.first);
    return theirs != nullptr && *theirs == e.second;
  });
}

std::string_view type_name(const Value& v) {
  static constexpr std::array<std::string_view, 8> kNames{"null",   "bool",   "integer", "decimal",
                                                          "number", "string", "list",    "mapping"};
  return kNames[v.data().index()];
}

Value string_list(const std::vector<std::string>& items) {
  List out;
  out.reserve(items.size());
  for (const std::string& item : items)
    out.emplace_back(item);
  return out;
}

}  // namespace gh
