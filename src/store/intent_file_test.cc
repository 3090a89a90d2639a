#include "store/intent_file.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "sys/files.h"

namespace gh::store {
namespace {

std::vector<FiledIntent> three() {
  return {{7, R"({"id":"one"})", {{1, "src/a.c"}, {2, "s1"}}},
          {8, R"({"id":"two"})", {{1, "src/b.c"}, {1, "src/a.c"}, {2, "s2"}}},
          {-9, R"({"id":"three with space"})", {{2, "s1"}}}};
}

IntentFile over(const std::string& bytes) {
  auto file =
      IntentFile::over([bytes](std::uint64_t offset, std::size_t count) -> Result<std::string> {
        if (offset > bytes.size() || count > bytes.size() - offset)
          return fail(Code::io_error, "the file ends before");
        return bytes.substr(offset, count);
      });
  EXPECT_TRUE(file.has_value());
  return std::move(*file);
}

/// "fence record" of each, in the order of the file.
std::string found(const IntentFile& file, const std::vector<FiledKey>& keys) {
  const auto records = file.with_keys(keys);
  if (!records) return records.error().message;
  std::string out;
  for (const FiledIntent& one : *records) {
    EXPECT_TRUE(one.keys.empty());
    out += std::to_string(one.fence) + one.record + ";";
  }
  return out;
}

TEST(IntentFile, RecordsAreFoundByTheirKeysEachOnce) {
  const IntentFile file = over(intent_file_text(three(), "here"));
  EXPECT_EQ(file.stamp(), "here");
  EXPECT_EQ(found(file, {{1, "src/a.c"}}), R"(7{"id":"one"};8{"id":"two"};)");
  EXPECT_EQ(found(file, {{1, "src/a.c"}, {2, "s1"}, {2, "s2"}}),
            R"(7{"id":"one"};8{"id":"two"};-9{"id":"three with space"};)");
  EXPECT_EQ(found(file, {{2, "s1"}}), R"(7{"id":"one"};-9{"id":"three with space"};)");
  EXPECT_EQ(found(file, {{2, "src/a.c"}}), "") << "a text of another kind";
  EXPECT_EQ(found(file, {{1, "nobody"}, {1, ""}}), "");
  EXPECT_EQ(found(file, {}), "");
  EXPECT_EQ(found(over(intent_file_text({}, "empty")), {{1, "src/a.c"}}), "");
}

TEST(IntentFile, OfManyRecordsEveryOneIsFound) {
  std::vector<FiledIntent> many;
  for (int i = 0; i < 1'000; ++i)
    many.push_back({i,
                    "r" + std::to_string(i),
                    {{1, "f" + std::to_string(i)}, {2, "s" + std::to_string(i % 10)}}});
  const IntentFile file = over(intent_file_text(many, "x"));
  for (int i = 0; i < 1'000; ++i)
    ASSERT_EQ(found(file, {{1, "f" + std::to_string(i)}}),
              std::to_string(i) + "r" + std::to_string(i) + ";");
  const std::vector<FiledKey> seventh{{2, "s7"}};
  EXPECT_EQ(file.with_keys(seventh)->size(), 100u);
}

TEST(IntentFile, OneThatIsDamagedTellsNothing) {
  const std::string whole = intent_file_text(three(), "here");
  const auto opens = [](const std::string& bytes) {
    return IntentFile::over([&](std::uint64_t offset, std::size_t count) -> Result<std::string> {
             if (offset + count > bytes.size()) return fail(Code::io_error, "the file ends before");
             return bytes.substr(offset, count);
           })
        .has_value();
  };
  EXPECT_TRUE(opens(whole));
  EXPECT_FALSE(opens(""));
  EXPECT_FALSE(opens(whole.substr(0, 255)));
  EXPECT_FALSE(opens("x" + whole));
  std::string more = whole;
  more.replace(more.find(" 00000"), 11, " 9999999999");
  EXPECT_FALSE(opens(more)) << "more lines than there may be";
  std::string other = whole;
  other.replace(other.find("file/1"), 6, "file/2");
  EXPECT_FALSE(opens(other));
  // Lines and records that are cut off, or are none.
  EXPECT_EQ(found(over(whole.substr(0, 300)), {{2, "s1"}}), "the file ends before");
  EXPECT_EQ(found(over(whole.substr(0, whole.size() - 1)), {{2, "s1"}}), "the file ends before");
  constexpr std::size_t kHead = 256, kLine = 40;
  std::string hash = whole, record = whole;
  for (std::size_t i = 0; i < 6; ++i)
    hash[kHead + i * kLine] = 'x';
  EXPECT_EQ(found(over(hash), {{2, "s1"}}), "the file of intents is damaged");
  std::ranges::replace(record.begin() + kHead + 6 * kLine, record.end(), ' ', '_');
  EXPECT_EQ(found(over(record), {{2, "s1"}}), "the file of intents is damaged");
}

class OfALedger : public ::testing::Test {
 protected:
  std::string state() const { return folder_.path(); }
  std::string file() const { return state() + "/cache/intents"; }
  /// A ledger that was left alone long ago.
  void ledger(const std::string& bytes, int age) const {
    const std::string path = state() + "/ledger.db";
    ASSERT_TRUE(sys::write_file_atomic(path, bytes));
    std::filesystem::last_write_time(
        path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(age));
  }
  Status refresh(int& asked) const {
    return refresh_file_of_ledger(state(), [&]() -> Result<std::vector<FiledIntent>> {
      ++asked;
      return three();
    });
  }
  sys::TempDir folder_ = *sys::TempDir::create("/tmp", "gh-intents-");
};

TEST_F(OfALedger, TheFileIsBelievedAsLongAsTheLedgerIsWhatItWas) {
  int asked = 0;
  ledger("one", 3);
  EXPECT_FALSE(open_file_of_ledger(state()));
  EXPECT_TRUE(refresh(asked));
  ASSERT_TRUE(open_file_of_ledger(state()));
  EXPECT_EQ(found(*open_file_of_ledger(state()), {{2, "s2"}}), R"(8{"id":"two"};)");
  EXPECT_TRUE(refresh(asked));
  EXPECT_EQ(asked, 1) << "there was one";
  ledger("two", 2);
  EXPECT_FALSE(open_file_of_ledger(state()));
  EXPECT_TRUE(refresh(asked));
  ASSERT_TRUE(open_file_of_ledger(state()));
  ASSERT_TRUE(sys::write_file_atomic(state() + "/ledger.db-wal", "rows"));
  EXPECT_FALSE(open_file_of_ledger(state())) << "what is in the log is not in the file";
  ASSERT_TRUE(sys::write_file_atomic(state() + "/ledger.db-wal", ""));
  EXPECT_TRUE(open_file_of_ledger(state()));
}

TEST_F(OfALedger, AFileThatOthersCanWriteIsNotBelieved) {
  int asked = 0;
  ledger("one", 3);
  EXPECT_TRUE(refresh(asked));
  ASSERT_TRUE(open_file_of_ledger(state()));
  std::filesystem::permissions(file(), std::filesystem::perms::all);
  EXPECT_FALSE(open_file_of_ledger(state()));
  std::filesystem::remove(file());
  std::filesystem::create_symlink(state() + "/ledger.db", file());
  EXPECT_FALSE(open_file_of_ledger(state()));
}

TEST_F(OfALedger, OneOnAServerSaysWhenItWasMade) {
  EXPECT_FALSE(open_mirror(state()));
  EXPECT_TRUE(write_mirror(state(), three(), Timestamp{1'700'000'000}));
  const auto mirror = open_mirror(state());
  ASSERT_TRUE(mirror) << mirror.error().message;
  EXPECT_EQ(mirror->written_at, Timestamp{1'700'000'000});
  EXPECT_EQ(found(mirror->file, {{2, "s2"}}), R"(8{"id":"two"};)");
  EXPECT_FALSE(open_file_of_ledger(state())) << "of no ledger that is here";
  int asked = 0;
  ledger("one", 3);
  EXPECT_TRUE(refresh(asked));
  const auto other = open_mirror(state());
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, Code::ledger_unavailable);
  EXPECT_EQ(other.error().message, "the mirror of the registry is of another ledger");
}

}  // namespace
}  // namespace gh::store
