/** The axioms of 000 §7 and the laws of specs D.3, D.4 that state-laws does not hold, on random runs. */
import {
  advance,
  openRequests,
  openRun,
  orThrow,
  type EvidenceRecord,
  type Json,
  type RecordedProposal,
} from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LAW_DRAWS, LAW_SEED } from '../../../kernel/tools/laws.ts';
import { library } from '../../src/library/index.js';
import { plus, zeros } from '../../src/machine/node.js';
import { computeShares } from '../../src/machine/money.js';
import { reaches, sigmaPath, sigmaPpm, sigmaSystem } from '../../src/machine/finishing.js';
import { defaultPolicy, parsePolicy, planner, type PlannerEvent } from '../../src/index.js';
import { isProven } from '../../src/protocol/resolver.js';
import { manyRuns, type Moment } from '../../tools/drive.js';
import { CHECK, gap, made, played } from '../../tools/play.js';

const RUNS = [
  ...manyRuns('plan', LAW_DRAWS / 5, LAW_SEED + 1),
  ...manyRuns('solve', LAW_DRAWS / 2, LAW_SEED + 1),
];
const params = { numRuns: LAW_DRAWS, seed: LAW_SEED };
const eventsOf = ({ moments }: (typeof RUNS)[number]): readonly PlannerEvent[] =>
  moments.flatMap(({ events }) => events);
const each = (look: (moment: Moment, run: (typeof RUNS)[number]) => void): void => {
  for (const run of RUNS) for (const moment of run.moments) look(moment, run);
};

describe('000 §7, what must be there', () => {
  it('axiom-S1 without a resolver there is no run, and every run keeps those it began with', () => {
    expect(parsePolicy({ ...defaultPolicy, resolvers: [] } as unknown as Json)._tag).toBe('Left');
    each(({ after }, { policy }) => {
      for (const { id } of policy.resolvers) expect(after.resolvers.has(id)).toBe(true);
    });
  });

  it('axiom-S2 a goal of any modality is taken, and told to whoever looks for constraints', () => {
    for (const { input, moments } of RUNS.slice(0, 20)) {
      const { modality } = input.input as { readonly modality: string };
      expect(moments[0]?.after.input?.modality).toBe(modality);
    }
  });

  it('axiom-S3 every constraint is logic or semantic; rubrics alone are semantic', () => {
    each(({ after }) => {
      for (const [, { type, payload }] of after.constraints)
        expect(type).toBe(payload.t === 'rubric' ? 'semantic' : 'logic');
    });
  });

  it('axiom-S4 every verification is a verdict with a σ', () => {
    for (const event of RUNS.flatMap(eventsOf))
      if (event.t === 'verified') {
        expect(['SAT', 'UNSAT']).toContain(event.verdict);
        expect(event.sigma_ppm).toBeGreaterThanOrEqual(0);
        expect(event.sigma_ppm).toBeLessThanOrEqual(1_000_000);
      }
  });

  it('axiom-S5 what a run notes, a library takes: nothing of it is rejected', () => {
    const options = { sha256: nativeSha256 };
    const genesis = { run_id: 'l', ts_base: 'T', policy: {}, input: {} };
    let { run } = orThrow(openRun(library, genesis, options));
    let written = 0;
    for (const each of RUNS.slice(-40))
      for (const event of eventsOf(each)) {
        if (event.t !== 'library_write') continue;
        const request = openRequests(run).find(({ kind }) => kind === 'write');
        const step = orThrow(
          advance(run, {
            request_id: request?.id ?? '',
            source: 'synthetic',
            proposer: 'fixture:random',
            confidence: null,
            value: { rows: event.rows as unknown as Json },
            failure: null,
            at_us: null,
            spent: {},
            cites: [],
            provenance: {},
          }),
        );
        expect(step.rejection).toBe(null);
        run = step.run;
        written += 1;
      }
    expect(written).toBeGreaterThan(0);
    expect(run.state.edges.size).toBeGreaterThan(written);
  });

  it('axiom-S6 a run knows what it has, what it spent and where it stands', () => {
    each(({ after }) => {
      expect(after.nodes.size).toBe(after.made);
      let busy = 0;
      for (const [, { kind }] of after.waiting)
        if (kind !== 'done' && kind !== 'hire' && kind !== 'capability') busy += 1;
      expect(after.busy).toBe(busy);
    });
  });
});

