/** Rules as R4a: a criterion is met by the calls of its steps, and by nothing that is claimed (003 §R4a). */
import { describe, expect, it } from 'vitest';
import { hashText, nobleSha256, type Json } from '@assay/kernel';
import { canonicalText, judgeByRules, type Check } from '../../src/steps/index.ts';
import { called, evidenceOf, type Called } from '../lib/evidence.ts';

const step = (id: string, tool: string, input: Json, more: object = {}): Json =>
  ({ id, tool, input, may_fail: false, if_any: null, each: null, ...more }) as Json;
const NAMES = { from: 'found', do: [['json_lines'], ['names']] };
const context = canonicalText({
  format: 'assay/steps/2',
  output: NAMES,
  steps: [
    step('found', 'find_files', {}),
    step('write', 'write_file', { content: NAMES, path: 'r.md' }),
    step('look', 'read_file', { path: 'r.md' }),
    step('gone', 'read_file', { path: 'x' }, { may_fail: true }),
  ],
} as Json);

const FOUND = '{"path":"a","size":1}\n{"path":"b","size":1}\n';
const found = (whole = FOUND, more: Partial<Called> = {}): Called => called('find_files', {}, whole, more);
const saysWritten = (content: string): string =>
  `wrote r.md: ${Buffer.byteLength(content)} bytes, sha256 ${hashText(content, nobleSha256)}\n`;
const write = (said: string, content = 'a\nb\n'): Called =>
  called('write_file', { content, path: 'r.md' }, said);
const look = (content: string): Called => called('read_file', { path: 'r.md' }, content);

/** The verdict of one check, `pass` or the class of its failure, and the calls it names. */
function judged(
  check: Check | Json,
  calls: readonly Called[],
  claim = '',
  isKept = true,
): readonly [string | null, readonly number[]] {
  const { of, wholes } = evidenceOf(calls, { context });
  const criteria = [
    { id: '0.0.0', text: 'x', mode: 'verifiable' as const, hard: true, check: check as Json },
  ];
  const [one] = judgeByRules({ criteria, claim }, of, isKept ? wholes : new Map()).verdicts;
  return [one?.verdict === 'pass' ? 'pass' : (one?.failure_class ?? null), one?.calls ?? []];
}
const verdict = (...given: Parameters<typeof judged>): string | null => judged(...given)[0];

describe('what stands in a file', () => {
  const stands: Check = { is: 'stands', step: 'write', by: 'look', want: NAMES as unknown as Json };

  it('is what was wanted, made again from what was found, written and seen by a look after it', () => {
    expect(judged(stands, [found(), write(saysWritten('a\nb\n')), look('a\nb\n')])).toEqual(['pass', [2]]);
    const many = Array.from({ length: 400 }, (_, n) => `{"path":"${n}"}\n`).join('');
    const names = Array.from({ length: 400 }, (_, n) => `${n}\n`).join('');
    expect(verdict(stands, [found(many), write(saysWritten(names), names), look(names)])).toBe('pass');
  });

  it('is not: a claim, a write or a look that was not made, other bytes, another content wanted', () => {
    expect(verdict(stands, [], 'I wrote r.md, trust me')).toBe('environmental');
    expect(verdict(stands, [found(), write(saysWritten('a\nb\n'))], 'a\nb\n')).toBe('environmental');
    expect(verdict(stands, [found(), look('a\nb\n'), write(saysWritten('a\nb\n'))])).toBe('environmental');
    expect(verdict(stands, [found(), write(saysWritten('a\nb\n')), look('a\nc\n')])).toBe('logical');
    expect(verdict(stands, [found(), write(saysWritten('b\na\n')), look('b\na\n')])).toBe('logical');
    expect(verdict({ ...stands, want: 'hi' }, [found(), write(saysWritten('a\nb\n')), look('a\nb\n')])).toBe(
      'logical',
    );
    expect(verdict(stands, [found(), write('no mark'), look('a\nb\n')])).toBe('environmental');
    const failed = { ...write('no_space: r.md'), status: 'error' as const, code: 'no_space' };
    expect(verdict(stands, [found(), failed, look('a\nb\n')])).toBe('environmental');
    // Another file, or another content than the plan says, is a call of no step.
    const other = called('write_file', { content: 'a\nb\n', path: 'other.md' }, saysWritten('a\nb\n'));
    expect(verdict(stands, [found(), other, look('a\nb\n')])).toBe('environmental');
  });
});

