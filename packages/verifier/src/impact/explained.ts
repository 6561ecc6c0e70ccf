/**
 * A run as its machine's view explains it, in plain text.
 *
 * @module
 */
import type { EvidenceRecord } from '@assay/kernel';
import type { Text, Viewable, Viewer } from '@assay/kernel/view';

/** The viewer at the end of a run whose integrity holds; null where it does not re-derive. */
export function viewedRecords(view: Viewable, records: readonly EvidenceRecord[]): Viewer | null {
  const [genesis, ...rest] = records;
  if (genesis === undefined) return null;
  let seen = view.begin(genesis, { checked: true });
  for (const record of rest) {
    if (seen._tag === 'Left') return null;
    seen = seen.right.feed(record);
  }
  return seen._tag === 'Right' ? seen.right : null;
}

/** A text without marks: what evidence says stands in it as it is. */
export function plainText(text: Text): string {
  return typeof text === 'string'
    ? text
    : text.map((piece) => (typeof piece === 'string' ? piece : piece.said)).join('');
}
