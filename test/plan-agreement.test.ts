/**
 * Two checkers of plans, one in TypeScript and one in Python written from `docs/formats/plan.md` alone: they say
 * the same of the examples in `vectors/plans.jsonl`, of certificates drawn and spoilt, and of lines about others' data.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orThrow, type Json } from '@assay/kernel';
import {
  checkCertificate,
  checkPlan,
  checkRaise,
  parsePlan,
  makeQuestion,
  type Bounds,
  type Certificate,
  type Claim,
  type Objective,
  type Question,
  type Raise,
} from '@assay/planner/schedule';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { draws, LAW_SEED } from '../packages/kernel/tools/laws.ts';
import { arbitraryPlanFile, arbitrarySharedFile } from '../packages/planner/tools/arbitrary-plan.ts';
import { dataIn, judgeAll } from '../scripts/psplib/judge.mjs';
import { arbitraryPsplib } from './lib/psplib-instances.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-plans-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Part = {
  readonly constraints: readonly string[];
  readonly tasks: readonly string[];
  readonly current: boolean;
};
type Claimed = {
  readonly plan: Json;
  readonly objective: Objective;
  readonly bounds: Bounds;
  readonly part: Part | null;
  readonly claim: Claim;
  readonly certificate: Certificate;
};
/** A claim about a plan, or what is said of raising its caps. */
type Said = Claimed | { readonly plan: Json; readonly raise: Raise };

/** What the Python checker refuses: [line, why] each. */
function python(args: readonly string[]): readonly (readonly [number, string])[] {
  const { stdout, stderr, status } = spawnSync(
    'python3',
    [join(ROOT, 'independent/python/verify_plan.py'), ...args],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  );
  if (status !== 0 && status !== 3) throw new Error(stderr);
  return (JSON.parse(stdout) as { readonly refused: readonly (readonly [number, string])[] }).refused;
}

