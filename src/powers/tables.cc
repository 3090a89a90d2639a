#include "powers/tables.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "policy/glob.h"
#include "powers/pattern.h"
#include "powers/words.h"

namespace gh::powers {
namespace {

using enum Form;
using enum Kind;
using enum Weight;

constexpr std::string_view kClaudeModes =
    "plan:low dontAsk:low default|manual|delegate:medium acceptEdits:high auto:high "
    "bypassPermissions:critical";
constexpr std::string_view kOffIsSafe = "false:low true:high";
constexpr std::string_view kOnIsSafe = "true:low false:high";

// clang-format off
// table: keys of .claude/settings.json
constexpr KeyRow kClaudeKeys[] = {
    {"permissions/allow", allow, permission, medium, Language::claude},
    {"permissions/ask", ask, permission, medium, Language::claude},
    {"permissions/deny", deny, permission, high, Language::claude},
    {"permissions/defaultMode", scale, mode, low, Language::exact, kClaudeModes, "default"},
    {"permissions/disableBypassPermissionsMode", scale, mode, low, Language::exact, "disable:low *:high", "none"},
    {"permissions/disableAutoMode", scale, mode, low, Language::exact, "disable:low *:high", "none"},
    {"disableAutoMode", scale, mode, low, Language::exact, "disable:low *:high", "none"},
    {"permissions/skipDangerousModePermissionPrompt", scale, mode, low, Language::exact, kOffIsSafe, "false"},
    {"permissions/additionalDirectories", allow, directory, medium, Language::folders},
    {"skipDangerousModePermissionPrompt", scale, mode, low, Language::exact, kOffIsSafe, "false"},
    {"skipAutoPermissionPrompt", scale, mode, low, Language::exact, kOffIsSafe, "false"},
    {"autoMode/**", named, mode, medium},
    {"useAutoModeDuringPlan", scale, mode, low, Language::exact, "false:low true:medium", "true"},
    {"hooks", hooks, hook, high},
    {"disableAllHooks", scale, hook, low, Language::exact, kOffIsSafe, "false"},
    {"allowManagedHooksOnly", scale, hook, low, Language::exact, kOnIsSafe, "false"},
    {"allowManagedPermissionRulesOnly", scale, permission, low, Language::exact, kOnIsSafe, "false"},
    {"allowManagedMcpServersOnly", scale, server, low, Language::exact, kOnIsSafe, "false"},
    {"allowedHttpHookUrls", only, hook, high, Language::domains},
    {"httpHookAllowedEnvVars", only, environment, high},
    {"env", variables, environment},
    {"enableAllProjectMcpServers", scale, server, low, Language::exact, kOffIsSafe, "false"},
    {"enabledMcpjsonServers", allow, server, medium},
    {"disabledMcpjsonServers", deny, server, medium},
    {"allowedMcpServers", only, server, high},
    {"deniedMcpServers", deny, server, high},
    {"mcpServers", servers, server},
    {"enabledPlugins", flags, plugin, high},
    {"pluginConfigs/**", named, plugin, medium},
    {"extraKnownMarketplaces", marketplaces, plugin, high},
    {"strictKnownMarketplaces", only, plugin, high},
    {"blockedMarketplaces", deny, plugin, high},
    {"sandbox/enabled", scale, sandbox, low, Language::exact, kOnIsSafe, "false"},
    {"sandbox/failIfUnavailable", scale, sandbox, low, Language::exact, kOnIsSafe, "false"},
    {"sandbox/autoAllowBashIfSandboxed", scale, sandbox, low, Language::exact, "false:low true:medium", "true"},
    {"sandbox/allowUnsandboxedCommands", scale, sandbox, low, Language::exact, kOffIsSafe, "true"},
    {"sandbox/enableWeakerNestedSandbox", scale, sandbox, low, Language::exact, kOffIsSafe, "false"},
    {"sandbox/enableWeakerNetworkIsolation", scale, sandbox, low, Language::exact, kOffIsSafe, "false"},
    {"sandbox/excludedCommands", allow, sandbox, high},
    {"sandbox/ignoreViolations/**", named, sandbox, medium},
    {"sandbox/ripgrep/**", named, program, high},
    {"sandbox/enabledPlatforms", named, sandbox, high},
    {"sandbox/network/allowedDomains", allow, network, medium, Language::domains},
    {"sandbox/network/deniedDomains", deny, network, high, Language::domains},
    {"sandbox/network/allowManagedDomainsOnly", scale, network, low, Language::exact, kOnIsSafe, "false"},
    {"sandbox/network/allowUnixSockets", allow, network, high},
    {"sandbox/network/allowAllUnixSockets", scale, network, low, Language::exact, kOffIsSafe, "false"},
    {"sandbox/network/allowLocalBinding", scale, network, low, Language::exact, "false:low true:medium", "false"},
    {"sandbox/network/allowMachLookup", allow, network, medium},
    {"sandbox/network/strictAllowlist", scale, network, low, Language::exact, "true:low false:medium", "false"},
    {"sandbox/network/tlsTerminate/**", named, network, medium},
    {"sandbox/network/httpProxyPort", named, network, high},
    {"sandbox/network/socksProxyPort", named, network, high},
    {"sandbox/filesystem/allowWrite", allow, directory, medium, Language::folders},
    {"sandbox/filesystem/denyWrite", deny, directory, high, Language::folders},
    {"sandbox/filesystem/denyRead", deny, directory, high, Language::folders},
    {"sandbox/filesystem/allowRead", allow, directory, medium, Language::folders},
    {"sandbox/filesystem/disabled", scale, sandbox, low, Language::exact, kOffIsSafe, "false"},
    {"sandbox/credentials/files", named, sandbox, high},
    {"sandbox/credentials/envVars", named, sandbox, high},
    {"sandbox/credentials/allowPlaintextInject", scale, network, low, Language::exact, kOffIsSafe, "false"},
    {"sandbox/allowAppleEvents", scale, sandbox, low, Language::exact, "false:low true:medium", "false"},
    {"sandbox/bwrapPath", runs, program, high}, {"sandbox/socatPath", runs, program, high},
    {"sandbox/filesystem/allowManagedReadPathsOnly", scale, directory, low, Language::exact, kOnIsSafe, "false"},
    {"apiKeyHelper", runs, program, high},
    {"processWrapper", runs, program, high},
    {"policyHelper/path", runs, program, high}, {"policyHelper/timeoutMs", ignored}, {"policyHelper/refreshIntervalMs", ignored},
    {"managedMcpServers", named, server, high},
    {"allowAllClaudeAiMcps", scale, server, low, Language::exact, "false:low true:medium", "false"},
    {"disableClaudeAiConnectors", scale, server, low, Language::exact, "true:low false:medium", "false"},
    {"disableSideloadFlags", scale, plugin, low, Language::exact, "true:low false:medium", "false"},
    {"strictPluginOnlyCustomization", named, plugin, medium},
    {"allowedChannelPlugins", named, plugin, medium},
    {"sshHostAllowlist", only, network, medium, Language::domains},
    {"remoteControlAtStartup", scale, network, low, Language::exact, "false:low true:medium", "false"},
    {"browserExternalPageTools", scale, network, low, Language::exact, "disabled:low *:medium", "none"},
    {"disableBrowserExternalNavigation", scale, network, low, Language::exact, "true:low false:medium", "false"},
    {"requireCoworkFullVmSandbox", scale, sandbox, low, Language::exact, "true:low false:medium", "false"},
    {"forceLoginGatewayUrl", named, network, high},
    {"claudeMd", told, instruction}, {"askUserQuestionTimeout", told, setting}, {"workflowSizeGuideline", told, setting}, {"workflowKeywordTriggerEnabled", told, setting},
    {"disableWorkflows", told, setting}, {"disableBundledSkills", told, setting}, {"disableMobileSimulatorTools", told, setting}, {"disableArtifact", told, setting}, {"enableArtifact", told, setting},
    {"parentSettingsBehavior", told, setting}, {"wslInheritsWindowsSettings", told, setting}, {"forceRemoteSettingsRefresh", told, setting}, {"respondToBashCommands", told, setting},
    {"pluginSuggestionMarketplaces", told, setting}, {"pluginTrustMessage", told, setting}, {"skippedMarketplaces", ignored}, {"skippedPlugins", ignored},
    {"axScreenReader", ignored}, {"agentPushNotifEnabled", ignored}, {"inputNeededNotifEnabled", ignored}, {"emojiCompletionEnabled", ignored}, {"vimInsertModeRemaps/**", ignored},
    {"externalEditorContext", ignored}, {"autoInstallIdeExtension", ignored}, {"permissionExplainerEnabled", ignored}, {"footerLinksRegexes", ignored}, {"disableAgentView", ignored},
    {"enforceAvailableModels", ignored}, {"requiredMaximumVersion", ignored}, {"requiredMinimumVersion", ignored}, {"skillListingMaxDescChars", ignored}, {"teammateDefaultModel", ignored},
    {"awsAuthRefresh", runs, program, high},
    {"awsCredentialExport", runs, program, high},
    {"gcpAuthRefresh", runs, program, high},
    {"otelHeadersHelper", runs, program, high},
    {"proxyAuthHelper", runs, program, high},
    {"statusLine/command", runs, program, high},
    {"statusLine/type", ignored}, {"statusLine/padding", ignored}, {"statusLine/refreshInterval", ignored}, {"statusLine/hideVimModeIndicator", ignored},
    {"subagentStatusLine/command", runs, program, high},
    {"subagentStatusLine/type", ignored},
    {"fileSuggestion/command", runs, program, high},
    {"fileSuggestion/type", ignored},
    {"disableSkillShellExecution", scale, program, low, Language::exact, kOnIsSafe, "false"},
    {"agent", named, Kind::agent, medium},
    {"claudeMdExcludes", told, instruction}, {"outputStyle", told, instruction},
    {"companyAnnouncements", told, instruction}, {"language", ignored}, {"autoMemoryDirectory", named, directory, medium},
    {"plansDirectory", told, setting}, {"autoMemoryEnabled", told, setting}, {"respectGitignore", told, setting},
    {"defaultShell", told, setting}, {"worktree/**", told, setting},
    {"$schema", ignored}, {"model", ignored}, {"availableModels", ignored}, {"modelOverrides/**", ignored}, {"advisorModel", ignored}, {"effortLevel", ignored},
    {"fallbackModel", ignored}, {"fastMode", ignored}, {"fastModePerSessionOptIn", ignored}, {"smallFastModel", ignored}, {"maxThinkingTokens", ignored},
    {"alwaysThinkingEnabled", ignored}, {"includeCoAuthoredBy", ignored}, {"attribution/**", ignored}, {"includeGitInstructions", ignored},
    {"cleanupPeriodDays", ignored}, {"theme", ignored}, {"verbose", ignored}, {"tui", ignored}, {"viewMode", ignored}, {"editorMode", ignored},
    {"autoUpdates", ignored}, {"autoUpdatesChannel", ignored}, {"minimumVersion", ignored}, {"preferredNotifChannel", ignored},
    {"spinnerTipsEnabled", ignored}, {"spinnerTipsOverride/**", ignored}, {"spinnerVerbs/**", ignored}, {"terminalProgressBarEnabled", ignored},
    {"showTurnDuration", ignored}, {"showThinkingSummaries", ignored}, {"showClearContextOnPlanAccept", ignored}, {"prefersReducedMotion", ignored},
    {"messageIdleNotifThresholdMs", ignored}, {"feedbackSurveyRate", ignored}, {"feedbackSurveyState/**", ignored}, {"fileCheckpointingEnabled", ignored},
    {"autoCompactEnabled", ignored}, {"autoConnectIde", ignored}, {"autoScrollEnabled", ignored}, {"awaySummaryEnabled", ignored}, {"promptSuggestionEnabled", ignored},
    {"syntaxHighlightingDisabled", ignored}, {"teammateMode", ignored}, {"voiceEnabled", ignored}, {"voice/**", ignored}, {"wheelScrollAccelerationEnabled", ignored},
    {"todoFeatureEnabled", ignored}, {"diffTool", ignored}, {"parallelTasksCount", ignored}, {"skipWebFetchPreflight", scale, network, low, Language::exact, "false:low true:medium", "false"},
    {"forceLoginMethod", ignored}, {"forceLoginOrgUUID", ignored}, {"prUrlTemplate", ignored}, {"skillOverrides/**", told, setting}, {"skillListingBudgetFraction", ignored},
    {"maxSkillDescriptionChars", ignored}, {"disableDeepLinkRegistration", ignored}, {"disableRemoteControl", ignored}, {"sshConfigs/**", named, network, medium}, {"channelsEnabled", told, setting},
};

// table: files of MCP servers
constexpr KeyRow kServerFileKeys[] = {
    {"mcpServers", servers, server},
    {"servers", servers, server},
    {"$schema", ignored}, {"inputs", ignored}, {"_comment", ignored},
    {"sandbox/**", named, sandbox, medium},
};

// table: members of one MCP server
constexpr KeyRow kServerKeys[] = {
    {"command", ignored}, {"args", ignored}, {"url", ignored}, {"httpUrl", ignored}, {"serverUrl", ignored}, {"type", ignored}, {"transport", ignored}, {"tcp", ignored},
    {"env", variables, server, medium}, {"headers", variables, server, medium}, {"http_headers", variables, server, medium}, {"env_http_headers", variables, server, medium},
    {"env_vars", allow, server, medium}, {"bearer_token_env_var", named, server, medium}, {"envFile", named, server, high}, {"cwd", named, server, medium},
    {"headersHelper", runs, server, high}, {"http_headers_helper", runs, server, high}, {"environment_id", named, server, medium}, {"omit_tools_from", told, server}, {"extension/**", told, server},
    {"trust", scale, server, low, Language::exact, kOffIsSafe, "false"},
    {"includeTools", only, server, medium}, {"excludeTools", deny, server, medium},
    {"enabled_tools", only, server, medium}, {"disabled_tools", deny, server, medium},
    {"alwaysAllow", allow, server, medium}, {"autoApprove", allow, server, medium}, {"autoApproveTools", allow, server, medium},
    {"default_tools_approval_mode", scale, server, low, Language::exact, "prompt:low auto:medium approve:high", "auto"},
    {"tools/*/approval_mode", scale, server, low, Language::exact, "prompt:low auto:medium approve:high", "auto"},
    {"tools/*/enabled", scale, server, low, Language::exact, "false:low true:medium", "true"},
    {"enabled", scale, server, low, Language::exact, kOffIsSafe, "true"},
    {"disabled", scale, server, low, Language::exact, kOnIsSafe, "false"},
    {"sandboxEnabled", scale, server, low, Language::exact, kOnIsSafe, "false"},
    {"scopes", allow, server, medium}, {"oauth_resource", named, server, medium}, {"oauth/**", told, server}, {"auth/**", told, server}, {"authProviderType", told, server}, {"targetAudience", told, server}, {"targetServiceAccount", named, server, medium},
    {"timeout", ignored}, {"startup_timeout_sec", ignored}, {"startup_timeout_ms", ignored}, {"tool_timeout_sec", ignored}, {"description", ignored}, {"name", ignored}, {"title", ignored},
    {"required", ignored}, {"gallery", ignored}, {"version", ignored}, {"dev/**", ignored}, {"note", ignored}, {"_comment", ignored}, {"$schema", ignored}, {"supports_parallel_tool_calls", ignored}, {"alwaysLoad", ignored},
};

// table: keys of .codex/config.toml, also below profiles.NAME
constexpr KeyRow kCodexKeys[] = {
    {"approval_policy", scale, mode, low, Language::exact, "untrusted:low on-failure:medium on-request:medium never:high", "on-request"},
    {"approval_policy/**", named, mode, medium},
    {"approvals_reviewer", scale, mode, low, Language::exact, "user:low auto_review|guardian_subagent:high", "user"},
    {"sandbox_mode", scale, sandbox, low, Language::exact, "read-only:low workspace-write:medium danger-full-access:critical", "workspace-write"},
    {"sandbox_workspace_write/network_access", scale, network, low, Language::exact, kOffIsSafe, "false"},
    {"sandbox_workspace_write/writable_roots", allow, directory, medium, Language::folders},
    {"sandbox_workspace_write/exclude_tmpdir_env_var", scale, directory, low, Language::exact, "true:low false:low", "false"},
    {"sandbox_workspace_write/exclude_slash_tmp", scale, directory, low, Language::exact, "true:low false:low", "false"},
    {"default_permissions", named, mode, high}, {"permissions/**", named, permission, high},
    {"allow_login_shell", scale, sandbox, low, Language::exact, "false:low true:medium", "true"},
    {"web_search", scale, network, low, Language::exact, "disabled:low cached|indexed:low live:medium", "cached"},
    {"tools/web_search", scale, network, low, Language::exact, "false:low true:medium", "false"}, {"tools/web_search/**", named, network, medium}, {"tools/view_image", ignored},
    {"shell_environment_policy/inherit", scale, environment, low, Language::exact, "none:low core:low all:medium", "all"},
    {"shell_environment_policy/ignore_default_excludes", scale, environment, low, Language::exact, kOffIsSafe, "false"},
    {"shell_environment_policy/exclude", deny, environment, high},
    {"shell_environment_policy/include_only", only, environment, high},
    {"shell_environment_policy/set", variables, environment},
    {"shell_environment_policy/experimental_use_profile", scale, environment, low, Language::exact, "false:low true:medium", "false"},
    {"mcp_servers", servers, server},
    {"hooks", hooks, hook, high},
    {"projects/*/trust_level", scale, trust, low, Language::exact, "untrusted:low trusted:high", "untrusted"},
    {"notify", runs, program, high},
    {"features/hooks", scale, hook, low, Language::exact, kOnIsSafe, "true"}, {"features/codex_hooks", scale, hook, low, Language::exact, kOnIsSafe, "true"},
    {"features/web_search_request", scale, network, low, Language::exact, "false:low true:medium", "false"},
    {"features/network_proxy", scale, network, low, Language::exact, "true:low false:medium", "false"}, {"features/network_proxy/**", named, network, medium},
    {"features/**", told, setting}, {"features", ignored},
    {"plugins/**", named, plugin, high}, {"marketplaces/**", named, plugin, high}, {"apps/**", named, server, medium}, {"skills/**", told, setting}, {"agents/**", told, Kind::agent},
    {"model_provider", named, network, high}, {"model_providers/**", named, network, high}, {"chatgpt_base_url", named, network, high}, {"openai_base_url", named, network, high},
    {"otel/**", named, network, medium}, {"model_instructions_file", told, instruction}, {"experimental_instructions_file", told, instruction}, {"developer_instructions", told, instruction},
    {"instructions", told, instruction}, {"persistent_instructions", told, instruction}, {"description", told, instruction}, {"name", ignored}, {"nickname_candidates", ignored}, {"compact_prompt", told, instruction}, {"experimental_compact_prompt_file", told, instruction}, {"project_doc_fallback_filenames", told, instruction}, {"project_doc_max_bytes", ignored}, {"project_root_markers", told, setting},
    {"profile", named, mode, medium},
    {"forced_login_method", ignored}, {"forced_chatgpt_workspace_id", ignored}, {"mcp_oauth_credentials_store", ignored}, {"mcp_oauth_callback_port", ignored}, {"mcp_oauth_callback_url", named, network, medium}, {"cli_auth_credentials_store", ignored},
    {"model", ignored}, {"review_model", ignored}, {"model_reasoning_effort", ignored}, {"plan_mode_reasoning_effort", ignored}, {"model_reasoning_summary", ignored}, {"model_verbosity", ignored}, {"model_context_window", ignored}, {"model_max_output_tokens", ignored},
    {"model_auto_compact_token_limit", ignored}, {"model_supports_reasoning_summaries", ignored}, {"model_catalog_json", ignored}, {"oss_provider", ignored}, {"personality", ignored}, {"service_tier", ignored}, {"tool_output_token_limit", ignored},
    {"tui/**", ignored}, {"history/**", ignored}, {"file_opener", ignored}, {"hide_agent_reasoning", ignored}, {"show_raw_agent_reasoning", ignored}, {"check_for_update_on_startup", ignored}, {"disable_paste_burst", ignored},
    {"analytics/**", ignored}, {"feedback/**", ignored}, {"notice/**", ignored}, {"windows/**", told, sandbox}, {"windows_wsl_setup_acknowledged", ignored}, {"suppress_unstable_features_warning", ignored}, {"log_dir", ignored}, {"sqlite_home", ignored}, {"commit_attribution", ignored},
    {"auto_review/**", told, instruction}, {"browser_use/**", named, network, medium}, {"computer_use/**", named, permission, high}, {"orchestrator/**", told, setting}, {"tool_suggest/**", told, setting}, {"desktop/**", told, setting},
    {"experimental_realtime_ws_base_url", named, network, high}, {"experimental_realtime_webrtc_call_base_url", named, network, high}, {"experimental_realtime_ws_backend_prompt", told, instruction}, {"experimental_realtime_ws_startup_context", told, instruction}, {"experimental_realtime_start_instructions", told, instruction}, {"experimental_realtime_ws_model", ignored},
    {"include_permissions_instructions", told, instruction}, {"include_environment_context", told, instruction}, {"include_apps_instructions", told, instruction}, {"include_collaboration_mode_instructions", told, instruction},
    {"experimental_use_unified_exec_tool", told, setting}, {"experimental_thread_store/**", told, setting}, {"shell_environment_policy/filters/**", named, environment, medium}, {"tools/experimental_request_user_input/**", ignored}, {"tools/update_plan/**", ignored},
    {"apps_mcp_product_sku", ignored}, {"audio/**", ignored}, {"realtime/**", ignored}, {"goals/**", ignored}, {"responses_api_metadata/**", ignored}, {"model_auto_compact_token_limit_scope", ignored},
    {"background_terminal_max_timeout", ignored}, {"memories/**", told, setting}, {"ghost_snapshot/**", ignored}, {"zsh_path", named, program, high}, {"js_repl_node_path", named, program, high},
};

// table: keys of .codex/environments/*.toml
constexpr KeyRow kCodexEnvironmentKeys[] = {
    {"setup/script", runs, program, high}, {"setup/*/script", runs, program, high}, {"cleanup/script", runs, program, high}, {"cleanup/*/script", runs, program, high},
    {"actions", named, program, medium}, {"version", ignored}, {"name", ignored},
};

// table: files that have nothing but hooks
constexpr KeyRow kHookFileKeys[] = {
    {"hooks", hooks, hook, high}, {"version", ignored}, {"description", ignored}, {"$schema", ignored},
    {"disableAllHooks", scale, hook, low, Language::exact, kOffIsSafe, "false"},
};

// table: keys of .cursor/cli.json
constexpr KeyRow kCursorCliKeys[] = {
    {"permissions/allow", allow, permission, medium, Language::cursor}, {"permissions/deny", deny, permission, high, Language::cursor},
    {"version", ignored}, {"$schema", ignored}, {"editor/**", ignored}, {"model/**", ignored}, {"model", ignored}, {"display/**", ignored}, {"hasChangedDefaultModel", ignored},
    {"network/**", told, network}, {"attribution/**", ignored},
    {"approvalMode", scale, mode, low, Language::exact, "allowlist:low auto-review:medium unrestricted:critical", "allowlist"},
    {"sandbox/mode", scale, sandbox, low, Language::exact, "enabled:low disabled:high", "disabled"},
    {"sandbox/networkAccess", scale, network, low, Language::exact, "none|disabled:low allowlist|user_config_only:medium all|enabled|user_config_with_defaults:high", "allowlist"},
};
// table: keys of .cursor/permissions.json
constexpr KeyRow kCursorListKeys[] = {
    {"terminalAllowlist", allow, permission, medium, Language::words}, {"mcpAllowlist", allow, permission, medium, Language::tools},
    {"autoRun/**", named, mode, medium}, {"$schema", ignored},
};
// table: keys of .cursor/sandbox.json
constexpr KeyRow kCursorSandboxKeys[] = {
    {"type", scale, sandbox, low, Language::exact, "workspace_readonly:low workspace_readwrite:medium insecure_none:critical", "workspace_readwrite"},
    {"additionalReadwritePaths", allow, directory, medium, Language::folders}, {"additionalReadonlyPaths", allow, directory, low, Language::folders},
    {"disableTmpWrite", scale, directory, low, Language::exact, "true:low false:low", "false"}, {"enableSharedBuildCache", scale, directory, low, Language::exact, "false:low true:medium", "false"},
    {"networkPolicy/default", scale, network, low, Language::exact, "deny:low allow:high", "deny"}, {"networkPolicy/allow", allow, network, medium, Language::domains}, {"networkPolicy/deny", deny, network, high, Language::domains},
};
// table: keys of .cursor/environment.json
constexpr KeyRow kCursorEnvironmentKeys[] = {
    {"install", runs, program, high}, {"start", runs, program, high}, {"update", runs, program, high}, {"terminals", named, program, high}, {"snapshot", named, program, medium},
    {"build/**", named, program, medium}, {"user", ignored}, {"agentCanUpdateSnapshot", told, setting}, {"ports", told, setting}, {"repositoryDependencies", named, directory, medium}, {"name", ignored},
};

// table: keys of .vscode/settings.json
constexpr KeyRow kVscodeKeys[] = {
    {"chat.tools.global.autoApprove", scale, mode, low, Language::exact, "false:low true:critical", "false"}, {"chat.tools.autoApprove", scale, mode, low, Language::exact, "false:low true:critical", "false"},
    {"chat.permissions.default", scale, mode, low, Language::exact, "default:low autoApprove:critical autopilot:critical", "default"},
    {"chat.autopilot.enabled", scale, mode, low, Language::exact, "false:low true:medium", "true"},
    {"chat.tools.terminal.autoApprove", approvals, permission, high, Language::words}, {"chat.agent.terminal.autoApprove", approvals, permission, high, Language::words},
    {"chat.agent.terminal.allowList", approvals, permission, high, Language::words}, {"chat.agent.terminal.denyList", deny, permission, high, Language::words},
    {"chat.tools.terminal.enableAutoApprove", scale, mode, low, Language::exact, "false:low true:medium", "true"},
    {"chat.tools.terminal.ignoreDefaultAutoApproveRules", scale, permission, low, Language::exact, "false:low true:low", "false"},
    {"chat.tools.terminal.autoApproveWorkspaceNpmScripts", scale, permission, low, Language::exact, "false:low true:medium", "true"},
    {"chat.tools.terminal.blockDetectedFileWrites", scale, permission, low, Language::exact, "all:low outsideWorkspace:medium never:high", "outsideWorkspace"},
    {"chat.tools.terminal.autoReplyToPrompts", scale, mode, low, Language::exact, kOffIsSafe, "false"},
    {"chat.tools.edits.autoApprove", approvals, permission, high, Language::paths},
    {"chat.tools.urls.autoApprove", approvals, permission, high, Language::domains},
    {"chat.tools.eligibleForAutoApproval", approvals, permission, high, Language::exact},
    {"chat.agent.sandbox.enabled", scale, sandbox, low, Language::exact, "true|on:low allowNetwork:medium false|off:high", "false"}, {"chat.agent.sandbox", scale, sandbox, low, Language::exact, kOnIsSafe, "false"},
    {"chat.tools.terminal.sandbox.enabled", scale, sandbox, low, Language::exact, kOnIsSafe, "false"},
    {"chat.agent.sandbox.fileSystem.**", named, sandbox, medium}, {"chat.agent.sandboxFileSystem.linux", named, sandbox, medium}, {"chat.agent.sandboxFileSystem.mac", named, sandbox, medium}, {"chat.tools.terminal.sandbox.network", named, network, medium}, {"chat.tools.terminal.sandbox.linuxFileSystem", named, sandbox, medium}, {"chat.tools.terminal.sandbox.macFileSystem", named, sandbox, medium}, {"chat.agent.networkFilter", named, network, medium}, {"chat.agent.allowedNetworkDomains", allow, network, medium, Language::domains}, {"chat.agent.deniedNetworkDomains", deny, network, high, Language::domains}, {"chat.agent.sandboxNetwork.allowedDomains", allow, network, medium, Language::domains}, {"chat.agent.sandboxNetwork.deniedDomains", deny, network, high, Language::domains},
    {"chat.mcp.access", scale, server, low, Language::exact, "none:low registry:low all:medium", "all"}, {"chat.mcp.autostart", scale, server, low, Language::exact, "never:low onlyNew:medium newAndOutdated:medium", "newAndOutdated"}, {"chat.mcp.enabled", scale, server, low, Language::exact, "false:low true:medium", "true"}, {"chat.mcp.discovery.enabled", named, server, medium}, {"chat.mcp.gallery.serviceUrl", named, server, high}, {"chat.mcp.serverSampling", named, server, medium}, {"chat.mcp.gallery.enabled", ignored}, {"chat.mcp.apps.enabled", told, server},
    {"mcp/servers", servers, server}, {"mcp/inputs", ignored},
    {"chat.hookFilesLocations", named, hook, high}, {"chat.useHooks", scale, hook, low, Language::exact, kOnIsSafe, "true"}, {"chat.useCustomAgentHooks", told, hook}, {"chat.useClaudeHooks", told, hook}, {"chat.plugins.marketplaces", named, plugin, high}, {"chat.plugins.enabled", scale, plugin, low, Language::exact, "false:low true:medium", "false"}, {"chat.plugins.paths", named, plugin, high}, {"chat.pluginLocations", named, plugin, high},
    {"chat.agentFilesLocations", told, instruction}, {"chat.agentSkillsLocations", told, instruction}, {"chat.instructionsFilesLocations", told, instruction}, {"chat.promptFilesLocations", told, instruction}, {"chat.modeFilesLocations", told, instruction}, {"chat.useAgentsMdFile", told, instruction}, {"chat.useNestedAgentsMdFiles", told, instruction}, {"chat.useClaudeMdFile", told, instruction}, {"chat.useAgentSkills", told, instruction}, {"chat.promptFiles", told, instruction}, {"chat.promptFilesRecommendations", ignored}, {"chat.includeApplyingInstructions", told, instruction}, {"chat.includeReferencedInstructions", told, instruction},
    {"chat.agent.enabled", scale, mode, low, Language::exact, "false:low true:medium", "true"}, {"chat.agent.maxRequests", ignored}, {"chat.extensionTools.enabled", told, server}, {"chat.checkpoints.enabled", ignored}, {"chat.checkpoints.showFileChanges", ignored}, {"chat.commandCenter.enabled", ignored}, {"chat.detectParticipant.enabled", ignored}, {"chat.editor.fontSize", ignored}, {"chat.editor.fontFamily", ignored}, {"chat.editor.fontWeight", ignored}, {"chat.editor.wordWrap", ignored}, {"chat.editor.lineHeight", ignored}, {"chat.fontSize", ignored}, {"chat.fontFamily", ignored}, {"chat.editing.autoAcceptDelay", told, mode}, {"chat.editing.confirmEditRequestRemoval", ignored}, {"chat.editing.confirmEditRequestRetry", ignored}, {"chat.editRequests", ignored}, {"chat.notifyWindowOnConfirmation", ignored}, {"chat.notifyWindowOnResponseReceived", ignored}, {"chat.sendElementsToChat.enabled", ignored}, {"chat.math.enabled", ignored}, {"chat.todoListTool.enabled", ignored}, {"chat.viewSessions.enabled", ignored}, {"chat.viewSessions.orientation", ignored}, {"chat.implicitContext.enabled", ignored}, {"chat.disableAIFeatures", ignored}, {"chat.emptyState.history.enabled", ignored}, {"chat.customAgentInSubagent.enabled", told, Kind::agent}, {"chat.subagents.allowInvocationsFromSubagents", told, Kind::agent}, {"chat.renderRelatedFiles", ignored}, {"chat.tools.terminal.outputLocation", ignored}, {"chat.tools.terminal.terminalProfile.linux", named, program, high}, {"chat.tools.terminal.terminalProfile.osx", named, program, high}, {"chat.tools.terminal.terminalProfile.windows", named, program, high}, {"chat.tools.terminal.shellIntegrationTimeout", ignored}, {"chat.tools.terminal.simpleCollapsible", ignored}, {"chat.tools.todos.showWidget", ignored},
    {"github.copilot.chat.agent.runTasks", told, mode}, {"github.copilot.chat.agent.autoFix", told, mode}, {"github.copilot.chat.agent.thinkingTool", ignored}, {"github.copilot.chat.agent.currentEditorContext.enabled", ignored}, {"github.copilot.chat.agent.temperature", ignored}, {"github.copilot.chat.agent.codesearch.enabled", ignored},
    {"github.copilot.chat.agent.terminal.allowList", approvals, permission, high, Language::words}, {"github.copilot.chat.agent.terminal.denyList", deny, permission, high, Language::words},
};

// table: keys of .gemini/settings.json
constexpr KeyRow kGeminiKeys[] = {
    {"tools/allowed", allow, permission, medium, Language::gemini}, {"allowedTools", allow, permission, medium, Language::gemini},
    {"tools/confirmationRequired", ask, permission, medium, Language::gemini}, {"security/enableConseca", scale, permission, low, Language::exact, "true:low false:medium", "false"}, {"contextManagement/**", ignored}, {"tools/shell/pager", runs, program, high},
    {"tools/exclude", deny, permission, high, Language::gemini}, {"excludeTools", deny, permission, high, Language::gemini},
    {"tools/core", only, permission, high, Language::gemini}, {"coreTools", only, permission, high, Language::gemini, "", "", "tools.core"},
    {"tools/autoAccept", scale, mode, low, Language::exact, "false:low true:medium", "false"}, {"autoAccept", scale, mode, low, Language::exact, "false:low true:medium", "false", "tools.autoAccept"},
    {"tools/sandbox", scale, sandbox, low, Language::exact, "true|*:low false:high", "false"}, {"sandbox", scale, sandbox, low, Language::exact, "true|*:low false:high", "false", "tools.sandbox"}, {"tools/sandbox/**", named, sandbox, medium}, {"tools/sandboxAllowedPaths", allow, directory, medium, Language::folders}, {"tools/sandboxNetworkAccess", scale, network, low, Language::exact, kOffIsSafe, "false"},
    {"tools/discoveryCommand", runs, program, high}, {"tools/callCommand", runs, program, high}, {"toolDiscoveryCommand", runs, program, high, Language::exact, "", "", "tools.discoveryCommand"}, {"toolCallCommand", runs, program, high, Language::exact, "", "", "tools.callCommand"},
    {"tools/shell/**", ignored}, {"tools/useRipgrep", ignored}, {"tools/truncateToolOutputThreshold", ignored}, {"tools/truncateToolOutputLines", ignored}, {"tools/enableToolOutputTruncation", ignored}, {"tools/enableMessageBusIntegration", ignored}, {"tools/enableHooks", scale, hook, low, Language::exact, kOnIsSafe, "true"}, {"tools/disableLLMCorrection", ignored},
    {"general/defaultApprovalMode", scale, mode, low, Language::exact, "plan:low default:medium auto_edit:high yolo:critical", "default"}, {"general/disableYoloMode", scale, mode, low, Language::exact, kOnIsSafe, "false"}, {"general/**", ignored}, {"general", ignored},
    {"security/disableYoloMode", scale, mode, low, Language::exact, kOnIsSafe, "false"}, {"security/enablePermanentToolApproval", scale, mode, low, Language::exact, "false:low true:medium", "false"}, {"security/autoAddToPolicyByDefault", scale, mode, low, Language::exact, kOffIsSafe, "false"}, {"security/toolSandboxing", scale, sandbox, low, Language::exact, kOnIsSafe, "false"}, {"security/disableAlwaysAllow", scale, mode, low, Language::exact, "true:low false:medium", "false"},
    {"security/folderTrust/enabled", scale, trust, low, Language::exact, kOnIsSafe, "false"}, {"folderTrust", scale, trust, low, Language::exact, kOnIsSafe, "false", "security.folderTrust.enabled"}, {"security/folderTrust/**", told, trust}, {"security/blockGitExtensions", scale, plugin, low, Language::exact, kOnIsSafe, "false"}, {"security/allowedExtensions", only, plugin, high}, {"security/environmentVariableRedaction/enabled", scale, environment, low, Language::exact, kOnIsSafe, "false"}, {"security/environmentVariableRedaction/allowed", allow, environment, high}, {"security/environmentVariableRedaction/blocked", deny, environment, high}, {"security/auth/**", told, setting},
    {"mcpServers", servers, server}, {"mcp/serverCommand", runs, server, high}, {"mcpServerCommand", runs, server, high, Language::exact, "", "", "mcp.serverCommand"}, {"mcp/allowed", only, server, high}, {"allowMCPServers", only, server, high, Language::exact, "", "", "mcp.allowed"}, {"mcp/excluded", deny, server, medium}, {"excludeMCPServers", deny, server, medium, Language::exact, "", "", "mcp.excluded"},
    {"hooks/enabled", scale, hook, low, Language::exact, kOnIsSafe, "true"}, {"hooksConfig/enabled", scale, hook, low, Language::exact, kOnIsSafe, "true"}, {"hooksConfig/disabled", allow, hook, high}, {"hooksConfig/notifications", ignored}, {"hooks", hooks, hook, high},
    {"context/includeDirectories", allow, directory, medium, Language::folders}, {"includeDirectories", allow, directory, medium, Language::folders, "", "", "context.includeDirectories"}, {"context/loadMemoryFromIncludeDirectories", told, instruction}, {"context/loadFromIncludeDirectories", told, instruction}, {"context/fileName", told, instruction}, {"contextFileName", told, instruction, low, Language::exact, "", "", "context.fileName"}, {"context/**", ignored}, {"context", ignored},
    {"policyPaths", named, permission, high}, {"adminPolicyPaths", named, permission, high}, {"extensions/**", named, plugin, medium}, {"agents/**", told, Kind::agent}, {"skills/**", told, instruction}, {"admin/**", told, setting}, {"experimental/**", told, setting}, {"experimental", ignored}, {"telemetry/target", scale, network, low, Language::exact, "local:low gcp:medium", "local"}, {"telemetry/otlpEndpoint", named, network, medium}, {"telemetry/logPrompts", told, network}, {"telemetry/**", ignored}, {"telemetry", ignored}, {"advanced/excludedEnvVars", deny, environment, medium}, {"excludedProjectEnvVars", deny, environment, medium, Language::exact, "", "", "advanced.excludedEnvVars"}, {"advanced/**", ignored}, {"modelConfigs/**", ignored},
    {"ui/**", ignored}, {"ui", ignored}, {"ide/**", ignored}, {"privacy/**", ignored}, {"model/**", ignored}, {"model", ignored}, {"output/**", ignored}, {"billing/**", ignored}, {"useSmartEdit", ignored}, {"debug", ignored}, {"useWriteTodos", ignored}, {"theme", ignored}, {"vimMode", ignored}, {"preferredEditor", ignored}, {"hideBanner", ignored}, {"hideTips", ignored}, {"hideWindowTitle", ignored}, {"usageStatisticsEnabled", ignored}, {"selectedAuthType", ignored}, {"checkpointing/**", ignored}, {"fileFiltering/**", ignored}, {"maxSessionTurns", ignored}, {"summarizeToolOutput/**", ignored}, {"disableAutoUpdate", ignored}, {"disableUpdateNag", ignored}, {"accessibility/**", ignored}, {"bugCommand/**", told, network}, {"$schema", ignored}, {"customThemes/**", ignored}, {"showMemoryUsage", ignored}, {"showLineNumbers", ignored}, {"memoryImportFormat", ignored}, {"memoryDiscoveryMaxDirs", ignored}, {"loadMemoryFromIncludeDirectories", told, instruction, low, Language::exact, "", "", "context.loadMemoryFromIncludeDirectories"}, {"chatCompression/**", ignored}, {"dnsResolutionOrder", ignored}, {"autoConfigureMaxOldSpaceSize", ignored}, {"skipNextSpeakerCheck", ignored}, {"enablePromptCompletion", ignored}, {"ideMode", ignored},
};

// table: keys of Gemini's policy files
constexpr KeyRow kGeminiPolicyKeys[] = {{"rule", policies, permission, high}, {"safety_checker", named, permission, high}, {"safety_checkers", named, permission, high}};

// table: lines of a Markdown head that neither give anything nor are read as a text
constexpr std::string_view kPowerlessHeadKeys =
    "model color effort version license author metadata tags category argument-hint user-invocable user-invokable maxTurns max_turns temperature timeout_mins target infer is_background";

// table: head of .claude/agents/*.md
constexpr KeyRow kAgentKeys[] = {
    {"tools", only, Kind::agent, medium, Language::claude}, {"disallowedTools", deny, Kind::agent, high, Language::claude},
    {"permissionMode", scale, mode, low, Language::exact, kClaudeModes, "default"},
    {"hooks", hooks, hook, high}, {"mcpServers", named, server, high}, {"mcp-servers", named, server, high}, {"skills", told, instruction}, {"memory", told, setting}, {"isolation", told, sandbox}, {"background", told, setting}, {"initialPrompt", told, instruction},
};
// table: head of .github/agents/*.md and .github/chatmodes/*.md
constexpr KeyRow kVscodeAgentKeys[] = {
    {"tools", only, Kind::agent, medium, Language::tools}, {"mcp-servers", named, server, high}, {"mcpServers", named, server, high}, {"hooks", hooks, hook, high},
    {"agents", told, Kind::agent}, {"handoffs", told, Kind::agent}, {"disable-model-invocation", told, Kind::agent},
};
// table: head of .gemini/agents/*.md
constexpr KeyRow kGeminiAgentKeys[] = {
    {"tools", only, Kind::agent, medium, Language::gemini}, {"mcpServers", named, server, high}, {"mcp_servers", named, server, high}, {"kind", told, Kind::agent},
};
// table: head of .cursor/agents/*.md
constexpr KeyRow kCursorAgentKeys[] = {
    {"readonly", scale, Kind::agent, low, Language::exact, "true:low false:medium", "false"},
};
// table: head of commands and skills
constexpr KeyRow kCommandKeys[] = {
    {"allowed-tools", allow, Kind::agent, medium, Language::claude}, {"disallowed-tools", deny, Kind::agent, high, Language::claude},
    {"hooks", hooks, hook, high}, {"disable-model-invocation", scale, Kind::agent, low, Language::exact, "true:low false:low", "false"}, {"agent", told, Kind::agent}, {"context", told, Kind::agent}, {"shell", told, Kind::agent},
};

// table: keys of .claude-plugin/plugin.json and marketplace.json
constexpr KeyRow kPluginKeys[] = {
    {"mcpServers", servers, server}, {"hooks", hooks, hook, high}, {"lspServers", named, program, high},
    {"commands", told, agent}, {"agents", told, agent}, {"skills", told, agent}, {"outputStyles", told, instruction}, {"plugins", marketplaces, plugin, medium}, {"dependencies", named, plugin, medium},
};

// table: files of hosts
constexpr FileRow kFiles[] = {
    {Host::claude, ".claude/settings.json", Reader::settings_json, kClaudeKeys, true, 0},
    {Host::claude, ".claude/settings.local.json", Reader::settings_json, kClaudeKeys, true, 1},
    {Host::claude, ".mcp.json", Reader::settings_json, kServerFileKeys},
    {Host::claude, ".claude/agents/**/*.md", Reader::agent, kAgentKeys},
    {Host::claude, ".claude/commands/**/*.md", Reader::command, kCommandKeys},
    {Host::claude, ".claude/skills/**/skill.md", Reader::skill, kCommandKeys},
    {Host::claude, ".claude/rules/**/*.md", Reader::instruction},
    {Host::claude, ".claude/output-styles/**/*.md", Reader::instruction},
    {Host::claude, ".claude/claude.md", Reader::instruction},
    {Host::claude, "claude.md", Reader::instruction},
    {Host::claude, "claude.local.md", Reader::instruction},
    {Host::claude, ".claude/hooks/**", Reader::script},
    {Host::claude, ".claude-plugin/plugin.json", Reader::settings_json, kPluginKeys, true, 0, "\x01"},
    {Host::claude, ".claude-plugin/marketplace.json", Reader::settings_json, kPluginKeys, true, 0, "\x01"},
    {Host::claude, "hooks/hooks.json", Reader::settings_json, kHookFileKeys, true, 0, "\x01"},
    {Host::claude, ".claude/*.json", Reader::other},
    {Host::codex, ".codex/config.toml", Reader::settings_toml, kCodexKeys},
    {Host::codex, ".codex/hooks.json", Reader::settings_json, kHookFileKeys},
    {Host::codex, ".codex/rules/**", Reader::none},
    {Host::codex, ".codex/agents/**/*.toml", Reader::settings_toml, kCodexKeys},
    {Host::codex, ".codex/environments/**/*.toml", Reader::settings_toml, kCodexEnvironmentKeys},
    {Host::codex, ".codex/local-environment.toml", Reader::settings_toml, kCodexEnvironmentKeys},
    {Host::codex, ".codex/prompts/**/*.md", Reader::instruction},
    {Host::codex, ".codex/agents.md", Reader::instruction},
    {Host::codex, ".codex/hooks/**", Reader::script},
    {Host::codex, ".codex/*.toml", Reader::other},
    {Host::cursor, ".cursor/mcp.json", Reader::settings_json, kServerFileKeys},
    {Host::cursor, ".cursor/hooks.json", Reader::settings_json, kHookFileKeys},
    {Host::cursor, ".cursor/cli.json", Reader::settings_json, kCursorCliKeys},
    {Host::cursor, ".cursor/permissions.json", Reader::settings_json, kCursorListKeys},
    {Host::cursor, ".cursor/sandbox.json", Reader::settings_json, kCursorSandboxKeys},
    {Host::cursor, ".cursor/environment.json", Reader::settings_json, kCursorEnvironmentKeys},
    {Host::cursor, ".cursor/hooks/**", Reader::script},
    {Host::cursor, ".cursor/dockerfile", Reader::script},
    {Host::cursor, ".cursor/*.json", Reader::other},
    {Host::cursor, ".cursor/rules/**", Reader::instruction},
    {Host::cursor, ".cursor/commands/**", Reader::instruction},
    {Host::cursor, ".cursor/agents/**/*.md", Reader::agent, kCursorAgentKeys},
    {Host::cursor, ".cursor/agents/**", Reader::instruction},
    {Host::cursor, ".cursor/skills/**/skill.md", Reader::instruction},
    {Host::cursor, ".cursorrules", Reader::instruction},
    {Host::vscode, ".vscode/mcp.json", Reader::settings_json, kServerFileKeys},
    {Host::vscode, ".vscode/settings.json", Reader::settings_json, kVscodeKeys, true, 0, "chat. github.copilot.chat.agent. mcp"},
    {Host::vscode, ".github/hooks/*.json", Reader::settings_json, kHookFileKeys, false},
    {Host::vscode, ".github/hooks/**", Reader::script, {}, false},
    {Host::vscode, ".github/copilot-instructions.md", Reader::instruction, {}, false},
    {Host::vscode, ".github/instructions/**/*.md", Reader::instruction, {}, false},
    {Host::vscode, ".github/prompts/**/*.md", Reader::instruction, {}, false},
    {Host::vscode, ".github/chatmodes/**/*.md", Reader::agent, kVscodeAgentKeys, false},
    {Host::vscode, ".github/agents/**/*.md", Reader::agent, kVscodeAgentKeys, false},
    {Host::vscode, ".github/skills/**/skill.md", Reader::skill, kCommandKeys, false},
    {Host::gemini, ".gemini/settings.json", Reader::settings_json, kGeminiKeys},
    {Host::gemini, ".gemini/policies/**/*.toml", Reader::settings_toml, kGeminiPolicyKeys},
    {Host::gemini, ".gemini/commands/**/*.toml", Reader::instruction},
    {Host::gemini, ".gemini/agents/**/*.md", Reader::agent, kGeminiAgentKeys},
    {Host::gemini, ".gemini/skills/**/skill.md", Reader::instruction},
    {Host::gemini, ".gemini/gemini.md", Reader::instruction},
    {Host::gemini, ".gemini/hooks/**", Reader::script},
    {Host::gemini, ".gemini/*.json", Reader::other},
    {Host::gemini, "gemini.md", Reader::instruction},
    {Host::agents, "agents.md", Reader::instruction},
    {Host::agents, "agents.override.md", Reader::instruction},
    {Host::agents, ".agents/skills/**/skill.md", Reader::skill, kCommandKeys},
    {Host::agents, ".windsurfrules", Reader::instruction},
    {Host::agents, ".clinerules", Reader::instruction},
    {Host::agents, ".clinerules/**", Reader::instruction},
    {Host::ci, ".github/workflows/*.yml", Reader::workflow, {}, false},
    {Host::ci, ".github/workflows/*.yaml", Reader::workflow, {}, false},
    {Host::ci, ".github/actions/**/action.yml", Reader::workflow, {}, false},
    {Host::ci, ".github/actions/**/action.yaml", Reader::workflow, {}, false},
    {Host::ci, ".gitlab-ci.yml", Reader::ci_file, {}, false},
    {Host::ci, ".circleci/config.yml", Reader::ci_file, {}, false},
    {Host::ci, "azure-pipelines.yml", Reader::ci_file, {}, false},
    {Host::ci, "bitbucket-pipelines.yml", Reader::ci_file, {}, false},
    {Host::ci, ".buildkite/pipeline.yml", Reader::ci_file, {}, false},
    {Host::ci, ".drone.yml", Reader::ci_file, {}, false},
};

/// Names of those above that need no folder of a host.
constexpr std::string_view kPlainNames = "claude.md claude.local.md gemini.md agents.md agents.override.md azure-pipelines.yml bitbucket-pipelines.yml hooks.json";

struct FolderRow {
  std::string_view name;
  Host host;
  bool below;
};
// table: folders that hosts look into
constexpr FolderRow kFolders[] = {
    {".claude", Host::claude, true}, {".claude/agents", Host::claude, true}, {".claude/commands", Host::claude, true}, {".claude/skills", Host::claude, true}, {".claude/skills/*", Host::claude, true}, {".claude/rules", Host::claude, true},
    {".codex", Host::codex, true}, {".codex/rules", Host::codex, true}, {".codex/agents", Host::codex, true},
    {".cursor", Host::cursor, true}, {".cursor/rules", Host::cursor, true}, {".cursor/commands", Host::cursor, true},
    {".vscode", Host::vscode, true}, {".gemini", Host::gemini, true}, {".gemini/policies", Host::gemini, true}, {".agents", Host::agents, true}, {".agents/skills", Host::agents, true},
    {".github", Host::ci, false}, {".github/workflows", Host::ci, false}, {".github/actions", Host::ci, false}, {".github/hooks", Host::vscode, false},
};

// table: events whose hooks can stop something
constexpr std::string_view kGuardEvents =
    "PreToolUse PermissionRequest UserPromptSubmit Stop SubagentStop ConfigChange "
    "preToolUse beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead beforeSubmitPrompt stop subagentStop "
    "BeforeTool BeforeAgent AfterAgent BeforeModel BeforeToolSelection";

// table: variables that decide which code runs, or who is talked to
constexpr std::string_view kRiskyVariables =
    "PATH BASH_ENV ENV LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONSTARTUP PERL5LIB PERL5OPT RUBYOPT RUBYLIB "
    "GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_COUNT GIT_EXEC_PATH GIT_PROXY_COMMAND PROMPT_COMMAND SHELL "
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy NODE_TLS_REJECT_UNAUTHORIZED NODE_EXTRA_CA_CERTS SSL_CERT_FILE REQUESTS_CA_BUNDLE "
    "ANTHROPIC_BASE_URL ANTHROPIC_BEDROCK_BASE_URL ANTHROPIC_VERTEX_BASE_URL ANTHROPIC_CUSTOM_HEADERS OPENAI_BASE_URL GOOGLE_GEMINI_BASE_URL GEMINI_SANDBOX "
    "IS_SANDBOX CLAUDE_CODE_SHELL_PREFIX CLAUDE_CODE_SHELL CLAUDE_ENV_FILE CLAUDE_CONFIG_DIR npm_config_registry NPM_CONFIG_REGISTRY PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX_URL GOPROXY MAVEN_OPTS JAVA_TOOL_OPTIONS";

// table: variables of hosts that only limit, name a model or change a view
constexpr std::string_view kPowerlessVariables =
    "BASH_DEFAULT_TIMEOUT_MS BASH_MAX_TIMEOUT_MS BASH_MAX_OUTPUT_LENGTH TASK_MAX_OUTPUT_LENGTH API_TIMEOUT_MS MAX_THINKING_TOKENS MAX_MCP_OUTPUT_TOKENS MCP_TIMEOUT MCP_TOOL_TIMEOUT "
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS CLAUDE_CODE_EFFORT_LEVEL CLAUDE_CODE_SUBAGENT_MODEL CLAUDE_CODE_AUTO_COMPACT_WINDOW CLAUDE_AUTOCOMPACT_PCT_OVERRIDE CLAUDE_CODE_MAX_RETRIES "
    "CLAUDE_CODE_DISABLE_TERMINAL_TITLE CLAUDE_CODE_HIDE_ACCOUNT_INFO CLAUDE_CODE_NO_FLICKER CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC CLAUDE_CODE_DISABLE_1M_CONTEXT CLAUDE_CODE_DISABLE_ADAPTIVE_THINKING "
    "ANTHROPIC_MODEL ANTHROPIC_SMALL_FAST_MODEL ANTHROPIC_DEFAULT_HAIKU_MODEL ANTHROPIC_DEFAULT_SONNET_MODEL ANTHROPIC_DEFAULT_OPUS_MODEL "
    "DISABLE_TELEMETRY DISABLE_ERROR_REPORTING DISABLE_AUTOUPDATER DISABLE_UPDATES DISABLE_COST_WARNINGS DISABLE_BUG_COMMAND DISABLE_FEEDBACK_COMMAND DISABLE_NON_ESSENTIAL_MODEL_CALLS DISABLE_PROMPT_CACHING DISABLE_AUTO_COMPACT DISABLE_COMPACT DISABLE_INTERLEAVED_THINKING "
    "ENABLE_TOOL_SEARCH CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS SLASH_COMMAND_TOOL_CHAR_BUDGET USE_BUILTIN_RIPGREP FORCE_COLOR NO_COLOR";

struct AllRow {
  std::string_view key, list;
};
// table: keys that give every item of a list when they are true
constexpr AllRow kGivesAll[] = {
    {"enableAllProjectMcpServers", "enabledMcpjsonServers"},
    {"sandbox.network.allowAllUnixSockets", "sandbox.network.allowUnixSockets"},
};

// table: actions that run an agent
constexpr ActionRow kActions[] = {
    {"anthropics/claude-code-action", "claude"}, {"anthropics/claude-code-base-action", "claude"}, {"anthropics/claude-code-security-review", "claude"},
    {"openai/codex-action", "codex"}, {"google-github-actions/run-gemini-cli", "gemini"}, {"google-gemini/gemini-cli-action", "gemini"},
    {"sst/opencode/github", "opencode"}, {"anomalyco/opencode/github", "opencode"}, {"all-hands-ai/openhands-resolver", "openhands"}, {"cursor/cursor-action", "cursor-agent"}, {"actions/ai-inference", "inference"},
};

// table: inputs and variables that hand over the agent's own key
constexpr std::string_view kOwnKeys =
    "anthropic_api_key claude_code_oauth_token openai-api-key gemini_api_key google_api_key "
    "ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN CLAUDE_CODE_OAUTH_TOKEN OPENAI_API_KEY CODEX_API_KEY AZURE_OPENAI_API_KEY GEMINI_API_KEY GOOGLE_API_KEY CURSOR_API_KEY OPENROUTER_API_KEY";
// table: words in the names of secrets that are keys of models
constexpr std::string_view kModelWords = "ANTHROPIC CLAUDE OPENAI CODEX GEMINI GOOGLE_API CURSOR OPENROUTER";

// table: words in the names of workflows that run an agent
constexpr std::string_view kAgentWords = "claude codex gemini copilot cursor-agent opencode aider";

// table: first words behind an agent that start no session
constexpr std::string_view kNoSession = "--version -v -V --help -h help version doctor update upgrade login logout";

// table: keys of a plugin in a list that only describe it
constexpr std::string_view kPluginDescriptions = "description category author keywords tags homepage repository license displayName display_name owner";

// table: programs that are agents
constexpr ProgramName kAgentPrograms[] = {
    {"claude", "@anthropic-ai/claude-code"}, {"codex", "@openai/codex"}, {"gemini", "@google/gemini-cli"}, {"cursor-agent", ""}, {"copilot", "@github/copilot"}, {"opencode", "opencode-ai"}, {"aider", "aider-chat"}, {"qwen", "@qwen-code/qwen-code"}, {"goose", ""}, {"amp", "@sourcegraph/amp"},
};

// table: flags of those programs
constexpr FlagRow kFlags[] = {
    {"claude", "--dangerously-skip-permissions", FlagForm::on, critical}, {"claude", "--allow-dangerously-skip-permissions", FlagForm::on, high},
    {"claude", "--permission-mode", FlagForm::scale, low, Language::exact, kClaudeModes, "default"},
    {"claude", "--allowedTools --allowed-tools", FlagForm::allow, medium, Language::claude}, {"claude", "--disallowedTools --disallowed-tools", FlagForm::deny, high, Language::claude},
    {"claude", "--tools", FlagForm::named, medium}, {"claude", "--add-dir", FlagForm::named, high}, {"claude", "--mcp-config", FlagForm::document, high}, {"claude", "--settings", FlagForm::document, high}, {"claude", "--setting-sources", FlagForm::named, medium}, {"claude", "--permission-prompt-tool", FlagForm::named, high}, {"claude", "--plugin-dir", FlagForm::named, high}, {"claude", "--agents", FlagForm::named, medium},
    {"claude", "--model --max-turns --fallback-model --output-format --input-format --system-prompt --append-system-prompt --json-schema --resume -r --session-id --max-budget-usd --effort --debug-to --betas --name -n --agent --system-prompt-file --append-system-prompt-file", FlagForm::with_value},
    {"codex", "--dangerously-bypass-approvals-and-sandbox --yolo", FlagForm::on, critical}, {"codex", "--full-auto", FlagForm::on, high}, {"codex", "--skip-git-repo-check", FlagForm::on, low}, {"codex", "--search", FlagForm::on, medium},
    {"codex", "--sandbox -s", FlagForm::scale, low, Language::exact, "read-only:low workspace-write:medium danger-full-access:critical", "read-only"},
    {"codex", "--ask-for-approval -a", FlagForm::scale, low, Language::exact, "untrusted:low on-failure:medium on-request:medium never:high", "never"},
    {"codex", "--config -c", FlagForm::named, high}, {"codex", "--add-dir", FlagForm::named, high}, {"codex", "--profile -p", FlagForm::named, medium},
    {"codex", "--model -m --cd -C --output-last-message -o --image -i --color --output-schema --enable --disable", FlagForm::with_value},
    {"gemini", "--yolo -y", FlagForm::on, critical}, {"gemini", "--approval-mode", FlagForm::scale, low, Language::exact, "plan:low default:medium auto_edit:high yolo:critical", "default"},
    {"gemini", "--allowed-tools", FlagForm::allow, medium, Language::gemini}, {"gemini", "--allowed-mcp-server-names", FlagForm::allow, medium}, {"gemini", "--include-directories", FlagForm::named, high}, {"gemini", "--extensions -e", FlagForm::named, medium}, {"gemini", "--policy", FlagForm::named, high},
    {"gemini", "--model -m --prompt -p --prompt-interactive -i --output-format -o", FlagForm::with_value},
    {"cursor-agent", "--force -f --yolo", FlagForm::on, critical}, {"cursor-agent", "--approve-mcps", FlagForm::on, high}, {"cursor-agent", "--sandbox", FlagForm::scale, low, Language::exact, "enabled:low disabled:high", "enabled"}, {"cursor-agent", "--trust", FlagForm::on, medium},
    {"cursor-agent", "--model --output-format --api-key -a --workspace", FlagForm::with_value},
    {"copilot", "--allow-all-tools", FlagForm::on, critical}, {"copilot", "--yolo --allow-all", FlagForm::on, critical}, {"copilot", "--allow-all-paths", FlagForm::on, high}, {"copilot", "--allow-all-urls", FlagForm::on, high}, {"copilot", "--allow-tool", FlagForm::allow, medium}, {"copilot", "--deny-tool", FlagForm::deny, high}, {"copilot", "--add-dir", FlagForm::named, high}, {"copilot", "--additional-mcp-config", FlagForm::named, high}, {"copilot", "--model --prompt -p --log-level --agent", FlagForm::with_value},
    {"aider", "--yes-always --yes", FlagForm::on, high}, {"qwen", "--yolo -y", FlagForm::on, critical}, {"qwen", "--approval-mode", FlagForm::scale, low, Language::exact, "plan:low default:medium auto-edit:high yolo:critical", "default"}, {"amp", "--dangerously-allow-all", FlagForm::on, critical},
};

// table: inputs of those actions
constexpr InputRow kInputs[] = {
    {"claude", "claude_args", InputForm::flags},
    {"claude", "allowed_tools", InputForm::allow, medium, Language::claude}, {"claude", "disallowed_tools", InputForm::deny, high, Language::claude},
    {"claude", "allowed_non_write_users", InputForm::allow, high}, {"claude", "allowed_bots", InputForm::allow, medium, Language::domains}, {"claude", "additional_permissions", InputForm::allow, medium},
    {"claude", "bypass_write_permission_check_acknowledgment", InputForm::scale, low, Language::exact, kOffIsSafe, "false"},
    {"claude", "settings", InputForm::document, high}, {"claude", "mcp_config", InputForm::document, high}, {"claude", "plugins", InputForm::named, high}, {"claude", "plugin_marketplaces", InputForm::named, high}, {"claude", "claude_env", InputForm::named, medium}, {"claude", "path_to_claude_code_executable", InputForm::named, high}, {"claude", "path_to_bun_executable", InputForm::named, high}, {"claude", "github_token", InputForm::token, medium}, {"claude", "ssh_signing_key", InputForm::named, medium}, {"claude", "trigger_phrase", InputForm::named, low}, {"claude", "label_trigger", InputForm::named, low}, {"claude", "assignee_trigger", InputForm::named, low},
    {"claude", "prompt", InputForm::told}, {"claude", "prompt_file", InputForm::told}, {"claude", "direct_prompt", InputForm::told}, {"claude", "override_prompt", InputForm::told}, {"claude", "custom_instructions", InputForm::told}, {"claude", "system_prompt", InputForm::told}, {"claude", "append_system_prompt", InputForm::told},
    {"claude", "model", InputForm::ignored}, {"claude", "anthropic_model", InputForm::ignored}, {"claude", "fallback_model", InputForm::ignored}, {"claude", "max_turns", InputForm::ignored}, {"claude", "timeout_minutes", InputForm::ignored}, {"claude", "use_sticky_comment", InputForm::ignored}, {"claude", "track_progress", InputForm::ignored}, {"claude", "branch_prefix", InputForm::ignored}, {"claude", "base_branch", InputForm::ignored}, {"claude", "mode", InputForm::ignored}, {"claude", "anthropic_api_key", InputForm::ignored}, {"claude", "claude_code_oauth_token", InputForm::ignored}, {"claude", "bot_id", InputForm::ignored}, {"claude", "bot_name", InputForm::ignored}, {"claude", "show_full_output", InputForm::ignored},
    {"claude", "anthropic_federation_rule_id", InputForm::ignored}, {"claude", "anthropic_organization_id", InputForm::ignored}, {"claude", "anthropic_service_account_id", InputForm::ignored}, {"claude", "anthropic_workspace_id", InputForm::ignored}, {"claude", "use_bedrock", InputForm::ignored}, {"claude", "use_vertex", InputForm::ignored}, {"claude", "use_foundry", InputForm::ignored}, {"claude", "use_commit_signing", InputForm::ignored}, {"claude", "display_report", InputForm::ignored}, {"claude", "include_fix_links", InputForm::ignored}, {"claude", "classify_inline_comments", InputForm::ignored},
    {"codex", "sandbox", InputForm::scale, low, Language::exact, "read-only:low workspace-write:medium danger-full-access:critical", "workspace-write"},
    {"codex", "safety-strategy", InputForm::scale, low, Language::exact, "read-only:low unprivileged-user:low drop-sudo:low unsafe:critical", "drop-sudo"},
    {"codex", "permission-profile", InputForm::named, high}, {"codex", "codex-args", InputForm::flags}, {"codex", "codex-home", InputForm::named, medium}, {"codex", "codex-user", InputForm::named, medium}, {"codex", "working-directory", InputForm::named, low},
    {"codex", "require-repo-write", InputForm::scale, low, Language::exact, kOnIsSafe, "true"}, {"codex", "allow-bots", InputForm::scale, low, Language::exact, kOffIsSafe, "false"}, {"codex", "allow-users", InputForm::allow, high}, {"codex", "allow-bot-users", InputForm::allow, medium}, {"codex", "responses-api-endpoint", InputForm::named, high},
    {"codex", "prompt", InputForm::told}, {"codex", "prompt-file", InputForm::told}, {"codex", "model", InputForm::ignored}, {"codex", "effort", InputForm::ignored}, {"codex", "openai-api-key", InputForm::ignored}, {"codex", "codex-version", InputForm::ignored}, {"codex", "output-file", InputForm::ignored}, {"codex", "output-schema", InputForm::ignored}, {"codex", "output-schema-file", InputForm::ignored},
    {"gemini", "settings", InputForm::document, high}, {"gemini", "extensions", InputForm::named, high}, {"gemini", "prompt", InputForm::told}, {"gemini", "gemini_model", InputForm::ignored}, {"gemini", "gemini_api_key", InputForm::ignored}, {"gemini", "gemini_debug", InputForm::ignored}, {"gemini", "gemini_cli_version", InputForm::ignored}, {"gemini", "upload_artifacts", InputForm::ignored},
    {"gemini", "google_api_key", InputForm::ignored}, {"gemini", "workflow_name", InputForm::ignored}, {"gemini", "use_vertex_ai", InputForm::ignored}, {"gemini", "use_gemini_code_assist", InputForm::ignored}, {"gemini", "use_pnpm", InputForm::ignored}, {"gemini", "gcp_location", InputForm::ignored}, {"gemini", "gcp_project_id", InputForm::ignored}, {"gemini", "gcp_token_format", InputForm::ignored}, {"gemini", "github_pr_number", InputForm::ignored}, {"gemini", "github_issue_number", InputForm::ignored},
};

struct DocumentRow {
  std::string_view program, names;
  std::span<const KeyRow> keys;
};
// table: settings inside of an input or behind a flag
constexpr DocumentRow kDocuments[] = {
    {"claude", "settings --settings", kClaudeKeys}, {"claude", "mcp_config --mcp-config", kServerFileKeys}, {"gemini", "settings", kGeminiKeys},
};

struct TriggerRow {
  std::string_view names;
  Weight weight;
};
// table: what starts a workflow, by who can make it happen
constexpr TriggerRow kTriggers[] = {
    {"pull_request_target", critical},
    {"issue_comment issues pull_request_review pull_request_review_comment discussion discussion_comment workflow_run fork watch gollum public repository_dispatch", high},
    {"pull_request", medium},
};
// clang-format on

Weight weight_named(std::string_view name) {
  for (const Weight w : {low, medium, high, critical})
    if (to_string(w) == name) return w;
  return low;
}

/// Where below the path the pattern begins; npos: nowhere.
std::size_t place_of_pattern(std::string_view path, std::string_view pattern, bool below) {
  if (policy::matches_pathglob(path, pattern)) return 0;
  if (!below) return path.npos;
  for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1))
    if (policy::matches_pathglob(path.substr(at + 1), pattern)) return at + 1;
  return path.npos;
}

}  // namespace

