#include "report/release_comment.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "report/columns.h"
#include "report/comment_text.h"
#include "report/release_report.h"

namespace gh::report {
namespace {

constexpr std::size_t kMostRows = 5, kMostNotes = 2, kTopFindings = 3;

std::string status_word(const Peek& v) {
  if (v["decision"].exists()) return std::string(v["decision"].text());
  if (v["mode"].text() == "preview") return "preview";
  return v["applicability"].text() == "not_applicable" ? "skipped" : "failed";
}

std::string fail_policy(const Peek& v) {
  const Peek p = v["release_decision"]["fail_policy"];
  std::string severities;
  for (const Value& item : p["fail_on"].list())
    severities += (severities.empty() ? "" : ", ") + std::string(Peek(item).text());
  return fmt::format("Fail policy: {}{}; exit code {}.", p["ci_mode"].text(),
                     severities.empty() ? "" : ", fails on " + severities, p["exit_code"].number());
}

class Comment {
 public:
  explicit Comment(const CommentFacts& facts) : f_(facts), v_(facts.verifier), r_(facts.report) {}

  std::string write() {
    out_ = f_.marker + "\n";
    line("## Gatehouse release gate: " + comment_text(status_word(v_), 40));
    line();
    if (f_.report == nullptr)
      without_report();
    else if (f_.style == CommentStyle::findings)
      findings();
    else
      review();
    artifacts();
    return cut(std::move(out_));
  }

 private:
  void line(std::string_view text = {}) {
    out_ += text;
    out_ += '\n';
  }
  void item(std::string_view text) { line(fmt::format("- {}", text)); }

  static std::string cut(std::string body) {
    if (body.size() <= kMaxComment) return body;
    constexpr std::string_view kDots = "...\n";
    std::size_t at = body.rfind('\n', kMaxComment - kDots.size() - 1);
    body.resize(at + 1);
    return body += kDots;
  }

  void base_lines() {
    line(comment_text(v_["trigger"]["rationale"].text()));
    if (!v_["base_ref"].exists()) return;
    line();
    line(fmt::format("Base {}: {}.", comment_code(v_["base_ref"].text(), 120),
                     comment_text(v_["base_status"].text())));
    std::size_t shown = 0;
    for (const Value& note : v_["base_notes"].list())
      if (shown++ < kMostNotes) item(comment_text(Peek(note).text()));
  }

  void without_report() {
    base_lines();
    line();
    if (v_["mode"].text() == "preview") {
      line("A preview: nothing was scanned.");
    } else if (v_["applicability"].text() == "not_applicable") {
      line("No scan was required for this change.");
    } else {
      line(fmt::format(
          "The verification ended with exit code {}; nothing is known about this change.",
          v_["head_exit_code"].number()));
      if (v_["failure"].exists()) line(comment_text(v_["failure"].text()));
    }
    const Peek next = v_["first_next_action"];
    if (next["command"].exists()) {
      line();
      line(fmt::format("Next: {} {}", comment_code(next["command"].text(), 400),
                       comment_text(next["why"].text())));
    }
    line();
  }

  void head_lines() {
    const Peek d = v_["release_decision"];
    line(fmt::format("**{}** {}", comment_text(d["decision"].text(), 40),
                     comment_text(d["reason"].text())));
  }

  void review() {
    base_lines();
    line();
    head_lines();
    line();
    const Peek c = v_["capability_review"];
    item(fmt::format(
        "Capability changes: +{}, {} modified, -{}", c["capability_changes_added"].number(),
        c["capability_changes_modified"].number(), c["capability_changes_removed"].number()));
    item(fail_policy(v_));
    item(comment_text(v_["headline"].text()));
    line();
    changes(c);
    trust_roots();
    required();
  }

  void changes(const Peek& c) {
    line("### Capability changes");
    line();
    if (c["top_changes"].list().empty()) {
      line("None detected.");
      std::size_t shown = 0;
      for (const Value& note : c["notes"].list())
        if (shown++ < kMostNotes) item(comment_text(Peek(note).text()));
      line();
      return;
    }
    line("| Impact | Change | Subject | Why |");
    line("|---|---|---|---|");
    for (const Value& value : c["top_changes"].list()) {
      const Peek m(value);
      line(fmt::format(
          "| {} | {} {} | {} | {} |", comment_text(m["impact"].text(), 40),
          comment_text(m["subject_kind"].text(), 40), comment_text(m["change_bucket"].text(), 40),
          comment_code(m["subject"].text(), 120), comment_text(m["rationale"].text(), 160)));
    }
    line();
  }

