#include "ops/promotion_receipt.h"

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/promotion_check.h"
#include "ops/signing.h"
#include "proposal/meta.h"
#include "report/verdict_document.h"
#include "runs/receipt.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

std::vector<NamedReview> review_digests(const Stored& stored,
                                        const policy::ProposalPolicy& policy) {
  std::vector<NamedReview> out;
  for (const std::string& name : policy.required_reviewers)
    for (auto it = stored.reviews.rbegin(); it != stored.reviews.rend(); ++it)
      if (it->reviewer == name && it->proposal_digest == stored.row.digest) {
        out.push_back({name, digest_of(wire::canonical_json(proposal::to_document(*it))).hex()});
        break;
      }
  return out;
}

std::string rollback_kind(const ProposalMeta& meta) {
  const std::string& notes = meta.rollback_notes;
  for (const char* word : {"revert", "inverse", "restore"})
    if (notes.find(word) != std::string::npos) return word;
  return notes.find("N/A") != std::string::npos ? "n/a" : "command";
}

}  // namespace

git::Identity identity_of(const std::string& actor) {
  std::string mail;
  for (const char c : actor)
    mail += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' ? c : '.';
  std::string name = printable(actor, 100);
  std::erase_if(name, [](char c) { return c == '<' || c == '>'; });
  return {name, mail + "@gatehouse.invalid"};
}

std::string subject_of(const ProposalMeta& meta) {
  return printable(
      fmt::format("{}: {}", meta.patch_id, meta.title.empty() ? meta.source_gap : meta.title), 200);
}

std::string safe_lines(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n'))
    out += printable(line, 2000) + "\n";
  return out;
}

std::string commit_message(const Stored& stored, const policy::ProposalPolicy& policy,
                           const std::string& receipt, const std::string& promoter) {
  std::string out =
      fmt::format("{}\n\n{}\n", subject_of(stored.meta), safe_lines(stored.meta.risk_notes));
  for (const Trailer& trailer : trailers_of(stored.row.patch_id, receipt, stored.row.author_agent,
                                            review_digests(stored, policy), promoter))
    out += fmt::format("{}: {}\n", trailer.key, trailer.value);
  return out;
}

Result<store::Document> make_receipt(ProposalSession& session, Context& context,
                                     const Stored& stored, const Built& built,
                                     const std::string& admission_digest, const Actor& actor,
                                     const Verdict& verdict, bool rollback_proven) {
  List reviews;
  for (const NamedReview& r : review_digests(stored, session.policy()))
    reviews.emplace_back(Map{{"reviewer", r.reviewer}, {"sha256", r.sha256}});
  GH_TRY(patch_id, session.repo.stable_patch_id(stored.canonical));
  const Map verdict_document = report::verdict_document(verdict);
  const std::string tree = built.outcome.candidate->tree.hex();
  Map receipt{
      {"schema", "gatehouse.receipt/1"},
      {"kind", "promotion"},
      {"decision", "allow"},
      {"status", "promoted"},
      {"repo_id", session.repo_id},
      {"subject",
       Map{{"base", stored.row.base_commit},
           {"tree", tree},
           {"intent_id", stored.meta.intent_id.empty() ? Value() : Value(stored.meta.intent_id)},
           {"proposal_id", stored.row.patch_id}}},
      {"inputs",
       Map{{"before_run_id", nullptr},
           {"after_run_id", nullptr},
           {"report_digest", stored.report_sha256.empty() ? Value() : Value(stored.report_sha256)},
           {"canonical_sha256", stored.row.canonical_sha256},
           {"candidate_tree", stored.row.candidate_tree},
           {"stable_patch_id", patch_id}}},
      {"digests", Map{{"verdict", *verdict_document.find("digests")->as_map()->find("verdict")},
                      {"policy", "sha256:" + session.policy_sha256}}},
      {"actor", to_value(actor)},
      {"body", Map{{"proposal_digest", stored.row.digest},
                   {"admission", admission_digest},
                   {"reviews", std::move(reviews)},
                   {"rollback_proven", rollback_proven},
                   {"rollback_kind", rollback_kind(stored.meta)},
                   {"source_gap", stored.meta.source_gap},
                   {"target_ref", stored.row.target_ref},
                   {"author_agent", stored.row.author_agent}}},
      {"meta", Map{{"created_utc", to_string(context.env.now())},
                   {"audit_seq", nullptr},
                   {"tool_version", kVersion}}},
      {"signature", nullptr}};
  GH_TRY(key, read_signing_key(session.repo, session.config.store));
  if (key) GH_DO(runs::sign_receipt(receipt, *key));
  return runs::receipt_record(std::move(receipt));
}

}  // namespace gh::ops
