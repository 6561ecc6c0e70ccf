/**
 * `assay world apply`: a world driven by a file. Each line is one answer; at the end the run is stopped.
 *
 * @module
 */
import {
  advance,
  err,
  isArray,
  ledgerRecord,
  openRun,
  type EvidenceRecord,
  type GenesisInput,
  type Head,
  type JsonObject,
  type Machine,
  type Proposal,
  type Request,
  type Run,
} from '@assay/kernel';
import {
  ecology,
  ecologyMachine,
  responsesOf,
  type Body,
  type EcologyEvent,
  type EcologyState,
  type Input,
} from '@assay/ecology';
import { loadRun, nativeSha256 } from '@assay/host';
import { shortenName } from '../../files/read.js';
import { storeProblem } from '../../files/store.js';
import { hashOfFiles, openedUnder } from '../../options/settings.js';
import { EXIT, misuse, orStop, Stop } from '../../problems/problem.js';
import { driveProblem } from '../../start/drive-machine.js';
import { describeEnd, recordsIn, resultsIn } from '../../start/results.js';
import type { At, Call, Kit, Opening, Play, StartFlags } from '../../start/kit.js';
import { startWith, type Verb } from '../../start/start.js';
import { textIn, valueIn, padded, show, type Shown } from '../../terminal/shown.js';
import { leavingSignals } from '../../terminal/signals.js';
import {
  badLine,
  readActions,
  makeReply,
  type ActionLine,
  badWorld,
  readWorld,
  RULES,
} from './world-file.js';
import { WORLD_ANSWERS } from './answers.js';
import { balanceLines, endedLines } from './event-lines.js';

type EcologyRun = Run<EcologyState, Input, EcologyEvent, Body>;
type Ecology = Machine<EcologyState, Input, EcologyEvent, Body>;

/** Worlds, told what happens in them line by line. */
export const ecologyKit: Kit<StartFlags> = {
  machine: ecology,
  told: async (...given) => (await import('./why.js')).decisionTold(...given),
  answers: WORLD_ANSWERS,
  resumes: [],
  input,
  again,
};

/** `assay world apply`. */
export const applyActions: Verb = startWith(ecologyKit);

/** Raises `Stop`: `stdin`, `bad_world`, and those of reading a file. */
async function input({ context, words, flags }: Call<StartFlags>): Promise<Opening> {
  const [worldPath = '', actions = ''] = words;
  if (worldPath === '-' && actions === '-')
    throw misuse('stdin', 'standard input can be read once', '-', 'give - once');
  const { isEngineNeeded, policy, input: artifacts } = await readWorld(worldPath);
  const whole = { policy: policy as JsonObject, input: artifacts as JsonObject };
  const opened = await openedUnder(whole, flags.set);
  const engine = isEngineNeeded ? await (await import('@assay/ecology/sandbox/node')).nodeEngine() : null;
  const machine = leavingSignals(engine === null ? ecology : ecologyMachine(engine));
  return {
    ...opened,
    with: await hashOfFiles([actions]),
    play: (at) =>
      Promise.resolve(played(context, at, new World(machine, at, shortenName(worldPath)), actions)),
  };
}

function again({ words: [given = ''] }: Call<unknown>): Promise<Play> {
  throw misuse(
    'option_needed',
    'a world continues with its file of actions',
    given,
    'repeat the assay world apply command that started it; it continues from here',
  );
}

/**
 * Prints a line for each action as it is there, with `--json` its whole response. Exit 1 where a line was no answer to an open request, 130 where a
 * signal ended it. A line that is none ends the run: what came before is stopped, written and told.
 */
function played(
  { output, interruption }: Call<unknown>['context'],
  at: At,
  driven: World,
  actions: string,
): Play {
  let [isAnswered, why, fault]: [boolean, string, Stop | null] = [true, '', null];
  return {
    about: `world of ${shortenName(actions)}`,
    onEvent: () => undefined,
    drive: async ({ signal = new AbortController().signal }) => {
      await driven.open();
      try {
        for await (const line of readActions(actions, signal)) {
          if (line.number <= driven.told) continue;
          const { record, lines, replies } = await driven.take(line, shortenName(actions));
          if (record === null) isAnswered = false;
          for (const reply of replies) output.document({ line: line.number, record, ...reply });
          // Whoever reads the line may send a signal, which is ours again once the loop of events turned.
          await new Promise((resolve) => setImmediate(resolve));
          const number = padded(show`${record === null ? '-' : String(record)}`, 7);
          for (const [index, text] of lines.entries())
            output.line(index === 0 ? show`${number} ${text}` : show`        ${text}`);
        }
      } catch (error) {
        if (!(error instanceof Stop) || driven.told === 0) throw error;
        fault = error;
      }
      why = fault !== null ? 'a line is none' : signal.aborted ? 'it was interrupted' : 'the file ends';
      await driven.take({ number: 0, value: { operator: { op: 'stop', rationale: why } } }, '');
      const head = await driven.write();
      const records = await recordsIn(at.kept.store, at.identity.run_id, at.kept.place);
      return describeEnd(records, head, driven.run.outcome ?? 'refused');
    },
    tell: ({ records, artifacts }) => {
      const tables = [...artifacts].filter(([name]) => name.startsWith('balances'));
      const balances = tables.flatMap(([, rows]) => (isArray(rows) ? rows : []));
      return Promise.resolve({
        picture: { tone: 'good', verdict: 'Stopped', subject: why, because: '', asked: '', panels: [] },
        lines: balanceLines(balances, driven.run.state),
        more: { records: records.length, ...Object.fromEntries(resultsIn(records)) },
        exit: interruption.isRaised() ? EXIT.interrupted : isAnswered ? EXIT.done : EXIT.no,
        fault,
      });
    },
  };
}

