import { INTEGRITY_CODES } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { CHECKS, notChecked, type CheckName, type Verdict, type VerifyDocument } from '@assay/verifier';
import { failed, held } from '../../verifier/src/verify/document.ts';
import { renderReason, renderAnnotations, renderJunit, renderTerminal } from '../src/index.ts';
import { forMarkdownCode } from '../src/escape/escape.ts';
import { hashOf } from '../../kernel/tools/ledger-builder.js';

const document = (
  changes: Partial<Record<CheckName, Verdict>> = {},
  more: Partial<VerifyDocument> = {},
): VerifyDocument => ({
  file: 'a.jsonl',
  head: { run_id: 'poll-1', count: 8, hash: hashOf(1) },
  outcome: 'success',
  due: 0,
  checks: {
    integrity: held(),
    rederivation: held(),
    completeness: held(),
    authorship: notChecked('unsigned'),
    time: notChecked('no_witness', null, 2),
    ...changes,
  },
  ...more,
});
const mixed = document({
  rederivation: failed('differs', 3, 1, { field: '/payload/code', expected: 'x', got: { a: [1] } }),
  completeness: failed('head_mismatch', null, 4, { expected: null, field: null }),
  authorship: failed('unknown', 5, 3),
});
const unchecked = document({ rederivation: notChecked('limit', 0, 1), completeness: notChecked('no_head') });

/** A code and its words, as each check says it. */
const said = (code: string): string => `${code}: ${renderReason('time', failed(code, null))}`;

describe('a whole text', () => {
  it('for a terminal, of a chain that is foreign, of one without a head, and with remarks', () => {
    const foreign = document(
      { integrity: held({ remarks: ['unknown kinds', 'unknown blobs'] }, 2, 3) },
      { head: { run_id: null, count: 2, hash: hashOf(1) }, outcome: 'refused', due: null },
    );
    expect(renderTerminal(foreign).slice(0, 3)).toEqual([
      'a.jsonl  foreign chain  2 records  ended refused',
      `  integrity     held         ${renderReason('integrity', held())} ` +
        '(unknown kinds, unknown blobs: record 2 and 2 more)',
      `  rederivation  held         ${renderReason('rederivation', held())}`,
    ]);
    const remarked = (remarks: readonly string[]): string | undefined =>
      renderTerminal(document({ integrity: held({ remarks }) }))[1];
    expect(remarked(['erased'])).toBe(`${remarked([])} (erased)`);
    expect(renderTerminal(document({}, { head: null, outcome: 'open' }))[0]).toBe('a.jsonl');
  });

  it('for a terminal, of evidence at and above 160 characters', () => {
    const shown = (length: number): string | undefined =>
      renderTerminal(document({ integrity: failed('shape', 0, 1, { path: 'y'.repeat(length) }) }))[2];
    expect(shown(160)).toBe(`                path     ${'y'.repeat(160)}`);
    expect(shown(161)).toBe(`                path     ${'y'.repeat(160)} … (161 characters)`);
  });

  it('for JUnit', () => {
    expect(renderJunit([mixed, unchecked])).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="assay verify">
  <testsuite name="a.jsonl" tests="5" failures="3" errors="0" skipped="1">
    <testcase classname="a.jsonl" name="integrity"/>
    <testcase classname="a.jsonl" name="rederivation">
      <failure type="differs" message="${said('differs')} (record 3)">` +
        `{&quot;field&quot;:&quot;/payload/code&quot;,&quot;expected&quot;:&quot;x&quot;,&quot;got&` +
        `quot;:{&quot;a&quot;:[1]}}</failure>
    </testcase>
    <testcase classname="a.jsonl" name="completeness">
      <failure type="head_mismatch" message="${said('head_mismatch')} (4 records)">` +
        `{&quot;expected&quot;:null,&quot;field&quot;:null}</failure>
    </testcase>
    <testcase classname="a.jsonl" name="authorship">
      <failure type="unknown" message="${said('unknown')} (record 5 and 2 more)"></failure>
    </testcase>
    <testcase classname="a.jsonl" name="time">
      <skipped message="${said('no_witness')} (2 records)"></skipped>
    </testcase>
  </testsuite>
  <testsuite name="a.jsonl" tests="5" failures="0" errors="1" skipped="3">
    <testcase classname="a.jsonl" name="integrity"/>
    <testcase classname="a.jsonl" name="rederivation">
      <error type="limit" message="${said('limit')} (record 0)"></error>
    </testcase>
    <testcase classname="a.jsonl" name="completeness">
      <skipped message="${said('no_head')}"></skipped>
    </testcase>
    <testcase classname="a.jsonl" name="authorship">
      <skipped message="${said('unsigned')}"></skipped>
    </testcase>
    <testcase classname="a.jsonl" name="time">
      <skipped message="${said('no_witness')} (2 records)"></skipped>
    </testcase>
  </testsuite>
</testsuites>
`,
    );
  });

  it('for a terminal and JUnit, evidence of bounded length', () => {
    const long = (length: number): VerifyDocument =>
      document({ integrity: failed('shape', 0, 1, { path: 'y'.repeat(length) }) });
    const detail = (length: number): string =>
      />([^<>]*)<\/failure>/.exec(renderJunit([long(length)]))?.[1] ?? '';
    const fits = 4_000 - '{"path":""}'.length;
    expect(detail(fits)).toBe(`{&quot;path&quot;:&quot;${'y'.repeat(fits)}&quot;}`);
    expect(detail(fits + 1)).toBe(
      `{&quot;path&quot;:&quot;${'y'.repeat(fits + 1)}&quot; … (4001 characters)`,
    );
  });

  it('for a terminal, no evidence beside a check that was not made or that held', () => {
    const evidence = { field: 'x', path: 'x', key: 'x', expected: 'x', got: { name: 'x' } };
    for (const verdict of [notChecked('unknown_machine', 0, 1, evidence), held(evidence)])
      expect(renderTerminal(document({ rederivation: verdict }))).toHaveLength(7);
    expect(renderTerminal(document({ rederivation: failed('differs', 0, 1, evidence) }))).toHaveLength(12);
  });

  it('for JUnit, no detail of what was not checked', () => {
    expect(renderJunit([document({ time: notChecked('no_witness', null, 0, { a: 1 }) })])).toContain(
      `${said('no_witness')}"></skipped>`,
    );
  });

  it('for annotations, with and without a line', () => {
    expect(renderAnnotations([mixed, unchecked], { strict: true })).toEqual([
      `::error file=a.jsonl,line=4,title=assay rederivation failed::${said('differs')} (record 3)`,
      `::error file=a.jsonl,title=assay completeness failed::${said('head_mismatch')} (4 records)`,
      `::error file=a.jsonl,line=6,title=assay authorship failed::${said('unknown')} (record 5 and 2 more)`,
      `::warning file=a.jsonl,line=1,title=assay rederivation not_checked::${said('limit')} (record 0)`,
      `::warning file=a.jsonl,title=assay completeness not_checked::${said('no_head')}`,
      `::warning file=a.jsonl,title=assay authorship not_checked::${said('unsigned')}`,
      `::warning file=a.jsonl,title=assay time not_checked::${said('no_witness')} (2 records)`,
      `::warning file=a.jsonl,title=assay time not_checked::${said('no_witness')} (2 records)`,
    ]);
  });

  it('for annotations, ten are shown as they are, and of more the rest counted at their own level', () => {
    const warned = Array.from({ length: 10 }, () => unchecked);
    expect(renderAnnotations(warned)).toEqual(
      Array.from({ length: 10 }, () => expect.stringContaining('rederivation not_checked')),
    );
    expect(renderAnnotations([...warned, unchecked]).at(-1)).toBe('::warning title=assay verify::and 2 more');
    expect(renderAnnotations([...warned, document({ time: failed('bad_witness', null) })]).at(-1)).toBe(
      '::error title=assay verify::and 2 more',
    );
  });
});

