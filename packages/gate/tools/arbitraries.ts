/** Random policies, calls and runs of a gate. */
import fc from 'fast-check';
import { hashCanonical, orThrow, type GenesisInput, type Json, type Request } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import type { MachineArbitraries } from '@assay/testing';
import type { GateAsk, GateState } from '../src/machine/index.js';
import type { Condition } from '../src/policy/conditions.js';
import type { Called } from '../src/policy/judge.js';
import type { PolicyFile } from '../src/policy/policy.js';

const TOOLS = ['read_file', 'write_file', 'send_email', 'Bash'] as const;
const PRINCIPALS = ['main', 'agent-1'] as const;

const scalar = fc.constantFrom<Json>('a/b.txt', '.env', 'a/.env', 7, null, true);
const patterns = fc.constantFrom('*', 'a/**', '**/.env*', 'git *', '*.example.com', 'read_*');
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  scalar as fc.Arbitrary<Condition>,
  fc.array(scalar, { maxLength: 2 }) as fc.Arbitrary<Condition>,
  fc.record({ like: patterns }),
  fc.record({ glob: patterns }),
  fc.record({ host: patterns }),
  fc.record({ command: fc.constantFrom('git status', 'rm -rf', 'ls') }),
  fc.record({ min: fc.nat(9), max: fc.nat(9) }),
  fc.record({ max_length: fc.nat(6) }),
  fc.constant({ absent: true as const }),
);
/** Any condition, at most three deep. */
export const conditions: fc.Arbitrary<Condition> = fc.oneof(
  leaf,
  fc.record({ not: leaf }),
  fc.record({ not: fc.record({ not: leaf }) }),
);
const pointers = fc.constantFrom('/path', '/command', '/to/*', '/to/0', '/n');

type Rule = NonNullable<PolicyFile['allow']>[number];
const label = fc.constantFrom('web', 'mail');
/** Any rule. */
export const rules: fc.Arbitrary<Rule> = fc.oneof(
  fc.constantFrom('read_file', '*', 'write_file(path: a/**)', 'Bash(command: git *)'),
  fc.record(
    {
      tool: fc.constantFrom<string | readonly string[]>(...TOOLS, '*', ['Bash', 'read_file']),
      principal: fc.constantFrom('main', 'agent-*'),
      when: fc.dictionary(pointers, conditions, { maxKeys: 2 }),
      after: label,
      marks: label,
    },
    { requiredKeys: ['tool'] },
  ) as fc.Arbitrary<Rule>,
);
const budgets = fc.array(
  fc.record(
    {
      max: fc.nat(6),
      tool: fc.constantFrom('*', 'send_email', 'Bash'),
      unit: fc.constantFrom('calls', 'tokens'),
      per: fc.constantFrom('run' as const, 'principal' as const),
      window: fc.constantFrom('30s', '2m'),
    },
    { requiredKeys: ['max'] },
  ),
  { maxLength: 3 },
);
const few = fc.array(rules, { maxLength: 4 });
/** Any policy. */
export const policies: fc.Arbitrary<PolicyFile> = fc
  .record({
    gate: fc.constant(1 as const),
    mode: fc.constantFrom('enforce' as const, 'enforce' as const, 'observe' as const),
    allow: few,
    ask: few,
    deny: few,
    otherwise: fc.constantFrom('deny' as const, 'ask' as const),
    unjudged: fc.constantFrom('deny' as const, 'ask' as const),
    budgets,
    bounds: fc.constantFrom([], [{ tool: '*', unit: 'tokens', max: 4, at: '/n', times: 1 }]),
    principals: fc.constantFrom(null, 'main', '*'),
    in_flight: fc.constantFrom(1, 3, 1_024),
  })
  .map((policy) => ({
    ...policy,
    budgets: policy.budgets.map((budget, at) => ({ ...budget, id: `budget ${at}` })),
  }));

/** Any input of a call. */
export const inputs: fc.Arbitrary<Json> = fc.record(
  {
    path: fc.constantFrom<Json>('a/b.txt', '.env', 'a/../.env', ['a/.env'], 'b', 7),
    command: fc.constantFrom<Json>('git status', 'ls; rm -rf /', 'env rm -rf /', 'git "status"', null),
    to: fc.constantFrom<Json>([], ['a@example.com'], [7, 'b'], 'c'),
    n: fc.constantFrom<Json>(0, 3, 9, 2.5, 'many'),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Json>;

/** Any call. */
export const calls: fc.Arbitrary<Called> = fc.record({
  principal: fc.constantFrom<string>(...PRINCIPALS),
  tool: fc.constantFrom<string>(...TOOLS),
  input: inputs,
});

/** Labels of a principal. */
export const labels: fc.Arbitrary<readonly string[]> = fc.subarray(['web', 'mail']);

/** The digest that a call names. */
export function digest(value: Json): string {
  return orThrow(hashCanonical(value, nativeSha256));
}

/** What somebody may answer. */
function answers({ kind }: Request<GateAsk>): fc.Arbitrary<Json> {
  const fit: fc.Arbitrary<Json> = {
    call: calls.map((call): Json => ({ ...call, call_id: 'c', digest: digest(call.input) })),
    close: fc.constant<Json>({}),
    approve: fc.boolean().map((approved): Json => ({ approved })),
    perform: fc.boolean().map((ok): Json => ({ ok, digest: digest(null), bytes: 4, result: null })),
  }[kind as 'call' | 'close' | 'approve' | 'perform'];
  const odd = fc.constantFrom<Json>(null, { approved: 1 }, { tool: 'x' }, 0.5);
  return fc.oneof({ weight: 9, arbitrary: fit }, { weight: 1, arbitrary: odd });
}

/** All of it, for `machineLaws`. Calls have no bound: somebody closes the gate. */
export function gateArbitraries(): MachineArbitraries<GateState, GateAsk> {
  return {
    genesis: policies.map(
      (policy): GenesisInput => ({
        run_id: 'gate',
        ts_base: 'T',
        policy,
        input: { about: 'laws', from: null },
      }),
    ),
    answer: answers,
    stepsMax: 20,
  };
}
