// The published conformance suites of MCP against the program, over HTTP.
//
//   node tests/mcp_conformance.mjs GATEHOUSE stable|2025-11-25|2026-07-28|product
//
// Each part knows the scenarios it expects by name: one that vanishes from a suite, or a check that the
// suite skips, is a failure like one that fails, unless it is named here with the reason. Warnings are told.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const suites = join(root, '.cache/conformance/node_modules');
const STABLE = join(suites, 'conformance/dist/index.js');
const ALPHA = join(suites, 'conformance-alpha/dist/index.js');
const PATIENCE_MS = 120_000;

const words = (text) => text.trim().split(/\s+/);
const COMMON = words(`
  completion-complete tools-list tools-call-simple-text tools-call-image tools-call-audio
  tools-call-embedded-resource tools-call-mixed-content tools-call-error tools-call-with-progress
  server-sse-multiple-streams resources-list resources-read-text resources-read-binary
  resources-templates-read prompts-list prompts-get-simple prompts-get-with-args
  prompts-get-embedded-resource prompts-get-with-image dns-rebinding-protection`);
const LEGACY = words(`
  server-initialize logging-set-level ping tools-call-with-logging tools-call-sampling
  tools-call-elicitation elicitation-sep1034-defaults elicitation-sep1330-enums resources-subscribe
  resources-unsubscribe`);
const MODERN = words(`
  server-stateless caching sep-2164-resource-not-found
  input-required-result-basic-elicitation input-required-result-basic-sampling
  input-required-result-basic-list-roots input-required-result-request-state
  input-required-result-multiple-input-requests input-required-result-multi-round
  input-required-result-missing-input-response input-required-result-non-tool-request
  input-required-result-result-type input-required-result-unsupported-methods
  input-required-result-tampered-state input-required-result-capability-check
  input-required-result-ignore-extra-params input-required-result-validate-input`);

// Scenarios of an extension that is not offered may fail; everything else that a suite runs must pass.
const NOT_OFFERED = [[/^tasks-/, 'tasks are an extension that we do not declare']];
// Checks that a suite skips by itself: [scenario, check, reason].
const MAY_SKIP = [];

const PARTS = {
  stable: { suite: STABLE, count: 32, args: ['--suite', 'all'],
    scenarios: [...COMMON, ...LEGACY, 'json-schema-2020-12', 'server-sse-polling'] },
  '2025-11-25': { suite: ALPHA, count: 30, args: ['--requirements', '2025-11-25'], scenarios: [...COMMON, ...LEGACY] },
  '2026-07-28': { suite: ALPHA, count: 37, args: ['--requirements', '2026-07-28'], scenarios: [...COMMON, ...MODERN] },
  // What needs no fixture, against the tools of the product in a repository of its own.
  product: { count: 13, runs: [
    { suite: STABLE, args: [], scenarios: words('server-initialize ping logging-set-level tools-list server-sse-multiple-streams dns-rebinding-protection') },
    { suite: ALPHA, args: ['--spec-version', '2025-11-25'], scenarios: words('server-session-lifecycle tools-list') },
    { suite: ALPHA, args: ['--spec-version', '2026-07-28'], scenarios: words(`caching sep-2164-resource-not-found
        input-required-result-unsupported-methods http-header-validation tools-list`) }] },
};

const [program, name] = process.argv.slice(2);
const gatehouse = program && resolve(program);
const part = PARTS[name];
if (!gatehouse || !part) {
  console.error(`usage: mcp_conformance.mjs GATEHOUSE ${Object.keys(PARTS).join('|')}`);
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'gh-conformance-'));
let server;
try {
  process.exitCode = await main();
} finally {
  server?.kill('SIGTERM');
  rmSync(scratch, { recursive: true, force: true });
}

