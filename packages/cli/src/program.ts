/**
 * The commands and their options, as commander sees them. Each command's module is loaded when it is called,
 * so that `assay --help` loads none.
 *
 * @module
 */
import { Command, CommanderError, Option } from 'commander';
import type { Context } from './commands/context.js';
import { EXIT, type ExitCode } from './problems/exit.js';
import { newInterruption } from './terminal/interruption.js';
import { misuse } from './problems/problem.js';
import type { CommonOptions, Streams } from './commands/output.js';
import { VERSION } from './terminal/version.js';

/** What a call of the program comes to: the code it ends with. Raises `Stop` for every problem. */
export async function runProgram(argv: readonly string[], streams: Streams): Promise<ExitCode> {
  let ended: ExitCode = EXIT.done;
  const program = declare(streams, (code) => {
    ended = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return ended;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    throw wrongUse(error, program, argv);
  }
}

/** The common options of a call, read before anything else can fail. */
export function commonOptions(argv: readonly string[]): CommonOptions {
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  return {
    json: own.includes('--json'),
    quiet: own.includes('--quiet') || own.includes('-q'),
    verbose: own.includes('--verbose'),
    color: !own.includes('--no-color'),
  };
}

type Load<A extends readonly unknown[]> = () => Promise<(context: Context, ...given: A) => Promise<ExitCode>>;

function declare(streams: Streams, end: (code: ExitCode) => void): Command {
  const program = new Command('assay');
  /** Binds a command to the module it loads. */
  const lazily =
    <A extends readonly unknown[]>(load: Load<A>) =>
    async (...given: unknown[]): Promise<void> => {
      // Commander appends the options and the command itself.
      const args = given.slice(0, -1) as unknown as A;
      const [run, { Output }] = await Promise.all([load(), import('./commands/output.js')]);
      end(
        await run(
          {
            output: new Output(program.opts<CommonOptions>(), streams),
            env: streams.env,
            readLine: streams.readLine ?? null,
            interruption: streams.interruption ?? newInterruption(),
          },
          ...args,
        ),
      );
    };
  program
    .description('Models propose, Assay decides. Every step of a run can be decided again.')
    .version(VERSION, '-V, --version', 'print the version')
    .option('--json', 'print one JSON document on stdout')
    .option('-q, --quiet', 'print only problems and failed verdicts')
    .option('--verbose', 'say more; internal errors with a stack trace')
    .option('--no-color', 'no colour; NO_COLOR does the same')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print help for a command')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({ writeOut: (text) => streams.out.write(text), writeErr: () => undefined })
    .exitOverride()
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', EXITS);

  program
    .command('demo')
    .argument('[text]', 'a request of your own')
    .description('decide one request, then attack its evidence in three ways')
    .action(lazily(async () => (await import('./commands/demo.js')).demo));
  runOptions(
    program
      .command('run')
      .argument('[request]', 'a file, - for standard input, or a quoted text')
      .description('decide a request, with evidence'),
  ).action(lazily(async () => (await import('./commands/run.js')).run));
  modelFlags(
    program
      .command('resume')
      .argument('<run>', 'id of a stored run')
      .description('resume a stored run or task, and write what run or control would have written')
      .requiredOption('--store <url>', 'where it is: file:DIR, sqlite:PATH or postgres://USER@HOST/DATABASE')
      .addOption(
        repeatable(
          '--proposer <name>',
          'who answers: SLOT=NAME of a run; of a task as for control',
          'those of its policy; the rules for a task',
        ),
      )
      .option('--workspace <folder>', 'of a task: the folder it was begun in')
      .addOption(repeatable('--shell <command>', 'of a task: a command its shell may run'))
      .addOption(repeatable('--confirm <tool:input>', 'of a task: allow an action that cannot be undone'))
      .option('--memory <url>', 'of a task: the memory it was begun with')
      .option('-o, --output <folder>', 'write run.ledger.jsonl and the results here')
      .option('--force', 'with -o: replace what another run left there')
      .action(lazily(async () => (await import('./commands/resume.js')).resume)),
  );
  modelFlags(
    program
      .command('control')
      .argument('<task>', 'what is to be done, in words')
      .description('do a task in a workspace, round by round, with evidence')
      .option('--workspace <folder>', 'the folder to work in; nothing outside it is touched')
      .addOption(
        repeatable(
          '--proposer <name>',
          'who plays the roles: rules, recorded:FILE or llm:PROVIDER/MODEL; R2=NAME for one role',
          'rules',
        ),
      )
      .addOption(
        repeatable('--allow <tool>', 'a tool the task may use', 'every tool for files, none of the shell'),
      )
      .addOption(repeatable('--shell <command>', 'a command the shell may run, such as wc or sort'))
      .addOption(
        repeatable('--confirm <tool:input>', 'allow an action that cannot be undone; else a person is asked'),
      )
      .option('--policy <file>', 'limits, weights and thresholds, as JSON')
      .addOption(repeatable('--set <name=value>', 'one number of the policy, such as max_replans=2'))
      .addOption(
        repeatable(
          '--after <ledger>',
          'an earlier run that the task refers to ("do it again"); the latest last',
        ),
      )
      .option('--memory <url>', 'a memory to read first and update afterwards, such as file:./memory')
      .option('--no-clock', 'record no clock readings; only the times of answers count')
      .option('--run-id <id>', 'name of the run (derived from the task if left out)')
      .option('--ts-base <text>', 'base of logical time (derived from the task if left out)')
      .option('--store <url>', 'store the run; resume, or the same call, continues it')
      .option('-o, --output <folder>', 'write run.ledger.jsonl and the result here')
      .option('--force', 'with -o: replace what another run left there'),
  )
    .addHelpText('after', TASKS)
    .action(lazily(async () => (await import('./commands/control.js')).control));
  machineOption(
    program
      .command('whatif')
      .argument('<ledger>', 'a ledger')
      .description('the same answers under a change: where the path parts, how both end'),
  )
    .addOption(repeatable('--set <path=value>', 'a field of policy or input, such as policy.weights.order=7'))
    .addOption(repeatable('--unset <path>', 'without this field, such as input.pin.region'))
    .addOption(repeatable('--without <proposer>', 'without the answers of a proposer or slot'))
    .option('--run-id <id>', 'name of the fork (what-if if left out)')
    .option('-o, --output <file>', 'keep the ledger of the fork here')
    .option('--force', 'with -o: replace the file')
    .action(lazily(async () => (await import('./commands/whatif.js')).whatif));
  program
    .command('record')
    .argument('<ledger>', 'a ledger that run, resume or control wrote')
    .description("the answers of a run's language models as a file, to be given again without asking anybody")
    .requiredOption('-o, --output <file>', 'where to write it')
    .addOption(
      repeatable(
        '--slot <slot>',
        'a slot to record, or a role such as R3, whoever answered it',
        'those of language models',
      ),
    )
    .option('--force', 'replace another file of that name')
    .action(lazily(async () => (await import('./commands/record.js')).record));
  program
    .command('runs')
    .description('the runs of a store: machine, records, outcome, head line; a broken one with its fault')
    .requiredOption('--store <url>', 'file:DIR, sqlite:PATH or postgres://USER@HOST/DATABASE')
    .action(lazily(async () => (await import('./commands/runs.js')).runs));
  machineOption(
    program
      .command('copy')
      .argument('<from>', 'a store, such as file:./runs')
      .argument('<to>', 'another, such as sqlite:./runs.db')
      .description('copy runs, verified where they are read and where they arrive; nothing is overwritten'),
  )
    .addOption(repeatable('--run-id <id>', 'a run to copy', 'all'))
    .action(lazily(async () => (await import('./commands/copy.js')).copy));
  machineOption(
    program
      .command('explain')
      .argument('<file>', 'a ledger')
      .description('why a run decided as it did, and what would change that'),
  ).action(lazily(async () => (await import('./commands/explain.js')).explain));
  machineOption(
    program
      .command('show')
      .argument('<file>', 'a ledger')
      .description('print a run: its results or its picture as Markdown, else every record'),
  )
    .option('--records', 'every record in a line: answers, decisions, results')
    .option('--record <n>', 'one record whole')
    .option('--artifact <name>', 'one result whole')
    .action(lazily(async () => (await import('./commands/show.js')).show));
  program
    .command('audit')
    .argument('[ledgers...]', 'ledgers, - for standard input; with --store ids of stored runs')
    .description('what an operator should look at: routes, loops, drift, tool health')
    .option('--store <url>', 'where the runs are: file:DIR, sqlite:PATH or postgres://USER@HOST/DATABASE')
    .option('--every <records>', 'a report after so many records, and one of what is left')
    .option('--follow <interval>', 'audit runs as they end; a report at an alert, and each 5m, 30s or 1h')
    .action(lazily(async () => (await import('./commands/audit.js')).audit));
  program
    .command('check')
    .argument('<pack>', 'verification-pack.json of a run')
    .requiredOption(
      '--evidence <file>',
      'what was observed: a JSON list of {check_id, observed, unit, source}',
    )
    .description('does what was observed meet what was agreed')
    .action(lazily(async () => (await import('./commands/check.js')).check));
  verifyOptions(
    program
      .command('verify')
      .argument('[files...]', 'ledgers; - for standard input; none to judge a --proof by itself')
      .description('five checks, each with its own verdict'),
  ).action(lazily(async () => (await import('./commands/verify.js')).verify));
  machineOption(
    program
      .command('replay')
      .argument('<file>', 'a ledger')
      .description('derive every decision again; stop at the first that differs'),
  ).action(lazily(async () => (await import('./commands/replay.js')).replay));
  machineOption(
    program
      .command('tamper')
      .argument('<file>', 'a ledger')
      .description('make a forged copy and see which check fires'),
  )
    .addOption(
      new Option('--attack <name>', 'what to do to the copy')
        .choices(['edit', 'drop', 'swap', 'truncate', 'rehash', 'rederive'])
        .makeOptionMandatory(),
    )
    .requiredOption('-o, --output <file>', 'where the copy goes')
    .action(lazily(async () => (await import('./commands/tamper.js')).tamper));
  program
    .command('keygen')
    .description('make a key to sign heads with: FILE, and FILE.pub to give away')
    .requiredOption('-o, --output <file>', 'where the secret key goes; nothing is replaced')
    .action(lazily(async () => (await import('./commands/keygen.js')).keygen));
  program
    .command('head')
    .argument('<file>', 'a ledger')
    .description('one line to keep elsewhere: verify --head LINE; or the head signed')
    .option('--sign <key>', 'sign the head with a secret key of assay keygen')
    .option('-o, --output <file>', 'with --sign: add the signed head to this file, such as run.proofs.jsonl')
    .action(lazily(async () => (await import('./commands/head.js')).head));
  program
    .command('prove')
    .argument('<file>', 'a ledger')
    .description('that a record stands under a head, or that a head goes on from an earlier one')
    .option('--record <position>', 'of this record, counted from 0')
    .option('--since <count>', 'that the head goes on from the head of so many records')
    .option('--count <count>', 'the head of so many records (the whole file if left out)')
    .option('--tree <file>', 'keep the tree here, and use it again while the ledger ends as it did')
    .option('--show-record', 'with --record: put the record itself into the proof')
    .option('-o, --output <file>', 'add the proof to this file')
    .action(lazily(async () => (await import('./commands/prove.js')).prove));
  program
    .command('export')
    .argument('<file>', 'a ledger')
    .description('print a ledger for other tools')
    .addOption(
      new Option('--to <form>', 'a row a record, or one in-toto statement over the head')
        .choices(['jsonl', 'csv', 'in-toto'])
        .makeOptionMandatory(),
    )
    .action(lazily(async () => (await import('./commands/export.js')).exportTo));
  machineOption(
    program
      .command('test')
      .argument('[folder]', 'fixtures and forgeries', 'golden-fixtures')
      .description('replay golden fixtures; forgeries must be caught'),
  )
    .option('--lock', 'write what each run comes to: the next test compares with it')
    .option('--force', 'with --lock: also under CI=true')
    .action(lazily(async () => (await import('./commands/test.js')).test));
  machineOption(
    program
      .command('diff')
      .argument('<a>', 'a ledger')
      .argument('<b>', 'another')
      .description('where two runs part, and why'),
  ).action(lazily(async () => (await import('./commands/diff.js')).diff));
  program
    .command('doctor')
    .description('check this installation')
    .option(
      '--store <url>',
      'a store to reach, such as file:./runs, sqlite:./runs.db or postgres://USER@HOST/DATABASE',
    )
    .action(lazily(async () => (await import('./commands/doctor.js')).doctor));
  machineOption(
    modelFlags(
      program
        .command('mcp')
        .description('serve runs to MCP clients over stdio or HTTP')
        .option(
          '--store <url>',
          'where runs are kept, such as file:./runs, sqlite:./runs.db or ' +
            'postgres://USER@HOST/DATABASE (memory if left out)',
        )
        .addOption(
          repeatable(
            '--proposer <name>',
            'who may be asked: rules, recorded:FILE, llm:PROVIDER/MODEL or auto; clients can name no other',
            'rules',
          ),
        )
        .option('--allow-advance', 'clients may answer open requests, as models')
        .option(
          '--http <[host:]port>',
          'serve over HTTP; other hosts than 127.0.0.1 need a token in ASSAY_MCP_TOKEN',
        ),
    ),
  ).action(lazily(async () => (await import('./commands/mcp.js')).mcp));
  memoryCommands(program, lazily);
  // Made with command(), so each has taken over exitOverride and output; only suggestions are asked for here.
  for (const command of program.commands) command.showSuggestionAfterError(true);
  return program.showSuggestionAfterError(true);
}

/** Binds a command to the module it loads. */
type Lazily = <A extends readonly unknown[]>(load: Load<A>) => (...given: unknown[]) => Promise<void>;

function memoryCommands(program: Command, lazily: Lazily): void {
  const group = program
    .command('memory')
    .description('what a memory holds, and what changes it: inspect, learn, dream, forget');
  const named = (command: Command, at: string): Command =>
    command.option('--at <moment>', `a date, or microseconds since 1970 (${at})`);
  named(
    group
      .command('inspect')
      .argument('<where>', 'a store, such as file:./runs, or a ledger')
      .argument('[space]', 'only the tags of a space, such as tool:shell')
      .argument('[entity]', 'one tag and its Megrams, such as env:local or path:/etc')
      .description('its tags, with their weight and advice; or one tag, with its Megrams'),
    'the latest recorded',
  )
    .addOption(new Option('--to <form>', 'every Megram, in this form').choices(['json', 'csv']))
    .action(lazily(async () => (await import('./commands/memory/inspect.js')).inspect));
  named(
    group
      .command('forget')
      .argument('<store>', 'such as file:./runs')
      .argument('<space>', 'such as tool:shell')
      .argument('[entity]', 'such as path:/etc (env:local if left out)')
      .description('forget a tag, or one Megram of it; the ledger keeps who and why'),
    'now',
  )
    .requiredOption('--why <text>', 'the reason, which is recorded')
    .option('--id <id>', 'only this Megram')
    .action(lazily(async () => (await import('./commands/memory.js')).forget));
  modelFlags(
    named(
      group
        .command('dream')
        .argument('<store>', 'such as file:./runs')
        .description('promote, demote and forget what is due'),
      'now',
    ),
  )
    .addOption(
      new Option(
        '--words <by>',
        'who writes the words of new rules: rules, none or llm:PROVIDER/MODEL',
      ).default('rules'),
    )
    .action(lazily(async () => (await import('./commands/memory.js')).dream));
  named(
    group
      .command('learn')
      .argument('<store>', 'such as file:./runs; the memory is made where there is none')
      .argument('<ledger>', 'of a controller')
      .description("remember what a task's run learned; nothing is remembered twice"),
    'now',
  ).action(lazily(async () => (await import('./commands/memory/learn.js')).learn));
  for (const command of group.commands) command.showSuggestionAfterError(true);
}

function modelFlags(command: Command): Command {
  return command
    .addOption(
      repeatable(
        '--llm <name=value>',
        'of language models: max_output_tokens, temperature, top_p, seed; timeout=SECONDS for one answer; prices=FILE',
        'the defaults of the provider, 600 s',
      ),
    )
    .addOption(
      repeatable(
        '--budget <unit=n>',
        'spend at most input_tokens=N, output_tokens=N or, with prices, usd_micros=N',
        'no limit',
      ),
    );
}

function runOptions(command: Command): Command {
  const own = command
    .addOption(repeatable('--pin <pin>', 'a fact fixed beforehand: key=value, or a JSON file'))
    .option('--policy <file>', 'limits and weights, as JSON')
    .option('--run-id <id>', 'name of the run (derived from the input if left out)')
    .option('--ts-base <text>', 'base of logical time (derived from the input if left out)')
    .addOption(
      repeatable('--proposer <name>', 'rules, human, recorded:FILE, llm:PROVIDER/MODEL or auto', 'rules'),
    )
    .option(
      '--store <url>',
      'also keep the run in a store, such as file:./runs, sqlite:./runs.db or postgres://USER@HOST/DATABASE',
    )
    .option('-o, --output <folder>', 'write run.ledger.jsonl and the results here')
    .option('--force', 'with -o: replace what another run left there');
  return modelFlags(own);
}

function verifyOptions(command: Command): Command {
  return machineOption(command)
    .option('--head <line>', 'a head kept elsewhere: assay-head:1:COUNT:HASH')
    .addOption(repeatable('--expect <k=v>', 'machine=, policy=, input= or run='))
    .option(
      '--with <folder>',
      'other ledgers, of the same run or cited by it; openings (NAME.openings.jsonl) and blobs (blobs/SHA256)',
    )
    .addOption(repeatable('--signature <file>', 'signed heads: of assay head --sign'))
    .addOption(repeatable('--trust <key>', 'a public key, as a line or a file: whose signature counts'))
    .option('--threshold <n>', 'how many of the trusted keys must have signed (1 if left out)')
    .addOption(repeatable('--proof <file>', 'proofs of assay prove'))
    .option('--hash-only', 'the chain alone, faster: rederivation is left out')
    .option('--reference', 'hold every line against a second encoder, slower')
    .option('--strict', 'any check left open is exit 4')
    .option('--allow-unchecked', 'accept a rederivation that could not be done')
    .addOption(repeatable('--limit <k=v>', 'a bound of your own: records=N, bytes=N or seconds=N'))
    .option('--junit <file>', 'also write a JUnit report');
}

function machineOption(command: Command): Command {
  return command.addOption(
    repeatable('--machine <file>', 'a module of your own: export const machines, and views to show them'),
  );
}

/** An option that may be given several times. `absent`: what the help says of a call without it. */
function repeatable(flags: string, description: string, absent: string = 'none'): Option {
  return new Option(flags, description)
    .argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value])
    .default([], absent);
}

