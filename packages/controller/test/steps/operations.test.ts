/** What can be made of outputs: exact, total, never mended (language/P4). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import { OPERATIONS, derive } from '../../src/steps/values.js';

const SEED = 20_261_122;

/** The value of one operation, or the code of its fault. */
function made(name: string, value: Json, ...args: readonly Json[]): Json {
  const result = OPERATIONS.get(name)?.(value, args);
  if (result === undefined) throw new Error(`no operation ${name}`);
  return result._tag === 'Left' ? { fault: result.left.code } : result.right;
}
const files = (...paths: readonly string[]): Json => paths.map((path) => ({ path, size: path.length }));
const pathsOf = (value: Json): Json => made('pluck', value, 'path');

describe('numbers', () => {
  it('sums are exact, whatever their size; what is no number is refused', () => {
    expect(made('sum', '0.1\n0.2\n')).toBe('0.3');
    expect(made('sum', '99999999999999999999.99\n0.01')).toBe('100000000000000000000');
    expect(made('sum', ' -1.50 \r\n+1.5\n\n0')).toBe('0');
    expect(made('sum', '')).toBe('0');
    for (const text of ['1e3', '1.', '.5', '0x10', '1 2', '1,000', '٣', 'x', '1;2'])
      expect(made('sum', text)).toEqual({ fault: 'not_a_number' });
  });

  it('means are rounded at six places, half away from zero', () => {
    expect(made('average', '31\n9\n27\n')).toBe('22.333333');
    expect(made('average', '-1\n-1\n0\n')).toBe('-0.666667');
    expect(made('average', '0.000001\n0\n')).toBe('0.000001');
    expect(made('average', '-0.000001\n0\n')).toBe('-0.000001');
    expect(made('average', '1.5\n2.5')).toBe('2');
    expect(made('average', '')).toEqual({ fault: 'not_a_number' });
  });

  it('measures lines, words, code points and bytes', () => {
    expect(['lines', 'words', 'characters', 'bytes'].map((unit) => made('measure', 'a b\n😀', unit))).toEqual(
      ['2', '3', '5', '8'],
    );
    expect(['', '\n', 'a', 'a\n', '\n\n'].map((text) => made('measure', text, 'lines'))).toEqual([
      '0',
      '1',
      '1',
      '1',
      '2',
    ]);
    expect(made('measure', '', 'inches')).toEqual({ fault: 'wrong_value' });
  });
});

describe('tables', () => {
  const csv = 'name,age\nAnn,31\nBob,9\nCid,27\n';

  it('by a heading the first line is none of the rows; by a place it is', () => {
    expect(made('column', csv, 'age')).toBe('31\n9\n27\n');
    expect(made('column', csv, 2)).toBe('age\n31\n9\n27\n');
    expect(made('sort', csv, 'age', 'up')).toBe('name,age\nBob,9\nCid,27\nAnn,31\n');
    expect(made('sort', csv, 'age', 'down')).toBe('name,age\nAnn,31\nCid,27\nBob,9\n');
    expect(made('sort', 'b;2\na;10\n', 2, 'up')).toBe('b;2\na;10\n');
    expect(made('sort', 'b\t2\na\t10', 1, 'up')).toBe('a\t10\nb\t2\n');
    expect(made('column', 'a, b\r\n1, 2\r\n\r\n3,4\r\n', 'b')).toBe('2\n4\n');
  });

  it('a column that is not there or stands twice, a quoted cell and a longer row are refused', () => {
    expect(made('column', csv, 'size')).toEqual({ fault: 'wrong_value' });
    expect(made('column', csv, 3)).toEqual({ fault: 'wrong_value' });
    expect(made('column', 'a,a\n1,2', 'a')).toEqual({ fault: 'ambiguous' });
    expect(made('column', 'a,b\n"1,2",3', 'b')).toEqual({ fault: 'wrong_value' });
    expect(made('sort', 'a,b\n1,000,2', 'b', 'up')).toEqual({ fault: 'wrong_value' });
    expect(made('column', '', 'a')).toEqual({ fault: 'wrong_value' });
  });
});

describe('lines', () => {
  it('are kept, dropped, cut, turned and replaced; each ends', () => {
    expect(made('keep', 'a x\nb\nc x', 'x')).toBe('a x\nc x\n');
    expect(made('drop', 'a x\nb\nc x', 'x')).toBe('b\n');
    expect(made('not_empty', 'a\n\n \t\nb')).toBe('a\nb\n');
    expect([made('first', 'a\nb\nc', 2), made('last', 'a\nb\nc', 2), made('last', 'a', 5)]).toEqual([
      'a\nb\n',
      'b\nc\n',
      'a\n',
    ]);
    expect([made('unique', 'b\na\nb\n'), made('reverse', 'a\nb')]).toEqual(['b\na\n', 'b\na\n']);
    expect(made('replace', 'foo $& foo', 'foo', '$&')).toBe('$& $& $&');
    expect(made('add', 'a', 'b')).toBe('ab');
    expect(made('keep', '', 'x')).toBe('');
  });

  it('are compared without what is blank at their ends, and keep it', () => {
    expect(made('sort', '10\r\n\t9\n 2 \r\nb\r\n a\n', null, 'up')).toBe(' 2 \r\n\t9\n10\r\n a\nb\r\n');
    expect(made('unique', 'a\r\nb\r\na\n b')).toBe('a\r\nb\r\n');
    expect(['sum', 'average'].map((name) => made(name, ' 10\r\n2\r\n'))).toEqual(['12', '6']);
  });

  it('are sorted: numbers by value and first, others by code points, which is the order of UTF-8 bytes', () => {
    expect(made('sort', '10\n9\nb\n-1.5\na', null, 'up')).toBe('-1.5\n9\n10\na\nb\n');
    const line = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
      .filter((text) => !/[\n\d]/.test(text));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const sorted = lines.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
        expect(made('sort', lines.join('\n'), null, 'up')).toBe(sorted.map((text) => `${text}\n`).join(''));
      }),
      { seed: SEED },
    );
  });
});

