#include "wire/yaml.h"

#include <limits>

#include "wire/json.h"

namespace gh::wire {
namespace {

/// A value with its type, so that 1, 1.0 and "1" differ in a table.
std::string shown(const Value& v) {
  if (const Number* n = std::get_if<Number>(&v.data())) return "number " + n->text;
  if (const Decimal* d = std::get_if<Decimal>(&v.data()))
    return fmt::format("decimal {}", d->ten_thousandths);
  return canonical_json(v);
}

std::string read(std::string_view yaml, YamlDialect dialect, YamlLimits limits = {}) {
  const auto document = read_yaml(yaml, "f.yaml", dialect, limits);
  return document ? shown(document->root) : document.error().message;
}
std::string strict(std::string_view yaml, YamlLimits limits = {}) {
  return read(yaml, YamlDialect::strict, limits);
}
std::string compatible(std::string_view yaml, YamlLimits limits = {}) {
  return read(yaml, YamlDialect::compatible, limits);
}

struct ScalarCase {
  std::string_view text, strict, compatible;
};

TEST(Yaml, ScalarsFollowTheirDialect) {
  constexpr ScalarCase kCases[] = {
      {"true", "true", "true"},
      {"True", "true", "true"},
      {"FALSE", "false", "false"},
      {"tRUE", R"("tRUE")", R"("tRUE")"},
      {"yes", R"("yes")", "true"},
      {"Yes", R"("Yes")", "true"},
      {"NO", R"("NO")", "false"},
      {"on", R"("on")", "true"},
      {"Off", R"("Off")", "false"},
      {"y", R"("y")", R"("y")"},
      {"n", R"("n")", R"("n")"},
      {"null", "null", "null"},
      {"~", "null", "null"},
      {"Null", "null", "null"},
      {"nil", R"("nil")", R"("nil")"},
      {"0", "0", "0"},
      {"42", "42", "42"},
      {"-7", "-7", "-7"},
      {"+7", "7", "7"},
      {"012", "12", "10"},
      {"-012", "-12", "-10"},
      {"08", "8", R"("08")"},
      {"0o17", "15", R"("0o17")"},
      {"0x1F", "31", "31"},
      {"-0x1F", R"("-0x1F")", "-31"},
      {"0b101", R"("0b101")", "5"},
      {"1_000", R"("1_000")", "1000"},
      {"0x_ff", R"("0x_ff")", "255"},
      {"190:20:30", R"("190:20:30")", "685230"},
      {"1:60", R"("1:60")", R"("1:60")"},
      {"-1:30", R"("-1:30")", "-90"},
      {"9223372036854775807", "9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808", "-9223372036854775808"},
      {"9223372036854775808", "number 9223372036854775808", "number 9223372036854775808"},
      {"0.9", "decimal 9000", "number 0.9"},
      {"-1.5", "decimal -15000", "number -1.5"},
      {"1.", "decimal 10000", "number 1."},
      {".5", "decimal 5000", "number .5"},
      {"0.12345", "number 0.12345", "number 0.12345"},
      {"1e3", "number 1e3", R"("1e3")"},
      {"1.0e+3", "number 1.0e+3", "number 1.0e+3"},
      {"1.0e3", "number 1.0e3", R"("1.0e3")"},
      {"1_0.5", R"("1_0.5")", "number 1_0.5"},
      {".inf", "number .inf", "number .inf"},
      {"-.INF", "number -.INF", "number -.INF"},
      {".nan", "number .nan", "number .nan"},
      {"2026-11-15", R"("2026-11-15")", R"("2026-11-15")"},
      {"2026-11-15T10:00:00Z", R"("2026-11-15T10:00:00Z")", R"("2026-11-15T10:00:00Z")"},
      {"-", "[null]", "[null]"},
      {"a b", R"("a b")", R"("a b")"},
      {"'42'", R"("42")", R"("42")"},
      {"\"true\"", R"("true")", R"("true")"},
      {"|\n  12", R"("12")", R"("12")"},
      {">-\n  a\n  b", R"("a b")", R"("a b")"},
      {"\"\\u00e9\\n\"", R"("é\n")", R"("é\n")"},
      {"1.2.3", R"("1.2.3")", R"("1.2.3")"},
      {"+", R"("+")", R"("+")"},
      {".", R"(".")", R"(".")"},
      {"0x", R"("0x")", R"("0x")"},
      {"e5", R"("e5")", R"("e5")"},
  };
  for (const ScalarCase& c : kCases) {
    EXPECT_EQ(strict(c.text), c.strict) << c.text;
    EXPECT_EQ(compatible(c.text), c.compatible) << c.text;
  }
}

TEST(Yaml, StructuresFollowTheirDialect) {
  constexpr ScalarCase kCases[] = {
      {"", "null", "null"},
      {"# only a comment\n", "null", "null"},
      {"a: 1\nb: [x, y]\nc:\n  - 1\n  - d: 2\n", R"({"a":1,"b":["x","y"],"c":[1,{"d":2}]})",
       R"({"a":1,"b":["x","y"],"c":[1,{"d":2}]})"},
      {"---\na: 1\n...\n", R"({"a":1})", R"({"a":1})"},
      {"a:\n", R"({"a":null})", R"({"a":null})"},
      {"1: a\ntrue: b\n", R"({"1":"a","true":"b"})", R"({"1":"a","true":"b"})"},
      {"\"quoted key\": 1", R"({"quoted key":1})", R"({"quoted key":1})"},
      {"a: 1\nb: 2\na: 3\n", "f.yaml:3:1: key 'a' is already at 1:1", R"({"a":3,"b":2})"},
      {"x:\n  a: 1\n  'a': 2\n", "f.yaml:3:3: key 'a' is already at 2:3", R"({"x":{"a":2}})"},
      {"{a: 1, a: 2}", "f.yaml:1:8: key 'a' is already at 1:2", R"({"a":2})"},
      {"a: &x 1\nb: *x\n", "f.yaml:1:4: anchors are not allowed", R"({"a":1,"b":1})"},
      {"a: *x\n", "f.yaml:1:4: aliases are not allowed",
       "f.yaml:1:4: alias 'x' has no finished anchor"},
      {"&x a: 1", "f.yaml:1:1: anchors are not allowed", R"({"a":1})"},
      {"- &k a\n- {*k : 1}\n", "f.yaml:1:3: anchors are not allowed", R"(["a",{"a":1}])"},
      {"a: &x [*x]\n", "f.yaml:1:4: anchors are not allowed",
       "f.yaml:1:8: alias 'x' has no finished anchor"},
      {"a: !!str 1\n", "f.yaml:1:4: tags are not allowed", R"({"a":"1"})"},
      {"a: !!int \"7\"\n", "f.yaml:1:4: tags are not allowed", R"({"a":7})"},
      {"a: ! 7\n", "f.yaml:1:4: tags are not allowed", R"({"a":"7"})"},
      {"a: !!seq []\n", "f.yaml:1:4: tags are not allowed", R"({"a":[]})"},
      {"a: !!map {}\n", "f.yaml:1:4: tags are not allowed", R"({"a":{}})"},
      {"a: !!set {}\n", "f.yaml:1:4: tags are not allowed",
       "f.yaml:1:4: tag 'tag:yaml.org,2002:set' is not allowed here"},
      {"a: !!int x\n", "f.yaml:1:4: tags are not allowed",
       "f.yaml:1:4: tag 'tag:yaml.org,2002:int' is not allowed here"},
      {"a: !!python/object:os.system x\n", "f.yaml:1:4: tags are not allowed",
       "f.yaml:1:4: tag 'tag:yaml.org,2002:python/object:os.system' is not allowed here"},
      {"a: !mine x\n", "f.yaml:1:4: tags are not allowed",
       "f.yaml:1:4: tag '!mine' is not allowed here"},
      {"b: &b {x: 1, y: 2}\na:\n  <<: *b\n  x: 9\n", "f.yaml:1:4: anchors are not allowed",
       R"({"a":{"x":9,"y":2},"b":{"x":1,"y":2}})"},
      {"a:\n  <<: {x: 1}\n", "f.yaml:2:3: merge keys are not allowed", R"({"a":{"x":1}})"},
      {"a:\n  <<: [{x: 1}, {x: 2, y: 3}]\n", "f.yaml:2:3: merge keys are not allowed",
       R"({"a":{"x":1,"y":3}})"},
      {"a:\n  <<: 1\n", "f.yaml:2:3: merge keys are not allowed",
       "f.yaml:2:3: '<<' merges mappings only"},
      {"'<<': 1", R"({"<<":1})", R"({"<<":1})"},
      {"a: 1\n---\nb: 2\n", "f.yaml:2:1: a second document", "f.yaml:2:1: a second document"},
      {"%YAML 1.2\n---\na: 1\n", "f.yaml:1:1: directives are not allowed", R"({"a":1})"},
      {"[[1], {a: 2}]", R"([[1],{"a":2}])", R"([[1],{"a":2}])"},
      {"a: [[[1]]]", "f.yaml:1:6: flow style nested deeper than 2", R"({"a":[[[1]]]})"},
      {"[a: {b: [1]}]", "f.yaml:1:5: flow style nested deeper than 2", R"([{"a":{"b":[1]}}])"},
      {"? [a]\n: 1", "f.yaml:1:3: a key must be a plain word or string",
       "f.yaml:1:3: a key must be a plain word or string"},
      {"\xEF\xBB\xBF"
       "a: 1",
       "f.yaml:1:1: a byte order mark is not allowed", R"({"a":1})"},
      {"a: 1\nb: \xff\n", "f.yaml:2:4: not UTF-8", "f.yaml:2:4: not UTF-8"},
      {"a: \x01", "f.yaml:1:4: control characters are not allowed",
       "f.yaml:1:4: control characters are not allowed"},
      {"a: [1, 2\nb: 3\n", "f.yaml:2:2: did not find expected ',' or ']'",
       "f.yaml:2:2: did not find expected ',' or ']'"},
      {"a: b: c", "f.yaml:1:5: mapping values are not allowed in this context",
       "f.yaml:1:5: mapping values are not allowed in this context"},
      {"a:\n\t- 1", "f.yaml:2:1: found character that cannot start any token",
       "f.yaml:2:1: found character that cannot start any token"},
  };
  for (const ScalarCase& c : kCases) {
    EXPECT_EQ(strict(c.text), c.strict) << c.text;
    EXPECT_EQ(compatible(c.text), c.compatible) << c.text;
  }
}

TEST(Yaml, LimitsHoldAtTheirBound) {
  EXPECT_EQ(strict("[1]", {.max_bytes = 3}), "[1]");
  EXPECT_EQ(strict("[1]", {.max_bytes = 2}), "f.yaml:1:1: 3 bytes, at most 2");
  EXPECT_EQ(strict("a:\n b:\n  c: 1", {.max_depth = 3}), R"({"a":{"b":{"c":1}}})");
  EXPECT_EQ(strict("a:\n b:\n  c: 1", {.max_depth = 2}), "f.yaml:3:3: nested deeper than 2 levels");
  EXPECT_EQ(compatible("[a, b]", {.max_nodes = 3}), R"(["a","b"])");
  EXPECT_EQ(compatible("[a, b]", {.max_nodes = 2}), "f.yaml:1:5: more than 2 nodes");
  EXPECT_EQ(compatible(std::string(300, '[')), "f.yaml:1:201: nested deeper than 200 levels");
  EXPECT_EQ(read_yaml("[", "x", YamlDialect::strict).error().code, Code::yaml_invalid);
  EXPECT_EQ(read_yaml("ab", "x", YamlDialect::strict, {.max_bytes = 1}).error().code,
            Code::document_too_large);
}

TEST(Yaml, AliasesCountWhatTheyExpandTo) {
  const std::string two = "a: &a [x, y]\nb: [*a, *a]\n";  // keys count as nodes
  EXPECT_EQ(compatible(two, {.max_nodes = 13}), R"({"a":["x","y"],"b":[["x","y"],["x","y"]]})");
  EXPECT_EQ(compatible(two, {.max_nodes = 12}), "f.yaml:2:9: more than 12 nodes");
  EXPECT_EQ(compatible("a: &a [[1]]\nb: [*a]", {.max_depth = 3}),
            "f.yaml:2:5: nested deeper than 3 levels");

  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i)
    bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  EXPECT_EQ(compatible(bomb), "f.yaml:8:10: more than 1000000 nodes");

