#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "patch/attributes.h"
#include "patch/gates.h"
#include "patch/touched_tree.h"
#include "policy/glob.h"

namespace gh::patch {
namespace {

using diff::Operation;
using diff::Section;
using policy::PatchPolicy;
using policy::RewriteMode;

constexpr std::size_t kBinaryProbe = 8000;
constexpr std::string_view kSubproject = "Subproject commit ";

bool has_source(Operation op) { return op != Operation::create; }
bool has_target(Operation op) {
  return op == Operation::create || op == Operation::rename || op == Operation::copy;
}
bool removes_source(Operation op) { return op == Operation::remove || op == Operation::rename; }
bool is_blob_of_text(FileMode m) { return m == FileMode::regular || m == FileMode::executable; }

std::int64_t line_count(std::string_view bytes) {
  const auto feeds = std::ranges::count(bytes, '\n');
  return feeds + (bytes.empty() || bytes.ends_with('\n') ? 0 : 1);
}

/// The commit that the one line of a gitlink names.
std::optional<ObjectId> gitlink_commit(std::string_view text, HashKind kind) {
  if (!text.starts_with(kSubproject) || !text.ends_with('\n')) return std::nullopt;
  const std::string_view hex =
      text.substr(kSubproject.size(), text.size() - kSubproject.size() - 1);
  auto id = ObjectId::parse(hex);
  if (!id || id->kind() != kind || hex.find_first_not_of('0') == std::string_view::npos)
    return std::nullopt;
  return id;
}

/// The .gitattributes files of the base, each read once.
class BaseAttributes {
 public:
  BaseAttributes(TouchedTree& tree, TreeSource& source) : tree_(tree), source_(source) {}

  Result<std::map<std::string, AttributeValue>> of(std::string_view path) {
    std::vector<PlacedAttributes> files;
    for (std::size_t end = 0;;) {
      GH_TRY(file, in_folder(path.substr(0, end)));
      if (!file->lines.empty()) files.push_back({path.substr(0, end), file});
      const std::size_t slash = path.find('/', end);
      if (slash == std::string_view::npos) break;
      end = slash + 1;
    }
    if (files.empty()) return std::map<std::string, AttributeValue>{};
    return attributes_of(path, files);
  }

 private:
  Result<const AttributeFile*> in_folder(std::string_view folder) {
    if (const auto known = files_.find(folder); known != files_.end()) return &known->second;
    GH_TRY(found, tree_.find(std::string(folder) + ".gitattributes"));
    AttributeFile file;
    if (found.entry && is_blob_of_text(found.entry->mode)) {
      GH_TRY(bytes, source_.blob(found.entry->id));
      file = parse_attributes(bytes, folder.empty());
    }
    return &files_.emplace(folder, std::move(file)).first->second;
  }

  TouchedTree& tree_;
  TreeSource& source_;
  std::map<std::string, AttributeFile, std::less<>> files_;
};

/// A filter is let through by its driver's name, or by the path it works on.
bool is_allowed_filter(const PatchPolicy& policy, std::string_view path, std::string_view driver) {
  return std::ranges::any_of(policy.allow_filters, [&](const std::string& entry) {
    return entry == driver || policy::matches_policy_entry(path, entry);
  });
}

class Predictor {
 public:
  Predictor(const diff::Patch& patch, const PatchPolicy& policy, const ObjectId& base_tree,
            TreeSource& source, PredictOptions options)
      : policy_(policy),
        source_(source),
        base_tree_(base_tree),
        options_(options),
        position_(policy.position == "unique" ? diff::Position::unique : diff::Position::exact),
        tree_(source, base_tree),
        attributes_(tree_, source) {
    out_.placed = patch;
    for (const Section& s : patch.sections)
      if (removes_source(s.op)) removed_.insert(s.old_path);
  }

  Result<Prediction> run() {
    expect_objects();
    for (number_ = 1; number_ <= std::ssize(out_.placed.sections); ++number_)
      GH_DO(judge(section()));
    GH_TRY(root, tree_.write());
    for (number_ = 1; number_ <= std::ssize(out_.placed.sections); ++number_)
      check_case(section());
    report();
    if (out_.violations.empty()) out_.tree = root;
    const auto path_of = [](const auto& row) -> const std::string& { return row.first; };
    std::ranges::sort(out_.entries, {}, &TouchedEntry::path);
    std::ranges::sort(out_.base_entries, {}, path_of);
    return std::move(out_);
  }

