#include "proposal/intake.h"

#include "diff/patch.h"

namespace gh::proposal {
namespace {

const std::string kGit =
    "diff --git a/a.txt b/a.txt\nindex 5626abf..f719efd 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 "
    "@@\n-one\n+two\n";
const std::string kFrom =
    "From 1111111111111111111111111111111111111111 Mon Sep 17 00:00:00 2001\n";
const std::string kHeaders =
    "From: A U Thor <a@example.com>\nDate: Thu, 21 May 2026 10:00:00 +0000\nSubject: [PATCH] one "
    "to\n two\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
    "Content-Transfer-Encoding: 8bit\n";
const std::string kStat = " a.txt | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n";
const std::string kTail = "-- \n2.39.5\n\n";
const std::string kMail =
    kFrom + kHeaders + "\nWhy it is so.\n\nMore.\n---\n" + kStat + "\n" + kGit + kTail;

TEST(Intake, AGitDiffStaysAsItIs) {
  for (const std::string& text : {kGit, "\n" + kGit, std::string("nonsense"), std::string()}) {
    const auto got = take_in(text);
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(got->form, "git");
    EXPECT_EQ(got->diff, text);
  }
}

TEST(Intake, OneMailIsUnwrapped) {
  const auto got = take_in(kMail);
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(got->form, "mail");
  EXPECT_EQ(got->diff, kGit);
  EXPECT_EQ(got->mail_subject, "[PATCH] one to two");
  EXPECT_EQ(got->mail_body, "Why it is so.\n\nMore.");
  EXPECT_TRUE(diff::parse(got->diff, diff::Profile::git, diff::Position::exact).has_value());
}

TEST(Intake, AMailOfASha256RepositoryWithoutStatOrBody) {
  const std::string text = "From " + std::string(64, 'a') + " Mon Sep 17 00:00:00 2001\n" +
                           "Subject: x\n\n---\n\n" + kGit + "-- \n2.39.5\n";
  const auto got = take_in(text);
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(got->diff, kGit);
  EXPECT_EQ(got->mail_body, "");
}

struct MailCase {
  std::string what, text, message;
};
std::string mail(const std::string& headers, const std::string& middle, const std::string& tail) {
  return kFrom + headers + "\nBody.\n" + middle + kGit + tail;
}
// docs/reference/proposals.md, Forms of a diff: everything but exactly one mail is refused.
const std::vector<MailCase> kMails = {
    {"two mails", kMail + kMail, "there is more than one mail"},
    {"a From line in the message",
     kFrom + kHeaders + "\nFrom here on\n---\n" + kStat + "\n" + kGit + kTail,
     "there is more than one mail"},
    {"multi-part",
     mail("Subject: x\nContent-Type: multipart/mixed; boundary=q\n", "---\n" + kStat + "\n", kTail),
     "a multi-part mail is not accepted"},
    {"encoded",
     mail("Subject: x\nContent-Transfer-Encoding: base64\n", "---\n" + kStat + "\n", kTail),
     "an encoded mail body is not accepted"},
    {"a cover letter", mail("Subject: [PATCH v2 0/3] x\n", "---\n" + kStat + "\n", kTail),
     "a cover letter has no diff"},
    {"a cover letter of many", mail("Subject: [PATCH 00/12] x\n", "---\n" + kStat + "\n", kTail),
     "a cover letter has no diff"},
    {"no subject", mail("From: x\n", "---\n" + kStat + "\n", kTail), "the mail has no subject"},
    {"no header", mail("Subject: x\nrubbish here\n", "---\n" + kStat + "\n", kTail),
     "'rubbish here' is no mail header"},
    {"only headers", kFrom + "Subject: x\n", "the mail ends in its headers"},
    {"no separator", mail("Subject: x\n", "", kTail), "the diff begins before the line '---'"},
    {"no diff", kFrom + "Subject: x\n\nBody.\n", "the mail has no line '---' before its diff"},
    {"words in the diffstat", mail("Subject: x\n", "---\nwords\n\n", kTail),
     "'words' is no line of a diffstat"},
    {"nothing behind the diffstat", kFrom + "Subject: x\n\n---\n a | 1\n",
     "the mail ends in its diffstat"},
    {"words before the diff", mail("Subject: x\n", "---\n" + kStat + "\nwords\n", kTail),
     "after the diffstat the diff must follow"},
    {"no signature", mail("Subject: x\n", "---\n" + kStat + "\n", ""),
     "the mail does not end in '-- ' and a version line"},
    {"no version", mail("Subject: x\n", "---\n" + kStat + "\n", "-- \n"),
     "after '-- ' the version line is missing"},
    {"a list footer", mail("Subject: x\n", "---\n" + kStat + "\n", "-- \n2.39\n\nlist footer\n"),
     "more than one line follows '-- '"},
};

TEST(Intake, AnythingElseIsNoMail) {
  for (const MailCase& c : kMails) {
    const auto got = take_in(c.text);
    ASSERT_FALSE(got.has_value()) << c.what;
    EXPECT_EQ(to_string(got.error().code), "PROP_MAIL_INVALID");
    EXPECT_EQ(got.error().message, c.message) << c.what;
  }
}

struct TraditionalCase {
  std::string text, git;  // git "": ambiguous
};
const std::string kNow = "\t2026-05-21 10:00:00.000000000 +0000",
                  kEpoch = "\t1970-01-01 01:00:00.000000000 +0100";
const std::string kHunk = "@@ -1 +1 @@\n-one\n+two\n", kAll = "@@ -0,0 +1 @@\n+two\n",
                  kNone = "@@ -1 +0,0 @@\n-one\n";
std::string modified(const std::string& path) {
  return fmt::format("diff --git a/{0} b/{0}\n--- a/{0}\n+++ b/{0}\n", path);
}
std::string created(const std::string& path) {
  return fmt::format("diff --git a/{0} b/{0}\nnew file mode 100644\n--- /dev/null\n+++ b/{0}\n",
                     path);
}
std::string deleted(const std::string& path) {
  return fmt::format("diff --git a/{0} b/{0}\ndeleted file mode 100644\n--- a/{0}\n+++ /dev/null\n",
                     path);
}
const std::vector<TraditionalCase> kTraditional = {
    {"--- a/x.txt\n+++ b/x.txt\n" + kHunk, modified("x.txt") + kHunk},
    {"--- x.txt" + kNow + "\n+++ x.txt" + kNow + "\n" + kHunk, modified("x.txt") + kHunk},
    {"--- a/x" + kNow + "\n+++ b/x" + kNow + "\n" + kHunk + "diff -u a/y b/y\n--- a/y\n+++ b/y\n" +
         kHunk,
     modified("x") + kHunk + modified("y") + kHunk},
    {"--- /dev/null\n+++ b/x\n" + kAll, created("x") + kAll},
    {"--- a/x" + kEpoch + "\n+++ b/x" + kNow + "\n" + kAll, created("x") + kAll},
    {"--- a/x\n+++ /dev/null\n" + kNone, deleted("x") + kNone},
    {"--- a/x" + kNow + "\n+++ b/x" + kEpoch + "\n" + kNone, deleted("x") + kNone},
    {"--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n--- y\n z\n", modified("x") + "@@ -1,2 +1 @@\n--- y\n z\n"},
    {"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n",
     modified("x") + "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n"},
    // ambiguous
    {"--- x.orig\n+++ x\n" + kHunk, ""},
    {"--- a/x\n+++ c/x\n" + kHunk, ""},
    {"--- old/x\n+++ new/x\n" + kHunk, ""},
    {"--- /dev/null\n+++ /dev/null\n" + kHunk, ""},
    {"--- /dev/null\n+++ b/x\n" + kHunk, ""},
    {"--- a/x" + kEpoch + "\n+++ b/x" + kEpoch + "\n" + kAll, ""},
    {"--- a/x" + kEpoch + "\n+++ b/x\n" + kHunk, ""},
    {"--- a/x\n+++ b/x\n@@ -1,9 +1 @@\n-a\n+b\n", ""},
    {"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n?b\n", ""},
    {"--- a/x\n+++ b/x\n@@ -a,b +1 @@\n-a\n+b\n", ""},
    {"--- a/x\n+++ b/x\n" + kHunk + "Only in b: z\n", ""},
    {"--- a/x\n+++ b/x\n" + kHunk + "Binary files a/z and b/z differ\n", ""},
    {"--- a/x\n+++ b/x\n" + kHunk + "some words\n", ""},
    {"--- a/x\n+++ b/x\n" + kHunk + "--- a/y\n", ""},
    {"--- a/x\n+++ b/x\n" + kHunk + "--- a/y\n+++ b/y\n", ""},
    {"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b", ""},
    {"--- \n+++ b/x\n" + kHunk, ""},
};

TEST(Intake, ADiffOfFilePairsBecomesAGitDiff) {
  for (const TraditionalCase& c : kTraditional) {
    SCOPED_TRACE(c.text);
    const auto got = take_in(c.text);
    ASSERT_EQ(got.has_value(), !c.git.empty()) << (got ? "" : got.error().message);
    if (!got) {
      EXPECT_EQ(to_string(got.error().code), "PROP_TRADITIONAL_AMBIGUOUS");
      continue;
    }
    EXPECT_EQ(got->form, "traditional");
    EXPECT_EQ(got->diff, c.git);
    const auto patch = diff::parse(got->diff, diff::Profile::git, diff::Position::exact);
    EXPECT_TRUE(patch.has_value()) << patch.error().message;
  }
}

}  // namespace
}  // namespace gh::proposal
