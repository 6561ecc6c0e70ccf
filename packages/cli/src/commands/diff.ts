/** `assay diff`: where two runs part, and what they were given differently. */
import { nativeSha256 } from '@assay/host';
import { isObject, replayWith, runView, type EvidenceRecord, type RunSummary } from '@assay/kernel';
import { changedGiven, NO_CHANGE } from '@assay/verifier/impact';
import { diffLedgers, type DiffCause, type DiffPlace, type LedgerDiff } from '@assay/verifier';
import { soundLedger, underivable } from '../files/ledger.js';
import { shortenName } from '../files/read.js';
import { machinesFor } from '../options/machines.js';
import { EXIT, misuse, type ExitCode } from '../problems/problem.js';
import { jsonShown, show, type Shown } from '../terminal/shown.js';
import type { Context } from '../call/output.js';

const GIVEN: readonly DiffCause[] = ['machine', 'policy', 'input', 'base', 'proposal'];
const VALUE_POINTS = 160;
const FIELD_POINTS = 60;
const FIELDS_SHOWN = 8;

/** Compares two ledgers, which are verified first: exit 0 where they decide the same, 1 where they do not. */
export async function diff(
  { output }: Context,
  a: string,
  b: string,
  { machine: modules }: { readonly machine: readonly string[] },
): Promise<ExitCode> {
  const [left, right] = [await readVerified(a, modules), await readVerified(b, modules)];
  const found = diffLedgers(left.records, right.records);
  const isSameFile =
    left.summary.hash === right.summary.hash && left.summary.records === right.summary.records;
  const underived = { a: left.underived, b: right.underived };
  output.document({ a, b, identical: isSameFile, underived, ...found });
  const fields = isSameFile ? [] : fieldLines(left.records, right.records);
  for (const line of lines(found, isSameFile, fields)) output.line(line);
  for (const [path, code] of [[a, underived.a] as const, [b, underived.b] as const])
    if (code !== null)
      output.line(show`not checked  ${shortenName(path)}: its decisions were not recomputed (${code})`);
  return found.kind === 'equal' ? EXIT.done : EXIT.no;
}

/** `underived`: what kept its decisions from being derived again, null where nothing did. */
type Verified = {
  readonly records: readonly EvidenceRecord[];
  readonly summary: RunSummary;
  readonly underived: string | null;
};

/** A hash in a file is a claim until it is derived again. Raises `Stop`: `foreign_chain`, `differs` (exit 3). */
async function readVerified(path: string, modules: readonly string[]): Promise<Verified> {
  const { records, summary } = await soundLedger(path);
  if (summary.isForeign || records[0]?.payload === undefined)
    throw misuse(
      'foreign_chain',
      'this chain was not written by a run of ours: it has no decisions to compare',
      shortenName(path),
      'compare the files by other means; verify judges its hashes',
    );
  const replayed = replayWith(await machinesFor(modules, [path]), records, {
    sha256: nativeSha256,
    checked: true,
  });
  const fault = replayed._tag === 'Left' ? replayed.left : null;
  if (fault?.code === 'differs') throw underivable(fault.code, fault.record, shortenName(path), modules);
  return { records, summary, underived: fault?.code ?? null };
}

function lines(found: LedgerDiff, isSameFile: boolean, fields: readonly Shown[]): readonly Shown[] {
  if (isSameFile) return [show`the same ledger, to the last hash`];
  const causes = found.kind === 'equal' ? found.givenDifferently : found.causes;
  // Answers behind the place where runs part are to other requests, and are not compared.
  const same = (cause: DiffCause): string =>
    cause === 'proposal' && found.kind !== 'equal' ? 'same up to there' : 'same';
  const given = show`given      ${GIVEN.map(
    (cause) =>
      `${cause === 'proposal' ? 'answers' : cause}: ${causes.includes(cause) ? 'differs' : same(cause)}`,
  ).join('   ')}`;
  if (found.kind === 'equal')
    return [show`the same ${found.decisions} decisions, in two runs`, given, ...fields];
  const cause =
    causes.length === 0
      ? [show`cause      none: equal answers led to different decisions; verify both files`]
      : [];
  const answer =
    found.proposal === null ? [] : [show`answer     the first that differs`, ...place(found.proposal)];
  return [
    show`the runs part at decision ${found.decision}`,
    given,
    ...fields,
    ...cause,
    ...answer,
    show`decision   the first difference`,
    ...place(found.at),
  ];
}

/** The fields of policy and input that differ, as the first records hold them. */
function fieldLines(a: readonly EvidenceRecord[], b: readonly EvidenceRecord[]): readonly Shown[] {
  const [was, would] = [runView(a), runView(b)];
  if (was._tag === 'Left' || would._tag === 'Left') return [];
  const { policy, input } = would.right.genesis;
  const change = { ...NO_CHANGE, policy: isObject(policy) ? policy : null, input };
  const found = changedGiven(was.right.genesis, change, { completePolicy: (file) => file });
  const fields = found._tag === 'Left' ? [] : found.right.changed;
  const more = fields.length - FIELDS_SHOWN;
  return [
    ...fields
      .slice(0, FIELDS_SHOWN)
      .map(
        (one) =>
          show`  ${one.path}  ${jsonShown(one.was, FIELD_POINTS)} → ${jsonShown(one.would_be, FIELD_POINTS)}`,
      ),
    ...(more > 0 ? [show`  and ${more} more`] : []),
  ];
}

function place({ a, b, field, left, right }: DiffPlace): readonly Shown[] {
  const at = (position: number | null): string => (position === null ? 'no record' : `record ${position}`);
  return [
    show`  field    ${field === '' ? '(whole)' : field}`,
    show`  a        ${at(a)}: ${jsonShown(left, VALUE_POINTS)}`,
    show`  b        ${at(b)}: ${jsonShown(right, VALUE_POINTS)}`,
  ];
}
