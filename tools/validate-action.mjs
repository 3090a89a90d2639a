// Judges GitHub workflows and actions by a validator that is not ours. Prints one line for each fault; exit status 1 if there
// is any. A file named action.yml is an action, any other a workflow.
//
// Usage: .cache/bin/node tools/validate-action.mjs FILE.yml…
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.dirname(path.dirname(new URL(import.meta.url).pathname));
const require = createRequire(path.join(root, '.cache/validators/package.json'));
const { validateAction, validateWorkflow } = require('@action-validator/core');

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: validate-action.mjs FILE.yml…');
  process.exit(2);
}
let faults = 0;
for (const file of files) {
  const text = fs.readFileSync(file, 'utf8');
  const { errors } = path.basename(file) === 'action.yml' ? validateAction(text) : validateWorkflow(text);
  for (const error of errors) {
    faults += 1;
    console.log(`${file}: ${error.path ?? ''} ${error.title}${error.detail ? `: ${error.detail}` : ''}`);
  }
}
process.exit(faults === 0 ? 0 : 1);
