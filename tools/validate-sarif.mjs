// Judges SARIF documents by the schema of version 2.1.0 that Microsoft's own tool carries, with ajv.
// Prints one line per document that does not conform; exit status 1 if there is any.
//
// Usage: .cache/bin/node tools/validate-sarif.mjs DOCUMENT.sarif…
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.dirname(path.dirname(new URL(import.meta.url).pathname));
const require = createRequire(path.join(root, '.cache/validators/package.json'));
const { default: Ajv } = require('ajv/dist/2020');
const { default: addFormats } = require('ajv-formats');
const schema = path.join(root, '.cache/validators/node_modules/@microsoft/sarif-multitool-linux/sarif-2.1.0.json');
const ajv = new Ajv({ allErrors: true, strict: false });
addFormats(ajv);
const conforms = ajv.compile(JSON.parse(fs.readFileSync(schema, 'utf8')));

const documents = process.argv.slice(2);
if (documents.length === 0) {
  console.error('usage: validate-sarif.mjs DOCUMENT.sarif…');
  process.exit(2);
}
let refused = 0;
for (const document of documents) {
  if (conforms(JSON.parse(fs.readFileSync(document, 'utf8')))) continue;
  refused += 1;
  console.log(`${document}: ${conforms.errors.map((e) => `${e.instancePath || '/'} ${e.message}`).join('; ')}`);
}
process.exit(refused === 0 ? 0 : 1);
