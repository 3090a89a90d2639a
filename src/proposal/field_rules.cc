// Field rules of proposals 2.1 and the rows of 3.8 that no other file holds.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/sorted.h"
#include "base/text.h"
#include "policy/path_rules.h"
#include "proposal/rules.h"
#include "proposal/words.h"

namespace gh::proposal {
namespace {

constexpr std::int64_t kClockSkewSeconds = 300, kDaySeconds = 86'400;

void add(std::vector<Finding>& out, std::optional<Finding> finding) {
  if (finding) out.push_back(*std::move(finding));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_alnum(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); }

// ------------------------------------------------------------------------------- author and gap

bool is_author_part(std::string_view part) {
  return !part.empty() && trimmed(part) == part && printable(part, 200) == part;
}

std::optional<Finding> author_finding(const ProposalMeta& meta) {
  const auto defect = author_defect(meta.author_agent);
  return defect ? std::optional(Finding{PropCode::PROP_AUTHOR_INVALID, *defect}) : std::nullopt;
}

bool is_gap(std::string_view gap) {
  if (gap.starts_with("kb:")) return gap.size() > 3 && std::ranges::all_of(gap.substr(3), is_digit);
  const auto is_part = [](char c) {
    return is_ascii_alnum(c) || contains("._:/#-", std::string_view(&c, 1));
  };
  return gap.size() >= 2 && gap.size() <= 128 && is_ascii_alnum(gap[0]) &&
         std::ranges::all_of(gap, is_part);
}

std::optional<Finding> gap_finding(const ProposalMeta& meta, const policy::ProposalPolicy& policy) {
  const std::string& gap = meta.source_gap;
  if (!is_gap(gap) || gap.size() > 128)
    return Finding{PropCode::PROP_GAP_INVALID,
                   fmt::format("source_gap '{}' is neither kb:<digits> nor an identifier",
                               printable(gap, 80))};
  const bool known = policy.gap_registry.empty() ||
                     std::ranges::find(policy.gap_registry, gap) != policy.gap_registry.end();
  if (known) return {};
  return Finding{PropCode::PROP_GAP_UNKNOWN,
                 fmt::format("source_gap '{}' is not in the gap registry", gap)};
}

// ----------------------------------------------------------------------------------------- time

/// YYYY-MM-DDThh:mm:ss[.fff]Z; what parse_timestamp takes beyond that is refused.
std::optional<Timestamp> contract_time(std::string_view text) {
  const bool plain = text.size() == 20;
  const bool with_fraction = text.size() == 24 && text[19] == '.';
  if (!text.ends_with('Z') || !(plain || with_fraction)) return {};
  const auto time = parse_timestamp(text);
  if (!time) return {};
  return *time;
}

void add_time_findings(std::vector<Finding>& out, const AdmissionFacts& facts) {
  const std::string& text = facts.meta->created_utc;
  const auto created = contract_time(text);
  if (!created) {
    out.push_back({PropCode::PROP_TIME_INVALID,
                   fmt::format("created_utc '{}' is no time of the form YYYY-MM-DDThh:mm:ss[.fff]Z",
                               printable(text, 60))});
    return;
  }
  if (created->seconds > facts.now.seconds + kClockSkewSeconds)
    out.push_back(
        {PropCode::PROP_TIME_FUTURE, fmt::format("created_utc {} is more than {} s ahead of {}",
                                                 text, kClockSkewSeconds, to_string(facts.now))});
  const bool is_old =
      facts.now.seconds - created->seconds > facts.policy.max_age_days * kDaySeconds;
  if (facts.phase == Phase::submit && is_old)
    out.push_back({PropCode::PROP_EXPIRED, fmt::format("created_utc {} is more than {} days ago",
                                                       text, facts.policy.max_age_days)});
  if (facts.base.commit_time && *created < *facts.base.commit_time)
    out.push_back({PropCode::PROP_TIME_BEFORE_BASE,
                   fmt::format("created_utc {} is before the base commit of {}", text,
                               to_string(*facts.base.commit_time))});
}

// ------------------------------------------------------------------------------ other proposals

const Other* named(const AdmissionFacts& facts, const std::string& id) {
  const auto it = std::ranges::find(facts.named, id, &Other::patch_id);
  return it == facts.named.end() ? nullptr : &*it;
}

std::optional<std::string> supersedes_defect(const AdmissionFacts& facts, const std::string& id) {
  const Other* other = named(facts, id);
  if (other == nullptr) return "does not exist";
  if (other->author_agent != facts.meta->author_agent ||
      other->author_actor != facts.signature.signer.value_or(std::string(kExternal)))
    return "is by another author";
  if (other->target_ref != facts.target_ref) return "aims at another target";
  if (other->status == PromotionStatus::promoted) return "is promoted";
  return {};
}

/// Whether `from` leads back to the proposal itself. The facts hold what can be reached.
bool leads_back(const AdmissionFacts& facts, const std::string& from) {
  std::set<std::string> seen;
  std::vector<std::string> open{from};
  while (!open.empty()) {
    const std::string id = std::move(open.back());
    open.pop_back();
    if (id == facts.meta->patch_id) return true;
    if (!seen.insert(id).second) continue;
    if (const Other* other = named(facts, id))
      open.insert(open.end(), other->depends_on.begin(), other->depends_on.end());
  }
  return false;
}

std::optional<std::string> depends_defect(const AdmissionFacts& facts, const std::string& id) {
  if (leads_back(facts, id)) return "depends on this proposal";
  if (named(facts, id) == nullptr) return "does not exist";
  return {};
}

using Defect = std::optional<std::string> (*)(const AdmissionFacts&, const std::string&);

std::optional<Finding> relation_finding(const AdmissionFacts& facts, PropCode code,
                                        std::string_view field, const std::vector<std::string>& ids,
                                        Defect defect) {
  for (const std::string& id : ids)
    if (const auto why = defect(facts, id))
      return Finding{code, fmt::format("{}: '{}' {}", field, printable(id, 100), *why),
                     Map{{"patch_id", id}}};
  return {};
}

// ---------------------------------------------------------------------------------------- files

std::optional<std::string> list_defect(const AdmissionFacts& facts) {
  const auto& files = facts.meta->affected_files;
  if (files.empty()) return "affected_files is empty";
  std::set<std::string> seen;
  for (const std::string& path : files) {
    if (const auto broken = policy::path_defect(path, facts.patch_policy.windows_rules))
      return broken->message;
    if (!seen.insert(path).second) return fmt::format("{} is listed twice", printable(path, 80));
  }
  return {};
}

std::vector<std::string> only_in(const std::vector<std::string>& sorted,
                                 const std::vector<std::string>& without) {
  std::vector<std::string> out;
  std::ranges::set_difference(sorted, without, std::back_inserter(out));
  return out;
}

std::string named(std::string_view what, std::vector<std::string> paths) {
  if (paths.empty()) return "";
  const std::size_t count = paths.size();
  if (count > 5) paths.resize(5);
  for (std::string& path : paths)
    path = printable(path, 120);
  return fmt::format("; {}: {}{}", what, join(paths, ", "), count > 5 ? ", …" : "");
}

std::optional<Finding> mismatch_finding(const AdmissionFacts& facts) {
  const std::vector<std::string> actual = paths_of(*facts.patch);
  std::vector<std::string> listed = facts.meta->affected_files;
  sort_unique(listed);
  const auto missing = only_in(actual, listed), extra = only_in(listed, actual);
  if (missing.empty() && extra.empty()) return {};
  return Finding{PropCode::PROP_FILES_MISMATCH,
                 fmt::format("affected_files is not what the diff touches{}{}",
                             named("missing", missing), named("extra", extra)),
                 Map{{"missing", string_list(missing)}, {"extra", string_list(extra)}}};
}

}  // namespace

std::optional<std::string> author_defect(std::string_view author) {
  constexpr std::string_view kSlash = " / ";
  const std::size_t at = author.find(kSlash);
  const bool two_parts = at != author.npos && author.find(kSlash, at + 1) == author.npos;
  if (two_parts && characters(author) <= 200 && is_author_part(author.substr(0, at)) &&
      is_author_part(author.substr(at + kSlash.size())))
    return {};
  return fmt::format(
      "author_agent '{}' is not '<model> / <role>' of at most 200 printable characters",
      printable(author, 80));
}

std::vector<std::string> paths_of(const diff::Patch& patch) {
  std::set<std::string> paths;
  for (const diff::Section& s : patch.sections) {
    paths.insert(s.old_path);
    paths.insert(s.new_path);
  }
  return {paths.begin(), paths.end()};
}

Findings check_files(const AdmissionFacts& facts) {
  std::vector<Finding> out;
  if (const auto why = list_defect(facts)) out.push_back({PropCode::PROP_FILES_INVALID, *why});
  if (facts.patch == nullptr && out.empty()) return {};
  if (facts.patch != nullptr) add(out, mismatch_finding(facts));
  return out;
}

Findings check_fields(const AdmissionFacts& facts) {
  const ProposalMeta& meta = *facts.meta;
  std::vector<Finding> out;
  add(out, risk_finding(meta, facts.policy));
  add(out, rollback_finding(meta, is_docs_only(facts)));
  add(out, author_finding(meta));
  add(out, gap_finding(meta, facts.policy));
  add_time_findings(out, facts);
  add(out, relation_finding(facts, PropCode::PROP_SUPERSEDES_INVALID, "supersedes", meta.supersedes,
                            supersedes_defect));
  add(out, relation_finding(facts, PropCode::PROP_DEPENDS_INVALID, "depends_on", meta.depends_on,
                            depends_defect));
  return out;
}

}  // namespace gh::proposal
