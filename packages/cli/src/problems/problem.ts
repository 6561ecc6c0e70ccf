/** Problems, and the exit codes that they end with. */
import type { Result } from '@assay/kernel';
import type { Shown } from '../terminal/shown.js';

/**
 * An error of the command line. `message`, `place` and `remedy` are plain text and may quote hostile input:
 * output escapes them.
 */
export type Problem = {
  readonly code: string;
  readonly message: string;
  /** A file, an argument, a record; "" where there is none. */
  readonly place: string;
  readonly remedy: string;
  /**
   * The remedy as it is printed, where it holds a command line: that is quoted for a shell, and an escape
   * more would change what it says.
   */
  readonly typed?: Shown;
  readonly exit: ExitCode;
};

/** A remedy in plain text, or one with a command line in it: `show` with `commandLine`. */
export type Remedy = string | Shown;

/** Raised to end a command with a {@link Problem}; caught once, by the entry. */
export class Stop extends Error {
  override readonly name = 'Stop';
  /** Why. */
  readonly problem: Problem;
  constructor(problem: Problem, cause?: unknown) {
    super(`${problem.code}: ${problem.message}`, { cause });
    this.problem = problem;
  }
}

/** Stops with a problem whose remedy may hold a command line. */
export function makeStop({
  remedy,
  ...problem
}: Omit<Problem, 'remedy' | 'typed'> & { readonly remedy: Remedy }): Stop {
  if (typeof remedy === 'string') return new Stop({ ...problem, remedy });
  // Not by `plain`: its module loads the verifier, which --help does without.
  return new Stop({ ...problem, remedy: remedy.parts.map(({ text }) => text).join(''), typed: remedy });
}

/** A problem of wrong use or configuration: exit 2. */
export function misuse(code: string, message: string, place: string, remedy: Remedy): Stop {
  return makeStop({ code, message, place, remedy, exit: EXIT.use });
}

/** A value that is not taken, with what to give instead: exit 2. */
export function badValue(message: string, place: string, remedy: Remedy): Stop {
  return misuse('bad_value', message, place, remedy);
}

/** An option or an argument that this call needs: exit 2. */
export function needsOption(message: string, place: string, remedy: Remedy): Stop {
  return misuse('option_needed', message, place, remedy);
}

/** A module of the user that does not export what it must, or whose code fails: exit 2. */
export function badMachine(message: string, place: string, remedy: Remedy): Stop {
  return misuse('machine_file', message, place, remedy);
}

/** A problem of a file or store that cannot be reached: exit 5. */
export function unreachable(code: string, message: string, place: string, remedy: Remedy): Stop {
  return makeStop({ code, message, place, remedy, exit: EXIT.unreachable });
}

/** A problem of evidence that does not hold, wherever it is met: exit 3. Nothing of it was changed. */
export function unsound(code: string, message: string, place: string, remedy: Remedy): Stop {
  return makeStop({ code, message, place, remedy, exit: EXIT.failed });
}

/**
 * What is told of an error that is no problem of the user's. `place`: the file it came up with; `modules`: of
 * the user's own machines, to whom a broken invariant of the kernel is put down.
 */
export function makeDefect(
  error: unknown,
  isVerbose: boolean,
  place = '',
  modules: readonly string[] = [],
): Problem {
  if (modules.length > 0 && error instanceof Error && error.name === 'InvariantError')
    return {
      code: 'machine_file',
      message: `a machine of this module breaks a rule of the kernel: ${error.message}`,
      place: modules.join(', '),
      remedy: 'hold it to the laws of @assay/testing (docs/guides/write-a-machine.md)',
      exit: EXIT.use,
    };
  if (error instanceof Error && error.name === 'EngineError')
    return {
      code: 'contract_engine',
      message: `the engine of contracts cannot be used: ${error.message}`,
      place,
      remedy: 'install @assay/ecology/sandbox again; assay doctor looks at it',
      exit: EXIT.use,
    };
  return {
    code: 'internal_error',
    message: error instanceof Error ? error.message : String(error),
    place,
    remedy: isVerbose
      ? 'please report this, with the trace below'
      : 'please report this; --verbose shows where it happened',
    exit: EXIT.defect,
  };
}

/**
 * What the process ends with. `done`: what was asked was checked and held, or a run ended with success. `no`:
 * the answer is no. `use`: wrong use or configuration. `failed`: a check failed. `unchecked`: something asked
 * for could not be checked. `unreachable`: a proposer or store. `waiting`: something outside must answer first.
 * `defect`: an internal error. `interrupted`: by a signal.
 */
export const EXIT = {
  done: 0,
  no: 1,
  use: 2,
  failed: 3,
  unchecked: 4,
  unreachable: 5,
  waiting: 6,
  defect: 70,
  interrupted: 130,
} as const;
/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const PRECEDENCE: readonly ExitCode[] = [
  EXIT.defect,
  EXIT.interrupted,
  EXIT.use,
  EXIT.unreachable,
  EXIT.failed,
  EXIT.no,
  EXIT.waiting,
  EXIT.unchecked,
  EXIT.done,
];

/** Of several exit codes the one that counts: 70, 130, 2, 5, 3, 1, 6, 4, 0 in that order. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  return PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT.done;
}

/** What a result holds; raises its error in words. */
export function orStop<E, A>(result: Result<E, A>, inWords: (error: E) => Stop): A {
  if (result._tag === 'Left') throw inWords(result.left);
  return result.right;
}
