// Differential fuzzer: does git do what our gates say it does? Every accepted input is shown to
// real git, and its own list and tree are compared with the prediction (patch-gate 2, property P1).
//
//   differential_fuzz --seconds N | --rounds N   [--seed N] [--findings DIR]
//
// Deterministic by seed: a round depends on the seed and its number alone.
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <limits>
#include <unordered_set>

#include <fmt/format.h>

#include "fuzz/differential/mutate.h"
#include "fuzz/differential/oracle.h"
#include "patch/gates.h"
#include "policy/patch_policy.h"

namespace gh::fuzz {
namespace {

constexpr std::size_t kEditsPerRound = 40, kMutantsPerRound = 4000, kBatch = 400;
constexpr std::size_t kSingle = 25;  // one in so many is also shown to git alone and as submitted
constexpr std::size_t kMaxKept = 5;  // findings of a round that are written down

struct Options {
  long seconds = 0, rounds = 0;
  std::uint64_t seed = 1;
  std::string findings = ".";
};

/// Lets everything through that can be predicted at all: the fuzzer looks for wrong predictions.
policy::PatchPolicy permissive(diff::Position position) {
  policy::PatchPolicy p;
  const auto any = std::numeric_limits<std::int64_t>::max();
  p.allow_roots = {"."};
  p.max_files = p.max_added_lines = p.max_deleted_lines = p.max_deleted_files = any;
  p.max_hunks = p.max_patch_bytes = p.max_line_bytes = p.max_result_file_bytes = any;
  p.allow_copies = p.allow_mode_changes = p.allow_new_executable = true;
  p.allow_symlinks = p.allow_gitlinks = true;
  p.deny_bidi = p.deny_control = p.require_utf8_content = false;
  p.rewrite_mode = policy::RewriteMode::off;
  p.profile = "git";
  p.position = position == diff::Position::unique ? "unique" : "exact";
  p.windows_rules = false;
  return p;
}

class Fuzzer {
 public:
  explicit Fuzzer(const Options& options)
      : options_(options),
        exact_(permissive(diff::Position::exact)),
        unique_(permissive(diff::Position::unique)) {}

  int run() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options_.seconds);
    const auto goes_on = [&](long round) {
      if (findings_ > 0) return false;
      return options_.rounds > 0 ? round < options_.rounds : std::chrono::steady_clock::now() < end;
    };
    for (long round = 0; goes_on(round); ++round)
      run_round(round);
    report();
    return findings_ == 0 ? 0 : 1;
  }

 private:
  struct Judged {
    bool accepted = false;
    std::string why;  // rule of the refusal
  };

  void run_round(long round) {
    Chance chance(options_.seed * 1'000'003 + static_cast<std::uint64_t>(round));
    Oracle oracle;
    MemorySource source;
    const Tree base = random_tree(chance);
    const ObjectId base_id = source.add(base);
    std::vector<Tree> edited;
    std::vector<ObjectId> edited_ids;
    for (std::size_t i = 0; i < kEditsPerRound; ++i) {
      edited.push_back(random_edit(base, chance));
      edited_ids.push_back(MemorySource().add(edited.back()));
    }
    oracle.import(base, base_id, edited);
    round_ = {round, &oracle, &source, base_id};
    const auto patches = oracle.diffs(edited_ids, diff_options(chance));
    std::vector<std::string> positive;
    for (std::size_t i = 0; i < patches.size(); ++i) {
      if (patches[i].empty()) continue;
      positive.push_back(patches[i]);
      judge_model(base, edited[i], edited_ids[i], patches[i]);
    }
    for (std::size_t i = 0; i < kMutantsPerRound && !positive.empty(); ++i)
      judge_mutant(chance, positive);
    flush();
  }

  static std::vector<std::string> diff_options(Chance& chance) {
    static const std::vector<std::vector<std::string>> kRenames = {
        {"--no-renames"}, {"-M"}, {"-M", "-C", "--find-copies-harder"}, {"-M30%"}, {"-B", "-M"}};
    auto options = kRenames[chance.below(kRenames.size())];
    options.push_back(fmt::format("-U{}", 1 + chance.below(4)));
    if (chance.one_in(2)) options.push_back("--full-index");
    if (chance.one_in(3)) options.push_back("--patience");
    return options;
  }

