/**
 * Verbs of the plain present, by their commonest signs.
 *
 * @module
 */
import type { Token } from '@assay/kernel/intent';
import { phraseAt } from './words.js';

/** `is made`, `are deleted`: the place of the auxiliary, or null. */
export function passiveAt(tokens: readonly Token[], first: number, next: number): number | null {
  for (let at = first + 1; at < next - 1; at += 1) {
    if ((tokens[at]?.lower === 'is' || tokens[at]?.lower === 'are' || tokens[at]?.lower === 'be') && isParticiple(tokens[at + 1]?.lower ?? '')) return at;
  }
  return null;
}

const PARTICIPLES: ReadonlySet<string> = new Set(['kept', 'made', 'sent', 'held', 'paid', 'given', 'built', 'shown', 'told', 'put', 'set', 'cut', 'sold', 'lent', 'written', 'taken', 'stored', 'driven', 'rewritten', 'overwritten', 'met', 'hidden', 'done', 'due', 'bought', 'brought', 'limited', 'left']);

/** True for a past participle, by its ending or by the list of irregular ones. */
export function isParticiple(word: string): boolean {
  return PARTICIPLES.has(word) || (word.length > 4 && word.endsWith('ed'));
}

/** The place of a finite verb in the present, by its commonest signs, or null. */
export function verbAt(tokens: readonly Token[], first: number, next: number): number | null {
  for (let at = first + 1; at < next; at += 1) {
    const word = tokens[at]?.lower ?? '';
    if (['is', 'are', 'has', 'have', 'do', 'does', 'be', 'will', 'gets', 'get'].includes(word)) return at;
    if (word.endsWith('s') && phraseAt('imperative', [{ ...(tokens[at] as Token), lower: base(word) }], 0, 1) > 0) return at;
    if (['stays', 'stay', 'takes', 'lasts', 'weighs', 'appears', 'appear', 'counts', 'remain', 'remains', 'goes', 'go', 'costs', 'cost', 'finishes', 'starts', 'start', 'ends', 'end', 'runs', 'fits', 'wears', 'happens', 'arrive', 'arrives', 'resumes'].includes(word)) return at;
  }
  return null;
}

function base(verb: string): string {
  if (verb.endsWith('ies')) return `${verb.slice(0, -3)}y`;
  return verb.endsWith('ches') || verb.endsWith('shes') || verb.endsWith('sses') ? verb.slice(0, -2) : verb.slice(0, -1);
}
