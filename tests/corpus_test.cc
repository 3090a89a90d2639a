// The conformance corpus of the patch gate, through the real program and real git. The cases are
// written from the specification; nothing here reads the product's tables.
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <simdjson.h>

#include "tests/corpus_format.h"
#include "tests/kit.h"

namespace gh::corpus {
namespace {

using kit::Words;
using kit::fs::path;

const path kRoot = "tests/corpus/patch";

const Bases& bases() {
  static const Bases all = read_bases(kRoot / "bases.txt");
  return all;
}

std::vector<path> cases_files() {
  std::vector<path> out;
  for (const auto& entry : kit::fs::recursive_directory_iterator(kRoot))
    if (entry.path().extension() == ".cases") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::string quoted(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F || c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>('0' + byte / 64);
      out += static_cast<char>('0' + byte / 8 % 8);
      out += static_cast<char>('0' + byte % 8);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string data_block(std::string_view bytes) {
  return "data " + std::to_string(bytes.size()) + "\n" + std::string(bytes) + "\n";
}

/// One commit in the language of git fast-import.
std::string import_commit(const std::string& ref, const std::vector<File>& files,
                          const std::vector<std::string>& removed, const std::string& parent) {
  std::string out = "commit " + ref + "\ncommitter Tester <tester@example.org> 1700000000 +0000\n" +
                    data_block("a state");
  if (!parent.empty()) out += "from " + parent + "\n";
  for (const std::string& name : removed)
    out += "D " + quoted(name) + "\n";
  for (const File& f : files)
    out += f.mode == "160000"
               ? "M 160000 " + f.bytes + " " + quoted(f.path) + "\n"
               : "M " + f.mode + " inline " + quoted(f.path) + "\n" + data_block(f.bytes);
  return out;
}

std::vector<File> tree_of(const Case& c) {
  std::vector<File> files = bases().at(c.base);
  for (const File& extra : c.files) {
    std::erase_if(files, [&](const File& f) { return f.path == extra.path; });
    files.push_back(extra);
  }
  if (!c.policy.empty()) {
    std::string yaml = "patch:\n";
    for (const std::string& line : c.policy)
      yaml += "  " + line + "\n";
    files.push_back({"gatehouse.yaml", "100644", yaml});
  }
  return files;
}

void copy_folder(const path& from, const path& to) {
  kit::fs::copy(from, to, kit::fs::copy_options::recursive | kit::fs::copy_options::copy_symlinks);
}

/// Each base tree is built once per run; every use gets its own copy.
class Repositories {
 public:
  path pristine(const Case& c) {
    const std::string stream = import_commit("refs/heads/main", tree_of(c), {}, "");
    const std::lock_guard<std::mutex> hold(mutex_);
    const auto known = built_.find(stream);
    if (known != built_.end()) return known->second;
    const path repo = scratch_.path() / ("base-" + std::to_string(built_.size()));
    if (template_.empty()) {
      template_ = scratch_.path() / "template";
      kit::run({"git", "init", "-q", "-b", "main", "--template=", template_.string()}, {});
    }
    copy_folder(template_, repo);
    kit::git_says(repo, {"fast-import", "--quiet"}, stream);
    kit::git_says(repo, {"reset", "-q", "--hard"});
    built_.emplace(stream, repo);
    return repo;
  }

  std::string head(const Case& c) {
    std::string id = kit::read(pristine(c) / ".git/refs/heads/main");
    id.pop_back();
    return id;
  }

  path copy(const Case& c) {
    const path from = pristine(c);
    const path to = scratch_.path() / ("copy-" + std::to_string(next_++));
    copy_folder(from, to);
    return to;
  }

 private:
  kit::Scratch scratch_;
  std::mutex mutex_;
  path template_;
  std::map<std::string, path> built_;
  std::atomic<int> next_ = 0;
};

Repositories& repositories() {
  static Repositories all;
  return all;
}

/// The members of the answer that a case speaks of; absent ones are "(absent)".
struct Answer {
  bool readable = false, ok = false;
  std::string stage, code, rule, run_id, candidate_tree;
};

std::string text_at(const simdjson::dom::element& document, std::string_view pointer) {
  std::string_view text;
  const auto value = document.at_pointer(pointer);
  if (value.error() != simdjson::SUCCESS) return "(absent)";
  if (value.is_null()) return "(null)";
  return value.get(text) == simdjson::SUCCESS ? std::string(text) : "(no string)";
}

Answer read_answer(const std::string& json) {
  Answer a;
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  if (parser.parse(json).get(document) != simdjson::SUCCESS) return a;
  a.readable = document["ok"].get(a.ok) == simdjson::SUCCESS;
  a.stage = text_at(document, "/stage");
  a.code = text_at(document, "/code");
  a.rule = text_at(document, "/details/rule");
  a.run_id = text_at(document, "/run/run_id");
  a.candidate_tree = text_at(document, "/candidate_tree");
  return a;
}

int exit_code_of(const std::string& code) {
  if (code == "PATCH_OK") return 0;
  if (code == "PATCH_POLICY_INVALID") return 2;
  if (code == "PATCH_ENV_INVALID") return 4;
  return 1;
}

/// Collects what went wrong with one case; printed once, on the main thread.
class Complaints {
 public:
  void expect(bool holds, const std::string& what) {
    if (!holds) text_ += "    " + what + "\n";
  }
  void equal(const std::string& got, const std::string& expected, const std::string& what) {
    expect(got == expected, what + ": got " + got + ", expected " + expected);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string excerpt(const kit::Ran& ran) {
  return "exit " + std::to_string(ran.exit_code) + ", stdout " + ran.out.substr(0, 600) +
         ", stderr " + ran.err.substr(0, 600);
}

/// Whether HEAD is where it was, and index and files are what HEAD says, nothing beside them.
bool untouched(const path& repo, const std::string& head) {
  const std::string status = kit::git_says(
      repo, {"status", "--porcelain=v2", "--branch", "-uall", "--ignored", "--no-renames"});
  return status == "# branch.oid " + head + "\n# branch.head main";
}

kit::Ran ask(const Case& c, const path& repo, const Words& operation) {
  Words words = {"patch"};
  words.insert(words.end(), operation.begin(), operation.end());
  words.insert(words.end(), {"--json", "-C", (repo / c.dir).string()});
  words.insert(words.end(), c.options.begin(), c.options.end());
  if (!c.narrow.empty()) {
    const path file = repo.string() + ".narrow.json";
    kit::write(file, c.narrow);
    words.insert(words.end(), {"--narrow", file.string()});
  }
  return kit::gatehouse(words, {.cwd = repo.parent_path(), .environment = {}, .input = c.patch});
}

void refused_alike(const Case& c, const kit::Ran& ran, Complaints& wrong) {
  const Answer a = read_answer(ran.out);
  if (!a.readable) {
    wrong.expect(false, "no JSON answer: " + excerpt(ran));
    return;
  }
  wrong.expect(!a.ok, "accepted");
  wrong.equal(a.stage + " " + a.code + " " + a.rule, c.stage + " " + c.code + " " + c.rule,
              "refusal");
  wrong.equal(std::to_string(ran.exit_code), std::to_string(exit_code_of(c.code)), "exit code");
}

void check_refused(const Case& c, Complaints& wrong) {
  const path repo = repositories().copy(c);
  for (const Words& operation : {Words{"check", "-"}, Words{"apply", "-", "--land", "worktree"}}) {
    if (c.repeated && operation[0] == "apply") continue;
    const kit::Ran ran = ask(c, repo, operation);
    const std::string already = wrong.text();
    refused_alike(c, ran, wrong);
    if (wrong.text() != already) {
      wrong.expect(false, "by patch " + operation[0]);
      return;
    }
    if (c.code == "PATCH_ENV_INVALID") continue;
    const path kept =
        repo / ".git/gatehouse/runs" / read_answer(ran.out).run_id / "artifacts/diff.patch";
    wrong.expect(kit::fs::exists(kept) && kit::read(kept) == c.patch,
                 "patch " + operation[0] + " did not keep the bytes in " + kept.string());
  }
  wrong.expect(untouched(repo, repositories().head(c)), "the refusal left something behind");
  kit::fs::remove_all(repo);
}

/// The tree that the case states, made by git from whole files.
std::string stated_tree(const Case& c, const path& repo) {
  kit::git_says(repo, {"fast-import", "--quiet"},
                import_commit("refs/heads/stated", c.results, c.gone, "refs/heads/main^0"));
  return kit::git_says(repo, {"rev-parse", "refs/heads/stated^{tree}"});
}

void check_git_alone(const Case& c, const path& repo, Complaints& wrong) {
  const kit::Ran ran =
      kit::run({"git", "apply", "-"}, {.cwd = repo / c.dir, .environment = {}, .input = c.patch});
  wrong.expect((ran.exit_code == 0) == c.git->accepts,
               std::string("git alone ") + (c.git->accepts ? "refuses: " : "accepts: ") + ran.err);
  if (!c.git->changes) return;
  kit::git_says(repo, {"add", "-A"});
  std::string expected;
  for (const std::string& name : *c.git->changes)
    expected += name + '\0';
  wrong.equal(kit::git_says(repo, {"diff", "--cached", "--name-only", "--no-renames", "-z"}),
              expected, "paths changed by git alone");
}

void check_landed(const Case& c, Complaints& wrong) {
  const path oracle = repositories().copy(c);
  const std::string tree = stated_tree(c, oracle);
  const kit::Ran applied = kit::git(oracle, {"apply", "--cached", "-"}, c.patch);
  wrong.expect(applied.exit_code == 0, "git refuses the submitted bytes: " + applied.err);
  wrong.equal(kit::git_says(oracle, {"write-tree"}), tree, "tree by git alone");
  kit::fs::remove_all(oracle);
  if (!wrong.text().empty()) return;

  const path repo = repositories().copy(c);
  const kit::Ran checked = ask(c, repo, {"check", "-"});
  const Answer check = read_answer(checked.out);
  wrong.expect(checked.exit_code == 0 && check.ok, "check: " + excerpt(checked));
  wrong.equal(check.stage + " " + check.code, "git_check PATCH_OK", "answer of check");
  wrong.equal(check.candidate_tree, tree, "candidate_tree of check");
  if (!wrong.text().empty()) return;

  const kit::Ran landed = ask(c, repo, {"apply", "-", "--land", "worktree"});
  const Answer apply = read_answer(landed.out);
  wrong.expect(landed.exit_code == 0 && apply.ok, "apply: " + excerpt(landed));
  wrong.equal(apply.stage + " " + apply.code, "apply PATCH_OK", "answer of apply");
  wrong.equal(apply.candidate_tree, tree, "candidate_tree of apply");
  wrong.equal(kit::git_says(repo, {"write-tree"}), tree, "tree in the index");
  wrong.equal(kit::git_says(repo, {"diff", "--name-only"}), "", "files unlike the index");
  wrong.equal(kit::git_says(repo, {"ls-files", "--others"}), "", "files left behind");
  kit::fs::remove_all(repo);
}

std::string complaints_about(const Case& c) {
  Complaints wrong;
  try {
    if (c.git) {
      const path oracle = repositories().copy(c);
      check_git_alone(c, oracle, wrong);
      kit::fs::remove_all(oracle);
    }
    if (c.accept) {
      check_landed(c, wrong);
    } else {
      check_refused(c, wrong);
    }
  } catch (const std::exception& fault) {
    wrong.expect(false, fault.what());
  }
  return wrong.text().empty() ? "" : c.title() + "\n" + wrong.text();
}

/// Cases do not touch each other, so they run on all processors; complaints keep the file's order.
std::vector<std::string> judge_all(const std::vector<Case>& cases) {
  std::vector<std::string> complaints(cases.size());
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(2u, std::thread::hardware_concurrency()); ++i)
    workers.emplace_back([&] {
      for (std::size_t at = next++; at < cases.size(); at = next++)
        complaints[at] = complaints_about(cases[at]);
    });
  for (std::thread& worker : workers)
    worker.join();
  return complaints;
}

class PatchCorpus : public ::testing::TestWithParam<path> {};

TEST_P(PatchCorpus, IsJudgedAsTheSpecificationSays) {
  for (const std::string& complaint : judge_all(read_cases(GetParam(), bases())))
    EXPECT_EQ(complaint, "");
}

std::string test_name(const ::testing::TestParamInfo<path>& info) {
  std::string name = kit::fs::relative(info.param, kRoot).replace_extension().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, PatchCorpus, ::testing::ValuesIn(cases_files()), test_name);

const std::vector<Case>& all_cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> out;
    for (const path& file : cases_files())
      for (Case& c : read_cases(file, bases()))
        out.push_back(std::move(c));
    return out;
  }();
  return all;
}

/// patch-gate 10.2, the rules that bytes, policy and base tree reach, typed out again.
struct RuleRow {
  const char* stage;
  const char* code;
  const char* rules;
};
constexpr RuleRow kRules[] = {
    {"parse", "PATCH_PARSE_INVALID",
     "input_too_large empty_input nul_byte not_a_diff missing_final_newline too_many_lines "
     "git_line_malformed git_line_ambiguous prefix_missing quote_unterminated "
     "quote_invalid_escape name_trailing_garbage name_control_char name_mismatch devnull_mismatch "
     "crlf_header header_unknown duplicate_header header_conflict mode_malformed mode_unknown "
     "mode_pair_incomplete index_malformed similarity_malformed similarity_contradicts_hunks "
     "rename_incomplete copy_incomplete rename_same_name missing_minus_line missing_plus_line "
     "missing_hunk section_empty section_without_hunks binary_payload hunk_header_malformed "
     "hunk_range_invalid hunk_position_inconsistent hunk_order hunk_overlap "
     "hunk_body_invalid_line hunk_count_mismatch hunk_truncated hunk_no_change "
     "no_newline_marker_malformed no_newline_marker_misplaced junk_between_sections "
     "duplicate_path"},
    {"parse", "PATCH_PARSE_INVALID",
     "path_empty path_invalid_utf8 path_control_char path_backslash path_absolute "
     "path_drive_letter path_colon path_empty_component path_traversal path_dot_component "
     "path_dotgit path_unsafe_codepoint path_not_nfc path_trailing_dot_space "
     "path_windows_reserved path_windows_char path_too_long path_case_collision "
     "path_file_dir_conflict"},
    {"policy", "PATCH_POLICY_DENY",
     "allow_roots deny_prefixes deny_components deny_suffixes lock_file binary_target "
     "artifact_target control_file secret_file max_files max_added_lines max_deleted_lines "
     "max_deleted_files max_hunks max_patch_bytes max_line_bytes max_result_file_bytes "
     "rename_not_allowed copy_not_allowed mode_change new_executable mode_symlink mode_gitlink "
     "content_bidi content_control_char content_invalid_utf8 full_rewrite"},
    {"git_check", "PATCH_GIT_CHECK_FAIL",
     "base_missing already_exists base_symlink base_gitlink base_mode_mismatch "
     "base_blob_mismatch symlink_in_path gitlink_in_path file_dir_conflict case_collision "
     "base_binary filtered_path hunk_position_mismatch hunk_position_ambiguous hunk_not_found "
     "hunk_no_context no_newline_conflict delete_leaves_content no_effect"},
};

/// All that decides about a case, so that two cases can be told apart.
std::string inputs_of(const Case& c) {
  std::string out = c.patch + '\0' + c.base + '\0' + c.narrow + '\0' + c.dir + '\0';
  for (const auto* list : {&c.policy, &c.options})
    for (const std::string& word : *list)
      out += word + '\0';
  for (const File& f : c.files)
    out += f.path + '\0' + f.mode + '\0' + f.bytes + '\0';
  return out;
}

TEST(PatchCorpusItself, RefusesEachRuleThreeTimesAndAcceptsANeighbour) {
  const std::vector<Case>& cases = all_cases();
  for (const RuleRow& row : kRules) {
    for (const std::string& rule : detail::split(row.rules, " ")) {
      std::set<std::string> refused;
      std::set<std::string> refused_names;
      for (const Case& c : cases) {
        if (c.accept || c.rule != rule) continue;
        EXPECT_EQ(c.stage + " " + c.code, std::string(row.stage) + " " + row.code) << c.title();
        refused.insert(inputs_of(c));
        refused_names.insert(c.title());
      }
      const auto neighbours = std::count_if(cases.begin(), cases.end(), [&](const Case& c) {
        return c.accept && refused_names.contains(c.cases_file + " / " + c.from);
      });
      EXPECT_GE(refused.size(), 3u) << rule;
      EXPECT_GE(neighbours, 1) << rule;
    }
  }
}

TEST(PatchCorpusItself, KeepsNeighboursOneChangeAway) {
  for (const Case& c : all_cases()) {
    if (c.from.empty()) continue;
    EXPECT_EQ(c.changes_from, 1) << c.title();
  }
}

TEST(PatchCorpusItself, HoldsThreeInputsOfEachClassOfDifferential) {
  // patch-gate 2.1, in its order.
  for (const char* name :
       {"hidden_section", "short_hunk_count", "long_hunk_count", "name_disagreement", "name_leak",
        "dev_null_without_new_file_mode", "quoting", "name_terminators", "spaces", "prefixes",
        "position", "no_newline_marker", "last_line_without_newline",
        "content_from_the_object_store", "silent_modes", "check_passes_apply_fails", "silent_skip",
        "line_splitting", "work_tree_conversion"}) {
    std::set<std::string> inputs;
    for (const Case& c :
         read_cases(kRoot / "differential" / (std::string(name) + ".cases"), bases()))
      inputs.insert(inputs_of(c));
    EXPECT_GE(inputs.size(), 3u) << name;
  }
}

/// What one line of `check --batch` says about a file, as text.
std::map<std::string, std::string> batch_answers(const std::string& lines) {
  std::map<std::string, std::string> out;
  simdjson::dom::parser parser;
  for (const std::string& line : detail::split(lines, "\n")) {
    simdjson::dom::element document;
    if (line.empty() || parser.parse(line).get(document) != simdjson::SUCCESS) continue;
    bool ok = false;
    EXPECT_EQ(document["ok"].get(ok), simdjson::SUCCESS) << line;
    const std::string file = path(text_at(document, "/file")).filename();
    out[file] = std::string(ok ? "accept " : "refuse ") + text_at(document, "/stage") + " " +
                text_at(document, "/code") + " " + text_at(document, "/rule");
  }
  return out;
}

TEST(PatchCorpusInABatch, IsJudgedLikeOneByOne) {
  constexpr std::size_t kEnough = 4u << 20;  // the inputs at the hard limit are judged one by one
  std::map<std::string, std::vector<Case>> by_base;
  for (const Case& c : all_cases())
    if (c.policy.empty() && c.files.empty() && c.options.empty() && c.narrow.empty() &&
        c.dir.empty() && c.patch.size() < kEnough)
      by_base[c.base].push_back(c);
  for (const auto& [base, cases] : by_base) {
    SCOPED_TRACE(base);
    const kit::Scratch folder;
    std::map<std::string, std::string> expected;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::string name = std::to_string(100000 + i);
      kit::write(folder.path() / name, cases[i].patch);
      expected[name] = cases[i].accept
                           ? "accept git_check PATCH_OK (null)"
                           : "refuse " + cases[i].stage + " " + cases[i].code + " " + cases[i].rule;
    }
    const path repo = repositories().copy(cases.front());
    const kit::Ran ran = kit::gatehouse(
        {"patch", "check", "--batch", folder.path().string(), "-C", repo.string()}, {});
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
    const auto answers = batch_answers(ran.out);
    EXPECT_EQ(answers.size(), cases.size()) << ran.err;
    for (const auto& [name, answer] : answers)
      EXPECT_EQ(answer, expected[name]) << cases[std::stoul(name) - 100000].title();
    EXPECT_FALSE(kit::fs::exists(repo / ".git/gatehouse/runs")) << "a batch keeps no folders";
  }
}

}  // namespace
}  // namespace gh::corpus
