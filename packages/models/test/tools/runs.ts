/**
 * Whole runs of the intent machine against a scripted server, through the host, and what stands in their
 * ledgers.
 */
import { simulateStreamingMiddleware, wrapLanguageModel } from 'ai';
import { expect } from 'vitest';
import {
  isObject,
  orThrow,
  replayable,
  type EvidenceRecord,
  type Head,
  type Json,
  type JsonObject,
} from '@assay/kernel';
import { defaultPolicy, intent } from '@assay/kernel/intent';
import { drive, memoryStore, type DriveOptions, type Port, type Ports, type Store } from '@assay/host';
import { verify } from '@assay/verifier';
import { interpretationsTask } from '@assay/kernel/intent-prompts';
import { llmPort, openModel, parseModelName, type LlmOptions } from '@assay/models';
import { REQUEST } from './synthetic.ts';
import { scripted, type Received, type Scripted, type Step, type Wire } from './scripted-server.ts';

/** A key that must appear in nothing that is written. */
export const CANARY = 'sk-canary-7f3b9c2e51d84a06';

/** What a run came to. */
export type Ran = {
  readonly end: string;
  readonly reasons: readonly Json[];
  readonly records: readonly EvidenceRecord[];
  readonly proposals: readonly JsonObject[];
  readonly rejections: readonly JsonObject[];
  readonly artifacts: ReadonlyMap<string, Json>;
  readonly received: readonly Received[];
  readonly errors: readonly unknown[];
  readonly text: string;
};

/** A model of a scripted server. `isStreamed`: how it is asked. */
export async function modelTo(
  wire: Wire,
  server: Pick<Scripted, 'url'>,
  named: string,
  isStreamed: boolean = true,
): Promise<Omit<LlmOptions, 'tasks'>> {
  const name = orThrow(
    parseModelName(wire === 'compatible' ? `compatible/${named}@${server.url}` : `${wire}/${named}`),
  );
  const env = {
    ANTHROPIC_API_KEY: CANARY,
    OPENAI_API_KEY: CANARY,
    ASSAY_COMPATIBLE_API_KEY: CANARY,
    ANTHROPIC_BASE_URL: server.url,
    OPENAI_BASE_URL: server.url,
  };
  const { model, endpoint, secrets } = orThrow(await openModel(name, env));
  const asked = isStreamed ? model : wrapLanguageModel({ model, middleware: simulateStreamingMiddleware() });
  return { model: asked, provider: wire, name: named, endpoint, secrets };
}

/** The same as a port. */
export async function portTo(
  wire: Wire,
  server: Pick<Scripted, 'url'>,
  given: Partial<LlmOptions> = {},
  named: string = 'synthetic',
): Promise<Port> {
  return llmPort({ tasks: [interpretationsTask], ...(await modelTo(wire, server, named)), ...given });
}

/** A run of one slot, `llm`, whose model follows a script; its ledger verified. */
export async function ran(
  wire: Wire,
  script: readonly Step[] | ((call: number, received: Received) => Step),
  given: {
    readonly llm?: Partial<LlmOptions>;
    readonly drive?: Partial<DriveOptions>;
    readonly request?: string;
    readonly model?: string;
  } = {},
): Promise<Ran> {
  const server = await scripted(wire, script);
  try {
    const port = await portTo(wire, server, given.llm, given.model);
    return await runWith(() => port, { slots: ['llm'], received: server.received, ...given });
  } finally {
    await server.close();
  }
}

/** A run with any ports. */
export async function runWith(
  ports: Ports,
  {
    slots,
    policy = {},
    request = REQUEST,
    received = [],
    store = memoryStore(),
    drive: options = {},
  }: {
    readonly slots: readonly string[];
    readonly policy?: JsonObject;
    readonly request?: string;
    readonly received?: readonly Received[];
    readonly store?: Store;
    readonly drive?: Partial<DriveOptions>;
  },
): Promise<Ran> {
  const errors: unknown[] = [];
  const records: EvidenceRecord[] = [];
  const genesis = {
    run_id: 'run',
    ts_base: 't',
    policy: { ...defaultPolicy, proposers: slots, ...policy },
    input: { seed_text: request, pin: null },
  };
  const driven = orThrow(
    await drive(intent, genesis, {
      store,
      ports,
      retry: { baseMs: 0 },
      onEvent: (event) => {
        if (event.type === 'append') records.push(...event.records);
        if (event.type === 'port_error') errors.push(event.error);
      },
      ...options,
    }),
  );
  const lines: string[] = [];
  for await (const line of store.read('run')) lines.push(`${Buffer.from(line).toString('utf8')}\n`);
  const text = lines.join('');
  if (driven.run.outcome !== null) requireVerified(text, driven.head);
  const of = (kind: string): readonly JsonObject[] =>
    records.flatMap(({ kind: its, payload }) => (its === kind && isObject(payload) ? [payload] : []));
  const artifacts = new Map(of('artifact').map(({ name, content }) => [String(name), content ?? null]));
  const reasons = of('close').flatMap(({ reasons: codes }) =>
    Array.isArray(codes) ? (codes as Json[]) : [],
  );
  return {
    end: driven.end,
    reasons,
    records,
    proposals: of('proposal'),
    rejections: of('rejection'),
    artifacts,
    received,
    errors,
    text,
  };
}

/** Integrity held, every decision derived again, and equal to the head the host has. */
function requireVerified(text: string, head: Head): void {
  const { checks } = verify('run', Buffer.from(text, 'utf8'), {
    machines: [replayable(intent)],
    head: { count: head.count, hash: head.hash },
  }).document;
  expect([checks.integrity.verdict, checks.rederivation.verdict, checks.completeness.verdict]).toEqual([
    'held',
    'held',
    'held',
  ]);
}
