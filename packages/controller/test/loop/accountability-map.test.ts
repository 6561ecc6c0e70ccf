/**
 * Each failure of the Accountability Map that a FinalResult can name, reached by a run of the machine; and
 * the rows that it never names.
 */
import { describe, expect, it } from 'vitest';
import type { Failure, FailureCode, Json } from '@assay/kernel';
import { defaultPolicy, type JudgeBody, type PlanBody } from '../../src/index.js';
import { ACCOUNTABILITY } from '../../src/loop/fan-in.js';
import {
  called,
  criterion,
  did,
  judging,
  merging,
  planOf,
  play,
  policyWith,
  replayed,
  willing,
  type Attempted,
  type Cast,
  type Played,
  type Said,
} from '../lib/playing.js';

const policy = policyWith({
  limits: { ...defaultPolicy.limits, retries: 0 },
  ggs: { ...defaultPolicy.ggs, max_replans: 1 },
});
type Failing = () => { readonly failure: Failure };
const failing =
  (code: FailureCode, detail: Json): Failing =>
  () => ({ failure: { code, final: true, detail } });
/** A role that declines in its own words: it was heard. */
const refusal = failing('denied', { code: 'refusal', text: 'no' });
/** Work on another file in each round, so that what failed in one does not forbid the next. */
const elsewhere: Cast = {
  ...willing,
  plan: () => ({
    value: planOf(
      [{ criteria: [criterion('the report is there')] }],
      [criterion('it says what was asked'), criterion('it is signed'), criterion('it is short')],
    ),
  }),
  execute: ({ subtask }: Attempted) => did(called('write_file', `report-${subtask.split('.')[0]}`)),
};
/** R4b passes the criterion of this place and no other. */
const passing = (passed: number, unmet: 'fail' | 'ambiguous'): ReturnType<typeof merging> =>
  merging((index) => (index === passed ? 'pass' : 'environmental'), unmet);
/** Five sub-tasks, of which two, then three, then four fail. */
const worsening: Cast = {
  ...willing,
  plan: () => ({
    value: planOf(Array.from({ length: 5 }, (_, index) => ({ criteria: [criterion(`part ${index}`)] }))),
  }),
  execute: ({ subtask }: Attempted) => did(called('write_file', subtask)),
  judge: judging((_, { subtask }) => {
    const [round = 0, place = 0] = subtask.split('.').map(Number);
    return place < round + 2 ? 'environmental' : 'pass';
  }),
};

/** A run to its end; what it says is derived again from its records. */
function ended(cast: Cast, more: Partial<typeof policy.ggs> = {}): Played {
  const played = play({ ...policy, ggs: { ...policy.ggs, ...more } }, cast);
  replayed(played);
  return played;
}

const accountable = ({ result }: Played): Json => (result?.accountable ?? null) as unknown as Json;
const REACHED: readonly {
  readonly failure: string;
  readonly how: string;
  readonly cast: Cast;
  readonly more?: Partial<typeof policy.ggs>;
  readonly named: Json;
}[] = [
  {
    failure: 'intent_not_preserved',
    how: 'R1 gives no task',
    cast: { ...elsewhere, perceive: refusal },
    named: [{ failure: 'intent_not_preserved', role: 'R1', criterion: null }],
  },
  {
    failure: 'no_acceptable_plan',
    how: 'R2 gives no plan',
    cast: { ...elsewhere, plan: refusal },
    named: [{ failure: 'no_acceptable_plan', role: 'R2', criterion: null }],
  },
  {
    failure: 'goal_not_achieved',
    how: 'every sub-task is met and R4b finds two of three criteria of the task unmet',
    cast: { ...elsewhere, merge: passing(1, 'fail') },
    named: [
      { failure: 'goal_not_achieved', role: 'R2', criterion: '1.t.0' },
      { failure: 'goal_not_achieved', role: 'R2', criterion: '1.t.2' },
    ],
  },
  {
    failure: 'subtask_not_executed',
    how: 'R3 says that it could not',
    cast: {
      ...elsewhere,
      execute: ({ subtask }: Attempted) => ({
        value: {
          status: 'failed',
          output: '',
          tool_calls: [called('write_file', `report-${subtask.split('.')[0]}`, 'no', { status: 'error' })],
        },
      }),
    },
    named: [{ failure: 'subtask_not_executed', role: 'R3', criterion: '1.0' }],
  },
  {
    failure: 'gap_not_closed',
    how: 'R4a finds a criterion unmet and no correction is left',
    cast: { ...elsewhere, judge: judging('environmental') },
    named: [{ failure: 'gap_not_closed', role: 'R4a', criterion: '1.0' }],
  },
  {
    failure: 'merge_not_judged',
    how: 'every sub-task is met and R4b says nothing',
    cast: { ...elsewhere, merge: refusal },
    named: [{ failure: 'merge_not_judged', role: 'R4b', criterion: null }],
  },
  {
    failure: 'direction_wrong',
    how: 'two rounds in a row made it worse',
    cast: worsening,
    more: { max_replans: 10 },
    named: [
      ...[0, 1, 2, 3].map((place) => ({ failure: 'gap_not_closed', role: 'R4a', criterion: `2.${place}` })),
      { failure: 'direction_wrong', role: 'R7', criterion: null },
    ],
  },
];

