// The methods of the protocol, as rows, and the walk that every message takes.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "mcp/inside.h"
#include "mcp/opaque.h"
#include "model/peek.h"
#include "ops/caller.h"
#include "ops/lease_renewal.h"
#include "ops/members.h"
#include "wire/json.h"

namespace gh::mcp {
namespace {

using ops::text_in;

constexpr std::string_view kPreferred = "2025-11-25", kUnnegotiated = "2025-03-26",
                           kWithBatches = "2025-03-26", kFirstOverHttp = "2025-03-26";
constexpr std::int64_t kListTtlMs = 60'000, kNoTtl = -1;
constexpr std::size_t kKeyDigits = 64, kCursorMac = 4, kClientDigits = 16;

Map map_of(const Map& map, std::string_view key) {
  const Value* value = map.find(key);
  return value != nullptr && value->as_map() != nullptr ? *value->as_map() : Map{};
}

Map capabilities() {
  return Map{{"tools", Map{{"listChanged", true}}},
             {"resources", Map{{"subscribe", true}, {"listChanged", true}}},
             {"prompts", Map{{"listChanged", true}}},
             {"completions", Map{}},
             {"logging", Map{}}};
}

Map server_info(const Inside& inside) {
  return Map{{"name", inside.catalogue.server_name},
             {"title", inside.catalogue.title},
             {"version", kVersion}};
}

bool is_offered(std::string_view revision, SessionStart::Transport transport) {
  return is_legacy_revision(revision) &&
         (transport == SessionStart::Transport::stdio || revision >= kFirstOverHttp);
}

Rpc<Map> initialize(Inside& inside, Call& call) {
  const std::string wanted = text_in(call.params(), "protocolVersion");
  if (wanted.empty()) return refuse(RpcCode::invalid_params, "protocolVersion must be a string");
  const std::string_view answer =
      is_offered(wanted, call.session().start().transport) ? std::string_view(wanted) : kPreferred;
  if (!call.session().negotiate(answer, map_of(call.params(), "capabilities"),
                                map_of(call.params(), "clientInfo")))
    return refuse(RpcCode::invalid_request, "this session was initialized before");
  return Map{{"protocolVersion", answer},
             {"capabilities", capabilities()},
             {"serverInfo", server_info(inside)},
             {"instructions", inside.catalogue.instructions}};
}

Rpc<Map> ping(Inside&, Call&) { return Map{}; }

Rpc<Map> set_level(Inside&, Call& call) {
  const auto level = log_level_of(text_in(call.params(), "level"));
  if (!level)
    return refuse(RpcCode::invalid_params,
                  "level must be debug, info, notice, warning, "
                  "error, critical, alert or emergency");
  call.session().set_log_level(*level);
  return Map{};
}

Rpc<Map> discover(Inside& inside, Call&) {
  return Map{{"supportedVersions", List{Value(kModernRevision)}},
             {"capabilities", capabilities()},
             {"instructions", inside.catalogue.instructions}};
}

Rpc<Map> listed(Inside& inside, Call& call, std::string_view member,
                std::vector<std::pair<std::string, Value>> items) {
  const Value* cursor = call.params().find("cursor");
  if (cursor != nullptr && !cursor->is_null() && cursor->as_string() == nullptr)
    return refuse(RpcCode::invalid_params, "cursor must be a string");
  auto page = page_of(inside.key, std::move(items), text_in(call.params(), "cursor"), kPage);
  if (!page) return tl::make_unexpected(std::move(page).error());
  Map out{{std::string(member), std::move(page->items)}};
  if (!page->next.empty()) out.set("nextCursor", std::move(page->next));
  return out;
}

Rpc<Map> list_tools(Inside& inside, Call& call) {
  std::vector<std::pair<std::string, Value>> items;
  for (const Tool* tool :
       tools_for(inside.catalogue, call.session().start().role, inside.options.profile))
    items.emplace_back(tool->name, to_value(*tool));
  return listed(inside, call, "tools", std::move(items));
}

Rpc<Map> list_of_resources(Inside& inside, Call& call, bool templates) {
  std::vector<std::pair<std::string, Value>> items;
  for (const Resource& resource : inside.catalogue.resources)
    if (is_template(resource) == templates) items.emplace_back(resource.uri, to_value(resource));
  return listed(inside, call, templates ? "resourceTemplates" : "resources", std::move(items));
}
Rpc<Map> list_resources(Inside& inside, Call& call) {
  return list_of_resources(inside, call, false);
}
Rpc<Map> list_templates(Inside& inside, Call& call) {
  return list_of_resources(inside, call, true);
}

Rpc<Map> list_prompts(Inside& inside, Call& call) {
  std::vector<std::pair<std::string, Value>> items;
  for (const Prompt& prompt : inside.catalogue.prompts)
    items.emplace_back(prompt.name, to_value(prompt));
  return listed(inside, call, "prompts", std::move(items));
}

/// Fixtures meet no repository; where none is found there is nothing to watch.
void watch_ledger(Inside& inside, Call& call) {
  if (inside.options.has_fixtures) return;
  if (const auto folder = folder_of(inside, call, {})) inside.watch(*folder);
}

Rpc<Map> subscribe(Inside& inside, Call& call) {
  const std::string uri = text_in(call.params(), "uri");
  if (find_resource(inside.catalogue, uri).resource == nullptr)
    return refuse(RpcCode::resource_not_found, "there is no such resource", unknown_resource(uri));
  if (!call.session().subscribe(uri))
    return refuse(RpcCode::internal_error, "Subscription limit reached");
  watch_ledger(inside, call);
  return Map{};
}

Rpc<Map> unsubscribe(Inside&, Call& call) {
  call.session().unsubscribe(text_in(call.params(), "uri"));
  return Map{};
}

Rpc<Filter> filter_of(const Call& call) {
  const Value whole(call.params());
  const Peek wanted = Peek(whole)["notifications"];
  if (!wanted.exists())
    return refuse(RpcCode::invalid_params, "notifications must say what to listen for", {}, 400);
  Filter out{.tools = wanted["toolsListChanged"].is_true(),
             .prompts = wanted["promptsListChanged"].is_true(),
             .resources = wanted["resourcesListChanged"].is_true()};
  for (const Value& uri : wanted["resourceUpdates"].list())
    if (uri.as_string() != nullptr && out.uris.size() < Session::kMaxSubscriptions)
      out.uris.insert(*uri.as_string());
  return out;
}

Map honoured(const Filter& filter) {
  Map out;
  if (filter.tools) out.set("toolsListChanged", true);
  if (filter.prompts) out.set("promptsListChanged", true);
  if (filter.resources) out.set("resourcesListChanged", true);
  if (!filter.uris.empty())
    out.set("resourceUpdates", string_list({filter.uris.begin(), filter.uris.end()}));
  return out;
}

/// The first frame says what is listened for; whatever follows comes from the herald.
Rpc<Map> listen_to(Inside& inside, Call& call) {
  auto filter = filter_of(call);
  if (!filter) return tl::make_unexpected(std::move(filter).error());
  const Map acknowledged = honoured(*filter);
  if (!filter->uris.empty()) watch_ledger(inside, call);
  call.outlet().send_related(
      notification_frame("notifications/subscriptions/acknowledged",
                         Map{{"notifications", acknowledged},
                             {"_meta", Map{{std::string(kMetaSubscription), call.message().id}}}}));
  if (!inside.herald.listen(call.shared_outlet(), call.message().id, std::move(*filter)))
    return refuse(RpcCode::internal_error, "Subscription limit reached");
  return Map{};
}

enum class Served : std::uint8_t { legacy, modern, both };
struct Method {
  std::string_view name;
  Served in;
  std::int64_t ttl_ms;
  Rpc<Map> (*run)(Inside&, Call&);
  bool is_work = false;     // takes its time, and may ask the client for something
  bool stays_open = false;  // its result is the end of a stream
};
// table: mcp_methods
constexpr std::array<Method, 15> kMethods{{
    {"initialize", Served::legacy, kNoTtl, initialize},
    {"ping", Served::legacy, kNoTtl, ping},
    {"logging/setLevel", Served::legacy, kNoTtl, set_level},
    {"server/discover", Served::modern, kListTtlMs, discover},
    {"tools/list", Served::both, kListTtlMs, list_tools},
    {"tools/call", Served::both, kNoTtl, call_tool, true},
    {"resources/list", Served::both, kListTtlMs, list_resources},
    {"resources/templates/list", Served::both, kListTtlMs, list_templates},
    {"resources/read", Served::both, 0, read_resource, true},
    {"resources/subscribe", Served::legacy, kNoTtl, subscribe, true},
    {"resources/unsubscribe", Served::legacy, kNoTtl, unsubscribe},
    {"prompts/list", Served::both, kListTtlMs, list_prompts},
    {"prompts/get", Served::both, kNoTtl, get_prompt, true},
    {"completion/complete", Served::both, kNoTtl, complete, true},
    {"subscriptions/listen", Served::modern, kNoTtl, listen_to, false, true},
}};

const Method* method_named(std::string_view name, Era era) {
  const auto* row = std::ranges::find(kMethods, name, &Method::name);
  const Served own = era == Era::legacy ? Served::legacy : Served::modern;
  if (row == kMethods.end() || (row->in != Served::both && row->in != own)) return nullptr;
  return row;
}

/// What a request of the modern era must say about itself (interfaces 1.7).
Rpc<bool> check_envelope(const Message& message) {
  const Value* version = meta(message, kMetaVersion);
  const Value* capabilities = meta(message, kMetaCapabilities);
  if (version == nullptr || version->as_string() == nullptr)
    return refuse(RpcCode::invalid_params,
                  fmt::format("params._meta[\"{}\"] must be a string", kMetaVersion), {}, 400);
  if (*version->as_string() != kModernRevision)
    return refuse(
        RpcCode::unsupported_protocol_version, "this protocol version is not supported",
        Map{{"supported", List{Value(kModernRevision)}}, {"requested", *version->as_string()}});
  if (capabilities == nullptr || capabilities->as_map() == nullptr)
    return refuse(RpcCode::invalid_params,
                  fmt::format("params._meta[\"{}\"] must be an object", kMetaCapabilities), {},
                  400);
  return true;
}

/// Over HTTP the transport has decided: a session has an id, a modern request has none.
Era era_of(const Message& message, Session& session) {
  if (session.start().transport == SessionStart::Transport::http)
    return session.start().id.empty() ? Era::modern : Era::legacy;
  const bool is_modern = meta(message, kMetaVersion) != nullptr;
  if (message.method == "server/discover" && is_modern) return Era::modern;  // pins nothing
  session.pin(is_modern ? Era::modern : Era::legacy);
  return *session.pinned();
}

Call make_call(Inside& inside, const Message& message, Session& session,
               const std::shared_ptr<Outlet>& outlet, Flight& flight, Era era) {
  const bool is_modern = era == Era::modern;
  const std::string negotiated = session.revision();
  const Value* capabilities = meta(message, kMetaCapabilities);
  const Value* level = meta(message, kMetaLogLevel);
  const bool is_told = capabilities != nullptr && capabilities->as_map() != nullptr;
  return Call(
      {.era = era,
       .revision = std::string(is_modern            ? kModernRevision
                               : negotiated.empty() ? kUnnegotiated
                                                    : std::string_view(negotiated)),
       .message = message,
       .session = session,
       .outlet = outlet,
       .flight = flight,
       .env = inside.env,
       .capabilities = !is_modern ? session.capabilities()
                       : is_told  ? *capabilities->as_map()
                                  : Map{},
       .log_level = !is_modern ? std::optional(session.log_level())
                    : level != nullptr && level->as_string() != nullptr
                        ? log_level_of(*level->as_string())
                        : std::nullopt,
       .list_changed = [&inside](std::string_view list) { inside.herald.list_changed(list); }});
}

Rpc<Map> run_method(Inside& inside, const Method& method, Call& call) {
  if (call.era() == Era::legacy || !method.is_work) return method.run(inside, call);
  if (auto state = call.read_state(inside.key); !state)
    return tl::make_unexpected(std::move(state).error());
  auto result = method.run(inside, call);
  if (result && call.lacks_input()) return call.input_required(inside.key);
  return result;
}

/// What every result of the modern era carries.
Map completed(const Inside& inside, const Method& method, Map result) {
  if (result.find("resultType") == nullptr) result.set("resultType", "complete");
  if (method.ttl_ms != kNoTtl && text_in(result, "resultType") == "complete") {
    if (result.find("ttlMs") == nullptr) result.set("ttlMs", method.ttl_ms);
    result.set("cacheScope", "private");
  }
  Map about = map_of(result, "_meta");
  about.set(std::string(kMetaServer),
            Map{{"name", inside.catalogue.server_name}, {"version", kVersion}});
  result.set("_meta", std::move(about));
  return result;
}

struct Outcome {
  Rpc<Map> result;
  Handled handled = Handled::answered;
};

Outcome decide(Inside& inside, Call& call) {
  if (call.era() == Era::modern)
    if (auto envelope = check_envelope(call.message()); !envelope)
      return {tl::make_unexpected(std::move(envelope).error())};
  const Method* method = method_named(call.message().method, call.era());
  if (method == nullptr)
    return {refuse(RpcCode::method_not_found,
                   fmt::format("there is no method '{}'", printable(call.message().method, 100)))};
  auto result = run_method(inside, *method, call);
  if (result && method->stays_open) return {std::move(result), Handled::stays_open};
  if (result && call.era() == Era::modern) return {completed(inside, *method, std::move(*result))};
  return {std::move(result)};
}

Handled answer(Inside& inside, const Message& message, Session& session,
               const std::shared_ptr<Outlet>& outlet) {
  const Era era = era_of(message, session);
  const auto respond = [&](const Rpc<Map>& result) {
    if (result)
      outlet->send_response(result_frame(message.id, *result), 200);
    else
      outlet->send_response(error_frame(message.id, result.error()),
                            http_status(result.error(), era));
  };
  const auto flight = session.take_off(message.id);
  if (flight == nullptr) {
    respond(refuse(RpcCode::invalid_request, "a request with this id is still running"));
    return Handled::answered;
  }
  Call call = make_call(inside, message, session, outlet, *flight, era);
  if (message.has_duplicate_keys)
    call.log(LogLevel::debug, "mcp", "a key of the message stands twice; the last one counts");
  Outcome outcome = decide(inside, call);
  session.land(message.id);
  if (outcome.handled == Handled::stays_open) return Handled::stays_open;
  if (!call.is_cancelled()) respond(outcome.result);
  return Handled::answered;
}

void notified(const Message& message, Session& session) {
  if (message.method == "notifications/cancelled") {
    if (const Value* id = message.params.find("requestId")) session.cancel(plain(*id));
  } else if (message.method == "notifications/roots/list_changed") {
    session.forget_roots();
  }
}

}  // namespace

bool is_legacy_revision(std::string_view revision) {
  return std::ranges::find(kLegacyRevisions, revision) != std::end(kLegacyRevisions);
}

bool may_take_long(const Message& message) {
  const auto* row = std::ranges::find(kMethods, message.method, &Method::name);
  return message.is_valid && message.kind == MessageKind::request && row != kMethods.end() &&
         row->is_work;
}

bool allows_batches(std::string_view revision) { return revision == kWithBatches; }

std::string revision_of(const Session& session) { return session.revision(); }

Era era_over_http(std::string_view header, const Incoming& incoming) {
  if (is_legacy_revision(header)) return Era::legacy;
  const bool is_told = std::ranges::any_of(incoming.messages, [](const Message& message) {
    return meta(message, kMetaVersion) != nullptr;
  });
  return is_told || !header.empty() ? Era::modern : Era::legacy;
}

Rpc<Page> page_of(std::string_view key, std::vector<std::pair<std::string, Value>> items,
                  const std::string& cursor, std::size_t size) {
  std::string names;
  for (const auto& [name, item] : items)
    names.append(name).push_back('\n');
  const std::string list = digest_of(names).hex().substr(0, 16);
  std::size_t first = 0;
  if (!cursor.empty()) {
    const auto payload = unseal(key, cursor, kCursorMac);
    const auto state = payload ? wire::read_own_json(*payload, "cursor") : Result<Value>(Value());
    if (!payload || !state || Peek(*state)["v"].number() != 1)
      return refuse(RpcCode::invalid_params, "cursor was not given by this server");
    first = static_cast<std::size_t>(std::max<std::int64_t>(Peek(*state)["offset"].number(), 0));
    if (Peek(*state)["list"].text() != list) {
      const auto last = std::ranges::find(items, Peek(*state)["key"].text(),
                                          [](const auto& item) { return item.first; });
      if (last != items.end()) first = static_cast<std::size_t>(last - items.begin()) + 1;
    }
  }
  Page out;
  first = std::min(first, items.size());
  const std::size_t end = std::min(items.size(), first + size);
  for (std::size_t i = first; i < end; ++i)
    out.items.push_back(std::move(items[i].second));
  if (end < items.size())
    out.next = seal(key,
                    wire::canonical_json(Map{{"v", 1},
                                             {"list", list},
                                             {"offset", static_cast<std::int64_t>(end)},
                                             {"key", items[end - 1].first}}),
                    kCursorMac);
  return out;
}

Inside::Inside(ServerOptions wanted, sys::Env& world)
    : options(std::move(wanted)),
      env(world),
      catalogue(options.has_fixtures ? fixture_catalogue() : product_catalogue()),
      key(world.random_hex(kKeyDigits)) {}

std::shared_ptr<std::mutex> Inside::turn_of(const std::string& root) {
  const std::lock_guard lock(turns_mutex);
  auto& turn = turns[root];
  if (turn == nullptr) turn = std::make_shared<std::mutex>();
  return turn;
}

void Inside::watch(const std::string& folder) {
  const std::lock_guard lock(watch_mutex);
  const auto [watched, is_new] = watches.try_emplace(folder, folder);
  if (!is_new) return;
  watched->second.has_news(env);
  herald.set_watch([this] {
    std::vector<std::string> out;
    const std::lock_guard looking(watch_mutex);
    for (auto& [root, ledger] : watches) {
      if (!ledger.has_news(env)) continue;
      for (const std::string& uri : herald.wanted())
        if (const auto found = find_resource(catalogue, uri);
            found.resource != nullptr && found.resource->can_change)
          out.push_back(uri);
    }
    return out;
  });
}

Server::Server(ServerOptions options, sys::Env& env)
    : inside_(std::make_unique<Inside>(std::move(options), env)) {}
Server::~Server() = default;

std::string session_name_of(std::string_view id) {
  constexpr std::string_view kPurpose = "gatehouse name of an MCP session: ";
  constexpr std::size_t kNameDigits = 32;
  return "mcp-" + digest_of(std::string(kPurpose) + std::string(id)).hex().substr(0, kNameDigits);
}

std::shared_ptr<Session> Server::open(SessionStart start) {
  const bool is_stdio = start.transport == SessionStart::Transport::stdio;
  if (is_stdio && !inside_->process) inside_->process = sys::self(inside_->env);
  std::string name = is_stdio            ? "mcp-" + inside_->env.random_hex(16)
                     : !start.id.empty() ? session_name_of(start.id)
                     : !start.token_id.empty()
                         ? "mcp-token-" + start.token_id
                         : fmt::format("mcp-local-{}", inside_->env.user_id());
  // A modern request stands alone: who has no token is known by what it says of its client.
  if (!is_stdio && start.id.empty() && start.token_id.empty() && !start.client.empty())
    name += "-" + digest_of(start.client).hex().substr(0, kClientDigits);
  auto session = std::make_shared<Session>(std::move(start), std::move(name));
  inside_->herald.add(session);
  return session;
}

void Server::close(Session& session) { session.end(); }

void Server::release(Session& session) {
  const SessionStart& start = session.start();
  if (start.transport != SessionStart::Transport::http || start.id.empty()) return;
  ops::AgentEnv env(inside_->env, session.name(), session.client_label(), std::nullopt);
  for (const std::string& folder : session.folders()) {
    ops::Context context{
        .env = env,
        .cwd = folder,
        .surface = "mcp",
        .read_input = [](std::size_t) { return Result<std::string>(std::string()); },
        .stream = [](std::string_view) -> Status { return {}; },
        .progress = [](std::string_view) {},
        .notice = [](std::string_view) {},
        .interrupted = [] { return false; }};
    ops::release_held(context);
  }
}

void Server::listen(Session& session, std::shared_ptr<Outlet> outlet) {
  session.set_listener(std::move(outlet));
}

Handled Server::handle(const Message& message, const std::shared_ptr<Session>& session,
                       const std::shared_ptr<Outlet>& outlet) {
  if (!message.is_valid) {
    outlet->send_response(error_frame(message.id, message.fault),
                          http_status(message.fault, Era::legacy));
    return Handled::answered;
  }
  if (message.kind == MessageKind::request) return answer(*inside_, message, *session, outlet);
  if (message.kind == MessageKind::response)
    session->answer(message);
  else
    notified(message, *session);
  return Handled::nothing;
}

void Server::hang_up(const std::shared_ptr<Outlet>& outlet) {
  inside_->herald.hang_up(outlet.get());
}

std::vector<HeaderArgument> Server::header_arguments(std::string_view name) const {
  const auto tool = std::ranges::find(inside_->catalogue.tools, name, &Tool::name);
  if (tool == inside_->catalogue.tools.end()) return {};
  std::vector<HeaderArgument> out;
  const Value schema = input_schema(*tool);
  for (const auto& [argument, property] : Peek(schema)["properties"].map().entries())
    if (const Peek header = Peek(property)["x-mcp-header"]; header.exists())
      out.push_back({std::string(header.text()), argument});
  return out;
}

bool Server::changes_state(const Message& message) const {
  if (message.method != "tools/call") return false;
  const auto tool =
      std::ranges::find(inside_->catalogue.tools, text_in(message.params, "name"), &Tool::name);
  return tool != inside_->catalogue.tools.end() && !tool->is_read_only;
}

}  // namespace gh::mcp
