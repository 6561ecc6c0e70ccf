/** The scenarios of C2: what the committed ones need, and one of them in a larger world. */
import { nativeSha256 } from '@assay/host';
import { begin, replayable, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { ecology } from '../../src/index.js';
import { World } from '../../tools/world.js';
import { readRecords } from '../../../kernel/tools/goldens.ts';

const options = { sha256: nativeSha256 };

describe('scenarios', () => {
  it('a world with contracts is nobody’s without its engine', () => {
    const [genesis] = readRecords('ecology-21-mandate');
    if (genesis === undefined) throw new Error('an empty ledger');
    const begun = begin([replayable(ecology, options)], genesis, options);
    expect(begun._tag === 'Left' && begun.left.code).toBe('unknown_machine');
  });

  it('ecology-20-sybil with a thousand accounts: the income is the same, and none of them has a share', () => {
    const [few, many] = [0, 1_000].map(withAccounts);
    expect(many?.scrip('cid')).toBe(few?.scrip('cid'));
    expect(many?.scrip('cid')).toBe(100_600);
    expect((many?.state.things.size ?? 0) - (few?.state.things.size ?? 0)).toBe(1_000);
    expect([0, 499, 999].map((at) => many?.scrip(`s${at}`))).toEqual([0, 0, 0]);
    expect(many?.scrip('ann')).toBe(few?.scrip('ann'));
  });
});

/** An auction of two bids and one thought, in a world where two agents made so many accounts first. */
function withAccounts(count: number): World {
  const world = new World(null, { agents: { initial: ['ann', 'bob', 'cid'], asked: ['cid'] } });
  const made = Array.from({ length: count }, (_, at): readonly [string, Json] => [
    at % 2 === 0 ? 'ann' : 'bob',
    call('store', 'create', { id: `s${at}`, content: 0, has_standing: true }),
  ]);
  world.turn(
    ...made,
    ['ann', call('store', 'create', { id: 'one', content: 1 })],
    ['ann', call('mint', 'bid', { artifact_id: 'one', amount: 900 })],
    ['bob', call('store', 'create', { id: 'two', content: 2 })],
    ['bob', call('mint', 'bid', { artifact_id: 'two', amount: 600 })],
  );
  world.answer('act cid', { actions: [{ op: 'noop' }] }, { spent: { input_tokens: 10, output_tokens: 1 } });
  world.wait(3_600_000_000);
  world.answer('score 0 one', { score: 0 });
  return world;
}

function call(service: string, method: string, args: Json): Json {
  return { op: 'invoke', id: `genesis_${service}_api`, method, args };
}
