#include "ops/proposal_mirror.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/members.h"
#include "ops/proposal_record.h"
#include "ops/review_carry.h"
#include "patch/gates.h"
#include "proposal/meta.h"
#include "store/audit_chain.h"
#include "store/proposal_columns.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr int kMirrorTries = 20;
git::Identity mirror_identity() { return {"Gatehouse", "gatehouse@localhost"}; }

store::ProposalRow row_from(const Map& map) {
  store::ProposalRow row;
  for (const store::ProposalText& column : store::kProposalTexts)
    row.*column.member = text_in(map, column.name);
  row.revision = number_in(map, "revision");
  const Value* docs = map.find("docs_only");
  row.docs_only = docs != nullptr && docs->as_bool() != nullptr && *docs->as_bool();
  row.added = number_in(map, "added");
  row.deleted = number_in(map, "deleted");
  row.files_n = number_in(map, "files_n");
  if (const Value* body = map.find("body")) row.body = *body;
  return row;
}

store::PromotionRow promotion_from(const Map& map) {
  store::PromotionRow row;
  for (const store::PromotionText& column : store::kPromotionTexts)
    row.*column.member = text_in(map, column.name);
  return row;
}

struct FileText {
  std::string_view name;
  std::string store::ProposalFile::*member;
};
constexpr std::array<FileText, 6> kFileTexts{{
    {"path", &store::ProposalFile::path},
    {"op", &store::ProposalFile::op},
    {"old_mode", &store::ProposalFile::old_mode},
    {"new_mode", &store::ProposalFile::new_mode},
    {"old_blob", &store::ProposalFile::old_blob},
    {"new_blob", &store::ProposalFile::new_blob},
}};

Value files_value(const std::vector<store::ProposalFile>& files) {
  List out;
  for (const store::ProposalFile& file : files) {
    Map row;
    for (const FileText& column : kFileTexts)
      row.set(std::string(column.name), file.*column.member);
    out.emplace_back(std::move(row));
  }
  return out;
}

std::vector<store::ProposalFile> files_from(const List& list) {
  std::vector<store::ProposalFile> out;
  for (const Value& item : list) {
    store::ProposalFile file;
    for (const FileText& column : kFileTexts)
      file.*column.member = text_in(item, column.name);
    out.push_back(std::move(file));
  }
  return out;
}

std::string line_of(const Value& value) { return wire::canonical_json(value) + "\n"; }

std::string receipt_file(std::string_view digest) {
  const std::string_view hex = digest.substr(digest.find(':') + 1);
  return fmt::format("{}/{}.json", hex.substr(0, 2), hex);
}

std::vector<std::string> receipt_digests(const store::ProposalRow& row) {
  return texts_in(row.body, "receipts");
}

std::optional<ObjectId> position_of(git::Repo& repo, std::string_view ref) {
  const auto commit = repo.objects().commit(ref);
  return commit ? std::optional(commit->id) : std::nullopt;
}

Result<std::vector<git::ImportedCommit>> mirror_commits(ProposalSession& session,
                                                        const std::vector<std::string>& ids,
                                                        Trust trust) {
  git::Repo& repo = session.repo;
  std::vector<git::ImportedCommit> commits;
  git::ImportedCommit records{.ref = std::string(kProposalsRef),
                              .message = "proposals: " + join(ids, " ") + "\n",
                              .parent = position_of(repo, kProposalsRef),
                              .files = {}};
  git::ImportedCommit receipts{.ref = std::string(kReceiptsRef),
                               .message = "receipts of " + join(ids, " ") + "\n",
                               .parent = position_of(repo, kReceiptsRef),
                               .files = {}};
  GH_TRY(audit, audit_copy(repo, *session.ledger, trust));
  audit.ids.insert(ids.begin(), ids.end());
  for (const std::string& id : audit.ids) {
    GH_TRY(record, record_in_ledger(*session.ledger, id));
    if (!record ||
        (record->row.promotion_status == "sandbox" && std::ranges::find(ids, id) == ids.end()))
      continue;
    const std::string folder = mirror_folder(id);
    records.files.push_back({folder, std::nullopt});
    for (git::ImportedFile& file : mirror_files(*record))
      records.files.push_back({folder + "/" + file.path, std::move(file.bytes)});
    for (const auto& [digest, receipt] : record->receipts)
      receipts.files.push_back({receipt_file(digest), line_of(receipt)});
  }
  if (!records.files.empty()) commits.push_back(std::move(records));
  if (!receipts.files.empty()) commits.push_back(std::move(receipts));
  if (audit.commit) commits.push_back(std::move(*audit.commit));
  return commits;
}

