/**
 * Test vectors of other projects (RFC 8785, RFC 6962, JSONTestSuite). They are no part of this repository:
 * `ASSAY_PUBLIC_VECTORS` names the folder that holds them.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = process.env['ASSAY_PUBLIC_VECTORS'];

/**
 * True where the vectors are to be had, or have to be: under CI a missing folder fails the tests that read
 * it.
 */
export const hasPublicVectors: boolean = FOLDER !== undefined || process.env['CI'] === 'true';

if (!hasPublicVectors) console.log('public vectors: skipped, ASSAY_PUBLIC_VECTORS names no folder');

/** A file of public vectors. */
export type VectorFile = { readonly name: string; readonly bytes: Uint8Array };

/** The files of one part, sorted by name; throws where the folder is not set or lacks the part. */
export function publicVectors(part: string): readonly VectorFile[] {
  if (FOLDER === undefined)
    throw new Error('ASSAY_PUBLIC_VECTORS: name the folder of the public vectors (CI may not skip them)');
  const folder = join(FOLDER, ...part.split('/'));
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, bytes: Uint8Array.from(readFileSync(join(folder, name))) }));
}
