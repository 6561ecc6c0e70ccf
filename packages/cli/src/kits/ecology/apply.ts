/**
 * `assay world`: a world driven by a file. Each line is one answer; at the end the run is stopped.
 *
 * @module
 */
import { join } from 'node:path';
import {
  ecology,
  ecologyMachine,
  type Body,
  type EcologyEvent,
  type EcologyState,
  type Input,
} from '@assay/ecology';
import { nativeSha256 } from '@assay/host';
import {
  advance,
  isArray,
  ledgerRecord,
  openRun,
  type EvidenceRecord,
  type Json,
  type JsonObject,
  type Proposal,
  type Run,
  type Step,
} from '@assay/kernel';
import type { Context } from '../../call/context.js';
import type { Output } from '../../call/output.js';
import { LEDGER_FILE, claimFolder } from '../../files/claim.js';
import { nameOf } from '../../files/read.js';
import { requireWritable } from '../../files/write.js';
import { hashOfFiles, identityOf, type Named } from '../../options/identity.js';
import { EXIT, Stop, misuse, orStop, type ExitCode } from '../../problems/problem.js';
import { outputsIn, writeOutputs } from '../../start/outputs.js';
import { resultsIn } from '../../start/results.js';
import { textIn } from '../../terminal/fields.js';
import { commandLine } from '../../terminal/quote.js';
import { padded, show, type Shown } from '../../terminal/shown.js';
import { leavingSignals } from '../../terminal/signals.js';
import { badLine, readActions, replyOf, type ActionLine } from './action-lines.js';
import { balanceLines, endedLines } from './event-lines.js';
import { RULES, badWorld, readWorld, type World } from './world-file.js';

/** What a call is given. */
export type ApplyOptions = Omit<Named, 'store'>;

type EcologyRun = Run<EcologyState, Input, EcologyEvent, Body>;

/** What a line came to. `record`: of its decision, or of its rejection. */
type Told = { readonly line: number; readonly record: number | null; readonly lines: readonly Shown[] };

const PLAIN: Omit<Proposal, 'request_id' | 'source' | 'value'> = {
  proposer: 'file',
  confidence: null,
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
};

/**
 * Drives a world and prints a line for each action as it is there. Exit 0 where every line was an answer to an
 * open request, 1 where one was not, 130 where a signal ended it. Raises `Stop`: `bad_world`, and those of reading
 * and writing files; `bad_line`, `json`, `not_text` where a line is none: what came before is stopped and written.
 */
export async function ecologyApply(
  { output, interruption }: Context,
  worldPath: string,
  actionsPath: string,
  options: ApplyOptions,
): Promise<ExitCode> {
  if (worldPath === '-' && actionsPath === '-')
    throw misuse('stdin', 'standard input can be read once', '-', 'give - once');
  const world = await readWorld(worldPath);
  if (options.output !== undefined) requireWritable(options.output);
  const driven = await opened(world, nameOf(worldPath), options, await hashOfFiles([actionsPath]));
  const { output: folder } = options;
  const claim = { run_id: driven.run.genesis.run_id, workspace: null };
  const held = folder === undefined ? null : await claimFolder(folder, claim, outputsIn(folder));
  let isAnswered = true;
  const fault = await interruption.during(async (signal) => {
    try {
      for await (const line of readActions(actionsPath, signal)) {
        const told = driven.take(line, nameOf(actionsPath));
        if (told.record === null) isAnswered = false;
        for (const [at, text] of told.lines.entries())
          output.line(at === 0 ? numbered(told, text) : show`        ${text}`);
      }
      return null;
    } catch (error) {
      if (error instanceof Stop && driven.lines > 0) return error;
      held?.release();
      throw error;
    }
  });
  const isInterrupted = interruption.isRaised();
  const why = fault !== null ? 'a line is none' : isInterrupted ? 'it was interrupted' : 'the file ends';
  driven.take({ number: 0, value: { operator: { op: 'stop', rationale: why } } }, '');
  await tell(output, driven, options, fault === null);
  if (fault !== null) throw fault;
  if (isInterrupted) return EXIT.interrupted;
  return isAnswered ? EXIT.done : EXIT.no;
}

