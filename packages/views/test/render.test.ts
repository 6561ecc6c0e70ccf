import { INTEGRITY_CODES } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { hashOf, reforge } from '../../kernel/tools/ledger-builder.js';
import {
  CHECKS,
  notChecked,
  verify,
  type CheckName,
  type Verdict,
  type VerifyDocument,
} from '@assay/verifier';
import { failed, held } from '../../verifier/src/verify/document.ts';
import {
  forTerminal,
  renderAnnotations,
  renderJunit,
  renderStepSummary,
  renderTerminal,
  renderReason,
} from '../src/index.ts';
import {
  forGithubMessage,
  forGithubProperty,
  forMarkdown,
  forMarkdownCode,
  forXml,
  visible,
} from '../src/escape/escape.ts';
import { fileOf, machines, sha256, success } from '../../verifier/tools/runs.js';

const NOT_CHECKED: Readonly<Record<CheckName, readonly string[]>> = {
  integrity: [],
  rederivation: ['unknown_machine', 'unknown_format', 'payload_erased', 'limit', 'integrity'],
  completeness: ['no_head', 'open_run', 'beyond_head', 'integrity'],
  authorship: ['unsigned', 'no_key', 'unknown_key', 'below_threshold', 'beyond_head', 'integrity'],
  time: ['no_witness', 'no_authority', 'integrity'],
};
const PRAISE = /ok|valid|verified|passed|[✓✔☑✅√]/i;
const HOSTILE =
  'a\u001b[31m\u0000\u202ename\u200b\r\n::error::x%0A|<b>&"\'`*_[x](y)@me\ud800\u{e0041}\\u{41}';
const ODD =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\u{e0000}-\u{e0fff}]/u;

const document = (
  changes: Partial<Record<CheckName, Verdict>> = {},
  more: Partial<VerifyDocument> = {},
): VerifyDocument => ({
  file: 'run.ledger.jsonl',
  head: { run_id: 'poll-1', count: 8, hash: hashOf(1) },
  outcome: 'success',
  due: 0,
  checks: {
    integrity: held({ records: 8, remarks: [] }),
    rederivation: held({ derived: 5 }),
    completeness: notChecked('no_head'),
    authorship: notChecked('unsigned'),
    time: notChecked('no_witness'),
    ...changes,
  },
  ...more,
});

/** A document with a verdict of every sort. */
const whole = (
  changes: Partial<Record<CheckName, Verdict>> = {},
  more: Partial<VerifyDocument> = {},
): VerifyDocument =>
  document(
    { integrity: held(), completeness: held(), time: notChecked('no_witness', null, 2), ...changes },
    { file: 'a.jsonl', ...more },
  );
const mixed = whole({
  rederivation: failed('differs', 3, 1, { field: '/payload/code', expected: 'x', got: { a: [1] } }),
  completeness: failed('head_mismatch', null, 4, { expected: null, field: null }),
  authorship: failed('unknown', 5, 3),
});
const unchecked = whole({ rederivation: notChecked('limit', 0, 1), completeness: notChecked('no_head') });

/** A code and its words, as each check says it. */
const said = (code: string): string => `${code}: ${renderReason('time', failed(code, null))}`;

