/** Wrong use of the command line, as commander finds it. */
import type { Command, CommanderError } from 'commander';
import { misuse } from './problem.js';

const WHERE = /'([^']*)'/;

const WHATIF = 'use assay whatif LEDGER --set PATH=VALUE or --without PROPOSER';

/** Options that are no more, and what does it instead. */
const GONE: readonly (readonly [option: string, instead: string])[] = [
  ['--timeout', 'use --llm timeout=SECONDS'],
  ['--budget', 'use --llm budget.UNIT=N, such as --llm budget.output_tokens=20000'],
  ['--policy', 'use --set policy=@FILE'],
  ['--input', 'use --set input=@FILE'],
  ['--unset', 'use --set PATH, without a value'],
  ['--run-id', 'use --set run_id=NAME; for a memory, write STORE#RUN, such as file:./memory#other'],
  ['--execute', 'leave it out: --workspace carries a plan out'],
  ['--check', 'use --set check.NAME=COMMAND'],
  ['--shell', 'a plan runs checks: --set check.NAME=COMMAND; a task runs no commands'],
  ['--deadline', 'use --set deadline=10m for a task, --cap deadline=24h for a plan'],
  ['--template', 'name it as the plan: assay plan cli,size=4,rate=60usd'],
  ['--store', 'write STORE#RUN, such as file:./runs#RUN; to check a store use assay store check STORE'],
  ['--session', 'name the ledgers of earlier runs with --after LEDGER, the latest last'],
  ['--host', 'use --http HOST:PORT'],
  ['--allow-advance', 'use --proposer client'],
  ['--attack', 'name it behind the ledger: assay tamper LEDGER rehash -o FILE'],
  ['--to', 'name it behind the ledger: assay export LEDGER csv'],
  ['--record', 'name it behind the ledger: assay show LEDGER 17'],
  ['--records', 'name them behind the ledger: assay show LEDGER records'],
  ['--hash-only', 'use --checks hash'],
  ['--strict', 'use --checks all'],
  ['--no-color', 'set NO_COLOR=1 in the environment'],
  ['--allow-unchecked', 'use --checks any'],
  ['--without', WHATIF],
];

/** Commands that are no more, or that people guess, and the one that does it. */
const MOVED: readonly (readonly [names: string, instead: string])[] = [
  ['bisect compare', 'use assay diff GOOD BAD'],
  ['replay', 'use assay verify LEDGER'],
  ['explain inspect', 'use assay show LEDGER'],
  ['fork', WHATIF],
  ['hook', 'use assay gate --policy FILE --hook'],
  ['proxy', 'use assay gate --policy FILE -- SERVER ARGS'],
  ['intent decide', 'use assay run REQUEST'],
  ['approve', 'use assay answer RUN confirm yes'],
  [
    'ask confirm hire forget learn dream operate advance',
    'use assay answer RUN: it prints what a run asks, and what to type',
  ],
  ['control', 'use assay task'],
  ['runs list', 'use assay store list STORE'],
  ['fleet', 'use assay submit, assay work, or assay store list STORE --fleet'],
  ['copy', 'use assay store copy FROM TO'],
  ['view serve', 'use assay report PLACE --serve'],
  ['sign', 'use assay head LEDGER --sign KEY'],
  [
    'ecology',
    'use assay world apply WORLD ACTIONS or assay check CONTRACT CASES; to look, use assay show LEDGER RECORD',
  ],
  ['memory', 'use assay show STORE; to change it, use assay answer STORE forget or dream'],
  ['library', 'use assay show STORE, or assay show STORE tools --format csv'],
];

/** The same letters in another order are a slip of the fingers. */
function findMoved(called: string): string | undefined {
  const letters = (word: string): string => [...word].sort().join('');
  return MOVED.find(([names]) => names.split(' ').some((name) => letters(name) === letters(called)))?.[1];
}

/** What commander refused, as a problem: with the option or command that does it instead, if one does. */
export function wrongUse(error: CommanderError, program: Command, argv: readonly string[]): Error {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = /\(Did you mean (.*)\?\)/.exec(rest.join('\n'))?.[1];
  const isNoCommand = error.code === 'commander.help';
  const parent = program.commands.find(
    (command) => command.name() === argv[0] && command.commands.length > 0,
  );
  if (isNoCommand && parent !== undefined) {
    const name = parent.name();
    return misuse('no_command', `no command of ${name} was given`, name, `see assay ${name} --help`);
  }
  if (isNoCommand)
    return misuse(
      'no_command',
      'no command was given',
      '',
      `try assay demo, or assay --help; commands: ${program.commands.map((command) => command.name()).join(' ')}`,
    );
  const gone = GONE.find(([option]) => WHERE.exec(first)?.[1]?.split('=')[0] === option);
  if (gone !== undefined && error.code === 'commander.unknownOption')
    return misuse('unknown_option', first, ...gone);
  const code = error.code
    .replace(/^commander\./, '')
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const [called = ''] = argv.filter((word) => !word.startsWith('-'));
  if (called === 'world' && code === 'unknown_command')
    return misuse(code, first, called, 'use assay world apply WORLD ACTIONS');
  const moved = findMoved(called);
  if (moved !== undefined) return misuse('unknown_command', first, called, moved);
  const help = program.commands.some((command) => command.name() === called) ? `${called} ` : '';
  return misuse(
    code,
    first,
    WHERE.exec(first)?.[1] ?? '',
    suggestion === undefined ? `see assay ${help}--help` : `did you mean ${suggestion}?`,
  );
}
