#include "ops/patch_session.h"

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/exit_code.h"
#include "ops/ledger_place.h"
#include "ops/repo_config.h"
#include "report/patch_text.h"
#include "store/spool.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxNarrowBytes = 1u << 20;

git::OpenOptions open_options(const Context& context, const std::string& git_folder) {
  git::OpenOptions out{
      .folder = context.cwd, .git_folder = git_folder, .expected_checks = 1, .check_later = true};
  if (context.given != nullptr) out.given = *context.given;
  return out;
}

Result<std::string> config_text(git::Repo& repo, const ObjectId& tree, bool& found) {
  GH_TRY(entry, patch::find_entry(repo.objects(), tree, kConfigFile));
  found = entry.has_value();
  if (!found) return std::string();
  if (entry->mode != FileMode::regular && entry->mode != FileMode::executable)
    return fail(Code::policy_unreadable,
                fmt::format("{} at the base is no regular file", kConfigFile));
  return repo.objects().blob(entry->id);
}

/// A policy with what is derived from it.
struct ReadyPolicy {
  explicit ReadyPolicy(const policy::PatchPolicy& values)
      : compiled(values), sha256(policy::policy_digest(values).hex()) {}
  patch::CompiledPolicy compiled;
  std::string sha256;
};

/// Whoever may commit must not thereby choose the program that judges.
Status refuse_git_of_repository(const git::Repo& repo, const std::string& folder) {
  const auto program = sys::real_path(folder + "/git");
  if (!program) return {};  // opening says that there is none
  for (const std::string& inside : {repo.root(), repo.git_dir(), repo.common_dir()})
    if (program->starts_with(inside + "/"))
      return fail(Code::git_not_found,
                  fmt::format("patch.git.path names '{}', which lies inside the repository",
                              printable(*program, 400)));
  return {};
}

struct Narrowing {
  std::string bytes{};  // as handed in
  Value document;
};

/// --narrow FILE, then --max-files and --max-added on top of it.
Result<Narrowing> read_narrowing(const Request& request) {
  Narrowing out{.document = Map()};
  if (request.has("narrow")) {
    const std::string file = request.text("narrow");
    auto text = sys::read_named_file(file, kMaxNarrowBytes);
    if (!text) return fail(Code::policy_unreadable, file + ": " + text.error().message);
    out.bytes = std::move(*text);
    auto value = wire::read_json(out.bytes, file);
    if (!value) return fail(Code::policy_unreadable, value.error().message);
    out.document = std::move(*value);
  }
  for (const auto& [option, key] :
       {std::pair{"max-files", "max_files"}, {"max-added", "max_added_lines"}})
    if (const auto limit = request.integer(option); limit && out.document.as_map() != nullptr)
      out.document.as_map()->set(key, *limit);
  return out;
}

}  // namespace

bool is_shallow(const git::Repo& repo) {
  return sys::info(repo.common_dir() + "/shallow").kind != sys::FileKind::missing;
}

std::string repository_id(git::Repo& repo) {
  if (is_shallow(repo)) {  // its oldest commit is no root, and another one tomorrow
    const auto oldest = repo.root_commit();
    return oldest ? oldest->hex() : std::string();
  }
  const std::string file = repo.state_dir() + "/cache/repo-id";
  if (const auto kept = sys::read_file(file, 100); kept && ObjectId::parse(*kept)) return *kept;
  const auto id = repo.root_commit();
  if (!id) return {};
  if (sys::make_folders(repo.state_dir() + "/cache")) (void)sys::write_file_atomic(file, id->hex());
  return id->hex();
}

patch::RepoFacts PatchSession::facts() const {
  return {.head = head,
          .base_commit = base.id.hex(),
          .base_tree = base.tree.hex(),
          .git_version = git::to_string(repo.git_version())};
}

