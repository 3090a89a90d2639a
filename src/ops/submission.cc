#include <fmt/format.h>

#include "base/text.h"
#include "diff/patch.h"
#include "ops/patch_ops.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

// Somewhat above the hard limit, so that the shape gate itself refuses what is just too large and
// the submitted bytes can still be kept.
constexpr std::size_t kReadLimit = 2 * diff::kMaxPatchBytes;

}  // namespace

Result<std::string> read_submission(const std::string& file, Context& context) {
  if (file.empty())
    return fail(Code::missing_argument, "name a patch file, or - for standard input");
  if (file == "-") return context.read_input(kReadLimit);
  const std::string& path = file;  // as the person's shell sees it, whatever -C says
  const sys::FileKind kind = sys::info_follow(path).kind;
  if (kind == sys::FileKind::missing || kind == sys::FileKind::folder)
    return fail(Code::patch_missing,
                fmt::format("{} '{}'",
                            kind == sys::FileKind::folder ? "this is a folder, not a file:"
                                                          : "there is no file",
                            printable(file, 400)));
  auto bytes = sys::read_named_file(path, kReadLimit);
  if (!bytes && bytes.error().code == Code::input_unreadable)
    return fail(Code::patch_missing, bytes.error().message);
  return bytes;
}

}  // namespace gh::ops
