/** No output replaces an input, whatever it is called. */
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, POLL, temporaryFolder } from './lib/assay.ts';

const folder = temporaryFolder();

/** A folder of its own with a ledger in it, and the same folder under another name. */
function place(name: string): { readonly own: string; readonly alias: string; readonly ledger: string } {
  const own = join(folder, name);
  mkdirSync(own);
  const alias = join(folder, `${name}-alias`);
  symlinkSync(own, alias);
  copyFileSync(POLL, join(own, 'a.jsonl'));
  return { own, alias, ledger: join(own, 'a.jsonl') };
}

async function refused(args: readonly string[], code: string, own: string): Promise<void> {
  const before = readdirSync(own).map((name) => [name, readFileSync(join(own, name), 'utf8')]);
  const ended = await assay(args);
  expect([ended.code, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toContain(`assay: ${code}: `);
  expect(readdirSync(own).map((name) => [name, readFileSync(join(own, name), 'utf8')])).toEqual(before);
}

describe.skipIf(process.platform === 'win32')(
  'an output that is an input is wrong use, and nothing is written',
  () => {
    test('tamper: the ledger under another name, the label, and the machine', async () => {
      const { own, alias, ledger } = place('tamper');
      await refused(['tamper', ledger, '--attack', 'edit', '-o', join(alias, 'a.jsonl')], 'same_file', own);
      symlinkSync(ledger, join(own, 'link.jsonl'));
      await refused(['tamper', ledger, '--attack', 'edit', '-o', join(own, 'link.jsonl')], 'same_file', own);
      copyFileSync(ledger, join(own, 'b.forged.json'));
      await refused(
        ['tamper', join(own, 'b.forged.json'), '--attack', 'edit', '-o', join(alias, 'b')],
        'same_file',
        own,
      );
      const machine = join(own, 'm.mjs');
      writeFileSync(machine, '');
      await refused(
        ['tamper', ledger, '--attack', 'edit', '--machine', machine, '-o', join(alias, 'm.mjs')],
        'same_file',
        own,
      );
      mkdirSync(join(folder, 'labels', 'c.forged.json'), { recursive: true });
      expect(
        await assay(['tamper', ledger, '--attack', 'edit', '-o', join(folder, 'labels', 'c')]),
      ).toMatchObject({ code: 2 });
      expect(readdirSync(join(folder, 'labels'))).toEqual(['c.forged.json']);
    });

    test('verify --junit: a ledger, one of --with, and a machine', async () => {
      const { own, alias, ledger } = place('verify');
      await refused(['verify', POLL, ledger, '--junit', join(alias, 'a.jsonl')], 'same_file', own);
      await refused(['verify', POLL, '--with', own, '--junit', join(alias, 'a.jsonl')], 'same_file', own);
      writeFileSync(join(own, 'm.mjs'), '');
      await refused(
        ['verify', POLL, '--machine', join(own, 'm.mjs'), '--junit', join(alias, 'm.mjs')],
        'same_file',
        own,
      );
    });

    test('run -o: the request, a pin, the policy, a recording', async () => {
      const { own, alias } = place('run');
      const put = (name: string, text: string): string => {
        writeFileSync(join(own, name), text);
        return join(own, name);
      };
      await refused(['run', put('run.ledger.jsonl', 'Keep logs.'), '-o', alias], 'same_file', own);
      await refused(
        ['run', 'Keep logs.', '--pin', put('blueprint.json', '{}'), '-o', alias],
        'same_file',
        own,
      );
      await refused(
        ['run', 'Keep logs.', '--policy', put('refusal.json', '{}'), '-o', alias],
        'same_file',
        own,
      );
      await refused(
        ['run', 'Keep logs.', '--proposer', `recorded:${put('verification-pack.json', '{}')}`, '-o', alias],
        'same_file',
        own,
      );
    });

    test('an empty name is none', async () => {
      const { own } = place('empty');
      await refused(['run', 'Keep logs.', '-o', ''], 'bad_value', own);
      await refused(['tamper', POLL, '--attack', 'edit', '-o', ''], 'bad_value', own);
      await refused(['verify', POLL, '--junit', ''], 'bad_value', own);
    });
  },
);

describe('a folder that holds something else', () => {
  const held = (own: string): readonly (readonly [string, string])[] =>
    readdirSync(own).map((name) => [name, readFileSync(join(own, name), 'utf8')]);

  test(
    'another run is refused, with a store too, which then has nothing; --force replaces it ' +
      'and only what was its own',
    async () => {
      const own = join(folder, 'other-run');
      await assay(['run', 'Keep logs at least 6 months.', '-o', own]);
      const store = join(folder, 'other-run-store');
      for (const more of [[], ['--store', `file:${store}`]])
        await refused(['run', 'make it', '-o', own, ...more], 'exists', own);
      expect(existsSync(store)).toBe(false);
      writeFileSync(join(own, 'verification-pack.json'), 'edited by hand');
      writeFileSync(join(own, 'notes.txt'), 'mine');
      expect((await assay(['run', 'make it', '-o', own, '--force'])).code).toBe(1);
      expect(readdirSync(own).sort()).toEqual([
        'notes.txt',
        'refusal.json',
        'refusal.md',
        'run.ledger.jsonl',
        'verification-pack.json',
      ]);
      expect(readFileSync(join(own, 'verification-pack.json'), 'utf8')).toBe('edited by hand');
    },
  );

  test('the same run is written again, the same run id with other bytes is refused', async () => {
    const own = join(folder, 'same-run');
    const call = ['run', 'Keep logs at least 6 months.', '--run-id', 'same', '-o', own];
    await assay(call);
    const before = held(own);
    expect((await assay(call)).code).toBe(0);
    expect(held(own)).toEqual(before);
    await refused(['run', 'Keep logs at least 7 months.', '--run-id', 'same', '-o', own], 'exists', own);
    writeFileSync(
      join(own, 'run.ledger.jsonl'),
      readFileSync(join(own, 'run.ledger.jsonl'), 'utf8').split('\n').slice(0, 3).join('\n'),
    );
    await refused(call, 'exists', own);
  });

  test("a result's name taken by a file of somebody else is refused; no such file is removed", async () => {
    const own = join(folder, 'taken');
    mkdirSync(own);
    writeFileSync(join(own, 'blueprint.json'), 'mine');
    await refused(['run', 'Keep logs at least 6 months.', '-o', own], 'exists', own);
    copyFileSync(POLL, join(own, 'run.ledger.jsonl'));
    expect((await assay(['run', 'make it', '-o', own, '--force'])).code).toBe(1);
    expect(readFileSync(join(own, 'blueprint.json'), 'utf8')).toBe('mine');
  });
});

test('a temporary file is never one that stands there already', async () => {
  // The name that would be predictable: links under every process id near ours, to a file that must not
  // change.
  const own = join(folder, 'temporary');
  mkdirSync(own);
  const precious = join(folder, 'precious');
  writeFileSync(precious, 'precious');
  for (let pid = process.pid; pid < process.pid + 400; pid += 1)
    linkSync(precious, join(own, `.copy.${pid}.tmp`));
  expect((await assay(['tamper', POLL, '--attack', 'edit', '-o', join(own, 'copy')])).code).toBe(0);
  expect(readFileSync(precious, 'utf8')).toBe('precious');
  expect(readdirSync(own).filter((name) => name.startsWith('.assay'))).toEqual([]);
});

test('a recording replaces no other file: the same bytes may be written again, and --force replaces', async () => {
  const own = join(folder, 'recording');
  await assay(['run', 'Keep logs at least 6 months.', '-o', own]);
  const [ledger, key, made] = [
    join(own, 'run.ledger.jsonl'),
    join(own, 'secret.key'),
    join(own, 'made.json'),
  ];
  writeFileSync(key, 'a secret key that is nowhere else');
  await refused(['record', ledger, '--slot', 'rules', '-o', key], 'exists', own);
  for (const _ of [1, 2])
    expect((await assay(['record', ledger, '--slot', 'rules', '-o', made])).code).toBe(0);
  // A recording too: its answers may have been paid for.
  writeFileSync(made, `${readFileSync(made, 'utf8')} `);
  await refused(['record', ledger, '--slot', 'rules', '-o', made], 'exists', own);
  expect((await assay(['record', ledger, '--slot', 'rules', '-o', made, '--force'])).code).toBe(0);
  expect(readFileSync(made, 'utf8').endsWith(' ')).toBe(false);
});

describe.skipIf(process.platform === 'win32')(
  'an output folder that is a store is wrong use, and nothing is done',
  () => {
    const REQUEST = 'Keep audit logs for 90 days.';
    const begun = async (name: string): Promise<string> => {
      const own = join(folder, name);
      expect((await assay(['run', REQUEST, '--run-id', 'run', '--store', `file:${own}`])).code).toBe(0);
      return own;
    };

    test(
      'run, resume and control: the folder of --store under any name, one that it keeps, and ' +
        'one it would take for a ledger',
      async () => {
        const own = await begun('store');
        const alias = join(folder, 'store-alias');
        symlinkSync(own, alias);
        const work = join(folder, 'work');
        mkdirSync(work);
        writeFileSync(join(work, 'a.txt'), 'a');
        const control = [
          'control',
          'find the largest file and write its name to report.md',
          '--workspace',
          work,
        ];
        for (const target of [
          own,
          `${own}/../store/.`,
          alias,
          join(own, 'calls'),
          join(alias, 'calls', 'deep'),
          join(own, '.locks'),
          join(own, 'other.ledger.jsonl'),
          join(own, 'other.ledger.jsonl.new'),
        ]) {
          await refused(
            [
              'run',
              'Backups must be kept 5 days.',
              '--run-id',
              'b',
              '--store',
              `file:${own}`,
              '-o',
              target,
              '--force',
            ],
            'output_in_store',
            own,
          );
          await refused(
            [
              'run',
              'Backups must be kept 5 days.',
              '--run-id',
              'b',
              '--store',
              `file:${alias}`,
              '-o',
              target,
            ],
            'output_in_store',
            own,
          );
          await refused(['resume', 'run', '--store', `file:${own}`, '-o', target], 'output_in_store', own);
          await refused([...control, '--store', `file:${own}`, '-o', target], 'output_in_store', own);
          await refused([...control, '--memory', `file:${own}`, '-o', target], 'output_in_store', own);
        }
        expect(readdirSync(work)).toEqual(['a.txt']);
        expect((await assay(['run', REQUEST, '--store', `file:${own}`, '-o', join(own, 'out')])).code).toBe(
          0,
        );
        expect((await assay(['runs', '--store', `file:${own}`])).code).toBe(0);
      },
    );

    test('also one that is not there yet', async () => {
      const none = join(folder, 'none');
      expect(
        await assay(['run', REQUEST, '--store', `file:${none}`, '-o', join(none, '..', 'none')]),
      ).toMatchObject({ code: 2, stderr: expect.stringContaining('assay: output_in_store: ') });
      expect(existsSync(none)).toBe(false);
    });

    test("a database of a result's name; beside any other there is room", async () => {
      const own = join(folder, 'database');
      mkdirSync(own);
      await refused(
        ['run', REQUEST, '--store', `sqlite:${join(own, 'run.ledger.jsonl')}`, '-o', own],
        'output_in_store',
        own,
      );
      await refused(
        ['run', REQUEST, '--store', `sqlite:${join(own, 'runs.db')}`, '-o', join(own, 'runs.db.calls')],
        'output_in_store',
        own,
      );
      expect(
        (await assay(['run', REQUEST, '--store', `sqlite:${join(own, 'runs.db')}`, '-o', own])).code,
      ).toBe(0);
    });
  },
);

describe.skipIf(process.platform === 'win32')(
  'a store that cannot be looked at is told of as without an output folder',
  () => {
    test.each([
      ['a link to itself', 'loop', 'ELOOP'],
      ['a name longer than the file system takes', 'a'.repeat(300), 'ENAMETOOLONG'],
      ['a folder below a file', 'file/x', 'ENOTDIR'],
    ])('%s', async (_, name, errno) => {
      const own = join(folder, `unseen-${errno}`);
      mkdirSync(own);
      symlinkSync('loop', join(own, 'loop'));
      writeFileSync(join(own, 'file'), 'x');
      const ended = await assay([
        'run',
        'Keep logs 30 days.',
        '-q',
        '--store',
        `file:${join(own, name)}`,
        '-o',
        join(own, 'out'),
      ]);
      expect(ended).toMatchObject({ code: 5 });
      expect(ended.stderr).toContain(
        `store_unavailable: the store cannot read the head of the run (${errno})`,
      );
      expect(existsSync(join(own, 'out'))).toBe(false);
    });

    test('a store whose folder bears the name of a result is refused before anything is done', async () => {
      const own = join(folder, 'named');
      const ended = await assay([
        'run',
        'Keep logs 30 days.',
        '-q',
        '--store',
        `file:${join(own, 'run.ledger.jsonl')}`,
        '-o',
        own,
      ]);
      expect(ended).toMatchObject({ code: 2 });
      expect(ended.stderr).toContain('assay: output_in_store: ');
      expect(existsSync(own)).toBe(false);
    });
  },
);
