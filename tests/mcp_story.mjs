// The whole story of a change over MCP, told by a client that others wrote: analyse, start, edit, finish,
// receipt; and two agents who want one file. What happened is looked up through the command line and git.
// usage: node tests/mcp_story.mjs GATEHOUSE [http]
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const program = resolve(process.argv[2] ?? 'build/gatehouse');
const overHttp = process.argv[3] === 'http';
const packages = createRequire(resolve('.cache/mcp/package.json'));
const { Client } = await import(pathToFileURL(packages.resolve('@modelcontextprotocol/sdk/client/index.js')));
const { StdioClientTransport } = await import(pathToFileURL(packages.resolve('@modelcontextprotocol/sdk/client/stdio.js')));
const { StreamableHTTPClientTransport } = await import(pathToFileURL(packages.resolve('@modelcontextprotocol/sdk/client/streamableHttp.js')));

const scratch = mkdtempSync(join(tmpdir(), 'mcp-story-'));
const repo = join(scratch, 'repo');
const env = {
  PATH: '/usr/local/bin:/usr/bin:/bin', HOME: scratch, LC_ALL: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org',
};
const git = (...words) => execFileSync('git', words, { cwd: repo, env, encoding: 'utf8' });
const ask = (...words) => JSON.parse(spawnSync(program, [...words, '--json'], { cwd: repo, env, encoding: 'utf8' }).stdout);

function makeRepository() {
  mkdirSync(join(repo, 'pkg'), { recursive: true });
  writeFileSync(join(repo, 'pkg/__init__.py'), '');
  writeFileSync(join(repo, 'pkg/a.py'), 'from pkg.b import store\n\n\ndef load(x):\n    return store(x)\n');
  writeFileSync(join(repo, 'pkg/b.py'), 'def store(x):\n    return x + 1\n');
  writeFileSync(join(repo, 'README.md'), 'read me\n');
  git('init', '-q', '-b', 'main', '.');
  git('add', '-A');
  git('commit', '-q', '-m', 'begin');
}

// Over HTTP all clients talk to one server, which is told to stop at the end.
let server, address;
function serve(...more) {
  address = undefined;
  server = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--repo', repo, ...more], { cwd: repo, env, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((done, fail) => {
    let text = '';
    server.stdout.on('data', (bytes) => {
      text += bytes;
      address = /http:\/\/\S+\n/.exec(text)?.[0].trim();
      if (address) done();
    });
    server.once('exit', (code) => fail(new Error(`the server ended with ${code}`)));
  });
}
async function stopServing() {
  server.removeAllListeners('exit');
  const ended = new Promise((done) => server.once('exit', done));
  server.kill('SIGTERM');
  assert.equal(await ended, 0);
}

async function connect(name, token) {
  const client = new Client({ name, version: '1.0' }, { capabilities: {} });
  const transport = overHttp
    ? new StreamableHTTPClientTransport(new URL(address), token ? { requestInit: { headers: { Authorization: `Bearer ${token}` } } } : {})
    : new StdioClientTransport({ command: program, args: ['mcp', '--stdio', '--repo', repo], cwd: repo, env, stderr: 'pipe' });
  await client.connect(transport);
  return client;
}
// Over HTTP a session ends when it is deleted, not when its connection does.
async function leave(client) {
  if (overHttp) await client.transport.terminateSession();
  await client.close();
}

// Every answer has text and structure; the client itself checks the structure against the schema it was given.
async function call(client, name, args = {}, wantsError = false) {
  const result = await client.callTool({ name, arguments: args });
  assert.equal(Boolean(result.isError), wantsError, `${name}: ${result.content[0].text}`);
  assert.equal(result.content[0].type, 'text');
  assert.ok(result.content[0].text.length > 0, name);
  const bytes = result.content[0].text.length + JSON.stringify(result.structuredContent).length;
  assert.ok(bytes <= 24_000, `${name}: ${bytes} bytes`);
  return result.structuredContent;
}

