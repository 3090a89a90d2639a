#include "http/server.h"

#include <condition_variable>
#include <latch>
#include <mutex>

#include <gtest/gtest.h>

#include "http/sse.h"
#include "tests/http_kit.h"

namespace gh::http {
namespace {

using test::Client;
using test::get;
using test::post;
using test::Running;

using Serve = std::function<void(Request, std::shared_ptr<Exchange>)>;

Route route(std::string path, Serve serve) {
  return {.path = std::move(path),
          .methods = "GET, POST",
          .roles = {},
          .max_body_bytes = 100'000,
          .render = problem,
          .serve = std::move(serve)};
}

Route echo() {
  return route("/echo", [](Request request, std::shared_ptr<Exchange> exchange) {
    exchange->reply({200, {{"X-Method", request.method}}, request.query + request.body});
  });
}

Setup setup(std::vector<Route> routes, Limits limits = {}) {
  return {.limits = limits, .routes = std::move(routes)};
}

TEST(HttpServer, AnswersOneRequestAfterTheOtherOnOneConnection) {
  Running server(setup({echo()}));
  Client client(server.port());
  for (int i = 0; i < 3; ++i) {
    const auto answer = client.send(get("/echo?q=" + std::to_string(i))).answer();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "q=" + std::to_string(i));
    EXPECT_EQ(answer.field("x-method"), "GET");
  }
}

TEST(HttpServer, AnswersPipelinedRequestsInTheirOrder) {
  Running server(setup({echo()}));
  Client client(server.port());
  client.send(get("/echo?1") + post("/echo", "two") + get("/echo?3"));
  EXPECT_EQ(client.answer().body, "1");
  EXPECT_EQ(client.answer().body, "two");
  EXPECT_EQ(client.answer().body, "3");
}

TEST(HttpServer, ReadsAChunkedBodyThatComesByteByByte) {
  Running server(setup({echo()}));
  Client client(server.port());
  const std::string request =
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\n\r\n";
  for (const char c : request)
    client.send({&c, 1});
  EXPECT_EQ(client.answer().body, "abcdefg");
}

TEST(HttpServer, ClosesWhenTheClientSaysSoAndAfterHttp10) {
  Running server(setup({echo()}));
  Client client(server.port());
  EXPECT_EQ(client.send(get("/echo", "Connection: close\r\n")).answer().status, 200);
  EXPECT_TRUE(client.is_closed_by_server());
  Client old(server.port());
  EXPECT_EQ(old.send("GET /echo HTTP/1.0\r\nHost: localhost\r\n\r\n").answer().status, 200);
  EXPECT_TRUE(old.is_closed_by_server());
}

TEST(HttpServer, SaysThatABodyIsWelcomeBeforeItIsSent) {
  Running server(setup({echo()}));
  Client client(server.port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: "
      "100-continue\r\n\r\n");
  EXPECT_EQ(client.head().status, 100);
  EXPECT_EQ(client.send("hi").answer().body, "hi");
  Client other(server.port());
  EXPECT_EQ(other.send(post("/echo", "", "Expect: wonders\r\n")).answer().status, 417);
}

TEST(HttpServer, ABodyThatIsRefusedIsNeverAskedFor) {
  Running server(setup({echo()}));
  Client client(server.port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100001\r\n"
      "Expect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.answer().status, 413);
  EXPECT_TRUE(client.is_closed_by_server());
}

struct Bad {
  std::string_view name, bytes;
  int status;
};

TEST(HttpServer, NothingIsReadBehindARequestWhoseEndIsUnclear) {
  Running server(setup({echo()}));
  for (const char* encoding : {"xchunked", "chunked, identity", "identity", "gzip, chunked"}) {
    Client client(server.port());
    client.send(std::string("POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: ") +
                encoding + "\r\n\r\nGET /echo HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(client.answer().status, 400) << encoding;
    EXPECT_TRUE(client.is_closed_by_server()) << encoding;
  }
}

TEST(HttpServer, RefusesWhatIsNoRequest) {
  Running server(setup({echo()}));
  const std::string long_field =
      "GET /echo HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n";
  const std::string long_chunk =
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n186A1\r\n" +
      std::string(100'001, 'x') + "\r\n0\r\n\r\n";
  const std::string head = "POST /echo HTTP/1.1\r\nHost: localhost\r\n";
  const std::string two_lengths = head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab";
  const std::string both =
      head + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  const std::string next = "GET /echo HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const std::string other_encoding = head + "Transfer-Encoding: xchunked\r\n\r\n" + next;
  const std::string more_encodings = head + "Transfer-Encoding: chunked, identity\r\n\r\n" + next;
  const std::string minus = head + "Content-Length: -1\r\n\r\n";
  const std::string bad_chunk = head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n";
  for (const Bad& bad :
       {Bad{"noise", "\x16\x03\x01\x02\r\n\r\n", 400}, Bad{"no version", "GET /echo\r\n\r\n", 400},
        Bad{"HTTP/2", "GET /echo HTTP/2.0\r\n\r\n", 400},
        Bad{"space in a name", "GET /echo HTTP/1.1\r\nHo st: a\r\n\r\n", 400},
        Bad{"NUL", std::string_view("GET /echo HTTP/1.1\r\nX: \0\r\n\r\n", 26), 400},
        Bad{"long field", long_field, 431}, Bad{"long chunk", long_chunk, 413},
        Bad{"two lengths", two_lengths, 400}, Bad{"length and chunks", both, 400},
        Bad{"other encoding", other_encoding, 400}, Bad{"more encodings", more_encodings, 400},
        Bad{"negative length", minus, 400}, Bad{"bad chunk", bad_chunk, 400},
        Bad{"other host", "GET /echo HTTP/1.1\r\nHost: evil.com\r\n\r\n", 403},
        Bad{"no host", "GET /echo HTTP/1.1\r\n\r\n", 403},
        Bad{"other path", "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n", 404},
        Bad{"other method", "PUT /echo HTTP/1.1\r\nHost: localhost\r\n\r\n", 405}}) {
    Client client(server.port());
    EXPECT_EQ(client.send(bad.bytes).answer().status, bad.status) << bad.name;
  }
  EXPECT_EQ(Client(server.port()).send(get("/echo")).answer().status, 200);
}

TEST(HttpServer, AnAnswerToHeadHasNoBody) {
  Running server(setup({echo()}));
  Client client(server.port());
  client.send("HEAD /echo HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/echo?next"));
  EXPECT_EQ(client.head().status, 405);
  EXPECT_EQ(client.answer().body, "next");
}

TEST(HttpServer, ARefusalReachesAClientThatIsStillSending) {
  Running server(setup({echo()}));
  Client client(server.port());
  client.send(fmt::format("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n",
                          4'000'000));
  client.send(std::string(4'000'000, 'x'));
  EXPECT_EQ(client.answer().status, 413);
}

TEST(HttpServer, SlowRequestsAreEndedAndOthersServedMeanwhile) {
  Running server(setup({echo()}, {.header_seconds = 1, .body_seconds = 1, .idle_seconds = 1}));
  Client head(server.port()), body(server.port()), idle(server.port());
  head.send("GET /echo HTTP/1.1\r\nHost:");
  body.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab");
  EXPECT_EQ(Client(server.port()).send(get("/echo")).answer().status, 200);
  EXPECT_EQ(head.answer().status, 408);
  EXPECT_EQ(body.answer().status, 408);
  EXPECT_TRUE(idle.is_closed_by_server());
}

TEST(HttpServer, OneConnectionTooManyIsToldSo) {
  Running server(setup({echo()}, {.max_connections = 2}));
  Client first(server.port()), second(server.port());
  EXPECT_EQ(first.send(get("/echo")).answer().status, 200);
  EXPECT_EQ(second.send(get("/echo")).answer().status, 200);
  Client third(server.port());
  const auto answer = third.send(get("/echo")).answer();
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.field("Retry-After"), "1");
  EXPECT_TRUE(third.is_closed_by_server());
  EXPECT_EQ(first.send(get("/echo")).answer().status, 200);
}

TEST(HttpServer, AnAnswerMayComeLaterAndFromAnotherThread) {
  Running server(setup({route("/later", [](Request, std::shared_ptr<Exchange> exchange) {
    std::thread([exchange] { exchange->reply({200, {}, "later"}); }).detach();
  })}));
  Client client(server.port());
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(client.send(get("/later")).answer().body, "later");
}

TEST(HttpServer, ARequestThatNobodyAnswersIsAnswered) {
  Running server(setup({route("/lost", [](Request, std::shared_ptr<Exchange>) {})}));
  EXPECT_EQ(Client(server.port()).send(get("/lost")).answer().status, 500);
}

/// Hands the streams that clients open to the test.
class Streams {
 public:
  Route route() {
    return http::route("/events", [this](Request, std::shared_ptr<Exchange> exchange) {
      exchange->on_gone([this] {
        const std::lock_guard lock(mutex_);
        is_gone_ = true;
        changed_.notify_all();
      });
      auto stream = exchange->open(event_stream_head(), ": ka\n\n");
      const std::lock_guard lock(mutex_);
      streams_.push_back(std::move(stream));
      changed_.notify_all();
    });
  }
  std::shared_ptr<Stream> at(std::size_t index) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return streams_.size() > index; });
    return streams_[index];
  }
  void wait_until_gone() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_gone_; });
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    streams_.clear();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Stream>> streams_;
  bool is_gone_ = false;
};

