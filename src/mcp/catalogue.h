#pragma once
// What the server offers, as rows: tools, resources and prompts. A row of the product names the
// operation it calls and how arguments become a request; one dispatcher serves them all. Rows of
// the conformance fixtures bring a function of their own.
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/call.h"
#include "ops/operation.h"

namespace gh::mcp {

/// An argument of a tool, and the option or operand of the operation that takes it. Its type,
/// choices and text are those of that row unless said otherwise.
struct Argument {
  std::string_view name;  // "scope.allowed_files" is a member of the object "scope"
  std::string_view to;    // option, or OPERAND; empty: accepted, and means nothing here
  bool is_required = false;
  std::string_view words{};  // choices: "summary=false full=true" turns a word into a value
  std::string_view help{};   // empty: none in the schema, to keep it short
  bool is_input = false;     // a text that the operation reads as its standard input
  std::string_view type{};   // of an argument that goes nowhere: "boolean"
  bool is_digest = false;    // the object that answers name a digest by will do as well
};

/// Operands are written in upper case.
constexpr bool is_operand(std::string_view to) {
  return !to.empty() && to.front() >= 'A' && to.front() <= 'Z';
}

/// A value that an operation always gets from this tool.
struct Given {
  std::string_view to, value;
  std::string_view unless{};  // this argument is there
};

struct Case {
  std::string_view when{};  // value of the selector; empty: the tool has one operation
  std::string_view operation;
  std::span<const Argument> arguments{};
  std::span<const Given> given{};
};

struct Tool {
  std::string_view name, title, description;
  Role role = Role::agent;
  Profile profile = Profile::standard;  // the smallest one that has it
  bool is_read_only = false, is_idempotent = false, is_destructive = false;
  std::string_view selector{};  // argument that chooses the case
  std::span<const Case> cases{};
  bool fails_when_refused = false;  // a no is an error too: nobody may believe it landed
  bool needs_intent = false;        // an own active intent must cover the files of `patch`
  bool waits_for_others = false;    // one at a time in a repository
  std::string_view pages{};         // list of the answer that is shown in pages
  Map (*shape)(Map document, std::string_view detail_level) = nullptr;
  // fixtures
  Rpc<Map> (*run)(Call&, const Map& arguments) = nullptr;
  std::string_view input_schema{};  // JSON text
};

/// What completes an argument.
enum class Completer : std::uint8_t { nothing, rule, run, proposal, intent, path, topic };

struct Resource {
  std::string_view uri;  // with {variables}: a template
  std::string_view name, title, description, mime_type;
  std::string_view operation{};
  std::span<const Argument> arguments{};  // variables of the template
  std::span<const Given> given{};
  Completer completer = Completer::nothing;                 // of its variable
  bool is_named_by_digest = false;                          // never changes
  bool can_change = false;                                  // subscriptions get to know
  Rpc<Map> (*read)(Call&, std::string_view uri) = nullptr;  // fixtures: the content object
};

struct PromptArgument {
  std::string_view name, description;
  bool is_required = false;
  Completer completer = Completer::nothing;
};

struct Prompt {
  std::string_view name, title, description;
  std::span<const PromptArgument> arguments{};
  std::string_view text{};                                 // {name} stands for an argument
  std::string_view file{};                                 // compiled in; its text goes on
  Rpc<Map> (*run)(Call&, const Map& arguments) = nullptr;  // fixtures
};

struct Catalogue {
  std::string_view server_name, title, instructions;
  std::span<const Tool> tools;
  std::span<const Resource> resources;  // templates among them
  std::span<const Prompt> prompts;
};
const Catalogue& product_catalogue();
const Catalogue& fixture_catalogue();

std::vector<const Tool*> tools_for(const Catalogue&, Role, Profile);
bool is_template(const Resource&);
/// Its selector is true or false, and may be left out.
bool is_switch(const Tool&);

/// As tools/list shows it.
Value to_value(const Tool&);
Value input_schema(const Tool&);
Value to_value(const Resource&);
Value to_value(const Prompt&);

/// The resource of a URI with the values of its variables, percent-decoded. Null: none.
struct FoundResource {
  const Resource* resource = nullptr;
  std::map<std::string, std::string, std::less<>> variables{};
};
FoundResource find_resource(const Catalogue&, std::string_view uri);

}  // namespace gh::mcp
