/**
 * What is blocked is blocked however it is written: one reading of an input, which reads too much rather than
 * too little.
 */
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { blockOf, isBlocked } from '@assay/controller';
import { wordsOf } from '../../src/protocol/inputs.ts';
import { draws } from '../../../kernel/tools/laws.ts';

const long = 'x'.repeat(5_000);
/** As a tool records an input that is too long. */
const cut = (input: string): string =>
  `${input.slice(0, 1_900)}\n[… 1300 characters left out …]\n${input.slice(-1_900)}\nsha256 ${'a'.repeat(64)}`;
const blocks = (block: string, used: string, tool = 'write_file'): boolean =>
  isBlocked({ tool, target: used }, [{ tool: 'write_file', target: block }]);
const b = '{"content":"x","path":"b"}';

describe('an input is blocked', () => {
  it.each([
    ['in another order of its members', b, '{"path":"b","content":"x"}'],
    ['with white space between its members', b, '{"content": "x", "path": "b"}'],
    ['with its path said otherwise', b, '{"content":"x","path":"./b"}'],
    ['with a trailing slash', b, '{"content":"x","path":"b/"}'],
    ['with a trailing dot', b, '{"content":"x","path":"b/."}'],
    ['with white space around its path', b, '{"content":"x","path":" b"}'],
    ['where a plan names its file alone', b, 'b'],
    ['where a plan names its file alone, said otherwise', b, './b/'],
    ['where a plan names the file of one that is too long', cut(`{"content":"${long}","path":"b"}`), 'b'],
    ['where its file is', 'b', b],
    ['where its file is, said otherwise', './/b', '{"path":"b/","content":"y"}'],
    ['where its file is, from the first line on', 'a.md', '{"from_line":1,"path":"./a.md"}'],
    [
      'in lines from the first on',
      '{"path":"a.md","to_line":9}',
      '{"from_line":1,"path":"a.md","to_line":9}',
    ],
    [
      'where its file is, and lines are a part of an act',
      'a.md',
      '{"content":"x","from_line":2,"path":"a.md"}',
    ],
    ['in lines said otherwise', '{"from_line":2,"path":"a.md"}', '{"path":"./a.md","from_line":2}'],
    ['where its file is, and it is too long', 'b', cut(`{"content":"${long}","path":"b"}`)],
    [
      'where its file is, whose name has a quote, and it is too long',
      '{"path":"b\\"c"}',
      cut(`{"content":"${long}","path":"b\\"c"}`),
    ],
    ['where its file is, whose name has white space', 'my file.md', '{"content":"x","path":"./my file.md"}'],
    ['where it moves from', 'a', '{"from":"./a","to":"c"}'],
    ['where it moves to', 'c', '{"from":"a","to":"c/"}'],
    ['where one of several is', 'a', '{"paths":["c","./a"]}'],
    ['in several members, each said otherwise', '{"from":"a","to":"c"}', '{ "to": ".//c", "from": "a/" }'],
    ['in a folder said otherwise', '{"name":"*.md","under":"d"}', '{"under":"./d/","name":"*.md"}'],
    ['as its one member, where a tool takes that as a text', '*.md', '{"name":"*.md"}'],
    ['as its one member, a pattern of paths', 'docs/*.md', '{"pattern":"./docs/*.md"}'],
    ['as a file whose name is in quotes', '{"path":"my file.md"}', '"my file.md"'],
    [
      'as a file whose name begins like an option, with and without the end of options',
      'cat -- -f',
      'cat ./-f',
    ],
    [
      'as the words of a line behind the end of options',
      'grep -- -x f',
      '{"pipeline":[["grep","--","-x","./f"]]}',
    ],
    [
      'as a folder to search, with white space in its name',
      '{"ext":"md","under":"a b"}',
      '{"under":"./a b/","ext":"md"}',
    ],
    ['within a member', '{"options":{"a":1,"b":0.5},"path":"a"}', '{"path":"a","options":{"b":0.5,"a":1}}'],
    ['as a line with more white space', 'cat a.md', 'cat  a.md '],
    ['as a line with double quotes', 'cat a.md', 'cat "a.md"'],
    ['as a line with single quotes', 'cat a.md', "'cat' a'.md'"],
    ['as a line with a backslash', 'cat a.md', 'cat a\\.md'],
    ['as a line with a path said otherwise', 'cat a.md', 'cat ./a.md'],
    ['as a line with the end of options', 'cat a.md', 'cat -- a.md'],
    ['as a line with closer pipes', 'cat a.md | sort', 'cat a.md|sort'],
    ['as the words of a line', 'cat a.md | sort', '{"pipeline":[["cat","a.md"],["sort"]]}'],
    ['as a command', 'cat a.md', '{"command":"cat  a.md"}'],
    [
      'as a command beside other members',
      '{"command":"cat a.md","t":1}',
      '{"t":1,"command":"cat \\"./a.md\\""}',
    ],
  ])('%s: %j blocks %j', (_, block, used) => {
    expect(blocks(block, used)).toBe(true);
    expect(blocks(block, used, 'append_file')).toBe(false);
  });
});

