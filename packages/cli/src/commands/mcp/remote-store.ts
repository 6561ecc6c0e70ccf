/**
 * A store used from another thread: its owner is asked by messages, line by line as far as lines are wanted. So
 * locks are the main thread's, and a thread that is ended leaves nothing half written.
 *
 * @module
 */
import type { EvidenceRecord, Head } from '@assay/kernel';
import { StoreReadError, type Store, type StoreError } from '@assay/host';
import type { Desk } from '@assay/mcp';

/** The store that is shared, or the one opened for a call that writes. */
type Which = 'shared' | 'opened';

/** What the other thread asks of a store. `next`: further lines of a reading that was begun. */
export type StoreAsk =
  | { readonly op: 'open' | 'close' }
  | { readonly op: 'list'; readonly of: Which }
  | { readonly op: 'head'; readonly of: Which; readonly run: string }
  | {
      readonly op: 'append';
      readonly of: Which;
      readonly run: string;
      readonly expected: Head | null;
      readonly records: readonly EvidenceRecord[];
    }
  | { readonly op: 'read'; readonly of: Which; readonly run: string; readonly from: number | undefined }
  | { readonly op: 'next'; readonly reading: number };
/** What it is answered: what the store gave, lines (none: there are no more), or why there are none. */
export type StoreGave =
  | { readonly t: 'given'; readonly given: unknown }
  | { readonly t: 'lines'; readonly lines: readonly Uint8Array[] }
  | { readonly t: 'unread'; readonly error: StoreError };

/** Bytes of lines that one answer holds, and one line more. */
const BATCH_BYTES = 262_144;

/**
 * Answers what is asked of the stores of one call; `end` gives readings up and closes what was opened, once its
 * appends are over. A reading has the number of its `read`, from 0 on.
 */
export function storeAnswers({ store, writing }: Pick<Desk, 'store' | 'writing'>): {
  readonly answer: (ask: StoreAsk) => Promise<StoreGave>;
  readonly end: () => Promise<void>;
} {
  const readings: AsyncIterator<Uint8Array>[] = [];
  let opening: ReturnType<NonNullable<Desk['writing']>> | null = null;
  const opened = async (): Promise<Store | null> => {
    const found = await opening;
    return found?._tag === 'Right' ? found.right : null;
  };
  const storeOf = async (which: Which): Promise<Store> =>
    (which === 'shared' ? store : await opened()) ?? store;
  const given = (value: unknown): StoreGave => ({ t: 'given', given: value });
  const answer = async (ask: StoreAsk): Promise<StoreGave> => {
    switch (ask.op) {
      case 'open': {
        opening = writing?.() ?? null;
        const found = await opening;
        return given(found?._tag === 'Left' ? found : null);
      }
      case 'close':
        return given(await (await opened())?.close());
      case 'list':
        return given(await (await storeOf(ask.of)).list());
      case 'head':
        return given(await (await storeOf(ask.of)).head(ask.run));
      case 'append':
        return given(await (await storeOf(ask.of)).append(ask.run, ask.expected, ask.records));
      case 'read': {
        const lines = (await storeOf(ask.of)).read(ask.run, ask.from);
        return given(readings.push(lines[Symbol.asyncIterator]()) - 1);
      }
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
    end: async () => {
      for (const reading of readings) void reading.return?.().catch(() => undefined);
      await (await opened())?.close();
    },
  };
}

/** The stores as the other thread has them. */
export function remoteStores(
  ask: (ask: StoreAsk) => Promise<StoreGave>,
): Required<Pick<Desk, 'store' | 'writing'>> {
  const given = async <T>(what: StoreAsk): Promise<T> => {
    const gave = await ask(what);
    if (gave.t !== 'given') throw new TypeError('the store gave something else');
    return gave.given as T;
  };
  const remote = (of: Which): Store => ({
    list: () => given({ op: 'list', of }),
    head: (run) => given({ op: 'head', of, run }),
    append: (run, expected, records) => given({ op: 'append', of, run, expected, records }),
    read: async function* (run, from) {
      const reading = await given<number>({ op: 'read', of, run, from });
      for (;;) {
        const gave = await ask({ op: 'next', reading });
        if (gave.t === 'unread') throw new StoreReadError(gave.error);
        if (gave.t !== 'lines' || gave.lines.length === 0) return;
        yield* gave.lines;
      }
    },
    close: async () => {
      if (of === 'opened') await given({ op: 'close' });
    },
  });
  return {
    store: remote('shared'),
    writing: async () =>
      (await given<Awaited<ReturnType<NonNullable<Desk['writing']>>> | null>({ op: 'open' })) ?? {
        _tag: 'Right',
        right: remote('opened'),
      },
  };
}
