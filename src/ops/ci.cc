// `ci`: one command for every system that runs checks. It finds out where it is and what the change
// is, asks `check` and, where an agent is declared, the release gate, and leaves every report.
#include "ops/ci.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/product.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "git/repo.h"
#include "model/peek.h"
#include "ops/ci_outputs.h"
#include "ops/receipt_find.h"
#include "ops/release_session.h"
#include "ops/repo_config.h"
#include "ops/verdict_reports.h"
#include "ops/verify_side.h"
#include "policy/redact.h"
#include "report/formats.h"
#include "report/release_report.h"
#include "setup/ci_providers.h"
#include "sys/files.h"
#include "sys/process.h"
#include "sys/renamed_file.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using setup::CiPlace;
using Words = std::vector<std::string>;

constexpr std::size_t kMaxEvent = 8u << 20, kMaxReport = 256u << 20, kMaxComment = 1u << 20;
constexpr std::chrono::minutes kFetchPatience{10};
constexpr int kShownId = 12;

// table: variables that a fetch needs, and nothing else gets
constexpr std::array<std::string_view, 17> kFetchVariables{
    "PATH",          "HOME",           "USER",
    "SSH_AUTH_SOCK", "GIT_SSH",        "GIT_SSH_COMMAND",
    "GIT_ASKPASS",   "SSH_ASKPASS",    "SSL_CERT_FILE",
    "SSL_CERT_DIR",  "GIT_SSL_CAINFO", "http_proxy",
    "https_proxy",   "no_proxy",       "HTTP_PROXY",
    "HTTPS_PROXY",   "NO_PROXY"};
// table: files of ci that not every run leaves; those of an earlier one would be taken for its own
constexpr std::array<std::string_view, 10> kMadeSometimes{
    "verifier.json", "pr-comment.md", "report.json", "report.md",  "report.sarif",
    "packet.json",   "packet.md",     "packet.html", "packet.pdf", "host-diff.json"};
// table: options of ci that are those of the release gate
constexpr std::array<std::string_view, 9> kReleaseOptions{
    "config",    "ci-mode",     "fail-on",          "baseline",       "baseline-mode",
    "diff-from", "policy-pack", "pr-comment-style", "suggest-patches"};
// table: options of ci that are those of check
constexpr std::array<std::string_view, 4> kCheckOptionNames{"gates", "strictness", "strict",
                                                            "exit-review"};

/// The change: from where head left base.
struct CiRange {
  git::Repo repo;
  git::Commit base, head, fork;
  std::string base_ref{};  // as the release gate is told: a branch, where it is known
};

/// What is not here, by which words of git it comes, and whether a person named it.
struct Missing {
  std::string what{};
  Words fetch{};
  bool is_named = false;
};

std::string line_of(const Words& words) {
  std::string out = "git";
  for (const std::string& word : words)
    out += " " + (word.starts_with("--") ? word : shell_word(word));
  return out;
}

class Ci {
 public:
  Ci(const Request& request, Context& context)
      : request_(request),
        context_(context),
        variables_([&context](std::string_view name) { return context.env.variable(name); }) {}

  Result<Reply> run() {
    for (const char* option : {"base", "head"})
      if (request_.has(option)) GH_DO(check_ref(option, request_.text(option)));
    GH_TRY(asked, asked_reports(request_, context_));
    reports_ = std::move(asked);
    shown_folder_ = request_.text("out");
    folder_ = joined_path(context_.cwd, shown_folder_);
    const std::string named = request_.text("provider");
    provider_ = named == "auto" ? &setup::detected_provider(variables_) : setup::ci_provider(named);
    GH_TRY(event, read_event());
    facts_ = setup::ci_facts(*provider_, variables_, event);
    GH_DO(check_named());

    GH_DO(drop_stale());
    auto checked = check();
    documents_.verdict = verdict_of(checked);
    const ExitCode exit = exit_of(checked);
    documents_.exit_code = static_cast<int>(exit);
    find_receipt_of_head();
    GH_DO(write_all());
    GH_DO(tell_system());
    if (checked) return reply_of(std::move(*checked), exit);
    if (!context_.wants_document) GH_DO(context_.stream(commands_after()));
    return checked;
  }