 private:
  void expect_objects() {
    std::set<std::string> paths;
    for (const Section& s : out_.placed.sections) {
      if (has_source(s.op)) paths.insert(s.old_path);
      if (has_target(s.op)) paths.insert(s.new_path);
    }
    source_.expect(base_tree_, paths);
  }

  Section& section() { return out_.placed.sections[static_cast<std::size_t>(number_ - 1)]; }

  void refuse(Rule rule, const std::string& path, std::string message, std::int64_t line = 0) {
    found_.push_back({.rule = rule,
                      .message = std::move(message),
                      .file = path,
                      .line = line != 0 ? line : section().line,
                      .section = number_});
  }

  Status judge(Section& s) {
    std::optional<TreeEntry> old;
    bool in_place = true;
    if (has_source(s.op)) {
      GH_TRY(found, tree_.find(s.old_path));
      in_place = check_source(s, found);
      old = std::move(found.entry);
    }
    if (has_target(s.op)) {
      GH_TRY(found, tree_.find(s.new_path));
      in_place = check_target(s, found) && in_place;
    }
    GH_DO(check_filters(s));
    if (in_place) return change(s, old);
    return {};
  }

  /// Whether the section has a source that hunks can be tried on.
  bool check_source(const Section& s, const Found& found) {
    if (!found.entry)
      refuse(Rule::base_missing, s.old_path,
             fmt::format("{} is not in the base tree", shown(s.old_path)));
    check_parents(s.old_path, found);
    if (!found.entry) return false;
    const TreeEntry& base = *found.entry;
    if (base.mode == FileMode::tree) {
      refuse(Rule::file_dir_conflict, s.old_path,
             fmt::format("{} is a folder in the base tree", shown(s.old_path)));
      return false;
    }
    check_declared(s, base);
    return check_base_kind(s, base);
  }

  bool check_base_kind(const Section& s, const TreeEntry& base) {
    if (base.mode == FileMode::symlink && !policy_.allow_symlinks) {
      refuse(Rule::base_symlink, s.old_path,
             fmt::format("{} is a symbolic link in the base tree", shown(s.old_path)));
      return false;
    }
    if (base.mode == FileMode::gitlink && !policy_.allow_gitlinks) {
      refuse(Rule::base_gitlink, s.old_path,
             fmt::format("{} is a submodule in the base tree", shown(s.old_path)));
      return false;
    }
    return true;
  }

  void check_declared(const Section& s, const TreeEntry& base) {
    const auto differs = [&](const std::optional<FileMode>& m) { return m && *m != base.mode; };
    const auto index_mode = s.index ? s.index->mode : std::nullopt;
    if (differs(s.old_mode) || differs(index_mode))
      refuse(Rule::base_mode_mismatch, s.old_path,
             fmt::format("{} has mode {} in the base tree, the patch says {}", shown(s.old_path),
                         to_string(base.mode),
                         to_string(differs(s.old_mode) ? *s.old_mode : *index_mode)));
    if (!s.index) return;
    const std::string_view id = s.index->old_id;
    if ((id.size() == 40 || id.size() == 64) && !base.id.hex().starts_with(id))
      refuse(Rule::base_blob_mismatch, s.old_path,
             fmt::format("{} is object {} in the base tree, the patch was made on {}",
                         shown(s.old_path), base.id.hex(), id));
  }

  bool check_target(const Section& s, const Found& found) {
    const bool is_free = check_parents(s.new_path, found);
    if (!found.entry) return is_free;
    if (found.entry->mode == FileMode::tree) {
      refuse(Rule::file_dir_conflict, s.new_path,
             fmt::format("{} is a folder in the base tree", shown(s.new_path)));
    } else {
      refuse(Rule::already_exists, s.new_path,
             fmt::format("{} exists in the base tree", shown(s.new_path)));
    }
    return false;
  }

