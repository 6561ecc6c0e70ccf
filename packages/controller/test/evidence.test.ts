import { describe, expect, it } from 'vitest';
import { evidenceLine } from '../src/index.js';
import { called } from './lib/playing.js';

describe('a line of evidence', () => {
  it('shows an output of up to 200 units whole, and of a longer one 200 units, its size and its digest', () => {
    const digest = 'a'.repeat(64) as never;
    expect(evidenceLine(called('shell', 'ls', 'x'.repeat(200), { digest }))).toBe(`shell: ls → ${'x'.repeat(200)}`);
    expect(evidenceLine(called('shell', 'ls', 'x'.repeat(201), { digest, output_bytes: 9_000 }))).toBe(`shell: ls → ${'x'.repeat(200)}… [9000 bytes, sha256 ${digest}]`);
    expect(evidenceLine(called('shell', 'ls', 'x'.repeat(201)))).toBe(`shell: ls → ${'x'.repeat(200)}… [201 bytes]`);
  });
});
