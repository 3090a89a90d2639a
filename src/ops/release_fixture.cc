// `release fixture`: small agents that the program carries, to learn on and to prove that it
// decides as it should.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/data.h"
#include "base/product.h"
#include "base/text.h"
#include "model/peek.h"
#include "ops/release_ops.h"
#include "ops/release_outputs.h"
#include "ops/release_session.h"
#include "release/scan.h"
#include "report/columns.h"
#include "report/release_report.h"
#include "surface/memory_files.h"
#include "sys/files.h"
#include "wire/json.h"
#include "wire/spaced_json.h"

namespace gh::ops {
namespace {

constexpr std::string_view kFolder = "fixtures/", kExpected = "expected.json";
using Files = std::map<std::string, std::string>;

std::map<std::string, Files> fixtures() {
  std::map<std::string, Files> out;
  for (const data::File& file : data::files()) {
    if (!file.name.starts_with(kFolder)) continue;
    const std::string_view rest = file.name.substr(kFolder.size());
    const std::size_t slash = rest.find('/');
    if (slash != rest.npos)
      out[std::string(rest.substr(0, slash))].emplace(rest.substr(slash + 1), file.bytes);
  }
  return out;
}

struct Fixture {
  std::string name;
  Files files;
  Value expected;
};

Result<Fixture> fixture_named(const std::string& name) {
  auto all = fixtures();
  const auto found = all.find(name);
  if (found == all.end()) {
    std::vector<std::string> known;
    for (const auto& entry : all)
      known.push_back(entry.first);
    const auto near = did_you_mean(name, known);
    return fail(Code::unknown_id, fmt::format("there is no fixture '{}'{}", printable(name, 60),
                                              near ? fmt::format("; did you mean '{}'?", *near)
                                                   : fmt::format(": {}", join(known, ", "))));
  }
  Fixture out{name, std::move(found->second), {}};
  GH_TRY(expected, wire::read_json(out.files.at(std::string(kExpected)), kExpected));
  out.expected = std::move(expected);
  out.files.erase(std::string(kExpected));
  return out;
}

Result<release::ScanReport> scan_fixture(const Fixture& fixture, const Request& request,
                                         const Context& context) {
  const std::string manifest_file(surface::kStandAloneName);
  GH_TRY(manifest, surface::read_manifest(fixture.files.at(manifest_file), manifest_file));
  surface::MemoryFiles files(fixture.files);
  release::ScanOptions options;
  options.today = to_string(context.env.now()).substr(0, 10);
  options.program = context.program;
  if (find_option(request.operation(), "ci-mode") != nullptr && request.text("ci-mode") == "strict")
    options.ci_mode = release::CiMode::strict;
  constexpr int kShipgateFailure = 20;
  if (context.exits == ExitMap::shipgate) options.gate_failure_exit = kShipgateFailure;
  return release::scan(manifest, files, options);
}

List ids_of(const Peek& references) {
  List out;
  for (const Value& item : references.list())
    out.emplace_back(Peek(item)["fingerprint"].text());
  return out;
}

Map tool_document() { return {{"name", kProduct}, {"version", kVersion}}; }

}  // namespace

Result<Reply> release_fixture_list(const Request&, Context&) {
  List rows;
  for (const auto& [name, files] : fixtures()) {
    GH_TRY(expected, wire::read_json(files.at(std::string(kExpected)), kExpected));
    rows.emplace_back(Map{{"name", name},
                          {"about", Peek(expected)["about"].text()},
                          {"decision", Peek(expected)["decision"].text()}});
  }
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.release_fixtures/1"},
                       {"fixtures", std::move(rows)},
                       {"tool", tool_document()}};
  reply.text = [document = reply.document](const report::Look&) {
    std::string out;
    for (const Value& row : Peek(document)["fixtures"].list())
      out +=
          fmt::format("{}  {}  {}\n", report::padded(Peek(row)["name"].text(), 16),
                      report::padded(Peek(row)["decision"].text(), 16), Peek(row)["about"].text());
    return out;
  };
  return reply;
}

