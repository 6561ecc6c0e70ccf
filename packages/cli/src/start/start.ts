/**
 * Starting a run, the same for all machines: its name, its place, driving it, and waiting. How far a run is,
 * in a line.
 */
import { maskedAddress, type DriveEvent } from '@assay/host';
import type { Context, Output } from '../call/output.js';
import { storeProblem } from '../files/store.js';
import { requireWritable } from '../files/write.js';
import { deriveIdentity, takeSettings } from '../options/settings.js';
import { EXIT, makeStop, misuse, type ExitCode, type Remedy } from '../problems/problem.js';
import { commandLine, show, type Shown, plain } from '../terminal/shown.js';
import type { ResumeWords, RunAt, Kit, Play, StartFlags, Waiting } from './kit.js';
import { keepRun, requireApart, requireOutsideStores } from './places.js';
import { tellEnded, tellOpen } from './tell-ended.js';
import type { Live } from '../terminal/live.js';
import type { SoFar } from './stored-run.js';

/** What does a verb: it is given its arguments, and behind them its options. */
export type Verb = (context: Context, ...given: readonly unknown[]) => Promise<ExitCode>;

/** `--submit`, which every verb takes that starts a run. */
type Submitted = { readonly submit?: boolean };

/**
 * What a verb does: opens a run by its kit, named after everything that it is given, and drives it to its end. With
 * `--store` or `-o` the same call goes on with a run that was cut off or waits. Exit 0 for success, 1 for a refusal,
 * which is an answer too, 5 where that is because a model was not reached, 6 where somebody must answer first. Raises
 * `Stop`.
 */
export function startWith<F extends StartFlags>(kit: Kit<F>): Verb {
  return async (context, ...given) => {
    const flags = takeSettings(given.at(-1) as F, ['run_id', 'ts_base', ...(kit.settings ?? [])]);
    await requireFolder(flags);
    const words = given.slice(0, -1) as readonly (string | undefined)[];
    const machine = { name: kit.machine.name, version: kit.machine.version };
    const opening = await kit.input({ context, words, flags });
    const { policy, input, named = input, workspace = null, isRepeatable = false, play } = opening;
    const identity = deriveIdentity(
      flags,
      { machine, policy, input: named, with: opening.with },
      isRepeatable,
    );
    if (workspace !== null) requireApart(workspace, flags);
    if ((given.at(-1) as Submitted).submit === true) {
      if (flags.output !== undefined)
        throw misuse('conflict', 'a queued run has no results yet', `-o ${flags.output}`, 'leave -o out');
      const { queueRuns } = await import('./queue-runs.js');
      const genesis = { ...identity, policy, input, engine: opening.engine ?? null };
      return queueRuns(context.output, flags, machine, [genesis]);
    }
    return keepRun(flags, { run_id: identity.run_id, workspace }, (kept) => {
      const at = { identity, start: { ...identity, policy, input }, kept };
      return playRun(context, flags, at, play);
    });
  };
}

/** Plays a run to its end, for a verb that starts one and for `resume`. Raises `Stop`. */
export async function playRun(
  context: Context,
  flags: StartFlags,
  at: RunAt,
  make: (at: RunAt) => Promise<Play>,
): Promise<ExitCode> {
  const { store, place } = at.kept;
  const { run_id } = at.identity;
  const before = await store.head(run_id);
  if (before._tag === 'Left') throw storeProblem(before.left, place);
  const found = before.right?.count ?? 0;
  const made = await make(at);
  let isTold = false;
  const play: Play = {
    ...made,
    end: async (ended) => {
      if (isTold) return { problem: null };
      isTold = true;
      return (await made.end?.(ended)) ?? { problem: null };
    },
  };
  const line = (more: ResumeWords = {}): Shown | null =>
    resumeLine(run_id, { ...flags, ...play.again, ...more });
  const soFar = found === 0 ? null : await (await import('./stored-run.js')).storedSoFar(store, run_id);
  const shown = makeProgress(
    context.output,
    run_id,
    play.isTalking === true || play.onEvent !== undefined,
    soFar,
  );
  const again: Remedy = line() ?? NOT_KEPT;
  let open: Parameters<typeof tellOpen>[2] | null = null;
  try {
    const ended = await context.interruption
      .during((signal) =>
        play.drive({
          place,
          signal,
          again,
          ...(flags.set === undefined ? {} : { set: flags.set }),
          onEvent: play.onEvent ?? shown.show,
          waits: (requests, records) => {
            const kinds = requests.map(({ kind }) => kind).join(', ');
            const waits: Waiting = play.waits?.(requests, records) ?? { said: kinds, place: '', again: {} };
            const next = waits.again === null ? SAME_CALL : (line(waits.again) ?? NOT_KEPT);
            const answers = (waits.asks ?? []).map((words) => answerLine(run_id, flags, words));
            const [answer = null] = answers;
            open = waits.isShown === true ? { records, answers } : null;
            return makeStop({
              code: 'waiting',
              message: `the run waits for ${waits.said}`,
              place: waits.place,
              remedy:
                answer === null
                  ? next
                  : open === null
                    ? show`answer it with ${answer}; then ${next}`
                    : show`say what it came to: ${answer}`,
              exit: EXIT.waiting,
            });
          },
        }),
      )
      .finally(shown.end);
    return await tellEnded(context.output, { play, ended, found, flags, identity: at.identity });
  } catch (error) {
    if (open !== null) await tellOpen(context.output, play, open);
    throw error;
  } finally {
    // What is recorded is handed on also where the run waits or was stopped.
    const { problem = null } = (await play.end?.(null)) ?? {};
    if (problem !== null) context.output.complaint(problem);
  }
}

