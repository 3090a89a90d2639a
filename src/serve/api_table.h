#pragma once
// What is served below /api/v1, as rows (interfaces 6.1): who may ask, which operation answers, and
// how arguments of the request become those of the operation. Requests are routed by these rows and
// the OpenAPI document is made from them.
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/catalogue.h"

namespace gh::serve {

inline constexpr std::string_view kApi = "/api/v1";

/// Columns of interfaces 6.2. Whoever may do more may do less; an agent may do nothing else.
enum class Access : std::uint8_t { open, agent, reviewer, promoter, admin };
std::span<const std::string_view> roles_of(Access);  // none for `open`

/// What is no call of an operation.
enum class Own : std::uint8_t {
  none,
  openapi,
  live,
  ready,
  status,
  session,
  login,
  logout,
  repos,
  repo,
  events,
  findings
};

struct Endpoint {
  std::string_view method, path;  // below kApi; {variables} are whole segments
  Access access = Access::agent;
  std::string_view summary;
  mcp::Case call{};           // operation, arguments, what is always given
  std::string_view answer{};  // schema of the document: gatehouse.<answer>/1
  Own own = Own::none;
  std::string_view items{};   // the list of the document that is shown page by page,
  std::string_view cursor{};  // by this member of its items
  /// The object that is changed, as a path to GET: If-Match names the ETag of that.
  std::string_view object{};
  std::string_view media{};             // of a body that is a document of its own, else JSON
  bool only_asks = false;               // a POST that changes nothing; a no is its answer
  bool speaks_for_caller = false;       // the option `as` is the caller's name unless it is given
  Map (*prepare)(Map given) = nullptr;  // arguments that mean something else here
  Map (*shape)(Map document, const Map& given) = nullptr;
};

std::span<const Endpoint> endpoints();

/// Values of the variables, percent-decoded.
struct Matched {
  const Endpoint* endpoint = nullptr;
  std::map<std::string, std::string, std::less<>> variables{};
};
/// Without an endpoint: nothing is served at this path, or not by this method; `allowed` has the
/// methods that are.
Matched match(std::string_view method, std::string_view path, std::vector<std::string>& allowed);

bool changes_state(const Endpoint&);
/// Those that name a run may not name a revision: it would be analysed, and GET changes nothing.
bool names_run(const mcp::Argument&);
/// Its call as a tool of one case, whose arguments are checked and translated alike.
mcp::Tool tool_of(const Endpoint&);
/// Its arguments as a JSON schema of one object.
Map arguments_of(const Endpoint&);

}  // namespace gh::serve
