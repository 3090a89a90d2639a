#include "runs/feedback.h"

#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "wire/markdown.h"

namespace gh::runs {
namespace {

constexpr std::array<std::string_view, 3> kRetryRule{
    "Only rewrite `artifacts/diff.patch`; nothing else is read.",
    "Unified diff only; its first non-empty line starts with `diff --git`.",
    "No prose, no JSON, no file dumps.",
};
constexpr std::array<std::string_view, 3> kPromptInputs{
    "failure_bundle.zip",
    "artifacts/patch_rejection.json",
    "artifacts/verify_report.json",
};
constexpr std::string_view kShaLabel = "Patch-SHA256: ";

const Value* at(const Map& document, std::string_view block, std::string_view key) {
  const Value* found = document.find(block);
  return found != nullptr && found->as_map() != nullptr ? found->as_map()->find(key) : nullptr;
}

/// Text of a member that the gate itself wrote: a word or a digest.
std::string word(const Value* value) {
  if (value != nullptr && value->as_string() != nullptr) return printable(*value->as_string());
  if (value != nullptr && value->as_int() != nullptr) return fmt::to_string(*value->as_int());
  return "(none)";
}

/// Text of a member that may repeat bytes of the patch.
std::string text(const Value* value) {
  return value != nullptr && value->as_string() != nullptr ? wire::md_text(*value->as_string())
                                                           : "(none)";
}

std::string touched_files(const Map& document) {
  const Value* files = document.find("touched_files");
  if (files == nullptr || files->as_list() == nullptr || files->as_list()->empty())
    return "- (none)\n";
  std::string out;
  for (const Value& file : *files->as_list())
    if (file.as_string() != nullptr) out += fmt::format("- {}\n", wire::md_code(*file.as_string()));
  return out;
}

std::string bullets(const auto& items) {
  std::string out;
  for (const std::string_view item : items)
    out += fmt::format("- {}\n", item);
  return out;
}

std::string policy_notes(const Map& document) {
  const Value* notes = at(document, "details", "notes");
  if (notes == nullptr || notes->as_list() == nullptr) return {};
  std::string out;
  for (const Value& note : *notes->as_list()) {
    const Map* map = note.as_map();
    if (map == nullptr || word(map->find("id")) != "policy_widening_ignored") continue;
    out += fmt::format("Policy-Note: {}\n", text(map->find("message")));
  }
  return out;
}

bool is_ok(const Map& document) {
  const Value* ok = document.find("ok");
  return ok != nullptr && ok->as_bool() != nullptr && *ok->as_bool();
}

std::string advice_lines(const Map& document) {
  const Value* advice = at(document, "details", "advice");
  if (advice == nullptr || advice->as_list() == nullptr) return {};
  std::string out = "Advice:\n";
  for (const Value& line : *advice->as_list())
    if (line.as_string() != nullptr) out += fmt::format("- {}\n", wire::md_text(*line.as_string()));
  return out;
}

std::string_view next_step(const Filing& filing) {
  if (filing.frozen) return "The run is frozen: nothing is accepted until a person clears it.";
  if (filing.blocked) return "The attempts are used up: the run is blocked.";
  return "Submit the repaired patch to the same run.";
}

}  // namespace

std::string render_review(const Map& document) {
  const Value* details = document.find("details");
  std::string out = "# Patch Review\n\n";
  out += fmt::format("Verdict: {}\n", is_ok(document) ? "PASS" : "BLOCK");
  out += fmt::format("Code: {}\n", word(document.find("code")));
  out += fmt::format("Stage: {}\n", word(document.find("stage")));
  out += fmt::format("Rule: {}\n", word(at(document, "details", "rule")));
  out += fmt::format("Reason: {}\n", text(document.find("message")));
  out += fmt::format("{}{}\n", kShaLabel, word(at(document, "patch", "sha256")));
  out += fmt::format("Policy-Source: {}\n", text(at(document, "policy", "source")));
  out += fmt::format("Added-Lines: {}\n", word(document.find("added_lines")));
  out += "Touched-Files:\n" + touched_files(document);
  if (!is_ok(document)) out += "Retry-Rule:\n" + bullets(kRetryRule);
  out += policy_notes(document);
  out += "Details:\n\n" + wire::md_json(details == nullptr ? Value(Map{}) : *details);
  return out;
}

std::string render_prompt(const Map& rejection, const Filing& filing) {
  std::string out = "# Fix the patch\n\n";
  out += "Goal: `artifacts/diff.patch` passes the patch gate.\n";
  out += "Role: fixer\n";
  out += "Action: fix_patch\n";
  out += "Target-Path: artifacts/diff.patch\n";
  out += fmt::format("Reason: {} {}: {}\n", word(rejection.find("code")),
                     word(at(rejection, "details", "rule")), text(rejection.find("message")));
  out += fmt::format("{}{}\n", kShaLabel, word(at(rejection, "patch", "sha256")));
  out += fmt::format("Run: {}\n", word(at(rejection, "run", "run_id")));
  out += fmt::format("Attempt: {} of {}\n", word(at(rejection, "run", "attempt")),
                     word(at(rejection, "run", "max_attempts")));
  out += fmt::format("Base-Commit: {}\n", word(at(rejection, "repo", "base_commit")));
  out += fmt::format("Next: {}\n", next_step(filing));
  if (!filing.frozen && !filing.blocked)
    out += fmt::format("Submit-With: gatehouse patch apply FILE --run {}\n",
                       word(at(rejection, "run", "run_id")));
  out += advice_lines(rejection);
  out += "Inputs:\n" + bullets(kPromptInputs);
  out += "Hard-Rules:\n" + bullets(kRetryRule);
  out += "- The verify, workflow and contract gates stay as they are; none can be skipped.\n";
  return out;
}

std::string_view prompt_patch_sha256(std::string_view prompt) {
  for (const std::string_view line : split(prompt, '\n'))
    if (line.starts_with(kShaLabel)) return line.substr(kShaLabel.size());
  return {};
}

}  // namespace gh::runs
