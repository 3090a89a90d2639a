// `release verify`: did this change widen what the agent may do, or what the gate lets through?
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "model/actor.h"
#include "model/peek.h"
#include "ops/kept_scans.h"
#include "ops/patch_session.h"
#include "ops/release_baseline.h"
#include "ops/release_files.h"
#include "ops/release_ops.h"
#include "ops/release_options.h"
#include "ops/release_outputs.h"
#include "ops/release_session.h"
#include "ops/release_setup.h"
#include "ops/signing.h"
#include "ops/verdict_reports.h"
#include "ops/verify_change.h"
#include "policy/redact.h"
#include "release/scan.h"
#include "release/verifier.h"
#include "report/release_comment.h"
#include "report/release_report.h"
#include "runs/attestation.h"
#include "runs/receipt.h"
#include "runs/release_receipt.h"
#include "sys/files.h"
#include "sys/renamed_file.h"
#include "wire/json.h"
#include "wire/spaced_json.h"

namespace gh::ops {
namespace {

using release::BaseStatus;
using release::HeadStatus;
using Texts = std::vector<std::string>;

constexpr std::string_view kVerifierFile = "verifier.json", kCommentFile = "pr-comment.md";
constexpr std::string_view kKeptReport = "report.json", kKeptLinks = "links.json";
constexpr std::size_t kMaxReport = 256u << 20, kKeyLength = 24;

/// One verification on its way through: what is known is in `facts`, whatever happens.
class Verification {
 public:
  Verification(const Request& request, Context& context, VerifyPlace place)
      : request_(request), context_(context), place_(std::move(place)) {
    facts_.workspace = place_.root;
    facts_.head_ref = request.has("head") ? request.text("head") : "HEAD";
    if (request.has("base")) facts_.base_ref = request.text("base");
  }

  Result<Reply> run() {
    GH_DO(find_key());
    GH_DO(find_config());
    GH_DO(find_folder());
    range_ = read_range(*place_.repo, {.base = facts_.base_ref,
                                       .head = request_.text("head"),
                                       .ignored_folder = folder_from_top()});
    take_range();
    if (range_.base_status == BaseStatus::ref_missing ||
        range_.base_status == BaseStatus::archive_failed || !range_.head)
      return unknown();
    open_sides();
    GH_DO(find_manifests());
    if (evaluate_triggers(); !facts_.trigger->should_run) return skipped();
    auto done = scan_head();
    if (!done) return failed(std::move(done.error()));
    return finish(ExitCode(scanned_->decision.exit_code == 0 ? ExitCode::done : ExitCode::denied));
  }

  Result<Reply> preview() {
    facts_.is_preview = true;
    GH_DO(find_config());
    GH_DO(find_folder());
    if (facts_.base_ref && place_.repo) {
      range_ = read_range(*place_.repo, {.base = facts_.base_ref,
                                         .head = request_.text("head"),
                                         .ignored_folder = folder_from_top()});
      facts_.base_notes = range_.notes;
      facts_.changed_files = range_.changed;
      facts_.has_diff_text = range_.has_diff;
    }
    return preview_of(place_.root + (place_.below.empty() ? "" : "/" + place_.below));
  }

 private:
  /// --attest: the key of the house, asked for before anything is done.
  Status find_key() {
    if (!request_.has("attest")) return {};
    if (!request_.has("head"))
      return fail(Code::bad_argument,
                  "--attest needs --head: a work tree has no id that a signature could name");
    if (!writes())
      return fail(Code::bad_argument,
                  "--attest names the reports that were written: leave "
                  "--no-reports out");
    GH_TRY(config, store_config(*place_.repo));
    GH_TRY(key, read_signing_key(*place_.repo, config));
    if (!key)
      return fail(Code::signing_key_invalid,
                  fmt::format("--attest needs a key: name one as store.signing_key in {} on the "
                              "usual branch",
                              surface::kEmbeddedName));
    key_ = std::move(key);
    return {};
  }

  // --- where things are ---

