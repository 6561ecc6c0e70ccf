/** The verbs of a fleet on a server, and a worker as a process. No test shows a password, nor stores one. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findJsonSchema } from '@assay/kernel/schemas';
import { describeServer, freshName, sql, urlOf } from '../../store-postgres/test/tools/server.js';
import { argv, assay, BIN, ROOT, temporaryFolder, type Ended, lackingPackage } from './lib/assay.ts';

const CANARY = 'c4n4ry-p4ssw0rd';
const POLLS = join(ROOT, 'examples', 'fleet', 'polls.jsonl');
const WORK = join(ROOT, 'examples', 'fleet', 'work.mjs');
const folder = temporaryFolder();
const schema = freshName();
const url = withPassword(urlOf(schema));
const said: string[] = [];
const workers: ChildProcess[] = [];

/** A server that trusts this machine takes any password. */
function withPassword(address: string): string {
  const whole = new URL(address);
  if (whole.password === '') whole.password = CANARY;
  return whole.href;
}

async function call(...args: readonly string[]): Promise<Ended> {
  const ended = await assay(args, { mayConnect: true });
  said.push(ended.stdout, ended.stderr);
  return ended;
}

async function ask(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout } = await call(...args, '--json');
  return JSON.parse(stdout) as Record<string, unknown>;
}

const states = async (): Promise<unknown> => (await ask('store', 'list', url, '--fleet'))['totals'];
const none = { queued: 0, driving: 0, waiting: 0, closed: 0, failed: 0 };

/** Starts a worker, and waits until it serves. */
async function startWorker(file: string, ...more: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [BIN, 'work', '--with', file, '--store', url, ...more], {
    cwd: folder,
  });
  workers.push(child);
  let isReady = false;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said.push(text);
      isReady ||= text.includes('serves');
    });
  await expect.poll(() => isReady, { timeout: 20_000 }).toBe(true);
  return child;
}

test('without the package of fleets, or of the engine: what to type', async () => {
  const at = ['--store', `postgres://u:${CANARY}@127.0.0.1:9/none`];
  const list = await assay(['store', 'list', at[1] ?? '', '--fleet'], {
    env: lackingPackage('@assay/fleet'),
    mayConnect: true,
  });
  expect([list.code, list.stderr]).toEqual([2, expect.stringContaining('type: npm install @assay/fleet@')]);
  const work = await assay(['work', '--with', WORK, ...at], {
    env: lackingPackage('@dbos-inc/dbos-sdk'),
    mayConnect: true,
  });
  expect([work.code, work.stderr]).toEqual([
    2,
    expect.stringMatching(
      /assay: engine_package: .* not installed\n(?:.*\n)* {2}remedy {2}type: npm install @dbos-inc/,
    ),
  ]);
  said.push(list.stderr, work.stderr);
});

const line = (run_id: string, voters = 1): string =>
  JSON.stringify({
    ...(run_id === '' ? {} : { run_id }),
    policy: { voters, quorum: 1, attempts: 1 },
    input: { question: '?', options: ['a', 'b'] },
  });

