/** A world that is played step by step, for tests: turns of actions, clock readings, scores, orders. */
import { nativeSha256 } from '@assay/host';
import {
  advance,
  err,
  openRun,
  orThrow,
  type EvidenceRecord,
  type Json,
  type Proposal,
  type Request,
  type Run,
  type Source,
} from '@assay/kernel';
import {
  ecologyMachine,
  resolveConfig,
  responsesOf,
  type Body,
  type ContractEngine,
  type Ecology,
  type EcologyEvent,
  type EcologyState,
  type Given,
  type Input,
  type Responded,
} from '../src/index.js';

/** Where time begins. */
export const START = 1_000_000_000_000_000;

type Decided = { readonly events: readonly EcologyEvent[] };

/** An action of an agent. */
export type Act = readonly [agent: string, action: Json];

/** A run that goes on by each call. */
export class World {
  run: Run<EcologyState, Input, EcologyEvent, Body>;
  readonly records: EvidenceRecord[];
  now: number = START;
  /** What the actions of the last answer came to. */
  responses: readonly Responded[] = [];
  readonly machine: Ecology;

  constructor(
    engine: ContractEngine | null,
    config: Json,
    artifacts: readonly Partial<Given>[] = [],
    runId: string = 'world',
  ) {
    this.machine = ecologyMachine(engine);
    const given = artifacts.map((each) => ({ ...PLAIN, ...each }));
    const genesis = {
      run_id: runId,
      ts_base: 'T',
      policy: orThrow(resolveConfig(config)),
      input: { artifacts: given } as unknown as Json,
      engine: engine?.id ?? null,
    };
    const step = orThrow(openRun(this.machine, genesis as never, { sha256: nativeSha256 }));
    this.run = step.run;
    this.records = [...step.records];
  }

  /** The state now. */
  get state(): EcologyState {
    return this.run.state;
  }

  /** Answers a request by its name and gives what happened; a rejection is thrown. */
  answer(name: string, value: Json, more: Partial<Proposal> = {}): readonly EcologyEvent[] {
    const rejection = this.offer(name, value, more);
    if (rejection !== null) throw new Error(`rejected: ${rejection}`);
    const { payload } = this.records.findLast(({ kind }) => kind === 'decision') as unknown as {
      readonly payload: { readonly events: readonly EcologyEvent[] };
    };
    return payload.events;
  }

  /** Answers a request by its name; the code of the rejection, or null. */
  offer(name: string, value: Json, more: Partial<Proposal> = {}): string | null {
    const id = this.state.open.get(name);
    if (id === undefined) throw new Error(`no request ${name} is open`);
    const request = this.run.open.get(id)?.request as Request<Body>;
    const before = this.state;
    const step = orThrow(
      advance(this.run, {
        request_id: id,
        source: sourceOf(name),
        proposer: 'file',
        confidence: null,
        value,
        failure: null,
        at_us: this.now,
        spent: {},
        cites: [],
        provenance: {},
        ...more,
      }),
    );
    this.run = step.run;
    this.records.push(...step.records);
    const decision = step.records.find(({ kind }) => kind === 'decision')?.payload as unknown as
      | Decided
      | undefined;
    const read = this.machine.parse(value, request);
    const input =
      read._tag === 'Right' ? read : err({ code: 'malformed', final: true, detail: null } as const);
    this.responses = decision === undefined ? [] : responsesOf(before, { request, input }, decision);
    return step.rejection?.code ?? null;
  }

  /** One turn, each action under what its agent is now. */
  turn(...acts: readonly Act[]): readonly EcologyEvent[] {
    return this.answer('turn', { actions: this.entries(acts) });
  }

  /**
   * Entries of a turn under what the agents are now: "open" is the first open offer, "self" who acts, "all" and
   * "more" what it has of scrip, and one more.
   */
  entries(acts: readonly Act[]): Json {
    const offer = this.state.offers.sorted()[0]?.[0] ?? 'none';
    return acts.map(([agent, action]) => {
      const text = JSON.stringify(action)
        .replace('"offer_id":"open"', `"offer_id":"${offer}"`)
        .replace('"id":"self"', `"id":"${agent}"`)
        .replace('"artifact_id":"self"', `"artifact_id":"${agent}"`)
        .replace('"amount":"all"', `"amount":${this.scrip(agent)}`)
        .replace('"amount":"more"', `"amount":${this.scrip(agent) + 1}`);
      return [agent, this.hashOf(agent), JSON.parse(text) as Json];
    });
  }

  /** What an agent is now. */
  hashOf(agent: string): string {
    const thing = this.state.things.get(agent);
    return thing !== undefined && 'id' in thing ? thing.config_hash : '';
  }

  /** One action alone: its result, or its code. */
  act(agent: string, action: Json): Json {
    const ended = this.turn([agent, action]).findLast(({ t }) => t === 'did' || t === 'no');
    if (ended?.t === 'no') return ended.c;
    return ended?.t === 'did' ? (ended.r ?? 'ok') : 'waits';
  }

  /** An invoke alone. */
  invoke(agent: string, id: string, method: string, args: Json = {}, max_charge: number = 0): Json {
    return this.act(agent, { op: 'invoke', id, method, args, max_charge });
  }

  /** Time goes on. */
  wait(us: number): readonly EcologyEvent[] {
    this.now += us;
    return this.answer('clock', {});
  }

  /** Scrip of somebody. */
  scrip(id: string): number {
    return this.state.accounts.get(id)?.amounts.scrip ?? 0;
  }
}

/** What an artifact is that says nothing of itself. */
export const PLAIN: Given = {
  id: '',
  content: null,
  interface: null,
  owner: null,
  has_standing: false,
  can_execute: false,
  access_contract_id: null,
};

/** The interface of a contract. */
export const GUARD: Json = { tools: [{ name: 'check_permission' }] };

/** The interface of a tool with these methods. */
export function tools(...names: readonly string[]): Json {
  return { tools: names.map((name) => ({ name })) };
}

function sourceOf(name: string): Source {
  if (name === 'clock') return 'clock';
  return name === 'operator' ? 'human' : 'synthetic';
}