std::span<const FileRow> file_rows() { return kFiles; }
std::span<const KeyRow> server_keys() { return kServerKeys; }
std::span<const FlagRow> flag_rows() { return kFlags; }
std::span<const ProgramName> agent_programs() { return kAgentPrograms; }

std::optional<KnownFile> known_file(std::string_view path) {
  const std::string folded = small_letters(path);
  // Most files of a repository are none of these, and there are many of them.
  const std::string_view name = std::string_view(folded).substr(folded.rfind('/') + 1);
  const bool has_dot_name = folded.starts_with('.') || contains(folded, "/.");
  if (folded.empty() || (!has_dot_name && !is_among(kPlainNames, name))) return std::nullopt;
  for (const FileRow& row : kFiles) {
    const std::size_t at = place_of_pattern(folded, row.pattern, row.below);
    if (at == folded.npos) continue;
    // docs/agents.md is a page about agents more often than instructions on a disk without cases.
    const bool is_plain_name =
        row.reader == Reader::instruction && is_among(kPlainNames, row.pattern);
    if (is_plain_name && at > 0 && last_part(path).substr(0, 2) == last_part(folded).substr(0, 2))
      continue;
    return KnownFile{&row, std::string(path.substr(0, at))};
  }
  return std::nullopt;
}

std::optional<Host> host_of_folder(std::string_view path) {
  const std::string folded = small_letters(path);
  if (!folded.starts_with('.') && !contains(folded, "/.")) return std::nullopt;
  for (const FolderRow& row : kFolders)
    if (place_of_pattern(folded, row.name, row.below) != folded.npos) return row.host;
  return std::nullopt;
}

