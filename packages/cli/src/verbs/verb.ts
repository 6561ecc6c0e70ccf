/**
 * Verbs as rows of data, and what the parser of the command line makes of them.
 *
 * @module
 */
import { Option, type Command } from 'commander';
import type { Context } from '../call/output.js';
import type { ExitCode } from '../problems/problem.js';

/** Usage → help, such as `--pin <key=value>`. A `*` behind it: may be given again; a `!`: must be given. */
export type Usages = { readonly [usage: string]: string };

/**
 * A verb. `args`: usage → help. A value of an option that is written as `<a|b>` is one of these. `load` gives what
 * does it; absent where `below` has its verbs.
 */
export type Verb = {
  readonly name: string;
  readonly help: string;
  readonly args?: Usages;
  readonly options?: Usages;
  readonly defaults?: { readonly [option: string]: string };
  /** Whether it runs machines of modules that the user names with `--machine`. */
  readonly machine?: boolean;
  readonly after?: string;
  readonly load?: () => Promise<(context: Context, ...given: never[]) => Promise<ExitCode>>;
  readonly below?: readonly Verb[];
};

/** Declares verbs. `act`: what is done where one is called. */
export function declareVerbs(
  parent: Command,
  verbs: readonly Verb[],
  act: (verb: Verb) => (...given: unknown[]) => Promise<void>,
): void {
  for (const verb of verbs) {
    const { name, help, args = {}, options = {}, defaults = {}, after, load, below = [] } = verb;
    const command = parent.command(name);
    command.description(help).showSuggestionAfterError(true);
    for (const [usage, said] of Object.entries(args))
      command.argument(usage, said, defaults[usage.slice(1, -1)]);
    for (const [usage, said] of Object.entries(options))
      command.addOption(describeOption(usage, said, defaults));
    declareVerbs(command, below, act);
    if (after !== undefined) command.addHelpText('after', after);
    if (load !== undefined) command.action(act(verb));
  }
}

/** An option by its usage. */
export function describeOption(
  usage: string,
  help: string,
  defaults: NonNullable<Verb['defaults']> = {},
): Option {
  const [, flags = '', mark = ''] = /^(.*?)([*!]?)$/.exec(usage) ?? [];
  const option = new Option(flags, help);
  const choices = /<([a-z-]+(?:\|[a-z-]+)+)>/.exec(flags)?.[1];
  if (choices !== undefined) option.choices(choices.split('|'));
  const own = defaults[option.attributeName()];
  if (own !== undefined) option.default(own);
  if (mark === '!') option.makeOptionMandatory();
  if (mark === '*')
    option
      .argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value])
      .default([], 'none');
  return option;
}
