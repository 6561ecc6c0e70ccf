/**
 * Scripted minds: modules of functions, each called with a view and draws, and stopped at its deadline. What one of
 * them does wrong is an answer of its agent.
 *
 * @module
 */
import { createContext, Script } from 'node:vm';
import { admit, isArray, isObject, type Json } from '@assay/kernel';
import type { AgentView } from '../world/agent-view.js';
import type { Artifact } from '../world/state.js';
import { Builtins } from './builtins.js';
import type { Draw } from './draw.js';

/** What a mind gives: a list of actions, a sleep, or both; nothing to do is `[]`. */
export type Mind = (view: AgentView, draw: Draw) => unknown;

/** Minds of a world: by agent, and for all others. `score`: what an artifact is worth, 0 to 100. */
export type Minds = {
  readonly mind: Mind | null;
  readonly minds: { readonly [agent: string]: Mind };
  readonly score: ((artifact: Artifact, draw: Draw) => unknown) | null;
};

/** Why a mind gave nothing that can be done. */
export type MindFault = 'threw' | 'late' | 'malformed';

/** What a mind came to: actions as they are recorded, with their size, or its fault. */
export type Thought =
  | { readonly actions: readonly Json[]; readonly bytes: number; readonly structure: number }
  | { readonly fault: MindFault };

/** Milliseconds that a mind has at least; it is stopped after twice as long at most. */
export const DEADLINE_MS = 1_000;

/** Reads what a module exports; a text says what is wrong with it. */
export function readMinds(exported: { readonly [name: string]: unknown }): Minds | string {
  const { mind = null, minds = {}, score = null } = exported;
  if (mind !== null && typeof mind !== 'function') return 'mind is no function';
  if (score !== null && typeof score !== 'function') return 'score is no function';
  if (typeof minds !== 'object' || minds === null) return 'minds is no object';
  const odd = Object.entries(minds).find(([, one]) => typeof one !== 'function');
  if (odd !== undefined) return `minds.${odd[0]} is no function`;
  if (mind === null && Object.keys(minds).length === 0) return 'it exports neither mind nor minds';
  const later = Object.entries({ mind, score, ...minds }).find(([, one]) => isLater(one));
  if (later !== undefined) return `${later[0]} is async: it gives its answer at once, and waits for nobody`;
  return { mind, minds, score } as Minds;
}

function isLater(one: unknown): boolean {
  return /^\[object (?:Async|Generator)/.test(Object.prototype.toString.call(one));
}

/** The mind of an agent; null where nobody thinks for it. */
export function findMind({ mind, minds }: Minds, agent: string): Mind | null {
  return Object.hasOwn(minds, agent) ? (minds[agent] ?? null) : mind;
}

/** Calls functions one after the other, and stops each that takes longer than its deadline. */
export class Thinking {
  private readonly script: Script = new Script('think()');
  private readonly deadlineMs: number;
  private readonly builtins: Builtins = new Builtins();
  private work: () => void = () => undefined;
  private readonly context: object = createContext({ think: () => this.work() });

  constructor(deadlineMs: number = DEADLINE_MS) {
    this.deadlineMs = deadlineMs;
  }

  /** What each of `count` calls gave. `onThrown` hears what one threw. */
  run<T>(
    count: number,
    call: (at: number) => T,
    onThrown: (at: number, error: unknown) => void,
  ): readonly (T | 'threw' | 'late')[] {
    const given: (T | 'threw' | 'late')[] = [];
    const attempt = (at: number): T | 'threw' => {
      try {
        return call(at);
      } catch (error) {
        onThrown(at, error);
        return 'threw';
      }
    };
    this.work = () => {
      const until = performance.now() + this.deadlineMs;
      while (given.length < count && performance.now() < until) given.push(attempt(given.length));
    };
    while (given.length < count)
      try {
        this.script.runInContext(this.context, { timeout: 2 * this.deadlineMs });
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== TIMEOUT) throw error;
        given.push('late');
      }
    const [changed] = this.builtins.restore();
    if (changed !== undefined)
      onThrown(-1, new Error(`a mind changed ${changed} of JavaScript: it is put back`));
    return given;
  }
}

const TIMEOUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** Reads what a mind gave: `most` actions at most. */
export function readThought(given: unknown, most: number): Thought {
  const listed: readonly unknown[] = isArray(given as Json) ? (given as readonly unknown[]) : [given];
  if (listed.length > most) return { fault: 'malformed' };
  const actions = listed.length === 0 ? [NOOP] : listed.map(readSleep);
  const admitted = admit(actions);
  if (admitted._tag === 'Left' || !actions.every((each) => isObject(each as Json)))
    return { fault: 'malformed' };
  const { bytes, structure, value } = admitted.right;
  if (bytes > BYTES_MAX || structure > MARKS_MAX) return { fault: 'malformed' };
  return { actions: value as readonly Json[], bytes, structure };
}

/** What a mind may say at once: half of what a turn may hold. */
const BYTES_MAX = 1_572_864;
const MARKS_MAX = 15_000;

const NOOP: Json = { op: 'noop' };

/** `{sleep}` as the action that it stands for: seconds, or arguments of `genesis_agents_api.sleep`. */
function readSleep(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('sleep' in given)) return given;
  const { sleep } = given;
  const args = typeof sleep === 'number' ? { for_us: Math.round(sleep * 1_000_000) } : sleep;
  return { op: 'invoke', id: 'genesis_agents_api', method: 'sleep', args };
}

/** A score from 0 to 100; null for anything else. */
export function readScore(given: unknown): number | null {
  return Number.isInteger(given) && Number(given) >= 0 && Number(given) <= 100 ? Number(given) : null;
}
