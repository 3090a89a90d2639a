#pragma once
// May whoever asks land this patch? A person may what the patch gate lets pass; an agent needs an
// intent that holds the files, as for any other write, and moves no guarded branch.
#include <optional>
#include <string_view>

#include "ops/operation.h"

namespace gh::ops {

/// The answer in the place of that of `patch apply`; nothing where it may go on.
Result<std::optional<Reply>> agent_refusal(const Request&, std::string_view bytes, Context&);

}  // namespace gh::ops
