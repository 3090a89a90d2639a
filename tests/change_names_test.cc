// What git can have in a work tree, and what files can be called, as change control sees it: each
// change inside the declared scope must be named, and once it is named the change is accepted.
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include "tests/agents_kit.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

/// As documents show a name.
std::string shown(const std::string& name) { return utf8_or_escaped(name); }

std::string nul_list(const Words& names) {
  std::string out;
  for (const std::string& name : names)
    (out += name) += '\0';
  return out;
}

const Words kNames{"docs/with space.md",
                   "docs/quo\"te.md",
                   "docs/sin'gle.md",
                   "docs/new\nline.md",
                   "docs/tab\there.md",
                   "docs/\xC3\xA4\xE2\x82\xAC.md",
                   "docs/-dash.md",
                   "-lead.md",
                   "--help",
                   ":(glob)x.md",
                   ":!neg.md",
                   ":/top.md",
                   "docs/[abc].md",
                   "docs/star*.md",
                   "docs/q?.md",
                   "docs/trail.",
                   "docs/{a,b}.md",
                   "docs/$HOME.md",
                   "docs/\x01ctl.md",
                   "docs/\x7f"
                   "del.md",
                   "docs/\xE2\x80\xAE.md",
                   "#hash.md",
                   "~t.md",
                   "!x.md",
                   "docs/e\xCC\x81.md",
                   "docs/a => b.md",
                   "docs/" + std::string(200, 'l') + ".md",
                   "docs/bad\xFF.md",
                   "\xFE.md"};

class ChangeNames : public ::testing::Test, public AgentWorld {
 protected:
  ChangeNames() { analyze(); }
  Words unacknowledged() const {
    const Answer asked = finish("A", {"docs/other.md"});
    return texts(asked["workspace_hygiene_after"]["unacknowledged_dirty_in_scope"]);
  }
};

TEST_F(ChangeNames, EveryNameIsAskedForAndAcceptedHoweverItIsHandedIn) {
  Words names = kNames;
  for (std::string& name : names)
    name = shown(name);
  std::ranges::sort(names);
  const auto made = [&] {
    EXPECT_EQ(start("A", names).status(), "active");
    for (const std::string& name : kNames)
      repo.write(name, "text\n");
  };
  made();
  EXPECT_EQ(unacknowledged(), names);
  const Answer typed = finish("A", names, {"--no-clear", "--trail", "full"});
  EXPECT_EQ(typed.status(), "accepted") << typed.reason();
  EXPECT_EQ(texts(typed["patch_trail"]["changed_files"]), names);
  const std::string digest{typed["receipt"]["receipt_digest"]["value"].text()};
  EXPECT_EQ(texts(ask({"receipt", "show", "sha256:" + digest})["body"]["scope"]["changed_files"]),
            names);
  const Words from{"change", "finish", "--no-clear", "--files-from", "-"};
  EXPECT_EQ(ask(from, "A", {}, nul_list(kNames)).status(), "accepted");
  EXPECT_EQ(finish("A", {}, {"--diff", "HEAD"}).status(), "accepted");
}

// What is typed is trimmed and has its backslashes turned, unless there is a file of just that
// name; a list of git's is taken to the letter.
TEST_F(ChangeNames, AListWithNulHoldsNamesToTheLetter) {
  const Words names{" lead.md", "docs/tab\t", "docs/trail "};
  EXPECT_EQ(start("A", {"./ lead.md", "docs/tab\t/", "docs/trail /"}).status(), "active");
  for (const std::string& name : names)
    repo.write(name, "text\n");
  EXPECT_EQ(unacknowledged(), names);
  EXPECT_EQ(finish("A", names, {"--no-clear"}).status(), "accepted") << "there are such files";
  const Words from{"change", "finish", "--files-from", "-"};
  EXPECT_EQ(ask(from, "A", {}, "docs/guide.md\n docs/other.md \r\n").reason(), "workspace_hygiene");
  EXPECT_EQ(ask(from, "A", {}, nul_list({"../out"})).text("code"), "path_traversal");
  EXPECT_EQ(ask(from, "A", {}, nul_list(names)).status(), "accepted");
}

struct State {
  const char* name;
  Words scope;
  std::function<void(const GitSandbox&)> change;
  Words dirty{};  // of the scope; all of it must be named
  std::function<void(const GitSandbox&)> before{};
};

