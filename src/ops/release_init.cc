// `release init`: a first manifest, and what coding agents find of the gate. Everything is planned
// first; what is shown is what is written.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/data.h"
#include "base/product.h"
#include "base/text.h"
#include "model/peek.h"
#include "ops/release_contract.h"
#include "ops/release_diagnostics.h"
#include "ops/release_ops.h"
#include "ops/release_session.h"
#include "ops/release_setup.h"
#include "policy/redact.h"
#include "setup/line_text.h"
#include "sys/files.h"
#include "wire/spaced_json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxNotes = 1u << 20;
constexpr std::string_view kWorkflow = ".github/workflows/agents-shipgate.yml";

struct PlannedText {
  std::string path, text;
  bool is_new = true;
};

std::string quoted(std::string_view text) { return wire::spaced_json(Value(text)); }

/// The name of a folder as a name of a project.
std::string plain_name(std::string_view folder) {
  std::string out;
  for (const char c : folder.substr(folder.rfind('/') + 1)) {
    const bool is_fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    out += is_fine ? c : '-';
  }
  return out.empty() ? "project" : out;
}

void append_sources(std::string& out, const surface::Suggestions& found) {
  const auto is_block = [](const surface::Suggestion& s) {
    return s.type == "openai_api" || s.type == "anthropic" || s.type == "n8n";
  };
  std::size_t number = 0;
  for (const surface::Suggestion& s : found.sources) {
    if (is_block(s)) continue;
    if (number == 0) out += "tool_sources:\n";
    out += fmt::format("  - id: {}_{}\n    type: {}\n    path: {}  # {} tools\n", s.type, ++number,
                       s.type, quoted(s.path), s.tool_count);
  }
  for (const char* block : {"openai_api", "anthropic", "n8n"}) {
    bool is_first = true;
    for (const surface::Suggestion& s : found.sources) {
      if (s.type != block) continue;
      if (is_first)
        out += fmt::format("{}:\n  {}:\n", block, s.type == "n8n" ? "workflows" : "tools");
      is_first = false;
      out += fmt::format("    - {}  # {} tools\n", quoted(s.path), s.tool_count);
    }
  }
  if (found.sources.empty())
    out +=
        "tool_sources:\n"
        "  - id: CHANGE_ME\n"
        "    type: mcp  # or openapi, openai_agents_sdk, google_adk, langchain, crewai, "
        "codex_plugin\n"
        "    path: CHANGE_ME.json\n";
}

std::string manifest_text(const DetectedFolder& folder, bool minimal) {
  const std::string name = plain_name(folder.root);
  std::string out = fmt::format(
      "# Drafted by '{} release init'. Replace what says CHANGE_ME; every key is described in\n"
      "# docs/reference/release-manifest.md of Gatehouse.\n"
      "version: \"0.1\"\n"
      "project:\n  name: {}\n"
      "agent:\n  name: {}\n"
      "  declared_purpose:\n    - \"CHANGE_ME: what this agent is for, in a few words\"\n"
      "environment:\n  target: production_like  # local, staging, production_like, production\n",
      kProduct, quoted(name), quoted(name));
  append_sources(out, folder.found);
  if (minimal) return out;
  out +=
      "permissions:\n"
      "  scopes: []  # what the agent may use, e.g. orders:read\n";
  if (!folder.found.high_risk_tools.empty()) {
    out +=
        "# Tools that move money, send, delete or run something. List one below when the running\n"
        "# agent really asks a person first; the gate reads this, it does not enforce it.\n"
        "# policies:\n#   require_approval_for_tools:\n";
    for (const std::string& tool : folder.found.high_risk_tools)
      out += fmt::format("#     - {}\n", quoted(tool));
  }
  return out + "ci:\n  mode: advisory\n";
}

setup::Marks block_marks() {
  return {"<!-- agents-shipgate:start -->", "<!-- agents-shipgate:end -->"};
}

setup::Lines lines_of(std::string_view text) {
  setup::Lines out;
  for (const std::string_view line : split(text, '\n'))
    out.emplace_back(line);
  while (!out.empty() && out.back().empty())
    out.pop_back();
  return out;
}

class Plan {
 public:
  Plan(const DetectedFolder& folder) : folder_(folder) {}

  void add(std::string path, std::string text) {
    const auto held = there(path);
    if (held && *held == text) return;
    files_.push_back({std::move(path), std::move(text), !held});
  }
  /// Our block in a file of others.
  void add_block(const std::string& path, std::string_view text, bool also_new) {
    const auto held = there(path);
    if (!held && !also_new) return;
    add(path, setup::with_block(held.value_or(""), lines_of(text), block_marks()));
  }
  bool has(const std::string& path) const { return there(path).has_value(); }
  bool has_folder(const std::string& path) const {
    return sys::info_follow(absolute(path)).kind == sys::FileKind::folder;
  }