  /// The manifest that is meant, from the top: that of --config, or the one that the folder, else
  /// the top, has on either side.
  Status find_config() {
    const std::string start = place_.below.empty() ? place_.root : place_.root + "/" + place_.below;
    if (request_.has("config")) {
      const std::string path = joined_path(start, request_.text("config"));
      if (!path.starts_with(place_.root + "/"))
        return fail(Code::bad_argument,
                    fmt::format("--config {} is outside of the repository", printable(path, 400)));
      config_ = path.substr(place_.root.size() + 1);
    }
    return {};
  }

  Status choose_config() {
    if (!config_.empty()) return {};
    Texts places{place_.below};
    if (!place_.below.empty()) places.emplace_back("");
    for (VerifySide* side : {head_.get(), base_.get()}) {
      if (side == nullptr) continue;
      for (const std::string& folder : places) {
        const std::string embedded = from_top(folder, surface::kEmbeddedName),
                          alone = from_top(folder, surface::kStandAloneName);
        const bool has_block = has_manifest_at(*side, embedded),
                   has_file = has_manifest_at(*side, alone);
        if (has_block && has_file)
          return fail(Code::policy_bad_value,
                      fmt::format("both {} and the block {} of {} are there; keep one", alone,
                                  surface::kEmbeddedBlock, embedded));
        if (has_block || has_file) {
          config_ = has_block ? embedded : alone;
          return {};
        }
      }
    }
    config_ = from_top(place_.below, surface::kStandAloneName);
    return {};
  }

  Status find_folder() {
    if (request_.has("out")) folder_ = joined_path(context_.cwd, request_.text("out"));
    if (writes() && folder_.empty() && place_.repo && place_.repo->is_bare())
      return fail(Code::bad_argument,
                  "a bare repository has no place for reports; name one with --out DIR");
    return {};
  }

  bool writes() const { return request_.flag("reports"); }

  /// What the gate writes is no change: it would be one of the second run.
  std::string folder_from_top() const {
    if (folder_.empty()) return std::string("gatehouse-reports");
    return folder_.starts_with(place_.root + "/") ? folder_.substr(place_.root.size() + 1) : "";
  }

  std::string usual_folder() const {
    if (!folder_.empty()) return folder_;
    const bool is_old = context_.program == kOldName || config_.ends_with(surface::kStandAloneName);
    return from_top(from_top(place_.root, folder_in(config_)).ends_with('/')
                        ? place_.root
                        : joined_path(place_.root, folder_in(config_)),
                    is_old ? "agents-shipgate-reports" : "gatehouse-reports");
  }

  void take_range() {
    facts_.base_status = range_.base_status;
    facts_.base_notes = range_.notes;
    facts_.changed_files = range_.changed;
    facts_.has_diff_text = range_.has_diff;
    if (range_.fork) facts_.base_tree = range_.fork->tree.hex();
    if (range_.head && !range_.with_work_tree) facts_.head_tree = range_.head->tree.hex();
  }

  void open_sides() {
    git::Repo& repo = *place_.repo;
    // What is read next, in one wait for each side.
    const std::set<std::string> soon{from_top(place_.below, surface::kEmbeddedName),
                                     from_top(place_.below, surface::kStandAloneName)};
    if (!range_.with_work_tree) repo.objects().expect(range_.head->tree, soon);
    if (range_.fork) repo.objects().expect(range_.fork->tree, soon);
    if (range_.fork)
      base_ = side_of_tree(repo.objects(), range_.fork->tree, [this] { return base_links(); });
    if (range_.with_work_tree) {
      head_ = side_on_disk(repo, place_.root, range_.head->tree, range_.changed);
    } else {
      head_ = side_of_tree(repo.objects(), range_.head->tree, [this] { return head_links(); });
    }
  }

  /// To find the links of a tree every folder of it is read: kept with the scan of that tree.
  Result<Texts> base_links() {
    if (base_links_) return *base_links_;
    const bool is_keyed = !base_config_.empty();
    if (const auto bytes = is_keyed ? kept().read(base_key(), kKeptLinks) : std::nullopt) {
      const auto read = wire::read_json(*bytes, kKeptLinks);
      if (read && Peek(*read)["links"].exists()) {
        base_links_.emplace();
        for (const Value& link : Peek(*read)["links"].list())
          base_links_->emplace_back(Peek(link).text());
        return *base_links_;
      }
    }
    GH_TRY(links, place_.repo->objects().links_in(range_.fork->tree));
    base_links_ = std::move(links);
    const auto is_text = [](const std::string& link) { return link == utf8_or_escaped(link); };
    if (is_keyed && std::ranges::all_of(*base_links_, is_text))
      kept().keep(base_key(), kKeptLinks,
                  wire::canonical_json(Map{{"links", string_list(*base_links_)}}));
    return *base_links_;
  }

