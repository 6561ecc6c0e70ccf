/**
 * Requests of any length for benches, the same at every call.
 *
 * @module
 */
import { requestText } from '../../scripts/lib/requests.mjs';

const SAMPLE = requestText('clinic-reminders').trim();

/**
 * About `bytes` of text: a real request over and over, its numbers shifted and each sentence of a branch of
 * its own, as a long document has them.
 */
export function textOf(bytes) {
  const parts = [];
  let size = 0;
  for (let copy = 1; size < bytes; copy += 1) {
    const part = SAMPLE.replace(/\b(\d{1,3})\b/g, (digits) => String(Number(digits) + copy)).replace(
      /([a-z])\.(\s|$)/g,
      `$1 in branch ${String.fromCharCode(97 + (copy % 26))}${copy}.$2`,
    );
    parts.push(part);
    size += part.length + 2;
  }
  return parts.join('\n\n').slice(0, bytes);
}

/** The first so many words of such a text. */
export function wordsOf(count) {
  return textOf(count * 34)
    .split(/(?<=\s)(?=\S)/)
    .slice(0, count)
    .join('');
}
