#include "git/surroundings.h"

#include <gtest/gtest.h>

namespace gh::git {
namespace {

const std::vector<std::string> kWrittenSettings{
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.autocrlf=false",
    "core.eol=lf",
    "core.safecrlf=false",
    "core.whitespace=",
    "apply.whitespace=nowarn",
    "apply.ignoreWhitespace=no",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "core.symlinks=true",
    "core.filemode=true",
    "core.ignorecase=false",
    "core.precomposeunicode=false",
    "core.quotepath=true",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.sparseCheckout=false",
    "core.splitIndex=false",
    "gc.auto=0",
    "maintenance.auto=false",
};

TEST(Surroundings, EveryCommandCarriesTheSettingsOfTheSpecification) {
  std::vector<std::string> expected{"git"};
  for (const std::string& setting : kWrittenSettings) {
    expected.push_back("-c");
    expected.push_back(setting);
  }
  expected.push_back("apply");
  expected.push_back("-");
  EXPECT_EQ(arguments_of({"apply", "-"}), expected);
}

TEST(Surroundings, TheEnvironmentIsExactlyTheTableOfTheSpecification) {
  const Surroundings where{.path = "/opt/git:/bin",
                           .home = "/private",
                           .git_dir = "/r/.git",
                           .work_tree = "/r",
                           .index_file = "/q/index",
                           .object_folder = "/q/objects",
                           .alternate_folders = "/r/.git/objects",
                           .ceiling = "/"};
  const std::vector<std::string> expected{
      "PATH=/opt/git:/bin",
      "HOME=/private",
      "XDG_CONFIG_HOME=/private",
      "LC_ALL=C",
      "TZ=UTC",
      "GIT_CONFIG_NOSYSTEM=1",
      "GIT_CONFIG_SYSTEM=/dev/null",
      "GIT_CONFIG_GLOBAL=/dev/null",
      "GIT_ATTR_NOSYSTEM=1",
      "GIT_NO_REPLACE_OBJECTS=1",
      "GIT_GRAFT_FILE=/dev/null/none",
      "GIT_OPTIONAL_LOCKS=0",
      "GIT_DIR=/r/.git",
      "GIT_WORK_TREE=/r",
      "GIT_INDEX_FILE=/q/index",
      "GIT_OBJECT_DIRECTORY=/q/objects",
      "GIT_ALTERNATE_OBJECT_DIRECTORIES=/r/.git/objects",
      "GIT_CEILING_DIRECTORIES=/",
      "GIT_TERMINAL_PROMPT=0",
      "GIT_ASKPASS=/bin/false",
      "GIT_ALLOW_PROTOCOL=",
      "GIT_NO_LAZY_FETCH=1",
  };
  EXPECT_EQ(environment_of(where), expected);
}

TEST(Surroundings, AnEmptyPlaceLeavesItsVariableUnset) {
  Surroundings bare{.path = "/bin",
                    .home = "/h",
                    .git_dir = "/r.git",
                    .work_tree = "",
                    .index_file = "",
                    .object_folder = "",
                    .alternate_folders = "",
                    .ceiling = ""};
  bare.more = {"GIT_AUTHOR_NAME=A"};
  const auto made = environment_of(bare);
  for (const std::string& variable : made) {
    EXPECT_FALSE(variable.starts_with("GIT_WORK_TREE=")) << variable;
    EXPECT_FALSE(variable.starts_with("GIT_INDEX_FILE=")) << variable;
    EXPECT_FALSE(variable.starts_with("GIT_OBJECT_DIRECTORY=")) << variable;
  }
  EXPECT_EQ(made.back(), "GIT_AUTHOR_NAME=A");
}

TEST(Surroundings, QuotesAnAlternateThatGitWouldSplit) {
  EXPECT_EQ(alternate_item("/a b/objects"), "/a b/objects");
  EXPECT_EQ(alternate_item("/a:b/objects"), "\"/a:b/objects\"");
  EXPECT_EQ(alternate_item("/a\"b\\c"), "\"/a\\\"b\\\\c\"");
}

}  // namespace
}  // namespace gh::git
