import { readdirSync, readFileSync } from 'node:fs';
import { nativeSha256 } from '@assay/host';
import { ledgerRecord, replayable, utf8Bytes, type EvidenceRecord, type Json } from '@assay/kernel';
import { verify } from '@assay/verifier';
import { encodeFile } from '@assay/verifier/attacks';
import { describe, expect, test } from 'vitest';
import { makeRun, nameRuns, readTrace, type Session } from '../src/import/index.js';
import { gate } from '../src/machine/index.js';
import { makeTranscript } from '../tools/transcripts.js';

const FOLDER = new URL('traces/', import.meta.url);
const sha256 = nativeSha256;

function readSample(file: string): ReturnType<typeof readTrace> {
  return readTrace(readFileSync(new URL(file, FOLDER)), file, { sha256 });
}

function makeRuns(sessions: readonly Session[]): readonly (readonly EvidenceRecord[])[] {
  const names = nameRuns(sessions);
  return sessions.map((session, at) => makeRun(session, names[at] ?? '', new Map(), { sha256 }).records);
}

/** Calls in words: tool, principal, and what came of them. */
function tell({ calls }: Session): readonly string[] {
  return calls.map(({ tool, principal, end }) => {
    const came =
      end === null ? 'lost' : end.by !== null ? `denied by ${end.by}` : end.isOk ? 'done' : 'failed';
    return `${principal} ${tool} ${came}`;
  });
}

function listProposals(records: readonly EvidenceRecord[]): readonly { readonly [key: string]: Json }[] {
  return records.flatMap((record) => {
    const typed = ledgerRecord(record);
    return typed?.kind === 'proposal' && typed.payload !== undefined ? [{ ...typed.payload }] : [];
  });
}

test('claude-code: calls, what came of them, and what is left out', () => {
  const { found, sessions } = readSample('claude-code.jsonl');
  expect(sessions.map(tell)).toEqual([
    [
      'main Read done',
      'main Bash failed',
      'main Bash denied by person',
      'main WebFetch denied by policy',
      'agent-a7f3 Grep done',
      'main Edit lost',
    ],
  ]);
  expect(Object.fromEntries(found.leftOut)).toEqual({
    'a line that stands twice': 1,
    'a row of type hologram': 1,
    'a line that is no JSON': 1,
  });
});

test.each<readonly [file: string, calls: readonly string[], leftOut: object]>([
  [
    'openai-agents.jsonl',
    [
      'Desk search done {"query":"refunds"}',
      'Desk send_email failed {"to":"jo@example.com"}',
      'Desk search lost -',
    ],
    { 'a row of type thread.run': 1 },
  ],
  [
    'openai-items.json',
    [
      'agent search done {"query":"refunds"}',
      'agent send_email done {"to":"jo@example.com"}',
      'agent search lost "not JSON"',
      'agent lookup failed {}',
    ],
    { 'a row of type response.created': 1 },
  ],
  [
    'langsmith.jsonl',
    [
      'tools search done {"query":"refunds"}',
      'tools send_email failed -',
      'agent search lost {"query":"more"}',
    ],
    {},
  ],
  ['otel.jsonl', ['Desk search done {"limit":3,"query":"refunds"}', 'agent send_email failed -'], {}],
  [
    'inspect.json',
    [
      'agent search done {"query":"refunds of last year"}',
      'agent send_email denied by policy {"to":"jo@example.com"}',
      'helper search lost {}',
    ],
    {},
  ],
])('%s: calls, what came of them, and what is left out', (file, calls, leftOut) => {
  const { found, sessions } = readSample(file);
  expect(found.format).toBe(file.split('.')[0]);
  const told = sessions.flatMap((session) =>
    tell(session).map((words, at) => {
      const input = session.calls[at]?.input;
      return `${words} ${JSON.stringify(input?.json) ?? '-'}`;
    }),
  );
  expect(told).toEqual(calls);
  expect(Object.fromEntries(found.leftOut)).toEqual(leftOut);
});

test.each([
  ['openai-items.json', ['recorded_model', 'synthetic', 'recorded_model', 'synthetic']],
  ['langsmith.jsonl', ['recorded_model', 'synthetic', 'synthetic']],
  ['otel.jsonl', ['synthetic', 'synthetic']],
])('%s: a word of a model is one only with provider, model, time and message', (file, sources) => {
  const [records = []] = makeRuns(readSample(file).sessions);
  const brought = listProposals(records).filter(
    ({ value }) => typeof value === 'object' && value !== null && 'call_id' in value,
  );
  expect(brought.map(({ source }) => source)).toEqual(sources);
});

