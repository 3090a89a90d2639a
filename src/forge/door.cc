#include "forge/door.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "base/text.h"
#include "forge/sticky.h"
#include "http/client.h"
#include "model/peek.h"
#include "setup/ci_providers.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::forge {
namespace {

constexpr std::size_t kMaxBody = 65'536, kMaxEvent = 8u << 20, kMaxAnswer = 16u << 20;
constexpr int kPageSize = 100, kMaxPages = 50;

/// The REST interface of one kind of forge.
struct ForgeRow {
  std::string_view name;
  std::string_view api_variable, usual_api;
  std::string_view token_variables;  // the first that is set
  std::string_view list, edit;       // {repo} {change} {id}
  std::string_view edit_method;
  bool has_check_runs;
};
// clang-format off
// table: forges
constexpr std::array<ForgeRow, 2> kForges{{
    {"github", "GITHUB_API_URL", "https://api.github.com", "GITHUB_TOKEN GH_TOKEN",
     "/repos/{repo}/issues/{change}/comments", "/repos/{repo}/issues/comments/{id}", "PATCH", true},
    {"gitlab", "CI_API_V4_URL", "https://gitlab.com/api/v4", "GITLAB_TOKEN",
     "/projects/{repo}/merge_requests/{change}/notes", "/projects/{repo}/merge_requests/{change}/notes/{id}", "PUT", false},
}};
// clang-format on

struct Asked {
  const ForgeRow* forge = nullptr;
  std::string api{}, repository{}, change{}, token{}, head{}, trusted{};
  When when = When::always;
};

/// A name in the path of an address: GitLab wants the slash of a project escaped.
std::string path_part(std::string_view text, bool keeps_slash) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' ||
                          (c == '/' && keeps_slash);
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 18 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string filled(std::string_view form, const Asked& asked, std::string_view id) {
  std::string out(form);
  const auto fill = [&out](std::string_view hole, const std::string& with) {
    if (const std::size_t at = out.find(hole); at != out.npos) out.replace(at, hole.size(), with);
  };
  fill("{repo}", path_part(asked.repository, asked.forge->name == "github"));
  fill("{change}", asked.change);
  fill("{id}", std::string(id));
  return out;
}

class Caller {
 public:
  Caller(const Asked& asked, ops::Context& context) : asked_(asked), context_(context) {}

  Result<http::Response> call(std::string_view method, const std::string& path,
                              const Value& body = {}) const {
    GH_TRY(target, http::read_url(asked_.api + path));
    return http::call(target, method, fields(),
                      body.is_null() ? std::string() : wire::canonical_json(body),
                      {.patience = std::chrono::seconds(60),
                       .body_bytes = kMaxAnswer,
                       .give_up = context_.interrupted,
                       .trusted = asked_.trusted});
  }

  /// What a server said of a refusal. Whatever it repeats, the token is not shown.
  std::string words_of(const http::Response& reply) const {
    const auto body = wire::read_json(reply.body, "answer", {}, wire::DuplicateKeys::last_wins);
    std::string said = body ? std::string(Peek(*body)["message"].text()) : std::string();
    for (std::size_t at = said.find(asked_.token); at != said.npos; at = said.find(asked_.token))
      said.replace(at, asked_.token.size(), "***");
    return fmt::format("the forge answers {} {}{}{}", reply.status,
                       http::reason_phrase(reply.status), said.empty() ? "" : ": ",
                       printable(said, 200));
  }

 private:
  http::Fields fields() const {
    http::Fields out{{"Accept", "application/json"},
                     {"Content-Type", "application/json"},
                     {"User-Agent", "gatehouse"}};
    if (asked_.forge->name == "github") {
      out.push_back({"Authorization", "Bearer " + asked_.token});
      out.push_back({"X-GitHub-Api-Version", "2022-11-28"});
    } else {
      out.push_back({"PRIVATE-TOKEN", asked_.token});
    }
    return out;
  }

  const Asked& asked_;
  ops::Context& context_;
};

/// No right to write, or nothing there: a fork, a token that may only read. That is no failure of
/// the job that judged the change.
bool is_without_right(int status) { return status == 401 || status == 403 || status == 404; }

struct Outcome {
  std::string action, id{}, why{};
};

class Poster {
 public:
  Poster(const Asked& asked, ops::Context& context) : asked_(asked), caller_(asked, context) {}

