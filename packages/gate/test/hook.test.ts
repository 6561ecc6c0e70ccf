import { describe, expect, it } from 'vitest';
import { memoryStore, type Store } from '@assay/host';
import { answerHook, openGate } from '../src/shell/index.ts';

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
function session(): (hook: Record<string, unknown> | null) => Promise<unknown> {
  const runs = new Map();
  const store = (): Store => memoryStore(runs);
  return async (hook) => {
    const answer = await answerHook(hook as never, (run) =>
      openGate({ policy, store: store(), run, isElsewhere: true, now: () => 1 }),
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
    expect(await hook({ session_id: 's', hook_event_name: 'SessionEnd' })).toBeNull();
    expect(await hook(pre('Read', '4'))).toBe('ask');
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
