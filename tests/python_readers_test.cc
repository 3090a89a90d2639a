// The reader of Python against the grammar, on the standard library of the machine and on what is
// left of it when words are taken away, doubled and swapped. GH_LONG: all of it.
#include "tests/python_readers.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "tests/python_mutations.h"

namespace gh::readers {
namespace {

bool is_long() { return std::getenv("GH_LONG") != nullptr; }

/// Python files below /usr/lib/python3*, in order.
const std::vector<std::string>& library() {
  static const std::vector<std::string> kAll = [] {
    std::vector<std::string> out;
    for (const auto& folder : std::filesystem::directory_iterator("/usr/lib")) {
      if (!folder.path().filename().string().starts_with("python3.")) continue;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(
               folder.path(), std::filesystem::directory_options::skip_permission_denied))
        if (entry.is_regular_file() && entry.path().extension() == ".py")
          out.push_back(entry.path().string());
    }
    std::ranges::sort(out);
    return out;
  }();
  return kAll;
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

TEST(PythonReaders, MakeTheSameOfTheStandardLibrary) {
  ASSERT_GE(library().size(), 100U) << "no standard library of Python";
  const std::size_t step = is_long() ? 1 : 5;
  Readers readers;
  std::size_t equal = 0, left = 0;
  for (std::size_t i = 0; i < library().size(); i += step) {
    const std::string source = contents(library()[i]);
    switch (readers.compare(source)) {
      case Outcome::equal:
        ++equal;
        break;
      case Outcome::different:
        ADD_FAILURE() << library()[i] << "\n" << readers.differs;
        break;
      case Outcome::left:
        ++left;
        std::printf("left to the grammar: %s: %s\n", library()[i].c_str(),
                    std::string(readers.why.why).c_str());
        break;
      case Outcome::with_errors:
        break;
    }
  }
  EXPECT_LE(left * 30, equal) << "more than one in thirty was left though it has no error";
}

TEST(PythonReaders, NeverPartOnBrokenFiles) {
  Readers readers;
  std::uint64_t seed = 1;
  std::size_t taken = 0, refused = 0;
  const std::size_t rounds = is_long() ? 20 : 2;
  for (std::size_t round = 0; round < rounds; ++round)
    for (const std::string& path : library()) {
      if (std::filesystem::file_size(path) > 6'000) continue;
      const std::string source = mutated(contents(path), ++seed);
      const Outcome outcome = readers.compare(source);
      taken += outcome == Outcome::equal ? 1 : 0;
      refused += outcome == Outcome::with_errors ? 1 : 0;
      EXPECT_TRUE(outcome != Outcome::different) << path << " " << seed << "\n" << readers.differs;
    }
  EXPECT_GT(taken, 20U);
  EXPECT_GT(refused, 20U);
}

}  // namespace
}  // namespace gh::readers
