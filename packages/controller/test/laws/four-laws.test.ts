/**
 * The Four Laws in their order, each against a role that breaks it if it can. What is asserted is what the
 * machine decides, whatever the roles say. Source: 003 §9.
 */
import { openRequests, type Json } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.js';
import type { MergeBody, Policy } from '../../src/index.js';
import type { CallBody } from '../../src/protocol/requests.js';
import type { GgsEvaluation } from '../../src/ggs/evaluation.js';
import { entropy } from '@assay/testing';
import { boundOf, policies } from '../../tools/arbitraries.js';
import { playRandom } from '../lib/random.js';
import { NO_RECALL } from '../../src/protocol/recall.js';
import {
  called,
  criterion,
  judging,
  planOf,
  play,
  policyWith,
  replayed,
  did,
  verdictsOn,
  willing,
  type Attempted,
  type Cast,
  type Played,
} from '../lib/playing.js';

const runs = lawRuns('four-laws', 0.1);

const askedFor = ({ asked }: Played, kind: string): number =>
  asked.filter((request) => request.kind === kind).length;
const evaluations = ({ events }: Played): readonly GgsEvaluation[] =>
  events.flatMap((event) =>
    event.t === 'message' && event.kind === 'PlanDirective' ? [event.body.evaluation] : [],
  );
const results = ({
  events,
}: Played): readonly { readonly status: string; readonly reason: string | null }[] =>
  events.flatMap((event) => (event.t === 'message' && event.kind === 'SubTaskOutcome' ? [event.body] : []));
const evaluationIn = ({ records }: Played): GgsEvaluation => {
  const found = records.find(
    ({ kind, payload }) => kind === 'artifact' && (payload as { name: string }).name === 'evaluation',
  );
  return (found?.payload as { content: unknown } | undefined)?.content as GgsEvaluation;
};

