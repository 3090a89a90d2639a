#include "sys/private_file.h"

#include <unistd.h>

namespace gh::sys {

bool is_ours_alone(const FileInfo& seen) {
  constexpr std::uint32_t kOthersWrite = 0022;
  return seen.kind == FileKind::file && seen.owner == ::geteuid() &&
         (seen.mode & kOthersWrite) == 0;
}

}  // namespace gh::sys
