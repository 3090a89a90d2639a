// `gatehouse release inventory` against servers that are started for real: our own, public ones
// from npm, and some that mean harm.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/text.h"
#include "model/peek.h"
#include "tests/gatehouse_binary.h"
#include "tests/serve_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPython = "/usr/bin/python3";

std::string here(const std::string& path) { return fs::absolute(path).string(); }

class InventoryLive : public ::testing::Test {
 protected:
  Ran inventory(std::vector<std::string> more, std::vector<std::string> environment = {}) {
    std::vector<std::string> argv{gatehouse_path(), "release", "inventory"};
    argv.insert(argv.end(), more.begin(), more.end());
    return run_program(argv, folder_.path(), {}, std::move(environment));
  }
  Ran strange(std::vector<std::string> words, std::vector<std::string> options = {}) {
    options.insert(options.end(),
                   {"--mcp-stdio", kPython, here("tests/data/strange_mcp_server.py")});
    options.insert(options.end(), words.begin(), words.end());
    return inventory(options);
  }
  static Value read(const std::string& json) {
    const auto value = wire::read_json(json, "export", {}, wire::DuplicateKeys::refuse);
    EXPECT_TRUE(value) << (value ? "" : value.error().message) << "\n" << json.substr(0, 400);
    return value ? *value : Value();
  }
  static std::set<std::string> names(const Value& document, std::string_view list = "tools") {
    std::set<std::string> out;
    for (const Value& item : Peek(document)[list].list())
      out.emplace(Peek(item)["name"].text());
    return out;
  }
  sys::TempDir folder_ = *sys::TempDir::create("/tmp", "gh-inventory-");
};

TEST_F(InventoryLive, OurOwnServerOverStandardInputInBothEras) {
  std::map<std::string, std::string> surface;
  for (const std::string era : {"legacy", "modern", "auto"}) {
    const Ran ran =
        inventory({"--era", era, "--mcp-stdio", gatehouse_path(), "mcp", "--", "--stdio"});
    ASSERT_EQ(ran.code, 0) << era << ran.err;
    const Value document = read(ran.out);
    EXPECT_EQ(Peek(document)["schema"].text(), "gatehouse.mcp_inventory/1");
    EXPECT_EQ(Peek(document)["protocol_version"].text(),
              era == "modern" ? "2026-07-28" : "2025-11-25");
    EXPECT_EQ(Peek(document)["server"]["name"].text(), "gatehouse");
    EXPECT_TRUE(names(document).contains("check_patch") || names(document).size() > 10)
        << ran.out.substr(0, 2000);
    EXPECT_FALSE(names(document, "prompts").empty());
    EXPECT_TRUE(Peek(document)["differs_by_client"].list().empty());
    surface[era] = Peek(document)["hashes"]["surface"].text();
  }
  EXPECT_EQ(surface["legacy"], surface["auto"]);
}

TEST_F(InventoryLive, OurOwnServerOverHttpSaysTheSame) {
  const Ran stdio = inventory({"--mcp-stdio", gatehouse_path(), "mcp", "--", "--stdio"});
  Served served({"--mcp-only"}, folder_.path());
  const std::string url = fmt::format("http://127.0.0.1:{}/mcp", served.port());
  for (const std::string era : {"legacy", "modern"}) {
    const Ran http = inventory({"--era", era, "--mcp-url", url});
    ASSERT_EQ(http.code, 0) << http.err;
    EXPECT_EQ(Peek(read(http.out))["transport"].text(), "http");
    EXPECT_EQ(names(read(http.out)), names(read(stdio.out)));
  }
  EXPECT_EQ(served.stop(), 0);
}

