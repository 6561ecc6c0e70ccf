/** `assay log check`: whether a log and a store hold the same runs, and whether the log only grew. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isSigned,
  judgeLedger,
  logKey,
  parseCheckpoint,
  readCosignatures,
  RunIndex,
  type Checkpoint,
  type LedgerFacts,
  type PublicKey,
} from '@assay/attest';
import { extendsTree, LogError, LogReader, readCheckpoint, readCosigned } from '@assay/attest/node';
import type { LogCheckDocument, LogFinding } from '@assay/attest/schemas';
import { maskedAddress, nativeSha256 } from '@assay/host';
import type { Context, Output } from '../../call/output.js';
import { readText } from '../../files/read.js';
import { openStore, storeProblem, type NamedStore } from '../../files/store.js';
import { EXIT, orStop, type ExitCode, needsOption, badValue } from '../../problems/problem.js';
import { show } from '../../terminal/shown.js';
import { readTrusted } from '../sign/evidence-files.js';
import { readAllFacts } from './facts.js';
import { LOG_CRYPTO, withLog } from './problem.js';

/** Options of `log check`. */
type CheckFlags = {
  readonly log: string;
  readonly store: string;
  readonly trust: readonly string[];
  readonly witness: readonly string[];
  readonly since?: string;
};

/** A log that is at work is at most so far behind its store and before its witness. */
const SETTLE_MS = 2_000;
const LOOK_MS = 100;
/** Runs under way that are listed on a screen. */
const LISTED_MAX = 20;

/**
 * Compares a log with a store. Exit 3 where something does not fit; runs under way are no fault. Raises
 * `Stop`.
 */
export async function checkLog({ output }: Context, flags: CheckFlags): Promise<ExitCode> {
  if (flags.trust.length === 0)
    throw needsOption('the public key of the log is missing', '--trust', 'give --trust KEY.pub');
  const trusted = await readTrusted(flags.trust);
  const witnesses = flags.witness.length === 0 ? null : await readTrusted(flags.witness);
  const since = flags.since === undefined ? null : await readEarlier(flags.since, trusted);
  const store = await openStore(flags.store, { mustExist: true, readsOnly: true });
  try {
    const check = new Check(flags, trusted, witnesses, since);
    const document = await withLog(flags.log, () => check.run(store, output));
    tellCheck(output, document);
    return document.findings.some(({ fault }) => fault) ? EXIT.failed : EXIT.done;
  } finally {
    await store.close();
  }
}

async function readEarlier(path: string, trusted: readonly PublicKey[]): Promise<Checkpoint> {
  const read = parseCheckpoint(await readText(path));
  if (read._tag === 'Left')
    throw badValue('this file is not a checkpoint', path, 'give a copy of the file checkpoint');
  if (!isSigned(read.right, LOG_CRYPTO))
    throw badValue('this checkpoint is not signed', path, 'give another');
  requireKey(read.right, trusted);
  return read.right;
}

/** A public key in hex. */
export function hexOf({ bytes }: PublicKey): string {
  return Buffer.from(bytes).toString('hex');
}

/** Raises `log_key` for a log that is signed with another key than one that is trusted. */
function requireKey(checkpoint: Checkpoint, trusted: readonly PublicKey[]): void {
  if (!trusted.some((key) => hexOf(key) === logKey(checkpoint)))
    throw new LogError('log_key', logKey(checkpoint));
}

class Check {
  private readonly flags: CheckFlags;
  private readonly trusted: readonly PublicKey[];
  private readonly witnesses: readonly string[] | null;
  private readonly since: Checkpoint | null;
  private readonly index = new RunIndex();
  private readonly reader: LogReader;
  private readonly findings: LogFinding[] = [];
  /** Ledgers that the log does not have, or not their end: perhaps it only is behind. */
  private readonly behind = new Map<string, LedgerFacts | null>();

  constructor(
    flags: CheckFlags,
    trusted: readonly PublicKey[],
    witnesses: readonly PublicKey[] | null,
    since: Checkpoint | null,
  ) {
    this.flags = flags;
    this.trusted = trusted;
    this.witnesses = witnesses?.map(hexOf) ?? null;
    this.since = since;
    this.reader = new LogReader(flags.log, nativeSha256);
  }

  async run(store: NamedStore, output: Output): Promise<LogCheckDocument> {
    const { findings, index, flags } = this;
    const place = flags.store;
    // The store first: what it has then, the log has soon.
    const ids = orStop(await store.list(), (error) => storeProblem(error, place));
    const first = this.readOn();
    if (this.since !== null && !extendsTree(flags.log, this.since, first, nativeSha256))
      this.tell('inconsistent', null);
    await this.judgeRuns(store, ids, output);
    const [last, cosigned] = await this.settle(first);
    for (const [id, facts] of this.behind) {
      const run = index.runs.get(id);
      const found = run === undefined || facts === null ? null : judgeLedger(run, facts, nativeSha256);
      if (run === undefined) this.tell('unlogged', id);
      else if (found !== null) this.tell(found.code, id, found.isFault);
    }
    const stored = new Set(ids);
    for (const id of index.runs.keys()) {
      // One that began after the store was listed is there by now.
      if (stored.has(id)) continue;
      const head = await store.head(id);
      if (head._tag === 'Left' && head.left.code === 'unavailable') throw storeProblem(head.left, place);
      if (head._tag === 'Right' && head.right === null) this.tell('missing_run', id);
    }
    if (this.witnesses !== null && (cosigned === null || cosigned.size < first.size))
      this.tell('unwitnessed', null);
    if (cosigned !== null && !extendsTree(flags.log, cosigned, last, nativeSha256))
      this.tell('inconsistent', null);
    return {
      folder: flags.log,
      store: maskedAddress(place),
      log: { origin: last.origin, size: last.size, root: last.root },
      time: cosigned === null ? null : this.readTime(cosigned),
      runs: index.runs.size,
      findings,
    };
  }

