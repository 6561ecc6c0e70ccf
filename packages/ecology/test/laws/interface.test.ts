/** What a stranger makes who reads nothing but the published interfaces. */
import { isArray, isObject, type Json } from '@assay/kernel';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.ts';
import { SERVICES } from '../../src/services/services.js';
import { drawFrom } from '../../tools/from-schema.js';
import { World } from '../../tools/world.js';

type Tool = { readonly name: string; readonly description: string; readonly inputSchema: Json };

/** The tools of a service, as an agent reads them. */
function readTools(world: World, id: string): readonly Tool[] {
  const read = world.invoke('ann', 'genesis_store_api', 'get_interface', { artifact_id: id });
  if (!isObject(read) || !isArray(read['tools'])) throw new Error(`${id} has no interface`);
  return read['tools'] as unknown as readonly Tool[];
}

it('ecology/interface-suffices', () => {
  const world = new World(null, { agents: { initial: ['ann', 'bob'] } });
  for (const id of SERVICES.keys())
    for (const { name, description, inputSchema } of readTools(world, id)) {
      expect(description.length).toBeGreaterThan(9);
      for (const args of fc.sample(drawFrom(inputSchema), { seed: LAW_SEED, numRuns: draws(1_000) })) {
        world.turn(['ann', { op: 'invoke', id, method: name, args }]);
        if (world.state.waiting.has('ann')) world.answer('effect ann', { result: 'said' });
        const [response] = world.responses.map((one) => one.response);
        // A shape is refused with the place; what is refused without one is a condition on values.
        if (response?.success !== true && response?.error_code === 'INVALID_ARGS')
          expect([id, name, args, response.details?.['at']]).toEqual([id, name, args, undefined]);
      }
    }
});

it('a field of a wrong shape is named', () => {
  const world = new World(null, { agents: { initial: ['ann'] } });
  const offer = { give: { amounts: [['scrip', 1]] }, want: {}, exit: { t: 'on_demand' } };
  const at = (method: string, args: Json, service = 'escrow'): Json => {
    const id = `genesis_${service}_api`;
    world.turn(['ann', { op: 'invoke', id, method, args }]);
    const [response] = world.responses.map((one) => one.response);
    return response?.success === false ? (response.details?.['at'] ?? null) : null;
  };
  expect(at('offer', { ...offer, give: { amounts: [['gold', 1]] } })).toBe('/give');
  expect(at('offer', { ...offer, want: { amounts: [{ scrip: 1 }] } })).toBe('/want/amounts/0');
  expect(at('offer', { ...offer, exit: { t: 'deadline' } })).toBe('/exit');
  expect(at('create', { content: 1, interface: { tools: [{}] } }, 'store')).toBe('/interface/tools/0/name');
  expect(at('create', { content: 1, id: 'No Name' }, 'store')).toBe('/id');
});