Result<std::optional<std::string>> file_at(git::Repo& repo, const ObjectId& tree,
                                           const std::string& path) {
  GH_TRY(entry, patch::find_entry(repo.objects(), tree, path));
  if (!entry || entry->mode == FileMode::tree) return std::nullopt;
  GH_TRY(bytes, repo.objects().blob(entry->id));
  return std::optional(std::move(bytes));
}

tl::unexpected<Error> forged(std::string_view patch_id, std::string_view what) {
  return fail(Code::document_too_large,
              fmt::format("the mirrored record of {} cannot be read: {}", patch_id, what));
}

}  // namespace

std::string mirror_folder(std::string_view patch_id) {
  return fmt::format("{}/{}", patch_id.substr(0, 2), patch_id);
}

Result<std::optional<Record>> record_in_ledger(store::Ledger& ledger, std::string_view patch_id) {
  GH_TRY(row, ledger.proposal(patch_id));
  if (!row) return std::nullopt;
  Record out{.row = std::move(*row)};
  out.seals.row = store::seal_of(out.row);
  GH_TRY(files, ledger.proposal_files(patch_id));
  out.seals.files = store::seal_of(files);
  out.files = std::move(files);
  GH_TRY(submitted, ledger.blob(out.row.diff_sha256));
  GH_TRY(canonical, ledger.blob(out.row.canonical_sha256));
  out.submitted = submitted.value_or("");
  out.canonical = canonical.value_or("");
  const Map* body = out.row.body.as_map();
  if (const std::string report = body == nullptr ? "" : text_in(*body, "report_sha256");
      !report.empty()) {
    GH_TRY(bytes, ledger.blob(report));
    out.report = bytes.value_or("");
  }
  GH_TRY(reviews, ledger.reviews(patch_id));
  for (const store::ReviewRow& review : reviews) {
    out.seals.reviews.push_back(store::seal_of(review));
    GH_TRY(document, ledger.document(review.sha256));
    if (document) out.reviews.push_back(std::move(*document));
  }
  GH_TRY(carries, carry_documents(ledger, out.row));
  out.carries = std::move(carries);
  GH_TRY(admissions, ledger.admissions(patch_id));
  for (const store::AdmissionRow& admission : admissions) {
    out.seals.admissions.push_back(store::seal_of(admission));
    GH_TRY(document, ledger.document(admission.id));
    if (document) out.admissions.push_back(std::move(*document));
  }
  GH_TRY(promotion, ledger.promotion(patch_id));
  if (promotion) out.seals.promotion = store::seal_of(*promotion);
  out.promotion = std::move(promotion);
  for (const std::string& digest : receipt_digests(out.row)) {
    GH_TRY(receipt, ledger.document(digest));
    if (receipt) out.receipts.emplace(digest, std::move(*receipt));
  }
  return out;
}

std::vector<git::ImportedFile> mirror_files(const Record& record) {
  std::vector<git::ImportedFile> files{{"record.json", line_of(store::row_value(record.row))},
                                       {"files.json", line_of(files_value(record.files))},
                                       {"submitted.diff", record.submitted},
                                       {"canonical.diff", record.canonical}};
  const Map* body = record.row.body.as_map();
  if (const Value* meta = body == nullptr ? nullptr : body->find("meta"))
    if (const auto read = proposal::meta_from_document(*meta))
      files.push_back({"meta.yaml", proposal::print_meta(*read)});
  if (record.report) files.push_back({"report.md", *record.report});
  for (std::size_t i = 0; i < record.reviews.size(); ++i)
    files.push_back({fmt::format("reviews/{:03}.json", i + 1), line_of(record.reviews[i])});
  for (std::size_t i = 0; i < record.carries.size(); ++i)
    files.push_back({fmt::format("carried/{:03}.json", i + 1), line_of(record.carries[i])});
  for (std::size_t i = 0; i < record.admissions.size(); ++i)
    files.push_back({fmt::format("admissions/{:03}.json", i + 1), line_of(record.admissions[i])});
  if (record.promotion)
    files.push_back({"promotion.json", line_of(store::promotion_value(*record.promotion))});
  return files;
}

Result<bool> is_exact_copy(git::Repo& repo, const Record& record) {
  const auto commit = repo.objects().commit(kProposalsRef);
  if (!commit) return false;
  GH_TRY(folder,
         patch::find_entry(repo.objects(), commit->tree, mirror_folder(record.row.patch_id)));
  if (!folder || folder->mode != FileMode::tree) return false;
  std::map<std::string, ObjectId> there;
  std::vector<std::pair<std::string, ObjectId>> open{{"", folder->id}};
  while (!open.empty()) {
    const auto [path, id] = std::move(open.back());
    open.pop_back();
    GH_TRY(tree, repo.objects().tree(id));
    for (const TreeEntryView e : tree)
      if (e.mode == FileMode::tree)
        open.emplace_back(path + std::string(e.name) + "/", e.id);
      else
        there.emplace(path + std::string(e.name), e.id);
  }
  const auto wanted = mirror_files(record);
  return there.size() == wanted.size() &&
         std::ranges::all_of(wanted, [&](const git::ImportedFile& file) {
           const auto at = there.find(file.path);
           return at != there.end() &&
                  at->second == ObjectId::of(at->second.kind(), "blob", *file.bytes);
         });
}

