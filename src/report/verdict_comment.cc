// A Verdict for whoever reads a pull request (interfaces 4.3): the comment below it, and the
// summary of a step. One writer: they differ in length and in the hidden lines.
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "report/analysis_sarif.h"
#include "report/comment_text.h"
#include "report/formats.h"

namespace gh::report {
namespace {

constexpr std::size_t kMostBlocking = 5, kMostGrants = 10, kShownDigest = 19;

struct Word {
  std::string_view decision, shown;
};
// table: decisions as a reader of a pull request meets them
constexpr std::array<Word, 4> kWords{{{"allow", "allowed"},
                                      {"review", "a person must look"},
                                      {"unverified", "not verified"},
                                      {"deny", "denied"}}};

std::string_view shown_word(std::string_view decision) {
  const auto row = std::ranges::find(kWords, decision, &Word::decision);
  return row == kWords.end() ? "unknown" : row->shown;
}

/// What is safe inside of an HTML comment: letters, digits and a few marks.
std::string in_marker(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 200)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '/' || c == ':';
    out += is_plain ? c : '_';
  }
  return out.empty() ? "none" : out;
}

class Writer {
 public:
  Writer(const Value& verdict, const FormatFrame& frame, std::size_t max)
      : v_(verdict), frame_(frame), max_(max), all_(told_in(verdict)) {}

  std::string write(std::string hidden) {
    out_ = std::move(hidden);
    head();
    parts();
    blocking();
    capabilities();
    grants();
    rest();
    return std::move(out_);
  }

 private:
  void line(std::string_view text = {}) { out_.append(text).append(1, '\n'); }

  void head() {
    const std::string_view decision = v_["decision"].text();
    line(fmt::format("## Gatehouse: {}", shown_word(decision)));
    line();
    line(fmt::format("**{}** {}", comment_text(decision, 20),
                     comment_text(shown_text(v_["headline"].text(), 200))));
    line();
  }

  void parts() {
    if (v_["parts"].list().empty()) return;
    line("| Gate | Result | Why |");
    line("|---|---|---|");
    for (const Value& value : v_["parts"].list()) {
      const Peek part(value);
      const bool ran = part["state"].text() == "ran";
      line(fmt::format("| {} | {} | {} |", comment_text(part["gate"].text(), 40),
                       ran ? comment_text(part["decision"].text(), 40) : std::string("skipped"),
                       comment_text(ran ? part["status"].text() : part["why"].text(), 160)));
    }
    line();
  }

  std::string place_of(const Told& t) const {
    if (t.path.empty()) return {};
    const std::string shown = t.line > 0 ? fmt::format("{}:{}", t.path, t.line) : t.path;
    if (frame_.link.empty() || shown.find('`') != std::string::npos) return comment_code(shown);
    const std::string anchor = t.line > 0 ? fmt::format("#L{}", t.line) : "";
    return fmt::format("[{}]({}{}{})", comment_code(shown), frame_.link, uri_of(t.path), anchor);
  }

  std::string item(const Told& t) const {
    const std::string place = place_of(t);
    std::string out = fmt::format("- {}{}{} {}", place, place.empty() ? "" : " ",
                                  comment_code(t.id, 120), comment_text(t.message));
    if (!t.next.empty())
      out += fmt::format("<br>Next: {}",
                         t.next_is_command ? comment_code(t.next, 400) : comment_text(t.next, 400));
    return out;
  }

  std::ptrdiff_t in_the_way() const { return std::ranges::count(all_, true, &Told::is_in_the_way); }

  void blocking() {
    const std::ptrdiff_t count = in_the_way();
    if (count == 0) return;
    line(fmt::format("### What stands in the way ({})", count));
    line();
    std::size_t shown = 0;
    for (const Told& t : all_)
      if (t.is_in_the_way && shown++ < kMostBlocking) line(item(t));
    if (count > static_cast<std::ptrdiff_t>(kMostBlocking))
      line(fmt::format("- and {} more below", count - static_cast<std::ptrdiff_t>(kMostBlocking)));
    line();
  }