  Result<Texts> head_links() {
    git::Objects& objects = place_.repo->objects();
    if (!range_.fork) return objects.links_in(range_.head->tree);
    GH_TRY(links, base_links());
    return links_after(links, range_.changed, objects, range_.head->tree);
  }

  /// The manifest of base stands where head's does, or where the only one that the change takes
  /// away stood.
  Status find_manifests() {
    GH_DO(choose_config());
    facts_.config = config_;
    if (!base_) return {};
    base_config_ = config_;
    if (has_manifest_at(*base_, config_)) return {};
    Texts gone;
    for (const std::string& path : range_.changed) {
      const checks::TrustRoot* root = checks::trust_root_of(path);
      if (root != nullptr && root->kind == "manifest" && has_manifest_at(*base_, path) &&
          !has_manifest_at(*head_, path))
        gone.push_back(path);
    }
    base_config_ = gone.size() == 1 ? gone.front() : "";
    if (gone.size() == 1)
      facts_.base_notes.push_back(fmt::format("base_manifest_moved: {}", printable(gone[0], 300)));
    return {};
  }

  void evaluate_triggers() {
    const bool in_head = has_manifest_at(*head_, config_),
               in_base = base_ && has_manifest_at(*base_, config_);
    facts_.trigger = release::TriggerCatalogue::built_in().evaluate(
        {.changed_files = range_.changed,
         .diff = range_.diff,
         .manifest_present = in_head,
         .user_requested = true,
         .forced = in_base && !in_head,
         .gatehouse_yaml = config_.ends_with(surface::kEmbeddedName) ? config_ : "",
         .program = context_.program});
  }

  // --- the two scans ---

  /// Packs of the command line that lie in the repository are those of the tree that is scanned.
  Texts packs_given(const std::string& folder) const {
    Texts out;
    const std::string prefix = folder + "/";
    for (const std::string& given : request_.list("policy-pack")) {
      const std::string path = joined_path(context_.cwd, given);
      out.push_back(path.starts_with(prefix) ? path.substr(prefix.size()) : path);
    }
    return out;
  }

  const KeptScans& kept() {
    if (!kept_) kept_.emplace(place_.repo->state_dir(), place_.root, context_.env);
    return *kept_;
  }

  std::string shown(const std::string& path) const {
    return path.starts_with(place_.root + "/") ? path.substr(place_.root.size() + 1) : path;
  }

  std::string base_key() const {
    Map packs;
    for (const std::string& given : request_.list("policy-pack")) {
      const auto bytes = sys::read_file(joined_path(context_.cwd, given), surface::kMaxInputFile);
      packs.set(given, bytes ? digest_of(*bytes).hex() : "");
    }
    const Value key = Map{{"version", 1},
                          {"product_version", kVersion},
                          {"base_tree", range_.fork->tree.hex()},
                          {"config", base_config_},
                          {"root", place_.root},
                          {"program", context_.program},
                          {"today", to_string(context_.env.now()).substr(0, 10)},
                          {"policy_packs", std::move(packs)},
                          {"profile", request_.text("profile")},
                          {"no_heuristics", !request_.flag("heuristics")}};
    return digest_of(wire::canonical_json(key)).hex().substr(0, kKeyLength);
  }

  std::optional<release::DiffReference> kept_base(const std::string& key) {
    const auto bytes = kept().read(key, kKeptReport);
    if (!bytes) return std::nullopt;
    auto reference = release::read_diff_reference(*bytes, shown(kept().place(key, kKeptReport)));
    if (!reference || reference->kind != "report" || !checks::declared_policy(reference->document))
      return std::nullopt;
    return std::move(*reference);
  }

