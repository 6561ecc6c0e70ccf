/**
 * What was found in traces, in numbers. Source: gate/G18.
 *
 * @module
 */
import { compareText } from '@assay/kernel';
import type { Call, Session } from './session.js';

/** How many calls came to what. `lost`: no result; the last two: what the trace does not say of them. */
export type CallCounts = {
  readonly calls: number;
  readonly failed: number;
  readonly refused: number;
  readonly lost: number;
  readonly no_input: number;
  readonly no_model: number;
  readonly no_time: number;
};

/** The counts of all calls, and of each tool, the most used first. */
export function countCalls(sessions: readonly Session[]): {
  readonly all: CallCounts;
  readonly tools: readonly (CallCounts & { readonly tool: string })[];
} {
  const calls = sessions.flatMap((session) => session.calls);
  const tools = [...groupByTool(calls)].map(([tool, same]) => ({ tool, ...count(same) }));
  return {
    all: count(calls),
    tools: tools.toSorted((a, b) => b.calls - a.calls || compareText(a.tool, b.tool)),
  };
}

/** Calls by their tool, as they were met. */
export function groupByTool<T extends { readonly tool: string }>(
  calls: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const call of calls) {
    const same = groups.get(call.tool);
    if (same === undefined) groups.set(call.tool, [call]);
    else same.push(call);
  }
  return groups;
}

function count(calls: readonly Call[]): CallCounts {
  const some = (test: (call: Call) => boolean): number => calls.filter(test).length;
  return {
    calls: calls.length,
    failed: some(({ end }) => end !== null && !end.isOk && end.by === null),
    refused: some(({ end }) => end !== null && end.by !== null),
    lost: some(({ end }) => end === null),
    no_input: some(({ input }) => input === null),
    no_model: some(({ said, at }) => said === null || said.provider === null || at === null),
    no_time: some(({ at }) => at === null),
  };
}
