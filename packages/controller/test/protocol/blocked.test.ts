/** What is blocked is blocked however it is written: one reading of an input, which reads too much rather than too little. */
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { blockOf, isBlocked } from '@assay/controller';
import { wordsOf } from '../../src/protocol/inputs.ts';

const long = 'x'.repeat(5_000);
/** As a tool records an input that is too long. */
const cut = (input: string): string => `${input.slice(0, 1_900)}\n[… 1300 characters left out …]\n${input.slice(-1_900)}\nsha256 ${'a'.repeat(64)}`;
const blocks = (block: string, used: string, tool = 'write_file'): boolean => isBlocked({ tool, target: used }, [{ tool: 'write_file', target: block }]);
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
    ['in lines from the first on', '{"path":"a.md","to_line":9}', '{"from_line":1,"path":"a.md","to_line":9}'],
    ['where its file is, and lines are a part of an act', 'a.md', '{"content":"x","from_line":2,"path":"a.md"}'],
    ['in lines said otherwise', '{"from_line":2,"path":"a.md"}', '{"path":"./a.md","from_line":2}'],
    ['where its file is, and it is too long', 'b', cut(`{"content":"${long}","path":"b"}`)],
    ['where its file is, whose name has a quote, and it is too long', '{"path":"b\\"c"}', cut(`{"content":"${long}","path":"b\\"c"}`)],
    ['where its file is, whose name has white space', 'my file.md', '{"content":"x","path":"./my file.md"}'],
    ['where it moves from', 'a', '{"from":"./a","to":"c"}'],
    ['where it moves to', 'c', '{"from":"a","to":"c/"}'],
    ['where one of several is', 'a', '{"paths":["c","./a"]}'],
    ['in several members, each said otherwise', '{"from":"a","to":"c"}', '{ "to": ".//c", "from": "a/" }'],
    ['in a folder said otherwise', '{"name":"*.md","under":"d"}', '{"under":"./d/","name":"*.md"}'],
    ['as its one member', '*.md', '{"name":"*.md"}'],
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
    ['as a command beside other members', '{"command":"cat a.md","t":1}', '{"t":1,"command":"cat \\"./a.md\\""}'],
  ])('%s: %j blocks %j', (_, block, used) => {
    expect(blocks(block, used)).toBe(true);
    expect(blocks(block, used, 'append_file')).toBe(false);
  });
});

describe('an input is not blocked', () => {
  it.each([
    ['by another content', b, '{"content":"y","path":"b"}'],
    ['by its file, where it looks at other lines of it', 'a.md', '{"from_line":2,"path":"a.md"}'],
    ['by a look at lines of it, from the first on or not', '{"from_line":1,"path":"a.md","to_line":9}', '{"path":"a.md"}'],
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
  ])('%s: %j, %j', (_, block, used) => {
    expect(blocks(block, used)).toBe(false);
  });
});

describe('a block', () => {
  it('is the first of the list that means the action, and knows paths by their real names where it is told them', () => {
    const list = [{ tool: 'read_file', target: 'd/r.md' }, { tool: 'write_file', target: 'c' }, { tool: 'write_file', target: 'd/r.md' }];
    const used = { tool: 'write_file', target: '{"content":"x","path":"k/r.md"}' };
    expect(blockOf(used, list)).toBeNull();
    expect(blockOf(used, list, (path) => path.replace(/^k\//, 'd/'))).toBe(list[2]);
    expect(isBlocked({ tool: 'shell', target: 'cat k/r.md' }, [{ tool: 'shell', target: 'cat "d/r.md"' }])).toBe(false);
    expect(blockOf({ tool: 'shell', target: 'cat k/r.md' }, [{ tool: 'shell', target: 'cat "d/r.md"' }], (path) => path.replace(/^k\//, 'd/'))).not.toBeNull();
    expect(blockOf({ tool: 'read_file', target: 'k/my r.md' }, [{ tool: 'read_file', target: '{"path":"d/my r.md"}' }], (path) => (path === 'k/my r.md' ? 'd/my r.md' : path))).not.toBeNull();
  });

  it('is found in the time it takes to read an input of a million characters', () => {
    const many = 1_000_000;
    for (const unit of ["'", '"', '\\', '/', './', ' ', '|', 'a ', '{', '"\\', "'\"", ',"path":"', '{"content":', '"}\nsha256 ']) {
      const text = unit.repeat(Math.ceil(many / unit.length));
      const began = performance.now();
      expect(isBlocked({ tool: 'a', target: text }, [{ tool: 'a', target: 'b' }])).toBe(false);
      expect(isBlocked({ tool: 'a', target: JSON.stringify({ content: text, path: 'b' }) }, [{ tool: 'a', target: 'b' }])).toBe(true);
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
