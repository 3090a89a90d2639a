#include "ops/verify_manifests.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/shell_word.h"
#include "base/sorted.h"
#include "base/text.h"
#include "model/peek.h"
#include "ops/check_scope.h"
#include "ops/release_baseline.h"
#include "ops/verify_change.h"
#include "ops/workspace_files.h"
#include "release/scan.h"
#include "release/standing.h"
#include "report/columns.h"
#include "report/rule_text.h"

namespace gh::ops {
namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t kMaxReasons = 100;

Texts without(const Texts& all, const Texts& taken) {
  Texts out;
  std::ranges::copy_if(all, std::back_inserter(out), [&](const std::string& path) {
    return !std::ranges::binary_search(taken, path);
  });
  return out;
}

/// One manifest on its way through: base, then head compared with it.
class OneManifest {
 public:
  OneManifest(const ManifestQuestion& question, const ManifestPair& pair)
      : q_(question), pair_(pair) {}

  Result<GateAnswer> answer() {
    if (pair_.after.empty())
      return fail(Code::policy_unreadable,
                  fmt::format("the change takes the manifest {} away, so that nobody can tell what "
                              "the agent may do then",
                              printable(pair_.before, 400)));
    GH_DO(read_base());
    auto read = manifest_of(q_.after, pair_.after, q_.root);
    if (!read) {
      Error error = std::move(read.error());
      if (error.next.empty())
        error.next = fmt::format("Mend {} as the change has it; the message names the place.",
                                 printable(pair_.after, 400));
      return tl::make_unexpected(std::move(error));
    }
    const auto loaded = std::move(*read);
    if (!loaded)
      return fail(Code::policy_unreadable,
                  fmt::format("the manifest {} cannot be read", printable(pair_.after, 400)));
    GH_TRY(head, scan_head(*loaded));
    return answer_of(head.document);
  }

 private:
  release::ScanOptions options_for(const LoadedManifest& loaded) const {
    release::ScanOptions out;
    out.today = q_.today;
    out.program = q_.program;
    out.manifest_dir = loaded.folder;
    return out;
  }

  /// A base that cannot be scanned is no reference; then everything in head is new.
  Status read_base() {
    if (pair_.before.empty()) return {};
    auto loaded = manifest_of(q_.before, pair_.before, q_.root);
    if (!loaded || !*loaded) return {};
    packs_ = packs_of(**loaded, pair_.before);
    release::ScanOptions options = options_for(**loaded);
    options.ci_mode = release::CiMode::advisory;
    options.fail_on.emplace();
    options.declares_policy = true;
    const auto files = q_.before.files(folder_in(pair_.before));
    if (auto scanned = release::scan((*loaded)->manifest, *files, options))
      base_ = std::move(scanned->document);
    return take_baseline((*loaded)->manifest);
  }

  /// Accepted findings are those of the base's file: an entry that comes with the change accepts
  /// nothing.
  Status take_baseline(const surface::Manifest& manifest) {
    const std::string path =
        from_top(folder_in(pair_.before), std::string(usual_baseline_name(manifest)));
    auto bytes = q_.before.text(path, kMaxBaseline);
    if (!bytes) return {};
    GH_TRY(baseline, release::read_baseline(*bytes, path));
    const std::string log = audit_log_of(path, manifest);
    baseline_ = release::BaselineFile{std::move(baseline), std::move(*bytes), path,
                                      q_.before.text(log, kMaxBaseline), log};
    return {};
  }

  Result<release::ScanReport> scan_head(const LoadedManifest& loaded) {
    release::ScanOptions options = options_for(loaded);
    options.baseline = baseline_;
    if (base_) options.diff_from = release::DiffReference{"report", "base", *base_};
    for (const std::string& pack : packs_of(loaded, pair_.after))
      packs_.push_back(pack);
    Texts baselines{
        from_top(folder_in(pair_.after), std::string(usual_baseline_name(loaded.manifest)))};
    GH_TRY(change, change_facts({.changed = q_.changed,
                                 .base = &q_.before,
                                 .head = q_.after,
                                 .manifest = pair_.after,
                                 .base_manifest = pair_.before,
                                 .target_branch = q_.target_branch,
                                 .packs = packs_,
                                 .baselines = std::move(baselines)}));
    std::erase_if(change.boundary, [&](const checks::BoundaryFact& fact) {
      return q_.told.contains(fact.place.path);
    });
    options.change = std::move(change);
    const auto files = q_.after.files(folder_in(pair_.after));
    return release::scan(loaded.manifest, *files, options);
  }

