#include "sys/files_below.h"

#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

namespace gh::sys {
namespace {

TEST(FilesBelow, AreSeenAsOneByOne) {
  const std::string root = std::filesystem::temp_directory_path() / "gatehouse-files-below";
  std::filesystem::remove_all(root);
  std::filesystem::create_directories(root + "/a/b");
  std::vector<std::string> paths{"a/b", "missing/x.py", "a/none.py", "top.py", "a/link", "in/x.py"};
  std::ofstream(root + "/top.py") << "1";
  std::filesystem::create_symlink("b", root + "/a/link");
  std::filesystem::create_directory_symlink("a/b", root + "/in");
  std::ofstream(root + "/in/x.py") << "123";
  for (int i = 0; i < 100; ++i) {
    paths.push_back("a/b/f" + std::to_string(i) + ".py");
    std::ofstream(root + "/" + paths.back()) << i;
  }
  const std::vector<FileInfo> infos = infos_below(root, paths);
  ASSERT_EQ(infos.size(), paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const FileInfo one = info(root + "/" + paths[i]);
    EXPECT_EQ(infos[i].kind, one.kind) << paths[i];
    EXPECT_EQ(infos[i].inode, one.inode) << paths[i];
    EXPECT_EQ(infos[i].size, one.size) << paths[i];
    EXPECT_EQ(infos[i].ctime_ns, one.ctime_ns) << paths[i];
  }
  EXPECT_TRUE(infos_below(root, {}).empty());
  std::filesystem::remove_all(root);
}

TEST(FilesBelow, AFolderIsSeenUntilSomebodySaysStop) {
  const std::string root = std::filesystem::temp_directory_path() / "gatehouse-in-folder";
  std::filesystem::remove_all(root);
  std::filesystem::create_directories(root + "/a/b");
  std::filesystem::create_directory_symlink("a", root + "/link");
  std::ofstream(root + "/x.py") << "1";
  std::map<std::string, bool> seen;
  EXPECT_TRUE(each_in_folder(root, [&](std::string_view name, bool is_folder) {
    return seen.emplace(name, is_folder).second;
  }));
  EXPECT_EQ(seen, (std::map<std::string, bool>{{"a", true}, {"link", false}, {"x.py", false}}));
  EXPECT_FALSE(each_in_folder(root, [](std::string_view, bool) { return false; }));
  const auto any = [](std::string_view, bool) { return true; };
  EXPECT_TRUE(each_in_folder(root + "/a/b", any));
  for (const std::string path : {"/link", "/x.py", "/none"})
    EXPECT_FALSE(each_in_folder(root + path, any)) << path;
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace gh::sys
