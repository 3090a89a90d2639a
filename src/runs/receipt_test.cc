#include "runs/receipt.h"

#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/text.h"
#include "runs/test_world.h"
#include "sys/process.h"
#include "wire/json.h"

namespace gh::runs {
namespace {

struct Ran {
  int exit_code;
  std::string out;
};

Ran run_program(std::vector<std::string> argv, const std::string& cwd,
                std::string_view input = {}) {
  sys::Command command;
  command.argv = std::move(argv);
  command.environment = {"LC_ALL=C", "HOME=" + cwd};
  command.cwd = cwd;
  command.input = input;
  const auto finished = sys::run(command);
  EXPECT_TRUE(finished.has_value());
  return finished ? Ran{finished->exit_code, finished->out + finished->err} : Ran{-1, {}};
}

/// A key made by the real ssh-keygen: files `key` and `key.pub`.
void make_key(const World& world, std::vector<std::string> options) {
  std::vector<std::string> argv{"/usr/bin/ssh-keygen", "-q", "-C", "gate key", "-f", "key"};
  argv.insert(argv.end(), options.begin(), options.end());
  const Ran made = run_program(argv, world.dir.path());
  ASSERT_EQ(made.exit_code, 0) << made.out;
}

const std::vector<std::string> kEd25519{"-t", "ed25519", "-N", ""};

SigningKey read_key(const World& world) { return SigningKey::parse(world.read("key")).value(); }

ObjectId id(char digit) { return *ObjectId::parse(std::string(40, digit)); }

patch::Candidate candidate() {
  return {id('1'),
          id('2'),
          id('3'),
          {{"a\xFF.c", FileMode::regular, FileMode::executable, id('4'), id('5')},
           {"new.c", std::nullopt, FileMode::regular, std::nullopt, id('6')}}};
}

Map receipt(std::string created_utc = "2026-01-02T03:04:05Z") {
  static const patch::Candidate kCandidate = candidate();
  return patch_receipt({.candidate = kCandidate,
                        .repo_id = std::string(40, '0'),
                        .canonical_sha256 = "c0",
                        .stable_patch_id = "5ab1e",
                        .verdict_digest = "7e",
                        .policy_digest = "b0",
                        .actor = local_actor(1000),
                        .created_utc = std::move(created_utc)});
}

TEST(Receipt, HasTheMembersOfItsFormat) {
  EXPECT_EQ(
      wire::canonical_json(receipt()),
      R"({"actor":{"kind":"human","name":"local:1000","via":"local"},)"
      R"("body":{"base_commit":"1111111111111111111111111111111111111111",)"
      R"("base_tree":"2222222222222222222222222222222222222222",)"
      R"("candidate_tree":"3333333333333333333333333333333333333333",)"
      R"("paths":[{"new_blob":"5555555555555555555555555555555555555555","new_mode":"100755",)"
      R"("old_blob":"4444444444444444444444444444444444444444","old_mode":"100644",)"
      R"("path":"a\\xff.c"},)"
      R"({"new_blob":"6666666666666666666666666666666666666666","new_mode":"100644",)"
      R"("old_blob":null,"old_mode":null,"path":"new.c"}],"schema":"gatehouse.candidate/1"},)"
      R"("decision":"allow","digests":{"policy":"sha256:b0","verdict":"sha256:7e"},)"
      R"("inputs":{"after_run_id":null,"before_run_id":null,)"
      R"("candidate_tree":"3333333333333333333333333333333333333333","canonical_sha256":"c0",)"
      R"("report_digest":null,"stable_patch_id":"5ab1e"},"kind":"patch",)"
      R"("meta":{"audit_seq":null,"created_utc":"2026-01-02T03:04:05Z","tool_version":"0.1.0"},)"
      R"("repo_id":"0000000000000000000000000000000000000000","schema":"gatehouse.receipt/1",)"
      R"("signature":null,"status":"PATCH_OK",)"
      R"("subject":{"base":"1111111111111111111111111111111111111111","intent_id":null,)"
      R"("proposal_id":null,"tree":"3333333333333333333333333333333333333333"}})");
}

TEST(Receipt, DigestLeavesOutMetaAndSignatureAndNothingElse) {
  const std::string digest = receipt_digest(receipt());
  EXPECT_EQ(digest.size(), 7U + 64U);
  EXPECT_TRUE(digest.starts_with("sha256:"));
  EXPECT_EQ(receipt_digest(receipt("2027-01-01T00:00:00Z")), digest);
  Map signed_one = receipt();
  signed_one.set("signature", "x");
  EXPECT_EQ(receipt_digest(signed_one), digest);
  const Map whole = receipt();
  for (const auto& [key, value] : whole.entries()) {
    if (key == "meta" || key == "signature") continue;
    Map changed = receipt();
    changed.set(key, "other");
    EXPECT_NE(receipt_digest(changed), digest) << key;
  }
  Map without = receipt();
  without.erase("meta");
  without.erase("signature");
  EXPECT_EQ(digest, "sha256:" + digest_of(wire::canonical_json(without)).hex());
}

TEST(Receipt, IsStoredUnderItsDigest) {
  const store::Document record = receipt_record(receipt());
  EXPECT_EQ(record.digest, receipt_digest(receipt()));
  EXPECT_EQ(record.kind, "receipt");
  EXPECT_EQ(record.body, Value(receipt()));
}

TEST(Receipt, SshKeygenVerifiesTheSignature) {
  World world;
  make_key(world, kEd25519);
  Map document = receipt();
  ASSERT_TRUE(sign_receipt(document, read_key(world)).has_value());
  ASSERT_TRUE(sys::write_file_atomic(world.path("sig"), *document.find("signature")->as_string())
                  .has_value());
  ASSERT_TRUE(
      sys::write_file_atomic(world.path("allowed"), "gate " + world.read("key.pub")).has_value());
  const auto verify = [&](const char* name_space, const std::string& message) {
    return run_program({"/usr/bin/ssh-keygen", "-Y", "verify", "-f", "allowed", "-I", "gate", "-n",
                        name_space, "-s", "sig"},
                       world.dir.path(), message);
  };
  const std::string line = receipt_digest(document) + "\n";
  const Ran good = verify("gatehouse-receipt", line);
  EXPECT_EQ(good.exit_code, 0) << good.out;
  EXPECT_NE(verify("gatehouse-review", line).exit_code, 0);
  EXPECT_NE(verify("gatehouse-receipt", "sha256:00\n").exit_code, 0);
}

TEST(Receipt, TheSignatureIsTheOneThatSshKeygenMakes) {
  World world;
  make_key(world, kEd25519);
  ASSERT_TRUE(sys::write_file_atomic(world.path("message"), "sha256:ab\n").has_value());
  const Ran made = run_program(
      {"/usr/bin/ssh-keygen", "-Y", "sign", "-f", "key", "-n", "gatehouse-receipt", "message"},
      world.dir.path());
  ASSERT_EQ(made.exit_code, 0) << made.out;
  const std::string theirs = world.read("message.sig");
  EXPECT_EQ(read_key(world).sign("sha256:ab\n", "gatehouse-receipt").value(), theirs);
  const std::string line = signer_of(theirs, "sha256:ab\n", "gatehouse-receipt").value();
  EXPECT_EQ(line, read_key(world).public_line());
  EXPECT_EQ(world.read("key.pub"), line + " gate key\n");
}

TEST(Receipt, VerifiesOnlyWithAnAllowedKeyAndUnchanged) {
  World world;
  make_key(world, kEd25519);
  Map document = receipt();
  const std::vector<std::string> allowed{"# keys", "gate " + world.read("key.pub")};
  const auto check = [&](const Map& map, const std::vector<std::string>& keys) {
    return verify_receipt(wire::pretty_json(map), keys);
  };
  EXPECT_EQ(check(document, allowed).error().code, Code::signature_invalid);
  ASSERT_TRUE(sign_receipt(document, read_key(world)).has_value());
  EXPECT_EQ(check(document, allowed).value(), receipt_digest(document));
  EXPECT_EQ(check(document, {}).error().code, Code::signature_invalid);
  EXPECT_EQ(check(document, {"ssh-ed25519 AAAA"}).error().code, Code::signature_invalid);
  const Map whole = receipt();
  for (const auto& [key, value] : whole.entries()) {
    Map changed = document;
    changed.set(key, "other");
    EXPECT_EQ(check(changed, allowed).has_value(), key == "meta") << key;
  }
  EXPECT_EQ(verify_receipt("[]", allowed).error().code, Code::signature_invalid);
  EXPECT_EQ(verify_receipt("{", allowed).error().code, Code::json_invalid);
  EXPECT_EQ(verify_receipt("{\"x\":1e400}", allowed).error().code, Code::json_invalid);
}

struct KeyCase {
  const char* what;
  std::vector<std::string> options;
  const char* words;
};

TEST(SigningKey, TakesOnlyUnencryptedEd25519) {
  const KeyCase cases[] = {
      {"encrypted", {"-t", "ed25519", "-N", "secret phrase"}, "is encrypted"},
      {"RSA", {"-t", "rsa", "-b", "2048", "-N", ""}, "is not an Ed25519 key"},
      {"ECDSA", {"-t", "ecdsa", "-N", ""}, "is not an Ed25519 key"},
      {"PEM", {"-t", "rsa", "-b", "2048", "-m", "PEM", "-N", ""}, "is no OpenSSH private key"},
  };
  for (const KeyCase& c : cases) {
    SCOPED_TRACE(c.what);
    World world;
    make_key(world, c.options);
    const auto key = SigningKey::parse(world.read("key"));
    ASSERT_FALSE(key.has_value());
    EXPECT_EQ(key.error().code, Code::signing_key_invalid);
    EXPECT_TRUE(contains(key.error().message, c.words)) << key.error().message;
  }
}

TEST(SigningKey, DamagedKeyFilesAreRefusedByteForByte) {
  World world;
  make_key(world, kEd25519);
  const std::string good = world.read("key");
  ASSERT_TRUE(SigningKey::parse(good).has_value());
  EXPECT_FALSE(SigningKey::parse("").has_value());
  EXPECT_FALSE(SigningKey::parse(world.read("key.pub")).has_value());
  EXPECT_FALSE(SigningKey::parse(good + good).has_value());
  EXPECT_FALSE(SigningKey::parse(std::string(100'000, 'A')).has_value());
  for (std::size_t size = 0; size + 2 < good.size(); ++size)
    EXPECT_FALSE(SigningKey::parse(good.substr(0, size)).has_value()) << size;
  const std::string line = SigningKey::parse(good).value().public_line();
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = bad[at] == 'A' ? 'B' : 'A';
    // A changed comment is no damage; everything else is.
    const auto key = SigningKey::parse(bad);
    if (key) {
      EXPECT_EQ(key->public_line(), line) << at;
    }
  }
}

TEST(SshSignature, AChangedByteNeverVerifies) {
  World world;
  make_key(world, kEd25519);
  const std::string good = read_key(world).sign("line\n", "gatehouse-receipt").value();
  ASSERT_TRUE(signer_of(good, "line\n", "gatehouse-receipt").has_value());
  EXPECT_TRUE(signer_of("\n" + good + "\n\n", "line\n", "gatehouse-receipt").has_value());
  for (std::size_t at = 0; at < good.size() - 1; ++at) {
    std::string bad = good;
    bad[at] = bad[at] == 'A' ? 'B' : 'A';
    const auto signer = signer_of(bad, "line\n", "gatehouse-receipt");
    ASSERT_FALSE(signer.has_value()) << at;
    EXPECT_EQ(signer.error().code, Code::signature_invalid);
  }
  for (std::size_t size = 0; size + 1 < good.size(); ++size)
    EXPECT_FALSE(signer_of(good.substr(0, size), "line\n", "gatehouse-receipt").has_value());
}

TEST(SshSignature, OtherKeyTypesAreNotAccepted) {
  World world;
  make_key(world, {"-t", "ecdsa", "-N", ""});
  ASSERT_TRUE(sys::write_file_atomic(world.path("message"), "x\n").has_value());
  ASSERT_EQ(run_program({"/usr/bin/ssh-keygen", "-Y", "sign", "-f", "key", "-n",
                         "gatehouse-receipt", "message"},
                        world.dir.path())
                .exit_code,
            0);
  EXPECT_EQ(signer_of(world.read("message.sig"), "x\n", "gatehouse-receipt").error().code,
            Code::signature_invalid);
}

}  // namespace
}  // namespace gh::runs
