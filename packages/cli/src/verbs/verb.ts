/** Verbs as rows of data, and what the parser of the command line makes of them. */
import { Argument, Option, type Command } from 'commander';
import type { Context } from '../call/output.js';
import type { ExitCode } from '../problems/problem.js';

/** Usage → help, such as `--pin <key=value>`. A `*` behind it: may be given again; a `!`: must be given. */
export type Usages = { readonly [usage: string]: string };

/**
 * A verb. `args`: usage → help. What is written as `<a|b>` is one of these. `load` gives what
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
      command.addArgument(describeArgument(usage, said, defaults));
    for (const [usage, said] of Object.entries(options))
      command.addOption(describeOption(usage, said, defaults));
    declareVerbs(command, below, act);
    if (after !== undefined) command.addHelpText('after', after);
    if (load !== undefined) command.action(act(verb));
  }
}

/** The words of which `<a|b>` is one; empty for any value. */
function listChoices(usage: string): readonly string[] {
  return /<([a-z-]+(?:\|[a-z-]+)+)>/.exec(usage)?.[1]?.split('|') ?? [];
}

function describeArgument(usage: string, help: string, defaults: NonNullable<Verb['defaults']>): Argument {
  const argument = new Argument(usage, help);
  const own = defaults[usage.slice(1, -1)];
  if (own !== undefined) argument.default(own);
  const choices = listChoices(usage);
  return choices.length === 0 ? argument : argument.choices(choices);
}

/** An option by its usage. */
export function describeOption(
  usage: string,
  help: string,
  defaults: NonNullable<Verb['defaults']> = {},
): Option {
  const [, flags = '', mark = ''] = /^(.*?)([*!]?)$/.exec(usage) ?? [];
  const option = new Option(flags, help);
  const choices = listChoices(flags);
  if (choices.length > 0) option.choices(choices);
  const own = defaults[option.attributeName()];
  if (own !== undefined) option.default(own);
  if (mark === '!') option.makeOptionMandatory();
  if (mark === '*')
    option
      .argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value])
      .default([], 'none');
  return option;
}
