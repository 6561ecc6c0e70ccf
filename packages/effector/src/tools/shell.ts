/**
 * The tool `shell`: a pipeline of commands that read. Source: 003 §R3, place 6.
 *
 * @module
 */
import type { Stats } from 'node:fs';
import { err, ok, type Result } from '@assay/kernel';
import * as z from 'zod';
import { type CallContext, done, ended, type Ended, toolForm, type ToolForm } from '../calls/call.js';
import type { About, Sought } from '../calls/aim.js';
import { denied, failed, type Refusal } from '../refusal.js';
import { parsePathPattern } from '../search/pattern.js';
import { readArguments, type Arguments } from '../shell/arguments.js';
import { COMMANDS, isCommandName, type CommandForm, type CommandName } from '../commands.js';
import { runStages, type Stage } from '../shell/pipeline.js';
import { renderLine, splitLine, type Word } from '../shell/words.js';
import { withSpot } from '../workspace/descend.js';
import { lookAtSpot } from '../workspace/content.js';
import { insidePath, parsePath, type InsidePath } from '../workspace/path.js';
import { matches } from './glob.js';

const WordInput = z.union([z.string(), z.strictObject({ glob: z.string() })]);
const Input = z.strictObject({
  command: z.string().optional(),
  pipeline: z.array(z.array(WordInput)).optional(),
});

type Command = { readonly name: CommandName; readonly form: CommandForm; readonly args: Arguments };

/**
 * What is meant by commands that are not here, for whoever tries again. Source: 003 §R3 (a `find` is a
 * search, not a command).
 */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ...['find', 'locate'].map((name) => [name, ': use find_files or glob'] as const),
  ...['echo', 'printf', 'tee', 'touch'].map((name) => [name, ': use write_file or append_file'] as const),
  ['mkdir', ': use make_dir'],
  ['mv', ': use move_file'],
  ['rm', ': use remove_file'],
]);

/** Bytes of all words of a command: what every system takes. */
const WORDS_BYTES = 120_000;

/**
 * Reads `"sort -n a.txt | head -3"`, `{command}` or
 * `{pipeline: [["sort", "-n", {"glob": "*.txt"}], ["head", "-3"]]}`, where strings stand for themselves. What
 * is recorded is the line of the pipeline as it was understood. No interpreter is started.
 */
export const SHELL: ToolForm = toolForm(Input, 'command', ({ command: said, pipeline }) => {
  if ((said === undefined) === (pipeline === undefined))
    return err(denied('bad_input', 'at the input: either command or pipeline'));
  const lines =
    said === undefined ? ok((pipeline ?? []).map((words) => words.map(makeWord))) : splitLine(said);
  if (lines._tag === 'Left') return lines;
  if (lines.right.length === 0 || lines.right.some((words) => words.length === 0))
    return err(denied('shell_syntax', 'an empty command'));
  const commands: Command[] = [];
  for (const line of lines.right) {
    const command = readCommand(line);
    if (command._tag === 'Left') return command;
    commands.push(command.right);
  }
  const line = renderLine(commands.map(listWords));
  return ok({ input: line, about: describeCommands(commands), act: (context) => act(context, commands) });
});

function makeWord(word: string | { readonly glob: string }): Word {
  return typeof word === 'string' ? { text: word, glob: null } : { text: word.glob, glob: word.glob };
}

function readCommand([first, ...words]: readonly Word[]): Result<Refusal, Command> {
  const name = first?.text ?? '';
  if (first?.glob !== null || !isCommandName(name))
    return err(denied('command_not_allowed', `${name}${INSTEAD.get(name) ?? ''}`));
  const form = COMMANDS[name];
  const args = readArguments(form, words);
  return args._tag === 'Left' ? args : ok({ name, form, args: args.right });
}

/** The line with its operands as they were found, patterns filled in. */
function describeCommands(commands: readonly Command[]): About {
  return {
    sought: commands.flatMap(({ args }) => args.paths.map(makeSought)),
    follow: true,
    say: (found) => {
      let next = 0;
      return renderLine(
        commands.map((command) => {
          const paths = command.args.paths.flatMap((word) => {
            const places = found[next] ?? null;
            next += 1;
            return places?.map((text) => ({ text, glob: null })) ?? [word];
          });
          return listWords({ ...command, args: { ...command.args, paths } });
        }),
      );
    },
  };
}

function makeSought({ text, glob }: Word): Sought {
  const path = parsePath(text);
  return glob !== null || text === '-' || path._tag === 'Left' ? null : path.right;
}

/** The end of options is said only where a word behind it could be taken for one. */
function listWords({ name, args }: Command): readonly Word[] {
  const plain = (text: string): Word => ({ text, glob: null });
  const operands = [...args.texts.map(plain), ...args.paths];
  const mark = operands.some(({ text }) => text.startsWith('-') && text !== '-') ? ['--'] : [];
  return [...[name, ...args.options, ...mark].map(plain), ...operands];
}

