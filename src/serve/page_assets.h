#pragma once
// The review page as it was built from web/, carried inside the binary (web/build.mjs writes the
// source of it).
#include <span>
#include <string_view>

namespace gh::serve {

struct PageAsset {
  std::string_view path;   // "/assets/index-1a2b3c4d.js"
  std::string_view media;  // "text/javascript; charset=utf-8"
  std::string_view etag;   // in quotes, of the bytes
  std::string_view bytes, packed;
};

std::span<const PageAsset> page_assets();

}  // namespace gh::serve
