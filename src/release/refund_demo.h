#pragma once
// The files of the worked example, as `release fixture copy refund-agent` writes them.
#include <map>
#include <string>

#include "base/data.h"

namespace gh::release {

inline std::map<std::string, std::string> refund_demo() {
  std::map<std::string, std::string> out;
  for (const char* path : {"shipgate.yaml", "tools/payments.mcp.json"})
    out.emplace(path, data::find(std::string("fixtures/refund-agent/") + path));
  return out;
}

}  // namespace gh::release
