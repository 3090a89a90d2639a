// Looks at the page of an analysis in a real browser, without scripts, and compares what it shows with
// the JSON report of the same run. Prints one line per fault; exit status 1 if there is any.
//
// Usage: .cache/bin/node tools/look-at-page.mjs PAGE.html REPORT.json [FOLDER for screenshots]
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
  console.error('usage: look-at-page.mjs PAGE.html REPORT.json [FOLDER]');
  process.exit(2);
}
const report = JSON.parse(fs.readFileSync(json, 'utf8'));
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

const families = report.metrics.families;
const summary = (name) => families[name].summary;
const percent = (permille) => `${Math.floor(permille / 10)}.${permille % 10}%`;
const plain = (text) => text.replace(/[\s\u202f]/g, '');

// What each number of the page must be: section, key of the number, value.
function expectedNumbers() {
  const found = report.findings.summary;
  const rows = [
    ['overview', 'files', report.inventory.files.total_found],
    ['overview', 'lines', report.inventory.code.parsed_lines],
    ['overview', 'findings', found.total],
    ['overview', 'critical', found.severity.critical ?? 0],
    ['overview', 'clones', found.families.clone ?? 0],
    ['overview', 'complexity', summary('complexity').max],
    ['overview', 'cycles', summary('dependencies').cycles],
    ['overview', 'dead', summary('dead_code').total],
    ['complexity', 'units', summary('complexity').total],
    ['complexity', 'average', summary('complexity').average],
    ['complexity', 'max', summary('complexity').max],
    ['complexity', 'high', summary('complexity').high_risk],
    ['classes', 'total', summary('coupling').total],
    ['classes', 'coupling', summary('coupling').max],
    ['classes', 'cohesion', summary('cohesion').max],
    ['classes', 'low', summary('cohesion').low_cohesion],
    ['dependencies', 'modules', summary('dependencies').modules],
    ['dependencies', 'edges', summary('dependencies').edges],
    ['dependencies', 'cycles', summary('dependencies').cycles],
    ['dependencies', 'depth', summary('dependencies').max_depth],
    ['dead', 'total', summary('dead_code').total],
    ['dead', 'high', summary('dead_code').high_confidence],
    ['dead', 'medium', summary('dead_code').medium_confidence],
    ['dead', 'suppressed', summary('dead_code').suppressed],
    ['api', 'modules', summary('api_surface').modules],
    ['api', 'symbols', summary('api_surface').symbols],
    ['api', 'functions', summary('api_surface').functions],
    ['api', 'classes', summary('api_surface').classes],
    ['api', 'methods', summary('api_surface').methods],
    ['api', 'constants', summary('api_surface').constants],
    ['coverage', 'overall', percent(summary('coverage_join').overall_permille)],
    ['coverage', 'measured', summary('coverage_join').measured_units],
    ['coverage', 'hotspots', summary('coverage_join').coverage_hotspots],
    ['coverage', 'gaps', summary('coverage_join').scope_gap_hotspots],
    ['coverage', 'params', percent(summary('coverage_adoption').param_permille)],
    ['coverage', 'returns', percent(summary('coverage_adoption').return_permille)],
    ['coverage', 'documented', percent(summary('coverage_adoption').docstring_permille)],
    ['security', 'items', summary('security_surfaces').items],
    ['security', 'modules', summary('security_surfaces').modules],
    ['security', 'categories', summary('security_surfaces').category_count],
    ['meta', 'digest', report.integrity.digest.value],
  ];
  for (const kind of ['functions', 'blocks', 'segments', 'near_miss'])
    rows.push(['clones', kind, report.findings.groups.clones[kind].length]);
  return rows;
}

async function checkSections(page) {
  const titles = await page.$$eval('main section', (all) =>
    all.map((s) => [s.id, s.querySelector('h2').textContent, s.getBoundingClientRect().height > 40]));
  same('sections', titles, [
    ['overview', 'Overview', true], ['clones', 'Clones', true], ['structural', 'Structural', true],
    ['complexity', 'Complexity', true], ['classes', 'Coupling and cohesion', true],
    ['dependencies', 'Dependencies', true], ['dead', 'Dead code', true], ['api', 'API', true],
    ['coverage', 'Coverage', true], ['security', 'Security', true],
    ['suggestions', 'Suggestions', true], ['meta', 'Meta', true]]);
  const lost = await page.$$eval('nav a', (all) =>
    all.map((a) => a.getAttribute('href')).filter((href) => !document.querySelector(href)));
  same('links without a target', lost, []);
}

