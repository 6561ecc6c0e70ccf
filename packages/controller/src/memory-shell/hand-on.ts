/**
 * What passes between a controller's run and its stored memory. A controller emits messages and waits for
 * nobody (002 §R7, "fire and forget"). Each is a write that cites the record it stands in, so that telling it
 * twice remembers nothing twice.
 */
import {
  ok,
  type Result,
  type EvidenceRecord,
  type Genesis,
  type Head,
  type Json,
  type Run,
  openRequests,
} from '@assay/kernel';
import { type Store, readSequence, type Port, type LoadError, type StoreError } from '@assay/host';
import {
  type TellError,
  createShared,
  handOnWrites,
  readShared,
  tellShared,
  type Shared,
  type TellingOf,
  type ToldTo,
} from '@assay/host/shared-run';
import {
  memoryAnswer,
  toldMemoryIn,
  type ToldMemory,
  answerFromMemory,
  recallAnswer,
  type RecallQuery,
  defaultMemoryPolicy,
  memory,
  type InvitationKind,
  type MemoryAnswer,
  type MemoryBody,
  type MemoryEvent,
  type MemoryState,
  DISTIL_KIND,
  type DistilBody,
} from '../memory/index.js';
import { citedKey, feedbackKind } from '../memory/distilling.js';

/** Now, but never before what is recorded: a memory takes no time that runs back. */
export function nowAfter(clock_us: number): number {
  return Math.max(clock_us, Date.now() * 1_000);
}

/** What one decision of a controller has for its memory. `head`: up to that decision. */
type MemoryWrite = { readonly head: Head; readonly value: ToldMemory };

/** Hands writes on to a stored memory, remembered at {@link nowAfter}. Codes: `TellError`. */
export function handOn(
  store: Store,
  runId: string,
  writes: readonly MemoryWrite[],
): ReturnType<typeof handOnWrites> {
  return handOnWrites(memory, { store, runId }, writes, makeKey, (told, { clock_us }) => ({
    kind: told.kind,
    source: 'run',
    proposer: 'controller',
    value: memoryAnswer(told, nowAfter(clock_us)),
  }));
}

function makeKey(head: Head, told: ToldMemory): string {
  return citedKey(told.kind === 'feedback' ? feedbackKind(told.rule) : told.kind, head);
}

/** What a controller's run has for its memory, in order. Only for records that are known to hold. */
export function writesIn(runId: string, records: Iterable<EvidenceRecord>): readonly MemoryWrite[] {
  return [...records].flatMap((record) => {
    const head: Head = { run_id: runId, count: (readSequence(record.ts) ?? 0) + 1, hash: record.record_hash };
    return toldMemoryIn(record).map((value) => ({ head, value }));
  });
}

/**
 * The run that a fork was fed from; null for a fresh run and for a continuation, which goes on living what
 * its base began and tells only that. What a fork repeats is known under its parent's heads already, and what
 * it adds may never have happened: its genesis alone does not say which is which.
 */
export function forkedFrom([genesis]: readonly EvidenceRecord[]): string | null {
  const base = (genesis?.payload as Genesis | undefined)?.base ?? null;
  return base === null || base.snapshot !== null ? null : base.run_id;
}

/**
 * A port for a controller's `recall` requests: the memory's own invitation, so that its ledger says what it
 * gave to whom; the answer cites the head behind that. `ask`: gives the memory something; `asking`: the head
 * of the run that asks. Asked again by the same head, after a crash, the memory is only read. What it rejects
 * is the final failure `denied` with its code. Source: calls/C11.
 */
export function recallPort(
  ask: (telling: (run: MemoryRun) => Telling) => Promise<Told>,
  asking: () => Promise<Head>,
): Port {
  return {
    source: 'run',
    proposer: 'memory',
    perform: async ({ body }) => {
      const query = body as unknown as RecallQuery;
      const cited = await asking();
      let at_us = 0;
      const { events, head, rejection, run } = await ask(({ state }) => {
        at_us = nowAfter(state.clock_us);
        const value = recallAnswer(query, at_us);
        return { kind: 'recall', source: 'run', proposer: 'controller', value, cites: [cited] };
      });
      if (rejection !== null && rejection.code !== 'already_written')
        return { failure: { code: 'denied', final: true, detail: { code: rejection.code } } };
      // The memory's ledger has that moment, whether it gave the answer or was only read.
      const value = answerFromMemory(events, run.state, query, at_us) as unknown as Json;
      return { value, cites: [{ ...head }] };
    },
  };
}