std::optional<WordRow> find_word(std::string_view words, std::string_view word) {
  int rank = 0;
  std::optional<WordRow> any;
  for (const std::string_view one : split(words, ' ')) {
    const std::size_t colon = one.rfind(':');
    const WordRow row{rank++, weight_named(one.substr(colon + 1))};
    for (const std::string_view name : split(one.substr(0, colon), '|')) {
      if (name == word) return row;
      if (name == "*") any = row;
    }
  }
  return any;
}

std::string_view list_given_by(std::string_view key) {
  const auto row = std::ranges::find(kGivesAll, key, &AllRow::key);
  return row != std::end(kGivesAll) ? row->list : std::string_view();
}
bool is_powerless_variable(std::string_view name) { return is_among(kPowerlessVariables, name); }
bool is_powerless_head_key(std::string_view key) { return is_among(kPowerlessHeadKeys, key); }
bool is_guard_event(std::string_view event) { return is_among(kGuardEvents, event); }
bool is_risky_variable(std::string_view name) {
  return is_among(kRiskyVariables, name) || looks_secret(name);
}
bool looks_secret(std::string_view name) {
  const std::string folded = small_letters(name);
  for (const std::string_view part :
       {"token", "secret", "passw", "api_key", "apikey", "private_key", "credential", "access_key",
        "authorization", "_auth", "_pat"})
    if (contains(folded, part)) return true;
  return false;
}

