/**
 * Words that demand, wish or leave, in lower case, by what a claim has to be to hold them. Source: intent I4.
 *
 * @module
 */

export const DEMANDS: readonly string[] = ['must', 'shall', 'required', 'has to', 'have to'];
/** Words of need also wish. */
export const NEEDS: readonly string[] = ['need', 'needs', 'want', 'wants'];
export const WISHES: readonly string[] = ['should', 'ought', 'would like'];
export const LEAVES: readonly string[] = ['may', 'allowed', 'permitted'];
export const MODALS: ReadonlySet<string> = new Set([...DEMANDS, ...NEEDS, ...WISHES, ...LEAVES]);