const NOT_KEPT = 'this run was not saved; add -o DIR or --store to keep it';
const SAME_CALL =
  'no player named here answers that: repeat the command that started this run; it continues from here';

/** Raises `Stop`: those of a folder of results that cannot be written, or is a store's. */
export async function requireFolder(flags: StartFlags): Promise<void> {
  const { output, store, memory, library } = flags;
  if (output === undefined) return;
  requireWritable(output);
  await requireOutsideStores(output, [store, memory, library]);
}

/** The line that answers a run with these words; null if it is kept nowhere. */
function answerLine(runId: string, { store, output }: StartFlags, words: readonly string[]): Shown | null {
  const run = store === undefined ? output : `${maskedAddress(store)}#${runId}`;
  return run === undefined ? null : commandLine(['assay', 'answer', run, ...words]);
}

/** What `resume` is given again, in the order of the line. */
const AGAIN = ['workspace', 'proposer', 'llm', 'check', 'confirm', 'memory', 'library', 'mind'] as const;

/**
 * The line that goes on with a run: with every option that its first record does not hold; null if it is kept nowhere.
 * A password in an address is `***`, and has to be given again.
 */
export function resumeLine(runId: string, flags: StartFlags & ResumeWords): Shown | null {
  const { store, output } = flags;
  if (store === undefined && output === undefined) return null;
  const words = AGAIN.flatMap((name) =>
    [flags[name] ?? []]
      .flat()
      .flatMap((value) =>
        name === 'check'
          ? ['--set', `check.${value}`]
          : [`--${name}`, name === 'memory' || name === 'library' ? maskedAddress(value) : value],
      ),
  );
  const results = output === undefined ? [] : ['-o', output];
  return commandLine(
    store === undefined
      ? ['assay', 'resume', output ?? '', ...words]
      : ['assay', 'resume', `${maskedAddress(store)}#${runId}`, ...words, ...results],
  );
}

/**
 * Shows how far a run is while it is driven: records, open requests, time and cost. `isTalking`: a person is
 * asked meanwhile. `before`: what is stored of it already.
 */
export function makeProgress(
  output: Output,
  runId: string,
  isTalking: boolean,
  before: SoFar | null = null,
): { readonly show: (event: DriveEvent) => void; readonly end: () => void } {
  const live: Live<SoFar | null> = output.live(
    (soFar, elapsedMs, columns) =>
      soFar === null
        ? show`assay: ${runId}: waiting for an answer, ${seconds(elapsedMs)}`
        : renderLine(runId, soFar, elapsedMs, columns),
    isTalking,
  );
  live.show(before);
  return {
    show: (event) => {
      if (event.type !== 'progress') return;
      const { records, open, spent } = event.progress;
      live.show({ records, open, spent: addSpent(before?.spent ?? {}, spent) });
    },
    end: () => {
      live.end();
    },
  };
}

/** Time as it is shown: tenths of seconds, from a minute on minutes and seconds. */
export function seconds(elapsedMs: number): string {
  const tenths = Math.floor(elapsedMs / 100);
  return tenths < 600
    ? `${Math.floor(tenths / 10)}.${tenths % 10} s`
    : `${Math.floor(tenths / 600)} min ${Math.floor((tenths % 600) / 10)} s`;
}

/**
 * The line in as much of its words as there is room for: what is cut then are the names of units, never a
 * figure.
 */
export function renderLine(
  runId: string,
  { records, open, spent }: SoFar,
  elapsedMs: number,
  columns: number,
): Shown {
  const units = Object.entries(spent).sort(([one], [other]) => (one < other ? -1 : 1));
  const text = (id: string, cost: string): Shown =>
    show`assay: ${id}: ${records} records, ${open} open, ${seconds(elapsedMs)}${
      units.length === 0 ? '' : `, spent ${cost}`
    }`;
  const named = units.map(([unit, amount]) => `${amount} ${unit}`).join(', ');
  const figures = `${units.map(([, amount]) => amount).join('/')} ${units.map(([unit]) => unit).join('/')}`;
  const shortened = [...runId].length > ID_POINTS ? `${[...runId].slice(0, ID_POINTS - 1).join('')}…` : runId;
  const [widest, ...narrower] = [
    text(runId, named),
    text(runId, figures),
    text(shortened, named),
    text(shortened, figures),
  ];
  return (
    [widest, ...narrower].find((line) => [...plain(line)].length <= columns) ?? narrower.at(-1) ?? widest
  );
}

/** Of a run's name as much as tells it from the other runs of a day. */
const ID_POINTS = 16;

function addSpent(one: SoFar['spent'], other: SoFar['spent']): SoFar['spent'] {
  const sum = new Map(Object.entries(one));
  for (const [unit, amount] of Object.entries(other)) sum.set(unit, (sum.get(unit) ?? 0) + amount);
  return Object.fromEntries(sum);
}