describe('Law 0: never deceive', () => {
  it('an executor that says it did it and shows no tool is not believed, and its judge is not asked', () => {
    const played = play(policyWith(), { ...willing, execute: () => did() });
    expect(played.result).toMatchObject({
      directive: 'abandon',
      unmet: [
        { text: 'the report is there', verdict: 'fail' },
        { text: 'the report says what was asked', verdict: 'not_run' },
      ],
    });
    expect(played.result?.summary).toMatch(/^not achieved/);
    expect([askedFor(played, 'judge'), askedFor(played, 'merge')]).toEqual([0, 0]);
    expect(new Set(results(played).map(({ reason }) => reason))).toEqual(new Set(['nothing_was_done']));
    replayed(played);
  });

  it.each([
    ['write_file', 'report.md', 'log.md'],
    ['shell', 'cp a report.md', 'cp x y'],
  ])(
    'an executor cannot act its way out of a failure elsewhere: %s %s failed, %s went well, and every judge is lenient',
    (tool, failed, other) => {
      const played = play(
        policyWith({
          limits: { ...policyWith().limits, retries: 0 },
          ggs: { ...policyWith().ggs, max_replans: 1 },
        }),
        {
          ...willing,
          plan: () => ({
            value: planOf([{ criteria: [criterion('the report is there')], tools: [tool] }]),
          }),
          execute: () => did(called(tool, failed, 'no space left', { status: 'error' }), called(tool, other)),
        },
      );
      expect(played.asked.map(({ kind }) => kind)).not.toContain('judge');
      expect(results(played)[0]).toMatchObject({ status: 'failed', reason: 'primary_call_failed' });
      expect(played.result?.directive).toBe('abandon');
    },
  );

  it('a meta-validator is not asked, and so cannot pass, what its sub-task did not meet', () => {
    const hard = planOf(
      [
        {
          criteria: [
            ...Array.from({ length: 9 }, (_, index) => criterion(`soft ${index}`)),
            criterion('the hard one', { hard: true }),
          ],
        },
      ],
      [criterion('all of it')],
    );
    const played = play(policyWith({ limits: { ...policyWith().limits, retries: 0 } }), {
      ...willing,
      plan: () => ({ value: hard }),
      judge: judging((index, { criteria }) => (criteria[index]?.hard === true ? 'environmental' : 'pass')),
    });
    expect(askedFor(played, 'merge')).toBe(0);
    // 2 of 11 are unmet, which is close enough by the numbers: the hard one stands in the way (dec-G4).
    expect(evaluations(played)[0]).toMatchObject({ D: { exact: '2/11' }, distance_floor: 'hard_criterion' });
    expect(played.result).toMatchObject({ directive: 'abandon' });
    expect(played.result?.unmet.map(({ text }) => text)).toEqual(['the hard one', 'all of it']);
    replayed(played);
  });

  it('a task of whose own criteria nobody knows anything is not close enough', () => {
    const plan = planOf(
      [{ criteria: Array.from({ length: 9 }, (_, index) => criterion(`soft ${index}`)) }],
      [criterion('it is the right report', { hard: true })],
    );
    const judge = judging((index) => (index === 0 ? 'environmental' : 'pass'));
    const played = play(policyWith({ limits: { ...policyWith().limits, retries: 0 } }), {
      ...willing,
      plan: () => ({ value: plan }),
      judge,
    });
    // One soft criterion of nine failed, so R4b was never asked about the hard one: D alone would call that
    // success.
    expect(evaluations(played)[0]).toMatchObject({
      D: { exact: '1/5' },
      distance_floor: 'hard_criterion',
      directive: 'change_path',
    });
    expect(played.result?.unmet).toContainEqual(
      expect.objectContaining({ text: 'it is the right report', verdict: 'not_run', hard: true }),
    );
    replayed(played);
  });

  it.each(['fail', 'ambiguous'] as const)(
    'a merged output that praises itself is disclosed as unmet where its verdict is %s',
    (verdict) => {
      const played = play(policyWith(), {
        ...willing,
        merge: (body: MergeBody) => ({
          value: {
            merged_output: 'a masterpiece',
            summary: 'Everything was achieved.',
            verdicts: verdictsOn(body, 'logical', verdict),
          },
        }),
      });
      expect(played.result).toMatchObject({
        directive: 'abandon',
        output: 'a masterpiece',
        unmet: [{ text: 'the report says what was asked', verdict, evidence: 'looked' }],
      });
      expect(played.result?.summary).toMatch(/^not achieved \([a-z_, ]+\): 1 criterion is not met\. /);
      replayed(played);
    },
  );

  it(
    'Law 0 over any roles: accepted means that all is met, success that what is not is named ' +
      'and none of it hard',
    () => {
      fc.assert(
        fc.property(policies(), entropy(), (policy, draw) => {
          const played = playRandom(policy, draw);
          const { result } = played;
          expect(result).not.toBeNull();
          if (result === null) return;
          const unmet = evaluationIn(played).unmet.flatMap(({ id }) => id ?? []);
          expect(result.unmet.map(({ criterion: id }) => id)).toEqual(unmet);
          if (result.directive === 'accept') expect([result.unmet, result.loss.D.exact]).toEqual([[], '0/1']);
          if (result.directive === 'success')
            expect([result.unmet.length > 0, result.unmet.some(({ hard }) => hard)]).toEqual([true, false]);
          if (result.directive !== 'accept') expect(result.summary).toMatch(/not met|nothing was planned/);
        }),
        runs,
      );
    },
  );
});

