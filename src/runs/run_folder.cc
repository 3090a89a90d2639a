#include "runs/run_folder.h"

#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/redact.h"
#include "runs/feedback.h"
#include "sys/files.h"
#include "wire/json.h"
#include "wire/markdown.h"

namespace gh::runs {
namespace {

constexpr std::array<std::string_view, 5> kFolders{"artifacts", "artifacts/attempts", "reviews",
                                                   "outbox", "logs"};
constexpr std::string_view kPromptSuffix = "_fixer_fix_patch.md";
constexpr std::size_t kMaxPromptBytes = 64u << 10;
constexpr std::string_view kRole = "gate";

/// What a required file holds before there is anything to say.
struct Initial {
  std::string_view path, content;
};
constexpr std::array kInitial{
    Initial{"TRACE.md", "# Trace\n"},
    Initial{"events.jsonl", ""},
    Initial{"artifacts/PLAN.md", "# Plan\n\nNo plan was handed in with this run.\n"},
    Initial{"artifacts/verify_report.json",
            "{\n  \"isolation\": [],\n  \"ok\": null,\n  \"results\": [],\n"
            "  \"schema\": \"gatehouse.verify_report/1\"\n}\n"},
    Initial{"reviews/.keep", ""},
    Initial{"outbox/.keep", ""},
};

Value member(const Map& map, std::string_view key) {
  const Value* found = map.find(key);
  return found == nullptr ? Value() : *found;
}

/// The numbers NNN of names such as 001_fixer_fix_patch.md, with the name; in order.
struct Numbered {
  int number;
  std::string name;
};
std::vector<Numbered> numbered(const std::vector<std::string>& names) {
  std::vector<Numbered> out;
  for (const std::string& name : names) {
    if (name.size() < 4 || name[3] != '_') continue;
    int number = 0;
    bool digits = true;
    for (int i = 0; i < 3; ++i) {
      const char c = name[static_cast<std::size_t>(i)];
      digits = digits && c >= '0' && c <= '9';
      number = number * 10 + (c - '0');
    }
    if (digits) out.push_back({number, name});
  }
  return out;
}

int first_free(const std::vector<Numbered>& taken) {
  int free = 1;
  for (const Numbered& n : taken)
    if (n.number == free) ++free;
  return free;
}

}  // namespace

Result<RunFolder> RunFolder::open_or_create(const std::string& path, sys::Env& env) {
  RunFolder folder(path, &env);
  GH_DO(folder.make_skeleton());
  return folder;
}

Status RunFolder::make_skeleton() {
  GH_DO(sys::make_folders(path_));
  for (const std::string_view name : kFolders) {
    GH_DO(sys::make_folders(file(name)));
    if (sys::info(file(name)).kind != sys::FileKind::folder)
      return fail(Code::io_error, fmt::format("{} is not a folder of its own", file(name)));
  }
  for (const Initial& initial : kInitial)
    if (sys::info(file(initial.path)).kind == sys::FileKind::missing)
      GH_DO(sys::write_file_atomic(file(initial.path), initial.content));
  return {};
}

std::string RunFolder::file(std::string_view relative) const {
  return fmt::format("{}/{}", path_, relative);
}

Status RunFolder::keep_submission(std::string_view bytes) {
  return sys::write_file_atomic(file("artifacts/diff.patch"), bytes);
}

Status RunFolder::keep_narrowing(std::string_view bytes) {
  return sys::write_file_atomic(file("artifacts/patch_policy.json"), bytes);
}

Status RunFolder::write_rejection(const Map& document, std::string_view submission,
                                  const Filing& filing) {
  const std::string json = wire::pretty_json(document);
  if (filing.attempt > 0) {
    const std::string attempt = fmt::format("artifacts/attempts/{:03}", filing.attempt);
    GH_DO(sys::make_folders(file(attempt)));
    for (const std::string& folder : {file("artifacts/attempts"), file(attempt)})
      if (sys::info(folder).kind != sys::FileKind::folder)
        return fail(Code::io_error, fmt::format("{} is not a folder of its own", folder));
    GH_DO(sys::write_file_atomic(file(attempt + "/diff.patch"), submission));
    GH_DO(sys::write_file_atomic(file(attempt + "/patch_rejection.json"), json));
  }
  GH_DO(sys::write_file_atomic(file("artifacts/patch_rejection.json"), json));
  GH_DO(sys::write_file_atomic(file("reviews/review_patch.md"), render_review(document)));
  GH_DO(append_event(kRole, "PATCH_REJECTED", "artifacts/patch_rejection.json",
                     Map{{"code", member(document, "code")},
                         {"attempt", filing.attempt},
                         {"frozen", filing.frozen},
                         {"blocked", filing.blocked}}));
  return write_prompt(document, filing);
}

/// One open prompt at a time: a prompt is answered by the submission of another patch than the one
/// it was written about.
Status RunFolder::write_prompt(const Map& document, const Filing& filing) {
  GH_TRY(names, sys::list_folder(file("outbox")));
  const std::vector<Numbered> taken = numbered(names);
  const std::string prompt = render_prompt(document, filing);
  for (auto it = taken.rbegin(); it != taken.rend(); ++it) {
    if (!it->name.ends_with(kPromptSuffix)) continue;
    const auto open = sys::read_file(file("outbox/" + it->name), kMaxPromptBytes);
    if (open && prompt_patch_sha256(*open) == prompt_patch_sha256(prompt)) return {};
    break;
  }
  const std::string name = fmt::format("outbox/{:03}{}", first_free(taken), kPromptSuffix);
  GH_DO(sys::write_file_atomic(file(name), prompt));
  return append_event(kRole, "PROMPT_WRITTEN", name);
}

Status RunFolder::write_acceptance(const Map& document) {
  GH_DO(sys::write_file_atomic(file("reviews/review_patch.md"), render_review(document)));
  return append_event(kRole, "PATCH_ACCEPTED", "reviews/review_patch.md",
                      Map{{"stage", member(document, "stage")}});
}

Status RunFolder::write_candidate(std::string_view canonical_patch, const Map& candidate) {
  GH_DO(sys::write_file_atomic(file("artifacts/canonical.patch"), canonical_patch));
  return sys::write_file_atomic(file("artifacts/candidate.json"), wire::pretty_json(candidate));
}

Status RunFolder::write_verify_report(const Map& report) {
  return sys::write_file_atomic(file("artifacts/verify_report.json"), wire::pretty_json(report));
}

Status RunFolder::write_retry_state(const Map& state) {
  return sys::write_file_atomic(file("artifacts/retry_state.json"), wire::pretty_json(state));
}

Status RunFolder::log_command(std::string_view name, std::string_view out, std::string_view err) {
  GH_DO(sys::write_file_atomic(file(fmt::format("logs/{}.stdout.log", name)),
                               policy::redact(out).text));
  return sys::write_file_atomic(file(fmt::format("logs/{}.stderr.log", name)),
                                policy::redact(err).text);
}

Status RunFolder::append_event(std::string_view role, std::string_view event, std::string_view path,
                               const Map& fields) {
  const Map line{{"ts", to_string(env_->now())},
                 {"role", role},
                 {"event", event},
                 {"path", utf8_or_escaped(path)},
                 {"fields", fields}};
  return sys::append_line(file("events.jsonl"), wire::canonical_json(line));
}

Status RunFolder::trace(const TraceBlock& block) {
  std::string out = fmt::format("\n## {}\n\n- argv:", to_string(env_->now()));
  for (const std::string& argument : block.argv)
    out += " " + wire::md_code(policy::redact(argument).text);
  out += fmt::format("\n- rc: {}\n- logs:", block.rc ? fmt::to_string(*block.rc) : "none");
  for (const std::string& log : block.logs)
    out += " " + wire::md_code(log);
  return sys::append_line(file("TRACE.md"), out);
}

}  // namespace gh::runs