  /// What head is compared with. A base that cannot be scanned leaves a note and no reference.
  Result<std::optional<release::DiffReference>> base_reference() {
    if (request_.has("diff-from")) {
      GH_TRY(given, given_reference(request_, context_));
      facts_.base_status = BaseStatus::diff_from_provided;
      return std::optional(std::move(given));
    }
    if (!base_) return std::nullopt;
    const auto note = [&](BaseStatus status, std::string text) {
      facts_.base_status = status;
      facts_.base_notes.push_back(std::move(text));
      return std::optional<release::DiffReference>();
    };
    if (base_config_.empty())
      return note(BaseStatus::missing_manifest, "the base has no manifest to compare with");
    const std::string key = base_key(), path = kept().place(key, kKeptReport);
    if (auto known = kept_base(key)) {
      facts_.base_status = BaseStatus::cache_hit;
      facts_.base_report = shown(path);
      GH_TRY(loaded, manifest_of(*base_, base_config_, place_.root));
      if (loaded) packs_ = packs_of(*loaded, base_config_);
      return known;
    }
    auto loaded = manifest_of(*base_, base_config_, place_.root);
    if (!loaded)
      return note(BaseStatus::scan_failed,
                  "the manifest of the base is not valid: " + loaded.error().message);
    if (!*loaded)
      return note(BaseStatus::missing_manifest, "the base has no manifest to compare with");
    packs_ = packs_of(**loaded, base_config_);
    release::ScanOptions options;
    options.ci_mode = release::CiMode::advisory;
    options.fail_on.emplace();
    options.no_heuristics = !request_.flag("heuristics");
    if (request_.has("profile"))
      options.profile = request_.text("profile") == "compat" ? surface::Profile::compat
                                                             : surface::Profile::extended;
    options.policy_packs = packs_given((*loaded)->folder);
    options.today = to_string(context_.env.now()).substr(0, 10);
    options.program = context_.program;
    options.manifest_dir = (*loaded)->folder;
    options.declares_policy = true;
    const auto files = base_->files(folder_in(base_config_));
    auto scanned = release::scan((*loaded)->manifest, *files, options);
    if (!scanned)
      return note(scanned.error().code == Code::document_too_large ? BaseStatus::archive_failed
                                                                   : BaseStatus::scan_failed,
                  "the base could not be scanned: " + printable(scanned.error().message, 400));
    kept().keep(key, kKeptReport, wire::report_json(scanned->document));
    facts_.base_status = BaseStatus::succeeded;
    facts_.base_report = shown(path);
    return release::DiffReference{"report", shown(path), std::move(scanned->document)};
  }

  std::string baseline_path(const surface::Manifest& manifest) const {
    return given_baseline_path(request_, joined_path(place_.root, folder_in(config_)), manifest,
                               context_);
  }

  /// A baseline of the repository is that of the tree that is scanned.
  Result<std::optional<release::BaselineFile>> given_baseline(const LoadedManifest& loaded) {
    if (!request_.has("baseline")) return std::nullopt;
    const std::string path = baseline_path(loaded.manifest);
    const std::string shown_as =
        request_.text("baseline") == kUsualBaseline ? shown(path) : request_.text("baseline");
    const auto tell_missing = [&] { context_.fault = no_baseline(shown_as, context_); };
    if (!path.starts_with(place_.root + "/") || range_.with_work_tree) {
      GH_DO(check_audit_log(path, loaded.manifest, loaded.folder));
      if (sys::info_follow(path).kind == sys::FileKind::missing) tell_missing();
      GH_TRY(file, read_baseline_file(path, shown_as, loaded.manifest));
      return std::optional(std::move(file));
    }
    const std::string inside = path.substr(place_.root.size() + 1);
    auto bytes = head_->text(inside, kMaxBaseline);
    if (!bytes) {
      tell_missing();
      return fail(
          Code::input_unreadable,
          fmt::format("{}: there is no such file in the head's tree", printable(shown_as, 400)));
    }
    GH_TRY(baseline, release::read_baseline(*bytes, shown_as));
    return release::BaselineFile{std::move(baseline), std::move(*bytes), shown_as,
                                 head_->text(audit_log_of(inside, loaded.manifest), kMaxBaseline),
                                 audit_log_of(shown_as, loaded.manifest)};
  }

