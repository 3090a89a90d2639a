#include "setup/ci_providers.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"

namespace gh::setup {
namespace {

// clang-format off
// table: ci_providers
constexpr std::array<CiProvider, 9> kProviders{{
    {"github", "GITHUB_ACTIONS", "true",
     "event:pull_request.base.sha event:merge_group.base_sha event:before branch:GITHUB_BASE_REF",
     "event:pull_request.head.sha event:merge_group.head_sha commit:GITHUB_SHA",
     "event:number", "GITHUB_REPOSITORY", "GITHUB_REF_NAME", "GITHUB_BASE_REF", "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}", "/blob/"},
    {"gitlab", "GITLAB_CI", "true",
     "commit:CI_MERGE_REQUEST_DIFF_BASE_SHA commit:CI_COMMIT_BEFORE_SHA", "commit:CI_COMMIT_SHA",
     "CI_MERGE_REQUEST_IID", "CI_PROJECT_PATH", "CI_COMMIT_REF_NAME", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "{CI_PROJECT_URL}", "/-/blob/"},
    {"circleci", "CIRCLECI", "true", "", "commit:CIRCLE_SHA1",
     "CIRCLE_PULL_REQUEST", "", "CIRCLE_BRANCH", "", "", ""},
    {"jenkins", "JENKINS_URL", "", "branch:CHANGE_TARGET commit:GIT_PREVIOUS_SUCCESSFUL_COMMIT", "commit:GIT_COMMIT",
     "CHANGE_ID", "", "BRANCH_NAME", "CHANGE_TARGET", "", ""},
    {"azure", "TF_BUILD", "", "branch:SYSTEM_PULLREQUEST_TARGETBRANCH",
     "commit:SYSTEM_PULLREQUEST_SOURCECOMMITID commit:BUILD_SOURCEVERSION",
     "SYSTEM_PULLREQUEST_PULLREQUESTNUMBER SYSTEM_PULLREQUEST_PULLREQUESTID", "BUILD_REPOSITORY_NAME", "BUILD_SOURCEBRANCHNAME", "SYSTEM_PULLREQUEST_TARGETBRANCH", "", ""},
    {"buildkite", "BUILDKITE", "", "branch:BUILDKITE_PULL_REQUEST_BASE_BRANCH", "commit:BUILDKITE_COMMIT",
     "BUILDKITE_PULL_REQUEST", "", "BUILDKITE_BRANCH", "BUILDKITE_PULL_REQUEST_BASE_BRANCH", "", ""},
    {"drone", "DRONE", "", "branch:DRONE_TARGET_BRANCH commit:DRONE_COMMIT_BEFORE", "commit:DRONE_COMMIT_SHA",
     "DRONE_PULL_REQUEST", "DRONE_REPO", "DRONE_BRANCH", "DRONE_TARGET_BRANCH", "", ""},
    {"generic", "CI", "", "named:GATEHOUSE_BASE", "named:GATEHOUSE_HEAD", "", "", "", "", "", ""},
    {"local", "", "", "named:GATEHOUSE_BASE", "named:GATEHOUSE_HEAD", "", "", "", "", "", ""},
}};
// clang-format on

constexpr std::size_t kMostName = 200, kMostAddress = 400;

std::string event_text(const Value& event, std::string_view path) {
  Peek at(event);
  for (const std::string_view step : split(path, '.'))
    at = at[step];
  if (!at.text().empty()) return std::string(at.text());
  return at.number() > 0 ? fmt::format("{}", at.number()) : std::string();
}

/// The name of a commit, which no option and no other revision can be.
bool is_commit(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}
bool is_nothing(std::string_view commit) { return commit.find_first_not_of('0') == commit.npos; }

bool is_branch(std::string_view name) {
  return !name.empty() && name.size() <= kMostName && name.front() != '-' &&
         name.find("..") == name.npos && name.find("@{") == name.npos &&
         std::ranges::none_of(name, [](char c) {
           return c <= ' ' || c == 0x7F ||
                  std::string_view("~^:?*[\\").find(c) != std::string_view::npos;
         });
}

/// Where a system says that one end stands; nothing: it does not say.
std::optional<CiPlace> place_of(std::string_view source, const CiVariables& variables,
                                const Value& event) {
  const std::size_t colon = source.find(':');
  const std::string_view kind = source.substr(0, colon), name = source.substr(colon + 1);
  std::string text = kind == "event" ? event_text(event, name) : variables(name);
  if (text.empty()) return std::nullopt;
  if (kind == "named" && !is_commit(text))
    return CiPlace{CiPlace::Kind::named, std::move(text), std::string(name)};
  if (kind != "branch") {
    if (!is_commit(text)) return std::nullopt;
    return is_nothing(text) ? CiPlace{} : CiPlace{CiPlace::Kind::commit, std::move(text)};
  }
  constexpr std::string_view kHeads = "refs/heads/";
  if (text.starts_with(kHeads)) text.erase(0, kHeads.size());
  if (!is_branch(text)) return std::nullopt;
  return CiPlace{CiPlace::Kind::branch, std::move(text)};
}

std::vector<CiPlace> places_of(std::string_view sources, const CiVariables& variables,
                               const Value& event) {
  std::vector<CiPlace> out;
  for (const std::string_view source : split(sources, ' '))
    if (!source.empty())
      if (auto place = place_of(source, variables, event)) out.push_back(std::move(*place));
  return out;
}

/// The number at the end of what the first of them holds: some give an address.
std::string number_in(std::string_view sources, const CiVariables& variables, const Value& event) {
  for (const std::string_view source : split(sources, ' ')) {
    if (source.empty()) continue;
    std::string text =
        source.starts_with("event:") ? event_text(event, source.substr(6)) : variables(source);
    text.erase(0, text.rfind('/') + 1);  // npos + 1 is 0
    if (!text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == text.npos)
      return text;
  }
  return {};
}

/// An address with variables in it; empty when one is not there, or it is no plain address.
std::string address_of(std::string_view form, const CiVariables& variables) {
  std::string out;
  for (std::size_t at = 0; at < form.size();) {
    if (form[at] != '{') {
      out += form[at++];
      continue;
    }
    const std::size_t end = form.find('}', at);
    const std::string value = variables(form.substr(at + 1, end - at - 1));
    if (value.empty()) return {};
    out += value;
    at = end + 1;
  }
  const bool is_plain = std::ranges::all_of(out, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~/:").find(c) != std::string_view::npos;
  });
  const bool is_web = out.starts_with("https://") || out.starts_with("http://");
  return is_plain && is_web && out.size() <= kMostAddress ? out : std::string();
}

}  // namespace

