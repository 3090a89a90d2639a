#pragma once
// The open intents of an SQLite ledger as a file that a hook can look into without SQLite, which
// costs more to open than all the rest of a decision. It is believed only while the files of the
// ledger are to the byte what they were when it was made (docs/adr/0025); otherwise the ledger is
// asked.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "sys/file_part.h"

namespace gh::store {

struct FiledKey {
  std::int64_t kind = 0;
  std::string text{};
};
struct FiledIntent {
  std::int64_t fence = 0;
  std::string record{};  // as the ledger has it
  std::vector<FiledKey> keys{};
};

class WrittenIntents {
 public:
  /// `state` is the folder of the ledger. nullopt: there is none that tells what the ledger tells.
  static std::optional<WrittenIntents> open(const std::string& state);

  /// Records with one of these keys, each once and without its keys; a few others may be among
  /// them. io_error: damaged.
  Result<std::vector<FiledIntent>> with_keys(std::span<const FiledKey>) const;

 private:
  WrittenIntents(sys::PartReader file, std::uint64_t lines)
      : file_(std::move(file)), lines_(lines) {}
  struct Line {
    std::uint64_t hash = 0, offset = 0, length = 0;
  };
  Result<Line> line(std::uint64_t at) const;
  Result<std::uint64_t> first_not_below(std::uint64_t hash) const;

  sys::PartReader file_;
  std::uint64_t lines_;
};

/// Makes it anew unless there is one. A ledger that is being written to is left for later.
Status refresh_written_intents(
    const std::string& state, const std::function<Result<std::vector<FiledIntent>>()>& read_ledger);

}  // namespace gh::store
