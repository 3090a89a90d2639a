#pragma once
// Documents judged by their JSON Schemas with ajv, which is not ours.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/gatehouse_binary.h"
#include "wire/json.h"

namespace gh::testing {

inline Ran node(std::vector<std::string> args, std::string_view input = {}) {
  args.insert(args.begin(), std::filesystem::absolute(".cache/bin/node").string());
  return run_program(std::move(args), std::filesystem::current_path().string(), input);
}

/// "" when `document` conforms to the schema, else what ajv says.
inline std::string judged(const std::string& schema, const std::string& document) {
  const Ran ran =
      node({"tools/validate-json.mjs", "docs/schemas/" + schema + ".schema.json", "-"}, document);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.code == 0, ran.out.empty());
  return ran.out;
}

/// Numbers of a document that was read become decimals again, so that it can be written.
inline Value with_decimals(const Value& value) {
  if (const auto* number = std::get_if<Number>(&value.data()))
    return Decimal{static_cast<std::int64_t>(number->value * 10'000 + 0.5)};
  if (value.as_list() != nullptr) {
    List out;
    for (const Value& item : *value.as_list())
      out.push_back(with_decimals(item));
    return out;
  }
  if (value.as_map() == nullptr) return value;
  Map out;
  for (const auto& [key, member] : value.as_map()->entries())
    out.set(key, with_decimals(member));
  return out;
}

/// `document` with the member at `path` replaced; an absent value removes it.
inline std::string corrupted(const std::string& document, const std::vector<std::string_view>& path,
                             std::optional<Value> value) {
  Value root = *wire::read_json(document);
  Map* at = root.as_map();
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    at = at->find(path[i])->as_map();
  if (value)
    at->set(std::string(path.back()), *value);
  else
    EXPECT_TRUE(at->erase(path.back())) << path.back();
  return wire::canonical_json(with_decimals(root));
}

}  // namespace gh::testing