 private:
  /// Which receipt the head has, by its note or a ref. Whether it vouches is for `receipt verify`.
  void find_receipt_of_head() {
    if (!range_) return;
    const auto found = find_receipt(range_->repo, nullptr, {.named = range_->head.id.hex()});
    if (found && found->status == Lookup::ok) documents_.receipt_digest = found->digest;
  }

  /// Only where an earlier run of ours was.
  Status drop_stale() const {
    if (sys::info(folder_ + "/verdict.jsonl").kind != sys::FileKind::file) return {};
    for (const std::string_view file : kMadeSometimes)
      GH_DO(sys::remove_file(fmt::format("{}/{}", folder_, file)));
    return {};
  }

  Value verdict_of(const Result<Reply>& checked) {
    if (!checked) return verdict_of_fault(checked.error(), context_);
    if (auto verdict = verdict_in(checked->document)) return std::move(*verdict);
    return verdict_of_fault({Code::internal_error, "check answered without a verdict"}, context_);
  }

  // --- where the change stands ---

  Result<Value> read_event() const {
    const std::string path = provider_->name == "github" ? variables_("GITHUB_EVENT_PATH") : "";
    if (path.empty()) return Value();
    auto bytes = sys::read_file(path, kMaxEvent);
    if (!bytes)
      return fail(bytes.error().code, std::move(bytes.error().message),
                  "GITHUB_EVENT_PATH names the file that describes the event; unset it, or choose "
                  "another system with --provider.");
    return wire::read_json(*bytes, "the event of the workflow", {}, wire::DuplicateKeys::last_wins);
  }

  bool is_shallow_clone(const git::Repo& repo) const {
    return sys::info(repo.common_dir() + "/shallow").kind == sys::FileKind::file;
  }

  Words fetch_words(const git::Repo& repo, Words what) const {
    Words out{"fetch", "--no-tags"};
    if (is_shallow_clone(repo)) out.emplace_back("--unshallow");
    out.emplace_back("origin");
    for (std::string& one : what)
      out.push_back(std::move(one));
    return out;
  }

  static std::string refspec_of(const std::string& branch) {
    return fmt::format("+refs/heads/{0}:refs/remotes/origin/{0}", branch);
  }

  static Result<git::Commit> branch_tip(git::Repo& repo, const std::string& branch) {
    auto remote = repo.objects().commit("refs/remotes/origin/" + branch);
    return remote ? std::move(remote) : repo.objects().commit("refs/heads/" + branch);
  }

  /// Where new branches leave the others, when nobody says.
  static std::optional<git::Commit> usual_base(git::Repo& repo, std::string& name) {
    for (const char* ref : {"refs/remotes/origin/HEAD", "refs/remotes/origin/main",
                            "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master"})
      if (auto commit = repo.objects().commit(ref)) {
        name = ref;
        return std::move(*commit);
      }
    return std::nullopt;
  }

  Result<git::Commit> find_head(git::Repo& repo, Missing& missing) const {
    if (request_.has("head")) {
      missing = {"the head " + request_.text("head"), {}, true};
      return repo.objects().commit(request_.text("head"));
    }
    for (const CiPlace& place : facts_.heads)
      if (auto commit = repo.objects().commit(place.name)) return commit;
    if (!facts_.heads.empty() && facts_.heads.front().kind == CiPlace::Kind::named) {
      missing = {named_place(facts_.heads.front()), {}, true};
      return fail(Code::ref_unresolved, missing.what);
    }
    if (facts_.heads.empty()) {
      missing = {"HEAD", fetch_words(repo, {}), false};
      return repo.objects().commit("HEAD");
    }
    const std::string& name = facts_.heads.front().name;
    missing = {"the head " + name, fetch_words(repo, {name}), false};
    return fail(Code::ref_unresolved, missing.what);
  }

