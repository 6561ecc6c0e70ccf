/** Laws of cores and certificates. Source: specs D.5 law-F8 … law-F10, law-F17. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.js';
import {
  checkCertificate,
  coreBest,
  coreQuestion,
  makeQuestion,
  type Certificate,
  type Claim,
  type Core,
  type Plan,
  type Question,
} from '../../src/schedule/index.js';
import { coresNow } from '../../src/cores/core.js';
import { arbitraryPlan } from '../../tools/arbitrary-plan.js';
import { everyChoice, everyRepair, holds } from '../../tools/naive-plan.js';

const RUNS = lawRuns('core laws', 0.4);
const plans = arbitraryPlan({ tasks: 5, alternatives: 2, rows: 2 });
const NODES = 20_000;
const UNSAT: Claim = { kind: 'unsat' };

/** True where some choice holds, counting only a core's elements. */
function isSat(
  plan: Plan,
  { constraints, tasks }: Pick<Core, 'constraints' | 'tasks'>,
  isCurrent: boolean,
): boolean {
  const choices = isCurrent ? [plan.tasks.map(() => 0)] : everyChoice(plan);
  return choices.some((choice) =>
    holds(
      plan,
      choice,
      ({ id }) => constraints.includes(id),
      (task) => tasks.includes(plan.tasks[task]?.id ?? ''),
    ),
  );
}

/** A core is UNSAT, and each element less makes it SAT, as its witness shows. */
function expectMinimal(plan: Plan, core: Core, isCurrent: boolean): void {
  expect(isSat(plan, core, isCurrent)).toBe(false);
  expect(core.witnesses.map(([element]) => element).toSorted()).toEqual(
    [...core.constraints, ...core.tasks].toSorted(),
  );
  for (const [element, choice] of core.witnesses) {
    const rest = {
      constraints: core.constraints.filter((id) => id !== element),
      tasks: core.tasks.filter((id) => id !== element),
    };
    expect(isSat(plan, rest, isCurrent)).toBe(true);
    expect(choice.map(([task]) => task)).toEqual(rest.tasks);
    const places = plan.tasks.map(({ id, approaches }) => {
      const taken = choice.find(([task]) => task === id)?.[1];
      return Math.max(
        0,
        approaches.findIndex((approach) => approach.id === taken),
      );
    });
    const isHeld = holds(
      plan,
      places,
      ({ id }) => rest.constraints.includes(id),
      (task) => rest.tasks.includes(plan.tasks[task]?.id ?? ''),
    );
    expect(isHeld).toBe(true);
  }
}

describe('laws of cores', () => {
  it('planner/core-now-is-minimal: for each broken constraint, with its certificate and witnesses', () => {
    let cores = 0;
    fc.assert(
      fc.property(plans, (plan) => {
        for (const core of coresNow(plan)) {
          cores += 1;
          expectMinimal(plan, core, true);
          expect(checkCertificate(coreQuestion(plan, core, true), UNSAT, core.certificate)).toBe(true);
        }
      }),
      RUNS,
    );
    expect(cores).toBeGreaterThan(RUNS.numRuns / 10);
  });

  it('planner/core-best-is-minimal: given exactly if no choice fits, with its certificate and witnesses', () => {
    let cores = 0;
    fc.assert(
      fc.property(plans, (plan) => {
        const core = coreBest(plan, NODES);
        expect(core === null).toBe(everyRepair(plan).length > 0);
        if (core === null) return;
        cores += 1;
        expect(core.isMinimal).toBe(true);
        expectMinimal(plan, core, false);
        expect(checkCertificate(coreQuestion(plan, core, false), UNSAT, core.certificate)).toBe(true);
      }),
      RUNS,
    );
    expect(cores).toBeGreaterThan(RUNS.numRuns / 10);
  });

  it('planner/every-repair-hits-every-core: what makes a plan fit changes a task of each core of a hard cap', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const hard = plan.rows.filter(({ isHard }) => isHard).map(({ id }) => id);
        const cores = coresNow(plan).filter(({ constraints }) => hard.includes(constraints[0] ?? ''));
        for (const choice of everyRepair(plan))
          for (const { tasks } of cores)
            expect(plan.tasks.some(({ id }, task) => choice[task] !== 0 && tasks.includes(id))).toBe(true);
      }),
      RUNS,
    );
  });
});

