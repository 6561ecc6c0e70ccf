/** How large a sub-task of as many calls as there can be gets. Source: calls/C1, calls/C4. */
import { expect, it } from 'vitest';
import { canonicalize, Meter, orThrow, type Json } from '@assay/kernel';
import { controller, type StepBody } from '../../src/index.js';
import type { CallBody } from '../../src/protocol/requests.js';
import { misfit } from '../../src/protocol/input-schema.js';
import { called, criterion, did, planOf, play, policyWith, replayed, willing } from '../lib/playing.js';

const CALLS = 256;
const PATH = `notes/${'deep/'.repeat(10)}`;
const bytesOf = (value: Json): number => orThrow(canonicalize(value)).length;

it('256 calls leave a state of at most 256 KiB and bodies of at most 1 KiB beside input and blocked targets', () => {
  const played = play(
    policyWith({
      limits: { ...policyWith().limits, calls: CALLS },
      guard: { triples: 0, oscillation: 0, same_rounds: 0 },
    }),
    {
      ...willing,
      plan: () => ({ value: planOf([{ criteria: [criterion('it is read')], tools: ['read_file'] }]) }),
      execute: () =>
        did(
          ...Array.from({ length: CALLS }, (_, n) =>
            called('read_file', `${PATH}${n}.md`, 'x'.repeat(4_000)),
          ),
        ),
    },
  );
  expect(played.result).toMatchObject({ directive: 'accept', costs: { tool_calls: CALLS } });
  expect(bytesOf(controller.encode(played.run.state))).toBeLessThanOrEqual(256 * 1_024);
  for (const { kind, body } of played.asked) {
    if (kind === 'step') expect(bytesOf(body as unknown as StepBody)).toBeLessThanOrEqual(1_024);
    if (kind !== 'call') continue;
    const { input: _input, not: _not, ...rest } = body as unknown as CallBody;
    expect(bytesOf(rest)).toBeLessThanOrEqual(1_024);
  }
  replayed(played);
});

it('an input is held to its schema in steps linear in both, and departs where the meter is spent', () => {
  const steps = (items: number, values: number): number => {
    const meter = new Meter();
    const before = meter.rest;
    const among = [...Array.from({ length: values - 1 }, () => 1), 0];
    const schema = { properties: { path: { items: { enum: among } } } };
    const input = { path: Array.from({ length: items }, () => 0) };
    expect(misfit(schema, input, meter)).toBeNull();
    expect(misfit(schema, input, new Meter((before - meter.rest) / 2))).toMatch(/^\/path\/\d+$/);
    return before - meter.rest;
  };
  const [once, twice] = [steps(1_000, 500), steps(2_000, 1_000)];
  expect(twice).toBeLessThanOrEqual(2 * once);
});

it('long texts under many schemas are measured only as far as the meter goes', () => {
  const meter = new Meter(1_000_000);
  const schema = { anyOf: Array.from({ length: 200 }, () => ({ maxLength: 1 })) };
  expect(misfit(schema, 'x'.repeat(100_000), meter)).toBe('');
  expect(meter.isSpent).toBe(true);
});
