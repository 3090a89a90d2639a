#pragma once
// `gatehouse comment post`: puts the comment below the change on its forge. With `serve` and
// `release inventory` the only command that uses the network; its token comes from a variable.
#include "ops/operation.h"

namespace gh::forge {

Result<ops::Reply> open_comment_post(const ops::Request&, ops::Context&);

}  // namespace gh::forge
