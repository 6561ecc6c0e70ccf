import type { EvidenceRecord, Json } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.js';
import { listAlerts } from '../../src/audit/index.js';
import { called, criterion, planOf, type Played } from '../lib/playing.js';
import {
  acceptedOf,
  audited,
  cleanRuns,
  codesOf,
  decisionsOf,
  edited,
  messageEvent,
  playClean,
  withEvents,
  type Clean,
} from '../lib/auditing.js';

/** 30 each: there are two dozen faults, and 1,000 clean runs would take some 17 s of CPU time for each. */
const runs = lawRuns('audit/faults', 0.03);
const SMALL: Clean = {
  subtasks: 1,
  criteria: 2,
  inTurn: false,
  hardRounds: 0,
  retry: false,
  clock: 'stamps',
  memory: false,
  permanent: true,
};

/**
 * A fault: what it does to a clean trace, and the record its finding must rest on. Null where this trace has
 * no place for it.
 */
type Fault = {
  readonly name: string;
  readonly code: string;
  readonly inject: (
    played: Played,
    pick: number,
  ) => { readonly records: readonly EvidenceRecord[]; readonly at: number } | null;
};

function atSome(places: readonly number[], pick: number): number | null {
  return places.length === 0 ? null : (places[pick % places.length] ?? null);
}

/** A fault that adds events to some decision. */
function spoken(name: string, code: string, ...events: readonly Json[]): Fault {
  return {
    name,
    code,
    inject: (played, pick) => {
      const at = atSome(decisionsOf(played), pick);
      return at === null ? null : { records: withEvents(played.records, at, events), at };
    },
  };
}

/** A fault that changes an accepted answer of a kind. */
function answered(name: string, code: string, kind: string, more: Record<string, Json>): Fault {
  return {
    name,
    code,
    inject: (played, pick) => {
      const at = atSome(acceptedOf(played, kind), pick);
      const change = (payload: Record<string, Json>): typeof payload => ({ ...payload, ...more });
      return at === null ? null : { records: edited(played.records, at, change), at: at + 1 };
    },
  };
}

/** Events of calls of one sub-task, as letters say: the same letter did the same with the same result. */
function doing(letters: string): readonly Json[] {
  return [...letters].map((letter, n) => ({
    t: 'called',
    subtask: '0.0',
    n,
    call: { tool: 'write_file', status: 'ok', kind: 'act', triple: letter.repeat(64) },
  }));
}

type Planned = {
  readonly task_criteria: readonly Json[];
  readonly subtasks: readonly { readonly criteria: readonly Record<string, Json>[] }[];
};

/** A fault that has another plan follow the plan of the first round. */
function replanned(name: string, code: string, change: (plan: Planned) => Json): Fault {
  return {
    name,
    code,
    inject: (played) => {
      const at = atSome(decisionsOf(played, 'DispatchManifest'), 0);
      const events =
        at === null
          ? []
          : (
              played.records[at]?.payload as {
                readonly events: readonly { readonly kind: string; readonly body: never }[];
              }
            ).events;
      const manifest = events.find(({ kind }) => kind === 'DispatchManifest');
      return at === null || manifest === undefined
        ? null
        : {
            records: withEvents(played.records, at, [
              messageEvent('R2', 'dispatcher', 'DispatchManifest', change(manifest.body)),
            ]),
            at,
          };
    },
  };
}

const stuck = (exact: string): Json =>
  messageEvent('R7', 'R2', 'PlanDirective', {
    round: 0,
    evaluation: { directive: 'break_symmetry', D: { ppm: 0, exact }, unmet: [] },
  });

/** The plan with each criterion changed. */
const weakened =
  (more: object) =>
  ({ subtasks, ...body }: Planned): Json =>
    ({
      ...body,
      subtasks: subtasks.map(({ criteria, ...subtask }) => ({
        ...subtask,
        criteria: criteria.map((one) => ({ ...one, ...more })),
      })),
    }) as unknown as Json;
const accepts = messageEvent('R7', 'user', 'FinalResult', { directive: 'accept' });
const tasked = (intent: string): Json => messageEvent('R1', 'R2', 'TaskSpec', { intent });

