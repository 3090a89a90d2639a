#pragma once
// The files that a scan leaves: which, where, and under which names the report speaks of them.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ops/operation.h"
#include "ops/release_session.h"
#include "pdf/document.h"
#include "release/scan.h"
#include "report/analysis_sarif.h"

namespace gh::ops {

/// One form of a packet: its word on the command line and its file.
struct PacketForm {
  std::string_view word, file;
};
std::span<const PacketForm> packet_forms();
/// Words separated by commas. bad_argument for one that is no form.
Result<std::vector<std::string>> packet_words(const std::string& list);

/// The program that prints, when it is installed beside this one.
std::optional<std::string> printing_program();
inline constexpr std::string_view kNoPrinter =
    "packet.pdf is not written: gatehouse-pdf is not installed beside this program";

/// A packet in its forms. Its page is laid out once.
class PacketWriter {
 public:
  explicit PacketWriter(Value packet) : packet_(std::move(packet)) {}
  /// `printer` is asked for the PDF alone.
  Result<std::string> bytes(std::string_view word, const std::string& printer, const Context&);
  const Value& packet() const { return packet_; }

 private:
  Value packet_;
  std::optional<pdf::Document> page_{};
};

/// Where the reports of the manifest go that the options name, or that the folder has.
Result<std::string> usual_report_folder(const Request&, Context&);

struct ReleaseOutputs {
  std::string folder;                                        // absolute
  std::vector<std::pair<std::string, std::string>> shown{};  // kind -> path, as the report has it
  std::string printer{};                                     // empty: no PDF
  report::SarifFrame sarif{};
};
/// What the options and the manifest ask for. A PDF that nothing here can print is said and left
/// out.
Result<ReleaseOutputs> release_outputs(const Request&, const LoadedManifest&, const Context&);

/// The folder without --out. What a manifest names must lie in its own folder, links followed.
Result<std::string> folder_of(const LoadedManifest&, const Context&);
/// What a verification writes: Markdown, JSON, SARIF and packet.json, whatever the manifest says.
ReleaseOutputs verification_outputs(std::string folder, const LoadedManifest&, const Context&);

/// Is a step of GitHub Actions run, and does nobody else tell its summary?
bool tells_step(const Context&);
/// Appends to the summary of the step of GitHub Actions, where one is run and nobody else tells it.
/// What cannot be written is said, and fails nothing.
void tell_step(const Value& report, const Context&);

/// Files that a run of the gate may leave in its folder, and this one did not write: who reads them
/// afterwards would take them for this run's.
Status drop_other_reports(const std::string& folder, const std::vector<std::string>& written);
Status write_outputs(const ReleaseOutputs&, const release::ScanReport&, const Context&);

}  // namespace gh::ops
