// Shows that every product table is guarded: flips a cell in a scratch copy, rebuilds, and expects a test
// to fail. Tables are listed in tools/tables.list. Without --all one cell per table is flipped (the middle
// one); with --all every cell. Exit status 1 when a flipped cell went unnoticed. The unchanged tree must be green
// first; --green takes the word of a `./dev test` that has just shown it.
//
// Usage: ./dev mutate-tables [--all] [--green] [--near] [--list] [--unlisted] [NAME…]
//   --near      ask only the tests near a table; one that they let through may still be noticed by all of them
//   --list      the tables and how many cells each has
//   --unlisted  product tables (a comment `// table: …` under src) that tools/tables.list does not know
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = path.dirname(path.dirname(new URL(import.meta.url).pathname));
const scratch = path.join(root, 'build-mutate');
const args = process.argv.slice(2);
const flags = new Set(args.filter((word) => word.startsWith('--')));
const names = args.filter((word) => !word.startsWith('--'));
for (const flag of flags) if (!['--all', '--green', '--near', '--list', '--unlisted'].includes(flag)) fail(`unknown option ${flag}`);

function fail(message) {
  console.error(`mutate-tables: ${message}`);
  process.exit(2);
}

function run(program, argv, options = {}) {
  return spawnSync(program, argv, { cwd: scratch, encoding: 'utf8', maxBuffer: 1 << 28, ...options });
}

// Brings the scratch copy to the state of the work tree; untouched files keep their times, so that the
// build that follows is incremental.
function sync() {
  const listed = run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const files = listed.stdout.split('\0').filter((file) => file && fs.existsSync(path.join(root, file)));
  for (const file of files) copyIfChanged(file);
  const wanted = new Set(files);
  const present = run('find', ['src', 'tests', 'data', '-type', 'f']).stdout.split('\n');
  for (const file of present) if (file && !wanted.has(file)) fs.rmSync(path.join(scratch, file));
  const cache = path.join(scratch, '.cache');
  if (!fs.existsSync(cache)) fs.symlinkSync(path.join(root, '.cache'), cache);
}

function copyIfChanged(file) {
  const from = path.join(root, file), to = path.join(scratch, file);
  const bytes = fs.readFileSync(from);
  if (fs.existsSync(to) && fs.readFileSync(to).equals(bytes)) return;
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.writeFileSync(to, bytes, { mode: fs.statSync(from).mode });
}

// --- tables --------------------------------------------------------------------------------------------
// A line of tables.list: name | file | where the table starts, or - | cell (one group) | tests to ask first
function readTables() {
  return fs.readFileSync(path.join(root, 'tools/tables.list'), 'utf8').split('\n')
    .filter((line) => line.trim() && !line.startsWith('#'))
    .map((line) => line.split(' | ').map((cell) => cell.trim()))
    .map(([name, file, start, cell, first]) => ({ name, file, start, cell, first: first || '' }));
}

// The part of the text that holds the table: from its start to the brace that closes it, or the next key.
function region(table, text) {
  if (table.start === '-') return [0, text.length];
  const start = text.match(new RegExp(table.start, 'm'));
  if (!start) fail(`${table.name}: nothing matches /${table.start}/ in ${table.file}`);
  const from = start.index + start[0].length;
  const close = text.slice(from).search(/\}\)*;|^\}|^[a-z_]+:/m);
  return [from, close < 0 ? text.length : from + close];
}

function cellsOf(table, text) {
  const [from, to] = region(table, text);
  const cells = [...text.slice(from, to).matchAll(new RegExp(table.cell, 'gmd'))].map((match) => ({
    at: from + match.indices[1][0],
    old: match[1],
    quoted: text[from + match.indices[1][0] - 1] === '"',
    row: match[0].trim().replace(/\s+/g, ' ').slice(0, 44),
  }));
  if (cells.length === 0) fail(`${table.name}: no cell matches /${table.cell}/ in ${table.file}`);
  const values = [...new Set(cells.map((cell) => cell.old))];
  return cells.map((cell) => ({ ...cell, new: flipped(cell, values) }));
}

