// The gates behind the parser. Input: base file, a line "====", patch. What is applied can be taken
// back, both positions agree, and the predicted tree is that of the applied bytes.
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "patch/gates.h"
#include "tests/memory_tree.h"

namespace gh::patch {
namespace {

using diff::Operation;
using diff::Position;

Operation opposite(Operation op) {
  return op == Operation::create   ? Operation::remove
         : op == Operation::remove ? Operation::create
                                   : op;
}

/// The same change read from the new side to the old one; `bodies` keeps the turned texts.
diff::Section reversed(const diff::Section& s, std::deque<std::string>& bodies) {
  diff::Section back = s;
  back.op = opposite(s.op);
  std::swap(back.old_path, back.new_path);
  std::int64_t delta = 0;
  for (diff::Hunk& h : back.hunks) {
    std::string body(h.body);
    for (std::size_t at = 0; at < body.size(); at = body.find('\n', at) + 1) {
      if (body[at] == '+') {
        body[at] = '-';
      } else if (body[at] == '-') {
        body[at] = '+';
      }
    }
    const std::int64_t old_before = h.old_count == 0 ? h.old_start : h.old_start - 1;
    const std::int64_t change = h.new_count - h.old_count;
    h.body = bodies.emplace_back(std::move(body));
    std::swap(h.old_count, h.new_count);
    std::swap(h.old_no_newline, h.new_no_newline);
    std::swap(h.added, h.deleted);
    h.old_start = old_before + delta + (h.old_count == 0 ? 0 : 1);
    delta += change;
  }
  return back;
}

void check_section(const diff::Section& s, std::string_view base) {
  const auto exact = apply_section(s, base, Position::exact);
  const auto unique = apply_section(s, base, Position::unique);
  if (!exact) {
    REQUIRE(step_of(exact.error().rule) == PatchStep::tree);
    return;
  }
  std::deque<std::string> bodies;
  const auto back = apply_section(reversed(s, bodies), exact->bytes, Position::exact);
  REQUIRE(back && back->bytes == base);
  REQUIRE(unique ? unique->bytes == exact->bytes && unique->notes.empty()
                 : unique.error().rule == Rule::hunk_position_ambiguous);
}

void check_prediction(const diff::Patch& patch, std::string_view base) {
  const diff::Section& s = patch.sections.front();
  test::MemoryTree trees;
  std::vector<test::BaseFile> files{{"other/file", "x\n"}};
  if (s.op != Operation::create) files.push_back({s.old_path, std::string(base)});
  auto policy = policy::default_patch_policy();
  const auto p = predict(patch, policy, trees.add(files), trees, {.is_retry = true});
  REQUIRE(p);
  REQUIRE(p->tree.has_value() == p->violations.empty());
  REQUIRE(p->violations.first.size() <= 50 &&
          p->violations.total >= std::ssize(p->violations.first));
  if (!p->tree || patch.sections.size() > 1 || s.op == Operation::copy) return;
  files.resize(1);
  const auto applied = apply_section(s, s.op == Operation::create ? "" : base, Position::exact);
  REQUIRE(applied);
  if (s.op != Operation::remove)
    files.push_back({s.new_path, applied->bytes, s.new_mode.value_or(FileMode::regular)});
  REQUIRE(*p->tree == trees.add(files));
}

}  // namespace
}  // namespace gh::patch

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh;
  using namespace gh::patch;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  constexpr std::string_view kRule = "====\n";
  const std::size_t rule = input.find(kRule);
  if (rule == std::string_view::npos) return 0;
  const std::string_view base = input.substr(0, rule), text = input.substr(rule + kRule.size());
  const auto patch = diff::parse(text, diff::Profile::git, diff::Position::exact);
  if (!patch) return 0;
  const diff::Section& first = patch->sections.front();
  check_section(first, first.op == diff::Operation::create ? "" : base);
  if (!check_paths(*patch, true).empty()) return 0;
  static const CompiledPolicy kPolicy(policy::default_patch_policy());
  const Violations denied = check_policy(*patch, kPolicy, text.size());
  REQUIRE(denied.empty() == denied.first.empty());
  split_advice(*patch, kPolicy.values);
  if (denied.empty()) check_prediction(*patch, base);
  return 0;
}
