// The evidence packet as a reviewer gets it: four forms, judged by programs of others.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "tests/release_kit.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

class ReleasePacket : public ::testing::Test, protected AgentFolder {
 protected:
  void SetUp() override { copy_fixture("refund-agent"); }
  std::string pdf_text(const std::string& path) const {
    const Ran ran = run_program({"/usr/bin/pdftotext", "-layout", path, "-"}, root().string());
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
  }
};

TEST_F(ReleasePacket, AScanWritesThreeFormsAndThePdfWhenAsked) {
  EXPECT_EQ(release({"scan"}).code, 0);
  const std::string folder = "agents-shipgate-reports/";
  for (const char* name : {"packet.md", "packet.json", "packet.html"})
    EXPECT_TRUE(has(folder + name)) << name;
  EXPECT_FALSE(has(folder + "packet.pdf"));
  const std::string packet = read(folder + "packet.json");
  EXPECT_EQ(judged("release_packet", packet), "");
  EXPECT_TRUE(packet.ends_with("}\n"));
  EXPECT_EQ(member_text(packet, "release_decision.verdict"), "BLOCKED");
  EXPECT_EQ(member_text(packet, "generated_at"), "null");
  EXPECT_EQ(member_text(packet, "human_in_the_loop.provenance_mode"), "fresh_scan");
  EXPECT_EQ(member_text(read(folder + "report.json"), "generated_reports.packet_html"),
            "agents-shipgate-reports/packet.html");
  EXPECT_TRUE(contains(read(folder + "packet.md"), "**BLOCKED** 1 active finding blocks release"));

  const Ran pdf = release({"scan", "--packet-format", "pdf", "--out", "out"});
  EXPECT_EQ(pdf.code, 0) << pdf.err;
  EXPECT_FALSE(has("out/packet.md"));
  const std::string text = pdf_text("out/packet.pdf");
  for (const char* words :
       {"BLOCKED", "SHIP-POLICY-APPROVAL-MISSING", "payments.create_refund", "Evidence matrix",
        "Human-in-the-loop", "10. Not proven", "Page 1 of", "fp_66b1208b9f2e40ab"})
    EXPECT_TRUE(contains(text, words)) << words << "\n" << text;
}

TEST_F(ReleasePacket, TheManifestAndTheOptionsSayWhichFormsThereAre) {
  EXPECT_EQ(release({"scan", "--no-packet", "--out", "a"}).code, 0);
  EXPECT_FALSE(has("a/packet.md"));
  EXPECT_TRUE(has("a/report.json"));
  EXPECT_EQ(release({"scan", "--format", "none", "--out", "b"}).code, 0);
  EXPECT_FALSE(has("b"));
  const Ran wrong = release({"scan", "--packet-format", "md,docx"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "'docx' is no form of packet")) << wrong.err;
  write("shipgate.yaml", read("shipgate.yaml") + "output: {packet: {enabled: false}}\n");
  EXPECT_EQ(release({"scan", "--out", "c"}).code, 0);
  EXPECT_FALSE(has("c/packet.md"));
  EXPECT_EQ(release({"scan", "--packet", "--out", "d"}).code, 0);
  EXPECT_TRUE(has("d/packet.md"));
}

TEST_F(ReleasePacket, WithoutThePrintingProgramItsLackIsSaidAndNothingFails) {
  const std::string alone = root().string() + "/alone";
  fs::create_directories(alone);
  fs::copy_file(gatehouse_path(), alone + "/gatehouse");
  if (fs::exists(gatehouse_path() + "-main"))
    fs::copy_file(gatehouse_path() + "-main", alone + "/gatehouse-main");
  const Ran ran = run_program(
      {alone + "/gatehouse", "release", "scan", "--packet-format", "md,pdf"}, root().string());
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "gatehouse-pdf is not installed")) << ran.err;
  EXPECT_TRUE(has("agents-shipgate-reports/packet.md"));
  EXPECT_EQ(
      member_text(read("agents-shipgate-reports/report.json"), "generated_reports.packet_pdf"),
      "absent");
  const Ran only =
      run_program({alone + "/gatehouse", "release", "packet", "--format", "pdf"}, root().string());
  EXPECT_EQ(only.code, 0) << only.err;
}

