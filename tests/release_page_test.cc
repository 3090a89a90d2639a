// docs/release-gate.md is what a new user pastes: every transcript of it comes out as printed.
#include "tests/release_kit.h"

namespace gh::testing {
namespace {

struct Transcript {
  std::string command, output;
};

/// Fenced blocks that begin with a prompt.
std::vector<Transcript> transcripts(const std::string& page) {
  std::vector<Transcript> out;
  bool is_inside = false;
  for (const std::string_view line : split(page, '\n')) {
    if (line.starts_with("```")) {
      is_inside = false;
    } else if (line.starts_with("$ ")) {
      is_inside = true;
      out.push_back({std::string(line.substr(2)), ""});
    } else if (is_inside) {
      out.back().output += std::string(line) + "\n";
    }
  }
  return out;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

class ReleasePage : public ::testing::Test, protected AgentFolder {
 protected:
  std::string shop() const { return (root() / "shop").string(); }
  Ran paste(const std::string& line) const {
    const std::string program = gatehouse_path();
    return run_program(
        {"/bin/bash", "-c", "PATH=" + program.substr(0, program.rfind('/')) + ":$PATH\n" + line},
        shop());
  }
};

TEST_F(ReleasePage, EveryTranscriptComesOutAsPrinted) {
  const Ran copied = release({"fixture", "copy", "refund-agent", "--to", shop()});
  ASSERT_EQ(copied.code, 0) << copied.err;
  std::filesystem::remove(root() / "shop/shipgate.yaml");
  const auto all = transcripts(bytes_of("docs/release-gate.md"));
  EXPECT_GE(all.size(), 6u);
  for (const Transcript& one : all) {
    const Ran ran = paste(one.command);
    std::string out = ran.out;
    replace_all(out, shop(), "/home/ada/shop");
    EXPECT_EQ(ran.code, 0) << one.command << ran.err;
    EXPECT_EQ(out, one.output) << one.command;
    if (one.command != "gatehouse release init") continue;
    // What the page says to do next.
    ASSERT_EQ(paste("gatehouse release init --write").code, 0);
    std::string manifest = read("shop/shipgate.yaml");
    replace_all(manifest, "CHANGE_ME: what this agent is for, in a few words", "help with orders");
    replace_all(manifest, "scopes: []  # what the agent may use, e.g. orders:read",
                "scopes: [orders:read]");
    EXPECT_FALSE(contains(manifest, "CHANGE_ME:"));
    write("shop/shipgate.yaml", manifest);
  }
}

}  // namespace
}  // namespace gh::testing
