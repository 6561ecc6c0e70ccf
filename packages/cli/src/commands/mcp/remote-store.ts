/**
 * A store used from another thread: its owner is asked by messages, line by line as far as lines are wanted. So
 * locks are the main thread's, and a thread that is ended leaves nothing half written.
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';
import { StoreReadError, type Store, type StoreError } from '@assay/host';
import type { Desk } from '@assay/mcp';

type Stores = Required<Pick<Desk, 'store' | 'writing'>>;
/** What is asked, by name, and with what. */
export type StoreAsk = readonly [op: string, ...given: readonly unknown[]];
type Lines = Result<StoreError, readonly Uint8Array[]>;

/** Bytes of lines that one answer holds, and one line more. */
const BATCH_BYTES = 262_144;

/**
 * Answers what one call asks of its store: from `open` to `close` one opened for a call that writes. `read` gives the
 * number of the reading, `next` its further lines, none at its end. `end` closes what is open, appends first.
 */
export function storeAnswers({ store, writing }: Pick<Desk, 'store' | 'writing'>) {
  const readings: AsyncIterator<Uint8Array>[] = [];
  let opening: ReturnType<Stores['writing']> | null = null;
  const opened = async (): Promise<Store | null> => {
    const found = await opening;
    return found?._tag === 'Right' ? found.right : null;
  };
  const current = async (): Promise<Store> => (await opened()) ?? store;
  const close = async (): Promise<void> => {
    await (await opened())?.close();
    opening = null;
  };
  const asked: { readonly [op: string]: (...given: never[]) => Promise<unknown> } = {
    open: async () => {
      opening = writing?.() ?? null;
      return (await opening)?._tag === 'Left' ? opening : null;
    },
    close,
    list: async () => (await current()).list(),
    head: async (run: string) => (await current()).head(run),
    append: async (...group: Parameters<Store['append']>) => (await current()).append(...group),
    read: async (...run: Parameters<Store['read']>) =>
      readings.push((await current()).read(...run)[Symbol.asyncIterator]()) - 1,
    next: async (reading: number): Promise<Lines> => {
      const lines: Uint8Array[] = [];
      try {
        for (let bytes = 0; bytes < BATCH_BYTES; ) {
          const next = await readings[reading]?.next();
          if (next === undefined || next.done === true) break;
          lines.push(next.value.slice());
          bytes += next.value.length + 1;
        }
        return ok(lines);
      } catch (error) {
        if (error instanceof StoreReadError) return err(error.error);
        throw error;
      }
    },
  };
  const answer = ([op, ...given]: StoreAsk) => asked[op]?.(...(given as never[])) ?? Promise.resolve();
  const end = (): Promise<void> => {
    for (const reading of readings) void reading.return?.().catch(() => undefined);
    return close();
  };
  return { answer, end };
}

/** The stores as the other thread has them. */
export function remoteStores(ask: <T>(...asked: StoreAsk) => Promise<T>): Stores {
  const store: Store = {
    list: () => ask('list'),
    head: (run) => ask('head', run),
    append: (...group) => ask('append', ...group),
    read: async function* (...run) {
      const reading = await ask<number>('read', ...run);
      for (;;) {
        const lines = await ask<Lines>('next', reading);
        if (lines._tag === 'Left') throw new StoreReadError(lines.left);
        if (lines.right.length === 0) return;
        yield* lines.right;
      }
    },
    close: () => ask('close'),
  };
  return {
    store,
    writing: async () => (await ask<Awaited<ReturnType<Stores['writing']>> | null>('open')) ?? ok(store),
  };
}
