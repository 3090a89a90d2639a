#pragma once
// What past commits say about budgets (patch-gate 13, calibrate). Pure.
#include <cstdint>
#include <string>
#include <vector>

#include "git/numstat.h"
#include "model/value.h"
#include "report/look.h"

namespace gh::ops {

/// A limit and how many of the commits keep within it.
struct Admission {
  std::int64_t limit = 0, commits = 0;
};

struct Bucket {
  std::int64_t from = 0, to = 0, commits = 0;  // to -1: no upper end
};

/// The smallest limits that each admit at least `percent` of the commits.
struct Proposal {
  std::int64_t percent = 0, max_files = 0, max_added_lines = 0;
  std::int64_t commits = 0;  // that keep within both
};

struct Calibration {
  std::int64_t commits = 0, with_binary = 0;
  std::int64_t max_files = 0, max_added_lines = 0;  // the policy's present values
  std::int64_t admitted_now = 0;                    // by both of them
  std::vector<Admission> files, added_lines;        // candidates, ascending
  std::vector<Bucket> files_histogram, added_histogram;
  std::vector<Proposal> proposals;  // 90, 95, 99
};

Calibration calibrate(const std::vector<git::CommitSize>&, std::int64_t max_files,
                      std::int64_t max_added_lines);

Map calibration_document(const Calibration&);
std::string render_calibration(const Calibration&, const report::Look&);

}  // namespace gh::ops
