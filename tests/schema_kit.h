#pragma once
// Documents judged by their JSON Schemas with ajv, which is not ours.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/files.h"
#include "tests/gatehouse_binary.h"
#include "wire/json.h"

namespace gh::testing {

inline Ran node(std::vector<std::string> args, std::string_view input = {}) {
  args.insert(args.begin(), std::filesystem::absolute(".cache/bin/node").string());
  return run_program(std::move(args), std::filesystem::current_path().string(), input);
}

/// tools/validate-json.mjs, started once for all tests of this process: its start costs more than
/// all that it judges.
class Judge {
 public:
  Judge() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    socket_ = sys::Fd(ends[0]);
    const sys::Fd theirs(ends[1]);
    const timeval patience{.tv_sec = 120, .tv_usec = 0};
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    std::string words[] = {".cache/bin/node", "tools/validate-json.mjs", "--serve"};
    char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    posix_spawn(&pid_, argv[0], &actions, nullptr, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
  }
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;
  ~Judge() {
    socket_ = {};  // the end of its input
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
  }

  /// A JSON string; nothing if the judge gave up, whose reason is on standard error.
  std::string answer(const std::string& schema, const std::string& document) {
    const std::string request = "docs/schemas/" + schema + ".schema.json " +
                                std::to_string(document.size()) + '\n' + document;
    for (std::size_t sent = 0; sent < request.size();) {
      const ssize_t n =
          send(socket_.get(), request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return "";
      sent += static_cast<std::size_t>(n);
    }
    std::string out;
    char bytes[4096];
    while (!out.ends_with('\n')) {
      const ssize_t n = recv(socket_.get(), bytes, sizeof bytes, 0);
      if (n <= 0) return "";
      out.append(bytes, static_cast<std::size_t>(n));
    }
    return out;
  }

 private:
  sys::Fd socket_;
  pid_t pid_ = -1;
};

/// "" when `document` conforms to the schema, else what ajv says.
inline std::string judged(const std::string& schema, const std::string& document) {
  static std::optional<Judge> judge;
  if (!judge) judge.emplace();
  const auto answer = wire::read_json(judge->answer(schema, document), "answer of the judge");
  if (answer && answer->as_string() != nullptr) return *answer->as_string();
  judge.reset();
  ADD_FAILURE() << "the judge gave up at a document of " << schema << ": " << document;
  return "no judgement";
}

/// Numbers of a document that was read become decimals again, so that it can be written.
inline Value with_decimals(const Value& value) {
  if (const auto* number = std::get_if<Number>(&value.data()))
    return Decimal{static_cast<std::int64_t>(number->value * 10'000 + 0.5)};
  if (value.as_list() != nullptr) {
    List out;
    for (const Value& item : *value.as_list())
      out.push_back(with_decimals(item));
    return out;
  }
  if (value.as_map() == nullptr) return value;
  Map out;
  for (const auto& [key, member] : value.as_map()->entries())
    out.set(key, with_decimals(member));
  return out;
}

/// `document` with the member at `path` replaced; an absent value removes it.
inline std::string corrupted(const std::string& document, const std::vector<std::string_view>& path,
                             std::optional<Value> value) {
  Value root = *wire::read_json(document);
  Map* at = root.as_map();
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    at = at->find(path[i])->as_map();
  if (value)
    at->set(std::string(path.back()), *value);
  else
    EXPECT_TRUE(at->erase(path.back())) << path.back();
  return wire::canonical_json(with_decimals(root));
}

}  // namespace gh::testing
