/**
 * `node scripts/schemas.mjs`: writes the published JSON Schemas to `schemas/`.
 *
 * `--check` writes nothing and fails where a file differs. A test holds the same.
 */
import { compareOrWrite } from './lib/committed.mjs';
import { prepare } from './lib/prepare.mjs';

prepare();
const { findJsonSchema, PUBLISHED } = await import('@assay/kernel/schemas');
const { ATTEST_PUBLISHED } = await import('@assay/attest/schemas');
const { CONTROLLER_PUBLISHED } = await import('@assay/controller/schemas');
const { ECOLOGY_PUBLISHED } = await import('@assay/ecology/schemas');
const { GATE_PUBLISHED } = await import('@assay/gate/schemas');
const { PLANNER_PUBLISHED } = await import('@assay/planner/schemas');
const published = [
  ...PUBLISHED,
  ...CONTROLLER_PUBLISHED,
  ...PLANNER_PUBLISHED,
  ...ECOLOGY_PUBLISHED,
  ...GATE_PUBLISHED,
  ...ATTEST_PUBLISHED,
];
const files = published.map(([name]) => [
  `schemas/${name}.schema.json`,
  `${JSON.stringify(findJsonSchema(name, published), null, 2)}\n`,
]);
process.exitCode = compareOrWrite(Object.fromEntries(files), !process.argv.includes('--check'));
