import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listMegrams, recallMegrams } from '../../src/memory/index.js';
import { DIRECTIVES, mayWrite } from '../../src/memory/quantization.js';
import { RECALL } from '../../src/protocol/recall.js';
import { anyTag } from './arbitraries.js';
import { Play } from './play.js';
import { draws } from '../../../kernel/tools/laws.ts';
import { character } from '../../../kernel/tools/arbitrary-json.js';

const SEED = 20_261_122;

describe('a memory and a controller', () => {
  it('agree on the shape of a recall, whatever is remembered', () => {
    const written = fc.array(
      fc.tuple(anyTag, fc.constantFrom(...DIRECTIVES)).filter(([tag, state]) => mayWrite(state, tag)),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(written, (drafts) => {
        const play = new Play();
        for (const [tag, state] of drafts) play.write(0, [{ ...tag, state, content: 'c' }]);
        expect(
          RECALL(
            recallMegrams(
              play.state,
              { intent: 'intent:a|b', tools: ['shell', 'read', '%7C|', 'constructor'] },
              0,
            ),
          ),
        ).toBeNull();
      }),
      { numRuns: draws(200), seed: SEED },
    );
  });

  it('a write takes whatever a round says', () => {
    const name = fc.oneof(
      fc.constantFrom('shell', '%7C|', '__proto__', 'x'),
      fc.string({ minLength: 1, maxLength: 400, unit: character }),
    );
    const round = fc.record({
      directive: fc.constantFrom(...DIRECTIVES),
      intent: fc.string({ maxLength: 400, unit: character }),
      blocked_tools: fc.array(name, { maxLength: 8 }),
      blocked_targets: fc.array(
        fc.record({ tool: name, target: fc.string({ maxLength: 6_000, unit: character, size: 'max' }) }),
        { maxLength: 8 },
      ),
      content: fc.string({ maxLength: 6_000, unit: character, size: 'max' }),
      prev: fc.option(
        fc.record({
          directive: fc.constantFrom(...DIRECTIVES),
          blocked_tools: fc.array(name, { maxLength: 8 }),
        }),
      ),
      d_fell: fc.boolean(),
    });
    fc.assert(
      fc.property(round, (given) => {
        const drafts = listMegrams(given);
        if (drafts.length > 0) expect(new Play().write(0, drafts).rejection).toBeNull();
      }),
      { numRuns: draws(300), seed: SEED },
    );
  });
});
