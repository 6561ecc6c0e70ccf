/** `assay demo`: one request decided, then three attacks on it. */
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { nativeSha256 } from '@assay/host';
import { formatHeadLine, ledgerRecord, orThrow, replayable } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { intentView } from '@assay/kernel/intent-view';
import { viewable } from '@assay/kernel/view';
import { verify } from '@assay/verifier';
import { encodeFile } from '@assay/verifier/attacks';
import { viewRecords } from '@assay/views/machines';
import { LEDGER_FILE, claimFolder } from '../files/claim.js';
import { EXIT, Stop, type ExitCode } from '../problems/problem.js';
import { type Ended, fileName, outputsIn, writeOutputs } from '../start/results.js';
import { show, styled } from '../terminal/shown.js';
import { VERSION } from '../terminal/version.js';
import type { Context } from '../call/output.js';
import { shots } from './demo/attack-lines.js';
import { decideDemo } from './demo/decide.js';
import { askedLines, checkedLines, decidedLines, nextLines, vetoLines, type Kept } from './demo/screen.js';

const FOLDER = 'assay-demo';
const FOLDERS_MAX = 9;

/**
 * Runs a request of ours, or the visitor's, and attacks what came of it. Exit 0 where every attack ended as
 * announced and the hostile answer changed nothing.
 */
export async function demo({ output }: Context, text: string | undefined): Promise<ExitCode> {
  const start = performance.now();
  const run = await decideDemo(text);
  const { ended } = run;
  const view = viewable(intentView, intent, { sha256: nativeSha256 });
  const [genesis, ...rest] = ended.records;
  if (genesis === undefined) throw new TypeError('demo: a run without records');
  const picture = orThrow(viewRecords(view, [genesis, ...rest])).show();
  const folder = await written(ended);
  const kept = folder === null ? null : keptIn(folder, ended);
  const machines = [replayable(intent, { sha256: nativeSha256 })];
  const { document } = verify(LEDGER_FILE, encodeFile(ended.records), { machines, sha256: nativeSha256 });
  const attacks = shots(ended.records, ended.head, machines);
  const isAnnounced = attacks.every((shot) => shot.isAnnounced) && run.isUnmoved !== false;
  output.document({
    version: VERSION,
    request: run.text,
    pin: run.pin,
    status: ended.status,
    reasons: ended.reasons,
    head: ended.head,
    head_line: formatHeadLine(ended.head),
    folder,
    picture,
    hostile_changed_nothing: run.isUnmoved,
    recompute:
      kept === null ? null : { command: `sha256sum ${kept.file}`, hash: kept.hash, record: kept.record },
    checks: document.checks,
    attacks: attacks.map((shot) => shot.document),
    as_announced: isAnnounced,
  });
  output.line(
    show`${styled(
      'strong',
      show`assay ${VERSION} demo`,
    )} · offline · no model is called: rules read a documented language, and run live`,
  );
  output.line();
  for (const line of [
    ...askedLines(run, picture, text === undefined),
    ...vetoLines(picture),
    ...decidedLines(run, picture),
  ])
    output.line(line);
  output.line(
    show`ledger      ${kept?.ledger ?? 'kept in memory: nothing can be written here'}   ${
      ended.records.length
    } records, chained by hash`,
  );
  for (const line of [...checkedLines(document, attacks), ...nextLines(run, kept)]) output.line(line);
  output.line(styled('faint', show`${((performance.now() - start) / 1_000).toFixed(2)} s`));
  return isAnnounced ? EXIT.done : EXIT.no;
}

/** The result whose hash the visitor can recompute: a blueprint, or a refusal. */
function keptIn(folder: string, { records }: Ended): Kept | null {
  const results = records.map((record) => {
    const typed = ledgerRecord(record);
    return typed?.kind === 'artifact' ? typed.payload : undefined;
  });
  const record = results.findIndex((result) => ['blueprint', 'refusal_report'].includes(result?.name ?? ''));
  const result = results[record];
  return result === undefined
    ? null
    : {
        ledger: join(folder, LEDGER_FILE),
        file: join(folder, fileName(result.name)),
        hash: result.artifact_hash,
        record,
      };
}

/**
 * Writes the run to `assay-demo`, or to the first of `assay-demo-2` … that holds nothing else; null if the current
 * folder takes nothing.
 */
async function written(ended: Ended): Promise<string | null> {
  for (let number = 1; number <= FOLDERS_MAX; number += 1) {
    const folder = number === 1 ? FOLDER : `${FOLDER}-${number}`;
    try {
      await claimFolder(folder, { run_id: ended.head.run_id, workspace: null }, outputsIn(folder));
      await writeOutputs(folder, ended);
      return folder;
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      if (error.problem.code !== 'exists') return null;
    }
  }
  return null;
}
