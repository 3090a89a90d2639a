#include "inventory/stdio_channel.h"

#include <fmt/format.h>

#include "base/text.h"
#include "policy/redact.h"
#include "sys/isolate.h"
#include "sys/process.h"

namespace gh::inventory {
namespace {

using Clock = std::chrono::steady_clock;

class Pipe : public StdioChannel {
 public:
  Pipe(sys::Conversation child, std::string report, const Limits& limits)
      : child_(std::move(child)),
        report_(std::move(report)),
        limits_(limits),
        deadline_(Clock::now() + limits.patience) {}

  Result<Answer> ask(std::string_view method, Map params) override {
    const Value id(++last_id_);
    GH_DO(said(child_.write(mcp::request_frame(id, method, std::move(params)) + "\n"), method));
    for (std::size_t others = 0; others < limits_.other_messages; ++others) {
      GH_TRY(message, next(method));
      if (message.kind == mcp::MessageKind::response && message.id == id)
        return Answer{std::move(message.result), std::move(message.error)};
      if (message.kind == mcp::MessageKind::request)
        GH_DO(said(child_.write(reply_to(message) + "\n"), method));
    }
    return fail(Code::input_unreadable,
                fmt::format("{}: {} other messages and no answer", method, limits_.other_messages));
  }

  Status tell(std::string_view method, Map params) override {
    return said(child_.write(mcp::notification_frame(method, std::move(params)) + "\n"), method);
  }

  void settle(mcp::Era, std::string_view) override {}

  std::vector<std::string> isolation() const override {
    return sys::read_isolation_report(report_).in_force;
  }

 private:
  Result<mcp::Message> next(std::string_view method) {
    for (;;) {
      if (Clock::now() >= deadline_)
        return fail(Code::io_error, fmt::format("{}: no answer in time", method));
      auto line = child_.read_line(limits_.message_bytes);
      if (!line) return tl::make_unexpected(explained(line.error(), method));
      total_ += line->size();
      if (total_ > limits_.total_bytes)
        return fail(Code::document_too_large,
                    fmt::format("the server says more than {} bytes", limits_.total_bytes));
      if (line->ends_with('\r')) line->pop_back();
      if (!line->empty()) return read_message(*line, limits_);
    }
  }

  Status said(Status status, std::string_view method) {
    if (status) return {};
    return tl::make_unexpected(explained(status.error(), method));
  }

  /// The first words of what the server itself said about it, without secrets.
  Error explained(const Error& error, std::string_view method) {
    if (!sys::read_isolation_report(report_).started)
      return {Code::io_error, "the server cannot be started: no such program, or not executable"};
    const std::string words = policy::redact(child_.stderr_tail()).text;
    const bool is_long = contains(error.message, "too long");
    return {is_long ? Code::document_too_large : Code::io_error,
            fmt::format("{}: the server {}{}", method,
                        is_long ? "answers with a line that is too long"
                        : contains(error.message, "answer in time") ? "does not answer in time"
                                                                    : "ended before it answered",
                        words.empty() ? "" : fmt::format("; it says: {}", printable(words, 300)))};
  }

  sys::Conversation child_;
  std::string report_;
  const Limits limits_;
  Clock::time_point deadline_;
  std::int64_t last_id_ = 0;
  std::size_t total_ = 0;
};

}  // namespace

Result<std::unique_ptr<StdioChannel>> StdioChannel::start(const Started& how,
                                                          const Limits& limits) {
  const std::string report = how.private_folder + "/.isolation";
  sys::IsolationRequest where{.self = how.self,
                              .report = report,
                              .writable = how.writable,
                              .read_only = {},
                              .keeps_network = how.has_network};
  where.writable.push_back(how.private_folder);
  const sys::Command plain{
      .argv = how.argv, .environment = how.environment, .cwd = how.cwd, .timeout = limits.patience};
  GH_TRY(child, sys::Conversation::start(sys::isolated(plain, where)));
  return std::make_unique<Pipe>(std::move(child), report, limits);
}

}  // namespace gh::inventory
