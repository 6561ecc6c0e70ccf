import { createHash } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeWorld } from './tools/world.ts';

const BYTES = 1_073_741_824;
const zeros = createHash('sha256');
for (let piece = 0; piece < 1_024; piece += 1) zeros.update(Buffer.alloc(BYTES / 1_024));
const DIGEST = zeros.digest('hex');
const checks = { print: ['cat', 'long'], hash: ['sha256sum', 'long'] };

it.each([
  ['read_file', 'long', { status: 'truncated', code: 'file_too_long' }],
  // It came to its end, so it holds, however much it printed.
  ['run_check', 'print', { status: 'ok', code: null }],
])(
  'an output of 1 GiB is cut, with its size and digest, in little memory: %s %s',
  async (tool, input, ended) => {
    const world = await makeWorld({ wallMs: 60_000, checkMs: 60_000 }, checks);
    truncateSync(world.put('long', ''), BYTES);
    const before = process.memoryUsage().rss;
    const start = performance.now();
    expect(await world.call(tool, input)).toMatchObject({
      ...ended,
      output_bytes: BYTES,
      digest: DIGEST,
    });
    console.log(`${tool}: 1 GiB in ${Math.round(performance.now() - start)} ms`);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
    world.remove();
  },
);

it.each([
  ['read_file', 'long', { status: 'truncated', code: 'file_too_long', digest: null }],
  ['run_check', 'print', { status: 'truncated', code: 'output_limit', digest: null }],
  ['run_check', 'hash', { status: 'timeout', code: 'wall_time' }],
  ['remove_file', 'long', { status: 'timeout', code: 'wall_time' }],
])('what takes too long ends at its deadline, and at the signal: %s %s', async (tool, input, late) => {
  const world = await makeWorld({ wallMs: 300, checkMs: 300, wholeBytes: Number.MAX_SAFE_INTEGER }, checks);
  truncateSync(world.put('long', ''), 1_000 * BYTES);
  const start = performance.now();
  expect(await world.call(tool, input)).toMatchObject(late);
  expect(await world.call(tool, input, { signal: AbortSignal.timeout(100) })).toMatchObject({
    status: 'interrupted',
    code: 'aborted',
  });
  expect(performance.now() - start).toBeLessThan(5_000);
  world.remove();
});