Result<BaseConfig> read_base_config(git::Repo& repo, const std::string& revision,
                                    const std::string& policy_at) {
  GH_TRY(base, repo.objects().commit(revision));
  GH_TRY(rules, policy_at.empty() ? Result<git::Commit>(base) : repo.objects().commit(policy_at));
  bool found = false;
  GH_TRY(text, config_text(repo, rules.tree, found));
  if (!found) return BaseConfig{std::move(base), policy::default_patch_policy(), {}, "defaults"};
  GH_TRY(config, policy::parse_config(text, kConfigFile));
  std::string source = fmt::format("{}:{}", rules.id.hex(), kConfigFile);
  return BaseConfig{std::move(base), std::move(config.patch), std::move(config.store),
                    std::move(source)};
}

Result<PatchSession> open_patch_session(const Request& request, Context& context, std::string base,
                                        const std::string& policy_at) {
  if (base.empty()) base = request.has("base") ? request.text("base") : "HEAD";
  GH_TRY(narrowing, read_narrowing(request));
  context.progress("opening the repository");
  GH_TRY(opened, git::Repo::open(open_options(context, {}), context.env));
  ReadyPolicy ready(policy::default_patch_policy());  // git is still starting, and most keep it
  context.progress("reading the policy at the base commit");
  auto read = read_base_config(opened, base, policy_at);
  if (!read && read.error().code == Code::ref_unresolved && base == "HEAD")
    read.error().message = "there is no commit yet, so there is no base to judge against";
  if (!read) return tl::make_unexpected(std::move(read).error());
  BaseConfig& found = *read;
  git::Repo repo = std::move(opened);
  if (!found.patch.git_path.empty()) {
    GH_DO(repo.check_owners(found.patch.trusted_owners, context.env));
    GH_DO(refuse_git_of_repository(repo, found.patch.git_path));
    GH_TRY(again, git::Repo::open(open_options(context, found.patch.git_path), context.env));
    repo = std::move(again);
  }
  GH_TRY(narrowed,
         policy::narrow(found.patch, narrowing.document,
                        request.has("narrow") ? request.text("narrow") : "the command line"));
  const policy::PatchPolicy& effective = narrowed.policy;
  GH_DO(repo.check_owners(effective.trusted_owners, context.env));
  GH_DO(repo.check_version(effective.git_allow_old));
  if (context.given == nullptr) GH_DO(repo.check_idle());  // else git itself holds the index
  repo.set_timeout(effective.git_timeout_ms);
  const auto head =
      base == "HEAD"
          ? Result<std::string>(found.base.id.hex())
          : repo.objects().commit("HEAD").map([](const git::Commit& c) { return c.id.hex(); });
  const std::string profile = request.has("profile") ? request.text("profile") : effective.profile;
  const std::string repo_id = repository_id(repo);
  if (effective != ready.compiled.values) ready = ReadyPolicy(effective);
  return PatchSession{.repo = std::move(repo),
                      .store = std::move(found.store),
                      .policy = std::move(ready.compiled),
                      .policy_source = std::move(found.source),
                      .policy_sha256 = std::move(ready.sha256),
                      .notes = std::move(narrowed.notes),
                      .narrowing = std::move(narrowing.bytes),
                      .base = std::move(found.base),
                      .head = head.value_or(""),
                      .repo_id = repo_id,
                      .profile = profile == "git" ? diff::Profile::git : diff::Profile::strict,
                      .actor = actor_of(context)};
}

report::DocumentContext document_context(const PatchSession& session, Timestamp now) {
  return {.policy = &session.policy.values,
          .policy_source = session.policy_source,
          .policy_sha256 = session.policy_sha256,
          .actor = session.actor.name,
          .max_attempts = session.policy.values.max_attempts,
          .created_utc = to_string(now)};
}