Result<Reply> release_fixture_run(const Request& request, Context& context) {
  GH_TRY(fixture, fixture_named(request.text("NAME")));
  GH_TRY(scanned, scan_fixture(fixture, request, context));
  if (request.has("out")) {
    const std::string folder = joined_path(context.cwd, request.text("out"));
    GH_DO(write_outputs({.folder = folder,
                         .shown = {{"markdown", folder + "/report.md"},
                                   {"json", folder + "/report.json"},
                                   {"packet_md", folder + "/packet.md"},
                                   {"packet_json", folder + "/packet.json"},
                                   {"packet_html", folder + "/packet.html"}}},
                        scanned, context));
  }
  Reply reply;
  reply.exit = scanned.decision.exit_code == 0 ? ExitCode::done : ExitCode::denied;
  if (reply.exit != ExitCode::done)
    reply.why = fmt::format("{}: {}", to_string(scanned.decision.outcome), scanned.decision.reason);
  reply.document = std::move(scanned.document);
  reply.text = [report = reply.document](const report::Look& look) {
    return report::release_text(report, look);
  };
  return reply;
}

Result<Reply> release_fixture_copy(const Request& request, Context& context) {
  GH_TRY(fixture, fixture_named(request.text("NAME")));
  const std::string folder =
      joined_path(context.cwd, request.has("to") ? request.text("to") : fixture.name);
  if (sys::info(folder).kind != sys::FileKind::missing)
    return fail(Code::bad_argument,
                fmt::format("{} is there already and is not touched", printable(folder, 400)));
  List written;
  for (const auto& [path, bytes] : fixture.files) {
    const std::string file = fmt::format("{}/{}", folder, path);
    GH_DO(sys::make_folders(file.substr(0, file.rfind('/'))));
    GH_DO(sys::write_file_atomic(file, bytes));
    written.emplace_back(path);
  }
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.release_fixture_copied/1"},
                       {"name", fixture.name},
                       {"folder", folder},
                       {"files", std::move(written)},
                       {"tool", tool_document()}};
  reply.text = [document = reply.document](const report::Look&) {
    std::string out;
    for (const Value& path : Peek(document)["files"].list())
      out += fmt::format("{}/{}\n", printable(Peek(document)["folder"].text(), 400),
                         Peek(path).text());
    return out;
  };
  return reply;
}

Result<Reply> release_fixture_verify(const Request& request, Context& context) {
  GH_TRY(fixture, fixture_named(request.text("NAME")));
  GH_TRY(scanned, scan_fixture(fixture, request, context));
  const Peek decision = Peek(scanned.document)["release_decision"], expected(fixture.expected);
  const Map found{{"decision", decision["decision"].text()},
                  {"reason", decision["reason"].text()},
                  {"blockers", ids_of(decision["blockers"])},
                  {"review_items", ids_of(decision["review_items"])}};
  List differences;
  for (const auto& [key, value] : found.entries())
    if (const Value* wanted = expected.map().find(key); wanted == nullptr || *wanted != value)
      differences.emplace_back(Map{
          {"field", key}, {"expected", wanted != nullptr ? *wanted : Value()}, {"found", value}});
  Reply reply;
  if (!differences.empty()) {
    reply.exit = ExitCode::denied;
    reply.why = fmt::format("{} differs from what is expected in {} field(s)", fixture.name,
                            differences.size());
  }
  reply.document = Map{{"schema", "gatehouse.release_fixture_check/1"},
                       {"name", fixture.name},
                       {"ok", differences.empty()},
                       {"differences", std::move(differences)},
                       {"tool", tool_document()}};
  reply.text = [document = reply.document](const report::Look&) {
    const Peek d(document);
    std::string out = fmt::format("{}: {}\n", d["name"].text(),
                                  d["ok"].is_true() ? "as expected" : "not as expected");
    for (const Value& row : d["differences"].list())
      out += fmt::format("  {}\n", printable(wire::spaced_json(row), 1000));
    return out;
  };
  return reply;
}

}  // namespace gh::ops
