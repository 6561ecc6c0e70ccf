/**
 * The commands and their options, as commander sees them. Each command's module is loaded when it is called,
 * so that `assay --help` loads none.
 *
 * @module
 */
import { Command, CommanderError, Help, Option } from 'commander';
import { EXIT, type ExitCode } from './problems/exit.js';
import { modelFlags, repeatable, type Lazily, type Load } from './declare.js';
import { ecologyCommands } from './ecology-commands.js';
import { planCommands } from './plan-commands.js';
import { newInterruption } from './terminal/interruption.js';
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
    const [called, asked] = argv;
    // Help of a command that there is not: what calling it says.
    if (called === 'help' && asked !== undefined) return runProgram([asked], streams);
    throw (await import('./problems/wrong-use.js')).wrongUse(error, program, argv);
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
    .option('--verbose', 'print details, and stack traces of internal errors')
    .option('--no-color', 'print no colour, like NO_COLOR')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print help for a command')
    .configureHelp({
      showGlobalOptions: true,
      sortSubcommands: false,
      optionDescription: (option) => new Help().optionDescription(option).replace(/ \(default: none\)$/, ''),
    })
    .configureOutput({ writeOut: (text) => streams.out.write(text), writeErr: () => undefined })
    .exitOverride()
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', EXITS);

  program
    .command('demo')
    .argument('[text]', 'a request of your own')
    .description('decide a sample request, then attack its evidence in three ways')
    .action(lazily(async () => (await import('./commands/demo.js')).demo));
  runOptions(
    program
      .command('run')
      .argument('[request]', 'a file, - for standard input, or a quoted text')
      .description('decide a request and record the evidence'),
  ).action(lazily(async () => (await import('./commands/run.js')).run));
  modelFlags(
    program
      .command('resume')
      .argument('<run>', 'id of a run in a store, or the folder that control -o or plan -o named')
      .description('resume a stored run or task')
      .option('--store <url>', STORE)
      .addOption(
        repeatable(
          '--proposer <name>',
          'who answers: SLOT=NAME for a run; for a task as in control',
          'as the run was begun',
        ),
      )
      .option('--workspace <folder>', 'of a task or a plan: the folder it was begun in')
      .addOption(repeatable('--shell <command>', 'of a task: a command that the shell tool may run'))
      .addOption(repeatable('--confirm <tool:target>', 'of a task: allow an action that cannot be undone'))
      .option('--memory <url>', 'of a task: the memory it was begun with')
      .option('--library <url>', 'of a plan: the library it was begun with')
      .addOption(repeatable('--check <name=command>', 'of a plan: a check it was begun with'))
      .option('-o, --output <folder>', 'write run.ledger.jsonl and the results to this folder')
      .action(lazily(async () => (await import('./commands/resume.js')).resume)),
  );
  modelFlags(
    program
      .command('control')
      .argument('<task>', 'what to do, in words')
      .description('do a task in a folder and record the evidence')
      .option('--workspace <folder>', 'the folder to work in; files outside it are not touched')
      .addOption(
        repeatable(
          '--proposer <name>',
          'who plays the roles: rules, recorded:FILE or llm:PROVIDER/MODEL; R2=NAME sets one role',
          'rules',
        ),
      )
      .addOption(repeatable('--allow <tool>', 'a tool the task may use', 'every file tool, no shell'))
      .addOption(repeatable('--shell <command>', 'a command that the shell tool may run, such as wc'))
      .addOption(
        repeatable('--confirm <tool:target>', 'allow an action that cannot be undone, without asking'),
      )
      .option('--policy <file>', 'limits, weights and thresholds, as JSON')
      .addOption(repeatable('--set <name=value>', 'a policy setting, such as max_replans=2'))
      .addOption(
        repeatable(
          '--after <ledger>',
          'an earlier run that the task refers to, such as "do it again"; the latest last',
        ),
      )
      .option(
        '--memory <url>',
        'a memory to read first and update afterwards, such as file:./memory or file:./memory#RUN',
      )
      .option('--within <time>', 'done within this time, such as 10m, 90s or 2h')
      .option('--by <time>', 'done by this time of day, such as 17:00')
      .option('--dream <when>', 'with --memory: when the memory makes rules, end or never', 'end')
      .option('--no-clock', 'do not record the time; use the times of answers only')
      .option('--run-id <id>', 'name of the run (default: derived from the task)')
      .option('--ts-base <text>', 'base of logical time (default: derived from the task)')
      .option('--store <url>', 'keep the run in a store; resume continues it')
      .option('-o, --output <folder>', 'write run.ledger.jsonl and the results to this folder'),
  )
    .addHelpText('after', TASKS)
    .action(lazily(async () => (await import('./commands/control.js')).control));
  changeOptions(
    machineOption(
      program
        .command('whatif')
        .argument('<ledger>', LEDGER)
        .description('replay the answers of a run under a changed policy or input'),
    ),
  )
    .option('--run-id <id>', 'name of the fork (default: of the run and the change)')
    .option('-o, --output <file>', 'write the ledger of the fork to this file')
    .action(lazily(async () => (await import('./commands/whatif.js')).whatif));
  changeOptions(
    machineOption(
      program
        .command('impact')
        .argument('<where...>', 'ledgers, folders of ledgers, stores, or STORE#RUN')
        .description('decide many recorded runs again under a change: which decisions flip'),
    ),
  )
    .option('--expect <file>', 'none, or an earlier report (--json) whose flips are accepted')
    .option('--workers <n>', 'threads to use (default: by the number of runs and cores)')
    .option('--junit <file>', 'also write a JUnit report')
    .option('--markdown <file>', 'also write a summary for a pull request')
    .addHelpText('after', IMPACT)
    .action(lazily(async () => (await import('./commands/impact.js')).impact));
  machineOption(
    program
      .command('blame')
      .argument('<ledger>', LEDGER)
      .description('find the fields in which two policies differ that flip a run, and from which value on'),
  )
    .addOption(repeatable('--policy <file>', 'a policy, as JSON; two, or one to compare with the recorded'))
    .action(lazily(async () => (await import('./commands/blame.js')).blame));
  program
    .command('record')
    .argument('<ledger>', LEDGER)
    .description('save the model answers of a run, to repeat it without a model')
    .requiredOption('-o, --output <file>', 'the file to write')
    .addOption(
      repeatable(
        '--slot <slot>',
        'a slot or role to record, such as R3',
        'all that language models answered',
      ),
    )
    .action(lazily(async () => (await import('./commands/record.js')).record));
  program
    .command('runs')
    .description('list the runs of a store')
    .requiredOption('--store <url>', STORE)
    .action(lazily(async () => (await import('./commands/runs.js')).runs));
  machineOption(
    program
      .command('copy')
      .argument('<from>', 'the store to copy from, such as file:./runs')
      .argument('<to>', 'the store to copy to, such as sqlite:./runs.db')
      .description('copy runs to another store and verify both sides'),
  )
    .addOption(repeatable('--run-id <id>', 'a run to copy', 'all'))
    .action(lazily(async () => (await import('./commands/copy.js')).copy));
  machineOption(
    program
      .command('show')
      .argument('<ledger>', LEDGER)
      .description('show what a run decided, why, and what would change it; or its records'),
  )
    .addOption(
      new Option('--format <name>', 'a screen, Markdown, diagrams, or the table of tasks')
        .choices(['text', 'markdown', 'mermaid', 'csv'])
        .default('text'),
    )
    .option('--records', 'print every record, one a line')
    .option('--record <n>', 'print one record in full')
    .option('--artifact <name>', 'print one result in full')
    .action(lazily(async () => (await import('./commands/show.js')).show));
  program
    .command('audit')
    .argument('[ledgers...]', 'ledgers, - for standard input, or with --store ids of runs')
    .description('report problems across runs: routes, loops, drift, tool health')
    .option('--store <url>', STORE)
    .option('--every <records>', 'report after each N records')
    .option('--follow <interval>', 'audit runs as they end, with a report each 5m, 30s or 1h')
    .action(lazily(async () => (await import('./commands/audit.js')).audit));
  program
    .command('check')
    .argument('<pack>', 'verification-pack.json of a run')
    .requiredOption('--evidence <file>', 'a JSON list of {check_id, observed, unit, source}')
    .description('compare observations with the checks that were agreed')
    .action(lazily(async () => (await import('./commands/check.js')).check));
  verifyOptions(
    program
      .command('verify')
      .argument('[files...]', `${LEDGER}; none to verify only a --proof`)
      .description('verify ledgers: five checks, each with a verdict'),
  ).action(lazily(async () => (await import('./commands/verify.js')).verify));
  machineOption(
    program
      .command('report')
      .argument('<ledger>', LEDGER)
      .description('write a ledger as one page that checks it in a browser')
      .requiredOption('-o, --output <file>', 'the page to write, such as report.html')
      .option('--shell <file>', 'a page without data for machines of your own')
      .option('--with <folder>', 'also hold the openings and blobs of this folder that the ledger cites'),
  ).action(lazily(async () => (await import('./commands/report.js')).report));
  program
    .command('view')
    .argument('<place>', 'a ledger, a folder of them, or a store such as file:./runs')
    .description('serve runs to a browser on this machine, also while they grow')
    .option('--port <port>', 'the port; 0 for a free one', '0')
    .option('--no-open', 'print the address without opening a browser')
    .action(lazily(async () => (await import('./commands/view.js')).view));
  machineOption(
    program
      .command('tamper')
      .argument('<ledger>', LEDGER)
      .description('forge a copy of a ledger and see which check fails'),
  )
    .addOption(
      new Option('--attack <name>', 'how to forge the copy')
        .choices(['edit', 'drop', 'swap', 'truncate', 'rehash', 'rederive'])
        .makeOptionMandatory(),
    )
    .requiredOption('-o, --output <file>', 'the file to write')
    .action(lazily(async () => (await import('./commands/tamper.js')).tamper));
  program
    .command('keygen')
    .description('make a key pair to sign heads: FILE and FILE.pub')
    .requiredOption('-o, --output <file>', 'the file for the secret key; it must not exist')
    .action(lazily(async () => (await import('./commands/keygen.js')).keygen));
  program
    .command('head')
    .argument('<ledger>', LEDGER)
    .description('print the head line of a ledger, or sign its head')
    .option('--sign <key>', 'sign the head with this secret key, made by assay keygen')
    .option('-o, --output <file>', 'with --sign: append the signed head to this file')
    .action(lazily(async () => (await import('./commands/head.js')).head));
  program
    .command('prove')
    .argument('<ledger>', LEDGER)
    .description('make a proof that a ledger has a record, or extends an earlier head')
    .option('--record <position>', 'prove this record, counted from 0')
    .option('--since <count>', 'prove that the ledger extends its head of N records')
    .option('--count <count>', 'use the head of N records (default: all)')
    .option('--tree <file>', 'cache the Merkle tree in this file')
    .option('--show-record', 'with --record: include the record in the proof')
    .option('-o, --output <file>', 'append the proof to this file')
    .action(lazily(async () => (await import('./commands/prove.js')).prove));
  program
    .command('export')
    .argument('<ledger>', LEDGER)
    .description('print a ledger in a format for other tools')
    .addOption(
      new Option('--to <form>', 'one row per record, or an in-toto statement about the head')
        .choices(['jsonl', 'csv', 'in-toto'])
        .makeOptionMandatory(),
    )
    .action(lazily(async () => (await import('./commands/export.js')).exportTo));
  machineOption(
    program
      .command('test')
      .argument('[folder]', 'the folder of fixtures and forgeries', 'golden-fixtures')
      .description('replay golden fixtures and verify that forgeries fail'),
  )
    .option('--lock', 'move each X.ledger.jsonl to X/ledger.jsonl, and save its result for later tests')
    .option('--force', 'with --lock: replace what is locked; needed if CI=true')
    .action(lazily(async () => (await import('./commands/test.js')).test));
  machineOption(
    program
      .command('diff')
      .argument('<a>', LEDGER)
      .argument('<b>', 'another ledger')
      .description('show where two runs first differ, and why'),
  ).action(lazily(async () => (await import('./commands/diff.js')).diff));
  program
    .command('doctor')
    .description('check this installation')
    .option('--store <url>', `a store to check: ${STORE}`)
    .action(lazily(async () => (await import('./commands/doctor.js')).doctor));
  machineOption(
    modelFlags(
      program
        .command('mcp')
        .description('serve runs to MCP clients over stdio or HTTP')
        .option('--store <url>', `keep runs in a store: ${STORE} (default: in memory)`)
        .addOption(
          repeatable(
            '--proposer <name>',
            'proposers that clients may name: rules, recorded:FILE, llm:PROVIDER/MODEL or auto',
            'rules',
          ),
        )
        .option('--allow-advance', 'let clients answer open requests, as models')
        .option('--workspace <folder>', 'let clients have tasks done in this folder')
        .option(
          '--http <[host:]port>',
          'serve over HTTP; other hosts than 127.0.0.1 need a token in ASSAY_MCP_TOKEN',
        ),
    ),
  ).action(lazily(async () => (await import('./commands/mcp.js')).mcp));
  planCommands(program, lazily);
  ecologyCommands(program, lazily);
  memoryCommands(program, lazily);
  // Made with command(), so each has taken over exitOverride and output; only suggestions are asked for here.
  for (const command of program.commands) command.showSuggestionAfterError(true);
  return program.showSuggestionAfterError(true);
}

