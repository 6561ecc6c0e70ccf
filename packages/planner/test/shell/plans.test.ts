/** Plans from YAML and from templates. Source: dec-K87. */
import { readdirSync, readFileSync } from 'node:fs';
import { Validator, type Schema } from '@cfworker/json-schema';
import { orThrow } from '@assay/kernel';
import { checkPlan, parsePlan, readPlanFile } from '@assay/planner/schedule';
import { TEMPLATES, templatePlan, yamlPlan } from '../../src/shell/index.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.ts';

const refused = (text: string): string => {
  const read = yamlPlan(text);
  return read._tag === 'Right' ? 'taken' : `${read.left.code} ${read.left.line} ${read.left.detail}`;
};

/** False for digits that a number of JSON would round: those are refused. */
function isExact(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isExact);
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isExact);
  return !Number.isInteger(value) || Number.isSafeInteger(value) || String(value).includes('e');
}

describe('YAML', () => {
  it('reads as the JSON it stands for', () => {
    const text = `
plan: 1
rows:
  - {id: cost, op: <, cap: 50000}
tasks:
  - id: t1   # a comment
    after: []
    minutes: [60, 120, 180]
    title: "10:30 # no comment"
    confidence: 0xFF
`;
    expect(orThrow(yamlPlan(text))).toEqual({
      plan: 1,
      rows: [{ id: 'cost', op: '<', cap: 50_000 }],
      tasks: [{ id: 't1', after: [], minutes: [60, 120, 180], title: '10:30 # no comment', confidence: 255 }],
    });
  });

  it('reads JSON as JSON does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }).filter(isExact), (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(orThrow(yamlPlan(text))).toEqual(
          JSON.parse(text, (_, one: unknown) => (Object.is(one, -0) ? 0 : one)),
        );
      }),
      { seed: LAW_SEED, numRuns: draws(1_000) },
    );
  });

  it.each([
    ['a key twice', 'a: 1\nb: 2\na: 3', 'key 1 a'],
    ['an alias', 'a: &x [1]\nb: *x', 'alias 2 '],
    ['a bomb', 'a: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]', 'alias 2 '],
    ['a tag of YAML', 'a: 1\nb: !!binary aGVsbG8=', 'tag 2 tag:yaml.org,2002:binary'],
    ['a tag of somebody', 'a: !buffer 1', 'tag 1 '],
    ['two documents', 'a: 1\n---\nb: 2', 'documents 2 2'],
    ['no document', '', 'documents 1 0'],
    ['a number that would be rounded', 'a: 1\nb: 9007199254740993', 'number 2 9007199254740993'],
    ['no number', 'a: .nan', 'number 1 NaN'],
    ['a tab', 'a:\n\t- 1', 'syntax 2 TAB_AS_INDENT'],
    ['a key that is none', '[1]: 2', 'syntax 1 NON_STRING_KEY'],
    ['nesting that no plan has', '['.repeat(1_000_000), 'too_deep 1 32'],
    ['nesting by dashes', '- '.repeat(1_000_000), 'too_deep 1 32'],
    ['more than a plan has', 'a'.repeat(4_194_305), 'too_large 1 4194304'],
  ])('refuses %s', (_, text, said) => {
    expect(refused(text)).toBe(said);
  });

  it('takes 20,000 keys in the time that their number asks for', () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n');
    const start = process.cpuUsage().user;
    expect(refused(text)).toBe('taken');
    expect((process.cpuUsage().user - start) / 1_000).toBeLessThan(2_000);
  });

  it('is total', () => {
    const piece = fc.constantFrom(
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      '&x ',
      '*x',
      '!t ',
      '"',
      '|',
      '? ',
      '#',
      '1',
      ',',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const read = yamlPlan(pieces.join(''));
        expect(['Left', 'Right']).toContain(read._tag);
      }),
      { seed: LAW_SEED, numRuns: draws(2_000) },
    );
  });
});

describe('examples/plans', () => {
  const folder = new URL('../../../../examples/plans/', import.meta.url);
  const schema = new URL('../../../../schemas/plan.schema.json', import.meta.url);
  const published = new Validator(JSON.parse(readFileSync(schema, 'utf8')) as Schema, '2020-12');

  it.each(readdirSync(folder).filter((file) => file.endsWith('.yaml')))(
    '%s reads, and fits the published schema as it was written and as it is recorded',
    (file) => {
      const written = orThrow(yamlPlan(readFileSync(new URL(file, folder), 'utf8')));
      const read = orThrow(readPlanFile(written));
      expect(parsePlan(read)._tag).toBe('Right');
      expect([written, read].map((value) => published.validate(value).errors)).toEqual([[], []]);
    },
  );
});

describe('templates', () => {
  const whole = {
    size: 5,
    people: 1,
    rate: 6_000,
    unit: 'USD cents',
    cap: { op: '<', amount: 1 },
    deadline: { op: '<=', minutes: 1 },
  } as const;

  it.each(TEMPLATES)(
    '%s is a plan whose last task waits for all, and alternatives lower what it costs',
    (name) => {
      const plan = orThrow(parsePlan(orThrow(templatePlan(name, whole))));
      const report = checkPlan(plan);
      expect(report.exits).toEqual([]);
      expect(report.missing).toEqual([]);
      const [line] = report.before.lines;
      const least = report.raise?.joint?.caps[0]?.by ?? 0;
      expect(least).toBeGreaterThan(0);
      expect(least).toBeLessThan(line?.total?.[1] ?? 0);
      const bigger = orThrow(parsePlan(orThrow(templatePlan(name, { ...whole, size: 6 }))));
      expect(checkPlan(bigger).before.lines[0]?.total?.[1]).toBeGreaterThan(line?.total?.[1] ?? 0);
    },
  );

  it('counts the cost without a cap too, which then limits nothing', () => {
    const { rows } = orThrow(
      parsePlan(orThrow(templatePlan('cli', { ...whole, cap: null, deadline: null }))),
    );
    expect(rows).toMatchObject([{ id: 'cost', isHard: false }]);
  });

  it('is refused under a foreign name or beyond its limits', () => {
    expect(templatePlan('game', whole)).toMatchObject({ left: { code: 'unknown_template' } });
    expect(templatePlan('cli', { ...whole, size: 0 })).toMatchObject({ left: { name: 'size' } });
    expect(templatePlan('cli', { ...whole, people: 0 })).toMatchObject({ left: { name: 'people' } });
    expect(templatePlan('cli', { ...whole, rate: 0.5 })).toMatchObject({ left: { name: 'rate' } });
  });
});
