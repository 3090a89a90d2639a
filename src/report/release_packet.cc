#include "report/release_packet.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/data.h"
#include "base/product.h"
#include "base/text.h"
#include "model/peek.h"
#include "report/page.h"
#include "wire/markdown.h"

namespace gh::report {
namespace {

using Texts = std::vector<std::string>;
using Rows = std::vector<Texts>;
using pdf::Tone;

constexpr std::size_t kMaxCell = 2000;

std::string joined(const Peek& list) {
  Texts out;
  for (const Value& item : list.list())
    out.emplace_back(Peek(item).text());
  return join(out, ", ");
}

std::string yes_or_no(const Peek& value) { return value.is_true() ? "yes" : "no"; }

std::string text(const Peek& value) { return std::string(value.text()); }

std::string place_of(const Peek& source) {
  std::string out = text(source["path"].exists() ? source["path"] : source["ref"]);
  if (source["start_line"].number() > 0) out += fmt::format(":{}", source["start_line"].number());
  return out;
}

Tone tone_of(std::string_view decision) {
  if (decision == "passed") return Tone::good;
  return decision == "blocked" ? Tone::bad : Tone::warning;
}

/// Collects the blocks of one page.
class Page {
 public:
  explicit Page(const Value& packet) : packet_(packet) {}

  pdf::Document made() {
    head();
    decision();
    matrix();
    intent();
    high_risk();
    diffs();
    coverage("4", "Approval coverage", "approval_coverage");
    coverage("5", "Idempotency", "idempotency_risk");
    scopes();
    human();
    scenarios();
    unproven();
    const std::string name = text(packet_["agent"]["name"]);
    return {fmt::format("Release packet: {}", name),
            fmt::format("Release evidence packet, {}", name),
            fmt::format("Run {}", text(packet_["run_id"])), text(packet_["generated_at"]),
            std::move(blocks_)};
  }

 private:
  void add(pdf::Block block) { blocks_.push_back(std::move(block)); }
  void say(std::string sentence, Tone tone = Tone::plain) {
    add(pdf::Paragraph{std::move(sentence), tone});
  }
  void section(std::string_view number, std::string_view title, const Peek& part) {
    add(pdf::Heading{2, fmt::format("{}{}{}", number, number.empty() ? "" : ". ", title)});
    if (part["status"].exists()) say(fmt::format("Status: {}", text(part["status"])), Tone::muted);
  }
  void table(std::vector<pdf::Column> columns, Rows rows, std::string_view when_empty = "None.") {
    if (rows.empty())
      say(std::string(when_empty), Tone::muted);
    else
      add(pdf::Table{std::move(columns), std::move(rows)});
  }
  void bullets(const Peek& list) {
    Texts out;
    for (const Value& item : list.list())
      out.emplace_back(Peek(item).text());
    if (!out.empty()) add(pdf::Bullets{std::move(out)});
  }
  void findings(std::string_view title, const Peek& list, std::string_view when_empty = "None.") {
    add(pdf::Heading{3, std::string(title)});
    Rows rows;
    for (const Value& value : list.list()) {
      const Peek f(value);
      std::string what = text(f["title"]);
      if (f["baseline_status"].text() == "matched") what += " (accepted in the baseline)";
      rows.push_back({text(f["severity"]), text(f["check_id"]), std::move(what),
                      place_of(f["source"]), text(f["id"])});
    }
    table({{"Severity", 3}, {"Check", 6, true}, {"What", 7}, {"Where", 5, true}, {"Id", 7, true}},
          std::move(rows), when_empty);
  }

  void head() {
    add(pdf::Heading{1, fmt::format("Release packet: {}", text(packet_["agent"]["name"]))});
    const Peek d = packet_["release_decision"];
    add(pdf::Banner{text(d["verdict"]), text(d["reason"]), tone_of(d["decision"].text())});
    say(fmt::format("Project {}, target {}, run {}.", text(packet_["project"]["name"]),
                    text(packet_["environment"]["target"]), text(packet_["run_id"])),
        Tone::muted);
  }

