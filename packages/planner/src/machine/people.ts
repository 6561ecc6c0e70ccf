/**
 * People and libraries: what they say about money, tools and earlier requests. Source: 000 §1 Step 11; dec-K27,
 * dec-K28, dec-K31, dec-K39, dec-K81.
 */
import type { Hired } from '../protocol/answers.js';
import type { Answers } from '../protocol/requests.js';
import { TEXT_MAX } from '../protocol/constraint.js';
import { NO_TRACK, PERSON } from '../protocol/resolver.js';
import { fail, grant, note, register, renderTag, useResolver } from './failing.js';
import { convertAmounts } from './money.js';
import { getNode } from './state.js';
import { move, requireSetup, type Step } from './step.js';

/**
 * What a library knows. The policy's own resolvers keep their bounds, and of those that nobody built only they
 * count. `first`: at the start of a run, which then brings what the library does not know.
 */
export function takeReading(
  step: Step,
  { resolvers, capabilities, aliases, history, off }: Answers['library'],
  first: boolean,
): void {
  const { policy } = requireSetup(step.state);
  if (first)
    for (const resolver of policy.resolvers)
      if (!resolvers.some(({ id }) => id === resolver.id)) note(step, [{ t: 'resolver', resolver }]);
  for (const known of resolvers) {
    const own = step.state.resolvers.get(known.id);
    if (own !== undefined) step.emit({ t: 'registered', resolver: { ...own, record: known.record } });
    else if (known.built_by !== null) step.emit({ t: 'registered', resolver: known });
  }
  for (const { fingerprint, capability, status, resolver } of capabilities) {
    const before = step.state.capabilities.get(fingerprint);
    // What this run has asked itself is answered here; nothing moves backwards.
    if (before !== undefined && (before.status !== 'requested' || before.joined.length > 0)) continue;
    const isThere = resolver !== null && step.state.resolvers.has(resolver.id);
    if (resolver !== null && !isThere)
      step.emit({ t: 'registered', resolver: { ...resolver, record: NO_TRACK } });
    step.emit({
      t: 'capability',
      fingerprint,
      tag: capability,
      status,
      resolver: resolver?.id ?? null,
      node: null,
      budget_class: null,
    });
  }
  if (first) step.emit({ t: 'read', history, off, aliases });
}

export function takeCapability(step: Step, { fingerprint, status, resolver }: Answers['capability']): void {
  const found = step.state.capabilities.get(fingerprint);
  const key = found?.joined[0];
  if (key === undefined) return;
  if (status === 'delivered' && resolver !== null) {
    register(step, resolver, resolver.built_by ?? 'library');
    closeCapability(step, key, 'delivered', resolver.id, false);
  } else closeCapability(step, key, status === 'declined' ? 'declined' : 'silent', null, false);
}

/** A person has decided. Source: 000 §5; dec-K27, dec-K31, dec-K39. */
export function takeDecision(step: Step, key: string, reason: string, said: Hired): void {
  const isShared = reason !== MONEY;
  if (said.kind === 'increase_budget') {
    grant(step, key, convertAmounts(step.state, said.grants));
    closeCapability(step, key, 'funded', null, isShared);
    return;
  }
  if (said.kind === 'decline') {
    step.emit({ t: 'question', node: key, text: `declined: ${said.why}`.slice(0, 4_000) });
    closeCapability(step, key, 'declined', null, isShared);
    return;
  }
  if (said.kind === 'person') {
    closeCapability(step, key, 'person', null, isShared);
    return;
  }
  const { name: id, command } = said;
  const { capability } = getNode(step.state, key);
  step.emit({ t: 'declared', name: id, command });
  const label = command.join(' ').slice(0, TEXT_MAX);
  const capabilities = [renderTag(step, capability)];
  const made = { type: 'digital', bound: {}, built_by: null, composed_of: [] } as const;
  register(step, { ...made, id, label, capabilities }, 'actor:human');
  note(step, [{ t: 'edge', from: id, relation: 'built_by', to: 'actor:human' }]);
  closeCapability(step, key, 'delivered', id, isShared, reason);
}

/** A question about money is nobody else's. Source: dec-K31. */
export const MONEY = 'over_budget';

/**
 * What a request for a capability came to, for every node that waits for it. `isShared`: the library is told,
 * and that a question may be put again which brought no tool.
 */
export function closeCapability(
  step: Step,
  key: string,
  status: 'delivered' | 'declined' | 'funded' | 'person' | 'silent',
  resolver: string | null,
  isShared: boolean,
  why: string = status,
): void {
  const found = [...step.state.capabilities.sorted()].find(
    ([, each]) => each.status === 'requested' && each.joined.includes(key),
  );
  if (found === undefined) return;
  const [fingerprint, { tag, joined }] = found;
  step.emit({ t: 'capability', fingerprint, tag, status, resolver, node: null, budget_class: null });
  const said = status === 'delivered' || status === 'declined' ? status : 'withdrawn';
  if (isShared) note(step, [{ t: 'capability', fingerprint, capability: tag, status: said, resolver }]);
  for (const each of joined) {
    const node = getNode(step.state, each);
    if (node.status !== 'awaiting') continue;
    // A tool does the work; what comes before it is not skipped (000 axiom B5).
    const isWork = node.selected !== null && node.resume !== 'composing';
    const who = status === 'person' ? PERSON : resolver;
    const isGiven = status === 'delivered' || status === 'person';
    if (isGiven && node.exhausted.includes(who ?? '')) fail(step, each, 'capability_failed');
    else if (isGiven && who !== null && isWork) useResolver(step, each, who, why);
    else if (status === 'funded' || (isGiven && !isWork)) {
      move(step, each, node.resume ?? 'pending', 'funded');
      step.emit({ t: 'ready', node: each });
    } else fail(step, each, status === 'declined' ? 'declined' : 'nobody_answered');
  }
}
