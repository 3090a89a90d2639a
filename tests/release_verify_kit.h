#pragma once
// A repository with an agent's manifest and a change on a branch, verified by the program.
#include <string>
#include <vector>

#include "base/text.h"
#include "model/peek.h"
#include "tests/git_sandbox.h"
#include "tests/schema_kit.h"
#include "wire/json.h"

namespace gh::testing {

inline const std::string kOrderTool =
    R"({"name":"orders.get_order","description":"Look up one order by its identifier and return its status.","inputSchema":{"type":"object","properties":{"order_id":{"type":"string","maxLength":40}},"required":["order_id"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"status":{"type":"string"}}},"annotations":{"readOnlyHint":true},"auth":{"type":"oauth2","scopes":["orders:read"]},"owner":"payments-team"})";
inline const std::string kRefundTool =
    R"({"name":"payments.create_refund","description":"Issue a refund to the customer for a captured payment.","inputSchema":{"type":"object","properties":{"payment_id":{"type":"string","maxLength":40},"amount":{"type":"number"}},"required":["payment_id","amount"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"refund_id":{"type":"string"}}},"annotations":{"readOnlyHint":false,"destructiveHint":false},"auth":{"type":"oauth2","scopes":["payments:refund"]},"owner":"payments-team"})";
inline const std::string kTools = "tools/payments.mcp.json";

inline std::string agent_manifest(const std::string& scopes = "orders:read",
                                  const std::string& more = "") {
  return "version: \"0.1\"\nproject: {name: refund-demo}\nagent:\n  name: refund-agent\n"
         "  declared_purpose: [look up orders, issue refunds to customers]\n"
         "environment: {target: production_like}\ntool_sources:\n"
         "  - {id: payments_mcp, type: mcp, path: tools/payments.mcp.json}\n"
         "permissions:\n  scopes: [" +
         scopes + "]\n" + more;
}

class VerifiedRepository : public ::testing::Test {
 protected:
  explicit VerifiedRepository(const std::string& format = "sha1") : sandbox_(format) {
    sandbox_.write(".git/info/exclude", "agents-shipgate-reports/\n");
    sandbox_.write("shipgate.yaml", agent_manifest());
    sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "]}");
  }

  /// Commits what was written as the base, and goes on on a branch.
  void base() {
    sandbox_.commit("base");
    sandbox_.git({"checkout", "-q", "-b", "pr"});
  }
  void head() { sandbox_.commit("head"); }

  Ran run(std::vector<std::string> words, const std::string& cwd = "") const {
    words.insert(words.begin(), "release");
    return gatehouse(std::move(words), cwd.empty() ? sandbox_.root() : cwd, {}, environment_);
  }
  /// `release verify --base main --head HEAD`; keeps the document.
  Ran verify(std::vector<std::string> more = {"--base", "main", "--head", "HEAD"}) {
    more.insert(more.begin(), "verify");
    if (!profile_.empty()) more.insert(more.end(), {"--profile", profile_});
    more.emplace_back("--json");
    Ran ran = run(std::move(more));
    const auto read = wire::read_json(ran.out, "verifier");
    document_ = read ? *read : Value();
    EXPECT_TRUE(read) << ran.out << ran.err;
    return ran;
  }
  Peek verified() const { return Peek(document_); }
  std::string text(std::string_view key) const { return std::string(verified()[key].text()); }

  std::string file(const std::string& name,
                   const std::string& folder = "agents-shipgate-reports") const {
    return bytes_of(sandbox_.at(folder + "/" + name));
  }
  Value report(const std::string& folder = "agents-shipgate-reports") const {
    return *wire::read_json(file("report.json", folder), "report");
  }
  /// "ID kind" of the findings SHIP-VERIFY-ID, one a line; of TRUST-ROOT-TOUCHED the file. What a
  /// change does to the boundary of agents has tests of its own.
  std::string rules() const {
    std::string out;
    const Value document = report();
    for (const Value& f : Peek(document)["findings"].list()) {
      const std::string_view check = Peek(f)["check_id"].text(), of_verify = "SHIP-VERIFY-";
      if (!check.starts_with(of_verify)) continue;
      const std::string id(check.substr(of_verify.size()));
      const Peek evidence = Peek(f)["evidence"];
      out += id + " " +
             std::string(id == "TRUST-ROOT-TOUCHED" ? evidence["changed_file"].text()
                                                    : evidence["kind"].text());
      for (const Value& cause : evidence["causes"].list())
        out += " " + std::string(Peek(cause).text());
      out += "\n";
    }
    return out;
  }

  std::string profile_{};                   // empty: the usual one
  std::vector<std::string> environment_{};  // more variables
  GitSandbox sandbox_;
  Value document_{};
};

}  // namespace gh::testing