describe('a run of a session', () => {
  const [records = []] = makeRuns(readSample('claude-code.jsonl').sessions);
  const proposals = listProposals(records);

  test('names what the trace knows, and what it does not', () => {
    expect(proposals[0]).toMatchObject({
      source: 'recorded_model',
      proposer: 'claude-sonnet-4',
      at_us: 1_786_363_202_250_000,
      provenance: {
        provider: 'anthropic',
        date: '2026-08-10',
        raw_response_hash: sha256(
          utf8Bytes(readFileSync(new URL('claude-code.jsonl', FOLDER), 'utf8').split('\n')[3] ?? ''),
        ),
        imported: { format: 'claude-code', file: 'claude-code.jsonl', line: 4 },
        unknown: [],
      },
    });
  });

  test('ends each call as it ended there', () => {
    const ends = proposals.filter(({ source }) => source === 'tool');
    expect(ends.map(({ proposer }) => proposer)).toEqual(ends.map(() => 'import/claude-code'));
    expect(ends.map(({ failure }) => failure)).toEqual([
      null,
      null,
      { code: 'denied', final: true, detail: { by: 'person' } },
      { code: 'denied', final: true, detail: { by: 'policy' } },
      null,
      { code: 'lost', final: true, detail: null },
    ]);
  });

  test.each(readdirSync(FOLDER))('verifies: %s', (file) => {
    for (const run of makeRuns(readSample(file).sessions)) {
      const { document } = verify(file, encodeFile(run), { machines: [replayable(gate, { sha256 })] });
      expect(document).toMatchObject({
        outcome: 'success',
        checks: { integrity: { verdict: 'held' }, rederivation: { verdict: 'held' } },
      });
    }
  });
});

test('what is long stands by its hash; what cannot be held is named', () => {
  const call = (id: string, input: string): string =>
    `{"type":"assistant","uuid":"${id}","sessionId":"s","message":{"content":[{"type":"tool_use","id":"${id}","name":"Write","input":${input}}]}}`;
  const deep = `${'['.repeat(500)}${']'.repeat(500)}`;
  const text = [
    '"x"',
    JSON.stringify({ content: 'ä'.repeat(2_000) }),
    '{"n":1e300}',
    '{"a":"\\ud83d"}',
    deep,
    '{"$blob":7}',
  ]
    .map((input, at) => call(`t${at}`, input))
    .join('\n');
  const { sessions } = readTrace(utf8Bytes(text), 'a.jsonl', { sha256 });
  const [records = []] = makeRuns(sessions);
  const brought = listProposals(records)
    .filter(({ source }) => source === 'synthetic')
    .slice(0, -1);
  expect(
    brought.map(({ value, provenance }) => ({ ...(value as object), ...(provenance as object) })),
  ).toMatchObject([
    { input: 'x', unknown: ['model_response', 'time'] },
    { input: { content: { $blob: { bytes: 4_000, media: 'text/plain' } } } },
    { input: null, unknown: ['input', 'model_response', 'time'] },
    { input: { a: '\ufffd' } },
    { input: { $blob: { media: 'application/json' } } },
    { input: { $blob: { media: 'application/json' } } },
  ]);
});

describe('a trace that is cut', () => {
  const whole = makeTranscript(1, 12);
  test.each([0.1, 0.35, 0.5, 0.77, 0.99])('at %f of it: what is there is read', (part) => {
    const cut = whole.slice(0, Math.floor(whole.length * part));
    const { sessions } = readTrace(utf8Bytes(cut), 'cut.jsonl', { sha256 });
    const calls = sessions[0]?.calls.length ?? 0;
    const asked = cut
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.includes('"tool_use"')).length;
    expect(calls).toBe(asked);
  });

  test('at its beginning: results without their calls are counted', () => {
    const { found, sessions } = readTrace(
      utf8Bytes(whole.slice(whole.indexOf('tool_use') + 200)),
      'cut.jsonl',
      { sha256 },
    );
    expect(sessions[0]?.calls.length).toBe(11);
    expect(Object.fromEntries(found.leftOut)).toMatchObject({ 'a line that is no JSON': 1 });
  });
});

test('the same trace gives the same bytes', () => {
  const read = (): readonly string[] =>
    makeRuns(readTrace(utf8Bytes(makeTranscript(7, 40)), 'a.jsonl', { sha256 }).sessions).map((run) =>
      sha256(encodeFile(run)),
    );
  expect(read()).toEqual(read());
});
