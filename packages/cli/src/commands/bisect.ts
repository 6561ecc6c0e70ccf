/**
 * `assay bisect`: the first decision in which two runs part, and what caused it.
 *
 * @module
 */
import type { BisectDocument } from '@assay/kernel/schemas';
import { bisect as bisected } from '@assay/verifier/impact';
import { verifiedLedger } from './verified-ledger.js';
import { EXIT, type ExitCode } from '../problems/exit.js';
import { misuse } from '../problems/problem.js';
import { jsonShown } from '../terminal/json.js';
import { show, styled, type Shown } from '../terminal/shown.js';
import type { Context } from './context.js';

const VALUE_POINTS = 120;
const WORDS = {
  record_hash: 'record hashes',
  state_hash: 'state hashes',
  whole: 'every record',
} as const;

/**
 * Exit 0 where the runs decide the same, 1 where they part. Both are verified first. Raises `Stop`:
 * `other_machine`, and those of {@link verifiedLedger}.
 */
export async function bisect(
  { output }: Context,
  good: string,
  bad: string,
  { machine: modules }: { readonly machine: readonly string[] },
): Promise<ExitCode> {
  const [a, b] = [await verifiedLedger(good, modules), await verifiedLedger(bad, modules)];
  const [left, right] = [a.genesis.machine, b.genesis.machine];
  if (left.name !== right.name)
    throw misuse(
      'other_machine',
      `these are runs of two machines, ${left.name} and ${right.name}`,
      `${good} ${bad}`,
      'name two runs of one machine',
    );
  const document: BisectDocument = {
    good,
    bad,
    machine: { good: `${left.name}@${left.version}`, bad: `${right.name}@${right.version}` },
    records: { good: a.records.length, bad: b.records.length },
    underived: { good: a.underived, bad: b.underived },
    ...bisected(a.records, b.records, a.underived === null && b.underived === null),
  };
  output.document(document);
  for (const line of linesOf(document)) output.line(line);
  return document.at === null ? EXIT.done : EXIT.no;
}

function linesOf(document: BisectDocument): readonly Shown[] {
  const { by, anchor, not_compared, at, causes, answer, machine, underived } = document;
  const compared = [
    show`compared    ${WORDS[by]}${anchor === null ? '' : `, equal up to record ${anchor}`}`,
    ...(not_compared === 0
      ? []
      : [show`            not compared: records 1 to ${not_compared}, before the last equal state`]),
    ...Object.entries(underived).flatMap(([name, code]) =>
      code === null ? [] : [show`            not derived again: ${name} (${code})`],
    ),
  ];
  if (at === null) return [show`same        ${machine.good}: every decision is the same`, ...compared];
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
    ...compared,
  ];
}

function byText(by: { readonly source: string; readonly proposer: string } | null): string {
  return by === null ? 'nobody' : `${by.proposer} (${by.source})`;
}
