/** `law-L6` of D.1, for the controller and for memory: what has no order may come in any. */
import {
  advance,
  encodeLine,
  isObject,
  openRequests,
  openRun,
  orThrow,
  type EvidenceRecord,
  type Json,
  type Machine,
  type Proposal,
  type Request,
} from '@assay/kernel';
import { entropy, type MachineArbitraries } from '@assay/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.js';
import { controller } from '../../src/index.js';
import type { Body } from '../../src/protocol/requests.js';
import { memory } from '../../src/memory/index.js';
import { controllerArbitraries, steadyArbitraries } from '../../tools/arbitraries.js';
import {
  answerPermuted,
  membersPermuted,
  planPermuted,
  renamedIn,
  verdictsPermuted,
} from '../../tools/permuted.js';
import { randomRun } from '../../tools/random-runs.js';
import { memoryArbitraries, native } from '../memory/arbitraries.js';

const runs = lawRuns('law-L6');
const options = { sha256: native };
const STEPS = 24;
/** Milliseconds that a law may take on a machine with other work. */
const LONG = 240_000;
/** For runs that are to come far: three answers in sixty are trouble. */
const SMOOTH = 60;

/** Equal as JSON; where they are not, the difference is shown. */
function same(found: Json, expected: Json): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) expect(found).toEqual(expected);
}

function fieldsPermuted<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  arbitraries: MachineArbitraries<S, A>,
): void {
  fc.assert(
    fc.property(fc.nat(STEPS), entropy(), entropy(), (length, draw, other) => {
      const { genesis, records, steps } = randomRun(machine, arbitraries, draw, length, options);
      const opening = orThrow(
        openRun(
          machine,
          membersPermuted(genesis as unknown as Json, other) as unknown as typeof genesis,
          options,
        ),
      );
      const written = [...opening.records];
      let { run } = opening;
      for (const { proposal } of steps) {
        const step = orThrow(advance(run, membersPermuted(proposal as unknown as Json, other)));
        written.push(...step.records);
        run = step.run;
      }
      same(written.map(encodeLine), records.map(encodeLine));
    }),
    runs,
  );
}

/**
 * Texts in which the place means something: they name the first of several (`failed_criterion` and what is
 * remembered of it, the code of the first of two faults, three next moves), or tell them one after the other.
 */
const FIRST_NAMED: ReadonlySet<string> = new Set([
  'failed_criterion',
  'content',
  'gap_summary',
  'why',
  'summary',
  'next_moves',
  'what_was_wrong',
  // Digests of what holds ids or lists.
  'task',
  'digest',
  'node',
  'seen',
]);
/** Lists that are told in time: what was called, and one attempt after the other. */
const IN_TIME: ReadonlySet<string> = new Set(['calls', 'tool_calls', 'trajectory', 'avoid', 'session']);

/** What a value says, whatever the order of its lists and under the names of the first run. */
function meant(value: Json, names: ReadonlyMap<string, string>, key = ''): Json {
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item) => meant(item, names));
    return IN_TIME.has(key)
      ? items
      : items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (!isObject(value)) return renamedIn(value, names);
  // Requests are numbered as they come: of two that come together either may be the first.
  const isRequest = 'accepts' in value || value['t'] === 'asked' || value['t'] === 'answered';
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !FIRST_NAMED.has(name) && !(isRequest && name === 'id'))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, meant(item, names, name)]),
  );
}

/**
 * What a step decided: events, requests, withdrawn, artifacts, how it ended; of a rejection, that it was one.
 */
function decided(records: readonly EvidenceRecord[], names: ReadonlyMap<string, string>): Json {
  return records.flatMap(({ kind, payload }): readonly Json[] => {
    if (kind === 'proposal') return [];
    if (kind === 'rejection') return ['rejection'];
    const { events, requests, name, content, status, reasons } = payload as { readonly [key: string]: Json };
    if (kind === 'decision') return [meant({ events: events ?? null, requests: requests ?? null }, names)];
    if (kind === 'artifact') return [meant({ name: name ?? null, content: content ?? null }, names)];
    return kind === 'close' ? [meant({ status: status ?? null, reasons: reasons ?? null }, names)] : [];
  });
}

const inverse = (names: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...names].map(([was, now]) => [now, was]));
const about = ({ kind, body }: Request<Body>, names: ReadonlyMap<string, string>): string =>
  `${kind} ${String(renamedIn((body as unknown as { readonly subtask?: string }).subtask ?? '', names))}`;

