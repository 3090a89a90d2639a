// Recorded tool calls, and evidence that people are in the loop (tool-surface 6).
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/sorted.h"
#include "base/text.h"
#include "model/peek.h"
#include "surface/loaders.h"

namespace gh::surface {
namespace {

using Keys = std::initializer_list<std::string_view>;

/// The member at a dotted path.
Peek at_path(const Value& event, std::string_view path) {
  Peek at(event);
  for (const std::string_view part : split(path, '.'))
    at = at[part];
  return at;
}

std::string first_text(const Value& event, Keys paths) {
  for (const std::string_view path : paths)
    if (const std::string_view text = at_path(event, path).text(); !text.empty())
      return std::string(text);
  return {};
}

std::optional<bool> flag_in(const Value& event, std::string_view key) {
  const Value* found = event.as_map()->find(key);
  if (found == nullptr || found->as_bool() == nullptr) return std::nullopt;
  return *found->as_bool();
}

/// Objects of a .jsonl file, a list, the first of these keys that is a list, or the document.
Result<List> events_in(Files& files, const std::string& path, Keys keys,
                       std::vector<std::string>& warnings) {
  List all;
  if (path.ends_with(".jsonl")) {
    GH_TRY(file, read_input(files, path));
    std::int64_t line = 0;
    for (const std::string_view text : split(file.bytes, '\n')) {
      ++line;
      if (trimmed(text).empty()) continue;
      GH_TRY(event, wire::read_document(text, fmt::format("{}:{}.json", file.path, line)));
      all.push_back(event.root);
    }
  } else {
    GH_TRY(input, read_input_document(files, path));
    const Value& root = input.document.root;
    const List* list = root.as_list();
    for (const std::string_view key : keys)
      if (const Value* held = root.as_map() != nullptr ? root.as_map()->find(key) : nullptr;
          list == nullptr && held != nullptr)
        list = held->as_list();
    all = list != nullptr ? *list : List{root};
  }
  List out;
  for (Value& event : all)
    if (event.as_map() != nullptr)
      out.push_back(std::move(event));
    else
      warnings.push_back(fmt::format("Skipping non-object event in '{}'.", path));
  return out;
}

std::optional<TraceEvent> trace_event(const Value& event) {
  TraceEvent out{.tool_name = first_text(event, {"tool_name", "tool", "name", "function_call.name",
                                                 "tool_call.name", "content.functionCall.name"}),
                 .approved = flag_in(event, "approved"),
                 .confirmed = flag_in(event, "confirmed"),
                 .success = flag_in(event, "success"),
                 .error = first_text(event, {"error", "error_message"})};
  if (out.tool_name.empty()) return std::nullopt;
  if (!out.error.empty() && !out.success) out.success = false;
  return out;
}

Result<std::vector<TraceEvent>> traces_in(Files& files, const std::string& path, Keys keys,
                                          std::vector<std::string>& warnings) {
  GH_TRY(events, events_in(files, path, keys, warnings));
  std::vector<TraceEvent> out;
  for (const Value& event : events)
    if (auto trace = trace_event(event))
      out.push_back(std::move(*trace));
    else
      warnings.push_back(fmt::format("Skipping trace event without tool name in '{}'.", path));
  return out;
}

/// One list of the block: its evidence type, what files it takes, the label of its warnings.
struct Kind {
  std::string_view type, suffixes, label;
};
// table: validation evidence
constexpr Kind kTraces{"approval_trace", ".json .jsonl", "approval trace"};
constexpr Kind kOverrides{"override_log", ".json .jsonl", "override log"};
constexpr Kind kExclusions{"high_risk_exclusion", ".json .yaml .yml", "high-risk exclusion"};
constexpr Kind kCriteria{"promotion_criteria", ".json .yaml .yml", "promotion criteria"};

class ValidationLoader {
 public:
  explicit ValidationLoader(Files& files) : files_(files) {}

  template <class Take>
  Status each(const PathEntries& entries, const Kind& kind, std::vector<std::string>& names,
              Take take) {
    for (const PathEntry& entry : entries) {
      const std::size_t before = out.warnings.size();
      Status status = check_suffix(entry, kind);
      if (status) status = take(entry);
      if (!status && !entry.optional) return status;
      if (!status) {
        out.warnings.push_back(fmt::format("validation: optional {} artifact '{}' failed to load.",
                                           kind.label, entry.path));
        add_source(kind, entry, "source_load_failed");
        continue;
      }
      names.push_back(entry.path);
      add_source(kind, entry, out.warnings.size() > before ? "loaded_with_warnings" : "loaded");
    }
    return {};
  }

  Status traces(const PathEntry& entry) {
    GH_TRY(events, traces_in(files_, entry.path,
                             {"events", "trace_samples", "traces", "tool_calls", "overrides"},
                             out.warnings));
    out.approvals.insert(out.approvals.end(), events.begin(), events.end());
    return {};
  }