  Result<git::Commit> find_base(git::Repo& repo, std::string& ref, Missing& missing) const {
    if (request_.has("base")) {
      ref = request_.text("base");
      missing = {"the base " + ref, fetch_words(repo, {}), true};
      return repo.objects().commit(ref);
    }
    switch (facts_.base.kind) {
      case CiPlace::Kind::commit:
        ref = facts_.base.name;
        missing = {"the base " + ref, fetch_words(repo, {ref}), false};
        return repo.objects().commit(ref);
      case CiPlace::Kind::named:
        ref = facts_.base.name;
        missing = {named_place(facts_.base), fetch_words(repo, {}), true};
        return repo.objects().commit(ref);
      case CiPlace::Kind::branch:
        ref = "origin/" + facts_.base.name;
        missing = {"the base " + ref, fetch_words(repo, {refspec_of(facts_.base.name)}), false};
        return branch_tip(repo, facts_.base.name);
      case CiPlace::Kind::usual:
        break;
    }
    missing = {"the default branch", fetch_words(repo, {"+refs/heads/*:refs/remotes/origin/*"}),
               false};
    if (auto commit = usual_base(repo, ref)) return std::move(*commit);
    return fail(Code::ref_unresolved, missing.what);
  }

  tl::unexpected<Error> not_here(const Missing& missing) const {
    const std::string how =
        missing.fetch.empty() ? std::string() : fmt::format("; run: {}", line_of(missing.fetch));
    return fail(missing.is_named ? Code::ref_unresolved : Code::git_failed,
                fmt::format("{} is not in this clone{}", printable(missing.what, 200), how),
                missing.fetch.empty() ? std::string() : line_of(missing.fetch));
  }

  /// The two ends and where they part, or what has to be fetched for it.
  Result<CiRange> find_range(std::optional<Missing>& missing) {
    missing.reset();
    GH_TRY(repo, open_to_read(context_));
    Missing lack;
    const auto lacks = [&]() -> tl::unexpected<Error> {
      missing = lack;
      return not_here(lack);
    };
    std::string ref;
    auto head = find_head(repo, lack);
    if (!head) return lacks();
    auto base = find_base(repo, ref, lack);
    if (!base) return lacks();
    const auto common = repo.merge_base(base->id, head->id);
    if (!common || !*common) {
      lack.what = "a commit that base and head have in common";
      return lacks();
    }
    GH_TRY(fork, repo.objects().commit((*common)->hex()));
    CiRange out{std::move(repo), std::move(*base), std::move(*head), std::move(fork), ref};
    prefer_branch(out);
    return out;
  }

  /// A filter of branches can be judged only where the branch is known that the change goes into.
  void prefer_branch(CiRange& range) const {
    if (facts_.target.empty() || facts_.base.kind != CiPlace::Kind::commit || request_.has("base"))
      return;
    const std::string ref = "refs/remotes/origin/" + facts_.target;
    const auto tip = range.repo.objects().commit(ref);
    if (!tip) return;
    const auto fork = range.repo.merge_base(tip->id, range.head.id);
    if (fork && *fork && **fork == range.fork.id) range.base_ref = ref;
  }

  Status fetch(const Missing& missing) const {
    GH_TRY(repo, open_to_read(context_));
    Words environment{"GIT_TERMINAL_PROMPT=0", "LC_ALL=C"};
    for (const std::string_view name : kFetchVariables)
      if (const std::string value = variables_(name); !value.empty())
        environment.push_back(fmt::format("{}={}", name, value));
    Words argv = missing.fetch;
    argv.insert(argv.begin(), repo.git_file());
    context_.progress("fetching what is missing");
    GH_TRY(done, sys::run({.argv = std::move(argv),
                           .environment = std::move(environment),
                           .cwd = repo.root(),
                           .timeout = kFetchPatience,
                           .give_up = context_.interrupted}));
    if (done.exit_code == 0) return {};
    return fail(Code::git_failed, fmt::format("{} ended with {}: {}", line_of(missing.fetch),
                                              done.exit_code, printable(done.err, 300)));
  }

  Result<CiRange> range() {
    std::optional<Missing> missing;
    auto found = find_range(missing);
    if (found || !missing || !request_.flag("fetch") || missing->fetch.empty()) return found;
    GH_DO(fetch(*missing));
    return find_range(missing);
  }

