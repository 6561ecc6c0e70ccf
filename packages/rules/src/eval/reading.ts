/**
 * What the machine makes of a request with the rules as its only proposer, offline and at once.
 *
 * @module
 */
import {
  hashCanonical,
  InvariantError,
  isArray,
  nobleSha256,
  orThrow,
  type EvidenceRecord,
  type Json,
  type Sha256,
} from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import {
  findContradictions,
  defaultPolicy,
  isSameAmount,
  parseInterpretations,
  findQuestionClass,
  runEngine,
  scanText,
  SeedText,
  type Blueprint,
  type Claim,
  type Decimal,
  type Interpretation,
  type Op,
  type Quote,
  type RefusalReport,
} from '@assay/kernel/intent';
import { rulesProposer } from '../requests/propose.js';
import type { Annotated } from './annotation.js';
import { isInside } from './overlap.js';

/** A demand of a reading: it rests on words. */
export type FoundClaim = Claim & { readonly quote: Quote };

/** A quantity that was read. A value that is text is a date. */
export type FoundQuantity = {
  readonly quote: Quote;
  readonly op: Op;
  readonly isAbout: boolean;
  readonly value: Decimal | string;
  readonly unit: string | null;
};

/** What was read of a request. */
export type Read = {
  readonly seed: SeedText;
  /** Name of the reading that is judged; "" where none was proposed. */
  readonly name: string;
  readonly claims: readonly FoundClaim[];
  /** Demands that claim to be one and rest on no words. */
  readonly unquoted: number;
  readonly atoms: readonly Claim[];
  readonly quantities: readonly FoundQuantity[];
  readonly vague: readonly Quote[];
  readonly contradictions: readonly { readonly a: Quote; readonly b: Quote }[];
  /** Reasons of the refusal, empty where the run was decided. */
  readonly refused: readonly string[];
  /** Whether the run kept to the policy it was given. */
  readonly isPolicyKept: boolean;
};

/**
 * Runs a request with the default policy. Judged is the reading that the machine ranks first, whether it was
 * committed or the run refused; where none is ranked, the first that was proposed. A request or a
 * pin that the machine does not take is a defect. `sha256`: a faster digest of the host.
 */
export function readByRules(
  { name, text, pin, matching }: Pick<Annotated, 'name' | 'text' | 'pin' | 'matching'>,
  sha256: Sha256 = nobleSha256,
): Read {
  const seed = new SeedText(text);
  const policy: Json = { ...defaultPolicy, proposers: [rulesProposer.proposer] };
  const ran = orThrow(runEngine('eval', text, pin, policy, rulesProposer, 'eval', { sha256 }));
  const { records, artifacts } = ran;
  const proposed = proposalOf(records);
  const readings = parseInterpretations(proposed, seed);
  // Our own grammar must not propose what our own machine rejects; figures over such a request would mislead.
  if (readings._tag === 'Left')
    throw new InvariantError(
      `readByRules/${name}`,
      `the rules proposed what the machine rejects: ${JSON.stringify(readings.left.detail)}`,
    );
  const judged = judgedOf(
    readings.right,
    artifacts['blueprint'] as Blueprint | undefined,
    artifacts['refusal_report'] as RefusalReport | undefined,
  );
  const all = judged?.commits ?? [];
  const claims = all.filter(
    (claim): claim is FoundClaim =>
      claim.quote !== null && claim.kind !== 'question' && claim.kind !== 'assumption',
  );
  return {
    seed,
    name: judged?.name ?? '',
    claims,
    unquoted: judged === null ? 0 : unquotedIn(proposed, judged.name),
    atoms: all.filter(({ kind, atom }) => kind !== 'question' && atom !== null),
    quantities: quantitiesOf(seed, claims, matching.hasDates),
    vague: all.flatMap((claim) =>
      findQuestionClass(claim) === 'vague' && claim.quote !== null ? [claim.quote] : [],
    ),
    contradictions: findContradictions(claims, seed).flatMap(({ a, b }) => [
      { a: claims[a]?.quote ?? NOWHERE, b: claims[b]?.quote ?? NOWHERE },
    ]),
    refused: (artifacts['refusal_report'] as RefusalReport | undefined)?.reason_codes ?? [],
    isPolicyKept:
      orThrow(hashCanonical(readField(records[0]?.payload, 'policy'))) === orThrow(hashCanonical(policy)),
  };
}

const NOWHERE: Quote = { start: 0, end: 0 };

/** The value the rules proposed; an empty list where they gave up. */
function proposalOf(records: readonly EvidenceRecord[]): Json {
  const value = readField(records.find(({ kind }) => kind === 'proposal')?.payload, 'value');
  return value ?? [];
}

function judgedOf(
  readings: readonly Interpretation[],
  blueprint: Blueprint | undefined,
  refusal: RefusalReport | undefined,
): Interpretation | null {
  const first = blueprint?.intent.name ?? refusal?.readings.find(({ reason }) => reason !== 'vetoed')?.name;
  return readings.find(({ name }) => name === first) ?? readings[0] ?? null;
}

/** Counted as proposed: the machine itself would call such a claim an assumption. */
function unquotedIn(proposed: Json, name: string): number {
  const reading = isArray(proposed) ? proposed.find((one) => readText(one, 'name') === name) : undefined;
  const commits = readField(reading, 'commits');
  if (!isArray(commits)) return 0;
  return commits.filter(
    (claim) =>
      readField(claim, 'quote') === null && !['question', 'assumption'].includes(readText(claim, 'kind')),
  ).length;
}

/**
 * Every quantity the machine's scanner finds in the whole text, with the operator of the demand that uses it
 * (a lead time turns round); and numbers of demands that the scanner did not find in their words.
 */
function quantitiesOf(
  seed: SeedText,
  claims: readonly FoundClaim[],
  hasDates: boolean,
): readonly FoundQuantity[] {
  const { tokens, quantities, moments } = scanText(seed.text);
  const quoteOf = ({ first, next }: { readonly first: number; readonly next: number }): Quote =>
    seed.quote(tokens[first]?.start ?? 0, tokens[next - 1]?.end ?? 0);
  const scanned = quantities.map((quantity) => ({
    quote: quoteOf(quantity),
    op: quantity.op,
    isAbout: quantity.approx,
    value: quantity.value,
    unit: quantity.unit,
  }));
  const settled = new Set<number>();
  const invented: FoundQuantity[] = [];
  for (const { atom, quote } of claims) {
    if (atom === null || typeof atom.value !== 'object') continue;
    const { value, unit, op } = atom;
    const same = scanned.flatMap((one, index) =>
      isInside(one.quote, quote) && isSameAmount(one, { value, unit }) ? [index] : [],
    );
    const used = same.find((index) => scanned[index]?.op === op) ?? same.find((index) => !settled.has(index));
    const one = used === undefined ? undefined : scanned[used];
    if (used !== undefined && one !== undefined) {
      settled.add(used);
      scanned[used] = { ...one, op };
    } else if (same.length === 0) invented.push({ quote, op, isAbout: false, value, unit });
  }
  const dates = hasDates
    ? moments.flatMap((moment): readonly FoundQuantity[] =>
        moment.value === null || moment.unit !== 'date'
          ? []
          : [
              {
                quote: quoteOf(moment),
                op: moment.op,
                isAbout: false,
                value: moment.value,
                unit: moment.unit,
              },
            ],
      )
    : [];
  return [...scanned, ...invented, ...dates];
}
