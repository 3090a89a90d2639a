#include "ops/intent_mirror.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"
#include "sys/files.h"
#include "sys/private_file.h"

namespace gh::ops {
namespace {

constexpr std::string_view kHead = "gatehouse.intent_mirror/1 ";
constexpr std::size_t kMaxMirrorBytes = 64u << 20;
constexpr std::uint32_t kPrivate = 0600;

std::string file_in(const std::string& state) { return state + "/cache/intents"; }

tl::unexpected<Error> unusable(std::string_view why) {
  return fail(Code::ledger_unavailable, fmt::format("the mirror of the registry {}", why));
}

}  // namespace

std::string mirror_text(const IntentMirror& mirror) {
  std::string out =
      fmt::format("{}{} {}\n", kHead, to_string(mirror.written_at), mirror.intents.size());
  for (const MirroredIntent& one : mirror.intents)
    out += fmt::format("{} {}\n", one.fence, one.record);
  return out;
}

Result<IntentMirror> parse_intent_mirror(std::string_view text) {
  if (!text.starts_with(kHead) || !text.ends_with('\n')) return unusable("is damaged");
  text.remove_suffix(1);
  std::vector<std::string_view> lines = split(text, '\n');
  const std::string_view head = lines.front().substr(kHead.size());
  const std::size_t space = head.find(' ');
  const auto written = parse_timestamp(head.substr(0, space));
  std::size_t count = 0;
  const std::string_view number = head.substr(std::min(space + 1, head.size()));
  const bool counted =
      std::from_chars(number.data(), number.data() + number.size(), count).ec == std::errc{};
  if (space == head.npos || !written || !counted || count + 1 != lines.size())
    return unusable("is damaged");
  IntentMirror out{.written_at = *written};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    MirroredIntent one;
    const auto [end, wrong] = std::from_chars(line.data(), line.data() + line.size(), one.fence);
    if (wrong != std::errc{} || end == line.data() + line.size() || *end != ' ')
      return unusable("is damaged");
    one.record = line.substr(static_cast<std::size_t>(end - line.data()) + 1);
    out.intents.push_back(std::move(one));
  }
  return out;
}

Result<IntentMirror> read_intent_mirror(const std::string& state) {
  const std::string file = file_in(state);
  const sys::FileInfo seen = sys::info(file);
  if (seen.kind == sys::FileKind::missing)
    return unusable("is not there; any command of gatehouse change writes it");
  if (!sys::is_ours_alone(seen)) return unusable("can be written by others");
  auto text = sys::read_file(file, kMaxMirrorBytes);
  if (!text) return unusable("cannot be read: " + text.error().message);
  return parse_intent_mirror(*text);
}

Status write_intent_mirror(const std::string& state, const IntentMirror& mirror) {
  GH_DO(sys::make_folders(state + "/cache"));
  return sys::write_file_atomic(file_in(state), mirror_text(mirror), kPrivate);
}

}  // namespace gh::ops
