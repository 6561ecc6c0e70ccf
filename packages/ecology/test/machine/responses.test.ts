/** What agents are given: results of reads too, within a turn and after waiting; goods that an offer holds. */
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.ts';
import { decode, encode, isLive } from '../../src/world/state.js';
import { listOwned } from '../../src/world/owned.js';
import { freshEngine } from '../../tools/engine.js';
import { player, scripts } from '../../tools/script.js';
import { tools, World } from '../../tools/world.js';

const engine = freshEngine();
const play = player(engine);
const READ = { op: 'read', id: 'note' };
const write = (content: string) => ({ op: 'write', id: 'note', content });
const create = (args: object) => ({ op: 'invoke', id: 'genesis_store_api', method: 'create', args }) as never;

function world(config: object = {}): World {
  const note = { id: 'note', content: 'one', owner: 'ann' };
  return new World(engine, { agents: { initial: ['ann', 'bob'], ...config } }, [note]);
}

/** Results of reads, and the version that they say. */
function reads({ responses }: World): readonly unknown[] {
  return responses.map(({ response }) => (response.success ? response.result : response.error_code));
}

describe('responses', () => {
  it('a read is given what stood there, whatever the same turn writes later', () => {
    const made = world();
    made.turn(['bob', READ], ['ann', write('two')], ['bob', READ], ['bob', write('no')], ['bob', READ]);
    expect(reads(made)).toEqual([
      { id: 'note', version: 1, content: 'one' },
      { id: 'note', version: 2, content_hash: expect.any(String) as string },
      { id: 'note', version: 2, content: 'two' },
      'ACCESS_DENIED',
      { id: 'note', version: 2, content: 'two' },
    ]);
    expect(made.responses.map(({ agent }) => agent)).toEqual(['bob', 'ann', 'bob', 'bob', 'bob']);
    expect(made.responses[3]).toMatchObject({ action: write('no'), response: { price_paid: 0 } });
  });

  it('what waits is given its response with the answer of its effect, and the rest of its list then', () => {
    const made = world({ asked: ['ann'] });
    const ask = {
      op: 'invoke',
      id: 'genesis_llm',
      method: 'complete',
      args: { prompt: 'hi', max_tokens: 5 },
    };
    made.offer('act ann', { actions: [READ, ask, write('two'), READ] });
    expect(reads(made)).toEqual([{ id: 'note', version: 1, content: 'one' }]);
    made.offer('effect ann', { result: 'said' });
    expect(reads(made)).toEqual(['said', expect.anything(), { id: 'note', version: 2, content: 'two' }]);
    expect(made.responses.map(({ action }) => action)).toEqual([ask, write('two'), READ]);
  });

  it('ecology/index-by-owner', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        for (const { after } of play(script).decisions) {
          const owners = [...after.things].flatMap(([, thing]) => (isLive(thing) ? [thing.owner] : []));
          for (const owner of [...owners, 'nobody']) {
            const scanned = after.things
              .sorted()
              .filter(([, thing]) => isLive(thing) && thing.owner === owner);
            expect(listOwned(after, owner)).toEqual(scanned.map(([id]) => id));
          }
          const read = decode(encode(after));
          expect(read._tag === 'Right' && read.right.owned).toEqual(after.owned);
        }
      }),
      { seed: LAW_SEED, numRuns: draws(100) },
    );
  });
});

describe('what an offer holds', () => {
  const offer = (give: readonly string[]) => ({
    op: 'invoke',
    id: 'genesis_escrow_api',
    method: 'offer',
    args: { give: { goods: give }, want: { amounts: [['scrip', 1]] }, exit: { t: 'on_demand' } },
  });

  it('is read and invoked by its contract, which sees the maker as owner', () => {
    const made = world();
    const code = { code: 'function run(m, a, c) { return c.owner; }' };
    const tool = { id: 'tool', content: code, interface: tools('who'), can_execute: true };
    made.turn(['ann', create({ ...tool, access_contract_id: 'owner_contract' })]);
    made.turn(['ann', create({ id: 'own', content: 1, access_contract_id: 'owner_contract' })]);
    made.act('ann', offer(['note', 'own', 'tool']));
    expect(made.act('ann', { op: 'read', id: 'own' })).toBe('ok');
    expect(made.act('bob', { op: 'read', id: 'own' })).toBe('ACCESS_DENIED');
    expect(made.invoke('ann', 'tool', 'who')).toBe('ann');
    expect(made.act('bob', READ)).toBe('ok');
  });

  it('is neither written, deleted, bid on, given away nor a purse of its maker', () => {
    const made = world();
    made.turn(['ann', create({ id: 'purse', content: null, has_standing: true })]);
    made.invoke('ann', 'genesis_ledger_api', 'transfer', { to: 'purse', amount: 9 });
    made.act('ann', offer(['note', 'purse']));
    const on = (method: string, args: object, api = 'store') =>
      made.invoke('ann', `genesis_${api}_api`, method, args as never);
    expect([
      made.act('ann', write('two')),
      on('delete', { artifact_id: 'note' }),
      on('transfer_ownership', { artifact_id: 'note', to: 'bob' }),
      on('bid', { artifact_id: 'note', amount: 1 }, 'mint'),
      on('transfer', { from: 'purse', to: 'ann', amount: 9 }, 'ledger'),
      made.act('ann', offer(['note'])),
    ]).toEqual(Array<string>(6).fill('CONFLICT'));
    expect(made.act('bob', write('no'))).toBe('ACCESS_DENIED');
    const [id = ''] = made.state.offers.sorted().map(([open]) => open);
    expect(listOwned(made.state, `offer:${id}`)).toEqual(['note', 'purse']);
  });
});
