#include "report/patch_document.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "report/columns.h"
#include "wire/json.h"

namespace gh::report {
namespace {

constexpr std::size_t kMessageMax = 240;
constexpr std::size_t kExcerptMax = 160;
constexpr std::size_t kPathMax =
    4096;  // the path gate's limit is lower; refused names may be longer

bool is_policy_fault(Code code) {
  switch (code) {
    case Code::policy_unreadable:
    case Code::policy_not_object:
    case Code::policy_unknown_key:
    case Code::policy_bad_value:
    case Code::policy_bad_path:
      return true;
    default:
      return false;
  }
}

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

Value number_or_null(std::int64_t number) { return number == 0 ? Value() : Value(number); }

Value paths_value(const std::vector<std::string>& paths) {
  List out;
  for (const std::string& path : paths)
    out.emplace_back(path_text(path));
  return out;
}

std::string plural(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& paths) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kShown, paths.size()); ++i)
    shown.push_back(clipped(paths[i], 60));
  std::string out = join(shown, ", ");
  if (paths.size() > kShown) out += fmt::format(" and {} more", paths.size() - kShown);
  return out;
}

std::string acceptance_message(const patch::Outcome& outcome) {
  std::string_view did = "accepted";
  if (outcome.landed) did = outcome.landed->mode == "commit" ? "committed" : "landed";
  return fmt::format(
      "{}: {}, {} added, {} deleted: {}", did, plural(std::ssize(outcome.touched_files), "file"),
      plural(outcome.added_lines, "line"), outcome.deleted_lines, listed(outcome.touched_files));
}

std::string rejection_message(const patch::Outcome& outcome) {
  const std::string first = clipped(outcome.violations.front().message, kMessageMax);
  if (outcome.violations_total <= 1) return first;
  const std::string tail = fmt::format(" (and {} more)", outcome.violations_total - 1);
  return clipped(outcome.violations.front().message, kMessageMax - tail.size()) + tail;
}

Value violation_value(const Violation& v) {
  return Map{{"rule", to_string(v.rule)},
             {"file", v.file.empty() ? Value() : Value(path_text(v.file))},
             {"line", number_or_null(v.line)},
             {"limit", v.limit ? Value(*v.limit) : Value()},
             {"actual", v.actual ? Value(*v.actual) : Value()},
             {"message", clipped(v.message, kMessageMax)}};
}

Value violations_value(const std::vector<Violation>& violations) {
  List out;
  for (const Violation& v : violations)
    out.push_back(violation_value(v));
  return out;
}

Value limits_value(const std::vector<Violation>& violations) {
  Map out;
  for (const Violation& v : violations) {
    if (!v.limit || out.find(to_string(v.rule)) != nullptr) continue;
    out.set(std::string(to_string(v.rule)),
            Map{{"limit", *v.limit}, {"actual", v.actual ? Value(*v.actual) : Value()}});
  }
  return out;
}

