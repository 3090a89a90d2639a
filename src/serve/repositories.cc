#include "serve/repositories.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::serve {

std::vector<Repository> named_repositories(const std::vector<std::string>& folders) {
  std::vector<Repository> out;
  for (const std::string& folder : folders) {
    std::string name = utf8_or_escaped(folder.substr(folder.rfind('/') + 1));
    if (name.empty()) name = "root";
    const std::string plain = name;
    for (int number = 2; std::ranges::find(out, name, &Repository::name) != out.end(); ++number)
      name = fmt::format("{}-{}", plain, number);
    out.push_back({std::move(name), folder});
  }
  return out;
}

Repositories::Repositories(std::vector<Repository> all) : all_(std::move(all)) {
  for (const Repository& repo : all_)
    turns_.try_emplace(repo.folder);
}

Result<Repository> Repositories::find(std::string_view name) const {
  if (name.empty() && all_.size() == 1) return all_.front();
  if (name.empty())
    return fail(Code::missing_argument, all_.empty()
                                            ? "this server serves no repository"
                                            : "several repositories are served; name one: ?repo=");
  const auto at = std::ranges::find(all_, name, &Repository::name);
  if (at == all_.end())
    return fail(Code::unknown_id,
                fmt::format("no repository '{}' is served here", printable(name, 80)));
  return *at;
}

std::mutex& Repositories::turn_of(const Repository& repo) { return turns_.at(repo.folder); }

}  // namespace gh::serve
