#include "ops/calibration.h"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "base/product.h"

namespace gh::ops {
namespace {

using Sizes = std::vector<git::CommitSize>;
using Measure = std::int64_t git::CommitSize::*;

constexpr std::array<std::int64_t, 10> kFileLimits{1, 2, 3, 5, 8, 10, 15, 20, 30, 50};
constexpr std::array<std::int64_t, 10> kLineLimits{25,  50,  100,  200,  400,
                                                   600, 800, 1000, 2000, 5000};
constexpr std::array<std::int64_t, 8> kFileSteps{1, 2, 3, 4, 6, 11, 21, 51};
constexpr std::array<std::int64_t, 8> kLineSteps{0, 1, 11, 51, 101, 201, 401, 1001};
constexpr std::array<std::int64_t, 3> kPercents{90, 95, 99};

std::int64_t within(const Sizes& sizes, Measure measure, std::int64_t limit) {
  return std::ranges::count_if(sizes, [&](const auto& s) { return s.*measure <= limit; });
}

std::int64_t within_both(const Sizes& sizes, std::int64_t files, std::int64_t added) {
  return std::ranges::count_if(sizes,
                               [&](const auto& s) { return s.paths <= files && s.added <= added; });
}

template <std::size_t N>
std::vector<Admission> admissions(const Sizes& sizes, Measure measure,
                                  const std::array<std::int64_t, N>& limits) {
  std::vector<Admission> out;
  for (std::int64_t limit : limits)
    out.push_back({limit, within(sizes, measure, limit)});
  return out;
}

template <std::size_t N>
std::vector<Bucket> histogram(const Sizes& sizes, Measure measure,
                              const std::array<std::int64_t, N>& steps) {
  std::vector<Bucket> out;
  for (std::size_t i = 0; i < N; ++i) {
    const bool last = i + 1 == N;
    const std::int64_t below = i == 0 ? 0 : within(sizes, measure, steps[i] - 1);
    const std::int64_t upto = last ? std::ssize(sizes) : within(sizes, measure, steps[i + 1] - 1);
    out.push_back({steps[i], last ? -1 : steps[i + 1] - 1, upto - below});
  }
  return out;
}

/// Smallest limit that admits at least `percent` of the commits; a limit is at least 1.
std::int64_t percentile(const Sizes& sizes, Measure measure, std::int64_t percent) {
  std::vector<std::int64_t> values;
  for (const auto& s : sizes)
    values.push_back(s.*measure);
  std::ranges::sort(values);
  const std::int64_t needed = (std::ssize(values) * percent + 99) / 100;
  return std::max<std::int64_t>(
      1, values[static_cast<std::size_t>(std::max<std::int64_t>(1, needed)) - 1]);
}

Decimal share(std::int64_t part, std::int64_t whole) {
  return {whole == 0 ? 0 : part * 10'000 / whole};
}

std::string percent_text(std::int64_t part, std::int64_t whole) {
  const std::int64_t tenths = whole == 0 ? 0 : part * 1000 / whole;
  return fmt::format("{}.{} %", tenths / 10, tenths % 10);
}

Value admissions_value(const std::vector<Admission>& rows, std::int64_t whole) {
  List out;
  for (const Admission& row : rows)
    out.push_back(
        Map{{"limit", row.limit}, {"commits", row.commits}, {"share", share(row.commits, whole)}});
  return out;
}

Value histogram_value(const std::vector<Bucket>& buckets) {
  List out;
  for (const Bucket& b : buckets)
    out.push_back(
        Map{{"from", b.from}, {"to", b.to < 0 ? Value() : Value(b.to)}, {"commits", b.commits}});
  return out;
}

std::string bucket_name(const Bucket& b) {
  if (b.to < 0) return fmt::format("{}+", b.from);
  return b.to == b.from ? fmt::format("{}", b.from) : fmt::format("{}-{}", b.from, b.to);
}

std::string histogram_text(std::string_view title, const std::vector<Bucket>& buckets,
                           const report::Look& look) {
  const std::int64_t largest =
      std::max<std::int64_t>(1, std::ranges::max(buckets, {}, &Bucket::commits).commits);
  const std::int64_t room = std::max(20, look.width - 28);
  std::string out = fmt::format("{}\n", report::paint(look, report::Ink::bold, title));
  for (const Bucket& b : buckets) {
    std::string bar;
    for (std::int64_t i = 0; i < (b.commits * room + largest - 1) / largest; ++i)
      bar += look.ascii ? "#" : "█";
    out += fmt::format("  {:>9}  {:>6}{}{}\n", bucket_name(b), b.commits, bar.empty() ? "" : "  ",
                       report::paint(look, report::Ink::accent, bar));
  }
  return out;
}

std::string table_text(const Calibration& c, const report::Look& look) {
  std::string out = report::paint(look, report::Ink::bold,
                                  "   max_files   admits             max_added_lines   admits") +
                    "\n";
  for (std::size_t i = 0; i < std::max(c.files.size(), c.added_lines.size()); ++i) {
    const Admission& f = c.files[i];
    const Admission& a = c.added_lines[i];
    out += fmt::format("   {:>9} {:>8}  {:>7}   {:>17} {:>8}  {:>7}\n", f.limit, f.commits,
                       percent_text(f.commits, c.commits), a.limit, a.commits,
                       percent_text(a.commits, c.commits));
  }
  return out;
}

}  // namespace

Calibration calibrate(const Sizes& sizes, std::int64_t max_files, std::int64_t max_added_lines) {
  Calibration out;
  out.commits = std::ssize(sizes);
  out.with_binary = std::ranges::count_if(sizes, &git::CommitSize::binary);
  out.max_files = max_files;
  out.max_added_lines = max_added_lines;
  out.admitted_now = within_both(sizes, max_files, max_added_lines);
  out.files = admissions(sizes, &git::CommitSize::paths, kFileLimits);
  out.added_lines = admissions(sizes, &git::CommitSize::added, kLineLimits);
  out.files_histogram = histogram(sizes, &git::CommitSize::paths, kFileSteps);
  out.added_histogram = histogram(sizes, &git::CommitSize::added, kLineSteps);
  if (sizes.empty()) return out;
  for (std::int64_t percent : kPercents) {
    Proposal p{percent, percentile(sizes, &git::CommitSize::paths, percent),
               percentile(sizes, &git::CommitSize::added, percent), 0};
    p.commits = within_both(sizes, p.max_files, p.max_added_lines);
    out.proposals.push_back(p);
  }
  return out;
}

Map calibration_document(const Calibration& c) {
  List proposals;
  for (const Proposal& p : c.proposals)
    proposals.push_back(Map{{"percent", p.percent},
                            {"max_files", p.max_files},
                            {"max_added_lines", p.max_added_lines},
                            {"commits", p.commits},
                            {"share", share(p.commits, c.commits)}});
  return Map{{"schema", "gatehouse.calibration/1"},
             {"commits", c.commits},
             {"commits_with_binary", c.with_binary},
             {"current", Map{{"max_files", c.max_files},
                             {"max_added_lines", c.max_added_lines},
                             {"commits", c.admitted_now},
                             {"share", share(c.admitted_now, c.commits)}}},
             {"max_files", admissions_value(c.files, c.commits)},
             {"max_added_lines", admissions_value(c.added_lines, c.commits)},
             {"histogram", Map{{"files", histogram_value(c.files_histogram)},
                               {"added_lines", histogram_value(c.added_histogram)}}},
             {"proposals", std::move(proposals)},
             {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
}

std::string render_calibration(const Calibration& c, const report::Look& look) {
  if (c.commits == 0) return "there are no commits to learn from\n";
  std::string out = fmt::format(
      "{} commits read, merges left out ({} with binary files)\n"
      "now: max_files {}, max_added_lines {} admit {} of them ({})\n\n",
      c.commits, c.with_binary, c.max_files, c.max_added_lines, c.admitted_now,
      percent_text(c.admitted_now, c.commits));
  out += table_text(c, look) + "\n";
  out += histogram_text("files per commit", c.files_histogram, look) + "\n";
  out += histogram_text("lines added per commit", c.added_histogram, look) + "\n";
  out += report::paint(look, report::Ink::bold, "proposals for gatehouse.yaml") + "\n";
  for (const Proposal& p : c.proposals)
    out += fmt::format(
        "  {} % each:  patch: {{max_files: {}, max_added_lines: {}}}   ({} pass both, {})\n",
        p.percent, p.max_files, p.max_added_lines, p.commits, percent_text(p.commits, c.commits));
  return out + "Nothing was written.\n";
}

}  // namespace gh::ops