async function oneChange() {
  const client = await connect('story');
  assert.equal(client.getServerVersion().name, 'gatehouse');
  assert.ok(client.getInstructions().length <= 900);
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  assert.ok(tools.includes('start_controlled_change') && !tools.includes('proposal_promote'));

  const before = await call(client, 'status');
  assert.equal(before.edit_allowed, false);
  assert.equal(before.next.tool, 'analyze_repository');
  const asked = await call(client, 'start_controlled_change', { scope: { allowed_files: ['pkg/b.py'] }, intent: 'store two more' });
  assert.equal(asked.status, 'needs_analysis');

  const run = await call(client, 'analyze_repository', { root: repo });
  assert.match(run.run_id, /^[0-9a-f]{64}$/);
  const start = await call(client, 'start_controlled_change', { root: repo, scope: { allowed_files: ['pkg/b.py'] }, intent: 'store two more' });
  assert.equal(start.status, 'active');
  assert.equal(start.edit_allowed, true);

  // The registry, by another door: it is a process that holds the file.
  const held = ask('change', 'list').workspace_intents;
  assert.equal(held.length, 1);
  assert.equal(held[0].intent_id, start.intent_id);
  assert.equal(held[0].agent_label, 'story/1.0');
  assert.equal(held[0].ownership, 'foreign_active');
  if (!overHttp) assert.equal(held[0].owner.kind, 'process');
  if (!overHttp) assert.equal(held[0].owner.host_pid, process.pid);

  writeFileSync(join(repo, 'pkg/b.py'), 'def store(x):\n    return x + 2\n');
  // Without a run made after the edit nothing is accepted, and a no is an error here.
  const early = await call(client, 'finish_controlled_change', { intent_id: start.intent_id, changed_files: ['pkg/b.py'] }, true);
  assert.equal(early.status, 'unverified');
  const after = await call(client, 'analyze_repository');
  assert.notEqual(after.run_id, run.run_id);
  const verify = await call(client, 'check_patch_contract', { mode: 'verify', intent_id: start.intent_id, after_run_id: after.run_id, changed_files: ['pkg/b.py'] });
  assert.equal(verify.status, 'accepted');
  const finish = await call(client, 'finish_controlled_change', { intent_id: start.intent_id, changed_files: ['pkg/b.py'], after_run_id: after.run_id, review_text: 'one constant' });
  assert.equal(finish.status, 'accepted');
  assert.equal(finish.intent_cleared, true);

  assert.equal(ask('change', 'list').workspace_intents.length, 0);
  assert.equal(git('status', '--porcelain').trim(), 'M pkg/b.py');
  const receipt = await call(client, 'receipt_get', { intent_id: start.intent_id });
  assert.equal(receipt.subject.intent_id, start.intent_id);
  const events = ask('audit', 'log', '--limit', '500').rows ?? ask('audit', 'log', '--limit', '500').events;
  assert.ok(JSON.stringify(events).includes('"surface":"mcp"'));
  git('commit', '-qam', 'store two more');
  await leave(client);
}

async function contention() {
  const [first, second] = [await connect('first'), await connect('second')];
  const wish = { scope: { allowed_files: ['pkg/a.py'] }, intent: 'load it' };
  const held = await call(first, 'start_controlled_change', wish);
  assert.equal(held.status, 'active');
  const blocked = await call(second, 'start_controlled_change', wish);
  assert.equal(blocked.status, 'blocked');
  assert.equal(blocked.edit_allowed, false);
  const queued = await call(second, 'start_controlled_change', { ...wish, on_conflict: 'queue' });
  assert.equal(queued.status, 'queued');
  assert.equal(queued.blocked_by[0].intent_id, held.intent_id);
  const waits = await call(second, 'manage_change_intent', { action: 'promote', intent_id: queued.intent_id });
  assert.equal(waits.status, 'queued');
  assert.equal(ask('change', 'queue').queue[0].intent_id, queued.intent_id);
  await call(first, 'manage_change_intent', { action: 'clear', intent_id: held.intent_id });
  const promoted = await call(second, 'manage_change_intent', { action: 'promote', intent_id: queued.intent_id });
  assert.equal(promoted.status, 'active');
  assert.equal(promoted.edit_allowed, true);
  const renewed = await call(second, 'manage_change_intent', { action: 'renew', intent_id: queued.intent_id, lease_seconds: 120 });
  assert.equal(renewed.lease_renewed, true);
  if (overHttp) {
    await call(second, 'manage_change_intent', { action: 'clear', intent_id: queued.intent_id });
    await leave(second);
    await assert.rejects(second.listTools());
    await leave(first);
    assert.equal(ask('change', 'list').workspace_intents.length, 0);
    return;
  }
  // Whoever is gone can be taken over: its process is no more.
  await leave(second);
  const left = ask('change', 'list').workspace_intents;
  assert.equal(left[0].ownership, 'recoverable');
  const taken = await call(first, 'manage_change_intent', { action: 'recover', intent_id: queued.intent_id, run_id: left[0].run_id });
  assert.equal(taken.action_taken, 'recovered');
  await call(first, 'manage_change_intent', { action: 'clear' });
  await leave(first);
  assert.equal(ask('change', 'list').workspace_intents.length, 0);
}