  /// What git writes and the grammar refuses on purpose: a source with two targets is a rename and
  /// a copy that name one path, a name with " b/" in it leaves two readings of the git line, and
  /// git says 100% of a file whose lines only changed places. With -B it renames over a file that
  /// is still there, which git apply refuses too.
  static bool is_spec_refusal(const std::string& rule, const std::string& text) {
    return (rule == "duplicate_path" && text.find("\nsimilarity index ") != text.npos) ||
           (rule == "similarity_contradicts_hunks" && text.find(" index 100%\n") != text.npos) ||
           (rule == "already_exists" && text.find("\nrename to ") != text.npos) ||
           (rule == "git_line_ambiguous" && text.find("a/x b/y ") != text.npos);
  }

  /// (c) what git itself wrote must be let through and mean the tree that it was made from.
  void judge_model(const Tree& base, const Tree& edited, const ObjectId& id,
                   const std::string& text) {
    Accepted* accepted = nullptr;
    const std::string why = judge(text, diff::Position::exact, &accepted);
    if (accepted == nullptr) {
      if (is_plain_edit(base, edited) && !is_spec_refusal(why, text))
        finding("refused what git wrote: " + why, text, "");
    } else if (accepted->tree != id) {
      finding("another tree than git diff was made from", text, canonical(*accepted));
    }
  }

  void judge_mutant(Chance& chance, const std::vector<std::string>& positive) {
    const std::string& from = positive[chance.below(positive.size())];
    const std::string input =
        chance.one_in(4) ? mutate_bytes(from, chance) : mutate_grammar(from, positive, chance);
    if (!seen_.insert(std::hash<std::string>{}(input)).second) return;
    Accepted* accepted = nullptr;
    judge(input, chance.one_in(6) ? diff::Position::unique : diff::Position::exact, &accepted);
    if (accepted == nullptr) return;
    if (chance.one_in(10)) compare_spelling(*accepted, chance);
    if (chance.one_in(kSingle)) compare_single(*accepted);
  }

  /// The gates without git. `accepted` points to the waiting case when all let it through; else the
  /// answer is the rule.
  std::string judge(const std::string& input, diff::Position position, Accepted** accepted) {
    ++executions_;
    const patch::CompiledPolicy& policy = position == diff::Position::unique ? unique_ : exact_;
    waiting_.push_back({input, {}, round_.base});
    Accepted& candidate = waiting_.back();
    const auto refuse = [&](Rule rule) {
      waiting_.pop_back();
      return std::string(to_string(rule));
    };
    auto patch = diff::parse(candidate.submitted, diff::Profile::git, position);
    if (!patch) return refuse(patch.error().rule);
    const auto paths = patch::check_paths(*patch, policy.values.windows_rules);
    if (!paths.empty()) return refuse(paths.first.front().rule);
    ++reached_policy_;
    const auto denied = patch::check_policy(*patch, policy, input.size());
    if (!denied.empty()) return refuse(denied.first.front().rule);
    auto prediction = patch::predict(*patch, policy.values, round_.base, *round_.source, {});
    if (!prediction) return refuse(Rule::base_missing);
    if (!prediction->violations.empty()) return refuse(prediction->violations.first.front().rule);
    candidate.patch = std::move(prediction->placed);
    candidate.tree = *prediction->tree;
    *accepted = &candidate;
    return "";
  }

  void flush() {
    std::vector<const Accepted*> batch;
    for (const Accepted& a : waiting_)
      batch.push_back(&a);
    for (std::size_t at = 0; at < batch.size(); at += kBatch) {
      const auto begin = batch.begin() + static_cast<std::ptrdiff_t>(at);
      const auto count = std::min(kBatch, batch.size() - at);
      const std::vector<const Accepted*> part(begin, begin + static_cast<std::ptrdiff_t>(count));
      for (const Disagreement& d : round_.oracle->compare(part))
        finding(d.what, d.accepted->submitted, canonical(*d.accepted));
      compared_ += part.size();
    }
    waiting_.clear();
  }

