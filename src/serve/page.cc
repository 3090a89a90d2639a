#include "serve/page.h"

#include <algorithm>
#include <array>
#include <memory>

#include "http/server.h"
#include "serve/answers.h"
#include "serve/page_assets.h"

namespace gh::serve {
namespace {

constexpr std::string_view kDocument = "/index.html", kAssets = "/assets/";

// Addresses that people may open, keep and send to each other.
// table: page_paths
constexpr std::array<std::string_view, 9> kPaths{
    "/agents", "/", "/p/*", "/map", "/health", "/findings", "/audit", "/policy", "/doctor"};

const PageAsset* asset_at(std::string_view path) {
  const auto all = page_assets();
  const auto at = std::ranges::find(all, path, &PageAsset::path);
  return at == all.end() ? nullptr : &*at;
}

http::Response tell(const PageAsset& asset, const http::Request& request) {
  // The name of a file below /assets/ has the hash of its bytes in it.
  const bool is_named_by_hash = asset.path.starts_with(kAssets);
  http::Fields fields = security_fields();
  fields.push_back({"Content-Security-Policy", std::string(page_policy())});
  fields.push_back({"ETag", std::string(asset.etag)});
  fields.push_back(
      {"Cache-Control", is_named_by_hash ? "public, immutable, max-age=31536000" : "no-cache"});
  fields.push_back({"Vary", "Accept-Encoding"});
  if (is_same_etag(request.field("If-None-Match").value_or(""), asset.etag))
    return {304, std::move(fields), {}};
  fields.push_back({"Content-Type", std::string(asset.media)});
  const bool packs =
      !asset.packed.empty() && takes_gzip(request.field("Accept-Encoding").value_or(""));
  if (packs) fields.push_back({"Content-Encoding", "gzip"});
  return {200, std::move(fields), std::string(packs ? asset.packed : asset.bytes)};
}

void serve_page(const http::Request& request, const std::shared_ptr<http::Exchange>& exchange) {
  const bool is_asset = request.path.starts_with(kAssets) || request.path == "/favicon.svg";
  const PageAsset* asset = asset_at(is_asset ? std::string_view(request.path) : kDocument);
  if (asset == nullptr)
    return exchange->reply(problem_of(http::Refusal{404, "no_such_path", "there is no such file"}));
  exchange->reply(tell(*asset, request));
}

http::Route route_at(std::string_view path) {
  return {
      .path = std::string(path),
      .methods = "GET",
      .serve = [](const http::Request& request, const std::shared_ptr<http::Exchange>& exchange) {
        serve_page(request, exchange);
      }};
}

}  // namespace

std::string_view page_policy() {
  return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
         "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
         "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types gatehouse";
}

std::vector<http::Route> page_routes() {
  std::vector<http::Route> out;
  for (const std::string_view path : kPaths)
    out.push_back(route_at(path));
  out.push_back(route_at("/assets/*"));
  out.push_back(route_at("/favicon.svg"));
  return out;
}

}  // namespace gh::serve
