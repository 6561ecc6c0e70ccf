/** The page of the language says what the code does. `ASSAY_DOCS=write` writes its tables. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PATTERNS } from '../../src/language/patterns.ts';
import { RULES } from '../../src/language/rules.ts';
import { demandsOf, unreadIn } from './tools.ts';

const PAGE = new URL('../../../../docs/formats/requirements.md', import.meta.url);

const shown = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' / ');
const row = (...cells: readonly string[]): string => `| ${cells.map(shown).join(' | ')} |`;
const patterns = [
  row('', 'write', 'example', 'claims'),
  '| --- | --- | --- | --- |',
  ...PATTERNS.map(({ write, example }, index) =>
    row(`${index + 1}`, write, example, demandsOf(example).join(' · ')),
  ),
];
const rules = [
  row('rule', 'what to write'),
  '| --- | --- |',
  ...Object.entries(RULES).map(([rule, { say }]) => row(`\`${rule}\``, say)),
];

function withTable(page: string, name: string, lines: readonly string[]): string {
  return page.replace(
    new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`),
    (_, start: string, end: string) => `${start}${lines.join('\n')}\n${end}`,
  );
}

describe('docs/formats/requirements.md', () => {
  it('has the tables that follow from the code', () => {
    const page = readFileSync(PAGE, 'utf8');
    const made = withTable(withTable(page, 'patterns', patterns), 'rules', rules);
    if (process.env['ASSAY_DOCS'] === 'write') writeFileSync(PAGE, made);
    else expect(made).toBe(page);
  });

  it.each(PATTERNS)('$name: its example is read as a whole', ({ example }) => {
    expect(unreadIn(example)).toEqual([]);
    expect(demandsOf(example).length).toBeGreaterThan(0);
  });
});
