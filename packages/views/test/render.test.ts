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
import { forGithubMessage, forGithubProperty, forMarkdown, forXml, visible } from '../src/escape/escape.ts';
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

  it('shortens long evidence and shows open runs', () => {
    const long = document(
      {
        completeness: failed('expectation', 0, 1, {
          key: 'run',
          expected: 'x'.repeat(500),
          got: { a: HOSTILE },
        }),
      },
      { outcome: 'open', due: 3 },
    );
    const lines = renderTerminal(long);
    expect(lines[0]).toBe('run.ledger.jsonl  run poll-1  8 records  still open  3 records due');
    expect(lines.find((line) => line.includes('xxx'))).toMatch(/x{160} … \(500 characters\)$/);
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
    console.log([...new Set(printed)].join('\n'));
    for (const line of printed) expect(line).not.toMatch(PRAISE);
    expect(printed.length).toBeGreaterThan(100);
  });
});

describe('JUnit', () => {
  it('has a suite a file and a case a check; what was not derived again is an error', () => {
    const xml = renderJunit([
      document(
        {
          rederivation: notChecked('unknown_machine', 0, 1),
          completeness: failed('truncated', null, 2, { expected: { count: 9 } }),
        },
        { file: HOSTILE },
      ),
    ]);
    expect(xml).toContain('tests="5" failures="1" errors="1" skipped="2"');
    expect(xml).toContain(
      `<failure type="truncated" message="truncated: ${renderReason('completeness', failed('truncated', null))} ` +
        '(2 records)">{&quot;expected&quot;:{&quot;count&quot;:9}}</failure>',
    );
    expect(xml).toContain('<error type="unknown_machine"');
    expect(xml.replaceAll('\n', '')).not.toMatch(ODD);
    const long = renderJunit([
      document({ rederivation: failed('differs', 1, 1, { got: 'y'.repeat(20_000) }) }),
    ]);
    expect(long).toContain(`${'y'.repeat(3_000)}`);
    expect(long).toContain('… (20010 characters)');
    expect(long.length).toBeLessThan(6_000);
    expect(
      renderJunit([document({ rederivation: notChecked('limit') })], { allowUnchecked: true }),
    ).toContain('errors="0" skipped="4"');
    expect(renderJunit([document()], { strict: true })).toContain('errors="3" skipped="0"');
  });
});

describe('GitHub', () => {
  it('annotates what failed, then what was not derived again', () => {
    const lines = renderAnnotations([
      document({ rederivation: notChecked('unknown_machine', 0, 1) }),
      document({ integrity: failed('parent', 4) }, { file: 'a:b,c%\n.jsonl' }),
    ]);
    expect(lines).toEqual([
      '::error file=a%3Ab%2Cc%25\\u{a}.jsonl,line=5,title=assay integrity failed::parent: a ' +
        'record does not follow the one before it (record 4)',
      '::warning file=run.ledger.jsonl,line=1,title=assay rederivation ' +
        'not_checked::unknown_machine: this machine, or this version of it, is not available ' +
        '(record 0)',
    ]);
    expect(renderAnnotations([document()])).toEqual([]);
    expect(renderAnnotations([document()], { strict: true })).toHaveLength(3);
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
