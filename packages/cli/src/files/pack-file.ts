/**
 * A verification pack and the evidence for it, from files.
 *
 * @module
 */
import { field, isObject, parseShape } from '@assay/kernel';
import { PACK_FORMAT, parseEvidence, type CheckEvidence, type VerificationPack } from '@assay/kernel/intent';
import { verificationPackSchema } from '@assay/kernel/schemas';
import { misuse } from '../problems/problem.js';
import { textIn } from '../terminal/fields.js';
import { readJson } from './json-file.js';
import { shortenName } from './read.js';

/**
 * Reads a pack. Raises `Stop` (exit 2): `pack` for another format, another shape or two
 * checks of one id, and those of reading JSON.
 */
export async function readPack(path: string): Promise<VerificationPack> {
  const value = await readJson(path);
  const format = isObject(value) ? field(value, 'format') : undefined;
  if (format !== PACK_FORMAT)
    throw misuse(
      'pack',
      typeof format === 'string'
        ? `not a verification pack; its format is ${format}`
        : 'not a verification pack',
      shortenName(path),
      `name the verification-pack.json of a run (format ${PACK_FORMAT})`,
    );
  const parsed = parseShape<VerificationPack>(verificationPackSchema, value);
  if (parsed._tag === 'Left')
    throw misuse(
      'pack',
      `not a verification pack: invalid at ${parsed.left.path || 'its root'}`,
      shortenName(path),
      'use the file as assay run wrote it; its schema is schemas/verification-pack.schema.json',
    );
  const ids = parsed.right.checks.map(({ id }) => id);
  const again = ids.find((id, index) => ids.indexOf(id) !== index);
  if (again !== undefined)
    throw misuse(
      'pack',
      `two checks of this pack have the id ${again}`,
      shortenName(path),
      'use the file as assay run wrote it',
    );
  return parsed.right;
}

/** Reads evidence. Raises `Stop` (exit 2): `evidence`, and those of reading JSON. */
export async function readEvidence(path: string): Promise<readonly CheckEvidence[]> {
  const parsed = parseEvidence(await readJson(path));
  if (parsed._tag === 'Right') return parsed.right;
  throw misuse(
    'evidence',
    `not a list of observations: invalid at ${textIn(parsed.left.detail, 'path') || 'its root'}`,
    shortenName(path),
    'write it like [{"check_id": "check-1", "observed": 187.5, "unit": "ms", "source": "load ' +
      'test of 3 May"}]; observed is a number (at most 9 digits behind the point), true or ' +
      'false, or text',
  );
}
