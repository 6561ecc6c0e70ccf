import { describe, expect, it } from 'vitest';
import { hashText, nobleSha256, type Json } from '@assay/kernel';
import { judgeByRules, type Check } from '../../src/steps/index.ts';
import { called, evidenceOf, type Called } from '../lib/evidence.ts';

const call = (tool: string, path: string, output: string, more: Partial<Called> = {}): Called =>
  called(tool, tool === 'find_files' ? {} : { path }, output, more);
const write = (path: string, content: string): Called =>
  called(
    'write_file',
    { content, path },
    `wrote ${path}: ${Buffer.byteLength(content)} bytes, sha256 ${hashText(content, nobleSha256)}\n`,
  );
const READ = { tool: 'read_file', input: { path: 'r.md' } };
const FIND = { tool: 'find_files', input: null };

/** The verdict of one check: `pass`, or the class of its failure; and the calls it names. */
function judged(
  check: Check | Json,
  calls: readonly Called[],
  claim = '',
): readonly [string | null, readonly number[]] {
  const { of, wholes } = evidenceOf(calls);
  const criteria = [
    { id: '0.0.0', text: 'x', mode: 'verifiable' as const, hard: true, check: check as Json },
  ];
  const [found] = judgeByRules({ criteria, claim }, of, wholes).verdicts;
  return [found?.verdict === 'pass' ? 'pass' : (found?.failure_class ?? null), found?.calls ?? []];
}
function verdict(check: Check | Json, calls: readonly Called[], claim = ''): string | null {
  return judged(check, calls, claim)[0];
}

describe('what stands in a file', () => {
  const stands: Check = { is: 'stands', path: 'r.md', look: READ, want: null };
  const long = 'x'.repeat(5_000);

  it('is what was written, seen by a look after it; a claim alone is nothing', () => {
    expect(verdict(stands, [write('r.md', 'a\n'), call('read_file', 'r.md', 'a\n')])).toBe('pass');
    expect(verdict(stands, [write('r.md', long), call('read_file', 'r.md', long)])).toBe('pass');
    expect(verdict(stands, [], 'I wrote r.md, trust me')).toBe('environmental');
    expect(verdict(stands, [write('r.md', 'a\n')], 'a')).toBe('environmental');
    // A look before the write shows nothing of it.
    expect(verdict(stands, [call('read_file', 'r.md', 'a\n'), write('r.md', 'a\n')])).toBe('environmental');
  });

  it('is not: another content, of the same beginning and of the same length; another path; a write that failed', () => {
    expect(verdict(stands, [write('r.md', 'a\n'), call('read_file', 'r.md', 'b\n')])).toBe('logical');
    expect(verdict(stands, [write('r.md', long), call('read_file', 'r.md', `${long.slice(0, -1)}y`)])).toBe(
      'logical',
    );
    expect(verdict(stands, [write('other.md', 'a\n'), call('read_file', 'r.md', 'a\n')])).toBe(
      'environmental',
    );
    expect(
      verdict(stands, [
        called('write_file', { content: 'a\n', path: 'r.md' }, 'no_space: r.md', {
          status: 'error',
          code: 'no_space',
        }),
        call('read_file', 'r.md', 'a\n'),
      ]),
    ).toBe('environmental');
    // The output of a look that only says so is no write.
    expect(
      verdict(stands, [
        call('read_file', 'x', 'wrote r.md: 2 bytes, sha256 0\n'),
        call('read_file', 'r.md', 'a\n'),
      ]),
    ).toBe('environmental');
  });

  it('is what was wanted, made again from what the search showed', () => {
    const wanted: Check = {
      is: 'stands',
      path: 'r.md',
      look: READ,
      want: {
        text: null,
        looks: [{ id: 'found', look: FIND }],
        value: { from: 'found', do: [['json_lines'], ['pluck', 'path'], ['sort'], ['as_lines']] },
      },
    };
    const found = call('find_files', '{}', '{"path":"b","size":1}\n{"path":"a","size":1}\n');
    expect(verdict(wanted, [found, write('r.md', 'a\nb\n'), call('read_file', 'r.md', 'a\nb\n')])).toBe(
      'pass',
    );
    expect(verdict(wanted, [found, write('r.md', 'b\na\n'), call('read_file', 'r.md', 'b\na\n')])).toBe(
      'logical',
    );
    expect(
      verdict({ ...wanted, want: { text: 'hi', looks: [], value: { from: 'x', do: [] } } }, [
        write('r.md', 'ho'),
        call('read_file', 'r.md', 'ho'),
      ]),
    ).toBe('logical');
  });
});

