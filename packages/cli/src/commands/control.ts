/**
 * `assay control`: a task done in a workspace, round by round, with evidence.
 *
 * @module
 */
import { realpathSync } from 'node:fs';
import { formatHeadLine, type EvidenceRecord } from '@assay/kernel';
import { controller, roundsIn, type FinalResult } from '@assay/controller';
import { executorPort } from '@assay/proposers/control';
import { maskedAddress, memoryStore } from '@assay/host';
import type { Context } from '../context.js';
import { confirmPort, readConfirmed } from '../control/confirming.js';
import { liveLines } from '../control/live.js';
import { memoryOf } from '../control/memory.js';
import type { ControlOptions } from '../control/options.js';
import { readControlPolicy } from '../control/policy.js';
import { controlPorts } from '../control/ports.js';
import { finalLines } from '../control/result-lines.js';
import { addTurn, readSession } from '../control/session.js';
import { openHands } from '../control/workspace.js';
import { EXIT, type ExitCode } from '../exit.js';
import { identityOf } from '../inputs/identity.js';
import { openStore } from '../inputs/store.js';
import { show, styled } from '../output/shown.js';
import { misuse } from '../problem.js';
import { LEDGER_FILE, isTaken, requireOutputs, requireUnchanged, writeOutputs } from '../running/outputs.js';
import { driveMachine, type Ended } from '../running/run-request.js';
import { commandLine } from '../whatif/quote.js';

/**
 * Drives a task to its end: exit 0 where it is accepted or close enough, 1 where it is abandoned, which is an answer too. With `--store`, the same call goes on
 * with a run that was cut off. Raises `Stop`.
 */
export async function control(context: Context, text: string, options: ControlOptions): Promise<ExitCode> {
  const { output } = context;
  if (options.output !== undefined) requireOutputs(options.output, options.policy === undefined ? [] : [options.policy]);
  const hands = await openHands(options);
  const turns = await readSession(options.session);
  const policy = await readControlPolicy(options.policy, options.set, { tools: hands.listed, memory: options.memory !== undefined, clock: options.clock ? 'asked' : 'stamps' });
  const input = { text, session: turns.map(({ input: said, summary }) => ({ input: said, summary })) };
  // In a store a task is one of its folder: the same words elsewhere are another run.
  const identity = identityOf(options, options.store === undefined ? input : { ...input, workspace: realpathSync(hands.workspace) }, policy);
  const person = (await import('../inputs/terminal.js')).personOf(context);
  const memory = await memoryOf(options.memory);
  const { ports, misses } = await controlPorts(options.proposer, { execute: executorPort(hands.tools), confirm: confirmPort(person, readConfirmed(options.confirm)), recall: memory?.port ?? null }, { env: context.env, llm: [], prices: undefined, timeout: undefined, say: (line) => output.note(show`assay: ${line}`) });
  const store = options.store === undefined ? memoryStore() : await openStore(options.store);
  const target = options.force === true ? undefined : options.output;
  if (target !== undefined && options.store === undefined && isTaken(target)) throw misuse('output_exists', 'this folder holds another run; nothing was done and nothing written', target, 'name another folder with -o, or replace it with --force');
  let ended: Ended;
  let found = 0;
  try {
    const before = await store.head(identity.run_id);
    if (before._tag === 'Right') found = before.right?.count ?? 0;
    const start = { ...identity, policy, input };
    const again = show`${commandLine(['assay', 'control', text, '--workspace', hands.workspace, '--store', maskedAddress(options.store ?? 'file:./runs'), '--run-id', identity.run_id])}`;
    const onAppend = (records: readonly EvidenceRecord[]): void => {
      for (const line of liveLines(records)) output.progress(line);
    };
    ended = await context.interruption.during((signal) => driveMachine(controller, start, identity.run_id, store, { ports, place: maskedAddress(options.store ?? ''), signal, again, concurrency: CONCURRENCY, order: 'turn', onAppend }));
  } finally {
    await store.close();
  }
  if (target !== undefined) requireUnchanged(target, ended);
  await memory?.tell(ended);
  return tell(context, ended, { options, workspace: hands.workspace, text, identity, turns, misses: misses.size, found });
}

/** Sub-tasks of one group work at once; they are recorded in the order in which they were asked, so that who is faster does not show. */
const CONCURRENCY = 4;

type Told = { readonly options: ControlOptions; readonly workspace: string; readonly text: string; readonly identity: { readonly run_id: string; readonly ts_base: string }; readonly turns: Awaited<ReturnType<typeof readSession>>; readonly misses: number; readonly found: number };

async function tell({ output }: Context, ended: Ended, { options, workspace, text, identity, turns, misses, found }: Told): Promise<ExitCode> {
  const result = ended.artifacts.get('final_result') as unknown as FinalResult;
  const folder = options.output ?? null;
  const files = folder === null ? [] : await writeOutputs(folder, ended);
  const wasOver = found > 0 && found === ended.head.count;
  if (options.session !== undefined && !wasOver) await addTurn(options.session, turns, { input: text, summary: result.summary });
  const head = formatHeadLine(ended.head);
  output.document({ run_id: identity.run_id, ts_base: identity.ts_base, status: ended.status, reasons: ended.reasons, head: ended.head, head_line: head, files, rounds: roundsIn(ended.records), final_result: result, recording_misses: misses, was_over: wasOver, records_found: found });
  output.line(show`${styled('strong', show`${identity.run_id}`)}   ${ended.status === 'success' ? 'done' : 'not done'}   workspace ${workspace}`);
  if (found > 0) output.line(wasOver ? show`resumed     nothing was done now: this run was over, with ${found} records; give another --run-id to do it again` : show`resumed     after ${found} records`);
  for (const line of finalLines(result, roundsIn(ended.records))) output.line(line);
  output.line(show`head        ${head}`);
  for (const [index, file] of files.entries()) output.line(show`${index === 0 ? 'written   ' : '          '}  ${file}`);
  if (folder !== null) {
    output.line(show`next        ${commandLine(['assay', 'verify', `${folder}/${LEDGER_FILE}`, '--head', head])}`);
    output.line(show`            ${commandLine(['assay', 'control', 'whatif', `${folder}/${LEDGER_FILE}`, '--set', 'epsilon=50000'])}`);
  }
  return ended.status === 'success' ? EXIT.done : EXIT.no;
}
