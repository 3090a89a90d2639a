#pragma once
// Members of documents that we wrote ourselves: what is missing or of another type reads as empty.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh {

inline std::string text_in(const Map& map, std::string_view key) {
  const Value* value = map.find(key);
  return value != nullptr && value->as_string() != nullptr ? *value->as_string() : std::string();
}

inline std::string text_in(const Value& document, std::string_view key) {
  return document.as_map() == nullptr ? std::string() : text_in(*document.as_map(), key);
}

inline std::int64_t number_in(const Map& map, std::string_view key) {
  const Value* value = map.find(key);
  return value != nullptr && value->as_int() != nullptr ? *value->as_int() : 0;
}

inline std::vector<std::string> texts_in(const Value& document, std::string_view key) {
  const Map* map = document.as_map();
  const Value* list = map == nullptr ? nullptr : map->find(key);
  std::vector<std::string> out;
  if (list != nullptr && list->as_list() != nullptr)
    for (const Value& item : *list->as_list())
      if (item.as_string() != nullptr) out.push_back(*item.as_string());
  return out;
}

}  // namespace gh
