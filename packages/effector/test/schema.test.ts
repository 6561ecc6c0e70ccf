import { afterAll, describe, expect, it } from 'vitest';
import { fc, it as law } from '@fast-check/vitest';
import { TOOL_NAMES } from '../src/index.ts';
import { fits } from './tools/schema.ts';
import { makeWorld } from './tools/world.ts';
import { draws } from '../../kernel/tools/laws.ts';

const world = await makeWorld();
afterAll(() => world.remove());

type Schema = { readonly [keyword: string]: unknown };
const schemaOf = (name: string): Schema =>
  world.tools.catalogue.find((tool) => tool.name === name)?.schema as Schema;

describe('the catalogue', () => {
  it('has names that providers take, and none that says the end of a sub-task', () => {
    for (const { name } of world.tools.catalogue) expect(name).toMatch(/^[a-z][a-z0-9_-]{0,63}$/);
    expect(world.tools.catalogue.map(({ name }) => name)).not.toContain('done');
    expect(world.tools.catalogue.map(({ name }) => name)).not.toContain('give_up');
  });

  it('has a schema of at most 4 KiB for each tool that is here, and holds what can lose something', () => {
    for (const { name, schema, holds, reversible, class: of } of world.tools.catalogue) {
      const isHere = TOOL_NAMES.some((here) => here === name);
      expect(schema !== null, name).toBe(isHere);
      expect(JSON.stringify(schema).length).toBeLessThanOrEqual(4_096);
      // Providers refuse it there.
      expect(Object.keys(schema ?? {})).not.toContain('anyOf');
      if (isHere && (!reversible || holds)) expect([name, holds, of]).toEqual([name, true, 'write']);
    }
  });
});

const junk = fc.constantFrom<unknown>(null, true, 0, 1, -1, 1.5, 2 ** 53, 1e300, '', 'a', '0', [], ['a'], {});

/** Values about a schema: most fit, or miss it by one thing. */
function near(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: inside(schema) }, { weight: 1, arbitrary: junk });
}

function inside(schema: Schema): fc.Arbitrary<unknown> {
  const { type, anyOf, items } = schema;
  if (anyOf !== undefined) return fc.oneof(...(anyOf as readonly Schema[]).map(inside));
  if (schema['enum'] !== undefined) return fc.constantFrom(...(schema['enum'] as readonly unknown[]));
  if (type === 'array') return fc.array(near(items as Schema), { maxLength: 3 });
  if (type === 'integer') return fc.constantFrom(0, 1, 2, 3);
  if (type === 'boolean') return fc.boolean();
  if (type === 'string') return fc.constantFrom('a', 'ls', 'b/c', '*');
  const properties = Object.entries(schema['properties'] as Readonly<Record<string, Schema>>);
  const known = properties.map(([key, form]) => fc.tuple(fc.constant(key), near(form)));
  const extra = fc.tuple(fc.constantFrom('x', '__proto__', 'path', 'paths', 'toString'), junk);
  const required = (schema['required'] ?? []) as readonly string[];
  return fc
    .tuple(
      fc.tuple(...known),
      fc.array(fc.nat(9), { minLength: known.length, maxLength: known.length }),
      fc.option(extra, { freq: 6 }),
    )
    .map(([pairs, dice, more]) => {
      const kept = pairs.filter(([key], index) => (dice[index] ?? 0) > (required.includes(key) ? 0 : 5));
      return Object.fromEntries(more === null ? kept : [...kept, more]);
    });
}

/**
 * What no keyword says, and the tool refuses as badly formed: none or both of two ways to say something, no
 * path, and lines that end before they begin.
 */
function isToolsOwn(tool: string, input: unknown): boolean {
  const { path, paths, from_line, to_line } = input as Schema;
  if (tool !== 'read_file') return false;
  const isSeveral = paths !== undefined;
  const hasLines = from_line !== undefined || to_line !== undefined;
  return (
    isSeveral === (path !== undefined) ||
    (isSeveral && (hasLines || (paths as readonly unknown[]).length === 0)) ||
    Number(to_line ?? Infinity) < Number(from_line ?? 1)
  );
}

/** A plain string stands for an object with this one field. */
const PLAIN = new Map([
  ['find_files', 'name'],
  ['glob', 'pattern'],
  ['move_file', 'from'],
]);
const call = fc
  .constantFrom(...TOOL_NAMES)
  .chain((tool) => fc.tuple(fc.constant(tool), near(schemaOf(tool))));

describe('an input', () => {
  law.prop([call], { seed: 5_519, numRuns: draws(1_000) })(
    'effector/schema-is-parser: is badly formed where it misses the schema of its tool, and only there',
    async ([tool, input]) => {
      const meant = typeof input === 'string' ? { [PLAIN.get(tool) ?? 'path']: input } : input;
      const { code } = await world.call(tool, input);
      expect(code === 'bad_input').toBe(!fits(schemaOf(tool), meant) || isToolsOwn(tool, meant));
    },
  );
});