TEST_F(ReleasePacket, ItIsMadeAgainFromAReportOrAPacket) {
  ASSERT_EQ(release({"scan"}).code, 0);
  const std::string first = read("agents-shipgate-reports/packet.json");
  const Ran again = release({"packet", "--from", "agents-shipgate-reports/packet.json", "--out",
                             "again", "--format", "json,html"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(read("again/packet.json"), first);
  EXPECT_EQ(read("again/packet.html"), read("agents-shipgate-reports/packet.html"));

  const Ran rebuilt = release({"packet", "--json"});  // from the report that the scan wrote
  EXPECT_EQ(rebuilt.code, 0) << rebuilt.err;
  EXPECT_EQ(judged("release_packet", rebuilt.out), "");
  EXPECT_EQ(member_text(rebuilt.out, "human_in_the_loop.provenance_mode"), "rebuilt_from_findings");
  EXPECT_TRUE(contains(member_text(rebuilt.out, "not_proven.additional_residuals.0"), "Rebuilt"));

  write(
      "old.json",
      R"({"packet_schema_version":"0.5","run_id":"r","release_decision":{"decision":"passed","verdict":"PASSED","reason":"x","blockers":[],"review_items":[],"evidence_coverage":{"level":"static","human_review_recommended":false,"source_warning_count":0,"low_confidence_tool_count":0},"baseline_delta":{"enabled":false,"path":null,"matched_count":0,"new_count":0,"resolved_count":0},"fail_policy":{"ci_mode":"advisory","fail_on":[],"new_findings_only":false,"would_fail_ci":false,"exit_code":0}}})");
  const Ran old = release({"packet", "--from", "old.json", "--json"});
  EXPECT_EQ(old.code, 0) << old.err;
  EXPECT_EQ(judged("release_packet", old.out), "");
  EXPECT_EQ(member_text(old.out, "evidence_matrix.rows.0.evidence_present"), "informational");
  EXPECT_EQ(member_text(old.out, "evidence_matrix.rows.7.evidence_present"), "not_declared");
}

TEST_F(ReleasePacket, WhatIsNoPacketEndsWithTwo) {
  write("a.json", "{");
  write("b.json", R"({"packet_schema_version":"0.7"})");
  write("c.json", R"({"report_schema_version":"0.7","findings":[]})");
  write("d.json", "[]");
  for (const char* file : {"a.json", "b.json", "c.json", "d.json", "gone.json"})
    EXPECT_EQ(release({"packet", "--from", file}).code, 2) << file;
  ASSERT_EQ(release({"scan"}).code, 0);
  EXPECT_EQ(release({"packet", "--format", ","}).code, 2);
  EXPECT_EQ(release({"packet", "--format", "docx"}).code, 2);
}

constexpr const char* kHostile = R"json({"tools": [
  {"name": "<script>alert(1)</script>", "description": "Deletes | all <b>records</b> [x](javascript:1) of the customer.",
   "inputSchema": {"type": "object", "properties": {"a|b": {"type": "string"}}}},
  {"name": "refund\u202epayment", "description": "Issue a refund, key sk-ABCDEFGHIJKLMNOPQRSTUV123456",
   "inputSchema": {"type": "object", "properties": {"amount": {"type": "number"}}}}]})json";

TEST_F(ReleasePacket, APageShowsHostileNamesAsTextAndNoSecret) {
  write("tools/payments.mcp.json", kHostile);
  ASSERT_EQ(release({"scan", "--packet-format", "md,json,html,pdf"}).code, 0);
  const std::string folder = (root() / "agents-shipgate-reports").string();
  for (const char* name : {"packet.md", "packet.json", "packet.html", "report.md", "report.json"})
    EXPECT_FALSE(contains(bytes_of(folder + "/" + name), "sk-ABCDEFG")) << name;
  EXPECT_FALSE(contains(pdf_text(folder + "/packet.pdf"), "sk-ABCDEFG"));
  EXPECT_FALSE(contains(bytes_of(folder + "/packet.html"), "<script>"));
  EXPECT_FALSE(contains(bytes_of(folder + "/packet.html"), "\u202e"));
  std::vector<std::string> words{"tools/look-at-packet.mjs", folder + "/packet.html",
                                 folder + "/packet.json"};
  if (const char* shots = std::getenv("GH_SCREENSHOTS")) words.emplace_back(shots);
  const Ran looked = node(words);
  EXPECT_EQ(looked.code, 0) << looked.out << looked.err;
}

/// One page as another program paints it: gray, from the top left.
struct Page {
  std::size_t width = 0, height = 0;
  std::string pixels{};
  bool has_ink(std::size_t x, std::size_t y) const {
    return static_cast<unsigned char>(pixels[y * width + x]) < 200;
  }
};

std::vector<Page> painted(const std::string& pdf, const std::string& folder) {
  const Ran ran =
      run_program({"/usr/bin/pdftoppm", "-r", "50", "-gray", pdf, folder + "/page"}, folder);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".pgm") files.push_back(entry.path().string());
  std::ranges::sort(files);
  std::vector<Page> out;
  for (const std::string& file : files) {
    std::istringstream in(bytes_of(file));
    std::string kind;
    Page page;
    int most = 0;
    in >> kind >> page.width >> page.height >> most;
    in.get();
    page.pixels.assign(std::istreambuf_iterator<char>(in), {});
    EXPECT_EQ(kind, "P5");
    EXPECT_EQ(page.pixels.size(), page.width * page.height) << file;
    out.push_back(std::move(page));
  }
  return out;
}

