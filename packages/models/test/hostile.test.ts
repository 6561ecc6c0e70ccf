/** Whatever text, body or key there is: the port is total, bounded, and says nothing of it. */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { isProposer } from '@assay/kernel';
import { readShape, llmPort, openModel, parseModelName, parseParameters, parsePrices } from '@assay/models';
import { answerJson } from '../src/answer.ts';
import { boundedFetch, RESPONSE_BYTES_MAX } from '../src/call-failure.ts';
import { interpretationsTask } from '@assay/kernel/intent-prompts';
import { Locator } from '../../kernel/src/intent-prompts/interpretations.ts';
import { SeedText } from '@assay/kernel/intent';
import { CANARY, ran } from './tools/runs.ts';
import { scripted, WIRES } from './tools/scripted-server.ts';
import { said } from './tools/synthetic.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { draws } from '../../kernel/tools/laws.ts';
import { character } from '../../kernel/tools/arbitrary-json.js';

const SEED = 20_261_122;
const options = { seed: SEED, numRuns: draws(1_000) };
console.log(`seed ${SEED}, ${options.numRuns} runs each`);
/** Text with many brackets, quotes and escapes. */
const bracketed = fc.string({
  unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'a', ' ', '0', '\u{1f5c4}', '\ud800'),
  maxLength: 200,
});

describe.skipIf(!hasLoopback)("a model's text", () => {
  property.prop([fc.oneof(bracketed, fc.string({ unit: character }))], options)(
    'of any kind is read to an object or a fault',
    (text) => {
      const read = answerJson(text);
      if (read._tag === 'Right') expect(typeof read.right.json).toBe('object');
      else expect(['empty', 'json', 'several', 'duplicate_key', 'inadmissible']).toContain(read.left.code);
    },
  );

  property.prop([fc.json(), bracketed.filter((text) => !/[{}]/.test(text))], options)(
    'is found whatever stands around it',
    (json, around) => {
      const object = `{"a":${json}}`;
      const [bare, wrapped] = [
        answerJson(object),
        answerJson(`${around.replaceAll('"', '')}${object}\n${around}`),
      ];
      if (bare._tag === 'Right')
        expect(wrapped).toMatchObject({ _tag: 'Right', right: { json: bare.right.json } });
    },
  );

  test.each([['{'], ['{"'], ['{"a":'], ['{}'], ['{ "a": "'], ['["']])(
    'of a mebibyte of %s is read in bounded work',
    (unit) => {
      expect(answerJson(unit.repeat(1_048_576 / unit.length))._tag).toBe('Left');
    },
  );
});

test.skipIf(!hasLoopback).each([['a'], ['\\n'], ['\\"']])(
  'one string of a mebibyte of %s is read',
  (unit) => {
    expect(answerJson(`{"a":"${unit.repeat(1_048_576 / unit.length)}"}`)._tag).toBe('Right');
  },
);

describe.skipIf(!hasLoopback)('an answer of any JSON', () => {
  property.prop([fc.jsonValue(), fc.jsonValue()], options)(
    'is read to a proposal or a fault, for any body',
    (answer, body) => {
      expect(['Left', 'Right']).toContain(
        interpretationsTask.read(answer as never, body as never, readShape)._tag,
      );
      interpretationsTask.data(body as never);
    },
  );
});

describe.skipIf(!hasLoopback)('a quote', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '\n', '\t', '\u{1f5c4}', '.'),
    maxLength: 60,
  });
  property.prop([text, fc.nat(60), fc.nat(60)], options)(
    'of words of a text is found, and what is found are those words but for white space',
    (whole, from, length) => {
      const points = [...whole];
      const words = points.slice(from, from + length).join('');
      const seed = new SeedText(whole);
      const place = new Locator(seed).find(words.replaceAll(/\s+/g, ' '));
      const folded = words.trim().replaceAll(/[ \t\n]+/g, ' ');
      if (folded === '') expect(place).toBeNull();
      else expect(place === null ? null : seed.slice(place).replaceAll(/[ \t\n]+/g, ' ')).toBe(folded);
    },
  );

  property.prop([text, text], options)('that does not stand in a text is not found', (whole, words) => {
    const found = new Locator(new SeedText(whole)).find(words);
    const fold = (each: string): string => each.replaceAll(/[ \t\n]+/g, ' ');
    expect(found !== null).toBe(words.trim() !== '' && fold(whole).includes(fold(words).trim()));
  });
});

