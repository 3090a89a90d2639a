#include "ops/analysis_outputs.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "report/analysis_html.h"
#include "report/analysis_markdown.h"
#include "report/analysis_sarif.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using P = policy::AnalysisPolicy;

enum class Format : std::uint8_t { html, json, markdown, sarif, text };

struct Output {
  Format format;
  std::string_view option;  // by which it is named
  std::string P::*path;
  std::string_view extension;
};
// table: report files
constexpr std::array<Output, 5> kOutputs{{{Format::html, "html", &P::html_out, ".html"},
                                          {Format::json, "json-file", &P::json_out, ".json"},
                                          {Format::markdown, "md", &P::md_out, ".md"},
                                          {Format::sarif, "sarif", &P::sarif_out, ".sarif"},
                                          {Format::text, "text", &P::text_out, ".txt"}}};

std::string printed(const Value& report, const JsonForm& form) {
  Value shown = report;
  limit_items(shown, form);
  return form.is_compact ? wire::canonical_json(shown) + "\n" : wire::pretty_json(shown);
}

std::string rendered(Format format, const Value& report, const JsonForm& form, int exit_code,
                     Scope& scope, Context& context) {
  switch (format) {
    case Format::html:
      return report::analysis_html(report, [&](std::string_view path) {
        auto bytes = scope.files->read({.path = std::string(path)});
        return bytes ? std::optional(*std::move(bytes)) : std::nullopt;
      });
    case Format::json:
      return printed(report, form);
    case Format::markdown:
      return report::analysis_markdown(report);
    case Format::sarif:
      return wire::pretty_json(report::analysis_sarif(
          report, {.end_time_utc = to_string(context.env.now()), .exit_code = exit_code}));
    case Format::text:
      return report::analysis_text(report);
  }
  return {};
}

}  // namespace

bool writes_outputs(const P& policy) {
  return std::ranges::any_of(kOutputs, [&](const Output& o) { return !(policy.*o.path).empty(); });
}

JsonForm json_form(const Request& request) {
  return {request.integer("report-items"), request.flag("json-compact")};
}

void limit_items(Value& report, const JsonForm& form) {
  Value* metrics = report.as_map()->find("metrics");
  Value* families = metrics == nullptr ? nullptr : metrics->as_map()->find("families");
  if (!form.items || families == nullptr) return;
  const auto most = static_cast<std::size_t>(*form.items);
  for (const auto& entry : families->as_map()->entries()) {
    Map& family = *families->as_map()->find(entry.first)->as_map();
    Value* items = family.find("items");
    if (items == nullptr || items->as_list()->size() <= most) continue;
    items->as_list()->resize(most);
    family.set("items_truncated", true);
  }
}

Status check_below(const std::string& home, const std::string& path) {
  if (!path.starts_with(home + "/") || path.find("/../") != std::string::npos) return {};
  std::string there = path;  // the nearest folder that exists
  do
    there.resize(there.rfind('/'));
  while (there.size() > home.size() && sys::info(there).kind == sys::FileKind::missing);
  const auto real = sys::real_path(there), base = sys::real_path(home);
  if (real && base && (*real == *base || real->starts_with(*base + "/"))) return {};
  return fail(Code::policy_bad_path,
              fmt::format("{} leads out of the folder, through a link", printable(path, 200)));
}

Status check_outputs(const P& policy) {
  for (const Output& output : kOutputs)
    if (const std::string& path = policy.*output.path;
        !path.empty() && !path.ends_with(output.extension))
      return fail(Code::bad_argument,
                  fmt::format("'{}' must end with {}", printable(path, 200), output.extension));
  return {};
}

Status write_outputs(const P& policy, const Value& report, const Request& request, int exit_code,
                     Scope& scope, Context& context) {
  const JsonForm form = json_form(request);
  for (const Output& output : kOutputs) {
    const std::string& named = policy.*output.path;
    if (named.empty()) continue;
    // A person names a file from where they are, a configuration from where it is.
    const std::string home = request.has(output.option) ? context.cwd : home_of(scope);
    const std::string path = named.starts_with('/') ? named : home + "/" + named;
    GH_DO(check_below(home, path));
    GH_DO(sys::make_folders(path.substr(0, path.rfind('/'))));
    GH_DO(sys::write_file_atomic(path,
                                 rendered(output.format, report, form, exit_code, scope, context)));
    if (context.notice) context.notice(fmt::format("wrote {}", printable(named, 200)));
  }
  return {};
}

}  // namespace gh::ops
