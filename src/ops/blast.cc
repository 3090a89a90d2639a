// `blast`: who is concerned when these files change.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "analysis/blast_radius.h"
#include "analysis/report_view.h"
#include "base/text.h"
#include "control/scope_paths.h"
#include "ops/analysis_ops.h"
#include "ops/blast_symbols.h"
#include "ops/lease_renewal.h"
#include "ops/real_place.h"
#include "ops/run_text.h"

namespace gh::ops {
namespace {

using analysis::int_in;
using analysis::list_in;
using analysis::text_in;
using report::Ink;
using report::Look;

constexpr std::size_t kShownLines = 20;
constexpr std::size_t kMaxCell = 200;

/// The analysed files at or below what was named, from the root of the repository. One that the run
/// does not know, such as one that is still to be written, is what it is: nothing depends on it.
Result<std::set<std::string>> files_at(const std::vector<std::string>& named, const KnownRun& run,
                                       const Context& context) {
  const Value& report = run.report;
  std::set<std::string> out;
  GH_TRY(paths, control::normalise_evidence(by_real_root(run.root, named), run.root));
  for (const std::string& path : paths) {
    bool is_known = false;
    for (const Value& item : list_in(report, {"inventory", "file_registry", "items"})) {
      const std::string* file = item.as_string();
      if (file == nullptr || (*file != path && !file->starts_with(path + "/"))) continue;
      out.insert(*file);
      is_known = true;
    }
    if (is_known) continue;
    out.insert(path);
    if (context.notice)
      context.notice(fmt::format("the run has no file '{}'; paths are those from the root",
                                 printable(path, kMaxCell)));
  }
  if (out.empty()) return fail(Code::missing_argument, "name the files that are to be changed");
  return out;
}

Result<std::optional<std::set<analysis::BlastLane>>> lanes_of(const Request& request) {
  const std::vector<std::string> named = request.list("include");
  if (named.empty()) return std::nullopt;
  std::set<analysis::BlastLane> out;
  for (const std::string& name : named) {
    std::size_t at = 0;
    while (at < analysis::kBlastLaneCount &&
           to_string(static_cast<analysis::BlastLane>(at)) != name)
      ++at;
    if (at == analysis::kBlastLaneCount)
      return fail(Code::bad_argument,
                  fmt::format("'{}' is no part of the answer; see 'gatehouse help blast'",
                              printable(name, 60)));
    out.insert(static_cast<analysis::BlastLane>(at));
  }
  return out;
}

/// Files that may use something of these: those that import them over any number of steps, and
/// those of the same modules, which need no import.
std::set<std::string> possible_users(const Value& report, const std::set<std::string>& files) {
  const analysis::BlastRadius all =
      analysis::blast_radius(report, {.files = {files.begin(), files.end()}, .transitive = true});
  std::set<std::string> out(all.direct_dependents.begin(), all.direct_dependents.end());
  out.insert(all.transitive_dependents.begin(), all.transitive_dependents.end());
  const analysis::ModuleFiles modules(report);
  const std::set<std::string> importing = out;
  for (const auto* part : {&files, &importing})
    for (const std::string& path : *part)
      for (std::string& beside : modules.files_of(modules.module_of(path)))
        out.insert(std::move(beside));
  return out;
}

// --- for people ---

std::string heading(std::string_view text, std::size_t count, const Look& look) {
  return report::paint(look, Ink::bold, fmt::format("{} ({})", text, count)) + "\n";
}

std::string more(std::size_t count) {
  return count > kShownLines ? fmt::format("  and {} more\n", count - kShownLines) : "";
}

std::string paths_text(std::string_view title, const List& paths, const Look& look) {
  if (paths.empty()) return "";
  std::string out = "\n" + heading(title, paths.size(), look);
  for (std::size_t i = 0; i < std::min(kShownLines, paths.size()); ++i)
    out += "  " + printable(cell_text(&paths[i]), kMaxCell) + "\n";
  return out + more(paths.size());
}

struct RiskTitle {
  std::string_view key, title;
};
constexpr std::array<RiskTitle, 4> kRisks{{
    {"high_complexity_in_blast_zone", "very complex functions"},
    {"high_coupling_in_blast_zone", "classes that need many others"},
    {"low_coverage_in_blast_zone", "tests reach too little"},
    {"overloaded_modules_in_blast_zone", "overloaded module"},
}};

std::string risks_text(const Value& document, const Look& look) {
  std::map<std::string, std::string> words;  // by path
  const auto add = [&](const std::string& path, std::string_view why) {
    std::string& at = words[path];
    at.append(at.empty() ? "" : ", ").append(why);
  };
  for (const RiskTitle& risk : kRisks)
    for (const Value& path : list_in(document, {"structural_risk", risk.key}))
      add(cell_text(&path), risk.title);
  for (const Value& entry : list_in(document, {"review_context"}))
    add(std::string(text_in(entry, "path")), text_in(entry, "reason"));
  if (words.empty()) return "";
  std::string out = "\n" + heading("Look twice at", words.size(), look);
  std::size_t shown = 0;
  for (const auto& [path, why] : words)
    if (shown++ < kShownLines)
      out += fmt::format("  {}  {}\n", printable(path, kMaxCell),
                         report::paint(look, Ink::dim, printable(why, kMaxCell)));
  return out + more(words.size());
}

/// Who uses what, where for the first time and how often.
struct UseLine {
  std::string who, what, place;
  std::size_t count = 0;
};

std::vector<UseLine> use_lines(const List& items) {
  std::vector<UseLine> out;
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (const Value& item : items) {
    const std::string who(text_in(item, "qualname"));
    const std::string what =
        fmt::format("{} {}", text_in(item, "relation_kind") == "call" ? "calls" : "names",
                    text_in(item, "target_qualname"));
    const auto [at, is_new] = known.try_emplace(std::pair(who, what), out.size());
    if (is_new)
      out.push_back(
          {who, what,
           fmt::format("{}:{}", text_in(item, "path"), int_in(item, "line").value_or(0))});
    ++out[at->second].count;
  }
  return out;
}

std::string symbols_text(const Value& document, const Look& look) {
  const Value* symbols = analysis::member(document, {"symbols"});
  if (symbols == nullptr || symbols->is_null()) return "";
  if (text_in(*symbols, "status") != "current")
    return "\nthe sources are no longer those of the run; 'gatehouse analyze' makes a new one\n";
  const List& items = list_in(*symbols, {"items"});
  if (items.empty()) return "\nno function elsewhere is known to use them\n";
  const std::vector<UseLine> lines = use_lines(items);
  std::string out = "\n" + heading("Uses in other files", items.size(), look);
  for (std::size_t i = 0; i < std::min(kShownLines, lines.size()); ++i) {
    const UseLine& line = lines[i];
    const std::string times = line.count > 1 ? fmt::format(", {} times", line.count) : "";
    out += fmt::format("  {} {}  {}\n", printable(line.who, kMaxCell),
                       report::paint(look, Ink::accent, printable(line.what, kMaxCell)),
                       report::paint(look, Ink::dim, printable(line.place, kMaxCell) + times));
  }
  return out + more(lines.size());
}

Ink ink_of(std::string_view level) {
  return level == "high" ? Ink::bad : level == "medium" ? Ink::warning : Ink::good;
}

std::string blast_text(const Value& document, const Look& look) {
  const std::string_view level = text_in(document, "radius_level");
  const List& files = list_in(document, {"files"});
  const std::size_t direct = list_in(document, {"direct_dependents"}).size();
  const std::size_t cohort = list_in(document, {"clone_cohort_members"}).size();
  std::string out =
      fmt::format("{} radius: {} {} {}, {} {} code\n", report::paint(look, ink_of(level), level),
                  counted_text(direct, "file"), direct == 1 ? "imports" : "import",
                  files.size() == 1 ? printable(cell_text(&files[0]), kMaxCell)
                                    : "the " + counted_text(files.size(), "file") + " named",
                  counted_text(cohort, "other"), cohort == 1 ? "shares" : "share");
  out += paths_text("Import it directly", list_in(document, {"direct_dependents"}), look);
  out += paths_text("Reached through those", list_in(document, {"transitive_dependents"}), look);
  out += paths_text("Share code with it", list_in(document, {"clone_cohort_members"}), look);
  out += paths_text("Part of an import cycle", list_in(document, {"in_dependency_cycle"}), look);
  return out + risks_text(document, look) + symbols_text(document, look);
}

}  // namespace

Result<Reply> blast(const Request& request, Context& context) {
  const std::vector<std::string> named = request.list("PATH");
  if (named.empty()) return fail(Code::missing_argument, "name at least one file or folder");
  GH_TRY(lanes, lanes_of(request));
  GH_TRY(shelf, RunShelf::open(context));
  GH_TRY(run, shelf.find(request.has("run") ? request.text("run") : "latest", context));
  GH_TRY(files, files_at(named, run, context));
  Map document{{"run_id", run.run_id}};
  const analysis::BlastRadius radius =
      analysis::blast_radius(run.report, {.files = {files.begin(), files.end()},
                                          .transitive = request.flag("transitive"),
                                          .include = lanes});
  const Map told = analysis::blast_document(radius);
  for (const auto& [key, value] : told.entries())
    document.set(key, value);
  document.set("symbols", Value());
  if (request.flag("symbols")) {
    GH_TRY(users, symbol_users(run, files, possible_users(run.report, files), context));
    document.set("symbols", std::move(users));
  }
  renew_held(request, context, &shelf.repo(), run.run_id);
  Reply reply;
  reply.document = framed("gatehouse.blast/1", std::move(document));
  reply.text = [copy = reply.document](const Look& look) { return blast_text(copy, look); };
  return reply;
}

}  // namespace gh::ops
