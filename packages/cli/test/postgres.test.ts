import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { evidence, freshName, server, sql, urlOf } from '../../store-postgres/test/tools/server.js';
import { message, startScripted } from '../../store-postgres/test/tools/scripted.js';
import { serverProblem } from '../src/problems/server-problem.ts';
import { assay, document, spawned, temporaryFolder, lackingPackage } from './lib/assay.ts';
import { freshSchemas, SPOILED_SCHEMAS } from './lib/places.ts';

const folder = temporaryFolder();
const REQUEST = 'Keep audit logs for [90|120] days.';
const CANARY = 'c4n4ry-p4ssw0rd';
const connecting = { mayConnect: true };
const without = lackingPackage('@assay/store-postgres');

/** A problem as the terminal shows it, and nowhere the password. */
async function expectProblem(url: string, exit: number, code: string, message: string): Promise<void> {
  for (const args of [
    ['run', REQUEST, '--set', 'run_id=x', '--store', url],
    ['store', 'check', url],
  ]) {
    const { code: ended, stdout, stderr } = await assay(args, connecting);
    expect([args[0], ended]).toEqual([args[0], exit]);
    expect(stderr).toContain(`assay: ${code}: `);
    expect(stderr).toMatch(/^assay: .+\n {2}place {3}.+\n {2}remedy {2}.+/);
    expect(stderr).toContain(message);
    expect(stdout + stderr).not.toContain(CANARY);
  }
}

describe('--store postgres://…, without a server', () => {
  test.each([
    'postgres:',
    'postgres://h',
    `postgres://u:${CANARY}@h/`,
    `postgres://u:${CANARY}@h/d?sslmode=maybe`,
    `postgres://h/d?password=${CANARY}`,
    `postgres://u:${CANARY}/d`,
  ])('%s is no address: exit 2, and no password is shown', (url) =>
    expectProblem(url, 2, 'store_url', 'postgres'),
  );

  test('an unknown scheme with a password in it is exit 2, and the password is not shown', () =>
    expectProblem(`postgers://u:${CANARY}@h/d`, 2, 'store_url', 'postgres'));

  test.skipIf(!hasLoopback)('a host where nobody listens is exit 5', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    listener.close();
    await once(listener, 'close');
    await expectProblem(
      `postgres://u:${CANARY}@127.0.0.1:${port}/d`,
      5,
      'store_unavailable',
      'no server is listening there (ECONNREFUSED)',
    );
  });

  test.skipIf(!hasLoopback)(
    'a password that is refused is exit 2, also with --verbose and --json',
    async () => {
      const scripted = await startScripted('password');
      const url = `postgres://u:${CANARY}@127.0.0.1:${scripted.port}/d`;
      await expectProblem(url, 2, 'store_login', 'does not accept this user or password (28P01)');
      for (const more of ['--verbose', '--json']) {
        const { code, stdout, stderr } = await assay(['run', REQUEST, '--store', url, more], connecting);
        expect(code).toBe(2);
        expect(stdout + stderr).toContain(`postgres://u:***@127.0.0.1:${scripted.port}/d`);
        expect(stdout + stderr).not.toContain(CANARY);
      }
      expect(scripted.heard()).toContain(CANARY);
      await scripted.close();
    },
  );

  test.skipIf(!hasLoopback).each([
    ['no PostgreSQL', 'does not speak PostgreSQL (EPROTO)', [message('?', Buffer.alloc(0))]],
    ['another service', 'does not speak PostgreSQL (EPROTO)', 'mysql'],
    ['a server that wants GSSAPI', 'login method', [message('R', Buffer.from([0, 0, 0, 7]))]],
  ] as const)('%s is exit 5, and says so', async (_, told, script) => {
    const scripted = await startScripted(script);
    await expectProblem(`postgres://u:${CANARY}@127.0.0.1:${scripted.port}/d`, 5, 'store_unavailable', told);
    await scripted.close();
  });

  test('no connection is opened where no such store is named', async () => {
    expect((await spawned(['run', REQUEST])).code).toBe(0);
    expect((await spawned(['run', REQUEST, '--store', 'postgres://127.0.0.1:1/d'])).code).toBe(99);
  });

  test('without the package: all else works, doctor and the error say what to type', async () => {
    expect((await assay(['run', REQUEST], { env: without })).code).toBe(0);
    expect(await assay(['doctor'], { env: without })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/postgres +not tried +.*; type: npm install @assay\/store-postgres@/),
    });
    const { code, stderr } = await assay(['run', REQUEST, '--store', `postgres://u:${CANARY}@h/d`], {
      env: without,
    });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        new RegExp(
          String.raw`^assay: package: .*\n {2}place {3}postgres:\/\/u:\*\*\*@h\/d\n {2}remedy {2}type: ` +
            String.raw`npm install @assay\/store-postgres@`,
        ),
      ),
    ]);
  });

  test('every refusal of a server has words; one of a disk is left to others', () => {
    const problem = (errno: string): string | undefined =>
      serverProblem({ code: 'unavailable', run_id: null, operation: 'list', errno }, 'p')?.problem.message;
    for (const errno of [
      '25006',
      '53100',
      '42501',
      'ETIMEDOUT',
      'CERT_HAS_EXPIRED',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      '23514',
      'XX000',
      'P0001',
    ])
      expect(problem(errno)).toContain(`(${errno})`);
    for (const errno of ['ENOSPC', 'EROFS', 'EPERM', 'EBUSY', 'EACCES', 'EIO'])
      expect(problem(errno)).toBeUndefined();
  });
});