describe('Law 1: never harm without explicit confirmation', () => {
  const removing: Cast = {
    ...willing,
    plan: () => ({
      value: planOf([{ criteria: [criterion('old.txt is gone')], tools: ['remove_file', 'shell'] }]),
    }),
    confirm: () => ({ value: { approved: true, note: null } }),
    execute: () => did(called('remove_file', 'old.txt', 'removed', { irreversible: true })),
  };
  const oneRound: Policy = policyWith({ ggs: { ...policyWith().ggs, max_replans: 1 } });

  it('what was not confirmed ends the task, and nobody answers for it', () => {
    const played = play(policyWith(), {
      ...removing,
      confirm: () => ({ value: { approved: false, note: null } }),
    });
    expect([askedFor(played, 'call'), askedFor(played, 'plan')]).toEqual([0, 1]);
    expect(played.result).toMatchObject({
      directive: 'abandon',
      reason: 'not_confirmed',
      accountable: [],
      next_moves: [{ code: 'confirm' }],
    });
    replayed(played);
  });

  it('an action that cannot be undone, confirmed, is done; and only then', () => {
    const played = play(policyWith(), removing);
    expect([played.result?.directive, askedFor(played, 'confirm')]).toEqual(['accept', 1]);
    const kinds = played.asked.map(({ kind }) => kind);
    expect(kinds.indexOf('confirm')).toBeLessThan(kinds.indexOf('call'));
  });

  it.each(['rule', 'live_model', 'recorded_model', 'synthetic', 'tool'] as const)(
    'a confirmation by a %s is refused, and nothing is executed',
    (source) => {
      const played = play(oneRound, removing, { source: { confirm: source }, max: 20 });
      // Whoever may not answer uses up nothing: the person is still asked.
      expect(new Set(played.rejections)).toEqual(new Set(['source_not_accepted']));
      expect(openRequests(played.run).map(({ kind, accepts }) => [kind, accepts])).toEqual([
        ['confirm', ['human']],
      ]);
      expect([askedFor(played, 'call'), played.result]).toEqual([0, null]);
      replayed(played);
    },
  );

  it.each([{ approved: 'yes' }, { approved: 1, note: null }, 'approved', null, {}])(
    'anything but a plain yes is a no: %j',
    (value) => {
      const played = play(oneRound, { ...removing, confirm: () => ({ value }) });
      expect([askedFor(played, 'call'), results(played)[0]?.reason]).toEqual([0, 'not_confirmed']);
    },
  );

  it.each([
    { loses: 'b'.repeat(64), target: 'a' },
    { loses: 'a'.repeat(64), target: 'b' },
  ])('an approval for one loss covers no other: %j', (other) => {
    const held = { status: 'denied', irreversible: true, code: 'needs_confirmation' } as const;
    const played = play(oneRound, {
      ...willing,
      confirm: () => ({ value: { approved: true, note: null } }),
      step: () => ({
        value: { t: 'call', calls: [{ tool: 'write_file', input: { path: 'a' } }], why: '' },
      }),
      call: ({ confirmed }: CallBody) => ({
        value: {
          ...CALLED,
          ...(confirmed === null ? held : { irreversible: true }),
          ...(confirmed === null ? { loses: 'a'.repeat(64), target: 'a' } : other),
        },
      }),
    });
    expect(played.result).toMatchObject({ directive: 'abandon', reason: 'law1_breach' });
    replayed(played);
  });

  it.each(['ok', 'timeout', 'interrupted', 'truncated', 'error'] as const)(
    'unconfirmed, and ended as %s: it may have happened, and nothing is asked any more',
    (status) => {
      const call = called('shell', 'rm -rf data', '', { status, irreversible: true });
      const played = play(oneRound, { ...removing, execute: () => did(call) });
      expect(results(played)).toMatchObject([{ status: 'failed', reason: 'law1_breach' }]);
      expect(played.result).toMatchObject({
        directive: 'abandon',
        reason: 'law1_breach',
        next_moves: [{ code: 'look' }, {}],
      });
      expect(played.asked.at(-1)?.kind).toBe('call');
      replayed(played);
    },
  );

  it('one that was denied did nothing, and R3 goes on', () => {
    const denied = called('shell', 'rm precious.txt', '', { status: 'denied', irreversible: true });
    const played = play(oneRound, {
      ...removing,
      execute: () => did(denied, called('shell', 'mv old.txt b')),
    });
    expect(played.result?.directive).toBe('accept');
  });

  it('an approval does not outlive its call: the next one is asked for again', () => {
    const played = play(policyWith(), {
      ...removing,
      execute: () =>
        did(
          called('remove_file', 'old.txt', 'removed', { irreversible: true }),
          called('remove_file', 'b', 'removed', { irreversible: true }),
        ),
    });
    expect([askedFor(played, 'confirm'), askedFor(played, 'call')]).toEqual([2, 2]);
  });
});

