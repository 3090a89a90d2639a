#pragma once
// The schema of a tool's input or output. Copies share it: thousands of operations of one document
// often name the same few.
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "model/value.h"

namespace gh::surface {

/// First 16 hex digits of SHA-256 of an identity text.
std::string identity_hash(std::string_view text);
/// The same of a value.
std::string stable_hash(const Value&);
std::string stable_hash(const Map&);
/// The same of a text, which is null when it is empty.
std::string text_hash(std::string_view text);
inline constexpr std::string_view kNotIdentity[] = {"default_severity", "observed",
                                                    "source_provenance"};

class Schema {
 public:
  Schema();
  Schema(Map map);  // NOLINT(google-explicit-constructor)

  const Value& value() const { return held_->value; }
  operator const Value&() const { return value(); }  // NOLINT(google-explicit-constructor)
  const Map& map() const { return *value().as_map(); }
  const Value* find(std::string_view key) const { return map().find(key); }
  bool empty() const { return map().empty(); }
  const std::string& hash() const;  // stable_hash, worked out once, also by threads at once
  /// The text that is hashed; the hash is known afterwards.
  void append_identity(std::string& out) const;
  bool operator==(const Schema& o) const { return held_ == o.held_ || value() == o.value(); }

 private:
  struct Held {
    Value value{};
    std::once_flag once{};
    std::string hash{};
  };
  std::shared_ptr<Held> held_;
};

}  // namespace gh::surface
