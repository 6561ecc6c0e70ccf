import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { admit, isOk } from '@assay/kernel';
import { OUTPUT_CHARACTERS } from '../src/tool-call.js';
import { ESCAPES } from './tools/escapes.ts';
import { makeWorld, type World } from './tools/world.ts';

describe.each(['descriptor', 'path'] as const)('effector/no-way-out: names reached by %s', (reach) => {
  let world: World;
  beforeEach(async () => {
    world = await makeWorld({ wallMs: 5_000 }, {}, reach);
  });
  afterEach(() => world.remove());

  it.each(ESCAPES)('%s', async (_, tool, input, code, plant) => {
    plant?.(world);
    const beside = readdirSync(world.beside);
    const call = await world.call(
      tool,
      typeof input === 'function' && input.length === 1 ? input(world) : input,
      { confirmed: true },
    );
    expect({ code: call.code, status: call.status }).toEqual({ code, status: statusOf(code) });
    expect(world.isUntouched()).toBe(true);
    expect(readdirSync(world.beside)).toEqual(beside);
    expect(call.output).not.toContain('nobody reads');
    expect(isOk(admit(call))).toBe(true);
    expect(Math.max(call.input.length, call.output.length)).toBeLessThanOrEqual(OUTPUT_CHARACTERS);
  });
});

function statusOf(code: string | null): string {
  if (code === null) return 'ok';
  return code === 'not_found' ? 'error' : 'denied';
}
