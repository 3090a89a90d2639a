// Paths of a declared scope and of evidence: what is accepted is below the root, UTF-8 and a fixed
// point, and the index of paths agrees with the comparison of every pair.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "control/path_index.h"
#include "control/scope_paths.h"
#include "fuzz/require.h"
#include "policy/glob.h"

namespace {

bool is_normal(const std::string& path) {
  const std::string framed = "/" + path + "/";
  return gh::is_utf8(path) && !path.empty() && framed.find("//") == framed.npos &&
         framed.find("/./") == framed.npos && framed.find("/../") == framed.npos;
}

void compare(const std::vector<std::string>& paths) {
  using gh::control::PathIndex;
  using gh::policy::ConflictMatching;
  if (paths.size() > 20) return;
  for (const std::string& entry : paths) {
    const PathIndex index({{entry, 1}, {paths.front(), 2}});
    for (const std::string& path : paths) {
      const bool covered = gh::policy::matches_prefix(path, entry);
      const bool meets = covered || gh::policy::matches_prefix(entry, path);
      std::vector<PathIndex::Meeting> found;
      index.meetings(path, ConflictMatching::prefix, found);
      REQUIRE(((index.cover(path) & 1) != 0) == covered);
      REQUIRE(std::ranges::any_of(found, [](const auto& m) { return (m.mark & 1) != 0; }) == meets);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::control;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> lines;
  for (const std::string_view line : gh::split(text, '\n'))
    lines.emplace_back(line);
  const auto scope = normalise_scope(gh::Value(gh::Map{{"allowed_files", gh::string_list(lines)}}));
  if (scope) {
    REQUIRE(std::ranges::is_sorted(scope->allowed_files));
    REQUIRE(std::ranges::all_of(scope->allowed_files, is_normal));
    REQUIRE(normalise_scope(*scope).has_value());
    std::vector<std::string> guarded;  // white space at either end is part of a name here
    for (const std::string& path : scope->allowed_files)
      guarded.push_back("./" + path + "/.");
    const auto again = normalise_evidence(guarded, "/root/of it");
    REQUIRE(again && *again == scope->allowed_files);
    compare(scope->allowed_files);
  }
  const auto evidence = normalise_evidence(lines, "/r");
  if (evidence) REQUIRE(std::ranges::all_of(*evidence, is_normal));
  REQUIRE(gh::is_utf8(path_from_git(text)));
  for (const std::string& name : lines) {
    // What is no path as git has them is brought into another form.
    if (name.starts_with('/') || bytes_of_path(path_from_git(name)) != name) continue;
    const auto typed = normalise_evidence({typed_to_the_letter(name)}, "/r");
    REQUIRE(!typed || typed->empty() || typed->front() == path_from_git(name));
  }
  return 0;
}
