/** What the scripted model answers, step by step, in the SDK's own form. */
const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};
const STEPS = [[['A-17', 42_000]], [['A-17', 4_200]], [['B-2', 9_900]], [['B-2', 7_000]]];

/** One list of calls [order, cents] for each step, then a closing sentence. */
export function script(steps = STEPS) {
  const left = [...steps];
  return async () => {
    const calls = left.shift();
    if (calls === undefined)
      return {
        content: [{ type: 'text', text: 'That is all I may refund.' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage,
        warnings: [],
      };
    const content = calls.map(([order, cents], index) => ({
      type: 'tool-call',
      toolCallId: `${left.length}-${index}`,
      toolName: 'refund',
      input: JSON.stringify({ order, cents }),
    }));
    return { content, finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage, warnings: [] };
  };
}
