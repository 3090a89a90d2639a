#pragma once
// What one side of a change says about the powers of agents: grants, values on a scale, programs,
// servers. Private to powers.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "powers/compare.h"
#include "powers/row.h"
#include "powers/tables.h"
#include "wire/document.h"

namespace gh::powers {

/// A thing of a document, with where it stands.
struct Node {
  const Value* value = nullptr;
  const wire::MarkTree* marks = nullptr;  // null: where its ancestor stands
  std::int64_t line = 1;

  Node child(std::size_t index) const;
  Node member(std::string_view key) const;  // of a mapping; without a value when it has none
  std::string_view text() const;
  const Map* map() const { return value != nullptr ? value->as_map() : nullptr; }
  const List* list() const { return value != nullptr ? value->as_list() : nullptr; }
};

/// Whose: what counts together, and how rows name it.
struct Owner {
  Host host = Host::claude;
  Kind kind = Kind::permission;
  std::string space{};
  Place place{};
  std::string part{};        // a server, an agent: rows only when both sides have it
  std::string within{};      // of a part of a job: the job
  std::string covered_by{};  // what gives all of it, see `gives`
};

enum class Level : std::uint8_t { allow, ask, deny };
struct Grant {
  Owner owner{};
  Level level = Level::allow;
  Language language = Language::exact;
  std::string rule{}, shown{};
  Weight weight = Weight::medium;
  std::string gives{};  // everything that is covered by this
};

/// A list that restricts. Without one of that space there is no restriction.
struct Restriction {
  Owner owner{};
  std::string prefix{};  // "KEY: "
  Weight weight = Weight::medium;
};

struct Scale {
  Owner owner{};
  std::string shown{}, value{};
  std::string_view words{}, fallback{};
  int layer = 0;
  std::string gives{};  // with its highest word: everything that is covered by this
};

/// Something whose value is compared and not understood.
struct Named {
  Owner owner{};
  std::string name{}, value{}, shown{};
  Effect added = Effect::widens, changed = Effect::widens, removed = Effect::narrows;
  Weight added_weight = Weight::high, changed_weight = Weight::high;
  Change removed_as = Change::removed;
  bool is_text = false;  // the value is the file: a row stands where the two differ
};

struct Hook {
  Owner owner{};
  std::string event{}, program{}, extra{};  // extra: conduct that is no guard
  std::vector<std::string> tools{};         // of the matcher; "*": all
  std::string matcher{};
  bool closes = false, waits = true;  // fails closed; is waited for
  std::string closes_as{};            // as the host writes it
  std::string only_if{};
};

struct Server {
  Owner owner{};
  std::string name{};
  std::vector<std::string> words{};  // command line, or one URL
  bool is_url = false;
  std::string rest{};  // everything, to tell a server that was only renamed
  Map members{};
};

/// An action that runs an agent.
struct Uses {
  Owner owner{};
  std::string job{}, action{}, ref{};
  std::string shown{};
};

struct Permissions {
  Owner owner{};
  std::string job{};
  bool is_default = false;
  bool is_all = false;                  // write-all
  std::map<std::string, int> scopes{};  // 1 read, 2 write
  std::map<std::string, Place> places{};
  Place place{};
};

/// A text that agents follow.
struct Instruction {
  Owner owner{};
  std::string text{}, value{};  // text: only the lines that tell something, each in its place
  std::vector<char32_t> hidden{};
};

struct Unknown {
  Owner owner{};
  std::string key{}, value{};
};

struct Facts {
  std::vector<Grant> grants{};
  std::vector<Restriction> restrictions{};
  std::vector<Scale> scales{};
  std::vector<Named> named{};
  std::vector<Hook> hooks{};
  std::vector<Server> servers{};
  std::vector<Uses> uses{};
  std::vector<Permissions> permissions{};
  std::vector<Instruction> instructions{};
  std::vector<Unknown> unknown{};
  std::vector<std::string> parts{};  // of owners that this side has
};

/// Why a file could not be read, or nothing.
struct Defect {
  std::string what{};
  std::int64_t line = 1;
  bool is_set() const { return !what.empty(); }
};

inline constexpr std::size_t kMaxFileBytes = 1u << 20;

/// Reads one file as its row says. What was read before a defect is worth nothing.
Defect collect(const KnownFile&, const std::string& path, std::string_view text, Facts& out);

/// The same of a workflow; `file` is what its facts are known by. A file without agents says
/// nothing.
Defect collect_workflow(const std::string& path, const std::string& file, std::string_view text,
                        bool is_github, Facts& out);
/// What every job of a workflow may do and what starts it, whether it runs an agent or not.
Defect collect_rights(const std::string& path, std::string_view text, Facts& out);
/// Names of the jobs that run agents, to know a workflow again under another name.
std::string jobs_with_agents(const std::string& path, std::string_view text);

/// Rows of what differs between the facts of both sides, in no order.
void compare_facts(const Facts& before, const Facts& after, std::vector<Row>& rows);

// --- shared by the two ---
void collect_keys(std::span<const KeyRow> rows, const Node&, const Owner&, std::string_view prefix,
                  std::string_view path_of_unknown, std::string_view unknown, int layer,
                  Facts& out);
std::string shown_value(const Value&);
std::string text_of(const Value&);  // the same for equal values, whatever the order of their keys
Defect defect_of(const Error&, std::string_view name);
/// Why the text of an entry is none; empty for a text.
std::string_view word_of(EntryKind);
/// Characters that a model reads and a person does not see.
std::vector<char32_t> hidden_characters(std::string_view text);
/// White space in a row counts as one blank.
std::string flowing(std::string_view text);
/// `told`: the text without the lines of its head that tell nothing.
void add_instruction(const Owner&, std::string_view text, std::string_view told, std::string value,
                     Facts& out);
/// JSON with comments, and where its values stand.
Result<wire::Document> json_document(std::string_view text, std::string_view name);
/// The job that prepares the machine of Copilot's agent in the cloud.
inline constexpr std::string_view kCopilotSetup = "copilot-setup-steps";
/// Does that stand for all power of the kind?
bool gives_all(const Scale&);

/// Everything of a side that belongs to somebody.
template <class F>
void for_each_owner(Facts& facts, F&& take) {
  const auto all = [&](auto& list) {
    for (auto& one : list)
      take(one.owner);
  };
  all(facts.grants);
  all(facts.restrictions);
  all(facts.scales);
  all(facts.named);
  all(facts.hooks);
  all(facts.servers);
  all(facts.uses);
  all(facts.permissions);
  all(facts.instructions);
  all(facts.unknown);
}

}  // namespace gh::powers
