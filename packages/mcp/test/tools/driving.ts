/** Runs of the machine `lookup` over a port, and what stands in their ledgers. */
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { isObject, orThrow, replayable, type JsonObject } from '@assay/kernel';
import { drive, memoryStore, type DriveOptions, type Port, type Store } from '@assay/host';
import { verify } from '@assay/verifier';
import type { McpCommand } from '../../src/client/child.ts';
import { lookup } from './lookup.mjs';

/** A server of this folder as a command. */
export function command(
  script: 'honest-server.mjs' | 'hostile-server.mjs',
  ...args: readonly string[]
): McpCommand {
  return { command: process.execPath, args: [fileURLToPath(new URL(script, import.meta.url)), ...args] };
}

/** What a run came to. `text`: its ledger as it is stored. */
export type Ran = {
  readonly end: string;
  readonly proposals: readonly JsonObject[];
  readonly text: string;
  readonly errors: readonly unknown[];
};

/** Drives a run to its end and verifies its ledger: every decision derived again. */
export async function ran(
  port: Port,
  {
    questions = ['why?'],
    attempts = 1,
    store = memoryStore(),
    ...options
  }: {
    readonly questions?: readonly string[];
    readonly attempts?: number;
    readonly store?: Store;
  } & Partial<DriveOptions> = {},
): Promise<Ran> {
  const errors: unknown[] = [];
  const genesis = { run_id: 'run', ts_base: 't', policy: { attempts }, input: { questions: [...questions] } };
  const driven = orThrow(
    await drive(lookup, genesis, {
      store,
      ports: () => port,
      retry: { baseMs: 0 },
      onEvent: (event) => {
        if (event.type === 'port_error') errors.push(event.error);
      },
      ...options,
    }),
  );
  const lines: string[] = [];
  for await (const line of store.read('run')) lines.push(`${Buffer.from(line).toString('utf8')}\n`);
  const text = lines.join('');
  if (driven.run.outcome !== null) requireVerified(text);
  const proposals = lines.flatMap((line) => {
    const { kind, payload } = JSON.parse(line) as { readonly kind: string; readonly payload: JsonObject };
    return kind === 'proposal' && isObject(payload) ? [payload] : [];
  });
  return { end: driven.end, proposals, text, errors };
}

/** Integrity held and every decision derived again. */
export function requireVerified(text: string): void {
  const { checks } = verify('run', Buffer.from(text, 'utf8'), { machines: [replayable(lookup)] }).document;
  expect([checks.integrity.verdict, checks.rederivation.verdict]).toEqual(['held', 'held']);
}