  GateAnswer answer_of(const Value& report) const {
    const release::ChangeOutcome outcome =
        release::outcome_of_change(report, base_ ? &*base_ : nullptr);
    const Peek decided = Peek(report)["release_decision"];
    GateAnswer out{.part = {.gate = "surface",
                            .ran = true,
                            .decision = outcome.decision,
                            .status = std::string(decided["decision"].text())}};
    for (const char* kind : {"blockers", "review_items"})
      for (const Value& item : decided[kind].list())
        if (out.reasons.size() < kMaxReasons)
          out.reasons.push_back(
              reason_of(Peek(report), Peek(item), std::string_view(kind) == "blockers",
                        outcome.standing.contains(std::string(Peek(item)["id"].text()))));
    if (decided["decision"].text() == "insufficient_evidence" ||
        (outcome.decision == Decision::unverified && out.reasons.empty()))
      out.reasons.push_back(gap_reason(Peek(report), outcome.decision));
    return out;
  }

  /// Paths of findings about the change are from the top, all others from the manifest's folder.
  std::string place_of(const Peek& source) const {
    const std::string path(source["path"].text());
    if (path.empty()) return pair_.after;
    return source["type"].text() == "changed_file" ? path : from_top(folder_in(pair_.after), path);
  }

  Reason reason_of(const Peek& report, const Peek& item, bool is_blocker, bool stood) const {
    const std::string_view severity = item["severity"].text(), check = item["check_id"].text();
    Reason out{.id = std::string(check),
               .gate = "surface",
               .severity = severity == "critical" || severity == "high" ? Severity::error
                           : severity == "medium"                       ? Severity::warning
                                                                        : Severity::note,
               .message = report::clipped(item["title"].text(), 240),
               .path = place_of(item["source"]),
               .line = item["source"]["start_line"].number(),
               .evidence = Map{{"finding", item["id"].text()},
                               {"severity", severity},
                               {"blocks", is_blocker},
                               {"stands_at_base", stood},
                               {"manifest", utf8_or_escaped(pair_.after)}},
               .identity = std::string(item["fingerprint"].text())};
    if (stood) {
      out.severity = Severity::note;
      out.message = report::clipped(out.message + " (the base has it, too)", 240);
    }
    for (const Value& value : report["findings"].list()) {
      const Peek finding(value);
      if (finding["id"].text() != item["id"].text()) continue;
      out.evidence.set(
          "tool", finding["tool_name"].exists() ? Value(finding["tool_name"].text()) : Value());
      out.next = {.kind = finding["category"].text() == "verify" ? "human" : "command",
                  .command = explanation_of(check),
                  .why = std::string(finding["recommendation"].text())};
      if (out.next.kind == "human") out.next.command.clear();
      break;
    }
    return out;
  }

  /// Of a rule that a policy pack brought along the report knows more than this program.
  std::string explanation_of(std::string_view check) const {
    return report::is_explained(check)
               ? fmt::format("{} explain {}", kProduct, check)
               : fmt::format("{} release scan --config {}", kProduct, path_word(pair_.after));
  }

  Reason gap_reason(const Peek& report, Decision decision) const {
    const Peek decided = report["release_decision"];
    return {.id = "GH-GATE-001",
            .gate = "surface",
            .severity = decision == Decision::unverified ? Severity::error : Severity::note,
            .message = report::clipped(decided["reason"].text(), 240),
            .path = pair_.after,
            .evidence = Map{{"source_warnings", std::ssize(report["source_warnings"].list())},
                            {"low_confidence_tools",
                             decided["evidence_coverage"]["low_confidence_tool_count"].number()}},
            .next = {.kind = "command",
                     .command = fmt::format("{} release scan --config {}", kProduct,
                                            path_word(pair_.after)),
                     .why = "the report names what could not be read; make it readable"},
            .context = "insufficient_evidence"};
  }