describe('Law 2: best effort, until it makes things worse', () => {
  /** Five sub-tasks of which so many fail in each round; the last count stays. */
  function failing(...counts: readonly number[]): Cast {
    return {
      ...willing,
      plan: () => ({
        value: planOf(Array.from({ length: 5 }, (_, index) => ({ criteria: [criterion(`part ${index}`)] }))),
      }),
      execute: (body: Attempted) => did(called('write_file', body.subtask, `wrote ${body.subtask}`)),
      judge: judging((_, { subtask }) => {
        const [round = 0, place = 0] = subtask.split('.').map(Number);
        return place < (counts[Math.min(round, counts.length - 1)] ?? 0) ? 'environmental' : 'pass';
      }),
    };
  }

  const patient = policyWith({
    limits: { ...policyWith().limits, retries: 0 },
    ggs: { ...policyWith().ggs, max_replans: 10 },
  });

  it('two worsening rounds in a row end the task, with what was reached and what could be done next', () => {
    const played = play(patient, failing(2, 3, 4, 0));
    expect(evaluations(played).map(({ band, worsening_count }) => [band, worsening_count])).toEqual([
      ['plateau', 0],
      ['worsening', 1],
    ]);
    expect(played.result).toMatchObject({
      directive: 'abandon',
      reason: 'law2',
      replans: 2,
      next_moves: [
        expect.objectContaining({ code: 'other_goal' }),
        expect.anything(),
        expect.anything(),
        expect.anything(),
      ],
      accountable: expect.arrayContaining([
        expect.objectContaining({ failure: 'direction_wrong', role: 'R7' }),
      ]),
    });
    expect(played.result?.partial.filter(({ status }) => status === 'matched')).toEqual([
      { subtask: '2.4', intent: 'do part 4', status: 'matched', output: 'written' },
    ]);
    expect(played.result?.unmet).toHaveLength(4);
    replayed(played);
  });

  it('Law 0 goes before Law 2: an abandoned task calls nothing achieved that was not', () => {
    const { result } = play(patient, failing(2, 3, 5));
    expect(result).toMatchObject({ directive: 'abandon', reason: 'law2', output: null });
    expect(result?.partial.every(({ status }) => status === 'failed')).toBe(true);
    expect(result?.summary).toMatch(/^not achieved \(law2\): 5 criteria are not met/);
  });
});

