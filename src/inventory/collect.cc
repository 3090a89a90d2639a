#include "inventory/collect.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "mcp/endpoint.h"
#include "model/peek.h"
#include "wire/json_as_read.h"

namespace gh::inventory {
namespace {

/// One list of a server: how it is asked for, and under which capability it is offered.
struct Offer {
  std::string_view method, member, capability, exported;
  std::string_view key;  // what an item is known by
  List Listing::*into;
};
constexpr std::array kOffers{
    Offer{"tools/list", "tools", "tools", "tools", "name", &Listing::tools},
    Offer{"prompts/list", "prompts", "prompts", "prompts", "name", &Listing::prompts},
    Offer{"resources/list", "resources", "resources", "resources", "uri", &Listing::resources},
    Offer{"resources/templates/list", "resourceTemplates", "resources", "resource_templates",
          "uriTemplate", &Listing::resource_templates},
};
constexpr std::array<std::string_view, 5> kContract{"name", "description", "inputSchema",
                                                    "outputSchema", "annotations"};

tl::unexpected<Error> misbehaves(std::string message) {
  return fail(Code::input_unreadable, std::move(message));
}

std::string shown(const Value& error) { return printable(wire::json_as_read(error), 200); }

class Collector {
 public:
  Collector(Channel& channel, std::string_view client, const Limits& limits)
      : channel_(channel), client_(client), limits_(limits) {}

  Result<Listing> run(EraChoice choice) {
    GH_DO(shake_hands(choice));
    for (const Offer& offer : kOffers)
      if (offer.capability == "tools" || out_.capabilities.find(offer.capability) != nullptr)
        GH_DO(list(offer));
    return std::move(out_);
  }

 private:
  Map client_info() const { return {{"name", client_}, {"version", kVersion}}; }

  Map params() const {
    if (!is_modern_) return {};
    return {{"_meta", Map{{std::string(mcp::kMetaVersion), mcp::kModernRevision},
                          {std::string(mcp::kMetaCapabilities), Map{}},
                          {std::string(mcp::kMetaClient), client_info()}}}};
  }

  Status shake_hands(EraChoice choice) {
    if (choice == EraChoice::modern) return discover();
    GH_TRY(refused, initialize());
    if (refused.is_null()) return {};
    if (choice == EraChoice::legacy)
      return misbehaves(fmt::format("the server refuses to begin: {}", shown(refused)));
    return discover();
  }

  /// Null, or the error that it was refused with.
  Result<Value> initialize() {
    const std::string_view newest = *std::rbegin(mcp::kLegacyRevisions);
    GH_TRY(answer, channel_.ask("initialize", {{"protocolVersion", newest},
                                               {"capabilities", Map{}},
                                               {"clientInfo", client_info()}}));
    if (answer.is_error()) return answer.error;
    const Peek result(answer.result);
    out_.revision = result["protocolVersion"].text();
    if (!mcp::is_legacy_revision(out_.revision))
      return misbehaves(fmt::format("the server speaks revision '{}', which is not known here",
                                    printable(out_.revision, 40)));
    greet(result["serverInfo"], result);
    channel_.settle(mcp::Era::legacy, out_.revision);
    GH_DO(channel_.tell("notifications/initialized", {}));
    return Value();
  }

  Status discover() {
    is_modern_ = true;
    channel_.settle(mcp::Era::modern, mcp::kModernRevision);
    GH_TRY(answer, channel_.ask("server/discover", params()));
    if (answer.is_error())
      return misbehaves(
          fmt::format("the server speaks no revision that is known here: {}", shown(answer.error)));
    const Peek result(answer.result);
    const List& known = result["supportedVersions"].list();
    if (std::ranges::find(known, Value(mcp::kModernRevision)) == known.end())
      return misbehaves(fmt::format("the server does not speak revision {}", mcp::kModernRevision));
    out_.revision = mcp::kModernRevision;
    greet(result["_meta"][mcp::kMetaServer], result);
    return {};
  }

  void greet(Peek server, Peek result) {
    for (const std::string_view key : {"name", "version", "title"})
      if (server[key].exists()) out_.server.set(std::string(key), server[key].text());
    out_.instructions = result["instructions"].text();
    out_.capabilities = result["capabilities"].map();
  }

