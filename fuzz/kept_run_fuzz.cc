// The tables that a run left behind, in a file that anybody may have written: what is taken for
// whole can be asked for everything, and written again it is the same.
#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/amend_life.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::analysis;
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  const auto kept = kept_run_from(bytes);
  if (!kept) return 0;
  REQUIRE(to_bytes(*kept) == bytes);
  std::size_t length = 0;
  for (std::size_t f = 0; f < kept->path_ends.size(); ++f)
    length += kept->path(f).size();
  for (std::size_t m = 0; m < kept->loads.size(); ++m)
    length += kept->module(m).size();
  REQUIRE(length <= bytes.size());
  for (const DeadItem& item : dead_items(*kept))
    REQUIRE(!to_string(item.reason).empty() && !to_string(item.kind).empty());
  (void)kept->names.may_hold("name");
  (void)kept->may_be_asked("module", "name");
  for (const std::string_view path : kept_list_paths())
    for (std::size_t i = 0; i < kept->list(path).size(); ++i)
      (void)member_text(kept->list(path)[i], "id");
  (void)kept->tables.imports.get();
  if (const auto* units = kept->tables.units.get()) (void)are_sound(*units);
  const Profile profile;
  const GoldenFixtures golden;
  (void)life_again(*kept, {}, {},
                   {profile, golden, {}, [](std::string_view) { return std::nullopt; }});
  return 0;
}
