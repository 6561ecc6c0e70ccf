/** Random polls: genesis inputs, answers and whole ledgers of `tally`. */
import {
  openRun,
  orThrow,
  type EvidenceRecord,
  type GenesisInput,
  type Json,
  type KernelOptions,
  type Request,
  type Run,
} from '@assay/kernel';
import fc from 'fast-check';
import { entropy } from '../laws/law.js';
import { drive } from '../laws/script.js';
import { makeSetup, type MachineArbitraries } from '../laws/setup.js';
import { tally } from './tally.js';
import type { BallotBody, NoticeBody, TallyAnswer, TallyEvent, TallyState } from './tally-state.js';

/** Options of a random poll: hostile to whoever indexes an object by them. */
const OPTIONS: readonly string[] = [
  'tea',
  'coffee',
  'water',
  '__proto__',
  'constructor',
  '\u{1f375}',
  'e\u0301',
  '10',
];
const NOTES: readonly string[] = [
  'hello',
  'hello again',
  '',
  '\u2028',
  '\u05e9\u05dc\u05d5\u05dd',
  '__proto__',
  '\u{1f469}\u200d\u{1f4bb}',
];

/** A poll of one to five voters, one to three attempts each. */
function tallyGenesis(): fc.Arbitrary<GenesisInput> {
  const policy = fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.nat(), fc.integer({ min: 1, max: 3 }))
    .map(([voters, quorum, attempts]) => ({ voters, quorum: 1 + (quorum % voters), attempts }));
  const input = fc.record({
    question: fc.constantFrom('What is served?', '', 'Was gibt es?\u2029'),
    options: fc.uniqueArray(fc.constantFrom(...OPTIONS), { minLength: 2, maxLength: 4 }),
  });
  return fc.record({
    run_id: fc.constantFrom('poll-1', 'poll~2'),
    ts_base: fc.constantFrom('t', '2026-01-01T00:00:00Z'),
    policy,
    input: input.map((parts) => ({ ...parts })),
  });
}

/**
 * Mostly what `tally` accepts: an option of the ballot, a new notice. Some unknown options, notices said
 * before, and the end of the poll.
 */
function tallyAnswer(request: Request<BallotBody | NoticeBody>): fc.Arbitrary<Json> {
  const { body } = request;
  if ('options' in body)
    return fc
      .oneof(
        { weight: 7, arbitrary: fc.constantFrom(...body.options) },
        { weight: 1, arbitrary: fc.constantFrom('milk', '') },
      )
      .map((option) => ({ option }));
  const note = fc
    .oneof(
      fc.constantFrom(...NOTES),
      fc.nat(99).map((n) => `notice ${n}`),
    )
    .map((text) => ({ note: text }));
  return fc.oneof({ weight: 12, arbitrary: note }, { weight: 1, arbitrary: fc.constant({ end: true }) });
}

/** What `machineLaws` needs of `tally`. */
export function tallyArbitraries(): MachineArbitraries<TallyState, BallotBody | NoticeBody> {
  return {
    genesis: tallyGenesis(),
    answer: tallyAnswer,
    stepsMax: 14,
    bound: ({ policy }) => {
      const { attempts, voters } = policy as { readonly voters: number; readonly attempts: number };
      return voters * attempts;
    },
    invariantArrival: ({ kind }) => kind === 'ballot',
  };
}

/** A random poll under way or ended, with its ledger. */
export type TallyLedger = {
  readonly records: readonly EvidenceRecord[];
  readonly run: Run<TallyState, TallyAnswer, TallyEvent, BallotBody | NoticeBody>;
};

/**
 * Whole ledgers of random polls: every sort of proposal, rejections, failures, successes and refusals.
 * `isClosed`: only polls that ended.
 */
export function tallyLedger(
  options: KernelOptions & { readonly isClosed?: boolean; readonly stepsMax?: number } = {},
): fc.Arbitrary<TallyLedger> {
  const { isClosed = false, stepsMax = 14, ...kernelOptions } = options;
  const setup = makeSetup(tally, tallyArbitraries(), kernelOptions);
  const ledgers = fc.tuple(fc.nat(stepsMax), entropy()).map(([length, draw]): TallyLedger => {
    const { records, run } = drive(setup, draw, isClosed ? stepsMax * 20 : length);
    return { records, run };
  });
  return isClosed ? ledgers.filter(({ run }) => run.outcome !== null) : ledgers;
}

/** A poll opened with what a test says: voters, options and attempts have ordinary values where not given. */
export function openPoll(
  given: {
    readonly run_id?: string;
    readonly ts_base?: string;
    readonly voters?: number;
    readonly quorum?: number;
    readonly attempts?: number;
    readonly question?: string;
    readonly options?: readonly string[];
  } = {},
  options?: KernelOptions,
): { readonly run: TallyLedger['run']; readonly records: readonly EvidenceRecord[] } {
  const {
    run_id = 'poll',
    ts_base = 't',
    voters = 3,
    quorum = 2,
    attempts = 2,
    question = 'What is served?',
    options: choices = ['tea', 'coffee'],
  } = given;
  return orThrow(
    openRun(
      tally,
      { run_id, ts_base, policy: { voters, quorum, attempts }, input: { question, options: choices } },
      options,
    ),
  );
}
