import { describe, expect, test } from 'vitest';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { server, urlOf } from '../../store-postgres/test/tools/server.js';
import { message, startScripted } from '../../store-postgres/test/tools/scripted.js';
import { serverProblem } from '../src/problems/server-problem.ts';
import { assay, spawned, lackingPackage } from './lib/assay.ts';
import { freshSchemas } from './lib/places.ts';
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
});
