/**
 * `assay world apply`: a world driven by a file. Each line is one answer; at the end the run is stopped.
 *
 * @module
 */
import { type Head, type JsonObject } from '@assay/kernel';
import { ecology, ecologyMachine, responsesOf, type Ecology } from '@assay/ecology';
import { balancesPanel } from '@assay/ecology/view';
import { WorldRun, type Decided } from '@assay/ecology/shell';
import { requireOneStdin, shortenName } from '../../files/read.js';
import { storeProblem } from '../../files/store.js';
import { hashOfFiles, openedUnder } from '../../options/settings.js';
import { EXIT, orStop, Stop, needsOption } from '../../problems/problem.js';
import { driveProblem } from '../../start/drive-machine.js';
import { describeEnd, recordsIn, resultsIn } from '../../start/results.js';
import type { RunAt, Call, Kit, Opening, Play, StartFlags } from '../../start/kit.js';
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
  tooLarge,
  RULES,
} from './world-file.js';
import { WORLD_ANSWERS } from './answers.js';
import { endedLines } from './event-lines.js';
import { describeFork } from './difference.js';

/** Worlds, told what happens in them line by line. */
export const applyKit: Kit<StartFlags> = {
  machine: ecology,
  told: async (...given) => (await import('./why.js')).decisionTold(...given),
  answers: WORLD_ANSWERS,
  pictured: ['balances'],
  describeFork,
  compares: { agents: 1, payments: 3, refusals: 3, broke: 1, counts: 1 },
  account: async (...given) => (await import('./account.js')).accountTold(...given),
  resumes: [],
  input,
  again,
};

/** `assay world apply`. */
export const applyActions: Verb = startWith(applyKit);

/** Raises `Stop`: `stdin`, `bad_world`, and those of reading a file. */
async function input({ context, words, flags }: Call<StartFlags>): Promise<Opening> {
  const [worldPath = '', actions = ''] = words;
  requireOneStdin([worldPath, actions]);
  const { isEngineNeeded, policy, input: artifacts } = await readWorld(worldPath);
  const whole = { policy: policy as JsonObject, input: artifacts as JsonObject };
  const opened = await openedUnder(whole, flags.set);
  const machine = await chooseMachine(isEngineNeeded);
  return {
    ...opened,
    engine: machine.engine ?? null,
    with: await hashOfFiles([actions]),
    play: async (at) => played(context, at, await World.open(machine, at, shortenName(worldPath)), actions),
  };
}

/** The machine of a world: with the engine of this version where it runs code of others. */
export async function chooseMachine(isEngineNeeded: boolean): Promise<Ecology> {
  const engine = isEngineNeeded ? await (await import('@assay/ecology/sandbox/node')).nodeEngine() : null;
  return leavingSignals(engine === null ? ecology : ecologyMachine(engine));
}

