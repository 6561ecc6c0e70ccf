/**
 * `assay bisect`: the first decision in which two runs part, and what caused it.
 *
 * @module
 */
import type { EvidenceRecord, Genesis } from '@assay/kernel';
import type { BisectDocument } from '@assay/kernel/schemas';
import { bisect as bisected } from '@assay/verifier/impact';
import { recordFile, type RecordFile } from '../files/positions.js';
import { EXIT, type ExitCode } from '../problems/exit.js';
import { misuse } from '../problems/problem.js';
import { jsonShown } from '../terminal/json.js';
import { show, styled, type Shown } from '../terminal/shown.js';
import type { Context } from './context.js';

const VALUE_POINTS = 120;
const WORDS = {
  record_hash: 'record hashes',
  state_hash: 'state hashes',
  whole: 'every record, since no hashes are equal',
} as const;

/**
 * Exit 0 where the runs decide the same, 1 where they part. Only the records that are read are checked, each for
 * itself. Raises `Stop`: `other_machine`, those of files, and of records that do not hold.
 */
export async function bisect({ output }: Context, good: string, bad: string): Promise<ExitCode> {
  const a = recordFile(good);
  try {
    const b = recordFile(bad);
    try {
      const document = documentOf({ good, bad }, a, b);
      output.document(document);
      for (const line of linesOf(document)) output.line(line);
      return document.at === null ? EXIT.done : EXIT.no;
    } finally {
      b.close();
    }
  } finally {
    a.close();
  }
}

function documentOf(
  { good, bad }: { readonly good: string; readonly bad: string },
  a: RecordFile,
  b: RecordFile,
): BisectDocument {
  const [left, right] = [machineIn(a.at(0), good), machineIn(b.at(0), bad)];
  if (left.name !== right.name)
    throw misuse(
      'other_machine',
      `these are runs of two machines, ${left.name} and ${right.name}`,
      `${good} ${bad}`,
      'name two runs of one machine',
    );
  return {
    good,
    bad,
    machine: { good: `${left.name}@${left.version}`, bad: `${right.name}@${right.version}` },
    records: { good: a.count, bad: b.count },
    ...bisected(a, b),
  };
}

function machineIn({ kind, payload }: EvidenceRecord, path: string): Genesis['machine'] {
  if (kind === 'genesis' && payload !== undefined) return (payload as unknown as Genesis).machine;
  throw misuse(
    'foreign_chain',
    'this chain was not written by a run of ours',
    path,
    'name a ledger of assay',
  );
}

function linesOf(document: BisectDocument): readonly Shown[] {
  const { by, anchor, read, records, at, causes, answer, machine } = document;
  const compared = show`compared    ${WORDS[by]}${anchor === null ? '' : `, equal up to record ${anchor}`}; ${read} of ${
    records.good + records.bad
  } records read`;
  if (at === null) return [show`same        ${machine.good}: every decision is the same`, compared];
  return [
    show`parts       ${styled('strong', show`record ${at.a ?? 'none'} of good, ${at.b ?? 'none'} of bad`)}: ${
      at.field === '' ? 'the whole record' : at.field
    }`,
    show`            good  ${jsonShown(at.left, VALUE_POINTS)}`,
    show`            bad   ${jsonShown(at.right, VALUE_POINTS)}`,
    show`cause       ${causes.length === 0 ? 'none: equal answers led to different decisions; verify both' : causes.join(', ')}`,
    ...(answer === null
      ? []
      : [
          show`answer      good  ${byText(answer.by.a)}, record ${answer.a ?? 'none'}: ${jsonShown(answer.left, VALUE_POINTS)}`,
          show`            bad   ${byText(answer.by.b)}, record ${answer.b ?? 'none'}: ${jsonShown(answer.right, VALUE_POINTS)}`,
        ]),
    compared,
  ];
}

function byText(by: { readonly source: string; readonly proposer: string } | null): string {
  return by === null ? 'nobody' : `${by.proposer} (${by.source})`;
}
