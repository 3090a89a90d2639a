#pragma once
// What an open record tells without being read: a head that says who holds it and until when, and
// the keys it is found by. Whoever asks for records that may meet a scope gets at least those that
// do; what they mean is decided by reading them (control/conflicts.h).
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/intent.h"

namespace gh::control {

/// A record without what it is about: scope, description, blast radius and snapshot are empty.
struct Head {
  Intent intent{};
  std::string scope_digest{};
};
std::string head_of(const Intent&, std::string_view scope_digest);
std::optional<Head> from_head(std::string_view);  // nullopt: damaged

/// Numbers are kept in ledgers.
// table: intent_keys
enum class KeyKind : std::int64_t {
  declared = 1,   // a path that is allowed or related
  folder = 2,     // a folder above one
  forbidden = 3,  // a pattern that forbids, the state artifacts left out: every record has them
  state = 4,      // a path that is allowed and matches a state artifact
  session = 5,    // the session of the owner
  host = 6,       // the process that started the owner, as process_key writes it
  agent = 7,      // the owner's numbers, as process_key writes them
};
struct Key {
  KeyKind kind;
  std::string text;
  auto operator<=>(const Key&) const = default;
};
std::vector<Key> keys_of(const Intent&);  // sorted, each once

/// "<pid> <start>"
std::string process_key(std::int64_t pid, std::int64_t start);

/// Where keys are asked for.
struct KeySource {
  /// Ids of the records that have one of these keys.
  std::function<Result<std::vector<std::string>>(KeyKind, std::span<const std::string>)> with{};
  /// Keys k with from <= k < to.
  std::function<Result<std::vector<std::string>>(KeyKind, std::string_view from,
                                                 std::string_view to)>
      between{};
};

/// Ids of all records that declare one of these paths, a folder above it or a path below it;
/// sorted.
Result<std::vector<std::string>> meeting_paths(std::span<const std::string> paths,
                                               const KeySource&);

/// The same for a scope, with those that one of the two forbids the other's files to. nullopt:
/// every record may be one.
Result<std::optional<std::vector<std::string>>> meeting_scope(const Scope&, const KeySource&);

}  // namespace gh::control
