/** A second file beside the first: what both were given, and where they part. */
import { field, isArray, isDigest, isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import { diffLedgers, type DiffCause, type DiffPlace, type LedgerDiff } from '@assay/verifier';
import { visible } from '@assay/views';
import type { Compared, GivenOther } from '../data/calls.js';
import type { Loaded } from './load.js';

const GIVEN: readonly (readonly [name: string, causes: readonly DiffCause[]])[] = [
  ['machine', ['machine']],
  ['policy', ['policy']],
  ['input', ['input', 'base']],
  ['answers', ['proposal']],
];
/** Places that are told, and how much of a value. */
const OTHERS_MAX = 20;
const VALUE_UNITS = 400;

/** Compares two files that were checked. A file whose integrity failed is not compared. */
export function compared(a: Loaded, b: Loaded): Compared {
  const { label, sentence } = b.checked;
  const none = GIVEN.map(([name]) => ({ name, same: null }));
  const sound = [a, b].every(({ checked }) => typeof checked.document.head?.run_id === 'string');
  if (!sound)
    return {
      t: 'compared',
      label,
      sentence,
      isSame: false,
      found: null,
      given: none,
      others: [],
      says: 'These files cannot be compared: one fails integrity or is a foreign chain.',
    };
  const isSame = a.summary?.hash === b.summary?.hash && a.summary?.records === b.summary?.records;
  const found = diffLedgers(readRecords(a), readRecords(b));
  const causes = found.kind === 'equal' ? found.givenDifferently : found.causes;
  // Answers behind the place where two runs part were not compared.
  const isParted = found.kind === 'differs' && found.proposal === null;
  const given = GIVEN.map(([name, of]) => ({
    name,
    same: name === 'answers' && isParted ? null : !of.some((cause) => causes.includes(cause)),
  }));
  const others = listOthers(a, b);
  return {
    t: 'compared',
    label,
    sentence,
    isSame,
    found: found.kind === 'equal' ? found : withTexts(found, a, b),
    given,
    others,
    says: describeDiff(isSame, found, a, b),
  };
}

/** The places of a difference with what digests stand for, where the ledgers hold it. */
function withTexts(
  found: Extract<LedgerDiff, { readonly kind: 'differs' }>,
  a: Loaded,
  b: Loaded,
): LedgerDiff {
  const place = (at: DiffPlace): DiffPlace => ({
    ...at,
    left: contentOf(at.left, a),
    right: contentOf(at.right, b),
  });
  return { ...found, at: place(found.at), proposal: found.proposal === null ? null : place(found.proposal) };
}

/** What a digest is the digest of: the payload, value or content that stands beside it in a record. */
function contentOf(value: Json, { lines }: Loaded): Json {
  if (!isDigest(value)) return value;
  const find = (json: Json): Json | undefined => {
    if (typeof json !== 'object' || json === null) return undefined;
    if (isArray(json)) return first(json);
    const isNamed = ['id', 'payload_hash', 'proposal_hash', 'artifact_hash'].some(
      (name) => field(json, name) === value,
    );
    const content = field(json, 'payload') ?? field(json, 'value') ?? field(json, 'content');
    return isNamed && content !== undefined ? content : first(Object.values(json));
  };
  const first = (all: readonly Json[]): Json | undefined => {
    for (const each of all) {
      const content = find(each);
      if (content !== undefined) return content;
    }
    return undefined;
  };
  for (let at = 0; at < lines.count; at += 1) {
    if (!lines.text(at).includes(value)) continue;
    const content = find(lines.json(at));
    if (content !== undefined) return content;
  }
  return value;
}

function describeDiff(isSame: boolean, found: LedgerDiff, a: Loaded, b: Loaded): string {
  if (isSame) return 'The same ledger, to the last hash.';
  if (found.kind === 'equal') return `The same ${found.decisions} decisions, in two runs.`;
  if (isPrefix(a, b))
    return `One is a truncated copy of the other: they agree through record ${least(a, b) - 1}.`;
  const { causes, decision } = found;
  const [machine = '', version] = (a.checked.run?.machine ?? '').split('@');
  const [otherMachine = '', otherVersion] = (b.checked.run?.machine ?? '').split('@');
  if (machine !== otherMachine)
    return `These runs are unrelated: ${visible(machine)} and ${visible(otherMachine)}.`;
  if (causes.includes('input') && causes.includes('policy'))
    return `These runs are unrelated: input and policy differ. They part at decision ${decision}.`;
  if (causes.length === 0)
    return `The runs part at decision ${decision} with equal answers: one is not what its machine derives.`;
  const named = causes.map((cause) =>
    cause === 'machine' ? `machine version (${version ?? ''} and ${otherVersion ?? ''})` : cause,
  );
  return `The runs part at decision ${decision}, because of another ${named.join(' and ')}.`;
}

/** Where the first records of two runs were given something else. */
function listOthers(a: Loaded, b: Loaded): readonly GivenOther[] {
  const [left, right] = [a, b].map(({ lines }) => {
    const record = lines.json(0);
    return isObject(record) ? (field(record, 'payload') ?? null) : null;
  });
  const others: GivenOther[] = [];
  const look = (one: Json | undefined, other: Json | undefined, path: string): void => {
    if (others.length >= OTHERS_MAX) return;
    if (JSON.stringify(one) === JSON.stringify(other)) return;
    const [x, y] = [renderValue(one), renderValue(other)];
    if (!isHolder(one) || !isHolder(other) || isArray(one) !== isArray(other)) {
      others.push({ path, left: x.slice(0, VALUE_UNITS), right: y.slice(0, VALUE_UNITS) });
      return;
    }
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
      look(inside(one, key), inside(other, key), `${path}/${key}`);
  };
  look(inside(left ?? null, 'machine'), inside(right ?? null, 'machine'), '/machine');
  // Two machines have no setting in common that could be compared.
  if (others.some(({ path }) => path === '/machine/name')) return others;
  for (const name of ['policy', 'input'])
    look(inside(left ?? null, name), inside(right ?? null, name), `/${name}`);
  return others;
}

/** A text without its quotation marks, all else as JSON. */
function renderValue(json: Json | undefined): string {
  return typeof json === 'string' ? json : (JSON.stringify(json) ?? 'nothing');
}

function isHolder(json: Json | undefined): json is Exclude<Json, string | number | boolean | null> {
  return json !== undefined && (isObject(json) || isArray(json));
}

function inside(json: Json, key: string): Json | undefined {
  return isObject(json) ? field(json, key) : isArray(json) ? json[Number(key)] : undefined;
}

function least(a: Loaded, b: Loaded): number {
  return Math.min(a.lines.count, b.lines.count);
}

/** True where the shorter file is the beginning of the longer one. */
function isPrefix(a: Loaded, b: Loaded): boolean {
  const count = least(a, b);
  return a.lines.count !== b.lines.count && a.lines.text(count - 1) === b.lines.text(count - 1);
}

function readRecords({ lines }: Loaded): readonly EvidenceRecord[] {
  return Array.from({ length: lines.count }, (_, at) => lines.json(at) as unknown as EvidenceRecord);
}