const FAULTS: readonly Fault[] = [
  spoken(
    'bypass: an executor tells the planner',
    'unrouted_message',
    messageEvent('R3', 'R2', 'ExecutionResult'),
  ),
  spoken(
    'bypass: a planner tells the user',
    'unrouted_message',
    messageEvent('R2', 'user', 'SubTaskOutcome'),
  ),
  spoken('bypass: a party that does not exist', 'unrouted_message', messageEvent('R9', 'R2', 'TaskSpec')),
  spoken('a role speaks to the auditor', 'unrouted_message', messageEvent('R2', 'R6', 'AuditQuery')),
  spoken('the auditor corrects an executor', 'auditor_speaks', messageEvent('R6', 'R3', 'CorrectionSignal')),
  spoken('the auditor reports in a run', 'auditor_speaks', messageEvent('R6', 'operator', 'AuditReport')),
  spoken('the planner ends the task', 'not_from_r7', messageEvent('R2', 'user', 'FinalResult')),
  spoken('the planner writes to memory', 'not_from_r7', messageEvent('R2', 'R5', 'Megram')),
  spoken('a message without a sender', 'malformed_message', {
    t: 'message',
    to: 'R2',
    kind: 'TaskSpec',
    body: null,
  }),
  spoken('thrash: stuck twice at one distance', 'ggs_thrashing', stuck('1/2'), stuck('1/2')),
  spoken('thrash: stuck twice and farther away', 'ggs_thrashing', stuck('1/3'), stuck('334/1000')),
  spoken(
    'thrash: stuck twice at a distance that is not said',
    'ggs_thrashing',
    stuck('1/3'),
    stuck('closer'),
  ),
  spoken('two results', 'second_final_result', accepts, accepts),
  spoken('the task is given anew', 'intent_changed', tasked('write the report'), tasked('write something')),
  answered('a model confirms', 'source_not_allowed', 'confirm', { source: 'live_model' }),
  answered('a retrieval plans', 'source_not_allowed', 'plan', { source: 'retrieval' }),
  answered('somebody else plays the planner', 'role_not_bound', 'plan', { proposer: 'somebody-else' }),
  answered('an answer nobody asked for', 'nothing_asked', 'plan', { request_id: '999.0' }),
  spoken('triple', 'repeated_triple', ...doing('aaa')),
  spoken('oscillation', 'oscillation', ...doing('abab')),
  replanned(
    'drift: the criterion of the task is gone',
    'criterion_dropped',
    (body) => ({ ...body, task_criteria: [] }) as unknown as Json,
  ),
  replanned(
    'drift: a hard criterion is gone',
    'criterion_dropped',
    (body) => ({ ...body, subtasks: body.subtasks.slice(1) }) as unknown as Json,
  ),
  replanned('drift: a hard criterion is soft', 'criterion_weakened', weakened({ hard: false })),
  replanned(
    'drift: a verifiable criterion is only plausible',
    'criterion_weakened',
    weakened({ mode: 'plausible' }),
  ),
];

describe('law-U3: each injected fault is reported, at its record', () => {
  it.each(FAULTS)('$name: $code', ({ code, inject }) => {
    expect(inject(playClean(SMALL), 0)).not.toBeNull();
    fc.assert(
      fc.property(cleanRuns, fc.nat(), (clean, pick) => {
        const played = playClean(clean);
        expect(codesOf(audited(played.records))).toEqual([]);
        const injected = inject(played, pick);
        if (injected === null) return;
        expect(listAlerts(audited(injected.records))).toContainEqual(
          expect.objectContaining({ code, record: injected.at, run_id: 'played' }),
        );
      }),
      runs,
    );
  });

  it('no-op loop: every round does the same with the same results', () => {
    const played = playClean(
      { ...SMALL, permanent: false, hardRounds: 2 },
      { calls: (turn) => [called('write_file', `way ${turn % 3}`)] as unknown as Json },
    );
    const anomalies = audited(played.records).anomalies;
    expect(anomalies).toContainEqual(
      expect.objectContaining({ code: 'no_op_loop', text: expect.stringContaining('2 rounds in a row') }),
    );
  });

  it('drift: corrections rise from task to task', () => {
    const tasks = [0, 1, 2, 3].map((corrections) =>
      playClean({ ...SMALL, subtasks: Math.max(1, corrections), retry: corrections > 0 }),
    );
    expect(audited(tasks.slice(0, 3).flatMap(({ records }) => records)).drift_alerts).toEqual([]);
    expect(audited(tasks.flatMap(({ records }) => records)).drift_alerts).toEqual([
      expect.objectContaining({
        code: 'corrections_rising',
        text: 'corrections of the last tasks: 0, 1, 2, 3',
      }),
    ]);
    expect(audited(tasks.toReversed().flatMap(({ records }) => records)).drift_alerts).toEqual([]);
  });

  it('drift: half of the answers of a role are rejected, told once in a window', () => {
    const played = playClean(SMALL, {
      cast: {
        plan: (_, turn) =>
          turn === 0
            ? { value: null }
            : {
                value: planOf([
                  { criteria: [criterion('done')], tools: ['write_file', 'read_file', 'remove_file'] },
                ]),
              },
      },
    });
    expect(played.rejections).toEqual(['bad_plan']);
    const many = Array.from({ length: 4 }, () => played.records).flat();
    expect(audited(many).drift_alerts).toEqual([
      expect.objectContaining({ code: 'rejections_high', text: '3 of 6 answers of R2 were rejected' }),
    ]);
  });
});