describe('000 §7, what must always happen', () => {
  it('axiom-B1, law-B8 every call is reserved for and settled once; a node has spent what its calls cost', () => {
    for (const run of RUNS) {
      const open = new Map<string, string>();
      const spent = new Map<string, readonly number[]>();
      for (const { events, after } of run.moments) {
        for (const event of events) {
          if (event.t === 'asked') {
            open.set(event.id, event.node);
            const bound = event.resolver === null ? {} : (after.resolvers.get(event.resolver)?.bound ?? {});
            const { attempts } = run.policy.limits;
            expect(event.reserve).toEqual(after.units.map((unit) => (bound[unit] ?? 0) * attempts));
          }
          if (event.t !== 'settled') continue;
          const node = open.get(event.id);
          expect(node).toBeDefined();
          open.delete(event.id);
          spent.set(node ?? '', plus(event.spent, spent.get(node ?? '') ?? zeros(after.units.length)));
        }
        for (const [key, { account }] of after.nodes)
          expect(account.spent).toEqual(spent.get(key) ?? zeros(after.units.length));
      }
    }
  });

  it('axiom-B2 time only grows, and a deadline is a logic constraint', () => {
    each(({ before, after }) => {
      expect(after.time.now_us ?? 0).toBeGreaterThanOrEqual(before.time.now_us ?? 0);
      for (const [, { type, payload }] of after.constraints)
        if (payload.t === 'deadline') expect(type).toBe('logic');
    });
  });

  it('axiom-B3 work on a task is asked for once all tasks that it waits for are resolved', () => {
    let waited = 0;
    each(({ before, events }) => {
      for (const event of events) {
        if (event.t !== 'asked' || event.kind !== 'resolve') continue;
        const node = before.nodes.get(event.node);
        if (node === undefined || node.parent === null || node.kind === 'build') continue;
        const { plan } = before.plans.get(node.parent) ?? {};
        const parent = before.nodes.get(node.parent);
        const ends = new Set(events.flatMap((e) => (e.t === 'moved' && e.to === 'resolved' ? [e.node] : [])));
        for (const at of plan?.tasks.find(({ id }) => id === node.task)?.after ?? []) {
          const name = plan?.tasks[at]?.id ?? '';
          const key = parent?.children.find((child) => before.nodes.get(child)?.task === name) ?? '';
          expect(before.nodes.get(key)?.status === 'resolved' || ends.has(key), key).toBe(true);
          waited += 1;
        }
      }
    });
    expect(waited).toBeGreaterThan(0);
  });

  it('axiom-B4 nothing is built that is there: no proven tool of the tag was left to the node', () => {
    let builds = 0;
    each(({ before, events }) => {
      for (const event of events) {
        if (event.t !== 'node' || event.kind !== 'build' || event.parent === null) continue;
        builds += 1;
        const exhausted = before.nodes.get(event.parent)?.exhausted ?? [];
        const now = new Set([
          ...exhausted,
          ...events.flatMap((e) => (e.t === 'exhausted' ? [e.resolver] : [])),
        ]);
        for (const [id, known] of before.resolvers)
          if (!now.has(id) && known.capabilities.includes(event.task)) expect(isProven(known)).toBe(false);
      }
    });
    expect(builds).toBeGreaterThan(0);
  });

  it('axiom-B5 identify, select, route, resolve, verify, decompose: no node skips a step', () => {
    const ORDER: Readonly<Record<string, number>> = {
      eligible: 1,
      selected: 2,
      routed: 3,
      made: 4,
      planned: 4,
      verified: 5,
    };
    for (const run of RUNS) {
      const reached = new Map<string, number>();
      for (const event of eventsOf(run)) {
        if (event.t === 'reopened') reached.set(event.node, event.to === 'selecting_resolver' ? 2 : 1);
        if (event.t === 'conflict') reached.set(event.node, 1);
        const step = ORDER[event.t];
        if (step === undefined || !('node' in event) || event.node === null) continue;
        const before = reached.get(event.node) ?? 0;
        expect(step, `${event.t} of ${event.node} after step ${before}`).toBeLessThanOrEqual(before + 1);
        reached.set(event.node, Math.max(step, step === 3 ? 3 : before));
        if (step === 3) reached.set(event.node, 3);
      }
      for (const event of eventsOf(run))
        if (event.t === 'moved' && event.to === 'decomposing')
          expect(reached.get(event.node) ?? 0).toBeGreaterThan(1);
    }
  });

  it('axiom-B6 what is inherited is not eligible again, unless it was given', () => {
    each(({ after }) => {
      for (const [, { inherited, eligible, core }] of after.nodes)
        for (const id of eligible ?? []) expect(core.includes(id) || !inherited.includes(id)).toBe(true);
    });
  });

  it('axiom-B7, law-C5 a node decomposes exactly where its path reaches the threshold', () => {
    each(({ events, after }, { policy }) => {
      for (const event of events) {
        if (
          event.t === 'moved' &&
          event.to === 'decomposing' &&
          after.nodes.get(event.node)?.status === 'pending'
        )
          expect(reaches(sigmaPath(after, event.node), policy.tau.global)).toBe(true);
        if (event.t === 'gated' && event.sigma_path_ppm !== null)
          expect(event.sigma_path_ppm).toBeLessThan(policy.tau.global);
      }
    });
  });

  it('axiom-B8 what a person brings is a tool in the registry, whatever comes of it', () => {
    each(({ events, after }) => {
      for (const event of events)
        if (event.t === 'capability' && event.status === 'delivered' && event.resolver !== null)
          expect(after.resolvers.has(event.resolver)).toBe(true);
    });
  });
});

