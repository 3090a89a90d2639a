#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/init.h"
#include "policy/config.h"
#include "wire/json.h"
#include "wire/yaml.h"

namespace gh::ops {
namespace {

struct NotCopied {
  std::string_view key, why;
};
// table: settings that init does not copy
constexpr std::array<NotCopied, 3> kNotCopied{
    {{"baseline", "Gatehouse keeps a baseline of its own, gatehouse.baseline.json"},
     {"metrics_baseline", "Gatehouse keeps a baseline of its own, gatehouse.baseline.json"},
     {"cache_path", "Gatehouse keeps its cache below the git directory"}}};

constexpr std::string_view kBlock = "analysis:", kIndent = "  ";
constexpr std::string_view kHead = "# Copied from [tool.codeclone] of pyproject.toml.";

std::string line_of(std::string_view key, const Value& value) {
  return fmt::format("{}: {}", key, wire::canonical_json(value));
}

/// Why the key cannot be copied; empty when it can.
std::string defect_of(const std::string& key, const Value& value) {
  const auto row = std::ranges::find(kNotCopied, key, &NotCopied::key);
  if (row != kNotCopied.end()) return std::string(row->why);
  const bool is_plain =
      !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
  if (!is_plain) return "it is no setting of Gatehouse";
  const auto config = policy::parse_config(
      fmt::format("{}\n{}{}\n", kBlock, kIndent, line_of(key, value)), kConfigFile);
  if (config) return {};
  const std::string& message = config.error().message;
  const std::size_t place = message.find(": ");  // of a file that nobody has
  return place == std::string::npos ? message : message.substr(place + 2);
}

bool is_blank(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

/// Where the lines of the block begin and how they are indented.
struct Place {
  std::size_t line = 0;  // behind this many lines
  std::string indent{kIndent};
};

/// nullopt: the block is not written as lines of its own.
std::optional<Place> place_in(const std::vector<std::string_view>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with(kBlock)) continue;
    if (!is_blank(lines[i].substr(kBlock.size()))) return std::nullopt;  // {…} on the same line
    Place out{.line = i + 1};
    for (std::size_t k = i + 1; k < lines.size(); ++k) {
      if (is_blank(lines[k])) continue;
      const std::size_t deep = lines[k].find_first_not_of(' ');
      if (deep != 0) out.indent = std::string(deep, ' ');
      break;
    }
    return out;
  }
  return std::nullopt;
}

std::string joined(const std::vector<std::string_view>& lines, std::size_t from, std::size_t to) {
  std::string out;
  for (std::size_t i = from; i < to; ++i)
    out.append(lines[i]).append("\n");
  return out;
}

/// Lines without the empty one behind the last line end.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out = split(text, '\n');
  if (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

void insert(InitPlan& plan, const std::vector<std::string>& fresh, bool has_block,
            const Place& place) {
  const std::vector<std::string_view> lines = lines_of(plan.before);
  std::string added;
  if (!has_block) added = fmt::format("{}{}\n{}\n", lines.empty() ? "" : "\n", kHead, kBlock);
  for (const std::string& line : fresh)
    added += fmt::format("{}{}\n", place.indent, line);
  const std::size_t at = has_block ? place.line : lines.size();
  plan.after = joined(lines, 0, at) + added + joined(lines, at, lines.size());
}

/// Nothing but the copied keys of the block may have another value.
bool says_the_same(const policy::Config& before, const policy::Config& after,
                   const std::vector<std::string>& copied) {
  if (!(before.patch == after.patch) || !(before.control == after.control) ||
      !(policy::to_value(before.proposals) == policy::to_value(after.proposals)))
    return false;
  const Value was = policy::to_value(before.analysis), is = policy::to_value(after.analysis);
  return std::ranges::all_of(was.as_map()->entries(), [&](const auto& entry) {
    return std::ranges::find(copied, entry.first) != copied.end() ||
           *is.as_map()->find(entry.first) == entry.second;
  });
}

}  // namespace

Result<InitPlan> plan_init(std::string_view yaml, const Map& settings) {
  InitPlan plan{.before = std::string(yaml), .after = std::string(yaml)};
  policy::Config before;
  Value root;
  if (!std::ranges::all_of(lines_of(yaml), is_blank)) {  // else it says nothing yet
    GH_TRY(config, policy::parse_config(yaml, kConfigFile));
    GH_TRY(document, wire::read_yaml(yaml, kConfigFile, wire::YamlDialect::strict));
    before = std::move(config);
    root = std::move(document.root);
  }
  const Value* block = root.as_map() == nullptr ? nullptr : root.as_map()->find("analysis");
  const Map* given = block == nullptr ? nullptr : block->as_map();
  std::vector<std::string> fresh;
  for (const auto& [key, value] : settings.entries()) {
    if (given != nullptr && given->find(key) != nullptr) {
      if (!(*given->find(key) == value))
        plan.left_out.push_back({key, fmt::format("{} has a value of its own", kConfigFile)});
      continue;
    }
    if (std::string why = defect_of(key, value); !why.empty()) {
      plan.left_out.push_back({printable(key, 60), std::move(why)});
      continue;
    }
    plan.copied.push_back(key);
    fresh.push_back(line_of(key, value));
  }
  if (fresh.empty()) return plan;
  const auto place = block == nullptr ? Place{} : place_in(lines_of(yaml));
  const auto by_hand = [&] {
    return fail(Code::bad_argument,
                fmt::format("{} has an analysis block that cannot be extended line by line; add "
                            "these lines to it by hand: {}",
                            kConfigFile, join(fresh, ", ")));
  };
  if (!place) return by_hand();
  insert(plan, fresh, block != nullptr, *place);
  // What was there must still mean the same, and what was added must be read.
  const auto after = policy::parse_config(plan.after, kConfigFile);
  if (!after || !says_the_same(before, *after, plan.copied)) return by_hand();
  return plan;
}

}  // namespace gh::ops
