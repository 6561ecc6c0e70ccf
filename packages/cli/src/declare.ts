/**
 * What the declarations of commands share.
 *
 * @module
 */
import { Option, type Command } from 'commander';
import type { Context } from './commands/context.js';
import type { ExitCode } from './problems/exit.js';

/** Loads a command's module. */
export type Load<A extends readonly unknown[]> = () => Promise<
  (context: Context, ...given: A) => Promise<ExitCode>
>;

/** Binds a command to the module it loads. */
export type Lazily = <A extends readonly unknown[]>(load: Load<A>) => (...given: unknown[]) => Promise<void>;

/** How language models are asked. */
export function modelFlags(command: Command): Command {
  return command
    .addOption(
      repeatable(
        '--llm <name=value>',
        'a model parameter: max_output_tokens, temperature, top_p, seed, timeout=SECONDS or prices=FILE',
        'of the provider; timeout=600',
      ),
    )
    .addOption(
      repeatable(
        '--budget <unit=n>',
        'a spending limit: input_tokens=N, output_tokens=N or, with prices, usd_micros=N',
        'no limit',
      ),
    );
}

/** An option that may be given several times. `absent`: what the help says of a call without it. */
export function repeatable(flags: string, description: string, absent: string = 'none'): Option {
  return new Option(flags, description)
    .argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value])
    .default([], absent);
}
