#include "git/objects.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::git {
namespace {

constexpr std::size_t kMaxCachedEntries = 2'000'000;
constexpr std::size_t kMaxCachedBytes = 16u << 20;  // of blobs
constexpr std::size_t kMaxKeptBlob = 1u << 20;
constexpr std::size_t kMaxExpected = 1000;   // paths asked for in one go
constexpr std::size_t kMaxWalked = 500'000;  // folders and links of one tree

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

tl::unexpected<Error> bad_tree(std::string_view why) {
  return fail(Code::git_failed, fmt::format("malformed tree object: {}", why));
}

/// A name may stand once, even as file and folder between which other names sort.
bool has_duplicate(const Tree& tree) {
  for (const TreeEntryView e : tree)
    if (e.mode == FileMode::tree && tree.find(e.name, false)) return true;
  return false;
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

/// "committer NAME <MAIL> SECONDS ZONE" among the headers that are left.
std::optional<Timestamp> committed_at(std::string_view headers) {
  const std::size_t line = headers.find("\ncommitter ");
  if (line == std::string_view::npos) return std::nullopt;
  headers.remove_prefix(line + 1);
  headers = headers.substr(0, headers.find('\n'));
  const std::size_t mail_end = headers.rfind("> ");
  if (mail_end == std::string_view::npos) return std::nullopt;
  headers.remove_prefix(mail_end + 2);
  Timestamp at;
  const auto [end, bad] =
      std::from_chars(headers.data(), headers.data() + headers.size(), at.seconds);
  return bad == std::errc{} && end != headers.data() ? std::optional(at) : std::nullopt;
}

/// "encoding NAME" among them; lines that go on with another header begin with a blank.
std::string encoding_in(std::string_view headers) {
  constexpr std::string_view kName = "\nencoding ";
  const std::size_t line = headers.find(kName);
  if (line == std::string_view::npos) return {};
  headers.remove_prefix(line + kName.size());
  return std::string(headers.substr(0, headers.find('\n')));
}

/// Children that were started with the same words see the same objects.
std::string key_of(const sys::Command& command) {
  std::string out = command.cwd;
  for (const auto* words : {&command.argv, &command.environment})
    for (const std::string& word : *words)
      (out += '\0') += word;
  return out;
}

}  // namespace

Result<Tree> parse_tree(std::string bytes, HashKind kind) {
  const std::size_t id_size = ObjectId::size_of(kind);
  std::vector<Tree::Slot> slots;
  slots.reserve(bytes.size() / (id_size + sizeof "40000 a"));  // no entry is shorter
  bool files = false, folders = false, last_is_folder = false;
  std::string_view rest = bytes, last;
  while (!rest.empty()) {
    const std::size_t space = rest.find(' ');
    if (space == std::string_view::npos || space > 6) return bad_tree("no mode");
    const auto mode = mode_of(rest.substr(0, space));
    if (!mode) return bad_tree("unknown mode");
    const std::size_t nul = rest.find('\0', space);
    if (nul == std::string_view::npos) return bad_tree("name without end");
    const std::string_view name = rest.substr(space + 1, nul - space - 1);
    if (name.empty() || name.find('/') != std::string_view::npos) return bad_tree("bad name");
    if (rest.size() - nul - 1 < id_size) return bad_tree("cut object id");
    const bool is_folder = *mode == FileMode::tree;
    if (!slots.empty() && !comes_before(last, last_is_folder, name, is_folder))
      return bad_tree("entries out of order");
    slots.push_back({static_cast<std::uint32_t>(name.data() - bytes.data()),
                     static_cast<std::uint32_t>(name.size()), *mode});
    rest.remove_prefix(nul + 1 + id_size);
    last = name;
    last_is_folder = is_folder;
    folders = folders || is_folder;
    files = files || !is_folder;
  }
  Tree tree(std::move(bytes), std::move(slots), kind);
  if (files && folders && has_duplicate(tree)) return bad_tree("one name twice");
  return tree;
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
  const std::string_view rest = bytes;
  const std::size_t blank = rest.find("\n\n");
  commit.committed = committed_at(rest.substr(0, blank));
  if (const auto author = take_header(bytes, "author"))
    commit.author = author->substr(0, author->rfind('>') + 1);
  commit.encoding = encoding_in(rest.substr(0, blank));
  if (blank != std::string_view::npos) commit.message = rest.substr(blank + 2);
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

Objects Objects::later(sys::Command command, SharedReaders* shared) {
  SharedTalk own = std::make_shared<std::optional<sys::Conversation>>();
  SharedTalk& talk = shared == nullptr ? own : shared->talks[key_of(command)];
  if (talk == nullptr) talk = std::move(own);
  return Objects(std::move(command), talk);
}

Result<Objects> Objects::start(sys::Command command, SharedReaders* shared) {
  Objects out = later(std::move(command), shared);
  if (!*out.talk_) {
    GH_TRY(started, sys::Conversation::start(out.command_));
    *out.talk_ = std::move(started);
  }
  return out;
}

/// One name a line. git answers all of them in one go, which saves waking this process per line.
Status Objects::send(std::string_view names) {
  std::string commands;
  for (const std::string_view name : split(names, '\n'))
    if (!name.empty()) ((commands += "contents ") += name) += '\n';
  commands += "flush\n";
  if (!*talk_) {
    GH_TRY(talk, sys::Conversation::start(command_));
    *talk_ = std::move(talk);
  }
  return (*talk_)->write(commands);
}

/// The head of an answer: "<id> <type> <size>", or "<name> missing".
Result<Objects::Header> Objects::read_header() {
  GH_TRY(line, (*talk_)->read_line());
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

Result<Objects::Header> Objects::ask(std::string_view name) {
  GH_DO(send(std::string(name) + '\n'));
  return read_header();
}

Result<std::string> Objects::body(const Header& header, std::size_t max) {
  if (header.size > max) {
    talk_->reset();  // cheaper than reading the answer to its end
    return fail(Code::document_too_large,
                fmt::format("{} {} has {} bytes, more than {}", header.type, header.id->hex(),
                            header.size, max));
  }
  GH_TRY(bytes, (*talk_)->read_exact(header.size + 1));
  bytes.pop_back();  // the line feed after the content
  return std::move(bytes);
}

Result<std::string> Objects::object(const ObjectId& id, std::string_view type, std::size_t max) {
  GH_TRY(header, ask(id.hex()));
  if (!header.id || *header.id != id)
    return fail(Code::git_failed,
                fmt::format("{} {} cannot be read: {}", type, id.hex(), printable(header.line)));
  if (header.type != type) {
    talk_->reset();
    return fail(Code::git_failed,
                fmt::format("object {} is a {}, not a {}", id.hex(), header.type, type));
  }
  return body(header, max);
}

Result<std::string> Objects::type_of(const ObjectId& id) {
  GH_TRY(header, ask(id.hex()));
  if (!header.id) return std::string();
  talk_->reset();  // the content is not wanted
  return header.type;
}

Result<Commit> Objects::commit(std::string_view revision) {
  if (const auto defect = revision_defect(revision))
    return fail(Code::ref_unresolved,
                fmt::format("revision '{}' {}", printable(revision), *defect));
  // The tree is wanted next in any case; by then it has arrived.
  GH_DO(send(fmt::format("{0}^{{commit}}\n{0}^{{tree}}\n", revision)));
  GH_TRY(header, read_header());
  if (!header.id || header.type != "commit") {
    talk_->reset();
    return fail(Code::ref_unresolved,
                fmt::format("revision '{}' names no commit", printable(revision)));
  }
  GH_TRY(bytes, body(header, kMaxCommitBytes));
  if (!keep_next()) talk_->reset();
  return parse_commit(*header.id, bytes);
}

/// Reads one answer and keeps what it brings, if there is room for it.
Status Objects::keep_next() {
  GH_TRY(header, read_header());
  if (!header.id) return {};
  if (header.type == "tree") {
    GH_TRY(bytes, body(header, kMaxTreeBytes));
    if (trees_.contains(*header.id)) return {};
    return keep_tree(*header.id, std::move(bytes)).map([](const auto&) {});
  }
  GH_TRY(bytes, body(header, kMaxKeptBlob));
  if (header.type == "blob") keep_blob(*header.id, std::move(bytes));
  return {};
}

Result<Tree> Objects::keep_tree(const ObjectId& id, std::string bytes) {
  GH_TRY(tree, parse_tree(std::move(bytes), id.kind()));
  cached_entries_ += tree.size();
  if (cached_entries_ > kMaxCachedEntries) {
    trees_.clear();
    cached_entries_ = tree.size();
  }
  trees_.emplace(id, tree);
  return std::move(tree);
}

void Objects::keep_blob(const ObjectId& id, std::string bytes) {
  if (bytes.size() > kMaxKeptBlob || blobs_.contains(id)) return;
  cached_bytes_ += bytes.size();
  if (cached_bytes_ > kMaxCachedBytes) {
    blobs_.clear();
    cached_bytes_ = bytes.size();
  }
  blobs_.emplace(id, std::move(bytes));
}

Result<Tree> Objects::tree(const ObjectId& id) {
  if (const auto known = trees_.find(id); known != trees_.end()) return known->second;
  GH_TRY(bytes, object(id, "tree", kMaxTreeBytes));
  return keep_tree(id, std::move(bytes));
}

Result<std::string> Objects::blob(const ObjectId& id) {
  if (const auto known = blobs_.find(id); known != blobs_.end()) return known->second;
  GH_TRY(bytes, object(id, "blob", kMaxBlobBytes));
  keep_blob(id, bytes);
  return std::move(bytes);
}

/// The first object on the way to `path` that is not at hand; nullopt when none is missing.
std::optional<ObjectId> Objects::first_missing(const ObjectId& root, std::string_view path) const {
  ObjectId at = root;
  for (std::size_t from = 0;;) {
    const auto tree = trees_.find(at);
    if (tree == trees_.end()) return at;
    const std::size_t slash = path.find('/', from);
    const auto entry = tree->second.find(path.substr(from, std::min(slash, path.size()) - from));
    if (!entry || entry->mode == FileMode::gitlink) return std::nullopt;
    at = entry->id;
    if (entry->mode != FileMode::tree)
      return slash == path.npos && !blobs_.contains(at) ? std::optional(at) : std::nullopt;
    if (slash == path.npos) return std::nullopt;
    from = slash + 1;
  }
}

/// Folder by folder, all paths at the same time. By id, because git would look up a name from the
/// root anew each time.
void Objects::expect(const ObjectId& root, const std::set<std::string>& paths) {
  if (paths.size() > kMaxExpected) return;
  std::set<ObjectId> asked;
  for (bool more = true; more;) {
    std::string question;
    std::size_t count = 0;
    for (const std::string& path : paths)
      if (const auto id = first_missing(root, path); id && asked.insert(*id).second) {
        (question += id->hex()) += '\n';
        ++count;
      }
    more = count > 0;
    Status done = more ? send(question) : Status();
    for (; done && count > 0; --count)
      done = keep_next();
    if (!done) {  // whoever needs the object hears why when it is read
      talk_->reset();
      return;
    }
  }
}

/// Those that are not at hand, many at a time.
Status Objects::keep_trees(const std::vector<ObjectId>& ids) {
  std::set<ObjectId> asked;
  std::string question;
  std::size_t count = 0;
  const auto ask_all = [&]() -> Status {
    Status done = count > 0 ? send(question) : Status();
    for (; done && count > 0; --count)
      done = keep_next();
    question.clear();
    return done;
  };
  for (const ObjectId& id : ids) {
    if (trees_.contains(id) || plain_trees_.contains(id) || !asked.insert(id).second) continue;
    (question += id.hex()) += '\n';
    if (++count == kMaxExpected) GH_DO(ask_all());
  }
  return ask_all();
}

Result<std::vector<std::string>> Objects::links_in(const ObjectId& root) {
  std::vector<std::string> out;
  std::vector<std::pair<std::string, ObjectId>> level{{"", root}};
  for (std::size_t walked = 0; !level.empty();) {
    std::vector<ObjectId> ids;
    for (const auto& [path, id] : level)
      ids.push_back(id);
    GH_DO(keep_trees(ids));
    std::vector<std::pair<std::string, ObjectId>> next;
    for (const auto& [path, id] : level) {
      if (plain_trees_.contains(id)) continue;
      GH_TRY(folder, tree(id));
      bool is_plain = true;
      for (const TreeEntryView entry : folder) {
        if (entry.mode != FileMode::symlink && entry.mode != FileMode::tree) continue;
        is_plain = false;
        if (++walked > kMaxWalked)
          return fail(Code::document_too_large,
                      fmt::format("tree {} has more than {} folders", root.hex(), kMaxWalked));
        std::string inside = path + std::string(entry.name);
        if (entry.mode == FileMode::symlink)
          out.push_back(std::move(inside));
        else
          next.emplace_back(std::move(inside) + "/", entry.id);
      }
      if (is_plain) plain_trees_.insert(id);
    }
    level = std::move(next);
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace gh::git