async function checkNumbers(page) {
  for (const [section, key, value] of expectedNumbers()) {
    const at = page.locator(`#${section} [data-key='${key}']`);
    if ((await at.count()) !== 1) {
      fault(`#${section} ${key}: shown ${await at.count()} times`);
      continue;
    }
    same(`#${section} ${key}`, plain(await at.innerText()), String(value));
    if (!(await at.isVisible())) fault(`#${section} ${key}: not visible`);
  }
  const health = summary('health');
  same('health', plain(await page.locator('#overview .ring-box .big').textContent()), String(health.score));
  same('grade', await page.locator('#overview .ring-box .under').textContent(), `grade ${health.grade}`);
}

async function checkCharts(page) {
  const marks = (where) => page.locator(`${where} .mark`).count();
  same('bars of health', await marks('#overview .hero figure'), Object.keys(summary('health').dimensions).length);
  const bars = await page.$$eval("#overview .hero figure .mark title", (all) => all.map((t) => t.textContent));
  same('values of health', bars.sort(), Object.entries(summary('health').dimensions)
    .map(([name, score]) => `${name.replace('dead_code', 'dead code')}: ${score}`).sort());
  same('bars of complexity', await marks('#complexity figure'), 8);
  const counted = await page.$$eval('#complexity figure .mark title', (all) =>
    all.reduce((sum, t) => sum + Number(/: (\d+) functions/.exec(t.textContent)[1]), 0));
  same('functions of the complexity chart', counted, summary('complexity').total);
  const edges = families.dependencies.items.filter((e) => e.source !== e.target);
  const modules = [...new Set(edges.flatMap((e) => [e.source, e.target]))].sort();
  const nodes = await page.$$eval('#dependencies .node.mark title', (all) => all.map((t) => t.textContent).sort());
  same('modules of the graph', nodes, modules);
  same('lines of the graph', await page.locator('#dependencies .edge.mark').count(), edges.length);
  const circular = new Set(families.dependencies.cycles.flatMap((c) => c.members));
  same('modules in circles', await page.locator('#dependencies .node.circle').count(), circular.size);
  same('bars of security', await marks('#security figure'), Object.keys(summary('security_surfaces').categories).length);
  same('bars of languages', await page.locator('#overview > figure .mark').count(),
    Object.keys(report.inventory.code.by_language).length);
}

// Both sides of each open pair stand next to each other, line by line, and say whose they are.
async function checkClones(page) {
  const groups = report.findings.groups.clones.functions;
  const heads = await page.$$eval('#clones .diff', (all) =>
    all.map((table) => [...table.querySelectorAll('thead th code')].map((c) => c.textContent)));
  for (const group of groups) {
    const names = group.items.slice(0, 2).map((i) => i.qualname);
    if (!heads.some((shown) => JSON.stringify(shown) === JSON.stringify(names)))
      fault(`clones: ${names} do not stand side by side`);
  }
  const rows = await page.$$eval('#clones details[open] .diff tbody tr', (all) =>
    all.map((row) => [...row.querySelectorAll('td.c')].map((cell) => {
      const box = cell.getBoundingClientRect();
      return [Math.round(box.left), Math.round(box.top), Math.round(box.width)];
    })));
  if (rows.length === 0) fault('clones: no pair is open');
  for (const [left, right] of rows)
    if (left[1] !== right[1] || right[0] < left[0] + left[2]) fault(`clones: a row is not side by side: ${left} ${right}`);
  const marked = await page.$$eval('#clones .diff mark', (all) => all.map((m) => m.textContent));
  if (marked.length === 0) fault('clones: no difference is marked');
}

