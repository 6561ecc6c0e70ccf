/**
 * Options that ask for authorship. What they bring is loaded only where there is one: it loads a curve.
 *
 * @module
 */

/** Options of `verify` that ask for authorship. */
export type AuthorshipFlags = {
  readonly signature: readonly string[];
  readonly trust: readonly string[];
  readonly threshold?: string;
  readonly proof: readonly string[];
};

/** True where one of them was given. */
export function asksForAuthorship({ signature, trust, threshold, proof }: AuthorshipFlags): boolean {
  return signature.length + trust.length + proof.length > 0 || threshold !== undefined;
}
