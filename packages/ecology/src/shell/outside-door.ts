/**
 * Agents from outside: each action is decided, and durable, before it is answered; answers of many share an append.
 *
 * @module
 */
import { openSequencer, type OpenError, type SequenceError, type Sequencer, type Store } from '@assay/host';
import {
  ok,
  type Failure,
  type GenesisInput,
  type Head,
  type Json,
  type JsonObject,
  type Result,
} from '@assay/kernel';
import { parseAction } from '../protocol/action.js';
import type { Ecology } from '../machine/machine.js';
import { nameRequest, type Body, type Input } from '../protocol/requests.js';
import type { Response } from '../protocol/response.js';
import { closedObject, TEXT } from '../services/service.js';
import { SERVICES } from '../services/services.js';
import { makeView, type AgentView } from '../world/agent-view.js';
import type { EcologyEvent } from '../world/events.js';
import { responsesOf } from '../world/responses.js';
import { nextDueUs } from '../world/run-state.js';
import { findLive, getAccount, type EcologyState } from '../world/state.js';
import { makeDraw } from './draw.js';
import { readScore, type Minds } from './minds.js';
import { ResponseLog } from './response-log.js';
import { makeDecided } from './world-run.js';

type Seq = Sequencer<EcologyState, Input, EcologyEvent, Body>;

/** A tool that outside agents call. */
export type DoorTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
};

/** How often the clock is looked at. */
const LOOK_MS = 200;

/** A world that is open to agents from outside. Time is that of the wall. */
export class OutsideDoor {
  private readonly sequencer: Seq;
  private readonly score: Minds['score'];
  private readonly shown: ResponseLog = new ResponseLog();
  private readonly timer: ReturnType<typeof setInterval>;
  private isTicking = false;

  private constructor(sequencer: Seq, score: Minds['score']) {
    this.sequencer = sequencer;
    this.score = score;
    this.timer = setInterval(() => void this.tick(), LOOK_MS);
  }

  /** Opens a world or takes up the stored one. `score`: what an artifact is worth; null where nobody says. */
  static async open(
    machine: Ecology,
    start: GenesisInput,
    store: Store,
    score: Minds['score'],
  ): Promise<Result<OpenError, OutsideDoor>> {
    const opened = await openSequencer(machine, start, { store, name: nameRequest });
    if (opened._tag === 'Left') return opened;
    const door = new OutsideDoor(opened.right, score);
    for (const [name] of door.state.open.sorted()) void door.answerAsked(name);
    return ok(door);
  }

  get state(): EcologyState {
    return this.sequencer.run.state;
  }

  get head(): Head {
    return this.sequencer.head;
  }

  /** What an agent is shown now. */
  view(agent: string): AgentView {
    return makeView({ ...this.state, now_us: Math.max(this.state.now_us, readWall()) }, agent, {
      responses: this.shown.of(agent),
    });
  }

  /** One action of an agent: what it came to, once that is durable; null where it waits for something outside. */
  async act(agent: string, action: Json): Promise<Result<SequenceError, Response | null>> {
    const config_hash = findLive(this.state, agent)?.config_hash ?? '';
    const isAsked = getAccount(this.state, agent).life?.asked === true;
    const given = isAsked
      ? await this.give(`act ${agent}`, { actions: [action] })
      : await this.give('turn', { actions: [[agent, config_hash, action]] });
    return given._tag === 'Left'
      ? given
      : ok(given.right.find((one) => one.agent === agent)?.response ?? null);
  }

