#include "ops/own_settings.h"

#include <string>

#include <fmt/format.h>

namespace gh::ops {
namespace {

constexpr const char* kWrote = "gatehouse.wrote";

std::string note_of(std::string_view name, std::string_view value) {
  return fmt::format("{}={}", name, value);
}

}  // namespace

Status add_own_setting(const git::Repo& repo, std::string_view name, std::string_view value) {
  GH_TRY(is_there, repo.has_setting(std::string(name), std::string(value)));
  if (is_there) return {};
  GH_DO(repo.add_setting(kWrote, note_of(name, value)));
  return repo.add_setting(std::string(name), std::string(value));
}

Status drop_own_setting(const git::Repo& repo, std::string_view name, std::string_view value) {
  GH_TRY(is_ours, repo.has_setting(kWrote, note_of(name, value)));
  if (!is_ours) return {};
  GH_DO(repo.drop_setting(std::string(name), std::string(value)));
  return repo.drop_setting(kWrote, note_of(name, value));
}

}  // namespace gh::ops
