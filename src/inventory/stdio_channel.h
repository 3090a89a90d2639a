#pragma once
// A server that this program starts: one JSON message a line. It runs where it can write nothing
// but a folder of its own and reach no network unless that was allowed; with the channel it and all
// it started are gone. What it says on standard error is nobody's business but that of an error
// message.
#include <memory>
#include <string>
#include <vector>

#include "inventory/channel.h"

namespace gh::inventory {

struct Started {
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // complete
  std::string cwd;                       // absolute
  std::string self;                      // absolute path of this program
  std::string private_folder;            // fresh, removed by whoever made it
  std::vector<std::string> writable{};   // further folders
  bool has_network = false;
};

class StdioChannel : public Channel {
 public:
  /// What was in force while it ran: network, filesystem, processes.
  virtual std::vector<std::string> isolation() const = 0;
  static Result<std::unique_ptr<StdioChannel>> start(const Started&, const Limits&);
};

}  // namespace gh::inventory
