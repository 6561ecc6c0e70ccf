/**
 * What a command is given besides its arguments.
 *
 * @module
 */
import type { ExitCode } from '../problems/problem.js';
import type { Interruption } from '../terminal/interruption.js';
import type { Output } from './output.js';

/** The surroundings of a command: tests give others. */
export type Context = {
  readonly output: Output;
  readonly env: NodeJS.ProcessEnv;
  /** The next line a person types; null where no person is at a terminal. */
  readonly readLine: (() => Promise<string | null>) | null;
  readonly interruption: Interruption;
};

/**
 * A command: what it prints goes to the output, what stops it is raised, and what it ends with is returned.
 */
export type Command<A extends readonly unknown[]> = (context: Context, ...given: A) => Promise<ExitCode>;
