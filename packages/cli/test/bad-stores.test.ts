/**
 * Stores that are not there, not ours, or hold what does not hold: a code, a place, a remedy, and the
 * evidence as it was.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { orThrow } from '@assay/kernel';
import { findDriver } from '@assay/store-sqlite';
import { nodeProcesses, renderToken } from '../../host/src/store-file/owner.js';
import { evidence, freshName, server, sql, urlOf } from '../../store-postgres/test/tools/server.js';
import { startScripted } from '../../store-postgres/test/tools/scripted.js';
import { storeProblem } from '../src/files/store.ts';
import { assay, temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';
import { freshSchemas, SPOILED_SCHEMAS } from './lib/places.ts';

const folder = temporaryFolder();
const REQUEST = 'Keep audit logs for 90 days.';
const CANARY = 'c4n4ry-p4ssw0rd';
/** Of a database of SQLite, in bytes. */
const PAGE = 4_096;
const good = `file:${join(folder, 'good')}`;
await called('run', REQUEST, '--set', 'run_id=x', '--store', good);

/**
 * Every command that takes a store, at this one. `copy` to a place that is not there makes it, which is no
 * fault.
 */
const commandsAt = (url: string, alsoTo: boolean): readonly (readonly string[])[] => [
  ['resume', `${url}#x`],
  ['store', 'list', url],
  ['store', 'copy', url, `file:${join(folder, 'copies')}`],
  ...(alsoTo ? [['store', 'copy', good, url]] : []),
];

/** Each command ends so, says so, and shows no password. */
async function expectProblem(url: string, exit: number, code: string, alsoTo = true): Promise<void> {
  for (const args of commandsAt(url, alsoTo)) {
    const { code: ended, stdout, stderr } = await called(...args);
    expect([args, ended, stderr]).toEqual([
      args,
      exit,
      expect.stringMatching(new RegExp(`^assay: ${code}: .+\\n {2}place {3}.+\\n {2}remedy {2}.+`)),
    ]);
    expect(stdout + stderr).not.toContain(CANARY);
    const json = await called(...args, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      error: { code, place: expect.any(String), remedy: expect.any(String) },
    });
  }
  expect(existsSync(join(folder, 'copies'))).toBe(false);
}

describe('an address', () => {
  test.each([
    `redis://u:${CANARY}@h/0`,
    'file:',
    'sqlite:',
    'sqlite::memory:',
    'runs',
    `postgres://u:${CANARY}@h/d?sslmode=maybe`,
  ])('%s is none: exit 2', (url) => expectProblem(url, 2, 'store_url'));

  test('of a store that is not there: exit 5, and none is made', async () => {
    for (const url of [`file:${join(folder, 'no-folder')}`, `sqlite:${join(folder, 'no.db')}`]) {
      await expectProblem(url, 5, 'store_missing', false);
      expect(existsSync(url.replace(/^\w+:/, ''))).toBe(false);
    }
  });

  test('of a schema that is not there: the remedy speaks of schemas, of a folder or database of a path', () => {
    const remedyAt = (url: string): string =>
      storeProblem({ code: 'unavailable', run_id: null, operation: 'open', errno: 'ENOENT' }, url).problem
        .remedy;
    expect(remedyAt('postgres://u@h/d?schema=old')).toBe(
      'check ?schema=NAME at the end of the address, which is "assay" where none is named; ' +
        'a verb that starts a run makes a store, such as assay task --store, and --memory a memory',
    );
    for (const url of ['file:./runs', 'sqlite:./runs.db'])
      expect(remedyAt(url)).toMatch(/^check the path; a verb that starts a run/);
  });

  test.skipIf(!hasLoopback)('of a host where nobody listens: exit 5', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    listener.close();
    await once(listener, 'close');
    await expectProblem(`postgres://u:${CANARY}@127.0.0.1:${port}/d`, 5, 'store_unavailable');
  });

  test.skipIf(!hasLoopback)('with a password that is refused: exit 2', async () => {
    const scripted = await startScripted('password');
    await expectProblem(`postgres://u:${CANARY}@127.0.0.1:${scripted.port}/d`, 2, 'store_login');
    await scripted.close();
  });
});

