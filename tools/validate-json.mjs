// Judges JSON documents by a JSON schema (draft 2020-12) with ajv, an implementation that is not ours.
// Prints one line per document that does not conform; exit status 1 if there is any.
//
// Usage: .cache/bin/node tools/validate-json.mjs SCHEMA.json DOCUMENT.json…   (- reads standard input)
//        .cache/bin/node tools/validate-json.mjs --serve
// To serve is to answer until standard input ends: a request is the line `SCHEMA.json LENGTH` and a document of so many
// bytes, an answer is one line, a JSON string: empty, or why the document does not conform.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.dirname(path.dirname(new URL(import.meta.url).pathname));
const require = createRequire(path.join(root, '.cache/validators/package.json'));
const { default: Ajv } = require('ajv/dist/2020');
const { default: addFormats } = require('ajv-formats');

// Schemas may refer to their neighbours by $id; a folder is read once.
const folders = new Map();
function validatorOf(schemaFile) {
  const folder = path.dirname(schemaFile);
  if (!folders.has(folder)) {
    const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
    addFormats(ajv);
    const schemas = new Map();
    for (const name of fs.readdirSync(folder).filter((file) => file.endsWith('.json')).sort()) {
      schemas.set(name, JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')));
      ajv.addSchema(schemas.get(name));
    }
    folders.set(folder, { ajv, schemas });
  }
  const { ajv, schemas } = folders.get(folder);
  return ajv.compile(schemas.get(path.basename(schemaFile)));
}

// '' or what does not conform.
function complaint(schemaFile, text) {
  const conforms = validatorOf(schemaFile);
  if (conforms(JSON.parse(text))) return '';
  return conforms.errors.map((error) => `${error.instancePath || '/'} ${error.message}` +
    (error.params.additionalProperty ? ` (${error.params.additionalProperty})` : '')).join('; ');
}

function serve() {
  let kept = Buffer.alloc(0);
  const chunk = Buffer.alloc(1 << 20);
  // The next `size` bytes, or all before a line feed; nothing at the end of the input.
  const take = (size) => {
    for (;;) {
      const end = size ?? kept.indexOf(10);
      if (end >= 0 && kept.length >= end) {
        const out = kept.subarray(0, end).toString('utf8');
        kept = kept.subarray(size === undefined ? end + 1 : end);
        return out;
      }
      const read = fs.readSync(0, chunk);
      if (read === 0) return undefined;
      kept = Buffer.concat([kept, chunk.subarray(0, read)]);
    }
  };
  for (let line = take(); line !== undefined; line = take()) {
    const [schemaFile, length] = line.split(' ');
    fs.writeSync(1, `${JSON.stringify(complaint(schemaFile, take(Number(length))))}\n`);
  }
}

function judge(schemaFile, documents) {
  let refused = 0;
  for (const document of documents) {
    const why = complaint(schemaFile, fs.readFileSync(document === '-' ? 0 : document, 'utf8'));
    if (why === '') continue;
    refused += 1;
    console.log(`${document}: ${why}`);
  }
  process.exitCode = refused === 0 ? 0 : 1;
}

const [first, ...documents] = process.argv.slice(2);
if (first === '--serve') {
  serve();
} else if (first && documents.length > 0) {
  judge(first, documents);
} else {
  console.error('usage: validate-json.mjs SCHEMA.json DOCUMENT.json… | --serve');
  process.exit(2);
}