  // --- the gates ---

  Result<Reply> ask(std::string_view words, RawRequest raw) {
    const Operation* op = find_operation(words);
    GH_TRY(request, Request::make(*op, std::move(raw)));
    const bool wanted = context_.wants_document;
    const std::string surface = std::exchange(context_.surface, "ci");
    context_.wants_document = true;
    auto reply = op->run(request, context_);
    context_.wants_document = wanted;
    context_.surface = surface;
    return reply;
  }

  template <std::size_t N>
  void pass_on(const std::array<std::string_view, N>& names, std::string_view operation,
               RawRequest& raw) const {
    const Operation* op = find_operation(operation);
    for (const std::string_view name : names) {
      const Option* option = find_option(*op, name);
      if (!request_.has(name) || option == nullptr) continue;
      const bool is_list =
          option->type == OptionType::text_list || option->type == OptionType::path_list;
      if (option->type == OptionType::flag)
        raw.options[std::string(name)] = {request_.flag(name) ? "true" : "false"};
      else
        raw.options[std::string(name)] = is_list ? request_.list(name) : Words{request_.text(name)};
    }
  }

  Result<Reply> check() {
    GH_TRY(found, range());
    range_.emplace(std::move(found));
    context_.progress("asking the gates");
    RawRequest raw;
    raw.operands.push_back(fmt::format("{}..{}", range_->fork.id.hex(), range_->head.id.hex()));
    pass_on(kCheckOptionNames, "check", raw);
    auto reply = ask("check", std::move(raw));
    ask_host_diff();
    if (wants_release()) ask_release();
    return reply;
  }

  void ask_host_diff() {
    RawRequest raw;
    raw.options["base"] = {range_->fork.id.hex()};
    raw.options["head"] = {range_->head.id.hex()};
    if (auto reply = ask("release diff", std::move(raw))) host_diff_ = std::move(reply->document);
  }

  bool has_manifest_in(const ObjectId& tree) {
    const auto side = side_of_tree(range_->repo.objects(), tree, [] { return Result<Words>(); });
    return has_manifest_at(*side, std::string(surface::kStandAloneName)) ||
           has_manifest_at(*side, std::string(surface::kEmbeddedName));
  }

  bool wants_release() {
    const std::string word = request_.text("release");
    if (word != "auto") return word == "on";
    return request_.has("config") || has_manifest_in(range_->head.tree) ||
           has_manifest_in(range_->fork.tree);
  }

  void ask_release() {
    const bool is_scan = request_.text("release-mode") == "scan";
    const std::string words = is_scan ? "release scan" : "release verify";
    context_.progress(words);
    RawRequest raw;
    raw.options["out"] = {folder_};
    pass_on(kReleaseOptions, words, raw);
    if (!is_scan) {
      raw.options["base"] = {range_->base_ref};
      raw.options["head"] = {range_->head.id.hex()};
      if (!range_->repo.objects().commit(range_->base_ref))
        raw.options["base"] = {range_->base.id.hex()};
    } else if (!raw.options.contains("format")) {
      raw.options["format"] = {"markdown,json,sarif"};
    }
    auto reply = ask(words, std::move(raw));
    release_exit_ = reply ? reply->exit : exit_code(class_of(reply.error().code));
    release_why_ = reply ? reply->why : reply.error().message;
    documents_.release_exit = static_cast<int>(*release_exit_);
    if (!reply) {
      if (context_.notice) context_.notice(fmt::format("{}: {}", words, release_why_));
      return;
    }
    if (!is_scan) documents_.verifier = std::move(reply->document);
    take_release_files();
  }

