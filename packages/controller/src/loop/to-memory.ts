/**
 * What R7 tells a memory, and under which tag an intent is found. Source: 002 §6b, §6c; dec-M5.
 *
 * @module
 */

/** The tag of an intent: its slug, on this machine. Source: 002 "Tag derivation". */
export function intentTag(intent: string): { readonly space: string; readonly entity: string } {
  return { space: `intent:${slugOf(intent)}`, entity: 'env:local' };
}

/**
 * The first three words of an intent, by `_`. ASCII letters in lower case; letters a–z, digits and code points above U+007F are kept
 * as they are, everything else separates words. Source: dec-M5.
 */
export function slugOf(intent: string): string {
  const words: string[] = [];
  let word = '';
  for (let at = 0; at <= intent.length && words.length < WORDS; at += 1) {
    const unit = at < intent.length ? intent.charCodeAt(at) : 0;
    if (isKept(unit)) word += unit >= 0x41 && unit <= 0x5a ? String.fromCharCode(unit + 32) : intent.charAt(at);
    else if (word !== '') {
      words.push(word);
      word = '';
    }
  }
  return words.join('_');
}

const WORDS = 3;

function isKept(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || unit > 0x7f;
}
