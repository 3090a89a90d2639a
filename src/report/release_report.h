#pragma once
// The release report for people and tools: text, Markdown and SARIF, all from report.json's own
// document (release-gate 21), and the texts of checks.
#include <string>
#include <string_view>

#include "base/error.h"
#include "checks/catalogue.h"
#include "model/peek.h"
#include "model/value.h"
#include "report/analysis_sarif.h"
#include "report/look.h"

namespace gh::report {

/// The answer of `release scan`: decision, why, findings with their places, what to do next.
std::string release_text(const Value& report, const Look&);
std::string release_markdown(const Value& report);
/// SARIF 2.1.0 of active findings, in the order of the report.
Value release_sarif(const Value& report, const SarifFrame&);

/// The file of a finding's source from the top of the repository, where forges look for it.
/// `manifest`: that of the answer, from there; a finding without a file stands in it.
std::string place_from_top(const Peek& source, std::string_view manifest);

/// Catalogue entry with its texts (release-gate 23).
/// What to do, of any tool.
std::string check_advice(const checks::Check&);
Result<Map> check_document(const checks::Check&);
std::string check_text(const Value& document, const Look&);

/// JSON of an answer. A report of the release gate keeps the order of its keys, which is that of
/// its file; any other document is canonical.
std::string printed_document(const Value&);
/// One member of an answer. Values of outside documents may hold numbers that canonical JSON has no
/// form for.
std::string printed_member(const Value&);

}  // namespace gh::report
