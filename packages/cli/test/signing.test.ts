/**
 * Keys, signed heads and proofs: permissions, bytes, many at once, and that no secret is ever shown. What the verbs
 * print and refuse is in `scenarios/sign.txt`.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatEnvelope, readEvidenceLines } from '@assay/attest';
import { storedIndex, TREE_HASH_BYTES, TREE_HEADER_BYTES } from '../../attest/src/merkle/stored.ts';
import type { Digest } from '@assay/kernel';
import { addLines } from '../src/commands/sign/evidence-files.ts';
import { assay, POLL, temporaryFolder, type Ended } from './lib/assay.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const said: string[] = [];
const call = async (...args: readonly string[]): Promise<Ended> => {
  const ended = await assay(args, { cwd: folder });
  said.push(ended.stdout, ended.stderr);
  return ended;
};
const problem = async (...args: readonly string[]): Promise<readonly [number | null, string]> => {
  const { code, stderr } = await call(...args);
  return [code, /assay: ([a-z_]+):/.exec(stderr)?.[1] ?? stderr];
};

beforeAll(async () => {
  for (const name of ['anna', 'boris']) expect((await call('keygen', name)).code).toBe(0);
  expect((await call('head', POLL, '--sign', 'anna', '-o', 'poll.proofs.jsonl')).code).toBe(0);
});

describe('keygen', () => {
  test("the secret is its owner's alone, the public key is printed and lies beside it", async () => {
    const { stdout, code } = await call('keygen', 'more/carla');
    expect(code).toBe(0);
    expect(statSync(at('more/carla')).mode & 0o777).toBe(0o600);
    expect(readFileSync(at('more/carla.pub'), 'utf8')).toBe(stdout);
    expect(stdout).toMatch(/^assay-public-key:1:[0-9a-f]{64}\n$/);
    expect(readFileSync(at('more/carla'), 'utf8')).toMatch(/^assay-secret-key:1:[0-9a-f]{64}\n$/);
  });

  test('nothing is replaced, neither the secret nor the public file, and then nothing is written', async () => {
    const before = readFileSync(at('anna'), 'utf8');
    expect(await problem('keygen', 'anna')).toEqual([2, 'exists']);
    writeFileSync(at('dora.pub'), 'mine\n');
    expect(await problem('keygen', 'dora')).toEqual([2, 'exists']);
    expect([
      readFileSync(at('anna'), 'utf8'),
      existsSync(at('dora')),
      readFileSync(at('dora.pub'), 'utf8'),
    ]).toEqual([before, false, 'mine\n']);
    expect(await problem('keygen', folder)).toEqual([2, 'is_folder']);
    expect(await problem('keygen')).toEqual([2, 'missing_argument']);
  });
});

describe('a key that cannot sign', () => {
  test.each([0o644, 0o640, 0o602, 0o660])('with mode %o', async (mode) => {
    writeFileSync(at('loose'), readFileSync(at('anna')), { mode: 0o600 });
    chmodSync(at('loose'), mode);
    expect(await problem('head', POLL, '--sign', 'loose')).toEqual([2, 'key_permissions']);
  });

  test('missing, a folder, a public key, malformed, cut, doubled', async () => {
    mkdirSync(at('a-folder'));
    const secret = readFileSync(at('anna'), 'utf8');
    for (const [name, text] of [
      ['junk', 'hello\n'],
      ['cut', secret.slice(0, 60)],
      ['twice', `${secret}${secret}`],
      ['none', ''],
      ['binary', '\0\0'],
    ] as const)
      writeFileSync(at(name), text, { mode: 0o600 });
    expect(await problem('head', POLL, '--sign', 'nobody')).toEqual([2, 'missing_file']);
    expect(await problem('head', POLL, '--sign', 'a-folder')).toEqual([2, 'unreadable']);
    for (const mode of [0o600, 0o644]) {
      chmodSync(at('anna.pub'), mode);
      expect(await problem('head', POLL, '--sign', 'anna.pub')).toEqual([2, 'public_key']);
    }
    for (const name of ['junk', 'cut', 'twice', 'none', 'binary'])
      expect(await problem('head', POLL, '--sign', name)).toEqual([2, 'key_line']);
  });

  test("a link to a key is that key, with that key's permissions", async () => {
    symlinkSync(at('anna'), at('link'));
    expect((await call('head', POLL, '--sign', 'link')).code).toBe(0);
  });
});

test.each([
  ['head', POLL, '--sign'],
  ['head'],
  ['verify'],
  ['verify', POLL, '--trust'],
  ['run', 'Keep logs.', '--set'],
])('a secret key given itself, to %j, is printed nowhere', async (...args) => {
  const line = readFileSync(at('anna'), 'utf8').trim();
  for (const more of [[], ['--json'], ['--verbose']]) {
    const { code, stdout, stderr } = await call(...args, line, ...more);
    expect([code, stdout + stderr]).toEqual([
      2,
      expect.not.stringContaining(line.slice('assay-secret-key:1:'.length, -8)),
    ]);
  }
});

describe('head --sign', () => {
  test('several at once into one file: every signature and every proof stands there', async () => {
    for (const name of ['carla', 'dario']) await call('keygen', name);
    const keys = ['anna', 'boris', 'carla', 'dario'];
    for (let round = 0; round < 2; round += 1) {
      const file = `at-once-${round}.jsonl`;
      const all = await Promise.all([
        ...keys.map((key) => call('head', POLL, '--sign', key, '-o', file)),
        ...['3', '4'].map((record) => call('prove', POLL, record, '-o', file)),
      ]);
      expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
      const { envelopes, proofs, unread } = readEvidenceLines(readFileSync(at(file)));
      expect([
        new Set(envelopes.map(({ signatures: [one] }) => one?.keyid)).size,
        new Set(proofs.flatMap((proof) => (proof.t === 'assay.inclusion.v1' ? [proof.index] : []))),
        unread,
      ]).toEqual([4, new Set([0, 3, 4]), 0]);
    }
  });

  test(
    'several that find a last line without its end give it one together: no blank line, ' +
      'which nothing would read any more',
    async () => {
      const [line = ''] = readFileSync(at('poll.proofs.jsonl'), 'utf8').split('\n');
      for (let round = 0; round < 20; round += 1) {
        const file = at(`unended-${round}.jsonl`);
        writeFileSync(file, line);
        const others = Array.from({ length: 4 }, (_, index) =>
          formatEnvelope({
            payloadType: `text/${index}`,
            payload: new Uint8Array(),
            signatures: [{ keyid: 'a'.repeat(64) as Digest, sig: new Uint8Array(64) }],
          }),
        );
        await Promise.all(others.map((other) => addLines(file, [other])));
        const { envelopes, unread } = readEvidenceLines(readFileSync(file));
        expect([envelopes.length, unread, readFileSync(file, 'utf8').split('\n').toSorted()]).toEqual([
          5,
          0,
          ['', line, ...others].toSorted(),
        ]);
      }
    },
  );
});

describe('verify', () => {
  test('a key file is one line and its end, and a key of small order is none', async () => {
    const line = readFileSync(at('anna.pub'), 'utf8').trimEnd();
    for (const text of ['', `${line}\r\n`, `\uFEFF${line}\n`, `${line}\n\n`, `${line}\n${line}\n`]) {
      writeFileSync(at('other.pub'), text);
      expect([text, await problem('verify', POLL, '--trust', 'other.pub')]).toEqual([text, [2, 'key_line']]);
    }
    expect(await problem('verify', POLL, '--trust', `assay-public-key:1:02${'0'.repeat(62)}`)).toEqual([
      2,
      'weak_key',
    ]);
  });
});

describe('prove', () => {
  test('a stored tree that is cut is made anew', async () => {
    const made = await call('prove', POLL, '9', '--tree', 'tree');
    const tree = readFileSync(at('tree'));
    for (const bad of [tree.subarray(0, -1), tree.subarray(0, -TREE_HASH_BYTES), Buffer.alloc(0)]) {
      writeFileSync(at('tree'), bad);
      const { stdout, stderr } = await call('prove', POLL, '9', '--tree', 'tree');
      expect([stdout, stderr.includes('was replaced')]).toEqual([made.stdout, bad.length > 0]);
      expect(Buffer.compare(readFileSync(at('tree')), tree)).toBe(0);
    }
  });

  test(
    'a stored tree with one bit changed gives no other proof: what leads elsewhere than to ' +
      'its root is made anew, and that is said',
    async () => {
      const args = ['prove', POLL, '9', '--count', '12', '--tree', 'flipped'];
      const { stdout } = await call(...args);
      const tree = readFileSync(at('flipped'));
      const said = new Set<string>();
      // In the node over the first eight, in what the proof is of, in the first record, in the last node that
      // is read, in the root, and in one that is not read.
      const places = [
        storedIndex(3, 0),
        storedIndex(0, 9),
        0,
        storedIndex(1, 5),
        (tree.length - TREE_HEADER_BYTES) / TREE_HASH_BYTES - 1,
        storedIndex(0, 3),
      ];
      for (const place of places) {
        const flipped = Buffer.from(tree);
        const byte = TREE_HEADER_BYTES + TREE_HASH_BYTES * place + 5;
        flipped[byte] = (flipped[byte] ?? 0) ^ 1;
        writeFileSync(at('flipped'), flipped);
        const again = await call(...args);
        expect([place, again.code, again.stdout]).toEqual([place, 0, stdout]);
        said.add(again.stderr);
        expect(readFileSync(at('flipped')).equals(tree)).toBe(again.stderr !== '');
      }
      expect(said).toEqual(new Set(['assay: flipped did not match this ledger and was replaced\n', '']));
    },
  );
});

test('no call has shown a secret', () => {
  const secrets = ['anna', 'boris'].map(
    (name) => /[0-9a-f]{64}/.exec(readFileSync(at(name), 'utf8'))?.[0] ?? '',
  );
  expect(secrets.every((secret) => secret.length === 64)).toBe(true);
  expect(said.length).toBeGreaterThan(60);
  for (const secret of secrets) expect(said.filter((text) => text.includes(secret.slice(0, 16)))).toEqual([]);
});
