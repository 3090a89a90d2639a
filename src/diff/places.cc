#include "diff/places.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/text.h"

namespace gh::diff {
namespace {

constexpr std::size_t kMostCompared = 20'000'000;  // lines, for one file

using Ids = std::vector<std::size_t>;

/// Equal lines have equal numbers.
class Numbered {
 public:
  explicit Numbered(std::string_view content) {
    std::vector<std::string_view> lines = split(content, '\n');
    if (!lines.empty() && lines.back().empty()) lines.pop_back();
    for (const std::string_view line : lines) {
      const std::size_t id = ids_.try_emplace(line, ids_.size()).first->second;
      if (id == at_.size()) at_.emplace_back();
      at_[id].push_back(all_.size());
      all_.push_back(id);
    }
  }
  /// Fewer than given: one of them stands nowhere.
  Ids numbers_of(const std::vector<std::string_view>& lines) const {
    Ids out;
    for (const std::string_view line : lines)
      if (const auto found = ids_.find(line); found != ids_.end()) out.push_back(found->second);
    return out;
  }
  /// Counts what it compares; without an answer once that is too much.
  Place place_of(const ExpectedLines& hunk, std::size_t& compared) const {
    const Ids wanted = numbers_of(hunk.lines);
    if (wanted.size() != hunk.lines.size()) return {};
    const auto rarest =
        std::ranges::min_element(wanted, {}, [&](std::size_t id) { return at_[id].size(); });
    const auto offset = static_cast<std::size_t>(rarest - wanted.begin());
    Place out;
    bool is_here = false;
    for (const std::size_t line : at_[*rarest]) {
      if (compared > kMostCompared) return {};
      if (line < offset || !may_begin_at(line - offset, hunk)) continue;
      if (!fits_at(line - offset, wanted, compared)) continue;
      ++out.fits;
      is_here |= line - offset == hunk.start;
      if (line - offset < hunk.start) ++out.before;
    }
    return is_here ? out : Place{};
  }

 private:
  /// What stands at an end of the content stands nowhere else.
  bool may_begin_at(std::size_t start, const ExpectedLines& hunk) const {
    return (hunk.above >= kContextLines || start == 0) &&
           (hunk.below >= kContextLines || start + hunk.lines.size() == all_.size());
  }
  bool fits_at(std::size_t start, const Ids& wanted, std::size_t& compared) const {
    if (wanted.size() > all_.size() - start) return false;
    const auto [mine, theirs] = std::mismatch(wanted.begin(), wanted.end(),
                                              all_.begin() + static_cast<std::ptrdiff_t>(start));
    compared += static_cast<std::size_t>(mine - wanted.begin()) + 1;
    return mine == wanted.end();
  }

  std::unordered_map<std::string_view, std::size_t> ids_{};
  std::vector<Ids> at_{};  // by number
  Ids all_{};
};

}  // namespace

std::vector<Place> places_of(const std::vector<ExpectedLines>& hunks, std::string_view content) {
  const Numbered lines(content);
  std::size_t compared = 0;
  std::vector<Place> out;
  for (const ExpectedLines& hunk : hunks)
    out.push_back(hunk.lines.empty() ? Place{.fits = 1} : lines.place_of(hunk, compared));
  return out;
}

}  // namespace gh::diff
