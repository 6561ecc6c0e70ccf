/** A recording made from the records of a run. */
import { describe, expect, it } from 'vitest';
import { advance, openRun, orThrow, type EvidenceRecord, type Json, type Proposal } from '@assay/kernel';
import { defaultPolicy, intent } from '@assay/kernel/intent';
import { lookUp, parseRecording, makeRecording } from '@assay/proposers';

const provenance = {
  provider: 'synthetic',
  model: 'none',
  date: '2026-11-22',
  raw_response_hash: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
  raw_response: '[]',
};
const live = { source: 'live_model', proposer: 'llm:synthetic/none', provenance } as const;
const MALFORMED = { code: 'malformed', final: false, detail: { code: 'json', path: '', text: '' } } as const;

/** Records of a run of some slots, each given its answers in turn; slots that are not named stay open. */
function recordsOf(
  slots: readonly string[],
  answers: readonly (readonly [slot: string, given: Partial<Proposal>])[],
): readonly EvidenceRecord[] {
  const step = orThrow(
    openRun(intent, {
      run_id: 'r',
      ts_base: 't',
      policy: { ...defaultPolicy, proposers: slots } as unknown as Json,
      input: { seed_text: 'Keep logs for 90 days.', pin: null },
    }),
  );
  const records = [...step.records];
  let { run } = step;
  for (const [slot, given] of answers) {
    const request_id = `1.${slots.indexOf(slot)}`;
    const next = orThrow(
      advance(run, {
        request_id,
        source: 'rule',
        proposer: 'rules',
        confidence: null,
        value: null,
        failure: null,
        at_us: 1,
        spent: { input_tokens: 4 },
        cites: [],
        provenance: {},
        ...given,
      }),
    );
    records.push(...next.records);
    ({ run } = next);
  }
  return records;
}

const all = (): boolean => true;
const models = ({ source }: { readonly source?: Json }): boolean => source === 'live_model';

describe('recordingOf', () => {
  it('keeps the answer that was accepted, under its own source, with its provenance', () => {
    const made = orThrow(
      makeRecording(
        recordsOf(
          ['llm', 'rules'],
          [
            ['rules', { value: [] }],
            ['llm', { ...live, failure: MALFORMED }],
            ['llm', { ...live, value: [] }],
          ],
        ),
        models,
      ),
    );
    expect(made.slots).toEqual(['llm']);
    expect(made.document['entries']).toMatchObject([
      {
        ask: { kind: 'interpretations', body: { slot: 'llm' } },
        proposal: { ...live, value: [], failure: null },
      },
    ]);
    const [entry] = orThrow(parseRecording(made.document)).entries;
    expect(entry?.answer).toMatchObject({ source: 'recorded_model', provenance });
  });

  it('in the order of the requests, whatever the order of arrival', () => {
    const orders = [
      ['a', 'b'],
      ['b', 'a'],
    ].map((order) =>
      makeRecording(
        recordsOf(
          ['a', 'b'],
          order.map((slot) => [slot, { value: [] }] as const),
        ),
        all,
      ),
    );
    expect(orders[0]).toEqual(orders[1]);
    expect(orThrow(orders[0] as (typeof orders)[0] & {}).slots).toEqual(['a', 'b']);
  });

  it('keeps a failure that ended its request, as a final one', () => {
    const made = orThrow(
      makeRecording(
        recordsOf(
          ['llm'],
          [
            ['llm', { ...live, failure: MALFORMED }],
            ['llm', { ...live, failure: MALFORMED }],
          ],
        ),
        all,
      ),
    );
    expect(made.document['entries']).toMatchObject([
      { proposal: { failure: { ...MALFORMED, final: true } } },
    ]);
    const [entry] = orThrow(parseRecording(made.document)).entries;
    expect(
      lookUp(
        { entries: [entry as NonNullable<typeof entry>] },
        entry?.ask as NonNullable<typeof entry>['ask'],
      ),
    ).toMatchObject({ _tag: 'Right', right: { failure: { final: true } } });
  });

  it('leaves out what is open, and what is not kept', () => {
    expect(orThrow(makeRecording(recordsOf(['a', 'b'], [['b', { value: [] }]]), all)).slots).toEqual(['b']);
    expect(makeRecording(recordsOf(['a'], [['a', { value: [] }]]), models)).toEqual({
      _tag: 'Left',
      left: { code: 'none' },
    });
    expect(makeRecording([], all)).toEqual({ _tag: 'Left', left: { code: 'none' } });
  });

  it('is no recording where an answer cannot be given again', () => {
    expect(makeRecording(recordsOf(['a'], [['a', { ...live, provenance: {}, value: [] }]]), all)).toEqual({
      _tag: 'Left',
      left: { code: 'provenance', path: '/entries/0/proposal/provenance/provider' },
    });
  });
});