TEST_F(ReleasePacket, OnPaperHostileNamesStayOnThePageAndInTheirCells) {
  const char* names[] = {R"(payments.create_refund)",
                         R"(</details></code><script>alert(1)</script>)",
                         R"(```\n| a | b |\n# A heading\nSHIP-FAKE passed)",
                         R"(a\\\\|b|c\\\\)",
                         R"([x](javascript:alert(1)) https://evil.example/)",
                         R"(\u202egnp.exe)",
                         R"(tab\there)",
                         R"(日本語のツール مرحبا)"};
  std::string tools;
  for (const std::string& name :
       {std::string(180, 'x'), std::string(60, 'a') + " " + std::string(70, 'b')})
    tools += R"({"name":")" + name + R"(","description":"Issue a refund."},)";
  for (const char* name : names)
    tools +=
        std::string(R"({"name":")") + name +
        R"(","description":"Issue a refund to the customer.","inputSchema":{"type":"object"}},)";
  tools.pop_back();
  write("tools/payments.mcp.json", R"({"tools":[)" + tools + "]}");
  ASSERT_EQ(release({"scan", "--packet-format", "pdf", "--out", "out"}).code, 0);
  const std::string pdf = (root() / "out/packet.pdf").string();
  const auto pages = painted(pdf, (root() / "out").string());
  ASSERT_GT(pages.size(), 2u);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const Page& page = pages[i];
    std::size_t inside = 0, outside = 0;
    // Margins are 56 of 595 points; a little less is asked for, so that no edge counts.
    const std::size_t left = page.width * 50 / 595, right = page.width * 545 / 595;
    for (std::size_t y = 0; y < page.height; ++y)
      for (std::size_t x = 0; x < page.width; ++x)
        if (page.has_ink(x, y)) ++(x < left || x > right ? outside : inside);
    EXPECT_EQ(outside, 0u) << "page " << i + 1 << " runs over its margin";
    EXPECT_GT(inside, 100u) << "page " << i + 1 << " is empty";
  }
  const std::string text = pdf_text("out/packet.pdf");
  EXPECT_FALSE(contains(text, "\n# A heading")) << "a name has no lines";
  EXPECT_FALSE(contains(text, "\u202e"));
  EXPECT_TRUE(contains(text, "\\u{202e}gnp.exe"));
}

/// docs/report-sensitive-fields.json says of every key what kind of text may stand below it.
TEST_F(ReleasePacket, EveryKeyOfReportAndPacketIsInTheInventory) {
  ASSERT_EQ(release({"scan"}).code, 0);
  const auto inventory =
      wire::read_json(bytes_of("docs/report-sensitive-fields.json"), "inventory");
  ASSERT_TRUE(inventory);
  EXPECT_EQ(member_text(bytes_of("docs/report-sensitive-fields.json"), "inventory_version"),
            member_text(read("agents-shipgate-reports/report.json"),
                        "privacy_audit.sensitive_field_inventory_version"));
  for (const auto& [kind, file] :
       {std::pair{"report", "report.json"}, std::pair{"packet", "packet.json"}}) {
    std::set<std::string> listed, emitted;
    for (const Value& row : *inventory->as_map()->find(kind)->as_list()) {
      const std::string& path = *row.as_map()->find("path")->as_string();
      if (path.find("[]") == std::string::npos) EXPECT_TRUE(listed.insert(path).second) << path;
    }
    const auto document =
        wire::read_json(read(std::string("agents-shipgate-reports/") + file), file);
    for (const auto& entry : document->as_map()->entries())
      emitted.insert(entry.first);
    EXPECT_EQ(listed, emitted) << kind;
  }
}

TEST_F(ReleasePacket, TwoScansGiveTheSameBytesInEveryForm) {
  const std::vector<std::string> words{"scan", "--packet-format", "md,json,html,pdf", "--out", "x"};
  ASSERT_EQ(release(words).code, 0);
  std::map<std::string, std::string> first;
  for (const auto& entry : fs::directory_iterator(root() / "x"))
    first[entry.path().filename().string()] = bytes_of(entry.path());
  EXPECT_EQ(first.size(), 6u);
  ASSERT_EQ(release(words).code, 0);
  for (const auto& [name, bytes] : first)
    EXPECT_EQ(bytes_of(root() / "x" / name), bytes) << name;
}

}  // namespace
}  // namespace gh::testing
