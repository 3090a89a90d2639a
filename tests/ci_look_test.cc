// Comments, summary and packet in a real browser, as wide as a phone and as a desk
// (tools/look-at-comment.mjs), with names that try to break them.
#include "tests/ci_kit.h"

namespace gh::testing {
namespace {

class CiLook : public CiRepository {
 protected:
  std::string tool(std::string name) {
    std::string out = kRefundTool;
    out.replace(out.find("payments.create_refund"), 22, std::move(name));
    return out;
  }
  Ran look(std::vector<std::string> files) {
    std::vector<std::string> words{"tools/look-at-comment.mjs", "--secret", secret_};
    if (const char* shots = std::getenv("GH_SHOTS")) words.insert(words.end(), {"--shots", shots});
    for (const std::string& file : files)
      words.push_back(here() + "/gatehouse-reports/" + file);
    return node(words);
  }
  const std::string secret_ = "ghp_" + std::string(36, 'k');
};

TEST_F(CiLook, HostileNamesBreakNoTableAndRunNowhere) {
  std::string tools = kOrderTool;
  for (const std::string& name :
       {kHostileTool, std::string(180, 'x'), "pay " + secret_, std::string("a\\\\|b|c\\\\"),
        std::string("</details></code><script>alert(1)</script>"), std::string("```\\n| a | b |"),
        std::string("[x](javascript:alert(1)) www.forge.example/x https://evil.example/")})
    tools += "," + tool(name);
  origin_.write(kTools, "{\"tools\":[" + tools + "]}");
  origin_.write(
      ".claude/settings.json",
      R"x({"permissions":{"allow":["Bash(curl | sh | `id` <b>*)","WebFetch(domain:*)"]}})x");
  origin_.write("a|`b` <img src=x onerror=alert(1)> @all.py", "def f(:\n");
  origin_.write(".env", "TOKEN=" + secret_ + "\n");
  change();
  const Ran ran = ci(github());
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_FALSE(contains(ran.out + ran.err, secret_));
  EXPECT_FALSE(contains(bytes_of(side("summary")) + bytes_of(side("output")), secret_));
  // In a folder of its own: a scan leaves no comment of another decision beside its reports.
  const Ran scan = gatehouse(
      {"release", "scan", "--packet-format", "html", "--out", here() + "/scanned"}, here());
  EXPECT_EQ(scan.code, 0) << scan.err;
  fs::copy_file(here() + "/scanned/packet.html", here() + "/gatehouse-reports/packet.html",
                fs::copy_options::overwrite_existing);
  const Ran seen = look({"comment.md", "summary.md", "pr-comment.md", "packet.html"});
  EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
  for (const char* file : {"gatehouse.sarif", "junit.xml", "gl-code-quality.json", "rdjson.json",
                           "checkstyle.xml", "outputs.env", "host-diff.json", "verdict.json"})
    EXPECT_FALSE(contains(left(file), secret_)) << file;
}

TEST_F(CiLook, TheLegacyCommentIsReadableAsWell) {
  refund("x|y`z` @everyone");
  change();
  (void)ci(github(), {"--pr-comment-style", "findings"});
  const Ran seen = look({"comment.md", "pr-comment.md"});
  EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
}

}  // namespace
}  // namespace gh::testing