  /// Cosmetics do not change the canonical patch; git is never shown the submitted bytes.
  void compare_spelling(const Accepted& accepted, Chance& chance) {
    const std::string other = respell(accepted.submitted, chance);
    const auto patch = diff::parse(other, diff::Profile::git, diff::Position::unique);
    const auto original =
        diff::parse(accepted.submitted, diff::Profile::git, diff::Position::unique);
    if (!patch || !original) return;
    ++respelled_;
    if (diff::print_canonical(*patch) != diff::print_canonical(*original))
      finding("two spellings of one change have two canonical forms", accepted.submitted, other);
  }

  /// Alone, unmoved, and also as submitted: git must not find more in it than our parser did.
  void compare_single(const Accepted& accepted) {
    ++singles_;
    const std::string expected = accepted.tree.hex();
    if (round_.oracle->tree_after(canonical(accepted)) != expected)
      finding("canonical patch alone gives another tree", accepted.submitted, canonical(accepted));
    const auto submitted = round_.oracle->tree_after(accepted.submitted);
    if (!submitted) {
      ++git_refuses_submitted_;
    } else if (*submitted != expected) {
      finding("git reads the submitted bytes in another way", accepted.submitted,
              canonical(accepted));
    }
  }

  static std::string canonical(const Accepted& accepted) {
    return diff::print_canonical(accepted.patch);
  }

  void finding(const std::string& what, const std::string& submitted,
               const std::string& canonical) {
    if (++findings_ > kMaxKept) return;
    const std::string name = fmt::format("{}/differential-{}-{}-{}", options_.findings,
                                         options_.seed, round_.number, findings_);
    std::fprintf(stderr, "FOUND %s (seed %llu, round %ld): %s.submitted\n", what.c_str(),
                 static_cast<unsigned long long>(options_.seed), round_.number, name.c_str());
    for (const auto& [suffix, bytes] :
         {std::pair<const char*, const std::string&>{".submitted", submitted},
          {".canonical", canonical}}) {
      if (auto written = sys::write_file_atomic(name + suffix, bytes); !written)
        std::fprintf(stderr, "%s\n", written.error().message.c_str());
    }
  }

  void report() const {
    const double share = executions_ == 0 ? 0
                                          : 100.0 * static_cast<double>(reached_policy_) /
                                                static_cast<double>(executions_);
    std::printf(
        "%-14s executions %-10zu reached policy %.1f%%  accepted and compared with git %zu  "
        "alone and as submitted %zu (git refuses %zu)  respelled %zu  findings %zu\n",
        "differential", executions_, share, compared_, singles_, git_refuses_submitted_, respelled_,
        findings_);
  }

  struct Round {
    long number = 0;
    Oracle* oracle = nullptr;
    MemorySource* source = nullptr;
    ObjectId base = ObjectId::of(HashKind::sha1, "tree", "");
  };

  const Options options_;
  const patch::CompiledPolicy exact_, unique_;
  Round round_;
  std::deque<Accepted> waiting_;  // addresses and the bytes that patches point into stay put
  std::unordered_set<std::size_t> seen_;
  std::size_t executions_ = 0, reached_policy_ = 0, compared_ = 0, singles_ = 0, respelled_ = 0;
  std::size_t git_refuses_submitted_ = 0, findings_ = 0;
};

bool read_number(const char* text, auto& number) {
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  return error == std::errc() && stop == end;
}

int main_with(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : "";
    bool ok = true;
    if (name == "--seconds") {
      ok = read_number(value, options.seconds);
    } else if (name == "--rounds") {
      ok = read_number(value, options.rounds);
    } else if (name == "--seed") {
      ok = read_number(value, options.seed);
    } else if (name == "--findings") {
      options.findings = value;
    } else {
      ok = false;
    }
    if (!ok) {
      std::fprintf(
          stderr,
          "usage: differential_fuzz --seconds N | --rounds N [--seed N] [--findings DIR]\n");
      return 2;
    }
  }
  return Fuzzer(options).run();
}

}  // namespace
}  // namespace gh::fuzz

int main(int argc, char** argv) { return gh::fuzz::main_with(argc, argv); }