describe.skipIf(server === null)('--store postgres://…, with a server', () => {
  const fresh = freshSchemas();

  test(
    'keeps the run with the bytes that -o writes; the same call takes it up, another run of ' +
      'the same name is refused',
    async () => {
      const schema = fresh();
      const out = join(folder, 'out');
      const store = urlOf(schema);
      const first = await document(
        ['run', REQUEST, '--set', 'run_id=kept', '--store', store, '-o', out],
        connecting,
      );
      const second = await document(['run', REQUEST, '--set', 'run_id=kept', '--store', store], connecting);
      expect([first.code, second.code]).toEqual([0, 0]);
      expect(second.json['head']).toEqual(first.json['head']);
      const lines = await sql(`SELECT text FROM "${schema}".records WHERE run = 'kept' ORDER BY seq`);
      expect(lines.map(({ text }) => `${String(text)}\n`).join('')).toBe(
        readFileSync(join(out, 'run.ledger.jsonl'), 'utf8'),
      );
      const other = await assay(
        ['run', REQUEST, '--pin', 'no_x=true', '--set', 'run_id=kept', '--store', store],
        connecting,
      );
      expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('run_exists')]);
      const { code, json } = await document(['store', 'check', store], connecting);
      expect([code, json]).toMatchObject([0, { runs: 1 }]);
    },
  );

  test(
    'a run that is not there is told, though the store and the command have each their own ' +
      'copy of the host',
    async () => {
      const schema = fresh();
      expect(
        (await assay(['run', REQUEST, '--set', 'run_id=x', '--store', urlOf(schema)], connecting)).code,
      ).toBe(0);
      const { code, stderr } = await assay(['resume', `${urlOf(schema)}#nobody`], connecting);
      expect([code, stderr]).toEqual([2, expect.stringContaining('assay: no_run: ')]);
    },
  );

  test('a check makes no schema: a missing one is exit 5; one that is there, and empty, can be written', async () => {
    const schema = fresh();
    expect(await assay(['store', 'check', urlOf(schema)], connecting)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('assay: store_missing: no such store'),
    });
    expect(await sql('SELECT FROM pg_namespace WHERE nspname = $1', [schema])).toEqual([]);
    await sql(`CREATE SCHEMA "${schema}"`);
    expect(await assay(['store', 'check', urlOf(schema)], connecting)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(': 0 runs; it can be read and written'),
    });
    expect(
      await sql('SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE nspname = $1', [
        schema,
      ]),
    ).toEqual([]);
  });

  test('a run of a name that is none, put there by other means, is listed as broken', async () => {
    const schema = fresh();
    expect(
      (await assay(['run', REQUEST, '--set', 'run_id=x', '--store', urlOf(schema)], connecting)).code,
    ).toBe(0);
    await sql(
      `UPDATE "${schema}".runs SET run = '../../etc'; UPDATE "${schema}".records SET run = '../../etc'`,
    );
    const { code, stdout } = await assay(['store', 'list', urlOf(schema)], connecting);
    expect([code, stdout]).toEqual([3, expect.stringMatching(/^\.\.\/\.\.\/etc .* broken +store_run_id/)]);
  });

  test('a missing database is exit 2, and says so', async () => {
    const url = new URL(urlOf('assay'));
    url.pathname = `/${freshName()}`;
    await expectProblem(url.href, 2, 'store_database', 'no such database (3D000)');
  });

  test.each(SPOILED_SCHEMAS)('%s: exit 2, and the evidence untouched', async (_, spoil, message) => {
    const schema = fresh();
    expect(
      (await assay(['run', REQUEST, '--set', 'run_id=x', '--store', urlOf(schema)], connecting)).code,
    ).toBe(0);
    await sql(spoil.replaceAll('s.', `"${schema}".`));
    const rows = (): Promise<unknown> => sql(`SELECT * FROM "${schema}".records ORDER BY run, seq`);
    const before = await rows();
    await expectProblem(urlOf(schema), 2, 'store_schema', message);
    expect(await rows()).toEqual(before);
  });

  test('a stored ledger that does not hold is told from one that does, and left as it was', async () => {
    const schema = fresh();
    expect(
      (await assay(['run', REQUEST, '--set', 'run_id=x', '--store', urlOf(schema)], connecting)).code,
    ).toBe(0);
    await sql(
      `UPDATE "${schema}".records SET text = replace(text, 'record_hash', 'record_hush') WHERE ` +
        `seq = (SELECT max(seq) FROM "${schema}".records)`,
    );
    const before = await evidence(schema);
    const { code, stderr } = await assay(
      ['run', REQUEST, '--set', 'run_id=x', '--store', urlOf(schema)],
      connecting,
    );
    expect(stderr).toMatch(/^assay: store_torn: .+\n {2}place {3}.+\n {2}remedy {2}.+/);
    expect(code).toBe(3);
    expect(await evidence(schema)).toEqual(before);
  });
});
