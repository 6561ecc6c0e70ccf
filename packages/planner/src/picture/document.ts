/** A checked plan as one JSON document, with every certificate. Schema: `plan-check`. */
import type { JsonObject } from '@assay/kernel';
import type { Certificate, Claim, Bounds, Objective } from '../question/question.js';
import type { Plan } from '../plan/plan.js';
import type { RepairKey } from '../repair/next.js';
import type { Raise } from '../question/raise.js';
import { writeLevelling, type PlanReport } from '../report/report.js';
import type { Standing } from '../rollup/rollup.js';
import { raisedCaps } from './raise.js';
import { tellOutcome } from './screen.js';
import { tellReport } from './story.js';
import { countCombinations, writeText } from './words.js';

type Json3 = readonly [number, number, number] | null;
type StandingDocument = { readonly status: string; readonly total: Json3; readonly slack: number | null };

/** One claim with its certificate, as docs/formats/plan.md has it. */
type ClaimDocument = {
  readonly about: string;
  readonly objective: Objective;
  readonly bounds: Bounds;
  readonly part: {
    readonly constraints: readonly string[];
    readonly tasks: readonly string[];
    readonly current: boolean;
  } | null;
  readonly claim: Claim;
  readonly certificate: Certificate;
};

/** What `assay check --json` prints. */
type PlanCheckDocument = {
  /** The outcome in words. */
  readonly said: { readonly verdict: string; readonly subject: string; readonly because: string };
  readonly status: string;
  readonly tasks: number;
  readonly combinations: string;
  readonly constraints: readonly (StandingDocument & {
    readonly id: string;
    readonly kind: string;
    readonly unit: string;
    readonly op: string;
    readonly bound: number;
    readonly hard: boolean;
    readonly exposed: boolean;
    readonly hopeless: boolean;
    readonly repaired: StandingDocument | null;
  })[];
  readonly schedule: {
    readonly length: Json3;
    readonly barrier: number;
    readonly critical: readonly string[];
    readonly zero_slack: readonly string[];
  };
  readonly levelling?: JsonObject;
  readonly cores: readonly {
    readonly constraint: string;
    readonly tasks: readonly (readonly [string, number])[];
  }[];
  readonly survey: readonly string[];
  readonly exits: readonly string[];
  readonly missing: PlanReport['missing'];
  readonly repair:
    | (RepairKey & {
        readonly label: string;
        readonly unfinished: string | null;
        readonly bound: number | null;
      })
    | { readonly label: string }
    | null;
  readonly next_repairs: readonly RepairKey[];
  readonly next_complete: boolean;
  readonly raise: Raise | null;
  readonly core_best: {
    readonly constraints: readonly string[];
    readonly tasks: readonly string[];
    readonly minimal: boolean;
  } | null;
  readonly needed: readonly { readonly id: string; readonly op: string; readonly bound: number }[];
  readonly proofs: readonly ClaimDocument[];
};

/** The document of a report. */
export function planDocument(plan: Plan, report: PlanReport): PlanCheckDocument {
  const {
    before,
    after,
    schedule,
    levelling,
    cores,
    survey,
    exits,
    missing,
    repair,
    next,
    isNextComplete,
    raise,
    coreBest,
  } = report;
  const story = tellReport(plan, report);
  const { verdict, subject, because } = tellOutcome(story);
  const names = (places: readonly number[]) => places.map((place) => plan.tasks[place]?.id ?? '');
  return {
    said: { verdict, subject: writeText(subject), because: writeText(because) },
    status: before.status,
    tasks: plan.tasks.length,
    combinations: String(countCombinations(plan)),
    constraints: before.lines.map(({ kind, held, isExposed, isHopeless, ...standing }, index) => {
      const later = after?.lines[index];
      return {
        id: held.id,
        kind,
        unit: held.unit,
        op: held.op,
        bound: held.bound,
        hard: held.isHard,
        ...describeStanding(standing),
        exposed: isExposed,
        hopeless: isHopeless,
        repaired: later === undefined ? null : describeStanding(later),
      };
    }),
    schedule: {
      length: before.length,
      barrier: schedule.barrier,
      critical: names(schedule.critical),
      zero_slack: names(schedule.zeroSlack),
    },
    ...(levelling === null ? {} : { levelling: writeLevelling(plan, levelling) }),
    cores: cores.map(({ constraints, amounts }) => ({ constraint: constraints[0] ?? '', tasks: amounts })),
    survey,
    exits,
    missing,
    repair:
      repair === null
        ? null
        : 'key' in repair
          ? { label: repair.label, ...repair.key, unfinished: repair.unfinished, bound: repair.bound }
          : { label: repair.label },
    next_repairs: next.map(({ key }) => key),
    next_complete: isNextComplete,
    raise,
    core_best:
      coreBest === null
        ? null
        : { constraints: coreBest.constraints, tasks: coreBest.tasks, minimal: coreBest.isMinimal },
    needed: raisedCaps(story).map(({ held: { id, op }, to }) => ({ id, op, bound: to })),
    proofs: listProofs(report),
  };
}

function describeStanding({
  status,
  total,
  slack,
}: Pick<Standing, 'status' | 'total' | 'slack'>): StandingDocument {
  return { status, total, slack };
}

function listProofs({ repair, cores, coreBest }: PlanReport): readonly ClaimDocument[] {
  const whole = { objective: null, bounds: {}, part: null };
  const unsat: Claim = { kind: 'unsat' };
  return [
    ...cores.map(({ constraints, tasks, certificate }) => ({
      ...whole,
      about: `core of ${constraints.join(' ')}`,
      part: { constraints, tasks, current: true },
      claim: unsat,
      certificate,
    })),
    ...(repair?.proofs ?? []).map(({ criterion, ...proof }) => ({ about: criterion, part: null, ...proof })),
    ...(coreBest === null
      ? []
      : [
          {
            ...whole,
            about: 'core at the best',
            part: { constraints: coreBest.constraints, tasks: coreBest.tasks, current: false },
            claim: unsat,
            certificate: coreBest.certificate,
          },
        ]),
  ];
}