  void trust_roots() {
    const bool weakened = v_["capability_review"]["policy_weakened"].is_true();
    const List& roots = r_["protected_surface_changes"].list();
    if (roots.empty() && !weakened) return;
    line("### Trust-root warnings");
    line();
    std::size_t shown = 0;
    for (const Value& root : roots)
      if (shown++ < kMostRows)
        item(fmt::format("{} ({})", comment_code(Peek(root)["path"].text(), 200),
                         comment_text(Peek(root)["kind"].text(), 40)));
    if (roots.size() > kMostRows) item(fmt::format("and {} more", roots.size() - kMostRows));
    if (weakened) item("**The change weakens the release policy of its base.**");
    item("The gate is not made to pass by suppressing, lowering, accepting or removing it.");
    line();
  }

  void required() {
    const bool warns =
        v_["trust_root_touched"].is_true() || v_["capability_review"]["policy_weakened"].is_true();
    std::vector<std::string> steps;
    if (warns) steps.emplace_back("A person reviews what the change does to the gate itself.");
    const Peek next = v_["first_next_action"];
    if (next["kind"].text() != "none") {
      std::string step =
          fmt::format("{}: {}", next["actor"].text() == "human" ? "Human" : "Coding agent",
                      comment_text(next["why"].text()));
      if (next["command"].exists()) step += " " + comment_code(next["command"].text(), 400);
      steps.push_back(std::move(step));
    }
    for (const Value& blocker : v_["release_decision"]["blockers"].list())
      steps.push_back(fmt::format("{}: {}{}", comment_code(Peek(blocker)["check_id"].text(), 80),
                                  comment_text(Peek(blocker)["title"].text()), place_of(blocker)));
    if (steps.empty()) return;
    line("### Required before merge");
    line();
    for (std::size_t i = 0; i < std::min(steps.size(), kMostRows); ++i)
      line(fmt::format("{}. {}", i + 1, steps[i]));
    line();
  }

  std::string place_of(const Value& reference) const {
    const Peek source = Peek(reference)["source"];
    if (!source["path"].exists()) return {};
    std::string place = place_from_top(source, v_["config"].text());
    if (source["start_line"].exists()) place += fmt::format(":{}", source["start_line"].number());
    return fmt::format(" at {}", comment_code(place, 200));
  }

  void findings() {
    head_lines();
    line();
    const Peek d = v_["release_decision"];
    item(fmt::format("{} blocker(s), {} review item(s)", d["blockers"].list().size(),
                     d["review_items"].list().size()));
    item(fail_policy(v_));
    item(comment_text(v_["headline"].text()));
    const Peek surface = v_["reviewer_summary"]["first_recommended_surface"];
    if (surface.exists())
      item(fmt::format("A reviewer starts at {}: {}", comment_code(surface["path"].text()),
                       comment_text(surface["why"].text())));
    counters("Actions", "action_surface_diff", "actions_added actions_modified actions_removed");
    counters("Tools", "tool_surface_diff", "tools_added tools_changed tools_removed");
    line();
    std::vector<const Value*> top;
    for (const Value& f : r_["findings"].list())
      if (!Peek(f)["suppressed"].is_true() &&
          (Peek(f)["severity"].text() == "critical" || Peek(f)["severity"].text() == "high"))
        top.push_back(&f);
    std::ranges::stable_sort(top, [](const Value* a, const Value* b) {
      const bool a_critical = Peek(a)["severity"].text() == "critical",
                 b_critical = Peek(b)["severity"].text() == "critical";
      if (a_critical != b_critical) return a_critical;
      return Peek(a)["check_id"].text() < Peek(b)["check_id"].text();
    });
    if (top.size() > kTopFindings) top.resize(kTopFindings);
    for (const Value* f : top)
      item(fmt::format("{} {}: {}", comment_text(Peek(f)["severity"].text(), 20),
                       comment_code(Peek(f)["check_id"].text(), 80),
                       comment_text(Peek(f)["title"].text())));
    if (!top.empty()) line();
  }

