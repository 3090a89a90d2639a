#include "policy/proposal_policy.h"

#include <algorithm>
#include <array>
#include <span>

namespace gh::policy {
namespace {

using Names = std::span<const std::string_view>;

// clang-format off
// table: proposal signatures
constexpr std::array<std::string_view, 3> kSignatureModes{"off", "optional", "required"};
// table: proposal integrations
constexpr std::array<std::string_view, 4> kIntegrations{"ff", "merge", "rebase", "branch-only"};

// table: proposal deny paths
constexpr std::string_view kDenyPaths[] = {
    "/opt/incomex/dot/iu-cutter-v0.6", "/opt/incomex/dot/iu-cutter", "/var/lib/cutter",
    ".git", ".gatehouse"};

// table: docs patterns
constexpr std::string_view kDocsPatterns[] = {
    "*.md", "*.rst", "*.adoc", "*.txt", "docs/**", "LICENSE", "NOTICE", "AUTHORS", "CHANGELOG*"};

// table: docs exclude
constexpr std::string_view kDocsExclude[] = {
    "requirements*.txt", "constraints*.txt", "CMakeLists.txt", "robots.txt"};

// table: docs exclude suffixes
constexpr std::string_view kDocsExcludeSuffixes[] = {
    ".py", ".js", ".ts", ".sh", ".bash", ".ps1", ".rb", ".pl", ".lua", ".c", ".cc", ".cpp", ".h",
    ".rs", ".go", ".java", ".html", ".ipynb", ".toml", ".yaml", ".yml", ".json", ".cfg", ".ini"};

// table: test patterns
constexpr std::string_view kTestPatterns[] = {
    "test/**", "tests/**", "**/test_*", "**/*_test.*", "**/*.test.*", "**/*.spec.*", "**/*Test.*",
    "**/*Tests.*"};

// table: test runners
constexpr std::string_view kTestRunners[] = {
    "ctest", "pytest", "unittest", "go test", "cargo test", "npm test", "npm run test", "make test",
    "make check", "ninja test", "meson test", "mvn test", "gradle test", "dotnet test",
    "bazel test", "./dev test"};

// table: production markers
constexpr std::string_view kProductionMarkers[] = {
    "ssh", "scp", "rsync", "kubectl", "helm", "psql", "mysql", "mongo", "docker -H", "DOCKER_HOST=",
    "--context prod", "prod", "production", "deny_paths", "url"};

// table: sandbox hosts
constexpr std::string_view kSandboxHosts[] = {"localhost", "127.0.0.1", "::1"};

// table: failure words
constexpr std::string_view kFailureWords[] = {
    "fail", "fails", "failure", "break", "breaks", "wrong", "crash", "regression", "error",
    "corrupt", "lose", "loses"};
// table: blast radius words
constexpr std::string_view kBlastRadiusWords[] = {
    "blast radius", "blast_radius", "affects", "affected", "callers", "limited to", "impact",
    "confined to", "reaches", "users"};
// table: data words
constexpr std::string_view kDataWords[] = {
    "data", "database", "schema", "records", "rows", "migration", "stored", "state"};
// table: idempotent words
constexpr std::string_view kIdempotentWords[] = {
    "idempotent", "idempotence", "repeatable", "rerun", "re-run", "run twice", "applied twice"};
// clang-format on

std::vector<std::string> strings(Names names) { return {names.begin(), names.end()}; }

}  // namespace

std::string_view to_string(SignatureMode m) { return kSignatureModes[static_cast<std::size_t>(m)]; }
std::string_view to_string(Integration i) { return kIntegrations[static_cast<std::size_t>(i)]; }

ProposalPolicy default_proposal_policy() {
  ProposalPolicy p;
  p.deny_paths = strings(kDenyPaths);
  p.docs_patterns = strings(kDocsPatterns);
  p.docs_exclude = strings(kDocsExclude);
  p.docs_exclude_suffixes = strings(kDocsExcludeSuffixes);
  p.test_patterns = strings(kTestPatterns);
  p.test_runners = strings(kTestRunners);
  p.production_markers = strings(kProductionMarkers);
  p.sandbox_hosts = strings(kSandboxHosts);
  p.failure_words = strings(kFailureWords);
  p.blast_radius_words = strings(kBlastRadiusWords);
  p.data_words = strings(kDataWords);
  p.idempotent_words = strings(kIdempotentWords);
  return p;
}

bool is_reviewer_name(std::string_view name) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_word = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return name.size() >= 2 && name.size() <= 32 && is_letter(name[0]) &&
         std::ranges::all_of(name, is_word) && name != "pending";
}

std::vector<std::string> guarded_branches(const ProposalPolicy& policy) {
  std::vector<std::string> out{policy.default_target, "refs/heads/master"};
  out.insert(out.end(), policy.base_refs.begin(), policy.base_refs.end());
  std::erase_if(out, [](const std::string& ref) { return !ref.starts_with("refs/heads/"); });
  return out;
}

const RegisteredActor* find_actor(const ProposalPolicy& policy, std::string_view name) {
  const auto it = std::ranges::find(policy.actors, name, &RegisteredActor::name);
  return it == policy.actors.end() ? nullptr : &*it;
}

bool has_role(const RegisteredActor& actor, std::string_view role) {
  return std::ranges::find(actor.roles, role) != actor.roles.end();
}

}  // namespace gh::policy