/** What was merged, and what each sub-task of the last plan brought where nothing was. */
const BROUGHT: Readonly<Record<string, readonly [Json, readonly string[]]>> = {
  intent_not_preserved: [null, []],
  no_acceptable_plan: [null, []],
  goal_not_achieved: ['x', []],
  subtask_not_executed: [null, []],
  gap_not_closed: [null, ['1.0 written']],
  merge_not_judged: [null, ['1.0 written']],
  direction_wrong: [null, [0, 1, 2, 3, 4].map((place) => `2.${place} written`)],
};

describe('who answers where a task is abandoned', () => {
  it.each(REACHED)('$failure: $how', ({ cast, more, named }) => {
    const played = ended(cast, more);
    expect([played.result?.directive, accountable(played)]).toEqual(['abandon', named]);
  });

  it('each failure of the table is reached here, and what is reached stands there with its role', () => {
    expect(REACHED.map(({ failure }) => failure)).toEqual([...ACCOUNTABILITY.keys()]);
    for (const { failure, named } of REACHED)
      expect(
        (named as readonly { failure: string; role: string }[])
          .filter((one) => one.failure === failure)
          .map(({ role }) => role)[0],
      ).toBe(ACCOUNTABILITY.get(failure));
  });

  it('an ambiguous verdict of R4b is a goal not achieved as a failed one is', () => {
    expect(accountable(ended({ ...elsewhere, merge: passing(0, 'ambiguous') }))).toMatchObject([
      { failure: 'goal_not_achieved', criterion: '1.t.1' },
      { failure: 'goal_not_achieved', criterion: '1.t.2' },
    ]);
  });

  it('a validator that gives no verdict leaves the gap open: R4a answers, not the executor', () => {
    expect(accountable(ended({ ...elsewhere, judge: refusal }))).toEqual([
      { failure: 'gap_not_closed', role: 'R4a', criterion: '1.0' },
    ]);
  });

  it('an executor that gives no acceptable answer answers for its work', () => {
    expect(accountable(ended({ ...elsewhere, execute: refusal }))).toEqual([
      { failure: 'subtask_not_executed', role: 'R3', criterion: '1.0' },
    ]);
  });

  it("of an earlier round nobody answers: what a later plan made good is nobody's failure", () => {
    const played = ended({
      ...elsewhere,
      judge: judging((_, { subtask }) => (subtask.startsWith('0.') ? 'environmental' : 'pass')),
      merge: refusal,
    });
    expect(accountable(played)).toEqual([{ failure: 'merge_not_judged', role: 'R4b', criterion: null }]);
  });

  it('nobody where all is met', () => {
    const played = ended(elsewhere);
    expect([played.result?.directive, accountable(played)]).toEqual(['accept', []]);
  });
});