  /// The comment of the release gate, one heading lower, without its first line and its files.
  void capabilities() {
    if (frame_.release_part.empty()) return;
    bool is_told = true;
    for (const std::string_view text : split(std::string_view(frame_.release_part), '\n')) {
      if (text.starts_with("<!--")) continue;
      if (text.starts_with("##")) is_told = text != "### Artifacts";
      if (is_told) line(text.starts_with("##") ? "#" + std::string(text) : std::string(text));
    }
  }

  /// What the change does to the powers of coding agents themselves.
  void grants() {
    if (frame_.host_diff == nullptr) return;
    const Peek d(*frame_.host_diff);
    if (d["rows"].list().empty()) return;
    line("### Powers of coding agents");
    line();
    line(comment_text(d["headline"].text()));
    line();
    line("| Effect | Grant |");
    line("|---|---|");
    std::size_t shown = 0;
    for (const Value& value : d["rows"].list()) {
      if (shown++ == kMostGrants) break;
      const Peek row(value);
      line(fmt::format(
          "| {}, {} | {}<br>{} |", comment_text(row["effect"].text(), 20),
          comment_text(row["severity"].text(), 20),
          comment_code(row["after"].exists() ? row["after"].text() : row["before"].text(), 120),
          comment_code(fmt::format("{}:{}", row["path"].text(), row["line"].number()), 160)));
    }
    if (d["rows"].list().size() > kMostGrants)
      line(fmt::format("\nand {} more", d["rows"].list().size() - kMostGrants));
    line();
  }

  std::string footer() const {
    const std::string policy(v_["digests"]["policy"].text());
    const std::string digest(v_["digests"]["verdict"].text());
    const std::string base(v_["subject"]["base"].text()), head(v_["subject"]["head"].text());
    std::string out = fmt::format("---\n<sub>{} {}", kProduct, kVersion);
    if (!policy.empty()) out += ", policy " + comment_code(policy.substr(0, kShownDigest));
    if (!digest.empty()) out += ", verdict " + comment_code(digest.substr(0, kShownDigest));
    if (!frame_.receipt_digest.empty())
      out += ", receipt " + comment_code(frame_.receipt_digest.substr(0, kShownDigest));
    if (!base.empty() && !head.empty())
      out += fmt::format("<br>Again on your machine: {}",
                         comment_code(fmt::format("{} check {}..{}", kProduct, base.substr(0, 12),
                                                  head.substr(0, 12))));
    return out + "</sub>\n";
  }

  /// Everything, folded away, as far as there is room; then who says so.
  void rest() {
    const std::string end = footer();
    const bool is_all_told = in_the_way() == std::ssize(all_) && all_.size() <= kMostBlocking;
    if (!is_all_told) {
      constexpr std::string_view kClose = "\n</details>\n\n";
      constexpr std::size_t kForCount = 60;
      out_ += fmt::format("<details><summary>All findings ({})</summary>\n\n", all_.size());
      std::size_t shown = 0;
      for (const Told& t : all_) {
        const std::string next = fmt::format("{} ({})\n", item(t), t.severity);
        if (out_.size() + next.size() + kClose.size() + kForCount + end.size() > max_) break;
        out_ += next;
        ++shown;
      }
      if (shown < all_.size())
        out_ += fmt::format("- {} more in verdict.json\n", all_.size() - shown);
      out_ += kClose;
    }
    out_ += end;
  }

  Peek v_;
  const FormatFrame& frame_;
  std::size_t max_;
  std::vector<Told> all_;
  std::string out_{};
};

}  // namespace

std::string comment_marker(std::string_view repo_id, std::string_view job) {
  return fmt::format("<!-- gatehouse:comment:v1 repo={} job={} -->", in_marker(repo_id),
                     in_marker(job));
}

std::string comment_state(const Value& verdict) {
  const Peek v(verdict);
  return fmt::format("<!-- gatehouse:state decision={} verdict={} -->",
                     in_marker(v["decision"].text()), in_marker(v["digests"]["verdict"].text()));
}

std::string verdict_comment(const Value& verdict, const FormatFrame& frame) {
  return Writer(verdict, frame, kMostComment)
      .write(fmt::format("{}\n{}\n",
                         comment_marker(Peek(verdict)["subject"]["repo"].text(), frame.job),
                         comment_state(verdict)));
}

std::string verdict_summary(const Value& verdict, const FormatFrame& frame) {
  return Writer(verdict, frame, kMostSummary).write("");
}

}  // namespace gh::report
