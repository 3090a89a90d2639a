#include "shell/patch_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "shell/classify.h"

namespace gh::shell {
namespace {

using Paths = std::vector<std::string>;

Paths paths_of(std::string_view text) { return read_patch_text(text).paths; }

constexpr std::string_view kPatch =
    "*** Begin Patch\n*** Add File: src/new.py\n+x = 1\n{}*** {}: .git/hooks/pre-commit\n"
    "+#!/bin/sh\n*** End Patch";

TEST(PatchText, TheHeadersOfAPatchNameItsPaths) {
  EXPECT_EQ(paths_of("*** Begin Patch\n*** Add File: new.c\n+x\n*** Update File: old.c\n"
                     "*** Move to: moved.c\n@@\n-a\n+b\n*** Delete File: gone.c\n*** End Patch\n"),
            (Paths{"gone.c", "moved.c", "new.c", "old.c"}));
  EXPECT_EQ(paths_of("*** Begin Patch\n*** End Patch\n*** End of File\n*** Note: x\n"), Paths{});
  EXPECT_EQ(paths_of(""), Paths{});
}

// The finding: one blank before the second header, and nobody saw it.
TEST(PatchText, BlanksBeforeAHeaderHideNothing) {
  for (const std::string_view blank : {" ",
                                       "   ",
                                       "\t",
                                       "\v",
                                       "\f",
                                       "\r",
                                       "\x1c",
                                       "\x1d",
                                       "\x1e",
                                       "\x1f",
                                       "\xc2\x85",
                                       "\xc2\xa0",
                                       "\xe1\x9a\x80",
                                       "\xe1\xa0\x8e",
                                       "\xe2\x80\x80",
                                       "\xe2\x80\x84",
                                       "\xe2\x80\x8b",
                                       "\xe2\x80\x8d",
                                       "\xe2\x80\xa8",
                                       "\xe2\x80\xa9",
                                       "\xe2\x80\xaf",
                                       "\xe2\x81\x9f",
                                       "\xe2\x81\xa0",
                                       "\xe3\x80\x80",
                                       "\xef\xbb\xbf",
                                       " \t\xc2\xa0 \r"})
    for (const std::string_view words :
         {"Add File", "Update File", "Delete File", "Move to", "add file", "ADD FILE", "Add  File",
          "Add\tFile", "Move To"})
      EXPECT_EQ(paths_of(fmt::format(fmt::runtime(kPatch), blank, words)),
                (Paths{".git/hooks/pre-commit", "src/new.py"}))
          << words << " behind " << blank;
}

TEST(PatchText, BlanksInsideOfAHeaderHideNothing) {
  for (const std::string_view header : {"***Add File: a", "*** Add File:a", "***  Add File : a",
                                        "*** Add\xc2\xa0"
                                        "File: a",
                                        "**** Add File: a", "*** Add File: a\xc2\xa0",
                                        "*** Add File: a \r", "\xef\xbb\xbf*** Add File:\ta"})
    EXPECT_TRUE(std::ranges::count(paths_of(header), "a")) << header;
}

// Readers differ in where a line ends: both are taken.
TEST(PatchText, WhatOneReaderTakesForTheEndOfALineIsOne) {
  for (const std::string_view end :
       {"\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"}) {
    EXPECT_EQ(paths_of(fmt::format("+x{}*** Delete File: a\n", end)), Paths{"a"});
    EXPECT_EQ(paths_of(fmt::format("*** Add File: a{}b\n", end)),
              (Paths{"a", fmt::format("a{}b", end)}));
  }
}

TEST(PatchText, OtherBlanksStandInsideOfALine) {
  for (const std::string_view blank :
       {" ", "\t", "\xc2\xa0", "\xe1\x9a\x80", "\xe1\xa0\x8e", "\xe2\x80\x80", "\xe2\x80\xaf",
        "\xe2\x81\x9f", "\xe2\x81\xa0", "\xe3\x80\x80", "\xef\xbb\xbf"}) {
    EXPECT_EQ(paths_of(fmt::format("+x{}*** Delete File: a\n", blank)), Paths{});
    EXPECT_EQ(paths_of(fmt::format("*** Add File: a{}b\n", blank)),
              Paths{fmt::format("a{}b", blank)});
  }
}

TEST(PatchText, APathIsTakenWithTheBlanksAtItsEndsAndWithoutThem) {
  EXPECT_EQ(paths_of("*** Add File:  a \n"), (Paths{" a ", "a"}));
  EXPECT_EQ(paths_of("*** Add File: a\xc2\xa0\n"), (Paths{"a", "a\xc2\xa0"}));
  EXPECT_EQ(paths_of("*** Add File: a b.c\r\n"), Paths{"a b.c"});
  EXPECT_EQ(paths_of("*** Add File: \n*** Add File:\xc2\xa0\n"), Paths{});
}

TEST(PatchText, ManyBlanksHideNoPath) {
  for (const std::string_view blank : {" ", "\t", "\xc2\xa0"}) {
    std::string many;
    while (many.size() < 10'000)
      many += blank;
    EXPECT_EQ(paths_of(many + "*** Add File: a\n"), Paths{"a"});
    EXPECT_EQ(paths_of("***" + many + "Add" + many + "File" + many + ": a\n"), Paths{"a"});
    EXPECT_EQ(paths_of("*** Add File: " + many + "a\n"), Paths{"a"});
    EXPECT_EQ(paths_of("*** Add File: a" + many + "\n"), Paths{"a"});
  }
}

TEST(PatchText, LinesThatArePrintedOrTakenAwayAreContent) {
  EXPECT_EQ(paths_of("+*** Add File: a\n-*** Add File: b\n+ *** Move to: c\nx *** Add File: d\n"),
            Paths{});
}

// A line of context may be a header for whoever cuts blanks off: then it names a path.
TEST(PatchText, ContextThatIsAHeaderForSomeReaderNamesAPath) {
  EXPECT_EQ(paths_of("*** Begin Patch\n*** Update File: a\n@@\n *** Delete File: b\n-x\n"),
            (Paths{"a", "b"}));
}

TEST(PatchText, NeitherEndNorOrderNorNumberOfPatchesMatters) {
  EXPECT_EQ(paths_of("*** Add File: a\n*** End Patch\n*** Delete File: b\n*** Begin Patch\n"
                     "*** Begin Patch\n*** Update File: c\n"),
            (Paths{"a", "b", "c"}));
  EXPECT_EQ(paths_of("<<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF"),
            Paths{"a"});
}

TEST(PatchText, ThatAPatchBeginsAndForWhichEnvironmentIsTold) {
  EXPECT_FALSE(read_patch_text("*** Add File: a\n").begins);
  EXPECT_TRUE(read_patch_text("x\n  *** begin patch  \n").begins);
  EXPECT_FALSE(read_patch_text("*** Begin Patch\n").is_elsewhere);
  EXPECT_TRUE(read_patch_text("*** Begin Patch\n *** Environment ID: x\n").is_elsewhere);
}

TEST(PatchText, MorePathsThanAreReadAreTold) {
  std::string text;
  for (int i = 0; i < 4096; ++i)
    text += fmt::format("*** Add File: f{:04}\n", i);
  EXPECT_FALSE(read_patch_text(text).is_too_long);
  EXPECT_EQ(paths_of(text).size(), 4096U);
  text += "*** Add File: .git/config\n";
  EXPECT_TRUE(read_patch_text(text).is_too_long);
  EXPECT_EQ(paths_of(text).size(), 4096U);
  EXPECT_EQ(paths_of("*** Add File: " + std::string(5000, 'a') + "\rb\n").size(), 0U);
}

// Hosts run a command of that name as the tool.
TEST(PatchText, ACommandThatIsGivenAPatchWritesWhatThatNames) {
  const auto writes_of = [](std::string_view text) {
    Paths out;
    for (const Write& write : classify(text).writes)
      out.push_back(write.path);
    return out;
  };
  const std::string patch = "*** Begin Patch\n *** Delete File: a\n*** End Patch\n";
  EXPECT_EQ(writes_of("apply_patch <<'EOF'\n" + patch + "EOF\n"), Paths{"a"});
  EXPECT_EQ(writes_of("cd sub && applypatch <<EOF\n" + patch + "EOF\n"), Paths{"sub/a"});
  EXPECT_EQ(writes_of("apply_patch '" + patch + "'"), Paths{"a"});
  EXPECT_EQ(writes_of("codex --codex-run-as-apply-patch '" + patch + "'"), Paths{"a"});
  EXPECT_EQ(writes_of("bash -lc \"apply_patch <<'EOF'\n" + patch + "EOF\n\""), Paths{"a"});
  EXPECT_EQ(writes_of("cat <<'EOF'\n" + patch + "EOF\n"), Paths{});
  EXPECT_EQ(to_string(classify("apply_patch <<'EOF'\n" + patch + "EOF\n").shell_class), "opaque");
}

}  // namespace
}  // namespace gh::shell
