#include "analysis/known_facts.h"

#include <map>

#include <gtest/gtest.h>

#include "analysis/extract.h"

namespace gh::analysis {
namespace {

constexpr std::string_view kSource =
    "import os\n"
    "class A:\n"
    "    def f(self, x):\n"
    "        \"\"\"Doc.\"\"\"\n"
    "        for i in x:\n"
    "            if i and x:\n"
    "                self.y = os.path.join(i, 'a')\n"
    "                self.z = i\n"
    "                self.w = i\n"
    "                g(i)\n"
    "        return self.y\n";

class InMemory final : public FactStore {
 public:
  std::optional<std::string> find(const Hash& key) override {
    const auto at = kept.find(key);
    return at == kept.end() ? std::nullopt : std::optional(at->second);
  }
  void keep(const Hash& key, std::string bytes) override { kept[key] = std::move(bytes); }
  std::map<Hash, std::string> kept{};
};

FileFacts facts() { return Extractor().facts_of(syntax::Language::python, kSource); }

TEST(KnownFacts, BytesAndBackAreTheSameFacts) {
  const std::string bytes = facts_to_bytes(facts());
  const auto again = facts_from_bytes(bytes);
  ASSERT_TRUE(again);
  EXPECT_EQ(facts_to_bytes(*again), bytes);
  ASSERT_EQ(again->units.size(), 1u);
  EXPECT_EQ(again->units[0].local_name, "A.f");
  EXPECT_EQ(again->units[0].complexity.cyclomatic, 4u);
  EXPECT_EQ(again->units[0].inner.size(), 1u);
  EXPECT_EQ(again->imports.size(), 1u);
}

TEST(KnownFacts, EveryCutIsNoticed) {
  const std::string bytes = facts_to_bytes(facts());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(facts_from_bytes(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(facts_from_bytes(bytes + "x"));
}

TEST(KnownFacts, FlippedBytesNeverCrash) {
  const std::string bytes = facts_to_bytes(facts());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    (void)facts_from_bytes(damaged);
  }
}

TEST(KnownFacts, ABlobIsFoundWithoutItsBytesAndOnlyInItsLanguage) {
  InMemory store;
  const KnownFacts known(&store);
  EXPECT_FALSE(known.find("0123", syntax::Language::python));
  known.keep("0123", syntax::Language::python, facts());
  EXPECT_TRUE(known.find("0123", syntax::Language::python));
  EXPECT_FALSE(known.find("0123", syntax::Language::c));
  EXPECT_FALSE(known.find("0124", syntax::Language::python));
}

TEST(KnownFacts, BytesWithoutAnIdAreNeverKnown) {
  InMemory store;
  const KnownFacts known(&store);
  known.keep("", syntax::Language::python, facts());
  EXPECT_TRUE(store.kept.empty());
  EXPECT_FALSE(known.find("", syntax::Language::python));
}

TEST(KnownFacts, WithoutAStoreNothingIsKnown) {
  const KnownFacts known(nullptr);
  known.keep("0123", syntax::Language::python, facts());
  EXPECT_FALSE(known.find("0123", syntax::Language::python));
}

}  // namespace
}  // namespace gh::analysis
