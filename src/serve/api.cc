#include "serve/api.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "http/fields.h"
#include "mcp/inside.h"
#include "mcp/opaque.h"
#include "mcp/translate.h"
#include "model/peek.h"
#include "ops/caller.h"
#include "ops/lease_renewal.h"
#include "report/error_document.h"
#include "serve/answers.h"
#include "serve/impact_rows.h"
#include "serve/openapi.h"
#include "wire/json.h"

namespace gh::serve {
namespace {

constexpr std::string_view kCsrfField = "X-Gatehouse-CSRF", kIdempotency = "Idempotency-Key";
constexpr std::string_view kBusyAgain = "1";
constexpr std::int64_t kMostItems = 200;
constexpr std::size_t kMaxQuery = 8'192;

std::string counted_as(const http::Caller& caller) {
  if (!caller.token_id.empty()) return "token " + caller.token_id;
  return caller.session.empty() ? "local" : "session " + caller.session;
}

/// Guesses are counted for each address, and its ports are all of one guesser.
std::string address_of(std::string_view peer) {
  return std::string(peer.substr(0, peer.rfind(':')));
}

bool holds_one(const http::Caller& caller, std::span<const std::string_view> roles) {
  return std::ranges::any_of(roles, [&](std::string_view role) {
    return std::ranges::find(caller.roles, role) != caller.roles.end();
  });
}

/// name=value&name=value, percent-decoded; nothing when it cannot be.
std::optional<std::vector<std::pair<std::string, std::string>>> read_query(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> out;
  if (query.size() > kMaxQuery) return std::nullopt;
  for (const std::string_view pair : split(query, '&')) {
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    std::string value(equals == std::string_view::npos ? "" : pair.substr(equals + 1));
    std::ranges::replace(value, '+', ' ');
    auto name = mcp::percent_decoded(pair.substr(0, equals));
    auto decoded = mcp::percent_decoded(value);
    if (!name || !decoded || !is_utf8(*name) || !is_utf8(*decoded)) return std::nullopt;
    out.emplace_back(std::move(*name), std::move(*decoded));
  }
  return out;
}

const mcp::Argument* argument_named(const Endpoint& endpoint, std::string_view name) {
  const auto at = std::ranges::find(endpoint.call.arguments, name, &mcp::Argument::name);
  return at == endpoint.call.arguments.end() ? nullptr : &*at;
}

/// A word of a query as the value that its option takes; one that is none stays a word, and is
/// refused where options are checked.
Value typed(const Endpoint& endpoint, const mcp::Argument& argument, const std::string& word) {
  if (argument.to.empty() || mcp::is_operand(argument.to) || !argument.words.empty()) return word;
  const auto& operation = mcp::operation_named(endpoint.call.operation);
  const ops::Option* option = ops::find_option(operation, argument.to);
  if (option == nullptr) return word;
  if (option->type == ops::OptionType::flag && (word == "true" || word == "false"))
    return word == "true";
  std::int64_t number = 0;
  const auto [end, wrong] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool is_number = !word.empty() && wrong == std::errc{} && end == word.data() + word.size();
  return option->type == ops::OptionType::integer && is_number ? Value(number) : Value(word);
}

/// A revision would be analysed and kept.
bool is_run_name(std::string_view word) {
  return word == "latest" || word == "previous" ||
         (word.size() >= 4 && word.size() <= 64 &&
          word.find_first_not_of("0123456789abcdef") == std::string_view::npos);
}

Status check_given(const Endpoint& endpoint, const Map& given) {
  for (const auto& [name, value] : given.entries()) {
    const mcp::Argument* argument = argument_named(endpoint, name);
    if (argument == nullptr) continue;  // the translator says so
    const bool is_run = endpoint.method == "GET" && names_run(*argument);
    if (is_run && !is_run_name(Peek(value).text()))
      return fail(Code::bad_argument,
                  fmt::format("'{}' names a run: latest, previous, or its digits", name));
    if (name == "limit" && value.as_int() != nullptr && *value.as_int() > kMostItems)
      return fail(Code::bad_argument, fmt::format("'limit' is {} at most", kMostItems));
  }
  return {};
}

/// {schema, items, next_cursor} of a list that is shown page by page.
Map paged(const Endpoint& endpoint, Map document, const Map& given) {
  const Value* found = document.find(endpoint.items);
  const List rows = found != nullptr && found->as_list() ? *found->as_list() : List{};
  const Value* limit = given.find("limit");
  const std::int64_t most = limit != nullptr && limit->as_int() ? *limit->as_int() : 50;
  document.erase(endpoint.items);
  Value next;
  if (endpoint.prepare != nullptr) {  // older and older: the first row of this page
    const std::int64_t first = rows.empty() ? 0 : Peek(rows.front())[endpoint.cursor].number();
    if (first > 1) next = first;
  } else if (std::ssize(rows) >= most && !rows.empty()) {
    next = std::string(Peek(rows.back())[endpoint.cursor].text());
  }
  document.set("items", rows);
  document.set("next_cursor", std::move(next));
  return document;
}

/// The first thing that was said against it.
std::string code_of_refusal(const Value& document) {
  const Peek doc(document);
  for (const Peek list : {doc["verdict"]["reasons"], doc["reasons"]})
    for (const Value& reason : list.list())
      for (const char* name : {"id", "code"})
        if (const std::string_view code = Peek(reason)[name].text(); !code.empty())
          return std::string(code);
  for (const Value& check : doc["checks"].list())
    if (const std::string_view code = Peek(check)["code"].text(); !code.empty())
      return std::string(code);
  return "denied";
}

}  // namespace

/// A head on its way through the checks, which fill it in.
struct Api::Asked {
  const http::Head& head;
  http::Caller& caller;
  Matched matched{};
  std::vector<std::string> allowed{};
  std::string csrf{};  // of the session that the cookie names
};

/// One call of an operation.
struct Api::Work {
  const Endpoint* endpoint = nullptr;
  Repository repo{};
  const ops::Operation* operation = nullptr;
  ops::RawRequest request{};
  std::string input{}, confirm{};
  Map given{};
  std::map<std::string, std::string, std::less<>> variables{};
};

struct Api::AskCheck {
  std::string_view name;
  Refused (*check)(Api&, Asked&);
};
// interfaces 6.1, 6.2, behind Host and Origin.
// table: api_checks
const Api::AskCheck Api::kChecks[7] = {
    {"path", check_path}, {"method", check_method}, {"token", check_token}, {"csrf", check_csrf},
    {"role", check_role}, {"size", check_size},     {"rate", check_rate},
};

std::span<const std::string_view> api_check_order() {
  static const auto names = [] {
    std::array<std::string_view, std::size(Api::kChecks)> out{};
    std::ranges::transform(Api::kChecks, out.begin(), &Api::AskCheck::name);
    return out;
  }();
  return names;
}

Api::Api(ApiSettings settings, http::Workers& workers, sys::Env& env)
    : settings_(std::move(settings)),
      workers_(workers),
      env_(env),
      logins_(env),
      repos_(settings_.repos),
      events_(
          env,
          [this](const Repository& repo, std::int64_t from,
                 std::int64_t most) -> std::optional<List> {
            Work work{.repo = repo};
            work.operation = &mcp::operation_named("audit_log");
            work.request.options["limit"] = {fmt::to_string(most)};
            if (from > 0) work.request.options["from"] = {fmt::to_string(from)};
            const auto reply = perform(work, {});
            if (!reply) return std::nullopt;
            return Peek(reply->document)["rows"].list();
          },
          settings_.log_events, settings_.open_streams),
      reads_(settings_.reads),
      writes_(settings_.writes),
      strangers_(settings_.writes) {}

http::Route Api::route() {
  return {
      .path = std::string(kApi) + "/*",
      .methods = "GET, POST, DELETE",
      .max_body_bytes = settings_.max_body_bytes,
      .render = problem_of,
      .admit = [this](const http::Head& head, http::Caller& caller) { return admit(head, caller); },
      .serve =
          [this](http::Request request, const std::shared_ptr<http::Exchange>& exchange) {
            serve(std::move(request), exchange);
          }};
}

// --- who asks

Api::Refused Api::admit(const http::Head& head, http::Caller& caller) {
  Asked asked{head, caller};
  asked.matched = match(head.method, head.path, asked.allowed);
  for (const AskCheck& row : kChecks)
    if (auto refused = row.check(*this, asked)) return refused;
  return {};
}

Api::Refused Api::check_path(Api&, Asked& asked) {
  if (!asked.allowed.empty()) return {};
  return http::Refusal{404, "no_such_path",
                       fmt::format("nothing is served at '{}'", printable(asked.head.path, 120))};
}

Api::Refused Api::check_method(Api&, Asked& asked) {
  if (asked.matched.endpoint != nullptr) return {};
  return http::Refusal{405,
                       "method_not_allowed",
                       fmt::format("{} is not offered here", printable(asked.head.method, 40)),
                       {{"Allow", join(asked.allowed, ", ")}}};
}

Api::Refused Api::check_token(Api& self, Asked& asked) {
  if (asked.matched.endpoint->access == Access::open) return {};
  const auto authorization = http::field(asked.head.fields, "Authorization");
  std::string_view why = "log in, or send a token";
  if (authorization) {
    why = "the token is not known";
    if (self.settings_.tokens)
      if (auto caller = self.settings_.tokens->find(http::bearer_token(*authorization))) {
        asked.caller = std::move(*caller);
        return {};
      }
  } else if (const std::string cookie = self.cookie_of(asked.head.fields); !cookie.empty()) {
    why = "the session is over: log in again";
    if (auto found = self.logins_.find(cookie)) {
      asked.caller = std::move(found->caller);
      asked.csrf = std::move(found->csrf);
      return {};
    }
  }
  const std::lock_guard lock(self.mutex_);
  const std::int64_t wait =
      self.strangers_.take(address_of(asked.head.peer), self.env_.monotonic_ms());
  if (wait > 0)
    return http::Refusal{429,
                         "too_many_guesses",
                         "too many requests without a known token",
                         {{"Retry-After", std::to_string(wait)}}};
  return http::Refusal{401,
                       "token_required",
                       std::string(why),
                       {{"WWW-Authenticate", "Bearer realm=\"gatehouse\""}}};
}

/// What a page of another origin can make a browser send carries the cookie, and none of these. Who
/// logs in has no session yet, but the browser says where the page is from.
Api::Refused Api::check_csrf(Api& self, Asked& asked) {
  const auto refuse = [](std::string_view why) {
    return http::Refusal{403, "csrf_refused", std::string(why)};
  };
  const bool logs_in = asked.matched.endpoint->own == Own::login;
  if (asked.head.method == "GET" || (asked.csrf.empty() && !logs_in)) return {};
  const auto site = http::field(asked.head.fields, "Sec-Fetch-Site");
  if (site && *site != "same-origin") return refuse("Sec-Fetch-Site is not same-origin");
  const auto origin = http::field(asked.head.fields, "Origin");
  const auto host = http::field(asked.head.fields, "Host");
  const bool is_ours =
      origin && host &&
      (*origin == "http://" + *host || *origin == "https://" + *host ||
       (!self.settings_.public_origin.empty() && *origin == self.settings_.public_origin));
  if (logs_in && !origin) return {};  // no browser: it could as well send its token
  if (!is_ours) return refuse("Origin is not the one of this server");
  if (logs_in) return {};
  const auto told = http::field(asked.head.fields, kCsrfField);
  if (!told || digest_of(*told) != digest_of(asked.csrf))
    return refuse("X-Gatehouse-CSRF does not belong to this session");
  return {};
}

Api::Refused Api::check_role(Api& self, Asked& asked) {
  if (self.settings_.is_read_only && changes_state(*asked.matched.endpoint) &&
      asked.matched.endpoint->own == Own::none)
    return http::Refusal{403, "read_only", "this server changes nothing (--read-only)"};
  const auto roles = roles_of(asked.matched.endpoint->access);
  if (roles.empty() || holds_one(asked.caller, roles)) return {};
  return http::Refusal{403, "role_too_low", fmt::format("this needs the role {}", roles.front())};
}

Api::Refused Api::check_size(Api& self, Asked& asked) {
  const auto limit = static_cast<std::uint64_t>(self.settings_.max_body_bytes);
  const bool has_body = asked.head.content_length.value_or(0) > 0;
  if (asked.head.method != "POST" && has_body)
    return http::Refusal{400, "bad_request", "a body goes with POST alone"};
  if (!asked.head.content_length || *asked.head.content_length <= limit) return {};
  return http::Refusal{
      413, "body_too_large",
      fmt::format("the body has {} bytes; {} are accepted", *asked.head.content_length, limit)};
}

Api::Refused Api::check_rate(Api& self, Asked& asked) {
  const Endpoint& endpoint = *asked.matched.endpoint;
  const bool is_anybody = endpoint.access == Access::open;
  const std::string key =
      is_anybody ? "open " + address_of(asked.head.peer) : counted_as(asked.caller);
  const std::lock_guard lock(self.mutex_);
  const bool writes = changes_state(endpoint);
  const std::int64_t wait =
      (writes ? self.writes_ : self.reads_).take(key, self.env_.monotonic_ms());
  if (wait == 0) return {};
  return http::Refusal{429,
                       "too_many_requests",
                       fmt::format("too many requests; wait {} s", wait),
                       {{"Retry-After", std::to_string(wait)}}};
}

// --- what is asked

void Api::serve(http::Request request, const Exchange& exchange) {
  std::vector<std::string> allowed;
  const Matched matched = match(request.method, request.path, allowed);
  if (matched.endpoint == nullptr) return;  // admitted it was not
  if (matched.endpoint->own == Own::events) return listen(request, exchange);
  auto shared = std::make_shared<http::Request>(std::move(request));
  const bool is_taken = workers_.post([this, shared, matched, exchange](http::Workers::Shift&) {
    exchange->reply(
        packed(answer(*shared, matched), shared->field("Accept-Encoding").value_or("")));
  });
  if (!is_taken)
    exchange->reply(problem_of({503,
                                "busy",
                                "too much is waiting; try again",
                                {{"Retry-After", std::string(kBusyAgain)}}}));
}

http::Response Api::answer(const http::Request& request, const Matched& matched) {
  const Own own = matched.endpoint->own;
  http::Response out = own == Own::findings ? find(request, matched)
                       : own != Own::none   ? answer_own(request, *matched.endpoint, matched)
                                            : call(request, matched);
  if (request.method == "GET") out = unless_known(std::move(out), request);
  return out;
}

Result<Api::Work> Api::read_work(const http::Request& request, const Matched& matched) {
  const Endpoint& endpoint = *matched.endpoint;
  Work work{.endpoint = &endpoint, .variables = matched.variables};
  std::string repo;
  for (const auto& [name, value] : matched.variables)
    if (name == "r")
      repo = value;
    else
      work.given.set(name, value);
  const auto query = read_query(request.query);
  if (!query) return fail(Code::bad_argument, "the query cannot be read");
  for (const auto& [name, value] : *query) {
    if (name == "repo" && repo.empty()) {
      repo = value;
      continue;
    }
    const mcp::Argument* argument = argument_named(endpoint, name);
    const bool is_here = request.method == "GET" || !endpoint.media.empty();
    if (argument == nullptr || !is_here || work.given.find(name) != nullptr)
      return fail(Code::bad_argument,
                  fmt::format("there is no parameter '{}' here, or it is given twice",
                              printable(name, 80)));
    work.given.set(name, typed(endpoint, *argument, value));
  }
  GH_TRY(found, repos_.find(repo));
  work.repo = std::move(found);
  if (!endpoint.media.empty()) {
    work.given.set("patch", request.body);
  } else if (!request.body.empty()) {
    GH_TRY(body, wire::read_json(request.body, "body", {.max_depth = 20}));
    if (body.as_map() == nullptr) return fail(Code::json_invalid, "the body is no JSON object");
    for (const auto& [name, value] : body.as_map()->entries()) {
      if (matched.variables.contains(name) || name == "root")
        return fail(Code::bad_argument, fmt::format("'{}' is no member of the body", name));
      work.given.set(name, value);
    }
  }
  if (endpoint.prepare != nullptr) work.given = endpoint.prepare(std::move(work.given));
  GH_DO(check_given(endpoint, work.given));
  // A token has a name, and looks and speaks under it.
  if (endpoint.speaks_for_caller && !request.caller.actor.empty() && !work.given.find("as"))
    work.given.set("as", request.caller.actor);
  const mcp::Tool tool = tool_of(endpoint);
  GH_TRY(translated, mcp::translate(tool, work.given));
  work.operation = &mcp::operation_named(endpoint.call.operation);
  work.request = std::move(translated.request);
  work.input = std::move(translated.input);
  if (const Value* confirm = work.given.find("confirm"); confirm && confirm->as_string())
    work.confirm = *confirm->as_string();
  return work;
}

Actor Api::actor_for(const http::Caller& caller) const {
  if (caller.actor.empty()) return local_actor(env_.user_id());
  const bool is_agent = std::ranges::find(caller.roles, "agent") != caller.roles.end();
  return {.name = caller.actor,
          .kind = is_agent ? "agent" : "human",
          .via = "token",
          .roles = caller.roles};
}

Result<ops::Reply> Api::perform(const Work& work, const http::Request& request) {
  GH_TRY(checked, ops::Request::make(*work.operation, work.request));
  const std::string session =
      "http-" + (request.caller.token_id.empty() ? "local" : request.caller.token_id);
  const std::string label = request.caller.actor.empty() ? "http" : request.caller.actor;
  ops::AgentEnv env(env_, session, label, std::nullopt);
  ops::Context context{.env = env,
                       .cwd = work.repo.folder,
                       .surface = "http",
                       .wants_document = true,
                       .read_input = [&work](std::size_t max) -> Result<std::string> {
                         if (work.input.size() > max)
                           return fail(Code::document_too_large,
                                       fmt::format("more than {} bytes", max));
                         return work.input;
                       },
                       .stream = [](std::string_view) -> Status { return {}; },
                       .progress = [](std::string_view) {},
                       .notice = [](std::string_view) {},
                       .interrupted = [] { return false; }};
  if (!work.confirm.empty())  // what a person typed before, for the question that is asked now
    context.ask = [&work](std::string_view) { return std::optional(work.confirm); };
  context.actor = actor_for(request.caller);
  return ops::run_with_heartbeat(checked, context);
}

http::Response Api::call(const http::Request& request, const Matched& matched) {
  const std::string wanted(matched.endpoint->media.empty() ? "application/json"
                                                           : matched.endpoint->media);
  if (request.method == "POST" && !request.body.empty() &&
      http::media_type(request.field("Content-Type").value_or("")) != wanted)
    return problem_of({415, "unsupported_media_type", "Content-Type must be " + wanted});
  auto work = read_work(request, matched);
  if (!work) return problem_of(work.error(), request.path);
  if (changes_state(*matched.endpoint)) return decide(*work, request);
  auto reply = perform(*work, request);
  if (!reply) return problem_of(reply.error(), request.path);
  return tell(*work, std::move(*reply), request);
}

/// The change of a proposal, asked of the analysis on the base that it was made for.
http::Response Api::find(const http::Request& request, const Matched& matched) {
  auto work = read_work(request, matched);
  if (!work) return problem_of(work.error(), request.path);
  const auto diff = perform(*work, request);
  if (!diff) return problem_of(diff.error(), request.path);
  work->operation = &mcp::operation_named("show_proposal");
  const auto record = perform(*work, request);
  if (!record) return problem_of(record.error(), request.path);
  Work asked{.repo = work->repo, .operation = &mcp::operation_named("patch_impact")};
  asked.request.operands = {"-"};
  asked.request.options["base"] = {std::string(Peek(record->document)["base_commit"].text())};
  asked.request.options["profile"] = {"git"};
  asked.input = Peek(diff->document)["diff"].text();
  const auto impact =
      asked.input.empty() ? Result<ops::Reply>(ops::Reply{}) : perform(asked, request);
  if (!impact) return problem_of(impact.error(), request.path);
  const Peek told(impact->document);
  return json_answer(
      200, Map{{"schema", "gatehouse.proposal_findings/1"},
               {"patch_id", Peek(record->document)["patch_id"].text()},
               {"refused", told["refused"].exists() ? Value(told["refused"].text()) : Value()},
               {"messages", told["messages"].list()},
               {"findings", impact_findings(impact->document)}});
}

/// interfaces 6.1: 428 without If-Match, 412 when it names another state than the present one.
std::optional<http::Response> Api::refuse_stale(const Work& work, const http::Request& request) {
  if (work.endpoint->object.empty()) return std::nullopt;
  const auto told = request.field("If-Match");
  if (!told)
    return problem_of({428, "precondition_required",
                       "say with If-Match which state was looked at: the ETag of the object"});
  Matched object{.endpoint = nullptr, .variables = work.variables};
  for (const Endpoint& row : endpoints())
    if (row.method == "GET" && row.path == work.endpoint->object) object.endpoint = &row;
  http::Request look;
  look.method = "GET";
  look.path = request.path;
  look.query = request.query;
  look.caller = request.caller;
  const http::Response now = call(look, object);
  if (now.status != 200) return now;
  const std::string etag = http::field(now.fields, "ETag").value_or("");
  if (*told == "*" || is_same_etag(*told, etag)) return std::nullopt;
  return problem_of({412,
                     "changed_meanwhile",
                     "it changed since it was looked at; look again",
                     {{"ETag", etag}}});
}

http::Response Api::decide(const Work& work, const http::Request& request) {
  const std::lock_guard turn(repos_.turn_of(work.repo));
  const auto named = request.field(kIdempotency);
  std::string key;
  const std::string asked = digest_of(fmt::format("{}\n{}\n{}\n{}", request.method, request.path,
                                                  request.query, request.body))
                                .hex();
  if (named) {
    if (named->empty() || named->size() > KeptAnswers::kMaxKey)
      return problem_of({400, "bad_request", "Idempotency-Key has 1 to 200 characters"});
    key = counted_as(request.caller) + "\n" + *named;
    if (auto kept = kept_.find(key, env_.monotonic_ms())) {
      if (kept->request == asked) return kept->answer;
      return problem_of(
          {422, "idempotency_key_reused", "another request was made under this Idempotency-Key"});
    }
  }
  if (auto stale = refuse_stale(work, request)) return *std::move(stale);
  auto reply = perform(work, request);
  http::Response out =
      reply ? tell(work, std::move(*reply), request) : problem_of(reply.error(), request.path);
  if (!key.empty() && out.status < 500)
    kept_.keep(std::move(key), {asked, out, env_.monotonic_ms()});
  return out;
}

http::Response Api::tell(const Work& work, ops::Reply reply, const http::Request& request) {
  const Endpoint& endpoint = *work.endpoint;
  if (changes_state(endpoint) && reply.exit != ops::ExitCode::done)
    return denial(code_of_refusal(reply.document), reply.why, reply.document, request.path);
  Map document = reply.document.as_map() != nullptr ? *reply.document.as_map() : Map{};
  if (endpoint.shape != nullptr) document = endpoint.shape(std::move(document), work.given);
  if (!endpoint.items.empty()) document = paged(endpoint, std::move(document), work.given);
  const bool makes = endpoint.path == "/repos/{r}/proposals" && request.method == "POST";
  return json_answer(makes ? 201 : 200, document);
}

// --- what is no operation

Map Api::caller_document(const http::Caller& caller) const {
  const Actor actor = actor_for(caller);
  return Map{{"name", actor.name},
             {"kind", actor.kind},
             {"via", actor.via},
             {"roles", string_list(caller.roles)}};
}

Map Api::session_document(const http::Caller& caller, std::string_view csrf) const {
  return Map{{"schema", "gatehouse.server_session/1"},
             {"actor", caller_document(caller)},
             {"csrf", csrf.empty() ? Value() : Value(csrf)}};
}

http::Response Api::answer_own(const http::Request& request, const Endpoint& endpoint,
                               const Matched& matched) {
  List repos;
  for (const Repository& repo : repos_.all())
    repos.emplace_back(Map{{"name", repo.name}});
  const Map tool{{"name", kProduct}, {"version", kVersion}};
  switch (endpoint.own) {
    case Own::openapi:
      return json_answer(200, openapi_document());
    case Own::live:
      return json_answer(200, Map{{"status", "live"}});
    case Own::ready: {
      for (const Repository& repo : repos_.all()) {
        Work look{.repo = repo, .operation = &mcp::operation_named("audit_log")};
        look.request.options["limit"] = {"1"};
        if (auto reply = perform(look, request); !reply)
          return problem_of({503, "not_ready", "a ledger cannot be read: " + repo.name});
      }
      return json_answer(200, Map{{"status", "ready"}});
    }
    case Own::status:
      return json_answer(200, Map{{"schema", "gatehouse.server_status/1"},
                                  {"tool", tool},
                                  {"api", "v1"},
                                  {"repos", std::move(repos)},
                                  {"actor", caller_document(request.caller)}});
    case Own::session: {
      const auto found = logins_.find(cookie_of(request.fields));
      const bool is_browser = !request.caller.session.empty() && found;
      return json_answer(200, session_document(request.caller, is_browser ? found->csrf : ""));
    }
    case Own::login:
      return log_in(request);
    case Own::logout:
      return log_out(request);
    case Own::repos:
      return json_answer(200,
                         Map{{"schema", "gatehouse.repositories/1"}, {"items", std::move(repos)}});
    case Own::repo: {
      const auto found = repos_.find(matched.variables.at("r"));
      if (!found) return problem_of(found.error(), request.path);
      return json_answer(200, Map{{"schema", "gatehouse.repository/1"}, {"name", found->name}});
    }
    case Own::none:
    case Own::events:
    case Own::findings:
      break;
  }
  return problem_of({404, "no_such_path", "nothing is served here"});
}

std::string Api::cookie_name() const {
  return is_secure() ? "__Host-gh" : fmt::format("gh_{}", port_);
}

std::string Api::cookie_of(const http::Fields& fields) const {
  const std::string all = http::field(fields, "Cookie").value_or(""), name = cookie_name() + "=";
  for (const std::string_view pair : split(all, ';'))
    if (const std::string_view one = http::trimmed(pair); one.starts_with(name))
      return std::string(one.substr(name.size()));
  return {};
}

http::Response Api::log_in(const http::Request& request) {
  if (http::media_type(request.field("Content-Type").value_or("")) != "application/json")
    return problem_of({415, "unsupported_media_type", "Content-Type must be application/json"});
  auto body = wire::read_json(request.body, "body", {.max_bytes = 4'096, .max_depth = 4});
  if (!body) return problem_of(body.error(), request.path);
  const Peek asked(*body);
  const std::string nonce(asked["nonce"].text()), token(asked["token"].text());
  std::optional<http::Caller> caller;
  if (!nonce.empty() && logins_.take_nonce(nonce))
    caller = http::Caller{{}, {}, {"reviewer", "promoter", "admin"}};
  else if (!token.empty() && settings_.tokens)
    caller = settings_.tokens->find(token);
  if (!caller) {
    const std::lock_guard lock(mutex_);
    const std::int64_t wait = strangers_.take(address_of(request.peer), env_.monotonic_ms());
    if (wait > 0)
      return problem_of({429,
                         "too_many_guesses",
                         "too many attempts to log in",
                         {{"Retry-After", std::to_string(wait)}}});
    return problem_of({401, "login_refused",
                       "the nonce was used, or is older than a minute, or the token is not known"});
  }
  // Whatever the browser came with ends here, so that nobody can have chosen its session for it.
  if (auto old = logins_.find(cookie_of(request.fields))) logins_.close(old->caller.session);
  const Logins::Opened opened = logins_.open(*caller);
  http::Response out = json_answer(200, session_document(*caller, opened.csrf));
  out.fields.push_back({"Set-Cookie", fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/; "
                                                  "Max-Age={}{}",
                                                  cookie_name(), opened.id, Logins::kIdleMs / 1000,
                                                  is_secure() ? "; Secure" : "")});
  return out;
}

http::Response Api::log_out(const http::Request& request) {
  if (!request.caller.session.empty()) logins_.close(request.caller.session);
  return {204,
          {{"Cache-Control", "no-store"},
           {"Set-Cookie", fmt::format("{}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0{}",
                                      cookie_name(), is_secure() ? "; Secure" : "")}},
          {}};
}

// --- events

void Api::listen(const http::Request& request, const Exchange& exchange) {
  const auto query = read_query(request.query);
  const auto refuse = [&](const http::Refusal& refusal) { exchange->reply(problem_of(refusal)); };
  if (!query) return refuse({400, "bad_argument", "the query cannot be read"});
  Events::Wish wish;
  std::string repo, topics = "intents,proposals,runs,releases";
  for (const auto& [name, value] : *query) {
    if (name == "repo")
      repo = value;
    else if (name == "topics")
      topics = value;
    else
      return refuse({400, "bad_argument", "events take the parameters topics and repo"});
  }
  for (const std::string_view topic : split(topics, ',')) {
    if (!is_topic(topic))
      return refuse(
          {400, "bad_argument", "topics are intents, proposals, runs, releases and audit"});
    wish.topics.emplace(topic);
  }
  if (wish.topics.contains("audit") && !holds_one(request.caller, roles_of(Access::reviewer)))
    return refuse({403, "role_too_low", "the topic audit needs the role reviewer"});
  auto found = repos_.find(repo);
  if (!found) return exchange->reply(problem_of(found.error(), request.path));
  wish.repo = std::move(*found);
  if (const auto last = request.field("Last-Event-ID")) {
    std::int64_t number = 0;
    const auto [end, wrong] = std::from_chars(last->data(), last->data() + last->size(), number);
    if (wrong != std::errc{} || end != last->data() + last->size() || number < 0)
      return refuse({400, "bad_argument", "Last-Event-ID is the number of an event"});
    wish.after = number;
  }
  auto stream = events_.open(exchange, counted_as(request.caller));
  if (!stream)
    return refuse({429,
                   "too_many_streams",
                   "too many streams are open; close one",
                   {{"Retry-After", std::string(kBusyAgain)}}});
  exchange->on_gone([this, reader = stream.get()] { events_.remove(reader); });
  events_.add(std::move(stream), std::move(wish));
}

}  // namespace gh::serve
