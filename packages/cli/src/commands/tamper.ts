/** `assay tamper`: a forged copy, and which check fires. */
import { nativeSha256 } from '@assay/host';
import { begin, formatHeadLine, utf8Bytes, type EvidenceRecord, type Replayable } from '@assay/kernel';
import type { CheckName, Verdict } from '@assay/verifier';
import {
  CAUGHT_BY,
  forge,
  isAsAnnounced,
  judgeForged,
  type Attack,
  type Forged,
  type Judged,
} from '@assay/verifier/attacks';
import { renderReason } from '@assay/views';
import { soundLedger } from '../files/ledger.js';
import { requireTarget, writeNew } from '../files/write.js';
import { machineWords, machinesFor } from '../options/machines.js';
import { EXIT, misuse, type ExitCode, type Stop } from '../problems/problem.js';
import { describeChange, commandLine, padded, show, styled, type Shown } from '../terminal/shown.js';
import type { Context } from '../call/output.js';
import { winnerSwapped } from './demo/swap-winner.js';

const VALUE_POINTS = 60;
const NAME_WIDTH = 14;

type TamperOptions = {
  readonly output: string;
  readonly machine: readonly string[];
};

/**
 * Forges a copy of a sound ledger, writes it with a label beside it (`<copy>.forged.json`), and verifies it
 * alone and beside the original's head. Exit 0 where it ended as announced, 4 where re-derivation could not
 * be tried, else 1.
 */
export async function tamper(
  { output }: Context,
  file: string,
  attack: Attack,
  { output: target, machine }: TamperOptions,
): Promise<ExitCode> {
  const labelled = `${target}.forged.json`;
  for (const path of [target, labelled]) requireTarget(path);
  const { records, summary } = await soundLedger(file);
  const machines = await machinesFor(machine, [file]);
  const options = { machines, sha256: nativeSha256 };
  const forged = (attack === 'rehash' ? winnerSwapped(records) : null) ?? forge(attack, records, options);
  if (forged === null) throw nothingToForge(attack, file, records, machines);
  const head = { count: summary.count, hash: summary.hash };
  const judged = judgeForged(target, forged.bytes, head, options);
  const isAnnounced = isAsAnnounced(attack, judged);
  const label = {
    forged: true,
    attack,
    from: file,
    done: forged.done,
    record: forged.record,
    field: forged.edit?.path ?? null,
    caught_by: CAUGHT_BY[attack],
  };
  await writeNew([
    { path: target, bytes: forged.bytes },
    { path: labelled, bytes: utf8Bytes(`${JSON.stringify(label, null, 2)}\n`) },
  ]);
  output.document({
    ...label,
    to: target,
    edit:
      forged.edit === null ? null : { path: forged.edit.path, from: forged.edit.from, to: forged.edit.to },
    as_announced: isAnnounced,
    checks: judged.alone,
    checks_with_head: judged.withHead,
    head: formatHeadLine(head),
  });
  for (const line of report(attack, forged, judged, target)) output.line(line);
  const words = ['assay', 'verify', target, '--head', formatHeadLine(head), ...machineWords(machine)];
  output.line(show`try it: ${commandLine(words)}`);
  if (isAnnounced) return EXIT.done;
  return judged.alone.rederivation.verdict === 'not_checked' && judged.alone.integrity.verdict === 'held'
    ? EXIT.unchecked
    : EXIT.no;
}

/** Why there is no forged copy: to derive a ledger again its machine is needed. */
function nothingToForge(
  attack: Attack,
  file: string,
  [genesis]: readonly EvidenceRecord[],
  machines: readonly Replayable[],
): Stop {
  const begun = attack === 'rederive' && genesis !== undefined ? begin(machines, genesis) : null;
  if (begun?._tag === 'Left' && begun.left.code === 'unknown_machine')
    return misuse(
      'unknown_machine',
      'the machine of this ledger, or this version of it, is not available, so nothing can be recomputed',
      file,
      'give its machine with --machine FILE.mjs, or update assay',
    );
  return misuse(
    'no_target',
    `this ledger offers nothing for the attack ${attack}`,
    file,
    'take a longer run, one that ended, or another attack',
  );
}

function report(attack: Attack, forged: Forged, judged: Judged, target: string): readonly Shown[] {
  const { edit } = forged;
  const change =
    edit === null
      ? []
      : [show`  field       ${edit.path}: ${describeChange(edit.from, edit.to, VALUE_POINTS)}`];
  return [
    show`${styled('strong', show`attack ${attack}`)}: ${forged.done}`,
    ...change,
    show`  copy        ${target}  (labelled in ${`${target}.forged.json`})`,
    show`the copy alone`,
    checkLine('integrity', judged.alone.integrity),
    checkLine('rederivation', judged.alone.rederivation),
    checkLine('completeness', judged.alone.completeness),
    show`the copy, with the original's head kept elsewhere`,
    checkLine('completeness', judged.withHead.completeness),
    show`${explained(attack)}`,
  ];
}

/** One check in one line; nothing of the evidence in it. */
export function checkLine(check: CheckName, verdict: Verdict): Shown {
  const style = { held: 'good', failed: 'bad', not_checked: 'open' } as const;
  const place = verdict.record === null ? '' : ` (record ${verdict.record})`;
  const code = verdict.code === null ? '' : `${verdict.code}: `;
  return show`  ${check.padEnd(NAME_WIDTH)}${padded(
    styled(style[verdict.verdict], show`${verdict.verdict}`),
    NAME_WIDTH - 1,
  )}${code}${renderReason(check, verdict)}${place}`;
}

function explained(attack: Attack): string {
  switch (CAUGHT_BY[attack]) {
    case 'integrity':
      return 'Hashes catch this: changing a record means computing every later hash again.';
    case 'rederivation':
      return 'A hash chain alone would let this through. Running the machine again on the recorded answers does not.';
    default:
      return (
        'Nothing in the file can show this: it is the ledger of a run that could have been. Only ' +
        'what is kept elsewhere tells.'
      );
  }
}
