// Judges JSON documents by a JSON schema (draft 2020-12) with ajv, an implementation that is not ours.
// Prints one line per document that does not conform; exit status 1 if there is any.
//
// Usage: .cache/bin/node tools/validate-json.mjs SCHEMA.json DOCUMENT.json…   (- reads standard input)
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.dirname(path.dirname(new URL(import.meta.url).pathname));
const require = createRequire(path.join(root, '.cache/validators/package.json'));
const { default: Ajv } = require('ajv/dist/2020');
const { default: addFormats } = require('ajv-formats');

const [schemaFile, ...documents] = process.argv.slice(2);
if (!schemaFile || documents.length === 0) {
  console.error('usage: validate-json.mjs SCHEMA.json DOCUMENT.json…');
  process.exit(2);
}

// Schemas may refer to their neighbours by $id.
const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats(ajv);
const folder = path.dirname(schemaFile);
for (const name of fs.readdirSync(folder).filter((file) => file.endsWith('.json')).sort())
  if (name !== path.basename(schemaFile)) ajv.addSchema(JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')));
const conforms = ajv.compile(JSON.parse(fs.readFileSync(schemaFile, 'utf8')));

let refused = 0;
for (const document of documents) {
  const value = JSON.parse(fs.readFileSync(document === '-' ? 0 : document, 'utf8'));
  if (conforms(value)) continue;
  refused += 1;
  const why = conforms.errors.map((error) => `${error.instancePath || '/'} ${error.message}` +
    (error.params.additionalProperty ? ` (${error.params.additionalProperty})` : ''));
  console.log(`${document}: ${why.join('; ')}`);
}
process.exit(refused === 0 ? 0 : 1);