  void counters(std::string_view name, std::string_view diff, std::string_view keys) {
    const Peek at = r_[diff];
    if (!at["enabled"].is_true()) return item(fmt::format("{}: nothing to compare with", name));
    const auto words = split(keys, ' ');
    item(fmt::format("{}: +{}, {} modified, -{}", name, at["summary"][words[0]].number(),
                     at["summary"][words[1]].number(), at["summary"][words[2]].number()));
  }

  void artifacts() {
    if (v_["artifacts"].map().empty()) return;
    line("### Artifacts");
    line();
    const bool links = f_.style == CommentStyle::capability_review;
    for (const auto& [name, path] : v_["artifacts"].map().entries()) {
      const std::string file(Peek(path).text());
      const bool is_plain = file.find_first_of(" ()<>[]\\`|\n") == std::string::npos &&
                            !file.starts_with('/') && !contains(file, ":");
      item(links && is_plain
               ? fmt::format("[{}]({})", comment_text(name, 60), file)
               : fmt::format("{} {}", comment_text(name, 60), comment_code(file, 300)));
    }
  }

  const CommentFacts& f_;
  Peek v_, r_;
  std::string out_{};
};

}  // namespace

std::string release_comment(const CommentFacts& facts) { return Comment(facts).write(); }

std::string verify_text(const Value& verifier, const Look& look) {
  const Peek v(verifier);
  const std::string_view verdict = v["merge_verdict"].text();
  const Ink ink = verdict == "mergeable" ? Ink::good
                  : verdict == "blocked" ? Ink::bad
                                         : Ink::warning;
  std::string out =
      fmt::format("{}  {}\n", paint(look, ink, verdict), printable(v["headline"].text(), 400));
  if (v["release_decision"].exists())
    out += fmt::format("  {}: {}\n", v["decision"].text(),
                       printable(v["release_decision"]["reason"].text(), 400));
  if (v["trigger"].exists())
    out += fmt::format("  {}\n", printable(v["trigger"]["rationale"].text(), 300));
  if (v["base_ref"].exists())
    out += fmt::format("  base {}: {}\n", printable(v["base_ref"].text(), 200),
                       v["base_status"].text());
  for (const Value& note : v["base_notes"].list())
    out += fmt::format("    {}\n", printable(Peek(note).text(), 400));
  if (v["failure"].exists()) out += fmt::format("  {}\n", printable(v["failure"].text(), 1000));
  const Peek c = v["capability_review"];
  if (v["release_decision"].exists())
    out += fmt::format(
        "  capabilities: +{}, {} modified, -{}{}{}\n", c["capability_changes_added"].number(),
        c["capability_changes_modified"].number(), c["capability_changes_removed"].number(),
        v["trust_root_touched"].is_true() ? "; a trust root was touched" : "",
        c["policy_weakened"].is_true() ? "; the policy was weakened" : "");
  for (const Value& change : c["top_changes"].list())
    out += fmt::format("    {}  {}\n", padded(Peek(change)["impact"].text(), 15),
                       printable(Peek(change)["title"].text(), 200));
  for (const char* list : {"blockers", "review_items"})
    for (const Value& value : v["release_decision"][list].list())
      out +=
          fmt::format("  {}  {}  {}\n", padded(Peek(value)["severity"].text(), 8),
                      Peek(value)["check_id"].text(), printable(Peek(value)["title"].text(), 300));
  const Peek next = v["first_next_action"];
  if (next["kind"].text() != "none")
    out += fmt::format(
        "Next ({}): {}\n", next["actor"].text() == "human" ? "a person" : "the agent",
        next["command"].exists() ? fmt::format("{}\n  {}", printable(next["command"].text(), 600),
                                               printable(next["why"].text(), 400))
                                 : printable(next["why"].text(), 400));
  if (v["artifacts"]["verifier_json"].exists())
    out += fmt::format("Written: {}\n", printable(v["artifacts"]["verifier_json"].text(), 400));
  return out;
}

}  // namespace gh::report
