import fc from 'fast-check';
import { orThrow } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../kernel/tools/laws.ts';
import { checkPolicy, readPermissions } from '../src/policy/index.js';
import { judge, type Called } from '../src/policy/judge.js';
import { readPolicy, type Policy, type PolicyFile } from '../src/policy/policy.js';
import { calls, policies } from '../tools/arbitraries.js';

const read = (policy: PolicyFile): Policy => orThrow(readPolicy(policy));
const find = (policy: Omit<PolicyFile, 'gate'>): readonly string[] =>
  checkPolicy(read({ gate: 1, ...policy })).map(({ id, kind }) => `${kind} ${id}`);

describe('a policy before a run', () => {
  it('gate/a-rule-found-idle-decides-no-call', () => {
    fc.assert(
      fc.property(policies, calls, (given, call) => {
        const policy = read({ ...given, principals: null });
        const whole = judge(policy, call, []);
        for (const { id, kind } of checkPolicy(policy)) {
          if (kind === 'never' && whole.why === 'rule')
            expect(whole.rules.map((rule) => rule.id)).not.toContain(id);
          if (kind !== 'needless') continue;
          const rest = judge({ ...policy, rules: policy.rules.filter((rule) => rule.id !== id) }, call, []);
          expect(rest.verdict).toBe(whole.verdict);
        }
      }),
      lawRuns('gate idle rules'),
    );
  });

  it('names what matches nothing, what another rule makes needless, and budgets without a bound', () => {
    const glob = (pattern: string) => ({ tool: 'read', when: { '/path': { glob: pattern } } });
    expect(find({ allow: ['read', glob('src/**')], deny: ['mail'], ask: ['mail', 'read'] })).toEqual([
      'needless ask mail',
      'needless allow read if /path glob src/**',
    ]);
    expect(find({ allow: [glob('./src/**'), { tool: 'x', after: 'web' }, 'a', 'a'] })).toEqual([
      'never allow read if /path glob ./src/**',
      'never allow x after web',
      'needless allow a 2',
    ]);
    expect(find({ allow: [{ tool: 'x', marks: 'web' }], deny: [{ tool: 'y', marks: 'web' }] })).toEqual([
      'label deny y',
      'label allow x',
    ]);
    expect(find({ allow: [{ tool: 'x', when: { '/n': { min: 3, max: 2 } } }] })).toHaveLength(1);
    expect(find({ allow: [{ tool: 'x', when: { '/n': { is: 'a', like: 'b*' } } }] })).toHaveLength(1);
    expect(find({ allow: [{ tool: 'x', principal: 'b' }], principals: 'a' })).toHaveLength(1);
    expect(find({ budgets: [{ max: 9, unit: 'tokens' }, { max: 9 }] })).toEqual(['unbounded 9 tokens']);
  });
});

describe('permissions of Claude Code', () => {
  const settings = {
    permissions: {
      allow: ['Bash(npm test:*)', 'Bash(ls)', 'Edit(src/**)', 'WebFetch(domain:docs.example)', 'mcp__git'],
      ask: ['Bash(git push *)', 'Agent(name:Explore)'],
      deny: [
        'Read(.env)',
        'Read(./keys/**)',
        'Write(//etc/**)',
        'Bash(a * b)',
        'Read(~/.ssh/**)',
        'Read(.env)',
      ],
    },
  };
  const decide = (policy: Policy, tool: string, input: Called['input']): string =>
    judge(policy, { principal: 'main', tool, input }, []).verdict;

  it('allow, ask and deny the same calls as rules of a gate', () => {
    const { policy, leftOut } = readPermissions(settings, '/home/me/app') ?? {};
    const rules = read(policy as PolicyFile);
    expect(leftOut?.map(({ permission }) => permission)).toEqual(['Bash(a * b)', 'Read(~/.ssh/**)']);
    for (const [verdict, tool, input] of [
      ['allow', 'Bash', { command: 'npm test -- a' }],
      ['ask', 'Bash', { command: 'npm test; rm x' }],
      ['allow', 'Bash', { command: 'ls' }],
      ['ask', 'Bash', { command: 'ls -a' }],
      ['ask', 'Bash', { command: 'git push origin' }],
      ['allow', 'MultiEdit', { file_path: '/home/me/app/src/a/b.ts' }],
      ['ask', 'Write', { file_path: '/home/me/other/src/a.ts' }],
      ['allow', 'NotebookEdit', { notebook_path: '/home/me/app/src/a.ipynb' }],
      ['allow', 'WebFetch', { url: 'https://docs.example/x' }],
      ['ask', 'WebFetch', { url: 'https://docs.example.other/x' }],
      ['allow', 'mcp__git__log', {}],
      ['deny', 'Read', { file_path: '/home/me/app/a/.env' }],
      ['deny', 'Read', { file_path: '/home/me/app/keys/k' }],
      ['ask', 'Read', { file_path: '/home/me/app/a/../.env' }],
      ['deny', 'Write', { file_path: '/etc/passwd' }],
    ] as const)
      expect([tool, input, decide(rules, tool, input)]).toEqual([tool, input, verdict]);
  });

  it('without a root a relative path denies in any folder and allows nothing', () => {
    const { policy, leftOut } = readPermissions(settings, null) ?? {};
    const rules = read(policy as PolicyFile);
    expect(leftOut?.map(({ permission }) => permission)).toContain('Edit(src/**)');
    expect(decide(rules, 'Edit', { file_path: '/home/me/app/src/a.ts' })).toBe('ask');
    expect(decide(rules, 'Read', { file_path: '/any/where/keys/k' })).toBe('deny');
  });

  it('of another mode, and what is no settings file', () => {
    const mode = (defaultMode: string) => readPermissions({ permissions: { defaultMode } }, null);
    expect(mode('dontAsk')?.policy).toMatchObject({ otherwise: 'deny', unjudged: 'deny' });
    expect(mode('bypassPermissions')?.leftOut).toHaveLength(1);
    expect(readPermissions({ gate: 1 }, null)).toBeNull();
  });
});