describe('files', () => {
  it('hidden ones are left out below a folder, but for a name that was asked for', () => {
    const all = files('.env', 'a', 'd/.x', 'd/b', '.git/c', 'd/.h/e');
    expect(pathsOf(made('visible', all, '', false))).toEqual(['a', 'd/b']);
    expect(pathsOf(made('visible', all, '', true))).toEqual(['.env', 'a', 'd/.x', 'd/b']);
    expect(pathsOf(made('visible', files('.git/c', '.git/.h/e'), '.git', false))).toEqual(['.git/c']);
  });

  it('are joined, told apart and put in order by their paths', () => {
    expect(pathsOf(made('union', files('b', 'a'), files('c', 'a')))).toEqual(['a', 'b', 'c']);
    expect(pathsOf(made('minus', files('a', 'b'), files('b', 'c')))).toEqual(['a']);
    expect(pathsOf(made('common', files('a', 'b'), files('b', 'c')))).toEqual(['b']);
    expect(pathsOf(made('directly', files('a', 'd/b', 'd/e/c'), 'd/'))).toEqual(['d/b']);
    expect(pathsOf(made('directly', files('a', 'd/b'), ''))).toEqual(['a']);
    expect(pathsOf(made('except', files('a', 'd/b', 'd/e/c', 'dd'), 'd'))).toEqual(['a', 'dd']);
    expect(pathsOf(made('order', files('bb', 'a', 'c'), 'size', 'down'))).toEqual(['bb', 'a', 'c']);
  });

  it('are moved into a folder under their names: those in it stay, and no two get one path', () => {
    expect(made('into', files('a', 'd/b', 'x/c'), 'x')).toEqual([
      { from: 'a', path: 'x/a' },
      { from: 'd/b', path: 'x/b' },
    ]);
    expect(made('into', files('a', 'd/a'), 'x')).toEqual({ fault: 'ambiguous' });
    expect(made('into', files('a', 'x/a'), 'x')).toEqual({ fault: 'ambiguous' });
    expect(made('paths', files('~', '~/a', '~a', 'd/~'))).toEqual(['./~', './~/a', '~a', 'd/~']);
  });

  it('a name is one line, and no two names are the same line; signs that steer a terminal are escaped', () => {
    const name = (path: string): string => String(made('names', [{ path }])).slice(0, -1);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (left, right) => {
        expect(name(left)).not.toMatch(/[\n\r]/);
        if (left !== right) expect(name(left)).not.toBe(name(right));
      }),
      { seed: SEED },
    );
    expect(name('a\x7f\u0085\u009b\u00a0é')).toBe('"a\\u007f\\u0085\\u009b\u00a0é"');
    expect(name('\ud800\t😀')).toBe('"\\ud800\\t😀"');
  });

  it('are told of by size, by extension, and by the same content', () => {
    const all = [
      { path: 'a.TXT', size: 1, sha256: 'x' },
      { path: 'b', size: 2, sha256: 'y' },
      { path: 'c.txt', size: 3, sha256: 'x' },
      { path: 'd\n', size: 4, sha256: 'y' },
      { path: 'e', size: 5, sha256: 'z' },
    ];
    expect(made('sizes', all)).toBe('a.TXT\t1\nb\t2\nc.txt\t3\n"d\\n"\t4\ne\t5\n');
    expect(made('by_extension', all)).toBe('-\t11\ntxt\t4\n');
    expect(made('same_content', all)).toBe('a.TXT\nc.txt\n\nb\n"d\\n"\n');
  });
});

describe('derivations', () => {
  it('arguments that are derivations are made first; what is not known is refused', () => {
    const outputs = new Map<string, Json>([
      ['empty', ''],
      ['a', 'x\n'],
      ['b', 'y'],
    ]);
    expect(derive({ from: 'a', do: [['add', { from: 'b', do: [['add', '!']] }]] }, outputs)).toEqual({
      _tag: 'Right',
      right: 'x\ny!',
    });
    expect(derive({ from: 'c', do: [] }, outputs)).toMatchObject({ left: { code: 'unknown_step' } });
    expect(derive({ from: 'a', do: [['add', { from: 'c', do: [] }]] }, outputs)).toMatchObject({
      left: { code: 'unknown_step', detail: 'c' },
    });
    expect(derive({ from: 'a', do: [['__proto__']] }, outputs)).toMatchObject({
      left: { code: 'unknown_operation' },
    });
  });

  it('outputs of another form are refused, never mended', () => {
    const faulty: readonly (readonly [string, Json, ...Json[]])[] = [
      ['json_lines', '{"a":1}\nx'],
      ['json_lines', '[1]'],
      ['json_lines', 7],
      ['pluck', [{ a: 1 }], 'b'],
      ['names', 'x'],
      ['sum', []],
      ['keep', 7, 'x'],
      ['count', 'x'],
    ];
    for (const [name, value, ...args] of faulty)
      expect({ name, made: made(name, value, ...args) }).toEqual({ name, made: { fault: 'wrong_value' } });
  });
});