void link(const GitSandbox& repo, const char* target, const std::string& path) {
  fs::remove(repo.at(path));
  ASSERT_EQ(::symlink(target, repo.at(path).c_str()), 0);
}
void edit_guide(const GitSandbox& repo) { repo.write("docs/guide.md", "edited\n"); }
void add_submodule(const GitSandbox& repo) {
  const std::string other = repo.folder() + "/other";
  repo.git_at(repo.folder(), {"clone", "-q", repo.root(), other});
  repo.git({"-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "mod"});
}
void commit_submodule(const GitSandbox& repo) {
  add_submodule(repo);
  repo.commit("a submodule");
}
void say_in_submodule(const GitSandbox& repo) { repo.write("mod/docs/guide.md", "edited\n"); }

const std::vector<State>& states() {
  static const Words guide{"docs/guide.md"};
  static const std::vector<State> all{
      {"a rename that git made",
       {"docs/guide.md", "docs/g2.md"},
       [](const GitSandbox& r) {
         r.git({"mv", "docs/guide.md", "docs/g2.md"});
       },
       {"docs/g2.md", "docs/guide.md"}},
      {"a rename by hand",
       {"docs/guide.md", "docs/g2.md"},
       [](const GitSandbox& r) { fs::rename(r.at("docs/guide.md"), r.at("docs/g2.md")); },
       {"docs/g2.md", "docs/guide.md"}},
      {"letter case alone",
       {"docs/guide.md", "docs/Guide.md"},
       [](const GitSandbox& r) {
         r.git({"mv", "docs/guide.md", "docs/Guide.md"});
       },
       {"docs/Guide.md", "docs/guide.md"}},
      {"a file that is gone", guide, [](const GitSandbox& r) { fs::remove(r.at("docs/guide.md")); },
       guide},
      {"a file that left the index alone", guide,
       [](const GitSandbox& r) {
         r.git({"rm", "-q", "--cached", "docs/guide.md"});
       },
       guide},
      {"an executable bit", guide,
       [](const GitSandbox& r) { ::chmod(r.at("docs/guide.md").c_str(), 0755); }, guide},
      {"an edit that is staged and taken back on disk", guide,
       [](const GitSandbox& r) {
         edit_guide(r);
         r.git({"add", "-A"});
         r.write("docs/guide.md", "read me\n");
       },
       guide},
      {"an intent to add",
       {"docs/n.md"},
       [](const GitSandbox& r) {
         r.write("docs/n.md", "new\n");
         r.git({"add", "-N", "docs/n.md"});
       },
       {"docs/n.md"}},
      {"core.ignoreCase",
       {"docs/GUIDE.md"},
       [](const GitSandbox& r) {
         r.git({"config", "core.ignoreCase", "true"});
         r.write("docs/GUIDE.md", "another\n");
       },
       {"docs/GUIDE.md"}},
      {"core.fileMode=false", guide,
       [](const GitSandbox& r) {
         r.git({"config", "core.fileMode", "false"});
         ::chmod(r.at("docs/guide.md").c_str(), 0755);
       },
       guide},
      {"status.showUntrackedFiles=no",
       {"docs/new/x.md"},
       [](const GitSandbox& r) {
         r.git({"config", "status.showUntrackedFiles", "no"});
         r.write("docs/new/x.md", "new\n");
       },
       {"docs/new/x.md"}},
      {"core.quotePath",
       {"docs/\xC3\xA4.md"},
       [](const GitSandbox& r) {
         r.git({"config", "core.quotePath", "true"});
         r.write("docs/\xC3\xA4.md", "new\n");
       },
       {"docs/\xC3\xA4.md"}},
      {"assume-unchanged", guide,
       [](const GitSandbox& r) {
         r.git({"update-index", "--assume-unchanged", "docs/guide.md"});
         edit_guide(r);
       },
       guide},
      {"skip-worktree", guide,
       [](const GitSandbox& r) {
         r.git({"update-index", "--skip-worktree", "docs/guide.md"});
         edit_guide(r);
       },
       guide},
      {"skip-worktree, and a setting that expects such files", guide,
       [](const GitSandbox& r) {
         r.git({"config", "sparse.expectFilesOutsideOfPatterns", "true"});
         r.git({"update-index", "--skip-worktree", "docs/guide.md"});
         edit_guide(r);
       },
       guide},
      {"ignored files are none",
       {".gitignore", "ign", "docs/y.o"},
       [](const GitSandbox& r) {
         r.write(".gitignore", "ign/\n*.o\n");
         r.write("ign/x.md", "1\n");
         r.write("docs/y.o", "1\n");
       },
       {".gitignore"}},
      {"an excludesFile of the user hides nothing",
       {"docs/n.md"},
       [](const GitSandbox& r) {
         const std::string file = r.folder() + "/excludes";
         ASSERT_TRUE(sys::write_file_atomic(file, "*.md\n"));
         r.git({"config", "core.excludesFile", file});
         r.write("docs/n.md", "new\n");
       },
       {"docs/n.md"}},
      {"an ignored file that was added",
       {"docs/z.md"},
       [](const GitSandbox& r) {
         r.write(".git/info/exclude", "docs/z.md\n");
         r.write("docs/z.md", "1\n");
         r.git({"add", "-f", "docs/z.md"});
       },
       {"docs/z.md"}},
      {"a link to nowhere",
       {"docs/l.md"},
       [](const GitSandbox& r) { link(r, "nowhere", "docs/l.md"); },
       {"docs/l.md"}},
      {"a link to a folder",
       {"docs/l"},
       [](const GitSandbox& r) { link(r, "../pkg", "docs/l"); },
       {"docs/l"}},
      {"a file that became a link", guide,
       [](const GitSandbox& r) { link(r, "other.md", "docs/guide.md"); }, guide},
      {"a folder that became a file",
       {"docs", "docs/guide.md", "docs/other.md"},
       [](const GitSandbox& r) {
         fs::remove_all(r.at("docs"));
         r.write("docs", "a file\n");
       },
       {"docs", "docs/guide.md", "docs/other.md"}},
      {"a file that became a folder",
       {"docs/guide.md", "docs/guide.md/x.md"},
       [](const GitSandbox& r) {
         fs::remove(r.at("docs/guide.md"));
         r.write("docs/guide.md/x.md", "1\n");
       },
       {"docs/guide.md", "docs/guide.md/x.md"}},
      {"a repository inside",
       {"nest"},
       [](const GitSandbox& r) {
         r.git({"init", "-q", r.at("nest")});
         r.write("nest/a.md", "1\n");
       },
       {"nest"}},
      {"an empty folder",
       {"docs/empty"},
       [](const GitSandbox& r) { fs::create_directory(r.at("docs/empty")); }},
      {"a conflict", guide,
       [](const GitSandbox& r) {
         r.git({"checkout", "-q", "-b", "theirs"});
         r.write("docs/guide.md", "theirs\n");
         r.git({"commit", "-q", "-am", "theirs"});
         r.git({"checkout", "-q", "main"});
         r.write("docs/guide.md", "ours\n");
         r.git({"commit", "-q", "-am", "ours"});
         (void)run_program({"/usr/bin/git", "merge", "-q", "theirs"}, r.root());
       },
       guide},
      {"the old time stamp put back", guide,
       [](const GitSandbox& r) {
         const auto time = fs::last_write_time(r.at("docs/guide.md"));
         r.write("docs/guide.md", "dear me\n");
         fs::last_write_time(r.at("docs/guide.md"), time);
       },
       guide},
      {"line ends of the work tree",
       {"docs/guide.md", "docs/other.md"},
       [](const GitSandbox& r) { r.write("docs/guide.md", "edited\r\n"); },
       guide,
       [](const GitSandbox& r) {
         r.git({"config", "core.autocrlf", "true"});
         fs::remove_all(r.at("docs"));
         r.git({"checkout", "-q", "--", "docs"});
         ASSERT_EQ(*sys::read_file(r.at("docs/other.md"), 100), "and me\r\n");
       }},
      {"line ends by attributes",
       {"docs/guide.md", "docs/other.md"},
       [](const GitSandbox& r) { r.write("docs/guide.md", "edited\r\n"); },
       guide,
       [](const GitSandbox& r) {
         r.write(".gitattributes", "*.md text eol=crlf\n");
         r.commit("attributes");
         fs::remove_all(r.at("docs"));
         r.git({"checkout", "-q", "--", "docs"});
       }},
      {"a sparse checkout, by folders",
       {"docs/guide.md", "pkg/note.md"},
       [](const GitSandbox& r) { r.write("pkg/note.md", "edited\n"); },
       {"pkg/note.md"},
       [](const GitSandbox& r) {
         r.write("pkg/note.md", "1\n");
         r.commit("a note");
         r.git({"sparse-checkout", "set", "--cone", "docs"});
       }},
      {"a sparse checkout, by patterns",
       {"docs/guide.md", "docs/other.md"},
       [](const GitSandbox& r) {
         edit_guide(r);
         r.write("docs/other.md", "edited\n");
       },
       {"docs/guide.md", "docs/other.md"},
       [](const GitSandbox& r) {
         r.git({"sparse-checkout", "set", "--no-cone", "/docs/*", "!/docs/other.md"});
       }},
      {"a submodule with changed files", {"mod"}, say_in_submodule, {"mod"}, commit_submodule},
      {"a submodule with new files",
       {"mod"},
       [](const GitSandbox& r) { r.write("mod/new.md", "1\n"); },
       {"mod"},
       commit_submodule},
      {"a submodule at another commit",
       {"mod"},
       [](const GitSandbox& r) {
         say_in_submodule(r);
         r.git_at(r.at("mod"), {"-c", "user.name=T", "-c", "user.email=t@example.org", "commit",
                                "-q", "-am", "there"});
       },
       {"mod"},
       commit_submodule},
      {"a submodule that is said to be ignored",
       {"mod"},
       [](const GitSandbox& r) {
         r.git({"config", "submodule.mod.ignore", "all"});
         say_in_submodule(r);
       },
       {"mod"},
       commit_submodule},
      {"a submodule that is new", {".gitmodules", "mod"}, add_submodule, {".gitmodules", "mod"}},
      {"a submodule that is gone",
       {".gitmodules", "mod"},
       [](const GitSandbox& r) {
         r.git({"rm", "-q", "-f", "mod"});
       },
       {".gitmodules", "mod"},
       commit_submodule},
  };
  return all;
}

TEST(ChangeStates, WhateverGitHasInAWorkTreeIsSeenAndCanBeNamed) {
  for (const State& state : states()) {
    SCOPED_TRACE(state.name);
    AgentWorld world;
    if (state.before) state.before(world.repo);
    world.analyze();
    const Answer started = world.start("A", state.scope);
    EXPECT_EQ(started.status(), "active") << started.text("next_step_code");
    state.change(world.repo);
    const Answer unnamed = world.finish("A", {"not/there.md"});
    const Peek hygiene = unnamed["workspace_hygiene_after"];
    EXPECT_EQ(texts(hygiene["unacknowledged_dirty_in_scope"]), state.dirty);
    EXPECT_EQ(hygiene["counts"]["outside_scope"].number(), 0);
    if (state.dirty.empty()) continue;
    const Answer done = world.finish("A", state.dirty, {"--analyze"});
    EXPECT_EQ(done.status(), "accepted") << done.reason();
  }
}

TEST(ChangeStates, NothingThatARepositoryNamesAsAProgramIsRun) {
  AgentWorld world;
  const GitSandbox& repo = world.repo;
  const std::string mark = repo.folder() + "/ran", spy = repo.folder() + "/spy";
  ASSERT_TRUE(sys::write_file_atomic(spy, "#!/bin/sh\necho x >> " + mark + "\ncat\n", 0755));
  ASSERT_EQ(::chmod(spy.c_str(), 0755), 0);
  repo.write(".gitattributes", "*.md filter=spy diff=spy\n");
  repo.commit("attributes");
  world.analyze();
  for (const char* key : {"filter.spy.clean", "filter.spy.smudge", "filter.spy.process",
                          "diff.spy.textconv", "diff.external", "core.fsmonitor", "core.pager"})
    repo.git({"config", key, spy});
  repo.git({"config", "alias.status", "!" + spy});
  EXPECT_EQ(world.start("A", {"docs/guide.md"}).status(), "active");
  edit_guide(repo);
  EXPECT_EQ(world.finish("A", {}, {"--diff", "HEAD"}).status(), "accepted");
  EXPECT_FALSE(fs::exists(mark));
}

// Records are shared by all linked work trees, dirt is that of the tree a change is made in.
TEST(ChangeStates, ALinkedWorkTreeHasItsOwnDirtAndTheSameRegistry) {
  AgentWorld world;
  const std::string linked = world.repo.folder() + "/linked";
  world.repo.git({"worktree", "add", "-q", "-b", "side", linked});
  world.analyze();
  EXPECT_EQ(gatehouse({"analyze"}, linked).code, 0);
  EXPECT_EQ(world.start("A", {"docs/guide.md"}).status(), "active");
  const Ran held = gatehouse({"change", "start", "--goal", "g", "--allow", "docs/guide.md",
                              "--session", "B", "--field", "next_step_code"},
                             linked);
  EXPECT_EQ(held.out, "foreign_active_overlap\n");
  ASSERT_TRUE(sys::write_file_atomic(linked + "/docs/guide.md", "over there\n"));
  const Answer clean = world.finish("A", {"docs/guide.md"});
  EXPECT_EQ(clean["summary"]["workspace_dirty_paths"].number(), 0);
  EXPECT_EQ(clean.status(), "accepted");
}

}  // namespace
}  // namespace gh::testing
