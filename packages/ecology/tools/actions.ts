/** Random actions in a small world: mostly such as make sense, some that are hostile. */
import type { Json } from '@assay/kernel';
import fc from 'fast-check';

/** Who acts. */
export const AGENTS = ['ann', 'bob', 'cid'] as const;
const IDS = ['x', 'y', 'gate', 'tool', 'loop', 'thrower'] as const;
const RESOURCES = ['scrip', 'llm_budget', 'disk', 'memory', 'llm_rate', 'cpu'] as const;
const CONTRACTS = [
  'freeware_contract',
  'owner_contract',
  'public_contract',
  'private_contract',
  'sealed_contract',
];
const ODD: readonly Json[] = [
  '__proto__',
  -1,
  0.5,
  9_007_199_254_740_991,
  null,
  '',
  'A',
  'genesis_store_api',
];

const agent = fc.constantFrom(...AGENTS);
const id = fc.constantFrom(...IDS, ...AGENTS);
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 400 }) },
  { weight: 1, arbitrary: fc.constantFrom<Json>(...ODD) },
);
const guard = fc.constantFrom(...CONTRACTS, 'gate', 'loop', 'nothing');
const content = fc.oneof(
  fc.integer({ min: 0, max: 9 }),
  fc.constantFrom<Json>('text', { a: [1] }, 'x'.repeat(400), 'x'.repeat(600), 'x'.repeat(750)),
);

/** Contracts and tools that agents may put up. */
export const CODES: readonly (readonly [id: string, code: string, interfaceOf: Json])[] = [
  [
    'gate',
    `function check_permission(q) {
  if (q.requester_id === q.context.owner) return { allowed: true };
  return { allowed: q.action === 'read', charges: [{ to: q.context.owner, amount: 7 }] };
}`,
    { tools: [{ name: 'check_permission' }] },
  ],
  [
    'loop',
    `function check_permission(q) {
  const seen = read(q.artifact_id);
  if (seen.success) for (;;);
  return { allowed: true };
}`,
    { tools: [{ name: 'check_permission' }] },
  ],
  [
    'tool',
    `function run(method, args) {
  if (method === 'pay') return invoke('genesis_ledger_api', 'transfer', args);
  if (method === 'put') return write('x', args);
  if (method === 'ask') return invoke('genesis_llm', 'complete', { prompt: 'p', max_tokens: 10 });
  return invoke('tool', 'again', args).error_code ?? 'deep';
}`,
    { tools: [{ name: 'pay' }, { name: 'put' }, { name: 'ask' }, { name: 'again' }] },
  ],
  [
    'thrower',
    `function run() { write('x', 3); throw new Error('after a write'); }`,
    { tools: [{ name: 'run' }] },
  ],
];

function invoke(service: string, method: string, args: { readonly [key: string]: fc.Arbitrary<Json> }) {
  return fc
    .record(args)
    .map((given): Json => ({ op: 'invoke', id: `genesis_${service}`, method, args: given as Json }));
}

const codes = fc.constantFrom(...CODES).map(([name, code, described]): Json => {
  const args = { id: name, content: { code }, interface: described, can_execute: true };
  return { op: 'invoke', id: 'genesis_store_api', method: 'create', args };
});
const legs = fc.record({
  amounts: fc.array(
    fc.tuple(fc.constantFrom(...RESOURCES), amount).map((pair): Json => pair),
    { maxLength: 2 },
  ),
  goods: fc.array(
    id.map((one): Json => one),
    { maxLength: 2 },
  ),
});
/** Legs that an agent may well have. */
const likely = fc.constantFrom<Json>(
  { amounts: [['scrip', 20]], goods: [] },
  { amounts: [['disk', 9]], goods: [] },
  { amounts: [], goods: ['x'] },
  { amounts: [['scrip', 5]], goods: ['y'] },
);
const exit = fc.oneof(
  fc.constant<Json>({ t: 'on_demand' }),
  fc.record({
    t: fc.constantFrom('deadline', 'waived'),
    at_us: fc.integer({ min: 1, max: 400 }).map((n) => 1e15 + n * 1e6),
  }),
);

const AGENTS_API = 'genesis_agents_api';
const watch = fc.constantFrom<Json>(
  { event: 'transfer_completed' },
  { event: 'transfer_completed', where: { to: 'ann' } },
  { event: 'transfer_completed', where: { to: 'bob', resource: 'scrip' } },
  { event: 'escrow_listed', where: { seller_id: 'ann' } },
  { event: 'artifact_created' },
  { event: 'mint_resolved' },
  { event: 'agent_unfrozen', where: { agent_id: 'cid' } },
);

