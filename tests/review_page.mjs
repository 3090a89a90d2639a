// The review page in a real browser: log in, read the queue, review, promote, reject; what happened is read through the
// command line. No error on the console, no request to another origin, no serious finding of axe.
// usage: node tests/review_page.mjs GATEHOUSE [FOLDER for screenshots]
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const program = resolve(process.argv[2] ?? 'build/gatehouse');
const shots = process.argv[3];
const { chromium } = createRequire(resolve('.cache/browser/package.json'))('playwright-core');
const axe = readFileSync(createRequire(resolve('.cache/web/package.json')).resolve('axe-core/axe.min.js'), 'utf8');

const scratch = mkdtempSync(join(tmpdir(), 'review-page-'));
const repo = join(scratch, 'shop');
const env = {
  PATH: '/usr/local/bin:/usr/bin:/bin', HOME: scratch, LC_ALL: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org',
};
const git = (...words) => execFileSync('git', words, { cwd: repo, env, encoding: 'utf8' }).trim();
const tell = (words, more = {}) => {
  const ran = spawnSync(program, [...words, '--json'], { cwd: repo, env: { ...env, ...more }, encoding: 'utf8' });
  try {
    return JSON.parse(ran.stdout);
  } catch {
    throw new Error(`${words.join(' ')}: ${ran.stdout}${ran.stderr}`);
  }
};
const write = (path, text) => {
  mkdirSync(join(repo, path, '..'), { recursive: true });
  writeFileSync(join(repo, path), text);
};
const lines = (n, word) => Array.from({ length: n }, (_, i) => `${word}_${i} = ${i}\n`).join('');

function make_repository() {
  write('src/cart.py', `def total(items):\n    return sum(items)\n\n\n${lines(60, 'rate')}`);
  write('src/mail.py', 'def send(to):\n    return to\n');
  write('README.md', '# Shop\n');
  write('gatehouse.yaml', 'patch:\n  max_files: 50\n  max_added_lines: 100000\n  max_patch_bytes: 8000000\nproposals:\n  promotion:\n    requires: human\nserver:\n  read_rps: 1000\n  read_burst: 1000\n  write_rps: 1000\n');
  git('init', '-q', '-b', 'main', '.');
  git('add', '-A');
  git('commit', '-q', '-m', 'begin');
}

// One pair of files, as an agent would leave it.
function propose(id, title, files, agent = 'deepseek-coder-v2 / drafter') {
  for (const [path, text] of Object.entries(files)) write(path, text);
  git('add', '-A');
  const diff = git('diff', '--cached', '--no-renames', '--full-index', 'HEAD') + '\n';
  git('reset', '-q', '--hard');
  const base = git('rev-parse', 'HEAD');
  const tests = Object.keys(files).filter((path) => path.startsWith('tests/'));
  const meta = [
    `patch_id: ${id}`, `title: ${JSON.stringify(title)}`, `author_agent: ${JSON.stringify(agent)}`, 'trust_level: untrusted', 'source_gap: "kb:4400"',
    `affected_files: [${Object.keys(files).sort().join(', ')}]`, `base_commit: "${base}"`, `tests_added: [${tests.join(', ')}]`,
    `commands_run: [${tests.map((path) => JSON.stringify(`pytest ${path} => exit 0`)).join(', ')}]`,
    `risk_notes: "failure: the total may be wrong; blast_radius: readers of ${Object.keys(files)[0]}; data: none touched; idempotent: yes"`,
    'review_status: pending', 'promotion_status: proposed', 'rollback_notes: "git revert of the promotion commit"',
    `created_utc: "${new Date().toISOString().slice(0, 19)}Z"`,
  ];
  const box = join(scratch, 'box');
  mkdirSync(box, { recursive: true });
  writeFileSync(join(box, `${id}.patch.diff`), diff);
  writeFileSync(join(box, `${id}.patch.meta.yaml`), meta.join('\n') + '\n');
  return tell(['proposal', 'submit', box, '--id', id]);
}

let server;
function serve() {
  server = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--open', '--json'], { cwd: repo, env, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((done, fail) => {
    let text = '';
    server.stdout.on('data', (bytes) => {
      text += bytes;
      if (text.endsWith('\n')) done(JSON.parse(text));
    });
    server.once('exit', (code) => fail(new Error(`the server ended with ${code}`)));
  });
}

