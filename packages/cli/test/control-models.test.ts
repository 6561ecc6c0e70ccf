/**
 * Language models in the roles of `assay task`: a task done, verified, recorded and given again; budgets,
 * kills and what is refused. No model is behind it: every answer is synthetic.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { scriptOf, TASK } from '../../models/test/tools/roles.ts';
import { scripted, type Scripted, type Step } from '../../models/test/tools/scripted-server.ts';
import { assay, BIN, ROOT, temporaryFolder } from './lib/assay.ts';
import { calledWith, CANARY, envOf, named } from './lib/models.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

const folder = temporaryFolder();
const at = (...parts: readonly string[]): string => join(folder, ...parts);
const servers: Scripted[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});
const serve = async (...[script]: [Parameters<typeof scripted>[1]?]): Promise<Scripted> => {
  const server = await scripted('compatible', script ?? scriptOf());
  servers.push(server);
  return server;
};

const HOUR_S = 1_700_000_000;
/** A workspace of its own, with times that are always the same: a search shows them. */
function workspace(
  name: string,
  files: { readonly [path: string]: string } = { 'small.txt': 'a', 'deep/big.txt': 'b'.repeat(5_000) },
): string {
  const root = at(name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
    utimesSync(join(root, path), HOUR_S, HOUR_S);
  }
  mkdirSync(root, { recursive: true });
  return root;
}
const ledgerIn = (out: string): string => readFileSync(join(out, 'run.ledger.jsonl'), 'utf8');
type Payload = Readonly<Record<string, unknown>>;
const payloads = (out: string, kind: string): readonly Payload[] =>
  ledgerIn(out)
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const record = JSON.parse(line) as { readonly kind: string; readonly payload: Payload };
      return record.kind === kind ? [record.payload] : [];
    });
const resultIn = (out: string): Payload =>
  JSON.parse(readFileSync(join(out, 'final-result.json'), 'utf8')) as Payload;
const headIn = (stdout: string): string => /^head +(assay-head:\S+)$/m.exec(stdout)?.[1] ?? '';
/** Verified by a process of its own that can open no socket. */
async function requireVerified(out: string, head: string): Promise<void> {
  const { code, stdout } = await assay(['verify', join(out, 'run.ledger.jsonl'), '--head', head]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/integrity +held[\s\S]*rederivation +held[\s\S]*completeness +held/),
  ]);
}

