#pragma once
// The agent host configuration diff: what a change does to the powers of coding agents themselves.
// A pure function of the files that hosts read, on both sides. What cannot be read is a row, too.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/verdict.h"
#include "powers/row.h"

namespace gh::powers {

enum class EntryKind : std::uint8_t { text, link, submodule, too_large, unreadable };

/// A file on one side of the change.
struct Entry {
  EntryKind kind = EntryKind::text;
  std::string text{};         // of a link: where it leads
  bool through_link = false;  // `text` is that of the file that a link in its place leads to
  bool operator==(const Entry&) const = default;
};

struct FilePair {
  std::string path;
  std::optional<Entry> before{}, after{};
};

inline constexpr std::size_t kMaxEntryBytes = 1u << 20;  // a larger file is not read
inline constexpr std::size_t kMaxFiles = 20'000;         // that hosts read, on both sides

/// Does some host read a file of that path, or everything below it?
bool is_of_interest(std::string_view path);
/// Is it one whose text agents follow? A link in its place is followed inside of the repository.
bool is_instruction(std::string_view path);

/// The path that a link in that place leads to; nothing when it leads out of the repository.
std::optional<std::string> link_target(std::string_view path, std::string_view link);

/// Worst first. The same rows for the same files, in whatever order they are given.
std::vector<Row> compare(const std::vector<FilePair>&);

/// What the rows mean for the change: nobody can tell, a person must look, or no.
Decision decision_of(const std::vector<Row>&);
/// The gate's own word for it: passed, review_required, insufficient_evidence, blocked.
std::string_view status_of(Decision);

}  // namespace gh::powers
