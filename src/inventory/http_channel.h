#pragma once
// A server that is reached by its address: Streamable HTTP of both eras, answers as JSON or as
// events.
#include <functional>
#include <memory>
#include <string>

#include "http/client.h"
#include "inventory/channel.h"

namespace gh::inventory {

struct Contacted {
  http::Target target;
  http::Fields fields{};  // of the person who asks: authorization and the like
  std::string trusted{};  // a file of certificates instead of the system's
  std::function<bool()> give_up{};
};

/// Ends its session, if it has one, when it goes.
std::unique_ptr<Channel> contact(Contacted, const Limits&);

/// The messages of a text/event-stream, as far as they are complete.
class Events {
 public:
  /// The data of each event that ends in this piece. Comments and other fields are passed over.
  std::vector<std::string> feed(std::string_view piece);

 private:
  std::string line_{}, data_{};
  bool has_data_ = false;
  void end_line(std::vector<std::string>& out);
};

}  // namespace gh::inventory
