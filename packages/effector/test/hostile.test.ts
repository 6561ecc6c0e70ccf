import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { fc, it as law } from '@fast-check/vitest';
import { admit, isOk } from '@assay/kernel';
import { OUTPUT_CHARACTERS } from '../src/tool-call.js';
import { TOOL_CHAIN } from '../src/catalogue.js';
import { makeWorld, type World } from './tools/world.ts';
import { draws } from '../../kernel/tools/laws.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ wallMs: 5_000, entries: 1_000, readBytes: 10_000 });
});
afterAll(() => world.remove());

const piece = fc.constantFrom(
  'a',
  'd',
  'l',
  'out',
  '.',
  '..',
  '/',
  '//',
  '~',
  '*',
  '**',
  '?',
  '[a]',
  '[',
  '\0',
  '\n',
  ' ',
  "'",
  '"',
  '\\',
  '$',
  'é',
  '\ud800',
  'canary.txt',
  '/etc/passwd',
  '/proc/self/environ',
  '{',
  '#',
  '=',
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const key = fc.constantFrom(
  'path',
  'content',
  'from',
  'to',
  'pattern',
  'folders',
  'under',
  'name',
  'ext',
  'contains',
  'min_size',
  'limit',
  'sort',
  'paths',
  'from_line',
  '__proto__',
  'x',
);
const value = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double(),
  fc.array(text, { maxLength: 3 }),
);
const input = fc.oneof(
  { weight: 3, arbitrary: text },
  {
    weight: 3,
    arbitrary: fc.array(fc.tuple(key, value), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
  },
  { weight: 1, arbitrary: fc.record({ path: text, content: text }) },
  { weight: 1, arbitrary: fc.record({ from: text, to: text }) },
  { weight: 1, arbitrary: fc.anything() },
);

describe('whatever is called', () => {
  law.prop([fc.constantFrom(...TOOL_CHAIN.map(({ name }) => name), 'nothing'), input, fc.boolean()], {
    seed: 5_501,
    numRuns: draws(1_500),
  })('effector/total: every call ends as a record, and nothing comes out', async (tool, given, confirmed) => {
    for (const entry of readdirSync(world.root)) rmSync(join(world.root, entry), { recursive: true });
    world.put('a', 'a\n');
    world.put('d/a', 'b\n');
    symlinkSync('d', join(world.root, 'l'));
    symlinkSync(world.beside, join(world.root, 'out'));
    const call = await world.call(tool, given, { confirmed });
    expect(isOk(admit(call))).toBe(true);
    expect(call.code === null).toBe(call.status === 'ok');
    expect(Math.max(call.input.length, call.output.length, call.target.length)).toBeLessThanOrEqual(
      OUTPUT_CHARACTERS,
    );
    expect(call.output).not.toContain('nobody reads');
    expect(world.isUntouched()).toBe(true);
    expect(readdirSync(world.beside)).toEqual(['canary.txt', 'workspace']);
  });
});
