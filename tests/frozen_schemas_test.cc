// Schemas that are published for good: one file for each minor version (release-gate 25.1).
#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/text.h"
#include "release/packet.h"
#include "release/scan.h"
#include "release/verifier.h"
#include "tests/gatehouse_binary.h"

namespace gh::testing {
namespace {

struct FrozenSchema {
  std::string current, file, sha256;
};

// A new version is a new row and a new file; a row that stands here is never changed once it was
// released.
const FrozenSchema kFrozen[] = {
    {"release_verifier", "docs/verifier-schema.v0.1.json",
     "0e86253ba11e9be2fee9510d37d1216ce3ce27ad8c139f3f5c59d0de9758003e"},
    {"release_packet", "docs/packet-schema.v0.6.json",
     "af78f16efff25cd7df0677dc2ea5a0655d0b05b2c8680c3141fcd4e78e9eea9a"},
    {"release_report", "docs/report-schema.v0.22.json",
     "43b12469b090d44d406c30ef42321f7f969885e3febc9ec0cad185c952eaf5bc"},
    {"release_baseline", "docs/baseline-schema.v0.5.json",
     "8f2f11f7ec2392223b7516ea1e0d82b5346703294f7c0cf5df25e210f2533902"},
    {"release_manifest", "docs/manifest-schema.v0.1.json",
     "495c8095c22698b8cda4f26dbb20435719d9e4e66ad59b0ad6de394b599f20ae"},
};

TEST(FrozenSchemas, NoPublishedSchemaChanges) {
  for (const FrozenSchema& row : kFrozen)
    EXPECT_EQ(digest_of(bytes_of(row.file)).hex(), row.sha256)
        << row.file << " is published: a change needs another version";
}

TEST(FrozenSchemas, TheSchemaInForceIsTheFrozenOneOfItsVersion) {
  for (const FrozenSchema& row : kFrozen) {
    const std::string current = bytes_of("docs/schemas/" + row.current + ".schema.json");
    EXPECT_FALSE(current.empty()) << row.current;
    EXPECT_TRUE(current == bytes_of(row.file))
        << row.current << " differs from " << row.file << ": count its version up and freeze it";
  }
}

TEST(FrozenSchemas, EveryVersionThatIsWrittenHasItsFile) {
  const std::pair<std::string, std::string_view> written[] = {
      {"verifier", release::kVerifierSchema},
      {"packet", release::kPacketSchema},
      {"report", release::kReportSchema}};
  for (const auto& [name, version] : written)
    EXPECT_FALSE(bytes_of("docs/" + name + "-schema.v" + std::string(version) + ".json").empty())
        << name << " " << version;
}

}  // namespace
}  // namespace gh::testing