function memoryCommands(program: Command, lazily: Lazily): void {
  const group = program.command('memory').description('inspect and change a memory');
  const named = (command: Command, at: string): Command =>
    command.option('--at <moment>', `a date, or microseconds since 1970 (default: ${at})`);
  named(
    group
      .command('inspect')
      .argument('<where>', 'a store, such as file:./memory or file:./memory#RUN, or a ledger')
      .argument('[space]', 'only the tags of this space, such as tool:shell')
      .argument('[entity]', 'only this tag, with its Megrams, such as env:local')
      .description('show the tags of a memory, or one tag with its Megrams'),
    'the latest recorded',
  )
    .addOption(new Option('--to <form>', 'print every Megram in this format').choices(['json', 'csv']))
    .action(lazily(async () => (await import('./commands/memory/inspect.js')).inspect));
  named(
    group
      .command('forget')
      .argument('<store>', 'such as file:./memory or file:./memory#RUN')
      .argument('<space>', 'such as tool:shell')
      .argument('[entity]', 'such as path:/etc (default: env:local)')
      .description('forget a tag, or one of its Megrams'),
    'now',
  )
    .requiredOption('--why <text>', 'the reason; it is recorded')
    .option('--id <id>', 'forget only this Megram')
    .action(lazily(async () => (await import('./commands/memory.js')).forget));
  modelFlags(
    named(
      group
        .command('dream')
        .argument('<store>', 'such as file:./memory or file:./memory#RUN')
        .description('promote, demote and fade what is due'),
      'now',
    ),
  )
    .addOption(
      new Option('--words <by>', 'who words new rules: rules, none or llm:PROVIDER/MODEL').default('rules'),
    )
    .action(lazily(async () => (await import('./commands/memory.js')).dream));
  named(
    group
      .command('learn')
      .argument('<store>', 'such as file:./memory; it is made if it does not exist')
      .argument('<ledger>', 'a ledger of assay control')
      .description('store what a task learned'),
    'now',
  ).action(lazily(async () => (await import('./commands/memory/learn.js')).learn));
  for (const command of group.commands) command.showSuggestionAfterError(true);
}

