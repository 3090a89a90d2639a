#include "git/objects.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::git {
namespace {

constexpr std::size_t kMaxCachedEntries = 2'000'000;

struct ModeName {
  std::string_view text;
  FileMode mode;
};

// table: tree entry modes
constexpr std::array<ModeName, 7> kModes{{
    {"100644", FileMode::regular},
    {"100755", FileMode::executable},
    {"40000", FileMode::tree},
    {"120000", FileMode::symlink},
    {"160000", FileMode::gitlink},
    {"100664", FileMode::regular},  // written by early git
    {"040000", FileMode::tree},     // written by other implementations
}};

std::optional<FileMode> mode_of(std::string_view text) {
  const auto* const row = std::ranges::find(kModes, text, &ModeName::text);
  return row == kModes.end() ? std::nullopt : std::optional(row->mode);
}

/// git compares names as if those of trees ended in '/'.
bool in_order(const TreeEntry& a, const TreeEntry& b) {
  const std::size_t common = std::min(a.name.size(), b.name.size());
  if (const int order = a.name.compare(0, common, b.name, 0, common); order != 0) return order < 0;
  const auto next = [&](const TreeEntry& e) -> unsigned char {
    if (e.name.size() > common) return static_cast<unsigned char>(e.name[common]);
    return e.mode == FileMode::tree ? '/' : '\0';
  };
  return next(a) < next(b);
}

tl::unexpected<Error> bad_tree(std::string_view why) {
  return fail(Code::git_failed, fmt::format("malformed tree object: {}", why));
}

/// A name may stand once, even as file and folder between which other names sort.
bool has_duplicate(const std::vector<TreeEntry>& entries) {
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const TreeEntry& entry : entries)
    names.push_back(entry.name);
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) != names.end();
}

/// Takes "<key> <value>\n" from the front of a commit object.
std::optional<std::string_view> take_header(std::string_view& bytes, std::string_view key) {
  if (!bytes.starts_with(key) || bytes.size() <= key.size() || bytes[key.size()] != ' ')
    return std::nullopt;
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const auto value = bytes.substr(key.size() + 1, end - key.size() - 1);
  bytes.remove_prefix(end + 1);
  return value;
}

}  // namespace

Result<std::vector<TreeEntry>> parse_tree(std::string_view bytes, HashKind kind) {
  const std::size_t id_size = kind == HashKind::sha1 ? 20 : 32;
  std::vector<TreeEntry> entries;
  bool folders = false;
  while (!bytes.empty()) {
    const std::size_t space = bytes.find(' ');
    if (space == std::string_view::npos || space > 6) return bad_tree("no mode");
    const auto mode = mode_of(bytes.substr(0, space));
    if (!mode) return bad_tree("unknown mode");
    const std::size_t nul = bytes.find('\0', space);
    if (nul == std::string_view::npos) return bad_tree("name without end");
    const std::string_view name = bytes.substr(space + 1, nul - space - 1);
    if (name.empty() || name.find('/') != std::string_view::npos) return bad_tree("bad name");
    if (bytes.size() - nul - 1 < id_size) return bad_tree("cut object id");
    entries.push_back(
        {std::string(name), *mode, ObjectId::from_raw(bytes.substr(nul + 1, id_size))});
    bytes.remove_prefix(nul + 1 + id_size);
    const std::size_t count = entries.size();
    if (count > 1 && !in_order(entries[count - 2], entries[count - 1]))
      return bad_tree("entries out of order");
    folders = folders || *mode == FileMode::tree;
  }
  if (folders && has_duplicate(entries)) return bad_tree("one name twice");
  return entries;
}