  Texts baselines(const LoadedManifest& loaded) const {
    Texts out{from_top(folder_in(config_), usual_baseline_name(loaded.manifest))};
    if (request_.has("baseline")) {
      const std::string path = baseline_path(loaded.manifest);
      if (path.starts_with(place_.root + "/")) out.push_back(path.substr(place_.root.size() + 1));
    }
    return out;
  }

  Status scan_head() {
    context_.progress("reading the manifest of the head");
    GH_TRY(loaded, manifest_of(*head_, config_, place_.root));
    if (!loaded)
      return fail(Code::policy_unreadable,
                  fmt::format("the head has no manifest {}", printable(config_, 400)));
    if (folder_.empty()) {
      // The head says where reports go; out of its folder it may not lead.
      const auto named = folder_of(*loaded, context_);
      folder_ = named && named->starts_with(place_.root + "/") ? *named : usual_folder();
    }
    context_.progress("scanning the base");
    GH_TRY(reference, base_reference());
    context_.progress("scanning the head");
    const ReleaseOutputs outputs = verification_outputs(folder_, *loaded, context_);
    GH_TRY(options, plain_scan_options(request_, *loaded, outputs, context_));
    options.policy_packs = packs_given(loaded->folder);
    options.has_step_summary = writes() && tells_step(context_);
    GH_TRY(baseline, given_baseline(*loaded));
    options.baseline = std::move(baseline);
    options.diff_from = std::move(reference);
    for (const std::string& pack : packs_of(*loaded, config_))
      packs_.push_back(pack);
    GH_TRY(change, change_facts({.changed = range_.changed,
                                 .base = base_.get(),
                                 .head = *head_,
                                 .manifest = config_,
                                 .base_manifest = base_config_,
                                 .target_branch = target_branch_of(facts_.base_ref.value_or("")),
                                 .packs = packs_,
                                 .baselines = baselines(*loaded)}));
    options.change = std::move(change);
    const auto files = head_->files(folder_in(config_));
    GH_TRY(scanned, release::scan(loaded->manifest, *files, options));
    if (writes()) {
      GH_DO(write_outputs(outputs, scanned, context_));
      tell_step(scanned.document, context_);
    }
    scanned_ = std::move(scanned);
    facts_.head_status = HeadStatus::succeeded;
    facts_.head_exit_code = scanned_->decision.exit_code;
    facts_.report = &scanned_->document;
    if (writes()) facts_.head_report = shown(fmt::format("{}/report.json", folder_));
    return {};
  }

  // --- the ends ---

  Result<Reply> unknown() {
    facts_.head_exit_code = mapped(ExitCode::usage, context_.exits);
    facts_.next = {.kind = "command",
                   .command = range_.fetch_line,
                   .why = range_.notes.empty() ? "" : range_.notes.back()};
    if (range_.fetch_line.empty()) facts_.next.kind = "info";
    tell_agent();
    if (config_.empty()) config_ = from_top(place_.below, surface::kStandAloneName);
    facts_.config = config_;
    return finish(ExitCode::usage);
  }

  /// What an agent does next, where nothing could be judged.
  void tell_agent() {
    if (context_.fault) return;
    context_.fault = report::AgentFault{
        .next_actions = {report::next_action(facts_.next.command.empty() ? "review" : "command",
                                             facts_.next.command, facts_.next.why)}};
  }

  Result<Reply> skipped() {
    if (facts_.base_ref) facts_.base_status = BaseStatus::skipped;
    facts_.head_exit_code = 0;
    facts_.next = {.why = facts_.trigger->rationale};
    return finish(ExitCode::done);
  }

  Result<Reply> failed(Error error) {
    const ExitCode exit = exit_code(class_of(error.code));
    facts_.head_status = HeadStatus::failed;
    facts_.head_exit_code = mapped(exit, context_.exits);
    facts_.failure = printable(error.message, 1000);
    facts_.next = {
        .kind = "command",
        .command = fmt::format("{} doctor --config {} --json", context_.program, config_),
        .why = facts_.failure};
    if (context_.fault && !context_.fault->next_actions.empty())
      if (const std::string_view known =
              Peek(context_.fault->next_actions.front())["command"].text();
          !known.empty())
        facts_.next.command = known;
    tell_agent();
    return finish(exit);
  }

