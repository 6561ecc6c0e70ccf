import { describe, expect, it } from 'vitest';
import { hashCanonical, orThrow, type Json, type Request } from '@assay/kernel';
import {
  askHash,
  describeMiss,
  lookUp,
  parseRecording,
  portsBySlot,
  recordedPorts,
  rulesPort,
} from '../../src/index.ts';
import { RECORDING_FORMAT } from '../../src/recorded/recording.ts';

/** SHA-256 of `[]`. */
const HASH = '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945';
const ask = { kind: 'interpretations', body: { slot: 'recorded', seed_text: 'one', n: 2 } };
const provenance = { provider: 'acme', model: 'm-1', date: '2026-03-01', raw_response_hash: HASH };
const proposal = { source: 'live_model', proposer: 'acme/m-1', confidence: 0.5, value: [], provenance };
const entry = { ask_hash: askHash(ask), ask, proposal };

function fileOf(...entries: readonly unknown[]): Json {
  return { format: RECORDING_FORMAT, entries } as unknown as Json;
}

/** A recording whose one answer is otherwise. */
function given(more: object): Json {
  return fileOf({ ...entry, proposal: { ...proposal, ...more } });
}

function withProvenance(more: object, others: object = {}): Json {
  return given({ ...others, provenance: { ...provenance, ...more } });
}

describe('parseRecording', () => {
  it('turns a live model into a recorded one and leaves other sources alone', () => {
    const read = orThrow(parseRecording(fileOf(entry)));
    expect(read.entries[0]?.answer.source).toBe('recorded_model');
    const human = orThrow(parseRecording(given({ source: 'human', provenance: {} })));
    // What a person said once is no answer of a person who was asked.
    expect(human.entries[0]?.answer).toMatchObject({ source: 'human', provenance: { recorded: true } });
    const fixture = { source: 'synthetic', proposer: 'fixture:by-hand', provenance: {} };
    const byHand = orThrow(parseRecording(given(fixture)));
    expect(byHand.entries[0]?.answer).toMatchObject({ source: 'synthetic', proposer: 'fixture:by-hand' });
    const recorded = orThrow(parseRecording(given({ source: 'recorded_model' })));
    expect(recorded.entries[0]?.answer.source).toBe('recorded_model');
  });

  it.each<readonly [code: string, path: string, value: Json]>([
    ['shape', '', { entries: [] }],
    ['shape', '/entries/0', fileOf({ ...entry, more: 1 })],
    ['shape', '/entries/0/proposal/proposer', given({ proposer: 'no name' })],
    ['shape', '/entries/0/proposal/spent', given({ spent: { usd: -1 } })],
    ['ask_hash', '/entries/0/ask_hash', fileOf({ ...entry, ask_hash: 'ab' })],
    ['source', '/entries/0/proposal/source', given({ source: 'clock' })],
    ['source', '/entries/0/proposal/source', given({ source: 'run' })],
    [
      'source',
      '/entries/0/proposal/source',
      withProvenance({ raw_response: '[]', raw_response_units: 2 }, { source: 'human', proposer: 'ada' }),
    ],
    ['proposer', '/entries/0/proposal/proposer', given({ source: 'synthetic' })],
    ['proposer', '/entries/0/proposal/proposer', given({ proposer: 'fixture:m-1' })],
    ['provenance', '/entries/0/proposal/provenance/model', given({ provenance: { provider: 'acme' } })],
    ['provenance', '/entries/0/proposal/provenance/date', withProvenance({ date: 'yesterday' })],
    ['provenance', '/entries/0/proposal/provenance/date', withProvenance({ date: '2026-02-30' })],
    ...[
      { raw_response_hash: '00' },
      { raw_response: '[1]' },
      { raw_response: '[1]', raw_response_units: 3 },
      { raw_response: '[]', raw_response_units: 1 },
      { raw_response: '[', raw_response_units: 2 },
      { raw_response: '', raw_response_units: 2 },
    ].map(
      (raw) =>
        ['provenance', '/entries/0/proposal/provenance/raw_response_hash', withProvenance(raw)] as const,
    ),
    [
      'provenance',
      '/entries/0/proposal/provenance/raw_response_hash',
      withProvenance({ raw_response: '[1]' }, { failure: { code: 'malformed', final: true } }),
    ],
    ['duplicate', '/entries/1/ask_hash', fileOf(entry, entry)],
  ])('%s at %s', (code, path, value) => {
    expect(parseRecording(value)).toEqual({ _tag: 'Left', left: { code, path } });
  });

  it('a raw response that fits its hash is taken, and so is the beginning of a long one', () => {
    for (const more of [
      { raw_response: '[]' },
      { raw_response: '[]', raw_response_units: 2 },
      { raw_response: ' '.repeat(262_144), raw_response_units: 262_145 },
      { raw_response: ' '.repeat(262_143), raw_response_units: 300_000 },
    ])
      expect(parseRecording(withProvenance(more))).toMatchObject({ _tag: 'Right' });
  });

  it('the hash of an ask is H({t, kind, body})', () => {
    expect(askHash(ask)).toBe(orThrow(hashCanonical({ t: 'ask', ...ask })));
  });
});

