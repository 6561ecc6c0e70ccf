/** A criterion that names a file: what calls must show, whatever the roles say. */
import type { Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { filesNamed } from '../../src/protocol/claims.js';
import { called, criterion, did, planOf, play, policyWith, willing, type Cast } from '../lib/playing.js';

const oneRound = policyWith({ limits: { ...policyWith().limits, retries: 0 } });
const planned = (words: boolean, task: readonly string[] = []): (() => { value: Json }) => {
  const tools = words ? [] : ['write_file', 'read_file', 'find_files'];
  return () => ({
    value: planOf(
      [{ criteria: [criterion(task.length > 0 ? 'it is done' : 'report.md holds the name')], tools, words }],
      task.map((text) => criterion(text)),
    ),
  });
};
const ends = (cast: Cast): string | undefined => play(oneRound, { ...willing, ...cast }).result?.directive;

describe('a criterion that names a file', () => {
  it.each([
    ['is written', [called('write_file', 'report.md')], 'accept'],
    ['is read', [called('read_file', 'report.md')], 'accept'],
    ['is another', [called('write_file', 'report.txt')], 'abandon'],
    ['is searched', [called('find_files', 'report.md'), called('write_file', 'x')], 'abandon'],
    [
      'is written, and then not',
      [called('write_file', 'report.md'), called('write_file', 'report.md', '', { status: 'error' })],
      'abandon',
    ],
    ['is of a criterion of the task', [called('write_file', 'x')], 'abandon', 'report.md is there'],
  ] as const)('passes by calls alone: it %s', (_, calls, directive, task?: string) => {
    expect(
      ends({ plan: planned(false, task === undefined ? [] : [task]), execute: () => did(...calls) }),
    ).toBe(directive);
  });

  it('is not met by words: the plan is turned away', () => {
    const { rejections, result } = play(oneRound, { ...willing, plan: planned(true) });
    expect([new Set(rejections), result?.directive]).toEqual([new Set(['words_of_file']), 'abandon']);
  });

  it.each([
    ['report.md holds "a/b.txt" and ./c.csv.', ['report.md', 'a/b.txt', 'c.csv']],
    ['e.g. Node.js at https://a.com/x.html, *.md, 3.5, console.log(x), a@b.de, and/or', []],
  ])('names in %s: %j', (text, files) => {
    expect(filesNamed(text)).toEqual(files);
  });
});