// A number grows by one, a truth value turns, a word becomes another word of the same column, text grows.
// A word that is no text is always another word of the column: one that nobody knows would not compile.
function flipped({ old: cell, quoted }, values) {
  if (/^\d[\d']*$/.test(cell)) return String(Number(cell.replaceAll("'", '')) + 1);
  if (cell === 'true' || cell === 'false') return cell === 'true' ? 'false' : 'true';
  if (/^[A-Za-z_]+(::[A-Za-z_]+)*$/.test(cell) && values.length > 1 && (!quoted || values.length < 12))
    return values[(values.indexOf(cell) + 1) % values.length];
  return `${cell}x`;
}

// A listed table belongs to the comment it stands behind. What has no table behind it before the next comment
// is unlisted.
function unlisted() {
  const found = [];
  for (const file of run('git', ['ls-files', '-z', '--', 'src'], { cwd: root }).stdout.split('\0').filter(Boolean)) {
    const text = fs.readFileSync(path.join(root, file), 'utf8');
    const marks = [...text.matchAll(/^ *\/\/ table: (.*)$/gm)];
    if (marks.length === 0) continue;
    const starts = readTables().filter((table) => table.file === file)
      .map((table) => table.start === '-' ? -1 : text.match(new RegExp(table.start, 'm'))?.index ?? -2);
    marks.forEach((mark, i) => {
      const end = marks[i + 1]?.index ?? text.length;
      if (!starts.some((at) => at === -1 || (at >= mark.index && at < end))) found.push(`${file}: ${mark[1]}`);
    });
  }
  return found;
}

// --- one mutation --------------------------------------------------------------------------------------
function build(program) {
  const built = run('ninja', ['-C', 'build', '--quiet', program]);
  return built.status === 0 ? null : (built.stdout + built.stderr);
}

// The first failing test of a test program, or null. The tests named with the table are asked first.
function firstFailure(program, filter) {
  const everything = flags.has('--near') && program === 'gatehouse_tests' ? [] : ['*'];
  for (const selected of filter ? [filter, ...everything] : ['*']) {
    const tests = run(path.join(scratch, 'build/tests', program),
      ['--gtest_brief=1', '--gtest_fail_fast', `--gtest_filter=${selected}`]);
    if (tests.status !== 0) return tests.stdout.match(/\[  FAILED  \] ([^\s,]+)/)?.[1] ?? 'the test program died';
  }
  return null;
}

// Modules with a small program of their own tests (tests/CMakeLists.txt); only what they let through is shown to
// all tests.
const OWN_PROGRAMS = {
  model: 'model_tests', policy: 'policy_tests', git: 'git_tests', store: 'store_tests', sys: 'sys_tests',
  control: 'control_tests', syntax: 'analysis_tests', analysis: 'analysis_tests',
};

function programsFor(table) {
  const own = OWN_PROGRAMS[table.file.split('/')[1]];
  if (!own) return ['gatehouse_tests'];
  return flags.has('--near') ? [own] : [own, 'gatehouse_tests'];
}

function noticedBy(table) {
  for (const program of programsFor(table)) {
    if (build(program)) return 'the compiler';
    const failed = firstFailure(program, table.first);
    if (failed) return failed;
  }
  return null;
}

function judge(table, cell, text) {
  const file = path.join(scratch, table.file);
  fs.writeFileSync(file, text.slice(0, cell.at) + cell.new + text.slice(cell.at + cell.old.length));
  try {
    return noticedBy(table);
  } finally {
    fs.writeFileSync(file, text);
  }
}

// --- main ----------------------------------------------------------------------------------------------
const tables = readTables().filter((table) => names.length === 0 || names.includes(table.name));
for (const name of names) if (!tables.some((table) => table.name === name)) fail(`no table named ${name}`);

if (flags.has('--list')) {
  for (const table of tables) {
    const cells = cellsOf(table, fs.readFileSync(path.join(root, table.file), 'utf8'));
    console.log(`${table.name.padEnd(24)} ${table.file.padEnd(36)} ${String(cells.length).padStart(4)} cells`);
  }
  process.exit(0);
}

if (flags.has('--unlisted')) {
  const found = unlisted();
  for (const line of found) console.log(line);
  process.exit(found.length === 0 ? 0 : 1);
}

const started = Date.now();
fs.mkdirSync(scratch, { recursive: true });
sync();
if (run('cmake', ['-G', 'Ninja', '-S', '.', '-B', 'build', '-DCMAKE_BUILD_TYPE=Release']).status !== 0) fail('cmake failed');
const programs = [...new Set(tables.flatMap(programsFor))];
const broken = programs.map(build).find(Boolean);
if (broken) fail(`the unchanged tree does not build:\n${broken}`);
const red = flags.has('--green') ? null : programs.map((program) => firstFailure(program, '')).find(Boolean);
if (red) fail(`the unchanged tree is not green: ${red}`);

let survived = 0, judged = 0;
for (const table of tables) {
  const text = fs.readFileSync(path.join(root, table.file), 'utf8');
  const cells = cellsOf(table, text);
  for (const cell of flags.has('--all') ? cells : [cells[cells.length >> 1]]) {
    const caught = judge(table, cell, text);
    judged += 1;
    if (!caught) survived += 1;
    console.log(`${caught ? 'caught  ' : 'SURVIVED'}  ${table.name.padEnd(22)} ${cell.row}\n` +
      `          ${cell.old} -> ${cell.new}${caught ? `, noticed by ${caught}` : ', noticed by nobody'}`);
  }
}
console.log(`${judged} flipped, ${judged - survived} noticed, ${survived} survived; ` +
  `${((Date.now() - started) / 60000).toFixed(2)} min`);
process.exit(survived === 0 ? 0 : 1);
