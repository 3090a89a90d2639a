#pragma once
// The patch gate's answer for people.
#include <string>
#include <string_view>

#include "model/verdict.h"
#include "patch/outcome.h"
#include "report/look.h"

namespace gh::report {

struct PatchTextContext {
  std::string name = "patch";     // what the submission is called: a file name, "standard input"
  std::string_view submission{};  // its bytes, for the lines around a violation
  std::string run_folder{};       // where the evidence is; empty: none was kept
  std::string run_id{};
  std::string warning{};  // said below an acceptance
};

/// Acceptance: what changes, and the tree it gives. Refusal: one diagnostic per violation, notes,
/// split advice, summary line.
std::string render_patch(const patch::Outcome&, const Verdict&, const PatchTextContext&,
                         const Look&);
/// The same without its summary line.
std::string render_patch_answer(const patch::Outcome&, const PatchTextContext&, const Look&);

}  // namespace gh::report
