/**
 * Calling a tool, and what its errors say: whether it began, and what is known of it. Source: gate/G7, gate/G16.
 *
 * @module
 */
import { isName, type FailureCode, type Spent } from '@assay/kernel';
import type { FailureClass, PortError } from '@assay/host';
import { describeError } from './recorded.js';
import type { Execute, GateCall, Outcome } from './types.js';

/** What a tool came to. `raised`: what it raised. */
export type Performed = Outcome & { readonly raised?: { readonly error: unknown } };

/** Calls a tool. Never rejects. One that is given up by the call's signal is lost: it may take effect all the same. */
export async function performTool(
  { input, signal }: GateCall,
  { n, key }: { readonly n: number; readonly key: string },
  execute: Execute,
): Promise<Performed> {
  const spent: Record<string, number> = {};
  const spend = (amounts: Spent): void => {
    for (const [unit, amount] of Object.entries(amounts)) {
      const sum = (spent[unit] ?? 0) + amount;
      if (!isName(unit) || !Number.isSafeInteger(amount) || amount < 0 || !Number.isSafeInteger(sum))
        throw new RangeError(`spend: expected whole amounts by unit, got ${unit}: ${String(amount)}`);
      spent[unit] = sum;
    }
  };
  try {
    const result = await abortable(signal, async () => execute(input, { key, n, spend }));
    // A tool of MCP says in its result that it failed.
    const { isError } = Object(result) as { readonly isError?: unknown };
    return { result, ok: isError !== true, spent };
  } catch (error) {
    const raised = { error };
    const code = signal?.aborted === true ? 'lost' : readFailure(error);
    return code === null
      ? { ok: false, result: describeError(error), spent, raised }
      : { failure: { code, detail: describeError(error) }, spent, raised };
  }
}

/** What an action gives, or the signal's reason once that is aborted. */
async function abortable<T>(signal: AbortSignal | undefined, action: () => Promise<T>): Promise<T> {
  if (signal === undefined) return action();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([action(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Failures that a tool may state, by the class of a `PortError`; of every other it is known that the tool failed. */
const STATED: Partial<Record<FailureClass, FailureCode>> = {
  refused: 'unavailable',
  dns: 'unavailable',
  denied: 'denied',
  cancelled: 'cancelled',
  lost: 'lost',
  timeout: 'timeout',
};
/** Errors of the system that say that no connection was made: the call never began. */
const UNSENT: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** The failure that an error states; null where the tool was performed and failed. */
function readFailure(error: unknown): FailureCode | null {
  // By name: a door may come with a class of its own.
  if (error instanceof Error && error.name === 'PortError') return STATED[(error as PortError).class] ?? null;
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((each) => each instanceof Error && 'code' in each && UNSENT.includes(each.code))
    ? 'unavailable'
    : null;
}
