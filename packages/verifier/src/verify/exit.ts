/**
 * The exit code of `verify`. Source: design §8.
 *
 * @module
 */
import { CHECKS, type VerifyDocument } from './document.js';

/** `strict`: any check not made counts. `allowUnchecked`: none does, and the output says so. */
export type ExitOptions = { readonly strict?: boolean; readonly allowUnchecked?: boolean };

/**
 * 3 where any of the five checks failed; 4 where re-derivation was not checked or, with `strict`, any of the
 * five; else 0. `allowUnchecked` turns 4 into 0. Several files: 3 before 4 before 0. No file at all is 4: nothing was checked.
 */
export function exitCode(documents: readonly VerifyDocument[], options: ExitOptions = {}): 0 | 3 | 4 {
  const codes = documents.map((document) => exitCodeOf(document, options));
  if (codes.includes(3)) return 3;
  return codes.includes(4) || codes.length === 0 ? 4 : 0;
}

function exitCodeOf({ checks }: VerifyDocument, { strict = false, allowUnchecked = false }: ExitOptions): 0 | 3 | 4 {
  if (CHECKS.some((check) => checks[check].verdict === 'failed')) return 3;
  if (allowUnchecked) return 0;
  const asked = strict ? CHECKS : (['rederivation'] as const);
  return asked.some((check) => checks[check].verdict === 'not_checked') ? 4 : 0;
}