  /** Ends the door; the world stays open. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.sequencer.rest();
  }

  private async give(
    name: string,
    value: Json,
    source: 'human' | 'clock' | 'rule' = 'human',
    failure: Failure | null = null,
  ): Promise<Result<SequenceError, ReturnType<typeof responsesOf>>> {
    const speaker = { source, proposer: source === 'human' ? 'outside' : 'assay' };
    const at_us = Math.max(readWall(), this.state.now_us);
    const sequenced = await this.sequencer.submit(name, speaker, { value, at_us, failure });
    if (sequenced._tag === 'Left') return sequenced;
    const { before, step } = sequenced.right;
    const decided = makeDecided(before, step);
    this.shown.hear(decided);
    const { request, input, events } = decided;
    for (const event of events) if (event.t === 'asked') void this.answerAsked(event.q);
    return ok(request === null ? [] : responsesOf(before.state, { request, input }, { events }));
  }

  /** Answers what nobody outside does: scores, by what won alone, and effects, which nobody has here. */
  private async answerAsked(name: string): Promise<void> {
    const [kind, resolution = '', id = ''] = name.split(' ');
    if (kind === 'effect' || kind === 'call')
      await this.give(name, null, 'rule', { code: 'unavailable', final: true, detail: null });
    if (kind !== 'score' || this.score === null) return;
    const won = this.state.resolving.get(resolution)?.winners.find(({ artifact_id }) => artifact_id === id);
    const artifact = findLive(this.state, id);
    let score: number | null = null;
    try {
      if (artifact?.content_hash === won?.content_hash && artifact !== undefined)
        score = readScore(this.score(structuredClone(artifact), makeDraw(name)));
    } catch {
      // What throws scores nothing.
    }
    const failure: Failure | null = score === null ? { code: 'malformed', final: true, detail: null } : null;
    await this.give(name, score === null ? null : { score }, 'rule', failure);
  }

  private async tick(): Promise<void> {
    if (this.isTicking || readWall() < nextDueUs(this.state)) return;
    this.isTicking = true;
    await this.give('clock', {}, 'clock').finally(() => {
      this.isTicking = false;
    });
  }
}

function readWall(): number {
  return Date.now() * 1_000;
}

const COUNT: JsonObject = { type: 'integer', minimum: 0 };

function describe(
  name: string,
  description: string,
  keys: { readonly [key: string]: JsonObject } = {},
): DoorTool {
  return { name, description, inputSchema: closedObject(keys) };
}

const WAIST: readonly DoorTool[] = [
  describe('view', 'All that you are shown: balances, what you own, last responses, events, how to act.'),
  describe('noop', 'Does nothing.'),
  describe('read', 'Reads an artifact.', { id: TEXT, 'max_charge?': COUNT }),
  describe('write', 'Writes over an artifact.', {
    ...{ id: TEXT, content: {}, 'expected_version?': COUNT, 'interface?': {} },
    ...{ 'access_contract_id?': TEXT, 'max_charge?': COUNT },
  }),
  describe('invoke', 'Invokes a method of an artifact.', {
    ...{ id: TEXT, method: TEXT, 'args?': { type: 'object' }, 'max_charge?': COUNT },
  }),
];

/** Methods of services as tools: `store_create` is `create` of `genesis_store_api`. */
const METHODS: ReadonlyMap<string, readonly [id: string, method: string]> = new Map(
  [...SERVICES].flatMap(([id, service]) =>
    [...service.keys()].map(
      (method) => [`${id.replace(/^genesis_|_api$/g, '')}_${method}`, [id, method]] as const,
    ),
  ),
);

/** Tools of outside agents: a view, the four actions, and each method of each service. */
export const DOOR_TOOLS: readonly DoorTool[] = [
  ...WAIST,
  ...[...METHODS].map(([name, [id, method]]): DoorTool => {
    const { description = '', input = {} } = SERVICES.get(id)?.get(method) ?? {};
    return { name, description, inputSchema: input };
  }),
];

/** The action that a call of a tool stands for; a text says what is wrong with it. */
export function readToolCall(name: string, args: JsonObject): Json | string {
  const own = METHODS.get(name);
  const action: Json =
    own === undefined ? { op: name, ...args } : { op: 'invoke', id: own[0], method: own[1], args };
  const read = parseAction(action);
  return typeof read === 'string' ? read : action;
}
