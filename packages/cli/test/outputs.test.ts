/** No output replaces what this command did not make, whatever it is called. */
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { argv, assay, POLL, resultsIn, ROOT, temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';

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
      await refused(['tamper', ledger, 'edit', '-o', join(alias, 'a.jsonl')], 'exists', own);
      symlinkSync(ledger, join(own, 'link.jsonl'));
      await refused(['tamper', ledger, 'edit', '-o', join(own, 'link.jsonl')], 'exists', own);
      copyFileSync(ledger, join(own, 'b.forged.json'));
      await refused(['tamper', join(own, 'b.forged.json'), 'edit', '-o', join(alias, 'b')], 'exists', own);
      const machine = join(own, 'm.mjs');
      writeFileSync(machine, '');
      await refused(
        ['tamper', ledger, 'edit', '--machine', machine, '-o', join(alias, 'm.mjs')],
        'machine_file',
        own,
      );
      mkdirSync(join(folder, 'labels', 'c.forged.json'), { recursive: true });
      expect(await assay(['tamper', ledger, 'edit', '-o', join(folder, 'labels', 'c')])).toMatchObject({
        code: 2,
      });
      expect(readdirSync(join(folder, 'labels'))).toEqual(['c.forged.json']);
    });

    test('verify --junit: a ledger, one of --with, and a machine', async () => {
      const { own, alias, ledger } = place('verify');
      await refused(['verify', POLL, ledger, '--junit', join(alias, 'a.jsonl')], 'exists', own);
      await refused(['verify', POLL, '--with', own, '--junit', join(alias, 'a.jsonl')], 'exists', own);
      writeFileSync(join(own, 'm.mjs'), '');
      await refused(
        ['verify', POLL, '--machine', join(own, 'm.mjs'), '--junit', join(alias, 'm.mjs')],
        'exists',
        own,
      );
    });

    test('run -o: the request, a pin, the policy, a recording', async () => {
      const { own, alias } = place('run');
      const put = (name: string, text: string): string => {
        writeFileSync(join(own, name), text);
        return join(own, name);
      };
      await refused(['run', put('run.ledger.jsonl', 'Keep logs.'), '-o', alias], 'exists', own);
      await refused(['run', 'Keep logs.', '--pin', put('blueprint.json', '{}'), '-o', alias], 'exists', own);
      await refused(
        ['run', 'Keep logs.', '--set', `policy=@${put('refusal.json', '{}')}`, '-o', alias],
        'exists',
        own,
      );
      await refused(
        ['run', 'Keep logs.', '--proposer', `recorded:${put('verification-pack.json', '{}')}`, '-o', alias],
        'recording',
        own,
      );
    });

    test('an empty name is none', async () => {
      const { own } = place('empty');
      await refused(['run', 'Keep logs.', '-o', ''], 'bad_value', own);
      await refused(['tamper', POLL, 'edit', '-o', ''], 'bad_value', own);
      await refused(['verify', POLL, '--junit', ''], 'bad_value', own);
    });
  },
);