  /** Reads the log on to its newest checkpoint. */
  private readOn(): Checkpoint {
    const checkpoint = readCheckpoint(this.flags.log, nativeSha256);
    if (checkpoint === null) throw new LogError('log_missing', this.flags.log);
    requireKey(checkpoint, this.trusted);
    this.reader.extendTo(checkpoint, (entry, { digest }) => {
      const fault = this.index.add(entry, digest);
      if (fault !== null) this.tell(fault, entry.run_id);
    });
    return checkpoint;
  }

  private async judgeRuns(store: NamedStore, ids: readonly string[], output: Output): Promise<void> {
    const live = output.live<number>((done) => show`assay: ${done} of ${ids.length} runs read`);
    let done = 0;
    try {
      for await (const [id, read] of readAllFacts(store, this.flags.store, ids)) {
        done += 1;
        if (done % LISTED_MAX === 0) live.show(done);
        const run = this.index.runs.get(id);
        if (read.t === 'missing') continue;
        if (run === undefined) {
          this.behind.set(id, read.t === 'facts' ? read.facts : null);
          continue;
        }
        const found = read.t === 'broken' ? BROKEN : judgeLedger(run, read.facts, nativeSha256);
        if (found?.code === 'unclosed' && found.isFault && read.t === 'facts')
          this.behind.set(id, read.facts);
        else if (found !== null) this.tell(found.code, id, found.isFault);
      }
    } finally {
      live.end();
    }
  }

  /** Waits a moment for a log at work: until it has what its store had, and its witness what it had. */
  private async settle(first: Checkpoint): Promise<readonly [last: Checkpoint, cosigned: Checkpoint | null]> {
    const until = performance.now() + SETTLE_MS;
    for (;;) {
      const cosigned =
        this.witnesses === null ? null : readCosigned(this.flags.log, nativeSha256, this.witnesses);
      // Behind it: what is cosigned was the newest before.
      const last = this.readOn();
      const isSeen = this.witnesses === null || (cosigned !== null && cosigned.size >= first.size);
      const isLogged = [...this.behind].every(([id, facts]) => {
        const run = this.index.runs.get(id);
        return run !== undefined && (run.end !== null || facts?.outcome === 'open');
      });
      if ((isSeen && isLogged) || performance.now() >= until) return [last, cosigned];
      await sleep(LOOK_MS);
    }
  }

  private readTime(cosigned: Checkpoint): number | null {
    const times = readCosignatures(cosigned, LOG_CRYPTO)
      .filter(({ key, isSound }) => isSound && this.witnesses?.includes(key) === true)
      .map(({ time }) => time);
    return times.length === 0 ? null : Math.min(...times);
  }

  private tell(code: LogFinding['code'], run_id: string | null, fault = true): void {
    const index = run_id === null ? null : (this.index.runs.get(run_id)?.opened ?? null);
    this.findings.push({ code, run_id, index, fault });
  }
}

const BROKEN = { code: 'head_mismatch', isFault: true } as const;

const SAYS: { readonly [code in LogFinding['code']]: string } = {
  inconsistent: 'the log does not extend the earlier checkpoint: entries were removed or changed',
  unwitnessed: 'no witness that you named cosigned this log',
  twice: 'the log has a second opening or end of this run',
  missing_run: 'the run is in the log but not in the store',
  unlogged: 'the run is in the store but not in the log',
  head_mismatch: 'the ledger in the store is not the one that was logged',
  unclosed: 'this run has ended, but its end is not in the log',
};

function tellCheck(output: Output, document: LogCheckDocument): void {
  const { log, runs, findings, time } = document;
  output.document(document);
  const faults = findings.filter(({ fault }) => fault);
  const open = findings.filter(({ fault }) => !fault);
  const seen = time === null ? show`` : show`, witnessed ${new Date(time * MS).toISOString()}`;
  const said = faults.length === 0 ? show`hold the same runs` : show`differ: ${faults.length} faults`;
  output.line(show`The log and the store ${said} (${runs} runs, ${log.size} entries${seen}).`);
  for (const { code, run_id } of faults) {
    const line = show`${code}  ${run_id ?? log.origin}: ${SAYS[code]}`;
    output.line(line);
    output.brief(line);
  }
  if (open.length > 0) output.line(show`${open.length} runs are under way (unclosed):`);
  for (const { run_id } of open.slice(0, LISTED_MAX)) output.line(show`  ${run_id ?? ''}`);
  if (open.length > LISTED_MAX) output.line(show`  and ${open.length - LISTED_MAX} more (--json lists all)`);
}

const MS = 1_000;