  const ManifestQuestion& q_;
  const ManifestPair& pair_;
  std::optional<Value> base_{};
  std::optional<release::BaselineFile> baseline_{};
  Texts packs_{};
};

Texts those_there(VerifySide& side, Texts places) {
  // A stand-alone one is a manifest whatever is in it.
  std::erase_if(places, [&](const std::string& path) {
    return path.ends_with(surface::kEmbeddedName) && !has_manifest_at(side, path);
  });
  sort_unique(places);
  return places;
}

/// One that governs nothing of what is changed says what it said before.
bool is_concerned(const ManifestPair& pair, const Texts& changed) {
  if (pair.before != pair.after) return true;
  const std::string folder = folder_in(pair.after);
  if (folder.empty()) return true;
  return std::ranges::any_of(changed, [&](const std::string& path) {
    return path.starts_with(folder + "/") || checks::trust_root_of(path) != nullptr ||
           checks::is_ci_file(path);
  });
}

void add(GateAnswer& all, GateAnswer one) {
  if (!all.part.ran || one.part.decision > all.part.decision) all.part = one.part;
  std::ranges::move(one.reasons, std::back_inserter(all.reasons));
}

}  // namespace

bool is_manifest_place(std::string_view path) {
  if (path == surface::kEmbeddedName) return true;
  const std::size_t slash = path.rfind('/');
  if (path.substr(slash == path.npos ? 0 : slash + 1) != surface::kStandAloneName) return false;
  if (slash == path.npos) return true;
  return std::ranges::none_of(split(path.substr(0, slash), '/'),
                              [](std::string_view name) { return is_skipped_folder(name); });
}

std::vector<ManifestPair> pair_manifests(const Texts& before, const Texts& after) {
  const Texts gone = without(before, after);
  std::vector<ManifestPair> out;
  for (const std::string& path : after) {
    if (std::ranges::binary_search(before, path))
      out.push_back({path, path});
    else
      out.push_back({gone.size() == 1 ? gone.front() : "", path});
  }
  const bool has_moved = gone.size() == 1 && without(after, before).size() > 0;
  if (!has_moved)
    for (const std::string& path : gone)
      out.push_back({path, ""});
  return out;
}

std::optional<GateAnswer> verify_manifests(const ManifestQuestion& q, std::optional<Code>& fault) {
  const Texts before = those_there(q.before, q.before_places),
              after = those_there(q.after, q.after_places);
  GateAnswer out{.part = {.gate = "surface"}};
  const auto cannot = [&](const Error& error) {
    if (!fault) fault = error.code;
    add(out, undecided("surface", error));
  };
  const auto has = [&](std::string_view name) {
    return std::ranges::binary_search(after, std::string(name));
  };
  if (has(surface::kEmbeddedName) && has(surface::kStandAloneName)) {
    cannot(Error{
        Code::policy_bad_value,
        fmt::format("both {} and the block {} of {} are there; keep one", surface::kStandAloneName,
                    surface::kEmbeddedBlock, surface::kEmbeddedName)});
    return out;
  }
  std::size_t verified = 0;
  for (const ManifestPair& pair : pair_manifests(before, after)) {
    if (!is_concerned(pair, q.changed)) continue;
    if (++verified > kMaxManifests) {
      cannot(Error{Code::document_too_large,
                   fmt::format("the change has to do with more than {} manifests", kMaxManifests)});
      break;
    }
    if (auto answer = OneManifest(q, pair).answer()) {
      add(out, std::move(*answer));
    } else if (pair.after.empty()) {
      add(out, undecided("surface", answer.error()));  // a fact about the change, and no fault
    } else {
      cannot(answer.error());
    }
  }
  return out.part.ran ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace gh::ops
