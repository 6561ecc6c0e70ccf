/**
 * How a run ends. Source: specs/ecology.md D1.2.
 *
 * - `value`: `text` is the JSON text of the answer, at most 65,536 UTF-16 units.
 * - `threw`: an error that nobody caught; `text` says which, at most 500 units. A source that does not
 *   compile ends so.
 * - `fuel`, `memory`, `stack`: one of the limits.
 * - `size`: the answer, a request to the host or the source is over 65,536 units.
 * - `shape`: no function of that name, or an answer that is not JSON.
 * - `stopped`: the host answered null.
 */
export type Outcome =
  | { readonly outcome: 'value' | 'threw'; readonly text: string }
  | { readonly outcome: 'fuel' | 'memory' | 'stack' | 'size' | 'shape' | 'stopped' };

/** An outcome and the fuel that was used, at most what was given. */
export type Ended = Outcome & { readonly fuel: number };

/** Answers a request of a contract, JSON text in and out; null ends the run as `stopped`. */
export type Host = (request: string) => string | null;

/** Longest source, answer and request to the host, in UTF-16 units. */
export const TEXT_MAX = 65_536;
