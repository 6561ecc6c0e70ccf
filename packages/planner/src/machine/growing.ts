/**
 * TRY, BUILD, HIRE: what follows a try that failed. Source: 000 §1 Steps 9 to 11, §5 `build_or_hire`; dec-K17,
 * dec-K20 to dec-K28.
 */
import { compareText, type Json } from '@assay/kernel';
import type { Check } from '../protocol/answers.js';
import type { Feedback } from '../protocol/bodies.js';
import type { Answers } from '../protocol/requests.js';
import { fitting, isProven } from '../protocol/resolver.js';
import { isNothing, returnable } from './node.js';
import { askRouted } from './asking.js';
import { listContents, fail, toGoalKind, hire, note, renderTag, useResolver } from './failing.js';
import { convertAmounts, computeShortage } from './money.js';
import { ask, draw, move, requireSetup, type Step } from './step.js';
import { getNode } from './state.js';

/** An improvement below this, over two tries, is none. Source: 000 §1 Step 9. */
const STAGNATION = 50_000;

/** A try that came to nothing: again, with another resolver, or by what is missing. */
export function failedTry(
  step: Step,
  key: string,
  failure_mode: string,
  sigma_ppm: number,
  checks: readonly Check[],
  rejected: string | null = null,
): void {
  const before = getNode(step.state, key);
  const resolver = before.steps?.at(-1) ?? '';
  const failed = checks.filter(({ passed }) => !passed);
  const said = failed.map(({ repair }) => repair).filter((repair) => repair !== null);
  const feedback: Feedback = {
    attempt: before.attempts + 1,
    resolver,
    failed: failed
      .slice(0, 32)
      .map(({ constraint, detail }) => ({ constraint, detail: detail.slice(0, 400) })),
    advice: said.length === 0 ? rejected : said.join('\n').slice(0, 400),
  };
  tried(step, key, 'UNSAT', sigma_ppm, failure_mode, feedback);
  const { tries, trail } = getNode(step.state, key);
  const { limits } = requireSetup(step.state).policy;
  const isStagnant = trail.length > 2 && (trail.at(-1) ?? 0) - (trail.at(-3) ?? 0) < STAGNATION;
  if (tries < limits.tries && !isStagnant) {
    askAdvice(step, key, feedback);
    return;
  }
  step.emit({ t: 'exhausted', node: key, resolver });
  const { capability, exhausted } = getNode(step.state, key);
  const others = fitting(step.state.resolvers, renderTag(step, capability), exhausted);
  if (isStagnant && tries < limits.tries && others.length > 0) {
    if (getNode(step.state, key).status !== 'selecting_resolver')
      move(step, key, 'selecting_resolver', 'stagnated');
    step.emit({ t: 'ready', node: key });
  } else askGap(step, key);
}

/**
 * A resolver that nobody plays here, or that would do the same again, is left without a try: another one that fits is
 * taken, else what is missing is asked for.
 */
export function leaveResolver(step: Step, key: string, isMissing: boolean): void {
  const resolver = getNode(step.state, key).steps?.at(-1) ?? '';
  step.emit({ t: 'exhausted', node: key, resolver });
  if (isMissing) step.emit({ t: 'missing', node: key, resolver });
  const { capability, exhausted } = getNode(step.state, key);
  move(step, key, 'selecting_resolver', isMissing ? 'no_port' : 'nothing_new');
  if (fitting(step.state.resolvers, renderTag(step, capability), exhausted).length > 0)
    step.emit({ t: 'ready', node: key });
  else askGap(step, key);
}

/** A person or a model says what to change where the checks themselves do not. */
function askAdvice(step: Step, key: string, { failed, advice }: Feedback): void {
  const { status, title, feedback } = getNode(step.state, key);
  if (status !== 'resolving') move(step, key, 'resolving', 'again');
  const isJudged = failed.some(
    ({ constraint }) => step.state.constraints.get(constraint)?.type === 'semantic',
  );
  if (advice !== null || !isJudged) step.emit({ t: 'ready', node: key });
  else askRouted(step, 'feedback', key, { node: key, goal: title, failed, tried: feedback });
}