describe('money and confidence', () => {
  it('law-B4, law-B5 shares add up, grow with the weight, and are equal without weights', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 50 }),
        fc.array(fc.nat(1_000), { minLength: 1, maxLength: 12 }),
        (amount, weights) => {
          const shares = computeShares(amount, weights);
          expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amount);
          for (const [a, weight] of weights.entries())
            for (const [b, other] of weights.entries())
              if (weight > other) expect(shares[a]).toBeGreaterThanOrEqual(shares[b] ?? 0);
          const equal = computeShares(
            amount,
            weights.map(() => 0),
          );
          expect(Math.max(...equal) - Math.min(...equal)).toBeLessThanOrEqual(1);
        },
      ),
      params,
    );
  });

  it('law-C2, law-C3, law-C7 paths are exact products, never rise, and are unknown with any part', () => {
    each(({ after }) => {
      const leaves: number[] = [];
      for (const [key, { parent, kind, sigma_ppm, status, decomposed }] of after.nodes) {
        const path = sigmaPath(after, key);
        const above = parent === null || kind === 'build' ? null : sigmaPath(after, parent);
        if (parent !== null && kind === 'goal') {
          expect(path === null).toBe(above === null || sigma_ppm === null);
          if (path !== null && above !== null)
            expect(path.parts * above.scale <= above.parts * path.scale).toBe(true);
        }
        const isCounted = status === 'resolved' && !decomposed && kind === 'goal' && path !== null;
        if (isCounted) leaves.push(sigmaPpm(path) ?? 0);
      }
      const system = sigmaPpm(sigmaSystem(after));
      if (system !== null && leaves.length > 0) expect(system).toBeLessThanOrEqual(Math.min(...leaves));
    });
  });

  it('law-C6 more confidence in any check never turns a verdict from SAT', () => {
    const rubric = (id: string): Json => ({
      ...CHECK,
      id,
      type: 'semantic',
      title: id,
      payload: { t: 'rubric', text: id },
    });
    const verdictOf = (sigmas: readonly number[]): string => {
      const { events } = played(
        { limits: { ...defaultPolicy.limits, tries: 1, builds: 0 } },
        ({ kind }) => {
          if (kind === 'hire') return { denied: true };
          if (kind === 'gap') return { value: gap };
          if (kind !== 'verify') return { value: made(0) };
          const checks = sigmas.map((sigma_ppm, at) => ({
            constraint: `r${at}`,
            passed: true,
            sigma_ppm,
            detail: '',
            repair: null,
          }));
          return { value: { verdict: null, checks } };
        },
        sigmas.map((_, at) => rubric(`r${at}`)),
      );
      const found = events.find(({ t }) => t === 'verified');
      return found?.t === 'verified' ? found.verdict : '';
    };
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 3 }),
        fc.nat(2),
        fc.nat(1_000_000),
        (sigmas, at, more) => {
          const raised = sigmas.map((sigma, place) =>
            place === at ? Math.min(1_000_000, sigma + more) : sigma,
          );
          if (verdictOf(sigmas) === 'SAT') expect(verdictOf(raised)).toBe('SAT');
        },
      ),
      { ...params, numRuns: Math.ceil(LAW_DRAWS / 4) },
    );
  });
});

describe('authors', () => {
  it('planner/author-blind: whether a person, a rule or a script says it changes nothing but who said it', () => {
    for (const [place, { input, records }] of RUNS.slice(-24).entries()) {
      const said = records.flatMap(({ kind, payload }) =>
        kind === 'proposal' ? [payload as unknown as RecordedProposal] : [],
      );
      const told = (source: 'synthetic' | 'rule' | 'human'): readonly unknown[] => {
        let step = orThrow(openRun(planner, input, { sha256: nativeSha256 }));
        return said.map((proposal) => {
          const request = openRequests(step.run).find(({ id }) => id === proposal.request_id);
          const isJudged = request !== undefined && JUDGED.includes(request.kind);
          const { proposal_hash: _, ...own } = proposal;
          const isFree = isJudged && request.accepts.includes(source);
          step = orThrow(advance(step.run, { ...own, source: isFree ? source : proposal.source }));
          return [step.rejection?.code ?? null, step.records.flatMap(toldIn)];
        });
      };
      const plain = told('synthetic');
      expect([place, told('human')]).toEqual([place, plain]);
      expect([place, told('rule')]).toEqual([place, plain]);
    }
  });
});

const JUDGED: readonly string[] = [
  'extract',
  'identify',
  'select',
  'route',
  'survey',
  'rank',
  'verify',
  'feedback',
  'gap',
  'consistency',
];

/** The events of a decision without who brought a constraint. */
function toldIn({ kind, payload }: EvidenceRecord): readonly unknown[] {
  if (kind !== 'decision') return [];
  const { events } = payload as unknown as { readonly events: readonly PlannerEvent[] };
  return events.map((event) =>
    event.t === 'constraint' ? { ...event, constraint: { ...event.constraint, source: null } } : event,
  );
}
