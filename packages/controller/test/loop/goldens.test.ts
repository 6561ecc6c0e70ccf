import { describe, expect, it } from 'vitest';
import {
  makeHead,
  openRun,
  orThrow,
  replayable,
  replayWith,
  advance,
  openRequests,
  type EvidenceRecord,
  type GenesisInput,
  type Proposal,
} from '@assay/kernel';
import { resumeRun, snapshot } from '@assay/kernel';
import { controller, roundsIn, type FinalResult } from '../../src/index.js';
import { listGoldens, readRecords } from '../../../kernel/tools/goldens.ts';

const resultOf = (records: readonly EvidenceRecord[]): FinalResult =>
  (
    records.find(
      ({ kind, payload }) => kind === 'artifact' && (payload as { name: string }).name === 'final_result',
    )?.payload as unknown as { content: FinalResult }
  ).content;

/** What each scenario must say, round by round. Source: planner-controller D.8 E4. */
const SAID: readonly (readonly [name: string, directives: readonly string[], more?: object])[] = [
  [
    'controller-c1-task',
    ['change_path', 'change_path', 'change_path', 'abandon'],
    { reason: 'omega', replans: 3 },
  ],
  ['controller-c1-loss', ['change_path', 'refine', 'abandon'], { reason: 'law2', replans: 2 }],
  [
    'controller-c2-loss',
    ['change_path', 'change_path', 'change_path', 'change_path', 'abandon'],
    { reason: 'omega', replans: 4, loss: { Omega: { ppm: 933_333 } } },
  ],
  [
    'controller-c3-loss',
    ['change_path', 'change_path', 'change_path', 'change_path', 'abandon'],
    { reason: 'omega', loss: { Omega: { exact: '4/5' } } },
  ],
  [
    'controller-c4-success',
    ['success'],
    {
      loss: { D: { exact: '3/10' } },
      unmet: [{ text: 'part 0 is written' }, { text: 'part 1 is written' }, { text: 'part 2 is written' }],
    },
  ],
  ['controller-c4-hard', ['change_path', 'abandon'], { reason: 'omega' }],
  ['controller-c5-rejected', ['break_symmetry', 'abandon'], { unmet: [{ verdict: 'fail' }] }],
  [
    'controller-c6-infrastructure',
    ['change_path', 'abandon'],
    { loss: { D: { exact: '1/1' }, P: { exact: '0/1' } }, unmet: [{ verdict: 'none' }] },
  ],
  ['controller-c7-half', ['change_path', 'abandon'], { loss: { P: { exact: '1/2' } } }],
  ['controller-c10-oscillation', ['break_symmetry', 'abandon'], { reason: 'omega' }],
  [
    'controller-c11-slow',
    ['change_path', 'refine', 'refine', 'refine', 'refine', 'refine', 'refine', 'success'],
    { reason: 'converged', replans: 7 },
  ],
  [
    'controller-c12-late',
    [
      'change_path',
      'change_path',
      'change_path',
      'change_path',
      'change_path',
      'change_path',
      'change_path',
      'abandon',
    ],
    { loss: { Omega: { exact: '17/20' }, D: { exact: '1/10' } } },
  ],
  ['controller-c13-garbage', ['change_path', 'accept'], { replans: 1 }],
  ['controller-accept', ['accept'], { costs: { calls: 12, sequential_calls: 9, tool_calls: 3 } }],
  ['controller-break-symmetry', ['break_symmetry', 'accept']],
  ['controller-change-approach', ['break_symmetry', 'change_approach', 'accept']],
  ['controller-refine', ['change_path', 'refine', 'accept']],
  ['controller-unconfirmed', ['abandon'], { reason: 'not_confirmed', accountable: [] }],
  ['controller-correction', ['accept'], { costs: { tool_calls: 3 } }],
  ['controller-turned-away', ['accept']],
  ['controller-held', ['accept'], { costs: { tool_calls: 1 } }],
  ['controller-breach', ['abandon'], { reason: 'law1_breach', next_moves: [{ code: 'look' }, {}, {}, {}] }],
  ['controller-mends', ['break_symmetry', 'accept']],
  ['controller-memory-first', ['break_symmetry', 'abandon'], { replans: 1 }],
  ['controller-memory-second', ['accept'], { replans: 0 }],
  ['controller-e2e-accept', ['accept']],
  ['controller-e2e-abandon', ['abandon'], { reason: 'input_missing' }],
  ['controller-e2e-change-path', ['change_path', 'accept']],
  ['controller-e2e-success', ['success'], { loss: { D: { exact: '3/10' } } }],
  ['controller-e2e-refine', ['change_path', 'refine', 'accept']],
  ['controller-e2e-break-symmetry', ['break_symmetry', 'accept']],
  ['controller-e2e-change-approach', ['break_symmetry', 'change_approach', 'accept']],
];

describe('the scenarios E4 and a run for each directive, as committed', () => {
  it('has a word on each fixture', () => {
    expect(SAID.map(([name]) => name).sort()).toEqual(listGoldens('controller'));
  });

  it.each(SAID.map(([name, directives, more]) => ({ name, directives, more: more ?? {} })))(
    '$name says what the scenario wants',
    ({ name, directives, more }) => {
      const records = readRecords(name);
      expect(roundsIn(records).map(({ directive }) => directive)).toEqual(directives);
      expect(resultOf(records)).toMatchObject(more);
    },
  );

  it('gives every directive at least once', () => {
    const given = new Set(
      SAID.flatMap(([name]) => roundsIn(readRecords(name)).map(({ directive }) => directive)),
    );
    expect([...given].sort()).toEqual([
      'abandon',
      'accept',
      'break_symmetry',
      'change_approach',
      'change_path',
      'refine',
      'success',
    ]);
  });

  it('c12 hands over what was reached, c13 counts no replan for garbage', () => {
    expect(resultOf(readRecords('controller-c12-late')).partial).toEqual([
      { subtask: '7.0', intent: 'write the report', status: 'failed', output: 'written' },
    ]);
    expect(
      readRecords('controller-c13-garbage')
        .filter(({ kind }) => kind === 'rejection')
        .map(({ payload }) => (payload as { code: string }).code),
    ).toEqual(['bad_plan', 'bad_plan']);
  });

  it.each(SAID.map(([name]) => [name]))(
    '%s replays, and killed after every answer it goes on to the same bytes',
    (name) => {
      const records = readRecords(name);
      const whole = orThrow(replayWith([replayable(controller)], records));
      const { run_id, ts_base, policy, input } = records[0]?.payload as unknown as GenesisInput;
      let run = orThrow(openRun(controller, { run_id, ts_base, policy, input })).run;
      for (const { kind, payload } of records) {
        if (kind !== 'proposal') continue;
        // What a process leaves behind that is killed here: a snapshot where there is one, else the records alone.
        const taken = snapshot(run);
        if (taken !== null) run = orThrow(resumeRun(controller, taken));
        const { proposal_hash: _, ...proposal } = payload as unknown as Proposal & {
          proposal_hash: string;
        };
        run = orThrow(advance(run, proposal)).run;
      }
      expect(makeHead(run).hash).toBe(whole.head.hash);
      expect(openRequests(run)).toEqual([]);
    },
  );
});