/** One action. */
export const anyAction: fc.Arbitrary<Json> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Json>({ op: 'noop' }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('read'), id, max_charge: fc.constantFrom(0, 7, 50) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('write'),
      id: fc.oneof(id, fc.constant('self')),
      content,
      max_charge: fc.constantFrom(0, 7),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('write'), id, content, access_contract_id: guard }) },
  { weight: 4, arbitrary: codes },
  { weight: 6, arbitrary: invoke('store_api', 'create', { id, content, access_contract_id: guard }) },
  { weight: 1, arbitrary: invoke('store_api', 'create', { id, content, has_standing: fc.constant(true) }) },
  { weight: 2, arbitrary: invoke('store_api', 'delete', { artifact_id: id }) },
  { weight: 2, arbitrary: invoke('store_api', 'transfer_ownership', { artifact_id: id, to: agent }) },
  {
    weight: 1,
    arbitrary: invoke('store_api', 'search', { query: fc.constantFrom('x tool', 'pay', 'GATE') }),
  },
  { weight: 1, arbitrary: invoke('store_api', 'get_artifact_info', { artifact_id: id }) },
  {
    weight: 4,
    arbitrary: invoke('ledger_api', 'transfer', {
      to: agent,
      amount,
      resource: fc.constantFrom(...RESOURCES),
    }),
  },
  { weight: 1, arbitrary: invoke('ledger_api', 'transfer', { to: agent, from: agent, amount }) },
  {
    weight: 2,
    arbitrary: invoke('ledger_api', 'transfer', {
      to: agent,
      amount: fc.constantFrom<Json>('all', 'more', 'more'),
    }),
  },
  {
    weight: 1,
    arbitrary: invoke('ledger_api', 'swap', {
      with: agent,
      give: fc.record({ amount, resource: fc.constantFrom(...RESOURCES) }),
      want: fc.record({ amount, resource: fc.constantFrom(...RESOURCES) }),
    }),
  },
  {
    weight: 1,
    arbitrary: invoke('ledger_api', 'grant_mandate', {
      contract: fc.constantFrom('gate', 'loop'),
      cap: amount,
      expires_us: fc.constant(2e15),
    }),
  },
  {
    weight: 5,
    arbitrary: invoke('mint_api', 'bid', { artifact_id: fc.oneof(id, fc.constant('self')), amount }),
  },
  { weight: 1, arbitrary: invoke('mint_api', 'withdraw_bid', {}) },
  { weight: 5, arbitrary: invoke('escrow_api', 'offer', { give: likely, want: likely, exit }) },
  { weight: 1, arbitrary: invoke('escrow_api', 'offer', { give: legs, want: legs, exit }) },
  {
    weight: 8,
    arbitrary: invoke('escrow_api', 'buy', {
      offer_id: fc.constantFrom('open', 'open', 'o5'),
      seen: fc.array(
        fc.integer({ min: 1, max: 3 }).map((n): Json => n),
        { maxLength: 2 },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: invoke('escrow_api', 'cancel', {
      offer_id: fc.constantFrom('open', 'open', 'o5'),
    }),
  },
  {
    weight: 2,
    arbitrary: invoke('llm', 'complete', {
      prompt: fc.constant('say'),
      max_tokens: fc.constantFrom(5, 90, 5_000),
    }),
  },
  {
    weight: 4,
    arbitrary: invoke('calls_api', 'begin', {
      target: fc.constantFrom('oracle', 'oracle', 'oracle', 'x'),
      digest: fc.constant('ab'.repeat(32)),
      input_bound: fc.constantFrom(20, 90),
      max_output: fc.constantFrom(5, 90, 5_000),
      units: fc.constantFrom(1, 3),
    }),
  },
  ...['status', 'cancel'].map((name) => ({
    weight: 1,
    arbitrary: invoke('calls_api', name, { call: fc.constantFrom('ann.0', 'bob.0', 'cid.0', 'bob.1') }),
  })),
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('invoke'),
      id: fc.constantFrom('tool', 'thrower', 'gate'),
      method: fc.constantFrom('pay', 'put', 'ask', 'again', 'run', 'check_permission'),
      args: fc.record({ to: agent, amount }),
      max_charge: fc.constantFrom(0, 20),
    }),
  },
  {
    weight: 2,
    arbitrary: invoke('agents_api', 'sleep', {
      for_us: fc.constantFrom(1, 20_000_000, 90_000_000),
      events: fc.array(watch, { maxLength: 2 }),
      balances: fc.array(
        fc.record({
          resource: fc.constantFrom(...RESOURCES),
          op: fc.constantFrom('>=', '<'),
          value: fc.nat(600),
        }),
        { maxLength: 1 },
      ),
    } as never),
  },
  {
    weight: 1,
    arbitrary: watch.map((args): Json => ({ op: 'invoke', id: AGENTS_API, method: 'subscribe', args })),
  },
  {
    weight: 1,
    arbitrary: invoke('agents_api', 'unsubscribe', { subscription_id: fc.constantFrom('s3', 's9') }),
  },
  { weight: 1, arbitrary: invoke('agents_api', 'set_memory', { artifact_id: id }) },
  { weight: 1, arbitrary: invoke('agents_api', 'status', {}) },
  {
    weight: 1,
    arbitrary: invoke('event_log_api', 'read', { cursor: fc.nat(40), limit: fc.constantFrom(0, 1, 5) }),
  },
  { weight: 1, arbitrary: fc.constantFrom('threw', 'late').map((code): Json => ({ op: 'failed', code })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Json>(null, 7, { op: 'read' }, { op: 'write', id: 'x' }, { op: 'fly' }),
  },
);

/** Who acts, and what. */
export const anyEntry: fc.Arbitrary<readonly [string, Json]> = fc.tuple(
  fc.oneof(
    { weight: 20, arbitrary: agent },
    { weight: 2, arbitrary: fc.constant('kid') },
    { weight: 1, arbitrary: fc.constantFrom('nobody', 'x') },
  ),
  anyAction,
);
