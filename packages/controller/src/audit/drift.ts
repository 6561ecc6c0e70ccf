/**
 * Drift: the task, or the measure of it, becomes another while nobody decided that. A plan that drops what it
 * failed at looks like progress to whoever counts only what is left. Source: 003 §R6 "drift_alerts", §R1
 * Mission; dec-G4, dec-G7.
 */
import type { Digest, Json, Sha256 } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { computeDigest, readList, shown } from './outcomes.js';
import {
  RISING_MAX,
  type AuditPolicy,
  CRITERIA_SEEN_MAX,
  type CriterionSeen,
  type TextSeen,
} from './state.js';
import { drift, type Seen } from './window.js';

/** Hears what the task is; a second time it must be the same. */
export function taskGiven(seen: Seen, body: Json, sha256: Sha256): Seen {
  return intended(seen, readText(body, 'intent'), 'the task was given again', sha256);
}

/** Hears what a planner or a meta-validator is asked about: it must be the task. */
export function askedWith(seen: Seen, kind: string, body: Json, sha256: Sha256): Seen {
  if (kind === 'plan')
    return intended(seen, readText(readField(body, 'task'), 'intent'), 'the planner is asked', sha256);
  return kind === 'merge'
    ? intended(seen, readText(body, 'intent'), 'the meta-validator is asked', sha256)
    : seen;
}

function intended(seen: Seen, intent: string, where: string, sha256: Sha256): Seen {
  const key = intent === '' ? null : computeDigest(intent, sha256);
  if (key === null) return seen;
  const { run } = seen;
  const now: TextSeen = { key, shown: shown(intent) };
  if (run.intent === null) return { ...seen, run: { ...run, intent: now } };
  return run.intent.key === key
    ? seen
    : drift(seen, 'intent_changed', `${where} about "${now.shown}", and the intent is "${run.intent.shown}"`);
}

/** Hears a plan: what became of the criteria of the plan before. */
export function planned(seen: Seen, plan: Json, sha256: Sha256): Seen {
  const now = listCriteria(plan, sha256);
  const before = seen.run.criteria;
  const next = { ...seen, run: { ...seen.run, criteria: now } };
  return before === null ? next : compared(next, before, now);
}

/** Hears which criteria an evaluation found unmet. */
export function unmetNow(seen: Seen, unmet: readonly Json[], sha256: Sha256): Seen {
  const keys = unmet
    .slice(0, CRITERIA_SEEN_MAX)
    .flatMap((row) => computeDigest(readField(row, 'text'), sha256) ?? []);
  return { ...seen, run: { ...seen.run, unmet: keys } };
}

function compared(seen: Seen, before: readonly CriterionSeen[], now: readonly CriterionSeen[]): Seen {
  const byKey = new Map<Digest, CriterionSeen>();
  for (const criterion of now) byKey.set(criterion.key, stronger(byKey.get(criterion.key), criterion));
  const unmet = new Set(seen.run.unmet);
  const told = new Set<Digest>();
  let next = seen;
  for (const criterion of before) {
    if (told.has(criterion.key)) continue;
    const code = describeFate(criterion, byKey.get(criterion.key), unmet);
    if (code === null) continue;
    told.add(criterion.key);
    next = drift(
      next,
      code,
      `${criterion.hard ? 'hard criterion' : 'criterion'} ` +
        `${criterion.ofTask ? 'of the task ' : ''}"${criterion.shown}" ${FATES[code]}`,
    );
  }
  return next;
}

type Fate = 'criterion_dropped' | 'unmet_criterion_dropped' | 'criterion_weakened';
const FATES: Readonly<Record<Fate, string>> = {
  criterion_dropped: 'is not in the next plan',
  unmet_criterion_dropped: 'was not met and is not in the next plan',
  criterion_weakened: 'is held less strictly in the next plan',
};

function describeFate(
  before: CriterionSeen,
  now: CriterionSeen | undefined,
  unmet: ReadonlySet<Digest>,
): Fate | null {
  if (now === undefined)
    return unmet.has(before.key)
      ? 'unmet_criterion_dropped'
      : before.ofTask || before.hard
        ? 'criterion_dropped'
        : null;
  return (before.hard && !now.hard) || (!before.plausible && now.plausible) ? 'criterion_weakened' : null;
}

/** A text that stands in a plan twice is held by the stricter of the two. */
function stronger(one: CriterionSeen | undefined, other: CriterionSeen): CriterionSeen {
  return one === undefined
    ? other
    : { ...other, hard: one.hard || other.hard, plausible: one.plausible && other.plausible };
}

function listCriteria(plan: Json, sha256: Sha256): readonly CriterionSeen[] {
  const seenIn = (criteria: readonly Json[], ofTask: boolean): readonly CriterionSeen[] =>
    criteria.slice(0, CRITERIA_SEEN_MAX).flatMap((criterion) => {
      const said = readText(criterion, 'text');
      const key = computeDigest(said, sha256);
      return key === null
        ? []
        : [
            {
              key,
              shown: shown(said),
              hard: readField(criterion, 'hard') === true,
              plausible: readField(criterion, 'mode') === 'plausible',
              ofTask,
            },
          ];
    });
  const ofTask = seenIn(readList(plan, 'task_criteria'), true);
  const subtasks = readList(plan, 'subtasks').slice(0, CRITERIA_SEEN_MAX);
  return [...ofTask, ...subtasks.flatMap((subtask) => seenIn(readList(subtask, 'criteria'), false))].slice(
    0,
    CRITERIA_SEEN_MAX,
  );
}

/** A task is over: its corrections join those of the tasks before it. */
export function taskOver(seen: Seen, { rising_tasks }: AuditPolicy): Seen {
  const { run, past } = seen;
  if (run.isEnded || !run.isController) return seen;
  const corrections = [...past.corrections, run.corrections].slice(-RISING_MAX);
  const ended = { ...seen, run: { ...run, isEnded: true }, past: { ...past, corrections } };
  const last = corrections.slice(-rising_tasks);
  const isRising =
    rising_tasks > 1 &&
    last.length === rising_tasks &&
    last.every((count, index) => index === 0 || count > (last[index - 1] ?? 0));
  return isRising
    ? drift(ended, 'corrections_rising', `corrections of the last tasks: ${last.join(', ')}`)
    : ended;
}
