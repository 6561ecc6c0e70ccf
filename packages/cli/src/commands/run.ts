/**
 * `assay run`: a request decided, with evidence.
 *
 * @module
 */
import { formatHeadLine } from '@assay/kernel';
import type { Store } from '@assay/host';
import type { Context } from '../context.js';
import { EXIT, type ExitCode } from '../exit.js';
import { requireApart, requireWritable } from '../files/write.js';
import { identityOf } from '../inputs/identity.js';
import { readPins } from '../inputs/pins.js';
import { readPolicy } from '../inputs/policy.js';
import { fileOfProposer, readProposers } from '../inputs/proposers.js';
import { readRequest } from '../inputs/request.js';
import { openStore } from '../inputs/store.js';
import { personOf } from '../inputs/terminal.js';
import { misuse } from '../problem.js';
import { show, styled } from '../output/shown.js';
import { isTaken, LEDGER_FILE, outputsIn, requireUnchanged, writeOutputs } from '../running/outputs.js';
import { proposalLines } from '../running/proposal-lines.js';
import { runRequest, type Ended } from '../running/run-request.js';
import { resultLines } from '../running/result-lines.js';

type RunOptions = {
  readonly pin: readonly string[];
  readonly policy?: string;
  readonly runId?: string;
  readonly tsBase?: string;
  readonly proposer: readonly string[];
  readonly store?: string;
  readonly output?: string;
  readonly force?: boolean;
};

/** Decides a request: exit 0 for a blueprint, 1 for a refusal, which is an answer too. */
export async function run(context: Context, given: string, options: RunOptions): Promise<ExitCode> {
  const { output } = context;
  if (given === '-' && options.proposer.includes('human')) throw misuse('stdin_twice', 'standard input is the request, and the person answers on it too', '-', 'name a file, or quote the request');
  if ([given, ...options.pin, options.policy].filter((path) => path === '-').length > 1) throw misuse('stdin_twice', 'standard input can be read once', '-', 'give - once');
  if (options.output !== undefined) requireOutputs(options.output, given, options);
  if (given === '-') output.progress(show`assay: reading the request from standard input`);
  const request = await readRequest(given);
  const pin = await readPins(options.pin);
  const policy = await readPolicy(options.policy);
  const proposers = await readProposers(options.proposer, policy.slots, personOf(context));
  const fields = { ...policy.fields, proposers: proposers.slots };
  const input = { seed_text: request.text, pin };
  const identity = identityOf(options, input, fields);
  const decide = async (store: Store | null): Promise<Ended> => runRequest({ identity, policy: fields, input, ports: proposers.ports, store, place: options.store ?? '' });
  const target = options.force === true ? undefined : options.output;
  // A folder that refuses the run must refuse it before a store has it.
  if (target !== undefined && options.store !== undefined && isTaken(target)) requireUnchanged(target, await decide(null));
  const ended = await decide(options.store === undefined ? null : await openStore(options.store));
  if (target !== undefined) requireUnchanged(target, ended);
  for (const { file, said } of proposers.misses.values()) output.complaint({ code: 'recording_miss', message: said, place: file, remedy: 'record an answer to this ask, or ask what was recorded: same request, pin, slot and max_interpretations', exit: EXIT.no });
  const files = options.output === undefined ? [] : await writeOutputs(options.output, ended);
  const head = formatHeadLine(ended.head);
  output.document({ run_id: identity.run_id, ts_base: identity.ts_base, status: ended.status, reasons: ended.reasons, head: ended.head, head_line: head, files, artifacts: Object.fromEntries(ended.artifacts) });
  output.line(show`${styled('strong', show`${identity.run_id}`)}   ${intentName(ended.status)}   request from ${request.from}, ${[...request.text].length} characters`);
  for (const line of [...proposalLines(ended.records), ...resultLines(ended)]) output.line(line);
  output.line(show`head        ${head}`);
  for (const [index, file] of files.entries()) output.line(show`${index === 0 ? 'written   ' : '          '}  ${file}`);
  if (options.output !== undefined) output.line(show`next        assay verify ${options.output}/${LEDGER_FILE} --head ${head}`);
  return ended.status === 'success' ? EXIT.done : EXIT.no;
}

/** Raises `Stop` where the folder cannot be written to, or what is written there would replace what the run is made from. */
function requireOutputs(folder: string, given: string, { pin, policy, proposer }: RunOptions): void {
  requireWritable(folder);
  requireApart(outputsIn(folder), [given, ...pin, ...(policy === undefined ? [] : [policy]), ...proposer.flatMap((name) => fileOfProposer(name) ?? [])]);
}

function intentName(status: 'success' | 'refused'): string {
  return status === 'success' ? 'decided' : 'refused';
}
