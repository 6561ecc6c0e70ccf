/** The engine of the page, in process: rows, attacks, comparisons, and what is no run. */
import { describe, expect, test } from 'vitest';
import { intent } from '@assay/kernel/intent';
import { tally } from '@assay/testing/tally';
import type { Json } from '@assay/kernel';
import type { Checked, Refused } from '../src/data/calls.ts';
import {
  again,
  beside,
  engineWithoutContracts,
  fixture,
  given,
  golden,
  loaded,
  newEngine,
  none,
} from './tools/engine.ts';

type Bytes = Uint8Array;

describe('rows', () => {
  test('each record is a row; filters and search find what stands in it, letter case aside', async () => {
    const { engine, checked } = await loaded(golden('intent-several-proposers'));
    const all = await engine.answer('list', { kind: null, source: null, found: null }, none);
    expect([...all.positions]).toEqual(Array.from({ length: checked.records }, (_, at) => at));
    const kinds = (await engine.answer('rows', [...all.positions], none)).map(({ kind }) => kind);
    expect([kinds[0], kinds.at(-1)]).toEqual(['genesis', 'close']);
    const some = await engine.answer('list', { kind: 'proposal', source: 'synthetic', found: null }, none);
    expect([...some.positions].every((at) => kinds[at] === 'proposal')).toBe(true);
    const found = await engine.answer('list', { kind: null, source: null, found: 'TOWER.lit_until' }, none);
    const lines = new TextDecoder().decode(golden('intent-several-proposers')).split('\n');
    expect([...found.positions]).toEqual(
      lines.flatMap((line, at) => (line.toLowerCase().includes('tower.lit_until') ? [at] : [])),
    );
  });

  test('an answer leads to what asked it and to what was decided on it, and back', async () => {
    const { engine } = await loaded(golden('intent-several-proposers'));
    const answer = await engine.answer('record', 2, none);
    const [asked, decided] = answer?.links ?? [];
    expect([asked?.record, decided?.record]).toEqual([1, 3]);
    const back = await engine.answer('record', 1, none);
    expect(back?.links.map(({ record }) => record)).toContain(2);
    const hashes = await engine.answer('rehash', 2, none);
    expect(hashes.every(({ recorded, computed }) => recorded === computed)).toBe(true);
  });

  test('what an answer names stands beside what was decided on it: a refusal names, and touches nothing', async () => {
    const { engine } = await loaded(golden('controller-unconfirmed'));
    const { turns } = await engine.answer('turns', { source: null, refused: false, most: 99 }, none);
    const naming = turns.filter(({ named }) => named.includes('old.md'));
    expect(naming.map(({ at, decided }) => [at, decided !== ''])).toEqual([
      [6, true],
      [8, true],
    ]);
    expect(naming.some(({ source }) => source === 'tool')).toBe(false);
  });

  test('behind a fault lines are shown as they stand, and said to be not judged', async () => {
    const bytes = Buffer.from(
      golden('tally-success').toString().replace('"kind":"proposal"', '"kind":"propos al"'),
    );
    const { engine, checked } = await loaded(bytes);
    expect(checked.judged).toBeLessThan(checked.records);
    const [row] = await engine.answer('rows', [checked.records - 1], none);
    expect(row?.kind).toBe('not judged');
  });
});

test('a fault has its line and its byte', async () => {
  const bytes = golden('tally-success');
  const lines = bytes.toString().split('\n');
  const byte = Buffer.byteLength(`${lines.slice(0, 3).join('\n')}\n`);
  const { checked } = await loaded(bytes.subarray(0, byte + 40));
  expect(checked.fault).toEqual({ line: 4, byte });
  expect((await loaded(bytes)).checked.fault).toBe(null);
});