async function everyTool() {
  const client = await connect('every');
  const diff = 'diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1 +1,2 @@\n read me\n+twice\n';
  const run = await call(client, 'analyze_repository');
  const calls = {
    status: {}, check: { patch: diff }, patch_check: { patch: diff }, analyze_repository: { analysis_mode: 'clones_only' },
    check_patch_contract: { mode: 'budget', run_id: run.run_id }, compare_runs: { run_id_before: run.run_id, run_id_after: run.run_id },
    get_blast_radius: { files: ['pkg/b.py'], depth: 'transitive' }, validate_review_claims: { text: 'nothing is claimed', run_id: run.run_id },
    create_review_receipt: { run_id: run.run_id, format: 'json' }, findings: { run_id: run.run_id, detail_level: 'normal' },
    proposal_list: {}, explain: { id: 'max_files' }, report_get: { digest: run.report_digest, section: 'findings.summary' },
    manage_change_intent: { action: 'list_workspace' },
  };
  for (const [name, args] of Object.entries(calls)) await call(client, name, args);
  const start = await call(client, 'start_controlled_change', { scope: { allowed_files: ['README.md'] }, intent: 'say it twice' });
  const wider = await call(client, 'manage_change_intent', { action: 'declare', run_id: start.run_id, scope: { allowed_files: ['README.md', 'NEWS.md'] }, intent: 'say it twice' });
  assert.equal(wider.intent_id, start.intent_id);
  assert.deepEqual(wider.scope.allowed_files, ['NEWS.md', 'README.md']);
  const applied = await call(client, 'patch_apply', { patch: diff });
  assert.equal(applied.verdict.decision, 'allow');
  assert.equal(readFileSync(join(repo, 'README.md'), 'utf8'), 'read me\ntwice\n');
  const finish = await call(client, 'finish_controlled_change', { intent_id: start.intent_id, diff_ref: 'HEAD' });
  assert.equal(finish.status, 'accepted');
  const digest = finish.receipt.receipt_digest.value;
  assert.match(digest, /^[0-9a-f]{64}$/);
  await call(client, 'receipt_get', { intent_id: start.intent_id, part: 'patch_trail' });
  await call(client, 'receipt_verify', { receipt_digest: digest });

  // Faults of the caller are told to the model, by name.
  const wrong = await client.callTool({ name: 'findings', arguments: { severity: 'huge' } });
  assert.equal(wrong.isError, true);
  assert.match(wrong.content[0].text, /severity/);
  await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /-32602|no tool/);

  const resources = (await client.listResources()).resources.map((one) => one.uri);
  for (const uri of resources) assert.ok((await client.readResource({ uri })).contents[0].text.length > 0, uri);
  assert.equal(JSON.parse((await client.readResource({ uri: 'gatehouse://explain/max_files' })).contents[0].text).id, 'max_files');
  await assert.rejects(client.readResource({ uri: 'gatehouse://nothing' }), /-32002|no such resource/);
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 9);
  const prompts = (await client.listPrompts()).prompts.map((one) => one.name);
  assert.deepEqual(prompts, ['start_change', 'fix_rejection', 'review_proposal', 'explain_finding', 'release_readiness']);
  const prompt = await client.getPrompt({ name: 'start_change', arguments: { goal: 'say it' } });
  assert.match(prompt.messages[0].content.text, /say it/);
  const rules = await client.complete({ ref: { type: 'ref/resource', uri: 'gatehouse://explain/{rule_id}' }, argument: { name: 'rule_id', value: 'max_' } });
  assert.ok(rules.completion.values.includes('max_files'));
  await leave(client);
}

