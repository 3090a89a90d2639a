// A JSON document that is taken apart gives what it gives when it is read whole, whatever stands
// in it. OpenAPI documents are read so once they are large.
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "wire/document.h"
#include "wire/json.h"
#include "wire/json_marks.h"
#include "wire/spaced_json.h"

namespace gh::wire {
namespace {

using Random = std::mt19937_64;

std::size_t pick(Random& random, std::size_t below) {
  return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
}

/// Between tokens: blanks, and lines of every kind.
std::string gap(Random& random) {
  constexpr std::string_view kGaps[] = {"", " ", "\n", "\r\n", "\t", "  \n\n "};
  return std::string(kGaps[pick(random, std::size(kGaps))]);
}

std::string text_of(Random& random) {
  constexpr std::string_view kTexts[] = {"\"\"",
                                         "\"a\"",
                                         "\"} ,\"",
                                         "\"{\\\"paths\\\": [\"",
                                         "\"\\\\\"",
                                         "\"\\u00e9 \\ud83d\\ude00\"",
                                         "\"\xC3\xA9\xE2\x80\xA8\"",
                                         "\"// no remark\"",
                                         "\"\\\\\\\"}\""};
  return std::string(kTexts[pick(random, std::size(kTexts))]);
}

std::string value_of(Random& random, int depth) {
  constexpr std::string_view kPlain[] = {"1",  "-0.5e3", "true", "null", "\"x\"",   "{}",
                                         "[]", "0",      "[1]",  "[{}]", "\"\\n\"", "false"};
  const std::size_t kind = depth > 3 ? 0 : pick(random, 4);
  if (kind < 2) return std::string(kPlain[pick(random, std::size(kPlain))]);
  std::string out(1, kind == 2 ? '{' : '[');
  const std::size_t count = pick(random, 4);
  for (std::size_t i = 0; i < count; ++i) {
    out += (i > 0 ? "," : "") + gap(random);
    if (kind == 2) out += fmt::format("\"k{}\"", i) + gap(random) + ":" + gap(random);
    out += (pick(random, 3) == 0 ? text_of(random) : value_of(random, depth + 1)) + gap(random);
  }
  return out + (kind == 2 ? '}' : ']');
}

/// A document with a mapping of mappings under "paths", and now and then something odd.
std::string document_of(Random& random) {
  const auto member = [&](const std::string& key, const std::string& value) {
    return gap(random) + "\"" + key + "\"" + gap(random) + ":" + gap(random) + value + gap(random);
  };
  std::string paths = "{";
  const std::size_t count = pick(random, 6);
  for (std::size_t i = 0; i < count; ++i) {
    constexpr std::string_view kKeys[] = {"/a", "/b/{id}", "/\\u0061", "/\xC3\xA9", "paths", "/a"};
    std::string value = value_of(random, 1);
    if (pick(random, 12) != 0) value = "{" + member("get", value) + "}";
    std::string key(kKeys[pick(random, std::size(kKeys))]);
    if (pick(random, 4) != 0) key += std::to_string(i);
    paths += (i > 0 ? "," : "") + member(key, value);
  }
  paths += "}";
  std::string out = "{";
  bool is_first = true;
  const auto put = [&](const std::string& key, const std::string& value) {
    out += (is_first ? "" : ",") + member(key, value);
    is_first = false;
  };
  if (pick(random, 2) == 0) put("openapi", "\"3.0.0\"");
  if (pick(random, 2) == 0) put("info", value_of(random, 0));
  put("paths", paths);
  if (pick(random, 8) == 0) put("paths", paths);
  if (pick(random, 2) == 0) put("components", value_of(random, 0));
  out += "}" + gap(random);
  // A letter that was lost, or came: what is no JSON in its pieces is none as a whole.
  if (pick(random, 5) == 0) out.erase(pick(random, out.size()), 1);
  if (pick(random, 8) == 0)
    out.insert(pick(random, out.size()), 1, "{}[],:\"x\\ "[pick(random, 10)]);
  return out;
}

void expect_same_marks(const MarkTree& part, const MarkTree& whole, const std::string& text) {
  ASSERT_EQ(part.mark.line, whole.mark.line) << text;
  ASSERT_EQ(part.mark.column, whole.mark.column) << text;
  ASSERT_EQ(part.children.size(), whole.children.size()) << text;
  for (std::size_t i = 0; i < part.children.size(); ++i)
    expect_same_marks(part.children[i], whole.children[i], text);
}

TEST(JsonSplit, ReadByItsMembersADocumentIsTheOneThatIsReadWhole) {
  Random random(20'261'119);
  int taken_apart = 0, refused = 0;
  constexpr DocumentLimits kLimits{.marked_depth = 64};
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = document_of(random);
    const auto split = split_json(text, "paths");
    if (!split) continue;
    auto rest = read_document(split->rest, "d.json", kLimits);
    const auto whole = read_document(text, "d.json", kLimits);
    bool is_whole = rest.has_value();
    List parts;
    std::vector<Document> members;
    for (const JsonMember& member : split->members) {
      auto own = read_member(member, "d.json", kLimits);
      is_whole = is_whole && own.has_value();
      if (!own) break;
      members.push_back(std::move(*own));
    }
    ASSERT_EQ(is_whole, whole.has_value()) << text;
    ++(is_whole ? taken_apart : refused);
    if (!is_whole) continue;
    const Value* paths = whole->root.as_map()->find("paths");
    ASSERT_NE(paths, nullptr) << text;
    ASSERT_EQ(paths->as_map()->entries().size(), members.size()) << text;
    const auto at = [&](std::string_view key) {
      const auto& entries = whole->root.as_map()->entries();
      return static_cast<std::size_t>(
          std::ranges::find(entries, key, [](const auto& e) { return std::string_view(e.first); }) -
          entries.begin());
    };
    const MarkTree& marks = whole->marks.children[at("paths")];
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto& [key, value] = paths->as_map()->entries()[i];
      EXPECT_EQ(split->members[i].key, key) << text;
      EXPECT_EQ(spaced_json(members[i].root), spaced_json(value)) << text;
      expect_same_marks(members[i].marks, marks.children[i], text);
      if (::testing::Test::HasFailure()) return;
    }
    rest->root.as_map()->set("paths", *paths);
    EXPECT_EQ(spaced_json(rest->root), spaced_json(whole->root)) << text;
  }
  EXPECT_GT(taken_apart, 2'000);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace gh::wire