describe('a call that is never answered is the fault of no role', () => {
  const NEVER: readonly (readonly [how: string, never: Failing, why: string])[] = [
    ['401', failing('denied', { class: 'denied' }), 'denied'],
    ['500', failing('unavailable', { class: 'server_error' }), 'server_error'],
    ['a refused port', failing('unavailable', { class: 'refused' }), 'refused'],
    ['a deadline', failing('timeout', { class: 'timeout', deadline: 'call' }), 'timeout'],
    ['nobody there', failing('unavailable', null), 'unavailable'],
  ];
  const ends = ({ result }: Played): unknown => ({
    reason: result?.reason,
    why: result?.why,
    moves: result?.next_moves,
    accountable: result?.accountable,
  });

  it.each(NEVER)(
    '%s: where R1 or R2 is asked, the result says how it failed and no more',
    (_, never, why) => {
      const cause = { reason: 'no_answer', why, moves: [], accountable: [] };
      const unheard = ended({ ...elsewhere, perceive: never });
      expect(ends(unheard)).toEqual(cause);
      expect(unheard.result?.summary).toMatch(/^not achieved \(no_answer, \w+\): nothing was planned\. /);
      expect(unheard.result?.summary).not.toContain('not understood');
      expect(ends(ended({ ...elsewhere, plan: never }))).toEqual(cause);
      // What went wrong before it is not why the task ends.
      const plan = (body: PlanBody, turn: number): Said =>
        turn === 0 ? (elsewhere['plan']?.(body as never, turn) ?? never()) : never();
      expect(ends(ended({ ...elsewhere, plan, judge: judging('environmental') }))).toEqual(cause);
    },
  );

  it.each(NEVER)('%s: where R3, R4a or R4b is asked, it stands beside what ends the task', (_, never) => {
    for (const role of ['execute', 'judge', 'merge'])
      expect(ends(ended({ ...elsewhere, [role]: never }))).toEqual({
        reason: 'omega',
        why: 'no_answer',
        moves: [],
        accountable: [],
      });
  });

  it('an answer that is none is an answer: R1 is accountable for it', () => {
    for (const perceive of [failing('malformed', null), failing('exhausted', null)])
      expect(accountable(ended({ ...elsewhere, perceive }))).toMatchObject([{ role: 'R1' }]);
  });

  it('beside it, a role that was heard answers for its own work', () => {
    const [one, two] = [criterion('one'), criterion('two')];
    const played = ended({
      ...willing,
      plan: () => ({ value: planOf([{ criteria: [one] }, { criteria: [two] }]) }),
      judge: (body: JudgeBody) =>
        body.subtask.endsWith('.0') ? failing('timeout', null)() : judging('environmental')(body),
    });
    expect(accountable(played)).toEqual([
      { failure: 'gap_not_closed', role: 'R4a', criterion: expect.stringMatching(/\.1$/) as string },
    ]);
  });
});

describe('rows of the map that no result names', () => {
  it('neither memory nor the auditor: a recall that fails ends nothing, and an auditor is not heard (dec-B6)', () => {
    expect([...ACCOUNTABILITY.values()].filter((role) => role === 'R5' || role === 'R6')).toEqual([]);
    const played = play({ ...policy, memory: true }, { ...elsewhere, recall: failing('unavailable', null) });
    expect([played.result?.directive, accountable(played)]).toEqual(['accept', []]);
  });

  it.each(REACHED)(
    'no bare message: abandoned for $failure, a result says what is unmet or that nothing ' +
      'was planned, what could be done next, and what every sub-task brought',
    ({ cast, more, failure }) => {
      const { result } = ended(cast, more);
      expect(result?.next_moves.length).toBeGreaterThan(0);
      expect(result?.summary).toMatch(
        failure === 'intent_not_preserved' || failure === 'no_acceptable_plan'
          ? /nothing was planned/
          : /\d criteri(a are|on is) not met/,
      );
      expect([result?.output, result?.partial.map(({ subtask, output }) => `${subtask} ${output}`)]).toEqual(
        BROUGHT[failure],
      );
    },
  );
});
