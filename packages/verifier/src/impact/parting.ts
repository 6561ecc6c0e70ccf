/** Where the path of a run parts from that of its fork. */
import type { EvidenceRecord, Json } from '@assay/kernel';
import { diffLedgers, type DiffCandidate } from '../diff/diff.js';

const FIGURES_MAX = 24;
const FRACTION = /^-?[0-9]+\/[0-9]+$/;
const HASH = /^[0-9a-f]{64}$/;

/** One value before a change and under it. */
type Both = { readonly was: Json; readonly would_be: Json };

/** Where two paths part: the decision, positions of the record in each, the field; and figures that differ. */
export type Parting = {
  readonly parts:
    | (Both & {
        readonly decision: number;
        readonly record: { readonly was: number | null; readonly would_be: number | null };
        readonly field: string;
      })
    | null;
  readonly figures: readonly (Both & { readonly field: string })[];
};

/**
 * The first decision that says or leads to something else than before, and what tells it best: figures, also
 * those in a text, and hashes that differ are no parting, nor is what only repeats the change itself.
 * `changed`: fields of the
 * input. `figures`: those that differ in that decision; without a parting, in the last that has any.
 */
export function findParting(
  parent: readonly EvidenceRecord[],
  fork: readonly EvidenceRecord[],
  changed: readonly string[],
): Parting {
  const isChange = ({ decision, field }: DiffCandidate): boolean =>
    (decision === 0 && OPENING.test(field)) ||
    changed.some((key) => REQUESTED.exec(field)?.[1] === key || DESCRIBED.exec(field)?.[1] === key);
  const [figures, words]: [DiffCandidate[], DiffCandidate[]] = [[], []];
  diffLedgers(parent, fork, (one) => {
    if (isFigure(one) || isSameText(one)) figures.push(one);
    else if (!isHash(one) && !isChange(one)) words.push(one);
    return true;
  });
  const [first] = words;
  const decision = first?.decision ?? figures.at(-1)?.decision;
  const best = words
    .filter((one) => one.decision === decision)
    .reduce<DiffCandidate | undefined>((a, b) => (a === undefined || rank(b) < rank(a) ? b : a), undefined);
  return {
    parts:
      best === undefined
        ? null
        : {
            decision: best.decision,
            record: { was: best.a, would_be: best.b },
            field: best.field,
            was: best.left,
            would_be: best.right,
          },
    figures: figures
      .filter((one) => one.decision === decision && !isChange(one))
      .toSorted((a, b) => Number(isFigure(b)) - Number(isFigure(a)))
      .slice(0, FIGURES_MAX)
      .map(({ field, left, right }) => ({ field, was: left, would_be: right })),
  };
}

/** What a first decision says before anybody answered repeats policy and input. */
export const OPENING: RegExp = /^\/payload\/(?:events|nodes|edges)\//;
/** A field of a request's body, and one of what a node says. */
const REQUESTED = /^\/payload\/requests\/[0-9]+\/body\/([^/]+)/;
const DESCRIBED = /^\/payload\/(?:content|nodes\/[0-9]+\/payload)\/([^/]+)/;

/** The lower, the more it tells: two words, then anything that is said or asked, then the rest. */
function rank({ field, left, right }: DiffCandidate): number {
  const areWords = [left, right].every((value) => typeof value === 'string' || typeof value === 'boolean');
  const isSaid = /^\/payload\/(?:events|requests|status|reasons)/.test(field);
  return (isSaid ? 0 : 2) + (areWords ? 0 : 1);
}

/** Two hashes. */
export function isHash({ left, right }: Pick<DiffCandidate, 'left' | 'right'>): boolean {
  return [left, right].every((value) => typeof value === 'string' && HASH.test(value));
}

/** Two texts that differ in numbers alone. */
export function isSameText({ left, right }: Pick<DiffCandidate, 'left' | 'right'>): boolean {
  const [a, b] = [left, right].map((text) =>
    typeof text === 'string' ? text.replaceAll(NUMBER, '0') : null,
  );
  return a !== null && a === b;
}

const NUMBER = /-?[0-9]+(?:[./][0-9]+)*/g;

/** Two numbers, or two fractions. */
export function isFigure({ left, right }: Pick<DiffCandidate, 'left' | 'right'>): boolean {
  return [left, right].every(
    (value) => typeof value === 'number' || (typeof value === 'string' && FRACTION.test(value)),
  );
}
