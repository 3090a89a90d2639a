#pragma once
// In-memory twin of a git object store: trees and blobs made from a list of files.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/tree_source.h"

namespace gh::test {

struct BaseFile {
  std::string path, content;  // content of a gitlink: the commit id in hex
  FileMode mode = FileMode::regular;
};

class MemoryTree : public TreeSource {
 public:
  explicit MemoryTree(HashKind kind = HashKind::sha1) : kind_(kind) {}

  HashKind hash_kind() const override { return kind_; }

  Result<Tree> tree(const ObjectId& id) override {
    ++trees_read;
    const auto at = trees_.find(id.hex());
    if (at == trees_.end()) return fail(Code::git_failed, "no tree " + id.hex());
    return Tree(at->second);
  }
  Result<std::string> blob(const ObjectId& id) override {
    ++blobs_read;
    const auto at = blobs_.find(id.hex());
    if (at == blobs_.end()) return fail(Code::git_failed, "no blob " + id.hex());
    return at->second;
  }

  /// Root tree that holds exactly `files`.
  ObjectId add(const std::vector<BaseFile>& files) {
    std::map<std::string, std::vector<TreeEntry>> folders{{"", {}}};
    for (const BaseFile& f : files) {
      ObjectId id = f.mode == FileMode::gitlink ? *ObjectId::parse(f.content)
                                                : ObjectId::of(kind_, "blob", f.content);
      if (f.mode != FileMode::gitlink) blobs_[id.hex()] = f.content;
      const auto [folder, name] = split(f.path);
      folders[folder].push_back({name, f.mode, std::move(id)});
      for (std::string at = folder; !at.empty(); at = split(at).first)
        folders.try_emplace(at);
    }
    for (auto at = folders.rbegin(); at != folders.rend(); ++at) {
      const ObjectId id = write(at->second);
      if (at->first.empty()) return id;
      const auto [folder, name] = split(at->first);
      folders[folder].push_back({name, FileMode::tree, id});
    }
    return write({});
  }

  int trees_read = 0, blobs_read = 0;

 private:
  static std::pair<std::string, std::string> split(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return {"", path};
    return {path.substr(0, slash), path.substr(slash + 1)};
  }
  ObjectId write(std::vector<TreeEntry> entries) {
    const auto key = [](const TreeEntry& e) {
      return e.mode == FileMode::tree ? e.name + "/" : e.name;
    };
    std::ranges::sort(entries, {}, key);
    std::string bytes;
    for (const TreeEntry& e : entries)
      bytes += (e.mode == FileMode::tree ? "40000" : to_string(e.mode)) + ' ' + e.name + '\0' +
               std::string(e.id.raw());
    const ObjectId id = ObjectId::of(kind_, "tree", bytes);
    trees_[id.hex()] = std::move(entries);
    return id;
  }

  HashKind kind_;
  std::map<std::string, std::vector<TreeEntry>> trees_;
  std::map<std::string, std::string> blobs_;
};

}  // namespace gh::test