  Result<Reply> preview_of(const std::string& folder) {
    const std::string config = config_.empty() ? std::string(surface::kStandAloneName) : config_;
    const bool has_file = sys::info_follow(folder + "/" + config).kind == sys::FileKind::file ||
                          sys::info_follow(place_.root + "/" + config).kind == sys::FileKind::file;
    const auto embedded =
        sys::read_file(folder + "/" + std::string(surface::kEmbeddedName), surface::kMaxManifest);
    const bool is_present = has_file || (embedded && surface::has_embedded_manifest(*embedded));
    config_ = config;
    facts_.config = config;
    facts_.trigger =
        release::TriggerCatalogue::built_in().evaluate({.changed_files = facts_.changed_files,
                                                        .diff = range_.diff,
                                                        .manifest_present = is_present,
                                                        .user_requested = true,
                                                        .program = context_.program});
    const std::string& program = context_.program;
    if (is_present) {
      facts_.next = {.kind = "verify",
                     .command = fmt::format("{} verify --base {} --head {} --json", program,
                                            shell_word(facts_.base_ref.value_or("origin/main")),
                                            shell_word(facts_.head_ref)),
                     .why = "There is a manifest; verify the change against its base."};
    } else if (facts_.has_diff_text && !facts_.trigger->should_run) {
      facts_.next = {.why = "No rule of the catalogue fits the change."};
    } else {
      const auto found = detect_folder(folder);
      const bool has_sources = found && !found->found.sources.empty();
      facts_.next = has_sources
                        ? release::NextAction{.kind = "init",
                                              .command = program +
                                                         " init --workspace . --write "
                                                         "--ci --agent-instructions=all",
                                              .why =
                                                  "Sources of tools were found, and there is no "
                                                  "manifest yet."}
                        : release::NextAction{.kind = "detect",
                                              .command = program + " detect --workspace . --json",
                                              .why = "Look for agents first."};
    }
    return finish(ExitCode::done);
  }

  /// An earlier report would be taken for this one's. A preview judges nothing, and takes none away
  /// (docs/adr/0046).
  Status drop_stale(const std::string& folder) const {
    if (facts_.report != nullptr || facts_.is_preview) return {};
    return drop_other_reports(folder, {});
  }

  Status write_answer(const std::string& folder, const Value& document) const {
    GH_DO(sys::make_folders(folder));
    GH_DO(drop_stale(folder));
    const bool by_findings = request_.text("pr-comment-style") == "findings";
    const std::string comment = report::release_comment(
        {.verifier = document,
         .report = facts_.report,
         .style =
             by_findings ? report::CommentStyle::findings : report::CommentStyle::capability_review,
         .marker = context_.program == kOldName
                       ? "<!-- agents-shipgate-pr-comment -->"
                       : "<!-- gatehouse:comment:v1 repo=local job=release -->"});
    GH_DO(sys::write_file_renamed(fmt::format("{}/{}", folder, kCommentFile), comment));
    return sys::write_file_renamed(fmt::format("{}/{}", folder, kVerifierFile),
                                   wire::report_json(document) + "\n");
  }

  Result<Reply> finish(ExitCode exit) {
    const std::string folder = folder_.empty() ? usual_folder() : folder_;
    const auto artifact = [&](const char* name, std::string_view file) {
      facts_.artifacts.emplace_back(name, shown(fmt::format("{}/{}", folder, file)));
    };
    if (writes()) {
      artifact("verifier_json", kVerifierFile);
      artifact("pr_comment", kCommentFile);
    }
    if (writes() && facts_.report != nullptr) {
      artifact("report_json", "report.json");
      artifact("report_markdown", "report.md");
      artifact("report_sarif", "report.sarif");
      artifact("packet_json", "packet.json");
    }
    Value document = release::verifier_document(facts_);
    if (writes()) GH_DO(write_answer(folder, document));
    if (key_) GH_DO(attest(folder, document));
    Reply reply;
    reply.exit = exit;
    if (exit != ExitCode::done)
      reply.why =
          fmt::format("{}: {}", Peek(document)["merge_verdict"].text(),
                      facts_.failure.empty() ? Peek(document)["first_next_action"]["why"].text()
                                             : std::string_view(facts_.failure));
    const bool as_json = request_.text("format") == "json";
    reply.document = document;
    reply.text = [document = std::move(document), as_json,
                  kept = scanned_ ? scanned_->workings : nullptr](const report::Look& look) {
      return as_json ? report::printed_document(document) : report::verify_text(document, look);
    };
    return reply;
  }

