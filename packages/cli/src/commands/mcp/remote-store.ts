/**
 * A store used from another thread: its owner is asked by messages, line by line as far as lines are wanted. So
 * locks are the main thread's, and a thread that is ended leaves nothing half written.
 *
 * @module
 */
import { ok, type EvidenceRecord, type Head } from '@assay/kernel';
import { StoreReadError, type Store, type StoreError } from '@assay/host';
import type { Desk } from '@assay/mcp';

type Stores = Required<Pick<Desk, 'store' | 'writing'>>;

/**
 * What the other thread asks. `open`: from now to `close` the store is one opened for a call that writes; `next`:
 * further lines of a reading that was begun.
 */
export type StoreAsk =
  | { readonly op: 'open' | 'close' | 'list' }
  | { readonly op: 'head'; readonly run: string }
  | { readonly op: 'append'; readonly given: readonly [string, Head | null, readonly EvidenceRecord[]] }
  | { readonly op: 'read'; readonly run: string; readonly from: number | undefined }
  | { readonly op: 'next'; readonly reading: number };
/** What it is answered: what the store gave, lines (none: there are no more), or why there are none. */
export type StoreGave =
  | { readonly t: 'given'; readonly given: unknown }
  | { readonly t: 'lines'; readonly lines: readonly Uint8Array[] }
  | { readonly t: 'unread'; readonly error: StoreError };

/** Bytes of lines that one answer holds, and one line more. */
const BATCH_BYTES = 262_144;

/**
 * Answers what one call asks of its store; `end` gives readings up and closes what was opened, once its appends are
 * over. A reading has the number of its `read`, from 0 on.
 */
export function storeAnswers({ store, writing }: Pick<Desk, 'store' | 'writing'>): {
  readonly answer: (ask: StoreAsk) => Promise<StoreGave>;
  readonly end: () => Promise<void>;
} {
  const readings: AsyncIterator<Uint8Array>[] = [];
  let opening: ReturnType<Stores['writing']> | null = null;
  const opened = async (): Promise<Store | null> => {
    const found = await opening;
    return found?._tag === 'Right' ? found.right : null;
  };
  const close = async (): Promise<void> => {
    await (await opened())?.close();
    opening = null;
  };
  const given = async (ask: StoreAsk): Promise<unknown> => {
    const current = (await opened()) ?? store;
    switch (ask.op) {
      case 'open': {
        opening = writing?.() ?? null;
        const found = await opening;
        return found?._tag === 'Left' ? found : null;
      }
      case 'close':
        return close();
      case 'list':
        return current.list();
      case 'head':
        return current.head(ask.run);
      case 'append':
        return current.append(...ask.given);
      case 'read':
        return readings.push(current.read(ask.run, ask.from)[Symbol.asyncIterator]()) - 1;
      case 'next':
        return null;
    }
  };
  const lines = async (reading: AsyncIterator<Uint8Array> | undefined): Promise<StoreGave> => {
    const found: Uint8Array[] = [];
    try {
      for (let bytes = 0; bytes < BATCH_BYTES; ) {
        const next = await reading?.next();
        if (next === undefined || next.done === true) break;
        found.push(next.value.slice());
        bytes += next.value.length + 1;
      }
      return { t: 'lines', lines: found };
    } catch (error) {
      if (error instanceof StoreReadError) return { t: 'unread', error: error.error };
      throw error;
    }
  };
  return {
    answer: async (ask) =>
      ask.op === 'next' ? lines(readings[ask.reading]) : { t: 'given', given: await given(ask) },
    end: () => {
      for (const reading of readings) void reading.return?.().catch(() => undefined);
      return close();
    },
  };
}

/** The stores as the other thread has them. */
export function remoteStores(ask: (ask: StoreAsk) => Promise<StoreGave>): Stores {
  const given = async <T>(what: StoreAsk): Promise<T> => {
    const gave = await ask(what);
    if (gave.t !== 'given') throw new TypeError('the store gave something else');
    return gave.given as T;
  };
  const store: Store = {
    list: () => given({ op: 'list' }),
    head: (run) => given({ op: 'head', run }),
    read: async function* (run, from) {
      const reading = await given<number>({ op: 'read', run, from });
      for (;;) {
        const gave = await ask({ op: 'next', reading });
        if (gave.t === 'unread') throw new StoreReadError(gave.error);
        if (gave.t !== 'lines' || gave.lines.length === 0) return;
        yield* gave.lines;
      }
    },
    append: (...group) => given({ op: 'append', given: group }),
    close: () => given({ op: 'close' }),
  };
  return {
    store,
    writing: async () =>
      (await given<Awaited<ReturnType<Stores['writing']>> | null>({ op: 'open' })) ?? ok(store),
  };
}
