// The OpenAPI document of the server, judged by a validator that others wrote; and a client that is made from nothing but the
// document drives a proposal from its submission to its commit.
// usage: node tests/api_document.mjs GATEHOUSE
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const program = resolve(process.argv[2] ?? 'build/gatehouse');
const packages = createRequire(resolve('.cache/web/package.json'));
const { Validator } = await import(pathToFileURL(packages.resolve('@seriousme/openapi-schema-validator')));

const scratch = mkdtempSync(join(tmpdir(), 'api-document-'));
const repo = join(scratch, 'shop');
const env = {
  PATH: '/usr/local/bin:/usr/bin:/bin', HOME: scratch, LC_ALL: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org',
};
const git = (...words) => execFileSync('git', words, { cwd: repo, env, encoding: 'utf8' }).trim();
const tell = (...words) => JSON.parse(spawnSync(program, [...words, '--json'], { cwd: repo, env, encoding: 'utf8' }).stdout);
const token = (letter) => `gh8_${letter.repeat(8)}_${letter.repeat(43)}`;

// One function for each operationId. What the document does not declare cannot be sent.
function client_of(document, origin, bearer) {
  const at = (ref) => ref.slice(2).split('/').reduce((node, step) => node[step], document);
  const client = {};
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      client[operation.operationId] = async (given = {}) => {
        const left = { ...given };
        const take = (name) => {
          const value = left[name];
          delete left[name];
          return value;
        };
        let url = document.servers[0].url + path;
        const query = new URLSearchParams();
        const headers = { Authorization: `Bearer ${bearer}` };
        for (const named of operation.parameters ?? []) {
          const { name, in: where, required } = named.$ref ? at(named.$ref) : named;
          const value = take(name);
          assert.ok(value !== undefined || !required, `${operation.operationId} needs ${name}`);
          if (value === undefined) continue;
          if (where === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value));
          else if (where === 'query') query.set(name, value);
          else headers[name] = value;
        }
        let body;
        const [media, { schema } = {}] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
        if (media === 'application/json') {
          body = {};
          for (const name of Object.keys(schema.properties)) {
            const value = take(name);
            assert.ok(value !== undefined || !(schema.required ?? []).includes(name), `${operation.operationId} needs ${name}`);
            if (value !== undefined) body[name] = value;
          }
          body = JSON.stringify(body);
        } else if (media) {
          body = take('body');
        }
        assert.deepEqual(Object.keys(left), [], `${operation.operationId} declares no such parameters`);
        if (media) headers['Content-Type'] = media;
        const response = await fetch(`${origin}${url}${query.size ? `?${query}` : ''}`, { method: method.toUpperCase(), headers, body });
        const declared = operation.responses[response.status] ?? operation.responses.default;
        const { content } = declared.$ref ? at(declared.$ref) : declared;
        if (content) assert.ok(content[response.headers.get('content-type')], `${operation.operationId}: ${response.status} is no ${response.headers.get('content-type')}`);
        return { status: response.status, etag: response.headers.get('etag'), data: response.status === 204 ? null : await response.json() };
      };
  return client;
}

function make_repository() {
  mkdirSync(join(repo, 'src'), { recursive: true });
  writeFileSync(join(repo, 'src/sum.py'), 'def total(items):\n    return sum(items)\n');
  writeFileSync(join(repo, 'gatehouse.yaml'), 'server:\n  write_rps: 1000\n');
  git('init', '-q', '-b', 'main', '.');
  git('add', '-A');
  git('commit', '-q', '-m', 'begin');
}

function pair() {
  mkdirSync(join(repo, 'tests'));
  writeFileSync(join(repo, 'src/sum.py'), 'def total(items):\n    return sum(items) + 1\n');
  writeFileSync(join(repo, 'tests/test_sum.py'), 'def test_total():\n    assert True\n');
  git('add', '-A');
  const diff = `${git('diff', '--cached', '--no-renames', '--full-index', 'HEAD')}\n`;
  git('reset', '-q', '--hard');
  const meta = `patch_id: sum-001
author_agent: "deepseek-coder-v2 / drafter"
trust_level: untrusted
source_gap: "kb:1"
affected_files: [src/sum.py, tests/test_sum.py]
base_commit: "${git('rev-parse', 'HEAD')}"
tests_added: [tests/test_sum.py]
commands_run: ["pytest tests/test_sum.py => exit 0"]
risk_notes: "failure: the total may be wrong; blast_radius: readers of src/sum.py; data: none touched; idempotent: yes"
review_status: pending
promotion_status: proposed
rollback_notes: "git revert of the promotion commit"
created_utc: "${new Date().toISOString().slice(0, 19)}Z"
`;
  return { diff, meta };
}

let server;
try {
  make_repository();
  const tokens = join(scratch, 'tokens');
  writeFileSync(tokens, `${token('a')} bot agent\n${token('g')} gemini reviewer\n${token('c')} codex reviewer\n${token('p')} boss promoter\n`);
  chmodSync(tokens, 0o600);
  server = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--json', '--token-file', tokens], { cwd: repo, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const said = await new Promise((done, fail) => {
    let text = '';
    server.stdout.on('data', (bytes) => {
      text += bytes;
      if (text.endsWith('\n')) done(JSON.parse(text));
    });
    server.once('exit', (code) => fail(new Error(`the server ended with ${code}`)));
  });
  server.removeAllListeners('exit');
  const origin = new URL(said.url).origin;
  const document = await (await fetch(`${origin}/api/v1/openapi.json`)).json();
  const judged = await new Validator().validate(structuredClone(document));
  assert.ok(judged.valid, JSON.stringify(judged.errors, null, 1));

  const [agent, gemini, codex, boss] = ['a', 'g', 'c', 'p'].map((letter) => client_of(document, origin, token(letter)));
  assert.equal((await agent.get_health_ready()).data.status, 'ready');
  assert.equal((await agent.get_status()).data.actor.name, 'bot');
  const { diff, meta } = pair();
  assert.equal((await agent.post_repos_r_patches_check({ r: 'shop', body: diff })).data.verdict.decision, 'allow');
  assert.equal((await agent.post_repos_r_proposals({ r: 'shop', diff, meta })).status, 201);
  const id = 'sum-001';
  const look = async (who) => (await who.get_proposals_id({ id })).etag;
  const early = await boss.post_proposals_id_promote({ id, confirm: id, 'If-Match': await look(boss) });
  assert.equal(early.status, 409);
  assert.equal(early.data.verdict.decision, 'review');
  assert.equal((await agent.post_proposals_id_reviews({ id, verdict: 'ok', 'If-Match': '*' })).status, 403);
  for (const who of [gemini, codex])
    assert.equal((await who.post_proposals_id_reviews({ id, verdict: 'ok', 'If-Match': await look(who) })).status, 200);
  const landed = await boss.post_proposals_id_promote({ id, confirm: id, 'If-Match': await look(boss) });
  assert.equal(landed.status, 200, JSON.stringify(landed.data));
  assert.equal(git('rev-parse', 'main'), landed.data.promotion.new_head);
  assert.equal(tell('proposal', 'show', id).promotion_status, 'promoted');
  const chain = (await gemini.get_audit_verify()).data;
  assert.ok(chain.ok, chain.message);
  assert.equal((await gemini.get_audit({ limit: 1 })).data.items[0].actor.name, 'boss');
  console.log(`the document holds, and ${Object.keys(agent).length} operations came from it`);
} finally {
  server?.kill('SIGTERM');
  rmSync(scratch, { recursive: true, force: true });
}
