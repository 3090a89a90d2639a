#include "report/agent_error.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/peek.h"
#include "policy/redact.h"
#include "report/error_document.h"
#include "wire/json.h"

namespace gh::report {
namespace {

struct KindRow {
  CodeClass of;
  std::string_view kind;
};
// table: kinds of failures
constexpr std::array<KindRow, 4> kKinds{{{CodeClass::usage, "config_error"},
                                         {CodeClass::input, "input_parse_error"},
                                         {CodeClass::environment, "other_error"},
                                         {CodeClass::internal, "internal_error"}}};

bool is_about_options(Code code) {
  return code == Code::unknown_option || code == Code::unknown_command ||
         code == Code::bad_argument || code == Code::missing_argument;
}

List usual_actions(const Error& error, const AskedAs& asked) {
  if (is_about_options(error.code))
    return {next_action("command", asked.help_line, "The command line is wrong, not the manifest.",
                        "the options of the command")};
  if (class_of(error.code) == CodeClass::internal)
    return {next_action("stop", {}, "This is a fault of the gate itself; tell a person.")};
  return {next_action("review", {}, help(error))};
}

}  // namespace

Map next_action(std::string_view kind, std::string_view target, std::string_view why,
                std::string_view expects) {
  const auto when = [&](std::string_view wanted) {
    return kind == wanted && !target.empty() ? Value(target) : Value();
  };
  return {{"kind", kind},
          {"command", when("command")},
          {"path", when("edit")},
          {"why", why},
          {"expects", expects.empty() ? Value() : Value(expects)}};
}

std::string next_sentence(const Map& action) {
  const std::string_view kind = Peek(action.find("kind")).text();
  if (kind == "command") return std::string(Peek(action.find("command")).text());
  if (kind == "edit") return fmt::format("Edit {}", Peek(action.find("path")).text());
  return fmt::format("{}: {}", kind == "stop" ? "Stop" : "Review", Peek(action.find("why")).text());
}

std::string agent_error_line(const Error& error, const AgentFault* fault, const AskedAs& asked) {
  const auto row = std::ranges::find(kKinds, class_of(error.code), &KindRow::of);
  List actions = fault != nullptr ? fault->next_actions : List{};
  if (actions.empty()) actions = usual_actions(error, asked);
  Map out{{"error", fault != nullptr && !fault->kind.empty() ? fault->kind : row->kind},
          {"message", told_message(error)},
          {"next_action", next_sentence(*actions.front().as_map())},
          {"next_actions", std::move(actions)}};
  if (fault != nullptr)
    for (const auto& [key, value] : fault->facts.entries())
      out.set(key, value);
  return wire::canonical_json(policy::redact_document(Value(std::move(out))).value);
}

}  // namespace gh::report
