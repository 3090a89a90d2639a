// A note of git, written by anybody: what is read of it has the digest it says, each once; and a
// receipt that is added is there, with every line that was there before, once more or not at all.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "fuzz/require.h"
#include "runs/receipt.h"
#include "runs/receipt_note.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::runs;
  const std::string_view note{reinterpret_cast<const char*>(data), size};
  std::string last;
  for (const NotedReceipt& noted : read_note(note)) {
    REQUIRE(receipt_digest(noted.receipt) == noted.digest);
    REQUIRE(last < noted.digest);
    last = noted.digest;
  }
  const gh::Map receipt{{"schema", "gatehouse.receipt/1"}, {"kind", "change"}};
  const std::string with = note_with(note, receipt, false);
  REQUIRE(gh::contains(with, note_line(receipt, false)));
  REQUIRE(note_with(with, receipt, false) == with);
  return 0;
}
