#pragma once
// Reads commits, trees and blobs over one open `git cat-file --batch`.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "model/tree_source.h"
#include "sys/process.h"

namespace gh::git {

inline constexpr std::size_t kMaxBlobBytes = 128u << 20;
inline constexpr std::size_t kMaxTreeBytes = 64u << 20;
inline constexpr std::size_t kMaxCommitBytes = 1u << 20;
inline constexpr std::size_t kMaxRevisionBytes = 1024;

/// Entries of a raw tree object. Refuses everything git itself would not write: unknown modes,
/// empty names, names with '/', wrong order, duplicates, cut ids.
Result<Tree> parse_tree(std::string bytes, HashKind);

struct Commit {
  ObjectId id, tree;
  std::vector<ObjectId> parents;
  std::string message{};
  std::optional<Timestamp> committed{};  // absent in a commit that no git wrote
  std::string author{};                  // "Name <email>"; empty likewise
  std::string encoding{};                // of the message, when it says so
};

Result<Commit> parse_commit(const ObjectId& id, std::string_view bytes);

/// nullopt when `revision` may be sent to git: no control character, no leading dash, not empty,
/// not too long. Otherwise what is wrong with it.
std::optional<std::string_view> revision_defect(std::string_view revision);

/// A child that is open, or will be when it is asked. Several readers may ask it in turn.
using SharedTalk = std::shared_ptr<std::optional<sys::Conversation>>;

/// The children of one piece of work, by what they were started with: it opens a repository several
/// times, and the readers of all of them are one process. For one thread.
struct SharedReaders {
  std::map<std::string, SharedTalk> talks{};
};

class Objects final : public TreeSource {
 public:
  /// Starts the child at once, so that it gets ready while the caller does something else.
  static Result<Objects> start(sys::Command command, SharedReaders* = nullptr);
  /// Starts it when it is first asked, which may be never.
  static Objects later(sys::Command command, SharedReaders* = nullptr);

  HashKind hash_kind() const override { return hash_kind_; }
  void set_hash_kind(HashKind kind) { hash_kind_ = kind; }

  /// ref_unresolved when `revision` names no commit of this repository.
  Result<Commit> commit(std::string_view revision);
  /// "commit", "tree", "blob", "tag", or nothing when there is no such object.
  Result<std::string> type_of(const ObjectId&);
  Result<Tree> tree(const ObjectId&) override;
  Result<std::string> blob(const ObjectId&) override;
  /// One wait per level of folders instead of one per folder and file.
  void expect(const ObjectId& root, const std::set<std::string>& paths) override;
  /// Paths of the symbolic links of a tree, sorted. One wait per level of folders, and each folder
  /// is read once, whatever trees hold it.
  Result<std::vector<std::string>> links_in(const ObjectId& tree);
  /// Ends the child; whoever asks again starts another.
  void hang_up() { talk_->reset(); }

 private:
  struct Header {
    std::string line;            // as git said it
    std::optional<ObjectId> id;  // absent: git does not know the object
    std::string type;
    std::size_t size = 0;
  };

  Objects(sys::Command command, SharedTalk talk)
      : command_(std::move(command)), talk_(std::move(talk)) {}
  Status send(std::string_view names);
  Result<Header> read_header();
  Result<Header> ask(std::string_view name);
  Status keep_next();
  Status keep_trees(const std::vector<ObjectId>&);
  std::optional<ObjectId> first_missing(const ObjectId& root, std::string_view path) const;
  Result<std::string> body(const Header&, std::size_t max);
  Result<Tree> keep_tree(const ObjectId&, std::string bytes);
  void keep_blob(const ObjectId&, std::string bytes);
  Result<std::string> object(const ObjectId&, std::string_view type, std::size_t max);

  sys::Command command_;
  SharedTalk talk_;  // holds nothing after an answer that was not read to its end
  HashKind hash_kind_ = HashKind::sha1;
  std::map<ObjectId, Tree> trees_;
  std::set<ObjectId> plain_trees_;  // with neither links nor folders
  std::size_t cached_entries_ = 0;
  std::map<ObjectId, std::string> blobs_;
  std::size_t cached_bytes_ = 0;
};

}  // namespace gh::git
