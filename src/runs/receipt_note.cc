#include "runs/receipt_note.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "model/peek.h"
#include "runs/receipt.h"
#include "wire/json.h"

namespace gh::runs {
namespace {

constexpr std::string_view kSchema = "gatehouse.receipt_note/1";

std::optional<NotedReceipt> read_line(std::string_view line) {
  const auto document = wire::read_own_json(line, "note");
  if (!document) return std::nullopt;
  const Peek note(*document);
  const Map* receipt = note["receipt"].exists() ? &note["receipt"].map() : nullptr;
  const bool is_ours = note["schema"].text() == kSchema && receipt != nullptr &&
                       note["receipt"]["schema"].text() == "gatehouse.receipt/1";
  if (!is_ours) return std::nullopt;
  return NotedReceipt{*receipt, receipt_digest(*receipt), note["rebound"].is_true()};
}

std::vector<std::string_view> lines_of(std::string_view note) {
  std::vector<std::string_view> out;
  for (const std::string_view line : split(note, '\n'))
    if (!line.empty()) out.push_back(line);
  return out;
}

}  // namespace

std::string note_line(const Map& receipt, bool rebound) {
  return wire::canonical_json(
             Map{{"schema", kSchema}, {"rebound", rebound}, {"receipt", receipt}}) +
         "\n";
}

std::string note_with(std::string_view note, const Map& receipt, bool rebound,
                      const std::vector<std::string>& without) {
  const std::string digest = receipt_digest(receipt);
  std::string line = note_line(receipt, rebound);
  line.pop_back();
  std::set<std::string, std::less<>> lines{std::move(line)};
  for (const std::string_view known : lines_of(note))
    if (const auto noted = read_line(known);
        !noted ||
        (noted->digest != digest && std::ranges::find(without, noted->digest) == without.end()))
      lines.emplace(known);
  std::string out;
  for (const std::string& kept : lines)
    out.append(kept).push_back('\n');
  return out;
}

std::vector<NotedReceipt> read_note(std::string_view note) {
  std::map<std::string, NotedReceipt> found;
  if (note.size() > kMaxNoteBytes) return {};
  std::vector<std::string_view> lines = lines_of(note);
  if (lines.size() > kMaxNoteLines) lines.resize(kMaxNoteLines);
  for (const std::string_view line : lines) {
    auto noted = read_line(line);
    if (!noted) continue;
    const bool rebound = noted->rebound;
    std::string digest = noted->digest;
    found.try_emplace(std::move(digest), *std::move(noted)).first->second.rebound |= rebound;
  }
  std::vector<NotedReceipt> out;
  for (auto& [digest, noted] : found)
    out.push_back(std::move(noted));
  return out;
}

}  // namespace gh::runs