describe.skipIf(!hasLoopback)('a task done by a model in the roles', () => {
  const control = (root: string, ...more: readonly string[]): readonly string[] => [
    'task',
    TASK,
    '--workspace',
    root,
    '--set',
    'clock=stamps',
    ...more,
  ];

  test(
    'is done, verifies, is recorded, and is given again with the network cut: to the same ' +
      'bytes, and a changed task misses loudly',
    async () => {
      const server = await serve();
      const live = at('live');
      const ran = await calledWith(
        envOf(server.url),
        ...control(
          workspace('a'),
          '--proposer',
          named('compatible', server.url),
          '--llm',
          'budget.output_tokens=1000000',
          '-o',
          live,
        ),
      );
      expect([ran.code, ran.stderr, readFileSync(at('a', 'report.md'), 'utf8')]).toEqual([
        0,
        '',
        'deep/big.txt\n',
      ]);
      await requireVerified(live, headIn(ran.stdout));
      expect(payloads(live, 'genesis')[0]).toMatchObject({
        policy: {
          roles: {
            R1: 'llm:compatible/synthetic',
            R2: 'llm:compatible/synthetic',
            R3: 'llm:compatible/synthetic',
            R4a: 'llm:compatible/synthetic',
            R4b: 'llm:compatible/synthetic',
          },
        },
      });
      // A key that is sent with each call stands in nothing that is written or said.
      expect(JSON.stringify(server.received[0]?.headers)).toContain(CANARY);
      expect(
        [
          ...readdirSync(live).map((file) => readFileSync(join(live, file), 'utf8')),
          ran.stdout,
          ran.stderr,
        ].join('\n'),
      ).not.toContain(CANARY.slice(0, -1));

      const recorded = await assay(['record', join(live, 'run.ledger.jsonl'), '-o', at('roles.json')]);
      expect([recorded.code, recorded.stdout]).toEqual([
        0,
        expect.stringMatching(/recorded {3}R1, R2, R3, R4a, R4b$/m),
      ]);
      await server.close();
      const replay = ['--set', 'run_id=again', '--proposer', `recorded:${at('roles.json')}`, '-o'];
      const again = await assay(control(workspace('b'), ...replay, at('again')));
      expect([again.code, again.stderr, readFileSync(at('b', 'report.md'), 'utf8')]).toEqual([
        0,
        '',
        'deep/big.txt\n',
      ]);
      await requireVerified(at('again'), headIn(again.stdout));
      // All but what depends on time: a recorded answer brings no stamp.
      const said = (out: string): readonly unknown[] =>
        ['directive', 'reason', 'summary', 'merged_output', 'unmet', 'accountable'].map(
          (key) => resultIn(out)[key],
        );
      expect(said(at('again'))).toEqual(said(live));
      expect(
        new Set(
          payloads(at('again'), 'proposal').map(
            ({ source, proposer }) => `${String(source)} ${String(proposer)}`,
          ),
        ),
      ).toEqual(new Set(['recorded_model llm:compatible/synthetic', 'tool effector']));
      const twice = await assay(control(workspace('c'), ...replay, at('twice')));
      expect([twice.code, headIn(twice.stdout), ledgerIn(at('twice'))]).toEqual([
        0,
        headIn(again.stdout),
        ledgerIn(at('again')),
      ]);

      const changed = await assay([
        'task',
        `${TASK} please`,
        '--workspace',
        workspace('d'),
        '--set',
        'clock=stamps',
        '--proposer',
        `recorded:${at('roles.json')}`,
      ]);
      expect([changed.code, changed.stderr]).toEqual([
        1,
        expect.stringMatching(/^assay: recording_miss: .*first difference at \/body\/text: asked .*please/m),
      ]);
      expect(existsSync(at('d', 'report.md'))).toBe(false);
    },
  );

  test(
    'a model that perceives among rules: the other roles are played by rules, and one role alone ' +
      'is recorded and given again',
    async () => {
      const server = await serve();
      const ran = await calledWith(
        envOf(server.url),
        ...control(
          workspace('f'),
          '--proposer',
          `R1=${named('compatible', server.url)}`,
          '-o',
          at('perceiver'),
        ),
      );
      expect([ran.code, server.received.length]).toEqual([0, 1]);
      expect(payloads(at('perceiver'), 'genesis')[0]).toMatchObject({
        policy: {
          roles: { R1: 'llm:compatible/synthetic', R2: 'rules', R3: 'rules', R4a: 'rules', R4b: 'rules' },
        },
      });
      expect(
        (await assay(['record', at('perceiver', 'run.ledger.jsonl'), '-o', at('task.json')])).stdout,
      ).toMatch(/recorded {3}R1$/m);
      await server.close();
      for (const proposer of [`recorded:${at('task.json')}`, `R1=recorded:${at('task.json')}`]) {
        rmSync(at('f'), { recursive: true });
        const again = await assay(control(workspace('f'), '--proposer', proposer));
        expect([again.code, again.stderr, readFileSync(at('f', 'report.md'), 'utf8')]).toEqual([
          0,
          '',
          'deep/big.txt\n',
        ]);
      }
    },
  );

  test(
    'a budget that does not cover a role: nobody is called, it is told with its figures, and ' +
      'the task is abandoned',
    async () => {
      const server = await serve();
      const { code, stderr } = await calledWith(
        envOf(server.url),
        ...control(
          workspace('g'),
          '--proposer',
          named('compatible', server.url),
          '--llm',
          'budget.output_tokens=1000',
        ),
      );
      expect([code, server.received.length, stderr]).toEqual([
        1,
        0,
        expect.stringMatching(
          /^assay: model_failed: R1: the budget does not cover it: of 1000 output_tokens/m,
        ),
      ]);
    },
  );

  test.each([
    ['refused', '', null, 'no_answer, refused', 'R1: no server answers at this address'],
    ['401', '', { status: 401 }, 'no_answer, denied', 'R1: the provider rejects this key'],
    // The calls of tools went well: none of them is where work stopped.
    [
      '401 of R4a',
      'R4a=',
      { status: 401 },
      'planner_gave_up, plan_failed',
      'R4a: the provider rejects this key',
    ],
  ])(
    'a model that is not reached, %s: exit 5, who it was, and the cause alone',
    async (how, role, step, end, said) => {
      const server = await serve(step === null ? undefined : [step]);
      if (step === null) await server.close();
      const { code, stdout, stderr } = await calledWith(
        envOf(server.url),
        ...control(workspace(`h ${how}`), '--proposer', `${role}${named('compatible', server.url)}`),
      );
      expect([code, stdout, stderr]).toEqual([
        5,
        expect.stringMatching(new RegExp(`^Abandoned   .*\\(${end}\\)`)),
        expect.stringContaining(`assay: model_unreachable: ${said}`),
      ]);
      expect(stdout).not.toMatch(/^stopped at /m);
    },
  );

  test('a time limit is for what models are asked', async () => {
    const server = await serve([{ silent: true }]);
    const { code, stderr } = await calledWith(
      envOf(server.url),
      ...control(workspace('i'), '--proposer', named('compatible', server.url), '--llm', 'timeout=1'),
    );
    expect([code, stderr]).toEqual([5, expect.stringMatching(/R1: no answer came in time/)]);
  });

  test(
    'killed while a model is asked, resume goes on: what was done is not done again, and the ' +
      'lost call is charged once',
    async () => {
      const good = scriptOf();
      const server = await serve(
        (call, received): Step => (call === 2 ? { silent: true } : good(call, received)),
      );
      const store = `file:${at('store')}`;
      const args = control(
        workspace('j'),
        '--proposer',
        named('compatible', server.url),
        '--store',
        store,
        '--set',
        'run_id=killed',
      );
      const { CI: _ci, NODE_OPTIONS: _node, ...env } = process.env;
      const child = spawn(process.execPath, [BIN, ...args], {
        cwd: ROOT,
        env: { ...env, ...envOf(server.url) },
        stdio: 'ignore',
      });
      const ended = new Promise((resolve) => child.on('close', (_code, by) => resolve(by)));
      while (server.received.length < 3 && child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 10));
      child.kill('SIGKILL');
      expect(await ended).toBe('SIGKILL');
      const { code, stdout } = await calledWith(
        envOf(server.url),
        'resume',
        `${store}#killed`,
        '--workspace',
        at('j'),
        '--proposer',
        named('compatible', server.url),
        '-o',
        at('gone-on'),
      );
      expect([code, stdout, readFileSync(at('j', 'report.md'), 'utf8')]).toEqual([
        0,
        expect.stringMatching(/^resumed {5}after \d+ records$/m),
        'deep/big.txt\n',
      ]);
      await requireVerified(at('gone-on'), headIn(stdout));
      const lost = payloads(at('gone-on'), 'proposal').map(
        ({ provenance }) => (provenance as Payload)['lost_calls'] ?? 0,
      );
      expect(lost.filter((calls) => calls !== 0)).toEqual([1]);
      // Perceived and planned once, before the kill.
      expect(server.received).toHaveLength(8);
    },
  );
});

