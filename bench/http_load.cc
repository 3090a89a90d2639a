// Load for `gatehouse serve`: many sessions at once, of which some call a tool again and again and
// the others hold a stream open. One thread, epoll, loopback only. Prints one line of JSON.
//
//   bench_http_load PORT SESSIONS CALLERS SECONDS TOOL SERVER-PID
//
// Exits 1 when anything but 200 was answered, unless EXPECT_LIMITS is set in the environment.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kMaxTries = 60;

constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
    R"("capabilities":{},"clientInfo":{"name":"load","version":"1"}}})";

std::string post(std::string_view body, std::string_view session) {
  return fmt::format(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n"
      "Content-Type: application/json\r\nContent-Length: {}\r\n{}\r\n{}",
      body.size(), session.empty() ? "" : fmt::format("Mcp-Session-Id: {}\r\n", session), body);
}

long resident_kb(const std::string& pid) {
  std::ifstream in("/proc/" + pid + "/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("VmRSS:")) return std::strtol(line.c_str() + 6, nullptr, 10);
  return 0;
}

struct Answer {
  int status = 0;
  std::size_t size = 0;  // in the buffer; 0: not complete yet
  std::string session;
};

std::string field(std::string_view head, std::string_view name) {
  const std::size_t at = head.find(name);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + name.size();
  return std::string(head.substr(from, head.find("\r\n", from) - from));
}

Answer read_answer(std::string_view bytes) {
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return {};
  Answer out;
  const std::string_view head = bytes.substr(0, end + 2);
  std::from_chars(head.data() + 9, head.data() + 12, out.status);
  const std::string length = field(head, "Content-Length: ");
  std::size_t size = end + 4;
  if (!length.empty())
    size += std::strtoul(length.c_str(), nullptr, 10);
  else if (out.status == 200) {  // a stream: its end
    const std::size_t last = bytes.find("\r\n0\r\n\r\n", end);
    if (last == std::string_view::npos) return {};
    size = last + 7;
  }
  if (bytes.size() < size) return {};
  out.size = size;
  out.session = field(head, "Mcp-Session-Id: ");
  return out;
}

enum class Step { initialize, initialized, calling, listening, done };

struct Agent {
  int fd = -1;
  Step step = Step::initialize;
  bool calls = false;
  std::string session, in;
  Clock::time_point sent;
  std::optional<Clock::time_point> again;  // an open that was refused for now
  int tries = 0;
};

class Load {
 public:
  Load(std::uint16_t port, std::string tool) : port_(port), tool_(std::move(tool)) {
    epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  }

  bool open(std::size_t sessions, std::size_t callers) {
    agents_.resize(sessions);
    for (std::size_t i = 0; i < sessions; ++i) {
      agents_[i].calls = i + callers >= sessions;  // the last: they are not evicted
      if (!connect(agents_[i], i)) return false;
      if (i % 50 == 49)
        run_until([&] { return opened_ + refused_ > i; }, Clock::now() + std::chrono::seconds(5));
    }
    return run_until([&] { return opened_ + refused_ == sessions; },
                     Clock::now() + std::chrono::seconds(60));
  }
  void call_for(std::chrono::seconds time, const std::string& pid) {
    const auto end = Clock::now() + time, warm = Clock::now() + time / 4;
    is_calling_ = true;
    for (Agent& agent : agents_)
      if (agent.calls && agent.step == Step::calling) call(agent);
    run_until([&] { return false; }, warm);
    warm_kb_ = resident_kb(pid);
    warm_calls_ = times_us_.size();
    run_until([&] { return false; }, end);
    is_calling_ = false;
    run_until([&] { return in_flight_ == 0; }, Clock::now() + std::chrono::seconds(60));
    end_kb_ = resident_kb(pid);
  }
  bool print() {
    std::ranges::sort(times_us_);
    const auto at = [&](double part) {
      return times_us_.empty() ? 0
                               : times_us_[static_cast<std::size_t>(
                                     part * static_cast<double>(times_us_.size() - 1))];
    };
    std::string statuses;
    bool is_clean = true;
    for (const auto& [status, count] : statuses_) {
      statuses += fmt::format("{}\"{}\":{}", statuses.empty() ? "" : ",", status, count);
      is_clean &= status == 200 || status == 202;
    }
    fmt::print(
        "{{\"sessions\":{},\"calls\":{},\"p50_us\":{},\"p99_us\":{},\"max_us\":{},\"warm_rss_kb\":{"
        "},"
        "\"end_rss_kb\":{},\"calls_after_warm\":{},\"lost\":{},\"status\":{{{}}}}}\n",
        opened_, times_us_.size(), at(0.5), at(0.99), at(1.0), warm_kb_, end_kb_,
        times_us_.size() - warm_calls_, lost_, statuses);
    return is_clean && lost_ == 0 && !times_us_.empty();
  }

 private:
  bool connect(Agent& agent, std::size_t index) {
    agent.fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port_);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (agent.fd < 0 || ::connect(agent.fd, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) {
      std::perror("connect");
      return false;
    }
    const int on = 1;
    ::setsockopt(agent.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, agent.fd, &event);
    send(agent, post(kInitialize, ""));
    return true;
  }
  void send(Agent& agent, const std::string& bytes) {
    agent.sent = Clock::now();
    if (::send(agent.fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(bytes.size()))
      lose(agent);
  }
  void call(Agent& agent) {
    ++in_flight_;
    send(
        agent,
        post(
            fmt::format(
                R"({{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"{}","arguments":{{}}}}}})",
                tool_),
            agent.session));
  }
  void lose(Agent& agent) {
    if (agent.step == Step::done) return;
    if (agent.step == Step::calling && is_calling_) --in_flight_;
    if (agent.step == Step::initialize || agent.step == Step::initialized) ++refused_;
    ++lost_;
    agent.step = Step::done;
    ::close(agent.fd);
  }

  template <class Done>
  bool run_until(Done done, Clock::time_point end) {
    epoll_event events[256];
    while (!done() && Clock::now() < end) {
      const int count = ::epoll_wait(epoll_, events, 256, 50);
      for (int i = 0; i < count; ++i)
        readable(agents_[events[i].data.u64]);
      for (Agent& agent : agents_)
        if (agent.step == Step::initialize && agent.again && *agent.again < Clock::now()) {
          agent.again.reset();
          send(agent, post(kInitialize, ""));
        }
    }
    return done();
  }
  void readable(Agent& agent) {
    char bytes[65'536];
    const ssize_t n = ::recv(agent.fd, bytes, sizeof bytes, 0);
    if (n <= 0) return lose(agent);
    agent.in.append(bytes, static_cast<std::size_t>(n));
    if (agent.step == Step::listening) return agent.in.clear();
    const Answer answer = read_answer(agent.in);
    if (answer.size == 0) return;
    agent.in.erase(0, answer.size);
    ++statuses_[answer.status];
    answered(agent, answer);
  }
  void answered(Agent& agent, const Answer& answer) {
    switch (agent.step) {
      case Step::initialize:
        if (answer.status != 200) {
          if (answer.status == 429 && agent.tries++ < kMaxTries) {
            agent.again = Clock::now() + std::chrono::seconds(1);  // what Retry-After says
            return;
          }
          ++refused_;
          agent.step = Step::done;
          return;
        }
        agent.session = answer.session;
        agent.step = Step::initialized;
        return send(agent, post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
                                agent.session));
      case Step::initialized:
        ++opened_;
        agent.step = agent.calls ? Step::calling : Step::listening;
        if (!agent.calls)
          send(agent,
               fmt::format("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
                           "Mcp-Session-Id: {}\r\n\r\n",
                           agent.session));
        return;
      case Step::calling:
        --in_flight_;
        if (answer.status == 200)
          times_us_.push_back(
              std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - agent.sent)
                  .count());
        if (answer.status == 404) agent.step = Step::done;  // its session made room for another
        if (is_calling_ && agent.step == Step::calling) call(agent);
        return;
      case Step::listening:
      case Step::done:
        return;
    }
  }

  std::uint16_t port_;
  std::string tool_;
  int epoll_ = -1;
  std::vector<Agent> agents_;
  std::vector<long> times_us_;
  std::map<int, long> statuses_;
  std::size_t opened_ = 0, refused_ = 0, in_flight_ = 0, lost_ = 0, warm_calls_ = 0;
  long warm_kb_ = 0, end_kb_ = 0;
  bool is_calling_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) return 2;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  Load load(static_cast<std::uint16_t>(std::strtoul(argv[1], nullptr, 10)), argv[5]);
  const bool is_open =
      load.open(std::strtoul(argv[2], nullptr, 10), std::strtoul(argv[3], nullptr, 10));
  load.call_for(std::chrono::seconds(std::strtol(argv[4], nullptr, 10)), argv[6]);
  const bool is_clean = load.print();
  return std::getenv("EXPECT_LIMITS") != nullptr ? 0 : is_open && is_clean ? 0 : 1;
}
