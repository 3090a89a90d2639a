#include "inventory/door.h"

#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "base/url.h"
#include "inventory/collect.h"
#include "inventory/http_channel.h"
#include "inventory/stdio_channel.h"
#include "model/peek.h"
#include "sys/files.h"
#include "wire/json_as_read.h"

namespace gh::inventory {
namespace {

/// A server that shows one face to a gate and another to the host that uses it is found by asking
/// under both names.
constexpr std::string_view kOwnName = "gatehouse", kHostName = "claude-code";

constexpr std::string_view kPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

struct Asked {
  std::vector<std::string> argv;
  std::optional<Contacted> whom;
  EraChoice era = EraChoice::legacy_first;
  Limits limits{};
  std::string out;  // empty: standard output
};

Result<http::Fields> read_headers(const std::vector<std::string>& lines) {
  http::Fields out;
  for (const std::string& line : lines) {
    const std::size_t colon = line.find(':');
    if (colon == 0 || colon == std::string::npos)
      return fail(Code::bad_argument, "--header: expected 'NAME: VALUE'");
    out.push_back({line.substr(0, colon),
                   std::string(http::trimmed(std::string_view(line).substr(colon + 1)))});
  }
  return out;
}

std::string below(const std::string& folder, const std::string& path) {
  return path.starts_with('/') ? path : folder + "/" + path;
}

Result<Asked> read_request(const ops::Request& request, const ops::Context& context) {
  Asked out;
  out.argv = request.list("mcp-stdio");
  for (std::string& word : request.list("ARGUMENT"))
    out.argv.push_back(std::move(word));
  const std::string url = request.text("mcp-url");
  if (url.empty() == out.argv.empty())
    return fail(Code::bad_argument, "name one server: --mcp-stdio CMD… or --mcp-url URL");
  if (!url.empty()) {
    GH_TRY(target, http::read_url(url));
    GH_TRY(fields, read_headers(request.list("header")));
    const std::string trusted = request.text("ca-file");
    out.whom = Contacted{target, fields, trusted.empty() ? "" : below(context.cwd, trusted),
                         context.interrupted};
  }
  const std::string era = request.text("era");
  out.era = era == "modern"   ? EraChoice::modern
            : era == "legacy" ? EraChoice::legacy
                              : EraChoice::legacy_first;
  out.limits.patience = std::chrono::seconds(request.seconds("timeout").value_or(30));
  if (request.has("out")) out.out = below(context.cwd, request.text("out"));
  return out;
}

/// Nothing of the caller's environment but what was named.
Result<std::vector<std::string>> environment_of(const std::vector<std::string>& named,
                                                const std::string& home, sys::Env& env) {
  std::vector<std::string> out{"HOME=" + home, "TMPDIR=" + home, "LC_ALL=C.UTF-8"};
  const std::string path = env.variable("PATH");
  out.push_back("PATH=" + (path.empty() ? std::string(kPath) : path));
  for (const std::string& name : named) {
    const bool has_value = contains(name, "=");
    if (!has_value && env.variable(name).empty())
      return fail(Code::bad_argument,
                  fmt::format("--env {}: there is no such variable", printable(name, 60)));
    out.push_back(has_value ? name : name + "=" + env.variable(name));
  }
  return out;
}

struct Found {
  Listing listing;
  std::vector<std::string> isolation;
};

Result<Found> list_started(const Asked& asked, const ops::Request& request, ops::Context& context,
                           std::string_view client) {
  GH_TRY(self, sys::real_path("/proc/self/exe"));
  GH_TRY(home, sys::TempDir::create("/tmp", "gatehouse-inventory-"));
  GH_TRY(environment, environment_of(request.list("env"), home.path(), context.env));
  std::vector<std::string> writable;
  for (const std::string& folder : request.list("writable")) {
    GH_TRY(real, sys::real_path(below(context.cwd, folder)));
    writable.push_back(real);
  }
  GH_TRY(channel, StdioChannel::start({.argv = asked.argv,
                                       .environment = environment,
                                       .cwd = context.cwd,
                                       .self = self,
                                       .private_folder = home.path(),
                                       .writable = writable,
                                       .has_network = request.flag("allow-network")},
                                      asked.limits));
  GH_TRY(listing, collect(*channel, client, asked.era, asked.limits));
  return Found{std::move(listing), channel->isolation()};
}

Result<Found> list_once(const Asked& asked, const ops::Request& request, ops::Context& context,
                        std::string_view client) {
  if (!asked.whom) return list_started(asked, request, context, client);
  const auto channel = contact(*asked.whom, asked.limits);
  GH_TRY(listing, collect(*channel, client, asked.era, asked.limits));
  return Found{std::move(listing), {}};
}

std::string summary(const Found& found, const Map& document, const Asked& asked,
                    const std::vector<std::string>& differing) {
  const Peek server(*document.find("server"));
  std::string out = fmt::format(
      "{} {} (MCP {}): {} tools, {} prompts, {} resources\n",
      server["name"].exists() ? printable(server["name"].text(), 80) : "a server without a name",
      printable(server["version"].text(), 40), found.listing.revision, found.listing.tools.size(),
      found.listing.prompts.size(),
      found.listing.resources.size() + found.listing.resource_templates.size());
  if (!asked.whom)
    out += fmt::format("confined: {}\n", found.isolation.empty() ? "not possible on this system"
                                                                 : join(found.isolation, ", "));
  if (!differing.empty())
    out += fmt::format("WARNING: to a client of another name it describes other things: {}\n",
                       printable(join(differing, ", "), 300));
  return out + fmt::format("written to {}\n", printable(asked.out, 400));
}

}  // namespace

Result<ops::Reply> open_inventory(const ops::Request& request, ops::Context& context) {
  GH_TRY(asked, read_request(request, context));
  context.may_stop(true);  // nothing is written before the end, and what was started dies with us
  GH_TRY(found, list_once(asked, request, context, kOwnName));
  GH_TRY(again, list_once(asked, request, context, kHostName));
  const std::vector<std::string> differing = differences(found.listing, again.listing);
  Map document = export_document(found.listing, asked.whom ? "http" : "stdio");
  List names;
  for (const std::string& name : differing)
    names.push_back(name);
  document.set("differs_by_client", std::move(names));
  const std::string bytes = wire::json_as_read(Value(document), true);
  if (bytes.size() > asked.limits.total_bytes)
    return fail(Code::document_too_large,
                fmt::format("the export would have {} bytes, more than {}", bytes.size(),
                            asked.limits.total_bytes));
  ops::Reply reply;
  if (asked.out.empty()) {
    if (!differing.empty() && context.notice)
      context.notice("to a client of another name this server describes other things: " +
                     printable(join(differing, ", "), 300));
    GH_DO(context.stream(bytes));
    return reply;
  }
  GH_DO(sys::write_file_atomic(asked.out, bytes));
  const std::string text = summary(found, document, asked, differing);
  reply.text = [text](const report::Look&) { return text; };
  reply.document = Map{{"schema", "gatehouse.inventory_written/1"},
                       {"file", asked.out},
                       {"server", *document.find("server")},
                       {"protocol_version", found.listing.revision},
                       {"tools", static_cast<std::int64_t>(found.listing.tools.size())},
                       {"hashes", *document.find("hashes")},
                       {"differs_by_client", *document.find("differs_by_client")}};
  return reply;
}

}  // namespace gh::inventory
