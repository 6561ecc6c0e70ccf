/**
 * Every forgery is caught by the check that claims it, at the record it names; its twin passes; and with the
 * named check or rule switched off it passes too. What no check of a file can show is asserted as a miss.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  compareForgery,
  exitCode,
  parseForgery,
  type VerifyDocument,
  type VerifyOptions,
} from '@assay/verifier';
import { exitCodeWithout } from '../packages/verifier/src/fixtures/forgery.ts';
import { orThrow, type Json } from '@assay/kernel';
import { committed, FOLDER, filesOf, forgeries, largeForgeries, twins } from '../scripts/forgeries/list.mjs';
import { findFaults, laxIntegrity } from './lib/lax-integrity.ts';
import { exitOf, judge as judgeAnew, type Brought, type Forgery } from './lib/judge-forgery.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const small: readonly Forgery[] = forgeries();
const all: readonly Forgery[] = [...small, ...largeForgeries()];
const caught = all.filter((forgery) => forgery.caught !== null);
const named = (list: readonly Forgery[]): readonly (readonly [string, Forgery])[] =>
  list.map((forgery) => [forgery.name, forgery]);
const verdicts = ({ checks }: VerifyDocument): readonly string[] => [
  checks.integrity.verdict,
  checks.rederivation.verdict,
  checks.completeness.verdict,
];

const judged = new Map<string, VerifyDocument>();
/** The verifier's document on a forgery or twin, made once of what is brought. */
function judge(
  item: Pick<Forgery, 'name' | 'bytes' | 'brought' | 'others'>,
  options: VerifyOptions = {},
): VerifyDocument {
  const key = JSON.stringify([item.name, item.brought ?? {}, options]);
  const document = judged.get(key) ?? judgeAnew(item, options);
  judged.set(key, document);
  return document;
}

