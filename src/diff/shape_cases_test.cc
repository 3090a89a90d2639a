#include "diff/shape_cases.h"

#include <stdexcept>
#include <string_view>

namespace gh::diff {
namespace {

using namespace std::string_literals;

/// `text` with the first `from` replaced; a case that edits nothing is a mistake in the table.
std::string edit(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == text.npos) throw std::logic_error("no such text: " + std::string(from));
  return text.replace(at, from.size(), to);
}

std::string repeat(std::string_view text, int times) {
  std::string out;
  while (times-- > 0)
    out += text;
  return out;
}

const std::string kHunk = "@@ -1 +1 @@\n-one\n+two\n";

std::string modify(const std::string& path) {
  return "diff --git a/" + path + " b/" + path + "\n--- a/" + path + "\n+++ b/" + path + "\n" +
         kHunk;
}

const std::string kModify = modify("one.txt");
const std::string kIndexed = edit(kModify, "--- a", "index 1234567..89abcde 100644\n--- a");
const std::string kTwoHunks = R"(diff --git a/n.txt b/n.txt
--- a/n.txt
+++ b/n.txt
@@ -1,3 +1,4 @@ heading
 l1
+new
 l2
 l3
@@ -10,3 +11,2 @@
 l10
-l11
 l12
)";
const std::string kCreate = R"(diff --git a/new.txt b/new.txt
new file mode 100644
index 0000000..257cc56
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+foo
+bar
)";
const std::string kDelete = R"(diff --git a/old.txt b/old.txt
deleted file mode 100755
--- a/old.txt
+++ /dev/null
@@ -1,2 +0,0 @@
-foo
-bar
)";
const std::string kRename = R"(diff --git a/from.txt b/to.txt
similarity index 80%
rename from from.txt
rename to to.txt
--- a/from.txt
+++ b/to.txt
@@ -1,2 +1,2 @@
 same
-foo
+bar
)";
const std::string kPureRename = kRename.substr(0, kRename.find("---"));
const std::string kCopy = edit(edit(kRename, "rename from", "copy from"), "rename to", "copy to");
const std::string kChmod = R"(diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
)";
const std::string kChmodAndEdit =
    edit(modify("run.sh"), "---", "old mode 100644\nnew mode 100755\n---");
const std::string kNoNewline = R"(diff --git a/t.txt b/t.txt
--- a/t.txt
+++ b/t.txt
@@ -1,2 +1,2 @@
 a
-b
\ No newline at end of file
+c
\ No newline at end of file
)";
const std::string kMarker = "\\ No newline at end of file\n";