describe('a folder of results belongs to one run', () => {
  const held = (own: string): readonly (readonly [string, string])[] =>
    readdirSync(own).map((name) => [name, readFileSync(join(own, name), 'utf8')]);
  const LOGS = 'Keep logs at least 6 months.';
  const workspace = (name: string): readonly string[] => {
    const own = join(folder, name);
    mkdirSync(own);
    writeFileSync(join(own, 'a.txt'), 'a');
    return ['--workspace', own];
  };

  test('another run is refused, with a store too, which then has nothing', async () => {
    const own = join(folder, 'other-run');
    await assay(['run', LOGS, '-o', own]);
    const store = join(folder, 'other-run-store');
    for (const more of [[], ['--store', `file:${store}`]])
      await refused(['run', 'make it', '-o', own, ...more], 'exists', own);
    expect(existsSync(store)).toBe(false);
  });

  test('the same call returns its run, another with its id is refused, a cut one is finished', async () => {
    for (const [name, ids] of [
      ['named', ['--set', 'run_id=same']],
      ['derived', []],
    ] as const) {
      const own = join(folder, `same-${name}`);
      const call = ['run', LOGS, ...ids, '-o', own];
      await assay(call);
      const before = held(own);
      expect(await assay(call)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('This run had already finished') as string,
      });
      expect(held(own)).toEqual(before);
      if (ids.length > 0)
        await refused(['run', 'Keep logs at least 7 months.', ...ids, '-o', own], 'run_exists', own);
      const ledger = join(own, 'run.ledger.jsonl');
      writeFileSync(ledger, readFileSync(ledger, 'utf8').split('\n').slice(0, 3).join('\n'));
      expect((await assay(call)).code).toBe(0);
      expect(held(own)).toEqual(before);
    }
  });

  test("a result's name taken by a file of somebody else is refused, and the folder stays free", async () => {
    const own = join(folder, 'taken');
    mkdirSync(own);
    writeFileSync(join(own, 'blueprint.json'), 'mine');
    await refused(['run', LOGS, '-o', own], 'exists', own);
    symlinkSync(join(folder, 'nowhere'), join(own, 'run.ledger.jsonl'));
    rmSync(join(own, 'blueprint.json'));
    expect((await assay(['run', LOGS, '-o', own])).code).toBe(2);
    expect(readdirSync(own)).toEqual(['run.ledger.jsonl']);
  });

  test('a claim without a record: the same call begins, another is refused, resume says what is missing', async () => {
    const own = join(folder, 'claimed');
    await assay(['run', LOGS, '-o', own]);
    for (const name of resultsIn(own)) rmSync(join(own, name));
    await refused(['run', 'make it', '-o', own], 'exists', own);
    await refused(['resume', own], 'no_run', own);
    expect((await assay(['run', LOGS, '-o', own])).code).toBe(0);
    symlinkSync(folder, join(own, '.assay-notes'));
    expect(await assay(['resume', own])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('this is a link') as string,
    });
    rmSync(join(own, '.assay-notes'));
    writeFileSync(join(own, '.assay-run'), 'mine');
    await refused(['run', LOGS, '-o', own], 'exists', own);
  });

  test('a call that fails before its first record leaves nothing, not the folder either', async () => {
    const own = join(folder, 'not', 'begun');
    expect((await assay(['run', LOGS, '--pin', 'a=1', '--pin', 'a=2', '-o', own])).code).toBe(2);
    const policy = join(folder, 'impossible.json');
    writeFileSync(policy, '{"max_nodes":0}');
    expect((await assay(['run', LOGS, '--set', `policy=@${policy}`, '-o', own])).code).toBe(2);
    expect(existsSync(join(folder, 'not'))).toBe(false);
  });

  test('a task that waits keeps its folder: its ledger verifies there, no other run takes it, and it goes on', async () => {
    const own = join(folder, 'waits');
    const work = workspace('waits-work');
    const call = ['task', 'delete a.txt', ...work, '-o', own];
    expect((await assay(call)).code).toBe(6);
    expect((await assay(['verify', join(own, 'run.ledger.jsonl')])).code).toBe(0);
    for (const other of [
      ['task', 'find *.txt | count -> N; write N to n.txt', ...work],
      ['run', LOGS],
      ['plan', 'cli,size=2,rate=60usd'],
    ])
      await refused([...other, '-o', own], 'exists', join(folder, 'waits-work'));
    expect((await assay(call)).code).toBe(6);
    expect((await assay([...call, '--confirm', 'remove_file:a.txt'])).code).toBe(0);
    expect((await assay(['verify', join(own, 'run.ledger.jsonl')])).code).toBe(0);
    expect(resultsIn(own)).not.toContain('.assay-notes');
  });

  test('of two runs at once one has the folder, and the other did nothing', async () => {
    const own = join(folder, 'at-once');
    const [, work = ''] = workspace('at-once-work');
    const tasks = ['one', 'two', 'three'].map((name) => `write "${name}" to ${name}.md`);
    const ended = await Promise.all(
      tasks.map((task) => called('task', task, '--workspace', work, '-o', own)),
    );
    expect(ended.map(({ code }) => code).toSorted()).toEqual([0, 2, 2]);
    expect(readdirSync(work)).toHaveLength(2);
    expect((await assay(['verify', join(own, 'run.ledger.jsonl')])).code).toBe(0);
  });

  test('a plan that is carried out again leaves the first one as it is', async () => {
    const own = join(folder, 'plan');
    const work = workspace('plan-work');
    const plan = join(folder, 'plan.json');
    const task = {
      id: 'a',
      title: 'write "x" to x.md',
      minutes: 1,
      confidence: 900_000,
      amounts: { cost: 1 },
    };
    const rows = [{ id: 'cost', unit: 'cents', op: '<=', cap: 100 }];
    writeFileSync(plan, JSON.stringify({ plan: 1, goal: 'x', rows, tasks: [task] }));
    const call = ['plan', plan, ...work, '--set', 'check.there=test -s x.md'];
    const store = ['--store', `file:${join(folder, 'plan-store')}`];
    expect((await assay([...call, '-o', own])).code).toBe(0);
    expect((await assay([...call, ...store])).code).toBe(0);
    const before = readdirSync(own);
    expect((await assay([...call, '-o', own])).stdout).toContain('This run had already finished');
    expect(readdirSync(own)).toEqual(before);
    expect(
      (await assay(['verify', join(own, 'run.ledger.jsonl'), '--with', own, '--checks', 'any'])).code,
    ).toBe(0);
    // Of the plan only a task's words change, and no first record holds them.
    writeFileSync(
      plan,
      JSON.stringify({ plan: 1, goal: 'x', rows, tasks: [{ ...task, title: 'write "y" to y.md' }] }),
    );
    await refused([...call, '-o', own], 'exists', join(folder, 'plan-work'));
    expect((await assay([...call, ...store])).code).toBe(0);
    expect(readdirSync(join(folder, 'plan-work'))).toContain('y.md');
  });
});

