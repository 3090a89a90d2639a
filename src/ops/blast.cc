// `blast`: who is concerned when these files change, over the import edges of a run.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "analysis/project.h"
#include "analysis/report_view.h"
#include "base/text.h"
#include "ops/analysis_ops.h"
#include "ops/kept_runs.h"
#include "ops/run_text.h"

namespace gh::ops {
namespace {

using analysis::list_in;
using analysis::text_in;

using Importers = std::map<std::string, std::set<std::string>, std::less<>>;

Importers importers_of(const Value& report) {
  Importers out;
  for (const Value& edge : analysis::metric_items(report, "dependencies"))
    out[std::string(text_in(edge, "target"))].emplace(text_in(edge, "source"));
  return out;
}

/// Module -> its file.
std::map<std::string, std::string> modules_of(const Value& report) {
  std::map<std::string, std::string> out;
  for (const Value& path : list_in(report, {"inventory", "file_registry", "items"}))
    if (path.as_string() != nullptr)
      out.emplace(analysis::module_of(*path.as_string()), *path.as_string());
  return out;
}

struct Reached {
  std::string module;
  std::int64_t distance;
};

/// Whoever imports one of these, then whoever imports those; nearest first, then by name.
std::vector<Reached> dependents(const Importers& importers, const std::set<std::string>& start) {
  std::vector<Reached> out;
  std::set<std::string> seen = start, ring = start;
  for (std::int64_t distance = 1; !ring.empty(); ++distance) {
    std::set<std::string> next;
    for (const std::string& module : ring)
      if (const auto found = importers.find(module); found != importers.end())
        for (const std::string& importer : found->second)
          if (seen.insert(importer).second) next.insert(importer);
    for (const std::string& module : next)
      out.push_back({module, distance});
    ring = std::move(next);
  }
  return out;
}

/// The analysed files at or below what was named, from the root of the repository.
Result<std::set<std::string>> modules_at(const std::vector<std::string>& named,
                                         const std::map<std::string, std::string>& modules) {
  std::set<std::string> out;
  for (std::string path : named) {
    while (path.starts_with("./"))
      path.erase(0, 2);
    while (path.ends_with('/'))
      path.pop_back();
    const std::size_t before = out.size();
    for (const auto& [module, file] : modules)
      if (file == path || file.starts_with(path + "/")) out.insert(module);
    if (out.size() == before)
      return fail(Code::path_invalid,
                  fmt::format("the run has no file '{}'; paths are those from the root",
                              printable(path, 200)));
  }
  return out;
}

std::string blast_text(const Value& document, const report::Look& look) {
  const List& reached = list_in(document, {"dependents"});
  if (reached.empty()) return "no analysed module imports it\n";
  std::vector<std::vector<std::string>> rows{{"STEPS", "MODULE", "FILE"}};
  for (const Value& one : reached)
    rows.push_back({cell_text(analysis::member(one, {"distance"})),
                    std::string(text_in(one, "module")), std::string(text_in(one, "path"))});
  return table_text(rows, "><<", look) + counted_text(reached.size(), "module") + " concerned\n";
}

}  // namespace

Result<Reply> blast(const Request& request, Context& context) {
  GH_TRY(shelf, RunShelf::open(context));
  GH_TRY(run, shelf.find(request.has("run") ? request.text("run") : "latest", context));
  const std::vector<std::string> named = request.list("PATH");
  if (named.empty()) return fail(Code::missing_argument, "name at least one file or folder");
  const std::map<std::string, std::string> modules = modules_of(run.report);
  GH_TRY(start, modules_at(named, modules));
  List reached;
  std::int64_t direct = 0;
  for (const Reached& one : dependents(importers_of(run.report), start)) {
    const auto file = modules.find(one.module);
    direct += one.distance == 1 ? 1 : 0;
    reached.emplace_back(Map{{"module", one.module},
                             {"path", file == modules.end() ? Value() : Value(file->second)},
                             {"distance", one.distance}});
  }
  Reply reply;
  const auto total = static_cast<std::int64_t>(reached.size());
  reply.document =
      framed("gatehouse.blast/1", Map{{"run_id", run.run_id},
                                      {"paths", string_list(named)},
                                      {"modules", string_list({start.begin(), start.end()})},
                                      {"direct", direct},
                                      {"total", total},
                                      {"dependents", std::move(reached)}});
  reply.text = [document = reply.document](const report::Look& look) {
    return blast_text(document, look);
  };
  return reply;
}

}  // namespace gh::ops