describe('in SQLite', () => {
  test.each([
    ['no database', async (path: string) => writeFileSync(path, 'no database\n'.repeat(100))],
    ["somebody else's tables", (path: string) => edit(path, 'CREATE TABLE theirs (a TEXT)')],
    ['a schema of no version', (path: string) => stored(path, 'UPDATE assay_meta SET value = 0')],
    ['a newer schema', (path: string) => stored(path, 'UPDATE assay_meta SET value = 99')],
  ])('%s: exit 2, and untouched', async (name, make) => {
    const path = join(folder, `${name.replaceAll(/\W/g, '-')}.db`);
    await make(path);
    const before = readFileSync(path);
    await expectProblem(`sqlite:${path}`, 2, 'store_schema');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test.each([
    ['of another program', 'CREATE TABLE theirs (a TEXT); INSERT INTO theirs VALUES (1)', 2],
    ['of a later version', 'UPDATE assay_meta SET value = 99', 2],
    ['of ours', "INSERT INTO runs (run_id) VALUES ('bare'); DELETE FROM runs WHERE run_id = 'bare'", 0],
  ])(
    'a database %s whose writer died: with its log and the index of that, the bytes are what they were',
    async (name, write, exit) => {
      const [living, at] = [join(folder, `${name}-living`), join(folder, `${name}-left`)];
      mkdirSync(living);
      mkdirSync(at);
      if (name !== 'of another program')
        await called('run', REQUEST, '--set', 'run_id=x', '--store', `sqlite:${join(living, 'a.db')}`);
      const db = orThrow(await findDriver()).open(join(living, 'a.db'));
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; ${write}`);
      const files = ['a.db', 'a.db-wal', 'a.db-shm'];
      for (const file of files) copyFileSync(join(living, file), join(at, file));
      db.close();
      const picture = (): readonly string[] =>
        files.map((file) =>
          createHash('sha256')
            .update(readFileSync(join(at, file)))
            .digest('hex'),
        );
      const before = picture();
      expect(readFileSync(join(at, 'a.db-wal')).length).toBeGreaterThan(0);
      for (const args of [
        ['store', 'list', `sqlite:${join(at, 'a.db')}`],
        ['store', 'copy', `sqlite:${join(at, 'a.db')}`, `file:${join(folder, `${name}-copied`)}`],
      ]) {
        const ended = await assay(args);
        expect([args[0], ended.code, ended.stderr]).toEqual([
          args[0],
          exit,
          exit === 0 ? '' : expect.stringContaining('assay: store_schema: '),
        ]);
        expect(picture()).toEqual(before);
      }
      expect(readdirSync(at).sort()).toEqual([...files].sort());
    },
  );

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, 2 * PAGE)],
    [
      'overwritten after its first page',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, PAGE), Buffer.alloc(bytes.length - PAGE, 0xff)]),
    ],
  ])(
    'a database that is %s: exit 3 for every command, with a remedy that does not lead round, and untouched',
    async (name, damage) => {
      const path = join(folder, `damaged-${name.length}.db`);
      await stored(path, "DELETE FROM runs WHERE run_id = 'nobody'");
      writeFileSync(path, damage(readFileSync(path)));
      const before = readFileSync(path);
      const url = `sqlite:${path}`;
      for (const args of [['run', REQUEST, '--set', 'run_id=x', '--store', url], ...commandsAt(url, true)]) {
        const { code, stderr } = await called(...args);
        expect([args, code, stderr]).toEqual([
          args,
          3,
          expect.stringMatching(
            new RegExp(
              String.raw`^assay: store_torn: the database is damaged \(SQLITE_CORRUPT\)\n {2}place .+\n ` +
                String.raw`{2}remedy {2}nothing was changed; restore the database from a copy\n`,
            ),
          ),
        ]);
      }
      expect(await called('store', 'check', url)).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/\(SQLITE_CORRUPT\)[^]*restore the database from a copy$/m),
      });
      expect(readFileSync(path).equals(before)).toBe(true);
    },
  );

  test(
    'rows before a run, and of none, are told with the row by runs and copy; the runs that ' +
      'hold are listed and copied',
    async () => {
      const [path, to] = [join(folder, 'stray.db'), join(folder, 'of-stray')];
      await called('run', REQUEST, '--set', 'run_id=good', '--store', `sqlite:${path}`);
      await stored(
        path,
        'INSERT INTO records SELECT run, -2, line FROM records WHERE seq = 1 AND run = (SELECT ' +
          "id FROM runs WHERE run_id = 'x'); INSERT INTO records VALUES (99, 5, 'x')",
      );
      const said = [
        'run records(99,5) is damaged: this row belongs to no run',
        'run x is damaged: row -2 stands before record 0',
      ];
      const [listed, copied] = [
        await called('store', 'list', `sqlite:${path}`),
        await called('store', 'copy', `sqlite:${path}`, `file:${to}`),
      ];
      for (const { code, stderr } of [listed, copied])
        expect([code, stderr.match(/^assay: store_torn: .*$/gm)]).toEqual([
          3,
          said.map((text) => `assay: store_torn: ${text}`),
        ]);
      expect(listed.stdout).toMatch(
        /^good .* success .*\nrecords\(99,5\) .* broken +store_torn\nx .* broken +store_torn\n$/,
      );
      expect(copied.stdout).toMatch(
        /^good +copied .*\nrecords\(99,5\) +refused +store_torn\nx +refused +store_torn\n$/,
      );
      expect(readdirSync(to).filter((name) => name.endsWith('.jsonl'))).toEqual(['good.ledger.jsonl']);
    },
  );

  test('a ledger that does not hold: exit 3 for every command, a fault where it is listed, and untouched', async () => {
    for (const [which, code] of [
      ['(SELECT max(seq) FROM records)', 'store_torn|store_line'],
      ['1', 'store_ledger|store_line'],
    ] as const) {
      const path = join(folder, `spoiled-${which.length}.db`);
      await stored(
        path,
        `UPDATE records SET line = replace(line, 'record_hash', 'record_hush') WHERE seq = ${which}`,
      );
      const before = readFileSync(path);
      const [resumed, listed, copied] = [
        await called('resume', `sqlite:${path}#x`),
        await called('store', 'list', `sqlite:${path}`),
        await called('store', 'copy', `sqlite:${path}`, `file:${join(folder, `of-spoiled-${which.length}`)}`),
      ];
      expect([resumed.code, listed.code, copied.code]).toEqual([3, 3, 3]);
      expect(resumed.stderr).toMatch(
        new RegExp(`^assay: (?:${code}): .+\\n {2}place {3}.+\\n {2}remedy {2}.+`),
      );
      expect(listed.stdout).toMatch(/^x .* broken /);
      expect(copied.stderr).toMatch(/^assay: source_invalid: .+\n {2}place {3}.+\n {2}remedy {2}.+/);
      expect(readFileSync(path).equals(before)).toBe(true);
      expect(existsSync(join(folder, `of-spoiled-${which.length}`))).toBe(false);
    }
  });
});

