#pragma once
// A client for tests that sees every byte: plain sockets on loopback, and answers read as a client
// reads them. Waits end when what they wait for comes; a bound turns a hang into a failure.
#include <charconv>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/server.h"

namespace gh::http::test {

constexpr int kPatienceMs = 20'000;

struct Answer {
  int status = 0;  // 0: the connection ended before an answer was complete
  std::string head, body;
  std::string field(std::string_view name) const {
    const std::string wanted = "\r\n" + lower_case(name) + ": ";
    const std::string all = lower_case(head);
    const std::size_t at = all.find(wanted);
    if (at == std::string::npos) return {};
    const std::size_t from = at + wanted.size();
    return head.substr(from, head.find("\r\n", from) - from);
  }
};

class Client {
 public:
  explicit Client(std::uint16_t port, int receive_buffer = 0) {
    fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (receive_buffer > 0)
      ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_open_ = ::connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { hang_up(); }
  void hang_up() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  bool is_open() const { return is_open_; }

  Client& send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) break;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return *this;
  }

  /// Bytes up to and with `mark`; less when the connection ends before.
  std::string read_to(std::string_view mark) {
    while (true) {
      if (const std::size_t at = held_.find(mark); at != std::string::npos)
        return take(at + mark.size());
      if (!more()) return take(held_.size());
    }
  }
  std::string read_bytes(std::size_t count) {
    while (held_.size() < count && more()) {
    }
    return take(std::min(count, held_.size()));
  }
  std::string read_to_end() {
    while (more()) {
    }
    return take(held_.size());
  }
  /// True when the server closed; whatever it still sent is dropped.
  bool is_closed_by_server() {
    while (more()) {
    }
    return !timed_out_;
  }

  Answer head() {
    Answer out;
    out.head = read_to("\r\n\r\n");
    if (!out.head.ends_with("\r\n\r\n") || out.head.size() < 12) return out;
    std::from_chars(out.head.data() + 9, out.head.data() + 12, out.status);
    return out;
  }
  Answer answer() {
    Answer out = head();
    if (const std::string length = out.field("Content-Length"); !length.empty())
      out.body = read_bytes(std::stoul(length));
    else if (out.field("Transfer-Encoding") == "chunked")
      for (std::string piece = chunk(); !piece.empty(); piece = chunk()) {
        out.body += piece;
        if (std::chrono::steady_clock::now() > end_) return {};  // kept alive, and never ended
      }
    return out;
  }
  /// One chunk of a stream; empty at its end.
  std::string chunk() {
    const std::string size_line = read_to("\r\n");
    std::size_t size = 0;
    std::from_chars(size_line.data(), size_line.data() + size_line.size(), size, 16);
    std::string out = read_bytes(size);
    read_bytes(2);
    return out;
  }

 private:
  bool more() {
    pollfd waits{fd_, POLLIN, 0};
    if (::poll(&waits, 1, kPatienceMs) <= 0) {
      timed_out_ = true;
      return false;
    }
    char bytes[16'384];
    const ssize_t n = ::recv(fd_, bytes, sizeof bytes, 0);
    if (n <= 0) return false;
    held_.append(bytes, static_cast<std::size_t>(n));
    return true;
  }
  std::string take(std::size_t count) {
    std::string out = held_.substr(0, count);
    held_.erase(0, count);
    return out;
  }

  int fd_ = -1;
  bool is_open_ = false, timed_out_ = false;
  std::string held_;
  const std::chrono::steady_clock::time_point end_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(6 * kPatienceMs);
};

inline std::string get(std::string_view path, std::string_view more = "") {
  return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n{}\r\n", path, more);
}
inline std::string post(std::string_view path, std::string_view body, std::string_view more = "") {
  return fmt::format("POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n{}\r\n{}", path,
                     body.size(), more, body);
}

/// A server on a free port that runs beside the test and is stopped at its end.
class Running {
 public:
  explicit Running(Setup setup) {
    auto made = Server::listen(std::move(setup));
    if (!made) return;
    server_ = std::move(*made);
    thread_ = std::jthread([this] { server_->run(); });
  }
  ~Running() {
    if (server_) server_->stop();
  }
  std::uint16_t port() const { return server_ ? server_->port() : 0; }
  Server& server() { return *server_; }
  void wait_for_end() { thread_.join(); }

 private:
  std::unique_ptr<Server> server_;
  std::jthread thread_;
};

}  // namespace gh::http::test
