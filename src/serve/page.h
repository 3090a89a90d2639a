#pragma once
// The review page: one document for every address of it, and the files that it loads.
#include <string_view>
#include <vector>

#include "http/guard.h"

namespace gh::serve {

/// Of interfaces 6.2: nothing inline, nothing from elsewhere.
std::string_view page_policy();

std::vector<http::Route> page_routes();

}  // namespace gh::serve
