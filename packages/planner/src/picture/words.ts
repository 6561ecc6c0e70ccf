/** Numbers, units and choices of a plan in words. */
import type { Fact, Piece, Text, Tone } from '@assay/kernel/view';
import type { RollupLine } from '../rollup/rollup.js';
import type { Held, Plan } from '../plan/plan.js';

const MILLION = 1_000_000n;
/** A unit of these is shown as it is; others are quoted. */
const PLAIN_UNIT = /^[A-Za-z][A-Za-z ]{0,19}$/;

/** `58500` as `58,500`. */
export function grouped(n: number | bigint): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A figure with the unit of its constraint; a unit that is the constraint's own name is left out. */
export function figure(n: number, { id, unit }: Pick<Held, 'id' | 'unit'>): readonly Piece[] {
  if (unit === '' || unit === id) return [grouped(n)];
  return PLAIN_UNIT.test(unit) ? [`${grouped(n)} ${unit}`] : [`${grouped(n)} `, { said: unit }];
}

/** A confidence in ppm as a share of one. */
export function share(ppm: number): string {
  const digits = String(BigInt(ppm) % MILLION)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${ppm === 1_000_000 ? 1 : 0}.${digits}`;
}

/** `t8.a and t7.b`. */
export function changesText(changes: readonly (readonly [string, string])[]): string {
  const names = changes.map((change) => change.join('.'));
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** How many choices a plan has. */
export function listCombinations({ tasks }: Pick<Plan, 'tasks'>): bigint {
  return tasks.reduce((count, { approaches }) => count * BigInt(approaches.length), 1n);
}

/** Pieces joined. */
export function texts(...parts: readonly Text[]): readonly Piece[] {
  return parts.flatMap((part) => (typeof part === 'string' ? (part === '' ? [] : [part]) : part));
}

/** So many tasks of a core or of a path are named one by one. */
export const NAMED_MAX = 8;

/** Where a constraint stands, as far as a core's sentence says it. */
export type CoreLine = Pick<RollupLine, 'kind' | 'total' | 'slack'> & {
  readonly held: Pick<RollupLine['held'], 'id' | 'unit' | 'op' | 'bound'>;
};

/** `cost is 58,500 cents, 8,500 over: t8 33,000 + t7 9,000 pass 50,000`. */
export function coreText(
  { held, kind, total, slack }: CoreLine,
  amounts: readonly (readonly [task: string, amount: number])[],
): Text {
  const mid = total?.[1] ?? 0;
  if (kind === 'metric' || kind === 'coupling')
    return texts(
      `${held.id} of ${amounts.map(([task]) => task).join(' and ')} is `,
      figure(mid, held),
      `, asked: ${held.op} `,
      figure(held.bound, held),
    );
  const named = amounts.slice(0, NAMED_MAX).map(([task, amount]) => `${task} ${grouped(amount)}`);
  const rest = amounts.slice(NAMED_MAX).reduce((sum, [, amount]) => sum + amount, 0);
  const more = rest === 0 ? '' : ` + ${amounts.length - NAMED_MAX} more ${grouped(rest)}`;
  const over = -(slack ?? 0);
  return texts(
    `${held.id} is `,
    figure(mid, held),
    over === 0 ? `, just at what it must stay under: ` : `, ${grouped(over)} over: `,
    `${named.join(' + ')}${more} ${over === 0 ? 'reach' : 'pass'}${amounts.length === 1 ? 'es' : ''} ${grouped(held.bound)}`,
  );
}

/** A fact of nothing recorded. */
export function fact(name: string, value: Text, tone: Tone = 'plain'): Fact {
  return { name, value, tone, record: null };
}
