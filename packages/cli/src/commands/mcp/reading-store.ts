/**
 * A store read from another thread: its owner is asked by messages, line by line as far as lines are wanted.
 *
 * @module
 */
import { StoreReadError, type Store, type StoreError } from '@assay/host';

/** What the other thread asks of the store. `next`: further lines of a reading that was begun. */
export type StoreAsk =
  | { readonly op: 'list' }
  | { readonly op: 'head'; readonly run: string }
  | { readonly op: 'read'; readonly run: string; readonly from: number | undefined }
  | { readonly op: 'next'; readonly reading: number };
/** What it is answered: what the store gave, lines (none: there are no more), or why there are none. */
export type StoreGave =
  | { readonly t: 'given'; readonly given: unknown }
  | { readonly t: 'lines'; readonly lines: readonly Uint8Array[] }
  | { readonly t: 'unread'; readonly error: StoreError };

/** Bytes of lines that one answer holds, and one line more. */
const BATCH_BYTES = 262_144;

/** Answers what is asked of a store; `end` gives readings up. One has the number of its `read`, from 0 on. */
export function storeAnswers(store: Store): {
  readonly answer: (ask: StoreAsk) => Promise<StoreGave>;
  readonly end: () => void;
} {
  const readings: AsyncIterator<Uint8Array>[] = [];
  const answer = async (ask: StoreAsk): Promise<StoreGave> => {
    switch (ask.op) {
      case 'list':
        return { t: 'given', given: await store.list() };
      case 'head':
        return { t: 'given', given: await store.head(ask.run) };
      case 'read':
        return {
          t: 'given',
          given: readings.push(store.read(ask.run, ask.from)[Symbol.asyncIterator]()) - 1,
        };
      case 'next': {
        const lines: Uint8Array[] = [];
        try {
          for (let bytes = 0; bytes < BATCH_BYTES; ) {
            const next = await readings[ask.reading]?.next();
            if (next === undefined || next.done === true) break;
            lines.push(next.value.slice());
            bytes += next.value.length + 1;
          }
          return { t: 'lines', lines };
        } catch (error) {
          if (error instanceof StoreReadError) return { t: 'unread', error: error.error };
          throw error;
        }
      }
    }
  };
  return {
    answer,
    end: () => {
      for (const reading of readings) void reading.return?.().catch(() => undefined);
    },
  };
}

/** The store as the other thread has it: it can only be read. */
export function readingStore(ask: (ask: StoreAsk) => Promise<StoreGave>): Store {
  const given = async <T>(what: StoreAsk): Promise<T> => {
    const gave = await ask(what);
    if (gave.t !== 'given') throw new TypeError('the store gave something else');
    return gave.given as T;
  };
  return {
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
    append: () => Promise.reject(new TypeError('this store is only read')),
    close: () => Promise.resolve(),
  };
}
