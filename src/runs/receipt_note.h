#pragma once
// Receipts in git notes (docs/formats/receipt.md, "Notes"): one JSON document a line, the lines
// sorted, each once, so that git's merge strategy cat_sort_uniq unites the notes of two clones.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::runs {

inline constexpr std::size_t kMaxNoteBytes = 16u << 20, kMaxNoteLines = 1'000;

struct NotedReceipt {
  Map receipt;
  std::string digest;    // of what the note holds, recomputed
  bool rebound = false;  // it was attached to another commit than the one it was given for
};

/// gatehouse.receipt_note/1 on one line, with its line end.
std::string note_line(const Map& receipt, bool rebound);

/// The note with that receipt in it. A line that held the same receipt before gives way; lines of
/// others stay, whatever they are; receipts of `without`, named by digest, go.
std::string note_with(std::string_view note, const Map& receipt, bool rebound,
                      const std::vector<std::string>& without = {});

/// Each receipt once, in order of its digest. Lines that are no receipts are left out: a note is
/// open to everybody.
std::vector<NotedReceipt> read_note(std::string_view note);

}  // namespace gh::runs