describe('the collection', () => {
  test('is what its script makes, byte for byte, and nothing else', () => {
    const made = committed().flatMap((item) =>
      Object.entries<Uint8Array>(filesOf(item)).map(([name, bytes]) => ({
        path: join(FOLDER, item.name, name),
        bytes,
      })),
    );
    const differing = made.filter(
      ({ path, bytes }) =>
        !existsSync(join(ROOT, path)) || Buffer.compare(readFileSync(join(ROOT, path)), bytes) !== 0,
    );
    expect(differing.map(({ path }) => path)).toEqual([]);
    const listed = readdirSync(join(ROOT, FOLDER), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(listed.length).toBe(made.length + 2);
  });

  test.each([...twins(), ...small].map((item) => [item.name, item] as const))(
    '%s: expected.json says it all, and is met',
    (_, item) => {
      const text = new TextDecoder().decode(filesOf(item)['expected.json']);
      const expected = orThrow(parseForgery(JSON.parse(text) as Json));
      expect(compareForgery(judge({ ...item, brought: expected.with }), expected)).toMatchObject({
        _tag: 'Right',
      });
    },
  );

  test('has a committed one of each check, verdict and code, and a miss', () => {
    const said = ({ caught: its }: Partial<Forgery>): string => `${its?.check} ${its?.verdict} ${its?.code}`;
    const kept: readonly Partial<Forgery>[] = committed();
    expect(new Set(kept.filter(({ twin }) => twin !== undefined).map(said))).toEqual(
      new Set(small.map(said)),
    );
  });

  test('uses each code of integrity at least once', () => {
    const codes = new Set(
      caught.flatMap((forgery) => (forgery.caught?.check === 'integrity' ? [forgery.caught.code] : [])),
    );
    expect(codes.size).toBe(20);
  });

  test('uses each code of authorship that signatures can lead to', () => {
    const codes = caught.flatMap((forgery) =>
      forgery.caught?.check === 'authorship' ? [forgery.caught.code] : [],
    );
    expect(new Set(codes)).toEqual(
      new Set([
        'bad_signature',
        'bad_proof',
        'signed_other',
        'unknown_key',
        'below_threshold',
        'beyond_head',
      ]),
    );
  });
});

describe('a twin', () => {
  test.each(twins().map((twin) => [twin.name, twin] as const))('%s passes', (_, twin) => {
    const document = judge({
      ...twin,
      brought: twin.brought ?? (twin.head === undefined ? {} : { head: twin.head }),
    });
    expect(verdicts(document).slice(0, 2)).toEqual(['held', 'held']);
    expect(document.checks.completeness).toMatchObject(
      twin.head === undefined ? { verdict: 'not_checked', code: 'no_head' } : { verdict: 'held' },
    );
    expect(document.checks.authorship).toMatchObject(
      twin.brought?.signature === undefined
        ? { verdict: 'not_checked', code: 'unsigned' }
        : { verdict: 'held' },
    );
    expect(exitOf(document, twin.brought)).toBe(0);
    // The lax verifier counts from 0: it knows no continuations, and no forgery with a rule switched off is
    // one.
    if (!twin.name.endsWith('-continued')) expect(laxIntegrity(findFaults(twin.bytes), [])).toBeNull();
  });

  test('is named by every forgery', () => {
    const names = new Set(twins().map(({ name }) => name));
    expect(all.filter(({ twin }) => !names.has(twin))).toEqual([]);
  });
});

describe('a forgery is caught by the check that claims it', () => {
  test.each(named(caught))('%s', (_, forgery) => {
    const document = judge(forgery);
    const { check, verdict, code, record } = forgery.caught ?? expect.fail('no check claims it');
    expect(document.checks[check]).toMatchObject({ verdict, code, record });
    expect(exitOf(document, forgery.brought)).toBe(forgery.exit);
    // Checks before the one that claims it see nothing: without it, the forgery would pass.
    if (check !== 'integrity') expect(document.checks.integrity.verdict).toBe('held');
    if (check === 'completeness' || check === 'authorship')
      expect(document.checks.rederivation.verdict).toBe('held');
  });
});

describe('a forgery passes with its named check off', () => {
  const by = (key: 'rules' | 'check' | 'argument' | 'flag'): readonly (readonly [string, Forgery])[] =>
    named(caught.filter(({ off }) => off !== null && key in off));

  test.each(by('rules'))('%s: rules of integrity', (_, { bytes, caught: claim, off }) => {
    const rules = off?.rules ?? [];
    const lines = findFaults(bytes);
    expect(laxIntegrity(lines, [])).toEqual({ code: claim?.code, record: claim?.record });
    expect(laxIntegrity(lines, rules)).toBeNull();
    for (const rule of rules)
      expect(
        laxIntegrity(
          lines,
          rules.filter((other) => other !== rule),
        ),
        `with only ${rule} on`,
      ).not.toBeNull();
  });

  test.each(by('check'))('%s: rederivation', (_, forgery) => {
    const document = judge(forgery, { hashOnly: true });
    expect(verdicts(document)).toEqual(['held', 'not_checked', 'not_checked']);
    expect(exitCode([document], { allowUnchecked: true })).toBe(0);
    expect(laxIntegrity(findFaults(forgery.bytes), [])).toBeNull();
  });

  test.each(by('argument'))('%s: what was brought from outside', (_, forgery) => {
    const brought = withoutArgument(forgery);
    const document = judge({ ...forgery, brought });
    expect(verdicts(document)).toEqual(['held', 'held', 'not_checked']);
    expect(document.checks.authorship).toMatchObject(
      brought.signature === undefined ? { verdict: 'not_checked', code: 'unsigned' } : { verdict: 'held' },
    );
    expect(exitOf(document, brought)).toBe(0);
  });

  test.each(named(caught.filter((forgery) => forgery.caught?.check === 'authorship')))(
    '%s: authorship',
    (_, forgery) => {
      expect(exitCodeWithout(judge(forgery), 'authorship', { authorship: true })).toBe(0);
    },
  );

  test.each(by('flag'))('%s: --checks any', (_, forgery) => {
    const document = judge(forgery);
    expect([
      exitCode([document]),
      exitCode([document], { strict: true }),
      exitCode([document], { allowUnchecked: true }),
    ]).toEqual([4, 4, 0]);
  });

  test('each in one of the four ways', () => {
    expect(caught.length).toBe(
      ['rules', 'check', 'argument', 'flag'].reduce((sum, key) => sum + by(key as 'rules').length, 0),
    );
  });
});

/** A proof is left out by itself; whoever has no signature names no key either. */
function withoutArgument({ brought = {}, off }: Forgery): Brought {
  const { proof: _, ...rest } = brought;
  return off?.argument === 'proof' ? rest : {};
}

describe('an honest miss', () => {
  const misses = all.filter((forgery) => forgery.caught === null);

  test.each(named(misses))('%s: nothing is found in the file alone', (_, forgery) => {
    const document = judge(forgery);
    expect(verdicts(document)).toEqual(['held', 'held', 'not_checked']);
    expect(exitCode([document])).toBe(0);
    // And the same bytes fail once a head, or the ledger they stand on, is at hand.
    const known = all.find(({ name }) =>
      [`${forgery.name.replace('-without-head', '')}-with-head`, `${forgery.name}-with-base`].includes(name),
    );
    expect(known === undefined ? null : Buffer.compare(known.bytes, forgery.bytes)).toBe(0);
  });

  test('there are as many as forgeries that only a head or another ledger shows', () => {
    expect(misses.length).toBe(caught.filter(({ name }) => /-with-(?:head|base)$/.test(name)).length);
    expect(misses.length).toBeGreaterThan(8);
  });
});
