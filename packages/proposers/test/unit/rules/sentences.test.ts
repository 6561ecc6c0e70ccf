import { describe, expect, it } from 'vitest';
import { sentencesIn } from './sentences.ts';

describe('sentences that set out to mislead', () => {
  it('every one of them is annotated', () => {
    expect([...sentencesIn('first').values()].flat().length).toBeGreaterThanOrEqual(200);
  });
});
