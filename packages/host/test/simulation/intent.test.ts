import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isObject, type Json } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { FAULTS, NO_FAULTS, simulate, type Scenario } from '../../src/testing/index.ts';
import type { SimulatedPort } from '../../src/testing/faulty-port.js';
import type { Order } from '../../src/drive-options.ts';

/** A golden run of the intent machine: its genesis, and its answers by what was asked. */
function recorded(name: string): {
  readonly genesis: Parameters<typeof simulate>[1]['genesis'];
  readonly text: string;
  readonly ports: (request: { readonly kind: string; readonly body: Json }) => SimulatedPort | null;
} {
  const text = readFileSync(
    new URL(`../../../../golden-fixtures/${name}/ledger.jsonl`, import.meta.url),
    'utf8',
  );
  const records = text
    .trimEnd()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as { readonly kind: string; readonly payload: { readonly [key: string]: never } },
    );
  const asked = new Map<string, string>();
  const answers = new Map<string, SimulatedPort>();
  for (const { kind, payload } of records) {
    if (kind === 'decision')
      for (const request of payload['requests'] as unknown as readonly {
        readonly id: string;
        readonly kind: string;
        readonly body: Json;
      }[])
        asked.set(request.id, JSON.stringify([request.kind, request.body]));
    if (kind !== 'proposal') continue;
    const { request_id, source, proposer, value, failure, confidence, at_us, spent, cites, provenance } =
      payload as unknown as Record<string, never>;
    const question = asked.get(request_id ?? '') ?? '';
    if (!answers.has(question))
      answers.set(question, {
        source: source as never,
        proposer: proposer as never,
        answer: () => ({ value, failure, confidence, at_us, spent, cites, provenance }) as never,
      });
  }
  const { run_id, ts_base, policy, input } = (records[0]?.payload ?? {}) as unknown as {
    readonly run_id: string;
    readonly ts_base: string;
    readonly policy: Json;
    readonly input: Json;
  };
  return {
    genesis: { run_id, ts_base, policy, input },
    text,
    ports: ({ kind, body }) => answers.get(JSON.stringify([kind, body])) ?? null,
  };
}

const artifacts = (text: string): readonly Json[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json)
    .flatMap((record) =>
      isObject(record) && record['kind'] === 'artifact' ? [record['payload'] ?? null] : [],
    );

/** Crashes, interruptions, a store that refuses; every port answers as recorded. */
const faults = { ...FAULTS, portError: 0, silent: 0, late: 0 };

describe('a run of the intent machine in a simulated world', () => {
  for (const name of ['intent-contradiction-settled', 'intent-contradiction-claimed']) {
    it(`host/turn-order-bytes, host/arrival-order-invariant: ${name} by turn and by arrival`, async () => {
      const { genesis, text, ports } = recorded(name);
      const driven = async (
        seed: number,
        order: Order,
        given: Partial<Scenario<never, never, never, never>> = {},
      ): Promise<string> => {
        const simulated = await simulate(seed, {
          machine: intent,
          genesis,
          ports,
          faults,
          processes: 1,
          isLocking: seed % 2 === 0,
          concurrency: 1 + (seed % 4),
          order,
          deadlines: {},
          ...(given as object),
        });
        expect({ seed, violations: simulated.violations }).toEqual({ seed, violations: [] });
        return simulated.text;
      };
      expect(await driven(1, 'turn', { faults: NO_FAULTS, concurrency: 1 })).toBe(text);
      for (let seed = 1; seed <= 40; seed += 1) {
        expect({ seed, text: await driven(seed, 'turn') }).toEqual({ seed, text });
        expect({ seed, artifacts: artifacts(await driven(seed, 'arrival')) }).toEqual({
          seed,
          artifacts: artifacts(text),
        });
      }
    });
  }
});