TEST_F(InventoryLive, AHeaderOpensAServerThatWantsATokenAndIsWrittenNowhere) {
  const std::string token = "gh8_abcdefgh_" + std::string(43, 'x');
  std::ofstream(folder_.path() + "/tokens") << token << " ada agent\n";
  fs::permissions(folder_.path() + "/tokens", fs::perms::owner_read | fs::perms::owner_write);
  Served served({"--mcp-only", "--token-file", folder_.path() + "/tokens"}, folder_.path());
  const std::string url = fmt::format("http://127.0.0.1:{}/mcp", served.port());
  const Ran refused = inventory({"--mcp-url", url});
  EXPECT_EQ(refused.code, 4);
  EXPECT_TRUE(contains(refused.err, "401")) << refused.err;
  const Ran ran = inventory({"--mcp-url", url, "--header", "Authorization: Bearer " + token});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_FALSE(contains(ran.out + ran.err, token));
}

/// A server that others wrote in Python, with or without TLS; gone with the test.
class Web {
 public:
  explicit Web(const std::string& mode, const std::string& certificate = "")
      : process_(*sys::Conversation::start(
            {.argv = certificate.empty()
                         ? std::vector<std::string>{kPython, here("tests/data/strange_mcp_http.py"),
                                                    mode}
                         : std::vector<std::string>{kPython, here("tests/data/strange_mcp_http.py"),
                                                    mode, certificate},
             .environment = plain_environment(),
             .cwd = "/"})),
        port_(*process_.read_line()) {}
  std::string url(std::string_view scheme = "http", std::string_view host = "127.0.0.1") const {
    return fmt::format("{}://{}:{}/mcp", scheme, host, port_);
  }

 private:
  sys::Conversation process_;
  std::string port_;
};

TEST_F(InventoryLive, ServersOverHttpThatMeanHarmEndInAClearError) {
  struct Hostile {
    std::string mode;
    int code;
    std::string says;
  };
  for (const Hostile& h :
       {Hostile{"silent", 4, "no answer in time"},
        Hostile{"redirect", 4, "give the address that it moved to"},
        Hostile{"garbage", 3, "does not answer with HTTP"},
        Hostile{"not_json", 3, "no message of MCP"}, Hostile{"huge", 3, "more than 10485760 bytes"},
        Hostile{"endless", 3, "more than 10485760 bytes"},
        Hostile{"cut", 3, "hung up before its answer was complete"},
        Hostile{"other_answers", 3, "no answer in it"}}) {
    const Web web(h.mode);
    const Ran ran =
        inventory({"--mcp-url", web.url(), "--timeout", h.mode == "silent" ? "1s" : "60s"});
    EXPECT_EQ(ran.code, h.code) << h.mode << ": " << ran.err;
    EXPECT_TRUE(contains(ran.err, h.says)) << h.mode << ": " << ran.err;
    EXPECT_EQ(ran.out, "") << h.mode;
  }
}

TEST_F(InventoryLive, AnAnswerAmongEventsIsFoundAndTheStreamLeft) {
  const Web web("events");
  const Ran ran = inventory({"--mcp-url", web.url()});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(names(read(ran.out)), std::set<std::string>{"a"});
}

TEST_F(InventoryLive, OverTlsTheServerIsWhomItsCertificateNames) {
  const std::string key = folder_.path() + "/key.pem", both = folder_.path() + "/both.pem";
  const Ran made = run_program({"/usr/bin/openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes",
                                "-keyout", key, "-out", folder_.path() + "/ca.pem", "-days", "2",
                                "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1"},
                               folder_.path());
  ASSERT_EQ(made.code, 0) << made.err;
  std::ofstream(both) << std::ifstream(key).rdbuf()
                      << std::ifstream(folder_.path() + "/ca.pem").rdbuf();
  const Web web("plain", both);
  EXPECT_EQ(inventory({"--mcp-url", web.url("https"), "--ca-file", "ca.pem"}).code, 0);
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"--mcp-url", web.url("https")},
           {"--mcp-url", web.url("https", "localhost"), "--ca-file", "ca.pem"},
           {"--mcp-url", Web("plain").url("https"), "--ca-file", "ca.pem"}}) {
    const Ran refused = inventory(words);
    EXPECT_EQ(refused.code, 4);
    EXPECT_TRUE(contains(refused.err, "cannot")) << refused.err;
  }
}