function runOptions(command: Command): Command {
  const own = command
    .addOption(repeatable('--pin <pin>', 'a fixed fact: key=value, or a JSON file of them'))
    .option('--policy <file>', 'limits and weights, as JSON')
    .option('--run-id <id>', 'name of the run (default: derived from the request)')
    .option('--ts-base <text>', 'base of logical time (default: derived from the request)')
    .addOption(
      repeatable(
        '--proposer <name>',
        'who answers: rules, human, recorded:FILE, llm:PROVIDER/MODEL or auto',
        'rules',
      ),
    )
    .option('--store <url>', `keep the run in a store: ${STORE}`)
    .option('-o, --output <folder>', 'write run.ledger.jsonl and the results to this folder');
  return modelFlags(own);
}

function verifyOptions(command: Command): Command {
  return machineOption(command)
    .option('--head <line>', 'a head line you kept: assay-head:1:COUNT:HASH')
    .addOption(repeatable('--expect <k=v>', 'an expected machine=, policy=, input= or run='))
    .option(
      '--with <folder>',
      'a folder of cited ledgers, openings (NAME.openings.jsonl) and blobs (blobs/SHA256)',
    )
    .addOption(repeatable('--signature <file>', 'a file of signed heads, made by assay head --sign'))
    .addOption(repeatable('--trust <key>', 'a public key you trust, as a line or a file'))
    .option('--threshold <n>', 'how many trusted keys must have signed (default: 1)')
    .addOption(repeatable('--proof <file>', 'a file of proofs, made by assay prove'))
    .option('--hash-only', 'skip rederivation and check only the hash chain')
    .option('--reference', 'check every line with a second encoder (slower)')
    .option('--strict', 'exit 4 if any check was not done')
    .option('--allow-unchecked', 'exit 0 even if rederivation was not possible')
    .option('--workers <n>', 'threads (default: by the number of files and cores)')
    .addOption(repeatable('--limit <k=v>', 'stop at records=N, bytes=N or seconds=N'))
    .option('--junit <file>', 'also write a JUnit report');
}

