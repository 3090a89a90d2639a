#pragma once
// The door behind `gatehouse serve`: reads what is asked for, opens the HTTP server, and stays
// until it is told to stop. Listens on loopback unless tokens protect it.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "ops/operation.h"

namespace gh::serve {

struct ListenAddress {
  std::string host;  // numeric, without brackets
  std::uint16_t port = 0;
  bool is_loopback = false;
};
/// `127.0.0.1:8930`, `[::1]:0`, `localhost:8930`; bad_argument for anything else.
Result<ListenAddress> read_listen(std::string_view);

Result<ops::Reply> open_serve(const ops::Request&, ops::Context&);

}  // namespace gh::serve