std::vector<ShapeCase> whole_input() {
  std::vector<ShapeCase> cases;
  const std::size_t limit = 67'108'864;
  const auto padded = [&](std::size_t size) {
    return edit(kModify, "+1 @@", "+1 @@ " + std::string(size - kModify.size() - 1, 'h'));
  };
  cases.push_back({"input_too_large", "a diff of one byte too many", padded(limit + 1)});
  cases.push_back({"accept", "a diff of exactly the limit", padded(limit)});
  cases.push_back({"input_too_large", "line feeds", std::string(limit + 1, '\n')});
  cases.push_back({"input_too_large", "NUL bytes", std::string(limit + 1, '\0')});
  cases.push_back({"empty_input", "nothing", ""});
  cases.push_back({"empty_input", "line feeds", "\n\n\n"});
  cases.push_back({"empty_input", "blanks of all kinds", " \t\r\n \r"});
  cases.push_back({"nul_byte", "in prose", "hello\0world\n"s});
  cases.push_back({"nul_byte", "in a name", edit(kModify, "--- a/one", "--- a/one\0"s)});
  cases.push_back({"nul_byte", "in the body", edit(kModify, "+two", "+tw\0o"s)});
  cases.push_back({"nul_byte", "behind the last line feed", kModify + "\0"s});
  cases.push_back({"not_a_diff", "prose", "Here is the change you asked for.\n" + kModify});
  cases.push_back({"not_a_diff", "a fence", "```diff\n" + kModify + "```\n"});
  cases.push_back({"not_a_diff", "a byte order mark", "\xEF\xBB\xBF" + kModify});
  cases.push_back({"not_a_diff", "a blank before the line", " " + kModify});
  cases.push_back({"not_a_diff", "a line of blanks is not empty", " \n" + kModify});
  cases.push_back({"not_a_diff", "CR LF is not empty", "\r\n" + kModify});
  cases.push_back({"not_a_diff", "a mail", "From 1234 Mon Sep 17\nSubject: x\n\n" + kModify});
  cases.push_back({"not_a_diff", "a traditional diff", kModify.substr(kModify.find("---"))});
  cases.push_back({"not_a_diff", "a combined diff", "diff --cc one.txt\n" + kModify});
  cases.push_back({"not_a_diff", "no space behind the words", "diff --git\n" + kModify});
  cases.push_back({"accept", "empty lines first and last", "\n\n" + kModify + "\n\n"});
  cases.push_back({"missing_final_newline", "a body line", kModify.substr(0, kModify.size() - 1)});
  cases.push_back({"missing_final_newline", "a git line", kModify + "diff --git a/x b/x"});
  cases.push_back(
      {"missing_final_newline", "a marker", kNoNewline.substr(0, kNoNewline.size() - 1)});
  cases.push_back({"missing_final_newline", "one blank at the end", kModify + " "});
  const std::string head = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,";
  cases.push_back(
      {"too_many_lines", "added lines", head + "999999 @@\n-a\n" + repeat("+\n", 999'999)});
  cases.push_back(
      {"accept", "one million lines", head + "999995 @@\n-a\n" + repeat("+\n", 999'995)});
  cases.push_back(
      {"too_many_lines", "empty lines at the end", kModify + std::string(1'000'000, '\n')});
  cases.push_back({"too_many_lines", "empty lines first", std::string(1'000'000, '\n') + kModify});
  return cases;
}

std::vector<ShapeCase> names() {
  const auto git_line = [](const std::string& line) {
    return edit(kModify, "a/one.txt b/one.txt", line);
  };
  const auto minus = [](const std::string& name) {
    return edit(kModify, "--- a/one.txt", "--- " + name);
  };
  const auto plus = [](const std::string& name) {
    return edit(kModify, "+++ b/one.txt", "+++ " + name);
  };
  const auto rename_to = [](const std::string& name) {
    return edit(kRename, "rename to to.txt", "rename to " + name);
  };
  const std::string spaced = "diff --git a/x b/y b/x b/y\n--- a/x b/y\t\n+++ b/x b/y\t\n" + kHunk;
  return {
      {"git_line_malformed", "first quote open", git_line(R"("a/one.txt b/one.txt)")},
      {"git_line_malformed", "second quote open", git_line(R"(a/one.txt "b/one.txt)")},
      {"git_line_malformed", "no such escape", git_line(R"("a/one\q.txt" "b/one.txt")")},
      {"git_line_malformed", "no space between", git_line(R"("a/one.txt""b/one.txt")")},
      {"git_line_malformed", "text behind the second quote",
       git_line(R"("a/one.txt" "b/one.txt" x)")},
      {"git_line_malformed", "one quoted name only", git_line(R"("a/one.txt")")},
      {"git_line_malformed", "an unprefixed broken quote", git_line(R"(a/one.txt "one.txt)")},
      {"accept", "both quoted", git_line(R"("a/one.txt" "b/one.txt")")},
      {"accept", "first quoted", git_line(R"("a/one.txt" b/one.txt)")},
      {"accept", "second quoted", git_line(R"(a/one.txt "b/one.txt")")},
      {"accept", "octal escapes", git_line(R"("a/\157ne.txt" "b/one\056txt")")},

      {"git_line_ambiguous", "a name that holds b/", spaced},
      {"git_line_ambiguous", "only one split is consistent", git_line("a/one.txt b/z b/one.txt")},
      {"git_line_ambiguous", "a raw and a quoted end", git_line(R"(a/one.txt b/z "b/one.txt")")},
      {"git_line_ambiguous", "quoted text inside a raw name",
       git_line(R"(a/one.txt "b/z" b/one.txt)")},
      {"git_line_ambiguous", "three splits", git_line("a/ b/ b/ b/")},
      {"accept", "quotes fix the split", edit(spaced, "a/x b/y b/x b/y", R"("a/x b/y" "b/x b/y")")},
      {"accept", "a name with spaces",
       "diff --git a/x y z b/x y z\n--- a/x y z\t\n+++ b/x y z\t\n" + kHunk},
      {"accept", "a name that begins with b/",
       "diff --git a/b/x b/b/x\n--- a/b/x\n+++ b/b/x\n" + kHunk},

      {"prefix_missing", "no prefixes", git_line("one.txt one.txt")},
      {"prefix_missing", "mnemonic prefixes", git_line("i/one.txt w/one.txt")},
      {"prefix_missing", "swapped", git_line("b/one.txt a/one.txt")},
      {"prefix_missing", "one name only", git_line("a/one.txt")},
      {"prefix_missing", "no name", git_line("")},
      {"prefix_missing", "an escape hides the prefix", git_line(R"("\141/one.txt" "b/one.txt")")},
      {"prefix_missing", "minus line without", minus("one.txt")},
      {"prefix_missing", "minus line with b/", minus("b/one.txt")},
      {"prefix_missing", "plus line with a/", plus("a/one.txt")},
      {"prefix_missing", "quoted without", plus(R"("one.txt")")},
      {"prefix_missing", "quoted /dev/null is no void",
       edit(kCreate, "--- /dev/null", R"(--- "/dev/null")")},
      {"prefix_missing", "dev/null without the slash",
       edit(kCreate, "--- /dev/null", "--- dev/null")},

      {"quote_unterminated", "minus line", minus(R"("a/one.txt)")},
      {"quote_unterminated", "plus line, closed on the next line", plus("\"b/one.txt\n\"")},
      {"quote_unterminated", "the quote is escaped", plus(R"("b/one.txt\")")},
      {"quote_unterminated", "ends in a backslash", minus(R"("a/one.txt\)")},
      {"quote_unterminated", "rename header", rename_to(R"("to.txt)")},
      {"quote_invalid_escape", "a letter", minus(R"("a/one\x2etxt")")},
      {"quote_invalid_escape", "octal over 377", plus(R"("b/one\456txt")")},
      {"quote_invalid_escape", "two octal digits", minus(R"("a/one\56txt")")},
      {"quote_invalid_escape", "octal digit 8", rename_to(R"("to\058txt")")},
      {"accept", "every letter once is decoded", minus(R"("a/\157\156\145\056\164\170\164")")},
      {"accept", "quoted rename header", rename_to(R"("to\056txt")")},

      {"name_trailing_garbage", "a time stamp", minus("a/one.txt\t2024-01-01 00:00:00 +0000")},
      {"name_trailing_garbage", "the epoch on the plus line",
       plus("b/one.txt\t1970-01-01 00:00:00 +0000")},
      {"name_trailing_garbage", "two TABs", minus("a/one.txt\t\t")},
      {"name_trailing_garbage", "behind a quote", plus(R"("b/one.txt"x)")},
      {"name_trailing_garbage", "a blank behind a quote", rename_to(R"("to.txt" )")},
      {"name_trailing_garbage", "a TAB behind /dev/null",
       edit(kCreate, "--- /dev/null", "--- /dev/null\t")},
      {"accept", "a lone TAB", minus("a/one.txt\t")},
      {"accept", "a lone TAB behind a quote", plus("\"b/one.txt\"\t")},

      {"name_control_char", "TAB on the git line", git_line("a/one\t.txt b/one\t.txt")},
      {"name_control_char", "escape on the minus line", minus("a/one\x1b.txt")},
      {"name_control_char", "DEL on the plus line", plus("b/one\x7f.txt")},
      {"name_control_char", "CR before the TAB", minus("a/one.txt\r\t")},
      {"name_control_char", "raw TAB inside quotes", minus("\"a/one\t.txt\"")},
      {"name_control_char", "TAB behind a rename name", rename_to("to.txt\t")},

      {"name_mismatch", "two names without a rename", git_line("a/one.txt b/two.txt")},
      {"name_mismatch", "minus line", minus("a/two.txt")},
      {"name_mismatch", "plus line", plus("b/two.txt")},
      {"name_mismatch", "a blank behind the name", minus("a/one.txt ")},
      {"name_mismatch", "a time stamp behind a blank", plus("b/one.txt 2024-01-01")},
      {"name_mismatch", "rename target", rename_to("three.txt")},
      {"name_mismatch", "rename with prefixes", rename_to("b/to.txt")},
      {"name_mismatch", "copy source", edit(kCopy, "copy from from.txt", "copy from other.txt")},
      {"name_mismatch", "rename the other way",
       edit(kRename, "a/from.txt b/to.txt", "a/to.txt b/from.txt")},
      {"name_mismatch", "two names, nothing but an index line",
       "diff --git a/one.txt b/two.txt\nindex 1234567..89abcde\n"},

      {"devnull_mismatch", "minus without new file mode", minus("/dev/null")},
      {"devnull_mismatch", "plus without deleted file mode", plus("/dev/null")},
      {"devnull_mismatch", "new file with a name", edit(kCreate, "--- /dev/null", "--- a/new.txt")},
      {"devnull_mismatch", "deleted file with a name",
       edit(kDelete, "+++ /dev/null", "+++ b/old.txt")},
      {"devnull_mismatch", "both void", edit(kCreate, "+++ b/new.txt", "+++ /dev/null")},
      {"accept", "create", kCreate},
      {"accept", "delete", kDelete},
      {"accept", "an ordinary path dev/null", modify("dev/null")},
      {"accept", "an empty name is left to the path gate", modify("")},
      {"accept", "a backslash is left to the path gate", modify(R"(a\b)")},
      {"accept", "a decoded NUL is left to the path gate",
       edit(edit(edit(kModify, "a/one.txt b/one.txt", R"("a/one\000" "b/one\000")"), "a/one.txt",
                 R"("a/one\000")"),
            "b/one.txt", R"("b/one\000")")},
  };
}

std::vector<ShapeCase> headers() {
  const auto with = [](const std::string& header) {
    return edit(kModify, "---", header + "\n---");
  };
  const auto create_with = [](const std::string& h) { return edit(kCreate, "---", h + "\n---"); };
  const auto delete_with = [](const std::string& h) { return edit(kDelete, "---", h + "\n---"); };
  const auto rename_with = [](const std::string& h) { return edit(kRename, "---", h + "\n---"); };
  const auto git = Profile::git;
  return {
      {"crlf_header", "git line", edit(kModify, "b/one.txt\n", "b/one.txt\r\n")},
      {"crlf_header", "extended header", with("index 1234567..89abcde 100644\r")},
      {"crlf_header", "minus line", edit(kModify, "--- a/one.txt", "--- a/one.txt\r")},
      {"crlf_header", "plus line behind the TAB",
       edit(kModify, "+++ b/one.txt", "+++ b/one.txt\t\r")},
      {"crlf_header", "void side", edit(kCreate, "--- /dev/null", "--- /dev/null\r")},
      {"crlf_header", "hunk line", edit(kModify, "+1 @@", "+1 @@\r")},
      {"crlf_header", "heading", edit(kTwoHunks, "heading", "heading\r")},
      {"accept", "CR as content", edit(edit(kModify, "-one", "-one\r"), "+two", "+two\r")},

      {"header_unknown", "an empty line", with("")},
      {"header_unknown", "legacy rename", edit(kRename, "rename from", "rename old")},
      {"header_unknown", "legacy rename target", edit(kRename, "rename to", "rename new")},
      {"header_unknown", "Index:", with("Index: one.txt")},
      {"header_unknown", "no value", with("old mode")},
      {"header_unknown", "another case", with("Old mode 100644")},
      {"header_unknown", "a leading blank", with(" index 1234567..89abcde")},
      {"header_unknown", "a marker", with("\\ No newline at end of file")},
      {"header_unknown", "minus without a blank", edit(kModify, "--- a", "---a")},

      {"duplicate_header", "index", edit(kIndexed, "---", "index 1234567..89abcde 100644\n---")},
      {"duplicate_header", "mode", with("old mode 100644\nold mode 100644")},
      {"duplicate_header", "new file", create_with("new file mode 100755")},
      {"duplicate_header", "rename target, last would win", rename_with("rename to other.txt")},
      {"duplicate_header", "similarity", rename_with("similarity index 80%")},

      {"header_conflict", "new and deleted", create_with("deleted file mode 100644")},
      {"header_conflict", "new and rename", create_with("rename from new.txt")},
      {"header_conflict", "rename and copy", rename_with("copy from from.txt")},
      {"header_conflict", "new and old mode", create_with("old mode 100644")},
      {"header_conflict", "old mode and deleted", delete_with("old mode 100755")},
      {"header_conflict", "similarity without a rename", with("similarity index 80%")},
      {"header_conflict", "dissimilarity with a rename", rename_with("dissimilarity index 80%")},
      {"accept", "dissimilarity with a modify", with("dissimilarity index 100%")},
      {"accept", "any order",
       edit(edit(kRename, "similarity index 80%\n", ""), "---", "similarity index 80%\n---")},

      {"mode_malformed", "five digits", with("old mode 10064\nnew mode 100755")},
      {"mode_malformed", "seven digits", with("old mode 0100644\nnew mode 100755")},
      {"mode_malformed", "text behind", edit(kCreate, "mode 100644", "mode 100644 ")},
      {"mode_malformed", "no octal digit", edit(kDelete, "mode 100755", "mode 100798")},
      {"mode_malformed", "two blanks", edit(kCreate, "mode 100644", "mode  100644")},
      {"mode_unknown", "group writable", edit(kCreate, "mode 100644", "mode 100664")},
      {"mode_unknown", "setuid", with("old mode 100644\nnew mode 104755")},
      {"mode_unknown", "a tree", edit(kDelete, "mode 100755", "mode 040000")},
      {"mode_unknown", "on the index line", with("index 1234567..89abcde 100600")},
      {"accept", "a symlink is left to the policy", edit(kCreate, "mode 100644", "mode 120000")},
      {"accept", "a gitlink is left to the policy", edit(kCreate, "mode 100644", "mode 160000")},
      {"mode_pair_incomplete", "old alone", with("old mode 100644")},
      {"mode_pair_incomplete", "new alone", with("new mode 100755")},
      {"mode_pair_incomplete", "old alone without hunks", edit(kChmod, "new mode 100755\n", ""),
       git},
      {"mode_pair_incomplete", "new mode beside new file mode", create_with("new mode 100644")},
      {"accept", "pair with hunks", kChmodAndEdit},

      {"index_malformed", "one dot", with("index 1234567.89abcde")},
      {"index_malformed", "three digits", with("index 123..89abcde")},
      {"index_malformed", "65 digits", with("index " + std::string(65, 'a') + "..89abcde")},
      {"index_malformed", "capitals", with("index 1234567..89ABCDE")},
      {"index_malformed", "text behind the mode", with("index 1234567..89abcde 100644 x")},
      {"index_malformed", "a comma list", with("index 1234567,1234568..89abcde")},
      {"accept", "64 digits",
       with("index " + std::string(64, 'a') + ".." + std::string(64, 'b') + " 100644")},
      {"accept", "no mode", with("index 1234..abcd")},

      {"similarity_malformed", "no sign", edit(kRename, "80%", "80")},
      {"similarity_malformed", "over 100", edit(kRename, "80%", "101%")},
      {"similarity_malformed", "a leading zero", edit(kRename, "80%", "08%")},
      {"similarity_malformed", "no number", with("dissimilarity index many%")},
      {"similarity_malformed", "nothing", edit(kRename, "80%", "%")},
      {"accept", "one digit", edit(kRename, "80%", "0%")},
      {"similarity_contradicts_hunks", "rename", edit(kRename, "80%", "100%")},
      {"similarity_contradicts_hunks", "copy", edit(kCopy, "80%", "100%")},
      {"similarity_contradicts_hunks", "header last",
       edit(edit(kRename, "similarity index 80%\n", ""), "---", "similarity index 100%\n---"), git},
      {"accept", "99 with hunks", edit(kRename, "80%", "99%")},
      {"accept", "100 without hunks", edit(kPureRename, "80%", "100%"), git},

      {"rename_incomplete", "no target", edit(kRename, "rename to to.txt\n", "")},
      {"rename_incomplete", "no source", edit(kRename, "rename from from.txt\n", "")},
      {"rename_incomplete", "no target, no hunks", edit(kPureRename, "rename to to.txt\n", ""),
       git},
      {"copy_incomplete", "no target", edit(kCopy, "copy to to.txt\n", "")},
      {"copy_incomplete", "no source", edit(kCopy, "copy from from.txt\n", "")},
      {"copy_incomplete", "no source, no hunks", "diff --git a/x b/y\ncopy to y\n", git},
      {"rename_same_name", "rename",
       edit(edit(edit(kRename, "a/from.txt b/to", "a/to.txt b/to"), "from from", "from to"),
            "a/from", "a/to")},
      {"rename_same_name", "copy", "diff --git a/x b/x\ncopy from x\ncopy to x\n", git},
      {"rename_same_name", "target first, spelled in quotes",
       "diff --git a/x b/x\nrename to \"x\"\nrename from x\n", git},
      {"accept", "rename", kRename},
      {"accept", "copy", kCopy},
  };
}

std::vector<ShapeCase> structure() {
  const auto git = Profile::git;
  const std::string git_line = "diff --git a/one.txt b/one.txt\n";
  const std::string head = git_line + "--- a/one.txt\n+++ b/one.txt\n";
  return {
      {"missing_minus_line", "plus without minus", edit(kModify, "--- a/one.txt\n", "")},
      {"missing_minus_line", "plus before minus",
       git_line + "+++ b/one.txt\n--- a/one.txt\n" + kHunk},
      {"missing_minus_line", "a hunk without names", git_line + kHunk},
      {"missing_minus_line", "a hunk behind a header",
       git_line + "index 1234567..89abcde\n" + kHunk},
      {"missing_plus_line", "a hunk", edit(kModify, "+++ b/one.txt\n", "")},
      {"missing_plus_line", "the end", git_line + "--- a/one.txt\n"},
      {"missing_plus_line", "an empty line", edit(kModify, "+++", "\n+++")},
      {"missing_plus_line", "the next section", git_line + "--- a/one.txt\n" + modify("two.txt")},
      {"missing_plus_line", "plus without a blank", edit(kModify, "+++ b", "+++b")},
      {"missing_hunk", "the end", head},
      {"missing_hunk", "the next section", head + modify("two.txt")},
      {"missing_hunk", "an extended header", edit(kModify, "@@", "index 1234567..89abcde\n@@")},
      {"missing_hunk", "a binary payload", head + "GIT binary patch\n"},
      {"missing_hunk", "an empty line", edit(kModify, "@@", "\n@@")},
      {"missing_hunk", "a body line", edit(kModify, "@@", " x\n@@")},
      {"section_empty", "alone", git_line},
      {"section_empty", "before a section", git_line + modify("two.txt")},
      {"section_empty", "behind a section, in the wide profile", modify("two.txt") + git_line, git},
      {"section_empty", "two names", "diff --git a/x b/y\n\n", git},
      {"section_without_hunks", "mode only", kChmod},
      {"section_without_hunks", "pure rename", kPureRename},
      {"section_without_hunks", "pure copy", kCopy.substr(0, kCopy.find("---"))},
      {"section_without_hunks", "empty file created",
       "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n"},
      {"section_without_hunks", "empty file deleted",
       "diff --git a/x b/x\ndeleted file mode 100644\n\n"},
      {"section_without_hunks", "index line only", git_line + "index 1234567..89abcde 100644\n"},
      {"section_without_hunks", "index line only, in the wide profile",
       git_line + "index 1234567..89abcde 100644\n", git},
      {"accept", "mode only", kChmod, git},
      {"accept", "pure rename between others", modify("a") + kPureRename + modify("z"), git},
      {"accept", "pure copy", kCopy.substr(0, kCopy.find("---")), git},
      {"accept", "empty file created",
       "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n", git},
      {"accept", "empty file deleted", "diff --git a/x b/x\ndeleted file mode 100644\n\n\n", git},

      {"binary_payload", "git's own",
       git_line + "index 1234567..89abcde 100644\nGIT binary patch\nliteral 3\nKcmZQz\n"},
      {"binary_payload", "git's own with a tail", git_line + "GIT binary patch of another kind\n"},
      {"binary_payload", "differ",
       git_line + "index 1234567..89abcde\nBinary files a/one.txt and b/one.txt differ\n"},
      {"binary_payload", "differ, old words", git_line + "Files a/one.txt and b/one.txt differ\n"},
      {"binary_payload", "with CR", git_line + "Binary files a/one.txt and b/one.txt differ\r\n"},
      {"header_unknown", "another case", git_line + "binary files a and b differ\n"},

      {"junk_between_sections", "a mail signature", kModify + "-- \n2.39.5\n"},
      {"junk_between_sections", "a fence", kModify + "```\n"},
      {"junk_between_sections", "a triple without git line",
       kModify + "--- a/x\n+++ b/x\n" + kHunk},
      {"junk_between_sections", "an empty line between", kModify + "\n" + modify("two.txt")},
      {"junk_between_sections", "a combined diff", kModify + "diff --cc x\n"},
      {"junk_between_sections", "Index:", kModify + "Index: x\n"},
      {"junk_between_sections", "one added line too many", kModify + "+three\n"},
      {"junk_between_sections", "one context line too many", kModify + " three\n"},
      {"junk_between_sections", "an extended header", kModify + "old mode 100644\n"},
      {"junk_between_sections", "a line of blanks at the end", kModify + "\n \n"},
      {"junk_between_sections", "a git line without a blank", kModify + "diff --git\n"},
      {"accept", "two sections", kModify + modify("two.txt")},

      {"duplicate_path", "the same file twice", kModify + modify("two.txt") + kModify},
      {"duplicate_path", "delete and create",
       kDelete + edit(edit(kCreate, "a/new.txt b/new.txt", "a/old.txt b/old.txt"), "b/new.txt",
                      "b/old.txt")},
      {"duplicate_path", "rename chain",
       kRename + edit(edit(edit(edit(edit(kRename, "a/from.txt b/to.txt", "a/to.txt b/end.txt"),
                                     "from from", "from to"),
                                "to to.", "to end."),
                           "a/from", "a/to"),
                      "b/to", "b/end")},
      {"duplicate_path", "one source, two copies",
       kCopy +
           edit(edit(edit(kCopy, "b/to.txt", "b/end.txt"), "to to.", "to end."), "b/to", "b/end")},
      {"duplicate_path", "spelled in quotes",
       kModify + edit(kModify, "a/one.txt b/one.txt", R"("a/one\056txt" "b/one.txt")")},
      {"duplicate_path", "before a later fault of that section",
       kModify + "diff --git a/one.txt b/one.txt\nfault\n"},
      {"accept", "names that differ in case are left to the path gate",
       kModify + modify("ONE.txt")},
  };
}

std::vector<ShapeCase> hunks() {
  const auto header = [](const std::string& line) { return edit(kModify, "@@ -1 +1 @@", line); };
  const auto second = [](const std::string& line) {
    return edit(kTwoHunks, "@@ -10,3 +11,2 @@", line);
  };
  const auto unique = Position::unique;
  const auto strict = Profile::strict;
  const std::string body = "diff --git a/t.txt b/t.txt\n--- a/t.txt\n+++ b/t.txt\n";
  return {
      {"hunk_header_malformed", "combined", header("@@@ -1 -1 +1 @@@")},
      {"hunk_header_malformed", "combined, no names", "diff --git a/x b/x\n@@@ -1 -1 +1 @@@\n"},
      {"hunk_header_malformed", "no closing", header("@@ -1 +1")},
      {"hunk_header_malformed", "text glued", header("@@ -1 +1 @@x")},
      {"hunk_header_malformed", "leading zero", header("@@ -01 +1 @@")},
      {"hunk_header_malformed", "ten digits", header("@@ -1,0000000001 +1 @@")},
      {"hunk_header_malformed", "ten digits without zeros", header("@@ -1000000000 +1 @@")},
      {"hunk_header_malformed", "a sign", header("@@ -+1 +1 @@")},
      {"hunk_header_malformed", "empty count", header("@@ -1, +1 @@")},
      {"hunk_header_malformed", "two blanks", header("@@ -1  +1 @@")},
      {"hunk_header_malformed", "swapped sides", header("@@ +1 -1 @@")},
      {"accept", "counts written out", header("@@ -1,1 +1,1 @@")},
      {"accept", "an empty heading", header("@@ -1 +1 @@ ")},

      {"hunk_range_invalid", "old start 0", header("@@ -0 +1 @@")},
      {"hunk_range_invalid", "new start 0", header("@@ -1 +0 @@")},
      {"hunk_range_invalid", "create from old lines", edit(kCreate, "-0,0", "-1,0")},
      {"hunk_range_invalid", "create at line 2", edit(kCreate, "+1,2", "+2,2")},
      {"hunk_range_invalid", "create with two hunks", kCreate + "@@ -1,0 +3 @@\n+x\n"},
      {"hunk_range_invalid", "delete leaves lines", edit(kDelete, "+0,0", "+1,0")},
      {"hunk_range_invalid", "delete from line 2", edit(kDelete, "-1,2", "-2,2")},
      {"hunk_range_invalid", "delete with two hunks", kDelete + "@@ -4 +0,0 @@\n-x\n"},
      {"accept", "into an empty file", body + "@@ -0,0 +1 @@\n+x\n"},
      {"accept", "down to an empty file", body + "@@ -1 +0,0 @@\n-x\n"},

      {"hunk_position_inconsistent", "first hunk", header("@@ -1 +2 @@")},
      {"hunk_position_inconsistent", "delta forgotten", second("@@ -10,3 +10,2 @@")},
      {"hunk_position_inconsistent", "insertion without its step", body + "@@ -3,0 +3 @@\n+x\n"},
      {"hunk_position_inconsistent", "removal without its step", body + "@@ -3 +3,0 @@\n-x\n"},
      {"accept", "insertion", body + "@@ -3,0 +4 @@\n+x\n"},
      {"accept", "removal", body + "@@ -3 +2,0 @@\n-x\n"},
      {"accept", "not asked for", header("@@ -1 +2 @@"), strict, unique},

      {"hunk_order", "descending",
       edit(edit(kTwoHunks, "-1,3 +1,4", "-20,3 +20,4"), "-10,3 +11,2", "-10,3 +11,2")},
      {"hunk_order", "the same start", second("@@ -1,3 +2,2 @@")},
      {"hunk_order", "descending, positions not asked for",
       edit(kTwoHunks, "-1,3 +1,4", "-20,3 +20,4"), strict, unique},
      {"hunk_overlap", "last line shared", second("@@ -3,3 +4,2 @@")},
      {"hunk_overlap", "inside", second("@@ -2,3 +3,2 @@")},
      {"hunk_overlap", "insertion inside",
       body + "@@ -1,3 +1,3 @@\n-a\n+A\n b\n c\n@@ -3,0 +4 @@\n+x\n"},
      {"accept", "adjacent", second("@@ -4,3 +5,2 @@")},
      {"accept", "two hunks", kTwoHunks},

      {"hunk_body_invalid_line", "a letter", edit(kTwoHunks, " l2", "l2")},
      {"hunk_body_invalid_line", "TAB", edit(kTwoHunks, " l2", "\tl2")},
      {"hunk_body_invalid_line", "CR", edit(kTwoHunks, " l2", "\r")},
      {"hunk_body_invalid_line", "a fence", edit(kTwoHunks, " l2", "```")},
      {"hunk_count_mismatch", "removed", edit(kModify, "+two", "-two")},
      {"hunk_count_mismatch", "added", edit(kModify, "-one", "+one")},
      {"hunk_count_mismatch", "context, new side", body + "@@ -1,2 +1 @@\n a\n b\n"},
      {"hunk_count_mismatch", "an empty line", body + "@@ -1,2 +1,1 @@\n-a\n+b\n\n"},
      {"hunk_count_mismatch", "context in a creation", edit(kCreate, "+foo", " foo")},
      {"hunk_truncated", "the end", edit(kModify, "+1 @@", "+1,2 @@")},
      {"hunk_truncated", "no body", body + "@@ -1 +1 @@\n"},
      {"hunk_truncated", "the next hunk", edit(kTwoHunks, "-1,3 +1,4", "-1,4 +1,5")},
      {"hunk_truncated", "the next section", edit(kModify, "+1 @@", "+1,2 @@") + modify("two.txt")},
      {"hunk_truncated", "nine digits", header("@@ -1,999999999 +1,999999999 @@")},
      {"accept", "header-like lines are content",
       body + "@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n @@ -1 +1 @@\n"},
      {"accept", "a blank last context line may be bare", body + "@@ -1,2 +1,2 @@\n-a\n+b\n\n\n\n"},
      {"hunk_no_change", "context only", body + "@@ -1 +1 @@\n a\n"},
      {"hunk_no_change", "second hunk", second("@@ -10 +11 @@\n l10\n@@ -20,3 +21,2 @@")},
      {"hunk_no_change", "nothing at all", body + "@@ -1,0 +1,0 @@\n"},
      {"hunk_no_change", "bare lines", body + "@@ -1,2 +1,2 @@\n\n\n"},

      {"no_newline_marker_malformed", "translated",
       edit(kNoNewline, "No newline at end of file", "Kein Zeilenumbruch am Ende")},
      {"no_newline_marker_malformed", "a blank behind",
       edit(kNoNewline, "end of file", "end of file ")},
      {"no_newline_marker_malformed", "no blank", edit(kNoNewline, "\\ No", "\\No")},
      {"no_newline_marker_malformed", "with CR", edit(kNoNewline, "end of file", "end of file\r")},
      {"no_newline_marker_misplaced", "before the body", edit(kModify, "-one", kMarker + "-one")},
      {"no_newline_marker_misplaced", "behind a context line in the middle",
       edit(kNoNewline, " a\n", " a\n" + kMarker)},
      {"no_newline_marker_misplaced", "old side goes on",
       body + "@@ -1,2 +1 @@\n-a\n" + kMarker + "-b\n+c\n"},
      {"no_newline_marker_misplaced", "new side goes on",
       body + "@@ -1 +1,2 @@\n-a\n+b\n" + kMarker + "+c\n"},
      {"no_newline_marker_misplaced", "twice", kNoNewline + kMarker},
      {"no_newline_marker_misplaced", "context closes one side only",
       body + "@@ -1,1 +1,2 @@\n a\n" + kMarker + "+b\n"},
      {"accept", "both sides", kNoNewline},
      {"accept", "old side only", body + "@@ -1 +1 @@\n-a\n" + kMarker + "+a\n"},
      {"accept", "new side only", body + "@@ -1 +1 @@\n-a\n+a\n" + kMarker},
      {"accept", "a context line closes both", body + "@@ -1,2 +1,2 @@\n-a\n+b\n c\n" + kMarker},
  };
}

}  // namespace

const std::vector<ShapeCase>& shape_cases() {
  static const std::vector<ShapeCase> all = [] {
    std::vector<ShapeCase> joined;
    for (auto* group : {whole_input, names, headers, structure, hunks}) {
      for (ShapeCase& c : group())
        joined.push_back(std::move(c));
    }
    return joined;
  }();
  return all;
}

}  // namespace gh::diff
