#include "analysis/text_list.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/digesting.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

/// The text of a member, as it is written: what is escaped in one is so in the other.
std::string_view text_at(std::string_view item, std::string_view key) {
  const std::string mark = "\"" + std::string(key) + "\":\"";
  const std::size_t at = item.find(mark);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + mark.size();
  return item.substr(from, item.find('"', from) - from);
}

Value item_in(std::string_view text) {
  auto value = wire::read_own_json(text, "an item of a report");
  return value ? *std::move(value) : Value();
}

/// How often each item is in the second list more than in the first.
using Counts = std::unordered_map<std::string_view, std::int64_t>;

/// How many items at their fronts and, behind those, at their ends two lists have in common.
struct Common {
  std::size_t front = 0, back = 0;

  Common(const TextList& a, const TextList& b) {
    const std::size_t most = std::min(a.size(), b.size());
    while (front < most && a[front] == b[front])
      ++front;
    while (back < most - front && a[a.size() - 1 - back] == b[b.size() - 1 - back])
      ++back;
  }
  bool has(const TextList& of, std::size_t i) const { return i < front || i >= of.size() - back; }
};

void count(const TextList& list, const Common& common, std::int64_t sign, Counts& counts) {
  for (std::size_t i = common.front; i < list.size() - common.back; ++i)
    counts[list[i]] += sign;
}

}  // namespace

std::string member_text(std::string_view item, std::string_view key) {
  const std::string_view text = text_at(item, key);
  if (text.find('\\') == std::string_view::npos) return std::string(text);
  const Value whole = item_in(item);
  const Value* value = whole.as_map() == nullptr ? nullptr : whole.as_map()->find(key);
  return value == nullptr || value->as_string() == nullptr ? std::string() : *value->as_string();
}

void TextList::add(std::string_view item) {
  text += item;
  ends.push_back(static_cast<std::uint32_t>(text.size()));
}

bool TextList::is_whole() const {
  return std::ranges::is_sorted(ends) && (ends.empty() ? text.empty() : ends.back() == text.size());
}

std::string TextList::digest() const {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  Digesting digest;
  std::string piece = "[";
  for (std::size_t i = 0; i < size(); ++i) {
    if (i > 0) piece += ',';
    piece += (*this)[i];
    if (piece.size() < kPiece) continue;
    digest.add(piece);
    piece.clear();
  }
  digest.add(piece + "]");
  return digest.hex();
}

TextList text_list(const List& items) {
  TextList out;
  for (const Value& item : items)
    out.add(wire::canonical_json(item));
  return out;
}

List edits_between(const TextList& before, const TextList& after) {
  const Common common(before, after);
  std::unordered_map<std::string_view, std::int64_t> known;
  for (std::size_t i = common.front; i < before.size() - common.back; ++i)
    known.try_emplace(before[i], static_cast<std::int64_t>(i));
  /// Where the item was; -1: nowhere.
  const auto place_before = [&](std::size_t i) {
    if (i < common.front) return static_cast<std::int64_t>(i);
    if (common.has(after, i)) return static_cast<std::int64_t>(before.size() - (after.size() - i));
    const auto at = known.find(after[i]);
    return at == known.end() ? std::int64_t{-1} : at->second;
  };
  List out;
  std::int64_t from = 0, count = 0;
  const auto end_run = [&] {
    if (count > 0) out.emplace_back(List{from, count});
    count = 0;
  };
  for (std::size_t i = 0; i < after.size(); ++i) {
    const std::int64_t at = place_before(i);
    if (at < 0) {
      end_run();
      out.push_back(item_in(after[i]));
      continue;
    }
    if (count == 0 || at != from + count) {
      end_run();
      from = at;
    }
    ++count;
  }
  end_run();
  return out;
}

Result<List> edited_list(const List& base, const List& edits) {
  const auto size = static_cast<std::int64_t>(base.size());
  List out;
  for (const Value& edit : edits) {
    const List* run = edit.as_list();
    if (run == nullptr) {
      out.push_back(edit);
      continue;
    }
    const std::int64_t* from = run->size() == 2 ? (*run)[0].as_int() : nullptr;
    const std::int64_t* count = run->size() == 2 ? (*run)[1].as_int() : nullptr;
    const bool fits = from != nullptr && count != nullptr && *from >= 0 && *count >= 0 &&
                      *from <= size && *count <= size - *from;
    // Who takes far more out of a list than it has in all only makes it long.
    if (!fits || out.size() + static_cast<std::size_t>(*count) > 2 * base.size() + edits.size())
      return fail(Code::json_invalid, "an edit of a list does not fit it");
    out.insert(out.end(), base.begin() + *from, base.begin() + *from + *count);
  }
  return out;
}

ItemsChanged items_changed(const TextList& before, const TextList& after, std::string_view key) {
  const Common common(before, after);
  Counts counts;
  count(before, common, -1, counts);
  count(after, common, 1, counts);
  ItemsChanged out;
  std::unordered_set<std::string_view> keys;
  for (const TextList* list : {&before, &after})
    for (std::size_t i = common.front; i < list->size() - common.back; ++i) {
      std::int64_t& more = counts[(*list)[i]];
      const bool is_fresh = list == &after;
      if (more == 0 || (more > 0) != is_fresh) continue;
      more -= is_fresh ? 1 : -1;
      (is_fresh ? out.after : out.before).push_back(item_in((*list)[i]));
      if (!key.empty()) keys.insert(text_at((*list)[i], key));
    }
  if (keys.empty()) return out;
  count(before, common, 1, counts);  // by now both have all of them equally often
  for (std::size_t i = 0; i < after.size(); ++i)
    if ((common.has(after, i) || counts[after[i]] > 0) && keys.contains(text_at(after[i], key))) {
      out.before.push_back(item_in(after[i]));
      out.after.push_back(out.before.back());
    }
  return out;
}

}  // namespace gh::analysis