const faults = [];
function watch(page, origin) {
  page.on('console', (message) => message.type() === 'error' && !/status of (401|409)/.test(message.text()) && faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`));
  page.on('request', (request) => new URL(request.url()).origin !== origin && faults.push(`request to ${request.url()}`));
}
async function judge(page, name) {
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Runtime.evaluate', { expression: axe });
  const { result } = await cdp.send('Runtime.evaluate', {
    expression: 'axe.run(document, { resultTypes: ["violations"] }).then((r) => JSON.stringify(r.violations.filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 160)} ${v.nodes[0].failureSummary?.slice(0, 200)}`)))',
    awaitPromise: true, returnByValue: true,
  });
  for (const each of JSON.parse(result.value)) faults.push(`axe, ${name}: ${each}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 1) faults.push(`${name} is ${wide} px wider than the window`);
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

async function story(browser) {
  const said = await serve();
  const origin = new URL(said.url).origin;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  watch(page, origin);

  // Nobody is logged in.
  await page.goto(`${origin}/`);
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  await judge(page, 'login');
  await page.goto(said.login_url);
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
  assert.ok(!page.url().includes('login='), 'the nonce is out of the address');
  await page.getByRole('link', { name: 'Sum with rates' }).waitFor();
  await judge(page, 'queue');

  // Two browsers at once: the second one only looks.
  const other = await context.newPage();
  watch(other, origin);
  await other.goto(`${origin}/p/cart-total-001`);
  await other.getByText('in review').first().waitFor();

  // The proposal, by keyboard alone: open, split, approve as both reviewers.
  await page.keyboard.press('/');
  await page.keyboard.type(' rates');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('table.queue tbody tr').length === 1);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sum with rates' }).waitFor();
  await page.getByText('return sum(items) * rate_1').waitFor();
  assert.equal(await page.locator('.unseen').count() > 0, true, 'a character that nobody sees is shown');
  await judge(page, 'proposal');
  await page.keyboard.press('x');
  await page.getByText('1 of 2 viewed').waitFor();
  await page.keyboard.press('x');
  await page.keyboard.press('s');
  await page.locator('table.unified').first().waitFor();
  for (const reviewer of ['gemini', 'codex']) {
    await page.keyboard.press('a');
    await page.getByLabel('Review as').selectOption(reviewer);
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('.reviews').getByText(reviewer).waitFor();
  }
  assert.equal(tell(['proposal', 'show', 'cart-total-001']).sub_state, 'approved');
  await other.getByText('approved').first().waitFor({ timeout: 10_000 });

  // Promoting needs the id, typed.
  const before = git('rev-parse', 'main');
  await page.keyboard.press('Shift+P');
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: 'Promote' });
  assert.equal(await send.isDisabled(), true);
  await dialog.getByLabel(/Type/).fill('cart-total-001');
  if (shots) await page.screenshot({ path: join(shots, 'promote.png') });
  await send.click();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.says .state').getByText('promoted').waitFor();
  const shown = tell(['proposal', 'show', 'cart-total-001', '--audit']);
  assert.equal(shown.promotion_status, 'promoted');
  assert.notEqual(git('rev-parse', 'main'), before);
  assert.ok(shown.audit.some((row) => row.event === 'proposal.promoted' && row.surface === 'http'));
  await judge(page, 'promoted');

  // Changes are requested with a comment at a line; then an operator ends it. Text of agents is text.
  await page.goto(`${origin}/p/mail-log-002`);
  await page.getByRole('button', { name: 'Unified' }).click();
  await page.locator('table.unified').first().waitFor();
  await page.keyboard.press('c');
  await page.getByLabel(/Reason/).fill('say why');
  await page.getByRole('button', { name: 'Keep for the review' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('r');
  await page.getByLabel(/Reason/).fill('too little');
  await page.getByRole('dialog').getByRole('button', { name: 'Request changes' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const wanted = tell(['proposal', 'show', 'mail-log-002']).reviews.at(-1);
  assert.equal(wanted.verdict, 'changes');
  assert.deepEqual(wanted.reasons.map((r) => [r.file, r.line, r.text]).at(-1), ['src/mail.py', 2, 'say why']);
  await page.locator('tr.note').getByText('say why').waitFor();
  assert.equal(await page.evaluate(() => globalThis.broken), undefined, 'a title ran as a script');
  await judge(page, 'changes');
  await page.getByRole('button', { name: 'Reject…' }).click();
  await page.getByLabel(/Reason/).fill('not in this release');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator('.says .state').getByText('rejected').waitFor();
  assert.equal(tell(['proposal', 'show', 'mail-log-002']).promotion_status, 'rejected');

  // What the change does to the shape of the code stands at its lines.
  await page.goto(`${origin}/p/cart-round-004`);
  await page.locator('tr.note').getByText('complexity').first().waitFor();
  await judge(page, 'findings-at-lines');

  // The other pages, then all of them on a phone, and in the dark.
  const pages = { map: '/map', health: '/health', findings: '/findings', agents: '/agents', audit: '/audit', policy: '/policy', doctor: '/doctor' };
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(origin + path);
    await page.locator('h1').waitFor();
    await judge(page, name);
  }
  await page.goto(`${origin}/map`);
  await page.getByText('Tidy the mail').first().waitFor();
  await page.goto(`${origin}/audit`);
  await page.getByText(/verified to #/).waitFor();
  await page.setViewportSize({ width: 400, height: 850 });
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const [name, path] of Object.entries({ queue: '/', proposal: '/p/cart-total-001', large: '/p/large-003', ...pages })) {
    await page.goto(origin + path);
    await page.locator('h1').waitFor();
    await judge(page, `${name}-400-dark`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${origin}/p/large-003`);
  await page.locator('section.file').first().waitFor();
  await judge(page, 'large-dark');
  await page.getByRole('button', { name: /Log out/ }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  const painted = await other.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  console.log(`first paint after ${Math.round(painted)} ms`);
}