const ActionRow* find_action(std::string_view name) {
  const std::string folded = small_letters(name);
  const auto row = std::ranges::find(kActions, std::string_view(folded), &ActionRow::name);
  return row != std::end(kActions) ? row : nullptr;
}

const InputRow* find_input(std::string_view program, std::string_view name) {
  for (const InputRow& row : kInputs)
    if (row.program == program && row.name == name) return &row;
  return nullptr;
}

bool is_own_key(std::string_view input, std::string_view secret) {
  const auto names_a_model = [&](std::string_view word) { return contains(secret, word); };
  return is_among(kOwnKeys, input) && std::ranges::any_of(split(kModelWords, ' '), names_a_model);
}
bool names_agent_workflow(std::string_view uses) {
  const std::size_t folder = uses.find(".github/workflows/");
  if (folder == uses.npos) return false;
  const std::string file = small_letters(uses.substr(folder, uses.find('@') - folder));
  return std::ranges::any_of(split(kAgentWords, ' '),
                             [&](std::string_view word) { return contains(file, word); });
}
bool is_no_session(std::string_view first_word) { return is_among(kNoSession, first_word); }
bool is_description_of_plugin(std::string_view key) { return is_among(kPluginDescriptions, key); }

std::span<const KeyRow> document_keys(std::string_view program, std::string_view name) {
  for (const DocumentRow& row : kDocuments)
    if (row.program == program && is_among(row.names, name)) return row.keys;
  return {};
}

Weight weight_of_trigger(std::string_view name) {
  for (const TriggerRow& row : kTriggers)
    if (is_among(row.names, name)) return row.weight;
  return low;
}

}  // namespace gh::powers
