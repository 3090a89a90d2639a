// Parts of the HTTP interface that need no server: routing, logins, answers, rows of a diff,
// events.
#include "serve/api.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "mcp/inside.h"
#include "model/peek.h"
#include "serve/answers.h"
#include "serve/api_table.h"
#include "serve/diff_rows.h"
#include "serve/events.h"
#include "serve/impact_rows.h"
#include "serve/kept_answers.h"
#include "serve/logins.h"
#include "serve/metrics.h"
#include "serve/openapi.h"
#include "serve/page.h"
#include "serve/page_assets.h"
#include "serve/repositories.h"
#include "wire/json.h"

namespace gh::serve {
namespace {

class HandClock final : public sys::Env {
 public:
  Timestamp now() override { return {}; }
  std::int64_t monotonic_ms() override { return ms; }
  std::string random_hex(std::size_t digits) override {
    std::string out = std::to_string(++made_);
    return std::string(digits - out.size(), '0') + out;
  }
  std::string variable(std::string_view) override { return {}; }
  std::uint32_t user_id() override { return 0; }
  std::int64_t process_id() override { return 1; }
  std::string host_name() override { return "h"; }
  std::int64_t ms = 0;

 private:
  int made_ = 0;
};

// interfaces 6.2: single use, 60 s; 12 h idle.
TEST(Logins, ANonceIsGoodOnceAndForAMinute) {
  HandClock clock;
  Logins logins(clock);
  const std::string one = logins.new_nonce(), two = logins.new_nonce();
  EXPECT_TRUE(logins.take_nonce(one));
  EXPECT_FALSE(logins.take_nonce(one));
  clock.ms = 60'001;
  EXPECT_FALSE(logins.take_nonce(two));
  EXPECT_FALSE(logins.take_nonce(""));
}

TEST(Logins, ASessionEndsWhenItIsIdleForTwelveHours) {
  HandClock clock;
  Logins logins(clock);
  const auto opened = logins.open({"id", "eve", {"reviewer"}});
  const std::int64_t hour = 3'600'000;
  clock.ms = 11 * hour;
  ASSERT_TRUE(logins.find(opened.id));
  clock.ms += 11 * hour;
  const auto found = logins.find(opened.id);
  ASSERT_TRUE(found) << "it was used meanwhile";
  EXPECT_EQ(found->caller.actor, "eve");
  EXPECT_EQ(found->csrf, opened.csrf);
  EXPECT_NE(found->caller.session, opened.id) << "nobody may speak for it by what is shown";
  clock.ms += 12 * hour + 1;
  EXPECT_FALSE(logins.find(opened.id));
}

TEST(Logins, OneThatWasClosedIsOver) {
  HandClock clock;
  Logins logins(clock);
  const auto opened = logins.open({"id", "eve", {"reviewer"}});
  logins.close(logins.find(opened.id)->caller.session);
  EXPECT_FALSE(logins.find(opened.id));
}

TEST(KeptAnswers, AreForgottenAfterADay) {
  KeptAnswers kept;
  kept.keep("key", {"digest", {200, {}, "one"}, 0});
  ASSERT_TRUE(kept.find("key", 24ll * 3'600'000));
  EXPECT_EQ(kept.find("key", 0)->answer.body, "one");
  EXPECT_FALSE(kept.find("key", 24ll * 3'600'000 + 1));
  EXPECT_FALSE(kept.find("other", 0));
}

// interfaces 6.1, 6.2, behind Host and Origin. Typed out again from there.
TEST(ApiChecks, AreMadeInThisOrder) {
  const std::vector<std::string_view> expected{"path", "method", "token", "csrf",
                                               "role", "size",   "rate"};
  const auto order = api_check_order();
  EXPECT_EQ(std::vector(order.begin(), order.end()), expected);
}

TEST(ApiTable, EveryCallNamesAnOperationAndItsArguments) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const Endpoint& row : endpoints()) {
    EXPECT_TRUE(seen.emplace(row.method, row.path).second) << row.path;
    EXPECT_FALSE(row.summary.empty()) << row.path;
    EXPECT_TRUE(row.own != Own::none || !row.call.operation.empty()) << row.path;
    if (row.call.operation.empty()) continue;
    const ops::Operation& operation = mcp::operation_named(row.call.operation);
    for (const mcp::Argument& argument : row.call.arguments) {
      if (argument.to.empty()) continue;
      const bool is_known = mcp::is_operand(argument.to)
                                ? std::ranges::find(operation.operands, argument.to,
                                                    &ops::Operand::name) != operation.operands.end()
                                : ops::find_option(operation, argument.to) != nullptr;
      EXPECT_TRUE(is_known) << row.path << " " << argument.to;
    }
    if (row.method == "GET") EXPECT_NE(operation.effect, ops::Effect::writes_tree) << row.path;
  }
}