  bool check_parents(const std::string& path, const Found& found) {
    if (!found.blocked_by) return true;
    const std::string parent = shown(found.blocking_path);
    if (found.blocked_by == FileMode::symlink) {
      refuse(Rule::symlink_in_path, path,
             fmt::format("{} lies below the symbolic link {}", shown(path), parent));
    } else if (found.blocked_by == FileMode::gitlink) {
      refuse(Rule::gitlink_in_path, path,
             fmt::format("{} lies below the submodule {}", shown(path), parent));
    } else if (!removed_.contains(found.blocking_path)) {
      refuse(Rule::file_dir_conflict, path,
             fmt::format("{} lies below {}, which is a file", shown(path), parent));
    } else {
      return true;  // the same patch takes the file away
    }
    return false;
  }

  Status check_filters(const Section& s) {
    GH_DO(check_filter(s.old_path));
    if (s.new_path != s.old_path) GH_DO(check_filter(s.new_path));
    return {};
  }

  Status check_filter(const std::string& path) {
    GH_TRY(states, attributes_.of(path));
    for (const char* name : {"filter", "ident", "working-tree-encoding"}) {
      const auto state = states.find(name);
      if (state == states.end() || !state->second.is_on()) continue;
      const std::string& value = state->second.value;
      if (is_allowed_filter(policy_, path, value.empty() ? name : value)) continue;
      refuse(Rule::filtered_path, path,
             fmt::format("{} has the attribute {}{}{} in the base tree", shown(path), name,
                         value.empty() ? "" : "=", value.empty() ? "" : shown(value)));
      break;
    }
    return {};
  }

  Result<std::string> base_text(const std::optional<TreeEntry>& old) {
    if (!old) return std::string();
    if (old->mode == FileMode::gitlink) return fmt::format("{}{}\n", kSubproject, old->id.hex());
    return source_.blob(old->id);
  }

  Status change(Section& s, const std::optional<TreeEntry>& old) {
    GH_TRY(base, base_text(old));
    if (!s.hunks.empty() && base.substr(0, kBinaryProbe).find('\0') != std::string::npos) {
      refuse(Rule::base_binary, s.old_path,
             fmt::format("{} is a binary file in the base tree", shown(s.old_path)));
      return {};
    }
    check_rewrite(s, base);
    auto applied = apply_section(s, base, position_);
    if (!applied) {
      Violation v = std::move(applied).error();
      v.section = number_;
      found_.push_back(std::move(v));
      return keep_name(s, old);
    }
    std::ranges::move(applied->notes, std::back_inserter(out_.notes));
    place(s, applied->begins);
    return record(s, old, applied->bytes);
  }

