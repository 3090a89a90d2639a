#include "ops/repo_config.h"

#include <fmt/format.h>

#include "base/product.h"
#include "patch/gates.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxConfigBytes = 1u << 20;

std::string name_at(const git::Commit& commit) {
  return fmt::format("{}:{}", commit.id.hex().substr(0, 12), kConfigFile);
}

Result<std::optional<std::string>> bytes_at(git::Repo& repo, const git::Commit& commit) {
  GH_TRY(entry, patch::find_entry(repo.objects(), commit.tree, kConfigFile));
  if (!entry) return std::nullopt;
  if (entry->mode != FileMode::regular && entry->mode != FileMode::executable)
    return fail(Code::policy_unreadable, fmt::format("{} is not a regular file", name_at(commit)));
  GH_TRY(bytes, repo.objects().blob(entry->id));
  if (bytes.size() > kMaxConfigBytes)
    return fail(Code::policy_unreadable,
                fmt::format("{} is larger than {} bytes", name_at(commit), kMaxConfigBytes));
  return std::optional<std::string>(std::move(bytes));
}

}  // namespace

Result<git::Repo> open_to_read(Context& context, bool reads_seldom) {
  git::OpenOptions options;
  options.folder = context.cwd;
  options.need_idle = false;
  options.check_later = true;
  options.reads_seldom = reads_seldom;
  if (context.given != nullptr) options.given = *context.given;
  return git::Repo::open(options, context.env);
}

Result<policy::Config> config_at(git::Repo& repo, const git::Commit& commit) {
  GH_TRY(bytes, bytes_at(repo, commit));
  return bytes ? policy::parse_config(*bytes, name_at(commit)) : policy::Config{};
}

Status store_block_at(git::Repo& repo, const git::Commit& commit) {
  GH_TRY(bytes, bytes_at(repo, commit));
  return bytes ? policy::check_store_block(*bytes, name_at(commit)) : Status{};
}

Result<policy::Config> config_of(git::Repo& repo, const std::string& revision) {
  GH_TRY(commit, repo.objects().commit(revision));
  return config_at(repo, commit);
}

std::string usual_branch(git::Repo& repo) {
  const std::string main = policy::default_proposal_policy().default_target;
  return repo.objects().commit(main) ? main : "HEAD";
}

Result<Target> target_at(git::Repo& repo, const std::string& ref) {
  GH_TRY(head, repo.objects().commit(ref));
  GH_TRY(config, config_at(repo, head));
  return Target{ref, std::move(head), std::move(config)};
}

Result<Target> usual_target(git::Repo& repo) {
  std::string ref = policy::default_proposal_policy().default_target;
  auto tip = repo.objects().commit(ref);
  if (!tip) {
    ref = "HEAD";
    tip = repo.objects().commit(ref);
  }
  if (!tip) return tl::make_unexpected(std::move(tip).error());
  GH_TRY(config, config_at(repo, *tip));
  Target usual{std::move(ref), *std::move(tip), std::move(config)};
  const std::string wanted = usual.config.proposals.default_target;
  if (wanted != usual.ref && repo.objects().commit(wanted)) return target_at(repo, wanted);
  return usual;
}

Result<policy::Config> config_in_work_tree(const git::Repo& repo) {
  const std::string path = fmt::format("{}/{}", repo.root(), kConfigFile);
  if (sys::info(path).kind == sys::FileKind::missing) return policy::Config{};
  auto bytes = sys::read_file(path, kMaxConfigBytes);
  if (!bytes) return fail(Code::policy_unreadable, bytes.error().message);
  return policy::parse_config(*bytes, kConfigFile);
}

}  // namespace gh::ops
