#include "cli/cli.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "base/product.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/hook_door.h"
#include "cli/terminal.h"
#include "ops/describe.h"
#include "ops/lease_renewal.h"
#include "ops/own_command.h"
#include "report/agent_error.h"
#include "report/error_document.h"
#include "report/patch_document.h"
#include "report/release_report.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::cli {
namespace {

constexpr std::size_t kMaxWhy = 4000;

using ops::ExitCode;

constexpr std::int64_t kProgressAfterMs = 400;
constexpr std::size_t kMaxAnswerBytes = 1000;
constexpr std::int64_t kRedrawEveryMs = 100;
constexpr std::size_t kBarSteps = 24;
constexpr std::array<std::string_view, 2> kAgentModeNames{"GATEHOUSE_AGENT_MODE",
                                                          "AGENTS_SHIPGATE_AGENT_MODE"};
constexpr std::array<std::string_view, 4> kAgentModeWords{"1", "true", "yes", "on"};

/// One run of the program: what was asked, how to draw, and the two streams.
class Session {
 public:
  Session(std::span<const std::string> args, sys::Env& env, std::span<const Door> doors,
          bool by_old_name)
      : args_(args),
        program_(by_old_name ? std::string(ops::kOldName) : fmt::format("{} release", kProduct)),
        env_(env),
        doors_(doors),
        terminal_(look_at_terminal(env)),
        started_(env.monotonic_ms()) {}

  int run() {
    auto invocation = read_arguments(args_);
    if (!invocation) {
      globals_.format = asks_for_json(args_) ? Format::json : Format::text;
      globals_.exits = asked_exit_map(args_);
      return fault(invocation.error());
    }
    globals_ = invocation->globals;
    if (invocation->operation != nullptr) words_ = invocation->operation->words;
    if (invocation->wants_version) return print(fmt::format("{} {}\n", kProduct, kVersion), false);
    if (invocation->wants_overview) return print(ops::render_overview(out_look()), false);
    if (!invocation->help_group.empty())
      return print(
          ops::spelled_for(ops::render_group_help(invocation->help_group, out_look()), program_),
          false);
    if (invocation->wants_help)
      return print(
          ops::spelled_for(ops::render_short_help(*invocation->operation, out_look()), program_),
          true);
    return perform(*invocation->operation, std::move(invocation->raw));
  }

 private:
  report::Look out_look() {
    return choose_look(globals_, terminal_, env_, terminal_.out_is_terminal);
  }
  report::Look err_look() {
    return choose_look(globals_, terminal_, env_, terminal_.err_is_terminal);
  }

  int perform(const ops::Operation& op, ops::RawRequest raw) {
    if (globals_.format == Format::ctcp && !op.ctcp)
      return fault({Code::bad_argument, fmt::format("'{}' has no format ctcp", op.words)});
    auto request = ops::Request::make(op, std::move(raw));
    if (!request) return fault(request.error());
    auto folder = working_folder(op);
    if (!folder) return fault(folder.error());
    const bool holds = op.effect != ops::Effect::reads;
    ops::Context context = make_context(std::move(*folder), holds);
    if (const Status may = ops::check_caller(*request, context); !may) return fault(may.error());
    hold_signals(holds);
    if (op.run == nullptr) return open_door(*request, context);
    // Kept, so that a process which ends with its answer need not take a large one apart.
    static std::optional<Result<ops::Reply>> last;
    auto& reply = last.emplace(ops::run_with_heartbeat(*request, context));
    hold_signals(false);
    erase_progress();
    changed_something_ = holds;
    if (!reply) return fault(reply.error(), context.fault ? &*context.fault : nullptr);
    agent_fault_ = context.fault ? &*context.fault : nullptr;
    return answer(op, *reply);
  }

  /// Whoever is asked to stop while the door is open stops in good order: that is no failure.
  int open_door(const ops::Request& request, ops::Context& context) {
    const auto door = std::ranges::find(doors_, request.operation().name, &Door::operation);
    if (door == doors_.end())
      return fault({Code::unknown_command,
                    fmt::format("this program has no door '{}'", request.operation().words)});
    auto reply = door->open(request, context);
    if (!reply) return fault(reply.error());
    if (reply->text) return answer(request.operation(), *reply);
    return static_cast<int>(reply->exit);
  }

  Result<std::string> working_folder(const ops::Operation& op) {
    const std::string wanted = globals_.folder.empty() ? "." : globals_.folder;
    auto found = sys::real_path(wanted);
    if (!found || sys::info_follow(*found).kind != sys::FileKind::folder) {
      if (op.ctcp) return wanted;  // the patch gate has a document of its own for this
      return fail(Code::repo_root_missing,
                  fmt::format("there is no folder '{}'", printable(wanted, 200)));
    }
    return found;
  }

