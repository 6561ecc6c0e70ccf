/**
 * Where the words of a quote stand in a request. Source: intent I3 (places are code points).
 *
 * @module
 */
import type { Quote, SeedText } from '@assay/kernel/intent';

/**
 * UTF-16 units of a quote that is looked for; the machine takes 240 code points, the rest may be white space.
 */
const QUOTE_UNITS_MAX = 1_024;

/**
 * Finds words in a request. They may be copied with other white space; nothing else may differ. Making one is
 * linear.
 */
export class Locator {
  private readonly seed: SeedText;
  /**
   * The request with each run of white space as one space, and where each of its units begins in the request.
   */
  private readonly folded: string;
  private readonly units: Uint32Array;

  constructor(seed: SeedText) {
    const { text } = seed;
    const units = new Uint32Array(text.length);
    const parts: string[] = [];
    let [length, from] = [0, 0];
    for (const { index, 0: space } of text.matchAll(SPACES)) {
      parts.push(text.slice(from, index), ' ');
      for (let at = from; at <= index; at += 1) units[length++] = at;
      from = index + space.length;
    }
    parts.push(text.slice(from));
    for (let at = from; at < text.length; at += 1) units[length++] = at;
    this.seed = seed;
    this.folded = parts.join('');
    this.units = units.subarray(0, length);
  }

  /**
   * The place of some words: the first one inside `within` if they stand there, else the first one. Null
   * where they do not stand in the request, are none, or are too long.
   */
  find(words: string, within: Quote | null = null): Quote | null {
    const wanted = words.replaceAll(SPACES, ' ').trim();
    if (wanted === '' || wanted.length > QUOTE_UNITS_MAX) return null;
    if (within !== null) {
      const [from, to] = [this.seed.unitAt(within.start), this.seed.unitAt(within.end)];
      const at = this.seed.text.slice(from, to).indexOf(words.trim());
      if (at !== -1) return this.seed.quote(from + at, from + at + words.trim().length);
    }
    const at = this.folded.indexOf(wanted);
    return at === -1
      ? null
      : this.seed.quote(this.units[at] ?? 0, (this.units[at + wanted.length - 1] ?? 0) + 1);
  }
}

const SPACES = /[ \t\r\n\u00a0]+/g;
