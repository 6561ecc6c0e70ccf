import { describe, expect, it } from 'vitest';
import { decode, encode, EMPTY, evolve } from '../../src/machines/tally-state.js';

const state = evolve(evolve(EMPTY, { t: 'asked', voter: 0, id: '1.0' }), { t: 'invited', id: '1.1' });
const written = encode(state) as { readonly [key: string]: never };

describe('a state that somebody else wrote', () => {
  it('is read back as it was', () => expect(decode(written)).toEqual({ _tag: 'Right', right: state }));

  it.each<readonly [string, object]>([
    ['invites by the id of a ballot', { invitation: '1.0' }],
    ['has counted further than one can go on counting', { abstained: 9_007_199_254_740_991 }],
    ['has votes without end', { votes: [['a', 9_007_199_254_740_991]] }],
    ['lacks a key', { votes: undefined }],
  ])('is refused where it %s', (_, change) => {
    const given = Object.fromEntries(
      Object.entries({ ...written, ...change }).filter(([, value]) => value !== undefined),
    );
    expect(decode(given)).toMatchObject({ left: { code: 'bad_state' } });
  });
});
