/** A law: a named property of a machine, checked on random runs. */
import fc from 'fast-check';

/** Runs of each law if none are given. */
const LAW_RUNS = 1_000;
/** The seed if none is given: fixed, so that two runs of a suite try the same cases. */
export const LAW_SEED = 20_260_101;

/** One law. `check` throws where it does not hold, with the seed and the shrunk case in the message. */
export type Law = {
  readonly name: LawName | ViewLawName;
  readonly check: (runs?: number, seed?: number) => void;
};

/** Every law of the machine interface, in its order. */
export const LAW_NAMES = [
  'parse/total-on-admitted',
  'decide/never-mutates',
  'advance/one-request-one-answer',
  'decide/never-rejects-a-failure',
  'decide/derived-admissible',
  'advance/spend-conserved',
  'advance/rejection-keeps-machine-state',
  'replay/same-log-same-state',
  'replay/split-equals-whole',
  'replay/cut-anywhere-due-completes',
  'snapshot/resume-equals-whole',
  'fork/refed-equals-parent',
  'requests/open-table-derivable-without-machine',
  'outcome/arrival-order-invariant',
  'run/terminates-within-policy-bound',
  'version/old-ledger-under-both',
] as const;
/** One of `LAW_NAMES`. */
export type LawName = (typeof LAW_NAMES)[number];

/** Every law of a view. */
export const VIEW_LAW_NAMES = [
  'view/total',
  'view/bounded',
  'view/split-equals-whole',
  'view/said-is-marked',
  'tryOut/no-change-is-the-same',
] as const;
/** One of {@link VIEW_LAW_NAMES}. */
type ViewLawName = (typeof VIEW_LAW_NAMES)[number];

/**
 * Makes a law of a function that draws what it needs and throws where the law does not hold. `length`: how
 * many steps a script may take; a failure is shrunk in it.
 */
export function law(name: Law['name'], lengthMax: number, holds: (draw: Draw, length: number) => void): Law {
  return {
    name,
    check: (runs = LAW_RUNS, seed = LAW_SEED) =>
      fc.assert(
        fc.property(fc.nat(lengthMax), entropy(), (length, draw) => holds(draw, length)),
        { numRuns: runs, seed },
      ),
  };
}

/** A broken law: what was expected and what was found, as text. */
export class LawViolation extends Error {
  override readonly name = 'LawViolation';
}

/** Throws a {@link LawViolation} where a condition does not hold. */
export function demand(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new LawViolation(message());
}

/** Throws a {@link LawViolation} where two texts differ: the first place, with some of both. */
export function demandEqual(expected: string, got: string, what: string): void {
  if (expected === got) return;
  let at = 0;
  while (expected[at] === got[at]) at += 1;
  const from = Math.max(0, at - 40);
  throw new LawViolation(
    `${what} differs at character ${at}:\n  expected …${expected.slice(from, at + 80)}\n  ` +
      `got      …${got.slice(from, at + 80)}`,
  );
}

/** The functions of a test framework the laws need: those of Vitest, `node:test`, Jest or Mocha. */
export type Suite = {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => void) => unknown;
};

/**
 * Registers one test for each law, named by the law, in a group named by the machine.
 *
 * @example
 * ```ts
 * import { describe, it } from 'vitest'; // or node:test
 * registerLaws({ describe, it }, 'tally', machineLaws(tally, tallyArbitraries()));
 * ```
 */
export function registerLaws(
  suite: Suite,
  title: string,
  laws: readonly Law[],
  options: { readonly runs?: number; readonly seed?: number } = {},
): void {
  suite.describe(title, () => {
    for (const { name, check } of laws) suite.it(name, () => check(options.runs, options.seed));
  });
}

/** Draws a value of any arbitrary. The same seed draws the same values in the same order. */
export type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T;

/** An arbitrary of {@link Draw}. Fresh for each run and each attempt at shrinking; shows what it drew. */
export function entropy(): fc.Arbitrary<Draw> {
  return new Entropy();
}

class Entropy extends fc.Arbitrary<Draw> {
  override generate(random: fc.Random, bias: number | undefined): fc.Value<Draw> {
    const start = random.clone();
    random.nextInt();
    return new fc.Value(drawFrom(start, bias), undefined);
  }

  override canShrinkWithoutContext(_value: unknown): _value is Draw {
    return false;
  }

  override shrink(): fc.Stream<fc.Value<Draw>> {
    return fc.Stream.nil();
  }
}

function drawFrom(start: fc.Random, bias: number | undefined): Draw {
  const random = start.clone();
  const drawn: unknown[] = [];
  const draw: Draw = (arbitrary) => {
    const { value } = arbitrary.generate(random, bias);
    drawn.push(value);
    return value;
  };
  return Object.assign(draw, {
    [fc.cloneMethod]: () => drawFrom(start, bias),
    [fc.toStringMethod]: () => `drawn: ${fc.stringify(drawn)}`,
  });
}
