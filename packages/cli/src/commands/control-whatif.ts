/**
 * `assay control whatif`: a recorded task under other numbers, without asking anybody anything.
 *
 * @module
 */
import { isObject, replayable, replayWith, type EvidenceRecord } from '@assay/kernel';
import { controller, whatIf, type RoundSeen, type WhatIf } from '@assay/controller';
import type { ControlWhatIfDocument } from '@assay/controller/schemas';
import { nativeSha256 } from '@assay/host';
import type { Context } from './context.js';
import { roundLine } from './control/lines.js';
import { readChanges, settingProblem } from './control/policy.js';
import { EXIT, type ExitCode } from '../problems/exit.js';
import { fileOf } from '@assay/verifier/attacks';
import { requireWritable, writeAll } from '../files/write.js';
import { underivable } from './explain/derived.js';
import { objectIn, textIn } from '../terminal/fields.js';
import { soundLedger } from '../files/ledger.js';
import { plain, show, styled, type Shown } from '../terminal/shown.js';
import { misuse } from '../problems/problem.js';
import { dirname, join } from 'node:path';

/** What a call is given. */
export type WhatIfOptions = {
  readonly set: readonly string[];
  readonly runId?: string;
  readonly output?: string;
};

/**
 * Gives the recorded answers of a run again under other thresholds and shows where the path parts and what
 * can no longer be known. Exit 0, whether it parts or not; 3 where the ledger does not hold. Raises `Stop`.
 */
export async function controlWhatIf(
  { output }: Context,
  path: string,
  options: WhatIfOptions,
): Promise<ExitCode> {
  const changes = readChanges(options.set);
  if (changes.length === 0)
    throw misuse('set', 'nothing is changed', '--set', 'give a number, such as --set epsilon=50000');
  const { records } = await soundLedger(path);
  if (options.output !== undefined) requireWritable(dirname(options.output));
  const derived = isControl(records)
    ? replayWith([replayable(controller, { sha256: nativeSha256 })], records, { sha256: nativeSha256 })
    : null;
  // What did not happen so is nothing to compare with.
  if (derived?._tag === 'Left') throw underivable(derived.left.code, derived.left.record, path);
  const result = whatIf(records, changes, options.runId ?? forkNameOf(records), { sha256: nativeSha256 });
  if (result._tag === 'Left') throw problemOf(result.left, path);
  const { before, after, parts_at, unknown, left_over, outcome } = result.right;
  const files = options.output === undefined ? [] : await kept(options.output, result.right.records);
  const document: ControlWhatIfDocument = {
    file: path,
    set: options.set,
    parts_at,
    before,
    after,
    unknown,
    left_over: left_over.length,
    outcome,
    files,
  };
  output.document(document);
  for (const line of [...roundTable(result.right), ...endLines(result.right, options.set)]) output.line(line);
  for (const file of files) output.line(show`written     ${file}`);
  return EXIT.done;
}

/** A run is not based on one of its own name: a what-if of a what-if has another. */
function forkNameOf([genesis]: readonly EvidenceRecord[]): string {
  const found = /^what-if(?:-([1-9][0-9]{0,5}))?$/.exec(textIn(genesis?.payload, 'run_id'));
  return found === null ? 'what-if' : `what-if-${Number(found[1] ?? 1) + 1}`;
}

function isControl([genesis]: readonly EvidenceRecord[]): boolean {
  return textIn(objectIn(genesis?.payload, 'machine'), 'name') === controller.name;
}

function problemOf(
  { code, detail }: { readonly code: string; readonly detail: Parameters<typeof settingProblem>[1] },
  path: string,
): Error {
  if (code === 'unknown_setting' || code === 'ambiguous_setting')
    return settingProblem(code, detail, '--set');
  if (code === 'not_a_controller_run')
    return misuse(code, 'this is no run of the controller', path, 'name a ledger that assay control wrote');
  if (code === 'genesis_shape' && isObject(detail) && detail['path'] === '/base/run_id')
    return misuse(
      'same_run_id',
      'the fork would have the name of the run that it comes from',
      path,
      'give another --run-id',
    );
  return misuse(
    code,
    `the run cannot be opened under this change: ${JSON.stringify(detail)}`,
    path,
    'give a value that the policy takes: docs/guides/control.md',
  );
}

/**
 * Each round once where both runs show the same of it, figures included; else as it was and as it would be.
 */
function roundTable({ before, after }: WhatIf): readonly Shown[] {
  const length = Math.max(before.length, after.length);
  return Array.from({ length }, (_, index): readonly Shown[] => {
    const [was, is] = [before[index], after[index]];
    return was !== undefined && isShownSame(was, is)
      ? [show`  same      ${roundLine(was)}`]
      : [...sided('  was', was), ...sided('  would be', is)];
  }).flat();
}

function isShownSame(was: RoundSeen, is: RoundSeen | undefined): boolean {
  return is !== undefined && plain(roundLine(was)) === plain(roundLine(is));
}

/** All figures of a round, to the last digit: what the table shows is rounded. */
function figuresOf(round: RoundSeen | undefined): string {
  return [round?.D, round?.P, round?.Omega, round?.L, round?.grad_l, round?.grad_task]
    .map((figure) => figure?.exact ?? '')
    .join(' ');
}

function sided(label: string, round: RoundSeen | undefined): readonly Shown[] {
  return round === undefined ? [] : [show`${label.padEnd(12)}${roundLine(round)}`];
}

function endLines(
  { before, after, parts_at, unknown, outcome, left_over }: WhatIf,
  set: readonly string[],
): readonly Shown[] {
  const changed = set.join(' ');
  const same = before.every((was, index) => figuresOf(was) === figuresOf(after[index]))
    ? 'every round says the same'
    : 'every round says the same, from other figures';
  const parting =
    parts_at === null
      ? show`same        under ${changed} ${same}`
      : show`parts       ${styled('strong', show`at round ${parts_at}`)} under ${changed}`;
  const rest =
    outcome === null
      ? show`unknown     the run would go on, and nobody ever answered: ${unknown.map(({ kind }) => kind).join(', ')}`
      : show`ends        ${outcome}${left_over.length === 0 ? '' : `; ${left_over.length} recorded answers would never have been asked for`}`;
  return [parting, rest];
}

async function kept(path: string, records: readonly EvidenceRecord[]): Promise<readonly string[]> {
  await writeAll([{ path: join(path), bytes: fileOf(records) }]);
  return [path];
}
