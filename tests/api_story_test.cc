// A proposal over HTTP from its submission to its commit; what happened is read through the command
// line and git.
#include "tests/api_kit.h"

namespace gh::kit {
namespace {

std::string object_of(const ProposalWorld& world) { return "/proposals/" + world.stem; }

Map pair_of(const ProposalWorld& world) {
  world.write_pair();
  return Map{{"diff", world.diff},
             {"meta", *sys::read_file(world.file(".patch.meta.yaml").string(), 65'536)}};
}

TEST(ApiStory, AProposalIsSubmittedReviewedAndPromoted) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  const std::string object = object_of(world), before = world.head();
  const Told made = api.post('a', "/repos/repo/proposals", pair_of(world));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(world.status(), "proposed");

  const Told early = api.decide('p', object, "promote", Map{{"confirm", world.stem}});
  EXPECT_EQ(early.status, 409);
  EXPECT_EQ(Peek(early.document)["verdict"]["decision"].text(), "review") << early.body;
  for (const char who : {'g', 'c'}) {
    const Told review = api.decide(who, object, "reviews", Map{{"verdict", "ok"}});
    EXPECT_EQ(review.status, 200) << review.body;
  }
  const Told promoted = api.decide('p', object, "promote", Map{{"confirm", world.stem}});
  ASSERT_EQ(promoted.status, 200) << promoted.body;
  EXPECT_EQ(world.status(), "promoted");
  EXPECT_NE(world.head(), before);
  EXPECT_EQ(Peek(promoted.document)["promotion"]["new_head"].text(), world.head());

  // Who did what, and by which door.
  const Answer log = world.run({"audit", "log"});
  std::map<std::string, std::string> by_event;
  for (const Value& row : Peek(log.document)["rows"].list())
    if (Peek(row)["surface"].text() == "http")
      by_event[std::string(Peek(row)["event"].text())] =
          fmt::format("{} {}", Peek(row)["actor"]["name"].text(), Peek(row)["actor"]["via"].text());
  EXPECT_EQ(by_event["proposal.reviewed"], "codex token");
  EXPECT_EQ(by_event["proposal.promoted"], "boss token");
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
  EXPECT_EQ(world.run({"proposal", "verify", world.stem}).exit, 0);
}

TEST(ApiStory, AChangeNamesTheStateThatWasLookedAt) {
  const ProposalWorld world(fast_policy());
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world);
  const std::string object = object_of(world);
  const Map ok{{"verdict", "ok"}};
  const Told bare = api.post('g', object + "/reviews", ok);
  EXPECT_EQ(bare.status, 428);
  EXPECT_EQ(bare.code(), "precondition_required");
  const std::string looked = api.get('g', object).field("ETag");
  ASSERT_FALSE(looked.empty());
  EXPECT_EQ(world.review("codex").exit, 0) << "somebody else speaks meanwhile";
  const Told stale = api.post('g', object + "/reviews", ok, "If-Match: " + looked + "\r\n");
  EXPECT_EQ(stale.status, 412);
  EXPECT_EQ(stale.code(), "changed_meanwhile");
  EXPECT_EQ(api.decide('g', object, "reviews", ok).status, 200);
  EXPECT_EQ(world.run({"proposal", "show", world.stem}).text("sub_state"), "approved");
}

TEST(ApiStory, AKeyOfARequestIsAnsweredOnce) {
  const ProposalWorld world(fast_policy());
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world);
  const std::string object = object_of(world);
  const std::string fields =
      "Idempotency-Key: one\r\nIf-Match: " + api.get('g', object).field("ETag") + "\r\n";
  const Told first = api.post('g', object + "/reviews", Map{{"verdict", "ok"}}, fields);
  const Told again = api.post('g', object + "/reviews", Map{{"verdict", "ok"}}, fields);
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(again.body, first.body) << "the state is another one now, and the answer is the same";
  const Told other = api.post('g', object + "/reviews",
                              Map{{"verdict", "changes"}, {"reasons", List{"x:y"}}}, fields);
  EXPECT_EQ(other.status, 422);
  const Answer shown = world.run({"proposal", "show", world.stem});
  EXPECT_EQ(Peek(shown.document)["reviews"].list().size(), 1u);
}

TEST(ApiStory, ATokenSpeaksUnderItsOwnName) {
  const ProposalWorld world(fast_policy());
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world);
  const Told told =
      api.decide('g', object_of(world), "reviews", Map{{"verdict", "ok"}, {"as", "codex"}});
  EXPECT_EQ(told.status, 403) << told.body;
  EXPECT_EQ(told.code(), "not_permitted");
  EXPECT_TRUE(Peek(world.run({"proposal", "show", world.stem}).document)["reviews"].list().empty());
}

TEST(ApiStory, NobodyTakesBackWhatSomebodyElseProposed) {
  const ProposalWorld world(fast_policy());
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world);
  for (const char who : {'a', 'g', 'm'}) {
    const Told told = api.decide(who, object_of(world), "withdraw", Map{});
    EXPECT_EQ(told.status, 409) << who << told.body;
    EXPECT_EQ(told.code(), "PROP_STATE_INVALID") << who;
  }
  EXPECT_EQ(world.status(), "proposed");
  EXPECT_EQ(world.run({"proposal", "withdraw", world.stem}).exit, 0) << "the local user may";
}

