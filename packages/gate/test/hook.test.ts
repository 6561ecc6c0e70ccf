import { describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashCanonical, orThrow } from '@assay/kernel';
import { memoryStore, nativeSha256, type Store } from '@assay/host';
import { answerHook, leaveAnswer, openGate } from '../src/shell/index.ts';

const policy = { gate: 1, allow: ['Read'], ask: ['Bash'] } as const;
const pre = (tool_name: string, tool_use_id: string): Record<string, string | object> => ({
  ...{
    session_id: 's',
    hook_event_name: 'PreToolUse',
    tool_name,
    tool_use_id,
    tool_input: { a: tool_use_id },
  },
});

/** Hooks of one session: each opens the run anew, as a process of its own does. */
function session(
  options: { readonly answers?: string } = {},
): (hook: Record<string, unknown> | null) => Promise<unknown> {
  const runs = new Map();
  const store = (): Store => memoryStore(runs);
  return async (hook) => {
    const answer = await answerHook(hook as never, (run) =>
      openGate({ policy, store: store(), run, isElsewhere: true, now: () => 1, ...options }),
    );
    return answer?.hookSpecificOutput.permissionDecision ?? null;
  };
}

describe('the hooks of a coding agent', () => {
  it('decide before a call and settle it afterwards, in processes of their own', async () => {
    const hook = session();
    expect(await hook(pre('Read', '1'))).toBe('allow');
    expect(await hook(pre('Write', '2'))).toBe('deny');
    expect(await hook(pre('Bash', '3'))).toBe('ask');
    expect(
      await hook({ ...pre('Read', '1'), hook_event_name: 'PostToolUse', tool_response: 'x' }),
    ).toBeNull();
    // The person at the agent allowed it: it was performed.
    expect(
      await hook({ ...pre('Bash', '3'), hook_event_name: 'PostToolUseFailure', error: 'no' }),
    ).toBeNull();
    // A session that has ended may be resumed.
    expect(await hook({ session_id: 's', hook_event_name: 'SessionEnd' })).toBeNull();
    expect(await hook(pre('Read', '4'))).toBe('allow');
  });

  it('settle a call that was declined at the agent once and made again', async () => {
    const hook = session();
    const again = { ...pre('Bash', '2'), tool_input: { a: '1' } };
    expect(await hook(pre('Bash', '1'))).toBe('ask');
    expect(await hook(again)).toBe('ask');
    expect(await hook({ ...again, hook_event_name: 'PostToolUse', tool_response: 'x' })).toBeNull();
    expect(await hook({ ...again, tool_use_id: '3' })).toBe('ask');
  });

  it('let one call through by an approval that was left, however many ask', async () => {
    const answers = mkdtempSync(join(tmpdir(), 'hook-'));
    const hook = session({ answers });
    const call = (id: string) => ({ ...pre('Bash', id), tool_input: {} });
    expect(await hook(call('1'))).toBe('ask');
    await leaveAnswer(answers, {
      n: 1,
      digest: orThrow(hashCanonical({}, nativeSha256)),
      approved: true,
      by: 'jo',
    });
    expect(await hook(call('2'))).toBe('allow');
    expect(await hook(call('3'))).toBe('ask');
    expect(await hook({ ...call('2'), hook_event_name: 'PostToolUse', tool_response: 'x' })).toBeNull();
    expect(await hook(call('4'))).toBe('ask');
    rmSync(answers, { recursive: true });
  });

  it('of calls side by side are all decided', async () => {
    const hook = session();
    const ids = ['1', '2', '3', '4', '5', '6', '7', '8'];
    expect(await Promise.all(ids.map((id) => hook(pre('Read', id))))).toEqual(ids.map(() => 'allow'));
  });

  it('tell the person why they ask', async () => {
    const rules = {
      ask: [{ tool: 'Mail', reason: 'mail leaves the house' }],
      deny: [{ tool: 'Bash', id: 'no push', when: { '/command': { command: 'git push' } } }],
    };
    const asking = { gate: 1, otherwise: 'ask', unjudged: 'ask', ...rules } as const;
    const why = async (tool: string, tool_input: object): Promise<string | undefined> => {
      const open = (run: string) =>
        openGate({ policy: asking, store: memoryStore(), run, isElsewhere: true });
      const answer = await answerHook({ ...pre(tool, '1'), tool_input } as never, open);
      return answer?.hookSpecificOutput.permissionDecisionReason;
    };
    expect(await why('Mail', {})).toBe(
      'The policy asks: mail leaves the house. Asked by the rule "ask Mail".',
    );
    expect(await why('Bash', { command: '$(x) y' })).toBe(
      'This call of Bash cannot be judged by the rule "no push".',
    );
    expect(await why('Read', {})).toBe('No rule of the policy matches this call of Read.');
  });

  it('ask where they cannot decide, and never allow', async () => {
    const hook = session();
    for (const odd of [
      null,
      {},
      { ...pre('Read', '1'), session_id: 7 },
      { ...pre('Read', ''), tool_use_id: '' },
    ])
      expect(await hook(odd)).toBe('ask');
    const failing = answerHook(pre('Read', '1') as never, () => Promise.reject(new Error('disk full')));
    expect((await failing)?.hookSpecificOutput.permissionDecision).toBe('ask');
    expect(await hook(pre('Read', '1'))).toBe('allow');
    expect(await hook(pre('Read', '1'))).toBe('allow');
    await expect(hook({ ...pre('Read', '9'), hook_event_name: 'PostToolUse' })).rejects.toThrow(
      'no such call',
    );
    expect(await hook({ hook_event_name: 'Notification' })).toBeNull();
  });
});