  std::string nested;
  for (int i = 0; i < 150; ++i)
    nested += fmt::format("&n{} [", i);
  for (int i = 0; i < 20'000; ++i)
    nested += "x,";
  nested.append(150, ']');
  EXPECT_EQ(compatible(nested), "f.yaml:1:591: more than 1000000 anchored nodes");
}

TEST(Yaml, EveryKeyAndItemHasItsPlace) {
  const auto document = read_yaml("# head\nfirst: 1\nlist:\n  - é: x\n    b/c: [p, q]\n  - z~: 2\n",
                                  "f", YamlDialect::strict);
  ASSERT_TRUE(document.has_value());
  struct Case {
    std::string_view pointer;
    std::int64_t line, column;
  };
  constexpr Case kCases[] = {{"", 2, 1},
                             {"/first", 2, 1},
                             {"/list", 3, 1},
                             {"/list/0", 4, 5},
                             {"/list/0/é", 4, 5},
                             {"/list/0/b~1c", 5, 5},
                             {"/list/0/b~1c/0", 5, 11},
                             {"/list/0/b~1c/1", 5, 14},
                             {"/list/1", 6, 5},
                             {"/list/1/z~0", 6, 5},
                             {"/list/1/none", 6, 5},
                             {"/list/7", 3, 1},
                             {"/list/x", 3, 1},
                             {"/none/deep", 2, 1},
                             {"/first/deeper", 2, 1}};
  for (const Case& c : kCases) {
    const Mark m = document->mark_of(c.pointer);
    EXPECT_EQ(fmt::format("{}:{}", m.line, m.column), fmt::format("{}:{}", c.line, c.column))
        << c.pointer;
  }
}

TEST(Yaml, WhatAnAliasBringsStandsWhereTheAliasStands) {
  const auto document =
      read_yaml("a: &x {k: 1}\nb:\n - *x\nb2: 1\nb2: 2\n", "f", YamlDialect::compatible);
  ASSERT_TRUE(document.has_value());
  const Mark inside = document->mark_of("/b/0/k"), last = document->mark_of("/b2");
  EXPECT_EQ(fmt::format("{}:{}", inside.line, inside.column), "3:4");
  EXPECT_EQ(fmt::format("{}:{}", last.line, last.column), "5:1");
}

// A large document is scanned by a thread of its own (wire/yaml_events.h).
TEST(Yaml, ALargeDocumentReadsLikeItsParts) {
  constexpr int kRows = 20'000;
  std::string text = "head: &a {x: 1}\nrows:\n";
  for (int i = 0; i < kRows; ++i)
    text += fmt::format("  - {{id: {}, more: *a, text: \"{}\"}}\n", i, std::string(i % 50, 'x'));
  text += "long: " + std::string(300'000, 'y') + "\nlast: yes\n";
  const YamlLimits limits{.max_bytes = 10u << 20};
  const auto read = read_yaml(text, "f.yaml", YamlDialect::compatible, limits);
  ASSERT_TRUE(read) << read.error().message;
  const Map& root = *read->root.as_map();
  const List& rows = *root.find("rows")->as_list();
  ASSERT_EQ(rows.size(), std::size_t{kRows});
  for (int i = 0; i < kRows; ++i)
    ASSERT_EQ(rows[static_cast<std::size_t>(i)],
              Value(Map{{"id", i}, {"more", Map{{"x", 1}}}, {"text", std::string(i % 50, 'x')}}));
  EXPECT_EQ(root.find("long")->as_string()->size(), 300'000u);
  EXPECT_EQ(*root.find("last"), Value(true));
  EXPECT_EQ(read->mark_of("/rows/19999").line, kRows + 2);
}

TEST(Yaml, ALargeDocumentIsRefusedWhereItIsWrong) {
  const YamlLimits limits{.max_bytes = 10u << 20};
  std::string text;
  for (int i = 0; i < 40'000; ++i)
    text += fmt::format("key{}: value\n", i);
  EXPECT_TRUE(compatible(text + "a: [\n", limits).starts_with("f.yaml:40002:1: "));
  EXPECT_TRUE(compatible("a: *b\n" + text, limits).starts_with("f.yaml:1:4: "));
  EXPECT_EQ(strict(text + "key7: again\n", limits), "f.yaml:40001:1: key 'key7' is already at 8:1");
  EXPECT_EQ(compatible(text + "---\nb: 1\n", limits), "f.yaml:40001:1: a second document");
}

}  // namespace
}  // namespace gh::wire