TEST(ApiTable, WordsOfAPathStandBeforeVariables) {
  std::vector<std::string> allowed;
  EXPECT_EQ(match("GET", "/api/v1/runs/compare", allowed).endpoint->path, "/runs/compare");
  allowed.clear();
  const Matched one = match("GET", "/api/v1/proposals/a%2Fb", allowed);
  EXPECT_EQ(one.variables.at("id"), "a/b");
  for (const char* path : {"/api/v1/proposals/", "/api/v1/proposals/%ff", "/api/v1/proposals/%zz",
                           "/api/v1x/status", "/api/v1", "/status", "/api/v1/proposals/a/b/c"}) {
    allowed.clear();
    EXPECT_EQ(match("GET", path, allowed).endpoint, nullptr) << path;
    EXPECT_TRUE(allowed.empty()) << path;
  }
  allowed.clear();
  EXPECT_EQ(match("PUT", "/api/v1/session", allowed).endpoint, nullptr);
  EXPECT_EQ(allowed, (std::vector<std::string>{"GET", "POST", "DELETE"}));
}

/// Every {"$ref": "#/a/b"} of a document, in order.
void collect_refs(const Value& value, std::vector<std::string>& out) {
  std::vector<const Value*> open{&value};
  while (!open.empty()) {
    const Value* at = open.back();
    open.pop_back();
    if (const Map* map = at->as_map())
      for (const auto& [name, member] : map->entries()) {
        if (name == "$ref" && member.as_string()) out.push_back(*member.as_string());
        open.push_back(&member);
      }
    if (const List* list = at->as_list())
      for (const Value& item : *list)
        open.push_back(&item);
  }
}

TEST(OpenApi, ResolvesItsReferencesAndDeclaresItsVariables) {
  const Value document = openapi_document();
  EXPECT_EQ(Peek(document)["openapi"].text(), "3.1.0");
  std::vector<std::string> refs;
  collect_refs(document, refs);
  EXPECT_FALSE(refs.empty());
  for (const std::string& ref : refs) {
    ASSERT_TRUE(ref.starts_with("#/")) << ref;
    Peek at(document);
    for (const std::string_view step : split(std::string_view(ref).substr(2), '/'))
      at = at[step];
    EXPECT_TRUE(at.exists()) << ref;
  }
  std::set<std::string> ids;
  for (const auto& [path, methods] : Peek(document)["paths"].map().entries())
    for (const auto& [method, operation] : methods.as_map()->entries()) {
      EXPECT_TRUE(ids.emplace(Peek(operation)["operationId"].text()).second) << path;
      EXPECT_FALSE(Peek(operation)["responses"].map().empty()) << path;
      std::set<std::string> declared;
      for (const Value& parameter : Peek(operation)["parameters"].list())
        if (Peek(parameter)["in"].text() == "path")
          declared.emplace(Peek(parameter)["name"].text());
      for (const std::string_view segment : split(path, '/'))
        if (segment.starts_with('{'))
          EXPECT_TRUE(declared.contains(std::string(segment.substr(1, segment.size() - 2))))
              << path;
    }
}

TEST(ApiAnswers, AFaultHasTheStatusOfItsKind) {
  const std::vector<std::pair<Code, int>> rows{
      {Code::unknown_id, 404},         {Code::run_not_found, 404},
      {Code::unknown_intent, 404},     {Code::resource_unknown, 404},
      {Code::section_unknown, 404},    {Code::finding_not_found, 404},
      {Code::ref_unresolved, 404},     {Code::not_permitted, 403},
      {Code::conflict, 409},           {Code::ownership_lost, 409},
      {Code::document_too_large, 413}, {Code::lock_busy, 503},
      {Code::repo_busy, 503},          {Code::registry_busy, 503},
      {Code::ledger_unavailable, 503}, {Code::io_error, 500},
      {Code::bad_argument, 400},       {Code::json_invalid, 400},
      {Code::git_failed, 503},         {Code::internal_error, 500}};
  for (const auto& [code, status] : rows)
    EXPECT_EQ(status_of(code), status) << to_string(code);
}

