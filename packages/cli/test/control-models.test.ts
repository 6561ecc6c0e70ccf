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
import { argv, assay, BIN, ROOT, temporaryFolder } from './lib/assay.ts';
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
  const control = (root: string, ...more: readonly string[]): readonly string[] =>
    argv`task ${TASK} --workspace ${root} --set clock=stamps ${more}`;

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
          ...argv`--proposer ${named('compatible', server.url)}`,
          ...argv`--llm budget.output_tokens=1000000 -o ${live}`,
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
          ...argv`--proposer R1=${named('compatible', server.url)} -o ${at('perceiver')}`,
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

  test.each([
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
        ...argv`--proposer ${named('compatible', server.url)} --store ${store}`,
        ...argv`--set run_id=killed`,
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
        ...argv`resume ${store}#killed --workspace ${at('j')}`,
        ...argv`--proposer ${named('compatible', server.url)} -o ${at('gone-on')}`,
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
        ...argv`task ${TASK} --workspace ${root} --set clock=stamps --set run_id=cut`,
        ...argv`${proposers.flatMap((one) => ['--proposer', one])} -o ${at(`${name}-whole`)}`,
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
            ...argv`record ${at('recorded-whole', 'run.ledger.jsonl')} -o ${at('own.json')} --slot R1`,
          )
        ).code,
      ).toBe(0);
      const other = await serve();
      await calledWith(
        envOf(other.url),
        ...argv`task ${TASK} --workspace ${workspace('others')} --set clock=stamps`,
        ...argv`--proposer R1=${named('compatible', other.url, 'other')} -o ${at('others-out')}`,
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
