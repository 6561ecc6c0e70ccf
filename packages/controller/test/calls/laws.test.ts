/** The laws `calls/…` on random executors, judges and people, liars and loops among them. */
import {
  admit,
  isObject,
  openRequests,
  orThrow,
  type EvidenceRecord,
  type Json,
  type Request,
} from '@assay/kernel';
import { entropy } from '@assay/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.js';
import { callsIn, NO_EVIDENCE, transcript, type Evidence } from '../../src/evidence/index.js';
import { withRecord } from '../../src/evidence/evidence.js';
import { controller, type ConfirmBody, type ControllerState, type StepBody } from '../../src/index.js';
import type { ControllerEvent } from '../../src/loop/events.js';
import type { Body, CallBody } from '../../src/protocol/requests.js';
import { controllerArbitraries, steadyArbitraries } from '../../tools/arbitraries.js';
import { randomRun, type RandomRun } from '../../tools/random-runs.js';
import { native } from '../memory/arbitraries.js';

type Drawn = RandomRun<ControllerState, unknown, Json, Body & Json>;
type Decision = {
  readonly events: readonly ControllerEvent[];
  readonly requests: readonly Request<Body & Json>[];
  readonly withdrawn: readonly string[];
};

/** The runs on which every law is held, half of which come far. */
const RUNS: readonly Drawn[] = fc
  .sample(fc.tuple(entropy(), fc.boolean()), lawRuns('calls/*'))
  .map(
    ([draw, isSteady]) =>
      randomRun(
        controller,
        isSteady ? steadyArbitraries() : controllerArbitraries(),
        draw,
        60,
        { sha256: native },
        40,
      ) as unknown as Drawn,
  );

function law(name: string, holds: (drawn: Drawn) => void): void {
  it(name, () => RUNS.forEach(holds));
}

function decisionsOf(records: readonly EvidenceRecord[]): readonly Decision[] {
  return records.flatMap(({ kind, payload }) =>
    kind === 'decision' ? [payload as unknown as Decision] : [],
  );
}

function textOf(value: Json): string {
  return orThrow(admit(value)).text;
}

describe('calls', () => {
  law('calls/decided-before-done', ({ records }) => {
    const decided = new Set<string>();
    const asked = new Map<string, string>();
    let heard: readonly string[] = [];
    for (const { payload, kind } of records) {
      if (kind === 'proposal') {
        const { request_id, value } = payload as unknown as { request_id: string; value: Json };
        const subtask = asked.get(request_id);
        const calls = isObject(value) && value['t'] === 'call' ? value['calls'] : [];
        heard =
          subtask === undefined || !Array.isArray(calls)
            ? []
            : (calls as readonly Json[]).map((call) => textOf([subtask, call]));
      }
      if (kind !== 'decision') continue;
      for (const call of heard) decided.add(call);
      for (const { id, kind: of, body } of (payload as unknown as Decision).requests) {
        if (of === 'step') asked.set(id, (body as unknown as StepBody).subtask);
        if (of !== 'call') continue;
        const { subtask, tool, input } = body as unknown as CallBody;
        expect(decided.has(textOf([subtask, { tool, input }]))).toBe(true);
      }
    }
  });

  law('calls/one-open', ({ steps }) => {
    for (const { after } of steps) {
      const of = openRequests(after).flatMap(({ body }) =>
        isObject(body as Json) && 'subtask' in (body as object) ? [(body as StepBody).subtask] : [],
      );
      expect(new Set(of).size).toBe(of.length);
    }
  });

  law('calls/none-withdrawn', ({ records, run }) => {
    const calls = new Map<string, 'open' | 'answered'>();
    for (const { kind, payload } of records) {
      if (kind === 'proposal') {
        const { request_id } = payload as unknown as { readonly request_id: string };
        if (calls.has(request_id)) calls.set(request_id, 'answered');
      }
      if (kind !== 'decision') continue;
      const { requests, withdrawn } = payload as unknown as Decision;
      for (const request of requests) if (request.kind === 'call') calls.set(request.id, 'open');
      expect(withdrawn.filter((id) => calls.has(id))).toEqual([]);
    }
    if (run.outcome !== null) expect([...calls.values()]).not.toContain('open');
  });

  law('calls/no-call-after-breach', ({ records, run }) => {
    const decisions = decisionsOf(records);
    const at = decisions.findIndex(({ events }) => events.some(({ t }) => t === 'breached'));
    if (at < 0) return;
    expect(decisions.slice(at).flatMap(({ requests }) => requests)).toEqual([]);
    const close = records.findLast(({ kind }) => kind === 'close');
    if (run.outcome !== null) expect(close?.payload).toMatchObject({ reasons: ['law1_breach'] });
  });

  law('calls/confirmed-exactly', ({ records }) => {
    const asked = new Map<string, ConfirmBody>();
    const allowed = new Set<string>();
    for (const { kind, payload } of records) {
      if (kind === 'proposal') {
        const { request_id, value } = payload as unknown as { request_id: string; value: Json };
        const body = asked.get(request_id);
        if (body !== undefined && isObject(value) && value['approved'] === true) allowed.add(confirmed(body));
      }
      if (kind !== 'decision') continue;
      for (const { id, kind: of, body } of (payload as unknown as Decision).requests) {
        if (of === 'confirm') asked.set(id, body as unknown as ConfirmBody);
        if (of !== 'call') continue;
        const call = body as unknown as CallBody;
        if (call.tool === 'remove_file') expect(call.confirmed).not.toBe(null);
        if (call.confirmed !== null)
          expect(allowed.has(confirmed({ ...call, ...call.confirmed }))).toBe(true);
      }
    }
  });

  law('calls/transcript-from-ledger', ({ records, run }) => {
    const read = (given: readonly EvidenceRecord[], from: Evidence): Evidence =>
      given.reduce(withRecord, from);
    const whole = read(records, NO_EVIDENCE);
    const cut = Math.floor(records.length / 2);
    const stored = JSON.parse(JSON.stringify(records)) as readonly EvidenceRecord[];
    const parts = read(stored.slice(cut), read(stored.slice(0, cut), NO_EVIDENCE));
    for (const [id, { calls, allowed }] of run.state.progress.sorted()) {
      const [one, other] = [whole.round.get(id), parts.round.get(id)];
      if (one === undefined || other === undefined) throw new Error(`no evidence of ${id}`);
      expect(transcript(other)).toBe(transcript(one));
      expect(one.allowed).toBe(allowed);
      expect(
        callsIn(one).map(({ n, tool, target, status, code }) => ({ n, tool, target, status, code })),
      ).toEqual(calls.map(({ tool, target, status, code }, n) => ({ n, tool, target, status, code })));
    }
  });
});

function confirmed({ subtask, n, tool, input, target, loses }: Omit<ConfirmBody, 'why'>): string {
  return textOf({ subtask, n, tool, input, target, loses });
}