  /// The decision as a signed statement: a receipt of kind release, kept by the ledger too.
  Status attest(const std::string& folder, const Value& document) {
    runs::ReleaseReceiptFacts facts{.verifier = document,
                                    .repo_id = repository_id(*place_.repo),
                                    .base_commit = range_.fork ? range_.fork->id.hex() : "",
                                    .actor = local_actor(context_.env.user_id()),
                                    .created_utc = to_string(context_.env.now())};
    for (const auto& [name, path] : facts_.artifacts) {
      const std::string file = path.substr(path.rfind('/') + 1);
      GH_TRY(bytes, sys::read_file(fmt::format("{}/{}", folder, file), kMaxReport));
      facts.artifacts.emplace_back(file, digest_of(bytes).hex());
    }
    Map receipt = runs::release_receipt(facts);
    GH_DO(runs::sign_receipt(receipt, *key_));
    const std::string commit = range_.head ? range_.head->id.hex() : "";
    GH_TRY(envelope, runs::dsse_envelope(runs::in_toto_statement(receipt, commit), *key_));
    store::Document record = runs::receipt_record(std::move(receipt));
    GH_TRY(ledger, open_ledger(*place_.repo, context_.env));
    store::Change change;
    change.events.push_back(
        {.ts = context_.env.now(),
         .event = "release.verified",
         .actor = to_value(facts.actor),
         .surface = context_.surface,
         .subject = Map{{"receipt_digest", record.digest}},
         .payload = Map{{"merge_verdict", Peek(document)["merge_verdict"].text()},
                        {"base_ref", facts_.base_ref.value_or("")},
                        {"head_ref", facts_.head_ref},
                        {"head_tree", facts_.head_tree}}});
    change.document = std::move(record);
    GH_TRY(seq, ledger->commit(change, store::Durability::durable));
    (void)seq;
    return sys::write_file_renamed(joined_path(context_.cwd, request_.text("attest")),
                                   wire::pretty_json(envelope));
  }

  const Request& request_;
  Context& context_;
  VerifyPlace place_;
  std::optional<runs::SigningKey> key_{};
  release::VerifierFacts facts_{};
  ChangeRange range_{};
  std::string config_{}, base_config_{}, folder_{};
  Texts packs_{};
  std::optional<KeptScans> kept_{};
  std::optional<Texts> base_links_{};
  std::unique_ptr<VerifySide> head_{}, base_{};
  std::optional<release::ScanReport> scanned_{};
};

Result<Reply> verify_asked(const Request& request, Context& context) {
  for (const char* option : {"base", "head"})
    if (request.has(option)) GH_DO(check_ref(option, request.text(option)));
  const std::string workspace = joined_path(context.cwd, request.text("workspace"));
  if (sys::info_follow(workspace).kind != sys::FileKind::folder)
    return fail(Code::bad_argument,
                fmt::format("there is no folder {}", printable(workspace, 400)));
  auto place = open_verify_place(workspace, context);
  if (request.flag("preview") && request.has("attest"))
    return fail(Code::bad_argument, "a preview decides nothing, so there is nothing to attest");
  if (!request.flag("preview")) {
    if (!place) return tl::make_unexpected(std::move(place.error()));
    return Verification(request, context, std::move(*place)).run();
  }
  GH_TRY(root, sys::real_path(workspace));
  VerifyPlace plain{.root = std::move(root)};
  return Verification(request, context, place ? std::move(*place) : std::move(plain)).preview();
}

}  // namespace

Result<Reply> release_verify(const Request& request, Context& context) {
  return with_reports(request, context, verify_asked);
}

}  // namespace gh::ops
