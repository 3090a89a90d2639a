// What a server answers, line by line: never more than its limits, and whatever is taken can be
// exported and read again. The same bytes as a stream of events, cut anywhere, give the same
// messages.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "fuzz/require.h"
#include "inventory/collect.h"
#include "inventory/http_channel.h"
#include "wire/json.h"
#include "wire/json_as_read.h"

namespace {

using namespace gh;
using namespace gh::inventory;

class Lines : public Channel {
 public:
  Lines(std::string_view text, const Limits& limits) : lines_(split(text, '\n')), limits_(limits) {}
  Result<Answer> ask(std::string_view, Map) override {
    if (next_ == lines_.size()) return fail(Code::io_error, "over");
    GH_TRY(message, read_message(lines_[next_++], limits_));
    return Answer{std::move(message.result), std::move(message.error)};
  }
  Status tell(std::string_view, Map) override { return {}; }
  void settle(mcp::Era, std::string_view) override {}

 private:
  std::vector<std::string_view> lines_;
  const Limits& limits_;
  std::size_t next_ = 0;
};

void check_events(std::string_view text) {
  Events whole, pieces;
  const auto expected = whole.feed(text);
  std::vector<std::string> found;
  for (const char c : text)
    for (std::string& data : pieces.feed({&c, 1}))
      found.push_back(std::move(data));
  REQUIRE(found == expected);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Limits limits{.max_pages = 8, .max_items = 16};
  Lines server(text, limits);
  const auto found = collect(server, "fuzz", EraChoice::legacy_first, limits);
  if (found) {
    REQUIRE(found->tools.size() <= limits.max_items);
    REQUIRE(differences(*found, *found).empty());
    const std::string bytes = wire::json_as_read(Value(export_document(*found, "stdio")), true);
    REQUIRE(wire::read_json(bytes).has_value());
  }
  check_events(text);
  return 0;
}
