#pragma once
// Memory for a command that will need much of it.
#include <cstddef>

namespace gh::sys {

/// The process will soon hold about that many bytes. They are asked for at once, in large pages
/// where the system has them, and are kept until the process ends. A hint, for commands that end
/// soon; not for servers.
void expect_memory(std::size_t bytes);

}  // namespace gh::sys
