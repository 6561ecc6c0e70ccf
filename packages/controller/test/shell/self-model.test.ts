/** `self-model-0`: what a run knows of itself. Source: 000 §4; dec-K32. */
import { describe, expect, it } from 'vitest';
import { canonicalize, isObject, orThrow, type Json, type Request } from '@assay/kernel';
import { defaultPolicy } from '@assay/planner';
import { memoryBlobs, nativeSha256, type Port } from '@assay/host';
import { leafPorts } from '../../../planner/src/shell/index.js';

const checks = [{ name: 'unit', command: ['node', '--test'] }];
const resolvers = defaultPolicy.resolvers.map((one) =>
  one.id === 'model-0' ? { ...one, bound: { cents: 20 } } : one,
);
const policy = { ...defaultPolicy, checks, resolvers, budget: { cents: 100 } };
const request = {
  id: '3.0',
  kind: 'resolve',
  accepts: ['rule'],
  attempts: 1,
  body: {
    node: 'root',
    goal: 'what can this run do?',
    resolver: 'self-model-0',
    constraints: [{ id: 'held' }],
    rows: [{ id: 'cost' }],
    approach: null,
  },
} as unknown as Request;
const nobody = (): Port => {
  throw new Error('somebody else was asked');
};

describe('self-model-0', () => {
  it('says tools, bounds, limits and names of checks from the policy alone, the same each time, and keeps it', async () => {
    const blobs = memoryBlobs();
    const port = leafPorts({ policy, tools: null, blobs, agent: null, commands: null, others: nobody })(
      request,
    );
    if (port === null) throw new Error('nobody answers');
    const asked = (): ReturnType<Port['perform']> =>
      port.perform(request, { key: 'k/0', signal: new AbortController().signal } as never);
    const { value = null } = await asked();
    expect(await asked()).toEqual({ value });
    const artifact = isObject(value) ? (value['artifact'] ?? null) : null;
    const content: Json = isObject(artifact) ? (artifact['content'] ?? null) : null;
    expect(port.source).toBe('rule');
    expect(content).toMatchObject({ checks: ['unit'], held: ['held', 'cost'], limits: policy.limits });
    expect(content).toMatchObject({ resolvers: resolvers.map(({ id, bound }) => ({ id, bound })) });
    const bytes = orThrow(canonicalize(content));
    expect(await blobs.find(nativeSha256(bytes))).toEqual(bytes);
  });
});
