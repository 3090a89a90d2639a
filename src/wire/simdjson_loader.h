#pragma once
#include "base/error.h"

namespace gh::wire {

/// Debian has simdjson as a shared library only. It is loaded when the first JSON text is read:
/// most commands read none, and loading it with the program would double their start-up time
/// (docs/adr/0004). Must have succeeded before anything of simdjson is called.
Status load_simdjson();

}  // namespace gh::wire
