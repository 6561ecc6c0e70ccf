/** What is told and written of a run that ended: how, why, the details, and what to type next. */
import type { Identity } from '@assay/host';
import { formatHeadLine, orThrow, runView, type EvidenceRecord, type Request } from '@assay/kernel';
import type { Page, Text } from '@assay/kernel/view';
import { drawPicture, inkText } from '@assay/views';
import type { Output } from '../call/output.js';
import { LEDGER_FILE } from '../files/claim.js';
import { openView, viewableFor, type Viewed } from '../options/machines.js';
import type { Miss } from '../options/proposers.js';
import { EXIT, worst, type ExitCode, type Problem } from '../problems/problem.js';
import { textIn, commandLine, moveWords, inked, show, type Shown } from '../terminal/shown.js';
import { type Ended, writeOutputs, answersBy } from './results.js';
import type { Play, StartFlags } from './kit.js';
import { failuresAmong } from './model-failures.js';
import type { StartedRun } from './stored-run.js';

/** A run that ended. `found`: records that were stored before. */
type Over = {
  readonly play: Play;
  readonly ended: Ended;
  readonly found: number;
  readonly flags: StartFlags;
  readonly identity: Identity;
};

/** Writes the outputs, tells how a run ended, and gives the exit code. Raises `Stop` where they cannot be written. */
export async function tellEnded(
  output: Output,
  { play, ended, found, flags, identity }: Over,
): Promise<ExitCode> {
  const { records, status, reasons, artifacts } = ended;
  const folder = flags.output ?? null;
  const ledger = folder === null ? null : `${folder}/${LEDGER_FILE}`;
  const problems = [
    ...[...(play.misses ?? new Map<string, Miss>()).values()].map(missProblem),
    ...failuresAmong(answersBy(records, play.who ?? askedIn), ledger),
  ];
  for (const problem of problems) output.complaint(problem);
  const files = folder === null ? [] : await writeOutputs(folder, ended);
  const head = formatHeadLine(ended.head);
  const told = (await play.tell?.(ended)) ?? {};
  const { lines = [], answer = [], more = { artifacts: Object.fromEntries(artifacts) } } = told;
  for (const line of answer) output.data(line);
  const { picture, next } =
    told.picture === undefined
      ? await viewed(records, play.pages)
      : { picture: told.picture, next: [{ command: 'verify', args: ['{ledger}'] }] };
  const because = told.because ?? picture.because;
  const isOver = found > 0 && found === ended.head.count;
  if (isOver) output.line(show`This run had already finished. To run it again, add --set run_id=NAME.`);
  for (const line of drawPicture({ ...picture, because, asked: '' })) output.line(inked(line));
  if (lines.length > 0) output.line();
  for (const line of lines) output.line(line);
  output.line();
  output.line(show`run         ${identity.run_id}   ${play.about}`);
  if (found > 0 && !isOver) output.line(show`resumed     after ${found} records`);
  output.line(show`head        ${head}`);
  for (const [index, file] of files.entries())
    output.line(show`${index === 0 ? 'written   ' : '          '}  ${file}`);
  if (folder === null && flags.store === undefined)
    output.line(show`This run was not saved. Add -o DIR to keep it.`);
  for (const [index, move] of (ledger === null ? [] : next).entries()) {
    const words = moveWords(move, ledger ?? '');
    const line = commandLine(move.command === 'verify' ? [...words, '--head', head] : words);
    output.line(show`${index === 0 ? 'next' : '    '}        ${line}`);
  }
  const { problem: untold = null, more: handed } = (await play.end?.(ended)) ?? {};
  if (untold !== null) output.complaint(untold);
  if (told.fault !== undefined && told.fault !== null) throw told.fault;
  output.document({
    ...{ run_id: identity.run_id, ts_base: identity.ts_base, status, reasons, head: ended.head },
    ...{ head_line: head, files, was_over: isOver, records_found: found },
    ...more,
    ...handed,
  });
  const handedOn = untold?.exit ?? EXIT.done;
  if (status === 'success') return worst([handedOn, told.exit ?? EXIT.done]);
  const blamed = play.isUnanswered?.(ended) === false ? [] : problems;
  return worst([EXIT.no, handedOn, ...blamed.map(({ exit }) => exit)]);
}

/** Tells how far a run is that waits for people, and what each may type. */
export async function tellOpen(
  output: Output,
  { pages }: Pick<Play, 'pages'>,
  open: { readonly records: readonly EvidenceRecord[]; readonly answers: readonly (Shown | null)[] },
): Promise<void> {
  const { picture } = await viewed(open.records, pages);
  for (const line of drawPicture({ ...picture, asked: '' })) output.line(inked(line));
  output.line();
  for (const [index, answer] of open.answers.entries())
    if (answer !== null) output.line(show`${index === 0 ? 'next' : '    '}        ${answer}`);
}

/** What the view has of a run that just ended: who answered, the result and the next commands, unless told. */
async function viewed(
  records: readonly EvidenceRecord[],
  pages: readonly Page[] = ['course', 'result'],
): Promise<Extract<Viewed, { readonly t: 'viewed' }>> {
  const { genesis } = orThrow(runView(records));
  const seen = await openView([], genesis, records, pages);
  if (seen?.t !== 'viewed') throw new TypeError('a run that was just driven has no view');
  return seen;
}

/** Who was asked, in words: a slot, else what for. */
function askedIn({ kind, body }: Request): string {
  const slot = textIn(body, 'slot');
  return slot === '' ? kind : `slot ${slot}`;
}

/** A recording without an answer does not end the run: the request fails, and this says why. */
function missProblem({ file, said, isEmpty }: Miss): Problem {
  return {
    code: isEmpty ? 'recording_empty' : 'recording_miss',
    message: isEmpty ? 'this recording is empty: it has no entries, so it answers nothing' : said,
    place: file,
    remedy: isEmpty
      ? 'record an answer into it (docs/guides/intent.md, "Recorded answers"), or name another proposer'
      : 'ask what was recorded: the same words, policy and files; or record an answer to this ask',
    exit: EXIT.no,
  };
}

/** The records from a position on, a line each, and what the run comes to now; none without a view of the machine. */
export async function describeFrom(
  modules: readonly string[],
  { by }: StartedRun,
  [genesis, ...rest]: readonly EvidenceRecord[],
  from: number,
): Promise<readonly Shown[]> {
  const view = await viewableFor(modules, by);
  let seen = genesis === undefined ? undefined : view?.begin(genesis, { checked: true });
  const lines: Shown[] = [];
  for (const [index, record] of rest.entries()) {
    if (seen?._tag !== 'Right') break;
    seen = seen.right.feed(record);
    if (seen._tag === 'Right' && index + 1 >= from) lines.push(inkLine(seen.right.described.text));
  }
  if (seen?._tag === 'Right') {
    const { verdict, subject } = seen.right.show([]);
    lines.push(inkLine([`${verdict}   `, ...(typeof subject === 'string' ? [subject] : subject)]));
  }
  return lines;
}

function inkLine(text: Text): Shown {
  return { parts: [{ text: inkText(text, 4_000), style: null }] };
}
