#pragma once
// The one operation table. A row says everything a door needs to know about an operation: names,
// operands, options, texts, examples, effect, and the function that does it. The command line, its
// help, completion, man page, `contract` and the reference pages are loops over this table; a door
// translates into a Request and renders a Reply, and never decides.
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/actor.h"
#include "model/value.h"
#include "ops/exit_code.h"
#include "report/agent_error.h"
#include "report/look.h"
#include "sys/env.h"

namespace gh::git {
struct GivenByGit;
}

namespace gh::ops {

enum class Effect : std::uint8_t { reads, writes_state, writes_tree };
std::string_view to_string(Effect);

/// path_list takes all words that follow it, up to the next option; text_list one for each use.
enum class OptionType : std::uint8_t {
  flag,
  text,
  integer,
  choice,
  path,
  text_list,
  path_list,
  duration
};
std::string_view to_string(OptionType);

/// What the value of an option or operand may be completed with. What is written says so: an agent
/// that names it is judged as if it wrote there itself.
enum class Completes : std::uint8_t {
  nothing,
  file,
  folder,
  written_file,
  written_folder,
  rule,
  run,
  ref,
  schema,
  command
};
constexpr bool is_written(Completes kind) {
  return kind == Completes::written_file || kind == Completes::written_folder;
}

/// Who may ask for it. The hooks of a host stop an agent that asks for what is not for agents.
enum class Audience : std::uint8_t { anybody, people, hosts };

struct Option {
  std::string_view name;  // without dashes
  OptionType type = OptionType::flag;
  std::string_view value_name;  // shown in help; empty for flags
  std::string_view fallback;    // default value; empty: none. For flags "true" or empty.
  std::string_view help;
  std::string_view choices{};  // separated by single spaces
  Completes completes = Completes::nothing;
  char letter = 0;
  std::string_view bare{};  // the value when the option stands without one; empty: it must have one
  std::int64_t least = 1;   // of an integer
  std::int64_t most = std::numeric_limits<std::int64_t>::max();  // likewise
};

enum class Arity : std::uint8_t { required, optional, many };  // many: zero or more, last only

struct Operand {
  std::string_view name;  // upper case: "FILE"
  Arity arity = Arity::required;
  std::string_view help;
  Completes completes = Completes::nothing;
  std::string_view choices{};
};

struct Example {
  std::string_view command, says;  // a line to paste, and what it does
};

class Request;
struct Context;
struct Reply;
using Run = Result<Reply> (*)(const Request&, Context&);

struct Operation {
  std::string_view name;   // door-neutral: check_patch
  std::string_view words;  // command line: "patch check"
  std::string_view group;  // heading in help
  Effect effect = Effect::reads;
  std::string_view summary;      // one line, no full stop
  std::string_view description;  // paragraphs of the long help
  std::span<const Operand> operands{};
  std::span<const Option> options{};
  std::span<const Example> examples{};  // at least two; all are executed in a test
  std::string_view exit_codes{};        // those it can end with, separated by spaces
  Run run = nullptr;
  bool paged = false;   // long human output on a terminal goes through the pager
  bool ctcp = false;    // --format ctcp is offered
  bool hidden = false;  // not listed
  Audience audience = Audience::anybody;
  std::string_view writes{};  // what it writes where no option names another file
};

std::span<const Operation> operations();
const Operation* find_operation(std::string_view words);
const Option* find_option(const Operation&, std::string_view name);

/// Is the word behind an option whose value may be left out a value for it? A number for a number,
/// a file of the same format for a file.
bool is_value_of(const Option&, std::string_view word);

/// What a door has read, before any check: option names without dashes, operands in order.
struct RawRequest {
  std::map<std::string, std::vector<std::string>, std::less<>> options;  // flags: "true", "false"
  std::vector<std::string> operands;
  /// Options that may stand without a value, by the word that stood behind them and was no value.
  std::map<std::string, std::string, std::less<>> not_values{};
};

/// Checked arguments of one operation. Holding one is the proof that names, types, ranges and
/// choices were checked against its row. Operands are asked for by their upper-case name.
class Request {
 public:
  /// unknown_option, bad_argument or missing_argument, each with a did-you-mean where one exists.
  static Result<Request> make(const Operation&, RawRequest);

  const Operation& operation() const { return *operation_; }
  bool has(std::string_view name) const;  // given by the caller
  bool flag(std::string_view name) const;
  std::string text(std::string_view name) const;  // given value, else the default, else empty
  std::optional<std::int64_t> integer(std::string_view name) const;
  std::optional<std::int64_t> seconds(std::string_view name) const;  // of a duration
  std::vector<std::string> list(std::string_view name) const;
  /// bad_argument when this operand stood where an option could have a value, and so may be meant
  /// as one: for an operand that turns out to be none.
  Status check_not_value(std::string_view operand) const;

 private:
  explicit Request(const Operation& operation) : operation_(&operation) {}
  const Operation* operation_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::map<std::string, std::string, std::less<>> not_values_;
};

/// What the door hands in besides the arguments.
struct Context {
  sys::Env& env;
  std::string cwd;              // absolute; where the repository is looked for (-C applied)
  std::string surface = "cli";  // audit: cli, mcp, http
  bool wants_document = false;  // the door will print `document`, not `text`
  std::function<Result<std::string>(std::size_t max_bytes)> read_input;  // what "-" means
  std::function<Status(std::string_view)> stream;  // answers that come piece by piece (batch)
  std::function<void(std::string_view)> progress;  // a phase began; may be dropped
  /// How far the phase is, as often as one likes; "files" are counted. May be dropped.
  std::function<void(std::string_view phase, std::size_t done, std::size_t of)> advance{};
  std::function<void(std::string_view)> notice;  // something the caller should know; one line
  std::function<bool()> interrupted;             // the caller wants to stop: finish or roll back
  /// While true, a signal ends the program at once: nothing was begun that must be finished.
  std::function<void(bool)> stoppable{};
  void may_stop(bool stops) const {
    if (stoppable) stoppable(stops);
  }
  /// Asks the person at the terminal; nullopt when nobody sits there.
  std::function<std::optional<std::string>(std::string_view question)> ask{};
  bool can_ask = false;                    // somebody does
  bool is_terminal = false;                // what is streamed goes to a terminal
  const git::GivenByGit* given = nullptr;  // only while git itself waits for a hook
  /// How commands of the release gate are spelled in what they print; kOldName under that name.
  std::string program = "gatehouse release";
  ExitMap exits = ExitMap::native;            // whose numbers the caller reads
  std::optional<report::AgentFault> fault{};  // what is known about a failure, beside its error
  std::optional<Actor> actor{};               // as the door authenticated it; none: the local user
};

/// Who acts (interfaces 0.6).
Actor actor_of(const Context&);

/// The name of the release gate before it was ours; a link of that name keeps it.
inline constexpr std::string_view kOldName = "agents-shipgate";

struct Reply {
  Value document;  // what --json prints; null: the answer was streamed
  std::function<std::string(const report::Look&)> text;  // for people; may be raw bytes (canon)
  ExitCode exit = ExitCode::done;
  bool is_compact = false;  // the document on one line
  std::string why{};        // states in one line why `exit` is not 0; empty when it is
  int shipgate_exit = 0;    // where that map tells this answer apart; 0: it does not
};

}  // namespace gh::ops
