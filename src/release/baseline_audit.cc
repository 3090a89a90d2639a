#include "release/baseline_audit.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "base/time.h"
#include "model/peek.h"
#include "wire/json.h"

namespace gh::release {
namespace {

constexpr std::string_view kMismatch = "SHIP-BASELINE-INTEGRITY-MISMATCH";
constexpr std::string_view kExpired = "SHIP-BASELINE-ENTRY-EXPIRED";
constexpr std::string_view kStale = "SHIP-BASELINE-ENTRY-STALE";
constexpr std::string_view kAuditSchema = "0.1";
constexpr std::string_view kAuditKeys =
    "audit_schema_version timestamp run_id scanner_version baseline_path hash_before hash_after "
    "added_fingerprints removed_fingerprints";
constexpr std::size_t kAuditKeyCount = 9;

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

Map about(std::string_view kind, const BaselineEntry* entry) {
  Map out{{"kind", kind}};
  if (entry == nullptr) return out;
  out.set("fingerprint", entry->fingerprint);
  out.set("check_id", entry->check_id);
  out.set("tool_name", text_or_null(entry->tool_name));
  return out;
}

std::string_view provenance(const BaselineEntry& entry, std::string_view key) {
  return entry.provenance ? Peek(entry.provenance->find(key)).text() : std::string_view();
}

std::int64_t days_between(std::string_view from, std::string_view to) {
  constexpr std::int64_t kDay = 86'400;
  const auto first = parse_timestamp(fmt::format("{}T00:00:00Z", from));
  const auto last = parse_timestamp(fmt::format("{}T00:00:00Z", to));
  return first && last ? (last->seconds - first->seconds) / kDay : 0;
}

class Auditor {
 public:
  Auditor(const BaselineFile& file, std::string_view today) : file_(file), today_(today) {}

  std::vector<BaselineIssue> run() {
    if (check_file()) check_provenance();
    check_chain();
    for (const BaselineEntry& entry : file_.baseline.entries)
      check_expiry(entry);
    for (const BaselineEntry& entry : file_.baseline.entries)
      check_id(entry);
    return std::move(out_);
  }

 private:
  BaselineIssue& add(std::string_view kind, std::string_view id, FindingSeverity severity,
                     std::string title, const BaselineEntry* entry) {
    out_.push_back({std::string(kind), std::string(id), severity, std::move(title), entry,
                    about(kind, entry)});
    return out_.back();
  }

  BaselineIssue& mismatch(std::string_view kind, std::string title, const BaselineEntry* entry) {
    return add(kind, kMismatch, FindingSeverity::critical, std::move(title), entry);
  }

  /// False when entries cannot be held against the log.
  bool check_file() {
    if (!file_.log || surface::trimmed(*file_.log).empty()) {
      if (file_.baseline.entries.empty()) return false;
      mismatch("missing_audit_log", "The baseline has no audit log", nullptr)
          .evidence.set("audit_log_path", file_.log_path);
      return true;
    }
    auto rows = read_audit_log(*file_.log, file_.log_path);
    if (!rows) {
      BaselineIssue& issue = mismatch("invalid_audit_log", "The audit log cannot be read", nullptr);
      issue.evidence.set("audit_log_path", file_.log_path);
      issue.evidence.set("error", rows.error().message);
      return false;
    }
    rows_ = std::move(*rows);
    if (rows_.back().hash_after != hash_)
      other_hash("The baseline was changed after its last save", rows_.back().hash_after,
                 rows_.back().run_id);
    return true;
  }

  /// File and log can be rewritten together, the chain cannot.
  void check_chain() {
    const auto is_this = [&](const ChainedSave& save) { return save.hash_after == hash_; };
    if (file_.chain.empty() || std::ranges::any_of(file_.chain, is_this)) return;
    other_hash("The baseline is none that the audit chain has seen saved",
               file_.chain.back().hash_after, file_.chain.back().run_id);
  }

  void other_hash(std::string title, const std::string& expected, const std::string& run_id) {
    BaselineIssue& issue = mismatch("hash_mismatch", std::move(title), nullptr);
    issue.evidence.set("expected_hash", expected);
    issue.evidence.set("computed_hash", hash_);
    issue.evidence.set("audit_log_path", file_.log_path);
    issue.evidence.set("latest_audit_run_id", run_id);
  }

  void check_provenance() {
    std::set<std::string> runs;
    for (const AuditRow& row : rows_)
      runs.insert(row.run_id);
    for (const BaselineEntry& entry : file_.baseline.entries) {
      if (!entry.provenance)
        mismatch("legacy_no_provenance",
                 fmt::format("Baseline entry {} has no provenance", entry.fingerprint), &entry);
      else if (!runs.contains(std::string(provenance(entry, "run_id"))))
        mismatch("entry_no_audit",
                 fmt::format("Baseline entry {} was saved by no run of the log", entry.fingerprint),
                 &entry);
    }
  }

