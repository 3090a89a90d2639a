// `release apply-patches`: what an agent may change by itself, on real files.
#include "base/digest.h"
#include "tests/release_kit.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = R"(# Ours.
version: "0.1"
project: {name: refund-demo}
agent:
  name: refund-agent
  declared_purpose: [look up orders, issue refunds to customers]
environment: {target: production_like}   # not production yet
tool_sources:
  - {id: payments_mcp, type: mcp, path: tools/payments.mcp.json}
permissions:
  scopes:
    - orders:read   # for lookups
policies:
  require_approval_for_tools:
    - payments.create_refund
    - gone.tool   # left behind
risk_overrides:
  tools:
    payments.create_refund: {tags: [financial_action], reason: moves money}
)";

class ReadersOfReports : public ::testing::Test, protected AgentFolder {};

TEST_F(ReadersOfReports, NeedNoManifestAndMissTheReport) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"findings"},
                                                  {"explain-finding", "fp_66b1208b9f2e40ab"},
                                                  {"apply-patches"}}) {
    const Ran ran = release(command);
    EXPECT_EQ(ran.code, 3) << command[0] << ran.err;
    EXPECT_TRUE(contains(ran.err, "there is no report ")) << ran.err;
    EXPECT_TRUE(contains(ran.err, "write one with: gatehouse release scan")) << ran.err;
  }
  copy_fixture("refund-agent");
  ASSERT_EQ(release({"scan"}).code, 0);
  fs::remove(root() / "shipgate.yaml");
  EXPECT_EQ(release({"findings"}).code, 0);
  write("shipgate.yaml", "a: [");
  EXPECT_EQ(release({"findings"}).code, 2);
}

class ApplyPatches : public ::testing::Test, protected AgentFolder {
 protected:
  void SetUp() override {
    copy_fixture("refund-agent");
    write("shipgate.yaml", kManifest);
  }
  void scan() const { ASSERT_EQ(release({"scan", "--suggest-patches"}).code, 0); }
  /// A report with one finding and this patch of shipgate.yaml.
  void forge(const std::string& patch) const {
    write("forged.json", R"({"report_schema_version":"0.22","manifest_dir":")" + root().string() +
                             R"(","findings":[{"id":"fp_1","patches":[)" + patch + "]}]}");
  }
  std::string digest() const { return digest_of(read("shipgate.yaml")).hex(); }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  }
};

TEST_F(ApplyPatches, ADryRunShowsTheDiffAndWritesNothing) {
  scan();
  const Ran ran = release({"apply-patches"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "-    - gone.tool   # left behind")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "nothing was written; --apply writes"));
  EXPECT_EQ(read("shipgate.yaml"), kManifest);
}

