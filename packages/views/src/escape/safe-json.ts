/**
 * JSON as it is shown: what a terminal would act on, or a reader would not see, is an escape that
 * `JSON.parse` reads back.
 *
 * @module
 */
import { visible } from './escape.js';

/** JSON text in which every character shows; the same value when it is parsed. Linear. */
export function safeJson(value: unknown, indent: number = 0): string {
  const text = JSON.stringify(value, null, indent); // display
  return text.replace(/[^\n -~]/gu, (character) =>
    visible(character) === character ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
