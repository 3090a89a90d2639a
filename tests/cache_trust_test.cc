// docs/adr/0016: who can write to the cache can mislead a reader, and never a gate or a baseline.
#include "analysis/extract.h"
#include "analysis/known_facts.h"
#include "cache/pack.h"
#include "model/object_id.h"
#include "tests/runs_kit.h"

namespace gh::testing {
namespace {

class PackStore final : public analysis::FactStore {
 public:
  explicit PackStore(cache::Pack& pack) : pack_(pack) {}
  std::optional<std::string> find(const analysis::Hash& key) override {
    return pack_.get({key.high, key.low});
  }
  void keep(const analysis::Hash& key, std::string bytes) override {
    pack_.put({key.high, key.low}, std::move(bytes));
  }

 private:
  cache::Pack& pack_;
};

/// A repository with one complex function, and a cache that says of its file what is true of a
/// harmless one.
struct ForgedCache : ::testing::Test {
  ForgedCache() {
    world.repo.write("pkg/core.py", kComplex);
    world.repo.commit("complex");
    cache::Pack pack(folder(), 1u << 20);
    PackStore store(pack);
    const analysis::KnownFacts known(&store);
    known.keep(ObjectId::of(HashKind::sha1, "blob", kComplex).hex(), syntax::Language::python,
               analysis::Extractor().facts_of(syntax::Language::python, kHarmless));
    pack.save();
  }
  std::string folder() const { return world.repo.at(".git/gatehouse/cache"); }
  std::string complexity(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), "analyze");
    return world.field(std::move(more), "metrics.families.complexity.summary.max");
  }

  const std::string kComplex = python_function("core", 30), kHarmless = python_function("core", 0);
  RunsWorld world{};
};

TEST_F(ForgedCache, MisleadsARunThatDecidesNothing) {
  EXPECT_EQ(complexity(), "3") << "of another file: the forgery is a good one";
  std::filesystem::remove_all(folder());
  EXPECT_EQ(complexity(), "31");
}

TEST_F(ForgedCache, DecidesNoGate) {
  const Ran ran = world.ask({"analyze", "--fail-complexity", "20"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_EQ(world.ask({"analyze", "--rev", "HEAD", "--fail-complexity", "20"}).code, 1);
  EXPECT_EQ(world.ask({"analyze", "--fail-complexity", "31"}).code, 0);
  world.repo.write("gatehouse.yaml", "analysis:\n  fail_complexity: 20\n");
  EXPECT_EQ(world.ask({"analyze"}).code, 1) << "also when the configuration asks";
}

TEST_F(ForgedCache, IsNoPartOfABaseline) {
  EXPECT_EQ(world.ask({"baseline", "save"}).code, 0);
  EXPECT_TRUE(
      contains(bytes_of(world.repo.at("gatehouse.baseline.json")), "\"max_complexity\": 31"));
  EXPECT_EQ(world.ask({"baseline", "update"}).code, 0);
  EXPECT_TRUE(
      contains(bytes_of(world.repo.at("gatehouse.baseline.json")), "\"max_complexity\": 31"));
  EXPECT_EQ(world.ask({"analyze", "--update-baseline"}).code, 0);
  EXPECT_TRUE(
      contains(bytes_of(world.repo.at("gatehouse.baseline.json")), "\"max_complexity\": 31"));
}

TEST_F(ForgedCache, OfAFileThatOthersMayWriteMisleadsNobody) {
  std::filesystem::permissions(folder() + "/facts.gpk", std::filesystem::perms::group_write,
                               std::filesystem::perm_options::add);
  EXPECT_EQ(complexity(), "31");
  EXPECT_EQ(world.field({"analyze"}, "meta.runtime.cache.status"), "unreadable");
}

TEST_F(ForgedCache, BehindALinkMisleadsNobody) {
  const std::string pack = folder() + "/facts.gpk";
  std::filesystem::rename(pack, folder() + "/elsewhere");
  std::filesystem::create_symlink("elsewhere", pack);
  EXPECT_EQ(complexity(), "31");
}

}  // namespace
}  // namespace gh::testing