  void take_release_files() {
    if (const auto bytes = sys::read_file(folder_ + "/report.json", kMaxReport))
      if (auto report = wire::read_json(*bytes, "report.json", {.max_bytes = kMaxReport},
                                        wire::DuplicateKeys::last_wins))
        documents_.report = std::move(*report);
    if (const auto bytes = sys::read_file(folder_ + "/pr-comment.md", kMaxComment))
      release_part_ = *bytes;
    for (const auto& [name, file] :
         {std::pair{"report_json", "report.json"}, std::pair{"report_markdown", "report.md"},
          std::pair{"report_sarif", "report.sarif"}, std::pair{"verifier_json", "verifier.json"},
          std::pair{"pr_comment", "pr-comment.md"}})
      if (sys::info(folder_ + "/" + file).kind == sys::FileKind::file)
        documents_.files.push_back({name, fmt::format("{}/{}", shown_folder_, file)});
  }

  /// A no is 1; else the first fault; else what the answer is worth (interfaces 5.6).
  ExitCode exit_of(const Result<Reply>& checked) const {
    const ExitCode own = checked ? checked->exit : exit_code(class_of(checked.error().code));
    const ExitCode release = release_exit_.value_or(ExitCode::done);
    ExitCode out = own == ExitCode::denied || release == ExitCode::denied ? ExitCode::denied
                   : own != ExitCode::done && own < ExitCode::review      ? own
                   : release != ExitCode::done                            ? release
                                                                          : own;
    const bool is_answer =
        out == ExitCode::denied || out == ExitCode::review || out == ExitCode::unverified;
    if (!is_answer || request_.text("mode") != "advise") return out;
    // A no is forgiven, what could not be judged beside it is not.
    const auto is_fault = [](ExitCode exit) {
      return exit > ExitCode::denied && exit < ExitCode::review;
    };
    return is_fault(own) ? own : is_fault(release) ? release : ExitCode::done;
  }

  // --- what is left behind ---

  report::FormatFrame frame() const {
    report::FormatFrame out{.job = request_.text("job"),
                            .repository_uri = facts_.address,
                            .revision = range_ ? range_->head.id.hex() : "",
                            .branch = facts_.branch,
                            .end_time_utc = to_string(context_.env.now()),
                            .exit_code = documents_.exit_code,
                            .release_part = release_part_,
                            .receipt_digest = documents_.receipt_digest};
    if (range_ && !facts_.file_link.empty())
      out.link = fmt::format("{}{}/", facts_.file_link, range_->head.id.hex());
    if (!host_diff_.is_null()) out.host_diff = &host_diff_;
    out.most_annotations =
        static_cast<std::size_t>(request_.integer("annotation-limit").value_or(50));
    return out;
  }

  Status write(std::string_view file, std::string_view bytes) {
    return sys::write_file_renamed(fmt::format("{}/{}", folder_, file), bytes);
  }

  Status write_all() {
    const report::FormatFrame about = frame();
    const Value& verdict = documents_.verdict;
    GH_DO(sys::make_folders(folder_));
    for (const report::FormatRow& form : report::verdict_formats())
      GH_DO(write(form.file, form.render(verdict, about)));
    GH_DO(write("comment.md", report::verdict_comment(verdict, about)));
    if (!host_diff_.is_null()) GH_DO(write("host-diff.json", wire::pretty_json(host_diff_)));
    for (const AskedReport& one : reports_)
      if (one.path != "-") GH_DO(write_report(one, verdict, about));
    for (const auto& [name, file] :
         {std::pair{"verdict_json", "verdict.json"}, std::pair{"comment", "comment.md"},
          std::pair{"sarif", "gatehouse.sarif"}})
      documents_.files.push_back({name, fmt::format("{}/{}", shown_folder_, file)});
    outputs_ = ci_outputs(documents_);
    return write("outputs.env", dotenv_outputs(outputs_));
  }

  Status tell_system() {
    if (provider_->name == "github") {
      if (const std::string path = variables_("GITHUB_OUTPUT"); !path.empty()) {
        std::string text = github_outputs(outputs_, context_.env.random_hex(32));
        text.pop_back();  // append_line ends it
        GH_DO(sys::append_line(path, text));
      }
      const std::string path = variables_("GITHUB_STEP_SUMMARY");
      if (request_.flag("summary") && !path.empty())
        if (!sys::append_line(path, report::verdict_summary(documents_.verdict, frame())) &&
            context_.notice)
          context_.notice("the summary of the step could not be written");
    }
    return {};
  }