let browser;
try {
  mkdirSync(repo);
  if (shots) mkdirSync(shots, { recursive: true });
  make_repository();
  const cart = readFileSync(join(repo, 'src/cart.py'), 'utf8');
  const made = propose('cart-total-001', 'Sum with rates', {
    'src/cart.py': cart.replace('return sum(items)', 'return sum(items) * rate_1  # if admin\u200b'), 'tests/test_cart.py': 'def test_total():\n    assert True\n' });
  assert.equal(made.decision, 'admit', JSON.stringify(made.checks.filter((check) => check.ok === false)));
  propose('mail-log-002', '<img src=x onerror="globalThis.broken=1"> log mail', {
    'src/mail.py': 'def send(to):\n    print(to)\n    return to\n', 'tests/test_mail.py': 'def test_send():\n    assert True\n' }, 'codex / <script>globalThis.broken=1</script>');
  propose('cart-round-004', 'Round totals', { 'src/cart.py': cart.replace('    return sum(items)', '    out = 0\n    for item in items:\n        if item > 0 and item < 100:\n            out += item\n        elif item > 1000:\n            out -= 1\n    return out'), 'tests/test_round.py': 'def test_round():\n    assert True\n' });
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`src/part_${i}.py`, lines(40 + i, `value_${i}`)]));
  propose('large-003', 'Parts of the shop', { ...many, 'tests/test_parts.py': 'def test_parts():\n    assert True\n' }, 'gemini / planner');
  for (let i = 0; i < 6; i += 1) {
    write('src/extra.py', lines(10 + i * 7, 'extra') + 'def f(a):\n' + '    if a:\n        a += 1\n'.repeat(i + 1) + '    return a\n');
    tell(['analyze']);
  }
  rmSync(join(repo, 'src/extra.py'));
  tell(['analyze']);
  tell(['change', 'start', '--goal', 'Tidy the mail', '--allow', 'src/mail.py', '--session', 'agent-one', '--agent-label', 'codex/1.2']);
  tell(['change', 'start', '--goal', 'Round the totals', '--allow', 'src/cart.py', '--session', 'agent-two', '--agent-label', 'claude/4']);
  tell(['change', 'start', '--goal', 'Log the mail', '--allow', 'src/mail.py', '--session', 'agent-three', '--agent-label', 'gemini/2', '--on-conflict', 'queue']);
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  await story(browser);
  assert.deepEqual(faults, []);
  console.log('the review page works');
} catch (error) {
  console.error(faults.join('\n'));
  if (shots) await browser?.contexts()[0]?.pages()[0]?.screenshot({ path: join(shots, 'failed.png') });
  throw error;
} finally {
  await browser?.close();
  if (server) {
    const ended = new Promise((done) => server.once('exit', done));
    server.removeAllListeners('exit');
    server.kill('SIGTERM');
    server.once('exit', () => undefined);
    await Promise.race([ended, new Promise((done) => setTimeout(done, 5000))]);
  }
  rmSync(scratch, { recursive: true, force: true });
}
