/**
 * A gate: each call is decided, the decision is durable, then the tool is called, and what came of it is recorded.
 * Source: gate/G12–G16.
 *
 * @module
 */
import type { Head, Json, JsonObject } from '@assay/kernel';
import { Later, systemTimer, type Store } from '@assay/host';
import type { CallBody } from '../machine/events.js';
import { summarize } from '../machine/state.js';
import { canAllow, findBound, type Called } from '../policy/judge.js';
import { readAnswer } from './answers.js';
import { waitFor, type Brought, type Call, type CallEnd } from './calls.js';
import { hashInput, type Desk } from './desk.js';
import { explainAsked, GateError, GatePending, GateRefused } from './errors.js';
import { performTool } from './perform.js';
import type {
  Approval,
  Approve,
  CarriedOut,
  Decided,
  Execute,
  GateCall,
  Outcome,
  WaitingCall,
} from './types.js';
import {
  findTool,
  respondTo,
  wrapTools,
  type ToolCall,
  type ToolMessage,
  type Tools,
  type WrapOptions,
} from './wrap.js';

/** What a gate works with. */
export type GateParts = {
  readonly desk: Desk;
  readonly store: Store;
  readonly answers: string | null;
  readonly hasFreshIds: boolean;
  /** Another process performs the calls. */
  readonly isElsewhere: boolean;
};

/** How often the folder of answers is looked at while a call waits. */
const POLL_MS = 500;
/** How long calls are waited for when a gate is closed. */
const BUSY_MS = 5_000;

/** A run that decides calls. Made by {@link openGate}. */
export class Gate {
  private readonly parts: GateParts;
  private readonly performing: Set<Promise<unknown>> = new Set();
  private timer: NodeJS.Timeout | null = null;

  constructor(parts: GateParts) {
    this.parts = parts;
  }

  /** Where the durable ledger ends. */
  get head(): Head {
    return this.parts.desk.sequencer.head;
  }

  /** What came of the calls so far, and what is spent of each budget. */
  get summary(): JsonObject {
    return summarize(this.parts.desk.sequencer.run.state);
  }

  /**
   * One call to its end: decided, performed by `execute`, recorded. Gives what the tool gave. Raises `GateRefused`,
   * `GatePending`, `GateError`, and what `execute` or `approve` raises.
   */
  async call(call: GateCall, execute: Execute): Promise<unknown> {
    const decided = await this.decide(call);
    switch (decided.verdict) {
      case 'refused':
      case 'pending':
        throw decided.error;
      case 'known':
        return recall(call.tool, decided.n, decided.end);
      case 'perform': {
        const performed = this.perform(call, decided, execute);
        this.performing.add(performed);
        try {
          return await performed;
        } finally {
          this.performing.delete(performed);
        }
      }
    }
  }

  /** Tools that go through the gate: plain functions, tools of the AI SDK, of LangChain; by name, or in a list. */
  wrap<T extends object>(tools: T, options: WrapOptions = {}): T {
    return wrapTools((call, execute) => this.call(call, execute), tools, options);
  }

  /** A call as OpenAI's function calling brings it, in either form, and the message to send back. */
  respond(toolCall: ToolCall, tools: Tools, options: WrapOptions = {}): Promise<ToolMessage> {
    return respondTo((call, execute) => this.call(call, execute), toolCall, tools, options);
  }

  /**
   * Decides a call and performs nothing: for a door whose tools are elsewhere. A person is asked by `approve`
   * meanwhile. Rejects with `GateError`, and with what `approve` raises but for `Later`.
   */
  async decide(call: GateCall): Promise<Decided> {
    call.signal?.throwIfAborted();
    const { calls } = this.parts.desk;
    const digest = hashInput(call.input);
    const { principal = 'agent', tool, call_id } = call;
    if (digest === null) {
      const message = `${tool} is refused: its input is no JSON that can be recorded.`;
      return { verdict: 'refused', error: new GateRefused('inadmissible', message) };
    }
    const id = this.parts.hasFreshIds ? null : (call_id ?? null);
    const brought: Brought = { principal, tool, id, digest };
    for (let found = calls.find(brought); found !== null; found = calls.find(brought)) {
      const known = await found;
      if (known !== null) return this.resume(known, call);
    }
    const deciding = this.parts.desk.bring(call, brought);
    calls.expect(
      brought,
      deciding.then(
        (made) => (made instanceof GateRefused ? null : made),
        () => null,
      ),
    );
    try {
      const made = await deciding;
      if (!(made instanceof GateRefused)) return await this.resume(made, call);
      calls.forget(brought);
      return { verdict: 'refused', error: made };
    } catch (error) {
      calls.forget(brought);
      throw error;
    }
  }