test('reports are replaced while they are as this command left them, and nothing else is', async () => {
  const own = join(folder, 'reports');
  mkdirSync(own);
  const at = (name: string): string => join(own, name);
  for (const [name, call] of [
    ['a.xml', ['verify', POLL, '--junit']],
    ['a.md', ['impact', POLL, '--set', 'policy.quorum=1', '-o']],
    ['b.xml', ['impact', POLL, '--set', 'policy.quorum=1', '-o']],
    ['a.html', ['report', POLL, '-o']],
  ] as const) {
    const { code } = await assay([...call, at(name)]);
    expect((await assay([...call, at(name)])).code, name).toBe(code);
    const text = readFileSync(at(name), 'utf8');
    for (const edited of [`${text} `, text.replace('a', 'b'), `mine\n${text}`, '<html>mine', '']) {
      writeFileSync(at(name), edited);
      await refused([...call, at(name)], 'exists', own);
    }
    rmSync(at(name));
    symlinkSync(join(ROOT, 'README.md'), at(name));
    await refused([...call, at(name)], 'exists', own);
  }
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
  expect((await assay(['tamper', POLL, 'edit', '-o', join(own, 'copy')])).code).toBe(0);
  expect(readFileSync(precious, 'utf8')).toBe('precious');
  expect(readdirSync(own).filter((name) => name.startsWith('.assay'))).toEqual([]);
});

test('what is written to a file replaces no other: the same bytes may be written again', async () => {
  const own = join(folder, 'recording');
  await assay(['run', 'Keep logs at least 6 months.', '-o', own]);
  const [ledger, key, made] = [
    join(own, 'run.ledger.jsonl'),
    join(own, 'secret.key'),
    join(own, 'made.json'),
  ];
  writeFileSync(key, 'a secret key that is nowhere else');
  for (const call of [
    ['record', ledger, '--slot', 'rules', '-o'],
    ['tamper', ledger, 'edit', '-o'],
    ['whatif', ledger, '--set', 'order=1', '-o'],
  ]) {
    await refused([...call, key], 'exists', own);
    for (const _ of [1, 2]) expect((await assay([...call, made])).code).toBe(0);
    writeFileSync(made, `${readFileSync(made, 'utf8')} `);
    await refused([...call, made], 'exists', own);
    rmSync(made);
    rmSync(`${made}.forged.json`, { force: true });
  }
});

describe.skipIf(process.platform === 'win32')(
  'an output folder that is a store is wrong use, and nothing is done',
  () => {
    const REQUEST = 'Keep audit logs for 90 days.';
    const begun = async (name: string): Promise<string> => {
      const own = join(folder, name);
      expect((await assay(['run', REQUEST, '--set', 'run_id=run', '--store', `file:${own}`])).code).toBe(0);
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
          'task',
          'find * largest | names -> Name; write Name to report.md',
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
            argv`run ${'Backups must be kept 5 days.'} --set run_id=b --store file:${own} -o ${target}`,
            'output_in_store',
            own,
          );
          await refused(
            [
              ...argv`run ${'Backups must be kept 5 days.'} --set run_id=b --store file:${alias}`,
              ...argv`-o ${target}`,
            ],
            'output_in_store',
            own,
          );
          await refused(['resume', `file:${own}#run`, '-o', target], 'output_in_store', own);
          await refused([...control, '--store', `file:${own}`, '-o', target], 'output_in_store', own);
          await refused([...control, '--memory', `file:${own}`, '-o', target], 'output_in_store', own);
        }
        expect(readdirSync(work)).toEqual(['a.txt']);
        expect((await assay(['run', REQUEST, '--store', `file:${own}`, '-o', join(own, 'out')])).code).toBe(
          0,
        );
        expect((await assay(['store', 'list', `file:${own}`])).code).toBe(0);
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
      const ended = await assay(
        argv`run ${'Keep logs for 30 days.'} -q --store file:${join(own, name)} -o ${join(own, 'out')}`,
      );
      expect(ended).toMatchObject({ code: 5 });
      expect(ended.stderr).toContain(
        `store_unavailable: the store cannot read the head of the run (${errno})`,
      );
      expect(existsSync(join(own, 'out'))).toBe(false);
    });

    test('a store whose folder bears the name of a result is refused before anything is done', async () => {
      const own = join(folder, 'named');
      const ended = await assay(
        argv`run ${'Keep logs for 30 days.'} -q --store file:${join(own, 'run.ledger.jsonl')} -o ${own}`,
      );
      expect(ended).toMatchObject({ code: 2 });
      expect(ended.stderr).toContain('assay: output_in_store: ');
      expect(existsSync(own)).toBe(false);
    });
  },
);
