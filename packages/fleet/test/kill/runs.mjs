/** The runs of the campaign: their geneses, and who answers them. */
import { gate } from '@assay/gate/machine';
import { hashCanonical, nobleSha256, orThrow } from '@assay/kernel';
import { completePolicy, intent } from '@assay/kernel/intent';
import { Later } from '@assay/host';
import { rulesPort } from '@assay/proposers';
import { tally } from '@assay/testing';

/** @type {readonly import('../../dist/index.js').AnyMachine[]} */
export const MACHINES = [tally, intent, gate];

const OPTIONS = ['soup', 'salad'];
const TOOL_INPUT = { path: '/menu' };
const DIGEST = orThrow(hashCanonical(TOOL_INPUT, nobleSha256));

/**
 * One run for each number: of a hundred, 60 polls, 15 requests and 15 gates, and of the polls 5 that wait for a person
 * and 5 for a clock, as the name begins.
 */
export function listRuns(count, stamp) {
  return Array.from({ length: count }, (_, n) => {
    const letter =
      'hchchchchc'[n % 20 < 10 && Math.floor(n / 20) % 5 === 0 ? n % 20 : -1] ?? 'rrrigrrrig'[n % 10];
    return {
      machine: { g: gate, i: intent }[letter] ?? tally,
      genesis: makeGenesis(`${letter}-${stamp}-${n}`, n),
    };
  });
}

function makeGenesis(run_id, n) {
  const of = (policy, input) => ({ run_id, ts_base: 't0', policy, input });
  switch (run_id[0]) {
    case 'g':
      return of({ gate: 1, allow: ['read_file'] }, { about: `a menu, ${n}`, from: null });
    case 'i':
      return of(completePolicy({}), {
        seed_text: `Page ${n} must load within 2 seconds. It must not show ads.`,
        pin: null,
      });
    default:
      return of({ voters: 3, quorum: 2, attempts: 3 }, { question: `Lunch ${n}?`, options: OPTIONS });
  }
}

/**
 * Who answers a run. `call(key, work)`: a tool performs it. `clock`: until when, in microseconds since 1970, a run that
 * waits for a clock is put off. `inbox`: the person.
 */
export function makePorts(run_id, { call, clock, inbox }) {
  const make = (source, proposer, answer) => ({
    source,
    proposer,
    perform: (request, given) => call(given.key, () => answer(request, given)),
  });
  const voter = make('rule', 'voter', ({ id }) => ({ value: { option: OPTIONS[Number(id.at(-1)) % 2] } }));
  const late = {
    ...voter,
    perform: (request, given) => {
      if (clock.now() < clock.until) throw new Later({ until: clock.until });
      return voter.perform(request, given);
    },
  };
  const table = {
    // The clock's is the last one, so that the order of answers is that of a run that need not wait.
    ballot: ({ id }) => ({ 'h 1.1': inbox, 'c 1.2': late })[`${run_id[0]} ${id}`] ?? voter,
    interpretations: () => ({
      ...make(rulesPort.source, rulesPort.proposer, (request, given) => rulesPort.perform(request, given)),
    }),
    // One call, and the run is closed once it was performed.
    call: ({ id }) =>
      id.startsWith('1.')
        ? make('rule', 'agent', () => ({
            value: {
              principal: 'agent',
              call_id: 'one',
              tool: 'read_file',
              input: TOOL_INPUT,
              digest: DIGEST,
            },
          }))
        : null,
    close: () => make('rule', 'agent', () => ({ value: {} })),
    // Never answered: without a port it would be recorded as such, where the run waits.
    notice: () => ({ source: 'human', proposer: 'notice', perform: () => Promise.reject(new Later()) }),
    perform: () => make('tool', 'files', () => ({ value: { ok: true, digest: DIGEST, bytes: 2 } })),
  };
  return (request) => table[request.kind]?.(request) ?? null;
}