  ops::Context make_context(std::string folder, bool holds) {
    return ops::Context{
        .env = env_,
        .cwd = std::move(folder),
        .surface = "cli",
        .wants_document = globals_.format != Format::text || !globals_.field.empty(),
        .read_input =
            [holds](std::size_t max) {
              hold_signals(false);  // nothing has been done yet: stop at once
              auto bytes = sys::read_stdin(max);
              hold_signals(holds);
              return bytes;
            },
        .stream = [this](std::string_view bytes) -> Status {
          erase_progress();
          GH_TRY(written, write_out(bytes));
          if (written == Written::reader_gone) reader_gone_ = true;
          return {};
        },
        .progress = [this](std::string_view phase) { show_progress(phase); },
        .advance = [this](std::string_view phase, std::size_t done,
                          std::size_t of) { show_bar(phase, done, of); },
        .notice =
            [this](std::string_view text) {
              erase_progress();
              if (globals_.verbosity >= 0)
                write_err(fmt::format("{}: {}\n", kProduct, printable(text, 400)));
            },
        .interrupted = [this] { return caught_signal() != 0 || reader_gone_; },
        .stoppable =
            [holds](bool stops) {
              hold_signals(holds && !stops);
              if (stops) end_if_signalled();
            },
        .ask =
            [this, holds](std::string_view question) {
              hold_signals(false);  // whoever is asked may also leave
              auto answer = ask(question);
              hold_signals(holds);
              return answer;
            },
        .can_ask = can_ask(),
        .is_terminal = terminal_.out_is_terminal,
        .program = program_,
        .exits = globals_.exits};
  }

  /// Only a person at a terminal is asked; a pipe must never stand for one.
  bool can_ask() const { return terminal_.in_is_terminal && terminal_.err_is_terminal; }
  std::optional<std::string> ask(std::string_view question) {
    if (!can_ask()) return std::nullopt;
    erase_progress();
    write_err(question);
    auto line = sys::read_stdin_line(kMaxAnswerBytes);
    return line ? std::optional(std::move(*line)) : std::nullopt;
  }

  void show_progress(std::string_view phase) {
    const std::int64_t elapsed = env_.monotonic_ms() - started_;
    if (globals_.verbosity > 0) {
      write_err(fmt::format("{}: {} ms: {}\n", kProduct, elapsed, printable(phase, 200)));
      return;
    }
    if (is_time_to_draw()) write_err(fmt::format("\r\x1b[K{}", printable(phase, 60)));
  }

  /// True at most ten times a second, for people who wait at a terminal.
  bool is_time_to_draw() {
    const std::int64_t elapsed = env_.monotonic_ms() - started_;
    const bool wanted =
        terminal_.err_is_terminal && globals_.verbosity == 0 && env_.variable("CI").empty();
    if (!wanted || elapsed < kProgressAfterMs || elapsed < last_redraw_ + kRedrawEveryMs)
      return false;
    last_redraw_ = elapsed;
    progress_shown_ = true;
    return true;
  }

  void show_bar(std::string_view phase, std::size_t done, std::size_t of) {
    if (of == 0 || !is_time_to_draw()) return;
    const std::size_t full = done * kBarSteps / of;
    const report::Look look = err_look();
    std::string bar;
    for (std::size_t i = 0; i < kBarSteps; ++i)
      bar += look.ascii ? (i < full ? "#" : ".") : (i < full ? "\u2588" : "\u2591");
    write_err(fmt::format("\r\x1b[K{}  {} {:3}%  {} of {} files", printable(phase, 20), bar,
                          done * 100 / of, done, of));
  }

  void erase_progress() {
    if (progress_shown_) write_err("\r\x1b[K");
    progress_shown_ = false;
  }

  int answer(const ops::Operation& op, const ops::Reply& reply) {
    if (!globals_.field.empty() && !reply.document.is_null()) return answer_field(reply);
    const bool as_text = globals_.format == Format::text;
    std::string bytes;
    if (as_text && reply.text) bytes = reply.text(out_look());
    if (!as_text && !reply.document.is_null())
      bytes = reply.is_compact ? wire::canonical_json(shaped(reply.document)) + "\n"
                               : report::printed_document(shaped(reply.document));
    return emit(bytes, as_text && op.paged, reply);
  }

  Value shaped(const Value& document) {
    if (globals_.format == Format::ctcp && document.as_map() != nullptr)
      return report::ctcp_document(*document.as_map());
    return document;
  }

  int answer_field(const ops::Reply& reply) {
    const Value document = shaped(reply.document);
    const Value* at = &document;
    for (std::string_view step : split(globals_.field, '.')) {
      at = member(*at, step);
      if (at == nullptr)
        return fault(
            {Code::bad_argument, fmt::format("the answer has no member '{}' (in '{}')",
                                             printable(step, 60), printable(globals_.field, 120))});
    }
    const std::string text = at->as_string() ? *at->as_string() : report::printed_member(*at);
    return emit(text + "\n", false, reply);
  }

