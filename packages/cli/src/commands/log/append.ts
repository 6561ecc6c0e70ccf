/** `assay log append`: the sequencer of a log of runs. */
import { type LogEntry, makeClosing, makeOpening } from '@assay/attest';
import { type LogSequencer, openLog } from '@assay/attest/node';
import { maskedAddress, StoreReadError } from '@assay/host';
import { isName, isProposer } from '@assay/kernel';
import type { LogAppendDocument } from '@assay/attest/schemas';
import type { Context, Output } from '../../call/output.js';
import { openStore, storeProblem, type NamedStore } from '../../files/store.js';
import {
  EXIT,
  misuse,
  orStop,
  unsound,
  type ExitCode,
  badValue,
  needsOption,
} from '../../problems/problem.js';
import { show } from '../../terminal/shown.js';
import { readSecretKey } from '../sign/evidence-files.js';
import { readAllFacts, readLedgerFacts } from './facts.js';
import { followSteps, LOG_SHELL, withLog } from './problem.js';

/** Options of `log append`. */
type AppendFlags = {
  readonly log: string;
  readonly store: string;
  readonly key: string;
  readonly follow?: boolean;
  readonly abandon: readonly string[];
  readonly by?: string;
};

/** Between two looks at the store. */
const BATCH_MS = 200;
/** Entries under one checkpoint, at most some more: a store is logged in bounded memory. */
const BATCH_MAX = 2_000;
/** Known runs are asked whether they are over for so long in one look; what is left is asked in the next. */
const ENDS_MS = 100;

/**
 * Logs the openings and ends of the runs of a store, once, or with `--follow` until it is interrupted: 130.
 * Exit 3 where a run is broken and was left out. Raises `Stop`.
 */
export async function appendLog(context: Context, flags: AppendFlags): Promise<ExitCode> {
  const { output } = context;
  const secret = readSecretKey(flags.key);
  const abandoned = flags.abandon.map((text) => readAbandon(text, flags));
  // Who follows may come before the first run.
  const store = await openStore(flags.store, { mustExist: flags.follow !== true, readsOnly: true });
  try {
    return await withLog(flags.log, async () => {
      const log = await openLog(flags.log, secret, LOG_SHELL);
      try {
        const looks = new Looks(store, flags.store, log, output);
        // A store that is not there yet, or not now, is asked again.
        if (flags.follow === true) {
          const ended = await followSteps(context, BATCH_MS, async () => {
            const added = await looks.look(ENDS_MS);
            return added === 0 ? null : show`assay: ${added} entries, ${looks.size} in the log`;
          });
          tellLog(output, looks.document(flags.log));
          return ended;
        }
        await looks.look(Infinity);
        for (const [run, code] of abandoned) await looks.abandon(run, code, flags.by ?? '');
        tellLog(output, looks.document(flags.log));
        return looks.broken.size > 0 ? EXIT.failed : EXIT.done;
      } finally {
        await log.close();
      }
    });
  } finally {
    await store.close();
  }
}