describe('Law 3: preserve the capacity to function', () => {
  it('memory: a directive that did not help is not remembered as one that did', () => {
    const stuck = play(policyWith({ limits: { ...policyWith().limits, retries: 0 } }), {
      ...willing,
      plan: (_, turn: number) => ({
        value: planOf([
          {
            criteria: [criterion('a'), criterion('b')],
            tools: [['write_file', 'shell', 'find_files'][turn] ?? 'read_file'],
          },
        ]),
      }),
      execute: ({ subtask }: Attempted) =>
        did(called(['write_file', 'shell', 'find_files'][Number(subtask[0])] ?? 'read_file', subtask)),
      judge: judging('logical'),
    });
    expect(evaluations(stuck).map(({ directive }) => directive)).toContain('break_symmetry');
    const megrams = stuck.events.flatMap((event) =>
      event.t === 'message' && event.kind === 'Megram' ? event.body.megrams : [],
    );
    expect(megrams.length).toBeGreaterThan(0);
    // D never fell, so nothing is credited (dec-M3); what failed is remembered as failed.
    expect(megrams.filter(({ state }) => state === 'break_symmetry')).toEqual([]);
    expect(megrams.map(({ state }) => state)).toContain('abandon');
  });

  it('costs: role calls stay below a bound that the policy gives, and the result says how many there were', () => {
    fc.assert(
      fc.property(policies(), entropy(), (policy, draw) => {
        const played = playRandom(policy, draw);
        const calls = played.asked.length;
        expect(calls).toBeLessThanOrEqual(
          boundOf({ policy: policy as unknown as Json, run_id: '', ts_base: '', input: null }),
        );
        const roleCalls = played.events.filter(
          (event) => event.t === 'asked' && !['clock', 'recall', 'confirm', 'call'].includes(event.kind),
        ).length;
        expect(played.result?.costs.calls).toBe(roleCalls);
        expect(played.result?.costs.sequential_calls ?? Infinity).toBeLessThanOrEqual(roleCalls);
      }),
      runs,
    );
  });

  const garbage: readonly Json[] = [
    null,
    {},
    [],
    'yes',
    0.5,
    { value: null },
    { verdicts: [{}] },
    { tool_calls: 'many' },
    { t_us: -1 },
    { $sealed: '0'.repeat(64) },
  ];

  it.each(['clock', 'perceive', 'recall', 'plan', 'confirm', 'step', 'call', 'judge', 'merge'])(
    'the loop ends where %s answers nothing but garbage, and nothing is called done',
    (kind) => {
      const policy = policyWith({ clock: 'asked', memory: true });
      const bound = boundOf({ policy: policy as unknown as Json, run_id: '', ts_base: '', input: null });
      const sane: Cast = {
        ...willing,
        clock: (_, turn: number) => ({ value: { t_us: turn } }),
        recall: () => ({ value: NO_RECALL }),
        plan: () => ({
          value: planOf(
            [{ criteria: [criterion('old.txt is gone')], tools: ['remove_file'] }],
            [criterion('it is said')],
          ),
        }),
        confirm: () => ({ value: { approved: true, note: null } }),
        execute: () => did(called('remove_file', 'old.txt')),
      };
      expect(play(policy, sane).rejections).toEqual([]);
      for (const value of garbage) {
        const played = play(policy, { ...sane, [kind]: () => ({ value }) });
        expect(played.result).not.toBeNull();
        expect(played.asked.length).toBeLessThanOrEqual(bound);
        // Without a clock or a memory the task still goes on; without any other role it is not achieved.
        expect(played.result?.directive).toBe(kind === 'clock' || kind === 'recall' ? 'accept' : 'abandon');
        replayed(played);
      }
    },
  );

  it.each(['timeout', 'unavailable', 'lost', 'exhausted'] as const)(
    'the loop ends where every role fails with %s',
    (code) => {
      for (const final of [false, true]) {
        const failure = { code, final, detail: null };
        const nobody = (): { readonly failure: typeof failure } => ({ failure });
        const played = play(
          policyWith({ clock: 'asked', memory: true }),
          Object.fromEntries(
            ['clock', 'perceive', 'recall', 'plan', 'confirm', 'step', 'call', 'judge', 'merge'].map(
              (kind) => [kind, nobody],
            ),
          ),
        );
        const isHeard = code === 'exhausted';
        expect(played.result).toMatchObject({
          directive: 'abandon',
          reason: isHeard ? 'perceiver_gave_up' : 'no_answer',
        });
        const late = play(policyWith(), { ...willing, execute: nobody });
        expect(late.result).toMatchObject({
          directive: 'abandon',
          accountable: isHeard ? [{ role: 'R3' }] : [],
        });
      }
    },
  );
});

const CALLED = {
  status: 'ok',
  code: null,
  why: null,
  output: '',
  output_bytes: 0,
  digest: null,
  target: 'a',
} as const;
