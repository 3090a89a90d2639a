// judge FILE TIMES: reads a patch once and judges it by shape, path and policy TIMES times in this
// process; prints the microseconds of one time on average.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "diff/patch.h"
#include "patch/gates.h"
#include "sys/files.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto bytes = gh::sys::read_file(argv[1], gh::diff::kMaxPatchBytes);
  if (!bytes) return 3;
  gh::policy::PatchPolicy values = gh::policy::default_patch_policy();
  for (std::int64_t* limit :
       {&values.max_files, &values.max_added_lines, &values.max_deleted_lines,
        &values.max_deleted_files, &values.max_hunks, &values.max_patch_bytes})
    *limit = 1'000'000'000;
  const gh::patch::CompiledPolicy policy(values);
  const long times = std::strtol(argv[2], nullptr, 10);
  const auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < times; ++i) {
    const auto patch =
        gh::diff::parse(*bytes, gh::diff::Profile::strict, gh::diff::Position::exact);
    if (!patch || !gh::patch::check_paths(*patch, true).empty() ||
        !gh::patch::check_policy(*patch, policy, bytes->size()).empty()) {
      fmt::print(stderr, "judge: the patch is refused\n");
      return 1;
    }
  }
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
  fmt::print("{:.1f}\n", spent.count() / static_cast<double>(times));
  return 0;
}