// Author, reviewers and promoter by their tokens: only over HTTP is anybody more than an agent.
const roles = {
  author: 'agent', gemini: 'reviewer,mcp_elevated', codex: 'reviewer,mcp_elevated', claude: 'promoter,mcp_elevated', curious: 'reviewer',
};
function tokens() {
  const file = join(scratch, 'tokens');
  const all = Object.fromEntries(Object.keys(roles).map((name, i) => [name, `gh8_${'abcdefgh'.slice(0, 7)}${i}_${String(i).repeat(43)}`]));
  writeFileSync(file, Object.entries(all).map(([name, token]) => `${token} ${name} ${roles[name]}\n`).join(''), { mode: 0o600 });
  return { file, all };
}

async function proposals() {
  git('checkout', '-q', '--', '.');
  mkdirSync(join(repo, 'tests'));
  writeFileSync(join(repo, 'gatehouse.yaml'), 'proposals:\n  reviewers:\n    required: [gemini, codex]\n  promotion:\n    requires: gate\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'who reviews');
  writeFileSync(join(repo, 'pkg/b.py'), 'def store(x):\n    return x + 3\n');
  writeFileSync(join(repo, 'tests/test_b.py'), 'from pkg.b import store\n\n\ndef test_store():\n    assert store(1) == 4\n');
  git('add', '-A');
  ask('proposal', 'new', '--agent', 'm / author', '--gap', 'kb:1', '--id', 'three-001', '--title', 'store three more',
    '--risk', 'Failure: store() in pkg/b.py adds the wrong number. Blast radius: callers in pkg/a.py only. Data: none is touched. Idempotent: yes.',
    '--rollback', 'git revert of the one commit; pkg/b.py and its test go back together.', '--command', 'python3 -m pytest tests/test_b.py => exit 0', '--out', scratch);
  git('reset', '-q', '--hard');
  const pair = { diff: readFileSync(join(scratch, 'three-001.patch.diff'), 'utf8'), meta: readFileSync(join(scratch, 'three-001.patch.meta.yaml'), 'utf8') };

  const { file, all } = tokens();
  await serve('--profile', 'full', '--token-file', file);
  const names = async (client) => (await client.listTools()).tools.map((tool) => tool.name);
  const author = await connect('author', all.author);
  assert.ok(!(await names(author)).includes('proposal_review'));
  await call(author, 'proposal_submit', { ...pair, dry_run: true });
  assert.equal((await call(author, 'proposal_list')).proposals.length, 0);
  await call(author, 'proposal_submit', pair);
  const shown = await call(author, 'proposal_get', { id: 'three-001', diff: true, checks: true });
  assert.equal(shown.proposal?.patch_id ?? shown.patch_id, 'three-001');
  const refused = await author.callTool({ name: 'proposal_review', arguments: { id: 'three-001', as: 'gemini', verdict: 'ok' } }).catch((error) => error);
  assert.match(String(refused.message ?? refused.content[0].text), /no tool|-32602/);

  // A token that is not elevated is an agent's here, whatever else it may do.
  const curious = await connect('curious', all.curious);
  assert.ok(!(await names(curious)).includes('proposal_review'));
  await leave(curious);

  const [gemini, codex, claude] = [await connect('gemini', all.gemini), await connect('codex', all.codex), await connect('claude', all.claude)];
  assert.ok((await names(gemini)).includes('proposal_review') && !(await names(gemini)).includes('proposal_promote'));
  const early = await call(claude, 'proposal_promote', { id: 'three-001' }, true);
  assert.notEqual(early.verdict.decision, 'allow');
  await call(gemini, 'proposal_review', { id: 'three-001', as: 'gemini', verdict: 'changes', comments: ['vague_risk:say more'] });
  await call(gemini, 'proposal_review', { id: 'three-001', as: 'gemini', verdict: 'ok' });
  await call(codex, 'proposal_review', { id: 'three-001', as: 'codex', verdict: 'ok' });
  const head = git('rev-parse', 'HEAD');
  const promoted = await call(claude, 'proposal_promote', { id: 'three-001' });
  assert.equal(promoted.verdict.decision, 'allow');
  assert.notEqual(git('rev-parse', 'main'), head);
  assert.equal(git('show', 'main:pkg/b.py'), 'def store(x):\n    return x + 3\n');
  for (const client of [author, gemini, codex, claude]) await leave(client);
  await stopServing();
}

try {
  makeRepository();
  if (overHttp) await serve();
  await oneChange();
  await contention();
  await everyTool();
  if (overHttp) await stopServing();
  if (overHttp) await proposals();
  console.log('the story holds');
} finally {
  server?.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
}
