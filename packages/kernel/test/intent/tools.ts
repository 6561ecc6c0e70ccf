/** Small parts of intent runs, for the tests of the machine. */
import { createHash } from 'node:crypto';
import {
  advance,
  openRequests,
  openRun,
  orThrow,
  type EvidenceRecord,
  type Json,
  type Digest,
  type Proposal,
  type Step,
} from '@assay/kernel';
import {
  defaultPolicy,
  intent,
  SeedText,
  type Atom,
  type Claim,
  type ClaimKind,
  type Interpretation,
  type Modality,
  type Policy,
} from '@assay/kernel/intent';

/** The quote of the first place where some words stand in a seed. */
export function quoteOf(seedText: string, words: string): { readonly start: number; readonly end: number } {
  const at = seedText.indexOf(words);
  if (at < 0) throw new RangeError(`"${words}" is not in the seed`);
  return new SeedText(seedText).quote(at, at + words.length);
}

/** A claim on some words of a seed. */
export function claimOn(
  seedText: string,
  words: string,
  more: { readonly kind?: ClaimKind; readonly modality?: Modality; readonly atom?: Atom | null } = {},
): Claim {
  return {
    kind: more.kind ?? 'requirement',
    modality: more.modality ?? 'must',
    quote: quoteOf(seedText, words),
    atom: more.atom ?? null,
    scope: { actor: null, condition: null, exception: null },
  };
}

/** A reading. */
export function reading(
  name: string,
  commits: readonly Claim[],
  more: Partial<Interpretation> = {},
): Interpretation {
  return { name, assumptions: [], intent_summary: name, commits, contradictions: [], aliases: [], ...more };
}

/** An amount. */
export function amount(key: string, op: Atom['op'], n: number, unit: string | null, scale = 0): Atom {
  return { key, op, value: { n, scale }, unit };
}

/** A flag. */
export function flag(key: string, value = true): Atom {
  return { key, op: '=', value, unit: null };
}

/** The default policy with some fields changed. */
export function policyWith(more: { readonly [field in keyof Policy]?: Json } = {}): Json {
  return { ...defaultPolicy, ...more } as Json;
}

export type IntentStep = Step<
  Parameters<typeof intent.evolve>[0],
  readonly Interpretation[],
  Parameters<typeof intent.evolve>[1]
>;

/** A run and all of its records. */
export type Played = { readonly step: IntentStep; readonly records: readonly EvidenceRecord[] };

/** The runtime's digest: the same bytes, faster. */
export const native = (bytes: Uint8Array): Digest =>
  createHash('sha256').update(bytes).digest('hex') as Digest;

/** Opens a run. */
export function opened(
  seedText: string,
  policy: Json = policyWith(),
  pin: Json = null,
  runId = 'run',
): Played {
  const step = orThrow(
    openRun(
      intent,
      { run_id: runId, ts_base: 't', policy, input: { seed_text: seedText, pin } },
      { sha256: native },
    ),
  );
  return { step: step as unknown as IntentStep, records: step.records };
}

/** Answers a slot; `value` null and a failure where one is given. */
export function answered(
  { step, records }: Played,
  slot: string,
  value: Json,
  more: Partial<Proposal> = {},
): Played {
  const request = openRequests(step.run).find(
    ({ body }) => (body as { readonly slot: string }).slot === slot,
  );
  if (request === undefined) throw new RangeError(`${slot} is not waiting`);
  const next = orThrow(
    advance(step.run, {
      request_id: request.id,
      source: 'synthetic',
      proposer: `fixture:${slot}`,
      confidence: null,
      value,
      failure: null,
      at_us: null,
      spent: {},
      cites: [],
      provenance: {},
      ...more,
    }),
  );
  return { step: next, records: [...records, ...next.records] };
}

/** Runs to the end: each slot gives the readings named for it. */
export function played(
  seedText: string,
  readings: { readonly [slot: string]: readonly Interpretation[] },
  policy: Json = policyWith({ proposers: Object.keys(readings) }),
  pin: Json = null,
): Played {
  let run = opened(seedText, policy, pin);
  for (const [slot, value] of Object.entries(readings)) run = answered(run, slot, value as unknown as Json);
  return run;
}

/** The content of the artifact of a name, or undefined. */
export function artifactOf({ records }: Played, name: string): { readonly [key: string]: Json } | undefined {
  const record = records.findLast(
    ({ kind, payload }) => kind === 'artifact' && (payload as { readonly name: string }).name === name,
  );
  return (record?.payload as { readonly content: { readonly [key: string]: Json } } | undefined)?.content;
}

/** Why a run was refused; empty for a success. */
export function reasonsOf(run: Played): readonly Json[] {
  return (artifactOf(run, 'refusal_report')?.['reason_codes'] ?? []) as readonly Json[];
}

/** The events of a kind in the last decision. */
export function eventsOf({ records }: Played, t: string): readonly { readonly [key: string]: Json }[] {
  const decision = records.findLast(({ kind }) => kind === 'decision')?.payload as {
    readonly events: readonly { readonly t: string; readonly [key: string]: Json }[];
  };
  return decision.events.filter((event) => event.t === t);
}
