#include "runs/bundle.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "runs/test_world.h"
#include "runs/zip.h"
#include "sys/process.h"

namespace gh::runs {
namespace {

/// Standard output of a program; the test fails when it does not exit with 0.
std::string output_of(std::vector<std::string> argv, const std::string& cwd) {
  sys::Command command;
  command.argv = std::move(argv);
  command.environment = {"LC_ALL=C", "TZ=UTC"};
  command.cwd = cwd;
  const auto finished = sys::run(command);
  EXPECT_TRUE(finished.has_value());
  if (!finished) return {};
  EXPECT_EQ(finished->exit_code, 0) << finished->out << finished->err;
  return finished->out;
}

struct Rejected : World {
  RunFolder folder = RunFolder::open_or_create(path("run"), env).value();

  Rejected() {
    EXPECT_TRUE(folder.keep_submission("diff --git a/x b/x\n").has_value());
    EXPECT_TRUE(
        folder.write_rejection(rejection(), "diff --git a/x b/x\n", {.attempt = 1}).has_value());
    EXPECT_TRUE(folder.log_command("git_check", "out\n", "err\n").has_value());
  }
  void put(std::string_view name, std::string_view bytes) {
    ASSERT_TRUE(sys::write_file_atomic(path(name), bytes).has_value());
  }
  std::vector<ZipEntry> entries() const {
    return read_zip(read("run/failure_bundle.zip"), 256u << 20).value();
  }
  std::string entry(std::string_view name) const {
    for (const ZipEntry& e : entries())
      if (e.name == name) return e.bytes;
    ADD_FAILURE() << "no entry " << name;
    return {};
  }
};

TEST(Bundle, UnzipListsTheRequiredEntriesInByteOrder) {
  Rejected run;
  const Bundle bundle = make_bundle(run.folder).value();
  EXPECT_EQ(bundle.mode, "created");
  EXPECT_FALSE(bundle.contains_secret_candidate);
  EXPECT_EQ(output_of({"/usr/bin/unzip", "-Z1", "failure_bundle.zip"}, run.path("run")),
            "MANIFEST.sha256\n"
            "TRACE.md\n"
            "artifacts/\n"
            "artifacts/PLAN.md\n"
            "artifacts/attempts/\n"
            "artifacts/attempts/001/\n"
            "artifacts/attempts/001/diff.patch\n"
            "artifacts/attempts/001/patch_rejection.json\n"
            "artifacts/diff.patch\n"
            "artifacts/patch_rejection.json\n"
            "artifacts/verify_report.json\n"
            "events.jsonl\n"
            "logs/\n"
            "logs/git_check.stderr.log\n"
            "logs/git_check.stdout.log\n"
            "outbox/\n"
            "outbox/.keep\n"
            "outbox/001_fixer_fix_patch.md\n"
            "reviews/\n"
            "reviews/.keep\n"
            "reviews/review_patch.md\n");
}

TEST(Bundle, UnpacksToTheSameBytesAndTheManifestHolds) {
  Rejected run;
  ASSERT_TRUE(make_bundle(run.folder).has_value());
  output_of({"/usr/bin/unzip", "-q", run.path("run/failure_bundle.zip"), "-d", run.path("out")},
            run.dir.path());
  EXPECT_EQ(run.read("out/artifacts/diff.patch"), "diff --git a/x b/x\n");
  EXPECT_EQ(run.read("out/reviews/review_patch.md"), run.read("run/reviews/review_patch.md"));
  const std::string checked =
      output_of({"/usr/bin/sha256sum", "--check", "--strict", "MANIFEST.sha256"}, run.path("out"));
  EXPECT_EQ(std::ranges::count(checked, '\n'), 14) << checked;
}

TEST(Bundle, EntriesCarryAFixedTimeAndMode) {
  Rejected run;
  chmod(run.path("run/reviews/review_patch.md").c_str(), 0700);
  ASSERT_TRUE(make_bundle(run.folder).has_value());
  const std::string listing =
      output_of({"/usr/bin/unzip", "-ZsT", "failure_bundle.zip"}, run.path("run"));
  int files = 0, folders = 0;
  for (const std::string_view line : split(listing, '\n')) {
    if (line.starts_with("-")) {
      ++files;
      EXPECT_TRUE(line.starts_with("-rw-r--r--")) << line;
    } else if (line.starts_with("d")) {
      ++folders;
      EXPECT_TRUE(line.starts_with("drwxr-xr-x")) << line;
    } else {
      continue;
    }
    EXPECT_TRUE(contains(line, " 19800101.000000 ")) << line;
  }
  EXPECT_EQ(files, 15);
  EXPECT_EQ(folders, 6);
}

TEST(Bundle, SameContentGivesSameBytes) {
  Rejected one, two;
  EXPECT_EQ(make_bundle(one.folder).value().sha256, make_bundle(two.folder).value().sha256);
  EXPECT_EQ(one.read("run/failure_bundle.zip"), two.read("run/failure_bundle.zip"));
}

TEST(Bundle, IsValidatedWhileNothingChangedAndRecreatedOtherwise) {
  Rejected run;
  EXPECT_EQ(make_bundle(run.folder).value().mode, "created");
  EXPECT_EQ(make_bundle(run.folder).value().mode, "validated");
  EXPECT_EQ(make_bundle(run.folder).value().mode, "validated");
  run.put("run/outbox/007_note.md", "more");
  EXPECT_EQ(make_bundle(run.folder).value().mode, "recreated");
  EXPECT_EQ(run.entry("outbox/007_note.md"), "more");
  EXPECT_EQ(make_bundle(run.folder).value().mode, "validated");
  ASSERT_TRUE(run.folder.append_event("gate", "OTHER", "x").has_value());
  EXPECT_EQ(make_bundle(run.folder).value().mode, "recreated");
  const std::string good = run.read("run/failure_bundle.zip");
  for (const std::string& bad : {std::string(), std::string("PK"), good.substr(0, good.size() / 2),
                                 good + "x", std::string(good).replace(60, 1, "\xFF")}) {
    run.put("run/failure_bundle.zip", bad);
    EXPECT_EQ(make_bundle(run.folder).value().mode, "recreated") << bad.size();
    EXPECT_EQ(run.entry("artifacts/diff.patch"), "diff --git a/x b/x\n");
  }
}

TEST(Bundle, SaysWhatItDidInTheEvents) {
  Rejected run;
  const Bundle bundle = make_bundle(run.folder).value();
  const std::string expected = fmt::format(
      "{{\"event\":\"BUNDLE_CREATED\",\"fields\":{{\"bytes\":{},\"contains_secret_candidate\":"
      "false,"
      "\"entries\":21,\"mode\":\"created\",\"sha256\":\"{}\"}},\"path\":\"failure_bundle.zip\","
      "\"role\":\"gate\",\"ts\":\"2026-01-02T03:04:05Z\"}}\n",
      run.read("run/failure_bundle.zip").size(), bundle.sha256);
  EXPECT_TRUE(run.read("run/events.jsonl").ends_with(expected)) << run.read("run/events.jsonl");
}

TEST(Bundle, NeitherFollowsNorStoresWhatIsNoOrdinaryFile) {
  Rejected run;
  run.put("secret", "secret");
  ASSERT_TRUE(sys::make_folders(run.path("elsewhere")).has_value());
  run.put("elsewhere/file", "outside");
  ASSERT_EQ(symlink(run.path("secret").c_str(), run.path("run/reviews/link.md").c_str()), 0);
  ASSERT_EQ(symlink(run.path("elsewhere").c_str(), run.path("run/logs/folder").c_str()), 0);
  ASSERT_EQ(mkfifo(run.path("run/outbox/pipe").c_str(), 0644), 0);
  run.put("run/outbox/.tmp-1-2", "unfinished");
  run.put("run/logs/failure_bundle.zip", "a log that happens to have this name");
  ASSERT_TRUE(make_bundle(run.folder).has_value());
  for (const ZipEntry& e : run.entries()) {
    EXPECT_FALSE(contains(e.name, "link") || contains(e.name, "pipe") ||
                 contains(e.name, "folder") || contains(e.name, ".tmp-"))
        << e.name;
    EXPECT_NE(e.name, "failure_bundle.zip");
  }
}

TEST(Bundle, KeepsNestedFilesAndHostileNamesReadable) {
  Rejected run;
  ASSERT_TRUE(sys::make_folders(run.path("run/reviews/a/b")).has_value());
  run.put("run/reviews/a/b/c.md", "deep");
  run.put("run/outbox/line\nbreak.md", "x");
  run.put("run/outbox/caf\xC3\xA9.md", "y");
  ASSERT_TRUE(make_bundle(run.folder).has_value());
  EXPECT_EQ(run.entry("reviews/a/b/c.md"), "deep");
  EXPECT_EQ(run.entry("outbox/line\\nbreak.md"), "x");
  EXPECT_EQ(run.entry("outbox/caf\xC3\xA9.md"), "y");
  output_of({"/usr/bin/unzip", "-tq", "failure_bundle.zip"}, run.path("run"));
}

TEST(Bundle, NeedsARejection) {
  World world;
  RunFolder folder = RunFolder::open_or_create(world.path("run"), world.env).value();
  ASSERT_TRUE(folder.keep_submission("x").has_value());
  EXPECT_EQ(make_bundle(folder).error().code, Code::bad_argument);
  EXPECT_FALSE(world.has("run/failure_bundle.zip"));
}

TEST(Bundle, MasksSecretsInLogsAndNeverInThePatchAndSaysSo) {
  Rejected run;
  ASSERT_TRUE(run.folder.log_command("verify", "key AKIAIOSFODNN7EXAMPLE\n", "fine\n").has_value());
  run.put("run/logs/other.log", "sk_live_0123456789abcdef\n");
  ASSERT_TRUE(run.folder.keep_submission("+AKIAIOSFODNN7EXAMPLE\n").has_value());
  EXPECT_TRUE(make_bundle(run.folder).value().contains_secret_candidate);
  EXPECT_EQ(run.read("run/logs/verify.stdout.log"), "key [REDACTED:aws_access_key]\n");
  EXPECT_EQ(run.entry("logs/verify.stdout.log"), "key [REDACTED:aws_access_key]\n");
  EXPECT_EQ(run.entry("logs/verify.stderr.log"), "fine\n");
  EXPECT_EQ(run.entry("logs/other.log"), "[REDACTED:stripe_key]\n");
  EXPECT_EQ(run.entry("artifacts/diff.patch"), "+AKIAIOSFODNN7EXAMPLE\n");
  EXPECT_TRUE(contains(run.read("run/events.jsonl"), "\"contains_secret_candidate\":true"));
}

/// Bytes that deflate cannot shrink.
std::string noise(std::size_t size) {
  std::string out(size, '\0');
  std::uint64_t x = 88172645463325252ULL;
  for (char& c : out) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    c = static_cast<char>(x >> 32);
  }
  return out;
}

TEST(Bundle, CutsALargeLogToHeadAndTail) {
  Rejected run;
  std::string log(17u << 20, 'x');
  log.replace(0, 5, "first");
  log.replace(log.size() - 4, 4, "last");
  run.put("run/logs/verify.stdout.log", log);
  ASSERT_TRUE(make_bundle(run.folder).has_value());
  const std::string kept = run.entry("logs/verify.stdout.log");
  EXPECT_LT(kept.size(), (16u << 20) + 64U);
  EXPECT_TRUE(kept.starts_with("first"));
  EXPECT_TRUE(kept.ends_with("last"));
  EXPECT_TRUE(contains(kept, "\n[1048576 bytes cut here]\n"));
}

TEST(Bundle, StaysWithinItsLimitByCuttingLogsFirstAndThePatchLast) {
  Rejected run;
  const std::string patch = noise(1500u << 10), canonical = noise(700u << 10);
  ASSERT_TRUE(run.folder.keep_submission(patch).has_value());
  ASSERT_TRUE(run.folder.write_candidate(canonical, Map{}).has_value());
  run.put("run/logs/verify.stdout.log", noise(1u << 20));
  const auto bundle_within = [&](std::size_t limit) {
    EXPECT_LE(make_bundle(run.folder, limit).value().bytes, static_cast<std::int64_t>(limit));
  };
  bundle_within(4u << 20);
  EXPECT_EQ(run.entry("logs/verify.stdout.log").size(), 1u << 20);
  bundle_within(3u << 20);
  EXPECT_TRUE(contains(run.entry("logs/verify.stdout.log"), " bytes cut here]\n"));
  EXPECT_EQ(run.entry("artifacts/canonical.patch"), canonical);
  bundle_within(2u << 20);
  EXPECT_EQ(std::ranges::count(run.entries(), "artifacts/canonical.patch", &ZipEntry::name), 0);
  EXPECT_EQ(run.entry("artifacts/diff.patch"), patch);
  bundle_within(1u << 20);
  EXPECT_TRUE(contains(run.entry("artifacts/diff.patch"), " bytes cut here]\n"));
  EXPECT_EQ(kMaxBundleBytes, 67'108'864U);
}

}  // namespace
}  // namespace gh::runs