  void add_discovery(bool all) {
    const std::string_view notes = data::find("release/agents.md");
    add_block("AGENTS.md", notes, true);
    add_block("CLAUDE.md", notes, false);
    add_block("llms.txt", notes, false);
    if (!all) return;
    Map known = release_contract();
    known.set("exit_codes", Map{{"gate_failure", 1},
                                {"config_error", 2},
                                {"input_parse_error", 3},
                                {"other_error", 4},
                                {"internal_error", 5},
                                {"patch_outside", 3},
                                {"baseline_integrity", 1}});
    // With --exit-codes shipgate, and under the old name.
    known.set("shipgate_exit_codes", Map{{"gate_failure", 20},
                                         {"config_error", 2},
                                         {"input_parse_error", 3},
                                         {"other_error", 4},
                                         {"internal_error", 4},
                                         {"patch_outside", 5},
                                         {"baseline_integrity", 6}});
    known.set("errors", release_error_kinds());
    known.set("contract_command", "gatehouse contract --json");
    add(".well-known/agents-shipgate.json", wire::report_json(known) + "\n");
    add("docs/errors.json", wire::report_json(Map{{"contract_version", "1"},
                                                  {"contract_command", "gatehouse contract --json"},
                                                  {"errors", release_error_kinds()}}) +
                                "\n");
    add("docs/triggers.json", std::string(data::find("release/triggers.json")));
    add("prompts/explain-finding-to-user.md",
        std::string(data::find("release/explain-finding-to-user.md")));
    if (has_folder(".claude") || has("CLAUDE.md")) {
      add(".claude/skills/release-gate/SKILL.md", std::string(data::find("release/skill.md")));
      add(".claude/commands/release-gate.md", std::string(data::find("release/command.md")));
    }
    if (has_folder(".agents") || has_folder(".codex"))
      add(".agents/skills/release-gate/SKILL.md", std::string(data::find("release/skill.md")));
  }

  std::string absolute(const std::string& path) const { return folder_.root + "/" + path; }
  const std::vector<PlannedText>& files() const { return files_; }

 private:
  std::optional<std::string> there(const std::string& path) const {
    auto bytes = sys::read_file(absolute(path), kMaxNotes);
    return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
  }
  const DetectedFolder& folder_;
  std::vector<PlannedText> files_;
};

tl::unexpected<Error> already_there(Context& context, const std::string& path) {
  context.fault =
      report::AgentFault{.kind = "config_already_exists",
                         .facts = {{"path", path}},
                         .next_actions = {report::next_action(
                             "command", fmt::format("{} doctor --json", context.program),
                             "It is there already and is not touched.")}};
  return fail(Code::bad_argument,
              fmt::format("{} is there already and is not touched", printable(path, 400)));
}

/// A workflow that calls the gate already, under any name.
std::optional<std::string> calling_workflow(const DetectedFolder& folder) {
  const std::string place = folder.root + "/.github/workflows";
  const auto names = sys::list_folder(place);
  for (const std::string& name : names ? *names : std::vector<std::string>{}) {
    const auto text = sys::read_file(place + "/" + name, kMaxNotes);
    if (text && (contains(*text, "gatehouse release") || contains(*text, "agents-shipgate")))
      return ".github/workflows/" + name;
  }
  return std::nullopt;
}

}  // namespace

Result<Reply> release_init(const Request& request, Context& context) {
  const std::string place = joined_path(context.cwd, request.text("workspace"));
  if (sys::info_follow(place).kind != sys::FileKind::folder)
    return fail(Code::bad_argument, fmt::format("there is no folder {}", printable(place, 400)));
  GH_TRY(folder, detect_folder(place));
  const auto own = std::ranges::find_if(folder.manifests, [](const std::string& path) {
    return path == surface::kStandAloneName || path == surface::kEmbeddedName;
  });
  const bool wants_more = request.flag("ci") || request.has("agent-instructions");
  if (own != folder.manifests.end() && !wants_more) return already_there(context, *own);
  const std::string alone = place + "/" + std::string(surface::kStandAloneName);
  if (own == folder.manifests.end() && sys::info(alone).kind != sys::FileKind::missing)
    return already_there(context, std::string(surface::kStandAloneName));
  Plan plan(folder);
  if (own == folder.manifests.end())
    plan.add(std::string(surface::kStandAloneName), manifest_text(folder, request.flag("minimal")));
  if (request.flag("ci")) {
    if (const auto there = calling_workflow(folder)) return already_there(context, *there);
    if (plan.has(std::string(kWorkflow))) return already_there(context, std::string(kWorkflow));
    plan.add(std::string(kWorkflow), std::string(data::find("release/workflow.yml")));
  }
  if (request.has("agent-instructions"))
    plan.add_discovery(request.text("agent-instructions") == "all");
  const bool writes = request.flag("write");
  List rows;
  for (const PlannedText& file : plan.files()) {
    if (writes) {
      const std::string path = plan.absolute(file.path);
      GH_DO(sys::make_folders(path.substr(0, path.rfind('/'))));
      GH_DO(sys::write_file_atomic(path, file.text));
    }
    rows.emplace_back(Map{{"path", file.path}, {"is_new", file.is_new}, {"text", file.text}});
  }
  Reply reply;
  reply.document =
      policy::redact_document(
          Value(Map{
              {"schema", "gatehouse.release_init/1"},
              {"workspace", folder.root},
              {"written", writes},
              {"files", std::move(rows)},
              {"diagnostics", document_of(diagnose_folder(folder.found, true, context.program))},
              {"next_action", fmt::format("{} scan --suggest-patches", context.program)},
              {"tool", Map{{"name", kProduct}, {"version", kVersion}}}}))
          .value;
  reply.text = [document = reply.document](const report::Look&) {
    const Peek d(document);
    const bool written = d["written"].is_true();
    std::string out;
    for (const Value& value : d["files"].list()) {
      const Peek file(value);
      out += fmt::format("{} {}\n", written ? "wrote" : "would write",
                         printable(file["path"].text(), 400));
      if (written) continue;
      for (const std::string& line : lines_of(file["text"].text()))
        out += fmt::format("  {}\n", printable(line, 400));
    }
    if (d["files"].list().empty()) out += "everything is there already\n";
    if (!written) return out + "nothing was written; --write writes\n";
    const bool is_draft = std::ranges::any_of(d["files"].list(), [](const Value& file) {
      return contains(Peek(file)["text"].text(), "CHANGE_ME");
    });
    return out + fmt::format("next: {}{}\n", is_draft ? "replace CHANGE_ME, then " : "",
                             d["next_action"].text());
  };
  return reply;
}

}  // namespace gh::ops
