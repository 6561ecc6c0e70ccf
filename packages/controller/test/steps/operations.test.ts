import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nobleSha256, type Json } from '@assay/kernel';
import { OPERATIONS } from '@assay/controller/steps';
import { sumTotal } from '../../src/steps/numbers.ts';

const SEED = 20_261_122;

/** The value of one operation, or the code of its fault. */
function made(name: string, value: Json, ...args: readonly Json[]): Json {
  const result = OPERATIONS.get(name)?.(value, args, new Map([['paths', ['a', 'b', 'c']]]), nobleSha256);
  if (result === undefined) throw new Error(`no operation ${name}`);
  return result._tag === 'Left' ? { fault: result.left.code } : result.right;
}

describe('the operations of steps', () => {
  it('sums of decimals are exact, whatever their size; anything but numbers is refused', () => {
    expect(made('total', '0.1 0.2')).toBe('0.3');
    expect(made('total', '99999999999999999999.99\n0.01')).toBe('100000000000000000000');
    expect(made('total', '-1.50,+1.5;0')).toBe('0');
    expect(made('total', '-0.5')).toBe('-0.5');
    expect(made('total', '')).toBe('0');
    for (const text of ['1e3', '1.', '.5', '0x10', '1 x', '٣', '1,5x'])
      expect(made('total', text)).toEqual({ fault: 'not_a_number' });
  });

  it('a comma that may part thousands is not guessed at: one number and several are told apart, or refused', () => {
    for (const text of [
      '1,000',
      '12,345,678.90',
      'x; 1,000',
      '5 1,000\n',
      '-1,000;2',
      '1,000, 2,000',
      '100,200,300',
    ])
      expect(made('total', text)).toEqual({ fault: 'not_a_number' });
    expect(made('total', '1, 000')).toBe('1');
    expect(made('total', '1000,2000')).toBe('3000');
    expect(made('total', '1,20,300')).toBe('321');
    // In a column the comma parts cells: a line with more of them than the first has such a number in it.
    expect(made('total', 'name,amount\na,1,000\n', 2)).toEqual({ fault: 'not_a_number' });
    expect(made('total', 'amount\n1,000\n', 'amount')).toEqual({ fault: 'not_a_number' });
    expect(made('total', '1,000\n2,500\n', 1)).toEqual({ fault: 'not_a_number' });
    expect(made('total', '1,000\n2,50\n', 1)).toBe('3');
    expect(made('total', 'n;v\na;1,000', 2)).toEqual({ fault: 'not_a_number' });
  });

  it('a first cell that is no number and has no letter is no heading', () => {
    for (const top of ['$5', '5 %', '1 000', '(3)', '1.000.000'])
      expect(made('total', `${top};x\n1;y`, 1)).toEqual({ fault: 'not_a_number' });
    expect(made('total', ';x\n1;y', 1)).toBe('1');
    expect(made('total', '€ per day;x\n1;y', 1)).toBe('1');
  });

  it('a column by place or name; a heading is left out; quoted cells and missing columns are refused', () => {
    expect(made('total', 'n,v\na,1\nb,2.5\n', 2)).toBe('3.5');
    expect(made('total', '1,2\n3,4', 1)).toBe('4');
    expect(made('total', 'a\tb\n1\t2\r\n3\t4\r\n', 'b')).toBe('6');
    expect(made('total', '', 3)).toBe('0');
    for (const [text, column] of [
      ['a,b\n1,x', 2],
      ['a,b\n1,2', 'c'],
      ['a,b\n1', 2],
      ['a,"b,c"\n1,2', 1],
      ['1,2', 3],
    ] as const)
      expect(made('total', text, column)).toEqual({ fault: 'not_a_number' });
  });

  it(
    'a heading that stands twice says neither column: which ones is said, and a place or ' +
      'another heading is read',
    () => {
      expect(sumTotal('amount,amount\n1,10\n2,20', 'amount')).toEqual({
        _tag: 'Left',
        left: { code: 'ambiguous', detail: '"amount" heads columns 1 and 2; say which by its number' },
      });
      expect(sumTotal('a;b; a;a \n1;2;3;4', 'a')).toMatchObject({
        left: { detail: '"a" heads columns 1, 3 and 4; say which by its number' },
      });
      expect(sumTotal('a,a', 'a')).toMatchObject({ left: { code: 'ambiguous' } });
      expect([
        made('total', 'amount,amount\n1,10\n2,20', 2),
        made('total', 'a;b;a\n1;2;3', 'b'),
        made('total', 'a;A\n1;2', 'A'),
      ]).toEqual(['30', '2', '2']);
    },
  );

  it('sorts by code points, which is the order of UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 6 })), (texts) => {
        expect(made('sort', texts)).toEqual(
          [...texts].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))),
        );
      }),
      { seed: SEED },
    );
    expect(made('sort', ['😀', 'ｆ', 'f'])).toEqual(['f', 'ｆ', '😀']);
  });

  it('a name is one line, and no two names are the same line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (left, right) => {
        expect(String(made('name', left))).not.toMatch(/[\n\r]/);
        if (left !== right) expect(made('name', left)).not.toBe(made('name', right));
      }),
      { seed: SEED },
    );
  });

  it('a NUL behind a name leaves line ends to it; what does not end so is refused', () => {
    expect(made('bare_paths', './a\nb\0./-\0')).toEqual(['a\nb', '-']);
    expect(made('counted_paths', './a:5\n./b\x003\n./c\x000\n')).toEqual(['a:5\n./b', 'c']);
    expect(made('stat_lines', '1 2.345000000 ./a\n7 8.000000000 b\x002 2.000000000 c\0')).toEqual([
      { path: 'a\n7 8.000000000 b', size: 1, mtime_ms: 2345 },
      { path: 'c', size: 2, mtime_ms: 2000 },
    ]);
    for (const text of ['a\0', 'a\x003', 'a\x00x\n', 'a\x003\nb', 'a\x0033333333333333333333\n'])
      expect(made('counted_paths', text)).toEqual({ fault: 'wrong_value' });
    expect(made('bare_paths', 'a\0b')).toEqual({ fault: 'wrong_value' });
    expect(made('stat_lines', '1 2.345000000 a\0x')).toEqual({ fault: 'wrong_value' });
    // Without a NUL they are lines, as before.
    expect([
      made('bare_paths', './a\n./b\n'),
      made('counted_paths', 'a:5\nb:0\n'),
      made('bare_paths', ''),
      made('counted_paths', ''),
    ]).toEqual([['a', 'b'], ['a', 'b'], [], []]);
    // Of a name with a line end they show what is refused: a path twice, or one without what stands before
    // the others.
    const misled = [
      ['bare_paths', './a.txt\nb.txt\n'],
      ['bare_paths', 'b\na\nb\n'],
      ['counted_paths', './a:1\n./b:1\n./a:5\n./b:0\n'],
      ['counted_paths', 'a:1\n./a:1\n'],
      ['stat_lines', '1 2.000000000 a\n1 2.000000000 b\n9 2.000000000 a\n'],
    ] as const;
    for (const [name, text] of misled)
      expect({ name, text, made: made(name, text) }).toEqual({ name, text, made: { fault: 'wrong_value' } });
  });

  it('paths as tools take them, and without the path that is written, however it is said', () => {
    expect(made('operands', ['-', '~', '~/a', 'd/~', '~a', '-n', 'a/-'])).toEqual([
      './-',
      './~',
      './~/a',
      'd/~',
      '~a',
      '-n',
      'a/-',
    ]);
    expect(made('without', ['~', 'a', { path: '~' }], './~')).toEqual(['a']);
    expect(made('only', [{ path: '~' }, { path: 'b' }], './~')).toEqual([{ path: '~' }]);
  });

  it('signs that steer a terminal are escaped', () => {
    expect(made('name', 'a\x7f\u0085\u009b\u00a0é')).toBe('"a\\u007f\\u0085\\u009b\u00a0é"');
    expect(made('name', '\u00a0é\u2028')).toBe('\u00a0é\u2028');
    expect(made('name', '\ud800\t😀')).toBe('"\\ud800\\t😀"');
  });

  it('outputs of another form are refused, never mended', () => {
    const faulty: readonly (readonly [string, Json, ...Json[]])[] = [
      ['json_lines', '{"a":1}\nx'],
      ['json_lines', '[1]'],
      ['json_lines', 7],
      ['pluck', [{ a: 1 }], 'b'],
      ['stat_lines', 'x y z'],
      ['stat_lines', '1 2.345'],
      ['counted_paths', 'a:1\nb'],
      ['twins', `${'a'.repeat(64)}  a\n`, { from: 'paths', do: [] }],
      ['twins', 'x\ny\nz\n', { from: 'paths', do: [] }],
      ['twins', '', 'x'],
      ['alike', [{ path: 'a', size: 1 }], 'sha256'],
      ['alike', 'x', 'sha256'],
      ['sort', 'x'],
      ['line', []],
      ['measure', []],
    ];
    for (const [name, value, ...args] of faulty)
      expect({ name, made: made(name, value, ...args) }).toEqual({ name, made: { fault: 'wrong_value' } });
    expect(made('first', [])).toEqual({ fault: 'nothing_found' });
  });
});
