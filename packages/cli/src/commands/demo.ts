/**
 * `assay demo`: one request decided, then three attacks on it.
 *
 * @module
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { formatHeadLine, replayable } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { nativeSha256 } from '@assay/host';
import { CHECKS, verify } from '@assay/verifier';
import { fileOf } from '../attacks/chain.js';
import type { Context } from '../context.js';
import { scoreLines } from '../demo/score-lines.js';
import { shots } from '../demo/attack-lines.js';
import { EXIT, type ExitCode } from '../exit.js';
import { identityOf } from '../inputs/identity.js';
import { readPolicy } from '../inputs/policy.js';
import { readProposers } from '../inputs/proposers.js';
import { Stop } from '../problem.js';
import { checkLine } from './tamper.js';
import { cut } from '../output/cut.js';
import { show, styled } from '../output/shown.js';
import { LEDGER_FILE, writeOutputs } from '../running/outputs.js';
import { proposalLines } from '../running/proposal-lines.js';
import { resultLines } from '../running/result-lines.js';
import { runRequest, type Ended } from '../running/run-request.js';
import { VERSION } from '../version.js';

const REQUEST =
  'Refund orders that are over 5 days late, but never more than 50 EUR without a manager. Keep audit logs at least 6 months. Do not store card data. Replies should go out within 2 hours, and the tone should be friendly.';
const FOLDER = 'assay-demo';
const FOLDERS_MAX = 9;
const REQUEST_POINTS = 100;

/** Runs a request of ours, or the visitor's, and attacks what came of it. Exit 0 where every attack ended as announced. */
export async function demo({ output }: Context, text: string | undefined): Promise<ExitCode> {
  const start = performance.now();
  const { fields } = await readPolicy(undefined);
  const proposers = await readProposers([], null, null);
  const input = { seed_text: text ?? REQUEST, pin: text === undefined ? { no_card_data: true } : null };
  const ended = await runRequest({ identity: identityOf({}, input, fields), policy: fields, input, ports: proposers.ports, store: null, place: '' });
  const head = formatHeadLine(ended.head);
  const folder = await written(ended);
  const machines = [replayable(intent, { sha256: nativeSha256 })];
  const { document } = verify(LEDGER_FILE, fileOf(ended.records), { machines, sha256: nativeSha256 });
  const attacks = shots(ended.records, ended.head, machines);
  const isAnnounced = attacks.every((shot) => shot.isAnnounced);
  output.document({ version: VERSION, request: input.seed_text, status: ended.status, reasons: ended.reasons, head: ended.head, head_line: head, folder, checks: document.checks, attacks: attacks.map((shot) => shot.document), as_announced: isAnnounced });
  output.line(show`${styled('strong', show`assay ${VERSION} demo`)} · offline · no model is called: the readings are made by rules, a grammar of ours`);
  output.line();
  output.line(show`request     "${cut(input.seed_text, REQUEST_POINTS)}"${text === undefined ? ' (written by us)' : ''}`);
  if (input.pin !== null) output.line(show`pinned      no_card_data = true: fixed beforehand by the person who asks`);
  for (const line of [...proposalLines(ended.records), ...scoreLines(ended.records), ...resultLines(ended)]) output.line(line);
  output.line(show`ledger      ${folder === null ? 'kept in memory: nothing can be written here' : join(folder, LEDGER_FILE)}   ${ended.records.length} records, chained by hash`);
  output.line();
  output.line(show`${styled('strong', show`five checks, never one tick`)}`);
  for (const check of CHECKS) output.line(checkLine(check, document.checks[check]));
  output.line();
  output.line(show`${styled('strong', show`three attacks on copies of it`)}`);
  for (const shot of attacks) for (const line of shot.lines) output.line(line);
  output.line();
  output.line(show`head        ${head}`);
  output.line(show`            keep this line elsewhere, with someone else: it is what tells attack 3`);
  const ledger = join(folder ?? FOLDER, LEDGER_FILE);
  output.line(show`next        npx assay verify ${ledger} --head ${head}`);
  output.line(show`            npx assay tamper ${ledger} --attack truncate -o ${join(folder ?? FOLDER, 'cut.jsonl')}`);
  output.line(show`            npx assay demo "a request of your own, in a sentence or two"`);
  output.line(styled('faint', show`${((performance.now() - start) / 1_000).toFixed(2)} s`));
  return isAnnounced ? EXIT.done : EXIT.no;
}

/** Writes the run to a folder of the demo's own; null where the current folder takes nothing. */
async function written(ended: Ended): Promise<string | null> {
  try {
    const folder = freeFolder();
    await writeOutputs(folder, ended);
    return folder;
  } catch (error) {
    if (error instanceof Stop) return null;
    throw error;
  }
}

/** `assay-demo`, or the first of `assay-demo-2` … that is not somebody else's. */
function freeFolder(): string {
  for (let number = 1; number < FOLDERS_MAX; number += 1) {
    const folder = number === 1 ? FOLDER : `${FOLDER}-${number}`;
    if (!existsSync(folder) || existsSync(join(folder, LEDGER_FILE)) || readdirSync(folder).length === 0) return folder;
  }
  return `${FOLDER}-${FOLDERS_MAX}`;
}