describe('an input is not blocked', () => {
  it.each([
    ['by another content', b, '{"content":"y","path":"b"}'],
    ['by its file, where it looks at other lines of it', 'a.md', '{"from_line":2,"path":"a.md"}'],
    [
      'by a look at lines of it, from the first on or not',
      '{"from_line":1,"path":"a.md","to_line":9}',
      '{"path":"a.md"}',
    ],
    ['by a look at lines of it', '{"from_line":2,"path":"a.md"}', 'a.md'],
    ['by another file', b, '{"content":"x","path":"c"}'],
    ['by a name in its content', 'x', b],
    ['by a file above', 'd', '{"content":"x","path":"d/b"}'],
    ['by a list that it was one of', '{"paths":["a","c"]}', 'a'],
    ['by a move that it was one side of', '{"from":"a","to":"c"}', 'a'],
    ['by other words', 'cat a.md', 'cat a.md b.md'],
    ['by one word of them', 'cat', 'cat a.md'],
    ['by the same words, parted otherwise', 'cat "a b"', 'cat a b'],
    ['by a pipe in quotes', "grep '|' a", 'grep | a'],
    ['by another filter of the same text', '{"ext":"md"}', '{"contains":"md"}'],
    ['by another filter of the same text', '{"name":"md"}', '{"ext":"md"}'],
    ['by a name, where it is a pattern of paths', '{"name":"md"}', '{"pattern":"md"}'],
    ['by a filter, where it is a file', '{"ext":"md"}', 'md'],
    ['by a file, where it is a filter', 'md', '{"contains":"md"}'],
    ['by a folder that was searched', '{"under":"docs"}', 'docs'],
    ['by a line, where it is a file of that name', '{"command":"cat a"}', '{"path":"cat a"}'],
    [
      'by a search for nearly the same text',
      '{"contains":"a//b","under":"d"}',
      '{"contains":"a/b","under":"d"}',
    ],
    ['by another file, whose name has more white space', '{"path":"a  b"}', '{"path":"a b"}'],
    ['by another file, whose name has quotes', `{"path":"a'b'"}`, '{"path":"ab"}'],
    [
      'by another file, whose name has a backslash',
      '{"content":"x","path":"a\\\\b"}',
      '{"content":"x","path":"ab"}',
    ],
    ['by another file, whose name has a pipe', '{"path":"a|b"}', '{"path":"a | b"}'],
    ['by another file, whose name has the end of options', '{"path":"a -- b"}', '{"path":"a b"}'],
    ['by an option, where it is a text behind the end of options', 'grep -- -x f', 'grep -x f'],
    ['by an option, where it is a file of that name', 'cat -n', 'cat ./-n'],
    ['by an input, where it is a file of that name', 'cat -', 'cat ./-'],
  ])('%s: %j, %j', (_, block, used) => {
    expect(blocks(block, used)).toBe(false);
  });
});

const SEED = 20_261_123;

/**
 * Names as no person would choose them: what means something to a shell, to JSON or to a path. Without white
 * space around them, which is dropped.
 */
const signs = fc.constantFrom(
  'a',
  'b',
  ' ',
  '  ',
  "'",
  '"',
  '\\',
  '|',
  '-',
  '--',
  '{',
  '}',
  ':',
  '1',
  '=',
  ',',
  '\n',
  '.x',
  'é',
  '*',
);
const nameOf = fc
  .array(signs, { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''))
  .filter((name) => name.trim() === name);