  void check_rewrite(const Section& s, std::string_view base) {
    const bool is_on = policy_.rewrite_mode == RewriteMode::always ||
                       (policy_.rewrite_mode == RewriteMode::retry_only && options_.is_retry);
    if (!is_on || s.op != Operation::modify) return;
    const std::int64_t lines = line_count(base);
    if (lines < policy_.rewrite_min_lines ||
        s.deleted * 10'000 < policy_.rewrite_ratio_ten_thousandths * lines)
      return;
    refuse(Rule::full_rewrite, s.old_path,
           fmt::format("{} is rewritten: {} of its {} lines are deleted", shown(s.old_path),
                       s.deleted, lines));
    found_.back().limit = (policy_.rewrite_ratio_ten_thousandths * lines + 9'999) / 10'000;
    found_.back().actual = s.deleted;
  }

  /// Real positions, for the form that git is shown.
  static void place(Section& s, const std::vector<std::int64_t>& begins) {
    std::int64_t delta = 0;
    for (std::size_t i = 0; i < s.hunks.size(); ++i) {
      diff::Hunk& h = s.hunks[i];
      h.old_start = begins[i] + (h.old_count > 0 ? 1 : 0);
      h.new_start = begins[i] + delta + (h.new_count > 0 ? 1 : 0);
      delta += h.new_count - h.old_count;
    }
  }

  /// The section's names take part in the collision rule although its content is not known.
  Status keep_name(const Section& s, const std::optional<TreeEntry>& old) {
    if (removes_source(s.op)) GH_DO(tree_.remove(s.old_path));
    if (!has_target(s.op)) return {};
    const ObjectId unknown = ObjectId::of(source_.hash_kind(), "blob", "");
    return tree_.put(s.new_path, old ? old->mode : FileMode::regular, old ? old->id : unknown);
  }

  Status record(const Section& s, const std::optional<TreeEntry>& old, const std::string& bytes) {
    if (old) out_.base_entries.emplace_back(s.old_path, *old);
    TouchedEntry source{
        .path = s.old_path, .old_mode = {}, .new_mode = {}, .old_id = {}, .new_id = {}};
    if (old) {
      source.old_mode = old->mode;
      source.old_id = old->id;
    }
    if (removes_source(s.op)) GH_DO(tree_.remove(s.old_path));
    if (s.op == Operation::remove) {
      out_.entries.push_back(std::move(source));
      return {};
    }
    const FileMode mode = s.new_mode ? *s.new_mode : old ? old->mode : FileMode::regular;
    const auto id = result_id(s, mode, bytes);
    if (!id) return keep_name(s, old);
    check_result(s, old, mode, *id, bytes);
    GH_DO(tree_.put(s.new_path, mode, *id));
    if (s.old_path == s.new_path) {
      source.new_mode = mode;
      source.new_id = id;
      out_.entries.push_back(std::move(source));
      return {};
    }
    if (s.op == Operation::copy) {
      source.new_mode = source.old_mode;
      source.new_id = source.old_id;
    }
    out_.entries.push_back(std::move(source));
    out_.entries.push_back(
        {.path = s.new_path, .old_mode = {}, .new_mode = mode, .old_id = {}, .new_id = id});
    return {};
  }

  std::optional<ObjectId> result_id(const Section& s, FileMode mode, const std::string& bytes) {
    if (mode != FileMode::gitlink) return ObjectId::of(source_.hash_kind(), "blob", bytes);
    auto commit = gitlink_commit(bytes, source_.hash_kind());
    if (!commit)
      refuse(Rule::mode_gitlink, s.new_path,
             fmt::format("{} is a submodule and its line names no commit", shown(s.new_path)));
    return commit;
  }

  void check_result(const Section& s, const std::optional<TreeEntry>& old, FileMode mode,
                    const ObjectId& id, const std::string& bytes) {
    if (s.op == Operation::modify && old && old->mode == mode && old->id == id)
      refuse(Rule::no_effect, s.new_path,
             fmt::format("{} is the same after the patch", shown(s.new_path)));
    if (mode == FileMode::symlink)
      if (auto why = link_target_defect(policy_, s.new_path, bytes))
        refuse(Rule::mode_symlink, s.new_path, *std::move(why));
    const auto size = static_cast<std::int64_t>(bytes.size());
    if (size > policy_.max_result_file_bytes) {
      refuse(Rule::max_result_file_bytes, s.new_path,
             fmt::format("{} has {} bytes after the patch; max_result_file_bytes is {}",
                         shown(s.new_path), size, policy_.max_result_file_bytes));
      found_.back().limit = policy_.max_result_file_bytes;
      found_.back().actual = size;
    }
  }

  void check_case(const Section& s) {
    if (!has_target(s.op)) return;
    if (const auto c = tree_.case_collision(s.new_path))
      refuse(
          Rule::case_collision, s.new_path,
          fmt::format("{} and {} are equal after case folding", shown(c->added), shown(c->other)));
  }

  /// Policy is the earlier step: where it refuses, the tree gate has not spoken.
  void report() {
    const auto is_policy = [](const Violation& v) { return step_of(v.rule) == PatchStep::policy; };
    if (std::ranges::any_of(found_, is_policy)) std::erase_if(found_, std::not_fn(is_policy));
    std::ranges::stable_sort(found_, {}, &Violation::section);
    ViolationCollector out;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (i > 0 && found_[i].section != found_[i - 1].section) out.end_section();
      out.add(std::move(found_[i]));
    }
    out_.violations = out.take();
  }

  const PatchPolicy& policy_;
  TreeSource& source_;
  const ObjectId& base_tree_;
  PredictOptions options_;
  diff::Position position_;
  TouchedTree tree_;
  BaseAttributes attributes_;
  std::set<std::string, std::less<>> removed_;
  std::vector<Violation> found_;
  std::int64_t number_ = 0;
  Prediction out_;
};

}  // namespace

Result<Prediction> predict(const diff::Patch& patch, const PatchPolicy& policy,
                           const ObjectId& base_tree, TreeSource& source, PredictOptions options) {
  return Predictor(patch, policy, base_tree, source, options).run();
}

}  // namespace gh::patch
