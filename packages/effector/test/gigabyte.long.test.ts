import { createHash } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeWorld } from './tools/world.ts';

const BYTES = 1_073_741_824;
const zeros = createHash('sha256');
for (let piece = 0; piece < 1_024; piece += 1) zeros.update(Buffer.alloc(BYTES / 1_024));
const DIGEST = zeros.digest('hex');

it.each([
  ['read_file', 'long', 'file_too_long'],
  ['shell', 'cat long', 'output_limit'],
])(
  'an output of 1 GiB is cut, with its size and digest, in little memory: %s %s',
  async (tool, input, code) => {
    const world = await makeWorld({ wallMs: 60_000 });
    truncateSync(world.put('long', ''), BYTES);
    const before = process.memoryUsage().rss;
    const start = performance.now();
    expect(await world.call(tool, input)).toMatchObject({
      status: 'truncated',
      code,
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
  ['shell', 'cat long', { status: 'truncated', code: 'output_limit', digest: null }],
  ['shell', 'sha256sum long', { status: 'timeout', code: 'wall_time' }],
  ['remove_file', 'long', { status: 'timeout', code: 'wall_time' }],
])('what takes too long ends at its deadline, and at the signal: %s %s', async (tool, input, late) => {
  const world = await makeWorld({ wallMs: 300, wholeBytes: Number.MAX_SAFE_INTEGER });
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
