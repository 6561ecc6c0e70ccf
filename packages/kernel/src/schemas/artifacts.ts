/**
 * Schemas of what an intent run is given, its policy, readings and evidence, and of the artifacts that it leaves.
 * Source: 001 §2.3, §2.4, §3; intent I1, I2, I5, I16, I18.
 */
import { ATOM, KEY, TEXT_FORMS, TEXT_VALUE, type Atom } from '../intent/atom.js';
import {
  BLUEPRINT_FORMAT,
  type Blueprint,
  type BlueprintClaim,
  type BlueprintContradiction,
  type Cited,
  type Loser,
  type OpenQuestion,
  type Settlement,
} from '../intent/blueprint.js';
import { CLAIM_KINDS, MODALITIES, QUESTION_CLASSES, SCOPE, type Claim } from '../intent/claim.js';
import { DECIMAL, decimalOfNumber } from '../intent/decimal.js';
import { OBSERVATION } from '../intent/evaluate.js';
import { INTERPRETATION, READING, type Interpretation } from '../intent/interpretation.js';
import { METHODS, PACK_FORMAT, type VerificationPack } from '../intent/pack.js';
import { POLICY, type Policy } from '../intent/policy.js';
import { REASON_CODES, REFUSAL_FORMAT, type Reason, type RefusalReport } from '../intent/refusal.js';
import { SALIENT_KINDS } from '../intent/salient.js';
import { QUOTE } from '../intent/seed.js';
import { TEXT_UNITS } from '../intent/units.js';
import type { Veto } from '../intent/veto.js';
import type { Json } from '../json.js';
import { SOURCES } from '../ledger/names.js';
import {
  anyOf,
  closed,
  digest,
  flag,
  free,
  integer,
  list,
  matching,
  nullable,
  number,
  oneOf,
  open,
  refined,
  said,
  text,
  type Shape,
} from '../ledger/shape.js';

const words = text();
const count = integer(0);
const whole = integer(Number.MIN_SAFE_INTEGER);
const none = oneOf([null]);
const isFilled = (items: readonly Json[]): boolean => items.length > 0;

/** The policy of a run. */
export const policySchema: Shape<Policy> = refined(closed(POLICY), ({ min_proposals, proposers }) =>
  min_proposals <= proposers.length ? null : '/min_proposals',
);

const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='] as const;
/** No control characters and no spaces; `date`, `clock` and `datetime` belong to text. */
const unit = matching(new RegExp(`^(?!(?:${TEXT_UNITS.join('|')})$)[!-~\\u0080-\\uffff]{1,64}$`));

/** `key op value unit`, the value going with op and unit, which the kernel's shape says as a test. */
const atom: Shape<Atom> = said(
  ATOM,
  anyOf(
    closed({ key: KEY, op: oneOf(COMPARISONS), value: DECIMAL, unit: nullable(unit) }),
    closed({ key: KEY, op: oneOf(['=', '!=']), value: flag, unit: none }),
    closed({ key: KEY, op: oneOf(['=', '!=', 'in', 'not_in']), value: TEXT_VALUE, unit: none }),
    ...TEXT_FORMS.map(([name, form]) =>
      closed({ key: KEY, op: oneOf(COMPARISONS), value: matching(form), unit: oneOf([name]) }),
    ),
  ),
);

const { commits: _, contradictions, aliases, ...outline } = READING;

const modality = oneOf(MODALITIES);
const committed: Shape<Claim> = closed({
  kind: oneOf(CLAIM_KINDS),
  modality,
  quote: nullable(QUOTE),
  atom: nullable(atom),
  scope: SCOPE,
});

/**
 * Answer to an `interpretations` request; `commits`, `contradictions` and `aliases` may be left out. That
 * quotes lie in the seed is judged by the kernel alone.
 */
export const interpretationsSchema: Shape<readonly Interpretation[]> = list(
  said(
    INTERPRETATION,
    open(outline, {
      commits: list(committed),
      contradictions,
      aliases,
    }),
  ),
);

const { check_id, source, unit: measuredIn } = OBSERVATION;
const plain = refined(number(-Infinity, Infinity), (value) => (decimalOfNumber(value) === null ? '' : null));

/**
 * Evidence for a pack, what `parseEvidence` takes: a list of observations. A plain number is taken by its shortest
 * decimal; a unit left out is none.
 */
export const evidenceSchema = list(
  open({ check_id, observed: anyOf(flag, source, plain, DECIMAL), source }, { unit: measuredIn }),
);
const stated = closed({ modality, atom });
const cited: Shape<Cited> = closed({ text: words, start: count, end: integer(1) });

