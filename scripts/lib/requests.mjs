/**
 * The annotated requests of `examples/requests`, one a line.
 *
 * @module
 */
import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../examples/requests/', import.meta.url);

/**
 * The requests of a file, in the order of their names.
 *
 * @param {'language' | 'long' | 'long.held-back' | 'short' | 'short.held-back' | 'more'} file
 * @returns {readonly { readonly name: string, readonly text: string }[]}
 */
export function requestsIn(file) {
  return readFileSync(new URL(`${file}.jsonl`, FOLDER), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The text of a request: as it is in the language, else of the long ones that are not held back. */
export function requestText(name) {
  return [...requestsIn('language'), ...requestsIn('long')].find((request) => request.name === name).text;
}
