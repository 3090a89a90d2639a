#include "shell/classify.h"

#include <span>

namespace gh::shell {
namespace {

/// "read_only", "writes a b/ c" (b/c when b is a folder: b/+c), "opaque a", then " !bypass".
std::string told(std::string_view text, const Circumstances& circumstances = {}) {
  const Reading reading = classify(text, circumstances);
  std::string out(to_string(reading.shell_class));
  for (const Write& write : reading.writes)
    out += " " + write.path + (write.into.empty() ? "" : "+" + write.into);
  if (!reading.bypass.empty()) out += " !" + reading.bypass;
  return out;
}

struct Case {
  std::string_view text, told;
};

void expect_all(std::span<const Case> cases) {
  for (const Case& c : cases)
    EXPECT_EQ(told(c.text), c.told) << c.text;
}

TEST(ShellClassify, EverydayReadingIsReadOnly) {
  for (const std::string_view text : {"ls -la",
                                      "cat src/a.c",
                                      "head -n 5 a | tail -n 2",
                                      "grep -rn 'rm -rf' src",
                                      "wc -l *.c",
                                      "pwd && ls",
                                      "cd src && ls",
                                      "git status",
                                      "git log --oneline -5",
                                      "git diff HEAD~1 -- a.c",
                                      "git show HEAD:a.c | head",
                                      "git add a.c",
                                      "git commit -m 'fix: rm -rf > x'",
                                      "git push",
                                      "git fetch origin",
                                      "git branch -a",
                                      "git config --get user.name",
                                      "git stash list",
                                      "echo \"a > b\"",
                                      "echo done",
                                      "find . -name '*.py'",
                                      "find . -name '*.c' -exec grep -l x {} +",
                                      "find . -type f | xargs grep foo",
                                      "find . -print0 | xargs -0 wc -l",
                                      "sed -n '1,5p' a.c",
                                      "sort a | uniq -c",
                                      "diff a b",
                                      "test -f a && echo yes",
                                      "[ -f a ] || echo no",
                                      "[[ -f a ]] && echo yes",
                                      "for f in *.c; do echo \"$f\"; done",
                                      "while read -r l; do echo \"$l\"; done < a",
                                      "if grep -q x a; then echo y; fi",
                                      "env",
                                      "env FOO=1 ls",
                                      "timeout 5 ls",
                                      "nice -n 5 ls",
                                      "sudo -u x ls",
                                      "time ls",
                                      "command -v gcc",
                                      "which gcc",
                                      "type rm",
                                      "date",
                                      "ls > /dev/null 2>&1",
                                      "ls 2>/dev/null",
                                      "cat <<'E'\nrm x > y\nE",
                                      "git commit -F - <<'E'\ntext > x; rm y\nE",
                                      "cat <<E\n$HOME\nE",
                                      "bash -c 'ls -l'",
                                      "sh -c 'cat a | wc -l'",
                                      "X=1; echo $X",
                                      "export FOO=bar",
                                      "/bin/ls",
                                      "true",
                                      ":",
                                      "printf '%s\\n' a",
                                      "sleep 1",
                                      "ls # rm x",
                                      "echo $(git rev-parse HEAD)",
                                      "echo `pwd`",
                                      "gatehouse change start --goal x --allow a",
                                      "jq .a b.json",
                                      "cat a | tr a b | cut -d: -f1",
                                      "bash --version",
                                      "eval 'ls'",
                                      "f() { ls; }; f"})
    EXPECT_EQ(told(text), "read_only") << text;
}

TEST(ShellClassify, LiteralTargetsAreNamed) {
  constexpr Case kCases[] = {
      {"echo x > a", "writes a"},
      {"echo x >> a", "writes a"},
      {"> a", "writes a"},
      {"cat <<'E' > a.c\nint x;\nE", "writes a.c"},
      {"cat > 'a b' <<E\nx\nE", "writes a b"},
      {"ls &> a", "writes a"},
      {"ls >& a", "writes a"},
      {"ls >| a", "writes a"},
      {"ls 2>a", "writes a"},
      {"cat <> a", "writes a"},
      {"while read l; do echo $l; done > a < b", "writes a"},
      {"{ ls; } > a", "writes a"},
      {"(ls) > a", "writes a"},
      {"echo x | tee a b", "writes a b"},
      {"echo x | tee -a a >/dev/null", "writes a"},
      {"rm a b", "writes a b"},
      {"rm -rf -- -a", "writes -a"},
      {"r\\m a", "writes a"},
      {"'r'm a", "writes a"},
      {"/bin/rm a", "writes a"},
      {"touch -d yesterday a", "writes a"},
      {"mkdir -p a/b", "writes a/b"},
      {"truncate -s 0 a", "writes a"},
      {"cp a b", "writes b+a"},
      {"cp x/a y/b c", "writes c+a c+b"},
      {"cp -t c a", "writes c+a"},
      {"cp --target-directory=c a", "writes c+a"},
      {"mv a b", "writes a b+a"},
      {"mv -t c a b", "writes a b c+a c+b"},
      {"ln -s x/a", "writes a"},
      {"ln -sf a b", "writes b+a"},
      {"install -m 644 a b", "writes b+a"},
      {"dd if=a of=b", "writes b"},
      {"chmod +x a", "writes a"},
      {"chown me a b", "writes a b"},
      {"sed -i 's/a/b/' a b", "writes a b"},
      {"sed -i.bak -e 's/a/b/' a", "writes a"},
      {"sed --in-place=.x 's/a/b/' a", "writes a"},
      {"sort -o a b", "writes a"},
      {"sort b --output=a", "writes a"},
      {"uniq a b", "writes b"},
      {"find . -fprint a", "writes a"},
      {"git checkout -- a", "writes a"},
      {"git checkout HEAD -- a b", "writes a b"},
      {"git restore a", "writes a"},
      {"git rm a", "writes a"},
      {"git mv a b", "writes a b b+a"},
      {"git clean -f -- a", "writes a"},
      {"git diff --output=a", "writes a"},
      {"git -C d rm a", "writes d/a"},
      {"cd d && rm a", "writes d/a"},
      {"cd d && cd e && rm a", "writes d/e/a"},
      {"cd /x && rm a", "writes /x/a"},
      {"(cd d && rm a)", "writes d/a"},
      {"cd d && ls | tee a", "writes d/a"},
      {"bash -c 'rm a'", "writes a"},
      {"sh -ec 'echo x > a'", "writes a"},
      {"cd d && bash -c 'rm a'", "writes d/a"},
      {"bash -c 'bash -c \"rm a\"'", "writes a"},
      {"bash <<'E'\nrm a\nE", "writes a"},
      {"bash <<< 'rm a'", "writes a"},
      {"eval 'rm a'", "writes a"},
      {"eval rm a", "writes a"},
      {"env -i FOO=1 rm a", "writes a"},
      {"nohup rm a &", "writes a"},
      {"timeout -s KILL 5 rm a", "writes a"},
      {"sudo -u x rm a", "writes a"},
      {"command rm a", "writes a"},
      {"exec rm a", "writes a"},
      {"echo $(rm a)", "writes a"},
      {"echo `rm a`", "writes a"},
      {"echo \"${x:-$(rm a)}\"", "writes a"},
      {"cat <(rm a)", "writes a"},
      {"cat <<E\n$(rm a)\nE", "writes a"},
      {"x=$(rm a)", "writes a"},
      {"a=($(rm a))", "writes a"},
      {"ls || rm a", "writes a"},
      {"if true; then rm a; fi", "writes a"},
      {"case x in x) rm a;; esac", "writes a"},
      {"f() { rm a; }; f", "writes a"},
      {"rm() { :; }; command rm a", "writes a"},
      {"! rm a", "writes a"},
      {"time rm a", "writes a"},
      {"true\nrm a", "writes a"},
      {"true;rm a", "writes a"},
      {"true&rm a", "writes a"},
  };
  expect_all(kCases);
}

TEST(ShellClassify, WhatNobodyCanTellIsOpaque) {
  for (const std::string_view text : {"python3 x.py",
                                      "python3 -c 'open(\"a\",\"w\")'",
                                      "make",
                                      "npm test",
                                      "node x.js",
                                      "./run.sh",
                                      "perl -pi -e s/a/b/ a",
                                      "awk '{print > \"a\"}' b",
                                      "rm $x",
                                      "rm \"$x\"",
                                      "rm *.c",
                                      "rm ~/a",
                                      "rm {a,b}",
                                      "echo x > $y",
                                      "echo x > *.c",
                                      "$x a",
                                      "\"$x\"",
                                      "cd $x && rm a",
                                      "cd d; rm a",
                                      "cd d && ls; rm a",
                                      "cd d || rm a",
                                      "cd - && rm a",
                                      "for d in a b; do cd d && rm x; done",
                                      "curl http://x | sh",
                                      "echo cm0gYQ== | base64 -d | bash",
                                      "bash x.sh",
                                      "sh < x",
                                      "source x",
                                      ". x",
                                      "bash -c \"$x\"",
                                      "eval \"$x\"",
                                      "eval $(cat x)",
                                      "bash <<E\nrm $x\nE",
                                      "alias ls=rm",
                                      "find . -delete",
                                      "find . -name a -exec rm {} ;",
                                      "find . -exec sh -c 'rm $1' _ {} +",
                                      "ls | xargs rm",
                                      "ls | xargs sh -c 'x'",
                                      "xargs -I{} rm {} < a",
                                      "sed 's/a/b/w out' a",
                                      "sed 's/a/rm x/e' a",
                                      "sed -f x a",
                                      "git checkout main",
                                      "git reset --hard",
                                      "git stash",
                                      "git stash pop",
                                      "git merge x",
                                      "git pull",
                                      "git rebase x",
                                      "git apply x.patch",
                                      "git am x",
                                      "git checkout-index -a",
                                      "git frobnicate",
                                      "git config alias.x '!rm a'",
                                      "git -c core.pager='rm a' log",
                                      "git --git-dir=x status",
                                      "git restore ':(glob)**'",
                                      "PATH=. ls",
                                      "LD_PRELOAD=x ls",
                                      "env PATH=x ls",
                                      "env -S 'rm a'",
                                      "rm 'a",
                                      "echo $((x))",
                                      "sort $x",
                                      "sort -o $x a",
                                      "patch -p1 < x",
                                      "tar xf a",
                                      "unzip a",
                                      "rsync a b",
                                      "curl -o a x",
                                      "wget x",
                                      "xxd -r a $x",
                                      "tee $x",
                                      "cp a $x",
                                      "git commit $x",

                                      "while true; do cd d; rm a; done",
                                      "(cd d); rm $a",
                                      "trap 'rm a' EXIT",
                                      "exec 3>$x",
                                      "dd if=a \"$x\"",
                                      "cp $x b",
                                      "ssh host rm a",
                                      "docker run x",
                                      "watch ls",
                                      "f() { cd d; }; f; rm a"})
    EXPECT_EQ(told(text).substr(0, 6), "opaque") << text << " is " << told(text);
}

TEST(ShellClassify, WhatSwitchesAGateOffIsNamed) {
  constexpr Case kCases[] = {
      {"git commit --no-verify -m x", "read_only !git commit --no-verify"},
      {"git commit --no-veri -m x", "read_only !git commit --no-verify"},
      {"git commit -n -m x", "read_only !git commit -n"},
      {"git commit -anm x", "read_only !git commit -n"},
      {"git commit -mn", "read_only"},
      {"git commit -m -n", "read_only"},
      {"git commit -m '--no-verify'", "read_only"},
      {"git push --no-verify", "read_only !git push --no-verify"},
      {"git push -n", "read_only"},
      {"git merge --no-verify x", "opaque !git merge --no-verify"},
      {"git -c core.hooksPath=/dev/null commit -m x", "opaque !git -c core.hooksPath=/dev/null"},
      {"git -c CORE.HOOKSPATH= commit", "opaque !git -c CORE.HOOKSPATH="},
      {"git config core.hooksPath x", "opaque !git config core.hooksPath"},
      {"git config --unset core.hookspath", "opaque !git config core.hookspath"},
      {"git --exec-path=x status", "opaque !git --exec-path=x"},
      {"HUSKY=0 git commit -m x", "opaque !HUSKY=0"},
      {"export HUSKY=0", "opaque !HUSKY=0"},
      {"env HUSKY=0 git commit -m x", "opaque !HUSKY=0"},
      {"HUSKY=1 git commit -m x", "read_only"},
      {"HUSKY=2 git commit -m x", "read_only"},
      {"env HUSKY=true git commit -m x", "read_only"},
      {"export HUSKY=1 && git commit -m x", "read_only"},
      {"LEFTHOOK=1 git commit -m x", "read_only"},
      {"LEFTHOOK=true git commit -m x", "read_only"},
      {"HUSKY_SKIP_HOOKS=0 git commit -m x", "read_only"},
      {"HUSKY_SKIP_HOOKS=false git commit -m x", "read_only"},
      {"LEFTHOOK=0 git commit -m x", "opaque !LEFTHOOK=0"},
      {"LEFTHOOK=false git commit -m x", "opaque !LEFTHOOK=false"},
      {"HUSKY_SKIP_HOOKS=true git commit -m x", "opaque !HUSKY_SKIP_HOOKS=true"},
      {"HUSKY=1$x git commit -m x", "opaque !HUSKY=1"},
      {"HUSKY=$x git commit -m x", "opaque !HUSKY="},
      {"export HUSKY", "opaque !HUSKY"},
      {"SKIP=x git commit -m x", "opaque !SKIP=x"},
      {"GIT_CONFIG_COUNT=1 git commit", "opaque !GIT_CONFIG_COUNT=1"},
      {"GATEHOUSE_HOOK_AUTHORIZE_FOREIGN=1 ls", "opaque !GATEHOUSE_HOOK_AUTHORIZE_FOREIGN=1"},
      {"bash -c 'git commit --no-verify'", "read_only !git commit --no-verify"},
      {"true && $(git commit --no-verify)", "opaque !git commit --no-verify"},
      {"git update-ref HEAD $(git commit-tree -m x y)", "opaque !git update-ref"},
      {"git fast-import < x", "opaque !git fast-import"},
      {"git symbolic-ref HEAD refs/heads/x", "opaque !git symbolic-ref"},
      {"git symbolic-ref --short HEAD", "read_only"},
      {"git symbolic-ref -d refs/heads/x", "opaque !git symbolic-ref"},
      {"git symbolic-ref --del refs/heads/x", "opaque !git symbolic-ref"},
      {"git replace HEAD x", "opaque !git replace"},
      {"git replace -d x", "opaque !git replace"},
      {"git replace -l", "read_only"},
      {"git replace --list 'x*'", "read_only"},
      {"git replace", "read_only"},
      {"git filter-branch -f --tree-filter x", "opaque !git filter-branch"},
      {"git filter-repo --force", "opaque !git filter-repo"},
      {"git send-pack . x:main", "opaque !git send-pack"},
      {"git receive-pack .", "opaque !git receive-pack"},
      {"echo git commit --no-verify", "read_only"},
      {"git log --grep=--no-verify", "read_only"},
  };
  expect_all(kCases);
}

// Settings that git reads below another home may name other hooks, or none.
TEST(ShellClassify, AGitThatLooksElsewhereForSettingsOrProgramsMeetsNoGate) {
  constexpr Case kCases[] = {
      {"HOME=/tmp/h git commit -m x", "opaque !HOME=/tmp/h"},
      {"HOME=/tmp/h git push", "opaque !HOME=/tmp/h"},
      {"XDG_CONFIG_HOME=/tmp/h git push", "opaque !XDG_CONFIG_HOME=/tmp/h"},
      {"PATH=/tmp/f:/bin git push", "opaque !PATH=/tmp/f:/bin"},
      {"env HOME=/tmp/h git merge x", "opaque !HOME=/tmp/h"},
      {"env PATH=/tmp/f git push", "opaque !PATH=/tmp/f"},
      {"export HOME=/tmp/h; git commit -m x", "opaque !HOME=/tmp/h"},
      {"export XDG_CONFIG_HOME=/tmp/h && git commit -m x && git push",
       "opaque !XDG_CONFIG_HOME=/tmp/h"},
      {"HOME=/tmp/h; git commit -m x", "opaque !HOME=/tmp/h"},
      {"HOME=/tmp/h bash -c 'git commit -m x'", "opaque !HOME=/tmp/h"},
      {"PATH=/tmp/f sh -c 'git push'", "opaque !PATH=/tmp/f"},
      {"bash -c 'export HOME=/tmp/h; git push'", "opaque !HOME=/tmp/h"},
      {"eval 'HOME=/tmp/h'; git commit -m x", "opaque !HOME=/tmp/h"},
      {"read -r HOME < x; git commit -m x", "opaque !read HOME"},
      {"for HOME in /tmp/h; do git commit -m x; done", "opaque !HOME="},
      {"HOME=/tmp/h strace git commit -m x", "opaque !HOME=/tmp/h"},
      // What meets no gate of git, or is not git.
      {"HOME=/tmp/h git status", "opaque"},
      {"HOME=/tmp/h npm test && git commit -m x", "opaque"},
      {"export PATH=/opt/x:/bin && git commit -m x", "opaque"},
      {"PATH=/opt/x:/bin npm test; git push", "opaque"},
      {"export HOME; git commit -m x", "opaque"},
      {"HOME=/tmp/h cargo test", "opaque"},
  };
  expect_all(kCases);
}

TEST(ShellClassify, WhatADownloadIsSavedAsIsNamed) {
  constexpr Case kCases[] = {
      {"curl -o a http://x", "opaque a"},
      {"curl -sSLo a http://x", "opaque a"},
      {"curl -oa http://x", "opaque a"},
      {"curl --output a http://x", "opaque a"},
      {"curl http://x --output a", "opaque a"},
      {"curl --head -o a http://x", "opaque a"},
      {"curl -o a -o b http://x http://y", "opaque a b"},
      {"curl --output-dir d -o a http://x", "opaque d/a"},
      {"curl --output-dir d -o /a http://x", "opaque /a"},
      {"curl -D a http://x", "opaque a"},
      {"curl --dump-header a http://x", "opaque a"},
      {"curl -c a http://x", "opaque a"},
      {"curl --cookie-jar a http://x", "opaque a"},
      {"curl --etag-save a --stderr b --trace c --trace-ascii d http://x", "opaque a b c d"},
      {"curl -s http://x", "opaque"},
      {"curl -o - http://x", "opaque"},
      {"curl -o /dev/null -w '%{http_code}' http://x", "opaque"},
      {"curl -H 'a: o' -Xo -d o http://x", "opaque"},
      {"curl -H 'a: b' -o \"$x\" http://x", "opaque"},
      {"wget -O a http://x", "opaque a"},
      {"wget -qO a http://x", "opaque a"},
      {"wget -qO- http://x", "opaque"},
      {"wget --output-document=a http://x", "opaque a"},
      {"wget --output-document a http://x", "opaque a"},
      {"wget --output-d a http://x", "opaque a"},
      {"wget -o a http://x", "opaque a"},
      {"wget --output-file=a http://x", "opaque a"},
      {"wget -a a http://x", "opaque a"},
      {"wget --append-output=a --save-cookies b http://x", "opaque a b"},
      {"cd d && curl -o a http://x", "opaque d/a"},
  };
  expect_all(kCases);
  EXPECT_EQ(classify("curl -o \"$x\" y").fragments, std::vector<std::string>{""});
}

TEST(ShellClassify, SettingsOfGitThatRunProgramsOrMoveTheGateAreNamed) {
  for (const std::string_view key : {"core.fsmonitor",
                                     "core.editor",
                                     "core.sshCommand",
                                     "core.pager",
                                     "core.hooksPath",
                                     "core.notesRef",
                                     "core.worktree",
                                     "core.attributesFile",
                                     "core.excludesFile",
                                     "include.path",
                                     "diff.external",
                                     "includeIf.x.path",
                                     "remote.a.uploadpack",
                                     "remote.a.receivepack",
                                     "remote.a.proxy",
                                     "remote.a.vcs",
                                     "diff.x.command",
                                     "diff.x.textconv",
                                     "filter.x.clean",
                                     "merge.x.driver",
                                     "alias.x",
                                     "credential.helper",
                                     "gpg.program",
                                     "sequence.editor",
                                     "protocol.ext.allow",
                                     "uploadpack.packObjectsHook",
                                     "url.x.insteadOf",
                                     "submodule.x.update",
                                     "hook.x.command",
                                     "core.askPass",
                                     "core.gitProxy",
                                     "core.alternateRefsCommand",
                                     "core.bare",
                                     "browser.x.cmd",
                                     "browser.x.path",
                                     "gc.recentObjectsHook",
                                     "guitool.x.cmd",
                                     "imap.tunnel",
                                     "instaweb.httpd",
                                     "lfs.customtransfer.x.path",
                                     "lfs.extension.x.clean",
                                     "man.x.cmd",
                                     "man.x.path",
                                     "sendemail.smtpServer",
                                     "mergetool.x.cmd",
                                     "difftool.x.cmd",
                                     "pager.log",
                                     "init.templateDir",
                                     "interactive.diffFilter",
                                     "tar.x.command",
                                     "trailer.x.cmd",
                                     "trailer.x.command"}) {
    const std::string name(key);
    EXPECT_EQ(told("git config " + name + " x"), "opaque !git config " + name);
    EXPECT_EQ(told("git config --global " + name + " x"), "opaque !git config " + name);
    EXPECT_EQ(told("git config --worktree --add " + name + " x"), "opaque !git config " + name);
    EXPECT_EQ(told("git config -f y " + name + " x"), "opaque !git config " + name);
    EXPECT_EQ(told("git config set " + name + " x"), "opaque !git config " + name);
    EXPECT_EQ(told("git -c " + name + "=x log"), "opaque !git -c " + name + "=x");
    EXPECT_EQ(told("git config " + name), "read_only");
    EXPECT_EQ(told("git config --global --get " + name), "read_only");
    EXPECT_EQ(told("git config get " + name), "read_only");
  }
  constexpr Case kCases[] = {
      {"git config user.name me", "opaque"},
      {"git config --global pull.rebase true", "opaque"},
      {"git config core.autocrlf input", "opaque"},
      {"git config core.pager cat", "opaque"},
      {"git -c core.editor=true rebase --continue", "opaque"},
      {"git -c core.pager= log", "opaque"},
      {"git config --remove-section core", "opaque !git config core"},
      {"git config --rename-section x alias", "opaque !git config x"},
      {"git config --edit", "opaque !git config --edit"},
      {"git config edit", "opaque !git config --edit"},
      {"git config --unset core.hooksPath", "opaque !git config core.hooksPath"},
      {"git config unset core.hooksPath", "opaque !git config core.hooksPath"},
      {"git config $x y", "opaque !git config "},
      {"git config --list", "read_only"},
      {"git config list", "read_only"},
  };
  expect_all(kCases);
}

TEST(ShellClassify, WhoHidesFromWhatHostsMarkIsNamed) {
  constexpr std::string_view kMarks[] = {"MARK", "OTHER"};
  const Circumstances marked{.agent_variables = kMarks};
  constexpr Case kCases[] = {
      {"unset MARK", "read_only !unset MARK"},
      {"unset -v A OTHER", "read_only !unset OTHER"},
      {"MARK= git commit", "read_only !MARK="},
      {"MARK='' OTHER=1 git commit", "read_only !MARK="},
      {"export MARK=", "read_only !MARK="},
      {"export -n MARK", "read_only !export -n MARK"},
      {"declare +x MARK", "read_only !export -n MARK"},
      {"env -u MARK git commit", "read_only !env -u MARK"},
      {"env --unset=MARK git commit", "read_only !env -u MARK"},
      {"env MARK= git commit", "read_only !MARK="},
      {"env -i git commit", "read_only !env -i"},
      {"env --ignore-env git commit", "read_only !env -i"},
      {"env - git commit", "read_only !env -"},
      {"exec -c git commit", "read_only !exec -c"},
      {"sudo git commit", "read_only !git without the environment of the host"},
      {"read MARK <<< x", "read_only !read MARK"},
      {"printf -v MARK x", "read_only !printf MARK"},
      {"bash -c 'unset MARK; git commit'", "read_only !unset MARK"},
      {"MARK=1 ls", "read_only"},
      {"unset A", "read_only"},
      {"env -u A ls", "read_only"},
      {"env -i", "read_only"},
      {"sudo ls", "read_only"},
      {"unset $x", "opaque"},
      {"unset MAR{K,}; git commit", "opaque !git without the environment of the host"},
      {"for MARK in ''; do git commit; done", "read_only !MARK="},
      {"su -c 'git commit' x", "opaque !git without the environment of the host"},
      {"runuser -c 'git commit' x", "opaque !git without the environment of the host"},
      {"runuser -u x -- git push", "opaque !git without the environment of the host"},
      {"sudo bash -c 'git push'", "read_only !git without the environment of the host"},
      {"systemd-run --user git push", "opaque !git without the environment of the host"},
      {"tmux new -d 'git push'", "opaque !git without the environment of the host"},
      {"screen -dm git push", "opaque !git without the environment of the host"},
      // by another name of the variable
      {"declare -n r=MARK; unset r; git push", "opaque !declare -n MARK"},
      {"declare -n r=MARK; r=; git push", "opaque !declare -n MARK"},
      {"typeset -nr r=MARK", "opaque !declare -n MARK"},
      {"f() { local -n r=OTHER; r=; }", "opaque !declare -n OTHER"},
      {"declare -n r; r=MARK; unset r; git push",
       "opaque !another name for a variable of the host"},
      {"declare -n r; for r in MARK; do unset r; done; git push",
       "opaque !another name for a variable of the host"},
      {"declare -n r=$x; unset r; git push", "opaque !git without the environment of the host"},
      {"declare -n r=$x; r=; git push", "opaque !git without the environment of the host"},
      {"declare -n r=$x; r=1; git push", "opaque"},
      {"declare -n r=A; r=; git push", "opaque"},
      {"declare -a MARK; git push", "read_only !declare -a MARK"},
      {"mapfile MARK < /dev/null; git push", "opaque !mapfile MARK"},
      {"readarray -t MARK < /dev/null", "opaque !readarray MARK"},
      {"getopts a MARK", "opaque !getopts MARK"},
      {"wait -n -p MARK", "read_only !wait MARK"},
      {"read -aMARK < x", "read_only !read -aMARK"},
      {"mapfile -t lines < a; git push", "opaque"},
      // by a program that another one runs
      {"flock l env -u MARK git commit", "opaque !env -u MARK"},
      {"flock git git commit -n", "opaque !git commit -n"},
      {"unshare env -u MARK git push", "opaque !env -u MARK"},
      {"strace -f env -uMARK git push", "opaque !env -u MARK"},
      {"watch -g env --unset=MARK git push", "opaque !env -u MARK"},
      {"watch 'env -u MARK git push'", "opaque !env -u MARK"},
      {"parallel env -u MARK git ::: push", "opaque !env -u MARK"},
      {"busybox env -i git push", "opaque !env -i"},
      {"busybox env -u MARK git push", "opaque !env -u MARK"},
      {"chroot / env MARK= git push", "opaque !MARK="},
      {"chroot / env -u MARK sh -c 'git push'", "opaque !env -u MARK"},
      {"wrap -u MARK git push", "opaque !MARK"},
      {"wrap -uMARK git push", "opaque !-uMARK"},
      {"./wrap --unset=MARK git push", "opaque !--unset=MARK"},
      {"setpriv --reset-env git push", "opaque !--reset-env"},
      {"setpriv --reset-env sh -c 'git push'", "opaque !--reset-env"},
      {"bwrap --clearenv git push", "opaque !--clearenv"},
      {"strace sudo git push", "opaque !git without the environment of the host"},
      {"f() { \"$@\"; }; f env -u MARK git push", "opaque !env -u MARK"},
      {"$x env -u MARK git push", "opaque !env -u MARK"},
      {"$x unset MARK", "opaque !unset MARK"},
      {"/usr/./bin/env -u MARK git push", "read_only !env -u MARK"},
      {"//usr/bin/env -u MARK git push", "read_only !env -u MARK"},
      {"/usr//bin/env -u MARK git push", "read_only !env -u MARK"},
      {"/usr/bin/../bin/env -u MARK git push", "opaque !env -u MARK"},
      {"/opt/x/env -u MARK git push", "opaque !env -u MARK"},
      // who is about something else
      {"flock l env -u MARK make", "opaque"},
      {"rg MARK git", "opaque"},
      {"rg MARK src/git src/ops", "opaque"},
      {"setpriv --reset-env make", "opaque"},
      {"systemd-run make", "opaque"},
      {"strace -c ls", "opaque"},
      {"flock l make", "opaque"},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(told(c.text, marked), c.told) << c.text;
}

/// A value of a variable can name the next program, or be code itself.
TEST(ShellClassify, WhoeverSetsWhatLeadsProgramsIsNotTakenForAReader) {
  for (const std::string_view text : {"for PATH in /x; do ls; done",
                                      "select PATH in /x; do ls; done",
                                      "read PATH < a; ls",
                                      "read -r a PATH <<< b",
                                      "printf -v PATH /x; ls",
                                      "printf -vPATH /x; ls",
                                      ": ${PATH:=/x}; ls",
                                      ": ${PATH=/x}",
                                      ": ${PATH::=/x}",
                                      "exec {PATH}< a; ls",
                                      "declare -n p=PATH; p=/x; ls",
                                      "typeset -n p=PATH",
                                      "f() { local -n p=PATH; }",
                                      "path=(/x); ls",
                                      "cdpath=(/x); cd y",
                                      "fpath=(/x)",
                                      "GCONV_PATH=/x ls",
                                      "set -k; ls A=1",
                                      "set -o keyword",
                                      "export PA$x=/y",
                                      "read $x < a",
                                      "printf -v $x y"})
    EXPECT_EQ(told(text), "opaque") << text;
  for (const std::string_view text :
       {"for p in a b; do echo $p; done", "read -r a b < c", "printf -v a %s b", ": ${a:=b}",
        "exec {fd}< a", "declare -a list", "declare -r x=1", "set -eu", "set -o pipefail"})
    EXPECT_EQ(told(text), "read_only") << text;
}

TEST(ShellClassify, AValueThatTheShellReadsAsAnExpressionMayHoldCommands) {
  for (const std::string_view text :
       {"[[ $x -eq 1 ]]", "[[ x -lt 2 ]]", "[[ 1 -ge $x ]]", "[[ -v $x ]]", "test -v \"$x\"",
        "[ -v $x ]", "echo ${a:x}", "echo ${a:0:$n}", "echo ${a[x]}", "echo ${a[$i]}", "echo ${!x}",
        "echo \"${!x}\"", "echo ${@:x}", "echo $[x]", "declare -i n=$x", "echo ${(e)x}"})
    EXPECT_EQ(told(text), "opaque") << text;
  for (const std::string_view text :
       {"[[ 1 -eq 2 ]]", "[[ $x == y ]]", "[[ -n $x && -f a ]]", "[[ -v x ]]", "[ \"$x\" -eq 1 ]",
        "echo ${a:0:3}", "echo ${a: -3}", "echo ${a[0]}", "echo ${a[@]}", "echo ${#a[*]}",
        "echo ${a:-b}", "echo ${a:+b}", "echo ${a:?b}", "echo ${a##*/}", "echo ${a/b/c}",
        "echo ${!}", "echo ${@:2}", "echo ${#}"})
    EXPECT_EQ(told(text), "read_only") << text;
}

TEST(ShellClassify, GitIsFoundBehindWhateverRunsIt) {
  constexpr Case kCases[] = {
      {"git() { command git \"$@\"; }; git commit -n", "opaque !git commit -n"},
      {"f() { \"$@\"; }; f git commit --no-verify", "opaque !git commit --no-verify"},
      {"g=git; $g commit -n", "opaque !git commit -n"},
      {"g=/usr/bin/git; \"$g\" push --no-verify", "opaque !git push --no-verify"},
      {"$g commit --no-verify", "opaque !--no-verify"},
      {"v=--no-verify; git commit $v", "opaque !--no-verify"},
      {"git commit $(echo --no-verify)", "opaque !--no-verify"},
      {"git {commit,--no-verify}", "opaque !--no-verify"},
      {"printf 'commit\\n--no-verify' | xargs git", "opaque !--no-verify"},
      {"git commit -m \"$(echo --no-verify)\"", "read_only"},
      {"git push origin $b", "opaque"},
      {"strace -f git -c core.hooksPath=x commit", "opaque !git -c core.hooksPath=x"},
      {"strace -f /usr/bin/git commit -n", "opaque !git commit -n"},
      {"env -S 'git commit --no-verify'", "opaque !git commit --no-verify"},
      {"env -S 'rm a'", "opaque a"},
      {"flock -c 'git commit -n' x", "opaque !git commit -n"},
      {"script -qc 'rm a' /dev/null", "opaque a"},
      {"trap 'rm a' EXIT", "opaque a"},
      {"trap - EXIT", "read_only"},
      {"trap \"$x\" EXIT", "opaque"},
      {"((1)); git commit -n", "opaque !git commit -n"},
      {"echo ${x@P}; (git commit --no-verify)", "opaque !git commit --no-verify"},
      {"jobs", "read_only"},
      {"jobs -l", "read_only"},
      {"jobs -x rm a", "writes a"},
      {"coproc ls { rm a; }", "writes a"},
      {"coproc { rm a; }", "writes a"},
      {"coproc ls -l", "read_only"},
      {"if [[ -f a ]] { rm a }", "opaque"},
      {"[[ -f a ]] && rm a", "writes a"},
      {"[[ -f a ]] > b", "writes b"},
      {"xxd -r -seek 0 a b", "writes a b"},
      {"tree -R -L 1 -H .", "opaque"},
      {"rg -n git src", "opaque"},
      {"gh pr create --body 'git commit --no-verify'", "opaque"},
      {"((1)); git commit -m 'git commit --no-verify'", "opaque"},
  };
  expect_all(kCases);
}

// A program that is not where the system keeps its own may be the same one.
TEST(ShellClassify, AProgramIsKnownByItsNameInAnyFolder) {
  constexpr Case kCases[] = {
      {"/usr/lib/git-core/git commit --no-verify", "opaque !git commit --no-verify"},
      {"/opt/homebrew/bin/git commit -n", "opaque !git commit -n"},
      {"/snap/bin/git update-ref HEAD x", "opaque !git update-ref"},
      {"../bin/git push --no-verify", "opaque !git push --no-verify"},
      {"~/bin/git commit -n", "opaque !git commit -n"},
      {"$(git --exec-path)/git commit -n", "opaque !git commit -n"},
      {"$HOME/bin/bash -c 'git commit -n'", "opaque !git commit -n"},
      {"git-commit --no-verify", "opaque !git commit --no-verify"},
      {"/usr/lib/git-core/git-update-ref HEAD x", "opaque !git update-ref"},
      {"$(git --exec-path)/git-commit -n", "opaque !git commit -n"},
      {"strace /usr/lib/git-core/git-commit -n", "opaque !git commit -n"},
      {"nice /opt/x/git commit -n", "opaque !git commit -n"},
      {"xargs /opt/x/git commit --no-verify", "opaque !git commit --no-verify"},
      {"/opt/x/timeout 9 git commit -n", "opaque !git commit -n"},
      {"/opt/x/bash -c 'git commit -n'", "opaque !git commit -n"},
      {"/opt/x/strace git commit -n", "opaque !git commit -n"},
      {"HOME=/tmp/h /opt/x/git commit", "opaque !HOME=/tmp/h"},
      {"sudo /opt/x/git push", "opaque !git without the environment of the host"},
      {"sudo git-push", "opaque !git without the environment of the host"},
      {"/opt/x/rm -rf a", "opaque a"},
      {"/opt/x/find a -exec rm b ;", "opaque b"},
      {"/opt/x/dd of=a", "opaque a"},
      {"/opt/x/sed -i s/a/b/ c", "opaque c"},
      {"/opt/x/test a", "opaque"},
      {"/usr/./bin/rm a", "writes a"},
      {"//bin/rm a", "writes a"},
      {"/usr/bin/../bin/rm a", "opaque a"},
      {"/usr/bin/git status", "read_only"},
      {"/usr//bin/git commit -m x", "read_only"},
      {"/opt/homebrew/bin/git log", "opaque"},
      {"/opt/homebrew/bin/git commit -m x", "opaque"},
      {"/opt/x/ls", "opaque"},
      {"./run.sh a", "opaque"},
      {"./run.sh git", "opaque"},
      // A folder is changed by the shell alone.
      {"/usr/bin/cd a && rm b", "opaque b"},
      {"nice cd a && rm b", "opaque b"},
      {"./cd a && rm b", "opaque b"},
      {"command cd a && rm b", "writes a/b"},
      {"builtin cd a && rm b", "writes a/b"},
      {"pushd a && rm b", "writes a/b"},
      {"popd && rm /b", "writes /b"},
  };
  expect_all(kCases);
  for (const std::string_view text :
       {"/usr/lib/git-core/git commit -m x", "git-commit -m x", "/usr/lib/git-core/git-push",
        "flock l git push", "strace -f git-core/git-push", "$(git --exec-path)/git push"})
    EXPECT_TRUE(classify(text).meets_gate) << text;
}

TEST(ShellClassify, WhatGitAndOthersRunForEachIsRead) {
  constexpr Case kCases[] = {
      {"git rebase -x 'git commit -n' main", "opaque !git commit -n"},
      {"git rebase --exec 'git commit -n' main", "opaque !git commit -n"},
      {"git rebase --exec='git commit -n' main", "opaque !git commit -n"},
      {"git rebase -x'git commit -n' main", "opaque !git commit -n"},
      {"git bisect run git commit --no-verify", "opaque !git commit --no-verify"},
      {"git bisect run sh -c 'git commit -n'", "opaque !git commit -n"},
      {"git submodule foreach 'git commit -n'", "opaque !git commit -n"},
      {"git submodule --quiet foreach --recursive git commit -n", "opaque !git commit -n"},
      {"git difftool -y -x 'git commit -n' HEAD", "opaque !git commit -n"},
      {"git difftool --extcmd='git commit -n' HEAD", "opaque !git commit -n"},
      {"git for-each-repo --config=x commit -n", "opaque !git commit -n"},
      {"busybox sh -c 'git commit -n'", "opaque !git commit -n"},
      {"strace -f bash -c 'git commit -n'", "opaque !git commit -n"},
      {"flock l sh -c 'git commit -n'", "opaque !git commit -n"},
      {"watch 'git commit -n'", "opaque !git commit -n"},
      {"entr -s 'git commit -n'", "opaque !git commit -n"},
      {"hyperfine 'git commit -n'", "opaque !git commit -n"},
      {"parallel 'git commit -n' ::: a", "opaque !git commit -n"},
      {"g=git; flock l $g commit -n", "opaque !git commit -n"},
      {"git rebase -x 'make test' main", "opaque"},
      {"git bisect run make test", "opaque"},
      {"git bisect run", "opaque"},
      {"git bisect good", "opaque"},
      {"git submodule foreach 'git status'", "opaque"},
      {"git submodule update", "opaque"},
      {"git difftool -y -x diff HEAD", "opaque"},
      {"watch 'git status'", "opaque"},
      {"docker exec c bash -c 'git status'", "opaque"},
  };
  expect_all(kCases);
}

TEST(ShellClassify, ProgramsBehindEachOtherAreSearchedForGitWithinBounds) {
  std::string text = "strace";
  for (int i = 0; i < 2000; ++i)
    text += " env a";
  EXPECT_EQ(told(text), "opaque !programs that start each other");
  text.clear();
  for (int i = 0; i < 2000; ++i)
    text += "git bisect run ";
  EXPECT_EQ(told(text), "opaque");
}

// While what guards git is not as it was, none of these runs.
TEST(ShellClassify, WhatRecordsOrSendsMeetsTheGate) {
  for (const std::string_view text :
       {"git revert HEAD", "git citool", "git gui", "git lfs push origin main",
        "git subtree push --prefix=a origin main", "git subtree add -P a b c", "git p4 submit",
        "git svn dcommit", "git cvsexportcommit -c x", "git bisect run git commit -m x",
        "git submodule foreach 'git commit -m x'", "git rebase -x 'git commit -m x' main",
        "flock l git revert HEAD", "watch 'git push'"})
    EXPECT_TRUE(classify(text).meets_gate) << text;
  for (const std::string_view text :
       {"git lfs ls-files", "git lfs pull", "git subtree split -P a", "git p4 sync",
        "git svn fetch", "git bisect run make", "git submodule update --init",
        "git submodule foreach 'git status'", "git difftool HEAD", "flock l make"})
    EXPECT_FALSE(classify(text).meets_gate) << text;
  for (const std::string_view name : {"http-push", "quiltimport", "remote-ext", "remote-fd",
                                      "remote-http", "remote-https", "replay", "shell"})
    EXPECT_EQ(told("git " + std::string(name) + " x"), "opaque !git " + std::string(name));
}

TEST(ShellClassify, ReceiptsAndBranchesAreNotMovedByOtherCommandsOfGit) {
  constexpr Case kCases[] = {
      {"git notes --ref gatehouse add -m x", "opaque !git notes --ref gatehouse"},
      {"git notes --ref=refs/notes/gatehouse remove",
       "opaque !git notes --ref refs/notes/gatehouse"},
      {"git notes --ref gatehouse list", "opaque"},
      {"git notes --ref gatehouse", "opaque"},
      {"git notes add -m x", "opaque"},
      {"GIT_NOTES_REF=refs/notes/gatehouse git notes add -m x",
       "opaque !GIT_NOTES_REF=refs/notes/gatehouse"},
      {"git -c core.notesRef=refs/notes/gatehouse notes add -m x",
       "opaque !git -c core.notesRef=refs/notes/gatehouse"},
      {"git config core.notesRef refs/notes/gatehouse", "opaque !git config core.notesRef"},
      {"git config remote.me.fetch +refs/heads/*:refs/remotes/origin/*",
       "opaque !git config remote.me.fetch"},
      {"git -c remote.me.fetch=+refs/heads/*:refs/remotes/origin/* fetch me",
       "opaque !git -c remote.me.fetch=+refs/heads/*:refs/remotes/origin/*"},
      {"git config remote.me.fetch +refs/*:refs/*", "opaque !git config remote.me.fetch"},
      {"git config --add remote.origin.fetch +refs/pull/*/head:refs/remotes/origin/pr/*", "opaque"},
      {"git push ../x main", "opaque"},
      {"git push x/y.git main", "opaque"},
      {"git push file:///x main", "opaque"},
      {"git push https://h/x main", "read_only"},
      {"git push git@h:x/y main", "read_only"},
      {"git push origin main", "read_only"},
      {"git am -n x", "opaque !git am -n"},
      {"git log --help", "opaque"},
  };
  expect_all(kCases);
  const auto moved = [](std::string_view text) {
    std::string out;
    for (const BranchMove& move : classify(text).branches)
      out += move.ref + " in " + move.folder.value_or("?") + ";";
    return out;
  };
  EXPECT_EQ(moved("git push . a:main"), "refs/heads/main in .;");
  EXPECT_EQ(moved("git push . +refs/heads/a:refs/heads/main"), "refs/heads/main in .;");
  EXPECT_EQ(moved("git push -d /x main"), "refs/heads/main in /x;");
  EXPECT_EQ(moved("git push file:///x :main"), "refs/heads/main in /x;");
  EXPECT_EQ(moved("git -C d push .. a:b"), "refs/heads/b in d/..;");
  EXPECT_EQ(moved("git push origin HEAD:main"), "");
  // What is kept of another repository, from a path of this machine.
  const auto traces = [](std::string_view text) {
    std::string out;
    for (const BranchMove& move : classify(text).branches)
      out += move.ref + (move.is_local ? " local;" : ";");
    return out;
  };
  EXPECT_EQ(traces("git fetch . x:refs/remotes/origin/main"), "refs/remotes/origin/main local;");
  EXPECT_EQ(traces("git fetch . x:remotes/origin/main"), "refs/remotes/origin/main local;");
  EXPECT_EQ(traces("git fetch -q ../c +refs/notes/zz:refs/notes/gatehouse"),
            "refs/notes/gatehouse local;");
  EXPECT_EQ(traces("git fetch file:///c '+refs/heads/*:refs/remotes/origin/*'"),
            "refs/remotes/origin/* local;");
  EXPECT_EQ(traces("git fetch . +refs/heads/*:refs/remotes/origin/*"),
            "refs/remotes/origin/* local;");
  EXPECT_EQ(traces("git fetch . $x:refs/remotes/origin/main"), "refs/remotes/origin/main local;");
  EXPECT_EQ(traces("git fetch --refmap=+refs/heads/*:refs/remotes/origin/* . main"),
            "refs/remotes/origin/* local;");
  EXPECT_EQ(traces("git fetch origin main:refs/remotes/origin/main"), "refs/remotes/origin/main;");
  EXPECT_EQ(traces("git push . x:refs/remotes/origin/main"), "refs/remotes/origin/main local;");
  EXPECT_EQ(traces("git remote set-url origin ."), "refs/remotes/origin/ local;");
  EXPECT_EQ(traces("git remote set-url origin https://h/x"), "");
  EXPECT_EQ(traces("git remote add me ."), "");
  EXPECT_EQ(traces("git config remote.origin.url ../c"), "refs/remotes/origin/ local;");
  EXPECT_EQ(traces("git -c remote.origin.url=. fetch origin"), "refs/remotes/origin/ local;");
}

TEST(ShellClassify, WhatLooksLikeReadingAndRunsSomethingIsOpaque) {
  for (const std::string_view text :
       {"PS4='$(rm a)'; set -x; ls", "export PS0='$(rm a)'", "PROMPT_COMMAND='rm a'",
        "BASH_ENV=x bash -c ls", "ENV=x sh -c ls", "env 'BASH_FUNC_ls%%=() { rm a; }' bash -c ls",
        "sort --compress-program=x a", "sort --comp x a", "bash -i -c ls", "bash -ic ls",
        "ZDOTDIR=x zsh -c ls", "./gatehouse status", "/tmp/gatehouse status"})
    EXPECT_EQ(told(text).substr(0, 6), "opaque") << text << " is " << told(text);
}

TEST(ShellClassify, GitCleanWritesTheWholeFolderWhereItsPathsAreNotKnown) {
  constexpr Case kCases[] = {
      {"git clean -nd", "read_only"},        {"git clean --dry-run", "read_only"},
      {"git clean -fdx src", "writes src"},  {"git clean -fd", "writes ."},
      {"git clean -f $x", "writes ."},       {"git clean -f src ':/'", "writes ."},
      {"git clean -f 'a*'", "writes a*"},    {"git clean -f *", "writes ."},
      {"git -C d clean -fdx", "writes d/."}, {"cd d && git clean -fdx", "writes d/."},
      {"cd $x && git clean -fdx", "opaque"},
  };
  expect_all(kCases);
}

TEST(ShellClassify, OurOwnProgramIsKnownByAnyPathAndName) {
  const auto own = [](std::string_view text) {
    std::string out;
    for (const OwnCall& call : classify(text).own) {
      for (const std::string& word : call.words)
        out += word + " ";
      out += call.is_certain ? "" : "and more ";
      out += call.by_old_name ? "by its old name " : "";
    }
    return out;
  };
  constexpr Case kCases[] = {
      {"gatehouse hook uninstall", "hook uninstall "},
      {"/usr/local/bin/gatehouse hook uninstall", "hook uninstall "},
      {"../x/gatehouse hook uninstall", "hook uninstall "},
      {"gatehouse-main hook uninstall", "hook uninstall "},
      {"agents-shipgate scan", "scan by its old name "},
      {"g=gatehouse; $g hook uninstall", "hook uninstall and more "},
      {"export g=/x/gatehouse; $g hook uninstall", "hook uninstall and more "},
      {"xargs gatehouse hook <<< uninstall", "hook and more "},
      {"env A=1 nice /x/gatehouse init", "init "},
      {"echo gatehouse", ""},
      {"$g hook uninstall", ""},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(own(c.text), c.told) << c.text;
}

TEST(ShellClassify, APatchGoesThroughTheGateWherePatchesComeFirst) {
  EXPECT_EQ(told("git apply x", {.patch_first = true}), "opaque !git apply");
  EXPECT_EQ(told("git am x", {.patch_first = true}), "opaque !git am");
  EXPECT_EQ(told("git apply x"), "opaque");
}

TEST(ShellClassify, EveryProgramOfTheTablesIsKnown) {
  for (const std::string_view name :
       {":",         "[",       "[[",      "arch",      "b2sum",     "base64",   "basename",
        "break",     "cat",     "cksum",   "cmp",       "column",    "comm",     "continue",
        "cut",       "date",    "df",      "diff",      "dirname",   "du",       "echo",
        "egrep",     "exit",    "expr",    "false",     "fgrep",     "fold",     "free",
        "gatehouse", "getconf", "grep",    "groups",    "head",      "hexdump",  "id",
        "join",      "jq",      "kill",    "ls",        "lsof",      "md5sum",   "nl",
        "nproc",     "numfmt",  "od",      "paste",     "pgrep",     "pkill",    "printenv",
        "printf",    "ps",      "pwd",     "read",      "readlink",  "realpath", "return",
        "rev",       "seq",     "sha1sum", "sha256sum", "sha512sum", "shift",    "sleep",
        "stat",      "strings", "tac",     "tail",      "test",      "tr",       "true",
        "tsort",     "tty",     "type",    "ulimit",    "uname",     "unset",    "uptime",
        "wait",      "wc",      "whereis", "which",     "who",       "whoami",   "yes",
        "zcat",      "sort",    "tree",    "uniq",      "xxd"})
    EXPECT_EQ(told(std::string(name) + (name == "[[" ? " x ]]" : " x")), "read_only") << name;
  constexpr Case kOptions[] = {
      {"base64 -w 0 x", "read_only"},
      {"basename -s .c x", "read_only"},
      {"sort -k 1 -t : -S 1 -T /tmp --key 2 --field-separator : --buffer-size 1 x", "read_only"},
      {"sort --temporary-directory x y", "read_only"},
      {"sort --output x y", "writes x"},
      {"tree -L 2 -P a -I b -H c -o x", "writes x"},
      {"uniq -f 1 -s 2 -w 3 a b", "writes b"},
      {"uniq --skip-fields 1 --skip-chars 2 --check-chars 3 a b", "writes b"},
      {"xxd -c 1 -g 2 -l 3 -s 4 -o 5 a b", "writes b"},
      {"chgrp g x", "writes x"},
      {"chgrp --reference y x z", "writes x z"},
      {"chmod --reference y x", "writes x"},
      {"chmod --ref=y x", "writes x"},
      {"chown --from a --reference y x", "writes x"},
      {"chown --from a me x", "writes x"},
      {"chmod -x a", "writes a"},
      {"chmod -w,+x a b", "writes a b"},
      {"chmod -R -r a", "writes a"},
      {"chmod -Rv 644 a", "writes a"},
      {"cp -S .b --suffix .c a b", "writes b+a"},
      {"cp --target-directory c a", "writes c+a"},
      {"install -S .b -m 1 -o a -g b x y", "writes y+x"},
      {"install --suffix b --mode 1 --owner a --group b -t y x", "writes y+x"},
      {"install --target-directory y x", "writes y+x"},
      {"link a b", "writes b+a"},
      {"ln -S .b --suffix c -t y x", "writes y+x"},
      {"ln --target-directory y x", "writes y+x"},
      {"mkdir -m 755 --mode 1 x", "writes x"},
      {"mkfifo -m 644 --mode 1 x", "writes x"},
      {"mv -S .b --suffix .c --target-directory y x", "writes x y+x"},
      {"rmdir x", "writes x"},
      {"shred -n 1 -s 2 --iterations 1 --size 2 --random-source y x", "writes x"},
      {"touch -r y -t 1 --date 1 --reference y --time 1 x", "writes x"},
      {"truncate -r y --size 1 --reference y x", "writes x"},
      {"unlink x", "writes x"},
      {"builtin rm x", "writes x"},
      {"doas -u a -C b rm /x", "writes /x"},
      {"env -u A --unset B rm x", "writes x"},
      {"env -C d rm /x", "writes /x"},
      {"env --chdir d rm x", "opaque"},
      {"exec -a n rm x", "writes x"},
      {"ionice -c 1 -n 2 -p 3 --class 1 --classdata 2 --pid 3 rm x", "writes x"},
      {"nice -n 1 --adjustment 2 rm x", "writes x"},
      {"setsid rm x", "writes x"},
      {"stdbuf -i 0 -o 0 -e 0 --input 0 --output 0 --error 0 rm x", "writes x"},
      {"sudo -g a -p b -c c -h d -R e -r f -T 1 -t g rm x", "writes x"},
      {"sudo --user a --group b --prompt c --host d --role e --type f rm x", "writes x"},
      {"timeout -k 1 --kill-after 1 --signal 9 5 rm x", "writes x"},
      {"xargs -a y -E e -d d -I i -L 1 -n 1 -P 1 -s 1 cat", "read_only"},
      {"xargs --arg-file y --delimiter d --replace r --max-lines 1 --max-args 1 cat", "read_only"},
      {"xargs --max-procs 1 --max-chars 1 cat", "read_only"},
  };
  expect_all(kOptions);
}

TEST(ShellClassify, EveryCommandOfGitInTheTableIsKnown) {
  for (const std::string_view name :
       {"add",       "blame",         "branch",       "cat-file",  "check-attr",    "check-ignore",
        "commit",    "count-objects", "describe",     "diff",      "diff-files",    "diff-index",
        "diff-tree", "fetch",         "for-each-ref", "fsck",      "log",           "ls-files",
        "ls-remote", "ls-tree",       "merge-base",   "name-rev",  "push",          "range-diff",
        "reflog",    "remote",        "rev-list",     "rev-parse", "shortlog",      "show",
        "show-ref",  "status",        "tag",          "var",       "verify-commit", "verify-tag",
        "version",   "whatchanged"})
    EXPECT_EQ(told("git " + std::string(name) + " x"), "read_only") << name;
  for (const std::string_view name :
       {"am", "cherry-pick", "commit", "merge", "pull", "push", "rebase"})
    EXPECT_TRUE(told("git " + std::string(name) + " --no-verify x").ends_with(" --no-verify"))
        << name;
  for (const std::string_view name : {"cherry-pick", "merge", "pull", "rebase"})
    EXPECT_EQ(told("git " + std::string(name) + " x"), "opaque") << name;
  constexpr Case kOptions[] = {
      {"git checkout -b x -B y -- z", "writes z"},
      {"git clean -e x -f -- y", "writes y"},
      {"git restore -s HEAD x", "writes x"},
      {"git commit -F n -C n -c n -t n", "read_only"},
      {"git push -o x", "read_only"},
  };
  expect_all(kOptions);
}

TEST(ShellClassify, EveryVariableAndDeviceOfTheTablesIsKnown) {
  for (const std::string_view name :
       {"GATEHOUSE_X", "CODECLONE_X", "GIT_CONFIG", "GIT_CONFIG_GLOBAL", "GIT_EXEC_PATH", "HUSKY",
        "HUSKY_SKIP_HOOKS", "LEFTHOOK", "LEFTHOOK_EXCLUDE", "PRE_COMMIT_ALLOW_NO_CONFIG", "SKIP",
        "GIT_NOTES_REF"})
    EXPECT_EQ(told(std::string(name) + "=x ls"), "opaque !" + std::string(name) + "=x");
  for (const std::string_view name :
       {"BASH_ENV", "EDITOR", "ENV", "GIT_DIR", "HOME", "IFS", "LD_PRELOAD", "LESSOPEN", "PAGER",
        "PATH", "PROMPT_COMMAND", "SHELLOPTS", "VISUAL", "XDG_CONFIG_HOME"})
    EXPECT_EQ(told(std::string(name) + "=1 ls"), "opaque");
  for (const std::string_view path : {"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty",
                                      "/dev/zero", "/dev/full", "/dev/random", "/dev/fd/3"})
    EXPECT_EQ(told("ls > " + std::string(path)), "read_only") << path;
  for (const std::string_view home :
       {"/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/usr/local/sbin/"})
    EXPECT_EQ(told(std::string(home) + "rm x"), "writes x") << home;
  for (const std::string_view name : {"ash", "bash", "dash", "ksh", "mksh", "sh", "zsh"})
    EXPECT_EQ(told(std::string(name) + " -c 'rm x'"), "writes x") << name;
  EXPECT_EQ(told("git -c hook.x.command=y commit"), "opaque !git -c hook.x.command=y");
}

TEST(ShellClassify, TextsInsideOfTextsAreBounded) {
  std::string text = "ls";
  for (int i = 0; i < 200; ++i)
    text += "; eval ls";
  EXPECT_EQ(told(text), "opaque");
}

TEST(ShellClassify, AFolderThatIsMadeIsToldFromAFile) {
  const Reading made = classify("mkdir -p a/b && touch c");
  ASSERT_EQ(made.writes.size(), 2u);
  EXPECT_EQ(made.writes[0].path, "a/b");
  EXPECT_TRUE(made.writes[0].makes_folder);
  EXPECT_FALSE(made.writes[1].makes_folder);
}

TEST(ShellClassify, WhatIsKnownOfAPathThatOnlyTheShellKnowsIsKept) {
  EXPECT_EQ(classify("echo x > ~/.claude/settings.json").fragments,
            (std::vector<std::string>{"~/.claude/settings.json"}));
  EXPECT_EQ(classify("cp a \"$HOME/.gitconfig\"").fragments,
            (std::vector<std::string>{"/.gitconfig"}));
  EXPECT_TRUE(classify("echo x > a").fragments.empty());
}

TEST(ShellClassify, AStackOfFoldersIsFollowedAsFarAsItsWordsGo) {
  EXPECT_EQ(told("pushd src && touch a"), told("cd src && touch a"));
  EXPECT_EQ(told("popd && touch a"), "opaque");
}

TEST(ShellClassify, AFolderFromElsewhereMakesEverythingOpaque) {
  EXPECT_EQ(told("CDPATH=/x cd a && ls"), "opaque");
}

// Whoever knows the files decides whether the settings that git finds there can be trusted.
TEST(ShellClassify, WhereGitRunsIsTold) {
  const auto folders = [](std::string_view text) { return classify(text).git_folders; };
  using Folders = std::vector<std::string>;
  EXPECT_EQ(folders("git status"), Folders{""});
  EXPECT_EQ(folders("git -C a -C b status && git log"), (Folders{"", "a/b"}));
  EXPECT_EQ(folders("cd a && git status"), Folders{"a"});
  EXPECT_EQ(folders("bash -c 'cd /x && git log'"), Folders{"/x"});
  EXPECT_EQ(folders("ls"), Folders{});
  for (const std::string_view text :
       {"cd a; git status", "cd \"$X\" && git log", "git -C \"$X\" log", "env -C a git status",
        "find . -execdir git status ';'", "echo x | xargs git log"})
    EXPECT_EQ(told(text), "opaque") << text;
}

/// "WORDS=REF@FOLDER" for each branch, then what cannot be told.
std::string moved(std::string_view text) {
  const Reading reading = classify(text);
  std::string out;
  for (const BranchMove& move : reading.branches)
    out +=
        (out.empty() ? "" : " | ") + move.words + "=" + move.ref + "@" + move.folder.value_or("?");
  if (!reading.bypass.empty()) out += " !" + reading.bypass;
  return out;
}

// git tells no hook of a branch that is copied or renamed; whoever knows the guarded ones judges.
TEST(ShellClassify, BranchesThatAreMovedCopiedOverRenamedOrDeletedAreTold) {
  constexpr Case kCases[] = {
      {"git branch -f main x", "git branch -f main=refs/heads/main@"},
      {"git branch --force main x", "git branch -f main=refs/heads/main@"},
      {"git branch -m old new",
       "git branch -m old=refs/heads/old@ | git branch -m new=refs/heads/new@"},
      {"git branch -M new", "git branch -m=@ | git branch -m new=refs/heads/new@"},
      {"git branch --move new", "git branch -m=@ | git branch -m new=refs/heads/new@"},
      {"git branch -C x main", "git branch -c main=refs/heads/main@"},
      {"git branch -c x main", "git branch -c main=refs/heads/main@"},
      {"git branch --copy main", "git branch -c main=refs/heads/main@"},
      {"git branch -D a b", "git branch -d a=refs/heads/a@ | git branch -d b=refs/heads/b@"},
      {"git branch -d a", "git branch -d a=refs/heads/a@"},
      {"git branch --delete a", "git branch -d a=refs/heads/a@"},
      {"git checkout -B main x", "git checkout -B main=refs/heads/main@"},
      {"git checkout -Bmain", "git checkout -B main=refs/heads/main@"},
      {"git switch -C main x", "git switch -C main=refs/heads/main@"},
      {"git switch --force-create main x", "git switch -C main=refs/heads/main@"},
      {"git switch --force-create=main x", "git switch -C main=refs/heads/main@"},
      {"git worktree add -B main ../w x", "git worktree -B main=refs/heads/main@"},
      {"git fetch . +x:main", "git fetch main=refs/heads/main@"},
      {"git fetch origin x:heads/main", "git fetch heads/main=refs/heads/main@"},
      {"git fetch origin '+refs/heads/*:refs/heads/*'", "git fetch refs/heads/*=refs/heads/*@"},
      {"git pull . x:refs/heads/main", "git pull refs/heads/main=refs/heads/main@"},
      {"git -C d branch -C x main", "git branch -c main=refs/heads/main@d"},
      {"cd d; git branch -C x main", "git branch -c main=refs/heads/main@?"},
      {"git branch -C x \"$y\"", " !git branch -c"},
      {"git branch -M @{-1}", "git branch -m=@ !git branch -m"},
      {"git branch -D \"$y\"", ""},
      {"git branch -a", ""},
      {"git branch new x", ""},
      {"git branch -u origin/main", ""},
      {"git branch --contains main", ""},
      {"git checkout -b new", ""},
      {"git switch -c new", ""},
      {"git fetch git@host:x/y.git main", ""},
      {"git push origin HEAD:main", ""},
      {"git worktree add -b new ../w", ""},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(moved(c.text), c.told) << c.text;
  for (const std::string_view text :
       {"git branch -D \"$y\"", "git branch $y main", "git branch -C x \"$y\"", "git switch x",
        "git fetch . \"$y\"", "git worktree add ../w"})
    EXPECT_TRUE(told(text).starts_with("opaque")) << text;
}

TEST(ShellClassify, CallsOfOurOwnProgramAreToldWithTheirWords) {
  const Reading one = classify("cd a && /usr/bin/gatehouse db backup \"b c\"");
  EXPECT_EQ(one.own, (std::vector<OwnCall>{{{"db", "backup", "b c"}, true, false, "a"}}));
  EXPECT_EQ(one.shell_class, ShellClass::read_only);
  EXPECT_FALSE(classify("gatehouse db backup $X").own.at(0).is_certain);
  EXPECT_FALSE(classify("cd a; gatehouse status").own.at(0).folder);
  EXPECT_EQ(told("echo x | xargs gatehouse db backup"), "opaque");
}

TEST(ShellClassify, ClassesHaveTheirWords) {
  EXPECT_EQ(to_string(ShellClass::read_only), "read_only");
  EXPECT_EQ(to_string(ShellClass::writes), "writes");
  EXPECT_EQ(to_string(ShellClass::opaque), "opaque");
}

// What an attack found: each of these wrote a file and was taken for reading.
TEST(ShellClassify, WhatOnlyLooksLikeReadingIsOpaqueOrAWrite) {
  for (const std::string_view text :
       {"[[ -v 'a[$(echo p>d)]' ]]", "[[ 'a[$(echo p>d)]' -eq 1 ]]", "test -v 'a[$(echo p>d)]'",
        "printf -v 'a[$(echo p>d)]' x", "read -r 'a[$(echo p>d)]' <<< x",
        "declare 'a[$(echo p>d)]=1'", "x='a[$(echo p>d)]'; [[ x -eq 1 ]]",
        "x='a[`echo p>d`]'; echo ${b[x]}", "git ls-remote --upload-pack='echo p>d;:' .",
        "git ls-remote --exec='echo p>d' .", "git ls-remote --exe='echo p>d' .",
        "git fetch --upload-p='echo p>d;git-upload-pack' .", "git push --receive-pack='echo p>d' .",
        "git grep --open-files-in-pager=vi x"})
    EXPECT_EQ(to_string(classify(text, {}).shell_class), "opaque") << text;
  for (const std::string_view text : {"echo p > /dev/fd/../cwd/a", "tee /dev/fd/../../self/cwd/a",
                                      "cp a /dev/fd/../x", "sort --outp=d a", "sort --ou d a"})
    EXPECT_NE(to_string(classify(text, {}).shell_class), "read_only") << text;
}

}  // namespace
}  // namespace gh::shell
