#pragma once
// The one model of JSON and YAML documents.
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gh {

/// int64 times 10^-4; the only fraction in our own documents.
struct Decimal {
  std::int64_t ten_thousandths = 0;
  auto operator<=>(const Decimal&) const = default;
};

/// A number of an outside document that is no int64: a double with its source text.
struct Number {
  double value = 0;
  std::string text;
  bool operator==(const Number& o) const { return text == o.text; }
};

class Value;
using List = std::vector<Value>;

/// Keys in insertion order; the canonical writer sorts them. `set` replaces an existing key.
class Map {
 public:
  Map() = default;
  struct Given;  // a key and a value that moves in; elements of an initializer list are const
  Map(std::initializer_list<Given> entries);
  explicit Map(std::vector<std::pair<std::string, Value>> unique_entries);  // linear, unlike `set`
  Map& set(std::string key, Value value);
  const Value* find(std::string_view key) const;  // nullptr when absent
  Value* find(std::string_view key);
  bool erase(std::string_view key);
  const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  bool operator==(const Map&) const;  // by key, not by order

 private:
  std::vector<std::pair<std::string, Value>> entries_;
};

class Value {
 public:
  using Data =
      std::variant<std::nullptr_t, bool, std::int64_t, Decimal, Number, std::string, List, Map>;

  Value() : data_(nullptr) {}
  Value(std::nullptr_t) : data_(nullptr) {}             // NOLINT(google-explicit-constructor)
  Value(bool v) : data_(v) {}                           // NOLINT(google-explicit-constructor)
  Value(int v) : data_(std::int64_t{v}) {}              // NOLINT(google-explicit-constructor)
  Value(std::int64_t v) : data_(v) {}                   // NOLINT(google-explicit-constructor)
  Value(Decimal v) : data_(v) {}                        // NOLINT(google-explicit-constructor)
  Value(Number v) : data_(std::move(v)) {}              // NOLINT(google-explicit-constructor)
  Value(const char* v) : data_(std::string(v)) {}       // NOLINT(google-explicit-constructor)
  Value(std::string_view v) : data_(std::string(v)) {}  // NOLINT(google-explicit-constructor)
  Value(std::string v) : data_(std::move(v)) {}         // NOLINT(google-explicit-constructor)
  Value(List v) : data_(std::move(v)) {}                // NOLINT(google-explicit-constructor)
  Value(Map v) : data_(std::move(v)) {}                 // NOLINT(google-explicit-constructor)

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(data_); }
  const bool* as_bool() const { return std::get_if<bool>(&data_); }
  const std::int64_t* as_int() const { return std::get_if<std::int64_t>(&data_); }
  const std::string* as_string() const { return std::get_if<std::string>(&data_); }
  const List* as_list() const { return std::get_if<List>(&data_); }
  List* as_list() { return std::get_if<List>(&data_); }
  const Map* as_map() const { return std::get_if<Map>(&data_); }
  Map* as_map() { return std::get_if<Map>(&data_); }
  const Data& data() const { return data_; }
  bool operator==(const Value&) const = default;

 private:
  Data data_;
};

struct Map::Given {
  Given(std::string k, Value v) : key(std::move(k)), value(std::move(v)) {}
  mutable std::string key;
  mutable Value value;
};

/// "null", "bool", "integer", "decimal", "number", "string", "list", "mapping": for messages.
std::string_view type_name(const Value&);

/// A list of strings as a Value.
Value string_list(const std::vector<std::string>&);

}  // namespace gh