describe('lookUp', () => {
  const recording = orThrow(
    parseRecording(
      fileOf(entry, {
        ask_hash: askHash({ kind: 'ballot', body: 1 }),
        ask: { kind: 'ballot', body: 1 },
        proposal,
      }),
    ),
  );

  it('finds the answer to what was asked', () => {
    expect(
      lookUp(recording, { kind: 'interpretations', body: { n: 2, seed_text: 'one', slot: 'recorded' } }),
    ).toMatchObject({ _tag: 'Right', right: { proposer: 'acme/m-1' } });
  });

  it('a miss shows the nearest entry and the first field that differs', () => {
    const missed = lookUp(recording, {
      kind: 'interpretations',
      body: { slot: 'recorded', seed_text: 'two', n: 2 },
    });
    expect(missed).toMatchObject({
      _tag: 'Left',
      left: {
        code: 'recording_miss',
        nearest: { ask_hash: entry.ask_hash, path: '/body/seed_text', asked: '"two"', recorded: '"one"' },
      },
    });
    if (missed._tag === 'Left')
      expect(describeMiss(missed.left)).toContain(
        'first difference at /body/seed_text: asked "two", recorded "one"',
      );
  });

  it('what differs is named before the hash of it, and long values are shown where they part', () => {
    const long = {
      kind: 'interpretations',
      body: { seed_hash: 'aa', seed_text: `${'word '.repeat(60)}one`, slot: 'x' },
    };
    const file = orThrow(parseRecording(fileOf({ ask_hash: askHash(long), ask: long, proposal })));
    const missed = lookUp(file, {
      ...long,
      body: { ...long.body, seed_hash: 'bb', seed_text: `${'word '.repeat(60)}two` },
    });
    expect(missed).toMatchObject({
      left: {
        nearest: {
          path: '/body/seed_text',
          asked: expect.stringMatching(/^….*two"$/) as string,
          recorded: expect.stringMatching(/^….*one"$/) as string,
        },
      },
    });
    const other = lookUp(file, { ...long, body: { ...long.body, seed_hash: 'bb' } });
    expect(other).toMatchObject({
      left: { nearest: { path: '/body/seed_hash', asked: '"bb"', recorded: '"aa"' } },
    });
  });

  it('a value longer than is shown is cut on both sides, never inside a character', () => {
    const body = { seed_text: `${'😀'.repeat(30)}a${'b'.repeat(300)}` };
    const file = orThrow(
      parseRecording(fileOf({ ask_hash: askHash({ kind: 'k', body }), ask: { kind: 'k', body }, proposal })),
    );
    const missed = lookUp(file, { kind: 'k', body: { seed_text: `${'😀'.repeat(30)}c` } });
    const nearest = missed._tag === 'Left' ? missed.left.nearest : null;
    expect(nearest?.recorded).toHaveLength(120);
    expect(nearest?.recorded.isWellFormed()).toBe(true);
    expect(nearest?.asked.endsWith('c"')).toBe(true);
  });

  it('a miss in an empty recording says so', () => {
    const missed = lookUp({ entries: [] }, ask);
    expect(missed._tag === 'Left' ? describeMiss(missed.left) : '').toContain('The recording is empty.');
  });
});

describe('ports', () => {
  const recording = orThrow(parseRecording(fileOf(entry)));
  const request: Request = { id: '1.0', ...ask, accepts: ['rule'], attempts: 2 };
  const call = { key: 'k', signal: new AbortController().signal };

  it('a recorded answer speaks with its own source and name', async () => {
    const port = recordedPorts(recording)(request);
    expect([port?.source, port?.proposer]).toEqual(['recorded_model', 'acme/m-1']);
    expect(await port?.perform(request, call)).toEqual({ confidence: 0.5, value: [], provenance });
  });

  it('a miss is a final failure that holds the difference', async () => {
    const other = { ...request, body: { ...ask.body, n: 3 } };
    const answer = await recordedPorts(recording)(other)?.perform(other, call);
    expect(answer).toMatchObject({
      failure: {
        code: 'unavailable',
        final: true,
        detail: { code: 'recording_miss', nearest: { path: '/body/n' } },
      },
    });
  });

  it('a slot is answered by its own ports, and an unknown one by nobody', () => {
    const ports = portsBySlot(
      new Map([
        ['recorded', recordedPorts(recording)],
        ['rules', () => rulesPort],
      ]),
    );
    expect(ports(request)?.proposer).toBe('acme/m-1');
    expect(ports({ ...request, body: { slot: 'other' } })).toBeNull();
    expect(ports({ ...request, body: null })).toBeNull();
  });
});