function machineOption(command: Command): Command {
  return command.addOption(
    repeatable('--machine <file>', 'an ES module that exports your machines and views'),
  );
}

/** What is changed in recorded runs. */
function changeOptions(command: Command): Command {
  return command
    .addOption(
      repeatable('--set <path=value>', 'change a field of policy or input, such as policy.weights.order=7'),
    )
    .addOption(repeatable('--unset <path>', 'remove a field, such as input.pin.region'))
    .option('--policy <file>', 'fields of the policy, as JSON; others stay as they were')
    .option('--input <file>', 'another input, as JSON')
    .addOption(repeatable('--without <name>', 'remove the answers of a proposer, slot or source'));
}

/** What a ledger may be given as. */
const LEDGER = 'a ledger, the folder of -o, a report, STORE#RUN, or - for standard input';
const STORE = 'file:DIR, sqlite:PATH or postgres://USER@HOST/DATABASE';

const EXAMPLES = `examples
  assay demo                                        a tour: offline, two seconds
  assay run request.txt --pin region=EU -o out      decide a request
  assay control "delete old.txt" --workspace work   do a task in a folder
  assay resume RUN --store file:./runs -o out       resume a run kept with --store
  assay verify out/run.ledger.jsonl                 verify a ledger
  assay tamper out/run.ledger.jsonl --attack rehash -o forged.jsonl
`;

const TASKS = `
examples
  assay control "find the largest file and write its name to report.md" --workspace work -o out
  assay control "count all txt files and write the number to count.txt" --workspace work
  assay control "delete old.txt" --workspace work --confirm remove_file:old.txt
  assay resume out --workspace work --confirm remove_file:old.txt    go on with what waited
The rules know twelve kinds of task. For any other task they print an example of each.`;

const IMPACT = `
Without another change, --machine FILE is the change: its code decides in the place of the machine of that name.
With --set, --unset, --policy, --input or --without it is the machine that recorded the runs.
examples
  assay impact golden --set policy.weights.order=60000 --expect none
  assay impact sqlite:./runs.db --policy new-policy.json --markdown summary.md
  assay impact golden --machine my-machine.mjs --expect accepted.json`;

const EXITS = `
exit codes
  0 held or done   1 the answer is no   2 wrong use   3 a check failed
  4 not checked   5 unreachable   6 waiting for somebody   70 internal error   130 interrupted
Assay connects only to what you name: a postgres: store, or a model with llm: or auto. mcp listens only with --http.`;