async function opened(world: World, place: string, options: ApplyOptions, actions: Json): Promise<Driven> {
  const { policy, input } = world;
  const engine = world.isEngineNeeded ? (await import('@assay/ecology/sandbox/node')).nodeEngine() : null;
  const machine = leavingSignals(engine === null ? ecology : ecologyMachine(await engine));
  const whole = { machine: { name: machine.name, version: machine.version }, policy, input, with: actions };
  const genesis = { ...identityOf(options, whole), policy: policy as JsonObject, input };
  const first = orStop(openRun(machine, genesis, { sha256: nativeSha256 }), ({ code, detail }) => {
    const rule = textIn(detail, 'rule') || code;
    const why = textIn(detail, 'why');
    return badWorld(place, textIn(detail, 'path'), `${RULES[rule] ?? rule}${why === '' ? '' : `: ${why}`}`);
  });
  return new Driven(first);
}

/** The table of balances, and the files. */
async function tell(
  output: Output,
  { records, run }: Driven,
  { output: folder }: ApplyOptions,
  isWhole: boolean,
): Promise<void> {
  const { run_id } = run.genesis;
  const artifacts = resultsIn(records);
  if (isWhole) output.document({ run_id, records: records.length, ...Object.fromEntries(artifacts) });
  output.line();
  const tables = [...artifacts].filter(([name]) => name.startsWith('balances'));
  const balances = tables.flatMap(([, rows]) => (isArray(rows) ? rows : []));
  for (const line of balanceLines(balances, run.state)) output.line(line);
  if (folder !== undefined) {
    await writeOutputs(folder, { records, artifacts });
    output.line();
    output.line(show`verify      ${commandLine(['assay', 'verify', join(folder, LEDGER_FILE)])}`);
  }
  output.brief(show`${run_id}: ${records.length} records`);
}

function numbered({ record }: Told, text: Shown): Shown {
  return show`${padded(show`${record === null ? '-' : String(record)}`, 7)} ${text}`;
}

/** A run that goes on line by line, with all its records. */
class Driven {
  run: EcologyRun;
  readonly records: EvidenceRecord[];
  /** How many were taken. */
  lines = 0;

  constructor({ run, records }: Step<EcologyState, Input, EcologyEvent, Body>) {
    this.run = run;
    this.records = [...records];
  }

  /** One line more. Nothing is recorded where the run is closed, or nobody asked for it. */
  take(line: ActionLine, place: string): Told {
    const { request, answer } = replyOf(line, this.run.state);
    const unanswered = (why: string): Told => ({
      line: line.number,
      record: null,
      lines: [show`line ${line.number}: ${why}; left out`],
    });
    if (this.run.outcome !== null) return unanswered('the run has ended');
    const id = this.run.state.open.get(request);
    if (id === undefined) return unanswered(`no request ${request} is open`);
    const given = { ...PLAIN, ...answer, request_id: id };
    const whole = advance(this.run, given);
    const reason = whole._tag === 'Left' ? whole.left.reason : null;
    const taken = reason === null ? whole : advance(this.run, { ...given, ...unfit(reason) });
    const step = orStop(taken, ({ code, path }) =>
      badLine(`${place}:${line.number}`, `${code}${path === '' ? '' : ` at ${path}`}`),
    );
    const from = this.records.length;
    const before = this.run.state;
    this.lines += 1;
    this.run = step.run;
    this.records.push(...step.records);
    const at = step.records.findIndex(({ kind }) => kind === 'decision' || kind === 'rejection');
    return {
      line: line.number,
      record: from + at,
      lines:
        step.rejection === null
          ? endedLines(eventsIn(step.records), line.value, before)
          : [show`rejected: ${step.rejection.code} ${reason ?? JSON.stringify(step.rejection.detail)}`],
    };
  }
}

/** What is recorded of a value outside the limits: that it came, and why it could not be taken. */
function unfit(reason: string): Pick<Proposal, 'value' | 'failure'> {
  return { value: null, failure: { code: 'malformed', final: false, detail: { reason } } };
}

function eventsIn(records: readonly EvidenceRecord[]): readonly EcologyEvent[] {
  return records.flatMap((record) => {
    const read = ledgerRecord(record);
    return read?.kind === 'decision' && read.payload !== undefined
      ? (read.payload.events as unknown as readonly EcologyEvent[])
      : [];
  });
}
