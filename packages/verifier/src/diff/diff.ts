/**
 * The first decision in which two ledgers part, and what caused it. Source: issue 2 (CLI `diff`); design §8.
 */
import {
  compareText,
  field,
  isArray,
  isObject,
  type EvidenceRecord,
  type Genesis,
  type Json,
} from '@assay/kernel';
import { collectLabels, ownContent, seenProposal, listSteps, type DecisionStep } from './normalize.js';

/**
 * What two runs were given differently. `machine` is name or version; `proposal` an answer at or before the
 * decision.
 */
export type DiffCause = 'machine' | 'policy' | 'input' | 'base' | 'proposal';

/**
 * One place where two ledgers differ: positions of the records in each file (null: it has none), a JSON
 * pointer, both values.
 */
export type DiffPlace = {
  readonly a: number | null;
  readonly b: number | null;
  readonly field: string;
  readonly left: Json;
  readonly right: Json;
};

/**
 * How two ledgers compare, decision by decision. Run ids, ts and what follows from them (hashes, node ids,
 * request numbers) are not compared, nor is provenance, which no machine sees.
 *
 * `equal`: the same decisions; `givenDifferently` may still name what differed without effect. `differs`:
 * `decision` is the number of the first decision that differs (0 is the one after genesis), `at` the place,
 * `causes` everything that was given differently up to there, `proposal` the first answer that differs.
 * With no cause, equal answers led to different decisions: one of the files is not what its machine derives.
 */
export type LedgerDiff =
  | { readonly kind: 'equal'; readonly decisions: number; readonly givenDifferently: readonly DiffCause[] }
  | {
      readonly kind: 'differs';
      readonly decision: number;
      readonly at: DiffPlace;
      readonly causes: readonly DiffCause[];
      readonly proposal: DiffPlace | null;
    };

/** A difference in what a decision led to, before it counts. */
export type DiffCandidate = DiffPlace & { readonly decision: number };

/**
 * Compares two ledgers whose integrity holds. `passes`: true for a difference that does not count, such as
 * one between two figures. Linear in both; holds both.
 */
export function diffLedgers(
  a: readonly EvidenceRecord[],
  b: readonly EvidenceRecord[],
  passes: (candidate: DiffCandidate) => boolean = () => false,
): LedgerDiff {
  const given = genesisCauses(a[0], b[0]);
  const [left, right] = [makeSide(a), makeSide(b)];
  const count = Math.max(left.steps.length, right.steps.length);
  let proposal: DiffPlace | null = null;
  for (let decision = 0; decision < count; decision += 1) {
    proposal ??= proposalDifference(left, right, decision);
    const at = resultDifference(left, right, decision, passes);
    if (at !== null)
      return {
        kind: 'differs',
        decision,
        at,
        causes: proposal === null ? given : [...given, 'proposal'],
        proposal,
      };
  }
  return {
    kind: 'equal',
    decisions: count,
    givenDifferently: proposal === null ? given : [...given, 'proposal'],
  };
}

type Side = {
  readonly records: readonly EvidenceRecord[];
  readonly steps: readonly DecisionStep[];
  readonly labels: ReadonlyMap<string, string>;
};

function makeSide(records: readonly EvidenceRecord[]): Side {
  const steps = listSteps(records);
  return { records, steps, labels: collectLabels(records, steps) };
}

function genesisCauses(a: EvidenceRecord | undefined, b: EvidenceRecord | undefined): readonly DiffCause[] {
  const [left, right] = [a?.payload as Genesis | undefined, b?.payload as Genesis | undefined];
  const machine = (genesis: Genesis | undefined): Json =>
    genesis === undefined ? null : [genesis.machine.name, genesis.machine.version];
  const same = (one: Json | undefined, other: Json | undefined): boolean =>
    firstDifference(one, other, '', EXACTLY) === null;
  return [
    ...(same(machine(left), machine(right)) ? [] : ['machine' as const]),
    ...(same(left?.policy, right?.policy) ? [] : ['policy' as const]),
    ...(same(left?.input, right?.input) ? [] : ['input' as const]),
    ...(same(left?.base, right?.base) ? [] : ['base' as const]),
  ];
}

function proposalDifference(left: Side, right: Side, decision: number): DiffPlace | null {
  const seen = ({ records, labels }: Side, position: number | null): Json | undefined =>
    position === null ? undefined : seenProposal(records[position]?.payload, labels);
  return listDifference(
    left.steps[decision]?.proposals ?? [],
    right.steps[decision]?.proposals ?? [],
    (a, b) => firstDifference(seen(left, a), seen(right, b), '', EXACTLY),
  );
}

function resultDifference(
  left: Side,
  right: Side,
  decision: number,
  passes: (candidate: DiffCandidate) => boolean,
): DiffPlace | null {
  const own = ({ records, labels }: Side, position: number | null): Json | undefined => {
    const record = position === null ? undefined : records[position];
    return record === undefined ? undefined : { kind: record.kind, payload: ownContent(record, labels) };
  };
  const asLabels: Same = (a, b) =>
    a === b || (labelIn(left, a) !== undefined && labelIn(left, a) === labelIn(right, b));
  return listDifference(left.steps[decision]?.results ?? [], right.steps[decision]?.results ?? [], (a, b) =>
    firstDifference(
      own(left, a),
      own(right, b),
      '',
      asLabels,
      (found) => !passes({ a, b, ...found, decision }),
    ),
  );
}

/** Every place where two values differ; `same`: whether two scalars count as equal. */
export function listDifferences(
  left: Json | undefined,
  right: Json | undefined,
  same: Same,
): readonly Found[] {
  const all: Found[] = [];
  firstDifference(left, right, '', same, (found) => {
    all.push(found);
    return false;
  });
  return all;
}

function labelIn({ labels }: Side, value: Json): string | undefined {
  return typeof value === 'string' ? labels.get(value) : undefined;
}

/** Whether two scalars count as equal. */
type Same = (left: Json, right: Json) => boolean;
const EXACTLY: Same = (left, right) => left === right;

/** One place of two values. */
export type Found = { readonly field: string; readonly left: Json; readonly right: Json };

function listDifference(
  a: readonly number[],
  b: readonly number[],
  compare: (a: number | null, b: number | null) => Found | null,
): DiffPlace | null {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [left, right] = [a[index] ?? null, b[index] ?? null];
    const found = compare(left, right);
    if (found !== null) return { a: left, b: right, ...found };
  }
  return null;
}

/** The first place where two values differ; undefined is nothing at all, shown as null. */
function firstDifference(
  left: Json | undefined,
  right: Json | undefined,
  path: string,
  same: Same,
  counts: (found: Found) => boolean = () => true,
): Found | null {
  const counted = (found: Found): Found | null => (counts(found) ? found : null);
  if (left === undefined || right === undefined)
    return left === right ? null : counted({ field: path, left: left ?? null, right: right ?? null });
  if (isArray(left) && isArray(right)) {
    return findFirst(Math.max(left.length, right.length), (index) =>
      firstDifference(left[index], right[index], `${path}/${index}`, same, counts),
    );
  }
  if (isObject(left) && isObject(right)) {
    const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort(compareText);
    return findFirst(keys.length, (index) => {
      const key = keys[index] ?? '';
      return firstDifference(
        field(left, key),
        field(right, key),
        `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        same,
        counts,
      );
    });
  }
  return same(left, right) ? null : counted({ field: path, left, right });
}

function findFirst(count: number, find: (index: number) => Found | null): Found | null {
  for (let index = 0; index < count; index += 1) {
    const found = find(index);
    if (found !== null) return found;
  }
  return null;
}
