/** Values of other ledgers, true and invented, each under a true head. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  advance,
  openRequests,
  openRun,
  orThrow,
  type EvidenceRecord,
  type Genesis,
  type Head,
  type Json,
  type JsonObject,
  type Machine,
  type RecordedProposal,
  type Run,
} from '@assay/kernel';
import { controller } from '@assay/controller';
import {
  answerFromMemory,
  defaultMemoryPolicy,
  deriveMemoryAnswer,
  memory,
  memoryAnswer,
  toldMemoryIn,
  type RecallQuery,
  type ToldMemory,
} from '@assay/controller/memory';
import { defaultPolicy, planner } from '@assay/planner';
import {
  answerFromLibrary,
  derivePlannerAnswer,
  fileToken,
  filesWrittenIn,
  library,
  listLibraryRows,
} from '@assay/planner/library';
import { answersBy, citedLedger, verify } from '@assay/verifier';
import { answerDerivers } from '@assay/views/machines';
import { expect, test } from 'vitest';
import { fileOf, sha256 } from '../../verifier/tools/runs.js';

type Told<S, I, E extends Json, A extends Json> = {
  readonly run: Run<S, I, E, A>;
  readonly records: readonly EvidenceRecord[];
};

function open<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  run_id: string,
  policy: unknown,
  input: unknown = {},
): Told<S, I, E, A> {
  return orThrow(
    openRun(machine, { run_id, ts_base: 'T', policy: policy as Json, input: input as Json }, { sha256 }),
  );
}

function tell<S, I, E extends Json, A extends Json>(
  { run, records }: Told<S, I, E, A>,
  kind: string,
  value: Json,
  cited: readonly EvidenceRecord[],
  more: Partial<RecordedProposal> = {},
): Told<S, I, E, A> {
  const genesis = cited[0]?.payload as unknown as Genesis | undefined;
  const hash = cited.at(-1)?.record_hash;
  const cites: Head[] =
    genesis === undefined || hash === undefined
      ? []
      : [{ run_id: genesis.run_id, count: cited.length, hash }];
  const step = orThrow(
    advance(run, {
      request_id: openRequests(run).find((request) => request.kind === kind)?.id ?? '',
      source: 'run',
      proposer: 'fixture:other',
      confidence: null,
      value,
      failure: null,
      at_us: null,
      spent: {},
      cites,
      provenance: {},
      ...more,
    }),
  );
  return { run: step.run, records: [...records, ...step.records] };
}

/** What comes of the contents, and the code of completeness. */
async function judge(
  { records }: { readonly records: readonly EvidenceRecord[] },
  cited: readonly EvidenceRecord[],
): Promise<Json> {
  const other = citedLedger(verify('o', fileOf(cited), { sha256, keepIndex: true, keepRecords: true }));
  if (other === null) throw new Error('cannot be cited');
  const answers = answersBy(await answerDerivers());
  const options = { sha256, answers, cited: new Map([[other.run_id, other]]) };
  const { code, detail } = verify('f', fileOf(records), options).document.checks.completeness;
  const { contents } = (detail as { readonly cited: { readonly contents: Json } }).cited;
  return { code, contents };
}
const HELD = { code: 'no_head', contents: { held: 1, failed: 0, not_compared: 0 } };
const FAILED = { code: 'answer_mismatch', contents: { held: 0, failed: 1, not_compared: 0 } };

const books = open(library, 'library', {});
const policy = { ...defaultPolicy, mode: 'solve', extract: false, library: true };
const planned = open(planner, 'plan', policy, {
  goal: 'ship a page',
  modality: 'text',
  constraints: [],
  suggestions: [],
  strikes: [],
});
const [asked] = openRequests(planned.run);
const reading = answerFromLibrary(books.run.state, 'library', asked?.body ?? null) as JsonObject;

test('a reading of a library is what the library holds', async () => {
  expect(asked?.kind).toBe('library');
  const told = (value: Json) => judge(tell(planned, 'library', value, books.records), books.records);
  expect(await told(reading)).toEqual(HELD);
  expect(await told({ ...reading, history: 'Similar goals attempted: 40' })).toEqual(FAILED);
});

