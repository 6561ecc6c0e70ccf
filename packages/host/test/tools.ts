import {
  encodeLine,
  type EvidenceRecord,
  type GenesisInput,
  type Head,
  isObject,
  type Json,
  type Request,
  type Result,
} from '@assay/kernel';
import {
  folderJournal,
  memoryStore,
  type Port,
  type PortAnswer,
  type PortCall,
  type Store,
  type StoreError,
} from '../src/index.ts';
import type { MemoryRuns } from '../src/store.ts';
import type { Retry } from '../src/failure-class.ts';

/** Has one folder know the calls of a run that another has noted. */
export async function copyNotes(from: string, to: string, runId: string): Promise<void> {
  const run = { runId, genesis: '0'.repeat(64) };
  await folderJournal(to).add(run, await folderJournal(from).lines(run));
}

/** Failed calls are made again without a wait worth the name. */
export const AT_ONCE: Retry = { baseMs: 0 };

/** The genesis of a poll. */
export function poll(
  policy: { readonly voters?: number; readonly quorum?: number; readonly attempts?: number } = {},
  run_id = 'poll-1',
): GenesisInput {
  return {
    run_id,
    ts_base: 't0',
    policy: { voters: 3, quorum: 2, attempts: 3, ...policy },
    input: { question: 'lunch?', options: ['soup', 'salad'] },
  };
}

/** A port that answers by a function of the request and counts its calls. */
export function port(
  answer: (request: Request, call: PortCall) => PortAnswer | Promise<PortAnswer>,
  bound: Partial<Pick<Port, 'source' | 'proposer'>> = {},
): Port & { readonly calls: { readonly id: string; readonly key: string }[] } {
  const calls: { readonly id: string; readonly key: string }[] = [];
  return {
    source: 'rule',
    proposer: 'test',
    ...bound,
    calls,
    perform: async (request, call) => {
      calls.push({ id: request.id, key: call.key });
      return answer(request, call);
    },
  };
}

/** The text of a stored ledger. */
export async function ledgerText(store: Store, runId = 'poll-1'): Promise<string> {
  let text = '';
  for await (const line of store.read(runId)) text += `${new TextDecoder().decode(line)}\n`;
  return text;
}

/** The stored records of a kind, as their payloads. */
export async function payloads(store: Store, kind: string, runId = 'poll-1'): Promise<readonly Json[]> {
  const records = (await ledgerText(store, runId))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
  return records.flatMap((record) =>
    isObject(record) && record['kind'] === kind ? [record['payload'] ?? null] : [],
  );
}

/** The process dies in an append. */
export class Death extends Error {
  override readonly name = 'Death';
}

/**
 * A store whose process dies at its n-th append with so many first records of the group stored; `calls`
 * counts the appends of whole lives too.
 */
export function dyingStore(
  runs: MemoryRuns,
  at: number,
  kept: number,
): Store & { readonly appends: readonly number[] } {
  const inner = memoryStore(runs);
  const appends: number[] = [];
  return {
    ...inner,
    appends,
    append: async (
      runId: string,
      expected: Head | null,
      records: readonly EvidenceRecord[],
    ): Promise<Result<StoreError, Head>> => {
      appends.push(records.length);
      if (appends.length - 1 < at) return inner.append(runId, expected, records);
      const first = records.slice(0, kept);
      if (first.length > 0) await inner.append(runId, expected, first);
      throw new Death();
    },
  };
}

/** The lines of records, each ended. */
export function textOf(records: readonly EvidenceRecord[]): string {
  return records.map((record) => `${encodeLine(record)}\n`).join('');
}
