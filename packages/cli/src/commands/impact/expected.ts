/**
 * `--expect`: no flip, or the classes of an earlier report.
 *
 * @module
 */
import type { ImpactDocument } from '@assay/kernel/schemas';
import type { Expected } from '@assay/verifier/impact';
import { readText } from '../../files/read.js';
import { misuse } from '../../problems/problem.js';

/** What is expected. Raises `Stop`: `expect` where the file is no report, and those of reading. */
export async function expectedOf(given: string | undefined): Promise<Expected> {
  if (given === undefined) return null;
  if (given === 'none') return 'none';
  const { runs } = await reportIn(given);
  return new Map(runs.map((row) => [row.file, row]));
}

async function reportIn(path: string): Promise<ImpactDocument> {
  const text = await readText(path);
  const { impactDocumentSchema } = await import('@assay/kernel/schemas');
  try {
    const read = impactDocumentSchema.safeParse(JSON.parse(text));
    if (read.success) return read.data;
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
