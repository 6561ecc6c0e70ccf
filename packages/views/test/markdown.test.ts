/**
 * Results as Markdown documents: what evidence says is shown and never markup; nothing is without its place.
 */
import { existsSync, readdirSync } from 'node:fs';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { Json } from '@assay/kernel';
import type { Blueprint, RefusalReport, VerificationPack } from '@assay/kernel/intent';
import { blueprintSchema, refusalReportSchema, verificationPackSchema } from '@assay/kernel/schemas';
import {
  renderBlueprintMarkdown,
  renderPackMarkdown,
  renderRefusalMarkdown,
} from '../src/documents/index.ts';
import { type AnsweredBy } from '../src/index.ts';
import { forMarkdownCode, visible } from '../src/escape/escape.ts';
import { readRecords } from '../../kernel/tools/goldens.ts';

const GOLDEN = new URL('../../../golden-fixtures/', import.meta.url);
const EVIL =
  'x](http://evil.example) <img src=evil onerror=evil()> ![e](evil) | a | evil |\n# evil\n|' +
  ' --- |\n`` `evil` ``` &#101;vil @evil www.evil.example \u202eevil\u001b[31m\\`';

/** The results of a golden run by name. */
function resultsOf(name: string): ReadonlyMap<string, Json> {
  const records = readRecords(name);
  return new Map(
    records
      .filter(({ kind }) => kind === 'artifact')
      .map(({ payload }) => payload as { readonly name: string; readonly content: Json })
      .map(({ name: artifact, content }) => [artifact, content]),
  );
}

const GOLDENS = readdirSync(GOLDEN).filter(
  (name) => name.startsWith('intent-') && existsSync(new URL(`${name}/ledger.jsonl`, GOLDEN)),
);
const BY: readonly AnsweredBy[] = [
  { slot: 'hand', proposer: 'fixture:hand', source: 'synthetic' },
  { slot: 'rules', proposer: 'rules', source: 'rule' },
];

/** Every document that results make. */
function documents(results: ReadonlyMap<string, Json>): readonly string[] {
  const [blueprint, pack, refusal] = [
    results.get('blueprint') as Blueprint | undefined,
    results.get('verification_pack') as VerificationPack | undefined,
    results.get('refusal_report') as RefusalReport | undefined,
  ];
  return [
    ...(blueprint === undefined || pack === undefined
      ? []
      : [
          renderBlueprintMarkdown(blueprint, pack, BY),
          renderPackMarkdown(pack, blueprint),
          renderPackMarkdown(pack),
        ]),
    ...(refusal === undefined ? [] : [renderRefusalMarkdown(refusal, BY), renderRefusalMarkdown(refusal)]),
  ];
}

/**
 * A line without its code spans, as CommonMark finds them: from a run of backticks to the next of the same
 * length.
 */
function outside(line: string): string {
  let rest = line;
  let left = '';
  for (;;) {
    const open = /`+/.exec(rest);
    if (open === null) return left + rest;
    const inside = rest.slice(open.index + open[0].length);
    const close = [...inside.matchAll(/`+/g)].find(([run]) => run.length === open[0].length);
    if (close === undefined) return `${left}${rest} UNCLOSED`;
    left += rest.slice(0, open.index);
    rest = inside.slice(close.index + open[0].length);
  }
}

/** Every free text of results replaced: names, words, notes, slots, ids of checks. */
function hostile(value: Json, key = ''): Json {
  const FREE = [
    'name',
    'summary',
    'text',
    'reading',
    'slot',
    'proposer',
    'chosen',
    'run_id',
    'assumptions',
    'policy_suggestions',
    'failure',
    'why_',
    'supporters',
  ];
  if (typeof value === 'string')
    return FREE.includes(key) || (key === 'id' && !/^[0-9a-f]{64}$/.test(value)) ? EVIL : value;
  if (Array.isArray(value)) return value.map((item) => hostile(item as Json, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hostile(item, name)]));
  return value;
}

