/**
 * JSON as it is printed: what a terminal would act on or hide is an escape that `JSON.parse` reads back.
 *
 * @module
 */
import { forTerminal } from '@assay/verifier';
import { cut } from './cut.js';
import type { Shown } from './shown.js';

/** JSON text in which every character shows. */
export function safeJson(value: unknown, indent: number = 0): string {
  return JSON.stringify(value, null, indent).replace(/[^\n -~]/gu, (character) => (forTerminal(character) === character ? character : escaped(character)));
}

/** A value as JSON inside a line, cut to a number of code points. */
export function jsonShown(value: unknown, pointsMax: number = Number.MAX_SAFE_INTEGER): Shown {
  return { parts: [{ text: pointsMax === Number.MAX_SAFE_INTEGER ? safeJson(value) : cut(safeJson(value), pointsMax), style: null }] };
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');
}