/// Public servers, as npm has them.
TEST_F(InventoryLive, PublicServersAreListedAndWrittenToAFile) {
  struct Public {
    std::string script, argument, server;
    std::vector<std::string> tools;
  };
  const std::string root = here(".cache/mcp-servers/node_modules/@modelcontextprotocol/");
  const std::string node = here(".cache/bin/node");
  for (const Public& p :
       {Public{"server-everything", "stdio", "", {"echo"}},
        Public{"server-filesystem",
               folder_.path(),
               "secure-filesystem-server",
               {"read_text_file", "write_file", "list_directory"}},
        Public{"server-memory", "", "memory-server", {"create_entities", "read_graph"}}}) {
    const std::string out = folder_.path() + "/" + p.script + ".json";
    std::vector<std::string> words{
        "--out", out, "--timeout", "60s", "--mcp-stdio", node, root + p.script + "/dist/index.js"};
    if (!p.argument.empty()) words.push_back(p.argument);
    const Ran ran = inventory(words);
    ASSERT_EQ(ran.code, 0) << p.script << ": " << ran.err;
    EXPECT_TRUE(contains(ran.out, "written to")) << ran.out;
    std::ifstream in(out, std::ios::binary);
    const Value document = read({std::istreambuf_iterator<char>(in), {}});
    for (const std::string& name : p.tools)
      EXPECT_TRUE(names(document).contains(name)) << p.script << " " << name;
    if (!p.server.empty()) EXPECT_EQ(Peek(document)["server"]["name"].text(), p.server);
    EXPECT_EQ(Peek(document)["hashes"]["tools"].map().size(), names(document).size());
    for (const Value& tool : Peek(document)["tools"].list())
      EXPECT_FALSE(Peek(tool)["inputSchema"].map().empty()) << p.script;
  }
}

TEST_F(InventoryLive, TheSameServerGivesTheSameBytes) {
  const Ran once = strange({"plain"}), again = strange({"plain"});
  EXPECT_EQ(once.code, 0) << once.err;
  EXPECT_EQ(once.out, again.out);
  EXPECT_EQ(names(read(once.out)), (std::set<std::string>{"a", "b"}));
  EXPECT_FALSE(contains(once.out, "starting up")) << "standard error is no part of the export";
}

TEST_F(InventoryLive, NumbersStayAsTheyWereWritten) {
  const Ran ran = strange({"numbers"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* number : {"1e-07", "1e+300", "0.1"})
    EXPECT_TRUE(contains(ran.out, number)) << ran.out;
}

TEST_F(InventoryLive, RequestsOfTheServerAreAnsweredAndHarmless) {
  EXPECT_EQ(strange({"asks"}).code, 0);
}

TEST_F(InventoryLive, ADescriptionThatDependsOnTheClientIsNamed) {
  const Ran ran = strange({"two_faced"}, {"--out", "x.json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(
      contains(ran.out, "WARNING: to a client of another name it describes other things: b"))
      << ran.out;
}

TEST_F(InventoryLive, HostileServersEndInAClearErrorAndNoFile) {
  struct Hostile {
    std::string mode;
    int code;
    std::string says;
  };
  for (const Hostile& h :
       {Hostile{"silent", 4, "does not answer in time"},
        Hostile{"exits", 4, "ended before it answered"}, Hostile{"garbage", 3, "no message of MCP"},
        Hostile{"deep", 3, "no message of MCP"}, Hostile{"not_utf8", 3, "no message of MCP"},
        Hostile{"flood", 3, "too long"}, Hostile{"long_line", 3, "too long"},
        Hostile{"chatter", 3, "other messages and no answer"},
        Hostile{"pages", 3, "more than 1000 pages"},
        Hostile{"same_page", 3, "same next page twice"},
        Hostile{"many", 3, "more than 10000 things"}}) {
    const Ran ran =
        strange({h.mode}, {"--out", "x.json", "--timeout", h.mode == "silent" ? "1s" : "60s"});
    EXPECT_EQ(ran.code, h.code) << h.mode << ": " << ran.err;
    EXPECT_TRUE(contains(ran.err, h.says)) << h.mode << ": " << ran.err;
    EXPECT_FALSE(fs::exists(folder_.path() + "/x.json")) << h.mode;
    EXPECT_FALSE(contains(ran.err, "abcdefghijklmnopqrstuvwxyz"))
        << "a secret of its standard error";
  }
}

TEST_F(InventoryLive, AFailureLeavesAnEarlierExportAsItWas) {
  std::ofstream(folder_.path() + "/x.json") << "earlier";
  EXPECT_EQ(strange({"garbage"}, {"--out", "x.json"}).code, 3);
  std::ifstream in(folder_.path() + "/x.json");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "earlier");
}

/// A process may end while its line is read.
bool somebody_sleeps(const std::string& seconds) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const auto line = sys::read_file(entry.path() / "cmdline", std::size_t{1} << 20);
    if (line && contains(*line, std::string("sleep\0", 6) + seconds)) return true;
  }
  return false;
}

