/**
 * What of an answer is not accepted, against the state. Source: dec-K18, dec-K30, dec-K42, dec-K58, dec-K78.
 *
 * @module
 */
import type { Json, Rejection } from '@assay/kernel';
import { isSplit, type Input } from '../protocol/answers.js';
import type { ChooseBody, ConsistencyBody, ExtractBody, RankBody } from '../protocol/asks.js';
import type { RouteBody, SelectBody, VerifyBody, IdentifyBody } from '../protocol/asks.js';
import type { ConstraintDraft } from '../protocol/constraint.js';
import { GRANT_MAX } from '../policy/policy.js';
import { grantedIn, shown, tagOf } from './failing.js';
import { readChoice, readSurvey } from './feasibility.js';
import { amountsOf } from './money.js';
import { isNothing } from './account.js';
import { readSplit } from './planning.js';
import { nodeOf, type Waiting } from './state.js';
import { refuse, setupOf, type PlannerAnswer, type Step } from './step.js';

const AUTHORS: readonly string[] = ['human', 'rule'];

/** Why a value is not accepted; null where it is. `step`: only read. */
export function faultOf(step: Step, answer: PlannerAnswer, waiting: Waiting, input: Input): Rejection | null {
  const { body } = answer.request;
  const { node: key } = waiting;
  const { state } = step;
  switch (input.t) {
    case 'clock': {
      const last = state.time.now_us;
      return last !== null && input.value.t_us < last
        ? refuse('clock_backwards', { last_us: last, got_us: input.value.t_us })
        : null;
    }
    case 'extract':
      return conflicted(body as ExtractBody, input.value.drop) ?? drafts(step, input.value.constraints);
    case 'identify': {
      const known = (body as IdentifyBody).candidates.map(({ id }) => id);
      return stranger(input.value.apply, known) ?? drafts(step, input.value.constraints);
    }
    case 'select': {
      const known = (body as SelectBody).candidates.map(({ id }) => id);
      return stranger(input.value.selected, known);
    }
    case 'route': {
      const known = (body as RouteBody).candidates.map(({ id }) => id);
      const unknown = input.value.steps.find((id, at) =>
        at === input.value.steps.length - 1 ? !known.includes(id) : !state.resolvers.has(id),
      );
      return unknown === undefined ? null : refuse('unknown_resolver', { name: unknown });
    }
    case 'resolve': {
      const node = nodeOf(state, key);
      if (!isSplit(input.value)) {
        const isLeft = (node.selected ?? []).some((id) => state.constraints.get(id)?.scope === 'local');
        return input.value.leaf_kind === 'constraint_exhausted' && isLeft
          ? refuse('not_exhausted', { selected: node.selected ?? [] })
          : null;
      }
      const maySplit = 'may_split' in body && body.may_split;
      if (!maySplit) return refuse('too_large', { limit: 'depth' });
      const isAuthored = AUTHORS.includes(answer.proposal.source);
      const read = readSplit(state, node, input.value, isAuthored);
      return read._tag === 'Left' ? read.left : null;
    }
    case 'verify': {
      const asked = (body as VerifyBody).constraints.map(({ id }) => id);
      const told = input.value.checks.map(({ constraint }) => constraint);
      const isEach = told.length === asked.length && asked.every((id) => told.includes(id));
      return isEach ? null : refuse('not_each_once', { asked });
    }
    case 'survey': {
      if (!state.plans.has(key)) return null;
      const read = readSurvey(step, key, input.value);
      return read._tag === 'Left' ? read.left : null;
    }
    case 'rank': {
      const { repairs } = body as RankBody;
      const { order } = input.value;
      const isWhole = order.length === repairs.length && new Set(order).size === order.length;
      return isWhole && order.every((at) => at < repairs.length) ? null : refuse('not_an_order', null);
    }
    case 'choose': {
      if (!state.plans.has(key)) return null;
      const read = readChoice(step, key, input.value, (body as ChooseBody).best);
      return read._tag === 'Left' ? read.left : null;
    }
    case 'gap':
      return drafts(step, input.value.constraints);
    case 'consistency': {
      const known = (body as ConsistencyBody).outputs.map(({ node }) => node);
      for (const { nodes, constraints } of input.value.conflicts) {
        const fault = nodes.length === 0 ? refuse('no_nodes', null) : stranger(nodes, known);
        if (fault !== null) return fault;
        const draft = drafts(step, constraints);
        if (draft !== null) return draft;
      }
      return null;
    }
    case 'hire': {
      const said = input.value;
      if (said.kind === 'decline') return null;
      if (said.kind === 'resolver') {
        const { capability, exhausted } = nodeOf(state, key);
        const tag = tagOf(step, capability);
        if (exhausted.includes(said.resolver.id))
          return refuse('exhausted_resolver', { name: said.resolver.id });
        return said.resolver.capabilities.includes(tag) ? null : refuse('other_capability', { wanted: tag });
      }
      const amounts = amountsOf(state, said.grants);
      if (isNothing(amounts)) return refuse('nothing_granted', { units: state.units });
      return grantedIn(step, amounts).some((amount) => amount > GRANT_MAX)
        ? refuse('too_large', { limit: 'budget' })
        : null;
    }
    case 'capability': {
      const wanted = 'fingerprint' in body ? body.fingerprint : '';
      return input.value.fingerprint === wanted ? null : refuse('other_capability', { wanted });
    }
    case 'feedback':
    case 'assemble':
    case 'library':
      return null;
  }
}

function stranger(ids: readonly string[], known: readonly string[]): Rejection | null {
  const unknown = ids.find((id) => !known.includes(id));
  return unknown === undefined ? null : refuse('unknown_name', { name: unknown.slice(0, 256) });
}

/** A person settles each conflict by taking one side back; nobody else takes anything back. */
function conflicted({ conflicts }: ExtractBody, drop: readonly string[]): Rejection | null {
  const known = conflicts.flat();
  const fault = stranger(drop, known);
  if (fault !== null) return fault;
  const open = conflicts.find(([a, b]) => !drop.includes(a) && !drop.includes(b));
  return open === undefined ? null : refuse('unsettled', { conflict: open });
}

/** New constraints: a name that is taken must say the same, and checks must have been declared. */
function drafts({ state, context }: Step, list: readonly ConstraintDraft[]): Rejection | null {
  const { checks } = setupOf(state).policy;
  const names = list.map(({ id }) => id);
  const twice = names.find((id, at) => names.indexOf(id) < at);
  if (twice !== undefined) return refuse('constraint_taken', { name: twice });
  for (const draft of list) {
    const { id, payload } = draft;
    const known = state.constraints.get(id);
    const said: Json = draft;
    if (known !== undefined && context.hash(shown(known)) !== context.hash(said))
      return refuse('constraint_taken', { name: id });
    if (payload.t === 'check' && !checks.some(({ name }) => name === payload.name))
      return refuse('undeclared_check', { name: payload.name });
  }
  return null;
}