const EXAMPLES = `examples
  assay demo                                        see it work: offline, two seconds
  assay run request.txt --pin region=EU -o out      decide a request
  assay control "delete old.txt" --workspace work   do a task in a folder; its help has more
  assay resume RUN --store file:./runs -o out       go on with a run that was kept with --store
  assay verify out/run.ledger.jsonl                 check someone's evidence
  assay tamper out/run.ledger.jsonl --attack rehash -o forged.jsonl
`;

const TASKS = `
examples
  assay control "find the largest file and write its name to report.md" --workspace work -o out
  assay control "count all txt files and write the number to count.txt" --workspace work
  assay control "delete old.txt" --workspace work --confirm remove_file:old.txt
The rules know twelve families of tasks; a task that they do not understand is answered with a sentence of each.`;

const EXITS = `
exit codes
  0 held or done   1 the answer is no   2 wrong use   3 a check failed
  4 could not be checked   5 not reachable   70 internal error   130 interrupted
A command connects only to what you name: a postgres: store, a model with llm: or auto. mcp listens only with --http.`;

const WHERE = /'([^']*)'/;

const WHATIF = 'use assay whatif LEDGER --set PATH=VALUE, --unset PATH or --without PROPOSER';

/** Options that are no more, and what does it instead. */
const GONE: readonly (readonly [option: string, instead: string])[] = [
  ['--timeout', 'use --llm timeout=SECONDS'],
  ['--prices', 'use --llm prices=FILE'],
  [
    '--snapshot-every',
    'leave it out: a run is resumed without snapshots; the library keeps them (docs/guides/host.md)',
  ],
  [
    '--session',
    'name the ledgers of earlier runs with --after LEDGER, the latest last; resume needs none (docs/guides/control.md)',
  ],
  ['--host', 'use --http HOST:PORT'],
  ['--allow-remote', 'use --http HOST:PORT with a token in ASSAY_MCP_TOKEN'],
  ['--run-id', 'for a memory, write STORE#RUN, such as file:./memory#other'],
  ['--index', 'leave it out: assay memory inspect WHERE --to json gives the Megrams'],
  ['--space', 'name the space behind the memory: assay memory inspect WHERE SPACE'],
  ['--from', WHATIF],
  ['--weight', WHATIF],
  ['--unpin', WHATIF],
  ['--without', WHATIF],
  ['--drop', `${WHATIF}; a single commit can no longer be left out`],
];

