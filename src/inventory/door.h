#pragma once
// `gatehouse release inventory`: the one release command that starts a program or uses the network,
// and only because a person typed it. Nothing else calls it.
#include "ops/operation.h"

namespace gh::inventory {

Result<ops::Reply> open_inventory(const ops::Request&, ops::Context&);

}  // namespace gh::inventory
