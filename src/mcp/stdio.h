#pragma once
// MCP over standard input and output: one JSON message per line (interfaces 1.4).
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mcp/endpoint.h"
#include "ops/operation.h"
#include "policy/server_policy.h"
#include "sys/files.h"

namespace gh::mcp {

/// From here on whatever anybody prints to standard output, children included, goes to standard
/// error; frames alone go where it went before.
Result<sys::Fd> take_standard_output();

struct StdioOptions {
  ServerOptions server{};
  std::size_t max_line = kMaxLineBytes;
  std::function<bool()> interrupted{};
};

/// Serves one client until it is gone, its frames cannot be written, or somebody asks to stop; then
/// cancels what runs, waits for it for two seconds at most and returns.
void serve_stdio(StdioOptions, sys::Env&, int input, sys::Fd output);

/// The server block of the first of these repositories, or of the one around; its defaults where
/// there is none.
Result<policy::ServerPolicy> server_settings(const ops::Context&,
                                             const std::vector<std::string>& repos);

/// The door behind `gatehouse mcp`.
Result<ops::Reply> open_mcp(const ops::Request&, ops::Context&);

}  // namespace gh::mcp