type Proven = { readonly question: Question; readonly claim: Claim; readonly certificate: Certificate };

/** What a plan gives to prove: that nothing fits. */
function proofsOf(plan: Plan): readonly Proven[] {
  const core = coreBest(plan, NODES);
  return core === null
    ? []
    : [{ question: coreQuestion(plan, core, false), claim: UNSAT, certificate: core.certificate }];
}

/** The same certificate with each leaf changed. */
function withLeaves(node: Certificate, change: (leaf: Certificate) => Certificate): Certificate {
  if (!('parts' in node)) return change(node);
  return {
    ...node,
    parts: node.parts.map(([options, inner]) => [options, withLeaves(inner, change)] as const),
  };
}

describe('laws of certificates', () => {
  it('planner/certificate-proves-only-what-holds: whatever is claimed and weighed, no choice contradicts it', () => {
    let proven = 0;
    fc.assert(
      fc.property(
        plans,
        fc.array(fc.nat(5), { minLength: 3, maxLength: 3 }),
        fc.nat(9),
        (plan, weights, value) => {
          const question = makeQuestion(plan, 'substitutions');
          const chain = `deadline:${plan.tasks[0]?.id ?? ''}`;
          const certificate = {
            weights: [
              ...plan.rows.map(({ id }, row) => [id, weights[row] ?? 0] as const),
              [chain, plan.deadline ? (weights[2] ?? 0) : 0] as const,
            ],
            unit: weights[0] ?? 0,
          };
          const claim = { kind: 'at_least', value } as const;
          if (!checkCertificate(question, claim, certificate)) return;
          proven += 1;
          for (const choice of everyRepair(plan))
            expect(choice.filter((place) => place !== 0).length).toBeGreaterThanOrEqual(value);
        },
      ),
      RUNS,
    );
    expect(proven).toBeGreaterThan(0);
  });

  it('planner/tampered-certificate-is-refused: no weights, a negative one, a part left out, a foreign row', () => {
    let tampered = 0;
    fc.assert(
      fc.property(plans, (plan) => {
        for (const { question, claim, certificate } of proofsOf(plan)) {
          const check = (changed: Certificate): boolean => checkCertificate(question, claim, changed);
          expect(check(certificate)).toBe(true);
          expect(check({ weights: [], unit: 0 })).toBe(false);
          const isWeighed = (leaf: Certificate) => 'unit' in leaf && leaf.weights.length > 0;
          if ('unit' in certificate && isWeighed(certificate)) {
            tampered += 1;
            const [first = ['', 0] as const, ...rest] = certificate.weights;
            const changed = (n: number, name = first[0]): Certificate => ({
              ...certificate,
              weights: [[name, n], ...rest],
            });
            for (const n of [-1, 1.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1])
              expect(check(changed(n))).toBe(false);
            expect(check(changed(first[1], 'nobody'))).toBe(false);
            expect(check({ ...certificate, unit: 1 })).toBe(false);
          }
          if ('parts' in certificate && certificate.parts.length > 0) {
            tampered += 1;
            for (const index of certificate.parts.keys())
              expect(check({ ...certificate, parts: certificate.parts.toSpliced(index, 1) })).toBe(false);
            const isLeafless = withLeaves(certificate, () => ({ weights: [], unit: 0 }));
            expect(check(isLeafless)).toBe(false);
          }
        }
      }),
      RUNS,
    );
    expect(tampered).toBeGreaterThan(RUNS.numRuns / 10);
  });
});