async function checkTables(page) {
  const rowsOf = (section, skip = '') =>
    page.$$eval(`#${section} table:not(.diff)${skip} tbody tr`, (all) => all.map((r) => r.textContent));
  const holds = (what, rows, wanted) => {
    for (const text of wanted) if (!rows.some((row) => row.includes(text))) fault(`${what}: '${text}' is not shown`);
  };
  holds('complexity', await rowsOf('complexity'), families.complexity.items.slice(0, 15)
    .map((i) => `${shown(i.qualname)}${shown(i.relative_path)}:${i.start_line}${i.cyclomatic_complexity}`));
  holds('coupling', await rowsOf('classes'), families.coupling.items.map((i) => shown(i.qualname)));
  holds('dead code', await rowsOf('dead'), [...families.dead_code.items, ...families.dead_code.suppressed]
    .map((i) => shown(i.qualname)));
  holds('api', await rowsOf('api'), families.api_surface.items.map((i) => shown(i.qualname)));
  holds('coverage', await rowsOf('coverage'), families.coverage_join.items.map((i) => shown(i.qualname)));
  holds('security', await rowsOf('security'), families.security_surfaces.items.map((i) => i.capability));
  same('suggestions', await page.locator('#suggestions .todo > li').count(), report.derived.suggestions.length);
  holds('unused suppressions', await rowsOf('meta'), report.meta.unused_suppressions.map((u) => u.rule));
}

// Each of the first risks leads to the section that tells it in full.
async function checkRisks(page) {
  const sections = { clone: 'clones', structural: 'structural', dead_code: 'dead', function_hotspot: 'complexity',
    class_hotspot: 'classes', cycle: 'dependencies', coverage_hotspot: 'coverage', coverage_scope_gap: 'coverage' };
  const links = await page.$$eval("#overview [data-key='risks'] a", (all) => all.map((a) => a.getAttribute('href')));
  same('first risks', links, report.derived.overview.top_risks
    .map((risk) => `#${sections[risk.family] ?? sections[risk.kind]}`));
}

// What cannot be seen is shown as an escape; nothing of it may act.
function shown(text) {
  return text.replace(/[\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu,
    (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}

async function checkHostile(page) {
  same('scripts', await page.locator('script, iframe, object, embed, img, link, form').count(), 0);
  same('handlers', await page.$$eval('*', (all) =>
    all.filter((e) => [...e.attributes].some((a) => a.name.startsWith('on'))).length), 0);
  const text = await page.locator('body').innerText();
  if (/[\u202a-\u202e\u2066-\u2069\u200b-\u200f]/u.test(text)) fault('invisible characters reach the reader');
  for (const name of report.inventory.file_registry.items.filter((n) => /[<"'\u202e]/u.test(n)))
    if (!text.includes(shown(name))) fault(`the name ${JSON.stringify(name)} is not shown as text`);
}

const luminance = (colour) => {
  const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map(Number).map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
async function checkColours(page, scheme) {
  const [ink, dim, sheet] = await page.evaluate(() => {
    const style = (selector) => getComputedStyle(document.querySelector(selector));
    return [style('h2').color, style('.lead').color, style('section').backgroundColor];
  });
  if ((luminance(sheet) < 0.2) !== (scheme === 'dark')) fault(`${scheme}: the page is ${sheet}`);
  for (const [name, colour] of [['text', ink], ['dim text', dim]]) {
    const [low, high] = [luminance(colour), luminance(sheet)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) fault(`${scheme}: contrast of ${name} is ${contrast.toFixed(2)}`);
  }
}

const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-page-'));
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
  page.on('pageerror', (error) => fault(`error: ${error}`));
  page.on('dialog', (dialog) => fault(`dialog: ${dialog.message()}`));
  await page.goto(url);
  for (const check of [checkSections, checkNumbers, checkCharts, checkClones, checkTables, checkRisks, checkHostile]) await check(page);
  for (const [scheme, width] of [['light', 1280], ['dark', 1280], ['light', 360]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    await checkColours(page, scheme);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (wide > 0) fault(`${width} wide: the page is ${wide} wider than the window`);
    if (shots) await page.screenshot({ path: path.join(shots, `${scheme}-${width}.png`), fullPage: true });
  }
  same('requests', asked, [url]);
} finally {
  await browser.close();
  fs.rmSync(profile, { recursive: true, force: true });
}
process.exit(faults === 0 ? 0 : 1);
