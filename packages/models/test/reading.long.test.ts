/**
 * Every task that needs reading, on the wires of Anthropic and of OpenAI-compatible servers, streamed and not.
 */
import { describe, expect, test } from 'vitest';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { played, READING } from './tools/reading.ts';

describe.skipIf(!hasLoopback).each(READING)('$name', (task) => {
  test.each(['anthropic', 'compatible'] as const)(
    '%s: done by the files, and streamed or not the same decisions',
    async (wire) => {
      const [streamed, whole] = [
        await played(task, { wire, isStreamed: true }),
        await played(task, { wire, isStreamed: false }),
      ];
      expect([streamed.outcome, whole.outcome]).toEqual(['done', 'done']);
      expect(streamed.decided).toEqual(whole.decided);
    },
  );
});
