#pragma once
// Whose word is a file?
#include "sys/files.h"

namespace gh::sys {

/// A regular file of the user who runs, writable by nobody else: what it says is our own word.
bool is_ours_alone(const FileInfo&);

}  // namespace gh::sys
