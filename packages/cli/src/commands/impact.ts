/** `assay impact`: recorded runs decided again under a change, and which of their decisions flip. */
import { availableParallelism } from 'node:os';
import type { ImpactDocument, ImpactRow } from '@assay/kernel/schemas';
import { impactReport, impactVerdict, type Change, type Expected } from '@assay/verifier/impact';
import { renderImpactAnnotations, renderImpactJunit, renderImpactMarkdown } from '@assay/views';
import { markedBytes, reportToGithub, requireApart, requireOver, writeOver } from '../files/write.js';
import {
  describeFault,
  isChange,
  overrideProblem,
  readChange,
  withPolicy,
  type ChangeOptions,
} from '../options/override.js';
import { settingFiles } from '../options/settings.js';
import { isStored } from '../files/ledger.js';
import { missingRemedy } from '../files/read.js';
import { threadsIn } from '../files/threads.js';
import { EXIT, Stop, misuse, worst, type ExitCode, badValue } from '../problems/problem.js';
import { commandLine, counted, show } from '../terminal/shown.js';
import { untilAborted } from '../terminal/signals.js';
import type { Context } from '../call/output.js';
import { readExpected, impactLines } from './impact/lines.js';
import {
  makeJudge,
  unreadRow,
  type ImpactOrder,
  type Judge,
  type JudgedRow,
  makePool,
} from './impact/judge.js';
import { isOwn, runsIn, type Named } from './impact/where.js';

/** What a call is given. */
export type ImpactFlags = ChangeOptions & {
  readonly machine: readonly string[];
  readonly expect?: string;
  readonly output: readonly string[];
};

/** Fewer runs than this are not worth another thread, and not one beside this. */
const RUNS_A_WORKER = 64;
const RUNS_A_THREAD = 16;
const EXITS = { no: EXIT.no, unchecked: EXIT.unchecked, done: EXIT.done } as const;

/**
 * Judges every run that is named. Exit 1 where one flips that `--expect` does not name, 4 where one is not
 * usable or cannot be known and nothing says so, 2 where there is no decision to check or no run takes the
 * change, 5 where a store goes away, 130 where it is interrupted; what was found so far is told. Raises `Stop`.
 */
export async function impact(
  context: Context,
  places: readonly string[],
  given: ImpactFlags,
): Promise<ExitCode> {
  const { output } = context;
  const flags = withPolicy(given);
  const change = await readChange(flags);
  const { machine: modules } = flags;
  if (!isChange(change) && modules.length === 0)
    throw badValue(
      'nothing is changed',
      '--set',
      'give a change, such as --set PATH=VALUE, --policy FILE, or --machine FILE with changed code',
    );
  const files = flags.output;
  for (const path of files) requireOver(path);
  requireApart(files, [...places, ...modules, ...settingFiles(flags.set)]);
  const changed = changeDocument(change, flags);
  const expected = await readExpected(flags.expect, changed);
  const order: ImpactOrder = { change, modules, isInstead: !isChange(change) };
  const found = await allJudged(context, places, order, threadsIn(context.env));
  const document: ImpactDocument = {
    change: changed,
    expect: flags.expect ?? null,
    interrupted: found.isInterrupted,
    ...impactReport(
      [...found.rows, ...missingRows(found, expected)],
      expected,
      found.judged.flatMap(({ compared }) => compared),
    ),
  };
  if (document.decisions === 0 && found.stop === null && !found.isInterrupted)
    throw nothingChecked(found.judged, places, flags.policy);
  if (found.stop === null && !found.isInterrupted) requireNamed(found.judged, change);
  output.document(document);
  for (const line of impactLines(document)) output.line(line);
  const trace = document.runs.find(({ file }) => file.includes('#') && !isStored(file))?.file.split('#')[0];
  if (trace !== undefined)
    output.line(
      show`next        ${commandLine(['assay', 'import', trace, '-o', 'sessions'])} makes ledgers to look into`,
    );
  for (const path of files) {
    const render = path.endsWith('.xml') ? renderImpactJunit : renderImpactMarkdown;
    await writeOver({ path, bytes: markedBytes(render(document)) });
  }
  reportToGithub(context, {
    annotations: () => renderImpactAnnotations(document),
    summary: () => renderImpactMarkdown(document),
    inputs: [...places, ...modules],
  });
  if (found.stop !== null) output.complaint(found.stop.problem);
  return worst([
    EXITS[impactVerdict(document)],
    ...(found.stop === null ? [] : [found.stop.problem.exit]),
    ...(found.isInterrupted ? [EXIT.interrupted] : []),
  ]);
}

type Found = {
  readonly rows: readonly Omit<ImpactRow, 'expected'>[];
  readonly judged: readonly JudgedRow[];
  readonly isInterrupted: boolean;
  readonly stop: Stop | null;
};