  static const Value* member(const Value& value, std::string_view step) {
    if (const Map* map = value.as_map()) return map->find(step);
    const List* list = value.as_list();
    if (list == nullptr) return nullptr;
    std::size_t index = 0;
    const auto [end, wrong] = std::from_chars(step.data(), step.data() + step.size(), index);
    const bool whole = wrong == std::errc{} && end == step.data() + step.size();
    return whole && index < list->size() ? &(*list)[index] : nullptr;
  }

  int print(std::string_view text, bool paged) { return emit(text, paged, {}); }

  /// Writes the answer; the last line on standard error says why the exit status is not 0.
  int emit(std::string_view bytes, bool paged, const ops::Reply& reply) {
    const ExitCode exit = reply.exit;
    auto written = paged && globals_.pager ? write_paged(bytes, terminal_, env_) : write_out(bytes);
    if (!written) {
      Error error = written.error();
      if (changed_something_ && exit == ExitCode::done)
        error.message =
            "the change was made, but the answer could not be written: " + error.message;
      return fault(error);
    }
    if (*written == Written::reader_gone || reader_gone_)
      return ops::mapped(exit, globals_.exits, reply.shipgate_exit);
    if (const int signal = caught_signal(); signal != 0)
      return last_line(static_cast<ExitCode>(128 + signal), "interrupted; the answer is complete");
    if (exit == ExitCode::done) return 0;
    const int status = last_line(exit, reply.why, reply.shipgate_exit);
    if (exit > ExitCode::denied && exit < ExitCode::review && agent_fault_ != nullptr &&
        is_for_agent())
      write_err(report::agent_error_line({code_of(exit), reply.why}, agent_fault_, asked_as()) +
                "\n");
    return status;
  }

  int fault(const Error& error, const report::AgentFault* facts = nullptr) {
    erase_progress();
    const ExitCode exit = error.code == Code::interrupted && caught_signal() != 0
                              ? static_cast<ExitCode>(128 + caught_signal())
                              : ops::exit_code(class_of(error.code));
    const std::string incident = exit == ExitCode::internal ? env_.random_hex(16) : std::string();
    const Map* action = facts != nullptr && !facts->next_actions.empty()
                            ? facts->next_actions.front().as_map()
                            : nullptr;
    if (globals_.format != Format::text)
      (void)write_out(wire::pretty_json(report::error_document(error, incident, action)));
    else if (globals_.verbosity >= 0)
      write_err(report::render_error(error, err_look(), incident, action));
    const int status = last_line(exit, report::error_line(error, incident),
                                 facts != nullptr ? facts->shipgate_exit : 0);
    if (is_for_agent()) write_err(report::agent_error_line(error, facts, asked_as()) + "\n");
    return status;
  }

  /// An answer that tells of a fault has an exit, and no code; agents learn the class.
  static Code code_of(ExitCode exit) {
    return exit == ExitCode::usage         ? Code::ref_unresolved
           : exit == ExitCode::input       ? Code::input_unreadable
           : exit == ExitCode::environment ? Code::io_error
                                           : Code::internal_error;
  }

  /// Both names of the variable mean the same.
  bool is_for_agent() {
    return std::ranges::any_of(kAgentModeNames, [&](std::string_view name) {
      std::string value = env_.variable(name);
      for (char& c : value)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      return std::ranges::find(kAgentModeWords, value) != kAgentModeWords.end();
    });
  }

  report::AskedAs asked_as() const {
    return {program_, words_.empty() ? fmt::format("{} --help", program_)
                                     : fmt::format("{} {} --help", kProduct, words_)};
  }

  int last_line(ExitCode exit, std::string_view why, int own = 0) const {
    // What a proposal says may be quoted here, and must not drive the terminal.
    const int code = ops::mapped(exit, globals_.exits, own);
    const std::string_view headline = ops::exit_headline(exit, globals_.exits);
    if (!headline.empty()) write_err(fmt::format("{} {}\n", headline, printable(why, kMaxWhy)));
    write_err(fmt::format("{}: exit {}: {}\n", kProduct, code, printable(why, kMaxWhy)));
    return code;
  }

  std::span<const std::string> args_;
  std::string program_, words_{};
  sys::Env& env_;
  std::span<const Door> doors_;
  Terminal terminal_;
  std::int64_t started_;
  Globals globals_{};
  std::int64_t last_redraw_ = -kRedrawEveryMs;
  const report::AgentFault* agent_fault_ = nullptr;  // of the answer that is printed
  bool progress_shown_ = false, reader_gone_ = false, changed_something_ = false;
};

}  // namespace

bool is_old_name(std::string_view started_as) {
  return started_as.substr(started_as.rfind('/') + 1) == ops::kOldName;
}

int run(std::span<const std::string> args, sys::Env& env, std::span<const Door> doors,
        bool by_old_name) {
  install_signal_handlers();
  if (by_old_name) {
    const std::vector<std::string> ours = from_old_name(args);
    return Session(ours, env, doors, true).run();
  }
  const int status = Session(args, env, doors, false).run();
  return status != 0 && is_host_hook(args) ? kHookBlocks : status;
}

}  // namespace gh::cli
