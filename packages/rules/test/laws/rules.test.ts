import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admit, orThrow, type Json } from '@assay/kernel';
import {
  defaultPolicy,
  isReadable,
  parseInterpretations,
  replay,
  runEngine,
  SeedText,
  type InterpretationsBody,
} from '@assay/kernel/intent';
import { proposeByRules, rulesProposer } from '@assay/rules';
import { draws } from '../../../kernel/tools/laws.ts';

const RUNS = draws(1_000);
const SEED = 20_260_101;
const PARTS: readonly string[] = [
  'must',
  'must not',
  'should',
  'may',
  'need not',
  'never',
  'no',
  'not only',
  'don’t',
  'nobody',
  'unless',
  'if',
  'except',
  'because',
  'and',
  'or',
  'but',
  'who',
  'the user',
  'the app',
  'files',
  'is',
  'are',
  'deleted',
  'kept',
  'keep',
  'delete',
  'show',
  '2 s',
  '30 days',
  'at most 5 MB',
  'no more than',
  'half a million',
  '€50',
  '26 to 28 °C',
  '± 0.1 mm',
  '11 May 2026',
  'next Friday',
  '8:00 to 20:00',
  'per month',
  'about',
  'fast',
  'modern',
  ',',
  '.',
  ';',
  ':',
  '?',
  '-',
  '–',
  '\n',
  '\n\n',
  '\n- ',
  '1. ',
  '2.1 ',
  '"',
  '“',
  '”',
  '😀',
  'é',
  '図書館',
  '__proto__',
  'SHALL',
  '(',
  ')',
  'e.g.',
  'max.',
  'under-14s',
  'over three years',
  'at the latest',
  'a.m.',
  'FR-1',
  '2秒以内',
  '#',
  '**',
  'with',
  'then',
  'so that',
  'as a coach I want',
  'could we',
  'would be nice',
  '16 classes',
  '50 classes',
  'data set',
  'one of the',
  'between 9:00 and',
  'before 3',
  '+5 °C',
  '1,5 m',
  '50.000 Euro',
  'exceed',
  'keep logs for 3 days',
  'delete logs after 5 days',
  'which',
  'where',
  'order',
  'report',
];
const texts = fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join(' '));

function bodyOf(seed_text: string): InterpretationsBody {
  return { slot: 'rules', seed_hash: '', seed_text, n: 8, pin: [] };
}

describe('laws of the rules', () => {
  it('rules/admissible: whatever the text, the answer can be recorded and is a list of readings or a failure', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { value, failure } = proposeByRules(bodyOf(text));
        return failure === null
          ? admit(value)._tag === 'Right' && parseInterpretations(value, new SeedText(text))._tag === 'Right'
          : value === null;
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  it('rules/grounded: every claim quotes the text, and its number can be read in its quote', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const seed = new SeedText(text);
        const parsed = parseInterpretations(proposeByRules(bodyOf(text)).value ?? [], seed);
        const claims = parsed._tag === 'Right' ? parsed.right.flatMap(({ commits }) => commits) : [];
        return claims.every(
          ({ quote, atom }) =>
            quote !== null &&
            quote.end - quote.start <= 240 &&
            (atom === null || isReadable(atom, seed.slice(quote))),
        );
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  it('rules/run-and-replay: a run on the rules ends and is derived again', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const run = orThrow(runEngine('r', text, null, defaultPolicy as unknown as Json, rulesProposer, 't'));
        return orThrow(replay(run.records)).summary_hash === run.summary_hash;
      }),
      { seed: SEED, numRuns: Math.ceil(RUNS / 4) },
    );
  });

  it('rules/linear: ten times the text takes no more than a few times ten times the work', () => {
    const work = (count: number): number => {
      const text = 'Last week it was 4 s, the files had about 5 MB, “so” it went - and nobody asked.\n'
        .repeat(count)
        .slice(0, 260_000);
      const start = process.cpuUsage();
      proposeByRules(bodyOf(text));
      return process.cpuUsage(start).user;
    };
    work(300);
    const [small, large] = [Math.min(work(300), work(300)), Math.min(work(3_000), work(3_000))];
    expect(large).toBeLessThan(small * 60 + 200_000);
  });
});