describe('what is claimed', () => {
  const claim: Check = {
    is: 'claim',
    look: FIND,
    do: [['json_lines'], ['first'], ['pluck', 'path']],
  };

  it('is what the tool found, also where a record shows only its head and tail, and names the call', () => {
    const lines = Array.from({ length: 50 }, (_, index) => `{"path":"file ${index}","size":${index}}\n`).join(
      '',
    );
    expect(judged(claim, [call('read_file', 'x', ''), call('find_files', '{}', lines)], 'file 0')).toEqual([
      'pass',
      [1],
    ]);
    const { of } = evidenceOf([call('find_files', '{}', lines)]);
    const criteria = [{ id: '0.0.0', text: 'x', mode: 'verifiable' as const, hard: true, check: claim }];
    expect(judgeByRules({ criteria, claim: 'file 0' }, of, new Map()).verdicts).toMatchObject([
      { verdict: 'fail', failure_class: 'environmental', evidence: expect.stringMatching(/^output_gone: /) },
    ]);
    expect(verdict(claim, [call('find_files', '{}', lines)], 'file 1')).toBe('logical');
    expect(verdict(claim, [call('find_files', '{}', '')], 'file 0')).toBe('logical');
    expect(
      verdict(
        claim,
        [call('find_files', '{}', 'entry_limit', { status: 'truncated', code: 'entry_limit' })],
        'file 0',
      ),
    ).toBe('environmental');
    expect(verdict(claim, [], 'file 0')).toBe('environmental');
  });

  it('a search that ran and found nothing is an answer (003 §R4a)', () => {
    expect(
      verdict(
        { is: 'claim', look: FIND, do: [['json_lines'], ['count'], ['text']] },
        [call('find_files', '{}', '')],
        '0',
      ),
    ).toBe('pass');
    expect(verdict({ is: 'ran', look: FIND }, [call('find_files', '{}', '')])).toBe('pass');
  });
});

describe('a path', () => {
  it('is gone where nothing is found, and only there', () => {
    const gone: Check = { is: 'gone', look: READ };
    expect(
      verdict(gone, [
        call('read_file', 'r.md', 'not_found: r.md: nothing is there', {
          status: 'error',
          code: 'not_found',
        }),
      ]),
    ).toBe('pass');
    expect(verdict(gone, [call('read_file', 'r.md', 'x')])).toBe('logical');
    expect(
      verdict(gone, [
        call('read_file', 'r.md', 'no_permission: r.md', { status: 'error', code: 'no_permission' }),
      ]),
    ).toBe('environmental');
    // A file whose text says so is there.
    expect(verdict(gone, [call('read_file', 'r.md', 'not_found: r.md: nothing is there')])).toBe('logical');
    expect(
      verdict({ is: 'there', look: READ }, [
        call('read_file', 'r.md', 'not_text: r.md: 3 bytes', { status: 'error', code: 'not_text' }),
      ]),
    ).toBe('pass');
  });
});

describe('a criterion of another planner', () => {
  it('is never met by these rules', () => {
    for (const check of [null, {}, { is: 'ran' }, { is: 'because I say so' }, [], 'pass'])
      expect(verdict(check, [write('r.md', 'a')], 'done')).toBe('logical');
  });
});