  Result<Outcome> post(const std::string& body) {
    std::vector<Comment> all;
    GH_TRY(refused, list(all));
    if (!refused.empty()) return Outcome{"skipped", {}, refused};
    std::optional<Comment> there;
    const std::vector<Comment> candidates = ours(body, all);
    if (!candidates.empty()) there = candidates.front();
    const Plan made = plan(body, there, asked_.when);
    if (made.act == Plan::Act::leave) return Outcome{"unchanged", there->id, {}};
    if (made.act == Plan::Act::create) return create(made.body);
    // Somebody may have planted a comment with our first line: one that we may edit is ours.
    std::string why;
    for (const Comment& comment : candidates) {
      GH_TRY(reply,
             caller_.call(asked_.forge->edit_method, filled(asked_.forge->edit, asked_, comment.id),
                          Value(Map{{"body", made.body}})));
      if (reply.status / 100 == 2) return Outcome{"updated", comment.id, {}};
      why = caller_.words_of(reply);
      if (!is_without_right(reply.status)) return fail(Code::io_error, why);
    }
    return create(made.body);
  }

  Result<Outcome> check_run(const std::string& name, const std::string& body) {
    const std::string_view decision = state_of(body, "decision");
    const std::string_view conclusion = decision == "allow"  ? "success"
                                        : decision == "deny" ? "failure"
                                                             : "neutral";
    GH_TRY(reply,
           caller_.call("POST", filled("/repos/{repo}/check-runs", asked_, ""),
                        Value(Map{{"name", name},
                                  {"head_sha", asked_.head},
                                  {"status", "completed"},
                                  {"conclusion", conclusion},
                                  {"output", Map{{"title", fmt::format("{}: {}", name, decision)},
                                                 {"summary", body}}}})));
    if (reply.status / 100 == 2) return Outcome{std::string(conclusion), {}, {}};
    if (is_without_right(reply.status)) return Outcome{"skipped", {}, caller_.words_of(reply)};
    return fail(Code::io_error, caller_.words_of(reply));
  }

 private:
  Result<Outcome> create(const std::string& body) {
    GH_TRY(reply, caller_.call("POST", filled(asked_.forge->list, asked_, ""),
                               Value(Map{{"body", body}})));
    if (is_without_right(reply.status)) return Outcome{"skipped", {}, caller_.words_of(reply)};
    if (reply.status / 100 != 2) return fail(Code::io_error, caller_.words_of(reply));
    const auto made = wire::read_json(reply.body, "answer", {}, wire::DuplicateKeys::last_wins);
    return Outcome{"created", made ? fmt::format("{}", Peek(*made)["id"].number()) : "", {}};
  }

  /// Every comment of the change; why it may not be read, where that is so.
  Result<std::string> list(std::vector<Comment>& out) {
    for (int page = 1; page <= kMaxPages; ++page) {
      GH_TRY(reply, caller_.call("GET", fmt::format("{}?per_page={}&page={}",
                                                    filled(asked_.forge->list, asked_, ""),
                                                    kPageSize, page)));
      if (is_without_right(reply.status)) return caller_.words_of(reply);
      if (reply.status != 200) return fail(Code::io_error, caller_.words_of(reply));
      GH_TRY(rows,
             wire::read_json(reply.body, "list of comments", {}, wire::DuplicateKeys::last_wins));
      if (rows.as_list() == nullptr)
        return fail(Code::input_unreadable, "the forge's list of comments is no list");
      for (const Value& row : *rows.as_list())
        out.push_back(
            {fmt::format("{}", Peek(row)["id"].number()), std::string(Peek(row)["body"].text())});
      if (rows.as_list()->size() < kPageSize) break;
    }
    return std::string();
  }

