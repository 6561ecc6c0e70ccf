/**
 * Scripted minds in virtual time: whoever is due in one instant acts in one turn, and where nobody is, time goes on to
 * what is due next. All that decides what comes next stands in the ledger, so that a run that is taken up goes on as if
 * it had not been stopped. Source: specs/ecology.md, top.
 *
 * @module
 */
import { Heap, type StoreError } from '@assay/host';
import { err, InvariantError, ok, type Head, type Json, type Result } from '@assay/kernel';
import { openViews } from '../world/agent-view.js';
import { nextDueUs } from '../world/run-state.js';
import { findLive, getAccount, type EcologyState } from '../world/state.js';
import { makeDraw, shuffle } from './draw.js';
import { findMind, readScore, readThought, Thinking, type Minds, type Thought } from './minds.js';
import type { ResponseLog } from './response-log.js';
import type { WorldAnswer, WorldRun } from './world-run.js';

/** A line from outside, given at its time. `give`: false where nobody asked for it. */
export type Injected = { readonly at_us: number; readonly name: string; readonly answer: WorldAnswer };

/** How far a world goes. `until_us`, `records`, `steps` pause it; at `end_us` it is closed. Null: no such bound. */
export type Bounds = {
  readonly until_us: number | null;
  readonly end_us: number | null;
  readonly records: number | null;
  readonly steps: number | null;
};

/** Who plays, and how far. `mind`: what the ledger says of the module, such as its hash. */
export type Scripted = Bounds & {
  readonly minds: Minds;
  readonly seed: number;
  readonly mind: string;
  readonly shown: ResponseLog;
  /** The next line from outside; null: none is left. Asked again once it was taken. */
  readonly injected?: { peek(state: EcologyState): Injected | null; take(): void };
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  /** Told what a mind threw; the ledger says only that it did. */
  readonly onThrown?: (agent: string, error: unknown) => void;
};

/** Why a world does not go on here. `quiet`: nobody acts any more, and nothing is due. */
export type ScriptedEnd = 'until' | 'records' | 'steps' | 'quiet' | 'closed' | 'interrupted';

/** Microseconds after which an agent acts again that does not sleep. */
export const PACE_US = 1_000_000;

/** What a turn holds at most: a record, and the room that the kernel gives a proposal, are larger. */
const TURN_BYTES = 3_145_728;
const TURN_MARKS = 30_000;
/** Marks and bytes of an entry without its action. */
const ENTRY_MARKS = 4;
const ENTRY_BYTES = 176;

/** Plays a world on. Leaves it open where it is paused. Errors: those of the store; what was decided stays decided. */
export async function playScripted(
  world: WorldRun,
  scripted: Scripted,
): Promise<Result<StoreError, { readonly end: ScriptedEnd; readonly head: Head }>> {
  const player = new Player(world, scripted);
  let end = player.step();
  while (end === null) {
    if (world.isDue) {
      const written = await world.write();
      if (written._tag === 'Left') return written;
      // Whoever sends a signal is heard once the loop of events turned.
      await new Promise((resolve) => setImmediate(resolve));
    }
    end = player.step();
  }
  const head = await world.write();
  return head._tag === 'Left' ? err(head.left) : ok({ end, head: head.right });
}

class Player {
  private readonly world: WorldRun;
  private readonly scripted: Scripted;
  private readonly thinking: Thinking;
  private readonly schedule: Schedule;
  private readonly unscored: string[];
  private steps = 0;

  constructor(world: WorldRun, scripted: Scripted) {
    this.world = world;
    this.scripted = scripted;
    this.thinking = new Thinking(scripted.deadlineMs);
    this.schedule = new Schedule(scripted.minds);
    for (const [id] of world.state.accounts) this.schedule.enter(world.state, id); // any order
    this.unscored = world.state.open.sorted().flatMap(([name]) => (name.startsWith('score ') ? [name] : []));
  }

  /** One answer more; why not, where there is none to give. */
  step(): ScriptedEnd | null {
    const { world, scripted } = this;
    const { state } = world;
    if (world.run.outcome !== null) return 'closed';
    if (scripted.signal?.aborted === true) return 'interrupted';
    if (scripted.records !== null && world.count >= scripted.records) return 'records';
    if (scripted.steps !== null && this.steps >= scripted.steps) return 'steps';
    if (this.scoreNext()) return null;
    const line = scripted.injected?.peek(state) ?? null;
    const [acts, due] = [this.schedule.next(), nextDueUs(state)];
    const at = Math.max(state.now_us, Math.min(acts, due, line?.at_us ?? Infinity));
    if (scripted.until_us !== null && at > scripted.until_us) return 'until';
    if (scripted.end_us !== null && at > scripted.end_us) {
      world.stop(scripted.end_us);
      return 'closed';
    }
    if (at === Infinity) return 'quiet';
    this.steps += 1;
    if (due <= at) this.give('clock', { source: 'synthetic', value: {}, at_us: at });
    else if (line !== null && line.at_us <= at) {
      scripted.injected?.take();
      this.give(line.name, { ...line.answer, at_us: at });
    } else this.takeTurn(at);
    return null;
  }

