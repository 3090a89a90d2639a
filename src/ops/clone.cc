#include "ops/clone.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/text.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::string_view kNone = "none";
constexpr std::size_t kDigits = 32, kMostBytes = 256;

std::string file_in(const std::string& state_dir) { return state_dir + "/clone"; }
/// Another name of the same file: whoever loses the first stays who it is.
std::string kept_in(const std::string& state_dir) { return state_dir + "/clone.kept"; }

}  // namespace

std::string clone_id(const std::string& state_dir) {
  const bool is_lost = sys::info(file_in(state_dir)).kind == sys::FileKind::missing;
  const std::string file = is_lost ? kept_in(state_dir) : file_in(state_dir);
  const sys::FileInfo info = sys::info(file);
  if (info.kind != sys::FileKind::file) return std::string(kNone);
  const auto word = sys::read_file(file, kMostBytes);
  if (!word || word->empty()) return std::string(kNone);
  return digest_of(fmt::format("{}\n{}", *word, info.inode)).hex().substr(0, kDigits);
}

Result<std::string> needed_clone_id(const std::string& state_dir, sys::Env& env) {
  if (std::string known = clone_id(state_dir); known != kNone) {
    const bool is_lost = sys::info(file_in(state_dir)).kind == sys::FileKind::missing;
    if (is_lost) GH_DO(sys::place_file(kept_in(state_dir), file_in(state_dir)));
    return known;
  }
  const std::string made = fmt::format("{}.{}", file_in(state_dir), env.random_hex(8));
  GH_DO(sys::make_folders(state_dir));
  GH_DO(sys::write_file_atomic(made, env.random_hex(kDigits)));
  const Status placed = sys::place_file(made, file_in(state_dir));  // the first one stays
  (void)::unlink(made.c_str());
  GH_DO(placed);
  std::string id = clone_id(state_dir);
  if (id != kNone) {
    (void)::unlink(kept_in(state_dir).c_str());  // of an earlier one, which was damaged
    GH_DO(sys::place_file(file_in(state_dir), kept_in(state_dir)));
    return id;
  }
  return fail(Code::io_error, fmt::format("{} is no file that says which clone this is; remove it",
                                          printable(file_in(state_dir), 400)));
}

}  // namespace gh::ops