std::span<const CiProvider> ci_providers() { return kProviders; }

const CiProvider* ci_provider(std::string_view name) {
  const auto row = std::ranges::find(kProviders, name, &CiProvider::name);
  return row == kProviders.end() ? nullptr : &*row;
}

const CiProvider& detected_provider(const CiVariables& variables) {
  for (const CiProvider& row : kProviders) {
    const std::string value = row.variable.empty() ? "always" : variables(row.variable);
    const bool says_no = row.value.empty() && (value == "false" || value == "0");
    if (!value.empty() && !says_no && (row.value.empty() || value == row.value)) return row;
  }
  return kProviders.back();
}

CiFacts ci_facts(const CiProvider& row, const CiVariables& variables, const Value& event) {
  CiFacts out;
  if (const auto bases = places_of(row.bases, variables, event); !bases.empty())
    out.base = bases.front();
  out.heads = places_of(row.heads, variables, event);
  std::erase_if(out.heads, [](const CiPlace& p) {
    return p.kind != CiPlace::Kind::commit && p.kind != CiPlace::Kind::named;
  });
  out.change = number_in(row.change, variables, event);
  if (!row.repository.empty()) out.repository = printable(variables(row.repository), kMostName);
  if (!row.branch.empty()) out.branch = printable(variables(row.branch), kMostName);
  if (!row.target.empty())
    if (auto place = place_of(fmt::format("branch:{}", row.target), variables, event))
      out.target = std::move(place->name);
  out.address = address_of(row.address, variables);
  if (!out.address.empty()) out.file_link = out.address + std::string(row.files);
  return out;
}

}  // namespace gh::setup
