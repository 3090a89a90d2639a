// Workflows of Conductor: calls of MCP tools with a literal name are tools; what is chosen at run
// time is said to be dynamic (tool-surface 5.12).
#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/loaders.h"

namespace gh::surface {
namespace {

constexpr std::size_t kMaxTaskDepth = 32, kMaxTasks = 5000;

enum class TaskClass : std::uint8_t { call, recorded, dynamic, sub_workflow, unsupported };
struct TaskRow {
  std::string_view type;
  TaskClass what;
  std::string_view kind;  // of the dynamic surface
};
// table: conductor tasks
constexpr std::array<TaskRow, 14> kTasks{{
    {"CALL_MCP_TOOL", TaskClass::call, ""},
    {"LIST_MCP_TOOLS", TaskClass::recorded, ""},
    {"LLM_CHAT_COMPLETE", TaskClass::recorded, ""},
    {"HUMAN", TaskClass::recorded, ""},
    {"DYNAMIC", TaskClass::dynamic, "dynamic_task"},
    {"FORK_JOIN_DYNAMIC", TaskClass::dynamic, "dynamic_fork"},
    {"START_WORKFLOW", TaskClass::dynamic, "start_workflow"},
    {"AGENT", TaskClass::dynamic, "agent"},
    {"SUB_WORKFLOW", TaskClass::sub_workflow, "sub_workflow"},
    {"HTTP", TaskClass::unsupported, ""},
    {"SIMPLE", TaskClass::unsupported, ""},
    {"EVENT", TaskClass::unsupported, ""},
    {"KAFKA_PUBLISH", TaskClass::unsupported, ""},
    {"INLINE", TaskClass::unsupported, ""},
}};

/// These only lead to other tasks; what they lead to is read.
constexpr std::string_view kControlTasks =
    "SWITCH DECISION FORK_JOIN FORK JOIN EXCLUSIVE_JOIN DO_WHILE SET_VARIABLE TERMINATE WAIT NOOP "
    "JSON_JQ_TRANSFORM";

struct Workflow {
  const InputDocument* input;
  const Value* value;
  std::string source_id, pointer, name;
};

struct Task {
  const Value* value;
  std::string pointer;
  std::size_t depth;
};

bool is_expression(std::string_view text) { return contains(text, "${"); }

/// Lists of tasks inside of a task: branches, forks and loops.
std::vector<Task> inner_tasks(const Task& task) {
  std::vector<Task> out;
  const auto add = [&](const List& list, const std::string& pointer) {
    for (std::size_t i = 0; i < list.size(); ++i)
      out.push_back({&list[i], fmt::format("{}/{}", pointer, i), task.depth + 1});
  };
  const Peek at(*task.value);
  for (const auto& [name, list] : at["decisionCases"].map().entries())
    add(Peek(list).list(),
        fmt::format("{}/decisionCases{}", task.pointer, wire::pointer_part(name)));
  add(at["defaultCase"].list(), task.pointer + "/defaultCase");
  const List& forks = at["forkTasks"].list();
  for (std::size_t i = 0; i < forks.size(); ++i)
    add(Peek(forks[i]).list(), fmt::format("{}/forkTasks/{}", task.pointer, i));
  add(at["loopOver"].list(), task.pointer + "/loopOver");
  return out;
}

class ConductorLoader {
 public:
  explicit ConductorLoader(Files& files) : files_(files) {}

  Result<LoadedConductor> load(const Manifest& manifest) {
    for (const ToolSource& source : manifest.tool_sources)
      if (source.type == "conductor")
        GH_DO(unless_optional(source.optional,
                              fmt::format("Optional source {} failed to load", source.id),
                              out_.loaded.warnings, [&] { return read_source(source); }));
    for (const Workflow& workflow : workflows_)
      GH_DO(read_tasks(workflow));
    finish();
    return std::move(out_);
  }

 private:
  void warn(std::string text) { out_.conductor.facts.warnings.push_back(std::move(text)); }

