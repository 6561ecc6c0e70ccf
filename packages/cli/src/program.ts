/**
 * The commands and their options, as commander sees them. Each command's module is loaded when it is called,
 * so that `assay --help` loads none.
 */
import { Command, CommanderError, Help } from 'commander';
import type { CommonOptions, Streams } from './call/output.js';
import { EXIT, type ExitCode } from './problems/problem.js';
import { newInterruption } from './terminal/signals.js';
import { VERSION } from './terminal/version.js';
import { LEDGERS } from './verbs/ledgers.js';
import { START } from './verbs/start.js';
import { declareVerbs, describeOption, type Verb } from './verbs/verb.js';

/** What a call of the program comes to: the code it ends with. Raises `Stop` for every problem. */
export async function runProgram(given: readonly string[], streams: Streams): Promise<ExitCode> {
  // The parser's own help knows one word alone.
  const argv = given[0] === 'help' && given.length > 2 ? [...given.slice(1), '--help'] : given;
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
  };
}

function declare(streams: Streams, end: (code: ExitCode) => void): Command {
  const program = new Command('assay');
  /** Binds a command to the module it loads. */
  const lazily =
    ({ name, load, machine: takesMachine = false }: Verb) =>
    async (...given: unknown[]): Promise<void> => {
      const { machine, ...common } = program.opts<CommonOptions & { readonly machine: readonly string[] }>();
      if (load === undefined || (machine.length > 0 && !takesMachine))
        throw new CommanderError(1, 'commander.unknownOption', `error: ${name} takes no '--machine'`);
      // Commander appends the options and the command itself.
      const words = given.slice(0, -2);
      const { parent } = given.at(-1) as Command;
      // The parser gives a verb below another the options of both, wherever they stand.
      const above = parent === null || parent === program ? {} : parent.opts();
      const args = [...words, { ...above, ...(given.at(-2) as object), machine }] as never[];
      const [run, { Output }] = await Promise.all([load(), import('./call/output.js')]);
      end(
        await run(
          {
            output: new Output(common, streams),
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
    .addOption(
      describeOption(
        '--machine <file>*',
        'an ES module that exports your machines and views, for verbs that run them',
      ),
    )
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

  declareVerbs(program, [...START, ...LEDGERS], lazily);
  return program.showSuggestionAfterError(true);
}

const EXAMPLES = `examples
  assay demo                                         a tour: offline, two seconds
  assay import ~/.claude/projects -o sessions        read past sessions of an agent
  assay impact sessions --policy sessions/starter-policy.json
                                                     what this policy would have stopped
  assay gate --policy policy.json -- SERVER ARGS     put a policy in front of a live server
  assay report runs/RUN.ledger.jsonl -o report.html  one page, which checks itself
  assay verify report.html                           recompute every decision
`;

const EXITS = `
exit codes
  0 held or done   1 the answer is no   2 wrong use   3 a check failed
  4 not checked   5 unreachable   6 waiting for a person   70 internal error   130 interrupted
Assay connects only to what you name: a postgres: store, an --engine, or a model with llm:.
mcp listens only with --http.
NO_COLOR=1 in the environment prints no colour.`;
