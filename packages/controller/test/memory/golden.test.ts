import { describe, expect, it } from 'vitest';
import { field, isObject } from '@assay/kernel';
import type { MemoryEvent } from '../../src/memory/index.js';
import { listGoldens, readRecords } from '../../../kernel/tools/goldens.ts';

const names = listGoldens('memory');

function eventsOf(name: string): readonly MemoryEvent[] {
  return readRecords(name).flatMap(({ kind, payload }) =>
    kind === 'decision' ? (payload as { readonly events: readonly MemoryEvent[] }).events : [],
  );
}

function replyOf(name: string): Extract<MemoryEvent, { readonly t: 'recalled' }>['reply'] {
  const recalled = eventsOf(name).flatMap((event) => (event.t === 'recalled' ? [event.reply] : []));
  const last = recalled.at(-1);
  if (last === undefined) throw new Error(`${name} holds no recall`);
  return last;
}

describe('golden fixtures of the memory machine', () => {
  it('E4 c8: the path of five refine is told with caution', () => {
    expect(
      replyOf('memory-refine-one-path').tags.find(({ entity }) => entity.startsWith('path:')),
    ).toMatchObject({ attention_nano: 500_000_000, decision_nano: 0, action: 'caution' });
  });

  it('E4 c9: the negative rule is told after two dreams, though all it came from is forgotten', () => {
    const reply = replyOf('memory-negative-rule-kept');
    expect(reply.rules).toMatchObject([
      { content: 'Do not tidy the archive while it is locked.', sigma_ppm: -1_000_000 },
    ]);
    expect(reply.tags).toMatchObject([
      { action: 'avoid', attention_nano: 1_000_000_000, decision_nano: -1_000_000_000 },
    ]);
    expect(eventsOf('memory-negative-rule-kept').map(({ t }) => t)).toContain('faded');
  });

  it('every event and every rejection of the machine has a golden run', () => {
    const all = names.flatMap(eventsOf).map(({ t }) => t);
    expect([...new Set(all)].sort()).toEqual([
      'cited',
      'demoted',
      'distilling',
      'dreamt',
      'ended',
      'faded',
      'forgotten',
      'invited',
      'opened',
      'promoted',
      'recalled',
      'remembered',
      'undistilled',
      'wrote',
    ]);
    const codes = names
      .flatMap(readRecords)
      .flatMap(({ kind, payload }) =>
        kind === 'rejection' && isObject(payload) ? [field(payload, 'code')] : [],
      );
    expect([...new Set(codes)].sort()).toEqual([
      'already_written',
      'bad_tag',
      'clock_backwards',
      'not_the_writer',
      'uncited',
      'unknown_target',
    ]);
  });
});