  const Asked& asked_;
  Caller caller_;
};

Result<Value> event_of(std::string_view provider, const setup::CiVariables& variables) {
  const std::string path = provider == "github" ? variables("GITHUB_EVENT_PATH") : "";
  if (path.empty()) return Value();
  GH_TRY(bytes, sys::read_file(path, kMaxEvent));
  return wire::read_json(bytes, "the event of the workflow", {}, wire::DuplicateKeys::last_wins);
}

const ForgeRow* forge_named(std::string_view name) {
  const auto row = std::ranges::find(kForges, name, &ForgeRow::name);
  return row == kForges.end() ? nullptr : &*row;
}

Result<Asked> read_asked(const ops::Request& request, const ops::Context& context) {
  const setup::CiVariables variables = [&](std::string_view name) {
    return context.env.variable(name);
  };
  const std::string named = request.text("forge");
  const std::string_view provider =
      named == "auto" ? setup::detected_provider(variables).name : std::string_view(named);
  Asked out{.forge = forge_named(provider)};
  if (out.forge == nullptr)
    return fail(Code::missing_argument, "name the forge: --forge github or --forge gitlab");
  GH_TRY(event, event_of(provider, variables));
  const setup::CiFacts facts = setup::ci_facts(*setup::ci_provider(provider), variables, event);
  const auto first = [](std::string given, std::string found) {
    return given.empty() ? std::move(found) : std::move(given);
  };
  out.repository = first(request.text("repo"), facts.repository);
  out.change = first(request.text("change"), facts.change);
  out.head = first(request.text("head"), facts.heads.empty() ? "" : facts.heads.front().name);
  out.api = first(request.text("api"),
                  first(variables(out.forge->api_variable), std::string(out.forge->usual_api)));
  while (out.api.ends_with('/'))
    out.api.pop_back();
  out.trusted = request.text("ca-file");
  out.when = request.flag("on-change") ? When::on_change : When::always;
  std::string token_names(out.forge->token_variables);
  if (request.has("token-env")) token_names = request.text("token-env");
  for (const std::string_view name : split(std::string_view(token_names), ' '))
    if (out.token.empty()) out.token = variables(name);
  return out;
}

ops::Reply reply_of(const Outcome& outcome, const std::optional<Outcome>& run,
                    const ops::Context& context) {
  for (const Outcome* one : {&outcome, run ? &*run : nullptr})
    if (one != nullptr && one->action == "skipped" && context.notice)
      context.notice("nothing was posted: " + one->why);
  ops::Reply reply;
  reply.document = Map{{"schema", "gatehouse.comment_posted/1"},
                       {"action", outcome.action},
                       {"id", outcome.id.empty() ? Value() : Value(outcome.id)},
                       {"why", outcome.why.empty() ? Value() : Value(outcome.why)},
                       {"check_run", run ? Value(run->action) : Value()}};
  reply.text = [outcome](const report::Look&) {
    return outcome.id.empty() ? fmt::format("comment {}\n", outcome.action)
                              : fmt::format("comment {} {}\n", outcome.id, outcome.action);
  };
  return reply;
}

}  // namespace

Result<ops::Reply> open_comment_post(const ops::Request& request, ops::Context& context) {
  std::string file = request.text("FILE");
  if (file.empty()) file = "gatehouse-reports/comment.md";
  GH_TRY(body,
         sys::read_named_file(file.starts_with('/') ? file : context.cwd + "/" + file, kMaxBody));
  if (marker_of(body).empty())
    return fail(Code::input_unreadable,
                fmt::format("{} has no first line of ours; 'gatehouse ci' writes comment.md, "
                            "'gatehouse comment render' prints one",
                            printable(file, 200)));
  GH_TRY(asked, read_asked(request, context));
  if (asked.repository.empty())
    return fail(Code::missing_argument, "name the repository: --repo OWNER/NAME");
  if (asked.token.empty())
    return reply_of({"skipped", {}, "there is no token in the environment"}, {}, context);
  std::optional<Outcome> run;
  if (request.has("check-run")) {
    if (!asked.forge->has_check_runs) return fail(Code::bad_argument, "--check-run is for GitHub");
    if (asked.head.empty())
      return fail(Code::missing_argument, "name the commit of the check run: --head ID");
    GH_TRY(made, Poster(asked, context).check_run(request.text("check-run"), body));
    run = std::move(made);
  }
  if (request.flag("only-check-run"))
    return reply_of({"skipped", {}, "not asked for"}, run, context);
  if (asked.change.empty())
    return reply_of({"skipped", {}, "this run is for no pull request"}, run, context);
  if (!is_number(asked.change))
    return fail(Code::bad_argument, "--change takes the number of the pull request");
  GH_TRY(outcome, Poster(asked, context).post(body));
  return reply_of(outcome, run, context);
}

}  // namespace gh::forge