  /// The day itself is still valid.
  void check_expiry(const BaselineEntry& entry) {
    const std::string_view expires = provenance(entry, "expires");
    if (expires.empty() || expires >= today_) return;
    BaselineIssue& issue =
        add("entry_expired", kExpired, FindingSeverity::high,
            fmt::format("Baseline entry {} expired on {}", entry.fingerprint, expires), &entry);
    issue.evidence.set("expires", expires);
    issue.evidence.set("days_overdue", days_between(expires, today_));
    issue.evidence.set("reason", text_or_null(provenance(entry, "reason")));
  }

  void check_id(const BaselineEntry& entry) {
    const auto targets = checks::expanded(entry.check_id);
    if (targets.size() < 2) return;
    std::set<std::string> sorted(targets.begin(), targets.end());
    add("deprecated_check_id", kStale, FindingSeverity::low,
        fmt::format("Baseline entry {} has the old id {}", entry.fingerprint, entry.check_id),
        &entry)
        .evidence.set("replacement_check_ids", string_list({sorted.begin(), sorted.end()}));
  }

  const BaselineFile& file_;
  std::string_view today_;
  std::string hash_ = digest_of(file_.bytes).tagged();
  std::vector<AuditRow> rows_;
  std::vector<BaselineIssue> out_;
};

std::vector<std::string> strings_of(const Peek& list) {
  std::vector<std::string> out;
  for (const Value& item : list.list())
    out.emplace_back(Peek(item).text());
  return out;
}

}  // namespace

std::string audit_line(const AuditRow& r) {
  return wire::canonical_json(Map{{"audit_schema_version", kAuditSchema},
                                  {"timestamp", r.timestamp},
                                  {"run_id", r.run_id},
                                  {"scanner_version", r.scanner_version},
                                  {"baseline_path", r.baseline_path},
                                  {"hash_before", text_or_null(r.hash_before)},
                                  {"hash_after", r.hash_after},
                                  {"added_fingerprints", string_list(r.added)},
                                  {"removed_fingerprints", string_list(r.removed)}});
}

Result<std::vector<AuditRow>> read_audit_log(std::string_view text, std::string_view name) {
  std::vector<AuditRow> out;
  for (const std::string_view line : split(text, '\n')) {
    if (surface::trimmed(line).empty()) continue;
    GH_TRY(row, wire::read_json(line, name));
    const Map* map = row.as_map();
    const bool is_known = map != nullptr && map->size() == kAuditKeyCount &&
                          std::ranges::all_of(map->entries(), [](const auto& entry) {
                            return surface::is_one_of(entry.first, kAuditKeys);
                          });
    if (!is_known)
      return fail(Code::json_invalid, fmt::format("{}: a line has other keys than a save", name));
    const Peek at(row);
    out.push_back({std::string(at["timestamp"].text()), std::string(at["run_id"].text()),
                   std::string(at["scanner_version"].text()),
                   std::string(at["baseline_path"].text()), std::string(at["hash_before"].text()),
                   std::string(at["hash_after"].text()), strings_of(at["added_fingerprints"]),
                   strings_of(at["removed_fingerprints"])});
  }
  return out;
}

std::vector<BaselineIssue> baseline_issues(const BaselineFile& file, std::string_view today) {
  return Auditor(file, today).run();
}

std::vector<BaselineIssue> resolved_issues(const BaselineFile& file, const Findings& findings) {
  std::set<std::string> present;
  for (const GatedFinding& g : findings) {
    present.insert(g.fingerprint);
    for (std::string& other : other_fingerprints(g.finding))
      present.insert(std::move(other));
  }
  std::vector<BaselineIssue> out;
  const auto is_accepting = [&](const BaselineEntry& entry) {
    return std::ranges::any_of(
        findings, [&](const GatedFinding& g) { return accepts_by_alias(entry, g.finding); });
  };
  for (const BaselineEntry& entry : file.baseline.entries)
    if (!present.contains(entry.fingerprint) && !is_accepting(entry))
      out.push_back({"resolved_not_pruned", std::string(kStale), FindingSeverity::low,
                     fmt::format("Baseline entry {} matches nothing any more", entry.fingerprint),
                     &entry, about("resolved_not_pruned", &entry)});
  std::ranges::sort(out, {}, [](const BaselineIssue& i) { return i.entry->fingerprint; });
  return out;
}

std::vector<Finding> integrity_findings(const std::vector<BaselineIssue>& issues, bool strict) {
  std::vector<Finding> out;
  for (const BaselineIssue& issue : issues) {
    const checks::Check* check = checks::find_check(issue.check_id);
    Finding f;
    f.check_id = issue.check_id;
    f.title = issue.title;
    f.severity = issue.severity;
    f.category = "baseline";
    f.evidence = issue.evidence;
    f.confidence = Confidence::high;
    f.source = checks::FindingSource{"baseline"};
    f.recommendation = check != nullptr ? std::string(check->recommendation) : "";
    f.blocks_release = strict && issue.check_id == kMismatch;
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace gh::release
