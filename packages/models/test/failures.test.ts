/**
 * Calls that fail: the class, the charge and the wait are those of the host's table, and what a run comes to
 * is recorded.
 */
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@assay/kernel';
import { failureIn, RESPONSE_BYTES_MAX } from '../src/call-failure.ts';
import { CANARY, portTo, ran, runWith } from './tools/runs.ts';
import { WIRES, type Step } from './tools/scripted-server.ts';
import { said } from './tools/synthetic.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

const GOOD: Step = { text: said() };

/** True where an answer is asked for by a schema, in whatever wire format. */
function hasSchema(body: unknown): boolean {
  return /"json_schema"|"output_format"|"output_config"|"input_schema"/.test(JSON.stringify(body));
}

describe.skipIf(!hasLoopback).each(WIRES)('%s', (wire) => {
  const free = { input_tokens: 0, output_tokens: 0 };
  const error = (status: number, type: string, message: string): Step => ({
    status,
    error: { type, message, code: type },
  });
  const tooLong = (status: number): Step => ({ status, raw: 'x'.repeat(RESPONSE_BYTES_MAX + 1) });
  /** The failure that is recorded, and its charge. Final ones are not tried again. */
  type Recorded = readonly [code: string, of: string, spent: JsonObject];
  const final = (code: string, of = code): Recorded => [code, of, free];
  const again: Recorded = ['unavailable', 'server_error', {}];
  const table: readonly (readonly [what: string, step: Step, calls: 1 | 2, recorded: Recorded])[] = [
    ['too many calls', error(429, 'rate_limit_error', 'slow down'), 2, ['unavailable', 'rate_limited', free]],
    ['overloaded', error(529, 'overloaded_error', 'busy'), 2, again],
    ['a broken server', { status: 500 }, 2, again],
    ['a gateway without a server', { status: 502, raw: '<html>bad gateway</html>' }, 2, again],
    ['no quota left', error(429, 'insufficient_quota', 'pay'), 1, final('unavailable', 'permanent')],
    ['a wrong key', error(401, 'authentication_error', 'no such key'), 1, final('denied')],
    [
      'an unknown model',
      error(404, 'not_found_error', 'model: synthetic'),
      1,
      final('unavailable', 'permanent'),
    ],
    [
      'a request that is refused',
      error(400, 'invalid_request_error', 'no'),
      1,
      final('unavailable', 'permanent'),
    ],
    [
      'a redirect: the key is not sent on',
      { status: 302, headers: { location: 'http://127.0.0.1:9/' } },
      1,
      final('unavailable', 'permanent'),
    ],
    ['a wrong key, said at too great a length', tooLong(401), 1, final('denied')],
    ['overloaded, said at too great a length', tooLong(503), 2, again],
    [
      'a connection that ends before anything came',
      { text: said(), cut: 0 },
      2,
      ['unavailable', 'refused', {}],
    ],
  ];
  test.each(table)('%s', async (_, step, calls, [code, failureClass, spent]) => {
    const run = await ran(wire, [step, GOOD]);
    expect([run.received.length, run.end]).toEqual([calls, calls === 2 ? 'success' : 'refused']);
    expect(run.proposals[0]).toMatchObject({
      source: 'live_model',
      failure: { code, final: calls === 1, detail: { class: failureClass } },
      spent,
      value: null,
    });
    expect(run.proposals[0]?.['provenance']).toMatchObject({
      provider: wire,
      model_asked: 'synthetic',
      failed: { class: failureClass, status: step.status ?? null },
    });
    expect(run.errors).toHaveLength(1);
    expect(String(run.errors[0])).not.toContain('slow down');
  });

  test('a page that is no stream of ours is no answer', async () => {
    const run = await ran(wire, [{ raw: '<html>please log in</html>' }, GOOD]);
    expect([run.end, run.proposals[0]?.['failure']]).toMatchObject(['success', { code: 'malformed' }]);
  });

  test.each([
    ['before any text', { fault: 'overloaded_error' }, 'in the middle'],
    ['in the middle', { text: said().slice(0, 40), fault: 'overloaded_error' }, 'in the middle'],
    [
      'instead of a stream',
      { raw: '{"type":"error","error":{"type":"busy","message":"the model\\nis loading"}}' },
      'the model is loading',
    ],
    ...(wire === 'compatible'
      ? [['that quotes the key', { raw: `{"error":"no ${CANARY}"}` }, undefined] as const]
      : []),
  ] satisfies readonly (readonly [string, Step, string | undefined])[])(
    'an error of the server %s is its failure, in its words, and is not charged',
    async (_, step, words) => {
      const run = await ran(wire, [step, GOOD], { drive: { budget: { limits: { output_tokens: 99_999 } } } });
      expect([run.end, run.received.length, run.proposals[0]]).toMatchObject([
        'success',
        2,
        {
          failure: { code: 'unavailable', final: false, detail: { class: 'server_error' } },
          spent: {},
          provenance: { failed: { class: 'server_error' } },
        },
      ]);
      const { failed } = run.proposals[0]?.['provenance'] as { readonly failed: JsonObject };
      expect(failed['words']).toBe(words);
    },
  );

  test('a server that refuses a schema is asked by JSON alone, with the schema in the prompt', async () => {
    const no: Step = { status: 400, error: { type: 'invalid', message: 'json_schema is not supported' } };
    const run = await ran(wire, (_, { body }) => (hasSchema(body) ? no : GOOD));
    const [first, second] = run.received.map(({ body }) => body);
    expect([run.end, run.received.length, run.proposals.length]).toEqual(['success', 2, 1]);
    expect([first, second].map((body) => JSON.stringify(body).includes('answer_as_json_by'))).toEqual([
      false,
      true,
    ]);
    const never = await ran(wire, [no]);
    expect([never.end, never.received.length]).toEqual(['refused', 2]);
  });

  test("a silent server: the host's deadline ends the call, and the next attempt is made", async () => {
    const run = await ran(wire, [{ silent: true }, GOOD], { drive: { deadlines: { call: 1_000 } } });
    expect([run.end, run.proposals[0]?.['failure']]).toEqual([
      'success',
      { code: 'timeout', final: false, detail: { class: 'timeout', deadline: 'call' } },
    ]);
  });

  test('a server that stops in the middle: the same', async () => {
    const run = await ran(wire, [{ text: said(), pieces: 20, slowMs: 200 }, GOOD], {
      drive: { deadlines: { call: 1_000 } },
    });
    expect([run.end, run.proposals[0]?.['failure']]).toMatchObject(['success', { code: 'timeout' }]);
  });

  test('a slow server is waited for', async () => {
    const run = await ran(wire, [{ text: said(), pieces: 20, slowMs: 10 }]);
    expect([run.end, run.received.length]).toEqual(['success', 1]);
  });

  test('usage that is none is not reported: nothing is made up', async () => {
    for (const usage of [
      { input: -4, output: 1.5 },
      { input: 1e300, output: -0.5 },
    ]) {
      const run = await ran(wire, [{ text: said(), usage }]);
      expect([
        run.end,
        run.proposals[0]?.['spent'],
        (run.proposals[0]?.['provenance'] as JsonObject)['usage'],
      ]).toEqual(['success', {}, { input_tokens: null, output_tokens: null }]);
    }
  });
});

