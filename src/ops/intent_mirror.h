#pragma once
// The open intents of a registry that lies on a server, as a file beside the repository: hooks read
// it, because they must not wait for a network (docs/formats/intent-mirror.md).
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace gh::ops {

struct MirroredIntent {
  std::int64_t fence = 0;
  std::string record{};  // as the registry has it
};
struct IntentMirror {
  Timestamp written_at{};
  std::vector<MirroredIntent> intents{};
};

std::string mirror_text(const IntentMirror&);
/// ledger_unavailable: damaged.
Result<IntentMirror> parse_intent_mirror(std::string_view text);

/// ledger_unavailable: there is none, it is damaged, or others can write it.
Result<IntentMirror> read_intent_mirror(const std::string& state);
Status write_intent_mirror(const std::string& state, const IntentMirror&);

}  // namespace gh::ops
