/**
 * The calls of a run that somebody may ask about: those that are open, and how the last ones ended. A call is found
 * again by its id, and by its input while it waits for a person. Source: gate/G14.
 *
 * @module
 */
import type { Digest } from '@assay/kernel';

/** Ended calls that are found by their id, the last ones. */
export const CALLS_KEPT = 20_000;

/** A call as it was brought. `id`: null where the caller has none, so that nobody can ask for it again. */
export type Brought = {
  readonly principal: string;
  readonly tool: string;
  readonly id: string | null;
  readonly digest: Digest;
};

/**
 * How a call ended. `why`: empty, or the code of the failure, or why a person's approval did not come. `result`: as it
 * was recorded, left out where it was not; `raised`: what the tool raised, while somebody waits for it.
 */
export type CallEnd = {
  readonly ok: boolean;
  readonly why: string;
  readonly result?: unknown;
  readonly raised?: unknown;
};

/** How a call ended that waited when its run was closed. */
export const CLOSED: CallEnd = { ok: false, why: 'closed' };

/** Where it is noted that a call was begun. */
export type NotedIn = 'journal' | 'answers';

/** A call that was let through or asked about. */
export type Call = Brought & {
  readonly n: number;
  readonly rules: readonly string[];
  /** The true input; null where only a part of it is known, or it is not needed any more. */
  input: { readonly value: unknown } | null;
  /** Where a begin is noted, by whoever let the call through; null: nowhere. */
  noted: NotedIn | null;
  /** Durably decided: it waits for a person, or may be performed. */
  phase: 'waiting' | 'allowed';
  /** True once somebody in this process performs it. */
  isClaimed: boolean;
  /** The question to a person that is under way here. */
  asking: Promise<void> | null;
  end: CallEnd | null;
  /** How it ended with what the tool itself gave: for those who wait, while they are told. */
  live: CallEnd | null;
  /** Those who wait for its answer or its end. */
  readonly wake: Set<() => void>;
};

/** A call that was just let through or asked about. */
export function makeCall(
  brought: Brought,
  decided: Pick<Call, 'n' | 'rules' | 'phase' | 'input' | 'noted'>,
): Call {
  return { ...brought, ...decided, isClaimed: false, asking: null, end: null, live: null, wake: new Set() };
}

/** Waits until somebody wakes a call: it was answered, or it ended. */
export function waitFor(call: Call): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      call.wake.delete(wake);
      resolve();
    };
    call.wake.add(wake);
  });
}

/** Tells those who wait for a call. */
export function wakeAll(call: Call): void {
  for (const wake of call.wake) wake();
}

/** The same call asked again, by its id. */
function keyById({ principal, tool, id, digest }: Brought): string | null {
  return id === null ? null : JSON.stringify(['id', principal, tool, digest, id]);
}

/** The same call asked again while it waits for a person. */
function keyByInput({ principal, tool, digest }: Brought): string {
  return JSON.stringify(['input', principal, tool, digest]);
}

/** The calls that are known. */
export class Calls {
  /** Open ones by their number. */
  readonly open: Map<number, Call> = new Map();
  private readonly openKeys: Map<string, Promise<Call | null> | Call> = new Map();
  private readonly endedKeys: Map<string, Call> = new Map();

  /** A call that is the same; a promise of it while it is decided, null where it is refused. */
  find(brought: Brought): Promise<Call | null> | Call | null {
    const id = keyById(brought);
    const input = keyByInput(brought);
    const open = (id === null ? undefined : this.openKeys.get(id)) ?? this.openKeys.get(input);
    if (open !== undefined) return open;
    const ended = (id === null ? undefined : this.endedKeys.get(id)) ?? this.endedKeys.get(input);
    // What a person was asked about is given once to whoever asks by input.
    this.endedKeys.delete(input);
    return ended ?? null;
  }

  /** A call with an id is being decided: whoever asks for it meanwhile waits. */
  expect(brought: Brought, decided: Promise<Call | null>): void {
    const key = keyById(brought);
    if (key !== null) this.openKeys.set(key, decided);
  }

  /** A call that was expected is refused: asked again it is decided again. */
  forget(brought: Brought): void {
    const key = keyById(brought);
    if (key !== null) this.openKeys.delete(key);
  }

  /** A call was let through, or a person is asked about it. */
  add(call: Call): void {
    const key = keyById(call);
    this.open.set(call.n, call);
    if (key !== null) this.openKeys.set(key, call);
    if (call.phase === 'waiting') this.openKeys.set(keyByInput(call), call);
  }

  /** A call ended. `isUnfetched`: nobody was told, so that it is found by its input once. */
  finish(call: Call, end: CallEnd, isUnfetched: boolean): void {
    call.end = end;
    call.input = null;
    this.open.delete(call.n);
    const [id, input] = [keyById(call), keyByInput(call)];
    if (this.openKeys.get(input) === call) this.openKeys.delete(input);
    if (isUnfetched) this.keep(input, call);
    if (id === null) return;
    this.openKeys.delete(id);
    this.keep(id, call);
  }

  private keep(key: string, call: Call): void {
    this.endedKeys.delete(key);
    this.endedKeys.set(key, call);
    for (const oldest of this.endedKeys.keys()) {
      if (this.endedKeys.size <= CALLS_KEPT) break;
      this.endedKeys.delete(oldest);
    }
  }
}
