/**
 * One call of the command, from arguments to exit code: problems and defects are told here and nowhere else.
 */
import type { Output, Streams } from './call/output.js';
import { Stop, makeDefect, type ExitCode } from './problems/problem.js';
import { commonOptions, runProgram } from './program.js';

/** Runs `assay` with arguments and tells what stopped it. Never raises. */
export async function main(argv: readonly string[], streams: Streams): Promise<ExitCode> {
  try {
    return await runProgram(argv, streams);
  } catch (error) {
    // Loaded only now: help and versions print without it.
    const output: Output = new (await import('./call/output.js')).Output(commonOptions(argv), streams);
    if (error instanceof Stop) {
      output.problem(error.problem, error.stack ?? null);
      return error.problem.exit;
    }
    const modules = argv.filter((_, index) => argv[index - 1] === '--machine');
    const problem = makeDefect(error, output.isVerbose, '', modules);
    output.problem(problem, error instanceof Error ? (error.stack ?? null) : null);
    return problem.exit;
  }
}
