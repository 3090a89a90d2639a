#include "report/patch_text.h"

#include <set>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "report/columns.h"
#include "report/diagnostics.h"
#include "report/patch_document.h"

namespace gh::report {
namespace {

Diagnostic diagnostic_of(const Violation& v, const PatchTextContext& context) {
  Diagnostic out;
  out.id = to_string(v.rule);
  out.message = v.message;
  if (v.line > 0) {
    out.path = context.name;
    out.line = v.line;
    out.source = source_around(context.submission, v.line, 1);
    for (const SourceLine& line : out.source)
      if (line.number == v.line)
        out.spans.push_back({v.line, 0, std::max<std::size_t>(1, line.text.size()), {}, true});
  } else {
    out.path = v.file;
  }
  if (v.line > 0 && !v.file.empty()) out.facts.emplace_back("file", path_text(v.file));
  if (v.limit && v.actual)
    out.facts.emplace_back("limit", fmt::format("{}, here {}", *v.limit, *v.actual));
  if (!advice(v.rule).empty()) out.facts.emplace_back("next", advice(v.rule));
  out.facts.emplace_back("more", fmt::format("{} explain {}", kProduct, out.id));
  return out;
}

Diagnostic diagnostic_of(const Error& error) {
  Diagnostic out;
  out.id = to_string(error.code);
  out.message = error.message;
  for (const std::string& where : error.trail)
    out.facts.emplace_back("while", where);
  out.facts.emplace_back("next", help(error));
  out.facts.emplace_back("more", fmt::format("{} explain {}", kProduct, out.id));
  return out;
}

std::string command_text(const patch::CommandRecord& command) {
  const std::string_view program =
      command.argv.empty() ? std::string_view("the command") : std::string_view(command.argv[0]);
  const std::string speaker = printable(program.substr(program.rfind('/') + 1), 60);
  const std::string end = command.rc ? fmt::format("exit {}", *command.rc) : "ended early";
  std::string out = fmt::format("{} said ({}):\n", speaker, end);
  for (std::string_view line : split(command.stderr_tail, '\n'))
    if (!line.empty()) out += fmt::format("  {}\n", line);
  return command.stderr_tail.empty() ? std::string() : out + "\n";
}

std::string notes_text(const patch::Outcome& outcome, const Look& look) {
  std::string out;
  for (const Note& note : outcome.notes) {
    std::string place = path_text(note.file);
    if (note.line > 0) place += fmt::format("{}line {}", place.empty() ? "" : ", ", note.line);
    out +=
        fmt::format("{} {}{}\n", paint(look, Ink::accent, fmt::format("note[{}]:", note.id)),
                    clipped(note.message, 400), place.empty() ? "" : fmt::format(" ({})", place));
  }
  return out;
}

std::string split_text(const patch::SplitAdvice& split, const PatchTextContext&) {
  std::string out;
  if (!split.parts.empty())
    out += fmt::format("This fits when sent as {} patches, one after the other:\n",
                       split.parts.size());
  for (std::size_t i = 0; i < split.parts.size(); ++i) {
    const patch::SplitPart& part = split.parts[i];
    out += fmt::format("  {}. {} file{}, +{} -{}\n", i + 1, part.files, part.files == 1 ? "" : "s",
                       part.added_lines, part.deleted_lines);
    for (const std::string& path : part.paths)
      out += fmt::format("       {}\n", path_text(path));
  }
  for (const std::string& path : split.indivisible)
    out += fmt::format("  {} is over a budget by itself and cannot be divided by file\n",
                       path_text(path));
  return out.empty() ? out : out + "\n";
}

std::string kept_text(const PatchTextContext& context) {
  if (context.run_folder.empty()) return {};
  return fmt::format("evidence: {}{}\n", path_text(context.run_folder),
                     context.run_id.empty() ? "" : fmt::format(" (run {})", context.run_id));
}

char letter_of(const patch::TouchedEntry& entry) {
  if (!entry.old_mode) return 'A';
  return entry.new_mode ? 'M' : 'D';
}

std::string landed_text(const patch::Outcome& outcome) {
  if (!outcome.landed) return "checked only, nothing was changed";
  if (outcome.landed->mode == "commit")
    return fmt::format("committed {} on {}", outcome.landed->commit.substr(0, 12),
                       clipped(outcome.landed->ref, 200));
  return "landed in work tree and index";
}

std::string acceptance_text(const patch::Outcome& outcome, const PatchTextContext& context,
                            const Look& look) {
  std::string out = fmt::format("{} {}\n", paint(look, Ink::good, look.ascii ? "ok" : "✓"),
                                patch_message(outcome));
  if (outcome.candidate) {
    for (const patch::TouchedEntry& entry : outcome.candidate->entries)
      out += fmt::format("  {} {}\n", letter_of(entry), path_text(entry.path));
    out += fmt::format("  tree {} on base {}\n", outcome.candidate->tree.hex().substr(0, 12),
                       outcome.candidate->base_commit.hex().substr(0, 12));
  }
  out += notes_text(outcome, look);
  if (outcome.verify && outcome.verify->ok)
    out += fmt::format("  verify: {} of {} commands passed\n", outcome.verify->results.size(),
                       outcome.verify->results.size());
  out += fmt::format("  {}\n", landed_text(outcome));
  if (!context.warning.empty())
    out += fmt::format("{} {}\n", paint(look, Ink::warning, "warning:"), context.warning);
  return out + kept_text(context);
}

Summary summary_of(const patch::Outcome& outcome, const Verdict& verdict) {
  std::set<std::string_view> files;
  for (const Violation& v : outcome.violations)
    if (!v.file.empty()) files.insert(v.file);
  Summary out;
  out.decision = verdict.decision;
  out.errors = outcome.error ? 1 : outcome.violations_total;
  out.notes = std::ssize(outcome.notes);
  out.files = std::ssize(files);
  out.policy_digest = verdict.policy_digest;
  out.duration_ms = verdict.duration_ms;
  return out;
}

}  // namespace

std::string render_patch_answer(const patch::Outcome& outcome, const PatchTextContext& context,
                                const Look& look) {
  if (outcome.ok()) return acceptance_text(outcome, context, look);
  std::vector<Diagnostic> all;
  if (outcome.error) all.push_back(diagnostic_of(*outcome.error));
  for (const Violation& v : outcome.violations)
    all.push_back(diagnostic_of(v, context));
  std::string out = render_diagnostics(all, look);
  if (look.verbosity >= 0) {
    if (outcome.command) out += command_text(*outcome.command);
    out += notes_text(outcome, look);
    if (outcome.split) out += split_text(*outcome.split, context);
    out += kept_text(context);
  }
  return out;
}

std::string render_patch(const patch::Outcome& outcome, const Verdict& verdict,
                         const PatchTextContext& context, const Look& look) {
  if (outcome.ok() && look.verbosity < 0) return {};
  return render_patch_answer(outcome, context, look) +
         render_summary(summary_of(outcome, verdict), look);
}

}  // namespace gh::report
