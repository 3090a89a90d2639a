#pragma once
// What people and agents read about a judged patch: reviews/review_patch.md and the outbox prompt.
// Pure: documents in, Markdown out.
#include <string>
#include <string_view>

#include "model/value.h"
#include "runs/run_folder.h"

namespace gh::runs {

/// From gatehouse.patch_rejection/1 (Verdict: BLOCK) or gatehouse.patch_result/1 (Verdict: PASS).
std::string render_review(const Map& document);

/// The prompt for the fixer of a rejected patch.
std::string render_prompt(const Map& rejection, const Filing&);

/// The Patch-SHA256 that a prompt asks to repair; empty when it names none.
std::string_view prompt_patch_sha256(std::string_view prompt);

}  // namespace gh::runs
