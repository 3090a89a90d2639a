#pragma once
// Is it an agent that acts? Hosts mark the programs that they start, and agents sign their commits.
// Neither can be relied on against an agent that hides; what such a one leaves is judged where it
// is pushed to.
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace gh::hooks {

/// What git knows of the author of a commit.
struct Authorship {
  std::string author;   // "Name <email>"
  std::string message;  // with its trailers
};

/// The variables by which hosts mark what they start, and the one by which a session has a name:
/// whoever works under it declares, and every hook takes it for an agent.
std::span<const std::string_view> agent_variables();

/// The variable by which a host says that it started this program; empty: none does.
std::string_view agent_variable(const std::function<std::string(std::string_view)>& variable);

/// Why the commit counts as written by an agent; empty: it does not.
std::string agent_mark(const Authorship&);

}  // namespace gh::hooks
