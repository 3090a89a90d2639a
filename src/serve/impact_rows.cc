#include "serve/impact_rows.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "model/peek.h"

namespace gh::serve {
namespace {

struct Kind {
  std::string_view list, places, severity;  // no places: the row itself is one
};
// table: impact_kinds
constexpr std::array kKinds{
    Kind{"copies", "into", "warning"},
    Kind{"clone_partial_edit", "edited", "warning"},
    Kind{"grown_groups", "new_members", "warning"},
    Kind{"complexity", "", "warning"},
    Kind{"security_surfaces", "", "warning"},
    Kind{"test_gaps", "", "note"},
};

Value row_at(const Kind& kind, const Peek& place, const Peek& answer) {
  // The statement that makes a function more complex says more than its first line.
  const List& added = answer["added"].list();
  const std::int64_t line =
      added.empty() ? place["start_line"].number() : Peek(added.front())["line"].number();
  return Map{{"kind", kind.list},
             {"severity", kind.severity},
             {"path", place["relative_path"].text()},
             {"line", line},
             {"end_line", place["end_line"].number()},
             {"message", answer["message"].text()}};
}

}  // namespace

List impact_findings(const Value& impact) {
  List out;
  const Peek answers = Peek(impact)["answers"];
  for (const Kind& kind : kKinds)
    for (const Value& answer : answers[kind.list].list()) {
      const Peek told(answer);
      const Peek places = kind.places.empty() ? told : told[kind.places];
      if (places.list().empty())
        out.push_back(row_at(kind, places, told));
      else
        for (const Value& place : places.list())
          out.push_back(row_at(kind, Peek(place), told));
    }
  std::ranges::stable_sort(out, {}, [](const Value& row) {
    return std::tuple(Peek(row)["path"].text(), Peek(row)["line"].number());
  });
  return out;
}

}  // namespace gh::serve
