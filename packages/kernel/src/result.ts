/**
 * Errors are values, defects are exceptions (docs/decisions.md).
 *
 * `Result` has the tags and fields of an fp-ts `Either`, so the two are assignable both ways and
 * fp-ts users can pipe it directly; our declarations never mention fp-ts.
 */

/** The failing half of a {@link Result}: `left` holds the error. */
export type Left<E> = { readonly _tag: 'Left'; readonly left: E };
/** The succeeding half of a {@link Result}: `right` holds the value. */
export type Right<A> = { readonly _tag: 'Right'; readonly right: A };
/** Either an error `E` that depends on data and is expected, or a value `A`. */
export type Result<E, A> = Left<E> | Right<A>;

/** Wraps a value as a success. */
export function ok<A>(right: A): Right<A> {
  return { _tag: 'Right', right };
}

/** Wraps an error as a failure. */
export function err<E>(left: E): Left<E> {
  return { _tag: 'Left', left };
}

/** True when the result holds a value. */
export function isOk<E, A>(result: Result<E, A>): result is Right<A> {
  return result._tag === 'Right';
}

/** Folds a result: one function for the error, one for the value. */
export function match<E, A, B>(result: Result<E, A>, onLeft: (error: E) => B, onRight: (value: A) => B): B {
  return result._tag === 'Left' ? onLeft(result.left) : onRight(result.right);
}

/**
 * What {@link orThrow} raises. Source: 001 §2.2 says "raises"; here that is a choice of the caller.
 */
export class ResultError extends Error {
  override readonly name = 'ResultError';
  /** The `left` of the result that was unwrapped. */
  readonly error: unknown;
  constructor(error: unknown) {
    super(`result is a Left: ${describe(error)}`);
    this.error = error;
  }
}

/** The value of a result, or a thrown {@link ResultError} holding its error. */
export function orThrow<E, A>(result: Result<E, A>): A {
  if (result._tag === 'Right') return result.right;
  throw new ResultError(result.left);
}

/**
 * A broken invariant: a machine or a caller did what the interface forbids. Never caught in the core.
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
  /** What was broken: a stable label such as `decision/events`. */
  readonly label: string;
  constructor(label: string, message: string) {
    super(`${label}: ${message}`);
    this.label = label;
  }
}

/** The end of an exhaustive `switch`: reached only when a type lied. */
export function absurd(value: never): never {
  throw new InvariantError('absurd', `unexpected ${String(value)}`);
}

function describe(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error) {
    const path =
      'path' in error && typeof error.path === 'string'
        ? ` at ${error.path === '' ? '(root)' : error.path}`
        : '';
    return `${String(error.code)}${path}`;
  }
  return String(error);
}