async function act(context: CallContext, commands: readonly Command[]): Promise<Ended> {
  if (commands.length > context.limits.processes)
    return ended(denied('not_allowed', `at most ${context.limits.processes} commands in a pipeline`));
  const stages: Stage[] = [];
  let before = 0;
  for (const [index, command] of commands.entries()) {
    const stage = await makeStage(context, command, index === 0, before);
    if (stage._tag === 'Left') return ended(stage.left);
    stages.push(stage.right);
    before += command.args.paths.length;
  }
  const ran = await withSpot(
    context.workspace,
    insidePath([]),
    { make: false, follow: true },
    async ({ folder }) => ok(await runStages(context, folder.address, stages)),
  );
  if (ran._tag === 'Left') return ended(ran.left);
  const { output, whole, stop, faults } = ran.right;
  const cut: Ended = { ...done(output), status: 'truncated', code: 'output_limit', whole };
  if (typeof stop === 'string') return cut;
  if (stop !== null) return ended(stop, { before: output });
  if (faults.some(({ signal }) => signal === 'SIGXCPU'))
    return ended(
      {
        status: 'timeout',
        code: 'cpu_time',
        message: `stopped after ${context.limits.cpuSeconds} s of processor time`,
      },
      { before: output },
    );
  if (faults.length === 0) return whole.bytes > output.length ? cut : done(output);
  return ended(failed('exit', faults.map(({ name, message }) => `${name}: ${message}`).join('\n')), {
    before: output,
  });
}

/** `before`: how many words that are paths the commands before have. */
async function makeStage(
  context: CallContext,
  { name, form, args }: Command,
  isFirst: boolean,
  before: number,
): Promise<Result<Refusal, Stage>> {
  const file = context.shell.commands.get(name);
  if (file === undefined) return err(denied('command_not_allowed', name));
  const named: (readonly Source[])[] = [];
  for (const word of args.paths) {
    const some = await listSources(context, form, word, isFirst);
    if (some._tag === 'Left') return some;
    named.push(some.right);
  }
  const sources = named.flat();
  if (sources.length > form.paths) return err(denied('too_many_operands', `at most ${form.paths} paths`));
  for (const [index, some] of named.entries()) {
    const places = await listPlaces(context, form, some);
    if (places._tag === 'Left') return places;
    const blocked = context.aim.found(before + index, places.right);
    if (blocked !== null) return err(blocked);
  }
  // Behind the mark nothing is an option, whatever its name begins with.
  const words = [
    ...args.options,
    ...(form.fed ?? []),
    ...form.without,
    '--',
    ...args.texts,
    ...(form.fed === null ? sources.map(renderOperand) : []),
  ];
  const bytes = words.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, 0);
  if (bytes > WORDS_BYTES) return err(denied('too_many_operands', `at most ${WORDS_BYTES} bytes of words`));
  const end = args.options.some((option) => option === '-z' || option === '--zero-terminated') ? 0 : LINE_END;
  return ok({
    name,
    file,
    words,
    input: { sources: form.fed === null || sources.length === 0 ? [null] : sources, end },
    answers: form.answers,
  });
}

const LINE_END = 10;

/** What a command is told to read: a path, or null for the output of the command before it. */
type Source = InsidePath | null;

/**
 * What a word names, its pattern filled in. In the first command `-` would read nothing in the place of a
 * file of that name.
 */
async function listSources(
  context: CallContext,
  form: CommandForm,
  word: Word,
  isFirst: boolean,
): Promise<Result<Refusal, readonly Source[]>> {
  if (word.glob === null) {
    if (word.text === '-' && form.opens)
      return isFirst
        ? err(denied('bad_input', '-: no command stands before it; a file of that name is ./-'))
        : ok([null]);
    const path = parsePath(word.text);
    return path._tag === 'Left' ? path : ok([path.right]);
  }
  const pattern = parsePathPattern(word.glob);
  if (pattern._tag === 'Left') return pattern;
  const found = await matches(context, pattern.right);
  if (found._tag === 'Left') return found;
  if (found.right.cut !== null)
    return err(denied('too_many_operands', `${word.glob}: the search was not whole`));
  const names = found.right.matches
    .filter(({ isFolder }) => form.folders || !isFolder)
    .map(({ path }) => insidePath(path.split('/')));
  return names.length === 0 ? err(failed('not_found', `${word.glob}: nothing fits`)) : ok(names);
}

/**
 * Where the sources of a word really are, as operands: each is looked at, inside the workspace at its end
 * too, and of a kind the command can be given.
 */
async function listPlaces(
  context: CallContext,
  form: CommandForm,
  sources: readonly Source[],
): Promise<Result<Refusal, readonly string[]>> {
  const places: string[] = [];
  for (const path of sources) {
    const place =
      path === null
        ? ok(null)
        : await withSpot(context.workspace, path, { make: false, follow: true }, async (spot) => {
            const look = await lookAtSpot(spot);
            const fault = findFault(form, path.text, look);
            return fault === null ? ok(spot.path) : err(fault);
          });
    if (place._tag === 'Left') return place;
    places.push(renderOperand(place.right));
  }
  return ok(places);
}

function findFault(form: CommandForm, name: string, look: Stats | null): Refusal | null {
  if (look === null) return failed('not_found', `${name}: nothing is there`);
  if (look.isDirectory()) return form.folders ? null : denied('not_a_file', `${name}: it is a folder`);
  return look.isFile() || !form.opens ? null : denied('not_a_file', `${name}: no regular file`);
}

/**
 * What a command is given for it: `-` alone is the input to most of them, behind the mark that ends options
 * too.
 */
function renderOperand(source: Source): string {
  if (source === null) return '-';
  return source.text === '-' ? './-' : source.text;
}
