/**
 * Writes frozen.json: the SHA-256 of every committed file whose bytes rest on a hashed format, by the
 * class of 001 §5 that a change of it belongs to. A test compares; a difference is a finding until the
 * changelog explains it.
 *
 *   node scripts/freeze.mjs           say what differs
 *   node scripts/freeze.mjs --write   write it (refused under CI=true)
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What each class of 001 §5 is frozen by. */
function classes() {
  const goldens = (prefix) =>
    readdirSync(join(ROOT, 'golden-fixtures'))
      .filter((name) => name.startsWith(prefix))
      .flatMap((name) => [`golden-fixtures/${name}/ledger.jsonl`, `golden-fixtures/${name}/expected.json`]);
  return {
    'canonicalization and hashing': ['vectors/canonical.json'],
    'ledger fields and hash formulas': [
      'vectors/records.json',
      'vectors/requests.json',
      'vectors/state-hash.json',
      'vectors/heads.json',
    ],
    'graph id formulas and invariants': ['vectors/graph.json'],
    'scoring, pruning and collapse': goldens('intent-'),
    replay: goldens('tally-'),
    'memory: potentials, promotion and forgetting': goldens('memory-'),
    'artifact schemas': readdirSync(join(ROOT, 'schemas'))
      .filter((name) => name.endsWith('.schema.json'))
      .map((name) => `schemas/${name}`),
  };
}

/** The digests as the files are now: {class: {path: sha256}}. */
export function digests() {
  return Object.fromEntries(
    Object.entries(classes()).map(([name, paths]) => [
      name,
      Object.fromEntries(
        paths.toSorted().map((path) => [
          path,
          createHash('sha256')
            .update(readFileSync(join(ROOT, path)))
            .digest('hex'),
        ]),
      ),
    ]),
  );
}

/** The digests as they were frozen. */
export function frozen() {
  return JSON.parse(readFileSync(join(ROOT, 'frozen.json'), 'utf8'));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const now = digests();
  if (!process.argv.includes('--write')) {
    const before = frozen();
    const changed = Object.entries(now).flatMap(([name, files]) =>
      Object.entries(files)
        .filter(([path, digest]) => before[name]?.[path] !== digest)
        .map(([path]) => `${name}: ${path}`),
    );
    console.log(changed.length === 0 ? 'nothing differs' : changed.join('\n'));
    process.exitCode = changed.length === 0 ? 0 : 1;
  } else if (process.env.CI === 'true') {
    console.error(
      'freeze: refused under CI: what is frozen changes by hand, with its reason in the changelog',
    );
    process.exitCode = 2;
  } else {
    writeFileSync(join(ROOT, 'frozen.json'), `${JSON.stringify(now, null, 2)}\n`);
  }
}
