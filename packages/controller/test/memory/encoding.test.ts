import fc from 'fast-check';
import { openRequests, openRun, orThrow, type Json } from '@assay/kernel';
import { admittedJson, entropy, hostileVariant } from '@assay/testing';
import { describe, expect, it } from 'vitest';
import { memory, toolTag, type MemoryEvent } from '../../src/memory/index.js';
import { intentTag } from '../../src/memory/tag.js';
import { memoryAnswer, memoryArbitraries, native } from './arbitraries.js';
import { Play } from './play.js';
import { draws } from '../../../kernel/tools/laws.ts';

const SEED = 20_261_122;
const KINDS = [
  'write',
  'write',
  'write',
  'write',
  'dream',
  'dream',
  'distil',
  'distil',
  'feedback',
  'recall',
  'forget',
];

/** A memory after random answers, and the events on the way. */
function played(
  draw: ReturnType<typeof drawnFrom>,
  steps: number,
): { readonly play: Play; readonly events: readonly MemoryEvent[] } {
  const play = new Play(draw(memoryArbitraries().genesis.map(({ policy }) => policy)) as object);
  const events: MemoryEvent[] = [];
  for (let step = 0; step < steps; step += 1) {
    const kind = draw(fc.constantFrom(...KINDS));
    const request = openRequests(play.run).find((open) => open.kind === kind);
    if (request === undefined) continue;
    const source = kind === 'forget' ? 'human' : kind === 'distil' ? 'rule' : 'synthetic';
    if (kind === 'distil' && draw(fc.nat(4)) === 0) events.push(...play.fail('distil').events);
    else events.push(...play.bring(kind, draw(memoryAnswer(request, play.state)), source).events);
  }
  return { play, events };
}

function drawnFrom<T extends <V>(arbitrary: fc.Arbitrary<V>) => V>(draw: T): T {
  return draw;
}

describe('the state as JSON', () => {
  it('reads back as what was written, whatever happened', () => {
    const reached = new Map<string, number>();
    fc.assert(
      fc.property(entropy(), (draw) => {
        const { events, play } = played(drawnFrom(draw), 30);
        for (const { t } of events) reached.set(t, (reached.get(t) ?? 0) + 1);
        const written = memory.encode(play.state);
        const read = memory.decode(written);
        expect(read._tag).toBe('Right');
        expect(memory.encode(orThrow(read))).toEqual(written);
      }),
      { numRuns: draws(1_000), seed: SEED },
    );
    // The random answers of the laws come to everything that can happen.
    for (const t of [
      'invited',
      'wrote',
      'remembered',
      'recalled',
      'dreamt',
      'faded',
      'demoted',
      'distilling',
      'undistilled',
      'promoted',
      'forgotten',
    ])
      expect(reached.get(t) ?? 0, t).toBeGreaterThan(0);
  });

  it('is refused or read back as itself when anything in it is changed', () => {
    fc.assert(
      fc.property(entropy(), (draw) => {
        const written = memory.encode(played(drawnFrom(draw), 12).play.state);
        const changed = draw(hostileVariant(written));
        const read = memory.decode(changed);
        if (read._tag === 'Right') expect(memory.encode(read.right)).toEqual(changed);
        else expect(read.left.code).toBe('bad_state');
      }),
      { numRuns: draws(500), seed: SEED },
    );
    fc.assert(
      fc.property(admittedJson(), (json) => memory.decode(json)._tag === 'Left'),
      { numRuns: draws(300), seed: SEED },
    );
  });

  it('is refused where no run could have come to it', () => {
    const play = new Play();
    play.times(8, 5, toolTag('shell'), 'change_approach');
    play.times(1, 5, intentTag('x'), 'success');
    play.dream(5);
    type Changed = {
      tags: { entity: string; raw: { [key: string]: Json }[]; rules: Json[] }[];
      [key: string]: unknown;
    };
    const pathOf = (change: (state: Changed) => unknown): Json => {
      const state = JSON.parse(JSON.stringify(memory.encode(play.state))) as Changed;
      change(state);
      const read = memory.decode(state as unknown as Json);
      return read._tag === 'Left' ? (read.left.detail as { readonly path: string }).path : null;
    };
    expect(pathOf(() => 0)).toBeNull();
    expect(pathOf((state) => state.tags.reverse())).toBe('/tags');
    expect(pathOf((state) => state.tags[1]?.raw.splice(0))).toBe('/tags');
    expect(pathOf((state) => (state['clock_us'] = 4))).toBe('/tags');
    expect(pathOf((state) => state.tags[0]?.raw.push({ ...state.tags[0]?.raw[0], level: 'C' }))).toBe(
      '/tags',
    );
    expect(pathOf((state) => state.tags[0]?.rules.push(state.tags[0]?.raw[0] ?? null))).toBe('/tags');
    expect(pathOf((state) => state.tags.pop())).toBe('/distilling');
    expect(pathOf((state) => Object.assign(state.tags[0]?.raw[0] ?? {}, { f_ppm: 1_000_001 }))).toBe(
      '/tags/0/raw/0/f_ppm',
    );
    expect(pathOf((state) => Object.assign(state.tags[0]?.raw[0] ?? {}, { k_ppm_per_day: 1 }))).toBe(
      '/tags/0/raw/0/k_ppm_per_day',
    );
    expect(pathOf((state) => (state['policy'] = {}))).toBe('/policy');
    expect(
      pathOf(
        (state) =>
          (state['invitations'] = [
            ['write', '1.0'],
            ['dream', '1.1'],
          ]),
      ),
    ).toBe('/invitations');
  });
});

describe('a continuation', () => {
  it('goes on with what is remembered and open, and with nothing else', () => {
    const play = new Play();
    play.times(8, 5, toolTag('shell'), 'change_approach');
    play.dream(5);
    const next = orThrow(openRun(memory, play.continuation(), { sha256: native }));
    expect(memory.encode(next.run.state)).toEqual(memory.encode(play.state));
    expect(openRequests(next.run).map(({ id, kind }) => [id, kind])).toEqual(
      openRequests(play.run).map(({ id, kind }) => [id, kind]),
    );
  });
});
