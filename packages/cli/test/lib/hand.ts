/**
 * Answers written by hand: recordings for the tests, and runs made from any answers.
 */
import { writeFileSync } from 'node:fs';
import {
  advance,
  encodeLine,
  hashCanonical,
  openRequests,
  openRun,
  orThrow,
  type EvidenceRecord,
  type Json,
  type Proposal,
} from '@assay/kernel';
import { defaultPolicy, intent, parsePin, type Policy } from '@assay/kernel/intent';
import { askHash } from '@assay/proposers';

/** A commit that must hold, on words of a seed. `atom` null: the words alone. */
export function commit(seed: string, words: string, atom: Json = null, modality = 'must'): Json {
  const start = [...seed.slice(0, seed.indexOf(words))].length;
  return {
    kind: 'requirement',
    modality,
    quote: { start, end: start + [...words].length },
    atom,
    scope: { actor: null, condition: null, exception: null },
  };
}

/** A reading of a name. */
export function reading(
  name: string,
  commits: readonly Json[],
  assumptions: readonly string[] = [],
  intent_summary = name,
): Json {
  return { name, assumptions, intent_summary, commits };
}

/** Writes a recording that answers one slot of a request, as `fixture:<slot>`. */
export function writeRecording(
  path: string,
  seed: string,
  slot: string,
  value: Json,
  pin: Json = null,
): string {
  const body: Json = {
    slot,
    seed_hash: orThrow(hashCanonical(seed)),
    seed_text: seed,
    n: 8,
    pin: orThrow(parsePin(pin)) as unknown as Json,
  };
  const ask = { kind: 'interpretations', body };
  writeFileSync(
    path,
    JSON.stringify({
      format: 'assay-recorded/0',
      entries: [
        {
          ask_hash: askHash(ask),
          ask,
          proposal: { source: 'synthetic', proposer: `fixture:${slot}`, value },
        },
      ],
    }),
  );
  return path;
}

/** The records of a run whose slots answer as given, in this order. */
export function recordsOf(
  seed: string,
  answers: readonly (Pick<Proposal, 'source' | 'proposer'> & Partial<Proposal> & { readonly slot: string })[],
  { pin = null, policy = {} }: { readonly pin?: Json; readonly policy?: Partial<Policy> } = {},
): readonly EvidenceRecord[] {
  const proposers = [...new Set(answers.map(({ slot }) => slot))];
  const step = orThrow(
    openRun(intent, {
      run_id: 'by-hand',
      ts_base: '2026',
      policy: { ...defaultPolicy, proposers, ...policy } as unknown as Json,
      input: { seed_text: seed, pin },
    }),
  );
  const records = [...step.records];
  let { run } = step;
  for (const { slot, ...given } of answers) {
    const request = openRequests(run).find(({ body }) => body.slot === slot);
    const next = orThrow(
      advance(run, {
        request_id: request?.id ?? '',
        confidence: null,
        value: null,
        failure: null,
        at_us: null,
        spent: {},
        cites: [],
        provenance: {},
        ...given,
      }),
    );
    records.push(...next.records);
    ({ run } = next);
  }
  return records;
}

/** Writes records as a ledger. */
export function writeLedger(path: string, records: readonly EvidenceRecord[]): string {
  writeFileSync(path, records.map((record) => `${encodeLine(record)}\n`).join(''));
  return path;
}
