#include "store/proposal_columns.h"

namespace gh::store {

Value row_value(const ProposalRow& row) {
  Map out;
  for (const ProposalText& column : kProposalTexts)
    out.set(std::string(column.name), row.*column.member);
  out.set("revision", row.revision);
  out.set("docs_only", row.docs_only);
  out.set("added", row.added);
  out.set("deleted", row.deleted);
  out.set("files_n", row.files_n);
  Value body = row.body;
  if (Map* members = body.as_map()) members->erase("plan");
  out.set("body", std::move(body));
  return out;
}

Value promotion_value(const PromotionRow& row) {
  Map out;
  for (const PromotionText& column : kPromotionTexts)
    out.set(std::string(column.name), row.*column.member);
  return out;
}

}  // namespace gh::store
