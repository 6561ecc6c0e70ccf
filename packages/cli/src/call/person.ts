/**
 * The person at a command's terminal.
 *
 * @module
 */
import type { Dialogue } from '@assay/host';
import { show, styled } from '../terminal/shown.js';
import type { Context } from './context.js';

/**
 * The person of a command's surroundings to talk to, every character of a request shown; null where there is
 * none.
 */
export function personOf({ output, readLine }: Context): Dialogue | null {
  if (readLine === null) return null;
  return {
    say: (line) => output.dialogue(show`${line}`),
    ask: (prompt) => {
      output.dialogue(show`${styled('strong', show`${prompt}`)} > `, true);
      return readLine();
    },
  };
}