Status mirror(ProposalSession& session, Context& context, const std::vector<std::string>& ids,
              Trust trust) {
  for (int i = 0; i < kMirrorTries; ++i) {
    GH_TRY(commits, mirror_commits(session, ids, trust));
    if (commits.empty()) return {};
    GH_TRY(done, session.repo.import_commits(commits, mirror_identity(), context.env.now()));
    if (done == git::RefUpdate::done) return {};
  }
  return fail(Code::conflict, "other processes kept moving refs/gatehouse");
}

Result<std::vector<std::string>> ids_in_refs(git::Repo& repo) {
  std::vector<std::string> ids;
  const auto commit = repo.objects().commit(kProposalsRef);
  if (!commit) return ids;
  GH_TRY(root, repo.objects().tree(commit->tree));
  for (const TreeEntryView letter : root) {
    if (letter.mode != FileMode::tree) continue;
    GH_TRY(folder, repo.objects().tree(letter.id));
    for (const TreeEntryView e : folder)
      ids.emplace_back(e.name);
  }
  std::ranges::sort(ids);
  return ids;
}

Result<std::optional<Record>> record_in_refs(git::Repo& repo, std::string_view patch_id) {
  const auto commit = repo.objects().commit(kProposalsRef);
  if (!commit || patch_id.size() < 3) return std::nullopt;
  const std::string folder = mirror_folder(patch_id);
  GH_TRY(text, file_at(repo, commit->tree, folder + "/record.json"));
  if (!text) return std::nullopt;
  const auto row = wire::read_own_json(*text, "record.json");
  if (!row || row->as_map() == nullptr) return forged(patch_id, "record.json");
  Record out{.row = row_from(*row->as_map())};
  out.seals.row = store::seal_of(out.row);
  if (out.row.patch_id != patch_id || out.row.body.as_map() == nullptr)
    return forged(printable(patch_id, 100), "record.json is of another proposal");
  GH_TRY(files, file_at(repo, commit->tree, folder + "/files.json"));
  if (files) {
    const auto list = wire::read_own_json(*files, "files.json");
    if (!list || list->as_list() == nullptr) return forged(patch_id, "files.json");
    out.files = files_from(*list->as_list());
    out.seals.files = store::seal_of(out.files);
  }
  GH_TRY(submitted, file_at(repo, commit->tree, folder + "/submitted.diff"));
  GH_TRY(canonical, file_at(repo, commit->tree, folder + "/canonical.diff"));
  out.submitted = submitted.value_or("");
  out.canonical = canonical.value_or("");
  GH_TRY(report, file_at(repo, commit->tree, folder + "/report.md"));
  out.report = std::move(report);
  for (const auto& [name, list] :
       {std::pair{"reviews", &out.reviews}, std::pair{"carried", &out.carries},
        std::pair{"admissions", &out.admissions}})
    for (int i = 1;; ++i) {
      const std::string path = fmt::format("{}/{}/{:03}.json", folder, name, i);
      GH_TRY(bytes, file_at(repo, commit->tree, path));
      if (!bytes) break;
      auto document = wire::read_own_json(*bytes, path);
      if (!document) return forged(patch_id, path);
      list->push_back(std::move(*document));
    }
  GH_TRY(promotion, file_at(repo, commit->tree, folder + "/promotion.json"));
  if (promotion) {
    const auto document = wire::read_own_json(*promotion, "promotion.json");
    if (!document || document->as_map() == nullptr) return forged(patch_id, "promotion.json");
    out.promotion = promotion_from(*document->as_map());
    out.seals.promotion = store::seal_of(*out.promotion);
  }
  const auto receipts = repo.objects().commit(kReceiptsRef);
  for (const std::string& digest : receipt_digests(out.row)) {
    if (!receipts) break;
    GH_TRY(bytes, file_at(repo, receipts->tree, receipt_file(digest)));
    auto document = bytes ? wire::read_own_json(*bytes, "receipt")
                          : Result<Value>(fail(Code::json_invalid, ""));
    if (document) out.receipts.emplace(digest, std::move(*document));
  }
  return out;
}

bool same_files(const Record& a, const Record& b) {
  const auto one = mirror_files(a), two = mirror_files(b);
  return std::ranges::equal(one, two, [](const git::ImportedFile& x, const git::ImportedFile& y) {
    return x.path == y.path && x.bytes == y.bytes;
  });
}

}  // namespace gh::ops
