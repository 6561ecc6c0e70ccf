/** Transcripts of Claude Code, made up from a seed. */

/** A generator of numbers below a bound, the same for each seed. */
function makeRandom(seed: number): (bound: number) => number {
  let state = seed >>> 0 || 1;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * bound);
  };
}

type Act = readonly [weight: number, tool: string, input: { readonly [key: string]: string }];

const ACTS: readonly Act[] = [
  [20, 'Read', { file_path: '/home/jo/app/src/app.ts' }],
  [1, 'Read', { file_path: '/home/jo/app/.env' }],
  [12, 'Bash', { command: 'npm test' }],
  [8, 'Bash', { command: 'cd app && npm run build | tail -5' }],
  [2, 'Bash', { command: 'git push origin main' }],
  [1, 'Bash', { command: 'curl https://example.org/x' }],
  [1, 'Bash', { command: 'rm -rf build' }],
  [20, 'Edit', { file_path: '/home/jo/app/src/a.ts', old_string: 'a', new_string: 'b' }],
  [15, 'Grep', { pattern: 'TODO', path: '/home/jo/app' }],
  [2, 'WebFetch', { url: 'https://docs.example.com/guide', prompt: 'what is new' }],
];
const WEIGHT = ACTS.reduce((sum, [weight]) => sum + weight, 0);
const START = Date.parse('2026-08-10T09:00:00.000Z');

/** A session of so many calls, as lines. Some fail, some are declined, the last may stay without a result. */
export function makeTranscript(seed: number, calls: number): string {
  const random = makeRandom(seed);
  const session = `00000000-0000-4000-8000-${String(seed).padStart(12, '0')}`;
  const lines: object[] = [{ type: 'summary', summary: 'A session', leafUuid: `${session}-0` }];
  const line = (type: string, message: object, n: number): void => {
    const uuid = `${session}-${lines.length}`;
    const timestamp = new Date(START + seed * 3_600_000 + n * 1_000).toISOString();
    const isSidechain = n % 17 === 16;
    lines.push({
      ...{
        type,
        uuid,
        parentUuid: null,
        sessionId: session,
        timestamp,
        cwd: '/home/jo/app',
        version: '2.1.0',
      },
      ...{ isSidechain, ...(isSidechain ? { agentId: 'a1' } : {}), message },
    });
  };
  for (let n = 0; n < calls; n += 1) {
    const [, name, input] = pick(random(WEIGHT));
    const id = `toolu_${seed}_${n}`;
    const text = { type: 'text', text: 'Next.' };
    line(
      'assistant',
      { role: 'assistant', model: 'model-1', content: [text, { type: 'tool_use', id, name, input }] },
      2 * n,
    );
    const luck = random(100);
    if (luck === 0) continue;
    const content =
      luck < 3
        ? "The user doesn't want to proceed with this tool use. The tool use was rejected."
        : 'done '.repeat(random(40));
    const result = { type: 'tool_result', tool_use_id: id, content, is_error: luck < 6 };
    line('user', { role: 'user', content: [result] }, 2 * n + 1);
  }
  return `${lines.map((each) => JSON.stringify(each)).join('\n')}\n`;
}

function pick(at: number): Act {
  let left = at;
  for (const act of ACTS) {
    left -= act[0];
    if (left < 0) return act;
  }
  throw new RangeError('weights do not sum up');
}
