/** The person at a command's terminal. */
import { createInterface } from 'node:readline';
import type { Dialogue } from '@assay/host';
import { show, styled } from '../terminal/shown.js';
import type { Context } from './output.js';

/**
 * The person of a command's surroundings to talk to, every character of a request shown; null where there is
 * none.
 */
export function openPerson({ output, readLine }: Context): Dialogue | null {
  if (readLine === null) return null;
  return {
    say: (line) => output.dialogue(show`${line}`),
    ask: (prompt) => {
      output.dialogue(show`${styled('strong', show`${prompt}`)} > `, true);
      return readLine();
    },
  };
}

/**
 * Lines of a terminal, one for each call; null once it has ended. The terminal edits lines and makes signals
 * as it always does. Between two calls it is not listened to, so that the process can end; what was typed
 * meanwhile is kept.
 */
export function lineReader(input: NodeJS.ReadableStream): () => Promise<string | null> {
  const lines: string[] = [];
  const waiting: ((line: string | null) => void)[] = [];
  let isEnded = false;
  const reader = createInterface({ input, terminal: false });
  reader.on('line', (line) => {
    const wake = waiting.shift();
    if (wake === undefined) lines.push(line);
    else wake(line);
    if (waiting.length === 0) reader.pause();
  });
  reader.on('close', () => {
    isEnded = true;
    for (const wake of waiting.splice(0)) wake(null);
  });
  reader.pause();
  return () => {
    const line = lines.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (isEnded) return Promise.resolve(null);
    return new Promise((resolve) => {
      waiting.push(resolve);
      reader.resume();
    });
  };
}
