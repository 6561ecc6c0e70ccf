/** `schemas/`: one fresh file for each published schema and no other. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findJsonSchema, PUBLISHED } from '@assay/kernel/schemas';
import { ATTEST_PUBLISHED } from '@assay/attest/schemas';
import { CONTROLLER_PUBLISHED } from '@assay/controller/schemas';
import { ECOLOGY_PUBLISHED } from '@assay/ecology/schemas';
import { GATE_PUBLISHED } from '@assay/gate/schemas';
import { PLANNER_PUBLISHED } from '@assay/planner/schemas';

const FOLDER = new URL('../schemas/', import.meta.url);
const published = [
  ...PUBLISHED,
  ...CONTROLLER_PUBLISHED,
  ...PLANNER_PUBLISHED,
  ...ECOLOGY_PUBLISHED,
  ...GATE_PUBLISHED,
  ...ATTEST_PUBLISHED,
];

describe('schemas/', () => {
  it('holds these and no others', () => {
    const names = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
    expect(names.toSorted()).toEqual(published.map(([name]) => `${name}.schema.json`).toSorted());
  });

  it.each(published)('%s is fresh, and has an id and a title', (name, title) => {
    expect(findJsonSchema(name, published)).toMatchObject({ $id: `urn:assay:schema:${name}:0`, title });
    expect(readFileSync(new URL(`${name}.schema.json`, FOLDER), 'utf8')).toBe(
      `${JSON.stringify(findJsonSchema(name, published), null, 2)}\n`,
    );
  });

  it('an unknown name has none', () => {
    expect(findJsonSchema('other', published)).toBeNull();
  });
});
