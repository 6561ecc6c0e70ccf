/**
 * `schemas/`: one fresh file for each published schema and no other, each with a row of its own in the list
 * there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { jsonSchemaOf, PUBLISHED } from '@assay/kernel/schemas';
import { CONTROLLER_PUBLISHED } from '@assay/controller/schemas';

const FOLDER = new URL('../schemas/', import.meta.url);
const published = [...PUBLISHED, ...CONTROLLER_PUBLISHED];

describe('schemas/', () => {
  it('holds these and no others', () => {
    const names = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
    expect(names.toSorted()).toEqual(published.map(([name]) => `${name}.schema.json`).toSorted());
  });

  it.each(published)('%s is fresh, has an id and a title, and a row in the list', (name, title) => {
    expect(jsonSchemaOf(name, published)).toMatchObject({ $id: `urn:assay:schema:${name}:0`, title });
    expect(readFileSync(new URL(`${name}.schema.json`, FOLDER), 'utf8')).toBe(
      `${JSON.stringify(jsonSchemaOf(name, published), null, 2)}\n`,
    );
    expect(readFileSync(new URL('README.md', FOLDER), 'utf8')).toContain(
      `| [${name}](${name}.schema.json) |`,
    );
  });

  it('an unknown name has none', () => {
    expect(jsonSchemaOf('other', published)).toBeNull();
  });
});
