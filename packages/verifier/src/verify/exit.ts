/** The exit code of `verify`. Source: design §8. */
import { NO_LEDGER } from './completeness.js';
import { CHECKS, type CheckName, type Verdict, type VerifyDocument } from './document.js';

/**
 * `strict`: any check not made counts. `allowUnchecked`: none does, and the output says so. `authorship`: the
 * user named keys that must have signed, so an authorship that could not be checked counts as re-derivation
 * does (decision 0016).
 */
export type ExitOptions = {
  readonly strict?: boolean;
  readonly allowUnchecked?: boolean;
  readonly authorship?: boolean;
  /** The same of a log of runs that was brought, and of a witness of it that was named. */
  readonly completeness?: boolean;
  readonly time?: boolean;
};

/**
 * 3 where any of the five checks failed; 4 where re-derivation was not checked, with `authorship`
 * authorship, where a cited ledger is missing among those that were given, or, with `strict`, any of the
 * five; else 0. `allowUnchecked` turns 4 into 0. Several files: 3 before 4 before 0. No file at all is 4:
 * nothing was checked.
 */
export function exitCode(documents: readonly VerifyDocument[], options: ExitOptions = {}): 0 | 3 | 4 {
  const codes = documents.map((document) => chooseExitCode(document, options));
  if (codes.includes(3)) return 3;
  return codes.includes(4) || codes.length === 0 ? 4 : 0;
}

function chooseExitCode({ checks }: VerifyDocument, options: ExitOptions): 0 | 3 | 4 {
  if (CHECKS.some((check) => checks[check].verdict === 'failed')) return 3;
  return CHECKS.some(
    (check) => isAsked(check, checks[check], options) && checks[check].verdict === 'not_checked',
  ) && options.allowUnchecked !== true
    ? 4
    : 0;
}

/**
 * True for a check that has to be made: if it was not, that counts, unless the user allowed it. Integrity
 * always is, of what was judged at all.
 */
export function isAsked(check: CheckName, { code }: Verdict, options: ExitOptions): boolean {
  return (
    options.strict === true ||
    check === 'integrity' ||
    check === 'rederivation' ||
    options[check] === true ||
    code === NO_LEDGER
  );
}
