#pragma once
// What the model reads when it is stopped: three lines, the fact, the next call, and where more is
// written. At most kMaxMessage bytes, whatever the paths are called.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/intent.h"

namespace gh::hooks {

inline constexpr std::size_t kMaxMessage = 600;

/// All that a message may speak of.
struct Told {
  std::string_view rule{};              // of the refusal
  std::string path{};                   // that would be written; empty: the step as a whole
  std::string root{};                   // of the work tree
  std::string folder{};                 // the same, when the agent works elsewhere; else empty
  std::string session{};                // of the agent, as commands take it; empty: nobody knows
  std::string words{};                  // that go around the gate, or that nobody can see through
  std::vector<std::string> tampered{};  // what guards git and is not as it was
  std::string fault{};                  // why the gate cannot decide
  const Intent* own = nullptr;          // declared by this session
  const Intent* holder = nullptr;       // of the path
  std::string holder_age{};             // since it was declared
  bool lapsed = false;                  // the lease of `own` ran out
  std::string mirror{};                 // how old what was read is; empty: it is the ledger itself
};

std::string refusal_message(const Told&);

/// After a tool ran: paths that it changed and should not have.
struct Strays {
  std::vector<std::string> outside{};   // changed by this call
  std::vector<std::string> fresh{};     // those of them that git does not know yet
  std::vector<std::string> in_git{};    // those of them that git itself is steered by
  bool stops_git = false;               // some of them guard git
  std::vector<std::string> external{};  // changed before it began, by somebody else
  std::string session{};
  std::string folder{};  // of the work tree, when the agent works elsewhere
  std::string rule{};    // of the first one outside
  std::string limits{};  // what could not be looked at; empty: everything was
  std::string mirror{};
  const Intent* own = nullptr;  // declared by this session
};
std::string stray_message(const Strays&);

/// The agent wants to end while its change is open.
std::string unfinished_message(const Intent&, const std::vector<std::string>& changed,
                               std::string_view session, std::string_view folder = {});

}  // namespace gh::hooks
