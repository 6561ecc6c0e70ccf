/**
 * The commands of plans and their options.
 *
 * @module
 */
import { type Command } from 'commander';
import { modelFlags, repeatable, type Lazily } from './declare.js';

const PLANS = `
examples
  assay plan --template cli --size 4 --rate 60usd --cap cost=900usd --deadline 24h -o out
  assay plan plan.yaml --cap 'cost<500usd' -o out
  assay plan "a tool that renames photos by date" --cap cost=500usd --proposer llm:openai/MODEL -o out`;

/** Declares `plan` and what is below it. */
export function planCommands(program: Command, lazily: Lazily): void {
  const group: Command = program
    .command('plan')
    .description('plan a goal: what it costs, whether it fits, and the least that makes it fit')
    .addHelpText('after', () => `\n${made.helpInformation()}${PLANS}`);
  // What names no other command of the group is a goal.
  const made: Command = group.command('goal', { isDefault: true, hidden: true });
  modelFlags(
    boundOptions(made.argument('[goal]', 'a goal in quotes, a plan in JSON or YAML, or a PSPLIB file')),
  )
    .addOption(
      repeatable(
        '--proposer <name>',
        'who answers: rules (the plan itself), human, solver, recorded:FILE or llm:PROVIDER/MODEL',
        'rules',
      ),
    )
    .option('--execute', 'carry the plan out: each task is done by an agent in the workspace')
    .option('--workspace <folder>', 'with --execute: the folder to work in')
    .addOption(
      repeatable(
        '--check <name=command>',
        'with --execute: a command that must end with 0, such as unit="node --test"',
      ),
    )
    .option('--library <url>', 'tools, goals and requests shared with other plans, such as file:./library')
    .option('--interactive', 'ask at the terminal for the constraints of the goal')
    .option('--policy <file>', 'fields of the policy, as JSON')
    .option('--run-id <id>', 'name of the run (default: derived from the goal)')
    .option('--ts-base <text>', 'base of logical time (default: derived from the goal)')
    .option('--store <url>', 'keep the run in a store; resume continues it')
    .option('-o, --output <folder>', 'write run.ledger.jsonl and the results to this folder')
    .action(lazily(async () => (await import('./commands/plan.js')).plan));
  boundOptions(
    group
      .command('check')
      .argument('[file]', 'a plan in JSON or YAML, or a PSPLIB file')
      .description('say what a plan costs, whether it fits, and the least change that makes it fit'),
  ).action(lazily(async () => (await import('./commands/plan/check.js')).planCheck));
  group
    .command('export')
    .argument('<ledger>', 'a ledger of assay plan')
    .description('write a plan as a SQLite database; the ledger stays the truth')
    .requiredOption('--sqlite <file>', 'the database to write')
    .action(lazily(async () => (await import('./commands/plan/export.js')).planExport));
  for (const command of group.commands) command.showSuggestionAfterError(true);
  libraryCommands(program, lazily);
}

function libraryCommands(program: Command, lazily: Lazily): void {
  const group = program.command('library').description('look into the library of plans');
  const where = 'a store, such as file:./library or file:./library#RUN, or a ledger';
  group
    .command('inspect')
    .argument('<where>', where)
    .description('show tools and how they fared, goals, and requests to people')
    .action(lazily(async () => (await import('./commands/library.js')).inspect));
  group
    .command('export')
    .argument('<where>', where)
    .description('print these tables as one JSON document')
    .action(lazily(async () => (await import('./commands/library.js')).exportLibrary));
  for (const command of group.commands) command.showSuggestionAfterError(true);
}

/** What a plan is held against, and the templates it may come from. */
function boundOptions(command: Command): Command {
  return command
    .addOption(
      repeatable('--cap <row=amount>', 'another cap, such as cost=500usd or "cost<500usd"', 'of the plan'),
    )
    .option('--deadline <time>', 'another deadline, such as 24h (default: of the plan)')
    .option('--template <name>', 'instead of a file: cli, web-service, library or data-pipeline')
    .option('--size <n>', 'of a template: how many commands, endpoints, functions or sources', '5')
    .option('--rate <amount>', 'of a template: what an hour costs, such as 60usd');
}