describe.skipIf(!hasLoopback)('names, parameters and tables', () => {
  property.prop(
    [
      fc.oneof(
        fc.string(),
        fc
          .tuple(
            fc.constantFrom(
              'anthropic/',
              'openai/',
              'compatible/',
              'compatible/m@http://',
              'compatible/m@https://h',
            ),
            fc.string({ unit: character }),
          )
          .map((parts) => parts.join('')),
      ),
    ],
    options,
  )('of any kind are read or refused, and a name that is read can stand in a record', (name) => {
    const read = parseModelName(name);
    if (read._tag === 'Left') return;
    const { provider, model, url } = read.right;
    expect([isProposer(`llm:${provider}/${model}`), url === null || URL.canParse(url)]).toEqual([true, true]);
  });

  property.prop(
    [
      fc.array(
        fc.oneof(
          fc.string(),
          fc
            .tuple(fc.constantFrom('temperature=', 'seed=', 'max_output_tokens='), fc.string())
            .map((parts) => parts.join('')),
        ),
      ),
    ],
    options,
  )('parameters are numbers in their ranges, or refused', (given) => {
    const read = parseParameters(given);
    if (read._tag === 'Right') expect(read.right.max_output_tokens).toBeGreaterThan(0);
  });

  property.prop([fc.jsonValue()], options)('any JSON is a table of prices or none', (value) => {
    expect(['Left', 'Right']).toContain(parsePrices(value as never)._tag);
  });

  test('a name that cannot stand in a record makes no port', async () => {
    const name = parseModelName('compatible/m@http://127.0.0.1:1');
    const opened = name._tag === 'Right' ? await openModel(name.right, {}) : name;
    if (opened._tag === 'Left') throw new Error(opened.left.code);
    expect(() => llmPort({ model: opened.right.model, provider: 'my own', name: 'm', tasks: [] })).toThrow(
      RangeError,
    );
  });
});

describe.skipIf(!hasLoopback).each(WIRES)('%s', (wire) => {
  test('a page of 40 MB is not read to its end, and is no answer', async () => {
    const run = await ran(wire, [{ raw: 'x'.repeat(40_000_000) }, { text: said() }]);
    expect([run.end, run.proposals[0]?.['failure']]).toMatchObject(['success', { code: 'malformed' }]);
  });
});

test.skipIf(!hasLoopback)(
  'a key that no header can hold is refused before anything, without it',
  async () => {
    const name = parseModelName('compatible/m@http://127.0.0.1:9/v1');
    for (const key of [`${CANARY}\n${CANARY}`, `${CANARY}\u00e9`, `${CANARY}\0`]) {
      const opened =
        name._tag === 'Right' ? await openModel(name.right, { ASSAY_COMPATIBLE_API_KEY: key }) : name;
      expect(opened).toEqual({
        _tag: 'Left',
        left: { code: 'key_characters', variable: 'ASSAY_COMPATIBLE_API_KEY' },
      });
    }
  },
);

test.skipIf(!hasLoopback)('a response is cut at its limit', async () => {
  const server = await scripted('compatible', [{ raw: 'x'.repeat(RESPONSE_BYTES_MAX + 1) }]);
  try {
    const response = await boundedFetch(server.url, { method: 'POST', body: '{}' });
    await expect(response.text()).rejects.toThrow('larger than');
  } finally {
    await server.close();
  }
});

test.each([
  ['2026-01-31', true],
  ['2024-02-29', true],
  ['2000-02-29', true],
  ['2026-99-99', false],
  ['2026-00-10', false],
  ['2026-04-31', false],
  ['2026-02-29', false],
  ['1900-02-29', false],
  ['2026-1-1', false],
  ['2026-01-00', false],
])('a table of prices as of %s: %s', (as_of, isDay) => {
  expect(parsePrices({ format: 'assay-prices/0', as_of, currency: 'usd', prices: [] })).toMatchObject(
    isDay ? { right: { asOf: as_of } } : { left: { code: 'shape', path: '/as_of' } },
  );
});