/// Files of the violations in their order, then other paths concerned; each once.
Value concerned_files(const patch::Outcome& outcome) {
  std::vector<std::string> paths;
  const auto add = [&](const std::string& path) {
    if (!path.empty() && std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
  };
  for (const Violation& v : outcome.violations)
    add(v.file);
  for (const std::string& path : outcome.problem_paths)
    add(path);
  return paths_value(paths);
}

Value advice_value(const patch::Outcome& outcome) {
  List out;
  const auto add = [&](std::string_view text) {
    if (!text.empty() && std::ranges::find(out, Value(text)) == out.end()) out.emplace_back(text);
  };
  if (outcome.error) add(help(outcome.error->code));
  for (const Violation& v : outcome.violations)
    add(advice(v.rule));
  return out;
}

Value notes_value(const std::vector<Note>& notes) {
  List out;
  for (const Note& note : notes)
    out.push_back(Map{{"id", note.id},
                      {"file", note.file.empty() ? Value() : Value(path_text(note.file))},
                      {"line", number_or_null(note.line)},
                      {"message", clipped(note.message, kMessageMax)}});
  return out;
}

Value command_value(const std::optional<patch::CommandRecord>& command) {
  if (!command) return {};
  return Map{{"argv", string_list(command->argv)},
             {"cwd", "<repo>"},
             {"rc", command->rc ? Value(*command->rc) : Value()},
             {"stdout_tail", command->stdout_tail},
             {"stderr_tail", command->stderr_tail},
             {"duration_ms", command->duration_ms}};
}

Value split_value(const std::optional<patch::SplitAdvice>& split) {
  if (!split) return {};
  List parts;
  for (const patch::SplitPart& part : split->parts)
    parts.push_back(Map{{"paths", paths_value(part.paths)},
                        {"files", part.files},
                        {"added_lines", part.added_lines},
                        {"deleted_lines", part.deleted_lines},
                        {"deleted_files", part.deleted_files},
                        {"hunks", part.hunks},
                        {"bytes", part.bytes}});
  return Map{{"parts", std::move(parts)}, {"indivisible", paths_value(split->indivisible)}};
}

Value gate_value(const patch::Outcome& outcome) {
  if (outcome.error) return patch_stage(outcome);
  if (outcome.violations.empty()) return {};
  return to_string(step_of(outcome.violations.front().rule));
}

Value rule_value(const patch::Outcome& outcome) {
  if (outcome.error) return to_string(outcome.error->code);
  if (outcome.violations.empty()) return {};
  return to_string(outcome.violations.front().rule);
}

Map details_value(const patch::Outcome& outcome) {
  const Violation* first = outcome.violations.empty() ? nullptr : &outcome.violations.front();
  return Map{
      {"gate", gate_value(outcome)},
      {"rule", rule_value(outcome)},
      {"files", concerned_files(outcome)},
      {"limits", limits_value(outcome.violations)},
      {"line", first ? number_or_null(first->line) : Value()},
      {"section", first ? number_or_null(first->section) : Value()},
      {"excerpt",
       first && !first->excerpt.empty() ? Value(clipped(first->excerpt, kExcerptMax)) : Value()},
      {"violations", violations_value(outcome.violations)},
      {"violations_total", outcome.violations_total},
      {"changed_paths", paths_value(outcome.problem_paths)},
      {"command", command_value(outcome.command)},
      {"advice", advice_value(outcome)},
      {"notes", notes_value(outcome.notes)},
      {"split", split_value(outcome.split)}};
}

bool is_critical(const patch::Outcome& outcome) {
  return outcome.alarm() || std::ranges::any_of(outcome.violations, [](const Violation& v) {
           return v.rule == Rule::rollback_incomplete;
         });
}

Value policy_value(const DocumentContext& context) {
  return Map{{"source", text_or_null(context.policy_source)},
             {"sha256", text_or_null(context.policy_sha256)},
             {"profile", context.policy ? Value(context.policy->profile) : Value()},
             {"effective", context.policy ? policy::to_value(*context.policy) : Value()}};
}

Value repo_value(const patch::RepoFacts& repo) {
  return Map{{"head", text_or_null(repo.head)},
             {"base_commit", text_or_null(repo.base_commit)},
             {"base_tree", text_or_null(repo.base_tree)},
             {"git_version", text_or_null(repo.git_version)}};
}

Value run_value(const DocumentContext& context) {
  return Map{{"run_id", text_or_null(context.run_id)},
             {"attempt", number_or_null(context.attempt)},
             {"max_attempts", number_or_null(context.max_attempts)},
             {"actor", text_or_null(context.actor)}};
}

Value landed_value(const std::optional<patch::Landed>& landed) {
  if (!landed) return {};
  return Map{{"mode", landed->mode},
             {"ref", text_or_null(landed->ref)},
             {"commit", text_or_null(landed->commit)}};
}

Value verify_value(const std::optional<patch::VerifyReport>& verify) {
  if (!verify || !verify->ok) return {};
  return Map{{"ok", *verify->ok}, {"report", "artifacts/verify_report.json"}};
}

const Value* member(const Map& map, std::string_view key) {
  const Value* found = map.find(key);
  return found != nullptr && !found->is_null() ? found : nullptr;
}

Value copy_of(const Map& map, std::string_view key) {
  const Value* found = map.find(key);
  return found == nullptr ? Value() : *found;
}

}  // namespace

std::string path_text(std::string_view path) { return clipped(path, kPathMax); }

bool is_patch_fault(Code code) {
  return is_policy_fault(code) || class_of(code) == CodeClass::environment ||
         code == Code::patch_missing || code == Code::input_unreadable;
}

std::string_view patch_stage(const patch::Outcome& outcome) {
  if (outcome.error) return is_policy_fault(outcome.error->code) ? "config" : "env";
  if (outcome.violations.empty()) return to_string(outcome.stage);
  return to_string(stage_of(step_of(outcome.violations.front().rule)));
}

std::string_view patch_code(const patch::Outcome& outcome) {
  if (outcome.error)
    return is_policy_fault(outcome.error->code) ? "PATCH_POLICY_INVALID" : "PATCH_ENV_INVALID";
  if (outcome.violations.empty()) return "PATCH_OK";
  return code_of(stage_of(step_of(outcome.violations.front().rule)));
}