TEST(ApiStory, WhereAPersonMustConfirmTheIdIsTypedAgain) {
  const ProposalWorld world(fast_policy("human"));
  world.approve();
  const ServedApi api(world);
  const std::string object = object_of(world);
  for (const Map& body : {Map{}, Map{{"confirm", "another-id"}}}) {
    const Told told = api.decide('p', object, "promote", body);
    EXPECT_EQ(told.status, 409) << told.body;
    EXPECT_EQ(world.status(), "proposed");
  }
  EXPECT_EQ(api.decide('p', object, "promote", Map{{"confirm", world.stem}}).status, 200);
  EXPECT_EQ(world.status(), "promoted");
}

TEST(ApiStory, ARejectionKeepsItsReason) {
  const ProposalWorld world(fast_policy());
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world);
  EXPECT_EQ(api.decide('p', object_of(world), "reject", Map{}).status, 400);
  const Told told =
      api.decide('p', object_of(world), "reject", Map{{"reason", "unwanted:not in this release"}});
  EXPECT_EQ(told.status, 200) << told.body;
  EXPECT_EQ(world.status(), "rejected");
  EXPECT_TRUE(
      contains(world.run({"proposal", "show", world.stem, "--audit"}).out, "not in this release"));
}

TEST(ApiStory, TheDiffComesAsRows) {
  const ProposalWorld world(fast_policy());
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world);
  const Told told = api.get('a', object_of(world) + "/diff");
  const List& files = Peek(told.document)["files"].list();
  ASSERT_EQ(files.size(), 2u) << told.body;
  EXPECT_EQ(Peek(files[0])["path"].text(), "src/calc.py");
  const List& rows = Peek(Peek(files[0])["hunks"].list()[0])["rows"].list();
  const Peek last(rows.back());
  EXPECT_EQ(last["kind"].text(), "+");
  EXPECT_EQ(last["text"].text(), "line 41");
  EXPECT_EQ(last["new"].number(), 41);
  EXPECT_FALSE(last["old"].exists());
  const Told one = api.get('a', object_of(world) + "/diff?file=tests/test_calc.py");
  EXPECT_EQ(Peek(one.document)["files"].list().size(), 1u);
}

TEST(ApiStory, ListsComePageByPage) {
  const ProposalWorld world(fast_policy());
  world.approve();
  const ServedApi api(world);
  std::vector<std::int64_t> seen;
  std::string cursor;
  do {
    const Told page = api.get('g', "/audit?limit=2" + cursor);
    ASSERT_EQ(page.status, 200) << page.body;
    const List& items = Peek(page.document)["items"].list();
    for (auto row = items.rbegin(); row != items.rend(); ++row)
      seen.push_back(Peek(*row)["seq"].number());
    const Peek next = Peek(page.document)["next_cursor"];
    cursor = next.exists() ? fmt::format("&cursor={}", next.number()) : "";
  } while (!cursor.empty() && seen.size() < 100);
  ASSERT_GE(seen.size(), 3u);
  for (std::size_t i = 0; i < seen.size(); ++i)
    EXPECT_EQ(seen[i], static_cast<std::int64_t>(seen.size() - i));
  const Told list = api.get('a', "/repos/repo/proposals?limit=1&status=proposed");
  EXPECT_EQ(Peek(list.document)["items"].list().size(), 1u) << list.body;
}

