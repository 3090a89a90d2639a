#include "policy/patch_policy.h"

#include <array>
#include <span>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::policy {
namespace {

using Names = std::span<const std::string_view>;

// Tables, one idea per line group (patch-gate 6.2).
// clang-format off
constexpr std::string_view kDenyPrefixes[] = {
    ".git", ".gatehouse", "build", "dist", "out", "target", "runs", "artifacts",
    "generated_projects", "meta/runs"};

constexpr std::string_view kDenyComponents[] = {
    ".git", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache",
    ".pytest_cache", ".ruff_cache", ".gradle", ".terraform", "CMakeFiles"};

constexpr std::string_view kDenySuffixes[] = {".lock"};

constexpr std::string_view kDenyNames[] = {
    "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb", "go.sum",
    "packages.lock.json", "gradle.lockfile", "Package.resolved", ".terraform.lock.hcl"};

constexpr std::string_view kBinarySuffixes[] = {  // the group that preset ctcp denies too
    ".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".ico", ".zip", ".7z", ".tar", ".gz",
    ".pdf", ".exe", ".dll", ".so", ".dylib", ".bin", ".class", ".jar", ".pyc", ".pyo", ".o",
    ".obj", ".a", ".lib", ".db", ".sqlite", ".sqlite3"};

constexpr std::string_view kMoreBinarySuffixes[] = {
    ".tiff", ".avif", ".mp3", ".mp4", ".mov", ".wav", ".woff", ".woff2", ".ttf", ".otf", ".xz",
    ".bz2", ".zst", ".rar", ".tgz", ".war", ".whl", ".egg", ".deb", ".rpm", ".msi", ".dmg",
    ".iso", ".wasm", ".pdb", ".node", ".parquet", ".npy", ".npz", ".pkl", ".pt", ".onnx",
    ".safetensors", ".docx", ".xlsx", ".pptx"};

constexpr std::string_view kArtifactPatterns[] = {
    "*.min.js", "*.min.css", "*.map", "*.orig", "*.rej", "*.bak", "*.swp", "*~", "*.log",
    "*.tmp", "coverage.xml", ".coverage", ".DS_Store", "Thumbs.db", "core", "*.gcda", "*.gcno"};

constexpr std::string_view kControlFiles[] = {
    ".gitattributes", ".gitmodules", ".mailmap",
    ".github/workflows/", ".github/actions/", ".gitlab-ci.yml", ".circleci/", "Jenkinsfile",
    "azure-pipelines.yml", "bitbucket-pipelines.yml", ".pre-commit-config.yaml", ".husky/",
    "lefthook.yml", "CODEOWNERS",
    "gatehouse.*", "shipgate.yaml", ".agents-shipgate/",
    ".mcp.json", ".claude/", ".codex/", ".cursor/", ".gemini/", "CLAUDE.md", "AGENTS.md",
    ".vscode/tasks.json", ".vscode/settings.json", ".devcontainer/", ".envrc"};

constexpr std::string_view kSecretPatterns[] = {
    ".env", ".env.*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx",
    "id_rsa*", "id_ecdsa*", "id_ed25519*", ".netrc", ".npmrc", ".pypirc", "credentials.json",
    "secrets/", "**/.ssh/", "**/.aws/", "**/.gnupg/", "**/.kube/config"};

constexpr std::string_view kSecretExceptions[] = {".env.example", ".env.sample", ".env.template"};

constexpr std::string_view kCtcpAllowRoots[] = {
    "src", "include", "web", "scripts", "tools", "docs", "specs", "meta", "contracts",
    "workflow_registry", "tests", "ai_context", "agents", "ai", "simlab", "ctcp", "resources",
    "executor", "third_party", "README.md", "BUILD.md", "PATCH_README.md", "TREE.md",
    "CMakeLists.txt", "AGENTS.md", "APPLY_OVERLAY.md", "LICENSE", "requirements-dev.txt"};

constexpr std::string_view kCtcpDenyPrefixes[] = {
    ".git", "build", "build_lite", "build_verify", "build_gui", "dist", "generated_projects",
    "runs", "artifacts", "simlab/_runs", "meta/runs",
    "tests/fixtures/adlc_forge_full_bundle/runs"};
// clang-format on

std::vector<std::string> strings(std::initializer_list<Names> groups) {
  std::vector<std::string> out;
  for (const Names& group : groups)
    out.insert(out.end(), group.begin(), group.end());
  return out;
}

PatchPolicy ctcp_policy() {
  PatchPolicy p = default_patch_policy();
  p.allow_roots = strings({kCtcpAllowRoots});
  p.deny_prefixes = strings({kCtcpDenyPrefixes});
  p.deny_suffixes = strings({kDenySuffixes, kBinarySuffixes});
  std::erase(p.control_files, "AGENTS.md");
  return p;
}

}  // namespace

PatchPolicy default_patch_policy() {
  PatchPolicy p;
  p.allow_roots = {"."};
  p.deny_prefixes = strings({kDenyPrefixes});
  p.deny_components = strings({kDenyComponents});
  p.deny_suffixes = strings({kDenySuffixes});
  p.deny_names = strings({kDenyNames});
  p.binary_suffixes = strings({kBinarySuffixes, kMoreBinarySuffixes});
  p.artifact_patterns = strings({kArtifactPatterns});
  p.control_files = strings({kControlFiles});
  p.secret_patterns = strings({kSecretPatterns});
  p.secret_exceptions = strings({kSecretExceptions});
  return p;
}

Result<PatchPolicy> preset(std::string_view name) {
  if (name == "ctcp") return ctcp_policy();
  return fail(Code::policy_bad_value,
              fmt::format("preset '{}' is unknown; there is only 'ctcp'", printable(name)));
}

}  // namespace gh::policy