describe('in a folder', () => {
  test('a file where the folder should be: exit 5', async () => {
    writeFileSync(join(folder, 'a-file'), '');
    await expectProblem(`file:${join(folder, 'a-file')}`, 5, 'store_unavailable');
  });

  test('what is no ledger beside those that are', async () => {
    mkdirSync(join(folder, 'mixed'));
    writeFileSync(join(folder, 'mixed', 'x.ledger.jsonl'), 'garbage\n');
    writeFileSync(join(folder, 'mixed', 'notes.txt'), 'mine');
    expect(await called('resume', `file:${join(folder, 'mixed')}#x`)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^assay: store_line: /),
    });
    expect(await called('store', 'copy', good, `file:${join(folder, 'mixed')}`)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^assay: (?:store_torn|target_invalid): /),
    });
    expect(readFileSync(join(folder, 'mixed', 'x.ledger.jsonl'), 'utf8')).toBe('garbage\n');
  });
});

describe('a run that another process writes', () => {
  test(
    'of which nothing can be known here: exit 5, who it is, and the line that lets go of ' +
      'what a dead one left',
    async () => {
      const at = join(folder, 'locked by a dead one');
      const url = `file:${at}`;
      const lock = join(at, '.locks', 'x');
      mkdirSync(lock, { recursive: true });
      const boot = '1b4e28ba-2fa1-11d2-883f-0016d3cca427';
      writeFileSync(join(lock, `4711,99,${boot},4026531836,0123456789abcdef,c0ffee`), '');
      const { code, stderr } = await called('run', REQUEST, '--set', 'run_id=x', '--store', url);
      expect([code, stderr]).toEqual([
        5,
        expect.stringContaining(
          `assay: store_locked: another process is writing this run (process 4711 on c0ffee, boot ${boot})`,
        ),
      ]);
      expect(existsSync(join(at, 'x.ledger.jsonl'))).toBe(false);
      const typed = /, type: (rm -r .+) \(see docs/.exec(stderr)?.[1] ?? '';
      execFileSync('bash', ['-c', typed]);
      expect(existsSync(lock)).toBe(false);
      expect((await called('run', REQUEST, '--set', 'run_id=x', '--store', url)).code).toBe(0);
    },
  );

  // Elsewhere a process cannot be told from a later one with its number.
  test.runIf(process.platform === 'linux')(
    'of a process here that lives: only to wait, since its lock is not one to take away',
    async () => {
      const at = join(folder, 'locked by a living one');
      const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
      const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
      const lock = join(at, '.locks', 'x');
      mkdirSync(lock, { recursive: true });
      writeFileSync(join(lock, renderToken({ ...nodeProcesses.self(), pid: process.ppid, start })), '');
      const { code, stderr } = await called('run', REQUEST, '--set', 'run_id=x', '--store', `file:${at}`);
      expect([code, stderr]).toEqual([
        5,
        expect.stringMatching(
          new RegExp(
            String.raw`^assay: store_locked: another process is writing this run \(process [^\n]+\n {2}place [^\n` +
              String.raw`]+\n {2}remedy {2}wait until it ends\n$`,
          ),
        ),
      ]);
    },
  );

  test('in a store that has no lock to remove: only to wait', () => {
    const { remedy } = storeProblem(
      { code: 'locked', run_id: 'x', owner: 'another connection to the database' },
      'sqlite:runs.db',
    ).problem;
    expect(remedy).toBe('wait until it ends');
  });
});

describe('what to do', () => {
  test.each([
    ['EBUSY', /another program/],
    ['ENOSPC', /disk is full/],
    ['EROFS', /read-only/],
    ['EACCES', /permissions/],
    ['SQLITE_READONLY_ROLLBACK', /assay store check sqlite:runs\.db does, and resume and run/],
    ['EWEIRD', /check/],
  ])('about %s is said by what it is', (errno, remedy) => {
    expect(
      storeProblem({ code: 'unavailable', run_id: null, operation: 'list', errno }, 'sqlite:runs.db').problem,
    ).toMatchObject({
      code: 'store_unavailable',
      exit: 5,
      message: `the store cannot list its runs (${errno})`,
      remedy: expect.stringMatching(remedy),
    });
  });

  test('says what the store was to do, whatever its method is called', () => {
    for (const errno of ['ENOTDIR', '42501', 'XX000']) {
      for (const operation of ['open', 'read', 'head', 'list', 'append', 'write', 'watch', 'frobnicate']) {
        const { message } = storeProblem(
          { code: 'unavailable', run_id: 'x', operation, errno },
          'file:runs',
        ).problem;
        expect(message).not.toMatch(
          /\b(?:cannot|refused to) (?:read|head|list|append|write|watch|frobnicate) \(/,
        );
      }
    }
  });

  test('about a damaged run is a line that can be typed, of every kind of store', () => {
    for (const place of ['file:./runs', "sqlite:./the 'runs'.db", 'postgres://u:***@h/d?schema=a b']) {
      const { remedy } = storeProblem(
        { code: 'torn', run_id: 'x', detail: 'record 2 is missing' },
        place,
      ).problem;
      const typed =
        /^nothing was changed; (assay store list .+) lists the valid runs;/.exec(remedy)?.[1] ?? '';
      expect(
        execFileSync('bash', ['-c', `printf %s ${typed.replace('assay store list ', '')}`], {
          encoding: 'utf8',
        }),
      ).toBe(place);
    }
  });
});

describe('one exit code for a stored ledger at fault', () => {
  /** Ways in which a ledger file of the run x does not hold. */
  const faults: readonly (readonly [string, (path: string) => void])[] = [
    [
      'a last record that does not hold',
      (path) =>
        writeFileSync(path, sound().replace(/"record_hash":"[0-9a-f]{8}/g, '"record_hash":"00000000')),
    ],
    [
      'a first record that does not hold',
      (path) => writeFileSync(path, sound().replace('seed_text', 'seed_test')),
    ],
    ['an empty file', (path) => writeFileSync(path, '')],
    ['foreign text after the last line', (path) => writeFileSync(path, `${sound()}notes`)],
    [
      'the ledger of another run',
      (path) => writeFileSync(path, readFileSync(join(folder, 'other', 'y.ledger.jsonl'))),
    ],
    [
      'a pipe',
      (path) => {
        execFileSync('mkfifo', [path]);
      },
    ],
    [
      'a folder',
      (path) => {
        mkdirSync(path);
      },
    ],
    [
      'a link to nowhere',
      (path) => {
        symlinkSync(`${path}-none`, path);
      },
    ],
  ];
  const sound = (): string => readFileSync(join(folder, 'good', 'x.ledger.jsonl'), 'utf8');

  test.each(faults.filter(([what]) => what !== 'a pipe' || process.platform !== 'win32'))(
    '%s: 3 for resume, runs, copy from it and copy to it, with a remedy',
    async (what, make) => {
      await called('run', REQUEST, '--set', 'run_id=y', '--store', `file:${join(folder, 'other')}`);
      const at = join(folder, what.replaceAll(' ', '-'));
      const url = `file:${at}`;
      mkdirSync(at);
      make(join(at, 'x.ledger.jsonl'));
      const calls = commandsAt(url, true).concat([['run', REQUEST, '--set', 'run_id=x', '--store', url]]);
      for (const args of calls) {
        const { code, stdout, stderr } = await called(...args);
        expect([args, code, stdout + stderr]).toEqual([
          args,
          3,
          expect.stringMatching(
            args[1] === 'list' ? / broken / : /^assay: \w+: .+\n {2}place {3}.+\n {2}remedy {2}.+/m,
          ),
        ]);
      }
      expect(existsSync(join(folder, 'copies', 'x.ledger.jsonl'))).toBe(false);
      rmSync(join(folder, 'copies'), { recursive: true, force: true });
    },
  );
});

describe.skipIf(server === null)('in PostgreSQL', () => {
  const fresh = freshSchemas();

  test('a missing database: exit 2', async () => {
    const url = new URL(urlOf('assay'));
    url.pathname = `/${freshName()}`;
    await expectProblem(url.href, 2, 'store_database');
  });

  test('a missing schema: exit 5, and none is made', async () => {
    const schema = fresh();
    await expectProblem(urlOf(schema), 5, 'store_missing', false);
    expect(await sql('SELECT FROM pg_namespace WHERE nspname = $1', [schema])).toEqual([]);
    await sql(`CREATE SCHEMA "${schema}"`);
    expect(await called('store', 'list', urlOf(schema))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^no runs in /),
    });
  });

  test.each(SPOILED_SCHEMAS)('%s: exit 2, and untouched', async (_, spoil) => {
    const schema = fresh();
    await called('run', REQUEST, '--set', 'run_id=x', '--store', urlOf(schema));
    await sql(spoil.replaceAll('s.', `"${schema}".`));
    const rows = (): Promise<unknown> => sql(`SELECT * FROM "${schema}".records ORDER BY run, seq`);
    const before = await rows();
    await expectProblem(urlOf(schema), 2, 'store_schema');
    expect(await rows()).toEqual(before);
  });

  test('a ledger that does not hold: exit 3, a fault where it is listed, and untouched', async () => {
    const schema = fresh();
    await called('run', REQUEST, '--set', 'run_id=x', '--store', urlOf(schema));
    await sql(
      `UPDATE "${schema}".records SET text = replace(text, 'record_hash', 'record_hush') WHERE seq = 1`,
    );
    const before = await evidence(schema);
    expect((await called('resume', `${urlOf(schema)}#x`)).code).toBe(3);
    expect(await called('store', 'list', urlOf(schema))).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^x .* broken /),
    });
    expect(await called('store', 'copy', urlOf(schema), `file:${join(folder, 'of-postgres')}`)).toMatchObject(
      {
        code: 3,
      },
    );
    expect(existsSync(join(folder, 'of-postgres'))).toBe(false);
    expect(await evidence(schema)).toEqual(before);
  });
});

async function edit(path: string, text: string): Promise<void> {
  const db = orThrow(await findDriver()).open(path);
  db.exec(text);
  db.close();
}

/** A database with a run, spoiled. */
async function stored(path: string, spoil: string): Promise<void> {
  await called('run', REQUEST, '--set', 'run_id=x', '--store', `sqlite:${path}`);
  await edit(path, spoil);
}
