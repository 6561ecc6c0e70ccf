/**
 * `node scripts/schemas.mjs`: writes the published JSON Schemas to `schemas/`.
 *
 * `--check` writes nothing and fails where a file differs. A test holds the same.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { root } from './lib/run.mjs';

prepare();
const { jsonSchemaOf, PUBLISHED } = await import('@assay/kernel/schemas');
const { CONTROLLER_PUBLISHED } = await import('@assay/controller/schemas');
const isCheck = process.argv.includes('--check');
let differing = 0;
mkdirSync(join(root, 'schemas'), { recursive: true });
const published = [...PUBLISHED, ...CONTROLLER_PUBLISHED];
for (const [name] of published) {
  const path = join(root, 'schemas', `${name}.schema.json`);
  const text = `${JSON.stringify(jsonSchemaOf(name, published), null, 2)}\n`;
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  differing += 1;
  if (!isCheck) writeFileSync(path, text);
  console.log(`schemas: ${isCheck ? 'differs' : 'wrote'} ${name}.schema.json`);
}
process.exitCode = isCheck && differing > 0 ? 1 : 0;