  void decision() {
    const Peek d = packet_["release_decision"], policy = d["fail_policy"],
               coverage = d["evidence_coverage"], delta = d["baseline_delta"];
    section("1", "Release decision", d);
    table({{"Fact", 2}, {"Value", 5}},
          {{"Decision", text(d["decision"])},
           {"CI behaviour", fmt::format("mode {}, {} CI, exit code {}", text(policy["ci_mode"]),
                                        policy["would_fail_ci"].is_true() ? "fails" : "passes",
                                        policy["exit_code"].number())},
           {"Evidence",
            fmt::format("{}; {} low-confidence tools, {} source warnings", text(coverage["level"]),
                        coverage["low_confidence_tool_count"].number(),
                        coverage["source_warning_count"].number())},
           {"Baseline",
            delta["enabled"].is_true()
                ? fmt::format("{} accepted, {} new, {} resolved", delta["matched_count"].number(),
                              delta["new_count"].number(), delta["resolved_count"].number())
                : std::string("none")}});
    findings("What blocks", d["blockers"], "Nothing blocks.");
    findings("What a person reviews", d["review_items"], "Nothing is left to review.");
  }

  void matrix() {
    const Peek m = packet_["evidence_matrix"];
    section("", "Evidence matrix", m);
    Rows rows;
    for (const Value& value : m["rows"].list()) {
      const Peek r(value);
      rows.push_back({text(r["domain"]), text(r["evidence_present"]), text(r["confidence"]),
                      joined(r["missing_controls"]),
                      fmt::format("{} / {}", r["blocking_findings"].list().size(),
                                  r["review_items"].list().size())});
    }
    table({{"Domain", 4},
           {"Evidence", 3},
           {"Confidence", 3},
           {"Open checks", 7, true},
           {"Block / review", 3}},
          std::move(rows));
    bullets(m["notes"]);
  }

  void intent() {
    const Peek i = packet_["capability_intent"];
    section("2", "Declared intent and tools", i);
    Rows rows;
    for (const Value& value : i["rows"].list()) {
      const Peek r(value);
      rows.push_back(
          {text(r["label"]), text(r["declared"]), text(r["observed"]), yes_or_no(r["divergent"])});
    }
    table({{"What", 3}, {"Declared", 6}, {"Tools outside of it", 5}, {"Divergent", 2}},
          std::move(rows));
    findings("Where they part", i["divergence_findings"]);
  }

  void high_risk() {
    const Peek h = packet_["high_risk_surface"];
    section("3", "High-risk tools", h);
    say(fmt::format("{} of {} tools.", h["high_risk_count"].number(), h["total_tools"].number()));
    Rows rows;
    for (const Value& value : h["tools"].list()) {
      const Peek t(value);
      rows.push_back({text(t["name"]), text(t["source_type"]), joined(t["risk_tags"]),
                      yes_or_no(t["has_approval_policy"]), yes_or_no(t["has_idempotency_policy"])});
    }
    table({{"Tool", 5, true}, {"Source", 2}, {"Risk", 5}, {"Approval", 2}, {"Idempotency", 2}},
          std::move(rows));
  }

  void diff_of(std::string_view number, std::string_view title, std::string_view key) {
    const Peek d = packet_[key];
    section(number, title, d);
    say(d["enabled"].is_true() ? fmt::format("Compared with a {}.", text(d["base_kind"]))
                               : std::string("Nothing to compare with."),
        Tone::muted);
    Rows rows;
    for (const auto& [name, count] : d["summary"].map().entries())
      if (Peek(count).number() > 0) rows.push_back({name, fmt::format("{}", Peek(count).number())});
    if (!rows.empty()) table({{"What", 4}, {"Count", 1}}, std::move(rows));
    bullets(d["highlights"]);
    bullets(d["blocking_reasons"]);
    if (!d["enabled"].is_true()) bullets(d["notes"]);
  }

  void diffs() {
    diff_of("3A", "What changed in the tools", "tool_surface_diff");
    diff_of("3B", "What changed in the actions", "action_surface_diff");
  }