TEST(ApiAnswers, APackedAnswerIsTheSameState) {
  EXPECT_TRUE(is_same_etag("\"a-gzip\"", "\"a\""));
  EXPECT_TRUE(is_same_etag("\"x\", \"a\"", "\"a\""));
  EXPECT_FALSE(is_same_etag("\"b\"", "\"a\""));
  EXPECT_FALSE(is_same_etag("", "\"a\""));
  EXPECT_TRUE(takes_gzip("br, gzip;q=0.5"));
  EXPECT_FALSE(takes_gzip("gzip;q=0"));
  EXPECT_FALSE(takes_gzip("br"));
  const std::string long_text(5000, 'x');
  EXPECT_LT(gzip(long_text).size(), 100u);
  EXPECT_EQ(packed({200, {}, "short"}, "gzip").body, "short");
}

TEST(ApiAnswers, ARefusalSaysItInOneLineOfPrintableText) {
  const http::Response out =
      problem_of(Error{Code::unknown_id, "no \x1b[31m\nproposal"}, "/x\r\ny");
  EXPECT_EQ(out.status, 404);
  EXPECT_FALSE(contains(out.body, "\x1b"));
  EXPECT_FALSE(contains(out.body, "\\u001b")) << out.body;
}

TEST(DiffRows, NumberTheLinesOfBothSides) {
  const std::string diff =
      "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -3,3 +3,3 @@\n one\n-two\n+2\n"
      " three\n";
  const Map out = with_rows(Map{{"diff", diff}}, {});
  const Peek file(Peek(out.find("files")).list().at(0));
  EXPECT_EQ(file["path"].text(), "a.txt");
  std::string seen;
  for (const Value& row : Peek(file["hunks"].list().at(0))["rows"].list())
    seen += fmt::format("{}{}:{} ", Peek(row)["kind"].text(), Peek(row)["old"].number(),
                        Peek(row)["new"].number());
  EXPECT_EQ(seen, " 3:3 -4:0 +0:4  5:5 ");
  EXPECT_TRUE(with_rows(Map{{"diff", "no diff"}}, {}).find("files")->is_null());
  EXPECT_TRUE(
      Peek(with_rows(Map{{"diff", diff}}, Map{{"file", "b"}}).find("files")).list().empty());
}

TEST(ImpactRows, AreAtThePlacesThatAnAnswerNames) {
  const auto place = [](std::string_view path, int line) {
    return Map{
        {"qualname", "f"}, {"relative_path", path}, {"start_line", line}, {"end_line", line + 2}};
  };
  Map complexity = place("b.py", 1);
  complexity.set("added", List{Map{{"line", 7}}});
  complexity.set("message", "m1");
  Map surface = place("a.py", 5), gap = place("c.py", 6);
  surface.set("message", "m2");
  gap.set("message", "m3");
  const Value impact = Map{
      {"answers",
       Map{{"copies",
            List{Map{{"from", place("x.py", 1)}, {"into", place("a.py", 3)}, {"message", "m4"}}}},
           {"clone_partial_edit",
            List{Map{{"edited", List{place("a.py", 1), place("a.py", 2)}}, {"message", "m5"}}}},
           {"grown_groups", List{Map{{"new_members", List{place("a.py", 4)}}, {"message", "m6"}}}},
           {"complexity", List{complexity}},
           {"security_surfaces", List{surface}},
           {"test_gaps", List{gap}}}}};
  std::string seen;
  for (const Value& row : impact_findings(impact)) {
    const Peek r(row);
    seen += fmt::format("{}:{} {} {} {}\n", r["path"].text(), r["line"].number(), r["kind"].text(),
                        r["severity"].text(), r["message"].text());
  }
  EXPECT_EQ(seen,
            "a.py:1 clone_partial_edit warning m5\n"
            "a.py:2 clone_partial_edit warning m5\n"
            "a.py:3 copies warning m4\n"
            "a.py:4 grown_groups warning m6\n"
            "a.py:5 security_surfaces warning m2\n"
            "b.py:7 complexity warning m1\n"
            "c.py:6 test_gaps note m3\n");
  EXPECT_TRUE(impact_findings(Value()).empty());
}

