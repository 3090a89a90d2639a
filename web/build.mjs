// Bundles the page and writes its files as one C++ source (src/serve/page_assets.h), raw and packed.
// usage: .cache/bin/node web/build.mjs OUT.cc [FOLDER to keep the files in]
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = dirname(import.meta.dirname);
const packages = join(root, '.cache/web/package.json');
const vite = await import(pathToFileURL(createRequire(packages).resolve('vite')));

const [out, kept] = process.argv.slice(2);
if (!out) {
  console.error('usage: web/build.mjs OUT.cc [FOLDER]');
  process.exit(2);
}
const dist = kept ? resolve(kept) : mkdtempSync(join(tmpdir(), 'gatehouse-page-'));

const media = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

await vite.build({
  root: join(root, 'web'),
  configFile: false,
  logLevel: 'warn',
  publicDir: join(root, 'web/public'),
  // The sources are in web/, their packages elsewhere.
  plugins: [
    {
      name: 'packages-of-the-cache',
      enforce: 'pre',
      resolveId(name, from) {
        return /^@?[a-z]/.test(name) && !(from ?? '').includes('node_modules')
          ? this.resolve(name, packages, { skipSelf: true })
          : null;
      },
    },
  ],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: dist,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
});

const bytes = (data) => {
  const words = new Array(data.length);
  for (let i = 0; i < data.length; i += 1) words[i] = data[i];
  return `{${words.join(',')}}`;
};

const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();
let arrays = '';
let rows = '';
files.forEach((file, i) => {
  const data = readFileSync(file);
  const type = media[extname(file)];
  if (!type || data.length === 0) throw new Error(`${file}: no file of a page`);
  const packed = gzipSync(data, { level: 9 });
  const etag = createHash('sha256').update(data).digest('hex').slice(0, 32);
  arrays += `constexpr unsigned char kRaw${i}[] = ${bytes(data)};\n`;
  arrays += `constexpr unsigned char kPacked${i}[] = ${bytes(packed)};\n`;
  rows += `      {"/${relative(dist, file)}", "${type}", "\\"${etag}\\"", text(kRaw${i}), text(kPacked${i})},\n`;
});
const source = `// Made by web/build.mjs.
#include "serve/page_assets.h"

#include <array>

namespace gh::serve {
namespace {

${arrays}
template <std::size_t N>
std::string_view text(const unsigned char (&bytes)[N]) {
  return {reinterpret_cast<const char*>(bytes), N};
}

}  // namespace

std::span<const PageAsset> page_assets() {
  static const std::array<PageAsset, ${files.length}> all{{
${rows}  }};
  return all;
}

}  // namespace gh::serve
`;
mkdirSync(dirname(resolve(out)), { recursive: true });
writeFileSync(out, source);
if (!kept) rmSync(dist, { recursive: true });
