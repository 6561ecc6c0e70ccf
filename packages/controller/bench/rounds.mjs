/**
 * A controller run of any length for benches: each round has 40 sub-tasks, one of them has no executor, so
 * every round ends in another directive.
 *
 * @module
 */
import { advance, encodeLine, openRequests, openRun, orThrow } from '@assay/kernel';
import { controller, defaultPolicy } from '@assay/controller';

const SUBTASKS = 40;

/** The first `records` lines of the run, in pieces: each line with its line feed. */
export function* roundLines(records, sha256) {
  const policy = {
    ...defaultPolicy,
    clock: 'stamps',
    limits: { ...defaultPolicy.limits, subtasks: SUBTASKS },
    tools: [
      {
        name: 'write_file',
        class: 'write',
        reversible: true,
        holds: false,
        again: true,
        schema: { type: 'object' },
      },
    ],
    ggs: { ...defaultPolicy.ggs, max_replans: 1_000 },
  };
  let step = orThrow(
    openRun(
      controller,
      {
        run_id: 'bench',
        ts_base: 'T',
        policy,
        input: { text: 'collect the figures of all branches', session: [], deadline_us: null },
      },
      { sha256 },
    ),
  );
  for (let count = 0; count < records; ) {
    yield step.records
      .slice(0, records - count)
      .map((record) => `${encodeLine(record)}\n`)
      .join('');
    count += step.records.length;
    const [request] = openRequests(step.run);
    if (request === undefined) throw new Error(`the run ended after ${count} records`);
    step = orThrow(advance(step.run, answerTo(request)));
  }
}

function answerTo({ id, kind, body }) {
  const isGone = kind === 'step' && body.subtask.endsWith('.0');
  const failure = isGone ? { code: 'unavailable', final: true, detail: null } : null;
  return {
    request_id: id,
    source: kind === 'call' ? 'tool' : 'rule',
    proposer: 'bench',
    confidence: null,
    value: isGone ? null : valueOf(kind, body),
    failure,
    at_us: null,
    spent: {},
    cites: [],
    provenance: {},
  };
}

function valueOf(kind, body) {
  switch (kind) {
    case 'perceive':
      return {
        label: 'bench',
        intent: 'collect the figures of all branches',
        constraints: { scope: null, deadline_us: null },
        refers_to: null,
      };
    case 'plan':
      return {
        follows: [],
        task_criteria: [],
        subtasks: Array.from({ length: SUBTASKS }, (_, index) => ({
          label: `part ${index}`,
          sequence: 1,
          intent: `collect part ${index}`,
          context: 'one line per branch',
          success_criteria: [
            { text: `part ${index} is written`, mode: 'verifiable', hard: true, check: null },
          ],
          tools: ['write_file'],
          words: false,
        })),
      };
    case 'step':
      return body.seen.calls === 0
        ? { t: 'call', calls: [{ tool: 'write_file', input: { path: `part-${body.subtask}.csv` } }], why: '' }
        : { t: 'done', output: 'written', rests_on: [0] };
    case 'call':
      return {
        status: 'ok',
        code: null,
        why: null,
        output: 'wrote 120 lines',
        output_bytes: 15,
        digest: null,
        target: `part-${body.subtask}.csv`,
        irreversible: false,
        loses: null,
      };
    case 'judge':
      return {
        verdicts: body.criteria.map(({ id }) => ({
          criterion: id,
          verdict: 'pass',
          failure_class: null,
          evidence: 'line 3 of the file',
          calls: [0],
        })),
        what_was_wrong: null,
        what_to_do: null,
      };
    default:
      throw new Error(`nothing is said to ${kind}`);
  }
}