describe('law-L6 order: another order of what has none changes no decision', () => {
  it(
    'law-L6 of the controller: members of every object of a proposal and of the first input, to the byte',
    () => fieldsPermuted(controller, controllerArbitraries()),
    LONG,
  );
  it(
    'law-L6 of memory: members of every object of a proposal and of the first input, to the byte',
    () => fieldsPermuted(memory, memoryArbitraries()),
    LONG,
  );

  it(
    'law-L6 of the controller: verdicts, to the byte of all that is decided',
    () => {
      const whole = (records: readonly EvidenceRecord[]): Json =>
        records.flatMap(({ kind, payload }): readonly Json[] => {
          const { events, requests, withdrawn, name, content, status, reasons, code } = payload as {
            readonly [key: string]: Json;
          };
          return kind === 'proposal'
            ? []
            : [
                [
                  kind,
                  events ?? null,
                  requests ?? null,
                  withdrawn ?? null,
                  name ?? null,
                  content ?? null,
                  status ?? null,
                  reasons ?? null,
                  code ?? null,
                ],
              ];
        });
      let moved = 0;
      fc.assert(
        fc.property(
          fc.integer({ min: STEPS / 2, max: 2 * STEPS }),
          entropy(),
          entropy(),
          (length, draw, other) => {
            const { genesis, steps } = randomRun(
              controller,
              steadyArbitraries(),
              draw,
              length,
              options,
              SMOOTH,
            );
            let { run } = orThrow(openRun(controller, genesis, options));
            for (const { proposal, records } of steps) {
              const value = verdictsPermuted(proposal.value, other);
              if (JSON.stringify(value) !== JSON.stringify(proposal.value)) moved += 1;
              const step = orThrow(advance(run, { ...proposal, value }));
              same(whole(step.records), whole(records));
              run = step.run;
            }
          },
        ),
        runs,
      );
      if (runs.numRuns >= 100) expect(moved).toBeGreaterThan(0);
    },
    LONG,
  );

  it(
    'law-L6 of the controller: criteria, sub-tasks, verdicts, what a plan uses and what ' +
      'memory recalls, by another name where the place names it',
    () => {
      const seen = { plans: 0, ends: 0, moved: 0, directives: 0 };
      fc.assert(
        fc.property(
          fc.integer({ min: STEPS / 2, max: 2 * STEPS }),
          entropy(),
          entropy(),
          (length, draw, other) => {
            const one = randomRun(controller, steadyArbitraries(), draw, length, options, SMOOTH);
            let run = orThrow(openRun(controller, one.genesis, options)).run;
            let names: ReadonlyMap<string, string> = new Map();
            for (const { proposal, request, records, after } of one.steps) {
              const { round } = run.state;
              const moved =
                request?.kind === 'plan'
                  ? planPermuted(proposal.value, round, other)
                  : { value: answerPermuted(proposal.value, names, other), names: new Map<string, string>() };
              const asked =
                request === null
                  ? null
                  : openRequests(run).find(
                      (open) => about(open, inverse(names)) === about(request, new Map()),
                    );
              if (asked === undefined)
                throw new Error(`the other run does not ask for ${request?.kind ?? ''}`);
              const said: Proposal = {
                ...proposal,
                request_id: asked?.id ?? proposal.request_id,
                value: moved.value,
              };
              const step = orThrow(advance(run, said));
              const isTaken = step.rejection === null && moved.names.size > 0;
              names = isTaken ? new Map([...names, ...moved.names]) : names;
              same(decided(step.records, inverse(names)), decided(records, new Map()));
              same(
                openRequests(step.run)
                  .map((open) => about(open, inverse(names)))
                  .toSorted(),
                openRequests(after)
                  .map((open) => about(open, new Map()))
                  .toSorted(),
              );
              if (isTaken) seen.plans += 1;
              if (run.state.round !== step.run.state.round) seen.directives += 1;
              if ([...moved.names].some(([was, now]) => was !== now)) seen.moved += 1;
              run = step.run;
            }
            if (run.outcome !== null) seen.ends += 1;
          },
        ),
        runs,
      );
      console.log(
        `law-L6: ${seen.plans} plans taken, ${seen.moved} of all in another order, ` +
          `${seen.directives} directives to plan anew, ${seen.ends} runs to their end`,
      );
      if (runs.numRuns >= 100)
        expect([seen.plans > 0, seen.moved > 0, seen.directives > 0, seen.ends > 0]).toEqual([
          true,
          true,
          true,
          true,
        ]);
    },
    LONG,
  );
});
