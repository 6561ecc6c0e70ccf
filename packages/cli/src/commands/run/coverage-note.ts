/**
 * The two counts of coverage, told apart wherever one of them is shown. Source: intent I4, I10, I16.
 *
 * @module
 */

/** What the criterion of the score counts. */
const SCORED = 'coverage scores what claims take up, of quantities, dates, "must" and "not"';

/** What the blueprint counts. */
const QUOTED = 'covered counts what claims quote, names and all';

/** Both, in one line. */
export const TWO_COUNTS: string = `${SCORED}; ${QUOTED}`;
