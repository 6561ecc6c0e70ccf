/**
 * Laws of `parse` and `decide`, called as the kernel calls them, and what a value holds, as text, so that a
 * change of it shows.
 */
import {
  type Context,
  type Failure,
  FAILURE_CODES,
  hashCanonical,
  isIntegral,
  type Json,
  type Machine,
  Meter,
  orThrow,
  type Run,
  tokenFault,
} from '@assay/kernel';
import fc from 'fast-check';
import { admittedJson, hostileVariant, integralJson } from '../generators/json.js';
import { failingProposal, goodProposal } from '../generators/proposals.js';
import { demand, demandEqual, type Draw, law, type Law } from './law.js';
import { drive, pickRequest, type proposalTo } from './script.js';
import { countSteps, type Setup, canonicalizeValue, withMachine } from './setup.js';

/** `parse/total-on-admitted`: any JSON to any request it opens gives a Result, the same each time. */
export function parseTotal<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  return law('parse/total-on-admitted', countSteps(setup), (draw, length) => {
    const { run } = drive(setup, draw, length);
    for (const request of setup.kernel.openRequests(run).slice(0, REQUESTS_MAX)) {
      const value = draw(ANY_VALUE);
      const once = setup.machine.parse(value, request);
      demand(
        once._tag === 'Right' || (once._tag === 'Left' && typeof once.left.code === 'string'),
        () => `parse gives no Result for ${canonicalizeValue(value, 'the value')}`,
      );
      demandEqual(
        fingerprint(once),
        fingerprint(setup.machine.parse(value, request)),
        'parse, called twice,',
      );
    }
  });
}

/** `decide/never-mutates`: state, answer and context are afterwards what they were, but for the meter. */
export function decideNeverMutates<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  const machine: Machine<S, I, E, A> = {
    ...setup.machine,
    decide: (state, answer, context) => {
      const { meter: _, ...rest } = context;
      const before = fingerprint([state, answer, rest]);
      const decided = setup.machine.decide(state, answer, context);
      demandEqual(before, fingerprint([state, answer, rest]), 'what decide was given');
      return decided;
    },
  };
  return law(
    'decide/never-mutates',
    countSteps(setup),
    (draw, length) => void drive(withMachine(setup, machine), draw, length),
  );
}

/** `decide/never-rejects-a-failure`: every failure at every open request gives a decision. */
export function decideTakesFailures<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  const failures: readonly Failure[] = [
    ...FAILURE_CODES.flatMap((code) => [true, false].map((final) => ({ code, final, detail: null }))),
    // What the kernel itself gives: a decision beyond the limits, a rejection on the last attempt.
    { code: 'exhausted', final: true, detail: { code: 'limit_bytes' } },
    { code: 'exhausted', final: true, detail: { code: 'a_rejection', detail: null } },
  ];
  const tryAll = (run: Run<S, I, E, A>, draw: Draw): void => {
    const request = pickRequest(setup, run, draw);
    if (request === null) return;
    const { provenance: _, ...seen } = draw(
      goodProposal(request, draw(setup.arbitraries.answer(request, run.state))),
    );
    for (const failure of [
      ...failures,
      { code: 'malformed' as const, final: draw(fc.boolean()), detail: draw(ANY_DETAIL) },
    ]) {
      const proposal =
        failure.code === 'exhausted' ? seen : { ...seen, value: null, confidence: null, failure };
      const decided = setup.machine.decide(
        run.state,
        { request, proposal, input: { _tag: 'Left', left: failure }, spent: {} },
        contextAfter(run),
      );
      demand(
        decided._tag === 'Right',
        () =>
          `decide rejects the failure ${canonicalizeValue(failure, 'failure')} to ${request.kind}: ` +
          `${decided._tag === 'Left' ? decided.left.code : ''}`,
      );
    }
  };
  return law('decide/never-rejects-a-failure', countSteps(setup), (draw, length) => {
    const { first } = drive(setup, draw, length, {
      after: ({ step }) => (step.run.outcome === null && tryAll(step.run, draw), null),
    });
    tryAll(first, draw);
  });
}

/**
 * `decide/derived-admissible`: whatever comes in, no decision, rejection or State is inadmissible. The kernel
 * throws on the first two.
 */
export function derivedAdmissible<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  const hostile = (run: Run<S, I, E, A>, draw: Draw): ReturnType<typeof proposalTo> => {
    const request = pickRequest(setup, run, draw);
    if (request === null) return null;
    const likely = draw(setup.arbitraries.answer(request, run.state));
    const sort = draw(fc.nat(5));
    if (sort === 0) return draw(failingProposal(request));
    return draw(goodProposal(request, sort === 1 ? likely : draw(hostileVariant(likely))));
  };
  return law('decide/derived-admissible', countSteps(setup), (draw, length) => {
    drive(setup, draw, length, {
      propose: hostile,
      after: ({ step }) => {
        const state = setup.machine.encode(step.run.state);
        canonicalizeValue(state, 'encode(state)');
        demand(isIntegral(state), () => 'encode(state) holds a number that is no integer');
        demand(tokenFault(state) === null, () => `encode(state) holds a ${tokenFault(state)}`);
        return null;
      },
    });
  });
}

const REQUESTS_MAX = 8;
const ANY_VALUE: fc.Arbitrary<Json> = fc.oneof(
  admittedJson(),
  fc.constantFrom<Json>(null, true, 0, '', [], {}),
);
const ANY_DETAIL: fc.Arbitrary<Json> = integralJson();

/**
 * The context of the decision after the next proposal. The input hash stands for that proposal's: the run's
 * head is as good.
 */
function contextAfter<S, I, E extends Json, A extends Json>(run: Run<S, I, E, A>): Context {
  return {
    run_id: run.genesis.run_id,
    sequence: run.count + 1,
    input_hash: run.hash,
    meter: new Meter(),
    hash: (value) => orThrow(hashCanonical(value, run.sha256)),
  };
}

/**
 * Text of all that is reachable from a value. Equal texts before and after a call: the call changed nothing.
 */
export function fingerprint(value: unknown): string {
  const parts: string[] = [];
  write(value, parts, new Map());
  return parts.join('');
}

function write(value: unknown, parts: string[], seen: Map<object, number>): void {
  if (typeof value === 'function') {
    parts.push('function');
  } else if (typeof value !== 'object' || value === null) {
    parts.push(
      typeof value === 'string'
        ? `"${value.replaceAll('"', '""')}"`
        : Object.is(value, -0)
          ? '-0'
          : String(value),
    );
  } else {
    const known = seen.get(value);
    if (known !== undefined) {
      parts.push(`#${known}`);
      return;
    }
    seen.set(value, seen.size);
    writeObject(value, parts, seen);
  }
}

function writeObject(value: object, parts: string[], seen: Map<object, number>): void {
  parts.push(Array.isArray(value) ? '[' : '{');
  if (value instanceof Map) for (const entry of value) write(entry, parts, seen);
  else if (value instanceof Set) for (const item of value) write(item, parts, seen);
  else if (ArrayBuffer.isView(value))
    parts.push(new Uint8Array(value.buffer, value.byteOffset, value.byteLength).join(' '));
  for (const key of Reflect.ownKeys(value)) {
    const slot = Object.getOwnPropertyDescriptor(value, key);
    parts.push(String(key), ':');
    write(slot?.get === undefined ? slot?.value : 'a getter', parts, seen);
    parts.push(',');
  }
  parts.push(Array.isArray(value) ? ']' : '}');
}
