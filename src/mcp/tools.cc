// One way from a call of any tool to its operation and back.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "git/discovery.h"
#include "mcp/answers.h"
#include "mcp/inside.h"
#include "mcp/opaque.h"
#include "mcp/tool_words.h"
#include "model/peek.h"
#include "ops/caller.h"
#include "ops/lease_renewal.h"
#include "ops/release_session.h"
#include "report/error_document.h"
#include "sys/files.h"

namespace gh::mcp {
namespace {

constexpr std::string_view kRepairableSince = "2025-11-25";
constexpr auto kRootsPatience = std::chrono::seconds(10);

const Tool* tool_named(Inside& inside, Call& call, std::string_view name) {
  for (const Tool* tool :
       tools_for(inside.catalogue, call.session().start().role, inside.options.profile))
    if (tool->name == name) return tool;
  return nullptr;
}

std::string client_label(Inside& inside, Call& call) {
  if (const Value* client = meta(call.message(), kMetaClient)) {
    const Peek told(*client);
    if (!told["name"].text().empty())
      return printable(told["version"].text().empty()
                           ? std::string(told["name"].text())
                           : fmt::format("{}/{}", told["name"].text(), told["version"].text()),
                       200);
  }
  const std::string label = call.session().client_label();
  return label.empty() ? fmt::format("pid-{}", inside.env.process_id()) : label;
}

/// file:///a%20b
std::string path_of_uri(std::string_view uri) {
  constexpr std::string_view kFile = "file://";
  if (!uri.starts_with(kFile)) return {};
  const auto path = percent_decoded(uri.substr(kFile.size()));
  return path && path->starts_with('/') ? *path : std::string();
}

/// Is there a repository at the folder or above it? Only looked at, nothing is started.
bool is_in_repository(const std::string& folder) {
  for (std::string at = folder; at.size() > 1; at.resize(at.rfind('/')))
    if (sys::info_follow(at + "/.git").kind != sys::FileKind::missing) return true;
  return false;
}

std::vector<std::string> asked_roots(Call& call) {
  const auto answer =
      call.session().ask(call.outlet(), "roots/list", Map{}, kRootsPatience, call.flight());
  std::vector<std::string> out;
  if (!answer) return out;
  for (const Value& root : Peek(*answer)["roots"].list()) {
    std::string path = path_of_uri(Peek(root)["uri"].text());
    if (!path.empty() && is_in_repository(path)) out.push_back(std::move(path));
  }
  return out;
}

Result<std::string> existing_folder(const std::string& path) {
  if (!path.starts_with('/'))
    return fail(Code::root_required_absolute,
                fmt::format("'{}' is no absolute path", printable(path, 200)));
  const sys::FileKind kind = sys::info_follow(path).kind;
  if (kind == sys::FileKind::missing)
    return fail(Code::root_not_found, fmt::format("there is no '{}'", printable(path, 200)));
  if (kind != sys::FileKind::folder)
    return fail(Code::root_not_directory, fmt::format("'{}' is no folder", printable(path, 200)));
  auto real = sys::real_path(path);
  if (!real) return fail(Code::root_unresolvable, real.error().message);
  return real;
}

/// By its path, or by the name of its folder.
Result<std::string> served_folder(const std::vector<std::string>& repos, const std::string& root) {
  for (const std::string& repo : repos)
    if (root == repo || root == repo.substr(repo.rfind('/') + 1)) return repo;
  GH_TRY(folder, existing_folder(root));
  for (const std::string& repo : repos)
    if (folder == repo || folder.starts_with(repo + "/")) return folder;
  return fail(Code::not_permitted,
              fmt::format("this server does not serve '{}'", printable(root, 200)));
}

Error several_roots(std::string_view whose) {
  return {Code::root_required_absolute,
          fmt::format("{} several repositories; name one with the argument 'root'", whose)};
}

Error worded(Error error) {
  error.message = in_tool_words(error.message);
  return error;
}

Rpc<Map> repairable(const Call& call, const Error& given) {
  const Error error = worded(given);
  if (call.is_at_least(kRepairableSince)) return tool_fault(call, error, {});
  return refuse(RpcCode::invalid_params, error.message, fault_document(error, {}));
}

Rpc<Map> failed(Inside& inside, Call& call, const Error& error) {
  if (class_of(error.code) != CodeClass::internal) return tool_fault(call, worded(error), {});
  return incident(inside, error);
}

/// The arguments are not what the tool takes; what an operation says of arguments that it could
/// read is an answer of the tool.
bool is_about_arguments(Code code) {
  return code == Code::bad_argument || code == Code::invalid_choice;
}

bool is_change_control(const Tool& tool) {
  constexpr std::array<std::string_view, 5> kChange{
      "start_controlled_change", "manage_change_intent", "check_patch_contract",
      "finish_controlled_change", "create_review_receipt"};
  return std::ranges::find(kChange, tool.name) != kChange.end();
}

Rpc<Map> composed(Inside& inside, Call& call, const Tool& tool, const Translated& asked,
                  const ops::Reply& reply) {
  Map document = reply.document.as_map() != nullptr ? *reply.document.as_map() : Map{};
  std::string text = compact_text(reply.document, reply);
  if (is_change_control(tool)) {
    document = in_tool_words(std::move(document));
    text = in_tool_words(text);
  }
  if (tool.shape != nullptr) document = tool.shape(std::move(document), asked.detail_level);
  if (!tool.pages.empty()) {
    auto page = paged(inside.key, tool, std::move(document), asked);
    if (!page) return tl::make_unexpected(std::move(page).error());
    document = std::move(*page);
  }
  Map tokens = is_change_control(tool) ? token_estimate(document) : Map{};
  const std::size_t budget = tool.name == "report_get" ? kReportBudget : kOutputBudget;
  document =
      fitted(std::move(document), budget - std::min(budget, text.size()), is_change_control(tool));
  const bool is_refused = tool.fails_when_refused && reply.exit != ops::ExitCode::done;
  Map result = tool_result(call, std::move(document), std::move(text), is_refused);
  if (!tokens.empty()) result.set("_meta", std::move(tokens));
  return result;
}

/// Files that a patch names, as the patch gate reads it in its wider grammar; of one that it cannot
/// read none.
std::vector<std::string> files_of_patch(Inside& inside, Call& call, const std::string& folder,
                                        const std::string& patch) {
  std::vector<std::string> out;
  const auto model = perform(
      inside, call, operation_named("explain_patch"),
      {.options = {{"profile", {"git"}}}, .operands = {"-"}, .not_values = {}}, folder, patch);
  if (!model) return out;
  for (const Value& section : Peek(model->document)["sections"].list())
    for (const std::string_view side : {"old_path", "new_path"})
      if (const std::string_view path = Peek(section)[side].text(); !path.empty())
        out.emplace_back(path);
  return out;
}

/// hooks.require_intent of the last commit: what is in the work tree may be part of the patch.
bool requires_intent(Inside& inside, Call& call, const std::string& folder) {
  const auto shown =
      perform(inside, call, operation_named("config_show"),
              {.options = {{"base", {"HEAD"}}}, .operands = {}, .not_values = {}}, folder, {});
  if (!shown) return true;
  const Peek hooks = Peek(shown->document)["hooks"];
  return !hooks["require_intent"].exists() || hooks["require_intent"].is_true();
}

/// The answer of the write gate, where it says no. Whoever only looks at isError sees it too.
std::optional<Rpc<Map>> write_refusal(Inside& inside, Call& call, const std::string& folder,
                                      const std::string& patch) {
  std::vector<std::string> files = files_of_patch(inside, call, folder, patch);
  if (files.empty()) return std::nullopt;  // the gate that is asked next says why
  auto gate = perform(inside, call, operation_named("test_write_gate"),
                      {.options = {{"path", std::move(files)}}, .operands = {}, .not_values = {}},
                      folder, {});
  if (!gate) return failed(inside, call, gate.error());
  if (gate->exit == ops::ExitCode::done) return std::nullopt;
  if (Peek(gate->document)["reason"].text() == "no_active_intent" &&
      !requires_intent(inside, call, folder))
    return std::nullopt;
  return tool_result(call, in_tool_words(*gate->document.as_map()),
                     in_tool_words(compact_text(gate->document, *gate)), true);
}

// table: path_arguments
constexpr std::array<std::string_view, 4> kPathArguments{"scope", "changed_files", "files",
                                                         "changed_paths"};

/// Paths are relative to the top of the work tree: whoever names another root means other files.
Status check_top(const std::string& folder, const Map& arguments) {
  const bool has_paths = std::ranges::any_of(kPathArguments, [&](std::string_view name) {
    const Value* value = arguments.find(name);
    return value != nullptr && !value->is_null();
  });
  const auto found = git::discover(folder);
  if (!has_paths || found || found.error().code != Code::repo_root_not_toplevel) return {};
  return fail(Code::root_not_a_repository,
              found.error().message + "; paths are relative to that one: name it as root");
}

Rpc<Map> run_operation(Inside& inside, Call& call, const Tool& tool, const Map& arguments) {
  auto asked = translate(tool, arguments);
  if (!asked) return repairable(call, asked.error());
  auto folder = folder_of(inside, call, asked->root);
  if (!folder) return repairable(call, folder.error());
  if (!asked->root.empty())
    if (const Status top = check_top(*folder, arguments); !top)
      return repairable(call, top.error());
  inside.mirrors.add(*folder);
  std::unique_lock<std::mutex> turn;
  std::shared_ptr<std::mutex> turn_mutex;
  if (tool.waits_for_others) {
    turn_mutex = inside.turn_of(*folder);
    turn = std::unique_lock(*turn_mutex);
  }
  if (call.is_cancelled()) return Map{};
  if (tool.needs_intent)
    if (auto refusal = write_refusal(inside, call, *folder, asked->input))
      return *std::move(refusal);
  const ops::Operation& operation = operation_named(asked->chosen->operation);
  auto reply = perform(inside, call, operation, asked->request, *folder, asked->input);
  if (call.lacks_input()) return Map{};
  if (!reply && is_about_arguments(reply.error().code)) return repairable(call, reply.error());
  if (!reply) return failed(inside, call, reply.error());
  return composed(inside, call, tool, *asked, *reply);
}

}  // namespace

tl::unexpected<RpcError> incident(Inside& inside, const Error& error) {
  const std::string id = inside.env.random_hex(16);
  if (inside.options.log)
    inside.options.log(fmt::format("incident {}: {}: {}", id, to_string(error.code),
                                   printable(error.message, 1'000)));
  return refuse(RpcCode::internal_error, "an internal error", Map{{"incident", id}});
}

Result<std::string> folder_of(Inside& inside, Call& call, const std::string& root) {
  const std::vector<std::string>& repos = inside.options.repos;
  if (!root.empty()) return repos.empty() ? existing_folder(root) : served_folder(repos, root);
  if (repos.size() == 1) return repos.front();
  if (!repos.empty()) return tl::make_unexpected(several_roots("this server serves"));
  if (call.era() == Era::legacy && call.client_offers("roots")) {
    const auto roots = call.session().roots([&] { return asked_roots(call); });
    if (roots.size() == 1) return existing_folder(roots.front());
    if (!roots.empty()) return tl::make_unexpected(several_roots("the client offers"));
  }
  if (inside.options.start_folder.empty())
    return fail(Code::root_required_absolute, "name the repository with the argument 'root'");
  return inside.options.start_folder;
}

Result<ops::Reply> perform(Inside& inside, Call& call, const ops::Operation& operation,
                           ops::RawRequest raw, std::string folder, std::string input) {
  GH_TRY(request, ops::Request::make(operation, std::move(raw)));
  const bool is_stdio = call.session().start().transport == SessionStart::Transport::stdio;
  call.session().work_in(folder);
  ops::AgentEnv env(inside.env, call.session().name(), client_label(inside, call),
                    is_stdio ? inside.process : std::nullopt, &call.session().keeper());
  ops::Context context{
      .env = env,
      .cwd = std::move(folder),
      .surface = "mcp",
      .wants_document = true,
      .read_input = [&input](std::size_t max) -> Result<std::string> {
        if (input.size() > max)
          return fail(Code::document_too_large, fmt::format("more than {} bytes", max));
        return input;
      },
      .stream = [](std::string_view) -> Status { return {}; },
      .progress = [&call](std::string_view phase) { call.log(LogLevel::debug, "ops", phase); },
      .advance =
          [&call](std::string_view phase, std::size_t done, std::size_t of) {
            call.progress(static_cast<std::int64_t>(done), static_cast<std::int64_t>(of), phase);
          },
      .notice = [&call](std::string_view text) { call.log(LogLevel::warning, "ops", text); },
      .interrupted = [&call] { return call.is_cancelled(); }};
  GH_DO(ops::check_bounds(context, request));
  return ops::run_with_heartbeat(request, context);
}

Rpc<Map> call_tool(Inside& inside, Call& call) {
  const Value* name = call.params().find("name");
  const Value* given = call.params().find("arguments");
  if (name == nullptr || name->as_string() == nullptr)
    return refuse(RpcCode::invalid_params, "name must be a string");
  if (given != nullptr && !given->is_null() && given->as_map() == nullptr)
    return refuse(RpcCode::invalid_params, "arguments must be an object");
  const Tool* tool = tool_named(inside, call, *name->as_string());
  if (tool == nullptr)
    return refuse(RpcCode::invalid_params,
                  fmt::format("there is no tool '{}'", printable(*name->as_string(), 100)));
  const Map arguments = given != nullptr && given->as_map() != nullptr ? *given->as_map() : Map{};
  if (tool->run != nullptr) return tool->run(call, arguments);
  return run_operation(inside, call, *tool, arguments);
}

}  // namespace gh::mcp