  Status overrides(const PathEntry& entry) {
    GH_TRY(events, events_in(files_, entry.path,
                             {"events", "trace_samples", "traces", "tool_calls", "overrides"},
                             out.warnings));
    for (const Value& event : events) {
      OverrideEvent o{
          first_text(event, {"tool_name", "tool", "name", "tool_call.name", "function_call.name"}),
          text_at(event, "action"), text_at(event, "reason"), text_at(event, "actor"),
          text_at(event, "timestamp")};
      if (o.tool_name.empty() || !is_one_of(o.action, "override bypass auto_approve"))
        out.warnings.push_back(
            fmt::format("Skipping incomplete override event in '{}'.", entry.path));
      else
        out.overrides.push_back(std::move(o));
    }
    return {};
  }

  Status exclusions(const PathEntry& entry) {
    GH_TRY(input, read_input_document(files_, entry.path));
    constexpr std::string_view kKey = "high_risk_auto_approval_exclusions";
    const Map* root = input.document.root.as_map();
    const Value* list = root != nullptr ? root->find(kKey) : nullptr;
    if (list == nullptr || list->as_list() == nullptr)
      return refuse_input(input, "", fmt::format("must be an object with the list {}", kKey));
    for (const Value& item : *list->as_list()) {
      Exclusion e{text_at(item, "tool"), text_at(item, "reason"), text_at(item, "owner")};
      if (trimmed(e.tool).empty() || trimmed(e.reason).empty())
        out.warnings.push_back(
            fmt::format("Skipping exclusion without tool or reason in '{}'.", entry.path));
      else
        out.exclusions.push_back(std::move(e));
    }
    return {};
  }

  Status criteria(const PathEntry& entry) {
    GH_TRY(input, read_input_document(files_, entry.path));
    if (input.document.root.as_map() == nullptr)
      return refuse_input(input, "", "promotion criteria must be an object");
    out.criteria.push_back(*input.document.root.as_map());
    return {};
  }

  void require(bool wanted, std::string_view flag, const Kind& kind, const PathEntries& entries) {
    if (!wanted) return;
    out.sources.push_back({"manifest_requirement", std::string(flag), "", "requirement_only", ""});
    if (entries.empty())
      out.sources.push_back({std::string(kind.type), "", "", "expected_but_absent", ""});
  }

  ValidationEvidence out;

 private:
  static Status check_suffix(const PathEntry& entry, const Kind& kind) {
    const std::string suffix =
        entry.path.substr(std::min(entry.path.rfind('.'), entry.path.size()));
    if (is_one_of(lower_case(suffix), kind.suffixes)) return {};
    return fail(Code::input_unreadable,
                fmt::format("{}: {} must be one of {}", printable(entry.path, 400), kind.label,
                            kind.suffixes));
  }

  void add_source(const Kind& kind, const PathEntry& entry, std::string_view status) {
    out.sources.push_back({std::string(kind.type), entry.path, "", std::string(status), ""});
  }

  Files& files_;
};

}  // namespace

Result<std::vector<TraceEvent>> load_traces(const PathEntry& entry, Files& files,
                                            std::vector<std::string>& warnings) {
  return traces_in(files, entry.path, {"trace_samples", "traces", "events", "tool_calls"},
                   warnings);
}

Result<ValidationEvidence> load_validation(const ValidationBlock& block, Files& files) {
  ValidationLoader loader(files);
  ValidationEvidence& out = loader.out;
  loader.require(block.approval_trace_required, "approval_trace_required", kTraces,
                 block.approval_traces);
  loader.require(block.override_reason_required, "override_reason_required", kOverrides,
                 block.override_logs);
  loader.require(block.exclusion_required, "high_risk_auto_approval_exclusion_required",
                 kExclusions, block.high_risk_exclusions);
  loader.require(block.posture == "limited_auto_approval", "target_review_posture", kCriteria,
                 block.promotion_criteria);
  GH_DO(loader.each(block.approval_traces, kTraces, out.trace_files,
                    [&](const PathEntry& e) { return loader.traces(e); }));
  GH_DO(loader.each(block.override_logs, kOverrides, out.override_files,
                    [&](const PathEntry& e) { return loader.overrides(e); }));
  GH_DO(loader.each(block.high_risk_exclusions, kExclusions, out.exclusion_files,
                    [&](const PathEntry& e) { return loader.exclusions(e); }));
  GH_DO(loader.each(block.promotion_criteria, kCriteria, out.criteria_files,
                    [&](const PathEntry& e) { return loader.criteria(e); }));
  sort_unique(out.sources);
  return std::move(out);
}

}  // namespace gh::surface