describe('break it', () => {
  test.each([
    'intent-several-proposers',
    'controller-accept',
    'memory-refine-one-path',
    'planner-e1-agent',
    'tally-success',
  ])('each attack on %s is caught by the check that is announced, or offers nothing', async (name) => {
    const { engine } = await loaded(golden(name));
    for (const attack of ['edit', 'drop', 'swap', 'truncate', 'rehash', 'rederive'] as const) {
      const attacked = await engine.answer('attack', attack, none);
      if (attacked === null) continue;
      const { checks, caughtBy } = attacked;
      expect([attack, checks[caughtBy ?? 'time'].verdict]).toEqual([attack, 'failed']);
      if (checks.integrity.verdict === 'held') expect(checks.authorship.verdict).toBe('failed');
    }
  });

  test('a field of the reader is changed with and without hashes; a wrong path and no JSON are told', async () => {
    const { engine } = await loaded(golden('tally-success'));
    const edit = { record: 2, path: '/payload/proposer', value: '"mallory"', isHashed: false };
    const plain = await engine.answer('edit', edit, none);
    const hashed = await engine.answer('edit', { ...edit, isHashed: true }, none);
    expect('checks' in plain && plain.checks.integrity.verdict).toBe('failed');
    expect('checks' in hashed && hashed.checks.completeness.verdict).not.toBe('held');
    for (const wrong of [
      { path: '/nope/x' },
      { value: 'nope' },
      { path: '/payload/__proto__' },
      { path: '' },
      { record: 999 },
    ])
      expect(await engine.answer('edit', { ...edit, ...wrong }, none)).toHaveProperty('t', 'refused');
  });
});

test('a world with contracts is not checked without its engine, and the page says where it is', async () => {
  const { checked } = await loaded(golden('ecology-21-mandate'));
  expect(checked.document.checks.rederivation.verdict).toBe('held');
  const shown = await engineWithoutContracts().answer('load', given(golden('ecology-21-mandate')), none);
  if (shown.t === 'refused') throw new Error(shown.says);
  expect(shown.document.checks.rederivation).toMatchObject({
    verdict: 'not_checked',
    code: 'engine',
  });
  expect(shown.reasons.rederivation.says).toMatch(/cannot run its contracts.*assay verify/);
  expect(shown.picture).toBeNull();
});

describe('beside a file', () => {
  test('a head line makes completeness a check; another one fails it; no head line is told', async () => {
    const bytes = golden('tally-success');
    const { checked } = await loaded(bytes);
    const of = async (head: string): Promise<Checked | Refused> =>
      newEngine().answer('load', { ...given(bytes), beside: { ...beside, head } }, none);
    const held = await of(checked.head ?? '');
    expect('document' in held && held.document.checks.completeness.verdict).toBe('held');
    const other = await of((checked.head ?? '').replace(/.$/, (digit) => (digit === '0' ? '1' : '0')));
    expect('document' in other && other.document.checks.completeness.verdict).toBe('failed');
    expect(await of('a head')).toHaveProperty('t', 'refused');
  });

  test.each([
    ['tally-success', 'tally-success', /same ledger/],
    ['tally-success', 'tally-refused', /part at decision/],
    ['tally-success', 'intent-unicode', /unrelated: .*tally.*intent/],
  ])('%s and %s are compared', async (a, b, says) => {
    const { engine } = await loaded(golden(a));
    const found = await engine.answer('compare', given(golden(b)), none);
    expect('says' in found && found.says).toMatch(says);
    // Where they part before an answer differs, the answers were not compared.
    const answers = 'given' in found && found.given.find(({ name }) => name === 'answers')?.same;
    expect(answers).toBe(a === b ? true : null);
  });

  test('signatures, proofs and a key make authorship a check; a key of somebody else fails it', async () => {
    const name = 'forgeries/twin-signed';
    const proofs = Buffer.concat([fixture(name, 'signatures.jsonl'), fixture(name, 'proofs.jsonl')]);
    const key = 'assay-public-key:1:8abaa2bc65033cd56f0dede614bd0411712c21b7ee9c8ec43fa0fb0acf4af8f8';
    const of = async (trusted: string): Promise<string> => {
      const brought = { ...beside, proofs, key: trusted };
      const checked = await newEngine().answer('load', { ...given(golden(name)), beside: brought }, none);
      return 'document' in checked ? checked.document.checks.authorship.verdict : checked.says;
    };
    expect(await of(key)).toBe('held');
    expect(await of(key.replace(/8abaa/, '9abaa'))).not.toBe('held');
    expect(await of('a key')).toMatch(/no public key/);
  });

  const vote = (value: Json, at: number): Json => (at === 0 ? { option: 'salad' } : value);
  const weights = { coverage: 900_000 };
  test.each<[string, Bytes, Bytes, RegExp, string | null]>([
    [
      'an answer',
      again(tally, 'tally-success', {}),
      again(tally, 'tally-success', { value: vote }),
      /decision 1, because of another proposal\./,
      null,
    ],
    [
      'a policy',
      again(tally, 'tally-success', {}),
      again(tally, 'tally-success', { policy: { quorum: 1 } }),
      /because of another policy\./,
      '/policy/quorum',
    ],
    [
      'a weight',
      golden('intent-several-proposers'),
      again(intent, 'intent-several-proposers', { policy: { weights } }),
      /because of another policy\./,
      '/policy/weights/coverage',
    ],
    [
      'a version of the machine',
      again(tally, 'tally-success', {}),
      again({ ...tally, version: 2 }, 'tally-success', { value: vote }),
      /because of another machine version \(1 and 2\) and proposal/,
      '/machine/version',
    ],
  ])('%s that was changed is named as the cause, with the records', async (_name, a, b, says, path) => {
    const { engine } = await loaded(a);
    const compared = await engine.answer('compare', given(b), none);
    if (compared.t === 'refused') throw new Error(compared.says);
    expect(compared.says).toMatch(says);
    expect(compared.others.map((one) => one.path)).toEqual(path === null ? [] : [path]);
    if (compared.found?.kind !== 'differs') throw new Error('they are equal');
    expect(compared.found.at.left).not.toEqual(compared.found.at.right);
  });

  test('a difference of digests shows the answers they stand for', async () => {
    const { engine } = await loaded(golden('intent-tie-by-node'));
    const compared = await engine.answer('compare', given(golden('intent-tie-by-name')), none);
    const at = 'found' in compared && compared.found?.kind === 'differs' ? compared.found.at : null;
    expect(at?.field).toMatch(/_hash$/);
    expect(at?.left).toMatchObject([{ name: 'cake' }]);
  });

  test('a truncated copy is called one', async () => {
    const { engine } = await loaded(golden('tally-success'));
    const lines = golden('tally-success').toString().split('\n');
    const found = await engine.answer(
      'compare',
      given(Buffer.from(`${lines.slice(0, 4).join('\n')}\n`)),
      none,
    );
    expect('says' in found && found.says).toMatch(/truncated copy.*record 3/);
  });
});

