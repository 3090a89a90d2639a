#include "http/fields.h"

#include <gtest/gtest.h>

namespace gh::http {
namespace {

TEST(Authority, IsANameOrAnAddressPerhapsWithAPort) {
  struct Case {
    std::string_view text, host;
    int port;  // 0: none
  };
  for (const Case& c : {Case{"localhost", "localhost", 0}, Case{"LOCALHOST:80", "localhost", 80},
                        Case{"127.0.0.1:8930", "127.0.0.1", 8930}, Case{"[::1]", "[::1]", 0},
                        Case{"[::1]:65535", "[::1]", 65535}, Case{"a-b_c.d:1", "a-b_c.d", 1}}) {
    const auto read = read_authority(c.text);
    ASSERT_TRUE(read) << c.text;
    EXPECT_EQ(read->host, c.host);
    EXPECT_EQ(read->port.value_or(0), c.port) << c.text;
  }
}

TEST(Authority, WithAnythingElseIsRefused) {
  for (const std::string_view text :
       {"", ":", ":80", "localhost:", "localhost:65536", "localhost:+1", "localhost:80:80", "a b",
        "user@localhost", "localhost/", "[::1", "::1", "[]", "[::1]x", "[::1]80",
        "localhost, evil.example.com", "localhost\t", "[fe80::1%eth0]", "локалхост"})
    EXPECT_FALSE(read_authority(text)) << text;
}

TEST(Hosts, OnlyTheAllowedNamesAreAnsweredOnAnyPort) {
  AllowedHosts hosts;
  ASSERT_TRUE(allow_public_url(hosts, "https://gate.example.org:8443/base"));
  for (const std::string_view text : {"localhost", "LocalHost:1", "127.0.0.1:9", "[::1]:5",
                                      "gate.example.org", "gate.example.org:8443"})
    EXPECT_TRUE(is_allowed_host(hosts, text)) << text;
  for (const std::string_view text : {"evil.example.com", "localhost.evil.com", "127.0.0.2", "",
                                      "localhost.", "127.0.0.1.evil.com", "0.0.0.0", "[::2]"})
    EXPECT_FALSE(is_allowed_host(hosts, text)) << text;
}

TEST(Hosts, AnOriginIsAnHttpSchemeWithAnAllowedHost) {
  AllowedHosts hosts;
  ASSERT_TRUE(allow_public_url(hosts, "https://gate.example.org:8443/base"));
  for (const std::string_view text :
       {"http://localhost", "https://127.0.0.1:3000", "HTTP://[::1]:1",
        "https://gate.example.org:8443", "http://gate.example.org"})
    EXPECT_TRUE(is_allowed_origin(hosts, text)) << text;
  for (const std::string_view text :
       {"null", "", "localhost", "file://", "file://localhost", "http://evil.example.com",
        "http://localhost/", "http://localhost@evil.com", "chrome-extension://localhost",
        "http://localhost http://localhost", "://localhost"})
    EXPECT_FALSE(is_allowed_origin(hosts, text)) << text;
}

TEST(Hosts, APublicAddressIsHttp) {
  AllowedHosts hosts;
  for (const std::string_view url :
       {"", "gate.example.org", "ftp://gate", "https://", "https://a b"})
    EXPECT_FALSE(allow_public_url(hosts, url)) << url;
  EXPECT_EQ(hosts.names.size(), 3u);
}

TEST(Accept, TakesTypesWildcardsAndWeights) {
  struct Case {
    std::string_view field, type;
    bool taken;
  };
  constexpr std::string_view kJson = "application/json", kEvents = "text/event-stream";
  for (const Case& c :
       {Case{"application/json, text/event-stream", kJson, true},
        Case{"application/json, text/event-stream", kEvents, true},
        Case{"Application/JSON;q=0.5", kJson, true}, Case{"application/json", kEvents, false},
        Case{"*/*", kEvents, true}, Case{"text/*", kEvents, true}, Case{"text/*", kJson, false},
        Case{"text/html, */*;q=0.8", kJson, true}, Case{"application/json;q=0", kJson, false},
        Case{"application/json; q=0.000, */*", kJson, false}, Case{"", kJson, false},
        Case{"application/jsonx", kJson, false}, Case{",,;,", kJson, false}})
    EXPECT_EQ(accepts(c.field, c.type), c.taken) << c.field << " for " << c.type;
}

TEST(Accept, IsNotReadWithoutEnd) {
  std::string many;
  for (int i = 0; i < 100; ++i)
    many += "a/b, ";
  EXPECT_FALSE(accepts(many + "application/json", "application/json"));
}

TEST(MediaType, IsTheTypeWithoutParameters) {
  EXPECT_EQ(media_type("application/json"), "application/json");
  EXPECT_EQ(media_type("Application/JSON ; charset=utf-8"), "application/json");
  for (const std::string_view text : {"", "json", "/", "a/", "/b", "a/b c", "a/b, c/d"})
    EXPECT_EQ(media_type(text), "") << text;
}

TEST(BearerToken, IsWhatFollowsTheScheme) {
  EXPECT_EQ(bearer_token("Bearer abc"), "abc");
  EXPECT_EQ(bearer_token("bEARER   abc "), "abc");
  for (const std::string_view text : {"", "Bearer", "Bearer ", "Basic abc", "abc", "Bearer a b"})
    EXPECT_EQ(bearer_token(text), "") << text;
  EXPECT_EQ(bearer_token("Bearer " + std::string(600, 'x')), "");
}

TEST(Base64, IsStrict) {
  EXPECT_EQ(read_base64("aGVsbG8="), "hello");
  EXPECT_EQ(read_base64("aGVsbG8gMQ=="), "hello 1");
  EXPECT_EQ(read_base64("/+8="), "\xff\xef");
  EXPECT_EQ(read_base64(""), "");
  for (const std::string_view text :
       {"aGVsbG8", "aGVsbG8==", "aGVsb-8=", "aGVs bG8=", "aGVsbG9=", "====", "a===", "=aGV"})
    EXPECT_FALSE(read_base64(text)) << text;
}

}  // namespace
}  // namespace gh::http
