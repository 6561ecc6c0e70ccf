/**
 * Keys, signed heads and proofs by the command: what is written, what is refused, and that no secret is ever
 * shown.
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
import { argv, assay, document, FORGERIES, POLL, temporaryFolder, type Ended } from './lib/assay.ts';

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
const authorship = async (...args: readonly string[]): Promise<readonly [number | null, unknown]> => {
  const { code, json } = await document(['verify', ...args], { cwd: folder });
  const [first] = json['results'] as readonly {
    readonly checks: { readonly authorship: { readonly verdict: string; readonly code: string | null } };
  }[];
  return [code, first?.checks.authorship.code ?? first?.checks.authorship.verdict];
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
  test('prints the signed head, the same each time, or adds it to a file once', async () => {
    const [first, second] = [
      await call('head', POLL, '--sign', 'anna'),
      await call('head', POLL, '--sign', 'anna', '--quiet'),
    ];
    expect(first.stdout).toBe(second.stdout);
    expect(readFileSync(at('poll.proofs.jsonl'), 'utf8')).toBe(first.stdout);
    expect((await call('head', POLL, '--sign', 'anna', '-o', 'poll.proofs.jsonl')).code).toBe(0);
    expect(readFileSync(at('poll.proofs.jsonl'), 'utf8')).toBe(first.stdout);
    expect((await call('head', POLL, '--sign', 'boris', '-o', 'two.proofs.jsonl')).code).toBe(0);
    expect((await call('head', POLL, '--sign', 'anna', '-o', 'two.proofs.jsonl')).code).toBe(0);
    expect(readFileSync(at('two.proofs.jsonl'), 'utf8').split('\n').length).toBe(3);
  });

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

  test('never over what is no file of signatures, the ledger or the key', async () => {
    writeFileSync(at('notes.txt'), 'mine\n');
    expect(await problem('head', POLL, '--sign', 'anna', '-o', 'notes.txt')).toEqual([2, 'other_file']);
    writeFileSync(at('own.ledger.jsonl'), readFileSync(POLL));
    expect(await problem('head', 'own.ledger.jsonl', '--sign', 'anna', '-o', 'own.ledger.jsonl')).toEqual([
      2,
      'same_file',
    ]);
    expect(await problem('head', POLL, '--sign', 'anna', '-o', 'anna')).toEqual([2, 'same_file']);
    expect(await problem('head', POLL, '-o', 'line.txt')).toEqual([2, 'conflict']);
  });

  test('no ledger whose integrity does not hold is signed', async () => {
    expect(
      await problem('head', join(FORGERIES, 'edited-payload', 'ledger.jsonl'), '--sign', 'anna'),
    ).toEqual([3, 'payload_hash']);
  });
});

describe('verify', () => {
  test('held with a key as a file or as a line; a key named twice is one', async () => {
    const line = readFileSync(at('anna.pub'), 'utf8').trim();
    expect(await authorship(POLL, '--signature', 'poll.proofs.jsonl', '--trust', 'anna.pub')).toEqual([
      0,
      'held',
    ]);
    expect(await authorship(POLL, '--signature', 'poll.proofs.jsonl', '--trust', line)).toEqual([0, 'held']);
    expect(
      await problem(
        ...argv`verify ${POLL} --signature poll.proofs.jsonl --trust ${line} --trust anna.pub`,
        ...argv`--expect signers=2`,
      ),
    ).toEqual([2, 'bad_value']);
  });

  test('who names keys asks for authorship: what could not be checked is exit 4, unless allowed', async () => {
    expect(await authorship(POLL, '--signature', 'poll.proofs.jsonl', '--trust', 'boris.pub')).toEqual([
      4,
      'unknown_key',
    ]);
    expect(await authorship(POLL, '--trust', 'anna.pub')).toEqual([4, 'unsigned']);
    expect(
      await authorship(
        ...argv`${POLL} --signature poll.proofs.jsonl --trust anna.pub --trust boris.pub`,
        ...argv`--expect signers=2`,
      ),
    ).toEqual([4, 'below_threshold']);
    expect(
      await authorship(POLL, '--signature', 'poll.proofs.jsonl', '--trust', 'boris.pub', '--checks', 'any'),
    ).toEqual([0, 'unknown_key']);
    expect(await authorship(POLL, '--signature', 'poll.proofs.jsonl')).toEqual([0, 'no_key']);
  });

  test('a failed authorship is exit 3, in a report as well', async () => {
    const other = join(FORGERIES, 'twin-refused', 'ledger.jsonl');
    expect(await authorship(other, '--signature', 'poll.proofs.jsonl', '--trust', 'anna.pub')).toEqual([
      3,
      'signed_other',
    ]);
    const { stdout } = await call(
      ...argv`verify ${other} --signature poll.proofs.jsonl --trust anna.pub --quiet --junit report.xml`,
    );
    expect(stdout).toContain('authorship failed: signed_other');
    expect(readFileSync(at('report.xml'), 'utf8')).toContain('failures="1"');
  });

  test('wrong use: thresholds, keys, files', async () => {
    for (const threshold of ['0', '-1', '1.5', 'two', '2'])
      expect(
        await problem(
          ...argv`verify ${POLL} --signature poll.proofs.jsonl --trust anna.pub`,
          ...argv`--expect=signers=${threshold}`,
        ),
        threshold,
      ).toEqual([2, 'bad_value']);
    expect(await problem('verify', POLL, '--trust', 'anna')).toEqual([2, 'secret_key']);
    expect(await problem('verify', POLL, '--trust', 'notes.txt')).toEqual([2, 'key_line']);
    expect(await problem('verify', POLL, '--trust', 'none')).toEqual([2, 'key_line']);
    const line = readFileSync(at('anna.pub'), 'utf8').trimEnd();
    for (const text of [
      `${line}\r\n`,
      `\uFEFF${line}\n`,
      `${line}\n\n`,
      `${line}\n${readFileSync(at('boris.pub'), 'utf8')}`,
    ]) {
      writeFileSync(at('other.pub'), text);
      expect([text, await problem('verify', POLL, '--trust', 'other.pub')]).toEqual([text, [2, 'key_line']]);
    }
    expect(await problem('verify', POLL, '--trust', `assay-public-key:1:02${'0'.repeat(62)}`)).toEqual([
      2,
      'weak_key',
    ]);
    expect(await problem('verify', POLL, '--trust', `assay-public-key:1:${'0'.repeat(64)}`)).toEqual([
      2,
      'weak_key',
    ]);
    expect(await problem('verify', POLL, '--signature', 'nowhere', '--trust', 'anna.pub')).toEqual([
      2,
      'missing_file',
    ]);
    expect(await problem('verify')).toEqual([2, 'missing_argument']);
    expect(
      await problem(...argv`verify --proof poll.proofs.jsonl --signature poll.proofs.jsonl --trust anna.pub`),
    ).toEqual([2, 'no_proof']);
  });

  test('signatures in a folder of --with are no ledgers', async () => {
    mkdirSync(at('kept'), { recursive: true });
    writeFileSync(at('kept/poll.proofs.jsonl'), readFileSync(at('poll.proofs.jsonl')));
    expect((await call('verify', POLL, '--with', 'kept')).code).toBe(0);
  });
});

describe('prove', () => {
  test('a record under the signed head, with the ledger and without it', async () => {
    expect((await call('prove', POLL, '4', '--show-record', '-o', 'record.jsonl')).code).toBe(0);
    expect(
      await authorship(...argv`${POLL} --signature poll.proofs.jsonl --trust anna.pub --proof record.jsonl`),
    ).toEqual([0, 'held']);
    const { code, json } = await document(
      ['verify', '--proof', 'record.jsonl', '--signature', 'poll.proofs.jsonl', '--trust', 'anna.pub'],
      { cwd: folder },
    );
    expect([code, json['proofs']]).toMatchObject([
      0,
      [
        { verdict: 'held', proof: { index: 4, record: { kind: 'proposal' } } },
        { verdict: 'held', proof: { index: 0, record: { kind: 'genesis' } } },
      ],
    ]);
    // Where the run begins goes along, and not a word of what it begins with.
    expect(readFileSync(at('record.jsonl'), 'utf8').split('\n')[1]).not.toContain('"payload"');
    writeFileSync(at('alone.jsonl'), `${readFileSync(at('record.jsonl'), 'utf8').split('\n')[0]}\n`);
    expect(
      await problem(
        ...argv`verify --proof alone.jsonl --signature poll.proofs.jsonl --trust anna.pub --quiet`,
      ),
    ).toEqual([4, '']);
    expect((await call('verify', '--proof', 'record.jsonl')).code).toBe(4);
    writeFileSync(
      at('edited.jsonl'),
      readFileSync(at('record.jsonl'), 'utf8').replace('"option":"library"', '"option":"harbour"'),
    );
    const edited = await call(
      ...argv`verify --proof edited.jsonl --signature poll.proofs.jsonl --trust anna.pub --quiet`,
    );
    expect([edited.code, edited.stdout]).toEqual([3, 'proof failed: bad_proof\n']);
  });

  test('a later head goes on from an earlier one', async () => {
    expect((await call('prove', POLL, '--since', '10', '-o', 'link.jsonl')).code).toBe(0);
    writeFileSync(
      at('early.ledger.jsonl'),
      readFileSync(POLL, 'utf8')
        .split('\n')
        .slice(0, 10)
        .map((line) => `${line}\n`)
        .join(''),
    );
    expect((await call('head', 'early.ledger.jsonl', '--sign', 'anna', '-o', 'both.jsonl')).code).toBe(0);
    expect((await call('head', POLL, '--sign', 'anna', '-o', 'both.jsonl')).code).toBe(0);
    expect(
      await authorship(
        ...argv`early.ledger.jsonl --signature both.jsonl --trust anna.pub --proof link.jsonl`,
      ),
    ).toEqual([0, 'held']);
    const { stdout } = await call(...argv`verify early.ledger.jsonl --signature both.jsonl --trust anna.pub`);
    expect(stdout).toContain('later_head_signed');
    expect(
      (await call('verify', '--proof', 'link.jsonl', '--signature', 'both.jsonl', '--trust', 'anna.pub'))
        .code,
    ).toBe(0);
  });

  test(
    'from a stored tree the same bytes, and anew where the ledger went on, the tree is cut, ' +
      'or it is none',
    async () => {
      const plain = (await call('prove', POLL, '9')).stdout;
      const made = await call('prove', POLL, '9', '--tree', 'tree');
      expect([made.stdout, made.stderr]).toEqual([plain, 'assay: tree keeps the tree for the next proof\n']);
      expect(await call('prove', POLL, '9', '--tree', 'tree')).toEqual({
        code: 0,
        stdout: plain,
        stderr: '',
      });
      const tree = readFileSync(at('tree'));
      expect(await problem('prove', 'nowhere.jsonl', '9', '--tree', 'tree')).toEqual([2, 'missing_file']);
      expect(await problem('prove', folder, '9', '--tree', 'tree')).toEqual([2, 'is_folder']);
      writeFileSync(
        at('shorter.ledger.jsonl'),
        readFileSync(POLL, 'utf8')
          .split('\n')
          .slice(0, 10)
          .map((line) => `${line}\n`)
          .join(''),
      );
      expect((await call('prove', 'shorter.ledger.jsonl', '9', '--tree', 'tree')).stderr).toContain(
        'was replaced',
      );
      expect(Buffer.compare(readFileSync(at('tree')), tree)).not.toBe(0);
      for (const bad of [tree.subarray(0, -1), tree.subarray(0, -TREE_HASH_BYTES), Buffer.alloc(0)]) {
        writeFileSync(at('tree'), bad);
        const again = await call('prove', POLL, '9', '--tree', 'tree');
        expect([again.stdout, again.stderr]).toEqual([
          plain,
          bad.length === 0
            ? 'assay: tree keeps the tree for the next proof\n'
            : expect.stringContaining('was replaced'),
        ]);
        expect(Buffer.compare(readFileSync(at('tree')), tree)).toBe(0);
      }
    },
  );

  test('a file that is no stored tree is left as it is', async () => {
    for (const other of ['a tree', 'my notes\n'.repeat(20)]) {
      writeFileSync(at('notes'), other);
      expect(await problem('prove', POLL, '9', '--tree', 'notes')).toEqual([2, 'other_file']);
      expect(readFileSync(at('notes'), 'utf8')).toBe(other);
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

  test('a ledger is no place for a proof or a tree', async () => {
    expect(await problem('prove', 'own.ledger.jsonl', '1', '-o', 'own.ledger.jsonl')).toEqual([
      2,
      'same_file',
    ]);
    expect(await problem('prove', 'own.ledger.jsonl', '1', '--tree', 'own.ledger.jsonl')).toEqual([
      2,
      'same_file',
    ]);
  });
});

test('no call has shown a secret', () => {
  const secrets = ['anna', 'boris'].map(
    (name) => /[0-9a-f]{64}/.exec(readFileSync(at(name), 'utf8'))?.[0] ?? '',
  );
  expect(secrets.every((secret) => secret.length === 64)).toBe(true);
  expect(said.length).toBeGreaterThan(100);
  for (const secret of secrets) expect(said.filter((text) => text.includes(secret.slice(0, 16)))).toEqual([]);
});
