#pragma once
// The files of a submitted proposal (proposals 1). The metadata is found and read first; the diff
// is opened only after it has passed.
#include <optional>
#include <string>

#include "base/error.h"
#include "model/proposal.h"
#include "ops/operation.h"
#include "proposal/finding.h"

namespace gh::ops {

struct Pair {
  std::string stem;  // <patch_id> of the file names; empty when the names carry none
  std::string meta_name, meta;
  std::string diff_file;              // not opened yet
  std::optional<std::string> diff{};  // came along, in no file
  std::optional<std::string> report, signature;
  std::string rebase_of;                          // set by 'proposal rebase' alone
  std::optional<proposal::Finding> fault;         // A1: missing, a link, too large
  std::optional<proposal::Finding> report_fault;  // A1
};

inline constexpr std::string_view kMetaEnd = ".patch.meta.yaml";

/// --out, else patches/ at the top of the work tree.
std::string draft_folder(const Request&, const std::string& root);

/// DIR (or DIR/patches), or --diff with --meta, or for - one JSON object with the texts: diff,
/// meta, report, signature. bad_argument when several pairs lie in the folder and --id does not
/// choose.
Result<Pair> read_pair(const Request&, Context&);

/// PROP_DIFF_MISSING's own question was answered by read_pair; this reads at most `max_bytes` + 1.
Result<std::string> read_diff_of(const Pair&, std::size_t max_bytes);

/// A pair on its way in: written into --out, else patches/ at the top of the work tree.
struct Draft {
  std::string diff_file, meta_file;
  Map document{};  // gatehouse.proposal_draft/1
};
Result<Draft> write_pair(const Request&, const std::string& root, const ProposalMeta&,
                         std::string_view diff, const std::optional<std::string>& report);

}  // namespace gh::ops