test('a line that no record may be is shown as text, and more records than a page reads are refused', async () => {
  const ledger = golden('tally-success');
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const { engine, checked } = await loaded(Buffer.concat([ledger, Buffer.from(`${deep}\n`)]));
  const shown = await engine.answer('record', checked.records - 1, none);
  expect([shown?.json, shown?.line.slice(0, 9)]).toEqual([null, '[[[[[[[[[']);
  const bomb = await newEngine().answer('load', given(Buffer.alloc(200_000, '\n')), none);
  expect('says' in bomb && bomb.says).toMatch(/more than the 100000 records/);
});

test('what to type next is one word for the file, whatever its name', async () => {
  const named = { ...given(golden('intent-several-proposers')), label: "-a $(x) '; rm.html" };
  const checked = await newEngine().answer('load', named, none);
  expect('next' in checked && checked.next[0]).toContain(`'./-a $(x) '"'"'; rm.html'`);
});

test('knobs as they are decide the same; another weight is decided again', async () => {
  const { engine, checked } = await loaded(golden('intent-several-proposers'));
  const same = await engine.answer('tryOut', [], none);
  expect('verdict' in same && same.verdict).toBe(checked.picture?.verdict);
  const [knob] = checked.knobs;
  const tried = await engine.answer('tryOut', [{ id: knob?.id ?? '', to: knob?.max ?? 0 }], none);
  expect(tried).toHaveProperty('panels');
});

test('a graph is whole, or what lies around a node', async () => {
  const { engine } = await loaded(golden('intent-several-proposers'));
  const graph = await engine.answer('graph', null, none);
  expect(graph.total).toBeGreaterThan(3);
  expect(graph.isDrawn).toBe(true);
  const near = await engine.answer('graph', graph.nodes[0]?.id ?? '', none);
  expect(near.nodes.length).toBeLessThanOrEqual(graph.nodes.length);
});

test.each([
  ['nothing', ''],
  ['no text', '\u0000\u0001'],
  ['a page without a ledger', '<!doctype html><p>hello'],
  ['an erased genesis', '{"kind":"genesis"}\n'],
])('%s is no run, and nothing of it is drawn or held', async (_name, text) => {
  const checked = await newEngine().answer('load', given(Buffer.from(text)), none);
  if (checked.t === 'refused') expect(checked.says).toMatch(/no ledger/);
  else {
    expect(checked.picture).toBe(null);
    expect(Object.values(checked.document.checks).some(({ verdict }) => verdict === 'held')).toBe(false);
  }
});