  private takeTurn(at: number): void {
    const { world, scripted } = this;
    const { seed, minds, shown } = scripted;
    const state = { ...world.state, now_us: at };
    const { act_actions, turn_actions } = state.config.machine;
    const due = this.schedule.takeDue(at).sort();
    const agents = shuffle(due, makeDraw(seed, 'turn', at, due.length)).slice(0, turn_actions);
    const view = openViews(state);
    const thoughts = this.thinking.run(
      agents.length,
      (index): Thought => {
        const agent = agents[index] ?? '';
        const given = findMind(minds, agent)?.(
          view(agent, { responses: shown.of(agent) }),
          makeDraw(seed, agent, at),
        );
        return readThought(given, act_actions);
      },
      (index, error) => scripted.onThrown?.(agents[index] ?? '', error),
    );
    const actions: Json[] = [];
    let [bytes, marks] = [0, 0];
    for (const [index, agent] of agents.entries()) {
      const thought = settle(thoughts[index]);
      const count = thought.actions.length;
      bytes += thought.bytes + count * ENTRY_BYTES;
      marks += thought.structure + count * ENTRY_MARKS;
      if (index > 0 && (actions.length + count > turn_actions || bytes > TURN_BYTES || marks > TURN_MARKS))
        break;
      const hash = findLive(state, agent)?.config_hash ?? '';
      for (const action of thought.actions) actions.push([agent, hash, action]);
    }
    // Who did not fit is still due in this instant: it thinks again about the world as it is then.
    for (const agent of due) this.schedule.enter(world.state, agent);
    this.give('turn', {
      source: 'rule',
      value: { actions },
      at_us: at,
      provenance: { seed, mind: scripted.mind, end_us: scripted.end_us },
    });
  }

  /** Answers the oldest score that is asked for; false where none is, or nobody scores. */
  private scoreNext(): boolean {
    const { world, scripted } = this;
    const { score } = scripted.minds;
    const name = score === null ? undefined : this.unscored.shift();
    if (score === null || name === undefined) return false;
    const { now_us } = world.state;
    const artifact = findLive(world.state, name.split(' ')[2] ?? '');
    const [given] = this.thinking.run(
      1,
      () =>
        artifact === undefined
          ? null
          : readScore(score(structuredClone(artifact), makeDraw(scripted.seed, name, now_us))),
      (_, error) => scripted.onThrown?.('score', error),
    );
    const isScore = typeof given === 'number';
    this.give(name, {
      source: 'rule',
      value: isScore ? { score: given } : null,
      failure: isScore ? null : { code: 'malformed', final: true, detail: given ?? null },
      at_us: now_us,
    });
    return true;
  }

  private give(name: string, answer: WorldAnswer): void {
    const given = this.world.give(name, { proposer: 'scripted', ...answer });
    if (given === null) return;
    if (given._tag === 'Left') throw new InvariantError('ecology/scripted', `${name}: ${given.left.code}`);
    const { after, events } = given.right;
    const touched = new Set<string>();
    for (const event of events) {
      for (const key of TOUCHING) {
        const id = (event as { readonly [key: string]: unknown })[key];
        if (typeof id === 'string') touched.add(id);
      }
      if (event.t === 'made') touched.add(event.i);
      if (event.t === 'resolved')
        this.unscored.push(...event.v.winners.map(({ artifact_id }) => `score ${event.n} ${artifact_id}`));
    }
    for (const id of touched) this.schedule.enter(after, id);
  }
}

/** A fault as the action that says so. */
function settle(
  thought: Thought | 'threw' | 'late' | undefined,
): Exclude<Thought, { readonly fault: unknown }> {
  if (typeof thought === 'object' && !('fault' in thought)) return thought;
  const code = typeof thought === 'object' ? thought.fault : (thought ?? 'threw');
  return { actions: [{ op: 'failed', code }], bytes: 64, structure: 2 };
}

/** Keys of events that name whose turn they may change. */
const TOUCHING = ['a', 'f', 'o'] as const;

/** Who acts when: one time for each agent that has a mind and may act. */
class Schedule {
  private readonly heap: Heap<{ readonly at: number; readonly id: string }> = new Heap(
    (one, other) => one.at < other.at,
  );
  private readonly times: Map<string, number> = new Map();
  private readonly minds: Minds;

  constructor(minds: Minds) {
    this.minds = minds;
  }

  /** Enters an agent anew; leaves it out where it may not act. */
  enter(state: EcologyState, id: string): void {
    const at = this.readyAt(state, id);
    if (at === null) this.times.delete(id);
    else if (this.times.get(id) !== at) {
      this.times.set(id, at);
      this.heap.push({ at, id });
    }
  }

  /** When the first one acts; Infinity where nobody does. */
  next(): number {
    for (let first = this.heap.peek(); first !== undefined; first = this.heap.peek()) {
      if (this.times.get(first.id) === first.at) return first.at;
      this.heap.pop();
    }
    return Infinity;
  }

  /** Takes out who acts at a time or before. */
  takeDue(at: number): string[] {
    const due: string[] = [];
    while (this.next() <= at) {
      const { id } = this.heap.pop() ?? { id: '' };
      this.times.delete(id);
      due.push(id);
    }
    return due;
  }

  private readyAt(state: EcologyState, id: string): number | null {
    const { life, last_action_us } = getAccount(state, id);
    if (life === null || life.asked || state.waiting.has(id) || findMind(this.minds, id) === null)
      return null;
    if (life.frozen !== '' || life.sleep !== null) return null;
    return last_action_us + PACE_US;
  }
}