describe.skipIf(!hasLoopback)(
  'a task that was cut off before a bound role answered goes on with that player or not at all',
  () => {
    /** Begun with these players, and cut off in the middle: its first records, in a store of their own. */
    async function cutOff(
      name: string,
      count: number,
      ...proposers: readonly string[]
    ): Promise<{ readonly store: string; readonly lines: string; readonly args: readonly string[] }> {
      const root = workspace(name);
      const ran = await calledWith(
        { ASSAY_COMPATIBLE_API_KEY: CANARY },
        'task',
        TASK,
        '--workspace',
        root,
        '--set',
        'clock=stamps',
        '--set',
        'run_id=cut',
        ...proposers.flatMap((one) => ['--proposer', one]),
        '-o',
        at(`${name}-whole`),
      );
      expect(ran.code).toBe(0);
      const lines = ledgerIn(at(`${name}-whole`))
        .split('\n')
        .slice(0, count)
        .map((line) => `${line}\n`)
        .join('');
      mkdirSync(at(`${name}-store`));
      writeFileSync(at(`${name}-store`, 'cut.ledger.jsonl'), lines);
      return {
        store: at(`${name}-store`, 'cut.ledger.jsonl'),
        lines,
        args: ['resume', `file:${at(`${name}-store`)}#cut`, '--workspace', root],
      };
    }
    const needed = (...said: readonly string[]): object => ({
      code: 2,
      stderr: expect.stringMatching(
        new RegExp(said.map((text) => text.replaceAll(/[.+?]/g, '\\$&')).join('[\\s\\S]*')),
      ) as string,
    });

    test(
      'one model among rules, that nobody named again: it is asked for, another one is ' +
        'refused, and the very one goes on',
      async () => {
        const server = await serve();
        const [model, other] = [named('compatible', server.url), named('compatible', server.url, 'other')];
        const { store, lines, args } = await cutOff('bound', 1, `R4b=${model}`);
        const asked = server.received.length;
        expect(await calledWith({}, ...args)).toMatchObject(
          needed(
            'assay: option_needed: R4b is bound to llm:compatible/synthetic',
            '--proposer R4b=llm:compatible/synthetic@URL',
          ),
        );
        for (const wrong of [`R4b=${other}`, 'R4b=rules', 'rules', other])
          expect(await calledWith(envOf(server.url), ...args, '--proposer', wrong)).toMatchObject(
            needed('assay: cast: the policy binds R', ' plays it'),
          );
        // Rules that are bound stay rules, whoever else is named for every role.
        expect(await calledWith(envOf(server.url), ...args, '--proposer', model)).toMatchObject(
          needed('assay: cast: the policy binds R1 to "rules"', 'give --proposer R1=rules'),
        );
        expect([readFileSync(store, 'utf8'), server.received.length]).toEqual([lines, asked]);
        expect((await calledWith(envOf(server.url), ...args, '--proposer', `R4b=${model}`)).code).toBe(0);
        expect(server.received.length).toBe(asked + 1);
      },
    );

    test(
      'a model for every role but one: all that lack are named at once, also where one of them ' +
        'has answered',
      async () => {
        const server = await serve();
        const model = named('compatible', server.url);
        const { store, lines, args } = await cutOff('many', 6, model, 'R1=rules');
        expect(await calledWith({}, ...args, '--proposer', 'R1=rules')).toMatchObject(
          needed(
            'option_needed',
            ['R2', 'R3', 'R4a', 'R4b']
              .map((role) => `--proposer ${role}=llm:compatible/synthetic@URL`)
              .join(' '),
          ),
        );
        expect(readFileSync(store, 'utf8')).toBe(lines);
        expect(
          (await calledWith(envOf(server.url), ...args, '--proposer', model, '--proposer', 'R1=rules')).code,
        ).toBe(0);
      },
    );

    test("a recording of its answers goes on with it, a recording of somebody else's does not", async () => {
      const server = await serve();
      const { store, lines, args } = await cutOff('recorded', 1, `R1=${named('compatible', server.url)}`);
      expect(
        (
          await calledWith(
            {},
            'record',
            at('recorded-whole', 'run.ledger.jsonl'),
            '-o',
            at('own.json'),
            '--slot',
            'R1',
          )
        ).code,
      ).toBe(0);
      const other = await serve();
      await calledWith(
        envOf(other.url),
        'task',
        TASK,
        '--workspace',
        workspace('others'),
        '--set',
        'clock=stamps',
        '--proposer',
        `R1=${named('compatible', other.url, 'other')}`,
        '-o',
        at('others-out'),
      );
      expect(
        (await calledWith({}, 'record', at('others-out', 'run.ledger.jsonl'), '-o', at('others.json'))).code,
      ).toBe(0);
      expect(await calledWith({}, ...args, '--proposer', `R1=recorded:${at('others.json')}`)).toMatchObject(
        needed(
          'assay: cast: the policy binds R1 to "llm:compatible/synthetic", but llm:compatible/other plays it',
        ),
      );
      expect(readFileSync(store, 'utf8')).toBe(lines);
      expect((await calledWith({}, ...args, '--proposer', `recorded:${at('own.json')}`)).code).toBe(0);
    });
  },
);

