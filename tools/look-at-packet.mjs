// Looks at the page of a release packet in a real browser, without scripts, and compares what it shows
// with packet.json of the same scan. Prints one line per fault; exit status 1 if there is any.
//
// Usage: .cache/bin/node tools/look-at-packet.mjs packet.html packet.json [FOLDER for screenshots]
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(new URL(import.meta.url).pathname));
const require = createRequire(path.join(root, '.cache/browser/package.json'));
const { chromium } = require('playwright-core');

const [file, json, shots] = process.argv.slice(2);
if (!json) {
  console.error('usage: look-at-packet.mjs packet.html packet.json [FOLDER]');
  process.exit(2);
}
const packet = JSON.parse(fs.readFileSync(json, 'utf8'));
const url = pathToFileURL(path.resolve(file)).href;

let faults = 0;
const fault = (text) => {
  faults += 1;
  console.log(text);
};
const same = (what, shown, expected) => {
  if (JSON.stringify(shown) !== JSON.stringify(expected))
    fault(`${what}: shown ${JSON.stringify(shown)}, expected ${JSON.stringify(expected)}`);
};

const sections = ['1. Release decision', 'Evidence matrix', '2. Declared intent and tools', '3. High-risk tools',
  '3A. What changed in the tools', '3B. What changed in the actions', '4. Approval coverage', '5. Idempotency',
  '6. Scopes', '7. Memory isolation', '8. People in the loop', '9. To be shown at run time', '10. Not proven'];

// The text of all cells of the first table below a heading.
async function tableBelow(page, heading) {
  return page.evaluate((wanted) => {
    const found = [...document.querySelectorAll('h2,h3')].find((h) => h.textContent === wanted);
    for (let at = found?.nextElementSibling; at && !/^H[123]$/.test(at.tagName); at = at.nextElementSibling)
      if (at.matches('.scroll'))
        return [...at.querySelectorAll('tbody tr')].map((tr) => [...tr.cells].map((cell) => cell.textContent));
    return [];
  }, heading);
}

async function compare(page) {
  same('title', await page.title(), `Release packet: ${packet.agent.name}`);
  same('verdict', await page.textContent('.banner b'), packet.release_decision.verdict);
  same('sections', await page.$$eval('h2', (all) => all.map((h) => h.textContent)), sections);
  const ids = (rows) => rows.map((row) => row[row.length - 1]);
  same('blockers', ids(await tableBelow(page, 'What blocks')), packet.release_decision.blockers.map((f) => f.id));
  same('review items', ids(await tableBelow(page, 'What a person reviews')),
    packet.release_decision.review_items.map((f) => f.id));
  same('matrix', (await tableBelow(page, 'Evidence matrix')).map((row) => [row[0], row[1]]),
    packet.evidence_matrix.rows.map((row) => [row.domain, row.evidence_present]));
  same('high-risk tools', (await tableBelow(page, '3. High-risk tools')).map((row) => row[2]),
    packet.high_risk_surface.tools.map((tool) => tool.risk_tags.join(', ')));
  same('elements that a page has no use for',
    await page.$$eval('script,img,iframe,object,embed,link,a,form,svg', (all) => all.length), 0);
  const policy = await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', 'content');
  same('policy', policy, "default-src 'none'; style-src 'unsafe-inline'");
}

const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-packet-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: '/usr/bin/chromium',
  env: { ...process.env, HOME: profile },  // it writes there
  headless: true,
  javaScriptEnabled: false,
  viewport: { width: 1280, height: 900 },
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
try {
  const page = await browser.newPage();
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => fault(`console: ${message.text()}`));
  await page.goto(url);
  await compare(page);
  for (const [scheme, width] of [['light', 1280], ['dark', 1280], ['light', 375]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (wide > 0) fault(`${width} wide: the page is ${wide} wider than the window`);
    if (shots) await page.screenshot({ path: path.join(shots, `packet-${scheme}-${width}.png`), fullPage: true });
  }
  same('requests', asked, [url]);
} finally {
  await browser.close();
  fs.rmSync(profile, { recursive: true, force: true });
}
process.exit(faults === 0 ? 0 : 1);
