/** Which law of D.1 each law of the machine interface holds, so that its test bears that name too. */
import type { LawName, Suite } from '@assay/testing';

/** Laws of D.1 by those of `machineLaws`; L2, L4 and L6 have tests of their own. */
export const COMMON: ReadonlyMap<string, readonly LawName[]> = new Map<string, readonly LawName[]>([
  ['law-L1', ['replay/same-log-same-state']],
  ['law-L3', ['replay/split-equals-whole', 'replay/cut-anywhere-due-completes']],
  ['law-L5', ['advance/rejection-keeps-machine-state']],
  ['law-L7', ['run/terminates-within-policy-bound']],
  ['law-L8', ['advance/one-request-one-answer']],
]);

/** A suite that puts the name of D.1 before that of the interface. */
export function named({ describe, it }: Suite): Suite {
  return {
    describe,
    it: (name, body) =>
      it(
        `${[...COMMON]
          .filter(([, laws]) => laws.some((law) => law === name))
          .map(([law]) => `${law} `)
          .join('')}${name}`,
        body,
      ),
  };
}
