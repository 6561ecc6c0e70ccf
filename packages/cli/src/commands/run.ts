/**
 * `assay run`: a request decided, with evidence.
 *
 * @module
 */
import { formatHeadLine } from '@assay/kernel';
import { maskedAddress, type Store } from '@assay/host';
import type { Context } from '../context.js';
import { EXIT, type ExitCode } from '../exit.js';
import { requireApart, requireWritable } from '../files/write.js';
import type { Miss } from '../inputs/proposers.js';
import { openStore } from '../inputs/store.js';
import { show, styled } from '../output/shown.js';
import type { Problem } from '../problem.js';
import { isTaken, LEDGER_FILE, outputsIn, requireUnchanged, writeOutputs } from '../running/outputs.js';
import { inputsOf, planRun, type PlanOptions } from '../running/plan-run.js';
import { proposalLines } from '../running/proposal-lines.js';
import { runRequest, type Ended } from '../running/run-request.js';
import { resultLines } from '../running/result-lines.js';

type RunOptions = PlanOptions & { readonly store?: string; readonly output?: string; readonly force?: boolean };

/** Decides a request, or a recorded run under changes: exit 0 for a blueprint, 1 for a refusal, which is an answer too. */
export async function run(context: Context, given: string | undefined, options: RunOptions): Promise<ExitCode> {
  const { output } = context;
  if (options.output !== undefined) requireOutputs(options.output, inputsOf(given, options));
  const plan = await planRun(context, given, options);
  const { identity, misses } = plan;
  const decide = async (store: Store | null): Promise<Ended> => runRequest({ ...plan, store, place: maskedAddress(options.store ?? '') });
  const target = options.force === true ? undefined : options.output;
  // A folder that refuses the run must refuse it before a store has it.
  if (target !== undefined && options.store !== undefined && isTaken(target)) requireUnchanged(target, await decide(null));
  const ended = await decide(options.store === undefined ? null : await openStore(options.store));
  if (target !== undefined) requireUnchanged(target, ended);
  for (const miss of misses.values()) output.complaint(problemOf(miss));
  const files = options.output === undefined ? [] : await writeOutputs(options.output, ended);
  const head = formatHeadLine(ended.head);
  output.document({ run_id: identity.run_id, ts_base: identity.ts_base, status: ended.status, reasons: ended.reasons, head: ended.head, head_line: head, files, artifacts: Object.fromEntries(ended.artifacts) });
  output.line(show`${styled('strong', show`${identity.run_id}`)}   ${intentName(ended.status)}   request from ${plan.from}, ${[...plan.text].length} characters`);
  for (const line of [...proposalLines(ended.records), ...resultLines(ended)]) output.line(line);
  output.line(show`head        ${head}`);
  for (const [index, file] of files.entries()) output.line(show`${index === 0 ? 'written   ' : '          '}  ${file}`);
  if (options.output !== undefined) output.line(show`next        assay verify ${options.output}/${LEDGER_FILE} --head ${head}`);
  return ended.status === 'success' ? EXIT.done : EXIT.no;
}

/** A recording without an answer does not end the run: the slot fails, and this says why. */
function problemOf({ file, said, isEmpty }: Miss): Problem {
  return isEmpty
    ? { code: 'recording_empty', message: 'this recording holds nothing: its list of entries is empty, so it answers no ask', place: file, remedy: 'record an answer into it (docs/guides/intent.md, "Recorded answers"), or name another proposer', exit: EXIT.no }
    : { code: 'recording_miss', message: said, place: file, remedy: 'record an answer to this ask, or ask what was recorded: same request, pin, slot and max_interpretations', exit: EXIT.no };
}

/** Raises `Stop` where the folder cannot be written to, or what is written there would replace what the run is made from. */
function requireOutputs(folder: string, inputs: readonly string[]): void {
  requireWritable(folder);
  requireApart(outputsIn(folder), inputs);
}

function intentName(status: 'success' | 'refused'): string {
  return status === 'success' ? 'decided' : 'refused';
}