  /// What the system is told behind the text for people.
  std::string commands_after() const {
    const bool annotates = request_.flag("annotations");
    if (provider_->name == "github" && annotates)
      return report::verdict_format("github")->render(documents_.verdict, frame());
    if (provider_->name != "azure") return {};
    return (annotates ? azure_issues(documents_.verdict) : std::string()) + azure_outputs(outputs_);
  }

  std::string last_words() const {
    const Peek v(documents_.verdict);
    const std::string what = range_
                                 ? fmt::format("{}..{}", range_->fork.id.hex().substr(0, kShownId),
                                               range_->head.id.hex().substr(0, kShownId))
                                 : std::string("no range");
    const std::string release =
        documents_.verifier.is_null() && documents_.report.is_null()
            ? std::string()
            : fmt::format("; release gate: {}",
                          Peek(documents_.report)["release_decision"]["decision"].exists()
                              ? Peek(documents_.report)["release_decision"]["decision"].text()
                              : Peek(documents_.verifier)["merge_verdict"].text());
    return fmt::format("{} ci: {} ({}, {}): {}{}; reports in {}\n", kProduct, v["decision"].text(),
                       provider_->name, what, printable(v["headline"].text(), 200), release,
                       printable(shown_folder_, 200));
  }

  Reply reply_of(Reply checked, ExitCode exit) {
    Reply reply;
    reply.exit = exit;
    if (exit != ExitCode::done)
      reply.why = exit == checked.exit ? checked.why : "release gate: " + release_why_;
    reply.document = documents_.verdict;
    const auto to_output = std::ranges::find(reports_, "-", &AskedReport::path);
    if (to_output != reports_.end()) {
      const std::string bytes = to_output->form->render(documents_.verdict, frame());
      reply.text = [bytes](const report::Look&) { return bytes; };
      return reply;
    }
    // Nothing that the change wrote can speak to the system while it does not listen.
    const bool is_github = provider_->name == "github";
    const std::string token = is_github ? context_.env.random_hex(32) : "";
    reply.text = [text = std::move(checked.text), last = last_words(), after = commands_after(),
                  token, is_azure = provider_->name == "azure"](const report::Look& look) {
      // Logs of a CI system are kept, and often public; lines of the change stand in the text.
      std::string shown = (text ? policy::redact(text(look)).text : std::string()) + last;
      if (is_azure) shown = without_azure_commands(std::move(shown));
      if (!token.empty()) shown = fmt::format("::stop-commands::{0}\n{1}::{0}::\n", token, shown);
      return shown + after;
    };
    return reply;
  }

  static Status check_ref(std::string_view option, const std::string& ref) {
    if (const auto defect = git::revision_defect(ref))
      return fail(Code::bad_argument, fmt::format("--{}: {}", option, *defect));
    return {};
  }

  static std::string named_place(const CiPlace& place) {
    return fmt::format("{} of {}", place.name, place.variable);
  }

  /// What a person said in a variable holds as what stands in an option: never something else.
  Status check_named() const {
    std::vector<const CiPlace*> places{&facts_.base};
    for (const CiPlace& head : facts_.heads)
      places.push_back(&head);
    for (const CiPlace* place : places) {
      if (place->kind != CiPlace::Kind::named) continue;
      if (const auto defect = git::revision_defect(place->name))
        return fail(Code::bad_argument, fmt::format("{}={}: {}", place->variable,
                                                    printable(place->name, 200), *defect));
    }
    return {};
  }

  const Request& request_;
  Context& context_;
  setup::CiVariables variables_;
  std::vector<AskedReport> reports_{};
  std::string folder_{}, shown_folder_{}, release_part_{}, release_why_{};
  const setup::CiProvider* provider_ = nullptr;
  setup::CiFacts facts_{};
  std::optional<CiRange> range_{};
  Value host_diff_{};
  CiDocuments documents_{};
  std::optional<ExitCode> release_exit_{};
  std::vector<CiOutput> outputs_{};
};

}  // namespace

Result<Reply> run_ci(const Request& request, Context& context) {
  return Ci(request, context).run();
}

}  // namespace gh::ops