TEST(ApiStory, SeveralRepositoriesAreToldApart) {
  const ProposalWorld world(fast_policy());
  ASSERT_EQ(world.submit().exit, 0);
  const std::string second = (world.scratch.path() / "second").string();
  git_says(world.repo, {"clone", "-q", world.repo.string(), second});
  const ServedApi api(world, {"--repo", world.repo.string(), second});
  std::string names;
  const Told served = api.get('a', "/repos");
  for (const Value& repo : Peek(served.document)["items"].list())
    names += std::string(Peek(repo)["name"].text()) + " ";
  EXPECT_EQ(names, "repo second ");
  EXPECT_EQ(api.get('a', object_of(world)).code(), "missing_argument");
  EXPECT_EQ(api.get('a', object_of(world) + "?repo=repo").status, 200);
  EXPECT_EQ(api.get('a', object_of(world) + "?repo=second").code(), "unknown_id");
  EXPECT_EQ(api.get('a', object_of(world) + "?repo=third").code(), "unknown_id");
}

TEST(ApiStory, AnAnswerThatIsKnownIsNotSentAgain) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  const Told first = api.get('a', "/contract", "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(first.field("Content-Encoding"), "gzip");
  const std::string etag = first.field("ETag");
  ASSERT_FALSE(etag.empty());
  EXPECT_EQ(api.get('a', "/contract", "If-None-Match: " + etag + "\r\n").status, 304);
  EXPECT_EQ(api.get('a', "/contract", "If-None-Match: \"x\"\r\n").status, 200);
}

TEST(ApiStory, WhatIsReadChangesNothing) {
  const ProposalWorld world(fast_policy());
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world);
  const std::string before = world.run({"audit", "export"}).out;
  for (const char* path :
       {"/runs/HEAD", "/runs/HEAD~0/findings", "/runs/compare?a=HEAD&b=HEAD",
        "/repos/repo/clones?run=HEAD", "/proposals/calc-line-001", "/repos/repo/map",
        "/proposals/calc-line-001/verdict", "/proposals/calc-line-001/findings", "/audit/verify"})
    (void)api.get('m', path);
  EXPECT_EQ(world.run({"audit", "export"}).out, before);
  EXPECT_EQ(api.get('m', "/runs/HEAD").status, 400);
}

TEST(ApiStory, ProblemsHaveAStatusACodeAndANextStep) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  struct Case {
    std::string_view path;
    int status;
    std::string_view code;
  };
  for (const Case& c :
       {Case{"/nowhere", 404, "no_such_path"}, Case{"/proposals/none", 404, "unknown_id"},
        Case{"/repos/other/proposals", 404, "unknown_id"},
        Case{"/repos/..%2f..%2fetc/policy", 404, "unknown_id"},
        Case{"/runs/latest", 404, "run_not_found"},
        Case{"/repos/repo/proposals?limit=9999", 400, "bad_argument"},
        Case{"/repos/repo/proposals?what=1", 400, "bad_argument"},
        Case{"/repos/repo/proposals?status=odd", 400, "invalid_choice"},
        Case{"/audit?limit=x", 400, "bad_argument"}}) {
    const Told told = api.get('m', c.path);
    EXPECT_EQ(told.status, c.status) << c.path << told.body;
    EXPECT_EQ(told.code(), c.code) << c.path << told.body;
    EXPECT_EQ(told.field("Content-Type"), "application/problem+json") << c.path;
  }
  const Told method = api.send("DELETE", "/audit", api.bearer('m'));
  EXPECT_EQ(method.status, 405);
  EXPECT_EQ(method.field("Allow"), "GET");
  const Told type =
      api.send("POST", "/repos/repo/check", api.bearer('m') + "Content-Type: text/plain\r\n", "{}");
  EXPECT_EQ(type.status, 415);
  EXPECT_EQ(api.send("POST", "/repos/repo/check",
                     api.bearer('m') + "Content-Type: application/json\r\n", "[1")
                .code(),
            "json_invalid");
}

