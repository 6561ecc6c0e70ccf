/**
 * `assay resume` of a task: what its first record holds is read there, what it does not hold is asked for.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '@assay/cli';
import { newInterruption } from '../src/terminal/signals.ts';
import { argv, ROOT, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';
import { bytesIn, firstRecords, folderWith, kindsOfStores, storeLedger } from './lib/places.ts';
import { begunIn, filesIn, tasks, type Task } from './lib/tasks.ts';

const folder = temporaryFolder();
const at = (...parts: readonly string[]): string => join(folder, ...parts);
const taskOf = (directive: string): Task =>
  tasks().find((task) => task.directive === directive) ?? expect.unreachable(directive);
const [ACCEPT, REFINE] = [taskOf('accept'), taskOf('refine')];
let made = 0;
const fresh = (task: Task): string => begunIn(at(`workspace-${(made += 1)}`), task);
const stored = (task: Task, kept: number): string =>
  folderWith(at(`store-${(made += 1)}`), task.name, firstRecords(task.ledger, kept));
const refused = (code: string, remedy: string): object => ({
  code: 2,
  stderr: expect.stringMatching(
    new RegExp(`^assay: ${code}: .+\\n {2}place .+\\n {2}remedy {2}.*${remedy}`),
  ) as string,
});

const RECORDS = ACCEPT.ledger.split('\n').length - 1;

describe('a stored task goes on', () => {
  test.each(kindsOfStores(folder))(
    '$kind: cut after each of its first records, to the same bytes and outputs',
    async ({ fresh: place }) => {
      for (const kept of [1, 2, 4, 6]) {
        const [url, workspace] = [place(), fresh(ACCEPT)];
        await storeLedger(url, ACCEPT.name, firstRecords(ACCEPT.ledger, kept));
        const { code, stdout } = await called(
          ...argv`resume ${url}#${ACCEPT.name} --workspace ${workspace} -o ${at(`out-${made}`)}`,
        );
        expect([kept, code, stdout.includes(`resumed     after ${kept} records`)]).toEqual([kept, 0, true]);
        expect([
          await bytesIn(url, ACCEPT.name),
          readFileSync(at(`out-${made}`, 'run.ledger.jsonl'), 'utf8'),
        ]).toEqual([ACCEPT.ledger, ACCEPT.ledger]);
        expect(filesIn(workspace)['report.md']).toBe('a.txt\n');
      }
    },
  );

  test('one that is over needs no workspace: it says so, and writes its outputs', async () => {
    const url = stored(ACCEPT, RECORDS);
    expect(await called('resume', `${url}#${ACCEPT.name}`, '-o', at('over'))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('This run had already finished') as string,
    });
    expect(readFileSync(at('over', 'run.ledger.jsonl'), 'utf8')).toBe(ACCEPT.ledger);
    expect(await calledJson('resume', `${url}#${ACCEPT.name}`)).toMatchObject({
      was_over: true,
      status: 'success',
    });
  });

  test('an interruption names the command, and that command goes on to the same bytes', async () => {
    const [url, workspace] = [`file:${at('interrupted')}`, fresh(REFINE)];
    const interruption = newInterruption();
    let err = '';
    const write = (text: string): void => {
      err += text;
      if (text.includes('plan ')) interruption.raise();
    };
    const code = await main(
      [
        ...argv`task ${REFINE.task} --workspace ${workspace} ${REFINE.args} ${REFINE.roles} --store ${url}`,
        ...argv`--verbose`,
      ],
      { out: { write: () => true }, err: { write }, env: {}, interruption },
    );
    const command = /^ {2}remedy {2}(assay resume .*)$/m.exec(err)?.[1] ?? '';
    expect([code, command]).toEqual([
      130,
      `assay resume '${url}#${REFINE.name}' --workspace ${workspace} ${REFINE.roles.join(' ')}`,
    ]);
    expect((await called(...command.replaceAll("'", '').split(' ').slice(1))).code).toBe(0);
    expect(await bytesIn(url, REFINE.name)).toBe(REFINE.ledger);
  });
});

describe('what the first record of a task does not hold is asked for, and nothing is done meanwhile', () => {
  test('the folder, and that it is the one the task was begun in', async () => {
    const url = stored(ACCEPT, 4);
    expect(await called('resume', `${url}#${ACCEPT.name}`)).toMatchObject(
      refused('option_needed', '--workspace work'),
    );
    expect(await bytesIn(url, ACCEPT.name)).toBe(firstRecords(ACCEPT.ledger, 4));
    const own = `file:${at('own')}`;
    const begun = fresh(ACCEPT);
    const { stdout } = await called(
      ...argv`task ${ACCEPT.task} --workspace ${begun} --set clock=stamps --store ${own} --json`,
    );
    const { run_id } = JSON.parse(stdout) as { readonly run_id: string };
    const cut = folderWith(at('own-cut'), run_id, firstRecords((await bytesIn(own, run_id)) ?? '', 4));
    const other = fresh(ACCEPT);
    expect(await called('resume', `${cut}#${run_id}`, '--workspace', other)).toMatchObject(
      refused('other_workspace', 'started in'),
    );
    expect(filesIn(other)).toEqual(ACCEPT.files);
    // Of one that is over too: nothing says that it was done where it was not.
    expect(await called('resume', `${own}#${run_id}`, '--workspace', other)).toMatchObject({
      ...refused('other_workspace', 'started in'),
      stdout: '',
    });
    expect(await called('resume', `${own}#${run_id}`, '--workspace', at('nowhere'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: workspace: /) as string,
    });
    expect(await called('resume', `${own}#${run_id}`, '--workspace', begun)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('task, done before') as string,
    });
  });

  test('the folder, also where its results name one: that is shown, compared, and nothing is done there', async () => {
    const [victim, begun] = [fresh(ACCEPT), fresh(ACCEPT)];
    const [made, stranger] = [at('made'), at('from-stranger')];
    await called('task', ACCEPT.task, '--workspace', begun, '--set', 'clock=stamps', '-o', made);
    const { run_id } = JSON.parse(readFileSync(join(made, '.assay-run'), 'utf8')) as {
      readonly run_id: string;
    };
    mkdirSync(stranger);
    writeFileSync(join(stranger, '.assay-run'), JSON.stringify({ run_id, workspace: victim }));
    writeFileSync(
      join(stranger, 'run.ledger.jsonl'),
      firstRecords(readFileSync(join(made, 'run.ledger.jsonl'), 'utf8'), 4),
    );
    expect(await called('resume', stranger)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`assay resume ${stranger} --workspace ${victim}`) as string,
    });
    expect(await called('resume', stranger, '--workspace', begun)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: other_workspace: /) as string,
    });
    expect(filesIn(victim)).toEqual(ACCEPT.files);
    expect((await called('resume', stranger, '--workspace', victim)).code).toBe(0);
  });

  test('who played a role that neither rules nor tools played; another may be named in their place', async () => {
    const [url, workspace] = [stored(REFINE, 4), fresh(REFINE)];
    expect(await called('resume', `${url}#${REFINE.name}`, '--workspace', workspace)).toMatchObject(
      refused('option_needed', '--proposer R1=recorded:FILE'),
    );
    expect(
      await called(
        ...argv`resume ${url}#${REFINE.name} --workspace ${workspace} --proposer R1=rules`,
        ...argv`${REFINE.roles.slice(2)}`,
      ),
    ).toMatchObject({ code: 0 });
    expect(await bytesIn(url, REFINE.name)).toBe(REFINE.ledger);
    const unplayed = await called(
      ...argv`resume ${stored(REFINE, 1)}#${REFINE.name} --workspace ${fresh(REFINE)}`,
    );
    expect(unplayed.stderr).toContain('the rules play all roles');
  });

  test('every tool it began with, also one that is no more', async () => {
    const ledger = readFileSync(join(ROOT, 'golden-fixtures/controller-c1-task/ledger.jsonl'), 'utf8');
    const url = folderWith(at('shell'), 'controller-c1-task', firstRecords(ledger, 2));
    expect(await called('resume', `${url}#controller-c1-task`, '--workspace', fresh(ACCEPT))).toMatchObject(
      refused('tools_differ', 'the same tools'),
    );
  });

  test('the memory it asks', async () => {
    const [workspace, url, memory] = [fresh(ACCEPT), `file:${at('with-memory')}`, `file:${at('memory')}`];
    await called(
      ...argv`task ${ACCEPT.task} --workspace ${workspace} --memory ${memory} --set clock=stamps`,
      ...argv`--set run_id=remembering --store ${url}`,
    );
    const cut = folderWith(
      at('memory-cut'),
      'remembering',
      firstRecords((await bytesIn(url, 'remembering')) ?? '', 2),
    );
    const args = ['resume', `${cut}#remembering`, '--workspace', workspace];
    expect(await called(...args)).toMatchObject(refused('option_needed', '--memory file:./memory'));
    expect((await called(...args, '--memory', memory)).code).toBe(0);
    expect(await called('resume', `${memory}#memory`)).toMatchObject(refused('never_ends', 'assay show'));
  });

  test('a person, where the run waits for one', async () => {
    const [workspace, url] = [fresh(ACCEPT), `file:${at('confirming')}`];
    await called(
      ...argv`task ${'delete a.txt'} --workspace ${workspace} --confirm remove_file:a.txt`,
      ...argv`--set clock=stamps --set run_id=confirming --store ${url}`,
    );
    const ledger = (await bytesIn(url, 'confirming')) ?? '';
    const asking = ledger
      .split('\n')
      .findIndex((line) => line.includes('"kind":"confirm"') && line.includes('"requests"'));
    writeFileSync(join(workspace, 'a.txt'), 'aaaa\n');
    const cut = folderWith(at('confirming-cut'), 'confirming', firstRecords(ledger, asking + 1));
    const args = ['resume', `${cut}#confirming`, '--workspace', workspace];
    expect(await called(...args)).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/^assay: waiting: .*\n.*\n.*--confirm remove_file:a\.txt/) as string,
    });
    expect((await called(...args, '--confirm', 'remove_file:a.txt')).code).toBe(0);
    expect([await bytesIn(cut, 'confirming'), filesIn(workspace)['a.txt']]).toEqual([ledger, undefined]);
  });
});
