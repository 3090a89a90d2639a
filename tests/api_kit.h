#pragma once
// The HTTP interface of a served repository, asked as four people with a token each, and as a
// browser.
#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "tests/proposal_kit.h"
#include "tests/serve_kit.h"

namespace gh::kit {

inline constexpr std::string_view kFastServer =
    "server:\n  read_rps: 100000\n  read_burst: 100000\n  write_rps: 100000\n";

inline std::string server_token(char letter) {
  return fmt::format("gh8_{}_{}", std::string(8, letter), std::string(43, letter));
}

struct Told {
  int status = 0;
  Value document;
  std::string head, body;
  std::string field(std::string_view name) const {
    return http::test::Answer{.status = status, .head = head, .body = body}.field(name);
  }
  std::string code() const { return std::string(Peek(document)["code"].text()); }
};

/// a: agent, g and c: reviewers, p: promoter, m: admin.
class ServedApi {
 public:
  explicit ServedApi(const ProposalWorld& world, Words more = {})
      : served_(with_tokens(world, std::move(more)), world.repo.string()) {}

  std::uint16_t port() const { return served_.port(); }
  const std::string& said() const { return served_.said(); }

  Told send(std::string_view method, std::string_view path, std::string_view fields,
            std::string_view body = {}) const {
    http::test::Client client(port());
    client.send(fmt::format(
        "{} /api/v1{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}{}\r\n{}", method, path, port(), fields,
        method == "POST" ? fmt::format("Content-Length: {}\r\n", body.size()) : "", body));
    const http::test::Answer answer = client.answer();
    Told out{answer.status, Value(), answer.head, answer.body};
    if (auto document = wire::read_json(answer.body, "answer")) out.document = std::move(*document);
    return out;
  }
  static std::string bearer(char who) {
    return who == 0 ? "" : fmt::format("Authorization: Bearer {}\r\n", server_token(who));
  }
  Told get(char who, std::string_view path, std::string_view more = {}) const {
    return send("GET", path, bearer(who) + std::string(more));
  }
  Told post(char who, std::string_view path, const Map& body, std::string_view more = {}) const {
    return send("POST", path,
                bearer(who) + "Content-Type: application/json\r\n" + std::string(more),
                wire::canonical_json(body));
  }
  /// A change of an object that was looked at just before.
  Told decide(char who, const std::string& object, std::string_view verb, const Map& body) const {
    const std::string etag = get(who, object).field("ETag");
    return post(who, object + "/" + std::string(verb), body, "If-Match: " + etag + "\r\n");
  }

 private:
  static Words with_tokens(const ProposalWorld& world, Words more) {
    const std::string path = (world.scratch.path() / "tokens").string();
    std::string lines;
    for (const auto& [letter, rest] :
         {std::pair{'a', "bot agent"}, std::pair{'g', "gemini reviewer"},
          std::pair{'c', "codex reviewer"}, std::pair{'p', "boss promoter"},
          std::pair{'m', "root admin"}})
      lines += server_token(letter) + " " + rest + "\n";
    EXPECT_TRUE(sys::write_file_atomic(path, lines, 0600));
    more.insert(more.end(), {"--token-file", path});
    return more;
  }
  testing::Served served_;
};

inline std::string fast_policy(std::string_view requires_whom = "gate") {
  return fmt::format("proposals:\n  promotion:\n    requires: {}\n{}", requires_whom, kFastServer);
}

}  // namespace gh::kit