TEST(ApiStory, APatchIsJudgedAndNothingChanges) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  const Told good = api.send("POST", "/repos/repo/patches/check",
                             api.bearer('a') + "Content-Type: text/x-diff\r\n", world.diff);
  EXPECT_EQ(good.status, 200) << good.body;
  EXPECT_EQ(Peek(good.document)["verdict"]["decision"].text(), "allow") << good.body;
  const Told bad = api.send("POST", "/repos/repo/patches/check",
                            api.bearer('a') + "Content-Type: text/x-diff\r\n", "no diff\n");
  EXPECT_EQ(bad.status, 200) << "a no is the answer to this question";
  EXPECT_EQ(Peek(bad.document)["verdict"]["decision"].text(), "deny") << bad.body;
}

TEST(ApiStory, AnAgentDeclaresAChangeAndAnAdminClearsADeadOne) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  const Told started = api.post('a', "/repos/repo/intents",
                                Map{{"intent", "Tidy the sums"},
                                    {"scope", Map{{"allowed_files", List{"src/calc.py"}}}},
                                    {"analyze", true}});
  ASSERT_EQ(started.status, 200) << started.body;
  const std::string id(Peek(started.document)["intent_id"].text());
  ASSERT_FALSE(id.empty()) << started.body;
  const Answer listed = world.run({"change", "list"});
  EXPECT_TRUE(contains(listed.out, id)) << listed.out;
  EXPECT_TRUE(contains(listed.out, "\"bot\"")) << "the token's actor is its label" << listed.out;

  const std::string object = "/intents/" + id;
  const auto at = [&](std::string_view verb) { return object + std::string(verb); };
  const Told outside = api.post('a', at("/check"), Map{{"changed_files", List{"src/other.py"}}});
  EXPECT_EQ(outside.status, 200) << "a no is the answer to this question" << outside.body;
  EXPECT_EQ(Peek(outside.document)["status"].text(), "violated") << outside.body;
  const Told stranger = api.post('g', at("/abandon"), Map{});
  EXPECT_NE(stranger.status, 200) << stranger.body;
  EXPECT_EQ(api.post('m', at("/evict"), Map{}).status, 400) << "a reason is needed";
  const Told living = api.post('m', at("/evict"), Map{{"reason", "in the way"}});
  EXPECT_EQ(living.status, 409) << "its owner is alive" << living.body;
  EXPECT_EQ(api.post('a', at("/renew"), Map{}).status, 200);
  EXPECT_EQ(api.post('a', at("/abandon"), Map{}).status, 200);
}

TEST(ApiStory, AServerThatOnlyReadsChangesNothing) {
  const ProposalWorld world(fast_policy());
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world, {"--read-only"});
  const std::string object = object_of(world);
  for (const char* verb : {"reviews", "promote", "reject", "withdraw"}) {
    const Told told = api.decide('m', object, verb, Map{{"verdict", "ok"}});
    EXPECT_EQ(told.status, 403) << verb;
    EXPECT_EQ(told.code(), "read_only") << verb;
  }
  EXPECT_EQ(api.get('m', object).status, 200);
  EXPECT_EQ(api.send("POST", "/repos/repo/patches/check",
                     api.bearer('a') + "Content-Type: text/x-diff\r\n", world.diff)
                .status,
            200)
      << "a question is no change";
  EXPECT_EQ(world.status(), "proposed");
}

TEST(ApiStory, EventsTellWhatChangedAndALostReaderIsCaughtUp) {
  const ProposalWorld world(fast_policy());
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world);
  http::test::Client client(api.port());
  client.send(
      fmt::format("GET /api/v1/events?topics=proposals HTTP/1.1\r\nHost: localhost\r\n{}"
                  "Last-Event-ID: 0\r\n\r\n",
                  api.bearer('g')));
  EXPECT_EQ(client.head().status, 200);
  const std::string caught_up = client.read_to("\n\n");
  EXPECT_TRUE(contains(caught_up, "event: proposals.")) << caught_up;
  EXPECT_TRUE(contains(caught_up, world.stem)) << caught_up;
  EXPECT_EQ(world.review("gemini").exit, 0);
  std::string all;
  while (!contains(all, "event: proposals.reviewed")) {
    const std::string more = client.read_to("\n\n");
    if (more.empty()) break;
    all += more;
  }
  EXPECT_TRUE(contains(all, "event: proposals.reviewed")) << all;
  EXPECT_FALSE(contains(all, "verdict")) << "ids and digests only";
  EXPECT_EQ(api.get('a', "/events?topics=audit").status, 403);
}

}  // namespace
}  // namespace gh::kit
