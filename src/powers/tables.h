#pragma once
// What is known of hosts: which files they read, which keys of those have power and in which order
// their values stand. Rows; docs/reference/host-diff.md has them once more. Private to powers.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "powers/row.h"
#include "powers/rule.h"

namespace gh::powers {

/// What a key of a settings file does.
enum class Form : std::uint8_t {
  ignored,       // no power; with everything below it
  scale,         // one of `words`, which stand from the least power to the most
  allow,         // each item gives something
  ask,           // each item has the agent ask
  deny,          // each item takes something away
  only,          // a list that restricts: none means everything
  flags,         // names that are true give
  approvals,     // patterns: true gives, false has the agent ask
  runs,          // text or words that the host runs
  named,         // another value is another thing
  told,          // a person should know that it changed
  variables,     // of which only the names are shown
  hooks,         // programs by event
  servers,       // MCP servers by name
  marketplaces,  // places that plugins come from
  policies,      // rules of Gemini's policy files
};

struct KeyRow {
  std::string_view key;  // names with '/' between them; * is any name, ** at the end everything
  Form form;
  Kind kind = Kind::setting;
  Weight weight = Weight::low;  // of an item, or of another value
  Language language = Language::exact;
  std::string_view words{};     // word:weight, | between equals, * for any other text
  std::string_view fallback{};  // what an absent key means
  std::string_view shown{};     // the name of today, for an older one
};

enum class Reader : std::uint8_t {
  settings_json,  // with comments
  settings_toml,
  agent,    // head of a Markdown file, with tools that it may use
  command,  // the same, with tools that it may use without asking
  skill,
  instruction,
  workflow,  // of GitHub
  ci_file,   // of others: commands in texts
  script,    // what a hook of the host may run
  other,     // in a folder of the host, and read by nobody that we know of
  none       // no reader here
};

struct FileRow {
  Host host;
  std::string_view pattern;  // small letters, PATHGLOB from the folder that a session starts in
  Reader reader;
  std::span<const KeyRow> keys{};
  bool below = true;              // also in folders of the repository
  int layer = 0;                  // of two files that set one value the higher one counts
  std::string_view unknown = "";  // only keys that begin so are looked at; empty: all
};
std::span<const FileRow> file_rows();

/// The row of a path, and the folder from which the host reads it ("" or "packages/api/").
struct KnownFile {
  const FileRow* row;
  std::string base;
};
std::optional<KnownFile> known_file(std::string_view path);

/// Folders that hosts read everything below of: a link or a submodule in their place hides it.
std::optional<Host> host_of_folder(std::string_view path);

std::span<const KeyRow> server_keys();

struct WordRow {
  int rank;
  Weight weight;
};
/// nullopt: not among the words.
std::optional<WordRow> find_word(std::string_view words, std::string_view word);

/// The list of which a key that is true gives every item; empty: it gives none.
std::string_view list_given_by(std::string_view key);

/// Events whose hooks can stop something.
bool is_guard_event(std::string_view event);
/// Variables that decide which code runs or who is talked to.
bool is_risky_variable(std::string_view name);
/// Keys in the head of a Markdown file that give nothing and are no text for the agent.
bool is_powerless_head_key(std::string_view key);
/// Variables of hosts that only limit, name a model or change a view.
bool is_powerless_variable(std::string_view name);
bool looks_secret(std::string_view name);

// --- agents in CI ---

struct ActionRow {
  std::string_view name;     // without what follows the @
  std::string_view program;  // whose flags its arguments are
};
const ActionRow* find_action(std::string_view name);

enum class FlagForm : std::uint8_t { on, scale, allow, deny, named, document, with_value };
struct FlagRow {
  std::string_view program;
  std::string_view names;  // separated by blanks, the first is shown
  FlagForm form;
  Weight weight = Weight::low;
  Language language = Language::exact;
  std::string_view words{};
  std::string_view fallback{};
};
std::span<const FlagRow> flag_rows();

struct ProgramName {
  std::string_view name;      // as it is called
  std::string_view packages;  // what package runners call it
};
std::span<const ProgramName> agent_programs();

enum class InputForm : std::uint8_t {
  ignored,
  scale,
  allow,
  deny,
  named,
  told,
  flags,
  token,    // the same unless it is the token that the job has anyway
  document  // settings of the program, written inside of the input
};
struct InputRow {
  std::string_view program;
  std::string_view name;
  InputForm form;
  Weight weight = Weight::low;
  Language language = Language::exact;
  std::string_view words{};
  std::string_view fallback{};
};
const InputRow* find_input(std::string_view program, std::string_view name);
/// Is an agent behind that workflow, by the name of its file?
bool names_agent_workflow(std::string_view uses);
/// Inputs and variables that hand over the agent's own key, and what the secret of one is called.
bool is_own_key(std::string_view input, std::string_view secret);
/// Words behind a program that start no session.
bool is_no_session(std::string_view first_word);
/// Keys in an entry of a list of plugins that only describe it.
bool is_description_of_plugin(std::string_view key);
/// Keys of the settings that a program takes as an input or behind a flag; none: it takes none.
std::span<const KeyRow> document_keys(std::string_view program, std::string_view name);

Weight weight_of_trigger(std::string_view name);

}  // namespace gh::powers