describe('what is claimed, and what holds', () => {
  const claim: Check = { is: 'claim', value: NAMES };
  const count = { from: 'found', do: [['json_lines'], ['count']] };
  const holds = (op: string, than: Json): Json => ({ is: 'holds', that: { value: count, op, than } });

  it('is what the calls gave, also where a record shows only its head and tail', () => {
    const many = Array.from({ length: 400 }, (_, n) => `{"path":"${n}"}\n`).join('');
    const names = Array.from({ length: 400 }, (_, n) => `${n}\n`).join('');
    expect(judged(claim, [found(many)], names)).toEqual(['pass', [0]]);
    expect(verdict(claim, [found(many)], names, false)).toBe('environmental');
    expect(verdict(claim, [found()], 'a\n')).toBe('logical');
    expect(verdict(claim, [], 'a\nb\n')).toBe('environmental');
    expect(verdict(claim, [found('entry_limit', { status: 'truncated', code: 'entry_limit' })], '')).toBe(
      'environmental',
    );
    expect(verdict(claim, [found('no object')], 'no object')).toBe('logical');
  });

  it('a search that ran and found nothing is an answer (003 §R4a)', () => {
    expect(judged({ is: 'ran', step: 'found' }, [found('')])).toEqual(['pass', [0]]);
    expect(verdict({ is: 'ran', step: 'found' }, [])).toBe('environmental');
    expect(verdict(holds('=', '0'), [found('')])).toBe('pass');
  });

  it('numbers compare as decimals, texts without the end of their last line', () => {
    expect(verdict(holds('>=', '2'), [found()])).toBe('pass');
    expect(verdict(holds('<', '10'), [found()])).toBe('pass');
    expect(verdict(holds('=', '3'), [found()])).toBe('logical');
    expect(verdict(holds('=', count as Json), [found()])).toBe('pass');
    expect(verdict(holds('=', 'two'), [found()])).toBe('logical');
    expect(verdict(holds('>=', '2'), [])).toBe('environmental');
    const names = (op: string, than: Json): Json => ({ is: 'holds', that: { value: NAMES, op, than } });
    expect(verdict(names('is', 'a\nb'), [found()])).toBe('pass');
    expect(verdict(names('is_not', 'a\nb'), [found()])).toBe('logical');
    expect(verdict(names('ends', 'b\n'), [found()])).toBe('pass');
    expect(verdict(names('ends', 'a\n'), [found()])).toBe('logical');
  });

  it('all of several are met, or the first that is not says why', () => {
    const all = (...of: readonly Check[]): Json => ({ is: 'all', of }) as unknown as Json;
    expect(
      verdict(all({ is: 'ran', step: 'found' }, { is: 'claim', value: NAMES }), [found()], 'a\nb\n'),
    ).toBe('pass');
    expect(verdict(all({ is: 'ran', step: 'found' }, { is: 'claim', value: NAMES }), [found()], 'a\n')).toBe(
      'logical',
    );
  });
});

describe('a path', () => {
  const before = [found(), write(saysWritten('a\nb\n')), look('a\nb\n')];
  const seen = (output: string, more: Partial<Called>): readonly Called[] => [
    ...before,
    called('read_file', { path: 'x' }, output, more),
  ];

  it('is gone where nothing is found, and only there', () => {
    const gone: Check = { is: 'gone', step: 'gone' };
    expect(
      verdict(gone, seen('not_found: x: nothing is there', { status: 'error', code: 'not_found' })),
    ).toBe('pass');
    expect(verdict(gone, seen('x', {}))).toBe('logical');
    expect(verdict(gone, seen('no_permission: x', { status: 'error', code: 'no_permission' }))).toBe(
      'environmental',
    );
    // A file whose text says so is there.
    expect(verdict(gone, seen('not_found: x: nothing is there', {}))).toBe('logical');
    expect(
      verdict({ is: 'there', step: 'gone' }, seen('not_text: x', { status: 'error', code: 'not_text' })),
    ).toBe('pass');
    expect(verdict(gone, before)).toBe('environmental');
  });
});

describe('a criterion of another planner', () => {
  it('is never met by these rules', () => {
    for (const check of [
      null,
      {},
      { is: 'ran' },
      { is: 'because I say so' },
      [],
      'pass',
      { is: 'all', of: [null] },
      { is: 'present', as: 'answer' },
    ])
      expect(verdict(check as Json, [found()], 'done')).toBe('logical');
  });
});
