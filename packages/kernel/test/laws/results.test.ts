import fc from 'fast-check';
import { describe, it } from 'vitest';
import {
  admit,
  advance,
  canonicalize,
  Graph,
  hashCanonical,
  insertNode,
  Ledger,
  openRun,
  orThrow,
  parseHeadLine,
  readCanonical,
  replayWith,
  resumeRun,
  utf8Bytes,
  validateChain,
  validateRun,
  validateRunFile,
  type EvidenceRecord,
  type Json,
  type Result,
} from '@assay/kernel';
import {
  intent,
  intentReplayable,
  parseEvidence,
  parseInterpretations,
  parsePin,
  replay,
  runEngine,
  SeedText,
} from '@assay/kernel/intent';
import { referenceEncode } from '@assay/kernel/reference';
import { tally } from '@assay/testing';
import { arbitraryAdmitted } from '../../tools/arbitrary-json.js';
import { lawRuns } from '../../tools/laws.js';
import { readSnapshot } from '../../src/machine/snapshot.js';
import { parsePolicy } from '../../src/intent/policy.js';
import { resume } from '../../src/replay/replay.js';

const RUNS = lawRuns('laws of results');
const SEED = new SeedText('Uploads must finish within 2 s.');
const opened = orThrow(
  openRun(tally, {
    run_id: 'r',
    ts_base: 't',
    policy: { voters: 1, quorum: 1, attempts: 2 },
    input: { question: 'q', options: ['a', 'b'] },
  }),
).run;

/**
 * Every public function that returns a Result and takes a value from outside; what its types promise is not
 * kept here on purpose.
 */
const FUNCTIONS: Readonly<Record<string, (value: Json) => Result<unknown, unknown>>> = {
  admit,
  canonicalize,
  hashCanonical,
  referenceEncode,
  readCanonical: (value) => readCanonical(utf8Bytes(JSON.stringify(value))),
  parseHeadLine: (value) => parseHeadLine(typeof value === 'string' ? value : JSON.stringify(value)),
  insertNode: (value) => insertNode(Graph.empty(), 'r', 'claim', value),
  'Ledger.append': (value) => new Ledger().append('t', 'k', value),
  validateChain: (value) => validateChain([value]),
  validateRun: (value) => validateRun([value]),
  validateRunFile: (value) => validateRunFile(utf8Bytes(`${JSON.stringify(value)}\n`)),
  openRun: (value) => openRun(tally, { run_id: 'r', ts_base: 't', policy: value, input: value }),
  advance: (value) => advance(opened, value as never),
  readSnapshot: (value) => readSnapshot(value),
  resume: (value) => resume([intentReplayable], value),
  resumeRun: (value) => resumeRun(tally, value),
  replayWith: (value) => replayWith([intentReplayable], [value] as unknown as readonly EvidenceRecord[]),
  replay: (value) => replay([value] as unknown as readonly EvidenceRecord[]),
  parsePolicy,
  parsePin,
  parseEvidence,
  parseInterpretations: (value) => parseInterpretations(value, SEED),
  'intent.decode': (value) => intent.decode(value),
  'tally.decode': (value) => tally.decode(value),
  runEngine: (value) =>
    runEngine(
      'r',
      'Uploads must finish.',
      value,
      value,
      { proposer: 'rules', proposeInterpretations: () => ({ source: 'rule', value }) },
      't',
    ),
};

const isResult = (given: unknown): given is Result<unknown, unknown> =>
  typeof given === 'object' &&
  given !== null &&
  '_tag' in given &&
  (given._tag === 'Right' ? 'right' in given : given._tag === 'Left' && 'left' in given);

function check(holds: (result: Result<unknown, unknown>) => boolean): void {
  fc.assert(
    fc.property(arbitraryAdmitted(), (value) => {
      for (const [name, given] of Object.entries(FUNCTIONS)) {
        const result = given(value);
        if (!isResult(result) || !holds(result)) throw new Error(`${name}: ${JSON.stringify(result)}`);
      }
    }),
    RUNS,
  );
}

describe('laws of results', () => {
  it(
    'result/total-on-admitted: every public function that returns a Result gives one for any ' +
      'admitted value, and throws nothing',
    () => {
      check(() => true);
    },
  );

  it('result/left-is-a-code: what is on the left names a code', () => {
    check((result) => {
      if (result._tag === 'Right') return true;
      const { left } = result;
      return (
        (typeof left === 'string' && left !== '') ||
        (typeof left === 'object' &&
          left !== null &&
          'code' in left &&
          typeof left.code === 'string' &&
          left.code !== '')
      );
    });
  });
});
