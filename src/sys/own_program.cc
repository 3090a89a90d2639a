#include "sys/own_program.h"

#include "sys/files.h"

namespace gh::sys {

Result<std::string> called_program() {
  GH_TRY(self, real_path("/proc/self/exe"));
  const std::size_t name = self.rfind('/') + 1;
  if (std::string_view(self).substr(name) != kWholeProgram) return self;
  std::string front = self.substr(0, name) + std::string(kFront);
  return info_follow(front).kind == FileKind::file ? front : self;
}

}  // namespace gh::sys
