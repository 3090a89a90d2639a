#include "store/seal.h"

#include <array>

#include "base/digest.h"
#include "base/text.h"
#include "store/audit_index.h"
#include "store/proposal_columns.h"
#include "wire/json.h"

namespace gh::store {
namespace {

std::string digest_of_value(const Value& value) {
  return digest_of(wire::canonical_json(value)).hex();
}

struct SingleSeal {
  std::string_view name;
  std::string Seals::*seal;
};
constexpr std::array<SingleSeal, 3> kSingle{{
    {"row", &Seals::row},
    {"files", &Seals::files},
    {"promotion", &Seals::promotion},
}};

struct SealList {
  std::string_view name;
  std::vector<std::string> Seals::*seals;
};
constexpr std::array<SealList, 2> kLists{{
    {"reviews", &Seals::reviews},
    {"admissions", &Seals::admissions},
}};

Seals seals_of(const Change& change, std::string_view patch_id) {
  Seals out;
  if (change.proposal && change.proposal->patch_id == patch_id) {
    out.row = seal_of(*change.proposal);
    if (change.proposal_files) out.files = seal_of(*change.proposal_files);
  }
  for (const ProposalRow& other : change.more_proposals)
    if (other.patch_id == patch_id) out.row = seal_of(other);
  for (const ReviewRow& review : change.reviews)
    if (review.patch_id == patch_id) out.reviews.push_back(seal_of(review));
  if (change.admission && change.admission->patch_id == patch_id)
    out.admissions.push_back(seal_of(*change.admission));
  if (change.promotion && change.promotion->patch_id == patch_id)
    out.promotion = seal_of(*change.promotion);
  return out;
}

Map seals_value(const Seals& seals) {
  Map out;
  for (const SingleSeal& s : kSingle)
    if (!(seals.*s.seal).empty()) out.set(std::string(s.name), seals.*s.seal);
  for (const SealList& s : kLists)
    if (!(seals.*s.seals).empty()) out.set(std::string(s.name), string_list(seals.*s.seals));
  return out;
}

const Map* map_in(const Map& map, std::string_view key) {
  const Value* value = map.find(key);
  return value == nullptr ? nullptr : value->as_map();
}

}  // namespace

std::string seal_of(const ProposalRow& row) { return digest_of_value(row_value(row)); }

std::string seal_of(const std::vector<ProposalFile>& files) {
  List list;
  for (const ProposalFile& f : files)
    list.emplace_back(string_list({f.path, f.op, f.old_mode, f.new_mode, f.old_blob, f.new_blob}));
  return digest_of_value(list);
}

std::string seal_of(const PromotionRow& row) { return digest_of_value(promotion_value(row)); }

std::string seal_of(const ReviewRow& r) {
  return digest_of_value(Map{{"patch_id", r.patch_id},
                             {"reviewer", r.reviewer},
                             {"actor", r.actor},
                             {"digest", r.digest},
                             {"verdict", r.verdict},
                             {"reasons", r.reasons},
                             {"created_utc", r.created_utc},
                             {"sha256", r.sha256}});
}

std::string seal_of(const AdmissionRow& a) {
  return digest_of_value(Map{{"id", a.id},
                             {"patch_id", a.patch_id},
                             {"phase", a.phase},
                             {"decision", a.decision},
                             {"checks", a.checks},
                             {"created_utc", a.created_utc}});
}

std::vector<AuditEvent> sealed_events(const Change& change) {
  std::vector<AuditEvent> out = change.events;
  for (AuditEvent& event : out) {
    Map sealed;
    for (const std::string& patch_id : proposals_named(event.subject))
      if (Map seals = seals_value(seals_of(change, patch_id)); !seals.empty())
        sealed.set(patch_id, std::move(seals));
    if (sealed.empty()) continue;
    if (event.payload.is_null()) event.payload = Map();
    if (Map* payload = event.payload.as_map()) payload->set("sealed", std::move(sealed));
  }
  return out;
}

Seals seals_said(const std::vector<const Value*>& payloads, std::string_view patch_id) {
  Seals out;
  for (const Value* payload : payloads) {
    const Map* const map = payload->as_map();
    const Map* const sealed = map == nullptr ? nullptr : map_in(*map, "sealed");
    const Map* const said = sealed == nullptr ? nullptr : map_in(*sealed, patch_id);
    if (said == nullptr) continue;
    for (const SingleSeal& s : kSingle)
      if (const Value* seal = said->find(s.name); seal != nullptr && seal->as_string() != nullptr)
        out.*s.seal = *seal->as_string();
    for (const SealList& s : kLists)
      if (const Value* list = said->find(s.name); list != nullptr && list->as_list() != nullptr)
        for (const Value& seal : *list->as_list())
          if (seal.as_string() != nullptr) (out.*s.seals).push_back(*seal.as_string());
  }
  return out;
}

}  // namespace gh::store
