#pragma once
// The open intents of a ledger as a file that a hook can look into without SQLite, which costs more
// to open than all the rest of a decision, and without a server, for which it must not wait
// (docs/formats/intent-mirror.md). Only the records that are asked for are read.
//
// Of an SQLite ledger the file is believed while the files of the ledger are to the byte what they
// were when it was made (docs/adr/0025), else the ledger is asked; of a ledger on a server it says
// when it was made.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"

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

class IntentFile {
 public:
  /// Exactly so many bytes, or an error.
  using Read = std::function<Result<std::string>(std::uint64_t offset, std::size_t bytes)>;
  /// io_error: it is no such file.
  static Result<IntentFile> over(Read);

  const std::string& stamp() const { return stamp_; }  // what it says of its origin
  /// Records with one of these keys, each once and without its keys; a few others may be among
  /// them. io_error: damaged.
  Result<std::vector<FiledIntent>> with_keys(std::span<const FiledKey>) const;

 private:
  IntentFile(Read read, std::uint64_t lines, std::string stamp)
      : read_(std::move(read)), lines_(lines), stamp_(std::move(stamp)) {}
  struct Line {
    std::uint64_t hash = 0, offset = 0, length = 0;
  };
  Result<Line> line(std::uint64_t at) const;
  Result<std::uint64_t> first_not_below(std::uint64_t hash) const;

  Read read_;
  std::uint64_t lines_;
  std::string stamp_;
};

/// All of its bytes. The stamp has one line.
std::string intent_file_text(const std::vector<FiledIntent>&, std::string_view stamp);

/// `state` is the folder of the ledger. nullopt: there is none that tells what the ledger tells.
std::optional<IntentFile> open_file_of_ledger(const std::string& state);
/// Makes it anew unless there is one. A ledger that is being written to is left for later.
Status refresh_file_of_ledger(const std::string& state,
                              const std::function<Result<std::vector<FiledIntent>>()>& read_ledger);

/// The file of a ledger on a server.
struct IntentMirror {
  IntentFile file;
  Timestamp written_at{};
};
/// ledger_unavailable: there is none, it is damaged, or others can write it.
Result<IntentMirror> open_mirror(const std::string& state);
Status write_mirror(const std::string& state, const std::vector<FiledIntent>&, Timestamp now);

}  // namespace gh::store