describe('a code span of Markdown', () => {
  it.each([
    ['', '(empty)'],
    ['a', '`a`'],
    ['a b', '`a b`'],
    ['a\nb\n', '`a↵b↵`'],
    ['a\u202eb', '`a\\u{202e}b`'],
    ['a`b', '``a`b``'],
    ['a``b`c', '```a``b`c```'],
    ['`a', '`` `a ``'],
    ['a`', '`` a` ``'],
    [' a', '`  a `'],
    ['a ', '` a  `'],
  ])('of %j is %s', (text, span) => expect(forMarkdownCode(text)).toBe(span));
});

describe('what a verdict means', () => {
  /** The codes of docs/formats/verdicts.md beside those of integrity. */
  const CODES = [
    ['differs', 'unknown_machine', 'unknown_format', 'payload_erased', 'limit', 'integrity'],
    ['truncated', 'head_mismatch', 'split_view', 'expectation', 'no_head', 'open_run', 'beyond_head'],
    ['unsigned', 'no_key', 'unknown_key', 'below_threshold', 'bad_signature', 'signed_other', 'bad_proof'],
    ['no_witness', 'no_authority', 'bad_witness', 'witnessed_other'],
  ].flat();
  const ALL = [...INTEGRITY_CODES, ...CODES];
  const meaning = (code: string): string => renderReason('time', failed(code, null));

  it('each code is said in words of its own, the same for every check', () => {
    const unknown = meaning('no such code');
    expect(unknown).toMatch(/\w/);
    for (const code of ALL) {
      expect(meaning(code), code).toMatch(/^\w.*[\w)]$/);
      expect(meaning(code), code).not.toBe(unknown);
      expect(
        CHECKS.map((check) => renderReason(check, failed(code, 1, 2, { a: 1 }))),
        code,
      ).toEqual(CHECKS.map(() => meaning(code)));
    }
    expect(new Set(ALL.map(meaning)).size).toBe(ALL.length);
  });

  it('each check that held is said in words of its own, and integrity in others where payloads were not read', () => {
    const texts = [
      ...CHECKS.map((check) => renderReason(check, held())),
      renderReason('integrity', held({ hash_only: null })),
    ];
    for (const text of texts) expect(text).toMatch(/^\w.*\w$/);
    expect(new Set([...texts, ...ALL.map(meaning)]).size).toBe(texts.length + ALL.length);
    for (const check of CHECKS)
      expect(renderReason(check, held({ mode: 'hash_only' }))).toBe(renderReason(check, held()));
  });

  it('a verification by hashes alone is said to be one, and nothing else is', () => {
    expect(renderReason('rederivation', notChecked('limit', null, 0, { mode: 'hash_only' }))).toMatch(
      /^hash-only: \w/,
    );
    expect(renderReason('integrity', held({ hash_only: null }))).toMatch(/^hash-only: \w/);
    expect(renderReason('rederivation', notChecked('limit', null, 0, { mode: 'other' }))).toBe(
      meaning('limit'),
    );
    expect(renderReason('rederivation', notChecked('no_key', null, 0, { mode: 'hash_only' }))).toBe(
      meaning('no_key'),
    );
    expect(renderReason('rederivation', notChecked('limit', null, 0, null))).toBe(meaning('limit'));
    expect(renderReason('rederivation', notChecked('limit', null, 0, { hash_only: 1 }))).toBe(
      meaning('limit'),
    );
  });
});
