/**
 * What is there before a file is written: the same, or something else.
 *
 * @module
 */
import { lstatSync, readFileSync, statSync } from 'node:fs';
import type { Draft } from '@assay/host/files';

/** True where something else has the name of a draft. A folder of that name is told of when it is written. */
export function isOther({ path, bytes }: Draft): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return false;
  try {
    const { size } = statSync(path);
    return size !== bytes.length || !readFileSync(path).equals(bytes);
  } catch {
    // A link to nowhere, or what may not be read: not ours in any case.
    return true;
  }
}
