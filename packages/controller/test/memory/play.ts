/** A memory played by hand: each call brings one answer and gives what the decision held. */
import {
  advance,
  makeContinuation,
  openRequests,
  openRun,
  orThrow,
  snapshot,
  type EvidenceRecord,
  type GenesisInput,
  type Head,
  type Json,
  type Run,
  type Snapshot,
  type Source,
} from '@assay/kernel';
import {
  defaultMemoryPolicy,
  memory,
  tagOn,
  type MegramDraft,
  type MemoryAnswer,
  type MemoryBody,
  type MemoryEvent,
  type MemoryPolicy,
  type MemoryState,
  type Tag,
} from '../../src/memory/index.js';
import type { TagName } from '../../src/memory/tag.js';
import { native } from './arbitraries.js';

type MemoryRun = Run<MemoryState, MemoryAnswer, MemoryEvent, MemoryBody>;

/** What came of one answer: the events of its decision, or the rejection. */
export type Came = {
  readonly events: readonly MemoryEvent[];
  readonly rejection: string | null;
  readonly detail: Json;
};

export class Play {
  run: MemoryRun;
  readonly records: EvidenceRecord[];
  private heads = 0;

  constructor(policy: Partial<MemoryPolicy> = {}, runId = 'memory') {
    const opened = orThrow(
      openRun(
        memory,
        { run_id: runId, ts_base: 't', policy: { ...defaultMemoryPolicy, ...policy }, input: {} },
        { sha256: native },
      ),
    );
    this.run = opened.run;
    this.records = [...opened.records];
  }

  get state(): MemoryState {
    return this.run.state;
  }

  /** The tag, which must be there. */
  tag(name: TagName): Tag {
    const tag = tagOn(this.state.shelf, name);
    if (tag === null) throw new Error(`nothing under ${name.space} ${name.entity}`);
    return tag;
  }

  /** The open request of a kind, which must be there. */
  request(kind: string): string {
    const found = openRequests(this.run).find((request) => request.kind === kind);
    if (found === undefined) throw new Error(`no open request of kind ${kind}`);
    return found.id;
  }

  isAsked(kind: string): boolean {
    return openRequests(this.run).some((request) => request.kind === kind);
  }

  bring(kind: string, value: Json, source: Source = 'synthetic', cites: readonly Head[] = []): Came {
    return this.give({
      request_id: this.request(kind),
      source,
      proposer: 'fixture:test',
      confidence: null,
      value,
      failure: null,
      at_us: null,
      spent: {},
      cites: cites.map((head) => ({ ...head })),
      provenance: {},
    });
  }

  fail(kind: string, code: 'unavailable' | 'timeout' = 'unavailable', final = true): Came {
    return this.give({
      request_id: this.request(kind),
      source: 'live_model',
      proposer: 'fixture:test',
      confidence: null,
      value: null,
      failure: { code, final, detail: null },
      at_us: null,
      spent: {},
      cites: [],
      provenance: {},
    });
  }

  write(at_us: number, megrams: readonly MegramDraft[]): Came {
    return this.bring('write', { from: 'R7', task: 'task', megrams, at_us });
  }

  /** The same draft so many times, in one write each. */
  times(
    count: number,
    at_us: number,
    tag: TagName,
    state: MegramDraft['state'],
    content = 'as recorded',
  ): void {
    for (let index = 0; index < count; index += 1) {
      const came = this.write(at_us, [{ ...tag, content, state }]);
      if (came.rejection !== null) throw new Error(came.rejection);
    }
  }

  dream(at_us: number): Came {
    return this.bring('dream', { at_us }, 'clock');
  }

  /** A snapshot. One is taken behind a group that carries a state hash, so the memory may dream some times first. */
  snapshot(): Snapshot {
    for (let taken = snapshot(this.run); ; taken = snapshot(this.run)) {
      if (taken !== null) return taken;
      this.dream(this.state.clock_us + 1);
    }
  }

  /** What begins a continuation of this memory. */
  continuation(): GenesisInput {
    const { policy } = this.run.genesis;
    return { run_id: 'memory-2', ts_base: 't', policy, input: {}, base: makeContinuation(this.snapshot()) };
  }

  /** A head of some controller run, another each time. */
  head(): Head {
    this.heads += 1;
    return {
      run_id: 'control',
      count: this.heads,
      hash: native(new TextEncoder().encode(String(this.heads))),
    };
  }

  private give(proposal: unknown): Came {
    const step = orThrow(advance(this.run, proposal));
    this.run = step.run;
    this.records.push(...step.records);
    const decision = step.records.find(({ kind }) => kind === 'decision')?.payload as
      | { readonly events?: readonly MemoryEvent[] }
      | undefined;
    return {
      events: decision?.events ?? [],
      rejection: step.rejection?.code ?? null,
      detail: step.rejection?.detail ?? null,
    };
  }
}
