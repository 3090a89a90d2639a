// Looks at comments as people do below a pull request: Markdown as GitHub renders it, in a real browser without scripts, as
// wide as a phone and as a desk. Prints one line for each fault: a page wider than its window, a table whose rows have
// another number of cells than its head, anything that runs, loads or leads to a place that the comment may not name, a
// secret. Exit status 1 if there is any.
//
// Usage: .cache/bin/node tools/look-at-comment.mjs [--secret TEXT]… [--shots FOLDER] [--links PREFIX] FILE.md|FILE.html…
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(new URL(import.meta.url).pathname));
const { chromium } = createRequire(path.join(root, '.cache/browser/package.json'))('playwright-core');
const { marked } = await import(pathToFileURL(path.join(root, '.cache/validators/node_modules/marked/lib/marked.esm.js')).href);

const files = [], secrets = [];
let shots, links = 'https://forge.example/';
for (let i = 2; i < process.argv.length; i += 1) {
  if (process.argv[i] === '--secret') secrets.push(process.argv[i += 1]);
  else if (process.argv[i] === '--shots') shots = process.argv[i += 1];
  else if (process.argv[i] === '--links') links = process.argv[i += 1];
  else files.push(process.argv[i]);
}
if (files.length === 0) {
  console.error('usage: look-at-comment.mjs [--secret TEXT]… [--shots FOLDER] [--links PREFIX] FILE…');
  process.exit(2);
}

// What GitHub's own sheet does to widths; the rest is looks.
const sheet = `body{font:16px/1.5 "Liberation Sans",sans-serif;margin:0 auto;padding:16px;max-width:980px;overflow-wrap:break-word}
table{display:block;width:max-content;max-width:100%;overflow:auto;border-collapse:collapse;margin:0 0 16px}
th,td{border:1px solid #d1d9e0;padding:6px 13px;text-align:left}
code{font:85% "Liberation Mono",monospace;background:#eff1f3;padding:.2em .4em;border-radius:6px;white-space:break-spaces}
h2,h3,h4{margin:24px 0 16px;line-height:1.25}h2{border-bottom:1px solid #d1d9e0;padding-bottom:.3em}
li+li{margin-top:4px}a{color:#0969da}sub{font-size:75%}`;

let faults = 0;
const fault = (text) => {
  faults += 1;
  console.log(text);
};

const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-comment-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: '/usr/bin/chromium',
  env: { ...process.env, HOME: profile },
  headless: true,
  javaScriptEnabled: false,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
try {
  const page = await browser.newPage();
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('dialog', (dialog) => fault(`dialog: ${dialog.message()}`));
  for (const file of files) {
    const name = path.basename(file), text = fs.readFileSync(file, 'utf8');
    const isPage = file.endsWith('.html');
    const shown = isPage ? path.resolve(file) : path.join(profile, `${name}.html`);
    if (!isPage)
      fs.writeFileSync(shown, `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<style>${sheet}</style><body>${marked.parse(text, { gfm: true })}`);
    for (const width of [400, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(pathToFileURL(shown).href);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (over > 0) fault(`${name}: ${over} pixels wider than a window of ${width}`);
      if (shots) await page.screenshot({ path: path.join(shots, `${name}-${width}.png`), fullPage: true });
    }
    const broken = await page.$$eval('table', (all) => all.flatMap((table) => {
      const head = table.querySelector('tr')?.cells.length;
      return [...table.rows].filter((row) => row.cells.length !== head).map((row) => row.textContent);
    }));
    for (const row of broken) fault(`${name}: a row with other cells than its head: ${row}`);
    const alive = await page.$$eval('script, iframe, object, embed, img, form, input, button, svg image', (all) =>
      all.map((e) => e.outerHTML.slice(0, 80)));
    for (const element of alive) fault(`${name}: ${element}`);
    const handlers = await page.$$eval('*', (all) =>
      all.flatMap((e) => [...e.attributes].filter((a) => a.name.startsWith('on')).map((a) => a.name)));
    for (const handler of handlers) fault(`${name}: handler ${handler}`);
    if (!isPage) {
      const places = await page.$$eval('a', (all) => all.map((a) => a.getAttribute('href')));
      for (const place of places)
        if (!place.startsWith(links) && !/^[\w./-]+$/.test(place)) fault(`${name}: leads to ${place}`);
      const said = await page.locator('body').innerText();
      if (/[\u202a-\u202e\u2066-\u2069\u200b\u200c\u200e\u200f]/u.test(said)) fault(`${name}: invisible characters`);
      const prose = await page.evaluate(() => {
        const copy = document.body.cloneNode(true);
        for (const code of copy.querySelectorAll('code')) code.remove();
        return copy.textContent;
      });
      for (const mention of prose.match(/(^|[^\w`])@\w+/gu) ?? []) fault(`${name}: mentions ${mention}`);
    }
    for (const secret of secrets) if (text.includes(secret)) fault(`${name}: holds ${secret.slice(0, 6)}…`);
  }
  for (const url of asked) if (!url.startsWith('file:')) fault(`asked for ${url}`);
} finally {
  await browser.close();
  fs.rmSync(profile, { recursive: true, force: true });
}
process.exit(faults === 0 ? 0 : 1);