TEST_F(ApplyPatches, HighConfidenceIsAppliedAndEveryOtherByteStays) {
  scan();
  const Ran ran = release({"apply-patches", "--apply", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(judged("release_patches", ran.out), "");
  EXPECT_TRUE(contains(ran.out, "\"status\": \"applied\"") || contains(ran.out, "\"applied\""))
      << ran.out;
  EXPECT_EQ(read("shipgate.yaml"), replaced(kManifest, "    - gone.tool   # left behind\n", ""));
  EXPECT_FALSE(contains(release({"scan", "--json"}).out, "STALE-POLICY"));
  EXPECT_TRUE(contains(release({"apply-patches", "--apply"}).out, "no patch fits"));
}

TEST_F(ApplyPatches, MediumConfidenceIsAppliedOnlyWhenAsked) {
  scan();
  EXPECT_EQ(
      release({"apply-patches", "--confidence", "medium", "--kinds", "append_pointer", "--apply"})
          .code,
      0);
  EXPECT_EQ(read("shipgate.yaml"),
            replaced(kManifest, "    - orders:read   # for lookups\n",
                     "    - orders:read   # for lookups\n    - payments:refund\n"));
  EXPECT_EQ(release({"apply-patches", "--kinds", "manual"}).code, 2);
}

TEST_F(ApplyPatches, AFileThatChangedSinceTheScanIsLeftAlone) {
  scan();
  const std::string changed = std::string(kManifest) + "# later\n";
  write("shipgate.yaml", changed);
  const Ran ran = release({"apply-patches", "--apply", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "skipped_drift")) << ran.out;
  EXPECT_EQ(read("shipgate.yaml"), changed);
}

TEST_F(ApplyPatches, WhatLeadsOutOfTheFolderStopsAllOfIt) {
  const std::string outside = (root().parent_path() / "other.yaml").string();
  std::ofstream(outside) << "a: [1]\n";
  const std::string hash = digest_of("a: [1]\n").hex();
  const auto patch = [&](const std::string& file) {
    return R"({"kind":"remove_pointer","target_file":")" + file +
           R"(","pointer":"/a/0","target_format":"yaml","confidence":"high","rationale":"r","target_sha256":")" +
           hash + R"("})";
  };
  fs::create_symlink(outside, root() / "link.yaml");
  for (const std::string& file : {outside, root().string() + "/../other.yaml",
                                  root().string() + "/link.yaml", std::string("/etc/hostname")}) {
    forge(patch(file));
    const Ran ran = release({"apply-patches", "--from", "forged.json", "--apply"});
    EXPECT_EQ(ran.code, 3) << file << ran.err;
    EXPECT_TRUE(contains(ran.err, "nothing was changed")) << ran.err;
    EXPECT_EQ(by_old_name({"apply-patches", "--from", "forged.json", "--apply"}).code, 5) << file;
  }
  EXPECT_EQ(bytes_of(outside), "a: [1]\n");
}

TEST_F(ApplyPatches, MalformedPatchesEndWithTwo) {
  const std::string rest =
      R"("target_format":"yaml","confidence":"high","target_sha256":")" + digest() + "\"";
  const std::string file = root().string() + "/shipgate.yaml";
  for (const std::string& patch :
       {std::string(R"({"kind":"explode"})"), std::string(R"({"kind":"remove_pointer"})"),
        R"({"kind":"remove_pointer","target_file":"shipgate.yaml","pointer":"/a",)" + rest + "}",
        R"({"kind":"remove_pointer","target_file":")" + file + R"(","pointer":"a",)" + rest + "}",
        R"({"kind":"append_pointer","target_file":")" + file + R"(","pointer":"/a",)" + rest +
            "}"}) {
    forge(patch);
    const Ran ran =
        release({"apply-patches", "--from", "forged.json", "--apply"}, {"GATEHOUSE_AGENT_MODE=1"});
    EXPECT_EQ(ran.code, 2) << patch << ran.err;
    EXPECT_EQ(member_text(ran.last_error_line(), "error"), "malformed_patch") << ran.err;
  }
  write("forged.json", "{}");
  EXPECT_EQ(release({"apply-patches", "--from", "forged.json"}).code, 3);
  EXPECT_EQ(release({"apply-patches", "--from", "gone.json"}).code, 3);
  EXPECT_EQ(read("shipgate.yaml"), kManifest);
}

TEST_F(ApplyPatches, RemovalsGoFromTheDeepestAndTheLast) {
  write("shipgate.yaml", "l: [a, b, c, d, e, f, g, h, i, j, k]\nm:\n  - {x: 1, y: 2}\n");
  const auto remove = [&](const std::string& pointer) {
    return R"({"kind":"remove_pointer","target_file":")" + root().string() +
           R"(/shipgate.yaml","pointer":")" + pointer +
           R"(","target_format":"yaml","confidence":"high","target_sha256":")" + digest() + "\"}";
  };
  forge(remove("/l/0") + "," + remove("/l/10") + "," + remove("/l/2") + "," + remove("/m/0/x"));
  const Ran ran = release({"apply-patches", "--from", "forged.json", "--apply"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(read("shipgate.yaml"), "l: [b, d, e, f, g, h, i, j]\nm:\n  - {y: 2}\n");
}

}  // namespace
}  // namespace gh::testing
