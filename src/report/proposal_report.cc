#include "report/proposal_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "report/columns.h"

namespace gh::report {
namespace {

using proposal::Admission;
using proposal::CheckRow;

gh::Decision decision_of(const Admission& admission) {
  switch (admission.decision) {
    case proposal::Decision::admit:
      return gh::Decision::allow;
    case proposal::Decision::refuse:
    case proposal::Decision::reject:
      return gh::Decision::deny;
    case proposal::Decision::defer:
      break;
  }
  return admission.only_reviews_missing ? gh::Decision::review : gh::Decision::unverified;
}

/// Promotion was asked for what is no longer open.
bool is_decided(const Admission& admission) {
  return std::ranges::any_of(admission.rows, [](const CheckRow& row) {
    return row.finding && row.finding->code == proposal::PropCode::PROP_STATE_INVALID;
  });
}

std::string headline_of(const Admission& admission, const AdmissionContext& context) {
  const auto failed = std::ranges::count_if(
      admission.rows, [](const CheckRow& row) { return row.finding.has_value(); });
  const std::string name =
      printable(context.patch_id.empty() ? "the proposal" : std::string_view(context.patch_id), 60);
  const std::string_view is = context.dry ? "would be" : "is";
  const std::string reasons = fmt::format("{} reason{}", failed, failed == 1 ? "" : "s");
  switch (admission.decision) {
    case proposal::Decision::admit:
      return fmt::format("{} {} admitted", name, is);
    case proposal::Decision::refuse:
      return fmt::format("{} {} refused for {}; repair and {} again", name, is, reasons,
                         context.dry ? "try" : "submit");
    case proposal::Decision::reject:
      if (is_decided(admission))
        return fmt::format("{} stays as it was decided, for {}", name, reasons);
      return fmt::format("{} {} rejected for {}{}", name, is, reasons,
                         context.dry ? "; nothing was kept" : "");
    case proposal::Decision::defer:
      break;
  }
  return fmt::format("{} stays as it is: it is too early for {}", name, reasons);
}

std::string mark(const Look& look, std::optional<bool> ok) {
  if (!ok) return paint(look, Ink::dim, "-");
  return *ok ? paint(look, Ink::good, look.ascii ? "ok" : "✓")
             : paint(look, Ink::bad, look.ascii ? "NO" : "✗");
}

std::string fact(std::string_view name, std::string_view text, const Look& look) {
  if (text.empty()) return {};
  return fmt::format("  {} {}\n", paint(look, Ink::dim, padded(name, 12)), text);
}

Ink ink_of(std::string_view line) {
  if (line.starts_with("diff --git ") || line.starts_with("--- ") || line.starts_with("+++ "))
    return Ink::bold;
  if (line.starts_with("@@")) return Ink::accent;
  if (line.starts_with('+')) return Ink::good;
  return line.starts_with('-') ? Ink::bad : Ink::plain;
}

std::string lines_of(std::string_view name, const std::vector<std::string>& items,
                     const Look& look) {
  std::string out;
  for (const std::string& item : items)
    out += fact(out.empty() ? name : "", clipped(item, 300), look);
  return out;
}

/// Lines as the author broke them, each folded to the width.
std::string notes(std::string_view name, std::string_view text, const Look& look) {
  std::string out;
  for (const std::string_view line : split(text, '\n'))
    if (!line.empty())
      out += fact(out.empty() ? name : "", folded(clipped(line, 4000), look.width - 16, 15), look);
  return out;
}

}  // namespace

Verdict admission_verdict(const Admission& admission, const AdmissionContext& context) {
  Verdict verdict;
  verdict.decision = decision_of(admission);
  verdict.gate = context.gate;
  verdict.headline = printable(headline_of(admission, context), 120);
  for (const char* gate : {"patch", "scope", "structure", "surface", "admission", "landing"}) {
    if (std::string_view(gate) == "admission") {
      verdict.parts.push_back({.gate = gate,
                               .ran = true,
                               .decision = verdict.decision,
                               .status = std::string(to_string(admission.decision))});
    } else {
      const bool is_surface = std::string_view(gate) == "surface";
      verdict.parts.push_back(
          {.gate = gate,
           .why = is_surface ? "not asked of a proposal: 'gatehouse check FILE' asks it of its diff"
                             : "part of the admission"});
    }
  }
  for (const CheckRow& row : admission.rows) {
    if (!row.finding) continue;
    Map evidence{{"check", row.id}};
    for (const auto& [key, value] : row.finding->details.entries())
      evidence.set(key, value);
    verdict.reasons.push_back(
        {.id = std::string(to_string(row.finding->code)),
         .gate = "admission",
         .severity = Severity::error,
         .message = row.finding->message,
         .evidence = std::move(evidence),
         .next = {.kind = "human", .why = std::string(next_step(*row.finding))},
         .context = context.patch_id});
  }
  verdict.repo = context.repo_id;
  verdict.base = context.base;
  verdict.policy_digest = context.policy_digest;
  verdict.input_digest = context.digest;
  return verdict;
}

std::string render_admission(const Admission& admission, const AdmissionContext& context,
                             const Look& look) {
  std::string out;
  for (const CheckRow& row : admission.rows) {
    if (!row.finding) {
      if (look.verbosity > 0) out += fmt::format("{} {}\n", mark(look, row.ok), row.id);
      continue;
    }
    out += fmt::format("{} {} {}\n", mark(look, false), paint(look, Ink::dim, padded(row.id, 3)),
                       paint(look, Ink::bold, to_string(row.finding->code)));
    out += fmt::format("      {}\n", clipped(row.finding->message, 600));
    out += fmt::format("      {} {}\n", paint(look, Ink::dim, "next:"), next_step(*row.finding));
  }
  if (!out.empty()) out += '\n';
  const bool good = admission.decision == proposal::Decision::admit;
  out += fmt::format("{} {}\n", mark(look, good ? std::optional(true) : std::optional(false)),
                     headline_of(admission, context));
  if (good && !context.after.empty()) out += fmt::format("  {}\n", context.after);
  return out;
}

std::string render_proposals(const std::vector<ListedProposal>& rows, std::int64_t total,
                             const Look& look) {
  if (rows.empty()) return "no proposals\n";
  int width = 8;
  for (const ListedProposal& row : rows)
    width = std::min(40, std::max(width, columns(row.patch_id)));
  std::string out =
      paint(look, Ink::dim,
            fmt::format("{}  {}  {}  {:>5}  {:>11}  {}", padded("PROPOSAL", width),
                        padded("STATUS", 9), padded("STATE", 17), "FILES", "LINES", "AUTHOR")) +
      "\n";
  for (const ListedProposal& row : rows) {
    const Ink ink = row.status == "promoted"   ? Ink::good
                    : row.status == "rejected" ? Ink::bad
                                               : Ink::plain;
    out += fmt::format("{}  {}  {}  {:>5}  {:>11}  {}\n", padded(clipped(row.patch_id, 40), width),
                       paint(look, ink, padded(clipped(row.status, 9), 9)),
                       padded(clipped(row.sub_state, 17), 17), row.files,
                       fmt::format("+{} -{}", row.added, row.deleted), clipped(row.author, 40));
  }
  const std::int64_t more = total - std::ssize(rows);
  if (more > 0) out += fmt::format("{} more; --limit and --after show them\n", more);
  return out;
}

std::string render_diff(std::string_view diff, const Look& look) {
  std::string out;
  for (const std::string_view line : split(diff, '\n')) {
    if (line.empty() && line.data() + line.size() == diff.data() + diff.size()) break;
    std::string shown;
    for (const Cell& cell : cells_of(line))
      shown += cell.text;
    out += paint(look, ink_of(line), shown) + "\n";
  }
  return out;
}

std::string render_proposal(const ShownProposal& p, const Look& look) {
  const ProposalMeta& meta = p.meta;
  std::string out = fmt::format(
      "{}  {}{}\n", paint(look, Ink::bold, clipped(meta.patch_id, 100)), clipped(p.status, 40),
      p.sub_state.empty() ? "" : fmt::format(" ({})", clipped(p.sub_state, 40)));
  if (!meta.title.empty()) out += fact("title", clipped(meta.title, 120), look);
  out +=
      fact("author",
           clipped(meta.author_agent, 200) +
               (p.author_actor == "external" ? "  (not registered)"
                                             : "  (signed: " + clipped(p.author_actor, 60) + ")"),
           look);
  out += fact("trust", clipped(meta.trust_level, 40), look);
  out += fact("reviews", clipped(join(p.review_status, ", "), 200), look);
  out += lines_of("", p.review_lines, look);
  out += fact("gap", clipped(meta.source_gap, 130), look);
  out += fact("base", clipped(p.base_commit, 80), look);
  out += fact("tree", clipped(p.candidate_tree, 80), look);
  out += fact("target", clipped(p.target_ref, 100), look);
  out += fact("digest", clipped(p.digest, 80), look);
  out += fact("change",
              fmt::format("+{} -{} in {} file{}{}", p.added, p.deleted, meta.affected_files.size(),
                          meta.affected_files.size() == 1 ? "" : "s",
                          p.docs_only ? ", documentation only" : ""),
              look);
  out += lines_of("files", meta.affected_files, look);
  out += fact("created", clipped(meta.created_utc, 40), look);
  out += fact("received", clipped(p.received, 80), look);
  if (p.revision > 1) out += fact("revision", fmt::to_string(p.revision), look);
  out += fact("commit", clipped(p.promotion_commit, 80), look);
  out += fact("rolled back", clipped(p.rollback_commit, 80), look);
  if (!p.ending.empty()) out += fact("ended", clipped(p.ending, 200), look);
  out += lines_of("supersedes", meta.supersedes, look);
  out += lines_of("similar to", p.similar_to, look);
  out += lines_of("conflicts", p.conflicts, look);
  out += "\nThe author says (claims, not checked by the gate):\n";
  out += lines_of("tests", meta.tests_added, look);
  out += lines_of("commands", meta.commands_run, look);
  out += notes("risk", meta.risk_notes, look);
  out += notes("rollback", meta.rollback_notes, look);
  return out;
}

}  // namespace gh::report
