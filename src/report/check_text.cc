#include "report/check_text.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "report/columns.h"
#include "report/patch_document.h"
#include "report/rule_text.h"
#include "wire/json.h"

namespace gh::report {
namespace {

constexpr std::ptrdiff_t kScreenLines = 40;
constexpr std::size_t kShownValues = 5;

struct Mark {
  std::string_view symbol, ascii;
  Ink ink;
};

Mark mark_of(const Part& part) {
  if (!part.ran) return {"-", "-", Ink::dim};
  switch (part.decision) {
    case Decision::allow:
      return {"✓", "ok", Ink::good};
    case Decision::deny:
      return {"✗", "no", Ink::bad};
    default:
      return {"?", "?", Ink::warning};
  }
}

std::string part_line(const Part& part, const Look& look) {
  const Mark mark = mark_of(part);
  const std::string symbol(look.ascii ? mark.ascii : mark.symbol);
  const std::string said = part.ran ? fmt::format("{} ({})", part.status, to_string(part.decision))
                                    : fmt::format("skipped, {}", part.why);
  return fmt::format("{} {} {}\n", paint(look, mark.ink, padded(symbol, look.ascii ? 2 : 1)),
                     padded(part.gate + ":", 10), clipped(said, 400));
}

/// A list of evidence in one line.
std::string listed(const List& values) {
  std::vector<std::string> shown;
  for (const Value& value : values) {
    if (shown.size() == kShownValues) break;
    if (value.as_string() != nullptr) shown.push_back(*value.as_string());
  }
  std::string out = join(shown, ", ");
  if (values.size() > kShownValues)
    out += fmt::format(" and {} more", values.size() - kShownValues);
  return out;
}

void add_evidence(const Reason& reason, Diagnostic& out) {
  for (const std::string_view key : {"declared", "forbidden", "held_by", "intents"}) {
    const Value* value = reason.evidence.find(key);
    if (value == nullptr) continue;
    if (const List* list = value->as_list(); list != nullptr && !list->empty())
      out.facts.emplace_back(key, listed(*list));
    else if (value->as_string() != nullptr)
      out.facts.emplace_back(key, *value->as_string());
  }
  const Value* places = reason.evidence.find("places");
  for (const Value& place : places == nullptr ? List{} : *places->as_list()) {
    const Map* map = place.as_map();
    const std::string* path = map->find("path")->as_string();
    const std::int64_t line = *map->find("line")->as_int();
    if (*path != reason.path || line != reason.line)
      out.related.push_back(fmt::format("{}:{}", *path, line));
  }
}

Diagnostic diagnostic_of(const Reason& reason, const CheckTextContext& context) {
  Diagnostic out{.severity = reason.severity,
                 .id = reason.id,
                 .message = reason.message,
                 .path = path_text(reason.path),
                 .line = reason.line,
                 .column = reason.column};
  if (context.source) out.source = context.source(reason);
  for (const SourceLine& line : out.source) {
    if (line.number != reason.line) continue;
    const std::size_t first = std::min(line.text.find_first_not_of(" \t"), line.text.size());
    out.spans.push_back({.line = line.number,
                         .byte = first,
                         .length = std::max<std::size_t>(1, line.text.size() - first),
                         .label = line.mark == '+' ? "added by this change" : ""});
  }
  add_evidence(reason, out);
  if (!reason.next.command.empty() && !reason.next.command.starts_with("gatehouse explain "))
    out.facts.emplace_back("next", reason.next.command);
  else if (!reason.next.why.empty())
    out.facts.emplace_back("next", reason.next.why);
  if (is_explained(reason.id))
    out.facts.emplace_back("more", fmt::format("{} explain {}", kProduct, reason.id));
  return out;
}

/// As the gates stand in the verdict. Inside of one what has a place comes before what is said of
/// the whole, and notes come last.
std::vector<const Reason*> ordered(const Verdict& verdict) {
  std::vector<const Reason*> out;
  for (const Reason& reason : verdict.reasons)
    if (reason.gate != "patch") out.push_back(&reason);
  const auto rank = [&](const Reason* reason) {
    return std::ranges::find(verdict.parts, reason->gate, &Part::gate) - verdict.parts.begin();
  };
  std::ranges::stable_sort(out, {}, [&](const Reason* r) {
    return std::tuple(rank(r), r->severity == Severity::note, r->path.empty(), r->severity,
                      std::string_view(r->path), r->line, std::string_view(r->id));
  });
  return out;
}

std::string reasons_text(const Verdict& verdict, const CheckTextContext& context,
                         const Look& look) {
  std::string out;
  std::ptrdiff_t lines = 0, shown = 0;
  const std::vector<const Reason*> reasons = ordered(verdict);
  for (const Reason* reason : reasons) {
    if (shown > 0 && lines >= kScreenLines && look.verbosity == 0) break;
    const Diagnostic one[] = {diagnostic_of(*reason, context)};
    const std::string text = render_diagnostics(one, look);
    lines += std::ranges::count(text, '\n');
    out += text;
    ++shown;
  }
  if (const std::ptrdiff_t left = std::ssize(reasons) - shown; left > 0)
    out += fmt::format("... {} more (-v shows them, --json lists them)\n\n", left);
  return out;
}

Summary summary_of(const Verdict& verdict, const CheckTextContext& context) {
  Summary out{.decision = verdict.decision,
              .policy_digest = verdict.policy_digest,
              .duration_ms = verdict.duration_ms};
  std::set<std::string_view> files;
  for (const Reason& reason : verdict.reasons) {
    std::int64_t& count = reason.severity == Severity::error     ? out.errors
                          : reason.severity == Severity::warning ? out.warnings
                                                                 : out.notes;
    ++count;
    if (!reason.path.empty()) files.insert(reason.path);
  }
  if (context.outcome != nullptr) {
    const std::int64_t told = std::ssize(context.outcome->violations);
    out.errors += std::max<std::int64_t>(0, context.outcome->violations_total - told);
    out.notes += std::ssize(context.outcome->notes);
  }
  out.files = std::ssize(files);
  return out;
}

}  // namespace

std::string render_check(const Verdict& verdict, const CheckTextContext& context,
                         const Look& look) {
  const bool is_quiet = look.verbosity < 0;
  if (verdict.decision == Decision::allow && is_quiet) return {};
  std::string out;
  if (context.outcome != nullptr && !(is_quiet && context.outcome->ok()))
    out += render_patch_answer(*context.outcome, context.patch, look);
  if (!is_quiet) {
    std::string parts;
    for (const Part& part : verdict.parts)
      if (part.gate != "patch" || context.outcome == nullptr) parts += part_line(part, look);
    out += parts;
  }
  if (const std::string reasons = reasons_text(verdict, context, look); !reasons.empty())
    out += (is_quiet ? "" : "\n") + reasons;
  if (!is_quiet && !context.remark.empty()) out += context.remark + "\n";
  return out + render_summary(summary_of(verdict, context), look);
}

}  // namespace gh::report
