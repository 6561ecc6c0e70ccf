import { orThrow, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { completePolicy, readPolicy, type PolicyFile } from '../src/policy/policy.js';

const FAULTS: readonly (readonly [policy: Json, at: string, expected: RegExp])[] = [
  [null, '', /object/],
  [{}, '', /the key gate/],
  [{ gate: 2 }, '/gate', /^1$/],
  [{ gate: 1, alow: [] }, '/alow', /one of gate mode allow/],
  [{ gate: 1, mode: 'on' }, '/mode', /enforce or observe/],
  [{ gate: 1, otherwise: 'allow' }, '/otherwise', /deny or ask/],
  [{ gate: 1, allow: 'read' }, '/allow', /list of at most 1000 rules/],
  [{ gate: 1, allow: ['read('] }, '/allow/0', /tool\(param: pattern\)/],
  // Claude Code's notation: nothing in it is a parameter.
  [{ gate: 1, deny: ['Bash(git push:*)'] }, '/deny/0', /such as Bash\(command: git push\*\)/],
  [{ gate: 1, deny: ['Bash(ls:*)'] }, '/deny/0', /such as Bash\(command: git push\*\)/],
  [{ gate: 1, deny: [{ when: {} }] }, '/deny/0', /the key tool/],
  [{ gate: 1, deny: [{ tool: 'x', wen: {} }] }, '/deny/0/wen', /one of tool principal when/],
  [{ gate: 1, deny: [{ tool: [] }] }, '/deny/0/tool', /pattern/],
  [{ gate: 1, deny: [{ tool: 'x', when: { path: 'a' } }] }, '/deny/0/when', /JSON pointers/],
  [
    { gate: 1, ask: [{ tool: 'x', when: { '/a/b': { lik: 'a' } } }] },
    '/ask/0/when/~1a~1b/lik',
    /one of is in/,
  ],
  [{ gate: 1, deny: [{ tool: 'x', when: { '/a': { min: 'a' } } }] }, '/deny/0/when/~1a/min', /number/],
  [{ gate: 1, budgets: [{}] }, '/budgets/0', /the key max/],
  [{ gate: 1, budgets: [{ max: 1, window: '1y' }] }, '/budgets/0/window', /text/],
  [{ gate: 1, budgets: [{ max: 1 }, { max: 1 }] }, '/budgets/1/id', /used once/],
  [{ gate: 1, deny: [{ tool: 'a', id: 'x' }], ask: [{ tool: 'a', id: 'x' }] }, '/ask/0/id', /used once/],
  [{ gate: 1, in_flight: 100_000 }, '/in_flight', /from 0 to 65000/],
];

describe('a policy', () => {
  it.each(FAULTS)('%j: where it is wrong, and what stands there', (policy, at, expected) => {
    const read = readPolicy(policy);
    expect(read).toMatchObject({ left: { code: 'bad_policy', detail: { at } } });
    if (read._tag === 'Left') expect(read.left.detail.expected).toMatch(expected);
  });

  it('is read the same with its defaults and without', () => {
    const policy: PolicyFile = { gate: 1, allow: ['a'] };
    expect(readPolicy(completePolicy(policy))).toEqual(readPolicy(policy));
  });

  it('names rules by their words, wherever they stand', () => {
    const deny = [
      { tool: ['rm', 'mv'], principal: 'bot', after: 'web', when: { '/path': { not: { glob: 'tmp/**' } } } },
      { tool: 'rm', id: 'never' },
    ];
    const allow = ['write_file(path: reports/**)', 'read', 'read'];
    const { rules } = orThrow(readPolicy({ gate: 1, deny, allow }));
    expect(rules.map(({ id }) => id)).toEqual([
      'deny rm mv by bot after web if /path not glob tmp/**',
      'never',
      'allow write_file(path: reports/**)',
      'allow read',
      'allow read 2',
    ]);
    expect(rules[2]?.when).toEqual([['/path', { glob: 'reports/**' }]]);
  });
});