test('rows of a library are those of the decision that they cite', async () => {
  const { records } = tell(planned, 'library', reading, books.records);
  const cited = records.slice(0, records.findIndex((record) => listLibraryRows(record).length > 0) + 1);
  const rows = listLibraryRows(cited.at(-1) as EvidenceRecord) as unknown as readonly Json[];
  expect(rows.length).toBeGreaterThan(1);
  const told = (value: readonly Json[]) => judge(tell(books, 'write', { rows: value }, cited), cited);
  expect(await told(rows)).toEqual(HELD);
  expect(await told(rows.slice(1))).toEqual(FAILED);
});

const FIXTURES = join(import.meta.dirname, '../../../golden-fixtures');
const recordsIn = (name: string): readonly EvidenceRecord[] =>
  readFileSync(join(FIXTURES, name, 'ledger.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvidenceRecord);

test('a recall is what the memory gave for this very query', async () => {
  const recorded = recordsIn('controller-memory-second');
  const { run_id, policy: settings, input } = recorded[0]?.payload as unknown as Genesis;
  let at = open(controller, run_id, settings, input);
  for (const { kind, payload } of recorded) {
    if (openRequests(at.run).some((request) => request.kind === 'recall')) break;
    if (kind !== 'proposal') continue;
    const { proposal_hash: _, ...answer } = payload as unknown as RecordedProposal;
    at = tell(at, '', answer.value, [], answer);
  }
  const query = openRequests(at.run).find(({ kind }) => kind === 'recall')?.body as unknown as RecallQuery;
  const kept = open(memory, 'memory', defaultMemoryPolicy);
  const value = { from: 'R2', intent: query.intent, tools: query.tools, at_us: 5 } as unknown as Json;
  const { records, run } = tell(kept, 'recall', value, at.records);
  const given = answerFromMemory([], run.state, query, 5) as unknown as JsonObject;
  const told = (said: Json) => judge(tell(at, 'recall', said, records), records);
  expect(await told(given)).toEqual(HELD);
  expect(await told({ ...given, failures: ['it never worked'] })).toEqual(FAILED);
  // At another moment than the one at which it was given.
  expect(await told({ ...given, at_us: 6 })).toEqual(FAILED);
  // The memory is asked what the controller asks.
  const asking = (said: Json) => judge(tell(kept, 'recall', said, at.records), at.records);
  expect(await asking(value)).toEqual(HELD);
  expect(await asking({ ...(value as JsonObject), tools: [] })).toEqual(FAILED);
  // Asked again by the same head the memory is only read, at the moment at which it was asked.
  const again = tell({ run, records }, 'recall', { ...(value as JsonObject), at_us: 7 }, at.records);
  expect(again.records.at(-1)?.payload).toMatchObject({ code: 'already_written' });
  const read = (at_us: number) => {
    const said = answerFromMemory([], again.run.state, query, at_us) as unknown as Json;
    return judge(tell(at, 'recall', said, again.records), again.records);
  };
  expect(await read(7)).toEqual(HELD);
  expect(await read(8)).toEqual(FAILED);
});

test('a memory is told what the decision that is cited has for it', async () => {
  const kept = open(memory, 'memory', defaultMemoryPolicy);
  const all = recordsIn('controller-e2e-success');
  const cited = all.slice(0, all.findIndex((record) => toldMemoryIn(record).length > 0) + 1);
  const [told] = toldMemoryIn(cited.at(-1) as EvidenceRecord) as readonly [ToldMemory];
  const judged = (said: Json, by = cited) => judge(tell(kept, 'write', said, by), by);
  expect(await judged(memoryAnswer(told, 5))).toEqual(HELD);
  expect(await judged({ ...memoryAnswer(told, 5), task: 'invented' })).toEqual(FAILED);
  expect(await judged(memoryAnswer(told, 5), cited.slice(0, -1))).toEqual(FAILED);

  // Feedback is on one of the rules that the decision names.
  const rules = ['a', 'b'].map((digit) => ({ rule: digit.repeat(64), space: 'tool:x', entity: '' }));
  const message = { t: 'message', kind: 'NegativeFeedback', body: { rules, content: 'in vain' } };
  const decided = { kind: 'decision', payload: { events: [message] } } as unknown as EvidenceRecord;
  const [, second] = toldMemoryIn(decided) as readonly ToldMemory[];
  const feedback = (said: Json) => deriveMemoryAnswer([decided], { kind: 'feedback' }, said);
  const honest = memoryAnswer(second as ToldMemory, 5);
  expect(honest).toMatchObject({ rule: rules[1]?.rule, content: 'in vain', at_us: 5 });
  expect(feedback(honest)).toEqual(honest);
  expect(feedback({ ...honest, content: 'invented' })).toEqual(honest);
  expect(feedback({ ...honest, rule: 'c'.repeat(64) })).toBeNull();
});

const leaf = recordsIn('controller-e2e-success');
const goal = ((leaf[0]?.payload as unknown as Genesis).input as JsonObject)['text'] ?? null;
const derive = (value: Json, records = leaf, asked: Json = goal) =>
  derivePlannerAnswer(records, { kind: 'resolve', body: { goal: asked } }, value, {});

test('what a leaf says is what its run ended with and what its calls wrote', () => {
  const derived = derive(null) as JsonObject;
  const content = 'the report, draft 0\n';
  const written = { path: 'report-0.md', blob: fileToken(content) };
  expect((derived['artifact'] as JsonObject)['content']).toMatchObject({ files: [written] });
  expect(derive(derived)).toEqual(derived);
  // Neither other files, nor none, nor another's work.
  expect(derive({ artifact: { content: { files: [] } } })).toEqual(derived);
  expect(derive(derived, leaf, 'another goal')).toBeNull();
});

test('files that a ledger does not have whole are compared as far as it has them', () => {
  const call = (tool: string, target: string, said: JsonObject = {}) => {
    const id = `${target} ${tool}`;
    const body = { tool, input: { path: target, content: 'a\n' } };
    return [
      { kind: 'decision', payload: { requests: [{ id, kind: 'call', body }] } },
      { kind: 'proposal', payload: { request_id: id, value: { status: 'ok', target, output: '', ...said } } },
    ] as unknown as readonly EvidenceRecord[];
  };
  const texts = (...calls: (readonly EvidenceRecord[])[]) => [...filesWrittenIn(calls.flat())];
  const written = call('write_file', 'a.txt');
  const added = (had: number) =>
    call('append_file', 'a.txt', { output: `appended 2 bytes to a.txt, which had ${had}\n` });
  expect(texts(written, added(2))).toEqual([['a.txt', 'a\na\n']]);
  expect(texts(written, call('remove_file', 'a.txt'))).toEqual([]);
  expect(texts(written, call('shell', 'wc a.txt'), call('write_file', '"a\\n"'))).toEqual([['a.txt', 'a\n']]);
  expect(texts(written, call('write_file', 'a.txt', { status: 'denied' }))).toEqual([['a.txt', 'a\n']]);
  expect(texts(call('append_file', 'b.txt', { output: 'wrote b.txt' }))).toEqual([['b.txt', 'a\n']]);
  // What was there before, was changed meanwhile, or by a check.
  for (const calls of [[added(2)], [written, added(3)], [written, call('run_check', 'format')]])
    expect(texts(...calls)).toEqual([['a.txt', null]]);
  const unknown = [...leaf.slice(0, -1), ...call('run_check', 'format'), ...leaf.slice(-1)];
  const said = (path: string) => {
    const derived = derive(null) as JsonObject & { readonly artifact: JsonObject };
    const files = [{ path, blob: fileToken('formatted') }];
    const content = { ...(derived.artifact['content'] as JsonObject), files };
    return { ...derived, artifact: { ...derived.artifact, content } };
  };
  expect(derive(said('report-0.md'), unknown)).toBeUndefined();
  expect(derive(said('invented.md'), unknown)).not.toBeUndefined();
});