describe.skipIf(!hasLoopback)('what is refused before anybody is asked', () => {
  const model = 'llm:compatible/m@http://127.0.0.1:9/v1';
  const policy = (name: string, fields: object): readonly string[] => {
    writeFileSync(at(name), JSON.stringify(fields));
    return ['--set', `policy=@${at(name)}`];
  };
  test.each([
    ['a proposer that plays no role', () => ['--proposer', 'auto'], 'bad_value'],
    ['a model without an address', () => ['--proposer', 'R2=llm:compatible/m'], 'bad_value'],
    [
      'a role that the policy binds to another',
      () => ['--proposer', `R2=${model}`, ...policy('bound.json', { roles: { R2: 'llm:openai/other' } })],
      'cast',
    ],
    [
      'a validator that is ranked below the planner',
      () => [
        '--proposer',
        `R2=${model}`,
        ...policy('ranks.json', {
          ranks: [
            { proposer: 'llm:compatible/m', rank: 2 },
            { proposer: 'rules', rank: 1 },
          ],
        }),
      ],
      'bad_policy',
    ],
    ['a budget in a unit that nobody is counted in', () => ['--llm', 'budget.output_tokens=10'], 'bad_value'],
    [
      'a folder that holds another run, where a model would have to be paid',
      () => ['--proposer', model, '--store', `file:${at('s')}`, '-o', at('taken')],
      'exists',
    ],
  ] as const)('%s', async (_, args, problem) => {
    if (!existsSync(at('taken')))
      expect(
        (await calledWith({}, 'task', TASK, '--workspace', workspace('taking'), '-o', at('taken'))).code,
      ).toBe(0);
    const { code, stderr } = await calledWith(
      {},
      'task',
      TASK,
      '--workspace',
      workspace('refusing'),
      ...args(),
    );
    expect({ code, stderr, isDone: existsSync(at('refusing', 'report.md')) }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`assay: ${problem}`) as string,
      isDone: false,
    });
  });

  test('a validator that is ranked as high as the planner is taken', async () => {
    const server = await serve();
    const ranks = policy('equal.json', {
      ranks: [
        { proposer: 'llm:compatible/synthetic', rank: 2 },
        { proposer: 'rules', rank: 2 },
      ],
    });
    const { code } = await calledWith(
      envOf(server.url),
      'task',
      TASK,
      '--workspace',
      workspace('ranked'),
      '--proposer',
      `R4b=${named('compatible', server.url)}`,
      ...ranks,
    );
    expect(code).toBe(0);
  });

  test('recording a role that there is not, or the models of a run that had none', async () => {
    await calledWith({}, 'task', TASK, '--workspace', workspace('ruled'), '-o', at('ruled-out'));
    const ledger = at('ruled-out', 'run.ledger.jsonl');
    expect(await calledWith({}, 'record', ledger, '-o', at('none.json'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('assay: nothing_to_record') as string,
    });
    expect(await calledWith({}, 'record', ledger, '-o', at('none.json'), '--slot', 'R9')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/bad_value[\s\S]*its roles are R1, R2, R3, R4a, R4b/) as string,
    });
    expect(await calledWith({}, 'record', ledger, '-o', at('r2.json'), '--slot', 'R2')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/recorded {3}R2$/m) as string,
    });
  });

  test('recording a forged run: it does not re-derive, exit 3', async () => {
    const forged = join(ROOT, 'golden-fixtures', 'forgeries', 'controller-loss-lowered', 'ledger.jsonl');
    expect(await calledWith({}, 'record', forged, '-o', at('forged.json'), '--slot', 'R2')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('does not re-derive') as string,
    });
  });
});

test.skipIf(!hasLoopback)(
  'a plan that names a tool that is not allowed is turned away, and an answer that says otherwise changes nothing',
  async () => {
    const server = await serve(
      scriptOf({
        plan: (_data, nth, good) => {
          const { text = '' } = good();
          return nth < 3 ? text.replace('"find_files"', '"shell"') : text;
        },
      }),
    );
    const { code, stdout } = await calledWith(
      envOf(server.url),
      'task',
      TASK,
      '--workspace',
      workspace('blocked'),
      '--proposer',
      named('compatible', server.url),
      '-o',
      at('blocked-out'),
    );
    expect([code, stdout]).toEqual([1, expect.stringContaining('planner_gave_up')]);
    expect(new Set(payloads(at('blocked-out'), 'rejection').map(({ code: rejected }) => rejected))).toEqual(
      new Set(['unknown_tool']),
    );
    expect(server.received).toHaveLength(4);
  },
);