std::string patch_message(const patch::Outcome& outcome) {
  if (outcome.error) return clipped(outcome.error->message, kMessageMax);
  if (!outcome.violations.empty()) return rejection_message(outcome);
  return clipped(acceptance_message(outcome), kMessageMax);
}

namespace {

/// The git command that refused, inside the details.
Map* command_of(Map& document) {
  Value* details = document.find("details");
  Value* command = details == nullptr || details->as_map() == nullptr
                       ? nullptr
                       : details->as_map()->find("command");
  return command == nullptr ? nullptr : command->as_map();
}

}  // namespace

Map patch_document(const patch::Outcome& outcome, const DocumentContext& context) {
  const bool ok = outcome.ok();
  Map out{{"schema", ok ? "gatehouse.patch_result/1" : "gatehouse.patch_rejection/1"},
          {"ok", ok},
          {"stage", patch_stage(outcome)},
          {"code", patch_code(outcome)},
          {"message", patch_message(outcome)},
          {"details", details_value(outcome)},
          {"severity", is_critical(outcome) ? "critical" : "normal"},
          {"patch", Map{{"path", "artifacts/diff.patch"},
                        {"sha256", text_or_null(outcome.sha256)},
                        {"bytes", outcome.bytes},
                        {"canonical_sha256", text_or_null(outcome.canonical_sha256)}}},
          {"touched_files", paths_value(outcome.touched_files)},
          {"added_lines", outcome.added_lines},
          {"deleted_lines", outcome.deleted_lines},
          {"policy", policy_value(context)},
          {"repo", repo_value(outcome.repo)},
          {"tool", fmt::format("{} {}", kProduct, kVersion)}};
  if (ok) {
    out.set("candidate_tree", outcome.candidate ? Value(outcome.candidate->tree.hex()) : Value());
    out.set("landed", landed_value(outcome.landed));
    out.set("verify", verify_value(outcome.verify));
  }
  // What differs from one run to the next comes after the digest: that spares a copy of it all.
  const bool has_time = command_of(out) != nullptr;
  std::string digest = has_time ? evidence_sha256(out) : digest_of(wire::canonical_json(out)).hex();
  out.set("run", run_value(context));
  out.set("created_utc", text_or_null(context.created_utc));
  out.set("evidence_sha256", std::move(digest));
  return out;
}

std::string evidence_sha256(const Map& document) {
  Map copy = document;
  for (std::string_view key : {"run", "created_utc", "evidence_sha256", "verdict"})
    copy.erase(key);
  if (Map* command = command_of(copy)) command->erase("duration_ms");
  return digest_of(wire::canonical_json(copy)).hex();
}

Map verify_report_document(const patch::VerifyReport& report) {
  List results;
  for (const patch::VerifyResult& r : report.results)
    results.push_back(Map{{"name", r.name},
                          {"argv", string_list(r.argv)},
                          {"rc", r.rc ? Value(*r.rc) : Value()},
                          {"error", text_or_null(r.error)},
                          {"duration_ms", r.duration_ms},
                          {"stdout_tail", r.stdout_tail},
                          {"stderr_tail", r.stderr_tail}});
  return Map{{"schema", "gatehouse.verify_report/1"},
             {"ok", report.ok ? Value(*report.ok) : Value()},
             {"isolation", string_list(report.isolation)},
             {"changed_paths", paths_value(report.changed_paths)},
             {"results", std::move(results)}};
}

Map ctcp_document(const Map& document) {
  Value stage = copy_of(document, "stage");
  Value code = copy_of(document, "code");
  Value command, out_tail{""}, err_tail{""};
  const Value* details = member(document, "details");
  if (const Map* map = details == nullptr ? nullptr : details->as_map()) {
    if (copy_of(*map, "gate") == Value("path")) {  // the older contract's own pair
      stage = "path";
      code = "PATCH_PATH_INVALID";
    }
    if (const Value* record = member(*map, "command"); record != nullptr && record->as_map()) {
      command = copy_of(*record->as_map(), "argv");
      out_tail = copy_of(*record->as_map(), "stdout_tail");
      err_tail = copy_of(*record->as_map(), "stderr_tail");
    }
  }
  return Map{{"ok", copy_of(document, "ok")},
             {"stage", std::move(stage)},
             {"code", std::move(code)},
             {"message", copy_of(document, "message")},
             {"touched_files", copy_of(document, "touched_files")},
             {"added_lines", copy_of(document, "added_lines")},
             {"command", std::move(command)},
             {"stdout", std::move(out_tail)},
             {"stderr", std::move(err_tail)},
             {"details", copy_of(document, "details")}};
}

}  // namespace gh::report