/** A path of such names, said in one way. */
const pathOf = fc.array(nameOf, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const spelled = (path: string, how: number): string =>
  [path, `./${path}`, `${path}/`, path.replaceAll('/', '//'), `./${path}/.`][how] ?? path;
/** What a careless reading takes for the same name, and the name itself. */
const nearTo = (path: string): readonly string[] => [
  path,
  path.replaceAll('  ', ' '),
  path.replaceAll(/['"\\]/g, ''),
  path.replaceAll('|', ' | '),
  path.replaceAll('|', ' '),
  path.replaceAll(' -- ', ' '),
  path.replaceAll('--', '-'),
  `a/${path}`,
  path.slice(1),
];
const pair = pathOf
  .chain((one) => fc.tuple(fc.constant(one), fc.oneof(fc.constantFrom(...nearTo(one)), pathOf)))
  .filter(
    ([, other]) => other !== '' && other.trim() === other && !/^\/|\/$|\/\/|(?:^|\/)\.(?:\/|$)/.test(other),
  );
const keyOf = fc.constantFrom(
  'path',
  'name',
  'pattern',
  'ext',
  'contains',
  'under',
  'from',
  'to',
  'except',
  'content',
);
const turned = (object: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(object).reverse()), null, 1);
const inQuotes = (word: string, how: number): string =>
  [
    `'${word.replaceAll("'", "'\\''")}'`,
    `"${word.replaceAll(/["\\$`]/g, '\\$&')}"`,
    word.replaceAll(/[^\n]/g, '\\$&').replaceAll('\n', "'\n'"),
  ][how] ?? word;

describe(`with the seed ${SEED}`, () => {
  const options = { seed: SEED, numRuns: draws(2_000) };
  const how = fc.nat({ max: 4 });

  it('two inputs that name different files or filters never block each other', () => {
    fc.assert(
      fc.property(keyOf, keyOf, pair, fc.boolean(), (oneKey, otherKey, [one, other], isMore) => {
        // A file alone means every input about it, a move too.
        const file = ['path', 'from', 'to'];
        fc.pre(one !== other || (oneKey !== otherKey && !(file.includes(oneKey) && file.includes(otherKey))));
        const more = isMore ? { content: 'same' } : {};
        expect(
          blocks(JSON.stringify({ ...more, [oneKey]: one }), JSON.stringify({ ...more, [otherKey]: other })),
        ).toBe(false);
      }),
      options,
    );
  });

  it('two lines of other words never block each other', () => {
    const word = nameOf.filter((name) => !name.startsWith('-'));
    const line = fc.array(word, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(line, line, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        const [block, used] = [one, other].map((words) => words.map((text) => inQuotes(text, 0)).join(' '));
        expect(blocks(String(block), String(used))).toBe(false);
        expect(blocks(JSON.stringify({ pipeline: [one] }), JSON.stringify({ pipeline: [other] }))).toBe(
          false,
        );
      }),
      options,
    );
  });

  it('the same input in another order of its members, with its paths said otherwise, is always blocked', () => {
    fc.assert(
      fc.property(
        fc.dictionary(nameOf, fc.jsonValue({ maxDepth: 2 })),
        fc.dictionary(fc.constantFrom('path', 'from', 'to', 'under'), pathOf, { minKeys: 1 }),
        how,
        (more, paths, way) => {
          const otherwise = Object.fromEntries(
            Object.entries(paths).map(([key, path]) => [key, spelled(path, way)]),
          );
          expect(blocks(JSON.stringify({ ...more, ...paths }), turned({ ...more, ...otherwise }))).toBe(true);
        },
      ),
      options,
    );
  });

  it('the same file and the same line are always blocked, however they are quoted', () => {
    fc.assert(
      fc.property(
        pathOf,
        fc.array(nameOf, { minLength: 1, maxLength: 4 }),
        how,
        fc.nat({ max: 2 }),
        (path, words, way, quotes) => {
          fc.pre(!spelled(path, way).startsWith('{'));
          expect(blocks(JSON.stringify({ path }), spelled(path, way))).toBe(true);
          expect(blocks(spelled(path, way), JSON.stringify({ content: 'x', path }))).toBe(true);
          const line = words.map((word) => inQuotes(word, quotes)).join('  ');
          expect(blocks(JSON.stringify({ pipeline: [words] }), JSON.stringify({ command: line }))).toBe(true);
          expect(blocks(words.map((word) => inQuotes(word, 0)).join(' '), line)).toBe(true);
        },
      ),
      options,
    );
  });
});