const OURS = /^[\p{L}\p{N} \-·:;,.?#*()–/_…"=']*$/u;

describe('a text from evidence', () => {
  property.prop([
    fc.oneof(
      fc.string({ unit: fc.constantFrom('`', ' ', 'a', '\n', '|', '\\', '<') }),
      fc.string({ unit: 'grapheme' }),
      fc.string(),
    ),
  ])('is one code span on one line, whatever it is', (text) => {
    const span = forMarkdownCode(text);
    expect(span).not.toContain('\n');
    if (text === '') expect(span).toBe('(empty)');
    else {
      expect(outside(`a ${span} b`)).toBe('a  b');
      const [, fence = '', content = ''] = /^(`+)(.*?)\1$/s.exec(span) ?? [];
      expect(content.replace(/^ ([` ].*|.*[` ]) $/s, '$1')).toBe(text.split('\n').map(visible).join('↵'));
      expect(fence.length).toBeGreaterThan(0);
    }
  });

  test.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    [' x', '`  x `'],
    ['``x`', '``` ``x` ```'],
    ['a\nb', '`a↵b`'],
    ['\u202e\u0007\t\\', '`\\u{202e}\\u{7}\\u{9}\\`'],
    ['<b>[x](y)|', '`<b>[x](y)|`'],
  ])('%j becomes %s', (text, expected) => {
    expect(forMarkdownCode(text)).toBe(expected);
  });
});

describe.each(GOLDENS)('%s', (name) => {
  const results = resultsOf(name);

  test('outside of code there are only words of ours, also where every text is hostile', () => {
    const evil = new Map([...results].map(([artifact, content]) => [artifact, hostile(content)]));
    for (const [artifact, schema] of [
      ['blueprint', blueprintSchema],
      ['verification_pack', verificationPackSchema],
      ['refusal_report', refusalReportSchema],
    ] as const) {
      if (evil.has(artifact)) expect(schema(evil.get(artifact) ?? null)).toBeNull();
    }
    const plain = documents(results);
    expect(plain.length).toBeGreaterThan(0);
    for (const [index, text] of documents(evil).entries()) {
      const lines = text.split('\n');
      expect(text.endsWith('\n')).toBe(true);
      // oxlint-disable-next-line no-control-regex -- what must not be in it
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
      for (const line of lines) {
        expect(outside(line)).toMatch(OURS);
        expect(outside(line)).not.toContain('evil');
        expect(line).toMatch(/^$|^# |^## [A-Z]| *- |^[A-Z]/);
      }
      expect(
        lines.filter((line) => line.startsWith('#')).map((line) => line.replaceAll(/`.*`/g, '')),
      ).toEqual(
        (plain[index] ?? '')
          .split('\n')
          .filter((line) => line.startsWith('#'))
          .map((line) => line.replaceAll(/`.*`/g, '')),
      );
    }
  });

  test('each line on the request points at words of it, or is marked assumption or pin', () => {
    for (const text of documents(results)) {
      let section = '';
      for (const line of text.split('\n')) {
        section = /^## (\w+)/.exec(line)?.[1] ?? section;
        if (
          !/^ *- /.test(line) ||
          !['Claims', 'Assumed', 'Contradictions', 'Open', 'Not'].includes(section) ||
          /^- .* (?:outscored|pruned|vetoed)/.test(outside(line))
        )
          continue;
        expect(line).toMatch(/ \(\d+–\d+\)|\bassumption\b|\bpin\b/);
      }
    }
  });
});

describe('what they say', () => {
  test(
    'the blueprint: claims with places, measures and checks; pins; vetoes with both atoms; ' +
      'by hand where it was',
    () => {
      const [text = ''] = documents(resultsOf('intent-pin-veto'));
      expect(text).toMatch(/^# Blueprint: `ask-each-time`$/m);
      expect(text).toContain('parts of the request are covered: a claim or a question quotes them.');
      expect(text).toContain('`fixture:hand` (slot `hand`, synthetic, **written by hand**)');
      expect(text).toMatch(
        new RegExp(
          /^- `keep-the-card` of `hand` \(written by hand\) vetoed: pin_conflict /.source +
            /\(claim 3 says must `card data = true`, and pinned is must not `card data = true`\)$/.source,
          'm',
        ),
      );
      expect(text).toMatch(/^## Not covered: nobody claimed it \(\d+\)$/m);
      for (const { text: words, start, end } of (
        resultsOf('intent-pin-veto').get('blueprint') as unknown as Blueprint
      ).uncovered)
        expect(text).toContain(`\`${words}\` (${start}–${end})`);
    },
  );

  test.each(
    GOLDENS.filter((name) =>
      ((resultsOf(name).get('blueprint') as Blueprint | undefined)?.contradictions ?? []).some(
        ({ rejected }) => rejected !== null,
      ),
    ),
  )('a settled contradiction names its rejected side: %s', (name) => {
    const [text = ''] = documents(resultsOf(name));
    expect(text).toMatch(
      new RegExp(
        /^- settled by (?:pin|commit) \(derived, (?:interval|polarity)\): .*\) · against /.source +
          /\*\*must(?:_not)?\*\* `.*` \(\d+–\d+\), rejected with the reading `.*`$/.source,
        'm',
      ),
    );
  });

  test('the pack: what holds where, and what waits', () => {
    const text = renderPackMarkdown(
      resultsOf('intent-clinic-reminders').get('verification_pack') as unknown as VerificationPack,
    );
    expect(text).toContain(
      '`the front desk must call once (if: If the patient has not confirmed within 24 hours)`',
    );
    expect(text).toMatch(/^- `check-\d+` \*\*must\*\* `.*` · test · holds where `.* [=<>≤≥]+ .*`$/m);
    expect(text).toContain('## Waiting for an answer: cannot pass before');
  });

  test('the refusal: why, and what would settle it; by hand where it was', () => {
    const text = renderRefusalMarkdown(
      resultsOf('intent-hostile-text').get('refusal_report') as unknown as RefusalReport,
      BY,
    );
    expect(text).toMatch(/^# Refused: max_nodes$/m);
    expect(text).toMatch(
      /^- max_nodes: `max_nodes is \d+; this run needs \d+\. Raise max_nodes, or split the request\.`$/m,
    );
    expect(text).toContain('`fixture:hand` (slot `hand`, synthetic, **written by hand**)');
    expect(text).toContain('`</script><b>approve`');
  });

  test.each([
    [
      'intent-log-retention-conflict',
      new RegExp(
        /^- contradiction_budget: .*\n {2}- \*\*must\*\* `Logs must be kept for at most 30 days` · /.source +
          /`log retention ≤ 30 d` · against \*\*must\*\* `Logs must be kept for at least 365 days` · /
            .source +
          /`log retention ≥ 365 d`: pin the one that holds$/.source,
        'm',
      ),
    ],
    [
      'intent-ambiguous',
      /^- ambiguous: .*\n {2}- between `short` and `long`: pin what only one of them says$/m,
    ],
    [
      'intent-no-valid-interpretation',
      /^- no_valid_interpretation: .*\n {2}- 5 vetoed, each with its vetoes under Readings$/m,
    ],
    [
      'intent-nothing-actionable',
      /^- nothing_actionable: .*\n {2}- .* open, each below with what would settle it$/m,
    ],
  ])('each reason of %s stands with what bears it out', (name, lines) => {
    const report = resultsOf(name).get('refusal_report') as unknown as RefusalReport;
    expect(renderRefusalMarkdown(report, BY)).toMatch(lines);
    // The count of reasons is that of the report, whatever stands below them.
    expect(renderRefusalMarkdown(report, BY)).toContain(
      `## Why, and what would settle it (${report.reasons.length})`,
    );
  });

  test('what nobody took up is listed where it is given, and no heading stands where it is not', () => {
    const report = resultsOf('intent-ambiguous').get('refusal_report') as unknown as RefusalReport;
    const many: Blueprint['uncovered'] = Array.from({ length: 900 }, (_, index) => ({
      kind: 'quantity',
      text: '7 km',
      start: index * 10,
      end: index * 10 + 4,
      clause: { text: `at 7 km, ${index}`, start: index * 10, end: index * 10 + 9 },
    }));
    expect(renderRefusalMarkdown(report, BY, many)).toMatch(
      /## Not covered: no reading claims it \(900\)\n(?:- quantity .*\n){100}- … and \d{3} further lines like these\n/,
    );
    const uncovered: Blueprint['uncovered'] = [
      { kind: 'quantity', text: '7 km', start: 3, end: 7, clause: { text: 'at 7 km', start: 0, end: 7 } },
    ];
    expect(renderRefusalMarkdown(report, BY, uncovered)).toContain(
      '## Not covered: no reading claims it (1)\n- quantity `7 km` (3–7) in `at 7 km` (0–7)\n',
    );
    for (const none of [null, []])
      expect(renderRefusalMarkdown(report, BY, none)).not.toContain('Not covered');
  });

  test.each([
    [null],
    ['x'],
    [[1, null, 'x', {}]],
    [[{ a: { modality: '`<b>', atom: { key: 'a' }, text: EVIL }, b: 7 }]],
  ])('a detail of any other form is no reason to fail, nor markup: %j', (detail) => {
    for (const code of ['contradiction_budget', 'ambiguous'] as const) {
      const report = resultsOf('intent-ambiguous').get('refusal_report') as unknown as RefusalReport;
      const text = renderRefusalMarkdown(
        { ...report, reasons: [{ code, limit: null, value: null, needed: null, detail }] },
        BY,
      );
      for (const line of text.split('\n')) expect(outside(line)).toMatch(OURS);
    }
  });
});
