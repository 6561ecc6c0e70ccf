/**
 * Capability requests: an agent asks the operator for something that the world does not give it. One is open for each
 * agent and capability. Source: specs/ecology.md B8; 004 L5401.
 */
import { compareText } from '@assay/kernel';
import { measureSize } from '../world/draft.js';
import { done, refused, type Outcome } from '../world/outcome.js';
import type { Capability } from '../world/calls.js';
import { faultOfHolder, method, readText, type Call, type Method } from './service.js';

/** What one agent may ask for, whatever became of it. */
const ASKED_MAX = 64;

const words = (most: number) => Object.freeze({ type: 'string', pattern: `^.{1,${most}}$` });
const NAME = { capability: words(128) };

/** Requests to the operator. */
export const CAPABILITIES: ReadonlyMap<string, Method> = new Map([
  method(
    'request',
    'Asks the operator for a capability: an artifact that you may use then, or the handle of a secret.',
    { ...NAME, reason: words(500), 'estimated_usage?': words(500) },
    request,
  ),
  method('withdraw', 'Takes a request back that is open.', NAME, withdraw),
  method('list', 'What you asked for, and what became of it; the secrets that you hold.', {}, list),
]);

function request(given: Call): Outcome {
  const { physics, frame, args } = given;
  const { draft } = physics;
  const [agent, capability] = [frame.requester, readText(args, 'capability')];
  const nobody = faultOfHolder(physics, agent);
  if (nobody !== null) return nobody;
  const [reason, usage] = [readText(args, 'reason'), readText(args, 'estimated_usage')];
  const fits = capability.length > 0 && capability.length <= 128 && reason.length > 0;
  if (!fits || reason.length > 500 || usage.length > 500)
    return refused('INVALID_ARGS', 'a capability has at most 128 characters, a reason 1 to 500');
  const before = draft.state.capabilities.get(`${agent} ${capability}`);
  if (before?.state === 'open' || before?.state === 'approved')
    return refused('CONFLICT', `the capability is ${before.state}`);
  if (before === undefined && listOwn(given).length >= ASKED_MAX)
    return refused('LIMIT_EXCEEDED', 'the agent asked for too much', { limit: ASKED_MAX });
  draft.emit({ t: 'wants', a: agent, c: capability, m: reason, u: usage }, measureSize([reason, usage]));
  return done({ capability, state: 'open' });
}

function withdraw({ physics: { draft }, frame, args }: Call): Outcome {
  const [agent, capability] = [frame.requester, readText(args, 'capability')];
  if (draft.state.capabilities.get(`${agent} ${capability}`)?.state !== 'open')
    return refused('NOT_FOUND', 'no such request of yours is open');
  draft.emit({ t: 'capability', a: agent, c: capability, y: 'withdrawn' });
  return done(null);
}

function list(given: Call): Outcome {
  const { physics, frame } = given;
  const own = `${frame.requester} `;
  const secrets = [...physics.draft.state.secrets]
    .flatMap(([key]) => (key.startsWith(own) ? [`secret:${key.slice(own.length)}`] : []))
    .sort(compareText);
  return done({ capabilities: listOwn(given), secrets });
}

function listOwn({
  physics: { draft },
  frame,
}: Call): readonly (Capability & { readonly capability: string })[] {
  const own = `${frame.requester} `;
  return draft.state.capabilities
    .sorted()
    .flatMap(([key, row]) => (key.startsWith(own) ? [{ capability: key.slice(own.length), ...row }] : []));
}