/** A try, as the run and its library keep it. */
export function tried(
  step: Step,
  key: string,
  verdict: 'SAT' | 'UNSAT',
  sigma_ppm: number,
  failure_mode: string | null,
  feedback: Feedback | null,
): void {
  const node = getNode(step.state, key);
  const [index, resolver] = [node.attempts + 1, node.steps?.at(-1) ?? ''];
  const attempt = { t: 'attempt', node: key, index, resolver, verdict, sigma_ppm, failure_mode } as const;
  step.emit({ ...attempt, feedback });
  if (!requireSetup(step.state).policy.library) return;
  const constraints = listContents(step, node);
  const goal = toGoalKind(step, node);
  note(step, [{ ...attempt, goal, capability: renderTag(step, node.capability), constraints }]);
}

/** Asks what is missing; without builds in the policy the person is asked at once. */
export function askGap(step: Step, key: string): void {
  const { limits, mode } = requireSetup(step.state).policy;
  const { title, capability, feedback, status } = getNode(step.state, key);
  if (status === 'verifying' || status === 'resolving') move(step, key, 'selecting_resolver', 'exhausted');
  if (limits.builds === 0 || mode !== 'solve') {
    hire(step, key, 'no_resolver', null);
    return;
  }
  askRouted(step, 'gap', key, { node: key, goal: title, capability, tried: feedback });
}

/** What is missing is known: the library is asked for it first, where there is one. */
export function takeGap(step: Step, key: string, gap: Answers['gap']): void {
  if (!requireSetup(step.state).policy.library) {
    grow(step, key, gap);
    return;
  }
  const said: Json = gap;
  const kind = toGoalKind(step, getNode(step.state, key));
  ask(step, 'library', key, { ...kind, capability: renderTag(step, gap.capability), gap: said });
}

/**
 * What is known to be missing: a tool that is there already, else one that is built, else a person. Source:
 * dec-K23 to dec-K26.
 */
export function grow(step: Step, key: string, gap: Answers['gap']): void {
  step.emit({ t: 'gap', node: key, capability: gap.capability, rationale: gap.rationale });
  const node = getNode(step.state, key);
  const tag = renderTag(step, gap.capability);
  const known = fitting(step.state.resolvers, tag, node.exhausted).find(isProven);
  if (known !== undefined) {
    useResolver(step, key, known.id, 'lookup');
    return;
  }
  if (node.kind === 'build' && node.task === tag) {
    // What it lacks is what it was to make: whoever waits for it asks a person, once.
    fail(step, key, 'build_failed');
    return;
  }
  const { limits } = requireSetup(step.state).policy;
  const isAffordable = isNothing(computeShortage(step.state, key, convertAmounts(step.state, gap.estimate)));
  const declined = [...step.state.capabilities].some(
    ([, each]) => each.tag === tag && each.status === 'declined',
  );
  if (node.building.length >= limits.builds || node.building.includes(tag) || !isAffordable || declined) {
    hire(step, key, 'no_resolver', null);
    return;
  }
  build(step, key, gap, tag);
}

/** Builds a resolver below a node, which waits for it. */
function build(step: Step, key: string, gap: Answers['gap'], tag: string): void {
  const { state } = step;
  const { limits } = requireSetup(state).policy;
  if (state.made >= limits.nodes) {
    fail(step, key, 'too_many_nodes');
    return;
  }
  for (const draft of gap.constraints)
    if (!state.constraints.has(draft.id))
      step.emit({ t: 'constraint', constraint: { ...draft, origin: key, source: 'run' } });
  const node = getNode(step.state, key);
  let count = 0;
  while (step.state.nodes.has(`${key}!${count}`)) count += 1;
  const name = `${key}!${count}`;
  const id = draw(step, 'interpretation', { key: name, parent: node.id, builds: tag }, node.id);
  // A build gets half of what the node has left, rounded down. Source: 000 §5.
  const half = returnable(getNode(step.state, key).account).map((amount) => Math.floor(amount / 2));
  step.emit({
    t: 'node',
    key: name,
    id,
    parent: key,
    kind: 'build',
    task: tag,
    title: gap.title,
    capability: 'generate_code',
    level: node.level,
    core: gap.constraints.map((each) => each.id).toSorted(compareText),
    inherited: [],
    inputs: [],
    after: [],
  });
  step.emit({ t: 'funded', why: 'build', transfers: [{ from: key, to: name, amounts: half }] });
  move(step, key, 'pending', 'builds');
  step.emit({ t: 'waits_for', node: key, build: name });
}