async function main() {
  const url = await start(name === 'product' ? productArguments() : ['--test-fixtures'], scratch);
  const expected = part.runs ? part.runs.flatMap((run) => run.scenarios) : part.scenarios;
  let wrong = 0;
  const complain = (text) => { wrong += 1; console.error(text); };
  if (expected.length !== part.count) complain(`${expected.length} scenarios are listed, ${part.count} are expected`);
  let passed = 0;
  for (const run of part.runs ?? [part]) passed += runSuite(run, url, complain);
  const stopped = await stop();
  if (stopped !== 0) complain(`the server ended with ${stopped}`);
  console.log(`${name}: ${passed} of ${expected.length} scenarios pass`);
  return wrong === 0 && passed === part.count ? 0 : 1;
}

function productArguments() {
  const git = (...args) => {
    const ran = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main', ...args],
      { cwd: scratch, env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' } });
    if (ran.status !== 0) throw new Error(`git ${args.join(' ')}: ${ran.stderr}`);
  };
  git('init', '-q');
  writeFileSync(join(scratch, 'a.py'), 'def f(a):\n    return a\n');
  writeFileSync(join(scratch, 'gatehouse.yaml'), 'server:\n  read_rps: 1000\n  read_burst: 1000\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  return ['--repo', scratch];
}

/** Starts the server on a free port; its address. */
function start(args, cwd) {
  server = spawn(gatehouse, ['serve', '--mcp-only', '--listen', '127.0.0.1:0', ...args], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((done, fail) => {
    let text = '';
    server.stdout.on('data', (bytes) => {
      text += bytes;
      const url = /http:\/\/\S+/.exec(text);
      if (url && text.includes('\n')) done(url[0]);
    });
    server.once('exit', (code) => fail(new Error(`the server ended with ${code} before it listened`)));
  });
}

function stop() {
  return new Promise((done) => {
    server.removeAllListeners('exit');
    server.once('exit', (code) => done(code));
    server.kill('SIGTERM');
  });
}

/** How many of the scenarios pass. */
function runSuite(run, url, complain) {
  const results = mkdtempSync(join(scratch, 'results-'));
  const calls = run.args.length && run.args[0] !== '--spec-version' ? [run.args] : run.scenarios.map((s) => ['--scenario', s, ...run.args]);
  let output = '';
  for (const args of calls) {
    const ran = spawnSync(process.execPath, [run.suite, 'server', '--url', url, '-o', results, ...args],
      { encoding: 'utf8', timeout: PATIENCE_MS, maxBuffer: 64 << 20 });
    output += ran.stdout + ran.stderr;
    if (ran.error) complain(`${args.join(' ')}: ${ran.error.message}`);
  }
  const verdicts = new Map(readdirSync(results).map((folder) => {
    const checks = JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8'));
    return [scenarioOf(folder), checks];
  }));
  let passed = 0;
  for (const scenario of run.scenarios) {
    const checks = verdicts.get(scenario);
    if (!checks || checks.length === 0) complain(`${scenario}: it did not run`);
    else if (!report(scenario, checks, complain)) passed += 1;
  }
  for (const [scenario, checks] of verdicts)
    if (!run.scenarios.includes(scenario) && !notOffered(scenario)) report(scenario, checks, complain);
  if (passed < run.scenarios.length) console.error(output.slice(-6000));
  return passed;
}

/** Result folders are called server-SCENARIO-TIME. */
function scenarioOf(folder) {
  return folder.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z?$/, '');
}

/** Why the scenario may fail; tells it. */
function notOffered(scenario) {
  const row = NOT_OFFERED.find(([pattern]) => pattern.test(scenario));
  if (row) console.log(`${scenario}: not asked for: ${row[1]}`);
  return row !== undefined;
}

/** True when a check failed, or was skipped for no reason that we know; says which. */
function report(scenario, checks, complain) {
  for (const check of checks.filter((one) => one.status === 'WARNING'))
    console.log(`${scenario}: warning: ${check.id}: ${check.errorMessage ?? check.description}`);
  const known = (check) => MAY_SKIP.find(([of, id]) => of === scenario && id === check.id);
  const failed = checks.filter((check) => check.status === 'FAILURE' || (check.status === 'SKIPPED' && !known(check)));
  for (const check of failed) complain(`${scenario}: ${check.id}: ${check.errorMessage ?? check.description}`);
  return failed.length > 0;
}
