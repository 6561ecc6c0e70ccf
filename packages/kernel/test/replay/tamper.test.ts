import { describe, expect, it } from 'vitest';
import { replayable, replayWith, type EvidenceRecord, type Failed, type Json } from '@assay/kernel';
import { chain, reforge, type Draft } from '../../tools/ledger-builder.js';
import { tally } from '@assay/testing';
import { native } from '../machine/native.js';
import { copies, smallPoll } from './poll.js';
import type { FollowOptions } from '../../src/replay/follower.js';

const { records } = smallPoll();
const known = [replayable(tally, { sha256: native })];

function leftOf(ledger: readonly EvidenceRecord[], options?: FollowOptions): Failed | null {
  const replayed = replayWith(known, ledger, options);
  return replayed._tag === 'Left' ? replayed.left : null;
}

/** Another value of the same JSON type, or of another one. */
function changed(value: Json): Json {
  if (value === null) return 0;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string')
    return /^[0-9a-f]{64}$/.test(value)
      ? `${value.startsWith('0') ? '1' : '0'}${value.slice(1)}`
      : `${value}x`;
  return Array.isArray(value) ? [...value, 0] : { ...value, more: 0 };
}

/** Every place in a value, deepest last, each with the value changed there. */
function* variants(value: Json, path: string): Generator<readonly [string, Json]> {
  yield [path, changed(value)];
  if (Array.isArray(value)) {
    if (value.length > 0) yield [`${path} cut`, value.slice(0, -1)];
    for (const [index, item] of value.entries())
      for (const [at, other] of variants(item as Json, `${path}/${index}`))
        yield [at, value.with(index, other) as Json];
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield [
        `${path}/${key} removed`,
        Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as Json,
      ];
      for (const [at, other] of variants(item as Json, `${path}/${key}`))
        yield [at, { ...value, [key]: other } as Json];
    }
  }
}

describe('tampered records make replay fail', () => {
  it('each field of each record, down to the last scalar, changed or removed', () => {
    let tried = 0;
    for (const [index, record] of copies(records).entries()) {
      for (const [path, forged] of variants(record as unknown as Json, '')) {
        if (path === '' || path === '/payload removed') continue;
        const ledger = [
          ...copies(records).slice(0, index),
          forged as unknown as EvidenceRecord,
          ...records.slice(index + 1),
        ];
        expect(replayWith(known, ledger)._tag, `record ${index}${path}`).toBe('Left');
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(500);
  });

  it('an extra key beside the seven, and a version that is not 1', () => {
    for (const [index, record] of records.entries()) {
      for (const [more, code] of [
        [{ extra: 1 }, 'shape'],
        [{ v: 2 }, 'version'],
        [{ v: '1' }, 'shape'],
      ] as const) {
        const ledger = [
          ...records.slice(0, index),
          { ...record, ...more } as unknown as EvidenceRecord,
          ...records.slice(index + 1),
        ];
        expect(leftOf(ledger), `record ${index}`).toMatchObject({ check: 'integrity', code, record: index });
      }
    }
  });

  it('a derived payload changed and every hash made anew differs at that record and field', () => {
    for (const [index, { kind, payload }] of copies(records).entries()) {
      if (kind === 'genesis' || kind === 'proposal') continue;
      for (const [path, forged] of variants(payload as Json, '')) {
        const left = leftOf(reforge(records, (_, at) => (at === index ? forged : undefined)));
        expect(left, `record ${index}${path}`).toMatchObject({
          check: 'rederivation',
          code: 'differs',
          record: index,
        });
        const [place = ''] = path.split(' ');
        expect(
          left?.field?.startsWith(`/payload${place}`),
          `record ${index}${path} is found at ${left?.field ?? ''}`,
        ).toBe(true);
      }
    }
  });

  const drafts = (): Draft[] =>
    copies(records).map(({ ts, kind, payload }) => ({ ts, kind, payload: payload as Json }));
  const retimed = (list: readonly Draft[]): Draft[] =>
    list.map((draft, index) => ({ ...draft, ts: `t#${String(index).padStart(12, '0')}` }));

  it('a record dropped, doubled or swapped with the next, re-timed and re-chained', () => {
    for (let index = 1; index < records.length; index += 1) {
      const all = drafts();
      const edits = {
        dropped: all.toSpliced(index, 1),
        doubled: all.toSpliced(index, 0, all[index] as Draft),
        swapped:
          index + 1 < all.length
            ? all.toSpliced(index, 2, all[index + 1] as Draft, all[index] as Draft)
            : null,
      };
      for (const [edit, list] of Object.entries(edits)) {
        if (list === null) continue;
        const replayed = replayWith(known, chain(retimed(list)));
        // The last record dropped is a cut, which a file alone cannot show: its close is due.
        if (edit === 'dropped' && index === records.length - 1)
          expect(replayed).toMatchObject({ right: { due: [{ kind: 'close' }] } });
        else expect(replayed._tag, `record ${index} ${edit}`).toBe('Left');
      }
    }
  });

  it('every prefix replays: open, with the rest of its last group due', () => {
    for (let cut = 1; cut <= records.length; cut += 1) {
      const replayed = replayWith(known, records.slice(0, cut));
      if (replayed._tag === 'Left') throw new Error(`${cut}: ${replayed.left.code}`);
      const { due } = replayed.right;
      expect(due).toEqual(records.slice(cut, cut + due.length));
      expect(records[cut + due.length]?.kind ?? 'proposal').toBe('proposal');
    }
  });

  it('checked: links are taken as established, what is derived is still compared', () => {
    const at = records.findIndex(({ kind }) => kind === 'rejection');
    expect(replayWith(known, records, { checked: true })._tag).toBe('Right');
    const forged = reforge(records, (payload, index) =>
      index === at ? { ...payload, code: 'unclear' } : undefined,
    );
    expect(leftOf(forged, { checked: true })).toMatchObject({
      code: 'differs',
      record: at,
      field: '/payload/code',
      expected: 'unknown_option',
      got: 'unclear',
    });
  });
});
