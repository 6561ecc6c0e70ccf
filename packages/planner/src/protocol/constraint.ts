/**
 * Constraints: typed, scoped, with what checks them. Source: 000 §0 "Constraint"; dec-K52, dec-K54, dec-K55,
 * dec-K68.
 */
import { compareText, type Json, type Shape, type Source } from '@assay/kernel';
import { closed, flag, integer, nullable, oneOf, readText, text, type TypeOf } from '@assay/kernel/shape';
import { MILLION, TOTAL_MAX, type Operator } from '../plan/plan.js';

/** Longest text of a title, a rubric or a reason, UTF-16 units. */
export const TEXT_MAX = 4_000;

/** A name: a letter or digit, then up to 63 of letters, digits, `_` and `-`, as in plan files. */
export const NAME: Shape<string> = text((value) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(value));
/** A capability tag. Source: dec-K30. */
export const TAG: Shape<string> = text((value) => /^[a-z0-9_]{1,64}$/.test(value));
/** Text of at most {@link TEXT_MAX}. */
export const WORDS: Shape<string> = text((value) => value.length <= TEXT_MAX);

/** What is one of several closed objects, told apart by a field. */
export function tagged<R extends { readonly [tag: string]: Shape }>(
  field: string,
  rows: R,
): Shape<TypeOf<R[keyof R]>> {
  return (value) => {
    const tag = readText(value, field);
    const shape = Object.hasOwn(rows, tag) ? rows[tag] : undefined;
    return shape === undefined ? `/${field}` : shape(value);
  };
}

const OPS = ['<', '<=', '>', '>='] as const;
const CAPS: readonly Operator[] = ['<', '<='];
const BOUND = integer(0, TOTAL_MAX);
const MARGIN = nullable(integer(0, MILLION));
const PAYLOAD = tagged('t', {
  cap: closed({
    t: oneOf(['cap']),
    unit: WORDS,
    op: oneOf(CAPS),
    bound: BOUND,
    margin: MARGIN,
    /** What a task adds that states no amount; null: it must state one. */
    otherwise: nullable(BOUND),
  }),
  deadline: closed({ t: oneOf(['deadline']), op: oneOf(CAPS), bound: BOUND, margin: MARGIN }),
  figure: closed({ t: oneOf(['figure']), unit: WORDS, op: oneOf(OPS), bound: BOUND, margin: MARGIN }),
  check: closed({ t: oneOf(['check']), name: NAME }),
  quantity: closed({ t: oneOf(['quantity']), name: NAME, op: oneOf([...OPS, '=']), value: BOUND }),
  rubric: closed({ t: oneOf(['rubric']), text: WORDS }),
});
/**
 * What a constraint holds. `cap` and `deadline` bound what tasks add up to; `figure` is measured on one task
 * or on a pair of them; `check` is a declared check by its name (dec-K82); `quantity` is a stated number, such
 * as a count of classes, which other quantities of the same name may contradict (dec-K66); `rubric` is for a
 * judge.
 */
export type Payload = TypeOf<typeof PAYLOAD>;

/** The fields of a {@link ConstraintDraft}, each by its shape. */
export const CONSTRAINT_FIELDS = {
  id: NAME,
  type: oneOf(['logic', 'semantic']),
  domain: TAG,
  title: WORDS,
  scope: oneOf(['local', 'aggregate']),
  hard: flag,
  removal: nullable(WORDS),
  payload: PAYLOAD,
};
const FIELDS = closed(CONSTRAINT_FIELDS);
/** A constraint as it is proposed. `removal`: of an implicit one, what happens without it. */
export type ConstraintDraft = TypeOf<typeof FIELDS>;

/** A constraint of a run. `origin`: the node it came with; `source`: who brought it, never looked at. */
export type Constraint = ConstraintDraft & { readonly origin: string; readonly source: Source | 'input' };

/**
 * Shape of a {@link ConstraintDraft}: rubrics are semantic and all else is logic; caps and deadlines are
 * aggregates and nothing else is; `deadline` is the name of deadlines alone.
 */
export const CONSTRAINT: Shape<ConstraintDraft> = (value: Json) => {
  const fault = FIELDS(value);
  if (fault !== null) return fault;
  const { id, type, scope, payload: held } = value as unknown as ConstraintDraft;
  if ((held.t === 'rubric') !== (type === 'semantic')) return '/type';
  if ((held.t === 'cap' || held.t === 'deadline') !== (scope === 'aggregate')) return '/scope';
  return (held.t === 'deadline') === (id === 'deadline') ? null : '/id';
};

/** What a constraint says, without its name and origin: what fingerprints are made of (dec-K29). */
export function makeContent({ type, domain, scope, hard, payload: held }: ConstraintDraft): Json {
  return { type, domain, scope, hard, payload: held };
}

/** Sorted ids, none twice. Source: dec-K53. */
export function idSet(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].toSorted(compareText);
}

/**
 * The constraints that stricter ones on the same measure imply: equal content counts once, and of two bounds
 * from one side on the same quantity the stricter stays. Source: 000 §1 Step 3.
 */
export function impliedIn(constraints: readonly ConstraintDraft[]): readonly string[] {
  const isImplied = (a: ConstraintDraft, b: ConstraintDraft): boolean => {
    const [x, y] = [findSide(a), findSide(b)];
    if (x === null || y === null || x.measure !== y.measure || x.isAbove !== y.isAbove) return false;
    if (b.hard !== a.hard && a.hard) return false;
    if (x.limit === y.limit) return compareText(b.id, a.id) < 0;
    return x.isAbove ? y.limit < x.limit : y.limit > x.limit;
  };
  return constraints.filter((a) => constraints.some((b) => a !== b && isImplied(a, b))).map(({ id }) => id);
}

/** A bound from one side on a quantity by name; figures and caps are held by their own ids. */
function findSide({ payload: held }: ConstraintDraft): {
  readonly measure: string;
  readonly isAbove: boolean;
  readonly limit: number;
} | null {
  if (held.t !== 'quantity' || held.op === '=') return null;
  const isAbove = held.op === '<' || held.op === '<=';
  const step = held.op === '<' ? -1 : held.op === '>' ? 1 : 0;
  return { measure: held.name, isAbove, limit: held.value + step };
}

/** Stated quantities that cannot hold together, each pair by ids in order. Source: dec-K66. */
export function conflictsIn(
  constraints: readonly ConstraintDraft[],
): readonly (readonly [a: string, b: string])[] {
  const stated = constraints
    .flatMap(({ id, payload: held }) => (held.t === 'quantity' ? [{ id, held }] : []))
    .toSorted((a, b) => compareText(a.id, b.id));
  return stated.flatMap((a, index) =>
    stated
      .slice(index + 1)
      .flatMap((b) =>
        a.held.name === b.held.name && isApart(a.held, b.held) ? [[a.id, b.id] as const] : [],
      ),
  );
}

type Quantity = Extract<Payload, { readonly t: 'quantity' }>;

function isApart(a: Quantity, b: Quantity): boolean {
  const [low, high] = [findRange(a), findRange(b)];
  return Math.max(low[0], high[0]) > Math.min(low[1], high[1]);
}

function findRange({ op, value }: Quantity): readonly [least: number, most: number] {
  switch (op) {
    case '=':
      return [value, value];
    case '<':
      return [0, value - 1];
    case '<=':
      return [0, value];
    case '>':
      return [value + 1, TOTAL_MAX];
    case '>=':
      return [value, TOTAL_MAX];
  }
}