  void coverage(std::string_view number, std::string_view title, std::string_view key) {
    const Peek c = packet_[key];
    section(number, title, c);
    if (c["retry_policy_declared"].exists())
      say(fmt::format("A retry policy is declared: {}.", yes_or_no(c["retry_policy_declared"])));
    Rows rows;
    for (const Value& value : c["rows"].list()) {
      const Peek r(value);
      rows.push_back({text(r["tool"]), yes_or_no(r["declared"]), text(r["source"]),
                      joined(r["gap_finding_ids"])});
    }
    table({{"Tool", 5, true}, {"Declared", 2}, {"Where", 3}, {"Gaps", 5, true}}, std::move(rows),
          "No tool is declared or flagged.");
    findings("Gaps", c["gap_findings"]);
  }

  void scopes() {
    const Peek s = packet_["scope_coverage"];
    section("6", "Scopes", s);
    Rows rows;
    for (const Value& value : s["rows"].list()) {
      const Peek r(value);
      rows.push_back({text(r["scope"]), yes_or_no(r["declared"]), joined(r["used_by_tools"])});
    }
    table({{"Scope", 4, true}, {"Declared", 2}, {"Used by", 6, true}}, std::move(rows));
    const std::string unused = joined(s["unused_declared"]),
                      missing = joined(s["missing_declared"]);
    if (!unused.empty()) say("Declared and unused: " + unused);
    if (!missing.empty()) say("Needed and not declared: " + missing);
    findings("Gaps", s["gap_findings"]);
    const Peek memory = packet_["memory_isolation"];
    section("7", "Memory isolation", memory);
    bullets(memory["notes"]);
  }

  void human() {
    const Peek h = packet_["human_in_the_loop"];
    section("8", "People in the loop", h);
    table({{"Fact", 3}, {"Value", 6}},
          {{"Configured", yes_or_no(h["is_configured"])},
           {"Review recommended", yes_or_no(h["human_review_recommended"])},
           {"Approval for", joined(h["approval_required_tools"])},
           {"Confirmation for", joined(h["confirmation_required_tools"])},
           {"Known from", text(h["provenance_mode"])}});
    Rows rows;
    for (const Value& value : h["source_provenance"].list()) {
      const Peek r(value);
      rows.push_back({text(r["type"]), text(r["ref"]), text(r["status"]), text(r["detail"])});
    }
    if (!rows.empty())
      table({{"Evidence", 3}, {"File", 4, true}, {"State", 3}, {"Detail", 5}}, std::move(rows));
    findings("Findings", h["trace_findings"]);
    say(text(h["runtime_control_disclaimer"]), Tone::muted);
  }

  void scenarios() {
    const Peek d = packet_["dynamic_scenarios"];
    section("9", "To be shown at run time", d);
    Rows rows;
    for (const Value& value : d["scenarios"].list())
      rows.push_back({text(Peek(value)["scenario"]), text(Peek(value)["why"]),
                      joined(Peek(value)["finding_ids"])});
    table({{"Scenario", 6}, {"Why", 5}, {"Findings", 4, true}}, std::move(rows));
  }

  void unproven() {
    const Peek n = packet_["not_proven"];
    section("10", "Not proven", n);
    say(text(n["headline"]));
    Rows rows;
    for (const Value& value : n["unconditional"].list())
      rows.push_back({text(Peek(value)["label"]), text(Peek(value)["detail"])});
    table({{"What", 3}, {"Which means", 6}}, std::move(rows));
    for (const auto& [title, key] : {std::pair{"Warnings of sources", "source_warnings"},
                                     std::pair{"Tools read with doubt", "low_confidence_tools"},
                                     std::pair{"Suppressed findings", "suppressed_finding_ids"},
                                     std::pair{"Further", "additional_residuals"}}) {
      if (n[key].list().empty()) continue;
      add(pdf::Heading{3, title});
      bullets(n[key]);
    }
  }

