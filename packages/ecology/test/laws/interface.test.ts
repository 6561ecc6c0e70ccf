/** What a stranger makes who reads nothing but the published interfaces. */
import { isArray, isObject, type Json } from '@assay/kernel';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.ts';
import { SERVICES } from '../../src/services/services.js';
import { drawFrom } from '../../tools/from-schema.js';
import { World, type Act } from '../../tools/world.js';

type Tool = { readonly name: string; readonly description: string; readonly inputSchema: Json };

/** The tools of a service, as an agent reads them. */
function readTools(world: World, id: string): readonly Tool[] {
  const read = world.invoke('n0', 'genesis_store_api', 'get_interface', { artifact_id: id });
  if (!isObject(read) || !isArray(read['tools'])) throw new Error(`${id} has no interface`);
  return read['tools'] as unknown as readonly Tool[];
}

it('ecology/interface-suffices', () => {
  const count = draws(1_000);
  const initial = Array.from({ length: count }, (_, at) => `n${at}`);
  const newWorld = (): World => new World(null, { agents: { initial, mind: 'scripted' } });
  const reader = newWorld();
  for (const id of SERVICES.keys())
    for (const { name, description, inputSchema } of readTools(reader, id)) {
      expect(description.length).toBeGreaterThan(9);
      const world = newWorld();
      const drawn = fc.sample(drawFrom(inputSchema), { seed: LAW_SEED, numRuns: count });
      world.turn(...drawn.map((args, at): Act => [`n${at}`, { op: 'invoke', id, method: name, args }]));
      const ended = [...world.responses];
      for (const agent of initial.filter((one) => world.state.waiting.has(one))) {
        world.answer(`effect ${agent}`, { result: 'said' });
        ended.push(...world.responses);
      }
      expect(ended).toHaveLength(count);
      // A shape is refused with the place; what is refused without one is a condition on values.
      for (const { action, response } of ended)
        if (!response.success && response.error_code === 'INVALID_ARGS')
          expect([action, response.details?.['at']]).toEqual([action, undefined]);
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