describe('terminal', () => {
  it('shows one line for each check, and a sentence', () => {
    const lines = renderTerminal(document({ integrity: held({ remarks: ['payload_erased'] }, 3, 2) }));
    expect(lines).toEqual([
      'run.ledger.jsonl  run poll-1  8 records  ended success',
      `  integrity     held         ${renderReason('integrity', held())} (payload_erased: record 3 and 1 more)`,
      `  rederivation  held         ${renderReason('rederivation', held())}`,
      `  completeness  not_checked  no_head: ${renderReason('completeness', notChecked('no_head'))}`,
      `  authorship    not_checked  unsigned: ${renderReason('authorship', notChecked('unsigned'))}`,
      `  time          not_checked  no_witness: ${renderReason('time', notChecked('no_witness'))}`,
      expect.stringMatching(/^Every decision follows from the recorded answers\. /),
    ]);
  });

  it('shows what was expected where a check failed', () => {
    const forged = reforge(success().records, (payload, index) =>
      index === 3 ? { ...payload, code: 'other' } : undefined,
    );
    const lines = renderTerminal(verify(HOSTILE, fileOf(forged), { machines, sha256 }).document);
    expect(lines.slice(2, 6)).toEqual([
      `  rederivation  failed       differs: ${renderReason('rederivation', failed('differs', 3))} (record 3)`,
      '                field    /payload/code',
      '                expected unknown_option',
      '                got      other',
    ]);
    expect(lines.at(-1)).toBe('Do not rely on this file: rederivation failed.');
    expect(lines[0]?.startsWith('a\\u{1b}[31m\\u{0}\\u{202e}name')).toBe(true);
  });

  it('shows open runs, and nothing that hides', () => {
    const evidence = { key: 'run', expected: HOSTILE, got: { a: HOSTILE } };
    const lines = renderTerminal(
      document({ completeness: failed('expectation', 0, 1, evidence) }, { outcome: 'open', due: 3 }),
    );
    expect(lines[0]).toBe('run.ledger.jsonl  run poll-1  8 records  still open  3 records due');
    expect(lines.join('')).not.toMatch(ODD);
  });

  it('says when unchecked results were allowed', () => {
    const unchecked = document({ rederivation: notChecked('unknown_machine', 0, 1, { got: 'valid' }) });
    expect(renderTerminal(unchecked, { allowUnchecked: true }).at(-1)).toContain('--checks any');
    expect(renderTerminal(unchecked).at(-1)).not.toContain('--checks any');
    expect(renderTerminal(document(), { allowUnchecked: true }).at(-1)).not.toContain('--checks any');
    expect(renderTerminal(document(), { allowUnchecked: true, strict: true }).at(-1)).toContain(
      '--checks any',
    );
  });

  it('no line printed for a not_checked verdict looks like a good result', () => {
    const printed: string[] = [];
    for (const check of CHECKS) {
      for (const code of NOT_CHECKED[check]) {
        for (const detail of [
          null,
          { got: 'verified ok valid passed ✓', mode: 'hash_only' },
          { got: 'ok' },
        ]) {
          const lines = renderTerminal(document({ [check]: notChecked(code, 2, 3, detail) }));
          const own = lines.filter((line) => line.startsWith(`  ${check} `));
          expect(own).toHaveLength(1);
          printed.push(...own, lines.at(-1) ?? '');
          expect(renderReason(check, notChecked(code))).not.toBe(
            renderReason(check, notChecked('another code')),
          );
        }
      }
    }
    for (const line of printed) expect(line).not.toMatch(PRAISE);
    expect(printed.length).toBeGreaterThan(100);
  });
});

describe('JUnit', () => {
  it('counts what is allowed as skipped, and nothing hides in it', () => {
    expect(
      renderJunit([document({ rederivation: notChecked('limit') })], { allowUnchecked: true }),
    ).toContain('errors="0" skipped="4"');
    expect(renderJunit([document()], { strict: true })).toContain('errors="3" skipped="0"');
    expect(renderJunit([document({}, { file: HOSTILE })]).replaceAll('\n', '')).not.toMatch(ODD);
  });
});

