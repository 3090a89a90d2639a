// Command lines of anybody: read within limits, the same answer twice, and whatever is said to be
// read-only has no word of a redirection to a file in it.
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"
#include "shell/classify.h"
#include "shell/patch_text.h"
#include "shell/script.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::shell;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Script script = read_script(text);
  REQUIRE(script.commands.size() <= kMaxCommands);
  std::size_t bytes = 0;
  for (const Command& command : script.commands) {
    REQUIRE(!command.is_empty());
    for (const Word& word : command.words)
      bytes += word.text.size();
  }
  // A text inside of backquotes is counted once for each level that it stands in.
  REQUIRE(bytes <= size * kMaxDepth);
  const Reading reading = classify(text), again = classify(text);
  REQUIRE(reading.shell_class == again.shell_class && reading.writes == again.writes);
  REQUIRE((reading.shell_class == ShellClass::opaque) == !reading.why.empty());
  REQUIRE(reading.shell_class != ShellClass::read_only || reading.writes.empty());
  if (script.defect) REQUIRE(reading.shell_class == ShellClass::opaque);
  if (reading.shell_class == ShellClass::read_only)
    for (const Command& command : script.commands)
      for (const Redirection& redirection : command.redirections)
        REQUIRE(redirection.kind != RedirectKind::write ||
                redirection.target.text.starts_with("/dev/") || redirection.target.text.empty());
  const PatchText patch = read_patch_text(text);
  REQUIRE(patch.paths.size() <= kMaxPatchPaths);
  for (const std::string& path : patch.paths)
    REQUIRE(!path.empty() && path.size() <= kMaxPatchPath && path.find('\n') == path.npos);
  return 0;
}
