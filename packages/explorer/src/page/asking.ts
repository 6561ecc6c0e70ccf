/** Answers of the worker as state of a page. */
import { useEffect, useState } from 'preact/hooks';
import type { Ask, Call, Calls } from '../data/calls.js';

/**
 * The answer to a call; asked again where `on` changes, and the last one stays until the next is there. What
 * the worker cannot answer is told where the file was loaded.
 */
export function useAnswer<K extends Call>(
  ask: Ask,
  call: K,
  given: Calls[K][0],
  on: readonly unknown[],
): Calls[K][1] | undefined {
  const [answer, setAnswer] = useState<{ readonly of: Calls[K][1] } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const get = async (): Promise<void> => {
      const of = await ask(call, given);
      if (isCurrent) setAnswer({ of });
    };
    get().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [...on]);
  return answer?.of;
}