  Status read_source(const ToolSource& source) {
    GH_TRY(found, files_.find(source.path));
    if (found.kind != EntryKind::folder) return read_file(source, source.path);
    GH_TRY(below, files_below(files_, found, ".json"));
    for (const std::string& path : below.refused)
      warn(fmt::format("Conductor folder entry '{}' leads outside and was not read.", path));
    if (below.was_cut)
      warn(fmt::format("Conductor folder '{}' has more than {} files; the rest was not read.",
                       source.path, kMaxFolderFiles));
    if (below.paths.empty())
      return fail(Code::input_unreadable,
                  fmt::format("{}: no JSON files", printable(source.path, 400)));
    for (const std::string& path : below.paths)
      GH_DO(read_file(source, path));
    return {};
  }

  Status read_file(const ToolSource& source, const std::string& path) {
    GH_TRY(read, read_input_document(files_, path, "", out_.loaded.warnings));
    inputs_.push_back(std::make_unique<InputDocument>(std::move(read)));
    const InputDocument& input = *inputs_.back();
    const List* list = input.document.root.as_list();
    if (list == nullptr) return take_workflow(source, input, input.document.root, "");
    for (std::size_t i = 0; i < list->size(); ++i)
      GH_DO(take_workflow(source, input, (*list)[i], fmt::format("/{}", i)));
    return {};
  }

  Status take_workflow(const ToolSource& source, const InputDocument& input, const Value& value,
                       const std::string& pointer) {
    const Value* version =
        value.as_map() != nullptr ? value.as_map()->find("schemaVersion") : nullptr;
    if (version != nullptr && *version != Value(2))
      return refuse_input(input, pointer + "/schemaVersion", "schemaVersion must be 2");
    const std::string name = text_at(value, "name");
    if (name.empty() || Peek(value)["tasks"].list().empty())
      return refuse_input(input, pointer, "a Conductor workflow needs a name and tasks");
    names_.insert(name);
    workflows_.push_back({&input, &value, source.id, pointer, name});
    return {};
  }

  Status read_tasks(const Workflow& workflow) {
    std::vector<Task> open;
    const List& tasks = Peek(*workflow.value)["tasks"].list();
    for (std::size_t i = tasks.size(); i-- > 0;)
      open.push_back({&tasks[i], fmt::format("{}/tasks/{}", workflow.pointer, i), 1});
    std::size_t count = 0;
    while (!open.empty()) {
      const Task task = std::move(open.back());
      open.pop_back();
      if (task.depth > kMaxTaskDepth || ++count > kMaxTasks)
        return refuse_input(*workflow.input, task.pointer,
                            fmt::format("tasks are nested deeper than {} or more than {}",
                                        kMaxTaskDepth, kMaxTasks));
      take_task(workflow, task);
      auto inner = inner_tasks(task);
      std::ranges::reverse(inner);
      std::ranges::move(inner, std::back_inserter(open));
    }
    tasks_ += static_cast<std::int64_t>(count);
    return {};
  }

  void take_task(const Workflow& workflow, const Task& task) {
    const std::string type = text_at(*task.value, "type");
    const auto row = std::ranges::find(kTasks, type, &TaskRow::type);
    const bool is_known = row != kTasks.end();
    if (!is_known && is_one_of(type, kControlTasks)) return;
    switch (is_known ? row->what : TaskClass::unsupported) {
      case TaskClass::call:
        return take_call(workflow, task);
      case TaskClass::recorded:
        if (type == "HUMAN") ++humans_;
        if (type.starts_with("LLM_")) ++models_;
        return;
      case TaskClass::dynamic:
        return say_dynamic(workflow, task, row->kind, fmt::format("{} chooses at run time", type));
      case TaskClass::sub_workflow: {
        const std::string name(Peek(*task.value)["subWorkflowParam"]["name"].text());
        if (!names_.contains(name))
          say_dynamic(workflow, task, row->kind, "the sub-workflow is not among the sources");
        return;
      }
      case TaskClass::unsupported:
        warn(fmt::format("Conductor task '{}' of type {} at {} is a capability that is not read.",
                         task_name(task), type.empty() ? "none" : printable(type, 60),
                         reference(workflow, task)));
    }
  }

