// A long list of a report as text: each item its canonical JSON, in the order of the report. What
// turns one state of a list into another is written down as an edit of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace gh::analysis {

struct TextList {
  std::string text{};
  std::vector<std::uint32_t> ends{};

  std::size_t size() const { return ends.size(); }
  std::string_view operator[](std::size_t i) const {
    const std::uint32_t from = i == 0 ? 0 : ends[i - 1];
    return std::string_view(text).substr(from, ends[i] - from);
  }
  void add(std::string_view item);
  bool operator==(const TextList&) const = default;
  bool is_whole() const;
  /// As the digest of a report has it, in hex.
  std::string digest() const;
};
TextList text_list(const List&);

/// A text at the top of an item; empty when it has no such member.
std::string member_text(std::string_view item, std::string_view key);

/// Runs of the first list, [from, count], and items of its own: what the second is made of. No item
/// is a list.
List edits_between(const TextList& before, const TextList& after);
/// json_invalid where the edits do not fit.
Result<List> edited_list(const List& base, const List& edits);

/// The items of each that the other has not.
struct ItemsChanged {
  List before{}, after{};
};
/// With those that are in both and have the same text at the member `key` as one that is not:
/// whoever counts by that member sees all of them. Empty: none.
ItemsChanged items_changed(const TextList& before, const TextList& after, std::string_view key);

}  // namespace gh::analysis
