#include "wire/xml.h"

#include <string>

#include <gtest/gtest.h>

namespace gh::wire {
namespace {

/// The document told again: <a x=1>text</a>, or why it was refused.
std::string told(std::string_view xml, XmlLimits limits = {}) {
  std::string out;
  const XmlEvents events{.start =
                             [&](std::string_view element, XmlAttributes attributes) {
                               out += "<" + std::string(element);
                               for (const XmlAttribute& a : attributes)
                                 out += " " + std::string(a.name) + "=" + std::string(a.value);
                               out += ">";
                             },
                         .end = [&](std::string_view e) { out += "</" + std::string(e) + ">"; },
                         .text = [&](std::string_view text) { out += text; }};
  const Status done = read_xml(xml, "f.xml", events, limits);
  return done ? out : done.error().message;
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += text;
  return out;
}

TEST(Xml, ElementsAttributesAndTextsComeInTheirOrder) {
  EXPECT_EQ(told(R"(<?xml version="1.0" ?><a x="1" y='2'>t<b/><c>u</c></a>)"),
            "<a x=1 y=2>t<b></b><c>u</c></a>");
  EXPECT_EQ(told("<a>\n</a>\n"), "<a>\n</a>");
}

TEST(Xml, EntitiesOfTheLanguageAreResolved) {
  EXPECT_EQ(told(R"(<a x="&lt;&gt;&amp;&quot;&apos;">&#65;&#x42;&#x20AC;</a>)"),
            "<a x=<>&\"'>AB\xE2\x82\xAC</a>");
}

TEST(Xml, ALiteralSectionIsTextAndCommentsAndInstructionsAreNothing) {
  EXPECT_EQ(told("<!-- x --><?p q?><a><![CDATA[<b>&amp;]]><!-- y --><?p q?></a>"),
            "<a><b>&amp;</a>");
}

TEST(Xml, TheEncodingIsUtf8) {
  EXPECT_EQ(told("\xEF\xBB\xBF<a>\xC3\xA4</a>"), "<a>\xC3\xA4</a>");
  EXPECT_EQ(told(R"(<?xml version="1.0" encoding="utf-8"?><a/>)"), "<a></a>");
  EXPECT_EQ(told(R"(<?xml version="1.0" encoding="UTF-8" standalone="yes"?><a/>)"), "<a></a>");
  EXPECT_EQ(told(R"(<?xml version="1.0" encoding="ISO-8859-1"?><a/>)"),
            "f.xml:1:1: the encoding is 'ISO-8859-1', not UTF-8");
  EXPECT_TRUE(told("<a>\xFF</a>").starts_with("f.xml:1:4: "));
  EXPECT_TRUE(told("<a>\xC0\x80</a>").starts_with("f.xml:1:4: ")) << "longer than needed";
  EXPECT_TRUE(told("<a>\xED\xA0\x80</a>").starts_with("f.xml:1:4: ")) << "half a pair";
  EXPECT_EQ(told(std::string_view("\xFE\xFF\0<\0a\0/\0>", 10)), "f.xml:1:3: a NUL byte");
  EXPECT_EQ(told(std::string_view("\0<\0a\0/\0>", 8)), "f.xml:1:1: a NUL byte");
  EXPECT_EQ(told(std::string_view("<a>\n \0</a>", 10)), "f.xml:2:2: a NUL byte");
}

TEST(Xml, ADocumentTypeIsRefusedBeforeItsEntitiesAreRead) {
  constexpr std::string_view kWhat = "a document type declaration (DOCTYPE) is not allowed";
  for (const std::string_view xml :
       {R"(<!DOCTYPE a><a/>)", R"(<!DOCTYPE a SYSTEM "http://host/a.dtd"><a/>)",
        R"(<!DOCTYPE a PUBLIC "-//x" "a.dtd"><a/>)",
        R"(<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>)",
        R"(<!DOCTYPE a [<!ENTITY x "yyyy"><!ENTITY z "&x;&x;&x;&x;">]><a>&z;</a>)",
        R"(<!DOCTYPE a [<!ENTITY % x SYSTEM "http://host/"> %x;]><a/>)"})
    EXPECT_TRUE(told(xml).ends_with(kWhat)) << xml << ": " << told(xml);
  EXPECT_EQ(told("<a>&x;</a>"), "f.xml:1:4: undefined entity");
}

TEST(Xml, AFaultIsToldWithItsPlace) {
  struct Case {
    std::string_view xml, message;
  };
  constexpr Case kCases[] = {
      {"", "f.xml:1:1: no element found"},
      {"x", "f.xml:1:1: syntax error"},
      {"<a>", "f.xml:1:4: no element found"},
      {"<a>\n  <b></a>", "f.xml:2:8: mismatched tag"},
      {"<a x='1' x='2'/>", "f.xml:1:10: duplicate attribute"},
      {"<a x=1/>", "f.xml:1:6: not well-formed (invalid token)"},
      {"<a/><b/>", "f.xml:1:5: junk after document element"},
      {"<a>&#0;</a>", "f.xml:1:4: reference to invalid character number"},
      {"<a><![CDATA[x</a>", "f.xml:1:18: unclosed CDATA section"},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(told(c.xml), c.message) << c.xml;
  EXPECT_EQ(read_xml("<a>", "f", {}).error().code, Code::xml_invalid);
}

TEST(Xml, NothingComesAfterARefusal) {
  std::string seen;
  const XmlEvents events{.start = [&](std::string_view element, XmlAttributes) { seen += element; },
                         .end = [&](std::string_view element) { seen += element; },
                         .text = [&](std::string_view text) { seen += text; }};
  EXPECT_FALSE(read_xml("<a><b><c/>x</b></a>", "f", events, {.max_depth = 2}));
  EXPECT_EQ(seen, "ab");
}

TEST(Xml, LimitsHoldAndTheLastAllowedPasses) {
  EXPECT_EQ(told("<a/>", {.max_bytes = 4}), "<a></a>");
  EXPECT_EQ(told("<a/>", {.max_bytes = 3}), "f.xml:1:1: 4 bytes, at most 3");
  EXPECT_EQ(read_xml("<a/>", "f", {}, {.max_bytes = 3}).error().code, Code::document_too_large);
  const XmlLimits defaults;
  EXPECT_EQ(defaults.max_bytes, 26'214'400u);
  EXPECT_TRUE(told(repeated("<a>", 64) + repeated("</a>", 64)).starts_with("<a>"));
  EXPECT_EQ(told(repeated("<a>", 65) + repeated("</a>", 65)),
            "f.xml:1:193: nested deeper than 64 levels");
  EXPECT_EQ(told(repeated("<a/>", 0) + "<r>" + repeated("<a/>", 100) + "</r>").size(), 707u)
      << "depth is not count";
  EXPECT_EQ(told("<a x='1' y='2'/>", {.max_attributes = 2}), "<a x=1 y=2></a>");
  EXPECT_EQ(told("<a x='1' y='2'/>", {.max_attributes = 1}), "f.xml:1:1: more than 1 attributes");
  EXPECT_EQ(told("<ab cd=''/>", {.max_name = 2}), "<ab cd=></ab>");
  EXPECT_EQ(told("<abc/>", {.max_name = 2}), "f.xml:1:1: a name of more than 2 bytes");
  EXPECT_EQ(told("<a abc=''/>", {.max_name = 2}), "f.xml:1:1: a name of more than 2 bytes");
}

}  // namespace
}  // namespace gh::wire