test.skipIf(!hasLoopback)('a server that asks for a wait is not called earlier', async () => {
  const started = performance.now();
  const run = await ran('anthropic', [{ status: 429, headers: { 'retry-after': '1' } }, GOOD]);
  expect(run.end).toBe('success');
  expect(performance.now() - started).toBeGreaterThanOrEqual(990);
});

test.skipIf(!hasLoopback).each([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
  [{ 'retry-after': 'Sun, 22 Nov 2026 12:00:09 GMT' }, 9_000],
  [{ 'retry-after': 'Sun, 22 Nov 2020 12:00:09 GMT' }, 0],
  [{ 'retry-after': '-3' }, 0],
  [{ 'retry-after': 'soon' }, 0],
  [{}, 0],
])('retry-after %j is a wait of %i ms', (responseHeaders, ms) => {
  expect(failureIn({ statusCode: 429, responseHeaders }, Date.UTC(2026, 10, 22, 12, 0, 0)).retryAfterMs).toBe(
    ms,
  );
});

test.skipIf(!hasLoopback)('nobody listens: refused, tried again, not charged', async () => {
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
  const model = await portTo('compatible', { url: `http://127.0.0.1:${port}/v1` });
  const run = await runWith(() => model, { slots: ['llm'] });
  expect([run.end, run.proposals.length]).toEqual(['refused', 2]);
  expect(run.proposals[0]).toMatchObject({
    failure: { code: 'unavailable', final: false, detail: { class: 'refused' } },
    spent: {},
  });
});

test.skipIf(!hasLoopback)('no getter of an error is called, and a cycle of causes ends', () => {
  const error: { cause?: unknown } = Object.defineProperty({}, 'statusCode', {
    get: () => {
      throw new Error('called');
    },
  });
  error.cause = error;
  expect(failureIn(error, 0)).toMatchObject({ class: null, status: null, said: null });
});