/** A veto of a reading. */
export const vetoSchema: Shape<Veto> = anyOf(
  closed({ code: oneOf(['duplicate_reading']), of: closed({ slot: words, index: count }) }),
  closed({ code: oneOf(['ungrounded']), claim: count, rule: oneOf(['span', 'cut', 'number']) }),
  closed({ code: oneOf(['pin_conflict']), claim: count, claimed: stated, pinned: stated }),
  closed({
    code: oneOf(['polarity']),
    asserted: anyOf(
      closed({ in: oneOf(['claim']), claim: count }),
      closed({ in: oneOf(['name', 'intent_summary', 'assumptions']) }),
    ),
  }),
  closed({
    code: oneOf(['self_contradiction']),
    a: count,
    b: count,
    why: oneOf(['polarity', 'interval']),
  }),
  closed({
    code: oneOf(['over_limit']),
    of: oneOf(['max_interpretations', 'commits', 'assumptions', 'contradictions', 'aliases']),
    value: count,
    limit: count,
  }),
);

const loser: Shape<Loser> = closed({
  name: words,
  slot: words,
  index: count,
  reason: oneOf(['vetoed', 'outscored', 'pruned', 'first']),
  total: nullable(count),
  vetoes: list(vetoSchema),
});

const SETTLEMENTS = [
  'measure_and_threshold',
  'calendar_date',
  'which_one',
  'bound',
  'translation',
  'how_far',
  'which_side',
  'statement',
] as const satisfies readonly Settlement[];

const question: Shape<OpenQuestion> = closed({
  claim: digest,
  class: nullable(oneOf(QUESTION_CLASSES)),
  raised_by: nullable(cited),
  settled_by: oneOf(SETTLEMENTS),
});

const claim: Shape<BlueprintClaim> = closed({
  id: digest,
  kind: oneOf(CLAIM_KINDS),
  modality,
  text: words,
  quote: nullable(QUOTE),
  atom: nullable(atom),
  scope: closed({
    actor: nullable(cited),
    condition: nullable(cited),
    exception: nullable(cited),
  }),
  provenance: oneOf(['seed', 'pin', 'assumption']),
  refines: nullable(digest),
});

const contradiction: Shape<BlueprintContradiction> = closed({
  a: digest,
  b: digest,
  basis: oneOf(['derived', 'claimed']),
  why: oneOf(['polarity', 'interval', 'proposed', 'alias']),
  state: oneOf(['open', 'resolved']),
  by: nullable(oneOf(['pin', 'scope', 'commit'])),
  rejected: nullable(
    closed({
      reading: words,
      modality,
      atom: nullable(atom),
      text: words,
      quote: nullable(QUOTE),
    }),
  ),
});

/** The artifact `blueprint`. */
export const blueprintSchema: Shape<Blueprint> = closed({
  format: oneOf([BLUEPRINT_FORMAT]),
  seed_hash: digest,
  intent: closed({
    name: words,
    summary: words,
    assumptions: list(words),
    total: count,
    supporters: list(closed({ slot: words, proposer: words, source: oneOf(SOURCES), proposal_hash: digest })),
  }),
  pin: list(closed({ modality, atom, mentioned: flag, affirmed: flag })),
  claims: list(claim),
  decisions: list(
    closed({
      chosen: words,
      tie_break: oneOf(['none', 'total', 'demands', 'name', 'commitments']),
      losers: list(loser),
    }),
  ),
  contradictions: list(contradiction),
  questions: list(question),
  coverage: closed({ covered: count, units: count }),
  uncovered: list(
    closed({ kind: oneOf(SALIENT_KINDS), text: words, start: count, end: integer(1), clause: cited }),
  ),
});

/** The artifact `verification_pack`. */
export const verificationPackSchema: Shape<VerificationPack> = closed({
  format: oneOf([PACK_FORMAT]),
  seed_hash: digest,
  blueprint_hash: digest,
  checks: list(
    closed({
      id: words,
      claim: digest,
      modality,
      method: oneOf(METHODS),
      text: words,
      threshold: nullable(atom),
      waits_for: list(digest),
    }),
  ),
});

const LIMITS = [
  'max_interpretations',
  'max_nodes',
  'max_depth',
  'contradiction_budget',
  'max_steps',
  'deterministic_tiebreak',
  'proposers',
  'min_proposals',
  'min_score',
  'min_margin',
  'weights',
] as const satisfies readonly (keyof Policy)[];

/** One reason of a refusal. */
export const reasonSchema: Shape<Reason> = closed({
  code: oneOf(REASON_CODES),
  limit: nullable(oneOf(LIMITS)),
  value: nullable(whole),
  needed: nullable(whole),
  detail: free,
});

/** The artifact `refusal_report`. */
export const refusalReportSchema: Shape<RefusalReport> = closed({
  format: oneOf([REFUSAL_FORMAT]),
  run_id: words,
  seed_hash: digest,
  status: oneOf(['refused']),
  reason_codes: list(oneOf(REASON_CODES), isFilled, { min: 1 }),
  evidence_record_hashes: list(digest, isFilled, { min: 1 }),
  policy_suggestions: list(words),
  reasons: list(reasonSchema),
  answers: list(
    closed({
      slot: words,
      proposal_hash: nullable(digest),
      readings: count,
      failure: nullable(words),
      why: nullable(words),
    }),
  ),
  readings: list(loser),
  questions: list(question),
});
