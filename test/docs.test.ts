/** What the pages promise: words, links, one license, one version. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const pages = tracked.filter((path) => path.endsWith('.md') && !path.startsWith('examples/'));
const manifests = tracked.filter((path) => /^(?:packages\/[^/]+\/)?package\.json$/.test(path));

describe('pages', () => {
  test('lead only to files and headings that exist', () => {
    expect(pages.flatMap(brokenLinks)).toEqual([]);
  });
});

describe('docs/laws.md', () => {
  test('lists the laws as the titles of the tests do (node scripts/laws.mjs writes it)', async () => {
    const { lawsPage } = await import('../scripts/laws.mjs');
    expect(read('docs/laws.md')).toBe(lawsPage());
  });
});

describe('the repository', () => {
  test('names no machine and no folder beside it', () => {
    const paths = /\/wor[k]\/|\.\.\/share[d]\b|\.librar[y]\//;
    const text = tracked.filter(
      (path) => /\.(?:ts|mjs|js|json|jsonc|md|py|txt|yml)$|^\.[a-z]+rc$/.test(path) && path !== '.ci/run',
    );
    expect(text.filter((path) => paths.test(read(path)))).toEqual([]);
  });

  test('has npx run what is installed, or a version by name', () => {
    const bare = /np[x](?:'|")?,? +(?:(?:"args"|args): \[(?:'|"))?assay\b/;
    const text = tracked.filter((path) => /\.(?:ts|mjs|md|yml|json)$/.test(path));
    expect(text.filter((path) => bare.test(read(path)))).toEqual([]);
  });

  test('runs every check it has in CI, or at night', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'));
    expect(checks.length).toBeGreaterThan(4);
    const places = read('.ci/run') + read('scripts/nightly.mjs');
    expect(checks.filter((name) => !new RegExp(`(?:--silent |')${name}(?:$|')`, 'm').test(places))).toEqual(
      [],
    );
  });

  test('has one license, in every package', () => {
    for (const path of manifests) {
      expect(JSON.parse(read(path)), path).toMatchObject({ license: 'Apache-2.0' });
    }
  });

  test('has one version, and depends on exact ones', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${version.replaceAll('.', '\\.')}`, 'm'));
    for (const path of manifests) {
      const manifest = JSON.parse(read(path)) as {
        version: string;
        dependencies?: Record<string, string>;
        devDependencies?: Record<string, string>;
      };
      expect(manifest.version, path).toBe(version);
      for (const [name, range] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
        expect(range, `${path} ${name}`).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });

  test('has locks without addresses', () => {
    const locks = tracked.filter((path) => path.endsWith('package-lock.json'));
    expect(locks).toContain('package-lock.json');
    for (const path of locks) expect(read(path), path).not.toMatch(/"resolved": "(?:https?|git|file):/);
  });

  test('has a lock that says what the packages ask for', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { dependencies?: object; devDependencies?: object; bin?: object }>;
    };
    for (const path of manifests) {
      const { dependencies, devDependencies } = JSON.parse(read(path)) as {
        dependencies?: object;
        devDependencies?: object;
      };
      const locked = packages[dirname(path) === '.' ? '' : dirname(path)];
      expect({ ...locked?.dependencies, ...locked?.devDependencies }, path).toEqual({
        ...dependencies,
        ...devDependencies,
      });
    }
  });

  test('lists every package among its references and its layers', async () => {
    const { LEVELS } = await import('../scripts/tidy/layers.mjs');
    const references = read('tsconfig.json');
    for (const path of manifests) {
      const name = /^packages\/([^/]+)\//.exec(path)?.[1];
      if (name === undefined || name === 'consumer-check') continue;
      expect(Object.keys(LEVELS)).toContain(name);
      expect(references).toContain(`packages/${name}"`);
    }
  });
});

function brokenLinks(path: string): readonly string[] {
  const text = read(path).replaceAll(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [file = '', heading] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(ROOT, target))) return [`${path}: ${link}`];
    return heading === undefined || !target.endsWith('.md') || anchors(read(target)).has(heading)
      ? []
      : [`${path}: ${link}`];
  });
}

/** The anchors of a page: headings as GitHub names them (doubles numbered), and explicit ones. */
function anchors(text: string): ReadonlySet<string> {
  const found = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id));
  const seen = new Map<string, number>();
  for (const [, title = ''] of text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^#+ (.*)$/gm)) {
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    found.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return found;
}