function linesIn(name: string, lines: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

function pythonHolds(claims: readonly Said[]): readonly boolean[] {
  const refused = new Set(python(['--claims', linesIn('claims', claims)]).map(([line]) => line));
  return claims.map((_, line) => !refused.has(line));
}

function holds(said: Said): boolean {
  const plan = orThrow(parsePlan(said.plan));
  if ('raise' in said) return checkRaise(plan, said.raise);
  const { objective, bounds, part, claim, certificate } = said;
  const question: Question =
    part === null
      ? makeQuestion(plan, objective, bounds)
      : makeQuestion(plan, objective, bounds, {
          holds: ({ id }) => part.constraints.includes(id),
          keeps: ({ id }) => part.tasks.includes(id),
          isCurrent: part.current,
        });
  return checkCertificate(question, claim, certificate);
}

/** Every certificate that a report of a plan holds. */
function claimsOf(file: Json, nodes: number): readonly Said[] {
  const plan = orThrow(parsePlan(file));
  const { repair, raise, coreBest, cores } = checkPlan(plan, nodes);
  const whole = { plan: file, objective: null, bounds: {}, part: null };
  const unsat: Claim = { kind: 'unsat' };
  return [
    ...(repair?.proofs ?? []).map(({ objective, bounds, claim, certificate }) => ({
      ...whole,
      objective,
      bounds,
      claim,
      certificate,
    })),
    ...(raise === null ? [] : [{ plan: file, raise }]),
    ...[
      ...cores.map((core) => [core, true] as const),
      ...(coreBest === null ? [] : [[coreBest, false] as const]),
    ].map(([{ constraints, tasks, certificate }, current]) => ({
      ...whole,
      part: { constraints, tasks, current },
      claim: unsat,
      certificate,
    })),
  ];
}

const NAMES: readonly string[] = ['r0', 'deadline:t0>t1~ss', 'a0', 'deadline:t0>t1'];

/** A certificate, or a raise, with the n-th integer, name or part changed. */
function spoilt<A>(certificate: A, at: number, by: number): A {
  let left = at;
  const walk = (value: Json): Json => {
    if (typeof value === 'number') return left-- === 0 ? value + by : value;
    if (typeof value === 'boolean' || value === null || value === 'sum') return value;
    if (typeof value === 'string') return left-- === 0 ? (NAMES[by & 3] ?? '') : value;
    if (!Array.isArray(value))
      return Object.fromEntries(
        Object.entries(value as object).map(([key, item]) => [key, walk(item as Json)]),
      );
    const items: readonly Json[] = value;
    const isList = items.length > 0 && items.every((item) => Array.isArray(item));
    return isList && left-- === 0 ? items.slice(1) : items.map(walk);
  };
  return walk(certificate as unknown as Json) as unknown as A;
}

describe('claims about plans', () => {
  it('are what the vectors say of them, for both', () => {
    const lines = readFileSync(join(ROOT, 'vectors/plans.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Claimed & { readonly holds: boolean });
    const claims = lines.map(({ holds: _, ...claim }) => claim);
    const said = lines.map((line) => line.holds);
    expect(new Set(said)).toEqual(new Set([true, false]));
    expect(claims.map(holds)).toEqual(said);
    expect(pythonHolds(claims)).toEqual(said);
  });

  it('hold for both as they were found, and once spoilt for both or neither', () => {
    const parameters = { seed: LAW_SEED, numRuns: draws(800) };
    const drawn = fc.sample(
      fc.tuple(
        fc.oneof(
          arbitraryPlanFile({ tasks: 5, alternatives: 3, rows: 2 }),
          arbitrarySharedFile({ tasks: 5, alternatives: 3, rows: 1 }),
        ),
        fc.nat(12),
        fc.constantFrom(-9, -1, 1, 2, 1_000),
      ),
      parameters,
    );
    const found = drawn.flatMap(([file]) => claimsOf(file, 2_000));
    expect(found.filter((claim) => !holds(claim))).toEqual([]);
    const changed = drawn.flatMap(([file, at, by]) =>
      claimsOf(file, 2_000).map((claim) =>
        'raise' in claim
          ? { ...claim, raise: spoilt(claim.raise, at, by) }
          : { ...claim, certificate: spoilt(claim.certificate, at, by) },
      ),
    );
    const said = [...found, ...changed].map(holds);
    expect(said.filter((each) => !each).length).toBeGreaterThan(draws(150));
    expect(pythonHolds([...found, ...changed])).toEqual(said);
  });
});

describe("lines about others' data", () => {
  const instances = join(folder, 'instances');
  mkdirSync(instances);
  const texts = fc.sample(arbitraryPsplib(), { seed: LAW_SEED, numRuns: draws(1_000) });
  for (const [at, text] of texts.entries()) writeFileSync(join(instances, `g${at}.mm`), text);
  const lines: Record<string, unknown>[] = [];
  const figures = judgeAll(dataIn(instances), (line: Record<string, unknown>) => lines.push(line));

  it('count what was judged: critical paths as stated, each verdict, each raise and core proven', () => {
    const count = texts.length;
    expect(figures).toMatchObject({
      instances: count,
      cpm_checked: count,
      cpm_equal: count,
      bounded: 0,
      verdicts: 0,
    });
    expect((figures['sat'] ?? 0) + (figures['unsat'] ?? 0)).toBe(count);
    expect(figures['unsat']).toBeGreaterThan(count / 10);
    expect([figures['raises_proven'], figures['cores_minimal']]).toEqual([
      figures['unsat'],
      figures['unsat'],
    ]);
  });

  it('are accepted by the Python checker, all of them', () => {
    expect(python(['--psplib', instances, linesIn('lines', lines)])).toEqual([]);
  });

  it('are refused with another path, verdict, choice, total or witness', () => {
    const forged = lines.flatMap((line) => {
      const { cpm, choice, raise, core } = line as {
        readonly cpm: number;
        readonly choice: readonly (readonly [string, string])[] | null;
        readonly raise: { readonly total: number } | null;
        readonly core: { readonly tasks: readonly string[]; readonly witnesses: readonly unknown[] } | null;
      };
      return [
        { ...line, cpm: cpm + 1 },
        { ...line, verdict: line['verdict'] === 'SAT' ? 'UNSAT' : 'SAT' },
        ...(choice === null ? [] : [{ ...line, choice: choice.slice(1) }]),
        ...(raise === null ? [] : [{ ...line, raise: { ...raise, total: raise.total + 1 } }]),
        ...(core === null
          ? []
          : [
              { ...line, core: { ...core, witnesses: core.witnesses.slice(1) } },
              { ...line, core: { ...core, tasks: [...core.tasks, 't001'] } },
            ]),
      ];
    });
    expect(python(['--psplib', instances, linesIn('forged', forged)]).length).toBe(forged.length);
  });

  it('are compared with the best objective of the results tables', () => {
    const folders = join(folder, 'published');
    mkdirSync(folders);
    const [unsat] = lines.filter((line) => line['verdict'] === 'UNSAT');
    const { instance, raise } = unsat as {
      readonly instance: string;
      readonly raise: { readonly total: number };
    };
    writeFileSync(join(folders, 'j30.mm'), readFileSync(join(instances, instance)));
    const table = (overrun: number): string =>
      `Model name;Objective\nmmrcpsp_PSPLIB_j30;${overrun * 1_000 + 40}\n`;
    writeFileSync(join(folders, 'a.csv'), table(raise.total));
    writeFileSync(join(folders, 'b.csv'), table(raise.total + 1));
    const compared = { verdicts: 1, verdict_equal: 1, overflow_checked: 1, overflow_equal: 1 };
    expect(judgeAll(dataIn(folders))).toMatchObject(compared);
    writeFileSync(join(folders, 'a.csv'), table(0));
    expect(judgeAll(dataIn(folders))).toMatchObject({ ...compared, verdict_equal: 0, overflow_equal: 0 });
  });
});
