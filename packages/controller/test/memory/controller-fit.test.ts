import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionOf, controllerRecall, defaultMemoryPolicy, DIRECTIVES, intentSlug, mayWrite, recallOf, type Recall } from '../../src/memory/index.js';
import { slugOf } from '../../src/loop/to-memory.js';
import { memoryAction, RECALL } from '../../src/protocol/recall.js';
import { anyTag } from './arbitraries.js';
import { Play } from './play.js';

const SEED = 20_261_122;

describe('a memory and a controller', () => {
  it('derive the same action from what is recalled, on every side of every threshold', () => {
    const edge = fc.tuple(fc.constantFrom(0, 200_000_000, 500_000_000, 5_000_000_000), fc.integer({ min: -2_000, max: 2_000 }), fc.constantFrom(1, -1)).map(([at, off, sign]) => sign * (at + off));
    fc.assert(fc.property(edge, edge, (attention, decision_nano) => {
      const potentials = { attention_nano: Math.abs(attention), decision_nano };
      const recall: Recall = { at_us: 0, tags: [{ space: 'tool:x', entity: 'env:local', ...potentials, action: actionOf(potentials, defaultMemoryPolicy) }], rules: [], failures: [], left_out: { tags: 0, rules: 0 } };
      const [tag] = controllerRecall(recall).tags;
      expect(tag === undefined ? null : memoryAction(tag)).toBe(recall.tags[0]?.action);
    }), { numRuns: 2_000, seed: SEED });
  });

  it('agree on the shape of a recall, whatever is remembered', () => {
    const written = fc.array(fc.tuple(anyTag, fc.constantFrom(...DIRECTIVES)).filter(([tag, state]) => mayWrite(state, tag)), { maxLength: 12 });
    fc.assert(fc.property(written, (drafts) => {
      const play = new Play();
      for (const [tag, state] of drafts) play.write(0, [{ ...tag, state, content: 'c' }]);
      const value = controllerRecall(recallOf(play.state, { intent: 'intent:a|b', tools: ['shell', 'read', '%7C|', 'constructor'] }, 0));
      expect(RECALL(value)).toBeNull();
    }), { numRuns: 200, seed: SEED });
  });

  it('a controller gets the recorded failures of an avoided intent as constraints (dec-M6)', () => {
    const play = new Play();
    play.times(1, 0, { space: 'intent:x', entity: 'env:local' }, 'abandon', 'the disk was full');
    expect(controllerRecall(recallOf(play.state, { intent: 'intent:x', tools: [] }, 0)).rules).toMatchObject([{ content: 'the disk was full', sign: -1, space: 'intent:x' }]);
  });

  it('agree on the slug of an intent (dec-M5)', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom('A', 'z', '0', ' ', '_', '\u007f', '\u0080', 'É', '\u{1f375}', '-') })), (text) => intentSlug(text) === slugOf(text)), { numRuns: 2_000, seed: SEED });
  });
});
