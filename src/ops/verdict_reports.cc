#include "ops/verdict_reports.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "model/peek.h"
#include "ops/release_session.h"
#include "report/release_report.h"
#include "report/verdict_document.h"
#include "sys/files.h"
#include "sys/renamed_file.h"

namespace gh::ops {
namespace {

std::string form_names() {
  std::vector<std::string> names;
  for (const report::FormatRow& row : report::verdict_formats())
    names.emplace_back(row.name);
  return join(names, ", ");
}

/// --format where it names a form of the Verdict; text and JSON are the door's own.
const report::FormatRow* shown_form(const Request& request) {
  const Option* option = find_option(request.operation(), "format");
  if (option == nullptr || option->type != OptionType::choice) return nullptr;
  const std::string word = request.text("format");
  return word == "text" || word == "json" ? nullptr : report::verdict_format(word);
}

std::string job_of(const Request& request) {
  std::string out(request.operation().words);
  std::ranges::replace(out, ' ', '-');
  return out;
}

/// One form of the answer. JSON of the release gate is the report that it wrote itself.
std::string in_form(const report::FormatRow& form, const Value& document, const Value& verdict,
                    const report::FormatFrame& frame) {
  const bool is_own = Peek(document)["release_decision"].exists() && form.name == "json";
  return is_own ? report::printed_document(document) : form.render(verdict, frame);
}

/// Where the manifest lies that a scan is about, from the top of its repository.
std::string manifest_place(const Request& request, Context& context) {
  if (request.operation().name != "release_scan") return std::string(kConfigFile);
  const auto paths = manifest_paths(request, context);
  if (!paths || paths->empty()) return std::string(kConfigFile);
  const std::string& path = paths->front();
  const std::size_t slash = path.rfind('/');
  const auto folder = sys::real_path(path.substr(0, slash));
  const std::string root = folder ? repository_root(*folder) : "";
  const std::string file = path.substr(slash + 1);
  return folder && folder->starts_with(root + "/")
             ? fmt::format("{}/{}", folder->substr(root.size() + 1), file)
             : file;
}

void tell_dropped(const report::FormatRow& form, const Value& verdict, const Context& context) {
  const std::size_t count = Peek(verdict)["reasons"].list().size();
  if (form.name == "sarif" && count > report::kMostResults && context.notice)
    context.notice(fmt::format("{} results are left out of the SARIF file, which holds {}",
                               count - report::kMostResults, report::kMostResults));
}

}  // namespace

Result<std::vector<AskedReport>> asked_reports(const Request& request, const Context& context) {
  std::vector<AskedReport> out;
  if (find_option(request.operation(), "report") == nullptr) return out;
  for (const std::string& given : request.list("report")) {
    const std::size_t equals = given.find('=');
    const std::string name = given.substr(0, equals);
    const report::FormatRow* form = report::verdict_format(name);
    if (form == nullptr)
      return fail(Code::bad_argument,
                  fmt::format("--report takes FORMAT=FILE with one of {}; not '{}'", form_names(),
                              printable(given, 100)));
    const std::string file = equals == given.npos ? "" : given.substr(equals + 1);
    if (file.empty())
      return fail(Code::bad_argument,
                  fmt::format("--report {} needs a file: {}={}", name, name, form->file));
    out.push_back({form, file == "-" ? file : joined_path(context.cwd, file)});
  }
  if (std::ranges::count(out, "-", &AskedReport::path) > 1)
    return fail(Code::bad_argument, "only one --report can go to standard output");
  return out;
}

std::optional<Value> verdict_in(const Value& document, std::string_view manifest) {
  const Peek d(document);
  if (d["schema"].text() == "gatehouse.verdict/1") return document;
  if (const Map* map = document.as_map())
    if (const Value* verdict = map->find("verdict"); verdict != nullptr && verdict->as_map())
      return *verdict;
  return report::verdict_of_release(document, manifest);
}

Value verdict_of_fault(const Error& error, Context& context) {
  Verdict out;
  out.gate = "check";
  out.decision = Decision::unverified;
  out.headline = printable(error.message, 120);
  for (const char* gate : {"patch", "scope", "structure", "surface", "admission", "landing"})
    out.parts.push_back({.gate = gate, .why = "the check could not be made"});
  out.parts.front() = {.gate = "patch",
                       .ran = true,
                       .decision = Decision::unverified,
                       .status = std::string(to_string(error.code))};
  out.reasons.push_back(
      {.id = std::string(to_string(error.code)),
       .gate = "patch",
       .message = printable(error.message, 240),
       .next = {.kind = "command",
                .command = fmt::format("{} explain {}", kProduct, to_string(error.code)),
                .why = std::string(help(error))}});
  out.started = to_string(context.env.now());
  return report::verdict_document(out);
}

Status write_report(const AskedReport& asked, const Value& verdict,
                    const report::FormatFrame& frame) {
  GH_DO(sys::make_folders(asked.path.substr(0, asked.path.rfind('/'))));
  return sys::write_file_renamed(asked.path, asked.form->render(verdict, frame));
}

Result<Reply> with_reports(const Request& request, Context& context, Run run) {
  GH_TRY(asked, asked_reports(request, context));
  const report::FormatRow* shown = shown_form(request);
  if (asked.empty() && shown == nullptr) return run(request, context);
  const bool wanted_document = context.wants_document;
  context.wants_document = true;
  auto reply = run(request, context);
  context.wants_document = wanted_document;
  const Value document = reply ? reply->document : Value();
  const std::string manifest = manifest_place(request, context);
  const auto verdict =
      reply ? verdict_in(document, manifest) : verdict_of_fault(reply.error(), context);
  if (!verdict) return fail(Code::bad_argument, "--report is for the answer about one manifest");
  const ExitCode exit = reply ? reply->exit : exit_code(class_of(reply.error().code));
  const report::FormatFrame frame{.job = job_of(request),
                                  .end_time_utc = to_string(context.env.now()),
                                  .exit_code = static_cast<int>(exit)};
  for (const AskedReport& one : asked) {
    tell_dropped(*one.form, *verdict, context);
    if (one.path == "-") {
      shown = one.form;
      continue;
    }
    GH_DO(sys::make_folders(one.path.substr(0, one.path.rfind('/'))));
    GH_DO(sys::write_file_renamed(one.path, in_form(*one.form, document, *verdict, frame)));
  }
  if (shown == nullptr) return reply;
  const std::string bytes = in_form(*shown, document, *verdict, frame);
  if (!reply) {
    GH_DO(context.stream(bytes));
    return reply;
  }
  reply->text = [bytes](const report::Look&) { return bytes; };
  return reply;
}

}  // namespace gh::ops
