/**
 * Words that demand, wish, leave, forbid or negate, in lower case, by what a claim has to be to hold them.
 * Source: intent I4, I8.
 *
 * @module
 */
import type { Token } from './tokens.js';

export const DEMANDS: readonly string[] = ['must', 'shall'];
/** Words of duty: behind a negator they leave (`not required`, `need not`). */
export const DUTIES: readonly string[] = ['required', 'has to', 'have to', 'need', 'needs'];
export const WANTS: readonly string[] = ['want', 'wants'];
export const WISHES: readonly string[] = ['should', 'ought', 'would like'];
export const LEAVES: readonly string[] = ['may', 'allowed', 'permitted'];
export const MODALS: ReadonlySet<string> = new Set([...DEMANDS, ...DUTIES, ...WANTS, ...WISHES, ...LEAVES]);

/**
 * Words by which a sentence can forbid, wish or leave without a modal word: `is ruled out`, `would be nice`,
 * `feel free to`. They are no salient units.
 */
export const FORBIDDING: ReadonlySet<string> = new Set(
  (
    'prohibited forbidden banned avoid avoided exclude excluded refrain nothing out stop ' +
    'stops cease quit discontinue halt prevent prevents prevented forbid forbids prohibit ' +
    "ban don'ts donts unacceptable impossible ruled"
  ).split(' '),
);
export const WISHING: ReadonlySet<string> = new Set(
  (
    "should ought would 'd could might wish wishes hope like love nice ideally prefer " +
    'preferred preferably suggest recommend recommended desirable advantage possible aim ' +
    'want wants asked'
  ).split(' '),
);
export const LEAVING: ReadonlySet<string> = new Set(
  (
    'may|might|can|could|allowed|permitted|optional|optionally|welcome|fine|ok|okay|' +
    'acceptable|tolerated|possible|entitle|entitled|unnecessary|free to|right to'
  ).split('|'),
);
/** Stems of further duties that a negator takes away: `needn't`, `not obliged`, `unnecessary`. */
export const DUTY_STEMS: readonly string[] = ['need', 'nece', 'requ', 'obli'];
/**
 * Words by which an item of a list says itself what must or may be, whatever the line above the list says.
 */
export const OWN_FORCE: ReadonlySet<string> = new Set(
  'must shall should may will can need needs has have ought'.split(' '),
);

const NEGATORS: ReadonlySet<string> = new Set(
  'not no never without cannot nobody none neither nor'.split(' '),
);

/** True for a word that negates what follows it. */
export function isNegator({ kind, lower }: Token): boolean {
  return kind === 'word' && (NEGATORS.has(lower) || lower.endsWith("n't") || lower.endsWith('n’t'));
}
