#include "serve/metrics.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/product.h"
#include "http/server.h"
#include "model/peek.h"
#include "serve/answers.h"

namespace gh::serve {
namespace {

struct DoorRow {
  std::string_view below, door;
};
// table: metric_doors
constexpr std::array kDoors{DoorRow{"/mcp", "mcp"}, DoorRow{"/api/", "api"},
                            DoorRow{"/metrics", "metrics"}};

std::string_view door_of(std::string_view path) {
  const auto row =
      std::ranges::find_if(kDoors, [&](const DoorRow& r) { return path.starts_with(r.below); });
  return row == kDoors.end() ? "page" : row->door;
}

/// A method is whatever a client sends; the usual ones have names.
std::string_view method_of(std::string_view method) {
  constexpr std::array<std::string_view, 3> kMethods{"GET", "POST", "DELETE"};
  return std::ranges::find(kMethods, method) != kMethods.end() ? method : "other";
}

}  // namespace

void Metrics::count(const Map& log_line) {
  const Value whole = log_line;
  const Peek line(whole);
  const std::string_view event = line["event"].text();
  const std::lock_guard lock(mutex_);
  if (event == "too_many_connections") ++connections_refused_;
  if (event == "rate_limited" || line["status"].number() == 429) ++rate_limited_;
  if (event != "request") return;
  Requests& row =
      requests_[{std::string(door_of(line["path"].text())),
                 std::string(method_of(line["method"].text())), line["status"].number()}];
  const std::int64_t ms = line["ms"].number();
  ++row.count;
  row.total_ms += ms;
  for (std::size_t i = 0; i < kBoundsMs.size(); ++i)
    if (ms <= kBoundsMs[i]) ++row.within[i];
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  std::string out = fmt::format(
      "# HELP gatehouse_build_info The version that runs.\n# TYPE gatehouse_build_info gauge\n"
      "gatehouse_build_info{{version=\"{}\"}} 1\n"
      "# HELP gatehouse_connections_refused_total Connections beyond max_connections.\n"
      "# TYPE gatehouse_connections_refused_total counter\n"
      "gatehouse_connections_refused_total {}\n"
      "# HELP gatehouse_rate_limited_total Requests that came too often.\n"
      "# TYPE gatehouse_rate_limited_total counter\ngatehouse_rate_limited_total {}\n"
      "# HELP gatehouse_request_milliseconds Time from the first byte of a request to the last of "
      "its answer.\n# TYPE gatehouse_request_milliseconds histogram\n",
      kVersion, connections_refused_, rate_limited_);
  for (const auto& [key, row] : requests_) {
    const auto& [door, method, status] = key;
    const std::string labels =
        fmt::format("door=\"{}\",method=\"{}\",status=\"{}\"", door, method, status);
    for (std::size_t i = 0; i < kBoundsMs.size(); ++i)
      out += fmt::format("gatehouse_request_milliseconds_bucket{{{},le=\"{}\"}} {}\n", labels,
                         kBoundsMs[i], row.within[i]);
    out += fmt::format(
        "gatehouse_request_milliseconds_bucket{{{0},le=\"+Inf\"}} {1}\n"
        "gatehouse_request_milliseconds_sum{{{0}}} {2}\n"
        "gatehouse_request_milliseconds_count{{{0}}} {1}\n",
        labels, row.count, row.total_ms);
  }
  return out;
}

http::Route Metrics::route() const {
  return {.path = "/metrics",
          .methods = "GET",
          .roles = {"agent", "reviewer", "promoter", "admin"},
          .serve = [this](const http::Request&, const std::shared_ptr<http::Exchange>& exchange) {
            http::Fields fields = security_fields();
            fields.push_back({"Content-Type", "text/plain; version=0.0.4; charset=utf-8"});
            fields.push_back({"Cache-Control", "no-store"});
            exchange->reply({200, std::move(fields), text()});
          }};
}

}  // namespace gh::serve
