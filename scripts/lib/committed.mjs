/**
 * Generated files that are committed: compared with what they should be, or written.
 *
 * @module
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

/**
 * Texts by path from the repository's root: each file that differs is told, and written where `isWriting`.
 * Returns the exit code: 1 where a file differs and is not written.
 */
export function compareOrWrite(files, isWriting) {
  const differing = Object.entries(files).filter(
    ([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text,
  );
  for (const [path, text] of differing) {
    if (isWriting) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    console.log(`${path} ${isWriting ? 'written' : 'differs'}`);
  }
  return isWriting || differing.length === 0 ? 0 : 1;
}
