/**
 * A second file beside the first: what both were given, and where they part.
 *
 * @module
 */
import type { EvidenceRecord } from '@assay/kernel';
import { diffLedgers, type DiffCause, type LedgerDiff } from '@assay/verifier';
import type { Compared } from '../data/calls.js';
import type { Loaded } from './load.js';

const GIVEN: readonly (readonly [name: string, causes: readonly DiffCause[]])[] = [
  ['machine', ['machine']],
  ['policy', ['policy']],
  ['input', ['input', 'base']],
  ['answers', ['proposal']],
];

/** Compares two files that were checked. A file whose integrity failed is not compared. */
export function compared(a: Loaded, b: Loaded): Compared {
  const { label, sentence } = b.checked;
  const none = GIVEN.map(([name]) => ({ name, same: null }));
  const sound = [a, b].every(({ checked }) => typeof checked.document.head?.run_id === 'string');
  if (!sound)
    return {
      t: 'compared',
      label,
      sentence,
      isSame: false,
      found: null,
      given: none,
      says: 'These files cannot be compared: the integrity of one failed, or it is a foreign chain.',
    };
  const isSame = a.summary?.hash === b.summary?.hash && a.summary?.records === b.summary?.records;
  const found = diffLedgers(recordsOf(a), recordsOf(b));
  const causes = found.kind === 'equal' ? found.givenDifferently : found.causes;
  const given = GIVEN.map(([name, of]) => ({ name, same: !of.some((cause) => causes.includes(cause)) }));
  return { t: 'compared', label, sentence, isSame, found, given, says: saysOf(isSame, found, a, b) };
}

function saysOf(isSame: boolean, found: LedgerDiff, a: Loaded, b: Loaded): string {
  if (isSame) return 'The same ledger, to the last hash.';
  if (found.kind === 'equal') return `The same ${found.decisions} decisions, in two runs.`;
  if (isPrefix(a, b))
    return `One is a truncated copy of the other: they agree through record ${least(a, b) - 1}.`;
  const { causes, decision } = found;
  if (causes.includes('machine') || (causes.includes('input') && causes.includes('policy')))
    return `These runs have little in common: ${causes.join(', ')} differ. They part at decision ${decision}.`;
  if (causes.length === 0)
    return `The runs part at decision ${decision} with equal answers: one of them is not what its machine derives.`;
  return `The runs part at decision ${decision}, because of another ${causes.join(' and ')}.`;
}

function least(a: Loaded, b: Loaded): number {
  return Math.min(a.lines.count, b.lines.count);
}

/** True where the shorter file is the beginning of the longer one. */
function isPrefix(a: Loaded, b: Loaded): boolean {
  const count = least(a, b);
  return a.lines.count !== b.lines.count && a.lines.text(count - 1) === b.lines.text(count - 1);
}

function recordsOf({ lines }: Loaded): readonly EvidenceRecord[] {
  return Array.from({ length: lines.count }, (_, at) => lines.json(at) as unknown as EvidenceRecord);
}