  static std::string task_name(const Task& task) {
    const std::string reference = text_at(*task.value, "taskReferenceName");
    return printable(reference.empty() ? text_at(*task.value, "name") : reference, 120);
  }

  static std::string reference(const Workflow& workflow, const Task& task) {
    return fmt::format("{}#{}", workflow.input->path, task.pointer);
  }

  void say_dynamic(const Workflow& workflow, const Task& task, std::string_view kind,
                   std::string reason) {
    ConductorDynamic d{std::string(kind),
                       workflow.input->path,
                       task_name(task),
                       std::move(reason),
                       workflow.input->document.mark_of(task.pointer).line,
                       task.pointer};
    warn(fmt::format("Conductor {} at {} has a dynamic tool surface: {}.", kind,
                     reference(workflow, task), d.reason));
    out_.conductor.dynamic.push_back(std::move(d));
  }

  void take_call(const Workflow& workflow, const Task& task) {
    const Peek inputs = Peek(*task.value)["inputParameters"];
    std::string method(inputs["method"].text());
    if (method.empty()) method = std::string(inputs["toolName"].text());
    const std::string server(inputs["mcpServer"].text());
    if (method.empty() || is_expression(method))
      return say_dynamic(workflow, task, "mcp_call", "the tool is chosen by an expression");
    if (is_expression(server))
      say_dynamic(workflow, task, "mcp_server", "the server is chosen by an expression");
    Tool tool = make_tool("conductor_mcp_call", method);
    tool.description = text_at(*task.value, "description");
    tool.source_id = workflow.source_id;
    tool.source_ref = reference(workflow, task);
    tool.place = place_in(*workflow.input, task.pointer);
    tool.auth.source = "conductor";
    set_schemas(tool, arguments_schema(inputs["arguments"].map()), {});
    if (Peek(*task.value)["retryCount"].number() > 0)
      tool.annotations.set(
          "retryPolicy",
          Map{{"source", "conductor"}, {"retryCount", Peek(*task.value)["retryCount"].number()}});
    if (auto warning = name_warning(tool.name)) out_.loaded.warnings.push_back(std::move(*warning));
    ++calls_;
    out_.loaded.tools.push_back(std::move(tool));
  }

  static Map arguments_schema(const Map& arguments) {
    Map properties;
    for (const auto& entry : arguments.entries())
      properties.set(entry.first, Map{});
    return {{"type", "object"}, {"properties", std::move(properties)}};
  }

  void finish() {
    auto& facts = out_.conductor.facts;
    facts.counts = {
        {"workflow_count", static_cast<std::int64_t>(workflows_.size())},
        {"task_count", tasks_},
        {"mcp_call_count", calls_},
        {"model_task_count", models_},
        {"human_task_count", humans_},
        {"dynamic_tool_surface_count", static_cast<std::int64_t>(out_.conductor.dynamic.size())},
        {"warnings", string_list(facts.warnings)}};
  }

  Files& files_;
  LoadedConductor out_;
  std::vector<std::unique_ptr<InputDocument>> inputs_;
  std::vector<Workflow> workflows_;
  std::set<std::string> names_;
  std::int64_t tasks_ = 0, calls_ = 0, models_ = 0, humans_ = 0;
};

}  // namespace

Map document_of(const ConductorDynamic& d) {
  return {{"kind", d.kind}, {"source_ref", d.source_ref}, {"task", d.task}, {"reason", d.reason}};
}

Result<LoadedConductor> load_conductor(const Manifest& manifest, Files& files) {
  return ConductorLoader(files).load(manifest);
}

}  // namespace gh::surface
