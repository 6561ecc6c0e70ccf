/**
 * Random moves of an executor, and what comes of its calls.
 *
 * @module
 */
import type { Json } from '@assay/kernel';
import fc from 'fast-check';
import type { ControllerState, StepBody } from '../src/index.js';

const word = fc.constantFrom('x', '__proto__', '\u2028', 'x'.repeat(300));
const input = fc.oneof(
  { weight: 19, arbitrary: fc.constantFrom<Json>({ path: 'a.txt' }, { path: 'b.txt' }, { path: 'c' }) },
  { weight: 1, arbitrary: fc.constantFrom<Json>({}, { path: 'x'.repeat(10) }, 'a.txt', { path: 1 }) },
);
/** What a call left behind. */
export const madeCalls = fc.record({
  status: fc.oneof(
    { weight: 8, arbitrary: fc.constant('ok') },
    { weight: 2, arbitrary: fc.constantFrom('error', 'denied', 'timeout', 'truncated', 'interrupted') },
  ),
  code: fc.constantFrom(null, null, 'needs_confirmation', 'not_found'),
  why: fc.constantFrom(null, 'said'),
  output: fc.constantFrom('', 'done', '\u2028'),
  output_bytes: fc.nat(9),
  digest: fc.constant(null),
  target: fc.constantFrom('a.txt', 'b.txt', ''),
  irreversible: fc.nat(19).map((n) => n === 0),
  loses: fc.constant(null),
});
/** A move; most of them fit what has been called until now. */
export function steps({ subtask }: StepBody, state: ControllerState): fc.Arbitrary<Json> {
  const made = state.progress.get(subtask)?.calls.length ?? 0;
  const tools = state.plan?.subtasks.find(({ id }) => id === subtask)?.tools ?? [];
  const name = fc.oneof(
    { weight: 19, arbitrary: tools.length === 0 ? word : fc.constantFrom(...tools) },
    { weight: 1, arbitrary: fc.constantFrom('unknown', 'shell') },
  );
  const number = fc.nat(Math.max(0, made));
  return fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        t: fc.constant('call'),
        calls: fc.array(fc.record({ tool: name, input }), { minLength: 1, maxLength: 3 }),
        why: word,
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        t: fc.constant('done'),
        output: word,
        rests_on:
          made === 0
            ? fc.constant([])
            : fc.array(
                number.map((n) => Math.min(n, made - 1)),
                { maxLength: 2 },
              ),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        t: fc.constant('give_up'),
        code: fc.constantFrom('cannot', 'input_missing'),
        call: fc.constantFrom(null, Math.max(0, made - 1)),
        why: word,
      }),
    },
  ) as fc.Arbitrary<Json>;
}
