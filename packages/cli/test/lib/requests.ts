/**
 * Requests of `examples/requests` as files, as a person brings them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestText } from '../../../../scripts/lib/requests.mjs';

/** Writes the text of a request as `NAME.txt` into a folder; its path. */
export function requestFile(folder: string, name: string): string {
  const path = join(folder, `${name}.txt`);
  writeFileSync(path, requestText(name));
  return path;
}