TEST_F(InventoryLive, NoProcessOfTheServerOutlivesIt) {
  const std::string seconds = fmt::format("98{:06}", ::getpid());
  EXPECT_EQ(strange({"leaves_behind", seconds}).code, 0);
  bool sleeps = true;
  for (int i = 0; i < 500 && sleeps; ++i) {  // the kernel takes its time with a namespace
    sleeps = somebody_sleeps(seconds);
    if (sleeps) ::usleep(10'000);
  }
  EXPECT_FALSE(sleeps);
}

TEST_F(InventoryLive, AStartedServerHasNoNetworkNoFilesAndNoVariables) {
  Served listening({"--mcp-only"}, folder_.path());
  const std::string port = std::to_string(listening.port());
  const auto facts = [&](std::vector<std::string> options) {
    const Ran ran = strange({"confined", port, folder_.path() + "/escaped"}, std::move(options));
    EXPECT_EQ(ran.code, 0) << ran.err;
    const Value document = read(ran.out);
    const List& tools = Peek(document)["tools"].list();
    return tools.empty() ? Value() : read(std::string(Peek(tools[0])["description"].text()));
  };
  const Value closed = facts({});
  EXPECT_FALSE(Peek(closed)["network"].is_true());
  EXPECT_FALSE(Peek(closed)["writes"].is_true());
  EXPECT_TRUE(Peek(closed)["home"].is_true());
  EXPECT_EQ(wire::canonical_json(*closed.as_map()->find("names")),
            R"(["HOME","LC_ALL","PATH","TMPDIR"])");
  const Value open =
      facts({"--allow-network", "--env", "TZ", "--env", "A=1", "--writable", folder_.path()});
  EXPECT_TRUE(Peek(open)["network"].is_true());
  EXPECT_TRUE(Peek(open)["writes"].is_true());
  EXPECT_EQ(wire::canonical_json(*open.as_map()->find("names")),
            R"(["A","HOME","LC_ALL","PATH","TMPDIR","TZ"])");
}

TEST_F(InventoryLive, WhatCannotBeAskedIsSaid) {
  struct Wrong {
    std::vector<std::string> words;
    int code;
    std::string says;
  };
  for (const Wrong& w :
       {Wrong{{}, 2, "name one server"},
        Wrong{{"--mcp-url", "http://x/", "--mcp-stdio", "y"}, 2, "name one server"},
        Wrong{{"--mcp-url", "ftp://x/"}, 2, "neither with http://"},
        Wrong{{"--mcp-url", "https://u:p@x/"}, 2, "--header"},
        Wrong{{"--mcp-url", "http://x/", "--header", "nothing"}, 2, "NAME: VALUE"},
        Wrong{{"--mcp-stdio", "y", "--env", "NO_SUCH_VARIABLE"}, 2, "no such variable"},
        Wrong{{"--mcp-url", "http://127.0.0.1:1/mcp"}, 4, "cannot connect"},
        Wrong{{"--mcp-stdio", "/nonexistent/server"}, 4, "cannot be started"}}) {
    const Ran ran = inventory(w.words);
    EXPECT_EQ(ran.code, w.code) << w.says << ": " << ran.err;
    EXPECT_TRUE(contains(ran.err, w.says)) << w.says << ": " << ran.err;
  }
}

}  // namespace
}  // namespace gh::testing