describe('a block', () => {
  it(
    'is the first of the list that means the action, and knows paths by their real names ' +
      'where it is told them',
    () => {
      const list = [
        { tool: 'read_file', target: 'd/r.md' },
        { tool: 'write_file', target: 'c' },
        { tool: 'write_file', target: 'd/r.md' },
      ];
      const used = { tool: 'write_file', target: '{"content":"x","path":"k/r.md"}' };
      expect(blockOf(used, list)).toBeNull();
      expect(blockOf(used, list, (path) => path.replace(/^k\//, 'd/'))).toBe(list[2]);
      expect(
        isBlocked({ tool: 'shell', target: 'cat k/r.md' }, [{ tool: 'shell', target: 'cat "d/r.md"' }]),
      ).toBe(false);
      expect(
        blockOf(
          { tool: 'shell', target: 'cat k/r.md' },
          [{ tool: 'shell', target: 'cat "d/r.md"' }],
          (path) => path.replace(/^k\//, 'd/'),
        ),
      ).not.toBeNull();
      expect(
        blockOf(
          { tool: 'read_file', target: 'k/my r.md' },
          [{ tool: 'read_file', target: '{"path":"d/my r.md"}' }],
          (path) => (path === 'k/my r.md' ? 'd/my r.md' : path),
        ),
      ).not.toBeNull();
    },
  );

  it.each([
    ['{"ext":"md"}', '{"ext":"txt"}'],
    ['{"ext":"md","under":"docs"}', '{"ext":"txt","under":"docs"}'],
    ['{"name":"md"}', '{"name":"txt"}'],
    ['{"name":"md","under":"docs"}', '{"name":"txt","under":"docs"}'],
  ])(
    'on a filter does not hold for another one, also where a link is called like it: %s, %s',
    (used, block) => {
      const real = (path: string): string => (path === 'md' ? 'txt' : path);
      expect(
        blockOf({ tool: 'find_files', target: used }, [{ tool: 'find_files', target: block }], real),
      ).toBeNull();
      expect(
        blockOf(
          { tool: 'find_files', target: '{"path":"md"}' },
          [{ tool: 'find_files', target: '{"path":"txt"}' }],
          real,
        ),
      ).not.toBeNull();
    },
  );

  it('is found in the time it takes to read an input of a million characters', () => {
    const many = 1_000_000;
    for (const unit of [
      "'",
      '"',
      '\\',
      '/',
      './',
      ' ',
      '|',
      'a ',
      '{',
      '"\\',
      '\'"',
      ',"path":"',
      '{"content":',
      '"}\nsha256 ',
    ]) {
      const text = unit.repeat(Math.ceil(many / unit.length));
      const began = performance.now();
      expect(isBlocked({ tool: 'a', target: text }, [{ tool: 'a', target: 'b' }])).toBe(false);
      expect(
        isBlocked({ tool: 'a', target: JSON.stringify({ content: text, path: 'b' }) }, [
          { tool: 'a', target: 'b' },
        ]),
      ).toBe(true);
      expect(performance.now() - began).toBeLessThan(5_000);
    }
  });
});

describe('words of a line', () => {
  it('are read back from any words in quotes', () => {
    const word = fc.string().map((text) => text);
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(wordsOf(words.map((text) => `'${text.replaceAll("'", "'\\''")}'`).join(' '))).toEqual([words]);
      }),
    );
  });

  it('are total: a quote that is never closed stands for itself, and what follows is read on', () => {
    expect(wordsOf('cat "a b')).toEqual([['cat', '"a', 'b']]);
    expect(wordsOf("it's a\\")).toEqual([["it's", 'a\\']]);
    expect(wordsOf('a "b\\"c\\d" | \'\'')).toEqual([['a', 'b"c\\d'], ['']]);
    expect(wordsOf('')).toEqual([[]]);
  });
});