function again({ words: [given = ''] }: Call<unknown>): Promise<Play> {
  throw needsOption(
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
  at: RunAt,
  driven: World,
  actions: string,
): Play {
  let [isAnswered, why, fault]: [boolean, string, Stop | null] = [true, '', null];
  return {
    about: `world of ${shortenName(actions)}`,
    onEvent: () => undefined,
    drive: async ({ signal = new AbortController().signal }) => {
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
    tell: ({ records }) => {
      const panels = [balancesPanel(driven.run.state)];
      return Promise.resolve({
        picture: { tone: 'good', verdict: 'Stopped', subject: why, because: '', asked: '', panels },
        more: { records: records.length, ...Object.fromEntries(resultsIn(records)) },
        exit: interruption.isRaised() ? EXIT.interrupted : isAnswered ? EXIT.done : EXIT.no,
        fault,
      });
    },
  };
}

/** What a line came to: the record of it, in words, and for programs: one for each action that ended, or one. */
type Taken = {
  readonly record: number | null;
  readonly lines: readonly Shown[];
  readonly replies: readonly object[];
};

/** A world that goes on line by line, and is written as it goes. */
class World {
  /** The last line that was taken, of this call or of one before; 0 for none. */
  told = 0;
  private readonly world: WorldRun;
  private readonly place: string;

  private constructor(world: WorldRun, place: string) {
    this.world = world;
    this.place = place;
  }

  /** Opens a world, or takes up what is stored of it. Raises `Stop`. */
  static async open(machine: Ecology, at: RunAt, file: string): Promise<World> {
    let told = 0;
    const world = await openWorld(machine, at, file, ({ proposal }) => {
      told = Math.max(told, Number(valueIn(proposal.provenance, 'line')));
    });
    const opened = new World(world, at.kept.place);
    opened.told = told;
    return opened;
  }

  get run(): WorldRun['run'] {
    return this.world.run;
  }

  /**
   * One line more: what it came to, and the record of its decision or rejection. Nothing is recorded where the run is
   * closed, or nobody asked for it. Raises `Stop`: `bad_line`, and those of the store.
   */
  async take(line: ActionLine, place: string): Promise<Taken> {
    const { world } = this;
    const { request, answer } = makeReply(line, world.state);
    const first = world.count;
    const whole = world.give(request, answer);
    const open = world.run.outcome !== null ? 'the run has ended' : `no request ${request} is open`;
    if (whole === null)
      return {
        record: null,
        lines: [show`line ${line.number}: ${open}; left out`],
        replies: [{ left_out: open }],
      };
    const reason = whole._tag === 'Left' ? whole.left.reason : null;
    // Of a value outside the limits it is recorded that it came, and why it could not be taken.
    const failure = { code: 'malformed', final: false, detail: { reason } } as const;
    const taken =
      reason === null ? whole : (world.give(request, { ...answer, value: null, failure }) ?? whole);
    const given = orStop(taken, ({ code, path }) =>
      badLine(`${place}:${line.number}`, `${code}${path === '' ? '' : ` at ${path}`}`),
    );
    const { before, events, input, records, rejection, request: asked } = given;
    this.told = Math.max(this.told, line.number);
    if (world.isDue) await this.write();
    const record = first + records.findIndex(({ kind }) => kind === 'decision' || kind === 'rejection');
    if (rejection !== null || asked === null)
      return {
        record,
        lines: [show`rejected: ${rejection?.code ?? ''} ${reason ?? JSON.stringify(rejection?.detail)}`],
        replies: [{ rejected: rejection?.code, detail: reason ?? rejection?.detail }],
      };
    const responses = responsesOf(before, { request: asked, input }, { events });
    const replies = responses.length === 0 ? [{}] : responses;
    return { record, lines: endedLines(events, responses, line.value), replies };
  }

  /** Writes what is due. Raises `Stop`. */
  async write(): Promise<Head> {
    return orStop(await this.world.write(), (error) => storeProblem(error, this.place));
  }
}

/** Opens a world, or takes up what is stored of it. `file`: how messages name it. Raises `Stop`. */
export async function openWorld(
  machine: Ecology,
  { start, kept: { store, place }, identity: { run_id } }: RunAt,
  file: string,
  told: (decided: Decided) => void = () => undefined,
): Promise<WorldRun> {
  return orStop(await WorldRun.open({ machine, start, store, told }), (fault) => {
    switch (fault.code) {
      case 'store':
        return storeProblem(fault.error, place);
      case 'load':
        return driveProblem(fault.error, run_id, place);
      case 'rejected': {
        const { code, detail } = fault.rejection;
        const rule = textIn(detail, 'rule') || code;
        const why = textIn(detail, 'why');
        if (code === 'inadmissible')
          return tooLarge(file, `its first record would have too many ${textIn(detail, 'reason')}`);
        return badWorld(
          file,
          textIn(detail, 'path'),
          `${RULES[rule] ?? rule}${why === '' ? '' : `: ${why}`}`,
        );
      }
    }
  });
}
