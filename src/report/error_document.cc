#include "report/error_document.h"

#include <fmt/format.h>

#include "base/product.h"
#include "report/columns.h"
#include "report/diagnostics.h"

namespace gh::report {
namespace {

std::string explain_command(Code code) {
  return fmt::format("{} explain {}", kProduct, to_string(code));
}

}  // namespace

Map error_document(const Error& error, std::string_view incident) {
  List trail;
  for (const std::string& where : error.trail)
    trail.emplace_back(clipped(where, 400));
  Map details{{"trail", std::move(trail)}};
  if (!incident.empty()) details.set("incident", incident);
  return Map{{"schema", "gatehouse.error/1"},
             {"code", to_string(error.code)},
             {"message", clipped(error.message, 1000)},
             {"details", std::move(details)},
             {"next", Map{{"kind", "command"},
                          {"command", explain_command(error.code)},
                          {"tool", nullptr},
                          {"arguments", nullptr},
                          {"why", help(error.code)}}},
             {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
}

std::string render_error(const Error& error, const Look& look, std::string_view incident) {
  Diagnostic d;
  d.id = to_string(error.code);
  d.message = error.message;
  for (const std::string& where : error.trail)
    d.facts.emplace_back("while", where);
  if (!incident.empty()) d.facts.emplace_back("incident", incident);
  d.facts.emplace_back("next", help(error.code));
  d.facts.emplace_back("more", explain_command(error.code));
  return render_diagnostics(std::span(&d, 1), look);
}

std::string error_line(const Error& error, std::string_view incident) {
  std::string out = fmt::format("{}: {}", to_string(error.code), clipped(error.message, 1000));
  if (!incident.empty()) out += fmt::format(" (incident {})", incident);
  return out;
}

}  // namespace gh::report