describe('GitHub', () => {
  it('annotates what failed first, and what was not derived again unless it is allowed', () => {
    const lines = renderAnnotations([
      document({ rederivation: notChecked('unknown_machine', 0, 1) }),
      document({ integrity: failed('parent', 4) }, { file: 'a:b,c%\n.jsonl' }),
    ]);
    expect(lines).toEqual([
      expect.stringMatching(
        /^::error file=a%3Ab%2Cc%25\\u\{a\}\.jsonl,line=5,title=assay integrity failed::parent: /,
      ),
      expect.stringMatching(
        /^::warning file=run\.ledger\.jsonl,line=1,title=assay rederivation not_checked::/,
      ),
    ]);
    expect(renderAnnotations([document()])).toEqual([]);
    expect(
      renderAnnotations([document({ rederivation: notChecked('limit') })], { allowUnchecked: true }),
    ).toEqual([]);
  });

  it('writes at most ten lines, the most important first, and counts the rest', () => {
    const many = [
      ...Array.from({ length: 9 }, () => document({ completeness: failed('truncated', null) })),
      document({ integrity: failed('empty', 0) }),
    ];
    expect(renderAnnotations(many)).toHaveLength(10);
    expect(renderAnnotations(many)[0]).toContain('assay integrity failed');
    const more = renderAnnotations([...many, ...many]);
    expect(more).toHaveLength(10);
    expect(more[9]).toBe('::error title=assay verify::and 11 more');
    expect(more[1]).toContain('integrity');
  });

  it('summarises in Markdown', () => {
    const text = renderStepSummary([document({}, { file: HOSTILE })]);
    expect(text.split('\n').filter((line) => line.startsWith('|'))).toHaveLength(3);
    expect(text.split('\n')[4]?.split(' | ')).toHaveLength(7);
    expect(text).not.toContain('<b>');
    expect(text).not.toContain('@me');
  });
});

describe('a whole text', () => {
  it('for a terminal, of a chain that is foreign, of one without a head, and with remarks', () => {
    const foreign = whole(
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
      renderTerminal(whole({ integrity: held({ remarks }) }))[1];
    expect(remarked(['erased'])).toBe(`${remarked([])} (erased)`);
    expect(renderTerminal(whole({}, { head: null, outcome: 'open' }))[0]).toBe('a.jsonl');
  });

  it('for a terminal, of evidence at and above 160 characters', () => {
    const shown = (length: number): string | undefined =>
      renderTerminal(whole({ integrity: failed('shape', 0, 1, { path: 'y'.repeat(length) }) }))[2];
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
      whole({ integrity: failed('shape', 0, 1, { path: 'y'.repeat(length) }) });
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
      expect(renderTerminal(whole({ rederivation: verdict }))).toHaveLength(7);
    expect(renderTerminal(whole({ rederivation: failed('differs', 0, 1, evidence) }))).toHaveLength(12);
  });

  it('for JUnit, no detail of what was not checked', () => {
    expect(renderJunit([whole({ time: notChecked('no_witness', null, 0, { a: 1 }) })])).toContain(
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
    expect(renderAnnotations([...warned, whole({ time: failed('bad_witness', null) })]).at(-1)).toBe(
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

describe('escapers', () => {
  it('show what is hidden, and cannot be faked', () => {
    expect(visible(HOSTILE)).toBe(
      'a\\u{1b}[31m\\u{0}\\u{202e}name\\u{200b}\\u{d}\\u{a}::error::x%0A|<b>&"\'`*_[x](y)@me\\u{d800}' +
        '\\u{e0041}\\\\u{41}',
    );
    expect(visible('grep "a\\.b" \\\\srv \\u0041')).toBe('grep "a\\.b" \\\\srv \\u0041');
    const apart = ['\\\u202e', '\\u{202e}', '\\\\u{202e}', '\u202e', '\\\\\u202e'];
    expect(new Set(apart.map(visible)).size).toBe(apart.length);
    expect(visible('Zürich 東京 😀 – “so”')).toBe('Zürich 東京 😀 – “so”');
    for (const escape of [visible, forTerminal, forXml, forGithubMessage, forGithubProperty, forMarkdown])
      expect(escape(HOSTILE)).not.toMatch(ODD);
  });

  it('are one for each sink', () => {
    expect(forXml('<a href="x">&\'\ufffe')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&apos;?');
    expect(forGithubMessage('100% ::x')).toBe('100%25 ::x');
    expect(forGithubProperty('a:b,c%')).toBe('a%3Ab%2Cc%25');
    expect(forMarkdown('a|b <x> @y _z_')).toBe('a&#124;b &#60;x&#62; &#64;y &#95;z&#95;');
  });
});