  /**
   * Says what came of a call that {@link decide} let through. Rejects with `GateError` `not_open` where no such call
   * is to be performed.
   */
  async settle(n: number, outcome: Outcome): Promise<void> {
    const call = this.parts.desk.calls.open.get(n);
    if (call === undefined) throw new GateError('not_open', { n });
    await this.parts.desk.record(call, outcome);
  }

  /** Whether a rule could let a call of a tool through: what none could is better not offered to a model. */
  canAllow(tool: string, principal: string): boolean {
    return canAllow(this.parts.desk.sequencer.run.state.policy, tool, principal);
  }

  /** The most that a call is held at in a unit of the budgets; null where the policy has no bound of it. */
  findBound(call: Called, unit: string): number | null {
    return findBound(this.parts.desk.sequencer.run.state.policy, call, unit);
  }

  /** The number of an open call by its id, else by its input; null where there is none. */
  find({ tool, principal = 'agent', call_id, input }: GateCall): number | null {
    const own = [...this.parts.desk.calls.open.values()].filter(
      (call) => call.tool === tool && call.principal === principal,
    );
    const digest = hashInput(input);
    const found = own.find(({ id }) => id === call_id) ?? own.find((call) => call.digest === digest);
    return found?.n ?? null;
  }

  /** Answers for a person. False where the call does not wait for one (any more). */
  answer(n: number, said: Approval): Promise<boolean> {
    return this.parts.desk.approve(n, said, null);
  }

  /** The calls that wait for a person, by number. */
  waiting(): readonly WaitingCall[] {
    const { calls, sequencer } = this.parts.desk;
    return [...calls.open.values()].flatMap(({ n, id, input }) => {
      const request = sequencer.find(`approve ${n}`);
      return request === null
        ? []
        : [{ ...(request.body as CallBody), call_id: id, input: input?.value ?? null }];
    });
  }

  /** Takes up the approvals that other processes left; how many. Rejects with the system's errors, and `GateError`. */
  async collect(): Promise<number> {
    const { answers, desk } = this.parts;
    if (answers === null) return 0;
    const taken = await Promise.all(
      this.waiting().map(async ({ n, digest }) => {
        const said = await readAnswer(answers, n, digest);
        return said !== null && desk.approve(n, said, 'answers');
      }),
    );
    return taken.filter(Boolean).length;
  }

  /**
   * Performs what was approved while nobody asked, as far as its input is known and its tool is given. What it gives
   * waits for whoever makes the same call again.
   */
  async carryOut(tools: Tools): Promise<readonly CarriedOut[]> {
    await this.collect();
    const due = [...this.parts.desk.calls.open.values()].flatMap((call) => {
      const execute = findTool(tools, call.tool);
      if (execute === null || call.phase === 'waiting' || call.isClaimed || call.input === null) return [];
      return [{ call, execute, input: call.input.value }];
    });
    return Promise.all(
      due.map(async ({ call, execute, input }) => {
        const { n, tool } = call;
        const decided = await this.resume(call, { tool, input });
        if (decided.verdict !== 'perform') return { n, tool, ok: false };
        try {
          const result = await this.perform({ tool, input }, decided, execute, true);
          return { n, tool, ok: true, result };
        } catch (error) {
          return { n, tool, ok: false, error };
        }
      }),
    );
  }

  /**
   * Ends the run: what waits for a person is declined, what is performed here is waited for. Without it the run stays
   * open for another process. A tool that never settles is waited for without end.
   */
  async finish(by: string = 'app'): Promise<void> {
    await this.parts.desk.close(by);
    await Promise.allSettled(this.performing);
  }