function readAbandon(text: string, { by = '', follow }: AppendFlags): readonly [run: string, code: string] {
  const [, run = '', code = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (!isName(code))
    throw badValue('not RUN=CODE', `--abandon ${text}`, 'give --abandon RUN=CODE, such as run-7=lost');
  if (!isProposer(by))
    throw needsOption(
      '--abandon needs --by',
      '--by',
      'give --by NAME, of letters, digits and . _ ~ : / @ + -',
    );
  if (follow === true)
    throw misuse(
      'conflict',
      '--abandon does not go with --follow',
      '--follow, --abandon',
      'give one of them',
    );
  return [run, code];
}

/** Looks at a store, and logs what is new. */
class Looks {
  private readonly store: NamedStore;
  private readonly url: string;
  private readonly log: LogSequencer;
  private readonly output: Output;
  /** Broken runs, of which each is told once. */
  readonly broken = new Set<string>();
  private readonly added = { opened: 0, closed: 0, abandoned: 0 };
  /** Records of open runs when they were asked last. */
  private readonly counts = new Map<string, number>();
  /** Open runs that are still to be asked in this round. */
  private round: string[] = [];

  constructor(store: NamedStore, url: string, log: LogSequencer, output: Output) {
    this.store = store;
    this.url = url;
    this.log = log;
    this.output = output;
  }

  get size(): number {
    return this.log.index.size;
  }

  /** Appends what is new; how many entries. */
  async look(endsMs: number): Promise<number> {
    const { index } = this.log;
    const before = index.size;
    let entries: LogEntry[] = [];
    const append = async (): Promise<void> => {
      await this.log.append(entries);
      for (const { t } of entries) this.added[t === 'assay.run-opened.v1' ? 'opened' : 'closed'] += 1;
      entries = [];
    };
    const ids = orStop(await this.store.list(), (error) => storeProblem(error, this.url));
    const fresh = ids.filter((id) => !index.runs.has(id));
    for await (const [id, read] of readAllFacts(this.store, this.url, fresh)) {
      if (read.t === 'broken') this.refuse(id, read.code);
      if (read.t !== 'facts') continue;
      const opened = index.size + entries.length;
      entries.push(makeOpening(id, read.facts.genesis_hash, read.facts.machine));
      const closing = makeClosing(read.facts, opened);
      if (closing !== null) entries.push(closing);
      if (entries.length >= BATCH_MAX) await append();
    }
    await append();
    entries = await this.readEnds(endsMs);
    await append();
    return index.size - before;
  }

  /** The ends of runs that the log has open. */
  private async readEnds(endsMs: number): Promise<LogEntry[]> {
    const until = performance.now() + endsMs;
    if (this.round.length === 0)
      for (const [id, { end }] of this.log.index.runs) if (end === null) this.round.push(id);
    const ends: LogEntry[] = [];
    while (this.round.length > 0 && performance.now() < until) {
      const id = this.round.pop() ?? '';
      const run = this.log.index.runs.get(id);
      if (run === undefined || run.end !== null || !(await this.isOver(id))) continue;
      const read = await readLedgerFacts(this.store, this.url, id);
      if (read.t === 'broken') this.refuse(id, read.code);
      const closing = read.t === 'facts' ? makeClosing(read.facts, run.opened) : null;
      if (closing?.genesis_hash === run.genesis_hash) ends.push(closing);
      else if (closing !== null) this.refuse(id, 'other_run');
    }
    return ends;
  }

  private async isOver(id: string): Promise<boolean> {
    const head = await this.store.head(id);
    if (head._tag === 'Left') {
      if (head.left.code !== 'torn') throw storeProblem(head.left, this.url);
      this.refuse(id, head.left.code);
      return false;
    }
    const count = head.right?.count ?? 0;
    if (count === 0 || this.counts.get(id) === count) return false;
    this.counts.set(id, count);
    try {
      for await (const line of this.store.read(id, count - 1))
        if (Buffer.from(line).toString('latin1', 0, CLOSE.length) === CLOSE) return true;
    } catch (error) {
      if (!(error instanceof StoreReadError)) throw error;
      throw storeProblem(error.error, this.url);
    }
    return false;
  }

  /** Gives an open run up, where its ledger is now. */
  async abandon(id: string, code: string, by: string): Promise<void> {
    const run = this.log.index.runs.get(id);
    const read = await readLedgerFacts(this.store, this.url, id);
    if (run === undefined || read.t !== 'facts')
      throw misuse('no_run', 'the store has no such sound run', id, 'assay store list shows the runs');
    if (run.end !== null)
      throw misuse('over', 'the log already has the end of this run', id, 'a run ends once');
    const { genesis_hash, count, hash } = read.facts;
    const { opened } = run;
    await this.log.append([
      { t: 'assay.run-abandoned.v1', run_id: id, genesis_hash, count, hash, opened, by, code },
    ]);
    this.added.abandoned += 1;
  }

  private refuse(id: string, code: string): void {
    if (this.broken.has(id)) return;
    this.broken.add(id);
    const { problem } = unsound(code, 'this run is damaged, so it was not logged', id, 'see assay verify');
    this.output.complaint(problem);
  }

  document(folder: string): LogAppendDocument {
    const checkpoint = this.log.checkpoint();
    return {
      folder,
      store: maskedAddress(this.url),
      log:
        checkpoint === null
          ? null
          : { origin: checkpoint.origin, size: checkpoint.size, root: checkpoint.root },
      ...this.added,
      broken: [...this.broken],
    };
  }
}

/** Canonical records begin with their kind. */
const CLOSE = '{"kind":"close"';

function tellLog(output: Output, document: LogAppendDocument): void {
  const { log, opened, closed, abandoned } = document;
  output.document(document);
  const all = show`${log?.size ?? 0} entries in ${document.folder}`;
  output.line(show`${opened} runs opened, ${closed} closed, ${abandoned} given up; ${all}`);
}
