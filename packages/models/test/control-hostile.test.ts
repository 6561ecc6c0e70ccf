/**
 * What a model says in a role, however odd: `read` gives a proposal or a fault, for any JSON and any body; and
 * what it gives is a proposal of its kind.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import type { Json } from '@assay/kernel';
import { readShape } from '@assay/models';
import { controlTasks, distilTask } from '@assay/controller/prompts';
import { evidenceOf, STEP_REQUEST } from './tools/evidence.ts';
import { draws } from '../../kernel/tools/laws.ts';

const options = { seed: 20_261_123, numRuns: draws(1_000) };
const TASKS = [...controlTasks({ evidence: () => evidenceOf() }), distilTask];
const odd = fc.oneof(
  fc.constantFrom('\ud800', '', '__proto__', '\0', '{"path":"a"', '[1]', 1e300, -0, 0.5, null, true, [], {}),
  fc.jsonValue(),
);

describe.each(TASKS)('$kind', (task) => {
  property.prop([fc.jsonValue(), fc.jsonValue()], options)('any JSON', (answer, body) => {
    expect(['Left', 'Right']).toContain(task.read(answer as Json, body as Json, readShape)._tag);
    task.data(body as Json);
    task.tools?.(body as Json);
  });
});

describe('a move', () => {
  const step = TASKS.find(({ kind }) => kind === 'step');
  const tool = fc.oneof(fc.constantFrom('read_file', 'done', 'give_up', 'fly', ''), fc.string());
  const input = fc.oneof(
    fc.string(),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    odd.map(String),
  );
  property.prop([fc.array(fc.record({ tool, input }), { maxLength: 12 }), fc.string()], options)(
    'of any calls is a list of 1 to 8, an end, or a fault with its place',
    (calls, why) => {
      const read = step?.read({ why, calls }, STEP_REQUEST.body, readShape);
      if (read?._tag === 'Left') {
        expect(read.left.path).toMatch(/^\/(?:calls|why)/);
        return;
      }
      const move = read?.right.value as { t: string; calls?: readonly { tool: string }[] };
      const isEnd = move.t === 'done' || move.t === 'give_up';
      expect([1, 2, 3, 4, 5, 6, 7, 8].includes(move.calls?.length ?? 0)).toBe(!isEnd);
      expect((move.calls ?? []).map((call) => call.tool)).not.toContain('done');
    },
  );
});
