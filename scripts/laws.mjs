/**
 * `node scripts/laws.mjs`: writes docs/laws.md from the titles of the tests. A title that begins with the name
 * of a law, `family/name`, `law-X1` or `axiom-X1`, is a law; what stands behind the name is what it says.
 *
 * @module
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/run.mjs';

const FOLDERS = ['packages/*/test/*.ts', 'packages/testing/src/laws/*.ts'];
const NAME = '(?:law|axiom)-[A-Z]\\d+|[a-z][A-Za-z0-9]*(?:-[a-z]+)*/[a-zA-Z0-9][a-zA-Z0-9-]*';
const NAMES = new RegExp(`^(?:${NAME})(?:(?:, | )(?:${NAME}))*(?![\\w./$-])`);
/** Titles of this form that name a folder or a code. */
const NO_FAMILY = [
  'blame',
  'context',
  'decision',
  'examples',
  'parse/detail',
  'transparency-dev',
  'vectors',
  'assay/9',
];
const TITLE =
  /(?:\b(?:it|test|describe|law)|\))\(\s*((?:(?:'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|`[^`]*`)\s*(?:\+\s*)?)+)/g;
/** Characters of a statement: a longer one stands in the title of its test alone. */
const SAYS_MAX = 64;
const HEAD = `# Laws

A law is a property that holds for all inputs. A test bears its name: \`FAMILY/NAME\`, as in \`canonical/idempotent\`.
\`node scripts/laws.mjs\` writes this page from the titles of the tests; \`git grep FAMILY/NAME\` finds the test.
Nothing follows a name that says it all, or whose statement is long: the title of its test has it.

Laws run over generated values (fast-check) with the seed that stands in the test: 100 times each in
\`npm test\`, 1,000 in \`npm run nightly\` (\`ASSAY_LAW_RUNS\`); slow ones take a stated share. The laws of
\`testing\` hold for every machine and every view: \`machineLaws\` and \`viewLaws\` of \`@assay/testing\` try
them on yours. Names like \`law-M4\` and \`axiom-S1\` are those of the [sources](sources.md); \`law-L1\`, \`L3\`,
\`L5\`, \`L7\` and \`L8\` are laws of every machine.
`;

if (process.argv[1] === import.meta.filename) writeFileSync(join(root, 'docs', 'laws.md'), lawsPage());

/** The page: packages, their families, and the laws of each. */
export function lawsPage() {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...FOLDERS], {
    cwd: root,
    encoding: 'utf8',
  });
  const seen = new Set();
  const packages = new Map();
  for (const file of files.trim().split('\n').sort()) {
    const name = file.split('/')[1];
    const laws = packages.get(name) ?? packages.set(name, []).get(name);
    for (const { names, says } of findLaws(readFileSync(join(root, file), 'utf8'))) {
      const fresh = names.filter((law) => !seen.has(law));
      if (fresh.length === 0) continue;
      for (const law of names) seen.add(law);
      const isTold = says.length <= SAYS_MAX || /^(?:law|axiom)-\w+$/.test(fresh.at(-1));
      laws.push(`${fresh.join(' ')}${isTold && says !== '' ? `: ${says}` : ''}`);
    }
  }
  const sections = [...packages].filter(([, laws]) => laws.length > 0);
  return [HEAD, ...sections.map(([name, laws]) => `## ${name}\n\n\`\`\`\n${laws.join('\n')}\n\`\`\`\n`)].join(
    '\n',
  );
}

/** The laws that titles of a file name, and what each title says; nothing where it has a place for a case. */
function findLaws(text) {
  return [...text.matchAll(TITLE)].flatMap(([, literals]) => {
    const title = literals.replaceAll(/['"`]\s*\+\s*['"`]|^\s*['"`]|['"`]\s*$/g, '').trim();
    const found = NAMES.exec(title)?.[0];
    if (found === undefined || NO_FAMILY.some((family) => found === family || found.startsWith(`${family}/`)))
      return [];
    const says = title
      .slice(found.length)
      .replace(/^ \([A-Z][^)]*\)/, '')
      .replace(/^[:,]? ?/, '');
    return [{ names: found.split(/, | /), says: /%[is]|\$\{/.test(says) ? '' : says }];
  });
}
