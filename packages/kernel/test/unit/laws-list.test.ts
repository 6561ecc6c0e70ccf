import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../../', import.meta.url);
const text = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Laws by the test file they are listed under. */
function listed(): readonly (readonly [file: string, law: string])[] {
  let file = '';
  const laws: (readonly [string, string])[] = [];
  for (const line of text('docs/laws.md').split('\n')) {
    file = /^`(packages\/[^`]+\.test\.ts)`$/.exec(line)?.[1] ?? file;
    const law = /^\| `([a-z-]+\/[a-z-]+)` \|/.exec(line)?.[1];
    if (law !== undefined) laws.push([file, law]);
  }
  return laws;
}

describe('docs/laws.md', () => {
  it.each(listed())('%s has a test of the law %s', (file, law) => {
    expect(text(file).includes(`'${law}: `) || text(file).includes(`"${law}: `)).toBe(true);
  });

  it.each([...new Set(listed().map(([file]) => file))])('lists every law of %s', (file) => {
    const titles = [...text(file).matchAll(/\bit\(['"]([a-z-]+\/[a-z-]+): /g)].map(([, law]) => law);
    expect(new Set(listed().filter(([other]) => other === file).map(([, law]) => law))).toEqual(new Set(titles));
  });
});
