// What our reading of .gitattributes says about a path is what git check-attr says.
#include <fstream>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "patch/attributes.h"
#include "tests/git_oracle.h"

namespace gh::patch {
namespace {

using test::BaseFile;
using test::GitOracle;

using Names = std::vector<std::string>;

std::string shown(const AttributeValue& v) {
  using enum AttributeValue::State;
  return v.state == set     ? "set"
         : v.state == unset ? "unset"
         : v.state == value ? v.value
                            : "unspecified";
}

/// "path attribute=value" for all of both, as git sees the index.
Names asked_of_git(GitOracle& git, const Names& asked, const Names& paths) {
  std::vector<std::string> command{"check-attr", "--cached", "--stdin", "-z"};
  command.insert(command.end(), asked.begin(), asked.end());
  std::string input;
  for (const std::string& p : paths)
    input += p + '\0';
  const std::string out = git.try_run(command, input).out;
  std::vector<std::string> fields(1), answers;
  for (const char c : out) {
    if (c != '\0') {
      fields.back() += c;
      continue;
    }
    if (fields.size() < 3) {
      fields.emplace_back();
      continue;
    }
    answers.push_back(fields[0] + " " + fields[1] + "=" + fields[2]);
    fields.assign(1, "");
  }
  return answers;
}

Names asked_of_us(const std::vector<BaseFile>& base, const Names& asked, const Names& paths) {
  std::vector<std::string> answers;
  for (const std::string& path : paths) {
    std::vector<AttributeFile> files;
    std::vector<std::string> folders;
    for (std::size_t end = 0;; ++end) {
      const std::string folder = path.substr(0, end);
      for (const BaseFile& f : base)
        if (f.path == folder + ".gitattributes") {
          files.push_back(parse_attributes(f.content, folder.empty()));
          folders.push_back(folder);
        }
      end = path.find('/', end);
      if (end == std::string::npos) break;
    }
    std::vector<PlacedAttributes> placed;
    for (std::size_t i = 0; i < files.size(); ++i)
      placed.push_back({folders[i], &files[i]});
    auto states = attributes_of(path, placed);
    for (const std::string& name : asked)
      answers.push_back(path + " " + name + "=" + shown(states[name]));
  }
  return answers;
}

void expect_agreement(const std::vector<BaseFile>& base, const Names& asked, const Names& paths) {
  GitOracle git;
  git.load(base);
  const auto theirs = asked_of_git(git, asked, paths), ours = asked_of_us(base, asked, paths);
  ASSERT_EQ(theirs.size(), ours.size());
  for (std::size_t i = 0; i < ours.size(); ++i)
    EXPECT_EQ(ours[i], theirs[i]);
}

TEST(AttributesAgainstGit, HandWrittenFilesReadTheSame) {
  const std::string root =
      "# comment\n"
      "   # indented comment\n"
      "*.txt filter=lfs\n"
      "*.c ident\r\n"
      "[attr]mine filter=mine -text\n"
      "[attr]nested mine ident\n"
      "[attr]binary -diff eol=lf\n"
      "[attr]-bad filter=x\n"
      "[attr] filter=spaced\n"
      "a.mine mine\n"
      "b.mine -mine\n"
      "c.mine mine -filter\n"
      "d.mine -filter mine\n"
      "e.nested nested\n"
      "f.bin binary\n"
      "f.bin2 !binary binary\n"
      "\"quoted name.txt\" ident\n"
      "\"tab\\tname\" ident\n"
      "\"open filter=q\n"
      "!negated filter=n\n"
      "\\!literal filter=bang\n"
      "folder/ filter=folder\n"
      "/top.dat filter=top\n"
      "sub/deep.dat filter=deep\n"
      "**/any.dat filter=any\n"
      "x/**/y.dat filter=between\n"
      "z/** filter=below\n"
      "w** filter=w\n"
      "v**/u filter=v\n"
      "[a-c]?.set ident\n"
      "[!a-c].neg ident\n"
      "[^a-c].neg2 ident\n"
      "[[:digit:]].cls ident\n"
      "[[:upper:][:digit:]_].cls2 ident\n"
      "[[:nope:]].cls3 ident\n"
      "[]x].br ident\n"
      "[a\\]].br2 ident\n"
      "[.br3 ident\n"
      "esc\\*.t ident\n"
      "end\\ ident\n"
      "p/*/q filter=one\n"
      "*.bad filter=x ba$d\n"
      "*.eq filter= ident=1\n"
      "*.wte working-tree-encoding=UTF-16\n"
      "*.dash -ident=1\n"
      "late.txt filter=first\n"
      "late.txt filter=second\n" +
      std::string("long") + std::string(2100, 'g') + " filter=long\n" + "no-newline ident";
  const std::vector<BaseFile> base{
      {".gitattributes", root},
      {"sub/.gitattributes",
       "*.txt -filter\n[attr]inner ident\nk inner\n/own filter=own\nn/o filter=no\n*.un !filter\n"},
      {"sub/n/.gitattributes", "*.txt filter=inner\n"},
  };
  const std::vector<std::string> paths{"a.txt",
                                       "d/a.txt",
                                       "a.c",
                                       "a.mine",
                                       "b.mine",
                                       "c.mine",
                                       "d.mine",
                                       "e.nested",
                                       "f.bin",
                                       "f.bin2",
                                       "quoted name.txt",
                                       "\"open",
                                       "negated",
                                       "!negated",
                                       "!literal",
                                       "folder",
                                       "folder/x",
                                       "top.dat",
                                       "d/top.dat",
                                       "sub/deep.dat",
                                       "deep.dat",
                                       "q/sub/deep.dat",
                                       "any.dat",
                                       "1/2/any.dat",
                                       "x/y.dat",
                                       "x/1/y.dat",
                                       "x/1/2/y.dat",
                                       "xy.dat",
                                       "z",
                                       "z/1",
                                       "z/1/2",
                                       "w",
                                       "w1",
                                       "w/1",
                                       "vv/u",
                                       "v/u",
                                       "v1/2/u",
                                       "v1/u",
                                       "a1.set",
                                       "d1.set",
                                       "a/.set",
                                       "d.neg",
                                       "a.neg",
                                       "d.neg2",
                                       "5.cls",
                                       "x.cls",
                                       "_.cls2",
                                       "Q.cls2",
                                       "q.cls2",
                                       "n.cls3",
                                       "].br",
                                       "x.br",
                                       "].br2",
                                       "a.br2",
                                       "[.br3",
                                       "esc*.t",
                                       "escx.t",
                                       "end\\",
                                       "p/1/q",
                                       "p/1/2/q",
                                       "p/q",
                                       "a.bad",
                                       "a.eq",
                                       "a.wte",
                                       "a.dash",
                                       "late.txt",
                                       "no-newline",
                                       "sub/a.txt",
                                       "sub/k",
                                       "sub/own",
                                       "sub/x/own",
                                       "sub/n/o",
                                       "sub/n/a.txt",
                                       "sub/n/m/a.txt",
                                       "sub/a.un",
                                       "[attr]",
                                       "[attr]x",
                                       "sub/x/n/o",
                                       "long" + std::string(2100, 'g')};
  expect_agreement(base,
                   {"filter", "ident", "working-tree-encoding", "text", "diff", "merge", "binary",
                    "mine", "eol"},
                   paths);
}

/// Random patterns over a small alphabet of everything the language gives a meaning to.
TEST(AttributesAgainstGit, RandomPatternsReadTheSame) {
  std::mt19937 random(20);
  const auto pick = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  const std::vector<std::string> pieces{"a",  "b",   "/",   "*",    "**",  "?",  "[ab]", "[!a]",
                                        "\\", "**/", "/**", "[a-c", "\\*", "/a", "b/",   "-"};
  const std::vector<std::string> names{"a",     "b",       "ab",    "a-b",    "*",    "a/b", "b/a",
                                       "a/a/b", "a/b/a/b", "ba/ab", "b/ab/a", "abab", "a/*", "\\a"};
  std::vector<BaseFile> base;
  std::vector<std::string> paths;
  Names asked;
  for (int line = 0; line < 20; ++line)
    asked.push_back(fmt::format("l{}", line));
  for (int folder = 0; folder < 100; ++folder) {
    std::string content;
    for (const std::string& attribute : asked) {
      std::string pattern;
      for (std::size_t n = 1 + pick(6); n > 0; --n)
        pattern += pieces[pick(pieces.size())];
      content += pattern + " " + attribute + "\n";
    }
    base.push_back({fmt::format("r{}/.gitattributes", folder), content});
    for (const std::string& name : names)
      paths.push_back(fmt::format("r{}/{}", folder, name));
  }
  expect_agreement(base, asked, paths);
}

TEST(AttributesAgainstGit, AByteOrderMarkIsSkippedAsInTheWorkTree) {
  GitOracle git;
  const std::string content = "\xEF\xBB\xBF*.x ident\n";
  std::ofstream(git.path() + "/.gitattributes") << content;
  EXPECT_EQ(git.run({"check-attr", "ident", "--", "a.x"}), "a.x: ident: set");
  const AttributeFile file = parse_attributes(content, true);
  EXPECT_TRUE(attributes_of("a.x", {{"", &file}}).at("ident").is_on());
}

TEST(GitPattern, StarsCostPolynomialWork) {
  std::string pattern, text(400, 'a');
  for (int i = 0; i < 60; ++i)
    pattern += "*a";
  EXPECT_TRUE(matches_git_pattern(text, pattern));
  EXPECT_FALSE(matches_git_pattern(text, pattern + "b"));
}

}  // namespace
}  // namespace gh::patch
