/**
 * `assay ecology` and its commands, as commander sees them.
 *
 * @module
 */
import type { Command } from 'commander';
import type { Lazily } from './declare.js';

/** Declares them. */
export function ecologyCommands(program: Command, lazily: Lazily): void {
  const group = program
    .command('ecology')
    .description('drive a world of agents, contracts and money, and explain it');
  group
    .command('apply')
    .argument('<world>', 'config and artifacts, as JSON')
    .argument('<actions>', 'one action, clock reading, score, effect or order a line; - for standard input')
    .description('drive a world with a file of actions and record the evidence')
    .option('-o, --output <folder>', 'write run.ledger.jsonl and the results to this folder')
    .option('--run-id <id>', 'name of the run (default: derived from the world)')
    .option('--ts-base <text>', 'base of logical time (default: derived from the world)')
    .action(lazily(async () => (await import('./commands/ecology/apply.js')).ecologyApply));
  group
    .command('why')
    .argument('<ledger>', 'a ledger of a world')
    .argument('<record>', 'a number that apply printed')
    .description('tell one decision as a chain: action, checks in order, contract and its code, who paid')
    .action(lazily(async () => (await import('./commands/ecology/why.js')).ecologyWhy));
  const contract = group.command('contract').description('try a contract before it is deployed');
  contract
    .command('test')
    .argument('<file>', 'a contract in JavaScript')
    .argument('<cases>', 'questions and the verdicts expected, as JSON')
    .description('ask a contract each question, and print the fuel beside each verdict')
    .action(lazily(async () => (await import('./commands/ecology/contract-test.js')).contractTest));
  for (const command of [...group.commands, ...contract.commands]) command.showSuggestionAfterError(true);
}
