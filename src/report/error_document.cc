#include "report/error_document.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "model/peek.h"
#include "policy/redact.h"
#include "report/agent_error.h"
#include "report/columns.h"
#include "report/diagnostics.h"

namespace gh::report {
namespace {

constexpr std::size_t kMaxLine = 1000, kMaxMessage = 20'000;

std::string explain_command(Code code) {
  return fmt::format("{} explain {}", kProduct, to_string(code));
}

}  // namespace

std::string told_message(const Error& error) {
  constexpr std::string_view kItem = "\n- ";
  const std::string text = policy::redact(error.message).text;
  std::string out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(kItem, at + 1), text.size());
    if (out.size() > kMaxMessage) return out + "\n- …";
    const std::size_t start = at == 0 ? 0 : at + 1;
    if (at != 0) out += '\n';
    out += clipped(std::string_view(text).substr(start, end - start), kMaxLine);
    if (end == text.size()) break;
    at = end;
  }
  return out;
}

namespace {

bool is_command(const Map* action) {
  return action != nullptr && Peek(action->find("kind")).text() == "command";
}

/// Why the action helps, with the file that it edits.
std::string advice_of(const Error& error, const Map* action) {
  if (action == nullptr) return std::string(help(error));
  const std::string_view why = Peek(action->find("why")).text();
  const std::string_view file = Peek(action->find("path")).text();
  return file.empty() ? std::string(why) : fmt::format("Edit {}: {}", file, why);
}

}  // namespace

Map error_document(const Error& error, std::string_view incident, const Map* action) {
  List trail;
  for (const std::string& where : error.trail)
    trail.emplace_back(clipped(policy::redact(where).text, 400));
  Map details{{"trail", std::move(trail)}};
  if (!incident.empty()) details.set("incident", incident);
  return Map{{"schema", "gatehouse.error/1"},
             {"code", to_string(error.code)},
             {"message", told_message(error)},
             {"details", std::move(details)},
             {"next",
              Map{{"kind", "command"},
                  {"command", is_command(action) ? std::string(Peek(action->find("command")).text())
                                                 : explain_command(error.code)},
                  {"tool", nullptr},
                  {"arguments", nullptr},
                  {"why", advice_of(error, action)}}},
             {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
}

std::string render_error(const Error& error, const Look& look, std::string_view incident,
                         const Map* action) {
  Diagnostic d;
  d.id = to_string(error.code);
  const std::string message = told_message(error);
  const std::size_t first = std::min(message.find('\n'), message.size());
  d.message = message.substr(0, first);
  for (const std::string& where : error.trail)
    d.facts.emplace_back("while", policy::redact(where).text);
  if (!incident.empty()) d.facts.emplace_back("incident", incident);
  d.facts.emplace_back("next",
                       is_command(action) ? next_sentence(*action) : advice_of(error, action));
  d.facts.emplace_back("more", explain_command(error.code));
  std::string out = render_diagnostics(std::span(&d, 1), look);
  return out.insert(std::min(out.find('\n'), out.size()), message.substr(first));
}

std::string error_line(const Error& error, std::string_view incident) {
  std::string message = told_message(error);
  std::ranges::replace(message, '\n', ' ');
  std::string out = fmt::format("{}: {}", to_string(error.code), clipped(message, kMaxLine));
  if (!incident.empty()) out += fmt::format(" (incident {})", incident);
  return out;
}

}  // namespace gh::report