TEST(ServeMetrics, CountRequestsByDoorMethodAndStatusAlone) {
  Metrics metrics;
  const auto request = [](std::string_view method, std::string_view path, int status, int ms) {
    return Map{
        {"event", "request"}, {"method", method}, {"path", path}, {"status", status}, {"ms", ms}};
  };
  metrics.count(request("GET", "/api/v1/proposals/secret-name", 200, 30));
  metrics.count(request("GET", "/api/v1/status", 200, 3));
  metrics.count(request("POST", "/mcp", 429, 0));
  metrics.count(request("BREW", "/p/x", 405, 1));
  metrics.count(request("GET", "/metrics", 200, 1));
  metrics.count(Map{{"event", "too_many_connections"}});
  const std::string text = metrics.text();
  for (const char* line :
       {"gatehouse_request_milliseconds_count{door=\"api\",method=\"GET\",status=\"200\"} 2\n",
        "gatehouse_request_milliseconds_sum{door=\"api\",method=\"GET\",status=\"200\"} 33\n",
        "gatehouse_request_milliseconds_bucket{door=\"api\",method=\"GET\",status=\"200\",le=\"5\"}"
        " 1\n",
        "gatehouse_request_milliseconds_bucket{door=\"api\",method=\"GET\",status=\"200\",le="
        "\"100\"} 2\n",
        "gatehouse_request_milliseconds_count{door=\"mcp\",method=\"POST\",status=\"429\"} 1\n",
        "gatehouse_request_milliseconds_count{door=\"page\",method=\"other\",status=\"405\"} 1\n",
        "gatehouse_request_milliseconds_count{door=\"metrics\",method=\"GET\",status=\"200\"} 1\n",
        "gatehouse_connections_refused_total 1\n", "gatehouse_rate_limited_total 1\n"})
    EXPECT_TRUE(contains(text, line)) << line << text;
  EXPECT_FALSE(contains(text, "secret-name"));
}

TEST(ServerEvents, BelongToTopicsAndCarryIdsAlone) {
  const std::vector<std::pair<std::string_view, std::string_view>> rows{
      {"intent.declared", "intents"},         {"workspace.gc_completed", "intents"},
      {"patch_contract.verified", "intents"}, {"patch_budget.computed", "intents"},
      {"finish.hygiene_blocked", "intents"},  {"proposal.reviewed", "proposals"},
      {"analysis.completed", "runs"},         {"patch.applied", "runs"},
      {"release.verified", "releases"},       {"hook.denied", "audit"}};
  for (const auto& [event, topic] : rows)
    EXPECT_EQ(topic_of(event), topic) << event;
  const Map row{{"seq", 7},
                {"event", "proposal.reviewed"},
                {"subject", Map{{"proposal_id", "p"}}},
                {"payload", Map{{"text", "secret"}}}};
  const std::string frame = event_frame(row, "proposals", "repo");
  EXPECT_TRUE(frame.starts_with("id: 7\nevent: proposals.reviewed\ndata: {")) << frame;
  EXPECT_FALSE(contains(frame, "secret"));
  EXPECT_FALSE(is_topic("nothing"));
}

TEST(ServedRepositories, HaveDifferentNames) {
  const auto all = named_repositories({"/a/app", "/b/app", "/c/lib"});
  EXPECT_EQ(all[0].name, "app");
  EXPECT_EQ(all[1].name, "app-2");
  EXPECT_EQ(all[2].name, "lib");
  const Repositories repos(all);
  EXPECT_EQ(repos.find("app-2")->folder, "/b/app");
  EXPECT_EQ(repos.find("").error().code, Code::missing_argument);
  EXPECT_EQ(repos.find("/a/app").error().code, Code::unknown_id) << "a path is no name";
}

// interfaces 6.3: all JS and CSS.
TEST(PageBudget, IsHeld) {
  std::size_t raw = 0, packed_size = 0;
  bool has_page = false;
  for (const PageAsset& asset : page_assets()) {
    EXPECT_FALSE(asset.bytes.empty()) << asset.path;
    has_page |= asset.path == "/index.html";
    if (!asset.path.ends_with(".js") && !asset.path.ends_with(".css")) continue;
    EXPECT_TRUE(asset.path.starts_with("/assets/")) << asset.path;
    raw += asset.bytes.size();
    packed_size += asset.packed.size();
  }
  EXPECT_TRUE(has_page);
  EXPECT_LE(raw, 180u * 1024);
  EXPECT_LE(packed_size, 60u * 1024);
  EXPECT_GT(raw, 10'000u);
}

}  // namespace
}  // namespace gh::serve
