// The digest of a report: of its text, in which each long list stands as the digest of its own
// (analysis reference, "Digest"). What one file says of itself has a digest per file, so that the
// rest need not be made again when that file changes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::analysis {

inline constexpr std::string_view kCanonicalization = "2";  // how a digest is taken
inline constexpr std::size_t kDigestBytes = 32;

/// The items of one file: each as canonical JSON, sorted, a line each.
class ItemsDigest {
 public:
  /// An item is appended to the text, then ended.
  std::string& text() { return text_; }
  void end_item();
  /// The digest as kDigestBytes bytes; then there are no items any more.
  std::string finish();

 private:
  std::string text_{};
  std::vector<std::size_t> ends_{};
  std::vector<std::string_view> lines_{};
};
/// The digest of a list by what ItemsDigest gave for each file in turn; zeros: it has no items.
std::string digest_over_files(std::string_view digests);

/// Where the list stands, its members joined by '/'.
struct DigestPart {
  std::string path;
  bool by_file = false;  // over the files in the order of their paths
  bool by_row = false;   // items without their keys
};
/// Those of this report that are there.
std::vector<DigestPart> digest_parts(const Value& report);

/// The digest of a list, in hex; several threads may ask. Empty: it is taken of the list as it stands
/// in the report.
using PartDigest = std::function<std::string(const DigestPart&)>;
struct DigestedReport {
  std::string text;  // what the digest is the SHA-256 of
  std::string hex;
};
/// Without `integrity`, `derived` and `meta.runtime`.
DigestedReport digested_report(const Value& report, const PartDigest&, unsigned jobs = 1);
/// What a report says of its digest.
Map integrity_document(std::string digest);

struct Annotations;
struct Findings;
struct Project;
struct RunReport;

/// What the digest of a run is made of.
struct RunDigests {
  std::string text{};  // whose digest it is
  // Of each file of the project, kDigestBytes; zeros where it has no items.
  std::string units{}, adoption{};
};
/// run_report, and how its digest came about.
RunReport run_report(const Project&, const Findings&, const Annotations&, unsigned jobs,
                     RunDigests&);

}  // namespace gh::analysis
