import { isArray, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { testAt, type Condition, type Holds, type Quantifier } from '../src/policy/conditions.js';

/** A condition at `/x`, then values with what holds of them, to stop or ask. */
const STOPS: readonly (readonly [Condition, Readonly<Record<Holds, readonly Json[]>>])[] = [
  ['a', { yes: ['a'], no: ['b', 7, null], open: [['a'], {}] }],
  [['a', 7], { yes: ['a', 7], no: ['b', false], open: [['a']] }],
  [
    { like: '*.env*' },
    { yes: ['.env', 'a/.env.local'], no: ['env', ''], open: [7, null, ['.env'], '*'.repeat(16_385)] },
  ],
  [
    { glob: ['**/.env*', 'src/*.ts'] },
    {
      yes: ['.env', 'a/b/.env.x', 'src/a.ts'],
      no: ['src/a/b.ts', 'env', '.ENV'],
      open: ['a/../.env', './.env', 'a//b', 'a\\.env', '%2eenv', 'a\u0000', ['.env']],
    },
  ],
  [
    { host: ['Example.com', '*.example.com'] },
    {
      yes: ['https://example.com', 'http://A.example.com:8080/x?y#z'],
      no: ['https://example.org/', 'https://badexample.com', 'https://127.0.0.1/'],
      open: [
        ...['https://me@example.com', 'https://example.com.', 'http://127.1', 'http://2130706433'],
        ...['ftp://example.com', 'x'],
      ],
    },
  ],
  [
    { command: ['rm -rf', 'git push'] },
    {
      yes: [
        ...['rm -rf /', 'ls; rm  -rf x', 'a && git push', '(git push)', 'x | rm -rf y', '/bin/rm -rf y'],
        ...[
          '>/dev/null rm -rf x',
          '2>&1 rm -rf x',
          'rm 2>/dev/null -rf x',
          '< a rm>b -rf x',
          '&>> a rm -rf x',
        ],
        ...['{ rm -rf x; }', 'cat <(rm -rf x)', 'f() {\nrm -rf x\n}'],
      ],
      no: [
        ...['rm x', 'git pushed', 'echo rm', 'ls -la', 'npm test', 'npm test 2>&1 | tail -5', 'x > rm -rf'],
        ...["awk '{print $1}' x", 'cp {a,b} c', 'git show HEAD@{1}'],
      ],
      open: [
        ...['"rm" -rf /', 'sudo rm -rf /', '/usr/bin/env rm -rf /', 'X=1 rm -rf /'],
        ...[
          'rm "-rf" /',
          'if rm -rf x',
          '$RM -rf',
          '{rm,-rf,/}',
          'rm {-rf,/}',
          '>"a b" rm -rf x',
          'nice rm -rf x',
        ],
      ],
    },
  ],
  [
    { min: 3, max: 5 },
    { yes: [3, 4.5, 5], no: [2, 6], open: ['4', null] },
  ],
  [{ max_length: 2 }, { yes: ['😀😀', [1, 2]], no: ['abc', [1, 2, 3]], open: [7] }],
  [{ not: { like: 'a*' } }, { yes: ['b'], no: ['ab'], open: [7] }],
];

describe('a condition of a rule that stops or asks', () => {
  for (const [condition, values] of STOPS)
    for (const holds of ['yes', 'no', 'open'] as const)
      it(`${JSON.stringify(condition)}: ${holds}`, () => {
        for (const x of values[holds]) expect([x, hold(condition, x, 'some')]).toEqual([x, holds]);
      });

  it('holds of one item of a list', () => {
    expect(testAt({ x: ['b', 'a'] }, '/x/*', 'a', 'some')).toBe('yes');
    expect(testAt({ x: ['b', 7] }, '/x/*', { like: 'a' }, 'some')).toBe('open');
    expect(testAt({ x: ['b'] }, '/x/1', 'a', 'some')).toBe('no');
    expect(testAt({ x: ['b'] }, '/x/y', 'a', 'some')).toBe('open');
  });

  it('is open where a token stands, or a scalar where an object would', () => {
    expect(hold('a', { $sealed: '0' }, 'some')).toBe('open');
    expect(testAt({ x: 'text' }, '/x/y', 'a', 'some')).toBe('open');
  });

  it('fails where nothing is, but for absent and not', () => {
    expect(testAt({}, '/x', 'a', 'some')).toBe('no');
    expect(testAt({}, '/x', { absent: true }, 'some')).toBe('yes');
    expect(testAt({}, '/x', { not: 'a' }, 'some')).toBe('yes');
    expect(testAt({ x: null }, '/x', { absent: true }, 'some')).toBe('no');
  });
});

describe('a condition of a rule that lets through', () => {
  it('needs all items of a list, and one at least', () => {
    expect(testAt({ x: ['a', 'a'] }, '/x/*', 'a', 'every')).toBe('yes');
    expect(testAt({ x: ['a', 'b'] }, '/x/*', 'a', 'every')).toBe('no');
    expect(testAt({ x: [] }, '/x/*', 'a', 'every')).toBe('no');
  });

  it('takes one plain command alone', () => {
    const git: Condition = { command: 'git status' };
    for (const plain of ['git status', 'git  status -s']) expect(hold(git, plain, 'every')).toBe('yes');
    for (const more of [
      'git status; ls',
      'git status && x',
      'git status `x`',
      'git status\nls',
      '"git" status',
      'git',
    ])
      expect([more, hold(git, more, 'every')]).toEqual([more, 'no']);
  });
});

function hold(condition: Condition, x: Json, quantifier: Quantifier): Holds {
  return testAt({ x: isArray(x) ? [...x] : x }, '/x', condition, quantifier);
}