Result<Commit> parse_commit(const ObjectId& id, std::string_view bytes) {
  const auto bad = [&] { return fail(Code::git_failed, "malformed commit object " + id.hex()); };
  const auto tree_word = take_header(bytes, "tree");
  const auto tree = tree_word ? ObjectId::parse(*tree_word) : std::nullopt;
  if (!tree || tree->kind() != id.kind()) return bad();
  Commit commit{id, *tree, {}};
  while (const auto word = take_header(bytes, "parent")) {
    const auto parent = ObjectId::parse(*word);
    if (!parent || parent->kind() != id.kind()) return bad();
    commit.parents.push_back(*parent);
  }
  const std::size_t blank = bytes.find("\n\n");
  if (blank != std::string_view::npos) commit.message = bytes.substr(blank + 2);
  return commit;
}

std::optional<std::string_view> revision_defect(std::string_view revision) {
  if (revision.empty()) return "is empty";
  if (revision.size() > kMaxRevisionBytes) return "is too long";
  if (revision.front() == '-') return "starts with a dash";
  for (const char c : revision)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return "holds a control character";
  return std::nullopt;
}

Result<Objects> Objects::start(sys::Command command) {
  GH_TRY(talk, sys::Conversation::start(command));
  return Objects(std::move(command), std::move(talk));
}

/// One question, and the head of its answer: "<id> <type> <size>", or "<name> missing".
Result<Objects::Header> Objects::ask(std::string_view name) {
  if (!talk_) {
    GH_TRY(talk, sys::Conversation::start(command_));
    talk_ = std::move(talk);
  }
  GH_DO(talk_->write(std::string(name) + '\n'));
  GH_TRY(line, talk_->read_line());
  Header header{.line = line, .id = {}, .type = {}};
  const auto words = split(line, ' ');
  if (words.size() != 3) return header;
  const auto [end, bad] =
      std::from_chars(words[2].data(), words[2].data() + words[2].size(), header.size);
  if (bad != std::errc{} || end != words[2].data() + words[2].size()) return header;
  header.id = ObjectId::parse(words[0]);
  header.type = words[1];
  return header;
}

Result<std::string> Objects::body(const Header& header, std::size_t max) {
  if (header.size > max) {
    talk_.reset();  // cheaper than reading the answer to its end
    return fail(Code::document_too_large,
                fmt::format("{} {} has {} bytes, more than {}", header.type, header.id->hex(),
                            header.size, max));
  }
  GH_TRY(bytes, talk_->read_exact(header.size + 1));
  bytes.pop_back();  // the line feed after the content
  return std::move(bytes);
}

Result<std::string> Objects::object(const ObjectId& id, std::string_view type, std::size_t max) {
  GH_TRY(header, ask(id.hex()));
  if (!header.id || *header.id != id)
    return fail(Code::git_failed,
                fmt::format("{} {} cannot be read: {}", type, id.hex(), printable(header.line)));
  if (header.type != type) {
    talk_.reset();
    return fail(Code::git_failed,
                fmt::format("object {} is a {}, not a {}", id.hex(), header.type, type));
  }
  return body(header, max);
}

Result<Commit> Objects::commit(std::string_view revision) {
  if (const auto defect = revision_defect(revision))
    return fail(Code::ref_unresolved,
                fmt::format("revision '{}' {}", printable(revision), *defect));
  GH_TRY(header, ask(std::string(revision) + "^{commit}"));
  if (!header.id || header.type != "commit") {
    if (header.id) talk_.reset();
    return fail(Code::ref_unresolved,
                fmt::format("revision '{}' names no commit", printable(revision)));
  }
  GH_TRY(bytes, body(header, kMaxCommitBytes));
  return parse_commit(*header.id, bytes);
}

Result<std::vector<TreeEntry>> Objects::tree(const ObjectId& id) {
  if (const auto known = trees_.find(id); known != trees_.end()) return known->second;
  GH_TRY(bytes, object(id, "tree", kMaxTreeBytes));
  GH_TRY(entries, parse_tree(bytes, id.kind()));
  cached_entries_ += entries.size();
  if (cached_entries_ > kMaxCachedEntries) {
    trees_.clear();
    cached_entries_ = entries.size();
  }
  trees_.emplace(id, entries);
  return std::move(entries);
}

Result<std::string> Objects::blob(const ObjectId& id) { return object(id, "blob", kMaxBlobBytes); }

}  // namespace gh::git
