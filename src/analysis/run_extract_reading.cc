#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "analysis/blast_radius.h"
#include "analysis/compare.h"
#include "analysis/extract_lists.h"
#include "analysis/report_view.h"
#include "analysis/run_extract.h"
#include "wire/json.h"
#include "wire/json_stream.h"

namespace gh::analysis {
namespace {

/// How the lines about something begin.
std::string beginning(std::string_view key, std::string_view row = {}) {
  std::string out = "[";
  wire::append_canonical(out, key);
  out += ',';
  if (row.empty()) return out;
  wire::append_canonical(out, row);
  return out += ',';
}

struct Line {
  std::string key{}, row{};
  Value item{};
};

Result<Line> read_line(std::string_view text) {
  GH_TRY(value, wire::read_own_json(text, "line of a run extract"));
  List* parts = value.as_list();
  if (parts == nullptr || parts->size() != 3 || (*parts)[0].as_string() == nullptr ||
      (*parts)[1].as_string() == nullptr)
    return fail(Code::json_invalid, "a line of a run extract has another form");
  return Line{std::move(*(*parts)[0].as_string()), std::move(*(*parts)[1].as_string()),
              std::move((*parts)[2])};
}

/// The text at that place of a line's list; empty when there is none.
std::string text_at(const Value& item, std::size_t place) {
  const List* list = item.as_list();
  if (list == nullptr || list->size() <= place || (*list)[place].as_string() == nullptr) return {};
  return *(*list)[place].as_string();
}

/// Files of which the later run cannot say what is in them, as the lines about them begin: there,
/// also what did not change is asked for.
std::set<std::string, std::less<>> unread_beginnings(const Value& report) {
  std::set<std::string, std::less<>> out;
  for (const std::string_view list : {"partial", "unread"})
    for (const Value& file : list_in(report, {"inventory", "files", list}))
      out.insert(beginning(text_in(file, "path")));
  return out;
}

std::set<std::size_t> unread_parts(const Value& report) {
  std::set<std::size_t> out;
  for (const std::string_view list : {"partial", "unread"})
    for (const Value& file : list_in(report, {"inventory", "files", list}))
      out.insert(part_of(text_in(file, "path")));
  return out;
}

}  // namespace

Result<RunExtract> RunExtract::open(std::string_view head, ReadPart read) {
  GH_TRY(document, wire::read_own_json(head, "run extract"));
  const List& digests = list_in(document, {"parts"});
  if (text_in(document, "schema") != kExtractSchema || digests.size() != kExtractParts ||
      member(document, {"report"}) == nullptr)
    return fail(Code::json_invalid, "run extract: it is of another version");
  RunExtract out;
  for (const Value& digest : digests)
    out.digests_.push_back(digest.as_string() == nullptr ? "" : *digest.as_string());
  out.report_ = std::move(*document.as_map()->find("report"));
  out.read_ = std::move(read);
  return out;
}

Result<const RunExtract::Part*> RunExtract::part(std::size_t number) {
  if (const auto known = parts_.find(number); known != parts_.end()) return known->second.get();
  std::string text;
  if (!digests_[number].empty()) {
    GH_TRY(bytes, read_(number, digests_[number]));
    text = std::move(bytes);
  }
  const auto out = std::make_shared<Part>();
  out->text = std::move(text);
  const char line_end = number == kIdsPart ? kIdEnd : '\n';
  for (std::string_view left = out->text; !left.empty();) {
    const std::size_t end = std::min(left.find(line_end), left.size() - 1);
    out->lines.push_back(left.substr(0, end));
    left.remove_prefix(end + 1);
  }
  parts_.emplace(number, out);
  return out.get();
}

Result<std::vector<Value>> RunExtract::items(std::string_view key, std::string_view row) {
  GH_TRY(found, part(part_of(key)));
  const std::string start = beginning(key, row);
  std::vector<Value> out;
  for (auto at = std::ranges::lower_bound(found->lines, start);
       at != found->lines.end() && at->starts_with(start); ++at) {
    GH_TRY(line, read_line(*at));
    out.push_back(std::move(line.item));
  }
  return out;
}

Status RunExtract::add_line(Partial& to, std::string_view text) {
  GH_TRY(line, read_line(text));
  const ExtractList* row = extract_list_named(line.row);
  List* list = row == nullptr ? nullptr : list_at(to.report, row->path);
  if (list == nullptr) return {};
  if (row->is_finding) to.findings.emplace(text_in(line.item, "id"));
  list->push_back(std::move(line.item));
  return {};
}

Status RunExtract::add_about(Partial& to, std::string_view key) {
  GH_TRY(found, part(part_of(key)));
  const std::string start = beginning(key);
  for (auto at = std::ranges::lower_bound(found->lines, start);
       at != found->lines.end() && at->starts_with(start); ++at)
    GH_DO(add_line(to, *at));
  return {};
}

Status RunExtract::add_findings(Partial& to, const std::string& path, std::string_view novelty) {
  GH_TRY(found, items(path, kFindingRow));
  for (const Value& finding : found) {
    const std::string id = text_at(finding, 0);
    if (to.findings.contains(id)) continue;
    if (novelty.empty() || novelty == text_at(finding, 1)) GH_DO(add_about(to, id));
  }
  return {};
}

Result<std::set<std::string>> RunExtract::add_importers(Partial& to,
                                                        const std::vector<std::string>& files,
                                                        bool transitive) {
  std::set<std::string> all(files.begin(), files.end()), ring = all, modules;
  for (bool goes_on = true; goes_on && !ring.empty(); goes_on = transitive) {
    std::set<std::string> next;
    for (const std::string& path : ring) {
      GH_TRY(known, items(path, kFileRow));
      if (known.empty()) continue;
      const std::string module = module_at(path);
      if (module.empty() || !modules.insert(module).second) continue;
      GH_TRY(edges, items(module, kImportRow));
      for (Value& edge : edges) {
        for (const Value& importer : list_in(edge, {"paths"}))
          if (importer.as_string() != nullptr && all.insert(*importer.as_string()).second)
            next.insert(*importer.as_string());
        list_at(to.report, extract_list_named(kImportRow)->path)->push_back(std::move(edge));
      }
    }
    ring = std::move(next);
  }
  return all;
}

Status RunExtract::settle(Partial& to) {
  if (to.findings.empty()) return {};
  GH_TRY(ids, part(kIdsPart));
  std::unordered_map<std::string_view, std::size_t> places;
  for (const std::string_view id : ids->lines)
    places.emplace(id, places.size());
  for (const ExtractList& row : extract_lists())
    if (List* list = row.is_finding ? list_at(to.report, row.path) : nullptr)
      std::ranges::sort(*list, {},
                        [&](const Value& group) { return places[text_in(group, "id")]; });
  to.report.as_map()->find("findings")->as_map()->set(std::string(kIdsMember), ids->text);
  return {};
}

Result<std::optional<RunInput>> RunExtract::input(const std::string& path) {
  GH_TRY(found, items(path, kInputRow));
  if (found.empty()) return std::nullopt;
  return RunInput{path, text_at(found.front(), 0), text_at(found.front(), 1)};
}

Result<Value> RunExtract::around(const std::vector<std::string>& files) {
  Partial out{report_};
  GH_TRY(zone, add_importers(out, files, false));
  for (const std::string& path : files)
    GH_DO(add_findings(out, path));
  for (const Value* group : finding_groups(out.report))  // who shares code with them
    for (std::string& path : paths_of(*group))
      zone.insert(std::move(path));
  for (const std::string& path : zone) {
    GH_DO(add_about(out, path));
    GH_DO(add_findings(out, path, "known"));
  }
  return std::move(out.report);
}

Result<Value> RunExtract::dependents(const std::vector<std::string>& files) {
  Partial out{report_};
  GH_TRY(all, add_importers(out, files, true));
  List& registry = *list_at(out.report, extract_list_named(kFileRow)->path);
  for (const std::string& path : all) {
    GH_TRY(known, items(path, kFileRow));
    std::ranges::move(known, std::back_inserter(registry));
  }
  return std::move(out.report);
}

Result<bool> RunExtract::analysed(const std::string& path) {
  GH_TRY(known, items(path, kFileRow));
  return !known.empty();
}

Result<Value> RunExtract::findings_in(const std::vector<std::string>& files) {
  Partial out{report_};
  for (const std::string& path : files)
    GH_DO(add_findings(out, path));
  GH_DO(settle(out));
  return std::move(out.report);
}

Result<Value> RunExtract::whole() {
  Partial out{report_};
  for (std::size_t number = 0; number < kLineParts; ++number) {
    GH_TRY(found, part(number));
    for (const std::string_view line : found->lines)
      GH_DO(add_line(out, line));
  }
  GH_DO(settle(out));
  return std::move(out.report);
}

Result<std::set<std::string>> RunExtract::changed_inputs(RunExtract& before, RunExtract& after) {
  const std::string row = fmt::format(R"(,"{}",[)", kInputRow);
  std::set<std::string> out;
  for (std::size_t number = 0; number < kLineParts; ++number) {
    if (before.digests_[number] == after.digests_[number]) continue;
    GH_TRY(old, before.part(number));
    GH_TRY(now, after.part(number));
    Lines differ;
    std::ranges::set_symmetric_difference(old->lines, now->lines, std::back_inserter(differ));
    for (const std::string_view text : differ) {
      if (text.find(row) == text.npos) continue;
      GH_TRY(line, read_line(text));
      if (line.row == kInputRow) out.insert(std::move(line.key));
    }
  }
  return out;
}

Result<RunExtract::Pair> RunExtract::differences(RunExtract& before, RunExtract& after) {
  Partial old{before.report_}, now{after.report_};
  if (comparison_settings(old.report) != comparison_settings(now.report))
    return Pair{std::move(old.report), std::move(now.report)};  // nobody looks further
  // A new suppression is of no effect: then what it covers counts, and what that is like is looked
  // for everywhere.
  const bool all = list_in(old.report, {"meta", "suppressions"}) !=
                   list_in(now.report, {"meta", "suppressions"});
  const std::set<std::size_t> unread = unread_parts(now.report);
  const std::set<std::string, std::less<>> wanted = unread_beginnings(now.report);
  const auto is_wanted = [&](std::string_view line) {
    const auto behind = wanted.upper_bound(line);
    return all || (behind != wanted.begin() && line.starts_with(*std::prev(behind)));
  };
  const auto take = [&](const Lines& lines, const Lines& others, Partial& to) -> Status {
    auto other = others.begin();
    for (const std::string_view line : lines) {
      while (other != others.end() && *other < line)
        ++other;
      const bool is_same = other != others.end() && *other == line;
      if (!is_same || is_wanted(line)) GH_DO(add_line(to, line));
    }
    return {};
  };
  for (std::size_t number = 0; number < kLineParts; ++number) {
    const bool is_same = before.digests_[number] == after.digests_[number];
    if (is_same && !all && !unread.contains(number)) continue;
    GH_TRY(then, before.part(number));
    GH_TRY(later, after.part(number));
    GH_DO(take(then->lines, later->lines, old));
    GH_DO(take(later->lines, then->lines, now));
  }
  GH_DO(before.settle(old));
  GH_DO(after.settle(now));
  return Pair{std::move(old.report), std::move(now.report)};
}

}  // namespace gh::analysis
