/**
 * `--expect`: no flip, or the classes of an earlier report.
 *
 * @module
 */
import { isDeepStrictEqual } from 'node:util';
import { parseShape, type Json } from '@assay/kernel';
import type { ImpactDocument } from '@assay/kernel/schemas';
import type { Expected } from '@assay/verifier/impact';
import { readText } from '../../files/read.js';
import { misuse } from '../../problems/problem.js';

/**
 * What is expected of a change. Raises `Stop`: `expect` where the file is no report, or one of another change, and
 * those of reading.
 */
export async function expectedOf(given: string | undefined, change: Change): Promise<Expected> {
  if (given === undefined) return null;
  if (given === 'none') return 'none';
  const report = await reportIn(given);
  const { set, unset, without } = report.change;
  if (!isDeepStrictEqual([set, unset, without], [change.set, change.unset, change.without]))
    throw misuse(
      'expect',
      'this is the report of another change',
      given,
      'give the report of this one, or none',
    );
  return new Map(report.runs.map((row) => [row.file, row]));
}

type Change = Pick<ImpactDocument['change'], 'set' | 'unset' | 'without'>;

async function reportIn(path: string): Promise<ImpactDocument> {
  const text = await readText(path);
  const { impactDocumentSchema } = await import('@assay/kernel/schemas');
  try {
    const read = parseShape<ImpactDocument>(impactDocumentSchema, JSON.parse(text) as Json);
    if (read._tag === 'Right') return read.right;
  } catch {
    // Falls through to the one message for both.
  }
  throw misuse(
    'expect',
    'this is no report of assay impact',
    path,
    'give none, or a file that assay impact --json printed',
  );
}