  const Peek packet_;
  std::vector<pdf::Block> blocks_;
};

constexpr std::array<std::string_view, 5> kTones{"plain", "good", "warning", "bad", "muted"};
std::string_view class_of(Tone tone) { return kTones[static_cast<std::size_t>(tone)]; }

/// A block as Markdown.
struct Markdown {
  std::string operator()(const pdf::Heading& b) const {
    return fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(b.level), '#'),
                       wire::md_text(b.text));
  }
  std::string operator()(const pdf::Paragraph& b) const {
    return wire::md_text(b.text, kMaxCell) + "\n\n";
  }
  std::string operator()(const pdf::Bullets& b) const {
    std::string out;
    for (const std::string& item : b.items)
      out += fmt::format("- {}\n", wire::md_text(item, kMaxCell));
    return out + "\n";
  }
  std::string operator()(const pdf::Preformatted& b) const {
    return wire::md_code(b.text, kMaxCell) + "\n\n";
  }
  std::string operator()(const pdf::Banner& b) const {
    return fmt::format("**{}** {}\n\n", wire::md_text(b.word), wire::md_text(b.text, kMaxCell));
  }
  std::string operator()(const pdf::Table& b) const {
    std::string out = "|", line = "|";
    for (const pdf::Column& column : b.columns) {
      out += fmt::format(" {} |", wire::md_text(column.title));
      line += "---|";
    }
    out += "\n" + line + "\n";
    for (const Texts& row : b.rows) {
      out += '|';
      for (std::size_t i = 0; i < b.columns.size(); ++i)
        out += fmt::format(" {} |", i < row.size() ? wire::md_text(row[i], kMaxCell) : "");
      out += '\n';
    }
    return out + "\n";
  }
};

/// A block as HTML.
struct Html {
  std::string operator()(const pdf::Heading& b) const {
    return fmt::format("<h{0}>{1}</h{0}>", b.level, html(b.text));
  }
  std::string operator()(const pdf::Paragraph& b) const {
    return fmt::format("<p class='{}'>{}</p>", class_of(b.tone), html(b.text, kMaxCell));
  }
  std::string operator()(const pdf::Bullets& b) const {
    std::string out = "<ul>";
    for (const std::string& item : b.items)
      out += fmt::format("<li>{}</li>", html(item, kMaxCell));
    return out + "</ul>";
  }
  std::string operator()(const pdf::Preformatted& b) const {
    return fmt::format("<pre>{}</pre>", html(b.text, kMaxCell));
  }
  std::string operator()(const pdf::Banner& b) const {
    return fmt::format("<p class='banner {}'><b>{}</b> {}</p>", class_of(b.tone), html(b.word),
                       html(b.text, kMaxCell));
  }
  std::string operator()(const pdf::Table& b) const {
    // On a phone the cells of a wide row stand below each other, each with its title.
    const bool is_wide = b.columns.size() > 2;
    std::string out =
        fmt::format("<div class='scroll'><table{}><thead><tr>", is_wide ? " class='wide'" : "");
    for (const pdf::Column& column : b.columns)
      out += fmt::format("<th scope='col'>{}</th>", html(column.title));
    out += "</tr></thead><tbody>";
    for (const Texts& row : b.rows) {
      out += "<tr>";
      for (std::size_t i = 0; i < b.columns.size(); ++i) {
        const std::string cell = i < row.size() ? html(row[i], kMaxCell) : "";
        const std::string title =
            is_wide ? fmt::format(" data-title='{}'", html(b.columns[i].title)) : "";
        const bool is_code = b.columns[i].is_code && !cell.empty();
        out += fmt::format("<td{}>{}{}{}</td>", title, is_code ? "<code>" : "", cell,
                           is_code ? "</code>" : "");
      }
      out += "</tr>";
    }
    return out + "</tbody></table></div>";
  }
};

}  // namespace

pdf::Document packet_page(const Value& packet) { return Page(packet).made(); }

std::string page_markdown(const pdf::Document& page) {
  std::string out;
  for (const pdf::Block& block : page.blocks)
    out += std::visit(Markdown{}, block);
  return out + fmt::format("---\n\n{}\n", wire::md_text(page.footer));
}

std::string page_html(const pdf::Document& page) {
  std::string body;
  for (const pdf::Block& block : page.blocks)
    body += std::visit(Html{}, block);
  return fmt::format(
      "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
      "<meta name='viewport' content='width=device-width,initial-scale=1'>"
      "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src "
      "'unsafe-inline'\"><title>{}</title><style>{}</style></head><body><main>{}</main>"
      "<footer>{}, {} {}</footer></body></html>\n",
      html(page.title), data::find("pages/packet.css"), body, html(page.footer), kProduct,
      kVersion);
}

}  // namespace gh::report