const PLAIN: Omit<Proposal, 'request_id' | 'source' | 'value'> = {
  proposer: 'file',
  confidence: null,
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
};

/** Milliseconds of lines that are written together at least, and how many times longer than writing took before. */
const TOGETHER_MS = 50;
const SHARE = 8;

const NOTHING_SAID = { code: 'malformed', final: true, detail: null } as const;

/** What a line came to: the record of it, in words, and for programs: one for each action that ended, or one. */
type Taken = {
  readonly record: number | null;
  readonly lines: readonly Shown[];
  readonly replies: readonly object[];
};

/** A world that goes on line by line, and is written as it goes. */
class World {
  run: EcologyRun;
  /** The last line that was taken, of this call or of one before; 0 for none. */
  told = 0;
  private readonly machine: Ecology;
  private readonly at: At;
  private head: Head | null = null;
  private due: EvidenceRecord[];
  private dueAt: number = performance.now() + TOGETHER_MS;

  /** Raises `Stop`: `bad_world`. */
  constructor(machine: Ecology, at: At, place: string) {
    this.machine = machine;
    this.at = at;
    const opened = openRun(machine, at.start as GenesisInput, { sha256: nativeSha256 });
    const { run, records } = orStop(opened, ({ code, detail }) => {
      const rule = textIn(detail, 'rule') || code;
      const why = textIn(detail, 'why');
      return badWorld(place, textIn(detail, 'path'), `${RULES[rule] ?? rule}${why === '' ? '' : `: ${why}`}`);
    });
    this.run = run;
    this.due = [...records];
  }

  /** Takes up what is stored already. Raises `Stop`. */
  async open(): Promise<void> {
    const { store, place } = this.at.kept;
    const { run_id } = this.at.identity;
    const stored = orStop(await store.head(run_id), (error) => storeProblem(error, place));
    if (stored === null) return;
    const loaded = orStop(await loadRun(this.machine, run_id, store), (error) =>
      driveProblem(error, run_id, place),
    );
    this.run = loaded.run;
    this.head = stored;
    this.due = [...loaded.due];
    for (const { kind, payload } of await recordsIn(store, run_id, place))
      if (kind === 'proposal')
        this.told = Math.max(this.told, Number(valueIn(valueIn(payload, 'provenance'), 'line')));
  }

  /**
   * One line more: what it came to, and the record of its decision or rejection. Nothing is recorded where the run is
   * closed, or nobody asked for it. Raises `Stop`: `bad_line`, and those of the store.
   */
  async take(line: ActionLine, place: string): Promise<Taken> {
    const before = this.run;
    const { request, answer } = makeReply(line, before.state);
    const id = before.state.open.get(request);
    const open = before.outcome !== null ? 'the run has ended' : `no request ${request} is open`;
    if (id === undefined || before.outcome !== null)
      return {
        record: null,
        lines: [show`line ${line.number}: ${open}; left out`],
        replies: [{ left_out: open }],
      };
    const given = { ...PLAIN, ...answer, request_id: id };
    const whole = advance(before, given);
    const reason = whole._tag === 'Left' ? whole.left.reason : null;
    // Of a value outside the limits it is recorded that it came, and why it could not be taken.
    const failure = { code: 'malformed', final: false, detail: { reason } } as const;
    const taken = reason === null ? whole : advance(before, { ...given, value: null, failure });
    const { run, records, rejection } = orStop(taken, ({ code, path }) =>
      badLine(`${place}:${line.number}`, `${code}${path === '' ? '' : ` at ${path}`}`),
    );
    const at = records.findIndex(({ kind }) => kind === 'decision' || kind === 'rejection');
    const record = (this.head?.count ?? 0) + this.due.length + at;
    this.run = run;
    this.told = Math.max(this.told, line.number);
    this.due.push(...records);
    if (performance.now() >= this.dueAt) await this.write();
    if (rejection !== null)
      return {
        record,
        lines: [show`rejected: ${rejection.code} ${reason ?? JSON.stringify(rejection.detail)}`],
        replies: [{ rejected: rejection.code, detail: reason ?? rejection.detail }],
      };
    const events = eventsIn(records);
    const asked = before.open.get(id)?.request as Request<Body>;
    const read = this.machine.parse(given.value, asked);
    const input = read._tag === 'Right' ? read : err(NOTHING_SAID);
    const responses = responsesOf(before.state, { request: asked, input }, { events });
    const replies = responses.length === 0 ? [{}] : responses;
    return { record, lines: endedLines(events, responses, line.value), replies };
  }

  /** Writes what is due. Raises `Stop`. */
  async write(): Promise<Head> {
    const { store, place } = this.at.kept;
    const from = performance.now();
    if (this.due.length > 0 || this.head === null) {
      const appended = await store.append(this.at.identity.run_id, this.head, this.due);
      this.head = orStop(appended, (error) => storeProblem(error, place));
      this.due = [];
    }
    const now = performance.now();
    this.dueAt = now + Math.max(TOGETHER_MS, SHARE * (now - from));
    return this.head;
  }
}

function eventsIn(records: readonly EvidenceRecord[]): readonly EcologyEvent[] {
  return records.flatMap((record) => {
    const read = ledgerRecord(record);
    return read?.kind === 'decision' && read.payload !== undefined
      ? (read.payload.events as unknown as readonly EcologyEvent[])
      : [];
  });
}
