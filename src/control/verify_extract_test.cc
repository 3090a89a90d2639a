// What is kept of a run for those who verify must say what its report says: the same verification,
// receipt and claims, whatever was changed between two runs.
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/report_view.h"
#include "analysis/test_extract.h"
#include "control/claims.h"
#include "control/receipt_body.h"
#include "control/verify.h"
#include "wire/json.h"

namespace gh::control {
namespace {

using analysis::RunExtract;
using analysis::testing::extract_of;
using analysis::testing::Made;
using Files = std::map<std::string, std::string>;
using Texts = std::vector<std::string>;

const std::string kBefore(64, 'b'), kAfter(64, 'a'), kDigest(64, 'd');
constexpr int kPairs = 150;

/// Sources that have findings of every family, and edits of them. The same ones every time.
class Sources {
 public:
  explicit Sources(unsigned seed) : random_(seed) {}

  Files files() {
    Files out;
    const int count = 4 + below(10);
    for (int i = 0; i < count; ++i)
      out["pkg/m" + std::to_string(i) + ".py"] = text(i, count);
    out["pkg/__init__.py"] = "";
    return out;
  }

  /// The files that are no longer what they were.
  Texts edit(Files& files) {
    Texts out;
    const int edits = 1 + below(3);
    for (int i = 0; i < edits; ++i) {
      const int number = below(static_cast<int>(files.size()) + 1);
      const std::string path = "pkg/m" + std::to_string(number) + ".py";
      const int kind = below(10);
      if (kind == 0)
        files.erase(path);
      else if (kind < 4)
        files[path] = text(number, 8);
      else
        files[path] += unit(number * 100 + below(100), 8);
      out.push_back(path);
    }
    return out;
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  static std::string branches(int count) {
    std::string out;
    for (int i = 0; i < count; ++i)
      out += "    if a == " + std::to_string(i) + ":\n        a = a + " + std::to_string(i) + "\n";
    return out;
  }

  std::string unit(int number, int count) {
    const std::string name = "f" + std::to_string(number);
    std::string out;
    if (below(12) == 0)
      out += below(2) == 0 ? "# gatehouse: ignore[complexity, clone]\n"
                           : "# gatehouse: ignore[dead-code]\n";
    switch (below(8)) {
      case 0:
        return out + "def " + name + "(a):\n" + branches(22 + below(6)) + "    return a\n\n\n";
      case 1:
        return out + "def " + name + "(a):\n" + branches(7) + "    return a\n\n\n";
      case 2:
        return out + "def " + name + "(a):\n    return a\n\n\n";
      case 3:
        return "class C" + std::to_string(number) +
               ":\n    def one(self):\n        self.x = 1\n        return self.x\n\n"
               "    def two(self):\n        self.y = 2\n        return self.y\n\n\n";
      case 4:
        return "from pkg import m" + std::to_string(below(count)) + "\n\n\n";
      case 5:
        return out + "def " + name + "(a):\n" + branches(1 + below(9)) +
               "    return a\n\n\nprint(" + name + "(1))\n\n\n";
      case 6:
        return "import subprocess\nsubprocess.run('" + name + "')\n\n\n";
      default:
        return below(6) == 0 ? "def broken(:\n    x = = 1\n\n\n" : "X" + name + " = 1\n\n\n";
    }
  }

  std::string text(int number, int count) {
    std::string out;
    const int units = 1 + below(6);
    for (int i = 0; i < units; ++i)
      out += unit(number * 100 + i, count);
    return out;
  }

  std::mt19937 random_;
};

VerifyFacts facts_of(const Value& before, const Value& after, const Texts& changed,
                     Strictness strictness) {
  VerifyFacts out;
  out.before =
      RunFacts{.run_id = kBefore, .root = "/r", .report_digest = kDigest, .report = &before};
  out.after = RunFacts{.run_id = kAfter, .root = "/r", .report_digest = kAfter, .report = &after};
  out.after_named = out.evidence_given = true;
  out.intent = VerifyIntent{"intent-1", "active", kDigest, Scope{.allowed_files = {changed[0]}}};
  out.scope = ScopeFacts{};
  out.changed_files = changed;
  out.profile = {.profile = "python_structural", .after_run_required = true, .structural = true};
  out.strictness = strictness;
  return out;
}

std::string told(const Verification& v) {
  return wire::canonical_json(v.payload) + v.reason + v.structural_verdict +
         wire::canonical_json(string_list(v.contract_violations)) +
         wire::canonical_json(string_list(v.abuse_triggers)) + std::to_string(v.regressions) + " " +
         std::to_string(v.improvements) + " " + std::to_string(v.worsened_symbols);
}

std::string receipt(const Value& report, const Texts& changed, const Verification& v) {
  return wire::canonical_json(
      receipt_body({.run_id = kAfter,
                    .root = "/r",
                    .report_digest = kDigest,
                    .report = report,
                    .scope = ReceiptScope{.changed_files = changed, .check_status = "expanded"},
                    .verification = &v}));
}

std::string claimed(const Value& report) {
  std::string out;
  for (const CitedFinding& f : cited_findings(report))
    out += f.id + " " + f.short_id + " " + f.family + " " + f.category + " " + f.novelty +
           (f.is_reached ? " reached\n" : "\n");
  return out;
}

TEST(VerifyOfExtracts, SaysWhatTheWholeReportsSay) {
  std::map<std::string, int> seen;
  for (unsigned seed = 1; seed <= kPairs; ++seed) {
    Sources sources(seed);
    Files files = sources.files();
    Made then(files);
    const Texts changed = sources.edit(files);
    Made now(files);
    RunExtract old_extract = extract_of(then.report), new_extract = extract_of(now.report);
    const Value before = whole_report(std::move(then.report));
    const Value after = whole_report(std::move(now.report));
    const RunExtract::Pair pair = RunExtract::differences(old_extract, new_extract).value();
    for (const Strictness strictness : {Strictness::ci, Strictness::strict, Strictness::relaxed}) {
      const Verification expected = verify(facts_of(before, after, changed, strictness));
      const Verification got = verify(facts_of(pair.before, pair.after, changed, strictness));
      ASSERT_EQ(told(got), told(expected)) << "seed " << seed;
      EXPECT_EQ(receipt(new_extract.findings_in(changed).value(), changed, got),
                receipt(after, changed, expected))
          << "seed " << seed;
      seen[std::string(to_string(expected.status))] += 1;
      seen["regressions"] += expected.regressions > 0;
      seen["improvements"] += expected.improvements > 0;
      seen["worsened"] += expected.worsened_symbols > 0;
    }
    EXPECT_EQ(claimed(new_extract.whole().value()), claimed(after)) << "seed " << seed;
    const auto& gone = analysis::list_in(before, {"meta", "suppressions"});
    seen["suppressions"] += gone != analysis::list_in(after, {"meta", "suppressions"});
    seen["partial"] += !analysis::list_in(after, {"inventory", "files", "partial"}).empty();
  }
  for (const char* what : {"accepted", "violated", "accepted_with_external_changes", "regressions",
                           "improvements", "worsened", "suppressions", "partial"})
    EXPECT_GT(seen[what], 5) << what;
}

}  // namespace
}  // namespace gh::control
