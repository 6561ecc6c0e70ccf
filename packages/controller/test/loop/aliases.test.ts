/** The same file, written otherwise: Caution, a confirmation and a block hold for it all the same. */
import { describe, expect, it } from 'vitest';
import { plainPath, type Tool, type ToolCall } from '@assay/controller';
import { contradictionOf } from '../../src/protocol/evidence.ts';
import { touches } from '../../src/loop/must-not.ts';
import type { Json } from '@assay/kernel';
import { criterion, planOf, play, policyWith, replayed, willing } from '../lib/playing.ts';

describe('Caution', () => {
  it.each([
    ['log.txt', './log.txt', true],
    ['log.txt', 'log.txt', true],
    ['log.txt', '*', true],
    ['*', 'other.txt', true],
    ['{"content":"B\\n","path":"log.txt"}', 'log.txt', true],
    ['{"content":"B\\n","path":"log.txt"}', './log.txt', true],
    ['log.txt', '{"content":"B\\n","path":"log.txt"}', true],
    ['log.txt', '{"path":"./log.txt","content":"B\\n"}', true],
    ['{"content":"B\\n","path":"log.txt"}', '{"path": "log.txt", "content": "B\\n"}', true],
    ['{"content":"B\\n","path":"log.txt"}', '{"content":"C\\n","path":"log.txt"}', false],
    ['log.txt', 'blog.txt', false],
    ['{"content":"log.txt","path":"b.txt"}', 'log.txt', false],
  ])('about %s touches a plan that uses %s: %s', (target, used, isTouched) => {
    const uses = [{ tool: 'append_file', target: used }];
    expect(touches({ uses }, [{ tool: 'append_file', target }])).toEqual(isTouched ? uses : []);
    expect(touches({ uses }, [{ tool: 'write_file', target }])).toEqual([]);
  });
});

describe('a lone path', () => {
  it.each([
    ['./a.txt', 'a.txt'],
    ['././a//b', 'a/b'],
    ['a.txt', 'a.txt'],
    ['./', './'],
    ['.hidden', '.hidden'],
    ['../a', '../a'],
    [' a.txt', ' a.txt'],
    ['cat ./a', 'cat ./a'],
    ['{"url":"http://x"}', '{"url":"http://x"}'],
  ])('%j is %j', (path, plain) => {
    expect(plainPath(path)).toBe(plain);
  });
});

const TOOLS: readonly Tool[] = [
  { name: 'read_file', class: 'read', reversible: true, available: true },
  { name: 'write_file', class: 'write', reversible: true, available: true },
];
const call = (tool: string, input: string, status: ToolCall['status']): ToolCall => ({
  tool,
  input,
  output: 'x',
  status,
  output_bytes: 1,
  digest: null,
  irreversible: false,
});

describe('a look that was cut', () => {
  it('is no failure, and hides none that comes after it', () => {
    expect(contradictionOf([call('read_file', 'a', 'truncated')], TOOLS)).toBeNull();
    expect(
      contradictionOf([call('read_file', 'a', 'truncated'), call('read_file', 'b', 'ok')], TOOLS),
    ).toBeNull();
    expect(
      contradictionOf([call('read_file', 'a', 'truncated'), call('read_file', 'b', 'error')], TOOLS)?.code,
    ).toBe('primary_call_failed');
    expect(
      contradictionOf([call('write_file', 'a', 'truncated'), call('read_file', 'b', 'ok')], TOOLS)?.code,
    ).toBe('cut_without_completion');
  });
});

describe('what memory says of an input', () => {
  const whole = '{"content":"x","path":"b"}';
  const remembered = (action: string, target: string): Json => ({
    at_us: 1,
    tags: [
      {
        space: 'tool:write_file',
        entity: `path:${target}`,
        attention_nano: 2_000_000_000,
        decision_nano: -2_000_000_000,
        action,
      },
    ],
    rules: [],
    failures: [],
    left_out: { tags: 0, rules: 0 },
  });

  it.each([
    [whole, '{"path":"b","content":"x"}'],
    [whole, '{"content": "x", "path": "b"}'],
    [whole, '{"content":"x","path":"./b"}'],
    [whole, 'b'],
    ['b', whole],
  ])(
    '%s: a plan that uses %s is turned away where it is to be avoided, and waits for a person where caution is due',
    (target, use) => {
      const plan = () => ({
        value: planOf([
          { criteria: [criterion('it is there')], uses: [{ tool: 'write_file', target: use }] },
        ]),
      });
      const policy = policyWith({ memory: true, limits: { ...policyWith().limits, plans: 2 } });
      const avoided = play(policy, {
        ...willing,
        plan,
        recall: () => ({ value: remembered('avoid', target) }),
      });
      expect([avoided.rejections, avoided.result?.why, avoided.result?.directive]).toEqual([
        ['blocked_target'],
        'blocked_target',
        'abandon',
      ]);
      const doubted = play(policy, {
        ...willing,
        plan,
        recall: () => ({ value: remembered('caution', target) }),
        confirm: () => null,
      });
      expect(doubted.asked.map(({ kind }) => kind)).toEqual(['perceive', 'recall', 'plan']);
      expect(
        doubted.events.flatMap((event) =>
          event.t === 'message' && event.kind === 'ConfirmationRequest' ? event.body.actions : [],
        ),
      ).toEqual([{ tool: 'write_file', target: use }]);
      replayed(avoided);
    },
  );
});