TEST(HttpServer, AStreamComesPieceByPieceAndTheConnectionGoesOn) {
  Streams streams;
  Running server(setup({streams.route(), echo()}));
  Client client(server.port());
  const auto head = client.send(get("/events")).head();
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.field("Content-Type"), "text/event-stream");
  EXPECT_EQ(head.field("X-Accel-Buffering"), "no");
  EXPECT_TRUE(streams.at(0)->write("one"));
  EXPECT_EQ(client.chunk(), "one");
  EXPECT_TRUE(streams.at(0)->write("two"));
  EXPECT_EQ(client.chunk(), "two");
  streams.at(0)->close();
  EXPECT_EQ(client.chunk(), "");
  EXPECT_FALSE(streams.at(0)->write("three"));
  EXPECT_EQ(client.send(get("/echo?again")).answer().body, "again");
  streams.forget();
}

TEST(HttpServer, ASilentStreamIsKeptAlive) {
  Streams streams;
  Running server(setup({streams.route()}, {.keep_alive_ms = 20}));
  Client client(server.port());
  client.send(get("/events")).head();
  EXPECT_EQ(client.chunk(), ": ka\n\n");
  EXPECT_EQ(client.chunk(), ": ka\n\n");
  streams.forget();
}

TEST(HttpServer, AStreamForHttp10EndsWithTheConnection) {
  Streams streams;
  Running server(setup({streams.route()}));
  Client client(server.port());
  client.send("GET /events HTTP/1.0\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.head().status, 200);
  streams.at(0)->write("plain");
  streams.at(0)->close();
  EXPECT_EQ(client.read_to_end(), "plain");
  streams.forget();
}

TEST(HttpServer, AReaderWhoTakesNothingIsDroppedAndOthersAreNot) {
  Streams streams;
  Running server(setup({streams.route(), echo()}, {.stream_bytes = 200'000}));
  Client slow(server.port(), 4096), quick(server.port());
  slow.send(get("/events"));
  const auto to_slow = streams.at(0);
  quick.send(get("/events")).head();
  const auto to_quick = streams.at(1);
  const std::string piece(10'000, 'x');
  int written = 0;
  for (; written < 10'000 && to_slow->write(piece); ++written) {
  }
  EXPECT_LT(written, 10'000);  // the buffers of the system, then ours, then no more
  streams.wait_until_gone();
  EXPECT_TRUE(to_quick->write("still here"));
  EXPECT_EQ(quick.chunk(), "still here");
  EXPECT_EQ(Client(server.port()).send(get("/echo?q")).answer().body, "q");
  streams.forget();
}

TEST(HttpServer, ANoticeComesWhenTheReaderHangsUp) {
  Streams streams;
  Running server(setup({streams.route()}));
  {
    Client client(server.port());
    client.send(get("/events")).head();
  }
  streams.wait_until_gone();
  EXPECT_FALSE(streams.at(0)->write("nobody"));
  streams.forget();
}

TEST(HttpServer, ANoticeComesWhenTheClientLeavesBeforeTheAnswer) {
  std::latch asked(1), gone(1);
  std::shared_ptr<Exchange> held;
  Running server(setup({route("/wait", [&](Request, std::shared_ptr<Exchange> exchange) {
    held = exchange;
    exchange->on_gone([&] { gone.count_down(); });
    asked.count_down();
  })}));
  Client client(server.port());
  client.send(get("/wait"));
  asked.wait();
  client.hang_up();
  gone.wait();
  held->reply({200, {}, "too late"});
  held.reset();
}

TEST(HttpServer, StopsAfterWhatRunsIsAnswered) {
  std::latch asked(1);
  std::mutex mutex;
  std::shared_ptr<Exchange> held;
  Running server(setup({route("/work", [&](Request, std::shared_ptr<Exchange> exchange) {
    {
      const std::lock_guard lock(mutex);
      held = exchange;
    }
    asked.count_down();
  })}));
  Client busy(server.port()), idle(server.port());
  busy.send(get("/work"));
  asked.wait();
  server.server().stop();
  EXPECT_TRUE(idle.is_closed_by_server());
  {
    const std::lock_guard lock(mutex);
    held->reply({200, {}, "done"});
    held.reset();
  }
  const auto answer = busy.answer();
  EXPECT_EQ(answer.body, "done");
  EXPECT_EQ(answer.field("Connection"), "close");
  busy.hang_up();
  server.wait_for_end();
  EXPECT_FALSE(Client(server.port()).is_open());
}

TEST(HttpServer, StopsEvenIfSomethingNeverEnds) {
  std::latch asked(1);
  std::shared_ptr<Exchange> held;
  {
    Running server(setup({route("/work",
                                [&](Request, std::shared_ptr<Exchange> exchange) {
                                  held = exchange;
                                  asked.count_down();
                                })},
                         {.drain_seconds = 1}));
    Client busy(server.port());
    busy.send(get("/work"));
    asked.wait();
    server.server().stop();
    EXPECT_TRUE(busy.is_closed_by_server());
    server.wait_for_end();
    held.reset();
  }
}

TEST(HttpServer, SaysWhyItCannotListen) {
  auto first = Server::listen(setup({}));
  ASSERT_TRUE(first);
  http::Setup same = setup({});
  same.port = (*first)->port();
  EXPECT_FALSE(Server::listen(same));
  http::Setup wrong = setup({});
  wrong.address = "localhost";
  EXPECT_FALSE(Server::listen(wrong));
}

}  // namespace
}  // namespace gh::http