  /**
   * Waits for the calls that are performed here, `waitMs` at most, saves a snapshot, and closes the store. What is not
   * over then is taken for lost when the run is opened again.
   */
  async close({ waitMs = BUSY_MS }: { readonly waitMs?: number } = {}): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    const lapse = new AbortController();
    await Promise.race([
      Promise.allSettled(this.performing),
      systemTimer().sleep(this.performing.size === 0 ? 0 : waitMs, lapse.signal),
    ]);
    lapse.abort();
    await this.parts.desk.sequencer.rest();
    await this.parts.store.close();
  }

  /** Continues a call that was let through or asked about, for whoever makes it now. */
  private async resume(call: Call, { approve, input }: GateCall): Promise<Decided> {
    const { n, digest, tool } = call;
    const { desk } = this.parts;
    while (call.end === null) {
      call.input ??= { value: input };
      if (call.phase === 'waiting') {
        if ((await this.collect()) > 0) continue;
        if (!(await this.ask(call, approve))) {
          const why = explainAsked(desk.sequencer.run.state.policy, call.rules, tool, input as Json);
          return { verdict: 'pending', error: new GatePending(n, tool, call.rules, why) };
        }
      } else if (call.isClaimed && !this.parts.isElsewhere) {
        await waitFor(call);
        if (call.live !== null) return { verdict: 'known', n, end: call.live };
      } else if (this.parts.isElsewhere && call.noted !== null && (await desk.mayHaveBegun(call))) {
        // An approval is for one call.
        return { verdict: 'known', n, end: { ok: false, why: 'begun' } };
      } else {
        call.isClaimed = true;
        await desk.noteBegin(call);
        return { verdict: 'perform', n, key: desk.makeKey(n), digest };
      }
    }
    return { verdict: 'known', n, end: call.end };
  }

  /** Asks a person, or waits with whoever asks already. False: the answer comes another day. */
  private async ask(call: Call, approve: Approve | undefined): Promise<boolean> {
    this.watch();
    if (approve === undefined && call.asking === null) return false;
    try {
      call.asking ??= this.askPerson(call, approve as Approve).finally(() => {
        call.asking = null;
      });
      await call.asking;
      return true;
    } catch (error) {
      if (Later.isLater(error)) return false;
      throw error;
    }
  }

  private async askPerson(call: Call, approve: Approve): Promise<void> {
    const { n, principal, tool, digest, rules, input } = call;
    const over = new AbortController();
    const answered = waitFor(call).then(() => 'elsewhere' as const);
    const asked = { n, principal, tool, digest, rules, input: input?.value ?? null, signal: over.signal };
    try {
      const said = await Promise.race([approve(asked), answered]);
      if (said === null) throw new Later();
      if (said !== 'elsewhere') await this.answer(n, said);
    } finally {
      over.abort();
    }
  }

  /** The decision is durable: the tool is called, once, and what came of it is recorded. */
  private async perform(
    call: GateCall,
    { n, key, digest }: Extract<Decided, { readonly verdict: 'perform' }>,
    execute: Execute,
    isUnfetched: boolean = false,
  ): Promise<unknown> {
    const made = this.parts.desk.calls.open.get(n);
    if (made === undefined) throw new GateError('not_open', { n });
    const isChanged = hashInput(call.input) !== digest;
    if (isChanged || call.signal?.aborted === true) {
      const detail = { code: isChanged ? 'other_input' : 'aborted' };
      await this.parts.desk.record(made, { failure: { code: 'cancelled', detail } });
      call.signal?.throwIfAborted();
      throw new GateError('other_input', { n });
    }
    const outcome = await performTool(call, { n, key }, execute);
    await this.parts.desk.record(made, outcome, isUnfetched);
    if (outcome.raised !== undefined) throw outcome.raised.error;
    return outcome.result;
  }

  /** Looks at the folder of answers now and then, while a call waits. */
  private watch(): void {
    if (this.parts.answers === null || this.timer !== null) return;
    this.timer = setInterval(() => {
      this.collect().catch(() => undefined);
      if (this.waiting().length > 0 || this.timer === null) return;
      clearInterval(this.timer);
      this.timer = null;
    }, POLL_MS).unref();
  }
}

/** What a call that was made before gave. */
function recall(tool: string, n: number, end: CallEnd): unknown {
  if (end.raised !== undefined) throw (end.raised as { readonly error: unknown }).error;
  if (!end.ok) throw new GateRefused(end.why === '' ? 'failed' : end.why, explainEnd(tool, end), { n });
  if (!('result' in end)) throw new GateError('result_not_kept', { n });
  return end.result;
}

function explainEnd(tool: string, { why, result }: CallEnd): string {
  switch (why) {
    case 'declined':
      return `${tool} is refused: a person declined this call.`;
    case 'closed':
      return `${tool} is refused: the run was closed before a person answered.`;
    case 'lost':
      return `${tool}: this call was cut off. Whether it took effect is not known.`;
    default:
      return `${tool}: this call failed${result === undefined ? '' : `: ${JSON.stringify(result)}`}.`;
  }
}
