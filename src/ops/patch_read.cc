// `patch explain` and `patch canon`: what the gate reads, without a repository.
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "diff/patch.h"
#include "ops/patch_ops.h"
#include "report/columns.h"
#include "report/patch_document.h"
#include "report/patch_text.h"
#include "report/verdict_document.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

struct Submission {
  std::string name;   // for messages
  std::string bytes;  // the patch's views point in here
  Judged<diff::Patch> patch;
};

diff::Profile profile_of(const Request& request) {
  return request.text("profile") == "git" ? diff::Profile::git : diff::Profile::strict;
}

Result<std::shared_ptr<const Submission>> read(const Request& request, Context& context) {
  const std::string file = request.text("FILE");
  GH_TRY(bytes, read_submission(file, context));
  auto out = std::make_shared<Submission>(Submission{
      file == "-" ? "standard input" : file, std::move(bytes), tl::unexpected(Violation{})});
  out->patch = diff::parse(out->bytes, profile_of(request), diff::Position::exact);
  return out;
}

/// The shape gate said no: the same document and text as `patch check` would give.
Reply refusal(const std::shared_ptr<const Submission>& submission) {
  patch::Outcome outcome;
  outcome.violations = {submission->patch.error()};
  outcome.violations_total = 1;
  outcome.sha256 = digest_of(submission->bytes).hex();
  outcome.bytes = std::ssize(submission->bytes);
  const report::DocumentContext document_context;
  const Verdict verdict = report::patch_verdict(outcome, document_context, {});
  Map document = report::patch_document(outcome, document_context);
  document.set("verdict", report::verdict_document(verdict));
  Reply reply;
  reply.document = std::move(document);
  reply.text = [submission, outcome, verdict](const report::Look& look) {
    report::PatchTextContext text;
    text.name = submission->name;
    text.submission = submission->bytes;
    return report::render_patch(outcome, verdict, text, look);
  };
  reply.exit = ExitCode::denied;
  reply.why = report::why_not_allowed(verdict);
  return reply;
}

Value mode_value(const std::optional<FileMode>& mode) {
  return mode ? Value(to_string(*mode)) : Value();
}

Value hunk_value(const diff::Hunk& hunk) {
  return Map{{"line", hunk.line},           {"old_start", hunk.old_start},
             {"old_count", hunk.old_count}, {"new_start", hunk.new_start},
             {"new_count", hunk.new_count}, {"added", hunk.added},
             {"deleted", hunk.deleted}};
}

Value section_value(const diff::Section& section, std::int64_t number) {
  List hunks;
  for (const diff::Hunk& hunk : section.hunks)
    hunks.push_back(hunk_value(hunk));
  return Map{{"section", number},
             {"line", section.line},
             {"operation", to_string(section.op)},
             {"old_path", report::path_text(section.old_path)},
             {"new_path", report::path_text(section.new_path)},
             {"old_mode", mode_value(section.old_mode)},
             {"new_mode", mode_value(section.new_mode)},
             {"added", section.added},
             {"deleted", section.deleted},
             {"hunks", std::move(hunks)}};
}

std::int64_t distinct_paths(const diff::Patch& patch) {
  std::set<std::string_view> out;
  for (const diff::Section& section : patch.sections) {
    out.insert(section.old_path);
    out.insert(section.new_path);
  }
  return std::ssize(out);
}

Map model_document(const Submission& submission) {
  const diff::Patch& patch = *submission.patch;
  List sections, notes;
  for (const diff::Section& section : patch.sections)
    sections.push_back(section_value(section, std::ssize(sections) + 1));
  for (const Note& note : patch.notes)
    notes.push_back(Map{{"id", note.id},
                        {"file", report::path_text(note.file)},
                        {"line", note.line},
                        {"message", note.message}});
  return Map{{"schema", "gatehouse.patch_model/1"},
             {"sha256", digest_of(submission.bytes).hex()},
             {"canonical_sha256", digest_of(diff::print_canonical(patch)).hex()},
             {"bytes", std::ssize(submission.bytes)},
             {"files", distinct_paths(patch)},
             {"added_lines", patch.added},
             {"deleted_lines", patch.deleted},
             {"hunks", patch.hunks},
             {"sections", std::move(sections)},
             {"notes", std::move(notes)},
             {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
}

std::string names_text(const diff::Section& section) {
  const std::string to = report::path_text(section.new_path);
  if (section.op != diff::Operation::rename && section.op != diff::Operation::copy) return to;
  return fmt::format("{} -> {}", report::path_text(section.old_path), to);
}

std::string mode_text(const diff::Section& section) {
  const bool both = section.old_mode && section.new_mode;
  if (both && *section.old_mode != *section.new_mode)
    return fmt::format("  mode {} -> {}", to_string(*section.old_mode),
                       to_string(*section.new_mode));
  if (section.new_mode && *section.new_mode != FileMode::regular)
    return fmt::format("  mode {}", to_string(*section.new_mode));
  return {};
}

std::string model_text(const Submission& submission, const report::Look& look) {
  const diff::Patch& patch = *submission.patch;
  std::string out;
  for (std::size_t i = 0; i < patch.sections.size(); ++i) {
    const diff::Section& section = patch.sections[i];
    out += fmt::format("{} {:<7} {}  {} {}{}\n",
                       report::paint(look, report::Ink::dim, fmt::format("{:>3}", i + 1)),
                       to_string(section.op),
                       report::paint(look, report::Ink::bold, names_text(section)),
                       report::paint(look, report::Ink::good, fmt::format("+{}", section.added)),
                       report::paint(look, report::Ink::bad, fmt::format("-{}", section.deleted)),
                       mode_text(section));
    if (look.verbosity > 0)
      for (const diff::Hunk& hunk : section.hunks)
        out += fmt::format("      line {}: @@ -{},{} +{},{} @@\n", hunk.line, hunk.old_start,
                           hunk.old_count, hunk.new_start, hunk.new_count);
  }
  for (const Note& note : patch.notes)
    out +=
        fmt::format("note[{}]: {} (line {})\n", note.id, printable(note.message, 400), note.line);
  const auto counted = [](std::int64_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  out += fmt::format("{}, {}, {}, +{} -{}, {}\ncanonical sha256 {}\n",
                     counted(std::ssize(patch.sections), "section"),
                     counted(distinct_paths(patch), "path"), counted(patch.hunks, "hunk"),
                     patch.added, patch.deleted, counted(std::ssize(submission.bytes), "byte"),
                     digest_of(diff::print_canonical(patch)).hex());
  return out;
}

}  // namespace

Result<Reply> patch_explain(const Request& request, Context& context) {
  GH_TRY(submission, read(request, context));
  if (!submission->patch) return refusal(submission);
  Reply reply;
  if (context.wants_document) reply.document = model_document(*submission);
  reply.text = [submission](const report::Look& look) { return model_text(*submission, look); };
  return reply;
}

Result<Reply> patch_canon(const Request& request, Context& context) {
  GH_TRY(submission, read(request, context));
  if (!submission->patch) return refusal(submission);
  std::string canonical = diff::print_canonical(*submission->patch);
  Reply reply;
  if (context.wants_document)
    reply.document = Map{{"schema", "gatehouse.canonical_patch/1"},
                         {"sha256", digest_of(submission->bytes).hex()},
                         {"canonical_sha256", digest_of(canonical).hex()},
                         {"bytes", std::ssize(canonical)},
                         {"patch", utf8_or_escaped(canonical)},
                         {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [canonical = std::move(canonical)](const report::Look&) { return canonical; };
  return reply;
}

}  // namespace gh::ops
