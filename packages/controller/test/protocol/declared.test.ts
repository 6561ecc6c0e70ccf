/**
 * What a plan declares is read in one way, by the machine and by the executor: the same file however it is
 * written, and no other.
 */
import { describe, expect, it } from 'vitest';
import { isDeclared } from '@assay/controller';

const long = 'x'.repeat(5_000);
/** As a tool records an input that is too long. */
const cut = (input: string): string =>
  `${input.slice(0, 1_900)}\n[… 1300 characters left out …]\n${input.slice(-1_900)}\nsha256 ${'a'.repeat(64)}`;

describe('a call is declared', () => {
  it.each([
    ['by the star alone, whatever it is called on', '*', 'any.md'],
    ['by its very input', 'report.md', 'report.md'],
    ['by its very line', 'mv a.txt b.txt', 'mv a.txt b.txt'],
    ['by the same path', './report.md', 'report.md'],
    ['by the same path', 'out/report.md', 'out//./report.md'],
    ['by the same folder', 'out', 'out/'],
    ['by the one member of an object', 'report.md', '{"path":"report.md"}'],
    ['by the one member of an object', '{ "path" : "./report.md" }', 'report.md'],
    ['by the pattern alone, said in another way', './a/*.md', '{"pattern":"a//*.md"}'],
    ['by the line alone', 'rm a.txt', '{"command":"rm a.txt"}'],
    ['by the file alone', 'report.md', '{"content":"a","path":"report.md"}'],
    [
      'by the file alone, however a host orders what it says',
      './report.md',
      '{ "path": "report.md", "content": "a" }',
    ],
    [
      'by the file alone, where the input is too long to be recorded',
      'report.md',
      cut(`{"content":"${long}","path":"report.md"}`),
    ],
    ['by both files of a move', '{"from":"a","to":"b"}', '{"from":"./a","to":"b/"}'],
    [
      'by all of an input',
      '{"content":"a//b","path":"./report.md"}',
      '{"content":"a//b","path":"report.md"}',
    ],
  ])('%s: %j, %s', (_, declared, called) => {
    expect(
      isDeclared({ tool: 'write_file', target: called }, [{ tool: 'write_file', target: declared }]),
    ).toBe(true);
    expect(
      isDeclared({ tool: 'append_file', target: called }, [{ tool: 'write_file', target: declared }]),
    ).toBe(false);
  });
});

describe('a call is not declared', () => {
  it.each([
    ['by another file', 'report.md', 'other.md'],
    ['by a longer name', 'report.md', 'report.md.bak'],
    ['by a folder above', 'out', 'out/report.md'],
    ['by what looks like a pattern', 'out/*', 'out/report.md'],
    ['by a name with white space around it', 'report.md', ' report.md'],
    ['by a name in other letters', 'report.md', 'Report.md'],
    ['by nothing', '', 'report.md'],
    ['by where a move goes', 'b', '{"from":"a","to":"b"}'],
    ['by one of the files of a list', 'a', '{"paths":["a","b"]}'],
    ['by the file alone, where it is moved', 'a', '{"path":"a","to":"b"}'],
    ['by the same text as another member', '{"to":"a"}', '{"from":"a"}'],
    ['by the same text of another kind', '{"name":"a"}', '{"path":"a"}'],
    ['by a line that reads like the file', '{"command":"a"}', '{"mode":"w","path":"a"}'],
    ['by a text that no tool takes that member for', 'md', '{"ext":"md"}'],
    ['by another content', '{"content":"a//b","path":"report.md"}', '{"content":"a/b","path":"report.md"}'],
    ['by a line that says nearly the same', 'sed s//x/ a', 'sed s/x/ a'],
    [
      'by a path within a content',
      'report.md',
      '{"content":",\\"path\\":\\"report.md\\"","path":"other.md"}',
    ],
    ['by a path within a member', 'report.md', '{"path":"other.md","z":{"a":1,"path":"report.md"}}'],
    [
      'by a path within a content that is too long',
      'report.md',
      cut(`{"content":"${long},\\"path\\":\\"report.md\\"}","path":"other.md"}`),
    ],
    ['by a file, where the rest is no object', 'report.md', '{"content":"a","path":"report.md"'],
    [
      'by a file, where the rest is deeper than a ledger takes',
      'report.md',
      `{"a":${'['.repeat(1_500)}${']'.repeat(1_500)},"path":"report.md"}`,
    ],
  ])('%s: %j, %s', (_, declared, called) => {
    expect(
      isDeclared({ tool: 'write_file', target: called }, [{ tool: 'write_file', target: declared }]),
    ).toBe(false);
  });
});
