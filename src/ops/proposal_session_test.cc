#include "ops/proposal_session.h"

#include <gtest/gtest.h>

#include "proposal/meta.h"
#include "runs/ssh_signature.h"
#include "sys/files.h"
#include "sys/process.h"

namespace gh::ops {
namespace {

constexpr std::string_view kDigest = "d1", kRepo = "r1";

/// A key of ssh-keygen, the registry that lists it, and a proposal that it signed on the fifth.
struct SignedProposal {
  policy::ProposalPolicy policy;
  store::ProposalRow row;

  SignedProposal() {
    const auto folder = *sys::TempDir::create("/tmp", "gh-key-");
    const std::string file = folder.path() + "/key";
    sys::Command make{
        .argv = {"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", file},
        .environment = {"PATH=/usr/bin:/bin", "HOME=/nonexistent"},
        .cwd = folder.path()};
    EXPECT_TRUE(sys::run(make).has_value());
    const auto key = runs::SigningKey::parse(*sys::read_file(file, 4096));
    policy.actors = {{.name = "drafter",
                      .provider = "",
                      .roles = {"agent"},
                      .keys = {{key->public_line(), std::nullopt, std::nullopt}}}};
    row.actor = "drafter";
    row.created_utc = "2026-01-04T00:00:00Z";
    row.received_utc = "2026-01-05T00:00:00Z";
    ProposalMeta meta;
    meta.patch_id = "fix-001";
    meta.affected_files = {"a.py"};
    meta.review_status = {"pending"};
    meta.created_utc = row.created_utc;
    row.body =
        Map{{"meta", proposal::to_document(meta)},
            {"signature", *key->sign(signed_payload(kDigest, kRepo, "author", row.created_utc),
                                     kProposalNamespace)}};
  }
  std::string defect(std::string_view digest = kDigest, std::string_view repo = kRepo) const {
    return author_signature_defect(policy, row, digest, repo).value_or("");
  }
};

struct Window {
  const char *after, *before;
  bool holds;
};
// docs/formats/mirror.md: the key's time is asked at received_utc, whatever the time is now.
constexpr Window kWindows[] = {
    {nullptr, nullptr, true},
    {"2026-01-05T00:00:00Z", nullptr, true},
    {"2026-01-05T00:00:01Z", nullptr, false},  // valid only later
    {nullptr, "2026-01-05T00:00:01Z", true},   // ran out since
    {nullptr, "2026-01-05T00:00:00Z", false},  // had run out
    {"2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", true},
};

TEST(AuthorSignature, IsAskedAtTheTimeOfSubmission) {
  SignedProposal proposal;
  for (const Window& w : kWindows) {
    policy::ActorKey& key = proposal.policy.actors[0].keys[0];
    key.valid_after = w.after == nullptr ? std::nullopt : std::optional(*parse_timestamp(w.after));
    key.valid_before =
        w.before == nullptr ? std::nullopt : std::optional(*parse_timestamp(w.before));
    EXPECT_EQ(proposal.defect().empty(), w.holds)
        << (w.after == nullptr ? "" : w.after) << " to " << (w.before == nullptr ? "" : w.before);
  }
}

TEST(AuthorSignature, IsOfTheseBytesThisRepositoryAndTheActorOnRecord) {
  const SignedProposal proposal;
  EXPECT_EQ(proposal.defect(), "");
  EXPECT_NE(proposal.defect("d2"), "");
  EXPECT_NE(proposal.defect(kDigest, "r2"), "");
  SignedProposal other = proposal;
  other.row.created_utc = "2026-01-04T00:00:01Z";
  EXPECT_NE(other.defect(), "");
  other = proposal;
  other.row.actor = kExternal;
  EXPECT_EQ(other.defect(), "it is signed by another actor than the record names");
  other = proposal;
  other.policy.actors.clear();
  EXPECT_EQ(other.defect(), "the signature was made by a key that is not registered");
  other = proposal;
  other.row.received_utc = "yesterday";
  EXPECT_EQ(other.defect(), "the time of its submission cannot be read");
}

TEST(AuthorSignature, IsMissedOnlyWhereSomebodyIsSaidToHaveSigned) {
  SignedProposal proposal;
  proposal.row.body = Map{{"signature", nullptr}};
  EXPECT_EQ(proposal.defect(), "'drafter' is said to have signed it, and there is no signature");
  proposal.row.actor = kExternal;
  EXPECT_EQ(proposal.defect(), "");
}

}  // namespace
}  // namespace gh::ops