describeServer('a fleet', () => {
  const given = join(folder, 'given.jsonl');
  const own = join(folder, 'own.mjs');
  beforeAll(() => {
    writeFileSync(
      own,
      `import { machines as [tally], ports as polls } from ${JSON.stringify(WORK)};
      const open = () => { throw new Error('broken'); };
      export const machines = [tally, { ...tally, name: 'thrower', open }, { ...tally, name: 'portless' }];
      export const ports = (run) => { if (run.machine.name === 'portless') throw new Error('no key'); return polls(run); };`
        .replace('machines as [tally]', 'machines as theirs')
        .replace('const open', 'const [tally] = theirs; const open'),
    );
  });
  afterAll(async () => {
    for (const child of workers) child.kill('SIGKILL');
    for (const name of [schema, `${schema}_fleet`, `${schema}_dbos`])
      await sql(`SET client_min_messages = warning; DROP SCHEMA IF EXISTS "${name}" CASCADE`);
  });

  test('is a store that is not there, and nothing is made, where nobody has submitted', async () => {
    expect(await ask('store', 'list', url, '--fleet')).toMatchObject({ error: { code: 'store_missing' } });
    expect((await call('work', 'hold', 'lunch', '--store', url)).stderr).toContain('assay: no_run: ');
    expect(await sql(`SELECT FROM pg_namespace WHERE nspname LIKE $1`, [`${schema}%`])).toEqual([]);
  });

  test('submit: runs are queued once, all lines or none', async () => {
    const queue = (path: string, machine = 'tally@1'): readonly string[] =>
      argv`submit ${path} --machine ${machine} --store ${url} --tenant offices`;
    expect(await ask(...queue(POLLS))).toEqual({
      store: expect.stringContaining('***'),
      machine: 'tally@1',
      submitted: 3,
      known: 0,
      run_ids: ['lunch', 'room', 'friday'],
    });
    expect(await ask(...queue(POLLS))).toMatchObject({ submitted: 0, known: 3 });
    const lines = Array.from({ length: 10_000 }, (_, at) => line(`run-${at}`));
    for (const [text, code, place] of [
      [lines.with(7_000, '{"policy": 1}').join('\n'), 'bad_line', ':7001'],
      [`${line('')}\n${line('', 0)}`, 'bad_genesis', ':2'],
      [`${line('new')}\n${line('lunch')}`, 'run_exists', 'lunch'],
    ] as const) {
      writeFileSync(given, text);
      const { code: exit, stderr } = await call(...queue(given));
      expect([exit, stderr]).toEqual([2, expect.stringContaining(`assay: ${code}: `)]);
      expect(stderr).toContain(place);
    }
    expect(await states()).toEqual({ ...none, queued: 3 });
    for (const name of ['thrower', 'portless']) {
      writeFileSync(given, line(name));
      expect(await ask(...queue(given, `${name}@1`))).toMatchObject({ submitted: 1 });
    }
  });

  test('store list --fleet: pages and states, as the schema says', async () => {
    const first = await ask('store', 'list', url, '--fleet', '--limit', '2');
    const published = findJsonSchema('fleet') as { readonly required: readonly string[] };
    expect(Object.keys(first).toSorted()).toEqual(published.required.toSorted());
    const second = await ask(...argv`store list ${url} --fleet --limit 3 --after ${String(first['after'])}`);
    const ids = [first, second].flatMap(({ runs }) =>
      (runs as { run_id: string }[]).map(({ run_id }) => run_id),
    );
    expect(ids).toEqual(['friday', 'lunch', 'portless', 'room', 'thrower']);
    expect(second['after']).toBeNull();
    expect(await ask('store', 'list', url, '--fleet', '--state', 'failed')).toMatchObject({ runs: [] });
    expect(await ask('store', 'list', url, '--fleet', '--tenant', 'other')).toMatchObject({ runs: [] });
    expect((await call('store', 'list', url, '--fleet', '--state', 'odd')).code).toBe(2);
  });

  test('--submit: a verb that starts a run queues it instead', async () => {
    const run = ['run', 'Keep audit logs for 90 days.', '--submit', '--store', url];
    expect(await ask(...run)).toMatchObject({ machine: 'intent@1', submitted: 1, known: 0 });
    expect(await ask(...run)).toMatchObject({ submitted: 0, known: 1 });
  });

  test('a worker drives what it serves, gives back what is held, and ends by SIGTERM with 130', async () => {
    expect((await call('work', 'hold', 'friday', '--store', url)).code).toBe(0);
    const worker = await startWorker(own, '--lease-ms', '2000');
    // Of a version that nobody serves, and held.
    const start = { ...none, queued: 2, waiting: 2, failed: 2 };
    await expect.poll(states, { timeout: 20_000 }).toEqual(start);
    expect((await call('work', 'retry', 'friday', '--store', url)).code).toBe(0);
    await expect.poll(states, { timeout: 20_000 }).toEqual({ ...start, queued: 1, waiting: 3 });
    expect((await call('doctor', '--store', url)).stdout).toMatch(
      /workers +works +\S+:\d+ serves tally@1, thrower@1, portless@1, 8 at once, by dbos 5/,
    );
    const { runs } = await ask('store', 'list', url, '--fleet');
    expect(runs).toContainEqual(
      expect.objectContaining({
        ...{ run_id: 'lunch', machine: 'tally@1', state: 'waiting', tenant: 'offices', holder: null },
        waiting: [{ request: expect.any(String), kind: 'ballot', until: null }],
      }),
    );
    const { stdout } = await call('store', 'list', url, '--fleet', '--state', 'failed');
    expect(stdout).toMatch(/portless +portless@1 +failed .*\nthrower +thrower@1 +failed .*/);
    expect((await call('work', 'retry', 'lunch', '--store', url)).stderr).toContain('assay: run_state: ');

    const answer = ['answer', 'lunch', 'ballot', '{"option":"salad"}', '--by', 'anna', '--store', url];
    expect(await call(...answer)).toMatchObject({ code: 0, stdout: expect.stringContaining('by anna') });
    await expect.poll(states, { timeout: 20_000 }).toMatchObject({ closed: 1 });
    expect(await sql(`SELECT run FROM "${schema}".records WHERE text LIKE '%"by":"anna"%'`)).toEqual([
      { run: 'lunch' },
    ]);
    expect((await call(...answer)).stderr).toContain('assay: not_asked: this run has ended');
    for (const look of [['verify'], ['show'], ['head']])
      expect((await call(...look, `${url}#lunch`)).code).toBe(0);
    const began = performance.now();
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual([130, null]);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(said.join('')).toContain('no worker serves intent@1');
  });

  test('answer: what is none, too large, given twice or not asked is refused', async () => {
    const asked = await call('answer', 'room', '--store', url);
    expect([asked.code, asked.stdout]).toEqual([6, expect.stringContaining('ballot')]);
    const file = (name: string, option: string): string => {
      writeFileSync(join(folder, name), JSON.stringify({ option }));
      return `@${join(folder, name)}`;
    };
    for (const [words, told] of [
      [['ballot', '{"option"'], 'bad_value'],
      [['ballot', '7'], 'bad_value'],
      [['ballot', file('huge.json', 'x'.repeat(50_000_000))], 'too_large'],
      [['ballot', file('large.json', 'x'.repeat(2_000_000))], 'too_large'],
      [['ballot', '@none.json'], 'missing_file'],
      [['confirm', '{}'], 'not_asked'],
    ] as const) {
      const { code, stderr } = await call('answer', 'room', ...words, '--store', url);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`assay: ${told}: `)]);
    }
    const once = ['answer', 'room', 'ballot', file('answer.json', 'blue'), '--store', url];
    expect((await call('work', 'hold', 'room', '--store', url)).code).toBe(0);
    expect(await call(...once)).toMatchObject({ code: 0, stdout: expect.stringContaining('is held') });
    expect((await call(...once)).stderr).toContain('assay: answered: ');
  });

  test('tables of another version, and no rights: refused, and nothing is changed', async () => {
    await sql(`UPDATE "${schema}_fleet".meta SET version = version + 1`);
    expect(await call('store', 'list', url, '--fleet')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('assay: store_schema: '),
    });
    await sql(`UPDATE "${schema}_fleet".meta SET version = version - 1`);
    await sql(`CREATE ROLE "${schema}" LOGIN`);
    const other = urlOf(schema, { user: schema });
    expect(await call('store', 'list', other, '--fleet')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('(42501)'),
    });
    await sql(`DROP ROLE "${schema}"`);
  });

  test('a log that is damaged: no run is taken up', async () => {
    mkdirSync(join(folder, 'log'));
    writeFileSync(join(folder, 'log', 'checkpoint'), 'no checkpoint\n');
    const ended = await call('work', '--with', WORK, '--store', url, '--log', join(folder, 'log'));
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('assay: log_damaged: ') });
  });

  test('no password is said or stored, whatever was called', async () => {
    expect(said.join('').length).toBeGreaterThan(1_000);
    expect(said.filter((text) => text.includes(CANARY))).toEqual([]);
    const tables = await sql(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname LIKE $1`,
      [`${schema}%`],
    );
    expect(tables.length).toBeGreaterThan(8);
    for (const { name } of tables)
      expect(
        await sql(`SELECT t::text FROM ${String(name)} AS t WHERE t::text LIKE $1`, [`%${CANARY}%`]),
      ).toEqual([]);
  });
});
