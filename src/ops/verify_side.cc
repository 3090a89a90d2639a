#include "ops/verify_side.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "ops/release_files.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using Texts = std::vector<std::string>;

// table: CI files at the top of a repository
constexpr std::array<std::string_view, 4> kCiPlaces{".gitlab-ci.yml", ".circleci/config.yml",
                                                    "Jenkinsfile", "azure-pipelines.yml"};
constexpr std::string_view kWorkflows = ".github/workflows";

class TreeSide final : public VerifySide {
 public:
  TreeSide(TreeSource& objects, const ObjectId& tree, LinkPaths links)
      : tree_(objects, tree), links_(std::move(links)) {}

  Result<bool> has_file(const std::string& path) override {
    GH_TRY(entry, tree_.exact(path));
    return entry && (entry->mode == FileMode::regular || entry->mode == FileMode::executable);
  }
  std::unique_ptr<surface::Files> files(const std::string& folder) override {
    return std::make_unique<TreeFiles>(tree_, folder);
  }
  Result<std::vector<checks::Link>> links() override {
    GH_TRY(paths, links_());
    std::vector<checks::Link> out;
    for (const std::string& path : paths) {
      GH_TRY(target, tree_.target_of(path));
      if (target) out.push_back({path, std::move(*target)});
    }
    return out;
  }

 private:
  GitTree tree_;
  LinkPaths links_;
};

class DiskSide final : public VerifySide {
 public:
  DiskSide(git::Repo& repo, std::string root, std::optional<ObjectId> tree, Texts changed)
      : repo_(repo), root_(std::move(root)), tree_(tree), changed_(std::move(changed)) {}

  Result<bool> has_file(const std::string& path) override {
    return sys::info(root_ + "/" + path).kind == sys::FileKind::file;
  }
  std::unique_ptr<surface::Files> files(const std::string& folder) override {
    return std::make_unique<DiskFiles>(folder.empty() ? root_ : root_ + "/" + folder);
  }
  Result<std::vector<checks::Link>> links() override {
    Texts paths = changed_;
    if (tree_) {
      GH_TRY(known, repo_.objects().links_in(*tree_));
      paths.insert(paths.end(), known.begin(), known.end());
    }
    std::ranges::sort(paths);
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    std::vector<checks::Link> out;
    for (const std::string& path : paths) {
      if (sys::info(root_ + "/" + path).kind != sys::FileKind::symlink) continue;
      const auto real = sys::real_path(root_ + "/" + path);
      if (real && real->starts_with(root_ + "/"))
        out.push_back({path, real->substr(root_.size() + 1)});
    }
    return out;
  }

 private:
  git::Repo& repo_;
  std::string root_;
  std::optional<ObjectId> tree_;
  Texts changed_;
};

}  // namespace

std::optional<std::string> VerifySide::text(const std::string& path, std::size_t max_bytes) {
  const auto top = files("");
  const auto found = top->find(path);
  if (!found || found->kind != surface::EntryKind::file) return std::nullopt;
  auto bytes = top->read(*found, max_bytes);
  if (!bytes) return std::nullopt;
  return std::move(*bytes);
}

Texts VerifySide::names_in(const std::string& folder) {
  const auto top = files("");
  const auto found = top->find(folder);
  if (!found || found->kind != surface::EntryKind::folder) return {};
  auto names = top->list(*found);
  return names ? std::move(*names) : Texts{};
}

std::unique_ptr<VerifySide> side_of_tree(TreeSource& objects, const ObjectId& tree,
                                         LinkPaths links) {
  return std::make_unique<TreeSide>(objects, tree, std::move(links));
}

Result<Texts> links_after(const Texts& links, const Texts& changed, TreeSource& objects,
                          const ObjectId& tree) {
  std::set<std::string> out(links.begin(), links.end());
  GitTree entries(objects, tree);
  for (const std::string& path : changed) {
    out.erase(path);
    GH_TRY(entry, entries.exact(path));
    if (entry && entry->mode == FileMode::symlink) out.insert(path);
  }
  return Texts(out.begin(), out.end());
}

std::unique_ptr<VerifySide> side_on_disk(git::Repo& repo, std::string root,
                                         std::optional<ObjectId> tree, Texts changed) {
  return std::make_unique<DiskSide>(repo, std::move(root), tree, std::move(changed));
}

checks::CiGates ci_gates(VerifySide& side, const Texts& changed) {
  std::set<std::string> paths;
  for (const std::string& name : side.names_in(std::string(kWorkflows)))
    if (name.ends_with(".yml") || name.ends_with(".yaml"))
      paths.insert(fmt::format("{}/{}", kWorkflows, name));
  for (const std::string_view place : kCiPlaces)
    paths.emplace(place);
  for (const std::string& path : changed)
    if (checks::is_ci_file(path)) paths.insert(path);
  const checks::ReadInTree read = [&](const std::string& path) {
    return side.text(path, checks::kMaxCiFile);
  };
  const checks::ListInTree list = [&](const std::string& folder) { return side.names_in(folder); };
  checks::CiGates out;
  for (const std::string& path : paths) {
    // What stands there under another name is no CI file: no system follows a link to its own.
    const auto is_file = side.has_file(path);
    if (!is_file || !*is_file) continue;
    const auto text = side.text(path, checks::kMaxCiFile);
    out.emplace(path, text ? checks::read_ci(path, *text, read, list)
                           : checks::CiReading{.is_readable = false});
  }
  return out;
}

bool has_manifest_at(VerifySide& side, const std::string& path) {
  const auto yaml = side.text(path, surface::kMaxManifest);
  return yaml && (!path.ends_with(surface::kEmbeddedName) || surface::has_embedded_manifest(*yaml));
}

Texts packs_of(const LoadedManifest& loaded, const std::string& path) {
  Texts out;
  for (const surface::PathEntry& pack : loaded.manifest.policy_packs)
    out.push_back(normal_path("/" + from_top(folder_in(path), pack.path)).substr(1));
  return out;
}

std::string from_top(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : fmt::format("{}/{}", folder, name);
}

std::string folder_in(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

Result<std::optional<LoadedManifest>> manifest_of(VerifySide& side, const std::string& path,
                                                  const std::string& root) {
  const auto top = side.files("");
  GH_TRY(found, top->find(path));
  if (found.kind != surface::EntryKind::file) return std::nullopt;
  GH_TRY(yaml, top->read(found, surface::kMaxManifest));
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name == surface::kEmbeddedName && !surface::has_embedded_manifest(yaml)) return std::nullopt;
  GH_TRY(manifest, surface::read_manifest(yaml, path));
  const std::string folder = folder_in(path);
  return LoadedManifest{std::move(manifest), folder.empty() ? root : root + "/" + folder,
                        digest_of(yaml).hex()};
}

}  // namespace gh::ops
