import { advance, openRequests, orThrow } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entropy, LAW_SEED, machineLaws, plainProposal, registerLaws } from '@assay/testing';
import { memory } from '../../src/memory/index.js';
import { randomRun } from '../../tools/random-runs.js';
import { named } from '../lib/law-names.js';
import { memoryArbitraries, native } from './arbitraries.js';
import { LAW_DRAWS } from '../../../kernel/tools/laws.ts';

const runs = LAW_DRAWS;

registerLaws(
  named({ describe, it }),
  'memory',
  machineLaws(memory, memoryArbitraries(), { sha256: native }),
  { runs },
);

describe('memory', () => {
  it(
    'law-L7: it goes on until it is ended, by nothing else, and can be ended wherever it ' +
      'stands: then with success, once',
    () => {
      fc.assert(
        fc.property(fc.nat(24), entropy(), (length, draw) => {
          const { run, steps } = randomRun(memory, memoryArbitraries(), draw, length, { sha256: native });
          const enders = steps
            .filter(({ before, after }) => before.outcome === null && after.outcome !== null)
            .map(({ request }) => request?.kind);
          expect(enders).toEqual(run.outcome === null ? [] : ['end']);
          if (run.outcome !== null) return;
          const end = openRequests(run).find(({ kind }) => kind === 'end');
          const ended = orThrow(
            advance(
              run,
              plainProposal(end?.id ?? '', { value: { at_us: run.state.clock_us } }, { source: 'human' }),
            ),
          );
          expect([
            ended.rejection,
            ended.run.outcome,
            openRequests(ended.run).length,
            advance(ended.run, plainProposal('1.0', { value: null })),
          ]).toMatchObject([null, 'success', 0, { left: { code: 'run_closed' } }]);
        }),
        { seed: LAW_SEED, numRuns: runs },
      );
    },
  );
});
