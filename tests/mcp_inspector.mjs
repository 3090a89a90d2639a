// The Inspector's command line lists, calls and reads what the server offers, and has nothing to complain about.
// usage: node tests/mcp_inspector.mjs GATEHOUSE
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const program = resolve(process.argv[2] ?? 'build/gatehouse');
const inspector = resolve('.cache/mcp/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const repo = mkdtempSync(join(tmpdir(), 'mcp-inspector-'));
const env = { ...process.env, HOME: repo, GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org' };

function inspect(profile, ...words) {
  const ran = spawnSync(process.execPath, [inspector, '--cli', program, '-C', repo, 'mcp', '--stdio', '--profile', profile, ...words], { env, encoding: 'utf8', timeout: 120_000 });
  assert.equal(ran.status, 0, `${words.join(' ')}: ${ran.stdout}${ran.stderr}`);
  assert.doesNotMatch(ran.stderr, /warn/i, ran.stderr);
  return JSON.parse(ran.stdout);
}

try {
  writeFileSync(join(repo, 'a.py'), 'def f(x):\n    return x\n');
  for (const words of [['init', '-q', '.'], ['add', '-A'], ['commit', '-q', '-m', 'begin']])
    assert.equal(spawnSync('git', words, { cwd: repo, env }).status, 0);
  for (const [profile, count] of [['minimal', 6], ['standard', 23]])
    assert.equal(inspect(profile, '--method', 'tools/list', '--strict').tools.length, count);
  const status = inspect('minimal', '--method', 'tools/call', '--tool-name', 'status');
  assert.equal(status.structuredContent.schema, 'gatehouse.status/1');
  const rule = inspect('standard', '--method', 'tools/call', '--tool-name', 'explain', '--tool-arg', 'id=max_files');
  assert.equal(rule.structuredContent.id, 'max_files');
  assert.equal(inspect('standard', '--method', 'resources/list').resources.length, 4);
  assert.equal(inspect('standard', '--method', 'resources/read', '--uri', 'gatehouse://policy').contents.length, 1);
  assert.equal(inspect('standard', '--method', 'prompts/list').prompts.length, 5);
  const prompt = inspect('standard', '--method', 'prompts/get', '--prompt-name', 'release_readiness');
  assert.equal(prompt.messages.length, 1);
  console.log('the Inspector has nothing to complain about');
} finally {
  rmSync(repo, { recursive: true, force: true });
}
