#pragma once
// Reading a document without asking at every step whether the step is there: what is missing, or of
// another type, reads as empty.
#include <cstdint>
#include <string_view>

#include "model/value.h"

namespace gh {

class Peek {
 public:
  explicit Peek(const Value* value) : value_(value) {}
  explicit Peek(const Value& value) : value_(&value) {}
  Peek operator[](std::string_view key) const {
    const Map* map = value_ != nullptr ? value_->as_map() : nullptr;
    return Peek(map != nullptr ? map->find(key) : nullptr);
  }
  bool exists() const { return value_ != nullptr && !value_->is_null(); }
  std::string_view text() const {
    const std::string* s = value_ != nullptr ? value_->as_string() : nullptr;
    return s != nullptr ? std::string_view(*s) : std::string_view();
  }
  std::int64_t number() const {
    const std::int64_t* n = value_ != nullptr ? value_->as_int() : nullptr;
    return n != nullptr ? *n : 0;
  }
  /// A fraction, also when it was written as a whole number.
  Decimal decimal() const {
    if (value_ == nullptr) return {};
    if (const Decimal* d = std::get_if<Decimal>(&value_->data())) return *d;
    return {number() * 10'000};
  }
  bool is_true() const {
    const bool* b = value_ != nullptr ? value_->as_bool() : nullptr;
    return b != nullptr && *b;
  }
  const List& list() const {
    static const List none;
    const List* l = value_ != nullptr ? value_->as_list() : nullptr;
    return l != nullptr ? *l : none;
  }
  const Map& map() const {
    static const Map none;
    const Map* m = value_ != nullptr ? value_->as_map() : nullptr;
    return m != nullptr ? *m : none;
  }

 private:
  const Value* value_;
};

}  // namespace gh
