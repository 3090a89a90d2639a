#pragma once
// The same as a plugin, for those who hand it out through a marketplace (interfaces 2.2, 2.3).
#include <string>
#include <vector>

#include "base/error.h"
#include "setup/hosts.h"

namespace gh::setup {

struct PluginFile {
  std::string path;  // below the plugin's folder
  std::string text;
};
/// bad_argument for a host that knows no plugins.
Result<std::vector<PluginFile>> plugin_files(Host, std::string_view version);

}  // namespace gh::setup