/** The run of a memory. */
export type MemoryRun = Run<MemoryState, MemoryAnswer, MemoryEvent, MemoryBody>;
/** A memory read back: the run, and where its ledger ends. */
export type ReadMemory = Shared<MemoryRun>;
/** The name of a memory's run if none is given. */
export const MEMORY_RUN = 'memory';
/** What came of one answer to a memory. */
export type Told = ToldTo<MemoryRun, MemoryEvent>;
/** What a memory is given. `kind`: of an invitation, or `distil`. */
export type Telling = TellingOf<InvitationKind | 'distil'>;

/** Reads a memory from an open store, or from whatever gives its lines. Codes: {@link LoadError}. */
export function readMemory(
  store: Pick<Store, 'read'>,
  runId: string,
): Promise<Result<LoadError, ReadMemory>> {
  return readShared(memory, store, runId);
}

/** Makes a memory; false if there is one. Codes: those of the store, `run_id` among them. */
export function createMemory(store: Store, runId: string): Promise<Result<StoreError, boolean>> {
  return createShared(memory, store, runId, defaultMemoryPolicy);
}

/** Gives a stored memory something; a rejection is recorded, and no error. Codes: `TellError`. */
export function tell(
  store: Store,
  runId: string,
  telling: (run: MemoryRun) => Telling,
): Promise<Result<TellError, Told>> {
  return tellShared(memory, store, runId, telling);
}

/**
 * The name under which such words are proposed. The number rises whenever the same evidence could give
 * others.
 */
const DISTIL_PROPOSER = 'distil-rules@1';

/**
 * One sentence: which way, about what, what was done most often, and in how many of the records. Records of
 * the same tools in the same order are one way, whatever their inputs. Source: calls/C11.
 */
function distilByRules({ entity, evidence, polarity, space }: DistilBody): string {
  const ways = new Map<string, number>();
  for (const { content, count } of evidence)
    ways.set(wayIn(content), (ways.get(wayIn(content)) ?? 0) + count);
  const [first, ...others] = [...ways];
  const [way, count] = others.reduce((best, next) => (next[1] > best[1] ? next : best), first ?? ['', 0]);
  const total = evidence.reduce((sum, one) => sum + one.count, 0);
  const about = entity === 'env:local' ? space : `${space} ${entity}`;
  const said = way.trim() === '' ? '' : `: ${way.slice(0, SAID_MAX)}`;
  return `${polarity === 'constraint' ? 'Avoid' : 'Prefer'} ${about}${said}, ${count} of ${total}.`;
}

/** The tools of a record that tells how a task was done, without inputs and rounds; of another its text. */
function wayIn(content: string): string {
  const end = content.search(/; rounds: \d/);
  return end < 0 ? content : content.slice(0, end).replaceAll(/\([^()]*\)/g, '');
}

const SAID_MAX = 500;

/** Words every rule that a memory asks words for, by `distilByRules`. Codes: `TellError`. */
export async function wordByRules(store: Store, runId: string, told: Told): Promise<Result<TellError, Told>> {
  let last = told;
  for (;;) {
    const asked = openRequests(last.run).find(({ kind }) => kind === DISTIL_KIND);
    if (asked === undefined) return ok(last);
    const next = await tell(store, runId, () => ({
      kind: 'distil',
      request: asked.id,
      source: 'rule',
      proposer: DISTIL_PROPOSER,
      value: { text: distilByRules(asked.body as DistilBody) },
    }));
    if (next._tag === 'Left') return next;
    last = { ...next.right, events: [...last.events, ...next.right.events] };
  }
}

/** Those words as the port of such a request. */
export const distilPort: Port = {
  source: 'rule',
  proposer: DISTIL_PROPOSER,
  perform: ({ body }) => Promise.resolve({ value: { text: distilByRules(body as DistilBody) } }),
};