function wrongUse(error: CommanderError, program: Command, argv: readonly string[]): Error {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = /\(Did you mean (.*)\?\)/.exec(rest.join('\n'))?.[1];
  const isNoCommand = error.code === 'commander.help';
  if (isNoCommand && argv.includes('memory'))
    return misuse('no_command', 'no command of memory was given', 'memory', 'see assay memory --help');
  if (isNoCommand)
    return misuse(
      'no_command',
      'no command was given',
      '',
      `try assay demo, or assay --help; commands: ${program.commands.map((command) => command.name()).join(' ')}`,
    );
  if (argv[0] === 'memory' && (argv[1] === 'explain' || argv[1] === 'export'))
    return misuse(
      'unknown_command',
      first,
      `memory ${argv[1]}`,
      'use assay memory inspect WHERE SPACE ENTITY for one tag, or --to json or --to csv for every Megram',
    );
  const gone = GONE.find(([option]) => WHERE.exec(first)?.[1]?.startsWith(option) === true);
  if (gone !== undefined && error.code === 'commander.unknownOption')
    return misuse('unknown_option', first, ...gone);
  if (argv[argv.indexOf('control') + 1] === 'whatif')
    return misuse('unknown_command', first, 'control whatif', WHATIF);
  const called = argv.find((word) => !word.startsWith('-'));
  const help = program.commands.some((command) => command.name() === called) ? `${called} ` : '';
  const code = error.code
    .replace(/^commander\./, '')
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return misuse(
    code,
    first,
    WHERE.exec(first)?.[1] ?? '',
    suggestion === undefined ? `see assay ${help}--help` : `did you mean ${suggestion}?`,
  );
}