Reply make_reply(PatchAnswer answer, std::string submission, Context& context, ExitWishes wishes) {
  const report::VerdictContext about{.gate = answer.gate,
                                     .repo_id = answer.repo_id,
                                     .head = answer.head,
                                     .started = "",
                                     .duration_ms = context.env.monotonic_ms() - answer.started_ms};
  Verdict verdict = report::patch_verdict(answer.outcome, answer.document, about);
  verdict.started = to_string(answer.started);
  Reply reply;
  reply.exit = exit_code(
      verdict.decision,
      answer.outcome.error ? std::optional(answer.outcome.error->code) : std::nullopt, wishes);
  if (reply.exit != ExitCode::done) reply.why = report::why_not_allowed(verdict);
  if (!context.wants_document) {
    // The door prints the text below.
  } else if (answer.gate == "check") {
    reply.document = report::verdict_document(verdict);
  } else {
    Map document = report::patch_document(answer.outcome, answer.document);
    document.set("verdict", report::verdict_document(verdict));
    reply.document = std::move(document);
  }
  answer.document.policy = nullptr;  // the session ends before the text is drawn
  reply.text = [answer = std::move(answer), verdict = std::move(verdict),
                submission = std::move(submission)](const report::Look& look) {
    return report::render_patch(answer.outcome, verdict,
                                {.name = answer.name == "-" ? "standard input" : answer.name,
                                 .submission = submission,
                                 .run_folder = answer.run_folder,
                                 .run_id = answer.document.run_id,
                                 .warning = answer.warning},
                                look);
  };
  return reply;
}

Result<std::unique_ptr<store::Ledger>> open_ledger(git::Repo& repo, sys::Env& env) {
  GH_TRY(config, store_config(repo));
  GH_DO(sys::make_folders(repo.state_dir()));
  GH_TRY(ledger, config.url.empty()
                     ? store::Ledger::open_sqlite(ledger_path(repo), config.busy_timeout_ms)
                     : store::Ledger::open_postgres(config.url, repository_id(repo),
                                                    config.busy_timeout_ms));
  GH_DO(store::drain_spool(*ledger, repo.state_dir(), env));
  return std::move(ledger);
}

Result<policy::StoreConfig> store_config(git::Repo& repo) {
  auto target = usual_target(repo);
  if (target) return std::move(target->config.store);
  if (target.error().code == Code::ref_unresolved)
    return policy::StoreConfig{};  // no commit yet, so nothing was configured
  return tl::make_unexpected(std::move(target).error());
}

Result<std::unique_ptr<store::Ledger>> open_ledger_to_read(git::Repo& repo, sys::Env& env) {
  GH_TRY(config, store_config(repo));
  if (config.url.empty() && sys::info(ledger_path(repo)).kind == sys::FileKind::missing &&
      sys::info(repo.state_dir() + "/audit.spool").kind == sys::FileKind::missing)
    return std::unique_ptr<store::Ledger>();
  return open_ledger(repo, env);
}

Result<std::unique_ptr<store::Ledger>> open_ledger_to_look(git::Repo& repo) {
  GH_TRY(config, store_config(repo));
  if (config.url.empty()) return store::Ledger::open_sqlite_to_read(ledger_path(repo));
  GH_TRY(id, repo.root_commit());
  return store::Ledger::open_postgres_to_read(config.url, id.hex());
}

Status check_expected(const Request& request, const PatchSession& session, std::string_view bytes) {
  if (!request.has("expect")) return {};
  std::string wanted = request.text("expect");
  if (wanted.starts_with("sha256:")) wanted.erase(0, 7);
  if (wanted.size() != 64 || wanted.find_first_not_of("0123456789abcdef") != std::string::npos)
    return fail(Code::bad_argument, fmt::format("--expect takes 64 lower-case hex digits, not '{}'",
                                                printable(request.text("expect"), 100)));
  const std::string found = digest_of(bytes).hex();
  if (found == wanted) return {};
  const auto patch = diff::parse(bytes, session.profile, diff::Position::exact);
  if (patch && digest_of(diff::print_canonical(*patch)).hex() == wanted) return {};
  return fail(Code::digest_mismatch,
              fmt::format("the submitted bytes have SHA-256 {}, not {}", found, wanted));
}

void audit_checked(const PatchSession& session, const Map& document, Context& context) {
  const runs::Submitter who{
      .actor = session.actor, .surface = context.surface, .base_commit = session.base.id.hex()};
  (void)store::spool_event(session.repo.state_dir(),
                           runs::checked_event(document, who, context.env.now()));
}

}  // namespace gh::ops