/** Every run judged, by several threads where there are many; the rows in the order of the runs. */
async function allJudged(
  { output, interruption }: Context,
  places: readonly string[],
  order: ImpactOrder,
  asked: number | null,
): Promise<Found> {
  const { named, close } = await runsIn(places);
  const workers =
    asked ?? Math.max(1, Math.min(availableParallelism(), Math.floor(named.length / RUNS_A_WORKER)));
  // A thread that works is ended by a signal, and what was found so far is told.
  const isAlone = asked === null && named.length < RUNS_A_THREAD && order.modules.length === 0;
  const pool = isAlone
    ? { judges: [await makeJudge(order)], end: () => undefined }
    : makePool(workers, order);
  const judged: (JudgedRow | undefined)[] = named.map(() => undefined);
  const live = output.live<number>((done) => show`assay: ${done} of ${named.length} runs decided again`);
  const at: { next: number; done: number; stop: Stop | null } = { next: 0, done: 0, stop: null };
  try {
    const isInterrupted = await interruption.during(async (signal) => {
      const work = async (judge: Judge): Promise<void> => {
        while (at.next < named.length && !signal.aborted && at.stop === null) {
          const index = at.next;
          at.next += 1;
          const one = named[index];
          if (one === undefined) return;
          judged[index] = await judgedOne(one, judge).catch((error: unknown) => {
            if (!(error instanceof Stop) || error.problem.exit !== EXIT.unreachable) throw error;
            at.stop = error;
            return undefined;
          });
          at.done += 1;
          live.show(at.done);
        }
      };
      // Threads that are at work when a signal comes are ended.
      await Promise.race([Promise.all(pool.judges.map(work)), untilAborted(signal)]);
      return signal.aborted;
    });
    const all = judged.filter((one) => one !== undefined);
    return { rows: all.map(({ row }) => row), judged: all, isInterrupted, stop: at.stop };
  } finally {
    live.end();
    pool.end();
    await close();
  }
}

/** Runs of the expected report that are not there any more: nothing says what became of them. */
function missingRows({ rows, isInterrupted, stop }: Found, expected: Expected): Found['rows'] {
  if (expected === null || expected === 'none' || isInterrupted || stop !== null) return [];
  const files = new Set(rows.map(({ file }) => file));
  return expected.runs.flatMap(({ file }) => (files.has(file) ? [] : [unreadRow(file, 'missing_run')]));
}

const NEAR_EACH = 1;

async function judgedOne({ file, read }: Named, judge: Judge): Promise<JudgedRow> {
  let bytes: Uint8Array;
  try {
    bytes = await read();
  } catch (error) {
    if (!isOwn(error)) throw error;
    return { row: unreadRow(file, error.problem.code), compared: [], isRefused: false, leftOut: [] };
  }
  return judge(file, bytes);
}

/** Nothing was decided again: because no run takes the change, told once, or because there is none. */
function nothingChecked(judged: readonly JudgedRow[], places: readonly string[], policy?: string): Stop {
  const rows = judged.filter(({ isRefused }) => isRefused).map(({ row }) => row);
  const settings = rows.filter(({ code }) => code === 'unknown_setting' || code === 'ambiguous_setting');
  const refused = rows.find((row) => !settings.includes(row));
  if (refused !== undefined)
    return misuse(
      refused.code ?? 'refused',
      `the machine ${refused.machine ?? ''} does not take this: ${describeFault(refused.detail)}`,
      policy === undefined ? '--set' : `--policy ${policy}`,
      policy === undefined ? 'give a value that the machine takes' : 'correct this place of the file',
    );
  const [unknown] = settings;
  if (unknown !== undefined) {
    return overrideProblem({
      code: unknown.code === 'ambiguous_setting' ? unknown.code : 'unknown_setting',
      path: faultIn(unknown).path,
      near: [...new Set(settings.flatMap((row) => faultIn(row).near.slice(0, NEAR_EACH)))],
    });
  }
  const [first] = judged;
  if (first !== undefined && judged.every(({ row }) => row.code === 'missing_file'))
    return misuse('missing_file', 'no such file or folder', first.row.file, missingRemedy(first.row.file));
  const why = first === undefined ? '' : `; the first: ${first.row.file}, ${first.row.code ?? ''}`;
  return misuse(
    'nothing_to_check',
    `no decision could be checked in ${counted(judged.length, 'ledger')}${why}`,
    places.join(' '),
    'name ledgers that verify, such as out/run.ledger.jsonl, or a folder of them',
  );
}

/** A name by which nobody answered in any run would pass for a source that nothing rests on. */
function requireNamed(judged: readonly JudgedRow[], { without }: Change): void {
  const unknown = without.find((name) => !judged.some(({ leftOut }) => leftOut.includes(name)));
  if (unknown === undefined) return;
  throw badValue(
    'no proposer, slot or source of this name answered in any of these runs',
    `--without ${unknown}`,
    'give a source, a proposer, a slot or a kind of request, as assay show LEDGER records prints them',
  );
}

/** The path that a run does not have, and the fields it may mean. */
function faultIn({ detail }: JudgedRow['row']): { readonly path: string; readonly near: readonly string[] } {
  return detail as unknown as ReturnType<typeof faultIn>;
}

function changeDocument(
  { overrides, without }: Change,
  { set, machine }: ImpactFlags,
): ImpactDocument['change'] {
  const fileOf = (name: string): string | null =>
    settingFiles(set.filter((one) => one.startsWith(`${name}=`)))[0] ?? null;
  return {
    set: overrides.flatMap(({ path, value }) => (value === undefined ? [] : [{ path, value }])),
    unset: overrides.flatMap(({ path, value }) => (value === undefined ? [path] : [])),
    without,
    policy: fileOf('policy'),
    input: fileOf('input'),
    machine,
  };
}
