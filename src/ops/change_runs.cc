#include "ops/change_runs.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/report_view.h"
#include "analysis/run.h"
#include "analysis/run_extract.h"
#include "base/text.h"
#include "git/objects.h"
#include "sys/tree_files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr char kEnd = '\0';

std::string inputs_text(std::vector<analysis::RunInput> inputs) {
  std::ranges::sort(inputs, {}, &analysis::RunInput::path);
  std::string out;
  for (const analysis::RunInput& input : inputs) {
    out.append(input.mode).append(" ").append(input.blob).append(" ").append(input.path);
    out += kEnd;
  }
  return out;
}

analysis::RunInput input_in(std::string_view line) {
  const std::size_t mode = line.find(' ');
  const std::size_t blob = mode == line.npos ? line.npos : line.find(' ', mode + 1);
  if (blob == line.npos) return {};
  return {std::string(line.substr(blob + 1)), std::string(line.substr(0, mode)),
          std::string(line.substr(mode + 1, blob - mode - 1))};
}

Result<std::optional<ControlRun>> loaded(ChangeSession& session, store::AnalysisRunRow row) {
  if (row.extract_sha256.empty()) return std::nullopt;
  GH_TRY(bytes, session.ledger->blob(row.extract_sha256));
  if (!bytes) return std::nullopt;
  auto extract = wire::read_own_json(*bytes, "run extract");
  Map* members = extract ? extract->as_map() : nullptr;
  Value* report = members == nullptr ? nullptr : members->find("report");
  if (report == nullptr)
    return fail(Code::ledger_unavailable, fmt::format("what is kept of run {} cannot be read",
                                                      row.run_id.substr(0, analysis::kShortRunId)));
  ControlRun out{.row = std::move(row), .report = std::move(*report)};
  if (const Value* inputs = members->find("inputs"); inputs != nullptr && inputs->as_string())
    out.inputs = *inputs->as_string();
  return out;
}

/// Where the change is made: of a change in a work tree of its own, that one.
std::string tree_root(const ChangeSession& session) { return utf8_or_escaped(session.repo.root()); }

bool is_read_by_runs(std::string_view path) {
  return !analysis::is_excluded(path) &&
         (analysis::is_wanted(path) || analysis::is_governance(path));
}

/// Where a link leads, as runs follow it; nullopt: nowhere, or out of what they read.
std::optional<std::string> followed(const std::string& root, const std::string& path) {
  const auto target = sys::real_path(root + "/" + path);
  if (!target || !target->starts_with(root + "/")) return std::nullopt;
  std::string out = target->substr(root.size() + 1);
  if (out.starts_with(".git/")) return std::nullopt;
  return out;
}

/// A file of the work tree as a run would read it: of a link, what it leads to.
Result<std::optional<analysis::RunInput>> on_disk(ChangeSession& session, const std::string& path) {
  const std::string& root = session.repo.root();
  GH_TRY(found, sys::read_tree_file(root, path, git::kMaxBlobBytes));
  const bool is_link = found.kind == sys::TreeFileKind::symlink;
  if (const auto target = is_link ? followed(root, path) : std::nullopt) {
    GH_TRY(behind, sys::read_tree_file(root, *target, git::kMaxBlobBytes));
    found = std::move(behind);
  }
  if (found.kind != sys::TreeFileKind::regular) return std::nullopt;
  const std::string_view mode = is_link                           ? "120000"
                                : (found.permissions & 0111) != 0 ? "100755"
                                                                  : "100644";
  return analysis::RunInput{path, std::string(mode),
                            ObjectId::of(session.repo.hash_kind(), "blob", found.bytes).hex()};
}

}  // namespace

Value extract_document(const analysis::RunReport& report, std::vector<analysis::RunInput> inputs) {
  return Map{{"schema", "gatehouse.run_extract/1"},
             {"report", analysis::run_extract(report)},
             {"inputs", inputs_text(std::move(inputs))}};
}

Result<std::optional<ControlRun>> latest_run(ChangeSession& session) {
  if (session.ledger == nullptr) return std::nullopt;
  GH_TRY(rows, session.ledger->analysis_runs({.root = tree_root(session), .limit = 1}));
  if (rows.empty()) return std::nullopt;
  return loaded(session, std::move(rows.front()));
}

Result<std::optional<ControlRun>> run_named(ChangeSession& session, const std::string& word) {
  if (word == "latest") return latest_run(session);
  if (session.ledger == nullptr || word.empty() || word.size() > 64 ||
      word.find_first_not_of(kHexDigits) != std::string::npos)
    return std::nullopt;
  for (const std::string& of : {tree_root(session), std::string()}) {
    GH_TRY(found, session.ledger->analysis_runs({.root = of, .prefix = word, .limit = 2}));
    if (found.empty()) continue;
    if (found.size() > 1 && found[0].run_id != found[1].run_id)
      return fail(Code::run_id_ambiguous, fmt::format("'{}' begins the ids of several runs", word));
    return loaded(session, std::move(found.front()));
  }
  return std::nullopt;
}

Result<ControlRun> needed_run(ChangeSession& session, const std::string& word) {
  GH_TRY(found, run_named(session, word));
  if (!found)
    return fail(Code::run_not_found, word == "latest"
                                         ? "there is no run of this work tree yet"
                                         : fmt::format("no kept run is '{}'", printable(word, 80)));
  return std::move(*found);
}

std::optional<analysis::RunInput> input_of(const ControlRun& run, std::string_view path) {
  // Lines are found by their end: " <path>\0". A path never holds a NUL.
  std::string needle = " ";
  needle.append(path).push_back(kEnd);
  const std::string_view all = run.inputs;
  for (std::size_t at = all.find(needle); at != all.npos; at = all.find(needle, at + 1)) {
    const std::size_t before = at == 0 ? all.npos : all.rfind(kEnd, at);
    const std::size_t start = before == all.npos ? 0 : before + 1;
    analysis::RunInput input = input_in(all.substr(start, at + needle.size() - 1 - start));
    if (input.path == path) return input;
  }
  return std::nullopt;
}

Result<std::vector<std::string>> changed_since(ChangeSession& session, const ControlRun& run,
                                               const std::vector<std::string>& paths,
                                               std::size_t limit) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    if (out.size() >= limit) break;
    const auto then = input_of(run, path);
    if (!then && !is_read_by_runs(path)) continue;  // it cannot be stale
    GH_TRY(now, on_disk(session, path));
    const bool is_same = now.has_value() == then.has_value() &&
                         (!now || (now->blob == then->blob && now->mode == then->mode));
    if (!is_same) out.push_back(path);
  }
  std::ranges::sort(out);
  return out;
}

bool is_analysed(std::string_view path) {
  return analysis::is_wanted(path) && !analysis::is_excluded(path);
}

}  // namespace gh::ops
