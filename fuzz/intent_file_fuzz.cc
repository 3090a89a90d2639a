// The file of open intents that hooks read: whatever its bytes are, it is refused or answers within
// its own size; and what was written is found again by each of its keys.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "fuzz/require.h"
#include "store/intent_file.h"

namespace {

using namespace gh;
using store::FiledIntent;
using store::FiledKey;
using store::IntentFile;

IntentFile::Read bytes_of(std::string_view bytes) {
  return [bytes](std::uint64_t offset, std::size_t count) -> Result<std::string> {
    if (offset > bytes.size() || count > bytes.size() - offset)
      return fail(Code::io_error, "the file ends before");
    return std::string(bytes.substr(offset, count));
  };
}

void read_any(std::string_view bytes) {
  const auto file = IntentFile::over(bytes_of(bytes));
  if (!file) return;
  const std::array keys{FiledKey{1, "src/a.c"}, FiledKey{2, "s1"}, FiledKey{0, ""}};
  const auto found = file->with_keys(keys);
  if (!found) return;
  for (const FiledIntent& one : *found)
    REQUIRE(one.record.size() < bytes.size() && one.keys.empty());
}

/// Each line is a record; its words are its keys.
void write_and_read(std::string_view text) {
  std::vector<FiledIntent> intents;
  for (const std::string_view line : split(text, '\n')) {
    FiledIntent one{static_cast<std::int64_t>(intents.size()), std::string(line), {}};
    for (const std::string_view word : split(line, ' '))
      one.keys.push_back({static_cast<std::int64_t>(word.size() % 3), std::string(word)});
    intents.push_back(std::move(one));
  }
  const std::string bytes = store::intent_file_text(intents, "stamp");
  const auto file = IntentFile::over(bytes_of(bytes));
  REQUIRE(file && file->stamp() == "stamp");
  for (const FiledIntent& one : intents)
    for (const FiledKey& key : one.keys) {
      const auto found = file->with_keys(std::array{key});
      REQUIRE(found);
      REQUIRE(std::ranges::any_of(*found, [&](const FiledIntent& other) {
        return other.fence == one.fence && other.record == one.record;
      }));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMost = 1u
                                << 12;  // each key is looked up: more takes long and finds no more
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0)
    read_any(text);
  else
    write_and_read(text.substr(0, kMost));
  return 0;
}