  Status list(const Offer& offer) {
    std::set<std::string> cursors;
    std::string cursor;
    for (std::size_t page = 0; page < limits_.max_pages; ++page) {
      Map asked = params();
      if (!cursor.empty()) asked.set("cursor", cursor);
      GH_TRY(answer, channel_.ask(offer.method, std::move(asked)));
      if (answer.is_error()) return refused(offer, answer.error);
      GH_DO(take(offer, Peek(answer.result)[offer.member].list()));
      cursor = Peek(answer.result)["nextCursor"].text();
      if (cursor.empty()) return {};
      if (!cursors.insert(cursor).second)
        return misbehaves(
            fmt::format("{}: the server names the same next page twice", offer.method));
    }
    return misbehaves(fmt::format("{}: more than {} pages", offer.method, limits_.max_pages));
  }

  /// A method that is not there offers nothing.
  static Status refused(const Offer& offer, const Value& error) {
    const Value not_there(static_cast<std::int64_t>(mcp::RpcCode::method_not_found));
    if (const Map* map = error.as_map();
        map != nullptr && map->find("code") != nullptr && *map->find("code") == not_there)
      return {};
    return misbehaves(fmt::format("{}: the server refuses: {}", offer.method, shown(error)));
  }

  Status take(const Offer& offer, const List& items) {
    items_ += items.size();
    if (items_ > limits_.max_items)
      return misbehaves(fmt::format("the server offers more than {} things", limits_.max_items));
    for (const Value& item : items) {
      if (item.as_map() == nullptr || Peek(item)[offer.key].text().empty())
        return misbehaves(fmt::format("{}: an item has no '{}'", offer.method, offer.key));
      (out_.*offer.into).push_back(item);
    }
    return {};
  }

  Channel& channel_;
  std::string client_;
  const Limits& limits_;
  Listing out_{};
  bool is_modern_ = false;
  std::size_t items_ = 0;
};

List sorted(List items, std::string_view key) {
  std::ranges::stable_sort(items, {}, [&](const Value& item) { return Peek(item)[key].text(); });
  return items;
}

std::string contract_hash(const Value& tool) {
  Map contract;
  for (const std::string_view key : kContract)
    if (const Value* part = tool.as_map()->find(key)) contract.set(std::string(key), *part);
  return digest_of(wire::json_as_read(Value(std::move(contract)))).tagged();
}

Map hashes(const Listing& listing) {
  Map tools;
  std::string all;
  for (const Value& tool : sorted(listing.tools, "name")) {
    const std::string hash = contract_hash(tool);
    tools.set(std::string(Peek(tool)["name"].text()), hash);
    all += hash + "\n";
  }
  return {{"tools", std::move(tools)}, {"surface", digest_of(all).tagged()}};
}

}  // namespace

Result<Listing> collect(Channel& channel, std::string_view client_name, EraChoice choice,
                        const Limits& limits) {
  return Collector(channel, client_name, limits).run(choice);
}

Map export_document(const Listing& listing, std::string_view transport) {
  Map out{{"schema", "gatehouse.mcp_inventory/1"},
          {"server", listing.server},
          {"protocol_version", listing.revision},
          {"transport", transport},
          {"instructions", listing.instructions},
          {"capabilities", listing.capabilities},
          {"hashes", hashes(listing)}};
  for (const Offer& offer : kOffers)
    out.set(std::string(offer.exported), sorted(listing.*offer.into, offer.key));
  return out;
}

std::vector<std::string> differences(const Listing& one, const Listing& other) {
  std::set<std::string> out;
  for (const Offer& offer : kOffers) {
    std::map<std::string, std::multiset<std::string>> known, again;
    const auto note = [&](const List& items, auto& into) {
      for (const Value& item : items)
        into[std::string(Peek(item)[offer.key].text())].insert(wire::json_as_read(item));
    };
    note(one.*offer.into, known);
    note(other.*offer.into, again);
    for (const auto& [name, text] : known)
      if (!again.contains(name) || again.at(name) != text) out.insert(name);
    for (const auto& [name, text] : again)
      if (!known.contains(name)) out.insert(name);
  }
  return {out.begin(), out.end()};
}

}  // namespace gh::inventory
