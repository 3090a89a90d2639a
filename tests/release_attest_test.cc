// `release verify --attest` and `receipt verify` of envelopes, held against an implementation of
// DSSE and Ed25519 that shares no code with ours.
#include <filesystem>
#include <functional>

#include "tests/release_verify_kit.h"
#include "tests/runs_kit.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

/// Reads an envelope with what Node.js brings along: prints the payload when each signature holds.
constexpr const char* kReader = R"(
const {readFileSync} = require('fs');
const {createPublicKey, verify} = require('crypto');
const envelope = JSON.parse(readFileSync(process.argv[1], 'utf8'));
const payload = Buffer.from(envelope.payload, 'base64');
const type = Buffer.from(envelope.payloadType);
const pae = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} `), type,
                           Buffer.from(` ${payload.length} `), payload]);
for (const one of envelope.signatures) {
  const blob = Buffer.from(one.keyid.split(' ')[1], 'base64');
  const raw = blob.subarray(blob.length - 32);
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
  const key = createPublicKey({key: der, format: 'der', type: 'spki'});
  if (!verify(null, pae, key, Buffer.from(one.sig, 'base64'))) process.exit(9);
}
process.stdout.write(payload);
)";

class ReleaseAttest : public VerifiedRepository {
 protected:
  ReleaseAttest() {
    make_key("house");
    sandbox_.write("gatehouse.yaml", "store:\n  signing_key: ../house\n");
    base();
    sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
    head();
  }
  void make_key(const std::string& name) const {
    const Ran ran = run_program(
        {"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", place(name)},
        sandbox_.folder());
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  std::string place(const std::string& name) const { return sandbox_.folder() + "/" + name; }
  Ran attest(std::vector<std::string> more = {"--base", "main", "--head", "HEAD"}) const {
    more.insert(more.begin(), {"verify", "--attest", place("a.json")});
    return run(std::move(more));
  }
  Value envelope() const { return *wire::read_json(bytes_of(place("a.json")), "envelope"); }
  void put(const Value& value, const std::string& name = "b.json") const {
    ASSERT_TRUE(sys::write_file_atomic(place(name), wire::canonical_json(value)));
  }
  Ran receipt_verify(const std::string& name, std::vector<std::string> more = {},
                     const std::string& cwd = "") const {
    more.insert(more.begin(), {"receipt", "verify", "--file", place(name)});
    return gatehouse(std::move(more), cwd.empty() ? sandbox_.root() : cwd);
  }
  Ran read_by_node(const std::string& name) const {
    return run_program({fs::absolute(".cache/bin/node").string(), "-e", kReader, place(name)},
                       sandbox_.folder());
  }
};

TEST_F(ReleaseAttest, ADecisionIsAStatementThatOthersCanRead) {
  const Ran ran = attest();
  EXPECT_EQ(ran.code, 0) << ran.err << ran.out;  // advisory: the exit is the contract's
  EXPECT_EQ(judged("dsse_envelope", bytes_of(place("a.json"))), "");
  const Ran read = read_by_node("a.json");
  ASSERT_EQ(read.code, 0) << read.err;
  EXPECT_EQ(judged("in_toto_statement", read.out), "");
  const Value statement = *wire::read_json(read.out, "statement");
  const Peek said(statement);
  EXPECT_EQ(said["_type"].text(), "https://in-toto.io/Statement/v1");
  EXPECT_EQ(said["predicate"]["kind"].text(), "release");
  EXPECT_EQ(said["predicate"]["decision"].text(), "deny");
  EXPECT_EQ(said["predicate"]["status"].text(), "blocked");
  EXPECT_EQ(said["predicate"]["body"]["release_decision"]["decision"].text(), "blocked");
  EXPECT_EQ(judged("receipt", wire::canonical_json(said["predicate"].map())), "");
  std::map<std::string, std::string> subjects;
  for (const Value& subject : said["subject"].list())
    for (const auto& [algorithm, digest] : Peek(subject)["digest"].map().entries())
      subjects[std::string(Peek(subject)["name"].text())] = algorithm + ":" + *digest.as_string();
  EXPECT_EQ(subjects["commit"], "gitCommit:" + sandbox_.git({"rev-parse", "HEAD"}));
  EXPECT_EQ(subjects["tree"], "gitTree:" + sandbox_.git({"rev-parse", "HEAD^{tree}"}));
  for (const char* name : {"verifier.json", "report.json", "report.sarif", "packet.json"}) {
    const Ran sum = run_program(
        {"/usr/bin/sha256sum", sandbox_.at("agents-shipgate-reports/" + std::string(name))},
        sandbox_.root());
    EXPECT_EQ(subjects[name], "sha256:" + sum.out.substr(0, 64)) << name;
  }
  // The ledger keeps it as a receipt, and its chain says so.
  EXPECT_EQ(receipt_verify("a.json").code, 0);
  EXPECT_TRUE(contains(gatehouse({"audit", "export"}, sandbox_.root()).out, "release.verified"));
  EXPECT_EQ(gatehouse({"audit", "verify"}, sandbox_.root()).code, 0);
}

TEST_F(ReleaseAttest, TheSameDecisionIsTheSameReceipt) {
  (void)attest();
  (void)attest();  // from now on the scan of the base is kept, and verifier.json says so
  const auto digest = [&] {
    return gatehouse({"receipt", "verify", "--file", place("a.json"), "--field", "receipt"},
                     sandbox_.root())
        .out;
  };
  const std::string first = digest();
  EXPECT_EQ(first.size(), 72u) << first;
  (void)attest();
  EXPECT_EQ(digest(), first);
}

TEST_F(ReleaseAttest, WhoeverHasTheKeyNeedsNothingElse) {
  (void)attest();
  const std::string elsewhere = place("");
  const Ran allowed =
      receipt_verify("a.json", {"--allowed", place("house.pub"), "--json"}, elsewhere);
  EXPECT_EQ(allowed.code, 0) << allowed.err;
  EXPECT_EQ(judged("receipt_verification", allowed.out), "");
  EXPECT_TRUE(contains(allowed.out, "\"vouched_by\": \"allowed\"")) << allowed.out;
  EXPECT_TRUE(contains(allowed.out, "\"envelope\": true")) << allowed.out;
  const Ran text = receipt_verify("a.json", {"--allowed", place("house.pub")}, elsewhere);
  EXPECT_TRUE(contains(text.out, "the release gate said blocked (deny)")) << text.out;
  const Ran nobody = receipt_verify("a.json", {"--json"}, elsewhere);
  EXPECT_EQ(nobody.code, 1) << "a valid signature by a key that nobody named proves nothing";
  EXPECT_TRUE(contains(nobody.out, "\"vouched_by\": \"nobody\"")) << nobody.out;
  make_key("other");
  const Ran other = receipt_verify("a.json", {"--allowed", place("other.pub")}, elsewhere);
  EXPECT_EQ(other.code, 3);
  EXPECT_TRUE(contains(other.err, "signature_invalid")) << other.err;
}

TEST_F(ReleaseAttest, WhatWasChangedIsRefused) {
  (void)attest();
  const Value good = envelope();
  const std::string payload(Peek(good)["payload"].text());
  const auto signature = [](Value& e) -> Map& {
    return *e.as_map()->find("signatures")->as_list()->front().as_map();
  };
  struct Row {
    const char* name;
    std::function<void(Value&)> change;
  };
  make_key("other");
  std::string other_line = bytes_of(place("other.pub"));
  other_line.resize(other_line.rfind(' '));
  const Row kRows[] = {
      {"another payload",
       [&](Value& e) {
         std::string text = payload;
         text[40] = text[40] == 'A' ? 'B' : 'A';
         e.as_map()->set("payload", text);
       }},
      {"no payload", [](Value& e) { e.as_map()->erase("payload"); }},
      {"a payload that is no base64", [&](Value& e) { e.as_map()->set("payload", payload + "*"); }},
      {"another type",
       [](Value& e) { e.as_map()->set("payloadType", "application/vnd.other+json"); }},
      {"no type", [](Value& e) { e.as_map()->erase("payloadType"); }},
      {"no signature", [](Value& e) { e.as_map()->set("signatures", List{}); }},
      {"no signatures", [](Value& e) { e.as_map()->erase("signatures"); }},
      {"a signature of nothing", [&](Value& e) { signature(e).set("sig", "AAAA"); }},
      {"another key", [&](Value& e) { signature(e).set("keyid", other_line); }},
      {"no key", [&](Value& e) { signature(e).erase("keyid"); }},
      {"a second one that does not hold",
       [&](Value& e) {
         Map second = signature(e);
         second.set("keyid", other_line);
         e.as_map()->find("signatures")->as_list()->emplace_back(second);
       }},
      {"too many",
       [&](Value& e) {
         List& all = *e.as_map()->find("signatures")->as_list();
         while (all.size() < 9)
           all.push_back(all.front());
       }},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    Value changed = good;
    row.change(changed);
    put(changed);
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{}, {"--allowed", place("house.pub")}}) {
      const Ran ran = receipt_verify("b.json", more);
      EXPECT_EQ(ran.code, 3) << ran.out;
      EXPECT_TRUE(contains(ran.err, "signature_invalid")) << ran.err;
    }
  }
  put(good);
  EXPECT_EQ(receipt_verify("b.json", {"--allowed", place("house.pub")}).code, 0);
}

/// Whoever holds a key can sign what he likes; it still has to be a statement about its receipt.
TEST_F(ReleaseAttest, AStatementAboutOtherThingsIsRefused) {
  (void)attest();
  constexpr const char* kSigner = R"(
const {readFileSync, writeFileSync} = require('fs');
const {generateKeyPairSync, sign} = require('crypto');
const [, from, to, change] = process.argv;
const statement = JSON.parse(Buffer.from(JSON.parse(readFileSync(from, 'utf8')).payload, 'base64'));
eval(change);
const payload = Buffer.from(JSON.stringify(statement));
const type = 'application/vnd.in-toto+json';
const pae = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]);
const pair = generateKeyPairSync('ed25519');
const raw = pair.publicKey.export({format: 'der', type: 'spki'}).subarray(-32);
const field = (b) => { const n = Buffer.alloc(4); n.writeUInt32BE(b.length); return Buffer.concat([n, b]); };
const line = 'ssh-ed25519 ' + Buffer.concat([field(Buffer.from('ssh-ed25519')), field(raw)]).toString('base64');
writeFileSync(to, JSON.stringify({payloadType: type, payload: payload.toString('base64'),
  signatures: [{keyid: line, sig: sign(null, pae, pair.privateKey).toString('base64')}]}));
writeFileSync(to + '.pub', line + '\n');
)";
  const auto signed_by_others = [&](const std::string& change) {
    const Ran ran = run_program({fs::absolute(".cache/bin/node").string(), "-e", kSigner,
                                 place("a.json"), place("c.json"), change},
                                sandbox_.folder());
    EXPECT_EQ(ran.code, 0) << ran.err;
    return receipt_verify("c.json", {"--allowed", place("c.json.pub")});
  };
  const Ran foreign = signed_by_others("");
  EXPECT_EQ(foreign.code, 0) << "what another implementation signed is read: " << foreign.err;
  for (const char* change :
       {"statement._type = 'https://in-toto.io/Statement/v0.1'", "statement.predicateType = 'x'",
        "statement.predicate.schema = 'other/1'", "statement.predicate = null",
        "statement.subject = []", "statement.subject[1].digest.gitTree = '0'.repeat(40)",
        "statement.predicate.subject.tree = '0'.repeat(40)",
        "statement.predicate.body.artifacts['report.json'] = '0'.repeat(64)"}) {
    const Ran ran = signed_by_others(change);
    EXPECT_EQ(ran.code, 3) << change << ran.out;
    EXPECT_TRUE(contains(ran.err, "signature_invalid")) << ran.err;
  }
  // A receipt with a signature of its own keeps it: it must hold as well.
  EXPECT_EQ(signed_by_others("statement.predicate.status = 'passed'").code, 3);
}

TEST_F(ReleaseAttest, WhatHasNoIdOrNoKeyIsNotAttested) {
  EXPECT_EQ(attest({"--base", "main"}).code, 2) << "a work tree";
  EXPECT_EQ(attest({"--base", "main", "--preview"}).code, 2);
  EXPECT_EQ(attest({"--base", "main", "--head", "HEAD", "--no-reports"}).code, 2);
  EXPECT_FALSE(fs::exists(place("a.json")));
  const Ran unknown = attest({"--base", "gone", "--head", "HEAD"});
  EXPECT_EQ(unknown.code, 2);
  const Ran read = read_by_node("a.json");
  EXPECT_TRUE(contains(read.out, R"("status":"unknown")")) << read.out << unknown.err;
  EXPECT_TRUE(contains(read.out, R"("decision":"unverified")")) << read.out;
  fs::remove(place("house"));
  EXPECT_EQ(attest().code, 4);
  // The key is that of the usual branch, whatever the change says.
  sandbox_.git({"checkout", "-q", "main"});
  sandbox_.write("gatehouse.yaml", "store: {}\n");
  sandbox_.commit("no key");
  sandbox_.git({"checkout", "-q", "pr"});
  const Ran none = attest();
  EXPECT_EQ(none.code, 4) << none.err;
  EXPECT_TRUE(contains(none.err, "store.signing_key")) << none.err;
}

TEST_F(ReleaseAttest, NothingIsWrittenWhereNothingIsAskedFor) {
  const Ran ran = run({"verify", "--base", "main", "--head", "HEAD", "--no-reports", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(judged("release_verifier", ran.out), "");
  EXPECT_TRUE(contains(ran.out, "\"merge_verdict\": \"blocked\"")) << ran.out;
  EXPECT_FALSE(fs::exists(sandbox_.at("agents-shipgate-reports")));
}

}  // namespace
}  // namespace gh::testing
