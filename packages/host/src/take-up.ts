/**
 * Taking up a stored run quickly: derive every record again and compare it, as text, with the stored line.
 *
 * A line that is the text of a derived record hashes, links and encodes as it says, since the derived one does. So
 * nothing is hashed twice, and nothing is left unchecked. Where a line differs, {@link loadRun} says how.
 *
 * @module
 */
import { advance, encodeLine, err, follow, headOf, isObject, ok, parseEnvelope, type EvidenceRecord, type Head, type Json, type KernelOptions, type Machine, type Result, type Run } from '@assay/kernel';
import { loadRun, type LoadError } from './load.js';
import { StoreReadError, type Store } from './store.js';

/** A run as its stored ledger has it. `due`: records that the ledger lacks to the end of its last group; `head`: where it ends. */
export type Stored<S, I, E extends Json, A extends Json> = { readonly run: Run<S, I, E, A>; readonly due: readonly EvidenceRecord[]; readonly head: Head };

/** Reads a run back and derives it again. Errors: {@link LoadError}, as {@link loadRun} gives them. Changes nothing. */
export async function takeUpRun<S, I, E extends Json, A extends Json>(machine: Machine<S, I, E, A>, runId: string, store: Pick<Store, 'read'>, options: KernelOptions): Promise<Result<LoadError, Stored<S, I, E, A>>> {
  const quick = await new Comparison(machine, options).read(runId, store);
  if (quick !== null) return quick;
  const loaded = await loadRun(machine, runId, store, options);
  if (loaded._tag === 'Left') return loaded;
  const { run, due, head } = loaded.right;
  return ok({ run, due, head });
}

/** Goes on from a run that stands at the end of a group, as {@link takeUpRun}. Null where a line is not what is derived. `from`: sequence of the first line to read. */
export async function goOn<S, I, E extends Json, A extends Json>(run: Run<S, I, E, A>, store: Pick<Store, 'read'>, from: number, options: KernelOptions): Promise<Result<LoadError, Stored<S, I, E, A>> | null> {
  return new Comparison(run.machine, options, run).read(run.genesis.run_id, store, from);
}

class Comparison<S, I, E extends Json, A extends Json> {
  private readonly machine: Machine<S, I, E, A>;
  private readonly options: KernelOptions;
  private readonly decoder: InstanceType<typeof TextDecoder> = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private run: Run<S, I, E, A> | null;
  private due: readonly EvidenceRecord[] = [];
  /** Records of `due` that were met. */
  private met: number = 0;
  private head: Head | null;

  constructor(machine: Machine<S, I, E, A>, options: KernelOptions, run: Run<S, I, E, A> | null = null) {
    this.machine = machine;
    this.options = options;
    this.run = run;
    this.head = run === null ? null : headOf(run);
  }

  /** Null where a line is not what is derived. */
  async read(runId: string, store: Pick<Store, 'read'>, from?: number): Promise<Result<LoadError, Stored<S, I, E, A>> | null> {
    try {
      for await (const line of store.read(runId, from)) if (!this.accept(line)) return null;
    } catch (error) {
      if (error instanceof StoreReadError) return err({ code: 'store', error: error.error });
      throw error;
    }
    const { run, due, met, head } = this;
    return run === null || head === null ? null : ok({ run, due: due.slice(met), head });
  }

  private accept(line: Uint8Array): boolean {
    const text = this.textOf(line);
    if (text === null) return false;
    if (this.met === this.due.length && !this.derive(text)) return false;
    const next = this.due[this.met];
    if (next === undefined || encodeLine(next) !== text) return false;
    this.met += 1;
    const { run, head } = this;
    if (run === null) return false;
    const first = run.genesis.base?.snapshot ? run.genesis.base.count : 0;
    this.head = { run_id: run.genesis.run_id, count: (head?.count ?? first) + 1, hash: next.record_hash };
    return true;
  }

  /** The group that a genesis or an answer begins. */
  private derive(text: string): boolean {
    const record = recordIn(text);
    if (record === null || record.payload === undefined) return false;
    this.met = 0;
    if (this.run === null) {
      const follower = follow(this.machine, record, this.options);
      if (follower._tag === 'Left') return false;
      this.run = follower.right.run;
      this.due = [this.run.genesisRecord, ...follower.right.due];
      return true;
    }
    if (record.kind !== 'proposal' || !isObject(record.payload)) return false;
    const { proposal_hash: _, ...given } = record.payload;
    const step = advance(this.run, given);
    if (step._tag === 'Left') return false;
    this.run = step.right.run;
    this.due = step.right.records;
    return true;
  }

  private textOf(line: Uint8Array): string | null {
    try {
      return this.decoder.decode(line);
    } catch {
      return null;
    }
  }
}

function recordIn(text: string): EvidenceRecord | null {
  try {
    const envelope = parseEnvelope(JSON.parse(text) as Json);
    return envelope._tag === 'Left' ? null : envelope.right;
  } catch {
    return null;
  }
}
